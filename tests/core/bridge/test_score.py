"""Law 77."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.score import contract_score, score_ns

TABLE = pl.read_csv(Path(__file__).parents[2] / "data" / "contract-scores.tsv", separator="\t")
"""Declarer's score of every contract: rows by level, strains, doubling and vulnerability, columns by tricks."""

COLUMNS = ("level", "strain", "doubled", "vulnerable", "tricks")


def scores(contracts: pl.DataFrame) -> list[int | None]:
    return contracts.select(contract_score(*(pl.col(name) for name in COLUMNS)).alias("score"))["score"].to_list()


def score(contract: str, tricks: int | None, vulnerable: bool | None = False) -> int | None:
    strain = contract[1:].rstrip("X")
    row = [int(contract[0]), strain, contract.count("X"), vulnerable, tricks]
    types = [pl.Int8, pl.String, pl.Int8, pl.Boolean, pl.Int8]
    schema = dict(zip(COLUMNS, types, strict=True))
    return scores(pl.DataFrame([row], schema=schema, orient="row"))[0]


def test_every_contract_scores_as_the_printed_table_says() -> None:
    printed = (
        TABLE.with_columns(
            pl.col("strains").replace_strict({"CD": ["C", "D"], "HS": ["H", "S"], "NT": ["NT"]}).alias("strain")
        )
        .explode("strain")
        .unpivot(
            [str(tricks) for tricks in range(14)],
            index=["level", "strain", "doubled", "vulnerable"],
            variable_name="tricks",
        )
        .with_columns(pl.col("tricks").cast(pl.UInt8), pl.col("vulnerable") == 1)
    )
    assert (2940, printed["value"].to_list()) == (printed.height, scores(printed))


@pytest.mark.parametrize(
    ("points", "contract", "tricks", "vulnerable"),
    [
        (400, "3NT", 9, False),
        (430, "3NT", 10, False),
        (420, "4S", 10, False),
        (620, "4S", 10, True),
        (650, "4H", 11, True),
        (1440, "6NT", 12, True),
        (1680, "6NTX", 12, True),
        (570, "2HX", 9, False),
        (1070, "2SX", 10, True),
        (3160, "1NTXX", 13, True),
        (2980, "7NTXX", 13, True),
        (-200, "7CXX", 12, False),
        (-200, "3NT", 7, True),
        (-300, "4SX", 8, False),
    ],
)
def test_scores_seen_at_the_table(points: int, contract: str, tricks: int, vulnerable: bool) -> None:
    assert points == score(contract, tricks, vulnerable)


def test_overtricks_make_no_game() -> None:
    assert [170, 470] == [score("2H", 10), score("2HX", 8)]


def test_a_doubled_minor_at_the_two_level_is_no_game_and_a_redoubled_one_is() -> None:
    assert [180, 560] == [score("2CX", 8), score("2DXX", 8)]


def test_the_fourth_doubled_trick_down_costs_three_hundred_not_vulnerable() -> None:
    assert [-100, -300, -500, -800, -1100] == [score("4SX", 10 - down) for down in range(1, 6)]


def test_thirteen_down_doubled() -> None:
    assert [-3500, -3800] == [score("7NTX", 0), score("7NTX", 0, vulnerable=True)]


def test_a_passed_out_board_is_a_result_of_nought() -> None:
    nothing_else_known = pl.DataFrame(
        {"level": [0], "strain": [None], "doubled": [None], "vulnerable": [None], "tricks": [None]},
        schema_overrides={"strain": pl.String, "vulnerable": pl.Boolean},
    )
    assert [0] == scores(nothing_else_known)


@pytest.mark.parametrize("unknown", COLUMNS)
def test_a_contract_of_which_something_is_unknown_has_no_score(unknown: str) -> None:
    four_spades = pl.DataFrame({"level": [4], "strain": ["S"], "doubled": [0], "vulnerable": [True], "tricks": [10]})
    assert [620] == scores(four_spades)
    assert [None] == scores(four_spades.with_columns(pl.lit(None).cast(four_spades.schema[unknown]).alias(unknown)))


@pytest.mark.parametrize(("column", "value"), [("level", 8), ("doubled", 3), ("tricks", 14)])
def test_a_contract_that_can_not_be_has_no_score(column: str, value: int) -> None:
    four_spades = pl.DataFrame({"level": [4], "strain": ["S"], "doubled": [0], "vulnerable": [True], "tricks": [10]})
    assert [None] == scores(four_spades.with_columns(pl.lit(value).alias(column)))


def test_scores_are_kept_for_north_south_whoever_declared() -> None:
    declared = pl.DataFrame({"score": [620, 620, -100, -100, 0, 420], "by": ["N", "E", "S", "W", None, None]})
    signed = declared.select(score_ns(pl.col("score"), pl.col("by")).alias("ns"))["ns"].to_list()
    assert [620, -620, -100, 100, 0, None] == signed


@given(
    level=st.integers(1, 7),
    strain=st.sampled_from(["C", "D", "H", "S", "NT"]),
    doubled=st.integers(0, 2),
    vulnerable=st.booleans(),
    tricks=st.integers(0, 12),
)
def test_another_trick_always_pays(level: int, strain: str, doubled: int, vulnerable: bool, tricks: int) -> None:
    contract = f"{level}{strain}{'X' * doubled}"
    fewer, more = score(contract, tricks, vulnerable), score(contract, tricks + 1, vulnerable)
    assert fewer is not None
    assert more is not None
    assert fewer < more
