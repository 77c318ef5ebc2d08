"""What a file asks for in `[Scoring]` (PBN 3.4.12): a system and its modifiers, parted by semicolons, in any case."""

from typing import Final

import polars as pl

from overtrick.config import Scoring
from overtrick.frames import PROBLEMS, Session, empty
from overtrick.problems import report

_MEANINGS: Final[dict[str, dict[str, str]]] = {
    "mp": {"method": "matchpoints"},
    "matchpoints": {"method": "matchpoints"},
    "mp1": {"method": "matchpoints"},
    "mp2": {"method": "matchpoints"},
    "bam": {"method": "bam"},
    "rubber": {"method": "rubber"},
    "chicago": {"method": "chicago"},
    "imp": {},
    "imps": {},
    "butler": {"method": "butler", "datum": "mean"},
    "butler-2": {"method": "butler", "datum": "mean-2"},
    "mean": {},
    "median": {"datum": "median"},
    "experts": {"method": "butler", "datum": "stated"},
    "aggregate": {"method": "aggregate"},
    "vps": {"pair_rounds": "matches"},
    "cross": {"method": "cross-imps", "cross_divisor": "none"},
    "cross1": {"method": "cross-imps", "cross_divisor": "scores"},
    "cross2": {"method": "cross-imps", "cross_divisor": "comparisons"},
}
"""The words that can be done. Any other changes the scoring in a way that is not known here."""


def read_scoring(text: str, *, of_teams: bool = False) -> Scoring | None:
    """Read one `[Scoring]` value.

    Args:
        text: the value.
        of_teams: whether results say which teams played; IMPs are then those between the two tables of a match.

    Returns:
        The method and policies it asks for; without a method when it says nothing (`""`, `?`); None when it asks for
        what can't be done: another system, a modifier that is not known, or IMPs without saying against what.
    """
    words = [word for part in text.split(";") if (word := part.strip().lower()) not in {"", "?"}]
    if not words:
        return Scoring.model_construct()
    if any(word not in _MEANINGS for word in words):
        return None
    asked: dict[str, str] = {}
    for word in words:
        asked |= _MEANINGS[word]
    if of_teams and "method" not in asked:
        asked["method"] = "teams"
    return Scoring.model_construct().model_copy(update=asked) if "method" in asked else None


def asked_scoring(session: Session, scoring: Scoring) -> tuple[Scoring, pl.DataFrame]:
    """Settle how a session is scored: the club's settings first, then what most results ask for, then matchpoints.

    Matchpoints of LIN files are those of their site, which leaves boards with fewer results on their own top.

    Returns:
        The settings with the file's words filled in, without a method when the file asks for what can't be done; and
        the problems: `scoring-unsupported`, `scoring-mixed`.
    """
    stated = _stated(session)
    of_teams = bool(session.results["team_ns"].is_not_null().any())
    read = [(text, read_scoring(text, of_teams=of_teams)) for text in stated["scoring"]]
    asked = [(text, rules) for text, rules in read if rules != Scoring.model_construct()]
    if not asked:
        usual = {"method": scoring.method or "matchpoints"}
        of_site = _all_lin(session) and "short_boards" not in scoring.model_fields_set
        rules_of_site = {"short_boards": "own-top"} if of_site else {}
        return scoring.model_copy(update=usual | rules_of_site), empty(PROBLEMS)
    text, rules = asked[0]
    place = stated.filter(pl.col("scoring") == text)
    if rules is None and scoring.method is None:
        return scoring, report("scoring-unsupported", place.with_columns(asked="scoring"))
    chosen = {name: value for name in scoring.model_fields_set if (value := getattr(scoring, name)) is not None}
    settled = (rules or scoring).model_copy(update=chosen)
    if scoring.method is None and any(other != rules for _, other in asked):
        several = ", ".join(text for text, _ in asked)
        return settled, report("scoring-mixed", place.with_columns(pl.lit(several).alias("asked"), used="scoring"))
    return settled, empty(PROBLEMS)


def _all_lin(session: Session) -> bool:
    """Say whether all files are LIN: Bridge Base Online compares what was played, however few boards that were."""
    formats = session.sources["format"].drop_nulls()
    return not formats.is_empty() and formats.is_in(["lin", "lin links"]).all()


def _stated(session: Session) -> pl.DataFrame:
    """List what the records of the results ask for, what most results ask for first: `scoring source line`."""
    records = session.records.select("record", "scoring", "source", "line")
    stated = (
        session.results.select("record")
        .join(records, on="record", maintain_order="left")
        .drop_nulls("scoring")
        .group_by("scoring", maintain_order=True)
        .agg(pl.len(), pl.first("source"), pl.first("line"))
        .sort("len", descending=True, maintain_order=True)
    )
    if stated.is_empty() and session.facts.scoring is not None and not session.results.is_empty():
        return pl.DataFrame({"scoring": [session.facts.scoring]})
    return stated
