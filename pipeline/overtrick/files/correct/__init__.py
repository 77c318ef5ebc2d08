"""Corrections and rulings of an evening applied to its frames, before they are checked; the files never change.

A kind of correction is a function `Draft -> Change` with its line in `_CORRECTIONS`, or in `_RULINGS` if scoring or
ranking does it. It raises `UnappliedError` for an entry that cannot be applied. Entries are applied in their order, and
each one sees what those before it did.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any, Final

import polars as pl

from overtrick.core.config import Config
from overtrick.core.config.corrections import ADJUSTED, Kind, PlacedEntry
from overtrick.core.frames import CORRECTIONS, PROBLEMS, Session, dtypes
from overtrick.core.problems import Finding, report_findings
from overtrick.files.assemble.beside import Found
from overtrick.files.correct import names, results, rulings
from overtrick.files.correct.draft import Change, Draft, UnappliedError
from overtrick.files.correct.rulings import Rulebook, Rulings
from overtrick.files.correct.targets import identity

__all__ = ["Rulings", "apply_corrections", "correct"]

_CORRECTIONS: Final[Mapping[Kind, Callable[[Draft], Change]]] = {
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
    **dict.fromkeys(("title", "date", "club"), names.set_fact),
    "cards": names.swap_cards,
}

_RULINGS: Final[Mapping[Kind, Callable[[Draft, Rulebook], Change]]] = {
    "fouled": rulings.foul,
    "penalty": rulings.penalize,
    "carry_over": rulings.carry,
    "handicap": rulings.handicap,
    "tie": rulings.decide_tie,
    "method": rulings.set_method,
}

_STATED: Final = ("stated_rank", "stated_total", "stated_percentage")


def apply_corrections(session: Session, config: Config, found: Sequence[Found]) -> tuple[Session, Config]:
    """Apply corrections files to a session; return it, and the settings with the rulings in them.

    Args:
        session: as it was assembled.
        config: the club's settings.
        found: the corrections files.
    """
    if not found:
        return session, config
    session, rulings = correct(session, found)
    return session, config.model_copy(update={"scoring": rulings.on(config.scoring)})


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
    draft: Draft | None = None
    book = Rulebook()
    rows: list[dict[str, Any]] = []
    scored: set[int] = set()
    problems = [session.problems]
    for file in found:
        findings = [*file.corrections.findings]
        for placed in file.corrections.entries:
            draft = draft or Draft.begin(session, placed)
            draft.placed, draft.sources = placed, file.sources
            if placed.entry.taken_back:
                rows.append(_row(placed, _apply(draft.copy(), Rulebook())) | {"applied": False})
                continue
            before, became = draft.session, _apply(draft, book)
            pair = None if placed.entry.pair is None else identity(draft, placed.entry.pair)
            rows.append(_row(placed, became) | {"evening": _find_evening(draft), "pair": pair})
            if isinstance(became, Finding):
                findings.append(became)
            elif became.is_none:
                draft.session = before
                findings.append(draft.finding("correction-no-change"))
            elif became.scored is not None:
                scored.add(became.scored)
        problems.append(report_findings(findings, file.corrections.source))
    if draft is None:
        return replace(session, problems=pl.concat(problems)), Rulings()
    corrected = draft.session
    return replace(
        corrected,
        results=_unpointed(corrected.results.drop("row"), scored),
        contestants=_untotalled(corrected.contestants) if scored else corrected.contestants,
        corrections=pl.DataFrame(rows, schema=dtypes(CORRECTIONS)),
        facts=replace(corrected.facts, set_by=draft.set_by),
        problems=pl.concat(problems),
    ), book.finished(draft)


def point_at_entries(session: Session) -> Session:
    """Give findings about what an entry set the place of that entry: the files are not to blame for it."""
    problems, set_by = session.problems, session.facts.set_by
    if not set_by or "part" not in problems.columns:
        return session

    def find(record: int | None, source: str, line: int, part: str) -> Sequence[object]:
        of, _, column = part.partition(".")
        return set_by.get((source, line, column) if of == "results" else (record, column), (None, None, None))

    asked = problems.select("record", "source", "line", pl.col("part").fill_null(""))
    places = {name: PROBLEMS[name].dtype for name in ("source", "line", "column")}
    found = pl.DataFrame([find(*row) for row in asked.iter_rows()], places, orient="row")
    told = (pl.coalesce(found[name], name).alias(name) for name in places)
    kept = pl.when(found["source"].is_null()).then("part").alias("part")
    return replace(session, problems=problems.with_columns(*told, kept))


def _apply(draft: Draft, book: Rulebook) -> Change | Finding:
    kind = draft.entry.kind
    try:
        return _RULINGS[kind](draft, book) if kind in _RULINGS else _CORRECTIONS[kind](draft)
    except UnappliedError as refused:
        return refused.finding


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
        "taken_back": None if entry.taken_back is None else entry.taken_back.isoformat(),
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
    if entry.pair is not None:
        of_pair = here.filter(pl.any_horizontal(pl.col("ns", "ew") == entry.pair))
        here = here if of_pair.is_empty() else of_pair
    evenings = here.select(draft.session.facts.evening).to_series().unique()
    return str(evenings.item()) if evenings.len() == 1 else None


def _unpointed(lines: pl.DataFrame, scored: AbstractSet[int]) -> pl.DataFrame:
    """Leave out the points that files state for boards whose comparison changed."""
    if not scored:
        return lines
    here = pl.lit(value=True) if 0 in scored else pl.col("board").is_in(list(scored)).fill_null(value=False)
    points = ("stated_points_ns", "stated_points_ew")
    return lines.with_columns(pl.when(~here).then(name).alias(name) for name in points)


def _untotalled(contestants: pl.DataFrame) -> pl.DataFrame:
    return contestants.with_columns(pl.when(pl.lit(value=False)).then(name).alias(name) for name in _STATED)
