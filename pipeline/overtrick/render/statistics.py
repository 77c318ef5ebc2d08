"""What the field did: how often it bid game and slam, made them, doubled or passed out."""

import polars as pl

from overtrick.render.notation import contract
from overtrick.render.text import counted, number

Pairs = tuple[tuple[str, str], ...]

_LEVEL = pl.col("level")
_GAME_LEVEL = pl.col("strain").cast(pl.String).replace_strict({"NT": 3, "H": 4, "S": 4, "C": 5, "D": 5}, default=None)


def statistics(results: pl.DataFrame) -> Pairs:
    """Sum up the results of a session as readable pairs; what did not happen, or is not known, is left out.

    Args:
        results: rows of `frames.RESULTS`; a row counts for each table that shares it.
    """
    played = results.filter(_LEVEL.is_not_null(), pl.col("status").cast(pl.String).is_in(["played", "passed"]))
    lines = {
        "Results": _results(results),
        "Games bid": _bid_and_made(played.filter(_LEVEL.is_between(1, 5), _LEVEL >= _GAME_LEVEL)),
        "Slams bid": _bid_and_made(played.filter(_LEVEL >= 6)),
        "Doubled": _bid_and_made(played.filter(pl.col("doubled") > 0)),
        "Passed out": _tables_text(played.filter(_LEVEL == 0)),
        "Most common contract": _most_common(played.filter(_LEVEL > 0)),
        "Highest score": _highest_score(played),
    }
    return tuple((name, text) for name, text in lines.items() if text)


def _tables(rows: pl.DataFrame) -> int:
    return int(rows["multiplicity"].fill_null(1).sum())


def _results(results: pl.DataFrame) -> str:
    count = _tables(results.filter(pl.col("score_ns").is_not_null()))
    return str(count) if count else ""


def _tables_text(rows: pl.DataFrame) -> str:
    return counted(_tables(rows), "time", "times") if len(rows) else ""


def _bid_and_made(rows: pl.DataFrame) -> str:
    """Write `14 (9 made)`; results without tricks are named, not counted as failures."""
    if rows.is_empty():
        return ""
    made = _tables(rows.filter(pl.col("tricks") >= _LEVEL + 6))
    unknown = _tables(rows.filter(pl.col("tricks").is_null()))
    return f"{_tables(rows)} ({made} made" + (f", {unknown} not known)" if unknown else ")")


def _most_common(rows: pl.DataFrame) -> str:
    counts = (
        rows.group_by("level", "strain", "doubled")
        .agg(pl.col("multiplicity").fill_null(1).sum().alias("times"))
        .filter(pl.col("times") == pl.col("times").max(), pl.col("times") > 1)
        .sort("level", "strain", "doubled")
    )
    if not 1 <= len(counts) <= 3:
        return ""
    names = [contract(*row).text for row in counts.select("level", "strain", "doubled").iter_rows()]
    each = " each" if len(names) > 1 else ""
    return f"{', '.join(names)} ({counts['times'][0]} times{each})"


def _highest_score(rows: pl.DataFrame) -> str:
    """Name the highest score of either side; nothing where several results share it."""
    best = rows.with_columns(pl.col("score_ns").abs().alias("points"))
    best = best.filter(pl.col("points") == pl.col("points").max(), pl.col("points") > 0)
    if len(best) != 1:
        return ""
    row = best.row(0, named=True)
    where = "" if row["board"] is None else f" on board {row['board']}"
    return f"{number(row['points'])}{where}"
