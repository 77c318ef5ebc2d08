"""One PBN file's text to frames: entries -> games -> tags -> records, results, contestants.

Small files of plain lines, in which nothing depends on another game, can be read together as one text.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from functools import partial
from typing import Final, NamedTuple

import polars as pl

from overtrick.core.frames import ITEMS, conform
from overtrick.core.late import Late
from overtrick.core.machine import beside, work_ahead
from overtrick.core.problems import Finding, report, report_findings
from overtrick.core.words import ENGLISH
from overtrick.files.formats.base import Reading, Small, joined, lines_before
from overtrick.files.formats.pbn.read.archive import is_plain
from overtrick.files.formats.pbn.read.games import Batch, Games, cut_batches, cut_entries, group_games, move_lines
from overtrick.files.formats.pbn.read.records import Played, read_records, read_sections
from overtrick.files.formats.pbn.read.score_tables import read_score_tables, read_total_tables
from overtrick.files.formats.pbn.read.tag_columns import NO_MEMORY, Tags, decide_dialect, inherit, make_columns
from overtrick.files.formats.pbn.verify import Verifier
from overtrick.files.formats.pbn.verify.tally import Files
from overtrick.files.formats.text import TextBlock

_MOST_DEFECTS: Final = 100_000
"""Places of a batch that are listed for one sort of damage."""

_UNREAD: Final = {"pbn-tag-value", "call-unknown", "card-unknown", "pbn-deal"}
"""Problems of a text whose words may be those of another language."""
_HIDDEN_BOARD: Final = r'(?m)^\[Board[ \t]+"([^"\n]*)"'
_FIRST_GAME: Final = re.compile(r"^\[(?:[ \t\f\v]*+[^ \t\f\v\n][^\n]*+\n)++", re.MULTILINE)
_ITS_BOARD: Final = re.compile(r'^\[(?:Event|Board) "', re.MULTILINE)


def read_pbn(
    blocks: Iterable[TextBlock], *, encoding: str = "utf-8", verified: bool = False, files: Files | None = None
) -> Iterator[Reading]:
    """Read the text of a PBN file, import or export form, version 1.0 to 2.1.

    Args:
        blocks: the whole text.
        encoding: the one it was read with; PBN's own is ISO 8859-1.
        verified: whether to check the text against the standard too; nothing that is read depends on it.
        files: the files that the text is joined from, where there are several; their lines and characters are not
            checked here.

    Yields:
        The frames, batch by batch of whole games; at least one batch, and exactly one for a file of one block. `record`
        counts from 0 in each; lines are those of the file. Text that is not understood is an item of kind `stray` and a
        problem; nothing raises.
    """
    standard = Verifier(encoding, files) if verified else None
    # A batch is cut, the one before it is grouped, and the one before that is read, on as many cores as there are:
    # arrays and columns let go of the interpreter's lock.
    with beside() as other:
        grouped = work_ahead(partial(_group, other), cut_batches(blocks))
        yield from work_ahead(partial(_read_games, standard), _inherit(grouped))


class _Grouped(NamedTuple):
    """The games of a batch before they are read; `_inherit` adds to tags and findings."""

    batch: Batch
    games: Games
    sections: Future[Played]
    tags: Tags
    findings: Sequence[Finding] = ()


def _group(other: Executor, batch: Batch) -> _Grouped:
    games = group_games(batch.entries, batch.text)
    return _Grouped(batch, games, other.submit(read_sections, games), make_columns(games))


def _inherit(batches: Iterable[_Grouped]) -> Iterator[_Grouped]:
    """Add what depends on the batches before each one."""
    memory, any_game = NO_MEMORY, False
    for grouped in batches:
        any_game = any_game or grouped.games.count > 0
        in_force, findings, memory = inherit(grouped.tags, memory)
        if not any_game and grouped.batch.is_last:
            findings.append(Finding("file-no-games/text", line=1, column=1))
        yield grouped._replace(tags=in_force, findings=findings)


def _read_games(standard: Verifier | None, grouped: _Grouped) -> Reading:
    batch, games, sections, tags, findings = grouped
    frame, annotations, faults = read_records(games, tags, sections.result)
    dialect = ENGLISH
    if _UNREAD.intersection(faults["code"]):
        dialect = decide_dialect(games, tags)
        if dialect is not ENGLISH:
            spoken = partial(read_sections, games, dialect)
            frame, annotations, faults = read_records(games, tags, spoken, dialect)
    results, score_faults = read_score_tables(games, tags, dialect)
    totals, total_faults = read_total_tables(games, tags)
    problems = [
        report_findings([*batch.findings, *findings], ""),
        *(_report_defects(games), _report_hidden(games), _report_repeated(games, tags)),
        *(faults, score_faults, total_faults),
    ]
    if standard:
        problems.append(standard.check(batch, games, tags, frame, annotations))
    if standard and batch.is_last:
        problems.append(standard.report_counted())
    return Reading(
        _list_items(batch, games),
        frame,
        annotations,
        results,
        totals,
        pl.concat(problems).sort("line", "column", maintain_order=True, nulls_last=True),
    )


def _list_items(batch: Batch, grouped: Games) -> Late:
    """List the items when something asks for them; of a long file, the text is then cut again.

    The text takes a third of the memory of its entries.
    """
    lines_before = batch.first_line - 1
    again: Callable[[], Games] = (
        (lambda: grouped) if batch.is_last and not lines_before else partial(_group_again, batch.text, lines_before)
    )
    return Late(lambda: conform(ITEMS, again().items.rename({"game": "record"})), grouped.by_name)


def _group_again(text: str, lines_before: int) -> Games:
    return group_games(move_lines(cut_entries(text), lines_before), text)


def _report_defects(grouped: Games) -> pl.DataFrame:
    """Report what is not PBN, up to a limit for each sort: the damage may outweigh the file."""
    if grouped.defects.is_empty():
        return report_findings([], "")
    shown = grouped.defects.rename({"game": "record"}).with_columns(pl.col("text").str.slice(0, 60))
    listed = shown.filter(pl.int_range(pl.len()).over("defect") < _MOST_DEFECTS)
    parts = [report(str(code), rows) for (code,), rows in listed.group_by(["defect"], maintain_order=True)]
    rest = listed.tail(1).with_columns(left=pl.lit(len(shown) - len(listed))).filter(pl.col("left") > 0)
    return pl.concat([report_findings([], ""), *parts, report("pbn-damaged", rest)])


def _report_hidden(grouped: Games) -> pl.DataFrame:
    """Report comments with whole games in them."""
    # A filter of both conditions would search the text of every entry.
    comments = grouped.entries.filter(kind="comment").filter(pl.col("text").str.contains(_HIDDEN_BOARD))
    if comments.is_empty():
        return report_findings([], "")
    comments = comments.with_columns(pl.col("text").str.extract_all(_HIDDEN_BOARD).alias("boards"))
    label = pl.element().str.extract(_HIDDEN_BOARD)
    named = comments.with_columns(
        pl.col("boards").list.len().alias("count"), pl.col("boards").list.eval(label).list.join(", ")
    )
    return report("pbn-comment-games", named.rename({"game": "record"}))


def _report_repeated(grouped: Games, tags: Tags) -> pl.DataFrame:
    """Report tags that a game states again, which no column took; Note may be repeated."""
    if sum(len(rows) - rows.null_count() for rows in tags.row.values()) == len(grouped.tags):
        return report_findings([], "")
    taken = pl.concat([rows.drop_nulls() for rows in tags.row.values()])
    again = (
        grouped.tags.with_row_index("row")
        .filter(pl.col("name").is_in(list(tags.row)))
        .join(taken.to_frame("row").cast(pl.UInt32), on="row", how="anti")
    )
    return report("pbn-tag-repeated", again.filter(pl.col("name") != "Note").rename({"game": "record"}))


def stands_alone(content: str) -> bool:
    """Return whether a text means the same among the texts of other files, with an empty line between.

    Such a text has no comment that could go on, inherits nothing (PBN 4.8), and its first game states its board, so it
    is not the second room of another file's. A session with score tables names its own contestants, and stays alone.
    """
    if '"#' in content or 'ScoreTable "' in content or not is_plain(content):
        return False
    first = _FIRST_GAME.search(content)
    return first is not None and _ITS_BOARD.search(first[0]) is not None


def read_together(files: Sequence[Small]) -> Reading:
    """Read files that stand alone as one text."""
    parts = Files((lines_before(files)[:-1] + 1).tolist(), [file.line_end for file in files])
    (reading,) = read_pbn([TextBlock(joined(files))], verified=files[0].verified, files=parts)
    return reading
