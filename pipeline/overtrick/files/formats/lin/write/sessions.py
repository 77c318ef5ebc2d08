"""A session as LIN: boards one by one, or below a header with teams, players and the list of results."""

from dataclasses import dataclass
from typing import Final

import polars as pl

from overtrick.core.problems import report
from overtrick.files.formats.lin.spelling import NOBODY, SCORINGS, write_listed, write_result
from overtrick.files.formats.lin.write.board_lines import spell_headings, write_line, write_names

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
                report("lin-contract-not-written", lost.with_columns(pl.col("board_label").alias("board"))),
                report("lin-board-not-written", empty.with_columns(pl.col("board_label").alias("board"))),
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
    return (match | with_ot | (stated & pl.col("item").is_not_null())).any().over(_MATCH) & _has_number()


def _has_number() -> pl.Expr:
    return (pl.col("board") > 0).fill_null(value=False)


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
