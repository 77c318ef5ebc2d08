"""A season as frames: every evening of every person, with partner and score, and every board.

It is made of the notes of its evenings: who came where, with whom, and what each board brought.
"""

import datetime as dt
import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal
from zlib import crc32

import polars as pl

from overtrick.core.bridge.cards import SIDE_OF_SEAT
from overtrick.core.bridge.methods import method_named
from overtrick.core.config import Config
from overtrick.core.config.site import Naming
from overtrick.core.frames import ANALYSIS, DIRECTION, ColumnType, Session, blank, seats
from overtrick.core.notation import in_club_unit, natural
from overtrick.judge.analyse.deals import CAUSES, list_causes
from overtrick.judge.people import identity
from overtrick.judge.people.divisions import is_division

ENTRIES: Final[dict[str, ColumnType]] = {
    "entry": pl.UInt32,
    "ranking": pl.String,
    **dict.fromkeys(("rank", "rank_last", "field"), pl.UInt32),
    **dict.fromkeys(("total", "percentage"), pl.Float64),
    "boards": pl.UInt32,
    **dict.fromkeys(("club", "page", "kind", "awards"), pl.String),
    **dict.fromkeys(("names", "numbers"), pl.List(pl.String)),
}
"""One row a contestant that is ranked. `total` is in the club's unit of matchpoints, as pages show it; `field` is the
number of contestants in the ranking, `page` the folder of the scorecard, `kind` is players, pairs or teams; `names` and
`numbers` are those of the players, in the same order."""

LINES: Final[dict[str, ColumnType]] = {
    **dict.fromkeys(("entry", "result"), pl.UInt32),
    "board": pl.Int32,
    **dict.fromkeys(("points", "top", "percentage"), pl.Float64),
    "score": pl.Int32,
    "level": pl.UInt8,
    "strain": pl.String,
    "doubled": pl.UInt8,
    "declarer": pl.String,
    "tricks": pl.UInt8,
    "declaring": pl.Boolean,
    **dict.fromkeys(("declarer_name", "leader_name"), pl.String),
    **dict.fromkeys(("partners", "opponents"), pl.List(pl.UInt32)),
    **dict.fromkeys(("tricks_declaring", "tricks_leads", "tricks_defending"), pl.Int8),
    **dict.fromkeys([f"part_{name}" for name in CAUSES], pl.Float64),
    "dd_tricks": pl.UInt8,
    "lead_gain": pl.Float64,
}
"""One row an entry and result: `points`, `top`, `percentage` and `score` are those of the entry's side, `partners` are
the other entries of that side (in an individual), `opponents` those of the other side. If the evening was analysed,
`tricks_*` are what the side won or lost against double dummy as declarer, by its leads, and as defender after the lead,
and `part_*` are the parts of its distance from average, in per cent of the top where there is one. `lead_gain` is what
the lead of a defending side won against the mean of all leads to the same declarer and trumps on the same deal; null
where it is the only lead."""

_PLAYERS: Final = ("north", "east", "south", "west")
_OF_STANDING: Final = ("ranking", "rank", "rank_last", "total", "percentage", "boards", "page", "awards")
_FACTS: Final = ("folder", "title", "date", "site", "unit")


@dataclass(frozen=True)
class Evening:
    """An evening as a season keeps it. The names are as files state them, whatever players wish for pages.

    Attributes:
        folder: of the evening in its season.
        title: as pages show it.
        date: `YYYY.MM.DD`, as the files state it; None if unknown.
        site: the club or place, as the files state it; None if unknown.
        unit: of totals: "MP", "IMP", "VP" or "Pts".
        entries: rows of `ENTRIES`.
        lines: rows of `LINES`.
        analysed: whether it was analysed, or has nothing to analyse.
    """

    folder: str
    title: str
    date: str | None
    site: str | None
    unit: str
    entries: pl.DataFrame
    lines: pl.DataFrame
    analysed: bool = False

    @property
    def day(self) -> dt.date | None:
        """None unless year, month and day are known."""
        try:
            return dt.datetime.strptime(self.date or "", "%Y.%m.%d").replace(tzinfo=dt.UTC).date()
        except ValueError:
            return None


def note_evening(session: Session, folder: str, pages: Sequence[str]) -> Evening:
    """Return the notes of an evening.

    Args:
        session: scored and ranked, with all names.
        folder: of the evening in its season.
        pages: the folder of the scorecard of each row of `session.standings`.
    """
    ranked = in_club_unit(session).standings.with_columns(pl.Series("page", pages, pl.String))
    ranked = ranked.filter(~is_division(pl.col("ranking")))
    entries = _list_entries(session, ranked)
    unit = method_named(session.facts.method).unit
    in_points = session.matches["victory_points"].is_not_null().any()
    return Evening(
        folder=folder,
        title=session.facts.event or session.facts.site or "",
        date=session.facts.date,
        site=session.facts.site,
        unit="VP" if in_points else {"matchpoints": "MP", "boards": "MP", "IMPs": "IMP"}.get(unit, "Pts"),
        entries=entries,
        lines=_list_lines(session, ranked.with_columns(entries["entry"])),
        analysed=not session.analysis.is_empty() or session.results.is_empty(),
    )


def _list_entries(session: Session, ranked: pl.DataFrame) -> pl.DataFrame:
    of_teams = method_named(session.facts.method).of_teams or session.results["team_ns"].is_not_null().any()
    listed = session.contestants.rows_by_key("contestant", named=True, include_key=True)
    sizes = dict(ranked.group_by("ranking").len().iter_rows())
    rows = []
    for number, row in enumerate(ranked.iter_rows(named=True)):
        about = match_contestant(listed.get(row["contestant"], []), row)
        # In an individual, and in files that know pairs by their names only, the contestant is the name.
        names = row["names"] or about.get("names") or row["contestant"]
        people = list(identity.split_pair(names, about.get("members")))
        entry = {
            "entry": number,
            "field": sizes[row["ranking"]],
            "club": about.get("club"),
            "kind": "teams" if of_teams else "players" if len(people) == 1 else "pairs",
            "names": [name for name, _ in people],
            "numbers": [number for _, number in people],
        }
        rows.append({name: row[name] for name in _OF_STANDING} | entry)
    return pl.DataFrame(rows, ENTRIES)


def match_contestant(candidates: Sequence[Mapping[str, Any]], standing: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the row of `frames.CONTESTANTS` that a standing is about; empty if none or several may be."""
    for column in ("section", "direction"):
        same = [row for row in candidates if row[column] == standing[column]]
        candidates = same or candidates
    return candidates[0] if len(candidates) == 1 else {}


def _list_lines(session: Session, ranked: pl.DataFrame) -> pl.DataFrame:
    players = session.records.select("record", "deal", *_PLAYERS)
    seat = pl.col("declarer").cast(pl.String)
    named = [pl.when(seat == name[0].upper()).then(name) for name in _PLAYERS]
    leading = [pl.when(seat == _PLAYERS[at - 1][0].upper()).then(name) for at, name in enumerate(_PLAYERS)]
    results = (
        session.results.hstack(_list_parts(session))
        .with_row_index("result")
        .join(players.unique("record"), on="record", how="left", maintain_order="left")
        .with_columns(
            declarer_name=pl.coalesce(named),
            leader_name=pl.coalesce(leading),
            # A result without a deal of its own was judged by the only deal of its board.
            deal=pl.coalesce("deal", pl.col("deal").drop_nulls().first().over("board")),
        )
        .with_columns(_compare_leads())
    )
    side = pl.col("direction").cast(pl.String)
    played = seats(results).with_columns(
        contestant=pl.coalesce("team", "contestant"),
        score=pl.when(side == "NS").then("score_ns").otherwise(-pl.col("score_ns")),
        declaring=seat.replace_strict(SIDE_OF_SEAT, default=None, return_dtype=pl.String) == side,
    )
    # What declarer made is compared with double dummy after the lead, which is not declarer's.
    after = pl.col("tricks").cast(pl.Int8) - pl.col("dd_tricks").cast(pl.Int8) - pl.col("lead_cost").fill_null(0)
    played = played.with_columns(
        tricks_declaring=pl.when(pl.col("declaring")).then(after),
        tricks_leads=pl.when(~pl.col("declaring")).then(-pl.col("lead_cost").cast(pl.Int8)),
        tricks_defending=pl.when(~pl.col("declaring")).then(-after),
        lead_gain=pl.when(~pl.col("declaring")).then("lead_gain"),
    )
    who = ranked.select("contestant", "entry", its_section="section", its_direction=pl.col("direction").cast(DIRECTION))
    # A pair of one line may have sat in the other.
    of_line = {"section": pl.col("section"), "direction": pl.coalesce("listed", "direction")}
    fits = [pl.col(f"its_{name}").is_null() | (pl.col(f"its_{name}") == mine) for name, mine in of_line.items()]
    known = played.join(who, on="contestant", maintain_order="left").filter(fits)
    sat = known.group_by("result", "direction", maintain_order=True).agg(at="entry")
    against = sat.with_columns(direction=side.replace_strict({"NS": "EW", "EW": "NS"}).cast(DIRECTION))
    seated = known.join(sat, on=["result", "direction"], how="left", maintain_order="left").join(
        against.rename({"at": "opponents"}), on=["result", "direction"], how="left", maintain_order="left"
    )
    partners = pl.col("at").list.set_difference(pl.concat_list("entry"))
    lines = seated.with_columns(partners.alias("partners"), pl.col("opponents").fill_null([]))
    return lines.select(pl.col(name).cast(dtype) for name, dtype in LINES.items())


def _compare_leads() -> pl.Expr:
    """Return what each lead won against the mean of all leads to the same declarer and trumps on the same deal."""
    cost = pl.col("lead_cost")
    gain = pl.when(cost.count() > 1).then(cost.mean() - cost)
    return gain.over("board", "deal", "strain", "declarer").alias("lead_gain")


def _list_parts(session: Session) -> pl.DataFrame:
    """Return what was found of each result: `dd_tricks lead_cost`, and the parts of both sides."""
    analysis = blank(ANALYSIS, session.results.height) if session.analysis.is_empty() else session.analysis
    rows = session.results.select("declarer", "top").hstack(analysis)
    share = pl.when(pl.col("top") > 0).then(100 / pl.col("top")).when(pl.col("top").is_null()).then(1.0)
    sides: tuple[Literal["NS", "EW"], ...] = ("NS", "EW")
    each = [(name, side, part) for side in sides for name, part in zip(CAUSES, list_causes(side), strict=True)]
    parts = {
        f"part_{name}_{side.lower()}": pl.when(_is_known(name, side)).then(part * share / pl.col("denominator"))
        for name, side, part in each
    }
    return rows.select("dd_tricks", pl.col("lead_cost").cast(pl.Int8), **parts)


def _is_known(cause: str, side: str) -> pl.Expr:
    """Return whether a part of a result is known for a side. What nobody recorded is not 0 on average, but unknown."""
    declaring = pl.col("declarer").cast(pl.String).is_in(list(side))
    played = pl.col("costs").is_not_null()
    known = {
        "bidding": pl.col("expected").is_not_null(),
        "lead": ~declaring & pl.col("lead_cost").is_not_null(),
        "declarer": declaring & played,
        "defence": ~declaring & played,
        "opponents": played,
        "unknown": pl.col("expected").is_not_null(),
    }
    return known[cause].fill_null(value=False)


def write_notes(evening: Evening) -> str:
    """Return the notes as JSON, with the frames in Arrow's form: a season reads many, and rows would take ten times."""
    about = {name: getattr(evening, name) for name in _FACTS}
    frames = {name: _pack(getattr(evening, name)) for name in ("entries", "lines")}
    return json.dumps({**about, "analysed": evening.analysed, **frames}, ensure_ascii=False)


def read_notes(text: str | bytes) -> Evening:
    """Return the notes of a text that `write_notes` returned.

    Raises:
        ValueError: the text is something else.
    """
    try:
        data = json.loads(text)
        entries, lines = _unpack(data["entries"], ENTRIES), _unpack(data["lines"], LINES)
        folder, title, date, site, unit = (data[name] for name in _FACTS)
        return Evening(folder, title, date, site, unit, entries, lines, data.get("analysed", False))
    except (KeyError, TypeError, AttributeError, pl.exceptions.PolarsError) as error:
        raise ValueError(f"not the notes of an evening: {error}") from error


def _pack(frame: pl.DataFrame) -> str:
    content = frame.write_ipc_stream(None).getvalue()
    return f"{crc32(content)} {b64encode(content).decode()}"


def _unpack(text: str, columns: Mapping[str, ColumnType]) -> pl.DataFrame:
    check, _, packed = text.partition(" ")
    content = b64decode(packed)
    # The reader of damaged bytes may do anything.
    if check != str(crc32(content)):
        raise ValueError("not the notes of an evening: the text is damaged")
    frame = pl.read_ipc_stream(content)
    if frame.schema != pl.Schema(columns):
        raise ValueError("not the notes of an evening: other columns")
    return frame


SEATS: Final = {
    **dict.fromkeys(("evening", "entry", "seat"), pl.UInt32),
    **dict.fromkeys(("person", "partner", "pair"), pl.String),
}
"""One row a person and entry: the number of the evening, `seat` within the entry, the keys of the person and, in a
pair, of the partner; `pair` is the same for both, whichever is listed first."""


@dataclass(frozen=True)
class Season:
    """All evenings, with their people.

    Attributes:
        evenings: the oldest first.
        identities: who is who.
        entries: rows of `evening.ENTRIES` without names, with the number of the `evening`.
        lines: rows of `evening.LINES`, likewise.
        seats: rows of `SEATS`.
        wishes: how people are named.
    """

    evenings: Sequence[Evening]
    identities: identity.Identities
    entries: pl.DataFrame
    lines: pl.DataFrame
    seats: pl.DataFrame
    wishes: identity.Wishes

    @cached_property
    def namings(self) -> dict[str, Naming]:
        """How pages name each person, by key: as the strictest of the person's spellings wants it."""
        named: dict[str, Naming] = {}
        by_key: dict[str, list[Naming]] = {}
        for (name, number), key in self.identities.keys.items():
            by_key.setdefault(key, []).append(self.wishes.find(name, number))
        for key, person in self.identities.people.items():
            found = {*by_key.get(key, []), self.wishes.find(person.name)}
            named[key] = next(naming for naming in identity.STRICTEST_FIRST if naming in found)
        return named

    def show(self, key: str | None) -> str:
        """Return a person's name for pages; empty for None."""
        return identity.show_name(self.identities.people[key].name, self.namings[key]) if key else ""

    def person(self, key: str) -> identity.Person:
        """Return a person by key."""
        return self.identities.people[key]

    @cached_property
    def played(self) -> pl.DataFrame:
        """The rows of `SEATS`, each with the columns of its entry."""
        return self.seats.join(self.entries, on=["evening", "entry"], how="left", maintain_order="left")


def gather(evenings: Iterable[Evening], config: Config) -> Season:
    """Put the evenings of a season together.

    Args:
        evenings: in any order.
        config: the club's settings: members, and how they are named.
    """
    ordered = sorted(evenings, key=lambda evening: (_sort_day(evening), natural(evening.folder)))
    members = config.people.register
    mentions = ((evening.folder, mention) for evening in ordered for mention in _list_mentions(evening))
    known = identity.identify(mentions, members)
    return Season(
        evenings=ordered,
        identities=known,
        entries=_number(ordered, "entries", ENTRIES).drop("names", "numbers"),
        lines=_number(ordered, "lines", LINES),
        seats=_seat_people(ordered, known),
        wishes=identity.Wishes(config.privacy, members),
    )


def _sort_day(evening: Evening) -> str:
    """Return the text to sort the day of an evening by: an evening without a day comes first."""
    return evening.date if evening.date and (evening.day or "?" in evening.date) else ""


def _number(evenings: Sequence[Evening], frame: str, schema: dict[str, ColumnType]) -> pl.DataFrame:
    number = pl.UInt32()
    empty = pl.DataFrame(schema={"evening": number, **schema})
    frames: list[pl.DataFrame] = [getattr(evening, frame) for evening in evenings]
    numbered = (frame.select(pl.lit(at, number).alias("evening"), pl.all()) for at, frame in enumerate(frames))
    return pl.concat([empty, *numbered])


def _seat_people(evenings: Sequence[Evening], known: identity.Identities) -> pl.DataFrame:
    rows = [
        (number, entry, *seat)
        for number, evening in enumerate(evenings)
        for entry, names, numbers, kind in evening.entries.select("entry", "names", "numbers", "kind").iter_rows()
        for seat in _seat_entry([known.keys.get(mention) for mention in zip(names, numbers, strict=True)], kind)
    ]
    return pl.DataFrame(rows, SEATS, orient="row")


def _seat_entry(keys: Sequence[str | None], kind: str) -> Iterator[tuple[int, str, str | None, str | None]]:
    """Yield seat, person, partner and pair of each known player of an entry."""
    people = [key for key in keys if key]
    pair = " & ".join(sorted(people)) if kind == "pairs" and len(keys) == len(people) == 2 else None
    # A team's name looks like one player's.
    if kind != "teams" or len(keys) > 1:
        yield from ((seat, key, keys[1 - seat] if pair else None, pair) for seat, key in enumerate(keys) if key)


def list_mentions(evenings: Iterable[Evening]) -> list[tuple[str, str]]:
    """Return name and number of each player of each evening."""
    return [
        (name, number)
        for evening in evenings
        for name, number in _list_mentions(evening)
        if identity.is_person(name) or number
    ]


def _list_mentions(evening: Evening) -> Iterator[tuple[str, str]]:
    for names, numbers in evening.entries.select("names", "numbers").iter_rows():
        yield from zip(names, numbers, strict=True)
