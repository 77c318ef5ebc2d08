"""In one line, what was put together from which files."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from overtrick.core.bridge.cards import is_complete
from overtrick.core.frames import Session
from overtrick.files.assemble.results import KEY, key_results


def describe_joined(session: Session) -> str | None:
    """Return what each file of an evening adds; None for a single file, or if no file holds results.

    An example: `270 results from monday.bws; hands from monday.pbn; monday.xml holds the same 270 results`.

    Args:
        session: one evening as it was gathered, before its results are counted once.
    """
    sources = session.sources["source"].unique(maintain_order=True).to_list()
    if len(sources) < 2 or session.results.is_empty():
        return None
    counts = _count(session)
    names = _short_names(sources)
    adds: list[str] = []
    repeats: list[str] = []
    for source in sources:
        total, added = counts.get(source, (0, 0))
        if added:
            adds.append(f"{_results(added)} from {names[source]}" if not adds else f"{added} more from {names[source]}")
        if total and not added:
            repeats.append(f"{names[source]} holds the same {_results(total)}")
        elif total > added:
            repeats.append(f"{names[source]} holds {total - added} of the same results")
    hands = _hands(session, sources)
    shown = [f"hands from {' and '.join(names[source] for source in hands)}"] if hands else []
    return "; ".join([*adds, *shown, *repeats]) or None


def _results(count: int) -> str:
    return f"{count} result{'' if count == 1 else 's'}"


def _count(session: Session) -> dict[str, tuple[int, int]]:
    """Return by file how many results it holds, and how many of them no file before it holds."""
    keyed = key_results(session).filter(~pl.col("status").is_in(["not played", "unknown"]))
    known = pl.col("first").is_not_null()
    new = ~known | (pl.col("source") == pl.col("source").first().over(KEY))
    lines = keyed.with_columns(new.alias("new")).filter(~known | pl.struct(*KEY, "source").is_first_distinct())
    counts = lines.group_by("source").agg(pl.len().alias("total"), pl.col("new").sum())
    return {source: (total, added) for source, total, added in counts.select("source", "total", "new").iter_rows()}


def _hands(session: Session, sources: Sequence[str]) -> list[str]:
    """Return the files that the hands of the others come from: each gives some that none before it gives."""
    dealt = session.records.filter(is_complete(session.records["deal"]), pl.col("board").is_not_null())
    held = {source: set(boards) for source, boards in dealt.group_by("source").agg("board").iter_rows()}
    with_results = session.results["source"].unique(maintain_order=True).to_list()
    wanted = set(session.results["board"].drop_nulls()) - held.get(with_results[0], set())
    giving = []
    for source in sources:
        if source != with_results[0] and wanted & held.get(source, set()):
            giving.append(source)
            wanted -= held[source]
    return giving


def _short_names(sources: Sequence[str]) -> dict[str, str]:
    """Return the name of each file without its folder, unless two files have the same."""
    named = Counter(Path(source).name for source in sources)
    return {source: Path(source).name if named[Path(source).name] == 1 else source for source in sources}
