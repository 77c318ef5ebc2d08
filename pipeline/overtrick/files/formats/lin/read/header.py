"""Facts that a session states once for all its boards: event and teams (`vg`), players (`pn`), and lists by board."""

from typing import Final

import numpy as np
import polars as pl

from overtrick.core.frames import PROBLEMS, empty
from overtrick.core.problems import report
from overtrick.files.formats.lin.read.boards import PLAY, Boards
from overtrick.files.formats.lin.read.entries import repair_texts
from overtrick.files.formats.lin.read.evening import Places
from overtrick.files.formats.lin.spelling import NOBODY, PLAYERS, SCORINGS, get_whole_pattern

OF_SESSION: Final = ("event", "round", "scoring", "home_team", "visit_team", "home_carry", "visit_carry")
"""Columns of records that a session's header states for all of them."""

_FIELDS: Final = ("event", "round", "scoring", "first", "last", "home_team", "home_carry", "visit_team", "visit_carry")
_NO_SESSIONS: Final = pl.DataFrame(
    schema={"line": pl.UInt32, "column": pl.UInt32, "text": pl.String, "session": pl.UInt32, "at": pl.Int64}
    | {"fields": pl.UInt32}
    | dict.fromkeys(_FIELDS, pl.String)
    | {"first": pl.Int64, "home_carry": pl.Float64, "visit_carry": pl.Float64}
)
_NO_VALUES: Final = pl.DataFrame(
    schema={"session": pl.UInt32, "board": pl.Int32, "place": pl.Int64, "text": pl.String}
    | {"line": pl.UInt32, "column": pl.UInt32}
)


def read_sessions(boards: Boards) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read the session headers.

    Returns:
        One row a `vg`: `session` from 1, `at` (its row of tokens), `event round scoring home_team visit_team` as texts,
        null when empty, `home_carry visit_carry` in IMPs, `first`, the board of the first column of its lists, and
        `last` as written; and the problems.
    """
    at = boards.find("vg")
    if not len(at):
        return _NO_SESSIONS, empty(PROBLEMS)
    header = boards.tokens.get_rows(at)
    fields = repair_texts(header["text"]).str.split(",")
    read = header.with_columns(
        pl.Series("session", np.arange(1, len(at) + 1), dtype=pl.UInt32),
        pl.Series("at", at, dtype=pl.Int64),
        fields.list.len().alias("fields"),
        *(fields.list.get(place, null_on_oob=True).alias(name) for place, name in enumerate(_FIELDS)),
    ).with_columns(
        _strip(pl.col("event", "round", "home_team", "visit_team")),
        pl.col("scoring").str.strip_chars().str.to_uppercase().replace_strict(SCORINGS, default=None),
        read_board_number(pl.col("first")),
        pl.col("home_carry", "visit_carry").str.extract(get_whole_pattern("CARRY")).cast(pl.Float64),
    )
    odd = report("lin-header", read.filter(pl.col("fields") != len(_FIELDS)))
    if not len(boards.find("bn")):
        return read, odd
    named = _read_board_names(boards, read)
    named = named.join(read.select("session", "first"), on="session", how="left", maintain_order="left")
    apart = named.filter(pl.col("named") != pl.col("first") + pl.col("slot"))
    apart = apart.unique("session", keep="first", maintain_order=True)
    return read, pl.concat([odd, report("lin-boards-named", apart)])


def read_board_number(text: pl.Expr) -> pl.Expr:
    """Read the number of a board; null for any other text."""
    return text.str.extract(get_whole_pattern("BOARD_NUMBER")).cast(pl.Int64)


def _strip(text: pl.Expr) -> pl.Expr:
    """Return a text without the white space around it, null when nothing is left."""
    return text.str.strip_chars().replace("", None)


def list_values(boards: Boards, headers: pl.DataFrame, name: str, width: int) -> pl.DataFrame:
    """List the values of each session's list: `rs`, `mp` or `pw`.

    Args:
        boards: the file's records.
        headers: its sessions (`read_sessions`).
        name: the command.
        width: how many values a board has.

    Returns:
        One row a value: `session board place text line column`, place below `width`. Boards count from the first one of
        the session, unless `bn` names them; a value beyond these has none.
    """
    if not len(headers) or not len(boards.find(name)):
        return _NO_VALUES
    named = _read_board_names(boards, headers).select("session", "slot", "named")
    has_names = pl.col("session").is_in(named["session"].unique().to_list())
    counted = pl.col("first") + pl.col("slot")
    return (
        _cut_lists(boards, headers, name, width)
        .join(headers.select("session", "first"), on="session", how="left", maintain_order="left")
        .join(named, on=["session", "slot"], how="left", maintain_order="left")
        .with_columns(pl.when(has_names).then("named").otherwise(counted).cast(pl.Int32).alias("board"))
    )


def _read_board_names(boards: Boards, headers: pl.DataFrame) -> pl.DataFrame:
    """Read the numbers of boards that `bn` names: `session slot named line column`."""
    number = read_board_number(pl.col("text")).alias("named")
    return _cut_lists(boards, headers, "bn", 1).select("session", "slot", "line", "column", number)


def _cut_lists(boards: Boards, headers: pl.DataFrame, name: str, width: int) -> pl.DataFrame:
    """Cut the first list of each session at its commas: `session slot place text line column`.

    Worked example, `rs|1NN=,P,,4SE-1|` of session 1 at column 1, two values a board:

        text      1NN=  P  (empty)  4SE-1
        index     0     1  2        3
        slot      0     0  1        1        the board
        place     0     1  0        1        the room
        size      5     2  1        6        characters with the comma
        before    3     8  10       11       the command and the values before
        column    4     9  11       12
    """
    at = boards.find(name)
    session = np.maximum(np.searchsorted(headers["at"].to_numpy(), at, side="right"), 1)
    lists = boards.tokens.get_rows(at)
    lists = lists.with_columns(pl.Series("session", session, dtype=pl.UInt32), pl.col("text").str.split(","))
    lists = lists.filter(pl.col("session").is_in(headers["session"].to_list()))
    lists = lists.unique("session", keep="first", maintain_order=True)
    whole = ~pl.col("text").list.join("").str.contains("\n")
    index, size = pl.int_range(pl.len()).over("session"), pl.col("text").str.len_chars() + 1
    before = pl.when("whole").then(len("rs|") + size.cum_sum().over("session") - size).otherwise(0)
    return (
        lists.with_columns(whole.alias("whole"))
        .explode("text")
        .with_columns(
            (index // width).alias("slot"),
            (index % width).alias("place"),
            (pl.col("column") + before).cast(pl.UInt32).alias("column"),
        )
    )


def read_players(boards: Boards, rows: pl.DataFrame) -> pl.DataFrame:
    """Read who played.

    Four names with a record are its own. Eight are for all that follow, open room first, as are names before the first
    record; after the first call they are for the next record. Outside sessions a record with a list of its own, even
    an empty one, takes no other names, so that one broken list does not name the players of all later boards.

    Args:
        boards: the file's records.
        rows: `record room session`; a record beyond those of the file has no names of its own, but the last ones of its
            session.

    Returns:
        One row a row of `rows`: `south west north east`, null when unknown.
    """
    at = boards.find("pn")
    names = repair_texts(boards.tokens.get_texts(at)).str.split(",")
    record = boards.record[at]
    in_session = np.append(boards.session, 0)[record] > 0
    count = names.list.len().to_numpy()
    for_all = (count == 2 * len(PLAYERS)) | (in_session & (count > len(PLAYERS))) | (record < 0)
    asked = rows["record"].to_numpy().astype(np.int64)
    mine = np.full(max(boards.count, int(asked.max(initial=-1)) + 1), -1, dtype=np.int64)
    mine[record[~for_all]] = np.flatnonzero(~for_all)
    last = np.append(boards.find("vg"), len(boards.tokens))[rows["session"].to_numpy()]
    there = asked < boards.count
    last[there] = boards.begins[asked[there]]
    shared = np.flatnonzero(for_all)
    effect = np.searchsorted(_find_effect(boards, at[shared]), last, side="right") - 1
    common = np.append(shared, -1)[effect]
    find_files = boards.tokens.find_files
    common[find_files(np.append(at, -1)[common]) != find_files(last)] = -1
    known = rows.with_columns(own=_gather(names, mine[asked]), common=_gather(names, common))
    closed = pl.col("room") == "Closed"
    of_room = pl.when(closed).then(pl.col("common").list.slice(4)).otherwise(pl.col("common").list.head(4))
    shared_with = (pl.col("session") > 0) | pl.col("own").is_null()
    of_room = pl.when(shared_with & (of_room.list.join(",") != ",".join(NOBODY))).then(of_room)
    return known.select(
        pl.coalesce(_strip(names.list.get(place, null_on_oob=True)) for names in (pl.col("own"), of_room)).alias(seat)
        for place, seat in enumerate(PLAYERS)
    )


def read_players_by_board(boards: Boards, headers: pl.DataFrame) -> pl.DataFrame:
    """Read the list of the players of each board (`pw`): a name left out is that of the board before.

    Returns:
        One row a board of a session: `session board`, and `south west north east`.
    """
    names = list_values(boards, headers, "pw", len(PLAYERS))
    if names.is_empty():
        return names
    names = names.with_columns(repair_texts(names["text"]).alias("text")).with_columns(_strip(pl.col("text")))
    names = names.with_columns(pl.col("text").forward_fill().over("session", "place"))
    of_seat = [pl.col("text").filter(pl.col("place") == place).first().alias(s) for place, s in enumerate(PLAYERS)]
    return names.drop_nulls("board").group_by("session", "board", maintain_order=True).agg(of_seat)


def has_scores(boards: Boards) -> bool:
    """Return whether a file states scores in matchpoints, IMPs or percent."""
    return len(boards.find("mp", "zz")) > 0


def read_scores(boards: Boards, headers: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read the scores that a file states in matchpoints, IMPs or percent.

    Returns:
        `session board listed_points_ns`, from the list by board (`mp`: N-S, then E-W; where only E-W's is stated, N-S's
        is its negative); and `record stated_points_ns stated_percentage_ns` from the records themselves (`zz`).
    """
    number = pl.col("text").str.extract(get_whole_pattern("SCORE")).cast(pl.Float64)
    points = list_values(boards, headers, "mp", 2).with_columns(number.alias("number")).drop_nulls("board")
    ns, ew = (pl.col("number").filter(pl.col("place") == place).first() for place in (0, 1))
    by_board = points.group_by("session", "board", maintain_order=True).agg(pl.coalesce(ns, -ew).alias("points"))
    percent = pl.col("text").str.contains("%")
    of_record = boards.get_first("zz").select(
        "record",
        pl.when(~percent).then(number).alias("stated_points_ns"),
        pl.when(percent).then(number).alias("stated_percentage_ns"),
    )
    return by_board.select("session", "board", listed_points_ns="points"), of_record


def _gather(lists: pl.Series, at: Places) -> pl.Series:
    """Take lists, null for -1."""
    return lists.gather(pl.Series(at).replace(-1, None))


def _find_effect(boards: Boards, rows: Places) -> Places:
    """Return for each row the one from which it counts: its record's first if no call or card is between."""
    record = boards.record[rows]
    if (record < 0).all():
        return rows
    play = boards.find(*PLAY)
    before = np.append(play, -1)[np.searchsorted(play, rows) - 1]
    heads = (record >= 0) & (before < boards.begins[record])
    return np.where(heads, boards.begins[record], rows)
