"""Where the points of each result came from: parts that add up, and nothing called known that is not."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import polars as pl
import pytest

from overtrick.core.config import Config, Scoring
from overtrick.core.frames import Session
from overtrick.judge.analyse import analyse, solver
from overtrick.judge.analyse.deals import CAUSES, list_causes
from overtrick.judge.analyse.explain import PlaySolver, explain
from overtrick.pipeline import evaluate
from tests.support.deals import pbn, random_boards
from tests.support.pbn_texts import session

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


def evening(*tables: tuple[str, str, int, str], scoring: str = "MP") -> Session:
    """Return board 1 as it was played: contract, declarer, tricks, and the play section or nothing."""
    games = [
        GAME.format(deal=DEAL, table=n, pair=n + 10, contract=contract, declarer=declarer, tricks=tricks, play=play)
        for n, (contract, declarer, tricks, play) in enumerate(tables, 1)
    ]
    read = session(f'[Scoring "{scoring}"]\n'.join(["", *games]))
    return evaluate(read, Config(), solver=lambda deals: dict.fromkeys(deals, TABLE))


def parts(judged: Session, plays: PlaySolver = lambda _: {}, side: str = "NS") -> list[dict[str, Fraction]]:
    """Return what each result's causes were worth to a side, without those worth nothing."""
    explained = explain(judged, Scoring(), plays)
    rows = explained.analysis.hstack(judged.results.select("declarer"))
    listed = rows.select("denominator", *list_causes("NS" if side == "NS" else "EW")).to_dicts()
    return [{name: Fraction(row[name], row["denominator"]) for name in CAUSES if row[name]} for row in listed]


def test_a_contract_that_makes_its_double_dummy_tricks_is_all_bidding() -> None:
    judged = evening(("6S", "N", 13, ""), ("7S", "N", 13, ""), ("3NT", "N", 0, ""))
    assert [{}, {"bidding": Fraction(2)}, {"bidding": Fraction(-2)}] == parts(judged)


def test_tricks_that_nobody_recorded_are_unknown() -> None:
    judged = evening(("6S", "N", 12, ""), ("6S", "N", 13, ""))
    assert [{"bidding": Fraction(0), "unknown": Fraction(-1)}, {"bidding": Fraction(1)}] == [
        {"bidding": one.get("bidding", Fraction(0)), **one} for one in parts(judged)
    ]


PLAY = '[Play "E"]\nHA D2 C2 S2\n*'


def solved(*tricks: int) -> PlaySolver:
    """Return a solver for which a play comes to these tricks, at the start and after each card."""
    return lambda keys: {key: bytes(tricks[: 1 + len(key.split()[-1]) // 2]) for key in keys}


def test_each_card_is_worth_what_the_score_before_and_after_it_would_earn() -> None:
    # 6S by N makes 12 double dummy; the lead gives up a trick, dummy's card two, and West's one.
    judged = evening(("6S", "N", 12, PLAY), ("6S", "N", 11, ""), ("6S", "N", 13, ""))
    solver_of_first = solved(12, 13, 11, 12, 12)
    found = parts(judged, lambda keys: solver_of_first(keys[:1]))
    # Against 11 and 13 tricks: 12 tricks are 2 of 4 matchpoints, 13 are 3, and 11 are 1.
    assert {"declarer": Fraction(-2), "opponents": Fraction(2)} == found[0]


def test_the_other_side_sees_the_same_parts_with_other_names() -> None:
    judged = evening(("6S", "N", 12, PLAY), ("6S", "N", 11, ""), ("6S", "N", 13, ""))
    solver_of_first = solved(12, 13, 11, 12, 12)
    found = parts(judged, lambda keys: solver_of_first(keys[:1]), "EW")
    assert {"lead": Fraction(-1), "defence": Fraction(-1), "opponents": Fraction(2)} == found[0]


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
    assert -1 == found["unknown_value"][0] / found["denominator"][0]


def test_without_a_solver_all_of_a_swing_is_unknown() -> None:
    played = ("6S", "N", 12, ""), ("6S", "N", 13, "")
    judged = evening(*played)
    bare = evaluate(session("".join(pbn([]))), Config())
    assert bare.analysis.is_empty()
    unsolved = explain(analyse(judged), Scoring(), lambda _: {})
    assert [-1, 1] == (unsolved.analysis["swing"] / unsolved.analysis["denominator"]).to_list()


@pytest.mark.parametrize("method", ["matchpoints", "butler", "cross-imps", "aggregate"])
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
