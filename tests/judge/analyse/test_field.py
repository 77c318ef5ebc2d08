"""Contracts compared with the field: the same level, strain and side, and what most tables bid."""

import polars as pl

from overtrick.core.frames import RESULTS, conform
from overtrick.judge.analyse.deals import compare_contracts


def compared(
    *contracts: str, of_teams: bool = False, tables: int = 1
) -> list[tuple[int | None, int | None, bool | None]]:
    """Return others, alike and with_field for contracts such as `4SN` on one board."""
    rows = [
        {"board": 1, "level": int(text[0]) or None, "strain": text[1:-1] or None, "declarer": text[-1] or None}
        for text in contracts
    ]
    results = conform(RESULTS, pl.DataFrame(rows)).with_columns(
        pl.lit(tables).alias("multiplicity"), pl.lit("Ash").alias("team_ns"), pl.lit("Oak").alias("team_ew")
    )
    return compare_contracts(results, ["board"], of_teams=of_teams).rows()


def test_a_contract_that_most_tables_bid_is_with_the_field() -> None:
    assert [(2, 1, True), (2, 1, True), (2, 0, False)] == compared("4SN", "4SN", "3SN")


def test_partners_declare_the_same_contract() -> None:
    assert [(1, 1, True), (1, 1, True)] == compared("4SN", "4SS")
    assert [(1, 0, None), (1, 0, None)] == compared("4SN", "4SE")


def test_where_two_contracts_are_as_frequent_there_is_no_field() -> None:
    assert [(1, 0, None), (1, 0, None)] == compared("4SN", "3SN")


def test_in_a_match_the_field_is_the_other_table() -> None:
    assert [(1, 0, False), (1, 0, False)] == compared("4SN", "3SN", of_teams=True)
    assert [(1, 1, True), (1, 1, True)] == compared("4SN", "4SN", of_teams=True)


def test_a_row_of_several_tables_counts_as_often() -> None:
    assert [(3, 1, None), (3, 1, None)] == compared("4SN", "3SN", tables=2)
