"""Score sheets: honours held in one hand."""

import polars as pl
import pytest

from overtrick.core.bridge.cards import owners
from overtrick.core.bridge.sheets import honours


@pytest.mark.parametrize(
    ("points", "strain", "deal"),
    [
        ([100, 0, 0, 0], "S", "N:AKQJ.2.2.2 - - -"),
        ([0, 150, 0, 0], "S", "N:2.2.2.2 AKQJT... - -"),
        ([0, 100, 0, 0], "H", "N:2.A.. 2.KQJT.. - -"),
        ([0, 0, 0, 0], "S", "N:AKQ.2.2.2 JT... - -"),
        ([0, 0, 0, 0], "D", "N:AKQJ.2.2.2 - - -"),
        ([0, 0, 150, 0], "NT", "N:2... - A.A.A.A -"),
        ([0, 0, 0, 0], "NT", "N:AKQJT.2.2.2 - - -"),
        ([0, 0, 0, 0], "S", "N:A.A.A.A - - -"),
        ([0, 0, 0, 0], None, "N:AKQJT.2.2.2 - - -"),
        ([0, 0, 0, 0], "S", None),
    ],
)
def test_honours_are_found_in_the_hand_that_holds_them(points: list[int], strain: str | None, deal: str | None) -> None:
    held = honours(owners(pl.Series([deal], dtype=pl.String)), pl.Series([strain], dtype=pl.String))
    assert [points] == held.tolist()
