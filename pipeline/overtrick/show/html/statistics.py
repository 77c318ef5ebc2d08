"""What the field did: how often it bid and made games and slams, doubled, or passed out."""

from collections.abc import Mapping

import polars as pl

from overtrick.show.history.changes import number_board
from overtrick.show.html.symbols import make_contract
from overtrick.show.text.display import format_count, format_number

Pairs = tuple[tuple[str, str], ...]

_LEVEL = pl.col("level")
_GAME_LEVEL = pl.col("strain").cast(pl.String).replace_strict({"NT": 3, "H": 4, "S": 4, "C": 5, "D": 5}, default=None)


def make_statistics(results: pl.DataFrame, evenings: Mapping[str, int] | None = None) -> Pairs:
    """Return names and values that sum up a session, without those that are zero or unknown.

    Args:
        results: rows of `frames.RESULTS`; each counts `multiplicity` times.
        evenings: the number of the evening of each file, if there are several.
    """
    played = results.filter(_LEVEL.is_not_null(), pl.col("status").cast(pl.String).is_in(["played", "passed"]))
    lines = {
        "Results": _count_results(results),
        "Games bid": _format_bid_and_made(played.filter(_LEVEL.is_between(1, 5), _LEVEL >= _GAME_LEVEL)),
        "Slams bid": _format_bid_and_made(played.filter(_LEVEL >= 6)),
        "Doubled": _format_bid_and_made(played.filter(pl.col("doubled") > 0)),
        "Passed out": _format_times(played.filter(_LEVEL == 0)),
        "Most common contract": _find_most_common(played.filter(_LEVEL > 0)),
        "Highest score": _find_highest_score(played, evenings or {}),
    }
    return tuple((name, text) for name, text in lines.items() if text)


def _count_tables(rows: pl.DataFrame) -> int:
    return int(rows["multiplicity"].fill_null(1).sum())


def _count_results(results: pl.DataFrame) -> str:
    # On score sheets only a deal that was passed out has a score of its own.
    scored = results.filter(pl.col("score_ns").is_not_null())
    count = _count_tables(scored) if (scored["score_ns"] != 0).any() else 0
    return str(count) if count else ""


def _format_times(rows: pl.DataFrame) -> str:
    return format_count(_count_tables(rows), "time", "times") if len(rows) else ""


def _format_bid_and_made(rows: pl.DataFrame) -> str:
    """Return `14 (9 made)`; results without tricks are counted apart, not as failures."""
    if rows.is_empty():
        return ""
    made = _count_tables(rows.filter(pl.col("tricks") >= _LEVEL + 6))
    unknown = _count_tables(rows.filter(pl.col("tricks").is_null()))
    return f"{_count_tables(rows)} ({made} made" + (f", {unknown} not known)" if unknown else ")")


def _find_most_common(rows: pl.DataFrame) -> str:
    counts = (
        rows.group_by("level", "strain", "doubled")
        .agg(pl.col("multiplicity").fill_null(1).sum().alias("times"))
        .filter(pl.col("times") == pl.col("times").max(), pl.col("times") > 1)
        .sort("level", "strain", "doubled")
    )
    if not 1 <= len(counts) <= 3:
        return ""
    names = [make_contract(*row).text for row in counts.select("level", "strain", "doubled").iter_rows()]
    each = " each" if len(names) > 1 else ""
    return f"{', '.join(names)} ({counts['times'][0]} times{each})"


def _find_highest_score(rows: pl.DataFrame, evenings: Mapping[str, int]) -> str:
    """Return the highest score of either side; empty if several results share it."""
    best = rows.with_columns(pl.col("score_ns").abs().alias("points"))
    best = best.filter(pl.col("points") == pl.col("points").max(), pl.col("points") > 0)
    if len(best) != 1:
        return ""
    row = best.row(0, named=True)
    board = number_board(row["board"], evenings.get(row["source"]))
    where = f" on board {board}" if board else ""
    return f"{format_number(row['points'])}{where}"
