"""Files for national bodies: USEBIO 1.3 for the EBU, and the masterpoint files of the ABF, to the byte."""

import re
from dataclasses import replace

import polars as pl
import pytest

from overtrick.apps.deliver import NAMES, Order, OrderError
from overtrick.apps.deliver.bodies import prepare_abf, prepare_ebu
from overtrick.files.formats.usebio.reader import read_usebio
from overtrick.show.publish.address import PublishError
from tests.support.commands import ROOT
from tests.support.delivering import make_order


@pytest.fixture
def order() -> Order:
    return make_order()


def test_the_ebu_gets_usebio_with_its_numbers_and_codes(order: Order) -> None:
    (parcel,) = prepare_ebu(replace(order, charge="60"))
    text = parcel.files["20260307.xml"].decode()
    assert text.splitlines()[1:7] == [
        '<!DOCTYPE USEBIO SYSTEM "usebio_v1_3.dtd">',
        '<USEBIO Version="1.3">',
        "<CLUB>",
        "  <CLUB_NAME>Lantern Street</CLUB_NAME>",
        "  <CLUB_ID_NUMBER>123456</CLUB_ID_NUMBER>",
        "</CLUB>",
    ]
    assert "<SECTION_COUNT>1</SECTION_COUNT>\n  <EBU_CHARGE_CODE>60</EBU_CHARGE_CODE>\n" in text
    assert "<PLAYER_NAME>Ada Quill</PLAYER_NAME>\n      <NATIONAL_ID_NUMBER>00123</NATIONAL_ID_NUMBER>" in text
    assert "<PLAYER_NAME>Dora Finch</PLAYER_NAME>" in text, "a body that counts masterpoints needs every name"
    assert ("Players without EBU number: 11.",) == parcel.notes
    assert order.session.results.height == read_usebio(parcel.files["20260307.xml"]).results.height


def test_a_wrong_charge_code_is_refused(order: Order) -> None:
    with pytest.raises(OrderError, match="--charge: expected two digits, as in 10, got '6'"):
        prepare_ebu(replace(order, charge="6"))


def awarded(order: Order, awards: dict[str, str]) -> Order:
    """Return the evening with these awards, by contestant."""
    texts = pl.col("contestant").replace_strict(awards, default=None, return_dtype=pl.String)
    return replace(order, session=replace(order.session, standings=order.session.standings.with_columns(awards=texts)))


@pytest.mark.parametrize(
    ("awards", "files"),
    [
        ({"1": "0.42 green"}, {"20260307.grn": b"0002288000042\r\n0123456000042\r\n"}),
        ({"4": "1.45 red"}, {"20260307.red": b"0088249000145\r\n"}),
        (
            {"1": "0.05 Green", "4": "70 red"},
            {"20260307.rag": b"0002288000000000005\r\n0088249007000000000\r\n0123456000000000005\r\n"},
        ),
        ({"4": "0.5 gold; 3 black"}, {"20260307.gld": b"0088249000050\r\n"}),
    ],
)
def test_the_abf_gets_a_line_for_each_player(order: Order, awards: dict[str, str], files: dict[str, bytes]) -> None:
    (parcel,) = prepare_abf(awarded(order, awards))
    assert files == parcel.files


def test_what_the_abf_does_not_get_is_said(order: Order) -> None:
    (parcel,) = prepare_abf(awarded(order, {"4": "0.125 green; 3 black", "2": "1 green"}))
    assert (
        "Players with points who have no ABF number and are left out: 3.",
        "Awards rounded to hundredths: 1.",
        "Points of the colour 'black' are not for the ABF.",
    ) == parcel.notes
    with pytest.raises(PublishError, match="no player with an ABF number has green, red or gold points"):
        prepare_abf(awarded(order, {"2": "1 green"}))


def test_a_club_number_is_not_taken_for_a_national_one(order: Order) -> None:
    members = pl.lit("7 - 8").alias("members")
    session = replace(order.session, contestants=order.session.contestants.with_columns(members))
    (parcel,) = prepare_ebu(replace(order, session=session))
    text = parcel.files["20260307.xml"].decode()
    assert "<PLAYER_NAME>Ben Moss</PLAYER_NAME>\n    </PLAYER>" in text


def test_the_page_lists_every_place() -> None:
    rows = re.findall(r"^\| `([a-z]+)` \|", (ROOT / "docs" / "deliver.md").read_text("utf-8"), re.MULTILINE)
    assert NAMES == tuple(rows)
