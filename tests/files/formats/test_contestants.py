"""Who took part."""

import polars as pl

from overtrick.files.formats.session_rows import list_contestants


def listed(*rows: tuple[str | None, str, str | None]) -> list[tuple[str, str | None, str | None]]:
    seated = pl.DataFrame(
        [
            {"contestant": who, "section": None, "direction": direction, "names": names}
            for who, direction, names in rows
        ],
        schema={"contestant": pl.String, "section": pl.String, "direction": pl.String, "names": pl.String},
    )
    return list_contestants(seated).select("contestant", "direction", "names").rows()


def test_a_pair_is_listed_once() -> None:
    assert [("1", "NS", "Ada - Bo")] == listed(("1", "NS", "Ada - Bo"), ("1", "NS", "Ada - Bo"))


def test_a_pair_that_sat_both_ways_has_no_direction() -> None:
    assert [("1", None, "Ada - Bo")] == listed(("1", "NS", "Ada - Bo"), ("1", "EW", "Ada - Bo"))


def test_one_number_may_be_two_pairs() -> None:
    assert [("1", "NS", "Ada - Bo"), ("1", "EW", "Cid - Dot")] == listed(
        ("1", "NS", "Ada - Bo"), ("1", "EW", "Cid - Dot")
    )


def test_names_that_a_row_lacks_are_taken_from_another() -> None:
    assert [("1", "NS", "Ada - Bo")] == listed(("1", "NS", None), ("1", "NS", "Ada - Bo"))


def test_nobody_is_not_listed() -> None:
    assert [] == listed((None, "NS", None))
