"""One PBN file's text to frames: entries -> games -> tags -> records, results, contestants."""

import polars as pl

from overtrick.frames import ITEMS, conform
from overtrick.parse.pbn.entries import entries
from overtrick.parse.pbn.games import Games, games
from overtrick.parse.pbn.records import records
from overtrick.parse.pbn.results import score_tables, total_tables
from overtrick.parse.pbn.tags import Tags, inherit, tags_side_by_side
from overtrick.parse.pbn.verify import verify
from overtrick.parse.pbn.verify.characters import lines_and_characters
from overtrick.parse.reading import Reading
from overtrick.problems import Finding, findings_frame, found


def read_pbn(text: str, *, encoding: str = "utf-8", verified: bool = False, shortcut: bool = True) -> Reading:
    r"""Read the text of a PBN file, import or export form, version 1.0 to 2.1.

    Args:
        text: the whole file; every line ends in `\\n`.
        encoding: the one it was read with; PBN's own is ISO 8859-1.
        verified: whether the text is held against the standard too; nothing that is read depends on it.
        shortcut: false sends everything through the grammar's fine rules; the frames are the same.

    Returns:
        The frames. Whatever is not understood is an item of kind `stray` and a problem; nothing raises.
    """
    grouped = games(entries(text, shortcut=shortcut), text)
    tags, findings = inherit(tags_side_by_side(grouped))
    frame, annotations, faults = records(grouped, tags, shortcut=shortcut)
    results, named, score_faults = score_tables(grouped, tags)
    totals, total_faults = total_tables(grouped, tags)
    if not grouped.count:
        findings = [*findings, Finding("file-no-games", line=1, column=1)]
    problems = [
        findings_frame(findings, ""),
        _defects(grouped),
        _repeated(grouped, tags),
        faults,
        score_faults,
        total_faults,
    ]
    if verified:
        problems += [lines_and_characters(text, encoding, grouped), verify(grouped, tags, frame, annotations)]
    return Reading(
        conform(ITEMS, grouped.items.rename({"game": "record"})),
        frame,
        annotations,
        results,
        totals if len(totals) else named,
        pl.concat(problems).sort("line", "column", maintain_order=True, nulls_last=True),
    )


def _defects(grouped: Games) -> pl.DataFrame:
    shown = grouped.defects.rename({"game": "record"}).with_columns(pl.col("text").str.slice(0, 60))
    parts = [found(str(code), rows) for (code,), rows in shown.group_by(["defect"], maintain_order=True)]
    return pl.concat([findings_frame([], ""), *parts])


def _repeated(grouped: Games, tags: Tags) -> pl.DataFrame:
    """Report tags that stand again in their game, those but Note that no column took."""
    taken = pl.concat([rows.drop_nulls() for rows in tags.row.values()]) if tags.row else pl.Series(dtype=pl.Int64)
    if len(taken) == len(grouped.tags):
        return findings_frame([], "")
    again = grouped.tags.with_row_index("row").join(taken.to_frame("row").cast(pl.UInt32), on="row", how="anti")
    return found("pbn-tag-repeated", again.filter(pl.col("name") != "Note").rename({"game": "record"}))
