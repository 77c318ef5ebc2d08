"""Games to records: each tag's value read into its columns, then deals, calls and cards beside them."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import polars as pl

from overtrick.core import notation
from overtrick.core.bridge import replays
from overtrick.core.bridge.cards import UNKNOWN
from overtrick.core.frames import ANNOTATIONS, PART, PROBLEMS, RECORDS, SEAT, STRAIN, conform, empty
from overtrick.core.grammar import filled_in
from overtrick.core.problems import report
from overtrick.core.words import ENGLISH, Dialect
from overtrick.files.formats.base import put_in
from overtrick.files.formats.pbn.read.auctions_and_plays import Bodies, read_auctions, read_plays
from overtrick.files.formats.pbn.read.games import Games, row_or_null
from overtrick.files.formats.pbn.read.tag_columns import OPEN, Tags, read_deals, respell_tags
from overtrick.files.formats.pbn.tags import TAGS, Tag


class Played(NamedTuple):
    """The Auction and Play sections of some games, decoded."""

    called: pl.DataFrame
    """`Games.sections`, the first of each game."""
    calls: Bodies
    played: pl.DataFrame
    cards: Bodies


def read_sections(games: Games, dialect: Dialect = ENGLISH) -> Played:
    """Read the auctions and plays of some games."""
    called, played = _first_sections(games, "Auction"), _first_sections(games, "Play")
    return Played(called, read_auctions(called, dialect), played, read_plays(played, dialect))


def read_records(
    games: Games, stated: Tags, played: Callable[[], Played], dialect: Dialect = ENGLISH
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Read the games of one file.

    Args:
        games: the file's games.
        stated: their tags with inheritance done.
        played: returns their auctions and plays; called when the tags are read.
        dialect: what the words of the file mean.

    Returns:
        Frames of `frames.RECORDS` (`record` counts from 0, `source` is null), `frames.ANNOTATIONS` and
        `frames.PROBLEMS`.
    """
    tags, unsure = respell_tags(stated, dialect)
    deal, faults = read_deals(tags.value("Deal"))
    frame = _read_tags(tags).with_columns(
        pl.Series("record", np.arange(games.count, dtype=np.uint32)), _first_lines(games), deal
    )
    sections = played()
    frame, annotations = _add_sections(_tell_stages_apart(frame, tags), tags, sections)
    frame = _read_by_side(tags, _fill_in_contracts(frame, tags, annotations))
    problems = pl.concat(
        [
            unsure,
            _report_unreadable(tags, frame),
            _report_spellings(stated, frame),
            report("pbn-deal", _faulty_deals(tags, faults, deal.is_null() & (faults != OPEN))),
            report("pbn-deal-open", _faulty_deals(tags, faults, faults == OPEN)),
            report("pbn-deal-spelling", _faulty_deals(tags, faults, deal.is_not_null())),
            _report_unknown_words("call-unknown/pbn", sections.called, sections.calls),
            _report_unknown_words("card-unknown/pbn", sections.played, sections.cards),
        ]
    )
    return frame, annotations, problems


def _tell_stages_apart(frame: pl.DataFrame, tags: Tags) -> pl.DataFrame:
    """Put the stage before the round, `Final.1`, where the same board of a round is at one table in several stages."""
    if "Stage" not in tags.wide.columns:
        return frame
    place = ["section", "round", "table", "room", "board", "home_team", "visit_team", "north", "east"]
    staged = frame.with_columns(tags.value("Stage"))
    if staged.group_by(place).agg(pl.col("Stage").drop_nulls().n_unique()).filter(pl.col("Stage") > 1).is_empty():
        return frame
    return staged.with_columns(round=pl.concat_str("Stage", "round", separator=".", ignore_nulls=True)).drop("Stage")


_SIDES: Final = {"N-S": pl.lit("N"), "E-W": pl.lit("E"), "nobody": pl.lit(None, pl.String)}
"""By who declares, a declarer."""


class Ways(NamedTuple):
    """How the tags of a file are read into columns."""

    names: list[str]
    """Of these tags."""
    every: list[pl.Expr]
    """Columns that are read from the tags of every game."""
    few: dict[tuple[str, str], pl.Expr]
    """By tag and column, where many games have the same value: the column, read from `value`."""
    by_side: dict[tuple[str, str], list[pl.Expr]]
    """By tag and column, for values that mean declarer's side: the column, read from `value` for each of `_SIDES`."""


# The ways of a file whose games state Event, Board, Contract and Result:
#
#     tag       column              where    how
#     Event     event               every    text(Event)
#     Board     board_label         every    text(Board)
#     Board     board               every    board(Board), as nearly every game has another one
#     Declarer  irregular_declarer  every    irregular(Declarer), which is false in games without the tag
#     Declarer  declarer            few      seat(value)
#     Contract  level               few      level(value); `strain` and `doubled` alike
#     Result    irregular_tricks    every    irregular(Result)
#     Result    tricks              by_side  tricks(value, N), tricks(value, E), tricks(value, null)
@lru_cache(maxsize=64)
def list_ways(stated: frozenset[str]) -> Ways:
    """Return how tags are read into columns: those that are stated, and those that may be marked `^`."""
    ways = Ways([], [], {}, {})
    for tag in TAGS.values():
        if tag.name in stated or tag.irregular:
            _add_ways(ways, tag)
        if tag.name in stated:
            for column, read in tag.by_side.items():
                sides = [read(pl.col("value"), side).alias(who) for who, side in _SIDES.items()]
                ways.by_side[tag.name, column] = sides
    return ways


def _add_ways(ways: Ways, tag: Tag) -> None:
    """Add how a tag is read that means the same for every declarer."""
    written = pl.col(tag.name)
    ways.names.append(tag.name)
    if tag.text:
        ways.every.append(notation.text(written).alias(tag.text))
    if tag.irregular:
        ways.every.append(notation.irregular(written).alias(tag.irregular))
    for column, read in tag.reads.items():
        if tag.varied:
            ways.every.append(read(written).alias(column))
        else:
            ways.few[tag.name, column] = read(pl.col("value")).alias(column)


def _list_ways(tags: Tags) -> Ways:
    # A file has a third of the tags.
    return list_ways(frozenset(TAGS).intersection(tags.wide.columns))


def _read_tags(tags: Tags) -> pl.DataFrame:
    """Read the tags that become columns and mean the same for every declarer, all games at once."""
    ways = _list_ways(tags)
    wide = pl.DataFrame([tags.value(name) for name in ways.names])
    return conform(RECORDS, wide.with_columns(*ways.every, *_read_repeated(wide, ways)))


# Of contracts there are few and of games many. Six games, and the look-ups made of them:
#
#     Contract   distinct  level  strain     level of each game
#     4S         4S        4      S          4
#     3NT        3NT       3      NT         3
#     4S         Pass      0      null       4
#     Pass                                   0
#     3NT                                    3
#     4S                                     4
def _read_repeated(wide: pl.DataFrame, ways: Ways) -> Iterator[pl.Expr]:
    """Read each distinct value once, the values of all tags together, and look it up for every game."""
    each = wide.select(pl.col(name).unique().implode() for name in dict.fromkeys(name for name, _ in ways.few))
    stated = pl.concat(column[0] for column in each)
    # With nothing to replace, polars forgets what is put in its place.
    distinct = stated.extend_constant(None, 1).unique().alias("value")
    read = distinct.to_frame().select(ways.few.values())
    for name, column in ways.few:
        yield pl.col(name).replace_strict(distinct, read[column]).alias(column)


def _read_by_side(tags: Tags, frame: pl.DataFrame) -> pl.DataFrame:
    """Add values that mean declarer's side; of several tags for one column, the first that has a value counts."""
    found: dict[str, list[pl.Expr]] = {}
    for (name, column), read in _list_ways(tags).by_side.items():
        found.setdefault(column, []).append(_look_up_by_side(tags.value(name), read))
    of_side = (pl.coalesce(*found[name], pl.lit(None, RECORDS[name].dtype)).alias(name) for name in found)
    return frame.with_columns(of_side).with_columns(
        # A game that was passed out has neither, even where a program writes them (3.4.13, 3.4.15).
        pl.when(pl.col("level").ne_missing(0)).then(pl.col("declarer", "tricks"))
    )


# Three games. Their two distinct values are read for N-S, for E-W and for no known declarer, one after the other; a
# game of E-W (side 1) finds its value in the second third of that list:
#
#     Result  declarer  distinct     read             row of the game  tricks
#     9       N         9  NS 8      9 8 | 9 5 | 9 _  0 + 2 * 0        9
#     NS 8    E                                       1 + 2 * 1        5
#     NS 8    null                                    1 + 2 * 2        null
def _look_up_by_side(stated: pl.Series, read: list[pl.Expr]) -> pl.Expr:
    """Read each distinct value once for either side as declarer's, and once for no known declarer."""
    distinct = stated.unique().alias("value")
    values = pl.concat(column.alias("") for column in distinct.to_frame().select(read))
    side = (pl.col("declarer").to_physical() % 2).fill_null(2).cast(pl.UInt32)
    row = pl.lit(stated).replace_strict(distinct, pl.int_range(len(distinct), dtype=pl.UInt32, eager=True))
    return pl.lit(values).gather(row + len(distinct) * side)


def _first_lines(games: Games) -> pl.Series:
    of_tag = games.tags["game"].to_numpy()
    return games.tags["line"].gather(np.searchsorted(of_tag, np.arange(games.count, dtype=of_tag.dtype)))


def _first_sections(games: Games, name: str) -> pl.DataFrame:
    sections = games.sections.filter(pl.col("name") == name)
    game = sections["game"].to_numpy()
    if (game[1:] > game[:-1]).all():
        return sections
    return sections.unique("game", keep="first", maintain_order=True)


def _add_sections(frame: pl.DataFrame, tags: Tags, read: Played) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Add calls and cards to their records; a section without data is empty, a missing one null."""
    columns, marks = [], []
    for tag, part, column, sections, bodies in (
        ("Auction", "auction", "calls", read.called, read.calls),
        ("Play", "play", "cards", read.played, read.cards),
    ):
        owner = sections["game"].alias("record")
        place = np.full(len(frame), -1, dtype=np.int64)
        place[owner.to_numpy()] = np.arange(len(owner))
        codes, end, padding = (pl.col(name).gather(row_or_null(place)) for name in ("codes", "end", "padding"))
        stated, seat = tags.value(tag).is_not_null(), frame[f"{part}_start"]
        columns += bodies.entries.select(
            pl.when(stated).then(codes.fill_null([])).otherwise(codes).alias(column),
            end.alias(f"{part}_end"),
            # An auction padded with `-` begins that much later (PBN 3.5).
            notation.seat_after(pl.lit(seat), padding.fill_null(0)).alias(f"{part}_start"),
        ).get_columns()
        if len(bodies.marks):
            marks.append(bodies.marks.with_columns(owner.gather(bodies.marks["section"]), pl.lit(part).alias("part")))
    annotations = _add_notes(pl.concat(marks), tags) if marks else empty(ANNOTATIONS)
    return conform(RECORDS, frame.with_columns(columns)), annotations.sort("record", maintain_order=True)


def _add_notes(marks: pl.DataFrame, tags: Tags) -> pl.DataFrame:
    """Return annotations in which notes have their text: of `[Note "1:strong"]` below an auction (3.5.4) or a play."""
    number = pl.when(pl.col("kind") == "note").then("text").alias("reference")
    marks = conform(ANNOTATIONS, marks.with_columns(number))
    if "Note" not in tags.row:
        return marks.with_columns(pl.when(pl.col("reference").is_null()).then("text").alias("text"))
    headed = tags.tags.filter(pl.col("name").is_in(["Auction", "Play", "Note"]))
    part = pl.when(pl.col("name") != "Note").then(pl.col("name").str.to_lowercase()).forward_fill().over("game")
    said = pl.col("text").str.extract_groups(r"(?s)^\s*([0-9]+)\s*:\s*(.*)$").struct
    notes = headed.select(
        "name", record="game", part=part.cast(PART), reference=said.field("1"), said=said.field("2")
    ).filter(name="Note")
    key = ["record", "part", "reference"]
    # A number that is explained twice has its first explanation.
    first = notes.drop("name").unique(key, keep="first", maintain_order=True)
    text = pl.when(pl.col("reference").is_null()).then("text").otherwise("said").alias("text")
    return marks.join(first, on=key, how="left", maintain_order="left").with_columns(text).select(marks.columns)


_CONTRACT: Final = ("level", "strain", "doubled", "declarer")


def _fill_in_contracts(frame: pl.DataFrame, tags: Tags, annotations: pl.DataFrame) -> pl.DataFrame:
    """Fill in the contract and declarer where no tag states them and the auction has ended in them (3.5).

    An auction with a call that is not allowed or not known says nothing. Declarer of another contract than that of the
    auction stays unknown.
    """
    unstated = {name: _is_unstated(tags.value(name)) for name in ("Contract", "Declarer")}
    asked = frame.filter((unstated["Contract"] | unstated["Declarer"]) & (frame["calls"].list.len() > 0))
    if asked.is_empty():
        return frame
    replayed = replays.auctions(asked, annotations)
    sound = replayed.closed.copy()
    sound[replayed.faults.auction] = False
    bid = {f"bid_{name}": pl.Series(getattr(replayed, name)).replace(UNKNOWN, None) for name in _CONTRACT}
    known = asked.select("record", **bid).filter(pl.Series(sound))
    joined = frame.join(known, on="record", how="left", maintain_order="left").with_columns(
        pl.col("bid_strain").cat.to(STRAIN), pl.col("bid_declarer").cat.to(SEAT)
    )
    contract = [pl.when(unstated["Contract"]).then(f"bid_{name}").otherwise(name).alias(name) for name in _CONTRACT[:3]]
    same = pl.col("level").eq_missing(pl.col("bid_level")) & pl.col("strain").eq_missing(pl.col("bid_strain"))
    declarer = pl.when(unstated["Declarer"] & same).then("bid_declarer").otherwise("declarer").alias("declarer")
    return joined.with_columns(contract).with_columns(declarer).select(frame.columns)


def _is_unstated(value: pl.Series) -> pl.Series:
    return value.str.strip_chars().is_in(notation.UNKNOWN_VALUES).fill_null(value=True)


def _report_unreadable(tags: Tags, frame: pl.DataFrame) -> pl.DataFrame:
    """Report values that are stated and cannot be read."""
    reported = [tag for tag in TAGS.values() if tag.unreadable and tags.has(tag.name)]
    if not reported:
        return empty(PROBLEMS)
    unread = frame.select(
        pl.lit(tags.value(tag.name))
        .filter(pl.all_horizontal(pl.col(_columns(tag)).is_null()))
        .drop_nulls()
        .unique()
        .str.strip_chars()
        .implode()
        .alias(tag.name)
        for tag in reported
    ).row(0, named=True)
    parts = [
        report(
            tag.unreadable or "",
            tags.at_fault(tag.name, _lost(tags, frame, tag)).with_columns(
                pl.lit(tag.form.expected if tag.form else "").alias("expected")
            ),
        )
        for tag in reported
        if not {*unread[tag.name]} <= {*notation.UNKNOWN_VALUES}
    ]
    return pl.concat([empty(PROBLEMS), *parts])


def _columns(tag: Tag) -> list[str]:
    """Return the columns that hold a tag's value: it was read when any of them is not null."""
    return [*tag.reads, *tag.by_side]


def _lost(tags: Tags, frame: pl.DataFrame, tag: Tag) -> pl.Series:
    """Return in which games the value of a tag is stated and cannot be read."""
    value = pl.col("value")
    used = {*_columns(tag), "level", "declarer"}
    stated = frame.select(*used, tags.value(tag.name).alias("value"))
    unread = stated.select(value.is_not_null() & pl.all_horizontal(pl.col(_columns(tag)).is_null())).to_series()
    known = value.str.strip_chars().is_in(notation.UNKNOWN_VALUES)
    if tag.name == "Declarer":
        known |= pl.col("level").eq_missing(0)
    for read in tag.by_side.values():
        known |= pl.col("declarer").is_null() & read(value, pl.lit("N")).is_not_null()
    # Few values are unread, and only these are worth a closer look.
    lost = stated.filter(unread).select((~known).fill_null(value=False)).to_series()
    return put_in(unread, unread.arg_true(), lost)


def _report_spellings(tags: Tags, frame: pl.DataFrame) -> pl.DataFrame:
    """Report values that are understood although the standard does not know them."""
    parts = [empty(PROBLEMS)]
    for tag in TAGS.values():
        if tag.form is None or tag.form.others != "spellings" or not tags.has(tag.name):
            continue
        value = tags.value(tag.name)
        known = value.unique()
        unknown = known.filter(~known.str.contains(f"^(?:{filled_in(tag.form.pattern)}|[?])?$")).to_list()
        if unknown:
            odd = value.is_in(unknown) & ~_lost(tags, frame, tag)
            parts.append(report("pbn-spelling", tags.at_fault(tag.name, odd)))
    return pl.concat(parts)


def _faulty_deals(tags: Tags, faults: pl.Series, among: pl.Series) -> pl.DataFrame:
    if "Deal" not in tags.row or faults.null_count() == len(faults):
        return empty(PROBLEMS)
    # A game that inherits the deal repeats its fault, and has no place of its own for it.
    chosen = faults.is_not_null() & among & tags.row["Deal"].is_not_null()
    return tags.at_fault("Deal", chosen).with_columns(faults.filter(chosen).alias("fault"))


def _report_unknown_words(code: str, sections: pl.DataFrame, bodies: Bodies) -> pl.DataFrame:
    if bodies.unknown.is_empty():
        return empty(PROBLEMS)
    owner = sections["game"]
    return report(code, bodies.unknown.with_columns(owner.gather(bodies.unknown["section"]).alias("record")))
