"""One PBN file's text to frames: entries -> games -> tags -> records, results, contestants."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.formats.base import Reading
from overtrick.formats.pbn.read.batches import batches
from overtrick.formats.pbn.read.games import Games, games
from overtrick.formats.pbn.read.records import Played, records, sections_played
from overtrick.formats.pbn.read.results import score_tables, total_tables
from overtrick.formats.pbn.read.side_by_side import NO_MEMORY, Tags, inherit, tags_side_by_side
from overtrick.formats.pbn.verify import Verifier
from overtrick.formats.pbn.verify.files import Files
from overtrick.formats.text import TextBlock
from overtrick.frames import ITEMS, conform
from overtrick.problems import Finding, report, report_findings

_MOST_DEFECTS: Final = 100_000
"""Places of a batch whose damage of one sort is listed."""


def read_pbn(
    blocks: Iterable[TextBlock],
    *,
    encoding: str = "utf-8",
    verified: bool = False,
    files: Files | None = None,
    shortcut: bool = True,
) -> Iterator[Reading]:
    """Read the text of a PBN file, import or export form, version 1.0 to 2.1.

    Args:
        blocks: the whole text.
        encoding: the one it was read with; PBN's own is ISO 8859-1.
        verified: whether the text is held against the standard too; nothing that is read depends on it.
        files: those that the text is put together from, where it is several; their lines and characters are not held
            against the standard here.
        shortcut: false sends everything through the grammar's fine rules; the frames are the same.

    Yields:
        The frames, batch by batch of whole games; at least one batch, and one alone for a file of one block. `record`
        counts from 0 in each; lines are those of the file. Whatever is not understood is an item of kind `stray` and a
        problem; nothing raises.
    """
    memory, any_game, standard = NO_MEMORY, False, Verifier(encoding, files) if verified else None
    coming = batches(blocks, shortcut=shortcut)
    batch = next(coming, None)
    # Tags on one core, sections on another: arrays and columns let go of the interpreter's lock.
    with ThreadPoolExecutor(1) as beside:
        while batch:
            grouped = games(batch.entries, batch.text)
            sections = beside.submit(sections_played, grouped, shortcut=shortcut)
            any_game = any_game or grouped.count > 0
            tags, findings, memory = inherit(tags_side_by_side(grouped), memory)
            following = next(coming, None)
            if not any_game and not following:
                findings.append(Finding("file-no-games", line=1, column=1))
            reading = _read_games(grouped, tags, sections, shortcut=shortcut)
            problems = [report_findings([*batch.findings, *findings], ""), reading.problems]
            if standard:
                problems.append(standard.hold(batch, grouped, tags, reading.records, reading.annotations))
            if standard and not following:
                problems.append(standard.counted())
            in_order = pl.concat(problems).sort("line", "column", maintain_order=True, nulls_last=True)
            yield replace(reading, problems=in_order)
            batch = following


def _read_games(grouped: Games, tags: Tags, sections: Future[Played], *, shortcut: bool) -> Reading:
    items = conform(ITEMS, grouped.items.rename({"game": "record"}))
    frame, annotations, faults = records(grouped, tags, sections.result, shortcut=shortcut)
    results, named, score_faults = score_tables(grouped, tags)
    totals, total_faults = total_tables(grouped, tags)
    return Reading(
        items,
        frame,
        annotations,
        results,
        totals if len(totals) else named,
        pl.concat([_defects(grouped), _repeated(grouped, tags), faults, score_faults, total_faults]),
    )


def _defects(grouped: Games) -> pl.DataFrame:
    """Report what is no PBN, of each sort as much as anybody reads: the damage may outweigh the file."""
    if grouped.defects.is_empty():
        return report_findings([], "")
    shown = grouped.defects.rename({"game": "record"}).with_columns(pl.col("text").str.slice(0, 60))
    listed = shown.filter(pl.int_range(pl.len()).over("defect") < _MOST_DEFECTS)
    parts = [report(str(code), rows) for (code,), rows in listed.group_by(["defect"], maintain_order=True)]
    rest = listed.tail(1).with_columns(left=pl.lit(len(shown) - len(listed))).filter(pl.col("left") > 0)
    return pl.concat([report_findings([], ""), *parts, report("pbn-damaged", rest)])


def _repeated(grouped: Games, tags: Tags) -> pl.DataFrame:
    """Report tags that stand again in their game, those but Note that no column took."""
    if sum(len(rows) - rows.null_count() for rows in tags.row.values()) == len(grouped.tags):
        return report_findings([], "")
    taken = pl.concat([rows.drop_nulls() for rows in tags.row.values()])
    again = (
        grouped.tags.with_row_index("row")
        .filter(pl.col("name").is_in(list(tags.row)))
        .join(taken.to_frame("row").cast(pl.UInt32), on="row", how="anti")
    )
    return report("pbn-tag-repeated", again.filter(pl.col("name") != "Note").rename({"game": "record"}))
