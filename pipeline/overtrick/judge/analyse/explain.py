"""Where the points of each result came from: the contract, the lead, declarer's cards, the defenders' cards.

`docs/analysis.md` has the formulas. A result is followed from the contract's double-dummy tricks to the tricks made.
What the two sides gave up cancels; each trick that is left earns the difference between what the score before it and
the score after it would have earned at the table, while all other tables keep their scores. Then the parts are compared
with those of the tables where the same side declared. They add up to what the result earned, exactly; what nobody
recorded is a part of its own.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.bridge import replays
from overtrick.core.bridge.cards import CARDS, SEATS, UNKNOWN, Bytes, code, owners
from overtrick.core.bridge.score import law_score
from overtrick.core.config import Scoring
from overtrick.core.frames import ANALYSIS, Session, conform
from overtrick.judge.analyse.deals import are_playable, compare_contracts, compare_with_field, list_compared
from overtrick.judge.analyse.solver import PlaySolver, play_key
from overtrick.judge.score.what_if import compared_lines, value_scores

_BEST = pl.List(pl.UInt8)

CardSolver = Callable[[Sequence[str]], Mapping[str, bytes]]
"""Finds the best cards of positions, as `solver.solve_best_cards` does; leaves out those that it can't solve."""


def add_best_cards(costly: pl.DataFrame, rows: pl.DataFrame, cards: Bytes, solver: CardSolver | None) -> pl.DataFrame:
    """Return cards that gave up tricks with a column `best`: the codes of the cards that would have given up none.

    Args:
        costly: `row` in the two frames below, and `place` of the card in the order played.
        rows: results, with `deal` and `strain`.
        cards: in the order played, shape (results, 52), of each row.
        solver: None to leave `best` null.
    """
    if solver is None or costly.is_empty():
        return costly.with_columns(best=pl.lit(None, _BEST))
    row, place = (costly[name].to_numpy().astype(np.int64) for name in ("row", "place"))
    strain = rows["strain"].to_physical().to_numpy()
    trick = place - place % 4
    led = np.take_along_axis(owners(rows["deal"])[row], cards[row, trick][:, None].astype(np.int64), axis=1)[:, 0]
    keys = [
        play_key(deal, int(trump), int(seat), played[:number].tobytes())
        for deal, trump, seat, played, number in zip(
            rows["deal"].gather(row), strain[row], led, cards[row], place, strict=True
        )
    ]
    found = solver(list(dict.fromkeys(keys)))
    best = pl.Series("best", [found.get(key) for key in keys], pl.Binary)
    return costly.with_columns(best.cast(_BEST))


Numbers = npt.NDArray[np.int64]

_CAUSES: Final = ("lead_value", "declarer_value", "defence_value", "unknown_value")
_LEAD, _DECLARER, _DEFENCE, _UNKNOWN = range(4)
_OUTCOME: Final = ("level", "strain", "doubled", "declarer", "tricks")


@dataclass(frozen=True)
class _Plays:
    """The plays of results with a contract, a result and a playable deal; one row each."""

    rows: pl.DataFrame
    cards: Bytes
    """In the order played, (results, 52), `UNKNOWN` after the last."""
    ended: npt.NDArray[np.bool_]
    """Whether the cards end with the last trick or with a claim."""
    tricks: Bytes
    """Double dummy for declarer's side at the start and after each card, (results, 53); `UNKNOWN` for not solved."""


def explain(session: Session, scoring: Scoring, solver: PlaySolver, find_best: PlaySolver | None = None) -> Session:
    """Fill `analysis`: one row for each result, in their order.

    Args:
        session: as analysed (`analyse.analyse`), with its tables.
        scoring: the settings that the session was scored with.
        solver: solves the leads and plays.
        find_best: finds the best cards where one gave up tricks, as `solver.solve_best_cards` does; None to leave them
            out.
    """
    plays = _solve_plays(_list_plays(session), solver)
    steps = _list_steps(plays)
    found = _judge(plays, find_best)
    every = pl.DataFrame({"result": pl.int_range(session.results.height, dtype=pl.UInt32, eager=True)})
    analysis = every.join(found, on="result", how="left", maintain_order="left")
    values = _value_steps(session, scoring, plays, steps)
    return replace(
        session, analysis=conform(ANALYSIS, analysis.join(values, on="result", how="left", maintain_order="left"))
    )


def judge_plays(session: Session, solver: PlaySolver) -> pl.DataFrame:
    """Return what each result with a contract, a result and a playable deal gave up: no session has to be scored.

    Returns:
        `result dd_tricks lead lead_cost costs`, as in `frames.ANALYSIS`; other results have no row.
    """
    return _judge(_solve_plays(_list_plays(session), solver), None)


def _judge(plays: _Plays, find_best: PlaySolver | None) -> pl.DataFrame:
    return plays.rows.select("result", pl.Series("dd_tricks", plays.tricks[:, 0])).with_columns(
        pl.col("dd_tricks").replace(UNKNOWN, None), *_leads(plays), _costs(plays, find_best)
    )


def _list_plays(session: Session) -> _Plays:
    """List the results whose play can be judged, with the cards that were recorded.

    A recorded play counts if it is of the contract and every card in it is lawful; otherwise the lead may be known.
    """
    results = session.results.with_row_index("result").filter(
        (pl.col("status") == "played") & pl.all_horizontal(pl.col("strain", "declarer", "tricks").is_not_null())
    )
    records = session.records.select(
        *("record", "deal", "cards", "play_start", "play_end"),
        *(pl.col(name).alias(f"{name}_recorded") for name in _OUTCOME),
    )
    tables = session.double_dummy.select("deal", by_declarer=pl.coalesce("solved", "tricks"))
    boards = session.records.drop_nulls(["board", "deal"]).group_by("board").agg(pl.col("deal").unique())
    only = boards.filter(pl.col("deal").list.len() == 1).select("board", only=pl.col("deal").list.first())
    rows = (
        results.join(records, on="record", how="left", maintain_order="left")
        .join(only, on="board", how="left", maintain_order="left")
        .with_columns(deal=pl.coalesce("deal", "only"))
        .join(tables.drop_nulls().unique("deal"), on="deal", how="left", maintain_order="left")
    )
    rows = rows.filter(are_playable(rows["deal"]))
    cards, ended = _recorded_cards(rows, session)
    return _Plays(rows, cards, ended, np.full((rows.height, 53), UNKNOWN, np.uint8))


def _recorded_cards(rows: pl.DataFrame, session: Session) -> tuple[Bytes, npt.NDArray[np.bool_]]:
    """Return the cards of each result in the order played, or the lead alone, and which plays ended."""
    recorded = session.records.filter(pl.col("cards").list.len() > 0)
    played = replays.plays(recorded, session.annotations)
    in_order = replays.in_order(recorded, played)
    sound = np.ones(recorded.height, np.bool_)
    sound[played.faults.board] = False
    at = rows.select("record").join(
        recorded.select("record").with_row_index("at"), on="record", how="left", maintain_order="left"
    )["at"]
    place = at.fill_null(0).to_numpy().astype(np.int64)
    known = (at.is_not_null() & rows.select(_is_of_record()).to_series()).to_numpy()
    cards = np.full((rows.height, 52), UNKNOWN, np.uint8)
    leader = (_codes(rows, "declarer") + 1) & 3
    if recorded.height:
        known = known & sound[place] & (played.leader[place, 0] == leader)
        cards[known] = in_order.cards[place[known]]
    lead = rows.select(code(pl.col("lead"), CARDS).cast(pl.UInt8).fill_null(UNKNOWN)).to_series().to_numpy()
    holder = np.take_along_axis(owners(rows["deal"]), np.minimum(lead, 51)[:, None].astype(np.int64), axis=1)[:, 0]
    led = (cards[:, 0] == UNKNOWN) & (lead != UNKNOWN) & (holder == leader)
    cards[led, 0] = lead[led]
    whole = (cards != UNKNOWN).all(axis=1)
    claimed = (rows["play_end"] == "*").fill_null(value=False).to_numpy() & known
    return cards, whole | claimed


def _is_of_record() -> pl.Expr:
    """Return whether the play of the record is that of the result.

    A record with a score table has a result for each table; the only one with the outcome of the record is its own.
    """
    same = {name: pl.col(name) == pl.col(f"{name}_recorded") for name in _OUTCOME}
    whole = pl.all_horizontal(*same.values()).fill_null(value=False)
    alone = (pl.len().over("record") == 1) & same["strain"] & same["declarer"]
    return (alone | (whole & (whole.sum().over("record") == 1))).fill_null(value=False)


def _solve_plays(plays: _Plays, solver: PlaySolver) -> _Plays:
    """Fill `tricks`: at the start from the table of the deal, after each card from the solver."""
    strain, declarer = _codes(plays.rows, "strain"), _codes(plays.rows, "declarer")
    count = (plays.cards != UNKNOWN).sum(axis=1)
    keys = [
        play_key(deal, int(trump), int(seat + 1) & 3, cards[:number].tobytes()) if number else ""
        for deal, trump, seat, cards, number in zip(
            plays.rows["deal"], strain, declarer, plays.cards, count, strict=True
        )
    ]
    wanted = list(dict.fromkeys(key for key in keys if key))
    solved = solver(wanted) if wanted else {}
    tricks = plays.tricks.copy()
    table = plays.rows.select(
        pl.col("by_declarer").arr.get(5 * pl.lit(pl.Series(declarer)) + pl.lit(pl.Series(strain)))
    )
    tricks[:, 0] = table.to_series().fill_null(UNKNOWN).to_numpy()
    for row, key in enumerate(keys):
        if found := solved.get(key):
            tricks[row, : len(found)] = np.frombuffer(found, np.uint8)
    return replace(plays, tricks=tricks)


def _codes(rows: pl.DataFrame, name: str) -> Bytes:
    codes: Bytes = rows[name].to_physical().cast(pl.UInt8).to_numpy()
    return codes


def _leads(plays: _Plays) -> list[pl.Series]:
    known = plays.tricks[:, 1] != UNKNOWN
    cost = np.where(known, plays.tricks[:, 1].astype(np.int16) - plays.tricks[:, 0], UNKNOWN).astype(np.uint8)
    columns = {"lead": plays.cards[:, 0], "lead_cost": cost}
    return [pl.Series(name, column).replace(UNKNOWN, None) for name, column in columns.items()]


def _given_up(plays: _Plays) -> tuple[Numbers, Numbers]:
    """Return what each card gave up, negative for declarer's side, and its player; 0 where nothing is known."""
    tricks = plays.tricks.astype(np.int64)
    known = plays.tricks[:, 1:] != UNKNOWN
    player = np.take_along_axis(owners(plays.rows["deal"]), np.minimum(plays.cards, 51).astype(np.int64), axis=1)
    return np.where(known, np.diff(tricks, axis=1), 0), player.astype(np.int64)


def _finished(plays: _Plays) -> tuple[npt.NDArray[np.bool_], Numbers]:
    """Return which plays were solved to a recorded end, and declarer's tricks there."""
    count = (plays.cards != UNKNOWN).sum(axis=1)
    last = plays.tricks[np.arange(len(count)), count]
    return plays.ended & (count > 0) & (last != UNKNOWN), last.astype(np.int64)


# Play 4 has a lead that gave up a trick and a claim that did, play 5 nothing:
#
#     row  place  card  seat  cost  best                 costs
#     4    0      38    W     1     [51, 50]        4    [{0, 38, W, 1, [51, 50]}, {52, null, null, 1, null}]
#     4    52     null  null  1     null       ->   5    []
def _costs(plays: _Plays, find_best: PlaySolver | None) -> pl.Series:
    """List what gave up tricks in each play, null where the play is not known to its end."""
    change, player = _given_up(plays)
    finished, last = _finished(plays)
    won = plays.rows["tricks"].cast(pl.Int64).to_numpy()
    row, place = np.nonzero(change * finished[:, None])
    costly = {"row": row, "place": place, "card": plays.cards[row, place], "seat": player[row, place]}
    found = pl.DataFrame({**costly, "cost": np.abs(change[row, place])})
    claimed = np.flatnonzero(finished & (last != won))
    claims = pl.DataFrame({"row": claimed, "cost": (last - won)[claimed]}).with_columns(place=pl.lit(52))
    found = add_best_cards(found, plays.rows, plays.cards, find_best)
    cards = found.with_columns(pl.col("seat").replace_strict(range(4), list(SEATS), return_dtype=pl.String))
    fields = ANALYSIS["costs"].dtype.inner.fields  # type: ignore[union-attr]
    listed = (
        pl.concat([cards, claims], how="diagonal_relaxed")
        .sort("row", "place")
        .group_by("row", maintain_order=True)
        .agg(costs=pl.struct(pl.col(field.name).cast(field.dtype) for field in fields))
    )
    every = pl.DataFrame({"row": np.arange(len(finished)), "finished": finished})
    costs = every.join(listed, on="row", how="left", maintain_order="left").select(
        costs=pl.when("finished").then(pl.col("costs").fill_null(pl.lit([], ANALYSIS["costs"].dtype)))
    )
    return costs.to_series()


# 9 tricks double dummy. The lead gives one up, declarer loses one, the defence gives two up: he makes 11.
# The lead and declarer's card cancel, so that two tricks of the defence are left:
#
#     in the order played   lead +1, declarer -1, defence +1, defence +1
#     left                  defence 9 -> 10, defence 10 -> 11
def _list_steps(plays: _Plays) -> pl.DataFrame:
    """List what leads from the double-dummy tricks of each result to those made: a trick a row, all of one sign.

    What the two sides gave up cancels in the order of play, until one side's is left.

    Returns:
        `result before after cause`, and `last` for the one that ends at the tricks made; results whose double-dummy
        tricks are not known have no row.
    """
    change, player = _given_up(plays)
    declarer = _codes(plays.rows, "declarer").astype(np.int64)
    row, place = np.nonzero(change)
    by_declarer = (player[row, place] - declarer[row]) % 2 == 0
    cause = np.where(place == 0, _LEAD, np.where(by_declarer, _DECLARER, _DEFENCE))
    finished, _ = _finished(plays)
    won = plays.rows["tricks"].cast(pl.Int64).to_numpy()
    start = plays.tricks[:, 0].astype(np.int64)
    count = np.where(plays.tricks == UNKNOWN, 0, np.arange(53)).max(axis=1)
    last = plays.tricks[np.arange(len(count)), count].astype(np.int64)
    rest = np.flatnonzero((start != UNKNOWN) & (last != won))
    side = np.where(last[rest] > won[rest], _DECLARER, _DEFENCE)
    given = {
        "at": np.concatenate([row, rest]),
        "place": np.concatenate([place, np.full(len(rest), 52)]),
        "change": np.concatenate([change[row, place], won[rest] - last[rest]]),
        "cause": np.concatenate([cause, np.where(finished[rest], side, _UNKNOWN)]),
    }
    tricks = (
        pl.DataFrame(given)
        .with_columns(sign=pl.col("change").sign(), net=pl.col("change").sum().over("at"))
        .filter(pl.col("sign") == pl.col("net").sign(), pl.lit(pl.Series(start)).gather(pl.col("at")) != UNKNOWN)
        .sort("at", "place", maintain_order=True)
    )
    each = tricks.select(pl.all().repeat_by(pl.col("change").abs()).explode())
    left = each.with_columns(step=pl.int_range(pl.len()).over("at") - pl.len().over("at") + pl.col("net").abs()).filter(
        pl.col("step") >= 0
    )
    before = pl.lit(pl.Series(start)).gather(pl.col("at")) + pl.col("step") * pl.col("sign")
    return left.select(
        pl.lit(plays.rows["result"]).gather(pl.col("at")).alias("result"),
        before.alias("before"),
        (before + pl.col("sign")).alias("after"),
        "cause",
        last=pl.col("step") == pl.col("net").abs() - 1,
    )


def _describe(plays: _Plays, lines: pl.DataFrame, *, of_teams: bool) -> pl.DataFrame:
    """Say of each result whose parts are known what it is compared with, as `compare_with_field` takes it."""
    finished, _ = _finished(plays)
    kind = np.where(finished, "play", np.where(plays.tricks[:, 1] == UNKNOWN, "nothing", "lead"))
    sign = np.where(_codes(plays.rows, "declarer") % 2 == 0, 1, -1)
    known = plays.rows.select("result", sign=pl.Series(sign), kind=pl.Series(kind)).filter(
        pl.Series(plays.tricks[:, 0] != UNKNOWN)
    )
    groups = lines.select(
        "result",
        group=pl.struct(list_compared(["group"], of_teams=of_teams)).rank("dense"),
        weight=pl.col("multiplicity").fill_null(1).cast(pl.Int64),
    )
    return known.join(groups, on="result")


def _value_steps(session: Session, scoring: Scoring, plays: _Plays, steps: pl.DataFrame) -> pl.DataFrame:
    """Return what the contract and each cause were worth: from `swing` on, a row for each compared result."""
    compared = compared_lines(session, scoring)
    if compared is None:
        return pl.DataFrame(schema={"result": pl.UInt32})
    lines, method, rules = compared
    scores = _scores(plays, steps)
    values = value_scores(lines, method, rules, scores.select("result", "score"))
    valued = scores.join(values, on=["result", "score"], how="left")
    earned = lines.drop_nulls("denominator").select(
        "result", "numerator_ns", "numerator_ew", "denominator", "average", "average_of", "status"
    )
    about = _describe(plays, lines, of_teams=method.of_teams)
    common = _common_denominator(earned, values, lines.select("result", "group"))
    earned = earned.join(common, on="result")
    times = pl.col("common") // pl.col("denominator")
    swing, swing_ew = (pl.col(f"numerator_{side}") * times for side in ("ns", "ew"))
    base = pl.col("average") * (pl.col("common") // pl.col("average_of"))
    # At total points E-W lose what N-S win; at matchpoints both sides share the top.
    base_ew = base if method.has_top else -base
    earned = earned.select(
        "result",
        (swing - base).alias("swing"),
        (swing_ew - base_ew).alias("swing_ew"),
        base.alias("base"),
        "common",
        passed=pl.col("status") == "passed",
    )
    points = valued.join(earned, on="result").select(
        "result", "tricks", value=pl.col("numerator") * (pl.col("common") // pl.col("denominator"))
    )
    field = compare_contracts(lines, ["group"], of_teams=method.of_teams)
    return compare_with_field(_add_up(plays, steps, earned, points, about), about).join(
        lines.select("result").hstack(field), on="result", how="left", maintain_order="left"
    )


def _scores(plays: _Plays, steps: pl.DataFrame) -> pl.DataFrame:
    """Return the score of each number of tricks on the way: `result tricks score`, points for N-S."""
    end = plays.rows.select("result", pl.col("tricks").cast(pl.Int64))
    start = end.with_columns(tricks=pl.Series(plays.tricks[:, 0].astype(np.int64))).filter(pl.col("tricks") != UNKNOWN)
    visited = [steps.select("result", tricks=pl.col(name)) for name in ("before", "after")]
    asked = pl.concat([start, end, *visited]).unique()
    contract = plays.rows.select("result", "level", "strain", "doubled", "declarer", "vulnerable")
    points = law_score(pl.col("vulnerable"), pl.col("tricks").cast(pl.UInt8))
    return asked.join(contract, on="result").select("result", "tricks", score=points).drop_nulls()


def _common_denominator(earned: pl.DataFrame, values: pl.DataFrame, groups: pl.DataFrame) -> pl.DataFrame:
    """Return for each result the least number that all denominators of its group divide: `result common`."""
    parts = [
        earned.select("result", pl.col("denominator").cast(pl.Int64)),
        earned.select("result", denominator="average_of"),
        values.select("result", "denominator"),
    ]
    each = pl.concat(parts).drop_nulls().join(groups, on="result").unique(["group", "denominator"]).sort("group")
    found, first = np.unique(each["group"].to_numpy(), return_index=True)
    common = np.lcm.reduceat(each["denominator"].to_numpy(), first) if len(first) else np.zeros(0, np.int64)
    of_group = pl.DataFrame(
        {"group": found, "common": common}, schema={"group": each.schema["group"], "common": pl.Int64}
    )
    return groups.join(of_group, on="group").select("result", "common")


_CONTRACT: Final = ("group", "level", "strain", "doubled", "declarer")


# Two tables in 4S, ten tricks double dummy. The table that made ten beat the one that made nine, which would have tied
# with it had it made ten too. The contract is worth a win, as at the table that made it; so the other one lost 2.
#
#     made  earned  with ten tricks      contract  its play
#     10    2       2               ->   2          0
#     9     0       1                    2         -2
def _value_contracts(plays: _Plays, points: pl.DataFrame, about: pl.DataFrame) -> pl.DataFrame:
    """Return what each contract is worth with its double-dummy tricks: the same at all tables that bid it.

    A table does not compare with itself, so what its score would have been with other tricks depends on what it made.
    The table that made these tricks says it for all; without one, the best of them does.

    Returns:
        `result`, `value`, and `shift`: what the table itself would have earned more.
    """
    start = plays.rows.select("result", "tricks", *_CONTRACT[1:], pl.Series("start", plays.tricks[:, 0]))
    valued = start.join(
        points, left_on=["result", pl.col("start").cast(pl.Int64)], right_on=["result", "tricks"], how="inner"
    ).join(about.select("result", "group"), on="result")
    made = pl.col("value").filter(pl.col("tricks") == pl.col("start")).first().over(_CONTRACT)
    common = pl.coalesce(made, pl.col("value").max().over(_CONTRACT))
    return valued.select("result", common.alias("contract"), (pl.col("value") - common).alias("shift"))


def _add_up(
    plays: _Plays, steps: pl.DataFrame, earned: pl.DataFrame, points: pl.DataFrame, about: pl.DataFrame
) -> pl.DataFrame:
    """Add up the steps of each cause. What the steps do not explain of the swing is unknown."""
    contract = _value_contracts(plays, points, about)
    worth = (
        steps.join(points.rename({"tricks": "before", "value": "from"}), on=["result", "before"])
        .join(points.rename({"tricks": "after", "value": "to"}), on=["result", "after"])
        .join(contract, on="result")
        .with_columns(value=pl.col("to") - pl.col("from") + pl.when("last").then("shift").otherwise(0))
    )
    by_cause = worth.group_by("result").agg(
        pl.col("value").filter(pl.col("cause") == number).sum().alias(name)
        for number, name in enumerate(_CAUSES[:_UNKNOWN])
    )
    known = [pl.col(name).fill_null(0) for name in _CAUSES[:_UNKNOWN]]
    # A board that was passed out is all bidding.
    bidding = pl.when("passed").then("swing").otherwise(pl.col("contract") - pl.col("base"))
    return (
        earned.join(contract, on="result", how="left")
        .join(by_cause, on="result", how="left")
        .with_columns(bidding.alias("expected"), *known)
        .with_columns(
            unknown_value=pl.col("swing") - pl.col("expected").fill_null(0) - pl.sum_horizontal(_CAUSES[:_UNKNOWN])
        )
        .select("result", "swing", "swing_ew", "expected", *_CAUSES, denominator="common")
    )
