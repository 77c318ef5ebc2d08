"""Games to records: tags side by side as columns, inherited values filled in, each value read by its kind."""

from typing import Final

import polars as pl

from overtrick.frames import ANNOTATIONS, PROBLEMS, RECORDS, SEAT, conform, empty
from overtrick.parse.pbn import values
from overtrick.parse.pbn.bodies import Bodies, auctions, plays
from overtrick.parse.pbn.deals import deals
from overtrick.parse.pbn.games import Games
from overtrick.parse.pbn.tags import Tags
from overtrick.problems import found

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

_STANDARD: Final = {
    "Contract": r"(?i)^(?:Pass|[1-7](?:NT|[SHDC])X{0,2}|NT|[SHDC]|[?])?$",
    "Vulnerable": r"(?i)^(?:None|Love|-|NS|EW|All|Both|[?])?$",
}
"""Values that PBN 3.4 knows, of tags that many programs write in other ways too."""


def records(games: Games, tags: Tags, *, shortcut: bool = True) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Read the games of one file.

    Args:
        games: the file's games.
        tags: their tags with inheritance done.
        shortcut: false sends every deal, auction and play through the grammar; the result is the same.

    Returns:
        Frames of `frames.RECORDS` (`record` counts from 0, `source` is null), `frames.ANNOTATIONS` and
        `frames.PROBLEMS`.
    """
    deal, faults = deals(tags.value("Deal"), shortcut=shortcut)
    frame = _read_tags(tags).with_columns(
        pl.Series("record", range(games.count), dtype=pl.UInt32),
        pl.Series("line", _first_lines(games), dtype=pl.UInt32),
        deal,
    )
    calls = auctions(_first_sections(games, "Auction"), shortcut=shortcut)
    cards = plays(_first_sections(games, "Play"), shortcut=shortcut)
    frame, annotations = _with_bodies(frame, tags, games, calls, cards)
    problems = pl.concat(
        [
            _unreadable(tags, frame),
            _unusual(tags, frame),
            found("pbn-deal", _faulty_deals(tags, faults, deal.is_null())),
            found("pbn-deal-spacing", _faulty_deals(tags, faults, deal.is_not_null())),
            _unknown_words(games, "Auction", "pbn-call-unknown", calls),
            _unknown_words(games, "Play", "pbn-card-unknown", cards),
        ]
    )
    return frame, annotations, problems


def _read_tags(tags: Tags) -> pl.DataFrame:
    """Read the tags that become columns, all games at once."""
    wanted = {*_TEXTS.values(), *_READABLE, "Date", "ScorePercentage", "ScoreMP", "ScoreIMP"}
    wide = pl.DataFrame([tags.value(name) for name in wanted])
    contract, declarer = pl.col("Contract"), values.seat(pl.col("Declarer"))
    return wide.select(
        *(values.text(pl.col(tag)).alias(column) for column, tag in _TEXTS.items()),
        values.board(pl.col("Board")).alias("board"),
        *_each_once(wide, {"date": values.date(pl.col("Date"))}, "Date"),
        *_each_once(wide, {"dealer": values.seat(pl.col("Dealer"))}, "Dealer"),
        *_each_once(wide, {"vulnerable": values.vulnerable(pl.col("Vulnerable"))}, "Vulnerable"),
        *_each_once(
            wide,
            {"level": values.level(contract), "strain": values.strain(contract), "doubled": values.doubled(contract)},
            "Contract",
        ),
        *_each_once(
            wide, {"declarer": declarer, "tricks": values.tricks(pl.col("Result"), declarer)}, "Declarer", "Result"
        ),
        *_each_once(wide, {"irregular_declarer": values.irregular(pl.col("Declarer"))}, "Declarer"),
        *_each_once(wide, {"irregular_tricks": values.irregular(pl.col("Result"))}, "Result"),
        *_read_scores(tags, declarer),
    )


def _each_once(wide: pl.DataFrame, ways: dict[str, pl.Expr], *tags: str) -> list[pl.Series]:
    """Read each distinct value (or pair of values) once: of contracts and results there are few, of boards many."""
    read = wide.select(tags).unique().with_columns(**ways)
    joined = wide.select(tags).join(read, on=tags, how="left", nulls_equal=True, maintain_order="left")
    return joined.select(ways.keys()).get_columns()


def _read_scores(tags: Tags, declarer: pl.Expr) -> list[pl.Expr]:
    """Read what is stated of the score; tags that no game has cost nothing."""
    ways = {
        "stated_score_ns": {"Score": values.points_for_ns},
        "stated_points_ns": {"ScoreMP": values.for_ns, "ScoreIMP": values.for_ns},
        "stated_percentage_ns": {"ScorePercentage": values.percentage_for_ns},
    }
    unknown = pl.lit(None, pl.Float64)
    return [
        pl.coalesce(*(read(pl.col(tag), declarer) for tag, read in how.items() if tag in tags.row), unknown).alias(
            column
        )
        for column, how in ways.items()
    ]


def _first_lines(games: Games) -> pl.Series:
    return games.tags.group_by("game", maintain_order=True).agg(pl.col("line").first())["line"]


def _first_sections(games: Games, name: str) -> pl.DataFrame:
    return games.sections.filter(pl.col("name") == name).unique("game", keep="first", maintain_order=True)


def _with_bodies(
    frame: pl.DataFrame, tags: Tags, games: Games, calls: Bodies, cards: Bodies
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Put calls and cards beside their records; a section without data is empty, a missing one null."""
    marks = []
    for name, part, column, bodies in (("Auction", "auction", "calls", calls), ("Play", "play", "cards", cards)):
        owner = _first_sections(games, name)["game"].alias("record")
        read = bodies.entries.select(
            owner, pl.col("codes").alias(column), pl.col("end").alias(f"{part}_end"), pl.col("padding")
        )
        stated = tags.value(name).is_not_null()
        frame = frame.join(read, on="record", how="left", maintain_order="left").with_columns(
            pl.when(stated).then(pl.col(column).fill_null([])).alias(column),
            _turned(values.seat(pl.lit(tags.value(name))), pl.col("padding").fill_null(0)).alias(f"{part}_start"),
        )
        marks.append(bodies.marks.with_columns(owner.gather(bodies.marks["section"]), pl.lit(part).alias("part")))
        frame = frame.drop("padding")
    return conform(RECORDS, frame), conform(ANNOTATIONS, pl.concat(marks).sort("record", maintain_order=True))


def _turned(seat: pl.Expr, steps: pl.Expr) -> pl.Expr:
    """Give the seat that many steps clockwise: an auction padded with `-` begins that much later (PBN 3.5)."""
    return ((seat.to_physical().cast(pl.UInt32) + steps) % 4).cast(pl.UInt8).cat.to(SEAT)


def _unreadable(tags: Tags, frame: pl.DataFrame) -> pl.DataFrame:
    """Report values that are stated and can't be read."""
    parts = [
        _report(code, tags.at_fault(name, _lost(tags, frame, name)), expected)
        for name, (code, expected) in _READABLE.items()
    ]
    return pl.concat(parts)


def _lost(tags: Tags, frame: pl.DataFrame, name: str) -> pl.Series:
    """Say in which games the value of a tag is stated and can't be read."""
    value = tags.value(name)
    lost = value.is_not_null()
    for column in _READ_AS[name]:
        lost &= frame[column].is_null()
    if not lost.any():
        return lost
    if name == "Result":
        lost &= ~_sided(value, frame["declarer"])
    if name == "Score":
        bare = value.to_frame("value").select(values.is_bare_number(pl.col("value")))["value"]
        lost &= ~(bare & frame["declarer"].is_null())
    return lost & ~value.str.strip_chars().is_in(values.UNKNOWN_VALUES)


def _sided(result: pl.Series, declarer: pl.Series) -> pl.Series:
    """Say where a Result names a side, which nobody can use while declarer is unknown."""
    return declarer.is_null() & result.str.contains(r"(?i)^\s*\^?(?:NS|EW)\s+\d").fill_null(value=False)


def _unusual(tags: Tags, frame: pl.DataFrame) -> pl.DataFrame:
    """Report values that are understood although the standard does not know them."""
    parts = [empty(PROBLEMS)]
    for name, pattern in _STANDARD.items():
        value = tags.value(name)
        known = value.unique()
        odd = value.is_in(known.filter(~known.str.contains(pattern)).to_list())
        if name in _READABLE:
            odd &= ~_lost(tags, frame, name)
        parts.append(found("pbn-spelling", _as_problem(tags.at_fault(name, odd))))
    return pl.concat(parts)


def _faulty_deals(tags: Tags, faults: pl.Series, among: pl.Series) -> pl.DataFrame:
    # A game that inherits the deal repeats its fault, and has no place of its own for it.
    stated = tags.row.get("Deal", pl.Series([None] * len(faults))).is_not_null()
    chosen = faults.is_not_null() & among & stated
    at = _as_problem(tags.at_fault("Deal", chosen))
    return at.with_columns(faults.filter(chosen).alias("fault"))


def _report(code: str, at: pl.DataFrame, expected: str) -> pl.DataFrame:
    return found(code, _as_problem(at).with_columns(pl.lit(expected).alias("expected")))


def _as_problem(at: pl.DataFrame) -> pl.DataFrame:
    return at.rename({"game": "record"})


def _unknown_words(games: Games, name: str, code: str, bodies: Bodies) -> pl.DataFrame:
    owner = _first_sections(games, name)["game"]
    return found(code, bodies.unknown.with_columns(owner.gather(bodies.unknown["section"]).alias("record")))
