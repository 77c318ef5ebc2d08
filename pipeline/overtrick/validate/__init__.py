"""Frames to problems: deals, boards, auctions, plays, results and whole sessions, checked by the Laws.

A new check is a function `Session -> problems` with its line in `CHECKS` and its code in `overtrick.problems`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import polars as pl

from overtrick.config import Movement
from overtrick.formats.registry import FORMATS
from overtrick.frames import PROBLEMS, Problems, Session, empty
from overtrick.machine import Memory, on_all_cores
from overtrick.validate.deal import (
    check_dealers,
    check_duplicate_cards,
    check_hand_sizes,
    check_partial_deals,
    check_vulnerabilities,
)
from overtrick.validate.left_out import check_left_out, check_unlisted
from overtrick.validate.movement_inferred import check_movement
from overtrick.validate.result import check_leads, check_stated_scores, check_unknown_results
from overtrick.validate.session import check_consistency

Check = Callable[[Session], Problems]


def _check_auctions(session: Session) -> Problems:
    if session.records["calls"].null_count() == len(session.records):
        return empty(PROBLEMS)
    from overtrick.validate.auction import check_auctions  # noqa: PLC0415 - an evening of pairs has results alone

    return check_auctions(session)


def _check_plays(session: Session) -> Problems:
    if session.records["cards"].null_count() == len(session.records):
        return empty(PROBLEMS)
    from overtrick.validate.play import check_plays  # noqa: PLC0415 - as above

    return check_plays(session)


RECORD_CHECKS: Final[tuple[Check, ...]] = (
    check_hand_sizes,
    check_duplicate_cards,
    check_partial_deals,
    check_dealers,
    check_vulnerabilities,
    _check_auctions,
    _check_plays,
)
"""All checks of records alone."""

CHECKS: Final[tuple[Check, ...]] = (
    *RECORD_CHECKS,
    check_unknown_results,
    check_left_out,
    check_leads,
    check_stated_scores,
)
"""All checks of records and results, in the order in which a person would look."""

SESSION_CHECKS: Final[tuple[Check, ...]] = (check_consistency, check_unlisted, check_movement)
"""All checks of a session as a whole."""

_TOLD_BY_A_MOVEMENT: Final = (
    *("pair-two-tables", "pair-wrong-way", "board-results-missing", "board-results-surplus"),
    "boards-not-consecutive",
)
"""Problems that a given movement reports more exactly."""

SPOILED_DEAL: Final = ("deal-hand-size", "deal-partial", "deal-duplicate-card")
"""Problems of a deal that cannot have been played: results on it are not scored."""


_SEATED: Final = (
    *("record", "source", "line", "column", "section", "round", "table", "board", "status", "multiplicity"),
    *("ns", "ew", "player_n", "player_e", "player_s", "player_w", "team_ns", "team_ew"),
)
"""Columns of results that the checks of a session as a whole depend on: not what the results are."""


def validate(session: Session, movements: Sequence[Movement] = (), memory: Memory | None = None) -> Session:
    """Check a session as it was read; results of a board with an impossible deal are set to `unknown`, not scored.

    Args:
        session: as it was assembled. Each evening is checked as a whole by itself.
        movements: those that the club says were played.
        memory: what was found when the session was checked with other corrections and the same movements.
    """
    alone = _by_evening(session) if session.facts.by_file else [session]
    as_a_whole: tuple[Check, ...] = SESSION_CHECKS
    if movements:
        as_a_whole = (check_unlisted, partial(_as_a_whole, movements=movements))
    if memory is None:
        todo = [(check, session) for check in CHECKS] + [(check, one) for one in alone for check in as_a_whole]
        checked = pl.concat(on_all_cores(_check, todo))
    else:
        checked = pl.concat(_check_again(session, alone, as_a_whole, memory))
    problems = pl.concat([session.problems, _without_superseded(checked, session.problems)])
    spoiled = problems.filter(pl.col("code").is_in(SPOILED_DEAL))["record"].unique().to_list()
    status = pl.when(pl.col("record").is_in(spoiled)).then(pl.lit("unknown")).otherwise("status")
    results = session.results.with_columns(status.cast(session.results.schema["status"]).alias("status"))
    return replace(session, problems=problems, results=results)


def _check(todo: tuple[Check, Session]) -> Problems:
    check, session = todo
    return check(session)


def _check_again(
    session: Session, alone: Sequence[Session], as_a_whole: Sequence[Check], memory: Memory
) -> Iterator[Problems]:
    """Check a session of which a correction has changed little: what is as it was last time is not checked again.

    The rest is too little for several threads.
    """
    for check in CHECKS:
        if check in RECORD_CHECKS:
            yield memory.recall(check, partial(check, session), session.records, session.annotations)
        else:
            yield check(session)
    for one in alone:
        # Only where somebody sits elsewhere than at the last time.
        seated = one.results.select(_SEATED)
        here = replace(one, results=seated)
        for number, check in enumerate(as_a_whole):
            key = (number, one.facts.by_file and seated["source"].first())
            yield memory.recall(key, partial(check, here), seated, one.contestants)


def _without_superseded(checked: pl.DataFrame, read: pl.DataFrame) -> Problems:
    """Drop the problems of a record that its reader has reported under a code of its own (`Format.supersedes`)."""
    present = set(read["code"].unique())
    said = [
        read.filter(pl.col("code") == code).select("record").join(pl.DataFrame({"code": repeated}), how="cross")
        for known in FORMATS
        for code, repeated in known.supersedes.items()
        if code in present
    ]
    if not said:
        return checked
    return checked.join(pl.concat(said).unique(), on=["record", "code"], how="anti", maintain_order="left")


def _as_a_whole(session: Session, movements: Sequence[Movement]) -> Problems:
    """Check who met whom, by the given movements, and results without one by the movement that most results follow."""
    from overtrick.validate.movement_given import compare_with_movements  # noqa: PLC0415 - few clubs state movements

    consistent = check_consistency(session)
    judged = compare_with_movements(session.results, movements)
    place = ["source", "line", "column"]
    better = pl.col("code").is_in(_TOLD_BY_A_MOVEMENT)
    told = consistent.filter(better).join(judged.results, on=place, how="anti", nulls_equal=True, maintain_order="left")
    rest = session.results.join(judged.results, on=place, how="anti", nulls_equal=True, maintain_order="left")
    inferred = check_movement(replace(session, results=rest))
    return pl.concat([consistent.filter(~better), told, judged.problems, inferred])


def _by_evening(session: Session) -> list[Session]:
    """Return a session for each evening; one without a traveller has nothing that is checked as a whole."""
    several = session.results.filter(pl.len().over("record") > 1)
    held = session.results.filter(pl.col("source").is_in(several["source"].unique().implode()))
    evenings = held.with_columns(session.facts.evening.alias("evening")).partition_by("evening", maintain_order=True)
    return [replace(session, results=results.drop("evening")) for results in evenings]
