"""Results that are not there: lines that say nothing, what a movement or the terminals expect, matches in play."""

import re
from collections.abc import Iterator
from typing import Final

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.notation import is_number

MISSING: Final = ("movement-missing", "bws-missing")
"""Problems that name a result that is not there, by board and table: by the club's movement, or the terminals'."""

_ROUND: Final = re.compile(r"\bround ([0-9]{1,3})\b")
_SECTION: Final = re.compile(r", section ([^:]+)(?::|$)")


def count_results(session: Session) -> tuple[int, int]:
    """Return how many results of a session are in, and how many are missing.

    A result is missing if its line says nothing of it, or if a movement or the terminals say that it should be there.
    """
    lines = session.results.filter(pl.col("status") != "bye")
    unknown = int((lines["status"] == "unknown").sum())
    there = set(lines.select("section", "board", "table").iter_rows())
    absent = {(section, board, table) for section, board, table, _ in list_missing(session)}
    return lines.height - unknown, unknown + len(absent - there)


def list_missing(session: Session) -> Iterator[tuple[str | None, int, str, tuple[str, str]]]:
    """Yield section, board and table of each result that should be there, with code and sentence of its problem."""
    sections = session.results["section"].unique().to_list()
    leading = max((int(text) for text in session.results["round"].drop_nulls() if is_number(text)), default=0)
    named = session.problems.filter(pl.col("code").is_in(MISSING))
    for code, board, table, message in named.select("code", "board", "table", "message").iter_rows():
        # While the game runs, later rounds are not missing.
        if is_number(board or "") and table and round_of(message) <= leading:
            section = sections[0] if len(sections) == 1 else section_of(message)
            yield section, int(board), table, (code, message)


def find_in_play(session: Session) -> frozenset[str]:
    """Return the teams whose match of the last round has boards with a result at one of its two tables."""
    happened = pl.col("status").is_in(["played", "passed", "adjusted"])
    lines = session.results.filter(happened).drop_nulls(["team_ns", "team_ew", "board"])
    order = pl.col("round").cast(pl.Int64, strict=False)
    last = lines.filter(order.eq_missing(order.max()))
    sides = [pl.min_horizontal("team_ns", "team_ew").alias("one"), pl.max_horizontal("team_ns", "team_ew").alias("two")]
    tables = last.group_by("section", "board", *sides).agg(pl.col("multiplicity").fill_null(1).sum().alias("tables"))
    waiting = tables.filter(pl.col("tables") == 1)
    return frozenset([*waiting["one"], *waiting["two"]])


def section_of(message: str) -> str | None:
    """Return the section in the sentence of a result that is missing; None if it names none."""
    found = _SECTION.search(message)
    return found[1] if found else None


def round_of(message: str) -> int:
    """Return the round in the sentence of a result that is missing; 0 if it names none."""
    found = _ROUND.search(message)
    return int(found[1]) if found else 0
