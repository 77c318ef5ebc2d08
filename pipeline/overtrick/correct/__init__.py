"""Corrections and rulings of an evening applied to its frames, before they are checked; the files never change.

A kind of correction is a function `Draft -> Change | Finding` with its line in `_CORRECTIONS`, or in `_RULINGS` if
scoring or ranking does it. Entries are applied in their order, and each one sees what those before it did.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, Final

import polars as pl

from overtrick.assemble.beside import Found
from overtrick.config.corrections import ADJUSTED, Kind, PlacedEntry
from overtrick.correct import facts, names, results, rulings
from overtrick.correct.draft import Change, Draft
from overtrick.correct.rulings import Rulebook, Rulings
from overtrick.frames import CORRECTIONS, Session, dtypes
from overtrick.problems import Finding, report_findings

__all__ = ["Rulings", "Steps", "correct"]

_CORRECTIONS: Final[Mapping[Kind, Callable[[Draft], Change | Finding]]] = {
    "result": results.set_result,
    "swap": results.swap,
    "other_pair": results.replace_pair,
    "add": results.add,
    "delete": results.delete,
    "not_played": results.not_played,
    **dict.fromkeys(ADJUSTED, rulings.adjust),
    "name": names.name_pair,
    "player": names.rename_player,
    "substitute": names.substitute,
    **dict.fromkeys(("title", "date", "club"), facts.set_fact),
    "cards": facts.swap_cards,
}

_RULINGS: Final[Mapping[Kind, Callable[[Draft, Rulebook], Change | Finding]]] = {
    "fouled": rulings.foul,
    "penalty": rulings.penalize,
    "carry_over": rulings.carry,
    "handicap": rulings.handicap,
    "tie": rulings.decide_tie,
    "method": rulings.set_method,
}

_Placed = tuple[PlacedEntry, frozenset[str] | None]
"""An entry, and the files that it may be about; None for all."""

_STATED: Final = ("stated_rank", "stated_total", "stated_percentage")


@dataclass
class _Step:
    """What the entries up to one of them made of a session.

    Attributes:
        draft: the session; None before the first entry.
        book: the rulings.
        row: of the last entry, in `frames.CORRECTIONS`.
        finding: what is wrong with the last entry; None if nothing is.
        scored: the boards whose comparison changed; 0 for all boards.
    """

    draft: Draft | None = None
    book: Rulebook = field(default_factory=Rulebook)
    row: dict[str, Any] = field(default_factory=dict)
    finding: Finding | None = None
    scored: frozenset[int] = frozenset()


@dataclass
class Steps:
    """The entries that were applied to a session, so that a file with one entry more need not begin with its first.

    Attributes:
        session: the session before its corrections.
        entries: the entries, each with the files that it may be about.
        after: what they made of the session; the first is the state before all entries, then one for each entry.
    """

    session: Session | None = None
    entries: list[_Placed] = field(default_factory=list)
    after: list[_Step] = field(default_factory=lambda: [_Step()])

    def walk(self, session: Session, entries: list[_Placed]) -> list[_Step]:
        """Return the states before and after each entry. Entries that are as they were are not applied again."""
        before = zip(self.entries, entries, self.after[1:], strict=False) if session is self.session else ()
        same = sum(1 for _ in takewhile(lambda at: _is_same(at[0], at[1], at[2].finding), before))
        steps = self.after[: same + 1]
        for placed, sources in entries[same:]:
            steps.append(_take(session, steps[-1], placed, sources))
        self.session, self.entries, self.after = session, entries, steps
        return steps


def correct(session: Session, found: Sequence[Found], steps: Steps | None = None) -> tuple[Session, Rulings]:
    """Apply corrections files to a session that has been assembled.

    Points that the files state for a board whose comparison changes, and their totals, no longer hold and become null;
    `before` and `after` of `corrections` keep what changed.

    Args:
        session: as `assemble` gives it.
        found: the corrections files, in the order in which they are applied.
        steps: what an earlier call applied to this session; it is brought up to date.

    Returns:
        The session with `corrections` filled, a row for each entry that can be understood, and in its problems what is
        wrong with the others (`correction-...`); and what the entries add to the scoring.
    """
    entries = [(placed, one.sources) for one in found for placed in one.corrections.entries]
    walked = (steps or Steps()).walk(session, entries)
    problems, taken = [session.problems], iter(walked[1:])
    for one in found:
        of_entries = [step.finding for _, step in zip(one.corrections.entries, taken, strict=False)]
        findings = [*one.corrections.findings, *(finding for finding in of_entries if finding)]
        problems.append(report_findings(findings, one.corrections.source))
    told = pl.DataFrame([step.row for step in walked[1:]], schema=dtypes(CORRECTIONS))
    last = walked[-1]
    if last.draft is None:
        return replace(session, problems=pl.concat(problems)), Rulings()
    ruled = last.book.finished(last.draft)
    became = last.draft.session
    return replace(
        became,
        results=_unpointed(became.results.drop("row"), last.scored),
        contestants=_untotalled(became.contestants) if last.scored else became.contestants,
        corrections=told,
        problems=pl.concat(problems),
    ), ruled


def _is_same(before: _Placed, after: _Placed, finding: Finding | None) -> bool:
    """Return whether an entry says the same at the same place, and a finding about it has the same place."""
    (one, files), (other, its_files) = before, after
    if (one.source, one.number, one.entry, files) != (other.source, other.number, other.entry, its_files):
        return False
    if other.file.text.startswith(one.file.text):
        # An entry more at the end moves none of those before it.
        return True
    keys = [None, *(one.entry.model_fields_set if finding else ())]
    return all(one.position(key) == other.position(key) for key in keys)


def _take(session: Session, before: _Step, placed: PlacedEntry, sources: frozenset[str] | None) -> _Step:
    """Apply an entry."""
    draft = before.draft.copy() if before.draft else Draft.begin(session, placed)
    draft.placed, draft.sources = placed, sources
    book = before.book.copy()
    became = _apply(draft, book)
    row = _row(placed, became) | {"evening": _find_evening(draft)}
    if isinstance(became, Finding):
        return _Step(draft, book, row, became, before.scored)
    if became.is_none:
        return _Step(draft, book, row, draft.finding("correction-no-change"), before.scored)
    scored = before.scored if became.scored is None else before.scored | {became.scored}
    return _Step(draft, book, row, None, scored)


def _apply(draft: Draft, book: Rulebook) -> Change | Finding:
    kind = draft.entry.kind
    return _RULINGS[kind](draft, book) if kind in _RULINGS else _CORRECTIONS[kind](draft)


def _row(placed: PlacedEntry, became: Change | Finding) -> dict[str, Any]:
    """Return the row of an entry in `frames.CORRECTIONS`."""
    entry = placed.entry
    about = {key: getattr(entry, key) for key in ("board", "section", "pair", "round", "table")}
    row = {
        "source": placed.source,
        "line": placed.line,
        "kind": entry.kind,
        "law": entry.law,
        "why": entry.why,
        "who": entry.who,
        "when": None if entry.when is None else entry.when.isoformat(),
        "applied": isinstance(became, Change),
        **about,
    }
    if isinstance(became, Finding):
        return row | {"what": f"{entry.kind.replace('_', ' ')}, not applied"}
    return row | dict(became.found) | {"what": became.what, "before": became.before, "after": became.after}


def _find_evening(draft: Draft) -> str | None:
    """Return the evening that an entry is about; None if there is only one, or if it may be about several."""
    if not draft.session.facts.by_file:
        return None
    entry, here = draft.entry, draft.results
    for key in ("board", "section", "round", "table"):
        if (wanted := getattr(entry, key)) is not None:
            here = here.filter(pl.col(key) == wanted)
    own = here.filter(pl.any_horizontal(pl.col("ns", "ew") == entry.pair))
    here = here if own.is_empty() else own
    evenings = here.select(draft.session.facts.evening).to_series().unique()
    return str(evenings.item()) if evenings.len() == 1 else None


def _unpointed(lines: pl.DataFrame, scored: frozenset[int]) -> pl.DataFrame:
    """Leave out the points that files state for boards whose comparison changed."""
    if not scored:
        return lines
    here = pl.lit(value=True) if 0 in scored else pl.col("board").is_in(list(scored)).fill_null(value=False)
    points = ("stated_points_ns", "stated_points_ew")
    return lines.with_columns(pl.when(~here).then(name).alias(name) for name in points)


def _untotalled(contestants: pl.DataFrame) -> pl.DataFrame:
    return contestants.with_columns(pl.when(pl.lit(value=False)).then(name).alias(name) for name in _STATED)
