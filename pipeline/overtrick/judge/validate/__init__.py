"""Frames to problems: deals, boards, auctions, plays, results and whole sessions, checked by the Laws.

A new check is a function `Session -> problems` with its line in `CHECKS` and its code in `overtrick.core.problems`.
A check says what a problem is about (`problems.FINDINGS`); its line and column in the file are found later.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import polars as pl

from overtrick.core.config import Movement
from overtrick.core.frames import Problems, Session
from overtrick.core.machine import on_all_cores
from overtrick.core.problems import concat_problems
from overtrick.judge.validate import record
from overtrick.judge.validate.movement_given import compare_with_movements
from overtrick.judge.validate.movement_inferred import check_movement
from overtrick.judge.validate.result import check_leads, check_stated_scores, check_unknown_results
from overtrick.judge.validate.session import LINE, check_consistency, check_left_out, check_names, check_unlisted

Check = Callable[[Session], Problems]

CHECKS: Final[tuple[Check, ...]] = (
    record.check_hand_sizes,
    record.check_duplicate_cards,
    record.check_partial_deals,
    record.check_dealers,
    record.check_vulnerabilities,
    record.check_auctions,
    record.check_plays,
    check_unknown_results,
    check_left_out,
    check_leads,
    check_stated_scores,
    check_names,
)
"""All checks of records and results, in the order in which a person would look."""

_TOLD_BY_A_MOVEMENT: Final = (
    *("pair-two-tables", "pair-wrong-way", "board-results-missing", "board-results-surplus"),
    "boards-not-consecutive",
)
"""Problems that a given movement reports more exactly."""

_NOT_OF_A_RESULT: Final = ("movement-another", "movement-missing")
"""What a movement tells of the session, at some result of it."""

SPOILED_DEAL: Final = ("deal-hand-size", "deal-partial", "deal-duplicate-card")
"""Problems of a deal that cannot have been played: results on it are not scored."""


def validate(session: Session, movements: Sequence[Movement] = ()) -> Session:
    """Check a session as it was read; results of a board with an impossible deal are set to `unknown`, not scored.

    Args:
        session: as it was assembled. Each evening is checked as a whole by itself.
        movements: those that the club says were played.

    Returns:
        The session; in its problems are `problems.FINDINGS`.
    """
    alone = _by_evening(session) if session.facts.by_file else [session]
    as_a_whole: tuple[Check, ...] = (check_unlisted, partial(check_as_a_whole, movements=movements))
    todo = [(check, session) for check in CHECKS] + [(check, part) for part in alone for check in as_a_whole]
    problems = concat_problems([session.problems, *on_all_cores(_check, todo)])
    spoiled = problems.filter(pl.col("code").is_in(SPOILED_DEAL))["record"].unique().to_list()
    status = pl.when(pl.col("record").is_in(spoiled)).then(pl.lit("unknown")).otherwise("status")
    results = session.results.with_columns(status=status.cast(session.results.schema["status"]))
    return replace(session, problems=problems, results=results)


def _check(todo: tuple[Check, Session]) -> Problems:
    check, session = todo
    return check(session)


def check_as_a_whole(session: Session, movements: Sequence[Movement] = ()) -> Problems:
    """Check who met whom on which boards: by the given movements, the one that most results follow, and without any.

    What a movement tells of a result is told once: a result that contradicts it is right.
    """
    judged = compare_with_movements(session.results, movements)
    rest = session.results.join(judged.results, on=LINE, how="anti", nulls_equal=True, maintain_order="left")
    told = concat_problems([judged.problems, check_movement(replace(session, results=rest))])
    consistent = check_consistency(session, told.filter(~pl.col("code").is_in(_NOT_OF_A_RESULT)))
    better = pl.col("code").is_in(_TOLD_BY_A_MOVEMENT)
    others = consistent.filter(better).join(
        judged.results, on=LINE, how="anti", nulls_equal=True, maintain_order="left"
    )
    return concat_problems([consistent.filter(~better), others, told])


def _by_evening(session: Session) -> list[Session]:
    """Return a session for each evening; one without a traveller has nothing that is checked as a whole."""
    several = session.results.filter(pl.len().over("record") > 1)
    travellers = session.results.filter(pl.col("source").is_in(several["source"].unique().implode()))
    evenings = travellers.with_columns(evening=session.facts.evening).partition_by("evening", maintain_order=True)
    return [replace(session, results=results.drop("evening")) for results in evenings]
