"""The results of travellers as boards of LIN: a board for each result, and what LIN has no command for beside it.

LIN has a board for each table, and its list of results has the contract and the tricks. The command `ot` is
overtrick's own: it holds the other columns of a table of results, by the names of `formats.tables.headers.COLUMNS`, as
JSON. Programs that do not know the command skip it; a line that begins with `%` would confuse some of them.

An example: `ot|{"table":"2","ns":"6","ew":"1","names_ns":"Lou Heath - Max Fern"}|`.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import quote

import polars as pl

from overtrick.core.bridge import replays
from overtrick.core.bridge.play import Plays
from overtrick.core.frames import ITEMS, RECORDS, Session, conform, empty
from overtrick.core.problems import report
from overtrick.files.formats.base import Written
from overtrick.files.formats.lin.spelling import (
    PLAYERS,
    SCORINGS,
    spell_headings,
    write_heading,
    write_line,
    write_listed,
)
from overtrick.files.formats.lin.write.board_lines import write_texts
from overtrick.files.formats.session_rows import FOR_ALL, name_sides
from overtrick.files.formats.tables.typed import ON_SHEETS

_VIEWER: Final = "https://www.bridgebase.com/tools/handviewer.html?lin="


@dataclass(frozen=True)
class Viewed:
    """A board as the viewer takes it."""

    line: str
    """One line of LIN."""
    link: str
    """The address that shows it; empty where not all four hands are known."""


def write_link(lin: str) -> str:
    """Return the address that shows a board: the text of its LIN, with every sign encoded."""
    return _VIEWER + quote(lin, safe="")


def view_records(session: Session, played: Plays | None = None) -> dict[int, Viewed]:
    """Return each record with a deal as the viewer takes it, by `record`: its cards, and what was bid and played.

    Names and explanations are those of the session; chat and comments are left out.

    Args:
        session: `records` sorted by `record`.
        played: their `replays.plays`, if the caller has them.
    """
    if session.records.is_empty():
        return {}
    shown = session.annotations.filter(pl.col("kind").is_in(FOR_ALL))
    session = replace(session, listed=empty(ITEMS), annotations=shown)
    played = played or replays.plays(session.records, shown)
    written = write_texts(session, replays.in_order(session.records, played))
    frame = session.records.join(written, on="record", how="left", maintain_order="left")
    frame = frame.with_columns(pl.col("body").fill_null("pg||"))
    return dict(_view(frame, "record", pl.concat_str(write_heading(), "body")))


def view_deals(boards: pl.DataFrame) -> dict[str, Viewed]:
    """Return each deal that nobody played as the viewer takes it, by `key`.

    Args:
        boards: `key`, and `board board_label deal dealer vulnerable` as in `frames.RECORDS`.
    """
    if boards.is_empty():
        return {}
    nobody = boards.with_columns(*(pl.lit(None, pl.String).alias(seat) for seat in PLAYERS), body=pl.lit(""))
    return dict(_view(nobody, "key", write_line().str.strip_suffix("\n")))


def _view(frame: pl.DataFrame, key: str, line: pl.Expr) -> Iterator[tuple[Any, Viewed]]:
    there = spell_headings(frame.filter(pl.col("deal").is_not_null()))
    for name, text, is_whole in there.select(key, line.alias("line"), ~pl.col("deal").str.contains("-")).iter_rows():
        yield name, Viewed(text, write_link(text) if is_whole else "")


def write_links(session: Session) -> Written:
    """Write the links that show the deals of a session, a line for each board whose four hands are known."""
    dealt = session.records.drop_nulls("deal").unique(["board_label", "deal"], keep="first", maintain_order=True)
    keyed = dealt.with_columns(pl.col("record").cast(pl.String).alias("key"))
    viewed = view_deals(keyed)
    hidden = keyed.filter(~pl.col("key").is_in([key for key, board in viewed.items() if board.link]))
    links = [board.link for key in keyed["key"] if (board := viewed.get(key)) and board.link]
    lost = report("not-written/link", hidden.with_columns(pl.col("board_label").alias("board")))
    return Written("".join(f"{link}\n" for link in links).encode(), lost)


_CONTRACT: Final = ("level", "strain", "doubled", "declarer", "tricks")
_WHERE: Final = ("section", "round", "table")
_FACTS: Final = ("event", "site", "date", "scoring")
_SIDES: Final = {"ns": ("pair_ns", "north", "south"), "ew": ("pair_ew", "east", "west")}
_OWN: Final = {
    **{name: name for name in (*_FACTS, *_WHERE, "ns", "ew", "names_ns", "names_ew", "team_ns", "team_ew")},
    **{name: name for name in ("player_n", "player_e", "player_s", "player_w")},
    "contract": "not_played",
    "score_ns": "stated_score_ns",
    "datum": "stated_datum",
    **{f"points_{side}": f"stated_points_{side}" for side in _SIDES},
    **{name: name for name in ("award_ns", "award_ew", "lead", *ON_SHEETS)},
}
"""By column of a table of results, the column of `_list_rows` that has it."""
_NEEDED: Final = ("section", "table", "date", "team_ns", "team_ew", "player_n", "award_ns", "award_ew")
"""Columns of results that LIN has no command for."""


def spread_results(session: Session) -> tuple[Session, pl.DataFrame]:
    """Give each result a record of its own, which says where it happened.

    Args:
        session: `records` sorted by `record`.

    Returns:
        The session, where a record that holds several results, and no auction, play or contract, gave way to one for
        each; and `record own`, the values of `ot`. Results without a board number stay as they are.
    """
    rows = _list_rows(session)
    if rows.is_empty() or not (rows.select(_needs_own()).item() or _come_from_elsewhere(session, rows)):
        return session, pl.DataFrame(schema={"record": pl.UInt32, "own": pl.String})
    first = session.records["record"].max() or 0
    new = pl.int_range(1, pl.len() + 1, dtype=pl.UInt32) + pl.lit(first, pl.UInt32)
    rows = rows.with_columns(pl.when("is_record").then("record").otherwise(new).alias("to"))
    records = pl.concat([_keep_others(session.records, rows), _make_records(session.records, rows)])
    beside = pl.DataFrame({"record": rows["to"], "own": _write_own(rows)}, schema_overrides={"record": pl.UInt32})
    return replace(session, records=records.sort("record")), beside


def _list_rows(session: Session) -> pl.DataFrame:
    """List the results that have a board number, with the facts of their records and the names of both sides.

    `is_record` marks the result that its record is about: its only one, or the one of the pairs that the record names.
    """
    facts = session.records.select("record", "room", *_FACTS, *(name for names in _SIDES.values() for name in names))
    named = session.results.with_columns(name_sides(session, side) for side in _SIDES)
    rows = named.join(facts, on="record", how="left", maintain_order="left").filter(pl.col("board") > 0)
    # The header and the room say which team sat there.
    in_no_room = (pl.when(pl.col("room").is_null()).then(name).alias(name) for name in ("team_ns", "team_ew"))
    rows = rows.with_columns(in_no_room)
    same = [pl.col(side).eq_missing(pl.coalesce(pair, _players(side))) for side, (pair, *_) in _SIDES.items()]
    known = pl.all_horizontal(pl.col(side).is_not_null() for side in _SIDES)
    rows = rows.with_columns(pl.all_horizontal(*same, known).alias("same"))
    only = (pl.len().over("record") == 1) | (pl.col("same") & (pl.col("same").sum().over("record") == 1))
    return rows.with_columns(only.alias("is_record"))


def _players(side: str) -> pl.Expr:
    """Return the players of a record on a side as the name of a pair."""
    _, first, second = _SIDES[side]
    names = pl.concat_str(first, second, separator=" - ", ignore_nulls=True)
    return pl.when(pl.any_horizontal(pl.col(first, second).is_not_null())).then(names)


def _needs_own() -> pl.Expr:
    """Return whether any result has something that a board of LIN does not say."""
    unsaid = [pl.col(name).is_not_null() for name in _NEEDED]
    numbered = [pl.col(side).ne_missing(_players(side)) for side in _SIDES]
    scored = pl.col("level").is_null() & pl.col("stated_score_ns").is_not_null()
    return pl.any_horizontal(~pl.col("is_record"), *unsaid, *numbered, scored).any()


def _come_from_elsewhere(session: Session, rows: pl.DataFrame) -> bool:
    """Return whether results are compared that a file of another format holds: LIN alone is scored as on its site."""
    compared = rows.filter(pl.col("room").is_null() & pl.col("board").is_duplicated())
    others = session.sources["format"].drop_nulls().is_in(["lin", "lin links"]).not_()
    return compared.height > 0 and bool(others.any())


def _keep_others(records: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Return the records that are not a result, without those that only hold the deal or the table of some."""
    others = records.join(rows.filter("is_record").select("record"), on="record", how="anti", maintain_order="left")
    played = pl.any_horizontal(pl.col("calls", "cards").list.len() > 0, pl.col("level").is_not_null())
    tabled = pl.col("record").is_in(rows["record"].implode())
    shown = records.join(rows.select("record").unique(), on="record", how="semi").select("board", "deal").unique()
    dealt = pl.struct("board", "deal").is_in(shown.select(pl.struct("board", "deal")).to_series().implode())
    return others.filter(played.fill_null(value=False) | ~(tabled | dealt))


def _make_records(records: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Return a record for each result: its own, or a new one with the deal and nothing that was bid or played."""
    said = rows.select("record", "to", "is_record", "vulnerable", *_CONTRACT, *_WHERE)
    joined = said.join(records, on="record", how="left", suffix="_of_record", maintain_order="left")
    counted = ("level" if name in _CONTRACT else name for name in (*_CONTRACT, *_WHERE))
    filled = [
        pl.when(pl.col("is_record") & pl.col(by).is_null()).then(f"{name}_of_record").otherwise(name).alias(name)
        for name, by in zip((*_CONTRACT, *_WHERE), counted, strict=True)
    ]
    stated = ("source", "line", *_FACTS, "board", "board_label", "vulnerable", "dealer", "deal", *_CONTRACT, *_WHERE)
    blank = [pl.when("is_record").then(name).alias(name) for name in RECORDS if name not in {*stated, "record"}]
    return conform(RECORDS, joined.with_columns(filled).with_columns(*blank, pl.col("to").alias("record")))


def _write_own(rows: pl.DataFrame) -> list[str]:
    """Write the values of `ot`: the known facts of each result, without a pipe."""
    # The header says the event and the round, without commas, and some words for how the session is scored.
    headed = [pl.when(pl.col(name) != write_listed(pl.col(name))).then(name).alias(name) for name in ("event", "round")]
    scoring = pl.when(~pl.col("scoring").is_in(list(SCORINGS.values()))).then("scoring").alias("scoring")
    not_played = pl.when(pl.col("status") == "not played").then(pl.lit("NP")).alias("not_played")
    named = rows.with_columns(*headed, scoring, not_played).select(
        pl.col(column).cast(pl.String).alias(name) for name, column in _OWN.items()
    )
    return [
        json.dumps(
            {name: text for name, text in row.items() if text is not None}, ensure_ascii=False, separators=(",", ":")
        ).replace("|", r"\u007c")
        for row in named.iter_rows(named=True)
    ]
