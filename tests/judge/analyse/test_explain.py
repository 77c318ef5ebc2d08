"""Where the points of each result came from: parts that add up, and nothing called known that is not."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal

import polars as pl
import pytest

from overtrick.core.config import Config, Scoring
from overtrick.core.frames import Session
from overtrick.judge.analyse import analyse, solver
from overtrick.judge.analyse.deals import CAUSES, list_causes
from overtrick.judge.analyse.explain import explain
from overtrick.judge.analyse.solver import PlaySolver
from overtrick.pipeline import evaluate
from tests.support.deals import pbn, random_boards
from tests.support.pbn_texts import session
from tests.support.played_evening import played_evening

DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
"""A suit to each: N-S make thirteen tricks in spades and diamonds and none at notrump."""

TABLE = bytes([0, 13, 0, 13, 0, 13, 0, 13, 0, 0] * 2)

GAME = """[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{deal}"]
[Table "{table}"]
[PairNS "{table}"]
[PairEW "{pair}"]
[Contract "{contract}"]
[Declarer "{declarer}"]
[Result "{tricks}"]
{play}

"""


def evening(*tables: tuple[str, str, int, str], scoring: str = "MP", solved: bytes = TABLE) -> Session:
    """Return board 1 as it was played: contract, declarer, tricks, and the play section or nothing."""
    games = [
        GAME.format(deal=DEAL, table=n, pair=n + 10, contract=contract, declarer=declarer, tricks=tricks, play=play)
        for n, (contract, declarer, tricks, play) in enumerate(tables, 1)
    ]
    read = session(f'[Scoring "{scoring}"]\n'.join(["", *games]))
    return evaluate(read, Config(), solver=lambda deals: dict.fromkeys(deals, solved))


def parts(judged: Session, plays: PlaySolver = lambda _: {}, side: str = "NS") -> list[dict[str, Fraction]]:
    """Return what each result's causes were worth to a side, without those worth nothing."""
    explained = explain(judged, Scoring(), plays)
    rows = explained.analysis.hstack(judged.results.select("declarer"))
    listed = rows.select("denominator", *list_causes("NS" if side == "NS" else "EW")).to_dicts()
    return [{name: Fraction(row[name], row["denominator"]) for name in CAUSES if row[name]} for row in listed]


def test_a_contract_that_makes_its_double_dummy_tricks_is_all_bidding() -> None:
    judged = evening(("6S", "N", 13, ""), ("7S", "N", 13, ""), ("3NT", "N", 0, ""))
    assert [{}, {"bidding": Fraction(2)}, {"bidding": Fraction(-2)}] == parts(judged)


def test_tricks_that_nobody_recorded_are_unknown_and_compared_with_the_other_tables() -> None:
    judged = evening(("6S", "N", 12, ""), ("6S", "N", 13, ""))
    assert [{"unknown": Fraction(-1)}, {"unknown": Fraction(1)}] == parts(judged)


PLAY = '[Play "E"]\nHA D2 C2 S2\n*'
TEN = bytes([10] * 20)
"""Ten tricks for everybody in every strain, in place of the solver's table."""


def solved(*tricks: int) -> PlaySolver:
    """Return a solver for which a play comes to these tricks, at the start and after each card."""
    return lambda keys: {key: bytes(tricks[: 1 + len(key.split()[-1]) // 2]) for key in keys}


def follow(*plays: tuple[int, ...]) -> tuple[list[tuple[str, str, int, str]], PlaySolver]:
    """Return tables that played 4S by N, and their solver: by table, the tricks at the start and after each card."""
    cards = [f'[Play "E"]\nHA D{rank} C2 S2\n*' for rank in "23456789"]
    tables = [("4S", "N", tricks[-1], play) for tricks, play in zip(plays, cards, strict=False)]
    # The second card, which dummy plays, tells the plays apart.
    return tables, lambda keys: {key: bytes(plays[bytes.fromhex(key.split()[-1])[1] % 13]) for key in keys}


def test_what_the_two_sides_give_up_cancels() -> None:
    # The lead gives up a trick, dummy's card two, and West's one: ten tricks, as double dummy.
    tables, plays = follow((10, 11, 9, 10, 10), (10, 10, 10, 10, 10), (10, 11, 9, 10, 10))
    assert [{}, {}, {}] == parts(evening(*tables, solved=TEN), plays)


def test_what_is_left_is_compared_with_the_tables_where_the_same_side_declared() -> None:
    # The lead gave up a trick at two tables of three, and dummy's card one at the third.
    tables, plays = follow((10, 11, 11, 11, 11), (10, 11, 11, 11, 11), (10, 10, 9, 9, 9))
    found = parts(evening(*tables, solved=TEN), plays)
    assert found[0] == found[1]
    assert Fraction(0) == sum(one.get("declarer", Fraction(0)) for one in found)
    assert Fraction(0) == sum(one.get("opponents", Fraction(0)) for one in found)
    assert {one.get("bidding") for one in found} == {None}
    assert found[0]["opponents"] > 0 > found[2]["declarer"]
    other = parts(evening(*tables, solved=TEN), plays, "EW")
    assert [-one["opponents"] for one in found] == [one["lead"] for one in other]
    assert [-one["declarer"] for one in found] == [one["opponents"] for one in other]


def test_errors_cancel_in_the_order_of_play() -> None:
    # The lead's trick is what dummy gives back; the one that is left is West's.
    tables, plays = follow((10, 11, 10, 11, 11), (10, 10, 10, 10, 10))
    found = explain(evening(*tables, solved=TEN), Scoring(), plays).analysis
    assert [0, 0] == found["lead_value"].to_list()
    assert found["defence_value"][0] > 0 > found["defence_value"][1]
    assert [[("E", 1), ("S", 1), ("W", 1)], []] == [
        [(one["seat"], one["cost"]) for one in costs] for costs in found["costs"]
    ]


def test_a_table_alone_is_compared_with_its_role_over_the_evening() -> None:
    tables, plays = follow((10, 11, 11, 11, 11), (10, 11, 11, 11, 11))
    judged = evening(*tables, ("4S", "E", 10, PLAY.replace('"E"', '"S"').replace("HA", "C2")), solved=TEN)
    found = explain(judged, Scoring(), lambda keys: plays([key for key in keys if "S" != key[0]])).analysis
    assert [1, 1, 0] == found["same_side"].to_list()


METHODS = ("matchpoints", "butler", "cross-imps", "aggregate")


@pytest.fixture(scope="module")
def played() -> Session:
    if not solver.is_installed():
        pytest.skip("the extra dd is not installed")
    return evaluate(session(played_evening(4, 7, seed=3)), Config(), solver=solver.solve)


@pytest.mark.parametrize("recorded", ["all", "some", "none"])
@pytest.mark.parametrize("method", METHODS)
def test_parts_compare_with_the_field_by_every_method(method: str, recorded: str, played: Session) -> None:
    scoring = Scoring(method=method)
    scored = evaluate(played, Config(scoring=scoring))
    hide = {"all": pl.lit(value=False), "some": pl.int_range(pl.len()) % 3 == 0, "none": pl.lit(value=True)}[recorded]
    cards = pl.when(hide).then(pl.lit([], scored.records.schema["cards"])).otherwise("cards").alias("cards")
    scored = replace(scored, records=scored.records.with_columns(cards))
    found = explain(scored, scoring, solver.solve_plays).analysis
    values = ["lead_value", "declarer_value", "defence_value", "unknown_value"]
    assert found["swing"].to_list() == found.select(pl.sum_horizontal("expected", *values)).to_series().to_list()
    rows = scored.results.select("board", "level", "strain", "doubled", "declarer", "top").hstack(found)
    exact = [{**row, "of": row["denominator"]} for row in rows.iter_rows(named=True)]
    assert 28 == len(exact)
    for side in ("NS", "EW"):
        for board in range(1, 5):
            alike = [row for row in exact if row["board"] == board and row["declarer"] in side]
            assert [len(alike) - 1] * len(alike) == [row["same_side"] for row in alike]
            for name in values if len(alike) > 1 else ():
                assert 0 == sum(Fraction(row[name], row["of"]) for row in alike)
                if method == "matchpoints":
                    assert all(abs(Fraction(row[name], row["of"])) <= row["top"] for row in alike)
    bidding: dict[tuple[object, ...], set[Fraction]] = {}
    for row in exact:
        contract = tuple(row[name] for name in ("board", "level", "strain", "doubled", "declarer"))
        bidding.setdefault(contract, set()).add(Fraction(row["expected"], row["of"]))
    assert {1} == {len(values) for values in bidding.values()}
    assert len(bidding) < len(exact)


def test_a_claim_that_gives_up_a_trick_is_named_without_a_card() -> None:
    judged = evening(("6S", "N", 12, PLAY), ("6S", "N", 11, ""))
    explained = explain(judged, Scoring(), solved(13, 13, 13, 13, 13))
    assert [[{"place": 52, "card": None, "seat": None, "cost": 1, "best": None}], None] == explained.analysis[
        "costs"
    ].to_list()


def test_a_play_that_only_breaks_off_leaves_the_rest_unknown() -> None:
    judged = evening(("6S", "N", 12, PLAY.removesuffix("*")), ("6S", "N", 11, ""), ("6S", "N", 13, ""))
    found = explain(judged, Scoring(), solved(13, 13, 13, 13, 13)).analysis
    assert [None, None, None] == found["costs"].to_list()
    # The other two broke off before the first card: nobody is compared with this one.
    assert found["lead_value"][0] == found["declarer_value"][0] == found["defence_value"][0] == 0
    assert found["swing"][0] == found["expected"][0] + found["unknown_value"][0]


def test_without_a_solver_all_of_a_swing_is_unknown() -> None:
    played = ("6S", "N", 12, ""), ("6S", "N", 13, "")
    judged = evening(*played)
    bare = evaluate(session("".join(pbn([]))), Config())
    assert bare.analysis.is_empty()
    unsolved = explain(analyse(judged), Scoring(), lambda _: {})
    assert [-1, 1] == (unsolved.analysis["swing"] / unsolved.analysis["denominator"]).to_list()


@pytest.mark.parametrize("method", METHODS)
def test_parts_add_up_to_the_swing_by_every_method(method: str) -> None:
    judged = evening(("6S", "N", 12, PLAY), ("6S", "N", 11, ""), ("3NT", "N", 1, ""), ("Pass", "", 0, ""))
    scored = evaluate(judged, Config(scoring=Scoring(method=method)))
    found = explain(scored, Scoring(method=method), solved(13, 13, 11, 13, 13)).analysis
    total = pl.sum_horizontal("expected", "lead_value", "declarer_value", "defence_value", "unknown_value")
    assert found["swing"].to_list() == found.select(total).to_series().to_list()
    assert not found["swing"].has_nulls()


@pytest.mark.parametrize("side", ["NS", "EW"])
def test_a_result_that_is_compared_with_nothing_has_no_parts(side: Literal["NS", "EW"]) -> None:
    scored = evaluate(evening(("6S", "N", 12, PLAY)), Config(scoring=Scoring(method="teams")))
    found = explain(scored, Scoring(method="teams"), solved(13, 13, 11, 13, 13)).analysis
    parts = found.hstack(scored.results.select("declarer")).select(list_causes(side)).row(0)
    assert (None, {None}) == (found["swing"][0], set(parts))


def test_recorded_plays_come_to_the_tricks_made() -> None:
    if not solver.is_installed():
        pytest.skip("the extra dd is not installed")
    judged = evaluate(session(pbn(random_boards(5, seed=5))), Config(), solver=solver.solve)
    found = explain(judged, Scoring(), solver.solve_plays).analysis
    finished = found.hstack(judged.results.select("tricks", "declarer")).drop_nulls("costs")
    assert finished.height >= 3
    for row in finished.iter_rows(named=True):
        assert row["tricks"] == row["dd_tricks"] - sum(lost(row["costs"], row["declarer"]))


def lost(costs: Sequence[dict[str, object]], declarer: str) -> list[int]:
    """Return the tricks that declarer's side lost at each cost, negative where the defence lost them."""
    own = "NS" if declarer in "NS" else "EW"
    return [int(str(one["cost"])) * (1 if one["seat"] is None or str(one["seat"]) in own else -1) for one in costs]
