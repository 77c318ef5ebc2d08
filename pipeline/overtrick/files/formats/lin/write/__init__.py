"""Writing LIN, the format of Bridge Base Online: as it was read, or from a session, and what LIN has no place for."""

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import product
from typing import Final

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.problems import report
from overtrick.files.formats.base import Written
from overtrick.files.formats.lin.spelling import (
    NOBODY,
    PLAYERS,
    SCORINGS,
    spell_headings,
    write_line,
    write_listed,
    write_names,
    write_result,
)
from overtrick.files.formats.lin.write import board_lines
from overtrick.files.formats.lin.write.travellers import spread_results

# A session as LIN: boards one by one, or below a header with teams, players and the list of results.

_MATCH: Final = ("source", "event", "round", "section", "table", "home_team", "visit_team")
"""Columns that are equal for the boards below one header."""
_MATCHED: Final = ("home_team", "visit_team", "room")
"""Columns that make boards a match, played or not."""
_MOST_COLUMNS: Final = 1000
"""Columns of a list of results. Boards whose numbers are further apart are named by `bn`."""
_CLAIM: Final = r"mc\|[0-9]+\|(?:pg\|\|)?"


@dataclass(frozen=True)
class Sessions:
    """The text of a session."""

    text: str
    """Lines end in a newline alone."""
    headed: pl.Series
    """The records below a header."""
    problems: pl.DataFrame


def write_sessions(records: pl.DataFrame) -> Sessions:
    """Write records, each with its `body` and whether it implies the contract: `implied` (`board_lines.write_bodies`).

    Boards that need a header are written below one: a header for each match, and another each time a board comes again.
    The others come before any header.
    """
    frame = spell_headings(_without_teams_in_no_room(records)).with_columns(write_result().alias("item"))
    frame = frame.with_columns(_need_header().alias("headed"))
    is_lost = ~pl.col("headed") & ~pl.col("implied")
    lost = frame.filter(is_lost)
    # Tricks in another contract would be a result that nobody had.
    frame = frame.with_columns(
        pl.when(is_lost).then(pl.col("body").str.replace_all(_CLAIM, "")).otherwise("body").alias("body")
    )
    empty = frame.filter(~pl.col("headed") & pl.col("hands").is_null() & (pl.col("body") == ""))
    below = _number_matches(frame.filter("headed"))
    text = "".join(frame.filter(~pl.col("headed")).select(write_line()).to_series())
    parts = [_write_match(match) for _, match in below.group_by(["match"], maintain_order=True)]
    return Sessions(
        text + "".join(parts),
        below["record"],
        pl.concat(
            [
                report("not-written/contract", lost.with_columns(pl.col("board_label").alias("board"))),
                report("not-written/board", empty.with_columns(pl.col("board_label").alias("board"))),
            ]
        ),
    )


def _without_teams_in_no_room(records: pl.DataFrame) -> pl.DataFrame:
    """Drop the teams of games that are in no room: a header with teams would seat the home team N-S in the open one."""
    return records.with_columns(
        pl.when(pl.col("room").is_not_null()).then(name).alias(name) for name in ("home_team", "visit_team")
    )


def _need_header() -> pl.Expr:
    """Mark the boards that need a header, which states teams and results, and those with `ot`."""
    match = pl.any_horizontal(pl.col(name).is_not_null() for name in _MATCHED)
    stated = pl.any_horizontal(pl.col(name).is_not_null() for name in ("event", "round")) | ~pl.col("implied")
    with_ot = pl.col("own").is_not_null()
    numbered = (pl.col("board") > 0).fill_null(value=False)
    return (match | with_ot | (stated & pl.col("item").is_not_null())).any().over(_MATCH) & numbered


def _number_matches(frame: pl.DataFrame) -> pl.DataFrame:
    """Number matches: a board that comes again in the same room opens another one."""
    room = (pl.col("room").str.to_lowercase() == "closed").fill_null(value=False)
    frame = frame.with_columns(room.alias("closed"))
    again = pl.int_range(pl.len()).over(*_MATCH, "board", "closed")
    frame = frame.with_columns(again.alias("again"))
    first = pl.col("record").first().over(*_MATCH, "again")
    return frame.with_columns(first.alias("match")).sort("match", "record")


def _write_match(match: pl.DataFrame) -> str:
    """Write the boards of one match below their header."""
    rooms = match.with_columns(write_names().alias("names"))
    shared = rooms.select((pl.col("names").n_unique().over("closed") == 1).all()).item()
    players = _write_players(rooms) if shared else "," * 7
    head = f"vg|{_write_header(match)}|\n{_write_results(match)}pn|{players}|pg||\n"
    letter = pl.when(pl.col("closed")).then(pl.lit("c")).otherwise(pl.lit("o"))
    names = pl.lit("") if shared else pl.format("pn|{}|", "names")
    pieces = [
        pl.format("qx|{}{}|", letter, "board"),
        names,
        pl.format("ot|{}|", "own"),
        pl.lit("st||"),
        pl.format("md|{}{}|", "digit", "hands"),
        pl.format("sv|{}|", "sv"),
        pl.when(pl.col("body") == "").then(pl.lit("pg||")).otherwise("body"),
    ]
    boards = rooms.select(pl.concat_str(piece.fill_null("") for piece in pieces)).to_series()
    return head + "".join(boards.str.replace_all("pg||", "pg||\n", literal=True))


def _write_header(match: pl.DataFrame) -> str:
    """Write the nine fields of a session's header."""
    first = match.row(0, named=True)
    names = (write_listed(pl.col(name)) for name in ("event", "round", "home_team", "visit_team"))
    event, segment, home, visit = match.head(1).select(names).row(0)
    letters = {scoring: letter for letter, scoring in SCORINGS.items()}
    scoring = letters.get(first["scoring"] or "", "" if match["closed"].any() else "P")
    ends = (match["board"].min(), match["board"].max())
    carried = ("" if first[name] is None else f"{first[name]:g}" for name in ("home_carry", "visit_carry"))
    return ",".join(map(str, (event, segment, scoring, *ends, home, next(carried), visit, next(carried))))


def _write_results(match: pl.DataFrame) -> str:
    """Write the list of results, two a board, and the numbers of boards that are far apart."""
    rows = match.select("board", "closed", "item").iter_rows()
    items = {(board, closed): item or "" for board, closed, item in rows}
    boards = sorted({board for board, _ in items})
    near = boards[-1] - boards[0] < _MOST_COLUMNS
    columns = range(boards[0], boards[-1] + 1) if near else boards
    results = ",".join(items.get((board, closed), "") for board in columns for closed in (False, True))
    numbers = "" if near else f"bn|{','.join(map(str, boards))}|\n"
    return f"rs|{results}|\n{numbers}"


def _write_players(rooms: pl.DataFrame) -> str:
    """Write the players of both rooms; a match in one room has nobody in the other."""
    by_room = dict(rooms.select("closed", "names").unique("closed").iter_rows())
    return ",".join(by_room.get(closed, ",".join(NOBODY)) for closed in (False, True))


_KEPT = ("lin", "lin links")

_MARKED: Final = {
    "utf-8-sig": ((BOM_UTF8, "utf-8"),),
    "utf-16": ((BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be")),
}
"""By encoding, the marks that a file may begin with, each with the encoding of what follows."""

_HELD: Final = (
    *("Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result"),
    *("Auction", "Play", "Note", "Score", "ScoreIMP", "ScoreMP", "ScorePercentage"),
)
"""Tags of PBN that a board states, or that follow from what it states."""

_HEADED: Final = {"Event": "event", "Round": "round", "Room": "room"}
_OWN: Final = ("Event", "Site", "Date", "Scoring", "Section", "Round", "Table", "PairNS", "PairEW", "ScoreTable")
"""Tags that `ot` states of each result."""

_TEAMS: Final = ("HomeTeam", "VisitTeam")
_KINDS: Final = {"escape": "lines with %", "stray": "stray text", "comment": "comments between games"}
_VERSION: Final = r"^%\s*(?:PBN\s+[0-9]+\.[0-9]+|EXPORT)\s*$"


def write_lin(session: Session) -> Written:
    """Write a session as LIN.

    A single file that was read as LIN, and not corrected, is kept as it was. Anything else is written from its records
    and results: deals in the shape in which they are uploaded, boards a line each; matches, boards of an event and
    results of travellers below a header with their list of results. The text is UTF-8, and its lines end in CRLF.
    """
    corrected = session.corrections["applied"].any()
    if session.sources.height == 1 and session.sources["format"].is_in(_KEPT).all() and not corrected:
        return Written(keep_lin(session))
    session = replace(session, records=session.records.sort("record"))
    spread, beside = spread_results(session)
    bodies = board_lines.write_bodies(spread)
    records = spread.records.join(bodies.frame, on="record", how="left", maintain_order="left")
    written = write_sessions(records.join(beside, on="record", how="left", maintain_order="left"))
    problems = pl.concat([_report_losses(session, written.headed, beside), bodies.problems, written.problems])
    return Written(written.text.replace("\n", "\r\n").encode(), problems)


def keep_lin(session: Session) -> bytes:
    """Write what was read from one LIN file, or from a page of links, a line for the text of each link.

    Commands are written in small letters and with the pipes they should have, values as they were. Lines break where
    they did, and the columns stay the same. A file of sound commands in small letters comes back byte for byte, except
    for spaces at the end of a line.
    """
    source = session.sources.row(0, named=True)
    text, encoding = _join_items(session), source["encoding"] or "utf-8"
    codings = _MARKED.get(encoding, ((b"", encoding),))
    for (mark, coding), line_end in product(codings, ("\n", "\r\n")):
        written = mark + text.replace("\n", line_end).encode(coding)
        end = line_end.encode(coding)
        # Items do not show line ends and empty lines at the file's end. Its size and its hash do.
        ends, rest = divmod(source["size"] - len(written), len(end))
        whole: bytes = written + end * ends
        if rest == 0 and sha256(whole).hexdigest() == source["sha256"]:
            return whole
    mark, coding = codings[0]
    return mark + (text + "\n").encode(coding) if text else b""


def _join_items(session: Session) -> str:
    """Join items, with line breaks and spaces between them that put each in its place.

    Worked example, `st||` in line 1, column 1, `mb|p|` in column 6 and `nt|a⏎b|` in line 2, column 1:

        written        st||  mb|p|  nt|a⏎b|
        line_before    1     1      1           where the item before ends
        column_before  1     5      11
        down           0     0      1           line breaks before it
        right          0     1      0           spaces before it
        result         st|| mb|p|⏎nt|a⏎b|
    """
    items = session.items
    if items.is_empty():
        return ""
    if (session.sources["format"] == "lin links").any():
        items = _place_links_on_lines(items)
    command = pl.col("kind") == "tag"
    written = items.with_columns(
        pl.when(command).then(pl.format("{}|{}|", pl.col("name").fill_null(""), "text")).otherwise("text").alias("text")
    )
    breaks = pl.col("text").str.count_matches("\n", literal=True)
    last = pl.col("text").str.extract(r"([^\n]*)\z").str.len_chars().cast(pl.Int64)
    begin = pl.when(breaks == 0).then(pl.col("column").cast(pl.Int64)).otherwise(1)
    placed = written.with_columns(
        (pl.col("line") + breaks).shift(1, fill_value=1).cast(pl.Int64).alias("line_before"),
        (begin + last).shift(1, fill_value=1).alias("column_before"),
    )
    down = (pl.col("line").cast(pl.Int64) - pl.col("line_before")).clip(0)
    start = pl.when(down == 0).then("column_before").otherwise(1)
    right = (pl.col("column").cast(pl.Int64) - start).clip(0)
    gap = [pl.lit(sign).repeat_by(count).list.join("") for sign, count in (("\n", down), (" ", right))]
    return "".join(placed.select(pl.concat_str(*gap, "text")).to_series().to_list())


def _place_links_on_lines(items: pl.DataFrame) -> pl.DataFrame:
    """Place the items of each link of a page on a line of their own."""
    again = (pl.col("line") == pl.col("line").shift(1)) & (pl.col("column") == pl.col("column").shift(1))
    number = (~again.fill_null(value=False)).cast(pl.UInt32).cum_sum()
    return items.with_columns(number.alias("line"), pl.lit(1, pl.UInt32).alias("column"))


def _report_losses(session: Session, headed: pl.Series, beside: pl.DataFrame) -> pl.DataFrame:
    """Report what is lost or changed.

    Args:
        session: the session to write.
        headed: the records below a header.
        beside: the values of `ot` (`travellers.spread_results`); it has no rows where LIN states all without them.

    Returns:
        `frames.PROBLEMS`.
    """
    reports = [_report_results, _report_marks, _report_texts, _report_names]
    return pl.concat([_report_tags(session, headed, beside), *(report_of(session) for report_of in reports)])


def _report_tags(session: Session, headed: pl.Series, values: pl.DataFrame) -> pl.DataFrame:
    """Report the tags and tables of each file, and its text outside games."""
    items = session.items.filter(pl.col("source").is_in(board_lines.list_pbn_files(session).implode()))
    is_headed = pl.col("record").is_in(headed.implode())
    is_written = pl.col("name").is_in(list(_HELD)) | (is_headed & pl.col("name").is_in(list(_HEADED)))
    happened = session.results.filter(pl.col("board") > 0)["record"] if len(values) else values["record"]
    is_written |= pl.col("name").is_in(list(_OWN)) & pl.col("record").is_in(happened.implode())
    in_room = session.records.filter(pl.col("room").is_not_null())["record"]
    is_written |= is_headed & pl.col("name").is_in(list(_TEAMS)) & pl.col("record").is_in(in_room.implode())
    is_written |= is_headed & (pl.col("name") == "Scoring") & pl.col("text").is_in(list(SCORINGS.values()))
    is_written |= pl.col("text").str.strip_chars().is_in(["", "?", "-"])
    kind = pl.col("kind").cast(pl.String)
    private = (kind == "escape") & ~pl.col("text").str.contains(_VERSION)
    beside = (kind == "stray") | private | ((kind == "comment") & pl.col("record").is_null())
    names = (
        pl.when(kind.is_in(["tag", "section"]) & ~is_written)
        .then("name")
        .when(beside)
        .then(kind.replace_strict(_KINDS, default=None))
    )
    lost = items.with_columns(names.alias("names")).drop_nulls("names").group_by("source", maintain_order=True)
    named = lost.agg(pl.col("names").unique(maintain_order=True).str.join(", "), pl.col("line").first())
    return report("not-written/tags", named)


def _report_results(session: Session) -> pl.DataFrame:
    stated = session.records.filter(pl.col("level").is_not_null() | pl.col("stated_score_ns").is_not_null())
    in_table = pl.len().over("record") > 1
    tabled = session.results.filter(in_table | ~pl.col("record").is_in(stated["record"].implode()))
    tabled = tabled.filter(~(pl.col("board") > 0).fill_null(value=False))
    return report(
        "lin-results-not-written", tabled.group_by("source", maintain_order=True).agg(pl.len().alias("count"))
    )


def _report_marks(session: Session) -> pl.DataFrame:
    marks = session.annotations.filter(pl.col("kind").is_in(list(board_lines.MARKS)))
    counted = marks.group_by("record", maintain_order=True).agg(
        pl.len().alias("count"), pl.col("line").first(), pl.col("column").first()
    )
    about = session.records.select("record", "source", board="board_label")
    return report("not-written/marks", counted.join(about, on="record", how="left", maintain_order="left"))


def _report_texts(session: Session) -> pl.DataFrame:
    """Report remarks that contain a pipe; changed spaces and line ends are not worth a word."""
    odd = board_lines.find_remarks(session).filter(pl.col("text").str.contains("|", literal=True))
    about = session.records.select("record", "source", board="board_label")
    odd = odd.join(about, on="record", how="left", maintain_order="left")
    return report("written-changed/text", odd.with_columns(pl.lit("it has no place for |").alias("what")))


def _report_names(session: Session) -> pl.DataFrame:
    """Report names with commas or pipes, each once."""
    columns = [*PLAYERS, "event", "round", "home_team", "visit_team"]
    names = session.records.select("source", *columns).unpivot(columns, index="source", value_name="text")
    odd = names.filter(pl.col("text").str.contains(r"[|,]")).unique(["source", "text"], maintain_order=True)
    what = pl.lit("names are in a list and cannot contain , or |").alias("what")
    return report("written-changed/text", odd.with_columns(write_listed(pl.col("text")).alias("written"), what))
