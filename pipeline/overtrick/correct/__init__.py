"""Corrections and rulings of an evening applied to its frames, before they are checked; the files never change.

A kind of correction is a function `Draft -> Change | Finding` with its line in `_CORRECTIONS`, or in `_RULINGS` if
scoring or ranking does it. Entries are applied in their order, and each one sees what those before it did.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import polars as pl

from overtrick.assemble.beside import Found
from overtrick.config.corrections import ADJUSTED, Kind, PlacedEntry
from overtrick.correct import facts, names, results, rulings
from overtrick.correct.draft import Change, Draft
from overtrick.correct.rulings import Rulebook, Rulings
from overtrick.frames import CORRECTIONS, Session, dtypes
from overtrick.problems import Finding, report_findings

__all__ = ["Rulings", "correct"]

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

_STATED: Final = ("stated_rank", "stated_total", "stated_percentage")


def correct(session: Session, found: Sequence[Found]) -> tuple[Session, Rulings]:
    """Apply corrections files to a session that has been assembled.

    Points that the files state for a board whose comparison changes, and their totals, no longer hold and become null;
    `before` and `after` of `corrections` keep what changed.

    Args:
        session: as `assemble` gives it.
        found: the corrections files, in the order in which they are applied.

    Returns:
        The session with `corrections` filled, a row for each entry that can be understood, and in its problems what is
        wrong with the others (`correction-...`); and what the entries add to the scoring.
    """
    problems = [session.problems]
    rows: list[dict[str, Any]] = []
    book, draft, scored = Rulebook(), None, set[int]()
    for one in found:
        findings = list(one.corrections.findings)
        for placed in one.corrections.entries:
            draft = draft or Draft.begin(session, placed)
            draft.placed, draft.sources = placed, one.sources
            became = _apply(draft, book)
            rows.append(_row(placed, became))
            if isinstance(became, Finding):
                findings.append(became)
                continue
            if became.is_none:
                findings.append(draft.finding("correction-no-change"))
            elif became.scored is not None:
                scored.add(became.scored)
        problems.append(report_findings(findings, one.corrections.source))
    told = pl.DataFrame(rows, schema=dtypes(CORRECTIONS))
    if draft is None:
        return replace(session, problems=pl.concat(problems)), Rulings()
    ruled = book.finished(draft)
    last = draft.session
    return replace(
        last,
        results=_unpointed(last.results.drop("row"), scored),
        contestants=_untotalled(last.contestants) if scored else last.contestants,
        corrections=told,
        problems=pl.concat(problems),
    ), ruled


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


def _unpointed(lines: pl.DataFrame, scored: set[int]) -> pl.DataFrame:
    """Leave out the points that files state for boards whose comparison changed."""
    if not scored:
        return lines
    here = pl.lit(value=True) if 0 in scored else pl.col("board").is_in(list(scored)).fill_null(value=False)
    points = ("stated_points_ns", "stated_points_ew")
    return lines.with_columns(pl.when(~here).then(name).alias(name) for name in points)


def _untotalled(contestants: pl.DataFrame) -> pl.DataFrame:
    return contestants.with_columns(pl.when(pl.lit(value=False)).then(name).alias(name) for name in _STATED)
