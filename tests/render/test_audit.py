"""An audit in words."""

import polars as pl

from overtrick.rank.audit import AUDIT
from overtrick.render.audit import audit_text

NOTHING = pl.DataFrame(schema=AUDIT)
ONE_LINE = pl.DataFrame([{"what": "line", "board": 3, "stated": "1 / 3", "explained_by": None}], schema=AUDIT)


def test_what_agrees_is_counted() -> None:
    assert "12 of 12 lines and 1 of 1 total agree with what is stated.\n" == audit_text(NOTHING, 12, 1, [])


def test_differences_come_first_then_what_explains_them() -> None:
    text = audit_text(ONE_LINE, 12, 8, [("datum = mean", 1, 0), ("field = all", 1, 4)])
    assert text.splitlines() == [
        "what  board  stated",
        "line      3  1 / 3",
        "",
        "datum = mean would explain 1 of 1.",
        "field = all would explain 1 of 1, and 4 others would differ.",
        "",
        "11 of 12 lines and 8 of 8 totals agree with what is stated.",
    ]
