"""The Director's rulings, and what an evening brings along: handed on to scoring and ranking as settings."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.methods import MethodName
from overtrick.core.config.corrections import PlacedEntry
from overtrick.core.config.scoring import Adjustment, CarryOver, Fouled, Handicap, Penalty, Scoring, TieDecision
from overtrick.files.correct import words
from overtrick.files.correct.draft import Change, Draft
from overtrick.files.correct.targets import Contestant, called, find_contestant, find_result, identity, nearest, ranges

_UNITS: Final = {"top": " of a top", "percent": "%"}
_PLACE: Final = ("section", "round", "table", "ns", "ew")

Ruled = Fouled | Penalty | CarryOver | Handicap | TieDecision


@dataclass
class Rulings:
    """The additions of a session's corrections to its scoring.

    Attributes:
        method: the scoring method; None if no entry sets it.
        adjustments: adjusted scores.
        others: the other rulings, in their order.
    """

    method: MethodName | None = None
    adjustments: list[Adjustment] = field(default_factory=list)
    others: list[Ruled] = field(default_factory=list)

    def on(self, scoring: Scoring) -> Scoring:
        """Return the club's settings with the rulings added."""
        added: dict[str, list[Any]] = {"adjustments": list(self.adjustments)}
        lists = {Fouled: "fouled", Penalty: "penalties", CarryOver: "carry_overs", Handicap: "handicaps"}
        for ruling in self.others:
            added.setdefault(lists.get(type(ruling), "decided_ties"), []).append(ruling)
        changes: dict[str, Any] = {name: [*getattr(scoring, name), *more] for name, more in added.items() if more}
        if self.method is not None:
            changes["method"] = self.method
        return scoring.model_copy(update=changes) if changes else scoring


@dataclass
class Rulebook:
    """The rulings so far, by the contestants' identities of the time; `finished` brings them to the last ones."""

    method: MethodName | None = None
    ruled: list[Callable[[Draft], Ruled]] = field(default_factory=list)

    def finished(self, draft: Draft) -> Rulings:
        """Return the rulings on the session as it has become."""
        adjustments = [_adjustment(draft, number, placed) for number, placed in draft.adjusted]
        return Rulings(
            self.method,
            [adjustment for adjustment in adjustments if adjustment],
            [ruling(draft) for ruling in self.ruled],
        )


def adjust(draft: Draft) -> Change:
    """Note an adjusted score (Law 12C)."""
    number = find_result(draft)
    draft.claim({(number, "adjusted"): "gives an adjusted score"}, [(number, "not_played")])
    draft.adjusted.append((number, draft.placed))
    row, score = draft.row(number), words.adjusted(draft.entry)
    place = {key: row[key] for key in ("section", "round", "table")}
    what = f"{words.against(row)}: {score}{words.in_place_of(words.played(row))}"
    return Change(what, words.full(row), f"{words.against(row)}: {score}", place, row["board"])


def foul(draft: Draft, book: Rulebook) -> Change:
    """Note the tables that played a board in another form (Law 87)."""
    entry = draft.entry
    on_board = draft.results.filter(pl.col("board") == entry.board)
    if entry.section is not None:
        on_board = on_board.filter(pl.col("section") == entry.section)
    if on_board.is_empty():
        boards = draft.results["board"].drop_nulls().to_list()
        reason = f"no result is on this board; there are results on boards {ranges(boards)}"
        raise draft.refusal("correction-unmatched", "board", reason=reason)
    pairs = [identity(draft, name) for name in entry.fouled or []]
    sat = on_board["ns"].drop_nulls().to_list()
    for pair in pairs:
        if pair not in sat:
            reason = f"contestant {pair} did not sit N-S on this board; {nearest(pair, sat)}"
            raise draft.refusal("correction-unmatched", "fouled", reason=reason)
    says = {("fouled", entry.board, entry.section, pair): f"names {pair} on this board" for pair in pairs}
    draft.claim(says)

    def ruled(last: Draft) -> Fouled:
        names = [last.names.get(pair, pair) for pair in pairs]
        return Fouled(board=entry.board or 0, ns=names, section=entry.section, reason=entry.why)

    book.ruled.append(ruled)
    tables = f"{words.listed(pairs)} N-S"
    return Change(f"fouled: {tables} are compared only with each other", "", tables, scored=entry.board)


def penalize(draft: Draft, book: Rulebook) -> Change:
    """Note a penalty (Laws 90 and 91)."""
    who = find_contestant(draft, str(draft.entry.pair))
    fine, why = draft.entry.penalty, draft.entry.why
    assert fine is not None  # noqa: S101 - the entry is of this kind
    book.ruled.append(lambda last: Penalty(**_about(last, who), amount=fine.amount, unit=fine.unit, reason=why))
    points = " point" if fine.amount == 1 else " points"
    amount = f"{fine.amount:g}{_UNITS.get(fine.unit, points)}"
    return Change(f"{called(draft, who.name, who.direction)} loses {amount}", "", f"-{amount}", scored=0)


def carry(draft: Draft, book: Rulebook) -> Change:
    """Note what a contestant brings from an earlier stage."""
    who = find_contestant(draft, str(draft.entry.pair))
    carried = draft.entry.carry_over
    assert carried is not None  # noqa: S101 - the entry is of this kind
    draft.claim({("carried", who): "sets the carry-over"})
    book.ruled.append(lambda last: CarryOver(**_about(last, who), **carried.model_dump()))
    amount = f"{carried.points:g}" if carried.points is not None else f"{carried.score:g} of top {carried.top:g}"
    return Change(
        f"{called(draft, who.name, who.direction)} brings {amount} from an earlier stage", "", amount, scored=0
    )


def handicap(draft: Draft, book: Rulebook) -> Change:
    """Note a contestant's handicap in this session."""
    who = find_contestant(draft, str(draft.entry.pair))
    amount = draft.entry.handicap
    assert amount is not None  # noqa: S101 - the entry is of this kind
    draft.claim({("handicap", who): "sets the handicap"})
    book.ruled.append(lambda last: Handicap(**_about(last, who), amount=amount))
    return Change(f"{called(draft, who.name, who.direction)} has a handicap of {amount:g}", "", f"{amount:g}", scored=0)


def decide_tie(draft: Draft, book: Rulebook) -> Change:
    """Note who won a tie; that they were tied is known when the session is ranked."""
    tie, placed = draft.entry.tie, draft.placed
    assert tie is not None  # noqa: S101 - the entry is of this kind
    who = find_contestant(draft, tie.winner, "tie")
    draft.claim({("tie", who): f"decides a tie for {who.name}"})
    book.ruled.append(lambda last: TieDecision(**_about(last, who), by=tie.by, source=placed.source, line=placed.line))
    how = "by lot" if tie.by == "lot" else f"on extra boards{f', {tie.score}' if tie.score else ''}"
    return Change(f"{called(draft, who.name, who.direction)} wins the tie {how}", "", f"{who.name} {how}")


def set_method(draft: Draft, book: Rulebook) -> Change:
    """Set the scoring method."""
    draft.claim({"method": "sets the method"})
    book.method = draft.entry.method
    old = draft.session.facts.scoring or ""
    return Change(f"scored as {book.method}{words.in_place_of(old)}", old, str(book.method), scored=0)


def _about(last: Draft, who: Contestant) -> dict[str, Any]:
    return {"contestant": last.names.get(who.name, who.name), "direction": who.direction, "section": who.section}


def _adjustment(draft: Draft, number: int, placed: PlacedEntry) -> Adjustment | None:
    """Return an adjusted score for a result as it is after all entries; None if one of them removed it."""
    entry = placed.entry
    if not (draft.session.results["row"] == number).any():
        return None
    row = draft.row(number)
    place = {key: row[key] for key in _PLACE if row[key] is not None}
    if draft.session.results["source"].n_unique() > 1:
        place["source"] = row["source"]
    given: dict[str, Any] = {key: getattr(entry, key) for key in ("award", "split", "weighted", "assigned")}
    return Adjustment(board=row["board"], reason=entry.why, **place, **given)
