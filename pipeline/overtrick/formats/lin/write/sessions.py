"""A session as LIN: boards one by one, or below a header with teams, players and the list of results."""

from dataclasses import dataclass
from typing import Final

import polars as pl

from overtrick.formats.lin.write.lines import alone, names, spelled
from overtrick.formats.lin.write.spelling import listed, result
from overtrick.problems import report

_MATCH: Final = ("source", "event", "round", "section", "table", "home_team", "visit_team")
"""What the boards below one header have in common."""
_MATCHED: Final = ("home_team", "visit_team", "room")
"""What makes a match of boards, played or not."""
_MOST_COLUMNS: Final = 1000
"""Boards that a list of results goes through by their numbers; where they are further apart `bn` names them."""
_CLAIM: Final = r"mc\|[0-9]+\|(?:pg\|\|)?"
_NOBODY: Final = ("South", "West", "North", "East")


@dataclass(frozen=True)
class Sessions:
    """The text of a session."""

    text: str
    """Lines end in a newline alone."""
    headed: pl.Series
    """The records that stand below a header."""
    problems: pl.DataFrame


def sessions(records: pl.DataFrame) -> Sessions:
    """Write records, each with its `body` and whether that has `told` the contract (`boards.bodies`).

    Boards of which a header holds something stand below one, a header for each match and each time a board comes
    again; the others stand alone, before any header. A board that was only dealt has the shape that is uploaded.
    """
    frame = spelled(records).with_columns(result().alias("item")).with_columns(_headed().alias("headed"))
    is_lost = ~pl.col("headed") & ~pl.col("told")
    lost = frame.filter(is_lost)
    # Tricks of another contract would be a result that nobody had.
    frame = frame.with_columns(
        pl.when(is_lost).then(pl.col("body").str.replace_all(_CLAIM, "")).otherwise("body").alias("body")
    )
    empty = frame.filter(~pl.col("headed") & pl.col("hands").is_null() & (pl.col("body") == ""))
    below = _numbered(frame.filter("headed"))
    text = "".join(frame.filter(~pl.col("headed")).select(alone()).to_series())
    parts = [_match(match) for _, match in below.group_by(["match"], maintain_order=True)]
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


def _headed() -> pl.Expr:
    """Say which boards stand below a header: those of a match with teams or rooms, or where it holds a result."""
    match = pl.any_horizontal(pl.col(name).is_not_null() for name in _MATCHED)
    said = pl.any_horizontal(pl.col(name).is_not_null() for name in ("event", "round")) | ~pl.col("told")
    return (match | (said & pl.col("item").is_not_null())).any().over(_MATCH) & _has_number()


def _has_number() -> pl.Expr:
    return (pl.col("board") > 0).fill_null(value=False)


def _numbered(frame: pl.DataFrame) -> pl.DataFrame:
    """Number matches: a board that comes again in the same room opens another one."""
    room = (pl.col("room").str.to_lowercase() == "closed").fill_null(value=False)
    frame = frame.with_columns(room.alias("closed"))
    again = pl.int_range(pl.len()).over(*_MATCH, "board", "closed")
    frame = frame.with_columns(again.alias("again"))
    first = pl.col("record").first().over(*_MATCH, "again")
    return frame.with_columns(first.alias("match")).sort("match", "record")


def _match(match: pl.DataFrame) -> str:
    """Write the boards of one match below their header."""
    rooms = match.with_columns(names().alias("names"))
    shared = rooms.select((pl.col("names").n_unique().over("closed") == 1).all()).item()
    head = f"vg|{_header(match)}|\n{_results(match)}pn|{_players(rooms) if shared else ',' * 7}|pg||\n"
    letter = pl.when(pl.col("closed")).then(pl.lit("c")).otherwise(pl.lit("o"))
    own = pl.lit("") if shared else pl.format("pn|{}|", "names")
    pieces = [
        pl.format("qx|{}{}|", letter, "board"),
        own,
        pl.lit("st||"),
        pl.format("md|{}{}|", "digit", "hands"),
        pl.format("sv|{}|", "sv"),
        pl.when(pl.col("body") == "").then(pl.lit("pg||")).otherwise("body"),
    ]
    boards = rooms.select(pl.concat_str(piece.fill_null("") for piece in pieces)).to_series()
    return head + "".join(boards.str.replace_all("pg||", "pg||\n", literal=True))


def _header(match: pl.DataFrame) -> str:
    """Write the nine fields of a session's header."""
    first = match.row(0, named=True)
    said = match.head(1).select(listed(pl.col(name)) for name in ("event", "round", "home_team", "visit_team")).row(0)
    event, segment, home, visit = said
    scoring = {"IMP": "I", "BAM": "B"}.get(first["scoring"] or "", "" if match["closed"].any() else "P")
    ends = (match["board"].min(), match["board"].max())
    carried = ("" if first[name] is None else f"{first[name]:g}" for name in ("home_carry", "visit_carry"))
    return ",".join(map(str, (event, segment, scoring, *ends, home, next(carried), visit, next(carried))))


def _results(match: pl.DataFrame) -> str:
    """Write the list of results, two a board; boards that are far apart are named."""
    rows = match.select("board", "closed", "item").iter_rows()
    items = {(board, closed): item or "" for board, closed, item in rows}
    boards = sorted({board for board, _ in items})
    near = boards[-1] - boards[0] < _MOST_COLUMNS
    columns = range(boards[0], boards[-1] + 1) if near else boards
    results = ",".join(items.get((board, closed), "") for board in columns for closed in (False, True))
    numbers = "" if near else f"bn|{','.join(map(str, boards))}|\n"
    return f"rs|{results}|\n{numbers}"


def _players(rooms: pl.DataFrame) -> str:
    """Write the players of both rooms; a match in one room has nobody in the other."""
    by_room = dict(rooms.select("closed", "names").unique("closed").iter_rows())
    return ",".join(by_room.get(closed, ",".join(_NOBODY)) for closed in (False, True))
