"""The one entrance for files: open them, recognise their formats, and yield what each one holds."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import polars as pl

from overtrick.core.frames import PROBLEMS, SOURCES, Problems, Session, conform, dtypes
from overtrick.core.late import change
from overtrick.core.machine import no_garbage_collection
from overtrick.core.notation import find_order, list_dates, read_date
from overtrick.core.problems import FINDINGS, Finding, report, report_findings
from overtrick.core.words import current_club
from overtrick.files.formats import base
from overtrick.files.formats.base import Reading, Small
from overtrick.files.formats.form import Format, TextReader, Together, may_be_pbn
from overtrick.files.formats.looks import (
    get_format,
    is_of_other_program,
    is_packed,
    is_zip_file,
    list_each_file_once,
    looks_like,
    recognise,
)
from overtrick.files.formats.registry import FORMATS, PBN
from overtrick.files.formats.text import (
    BLOCK,
    STDIN,
    Coding,
    Source,
    TextBlock,
    detect_coding,
    in_utf8,
    opened,
    text_blocks,
)
from overtrick.files.formats.zips import walk_zip

_STARTS: Final = {"calls": "auction_start", "cards": "play_start"}
"""By column of entries, the column that is stated where they begin."""


def locate_findings(session: Session) -> Session:
    """Find the places in the files of what the checks found (`problems.FINDINGS`), each format and part at once.

    A finding about a record is placed where the file states its part, else where the entries begin, else at the first
    line of the record; a finding about a result where the file states its part, else at the result. A finding that the
    reader has reported under a code of its own (`Format.supersedes`) is left out.

    Returns:
        The session, its problems in the same order, in the columns of `frames.PROBLEMS`.
    """
    problems = _without_superseded(session.problems)
    if "part" not in problems.columns or problems["part"].is_null().all():
        return replace(session, problems=conform(PROBLEMS, problems))
    # A fact is stated in a record, but the problem is not about that record.
    of_fact = pl.col("part").str.starts_with("facts.")
    found = conform(FINDINGS, problems).with_row_index("row")
    asked = found.with_columns(
        pl.when(of_fact).then(pl.col("index").cast(pl.UInt32)).otherwise("record").alias("record"),
        pl.when(~of_fact).then("index").alias("index"),
    )
    places = [
        (_in_results if of == "results" else _in_records)(session, rows, column)
        for (part,), rows in asked.drop_nulls("part").group_by("part")
        for of, _, column in [str(part).partition(".")]
    ]
    at = pl.concat(places).select("row", at_line="line", at_column="column")
    located = found.join(at, on="row", how="left", maintain_order="left").with_columns(
        pl.coalesce("at_line", "line").alias("line"), pl.coalesce("at_column", "column").alias("column")
    )
    return replace(session, problems=conform(PROBLEMS, located))


def _without_superseded(problems: Problems) -> Problems:
    """Drop the problems of a record that its reader has reported under a code of its own (`Format.supersedes`)."""
    present = set(problems["code"].unique())
    said = [
        problems.filter(pl.col("code") == code).select("record").join(pl.DataFrame({"code": repeated}), how="cross")
        for known in FORMATS
        for code, repeated in known.supersedes.items()
        if code in present
    ]
    if not said:
        return problems
    return problems.join(pl.concat(said).unique(), on=["record", "code"], how="anti", maintain_order="left")


def _in_records(session: Session, rows: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return `row line column` where the record of each row states a column, else where its entries or it begin."""
    records = rows["record"].drop_nulls().unique()
    asked = rows.select("row", "record", "index")
    found = [asked.join(locate(session, records, column), on=["record", "index"], nulls_equal=True)]
    if column in _STARTS:
        found.append(asked.join(locate(session, records, _STARTS[column]), on="record"))
    begins = session.records.select("record", "line", pl.lit(1, pl.UInt32).alias("column"))
    places = [*(places_of.drop_nulls("line") for places_of in found), asked.join(begins, on="record")]
    return pl.concat([places_of.select("row", "line", "column") for places_of in places]).unique("row", keep="first")


def _in_results(session: Session, rows: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return `row line column` of each row whose result states a column."""
    begins = session.records.select("record", pl.col("line").alias("begins"))
    asked = rows.select("row", "record", "source", "line", "column").join(begins, on="record", how="left")
    # A game of PBN that is one result states it in its tags; other results are lines of a table.
    tags = locate(session, asked["record"].drop_nulls().unique(), column).drop("index")
    in_tags = (pl.col("line") == pl.col("begins")).fill_null(value=False) & pl.col("record").is_in(
        tags["record"].implode()
    )
    found = [asked.filter(in_tags).select("row", "record").join(tags, on="record").select("row", "line", "column")]
    for name, sources in session.sources.group_by(pl.col("format").fill_null("")):
        rows_of = asked.filter(~in_tags, pl.col("source").is_in(sources["source"].implode()))
        locate_cells = get_format(str(name[0])).locate_cells
        if locate_cells and len(rows_of):
            found.append(locate_cells(session, rows_of, column))
    return pl.concat(found).unique("row", keep="first")


def locate(session: Session, records: pl.Series, column: str) -> pl.DataFrame:
    """Find where records state one of their columns.

    Args:
        session: whose items hold the files as written.
        records: the records asked for.
        column: of `frames.RECORDS`. For `calls` and `cards` each call and each card is located.

    Returns:
        `record index line column`, one row a record that states it: in `calls` or `cards` one row an entry, with its
        `index` in the list; `index` is null for any other column. Records without a row do not state it, or are of a
        format that has only lines.
    """
    records = records.cast(pl.UInt32)
    empty = pl.DataFrame(schema={"record": pl.UInt32, "index": pl.Int64, "line": pl.UInt32, "column": pl.UInt32})
    found = [known.locate(session, asked, column) for known, asked in _by_format(session, records) if known.locate]
    return pl.concat([empty, *found])


def _by_format(session: Session, records: pl.Series) -> Iterator[tuple[Format, pl.Series]]:
    """Yield the formats of records, each with its records."""
    names = session.sources.select("source", pl.col("format").fill_null(""))
    formats = names["format"].unique(maintain_order=True).to_list()
    if len(formats) < 2:
        yield get_format(formats[0] if formats else ""), records
        return
    asked = session.records.select("record", "source").filter(pl.col("record").is_in(records.implode()))
    for name in formats:
        sources = names.filter(pl.col("format") == name)["source"]
        yield get_format(name), asked.filter(pl.col("source").is_in(sources.implode()))["record"]


_OF_GAMES: Final = ("items", "records", "annotations", "results", "problems")
"""Frames of a reading whose rows name their record."""

_IN_FORM: Final = r"^[0-9]{4}\.(?:0[1-9]|1[0-2])\.(?:0[1-9]|1[0-9]|2[0-8])$"
"""A date that needs no second look; those of the last days of a month do."""
_NO_DATE: Final = "-"
"""What some programs write where the date is unknown."""
_NUMBERS: Final = re.compile(rb"(?<![0-9/.-])[0-9]{1,2}[-/][0-9]{1,2}[-/][0-9]{4}(?![0-9/.-])")
_LOOK: Final = 1 << 16
"""Bytes at the beginning of a file that show how a folder writes dates."""

TOGETHER: Final = 4 * BLOCK
"""Bytes of whole files that `group_parts` puts into one group."""
_PARTS: Final = 2
"""Parts of a larger file that it puts into one."""


def read_files(
    paths: Sequence[str], *, verified: bool = False, on_bytes: Callable[[int], None] | None = None
) -> Iterator[Session]:
    """Read files, folders (walked, in the order of their names) or `-` for standard input, one after the other.

    Args:
        paths: what to read; a file that is named twice, or beside its folder, is read once.
        verified: whether to check files against the standard of their format too, as `overtrick check` does.
        on_bytes: called with the number of bytes of each block that was read.

    Yields:
        Parts of whole games, as sessions in which nothing is joined yet. Each part names its file and its format in
        `sources`; only the last part of a file knows its size, its hash and how many records it has. A path that
        cannot be read is a problem like any other.
    """
    files = list_each_file_once(paths)
    return read_small_files(part for file in files for part in _read_path(file, verified=verified, on_bytes=on_bytes))


def read_each(paths: Sequence[str]) -> list[list[Session]]:
    """Return the parts that `read_files` yields of each file by itself; small ones are read together all the same.

    Args:
        paths: files.
    """
    with no_garbage_collection():
        files = [list(_read_path(path, verified=False, on_bytes=None)) for path in paths]
        small = [part for parts in files for part in parts if isinstance(part, Small)]
        by_kind = sorted(small, key=lambda file: file.kind)
        read: dict[str, Session] = {}
        for group in _put_neighbours_together(by_kind):
            if not isinstance(group, Session):
                read |= _read_apart(group)
    return [[part if isinstance(part, Session) else read[part.about["source"]] for part in parts] for parts in files]


def _read_apart(files: Sequence[Small]) -> dict[str, Session]:
    """Read small files together, and return by name what each one holds, with records from 0."""
    whole = _read_together(files)
    names = [file.about["source"] for file in files]
    if len(whole.contestants):
        # Nothing in this frame says which file it is from.
        return {name: _read_together([file]) for name, file in zip(names, files, strict=True)}
    apart = {}
    first = 0
    for row, name in enumerate(names):
        sources = whole.sources[row]
        end = first + int(sources["records"][0])
        of_file = {"source": pl.col("source") == name, "record": pl.col("record").is_between(first, end, closed="left")}
        frames: dict[str, Any] = {"sources": sources}
        for key in _OF_GAMES:
            frame = getattr(whole, key)
            is_of_file = of_file["source" if "source" in frame.columns else "record"]
            frames["listed" if key == "items" else key] = frame.filter(is_of_file).with_columns(
                pl.col("record") - first
            )
        apart[name] = Session(**frames)
        first = end
    return apart


def group_parts(parts: Iterable[Session]) -> Iterator[list[Session]]:
    """Group the parts that `read_files` yields, so that each group fits in memory.

    Whole files come together, `TOGETHER` bytes of them; of a larger file two parts.
    """
    group: list[Session] = []
    size = 0
    for part in parts:
        group.append(part)
        # A file that could not be read is not a source, and adds nothing to the size.
        is_whole = part.sources["size"].null_count() == 0
        size += int(part.sources["size"].sum()) if is_whole else TOGETHER // _PARTS
        if size >= TOGETHER:
            yield group
            group, size = [], 0
    if group:
        yield group


def read_source(source: Source, name: str) -> Iterator[Session | Small]:
    """Read one open file, as parts of whole games; `assemble.keep_apart` puts them together.

    Yields:
        Parts as `read_files` yields them; a small file that can be read with others, unread.

    Raises:
        OSError: it cannot be read.
    """
    parts = _read_source(source, name, verified=False)
    while True:
        with no_garbage_collection():
            part = next(parts, None)
        if part is None:
            return
        yield part


def read_bytes(data: bytes, name: str) -> Iterator[Session]:
    """Read the bytes of one file, checked against the standard of its format too; parts as `read_files` yields them."""
    with no_garbage_collection():
        yield from read_small_files(_read_source(Source(BytesIO(data)), name, verified=True))


def read_small_files(parts: Iterable[Session | Small]) -> Iterator[Session]:
    """Read the small files among parts, neighbours of one kind together."""
    for lot in _put_neighbours_together(parts):
        yield lot if isinstance(lot, Session) else _read_together(lot)


def _put_neighbours_together(parts: Iterable[Session | Small]) -> Iterator[Session | list[Small]]:
    """Yield the small files among parts in lists of neighbours of one kind, and the other parts as they are."""
    small: list[Small] = []
    size = 0
    for piece in parts:
        kind = None if isinstance(piece, Session) else piece.kind
        if small and (kind != small[0].kind or len(small) == base.MOST_TOGETHER or size >= BLOCK):
            yield small
            small, size = [], 0
        if isinstance(piece, Session):
            yield piece
        else:
            small.append(piece)
            size += len(piece.content)
    if small:
        yield small


def _read_together(files: Sequence[Small]) -> Session:
    reading, records = base.read_small(files)
    rows = [{**file.about, "records": count} for file, count in zip(files, records, strict=True)]
    frames = {field.name: getattr(reading, field.name) for field in fields(reading)}
    return _dated(Session(**frames, sources=pl.DataFrame(rows, schema=dtypes(SOURCES))))


def _read_path(path: str, *, verified: bool, on_bytes: Callable[[int], None] | None) -> Iterator[Session | Small]:
    """Read one file."""
    # A file name need not be Unicode, and a frame's text must be.
    name = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        with opened(path) as source:
            source.on_bytes = on_bytes
            if path != STDIN and is_zip_file(Path(path)):
                # It says why a zip can't be unpacked.
                next(walk_zip(Path(path)))
            yield from _read_source(source, name, verified=verified)
    except IsADirectoryError:
        yield _unread(name, Finding("folder-no-files", line=1, column=1))
    except OSError as error:
        yield _unread(name, Finding("file-unreadable", 1, 1, values={"reason": error.strerror or str(error)}))


def _read_source(source: Source, name: str, *, verified: bool) -> Iterator[Session | Small]:
    """Read one open file by the reader of the format that its first bytes show."""
    head = source.first()
    packed = is_packed(head)
    known = recognise(head, packed=packed)
    readable = known or (may_be_pbn(in_utf8(head)) and not packed and not is_of_other_program(head))
    if not readable and (looks := looks_like(head)):
        yield _report_unknown(source, name, looks)
        return
    # Bytes of no known kind are not text; they are read as PBN to say so.
    known = known or PBN
    if read := known.read:
        yield _read_whole(source, name, known, base.work_within(lambda: read(_join_blocks(source))))
    elif known.read_text:
        yield from _read_text(source, name, known, known.read_text, verified=verified)


def _join_blocks(source: Source) -> bytes:
    """Return the bytes of a file, as far as the budget allows."""
    size, blocks = 0, []
    for block in source.blocks():
        size += len(block)
        if size <= base.MOST_PER_FILE["bytes"][0]:
            blocks.append(block)
    # What it unpacks to is counted by itself.
    base.current_budget().need("bytes", size)
    return b"".join(blocks)


def _read_whole(source: Source, name: str, known: Format, reading: Reading) -> Session:
    """Return the frames of a reading; a page without links, or a list without a deal, was recognised by mistake."""
    is_unsure = not known.suffixes or known.name == "lin links"
    if is_unsure and _says_nothing(reading) and (looks := looks_like(source.first())):
        return _report_unknown(source, name, looks)
    about = {"source": name, "format": known.name, "records": len(reading.records), **_ended(source)}
    return replace(_named(reading, name), sources=_row(about))


def _says_nothing(reading: Reading) -> bool:
    """Return whether a reading holds neither boards nor contestants, and no error that explains it."""
    is_error = reading.problems["severity"].cast(pl.String) == "error"
    return reading.records.is_empty() and reading.contestants.is_empty() and not is_error.any()


def _read_text(
    source: Source, name: str, known: Format, read: TextReader, *, verified: bool
) -> Iterator[Session | Small]:
    """Decode a file and read its text; a small file that can be read with others is yielded unread."""
    coding = detect_coding(source.look())
    if isinstance(coding, Finding):
        yield _report_useless(source, name, coding)
        return
    about = {"source": name, "format": known.name, "encoding": coding.encoding}
    text = text_blocks(source.blocks(), coding.encoding)
    if known.together and source.size <= base.LONGEST:
        blocks = list(text)
        kinds = known.together() if len(blocks) == 1 else ()
        if kind := next((kind for kind in kinds if kind.stands_alone(blocks[0].content)), None):
            yield _small({**about, **_ended(source)}, blocks[0], coding, kind, verified=verified)
            return
        text = iter(blocks)
    waiting, records = Session(problems=report_findings(coding.findings, name)), 0
    readings = read(text, encoding=coding.encoding, verified=verified)
    for reading in iter(lambda: base.work_within(lambda: next(readings, None)), None):
        if len(waiting.records):
            yield replace(waiting, sources=_row(about))
            waiting = Session()
        waiting = _add_reading(waiting, _named(reading, name))
        records += len(reading.records)
    deque(text, 0)  # the checksum is that of the whole file
    yield replace(waiting, sources=_row({**about, "records": records, **_ended(source)}))


def _add_reading(before: Session, part: Session) -> Session:
    """Put the items and problems of a reading without records before those of the next."""
    if len(before.items):
        part = replace(part, listed=pl.concat([before.items, part.items]))
    return replace(part, problems=pl.concat([before.problems, part.problems]))


def _small(about: dict[str, Any], text: TextBlock, coding: Coding, together: Together, *, verified: bool) -> Small:
    findings = list(coding.findings)
    if verified and together.verify:
        findings += together.verify(text, coding.encoding)
    # An empty line ends a game of PBN and means nothing in LIN.
    content = f"{text.content}\n"
    kind, read = together.kind, together.read
    return Small(about, content, tuple(findings), kind, read, verified=verified, line_end=text.line_end)


def _report_unknown(source: Source, name: str, looks: str) -> Session:
    """Report what a file looks like that no reader knows."""
    return _report_useless(source, name, Finding("file-unknown", 1, 1, values={"looks": looks}))


def _report_useless(source: Source, name: str, finding: Finding) -> Session:
    """Report why a file holds nothing; it is taken to its end, where its size and hash are known."""
    for _ in source.blocks():
        pass
    return replace(_unread(name, finding), sources=_row({"source": name, "records": 0, **_ended(source)}))


def _unread(name: str, finding: Finding) -> Session:
    return Session(problems=report_findings([finding], name))


def _ended(source: Source) -> dict[str, Any]:
    """Return what is known of a file when all of it has been read."""
    return {"size": source.size, "sha256": source.sha256}


def _row(about: dict[str, Any]) -> pl.DataFrame:
    """Return one row of `frames.SOURCES`; other columns are null."""
    return pl.DataFrame([about], schema=dtypes(SOURCES))


def _named(reading: Reading, name: str) -> Session:
    """Return the frames of a reading with the name of the source in them."""
    work = partial(_name, name=name)
    frames: dict[str, Any] = {field.name: change(getattr(reading, field.name), work) for field in fields(reading)}
    return _dated(Session(**frames))


def _name(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    return frame.with_columns(pl.lit(name).alias("source")) if "source" in frame.columns else frame


# Dates: in one form from here on, whatever the format.


def _dated(session: Session) -> Session:
    """Write the dates of records as `YYYY.MM.DD`; a text that is not a date, or could be two, is reported and stays."""
    stated = session.records.select("source", "date").drop_nulls("date").unique(maintain_order=True)
    if stated["date"].str.contains(_IN_FORM).all():
        return session
    texts_of = stated.group_by("source", maintain_order=True).agg("date").iter_rows()
    read = [(source, text, day) for source, texts in texts_of for text, day in _read_dates(source, texts).items()]
    known = pl.DataFrame(read, {"source": pl.String, "date": pl.String, "day": pl.String}, orient="row")
    on = ["source", "date"]
    rows = session.records.join(known, on=on, how="left", nulls_equal=True, maintain_order="left")
    is_read = pl.coalesce("day", pl.when(pl.col("date").str.strip_chars() != _NO_DATE).then("date"))
    unread = rows.filter(pl.col("day").is_null() & is_read.is_not_null()).unique(on, keep="first", maintain_order=True)
    problems = [session.problems, *_report_dates(unread.rename({"date": "text"}))]
    return replace(session, records=rows.with_columns(date=is_read).drop("day"), problems=pl.concat(problems))


def _read_dates(source: str | None, texts: Sequence[str]) -> dict[str, str | None]:
    """Return the day of each text: where day and month could be exchanged, as the file, the club or the folder says."""
    read = {text: read_date(text, find_order(texts) or current_club().dates) for text in texts}
    if source and any(day is None and list_dates(text) for text, day in read.items()):
        order = find_order(_dates_beside(Path(source)))
        read = {text: day or read_date(text, order) for text, day in read.items()}
    return read


def _dates_beside(path: Path) -> Iterator[str]:
    """Yield the dates that the first bytes of the files of the same kind in a folder hold."""
    for other in sorted(path.parent.iterdir()) if path.is_file() else ():
        if other.suffix == path.suffix and other.is_file():
            with suppress(OSError), other.open("rb") as file:
                yield from (found[0].decode() for found in _NUMBERS.finditer(file.read(_LOOK)))


def _report_dates(unread: pl.DataFrame) -> Iterator[pl.DataFrame]:
    meanings = [" or ".join(sorted({*list_dates(text).values()})) for text in unread["text"]]
    said = unread.with_columns(pl.Series("meanings", meanings, pl.String))
    for code, is_of_code in (("date-unread", pl.col("meanings") == ""), ("date-unsure", pl.col("meanings") != "")):
        yield report(code, said.filter(is_of_code))
