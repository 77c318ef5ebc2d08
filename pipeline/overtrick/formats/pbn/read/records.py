"""Games to records: tags side by side as columns, inherited values filled in, each value read by its kind."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from overtrick import notation
from overtrick.formats.pbn.read.bodies import Bodies, auctions, plays
from overtrick.formats.pbn.read.deals import OPEN, deals
from overtrick.formats.pbn.read.games import Games, row_or_null
from overtrick.formats.pbn.read.side_by_side import Tags
from overtrick.frames import ANNOTATIONS, PROBLEMS, RECORDS, SEAT, conform, empty
from overtrick.problems import report

_TEXTS: Final = {
    "event": "Event",
    "site": "Site",
    "board_label": "Board",
    "north": "North",
    "east": "East",
    "south": "South",
    "west": "West",
    "pair_ns": "PairNS",
    "pair_ew": "PairEW",
    "home_team": "HomeTeam",
    "visit_team": "VisitTeam",
    "room": "Room",
    "section": "Section",
    "round": "Round",
    "table": "Table",
    "scoring": "Scoring",
}

_READABLE: Final = {
    "Board": ("pbn-board-number", "a whole number above 0"),
    "Dealer": ("pbn-tag-value", "N, E, S or W"),
    "Vulnerable": ("pbn-tag-value", "None, NS, EW or All"),
    "Declarer": ("pbn-tag-value", "N, E, S or W"),
    "Contract": ("pbn-tag-value", "Pass or a contract such as 3NT or 4SX"),
    "Result": ("pbn-tag-value", "declarer's tricks, 0 to 13"),
    "Score": ("pbn-tag-value", 'points such as "-50", "NS 420" or "EW 50"'),
}
"""By tag: the problem of a value that can't be read, and what was expected."""

_READ_AS: Final = {
    "Board": ["board"],
    "Dealer": ["dealer"],
    "Vulnerable": ["vulnerable"],
    "Declarer": ["declarer"],
    "Contract": ["level", "strain"],
    "Result": ["tricks"],
    "Score": ["stated_score_ns"],
}
"""By tag: the columns that hold its value; it was read when any of them is not null."""

_BY_DECLARER: Final = {"Result": notation.tricks, "Score": notation.points_for_ns}
"""How to read the tags whose value may mean nothing while declarer is unknown."""

_FEW_VALUES: Final[dict[str, tuple[str, Callable[[pl.Expr], pl.Expr]]]] = {
    "date": ("Date", notation.date),
    "dealer": ("Dealer", notation.seat),
    "vulnerable": ("Vulnerable", notation.vulnerable),
    "level": ("Contract", notation.level),
    "strain": ("Contract", notation.strain),
    "doubled": ("Contract", notation.doubled),
    "declarer": ("Declarer", notation.seat),
    "irregular_declarer": ("Declarer", notation.irregular),
    "tricks": ("Result", notation.tricks_stated),
    "tricks_side": ("Result", notation.tricks_side),
    "irregular_tricks": ("Result", notation.irregular),
    "auction_start": ("Auction", notation.seat),
    "play_start": ("Play", notation.seat),
}
"""By column: the tag that it is read from, and how."""

_STANDARD: Final = {
    "Contract": r"(?i)^(?:Pass|[1-7](?:NT|[SHDC])X{0,2}|NT|[SHDC]|[?])?$",
    "Vulnerable": r"(?i)^(?:None|Love|-|NS|EW|All|Both|[?])?$",
}
"""Values that PBN 3.4 knows, of tags that many programs write in other ways too."""


@dataclass(frozen=True)
class Played:
    """The Auction and Play sections of some games, and what stands in them."""

    called: pl.DataFrame
    """`Games.sections`, the first of each game."""
    calls: Bodies
    played: pl.DataFrame
    cards: Bodies


def sections_played(games: Games, *, shortcut: bool = True) -> Played:
    """Read the auctions and plays of some games.

    Args:
        games: the games.
        shortcut: false sends every auction and play through the grammar; the result is the same.
    """
    called, played = _first_sections(games, "Auction"), _first_sections(games, "Play")
    return Played(called, auctions(called, shortcut=shortcut), played, plays(played, shortcut=shortcut))


def records(
    games: Games, tags: Tags, played: Callable[[], Played], *, shortcut: bool = True
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Read the games of one file.

    Args:
        games: the file's games.
        tags: their tags with inheritance done.
        played: gives their auctions and plays, when the tags are read.
        shortcut: false sends every deal through the grammar; the result is the same.

    Returns:
        Frames of `frames.RECORDS` (`record` counts from 0, `source` is null), `frames.ANNOTATIONS` and
        `frames.PROBLEMS`.
    """
    deal, faults = deals(tags.value("Deal"), shortcut=shortcut)
    frame = _read_tags(tags).with_columns(
        pl.Series("record", np.arange(games.count, dtype=np.uint32)), _first_lines(games), deal
    )
    sections = played()
    frame, annotations = _with_bodies(frame, tags, sections)
    problems = pl.concat(
        [
            _unreadable(tags, frame),
            _unusual(tags, frame),
            report("pbn-deal", _faulty_deals(tags, faults, deal.is_null() & (faults != OPEN))),
            report("pbn-deal-open", _faulty_deals(tags, faults, faults == OPEN)),
            report("pbn-deal-spelling", _faulty_deals(tags, faults, deal.is_not_null())),
            _unknown_words("pbn-call-unknown", sections.called, sections.calls),
            _unknown_words("pbn-card-unknown", sections.played, sections.cards),
        ]
    )
    return frame, annotations, problems


def _read_tags(tags: Tags) -> pl.DataFrame:
    """Read the tags that become columns, all games at once."""
    wanted = {*_TEXTS.values(), *_READABLE, "Date", "ScorePercentage", "ScoreMP", "ScoreIMP", "Auction", "Play"}
    wide = pl.DataFrame([tags.value(name) for name in wanted])
    declarer = notation.seat(pl.col("Declarer"))
    return wide.select(
        *(notation.text(pl.col(tag)).alias(column) for column, tag in _TEXTS.items()),
        notation.board(pl.col("Board")).alias("board"),
        *_each_once(wide),
        *_read_scores(tags, declarer),
    ).with_columns(
        _unless_passed_out(pl.col("declarer")),
        _unless_passed_out(
            notation.tricks_of_declarer(pl.col("tricks"), pl.col("tricks_side"), pl.col("declarer")).alias("tricks")
        ),
    )


def _unless_passed_out(read: pl.Expr) -> pl.Expr:
    """Leave out what no game has that was passed out, where a program writes it all the same (3.4.13, 3.4.15)."""
    return pl.when(pl.col("level").ne_missing(0)).then(read)


def _each_once(wide: pl.DataFrame) -> Iterator[pl.Expr]:
    """Read each distinct value once: of contracts and results there are few, of boards many."""
    tags = {tag for tag, _ in _FEW_VALUES.values()}
    each = wide.select(pl.col(tag).unique().implode() for tag in tags)
    stated = pl.concat(column[0] for column in each)
    # With nothing to replace, polars forgets what is put in its place.
    distinct = stated.extend_constant(None, 1).unique().alias("value")
    read = distinct.to_frame().select(way(pl.col("value")).alias(column) for column, (_, way) in _FEW_VALUES.items())
    for column, (tag, _) in _FEW_VALUES.items():
        yield pl.col(tag).replace_strict(distinct, read[column]).alias(column)


def _read_scores(tags: Tags, declarer: pl.Expr) -> list[pl.Expr]:
    """Read what is stated of the score; tags that no game has cost nothing."""
    ways = {
        "stated_score_ns": {"Score": notation.points_for_ns},
        "stated_points_ns": {"ScoreMP": notation.for_ns, "ScoreIMP": notation.for_ns},
        "stated_percentage_ns": {"ScorePercentage": notation.percentage_for_ns},
    }
    unknown = pl.lit(None, pl.Float64)
    return [
        pl.coalesce(*(read(pl.col(tag), declarer) for tag, read in how.items() if tag in tags.row), unknown).alias(
            column
        )
        for column, how in ways.items()
    ]


def _first_lines(games: Games) -> pl.Series:
    of_tag = games.tags["game"].to_numpy()
    return games.tags["line"].gather(np.searchsorted(of_tag, np.arange(games.count, dtype=of_tag.dtype)))


def _first_sections(games: Games, name: str) -> pl.DataFrame:
    sections = games.sections.filter(pl.col("name") == name)
    game = sections["game"].to_numpy()
    if (game[1:] > game[:-1]).all():
        return sections
    return sections.unique("game", keep="first", maintain_order=True)


def _with_bodies(frame: pl.DataFrame, tags: Tags, read: Played) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Put calls and cards beside their records; a section without data is empty, a missing one null."""
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
            _turned(pl.lit(seat), padding.fill_null(0)).alias(f"{part}_start"),
        ).get_columns()
        if len(bodies.marks):
            marks.append(bodies.marks.with_columns(owner.gather(bodies.marks["section"]), pl.lit(part).alias("part")))
    annotations = (
        conform(ANNOTATIONS, pl.concat(marks).sort("record", maintain_order=True)) if marks else empty(ANNOTATIONS)
    )
    return conform(RECORDS, frame.with_columns(columns)), annotations


def _turned(seat: pl.Expr, steps: pl.Expr) -> pl.Expr:
    """Give the seat that many steps clockwise: an auction padded with `-` begins that much later (PBN 3.5)."""
    return ((seat.to_physical().cast(pl.UInt32) + steps) % 4).cast(pl.UInt8).cat.to(SEAT)


def _unreadable(tags: Tags, frame: pl.DataFrame) -> pl.DataFrame:
    """Report values that are stated and can't be read."""
    unread = [
        pl.all_horizontal(pl.lit(tags.value(name)).is_not_null(), pl.col(columns).is_null()).any().alias(name)
        for name, columns in _READ_AS.items()
    ]
    names = [name for name, lost in frame.select(unread).row(0, named=True).items() if lost]
    parts = [
        _report(code, tags.at_fault(name, _lost(tags, frame, name)), expected)
        for name in names
        for code, expected in [_READABLE[name]]
    ]
    return pl.concat([empty(PROBLEMS), *parts])


def _lost(tags: Tags, frame: pl.DataFrame, name: str) -> pl.Series:
    """Say in which games the value of a tag is stated and can't be read."""
    value = tags.value(name)
    tag = pl.col("value")
    unread = tag.is_not_null() & pl.all_horizontal(pl.col(_READ_AS[name]).is_null())
    known = tag.str.strip_chars().is_in(notation.UNKNOWN_VALUES)
    if name == "Declarer":
        known |= pl.col("level").eq_missing(0)
    if name in _BY_DECLARER:
        known |= pl.col("declarer").is_null() & _BY_DECLARER[name](tag, pl.lit("N")).is_not_null()
    return frame.with_columns(value.alias("value")).select((unread & ~known).fill_null(value=False)).to_series()


def _unusual(tags: Tags, frame: pl.DataFrame) -> pl.DataFrame:
    """Report values that are understood although the standard does not know them."""
    parts = [empty(PROBLEMS)]
    for name, pattern in _STANDARD.items():
        value = tags.value(name)
        known = value.unique()
        unknown = known.filter(~known.str.contains(pattern)).to_list()
        if not unknown:
            continue
        odd = value.is_in(unknown)
        if name in _READABLE:
            odd &= ~_lost(tags, frame, name)
        parts.append(report("pbn-spelling", _as_problem(tags.at_fault(name, odd))))
    return pl.concat(parts)


def _faulty_deals(tags: Tags, faults: pl.Series, among: pl.Series) -> pl.DataFrame:
    if "Deal" not in tags.row or faults.null_count() == len(faults):
        return empty(PROBLEMS)
    # A game that inherits the deal repeats its fault, and has no place of its own for it.
    stated = tags.row["Deal"].is_not_null()
    chosen = faults.is_not_null() & among & stated
    at = _as_problem(tags.at_fault("Deal", chosen))
    return at.with_columns(faults.filter(chosen).alias("fault"))


def _report(code: str, at: pl.DataFrame, expected: str) -> pl.DataFrame:
    return report(code, _as_problem(at).with_columns(pl.lit(expected).alias("expected")))


def _as_problem(at: pl.DataFrame) -> pl.DataFrame:
    return at.rename({"game": "record"})


def _unknown_words(code: str, sections: pl.DataFrame, bodies: Bodies) -> pl.DataFrame:
    if bodies.unknown.is_empty():
        return empty(PROBLEMS)
    owner = sections["game"]
    return report(code, bodies.unknown.with_columns(owner.gather(bodies.unknown["section"]).alias("record")))
