"""Boards: the deal, the result of every table, how often each score was reached, and what the file's author wrote."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby
from pathlib import PurePath
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.auction import note_openings
from overtrick.core.bridge.cards import SEATS, STRAIN_SIGNS, STRAINS, board_dealer, board_vulnerability
from overtrick.core.bridge.methods import USUAL, method_named
from overtrick.core.bridge.par import evaluated
from overtrick.core.frames import Session
from overtrick.core.notation import clean, natural
from overtrick.show import views
from overtrick.show.history.changes import add_evenings, number_evenings
from overtrick.show.html import field_contracts, result_lines
from overtrick.show.html.auctions import replace_suit_codes
from overtrick.show.html.contestants import (
    SEAT_WORDS,
    Anchors,
    ContestantRef,
    Contestants,
    Hand,
    make_hands,
    make_slugs,
)
from overtrick.show.html.replay_pages import Replay, make_replays
from overtrick.show.text.display import format_percentage, format_signed

_VULNERABLE: Final = {"None": "None", "NS": "N-S", "EW": "E-W", "All": "Both"}
_SEATS_AT_RISK: Final = {"N-S": ("North", "South"), "E-W": ("East", "West"), "Both": ("North", "East", "South", "West")}
_AT_RISK_WORDS: Final = {"None": "neither side", "N-S": "North-South", "E-W": "East-West", "Both": "both sides"}
_UNKNOWN: Final = "unknown"
_SIGNS: Final = dict(zip(STRAINS[:4], STRAIN_SIGNS, strict=False))
_SUIT_LETTER: Final = re.compile(r"(?<=[1-7])[CDHS]")

_BARE: Final = r"(?s)^(?:\{(.*?)\}?|;(.*))$"
_NOBODY: Final = ("", "?", "-")
_MARKUP: Final = re.compile(r"</?[biu]>", re.IGNORECASE)
_BREAK: Final = re.compile(r"\n\s*\n|<br */?>|\\n", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class TravellerRow(result_lines.Outcome):
    """One result of a board."""

    section: str
    round: str
    table: str
    ns: ContestantRef
    ew: ContestantRef
    tricks: str
    score_ns: str
    """Points of N-S when they gained, else empty; an artificial score reads `A+`, `60%`."""
    score_ew: str
    points_ns: str
    points_ew: str
    percentage_ns: str
    percentage_ew: str
    tables: int
    """How many tables had this result."""
    anchor_ns: str
    """Id of this row for links to N-S, `pair-7`; empty from their second row of a page on."""
    anchor_ew: str
    against: int | None = None
    """Tricks against double dummy: -1 for one that was lost; None where they are not known."""
    lead_cost: str = ""
    """Tricks that the opening lead gave up: `−1`; empty for nothing, and where it is not known."""
    replay: str = ""
    """Slug of the table's replay; empty when neither auction nor play is known."""
    field: str = ""
    """Whom it was compared with, where the results of a board were compared apart: `Section A`; else empty."""
    room: str = ""
    """`Open Room`, `Closed Room`; empty if the file does not say."""


@dataclass(frozen=True)
class BoardPage:
    """The page of a board."""

    number: str
    """As players read it on the board, `7`; a label of the file that is not a number; empty without either."""
    slug: str
    """Folder of the page, `board-7`."""
    dealer: str
    """`North` ... or `unknown`."""
    vulnerable: str
    """`None`, `N-S`, `E-W`, `Both`, `unknown`."""
    hands: tuple[Hand, ...]
    """North, East, South, West; empty when the deal is not known."""
    rows: tuple[TravellerRow, ...]
    """Sorted by field and N-S score, best first."""
    datum: str
    """The datum of Butler scoring with its sign; empty for other methods."""
    previous: str
    """Slug of the board before; empty for the first."""
    next: str
    double_dummy: tuple[field_contracts.DoubleDummy, ...] = ()
    """Double-dummy tables with par: as the file states it, as it was solved, or both where they differ."""
    frequencies: field_contracts.Frequencies | None = None
    replays: tuple[Replay, ...] = ()
    """The tables with an auction or a play."""
    key: str = ""
    """As in `result_lines.add_board_keys`."""
    lin: str = ""
    """All tables of the board as LIN; the bare deal where nothing was recorded; empty without a deal."""
    viewer: str = ""
    """Address of the BBO hand viewer that shows the deal; empty where the replays have their own."""
    commentary: tuple[str, ...] = ()
    """Paragraphs that the author of the file wrote about the board."""
    is_deal: bool = False
    """Whether it is a deal of a score sheet, which has no board; `number` then counts the deals of its table."""
    contracts: tuple[field_contracts.FieldContract, ...] = ()
    """The contracts of the field, the most frequent first; empty where nothing was analysed."""
    usual: field_contracts.Fellows | None = None
    """The contract of most tables."""
    order: str = ""
    """Of a deal without a number: its place among all of them in the files, `1/12`; empty for others."""
    deals: int = 1
    """How many different deals the files have for the board; the page shows the first."""
    stated: str = ""
    """`number` as it is on the board itself: `7` of `2-7`."""
    evening: int = 0
    """Which of several evenings it was played on; 0 where there is only one."""
    evening_title: str = ""
    """The day of that evening, for reading; empty if it is not known."""

    @property
    def label(self) -> str:
        """Its name where there is little room: the number, else `order`."""
        return self.number or self.order

    @property
    def replays_apart(self) -> bool:
        """Whether the replays have pages of their own, because there are too many for the board's page."""
        return len(self.replays) > 2

    def find_replay(self, slug: str) -> str:
        """Return the path of a table's replay from the site's root: a page of its own, or a place on the board's."""
        return f"{self.slug}/{slug}/index.html" if self.replays_apart else f"{self.slug}/index.html#{slug}"

    def find_trick(self, record: int | None, trick: int) -> str:
        """Return the path of a trick from the site's root; empty where the play of the record is not shown."""
        shown = next((one for one in self.replays if one.record == record and one.play), None)
        return f"{self.find_replay(shown.slug).partition('#')[0]}#{shown.slug}-trick-{trick}" if shown else ""

    @property
    def vulnerable_seats(self) -> tuple[str, ...]:
        """The vulnerable seats, as in `Hand.seat`."""
        return _SEATS_AT_RISK.get(self.vulnerable, ())

    @property
    def vulnerable_words(self) -> str:
        """Who is vulnerable, in words: `neither side`, `North-South`, `both sides`."""
        return _AT_RISK_WORDS.get(self.vulnerable, _UNKNOWN)

    @cached_property
    def has_points_counted(self) -> bool:
        """Whether the high-card points of any hand are known."""
        return any(hand.points is not None for hand in self.hands)

    has_openings = result_lines.any_row("opening", of="hands")
    """Whether the opening bid of any hand is noted."""

    @cached_property
    def columns(self) -> views.View:
        """The columns of its results. Where headings name the section of the lines below them, no column does."""
        shown = views.choose_columns(views.TRAVELLER, self)
        return tuple(column for column in shown if column.name != "section" or len(self.rows_by_field) == 1)

    @cached_property
    def has_sections(self) -> bool:
        """Whether the rows come from more than one section."""
        return len({row.section for row in self.rows}) > 1

    @cached_property
    def rows_by_field(self) -> tuple[tuple[str, tuple[TravellerRow, ...]], ...]:
        """The rows by whom they were compared with; an empty title where all were compared."""
        return tuple((title, tuple(rows)) for title, rows in groupby(self.rows, key=lambda row: row.field))

    has_percentages = result_lines.any_row("percentage_ns", "percentage_ew")
    """Whether any row has a percentage."""


def make_board_pages(
    session: Session,
    lines: Sequence[result_lines.Line],
    contestants: Contestants,
    form: result_lines.PointsForm,
    *,
    openings: bool = False,
) -> dict[str, BoardPage]:
    """Make the page of every board, by its key and in order; `lines` come from `result_lines.list_lines`.

    `openings` notes the opening bid of each hand.
    """
    boards = list_boards(session)
    of_sheets = _number_deals(session)
    for row in boards:
        row["number"] = row["number"] or of_sheets.get(row["key"], "")
    nameless = [row["key"] for row in boards if not row["number"]]
    orders = {key: f"{place}/{len(nameless)}" for place, key in enumerate(nameless, start=1)}
    slugs = make_slugs(_compose_slug(row, orders, of_sheets) for row in boards)
    own_lines = result_lines.find_own_lines(session, lines)
    recorded, replay_slugs = make_replays(session, boards, list(own_lines.values()), contestants)
    solved = field_contracts.make_double_dummy_tables(session)
    comments = collect_commentary(session)
    worth = _evaluate_hands([row["deal"] for row in boards], openings=openings)
    apart, at_board = result_lines.list_field_columns(session), result_lines.group_lines(lines, "key")
    around = ["", *slugs, ""]
    pages = {}
    for place, (row, slug) in enumerate(zip(boards, slugs, strict=True)):
        key, here = row["key"], at_board[row["key"]]
        replays, lin = recorded[key].shown, recorded[key].lin
        fields = _part_by_field(here, apart)
        pages[key] = BoardPage(
            number=row["number"],
            slug=slug,
            dealer=SEAT_WORDS.get(row["dealer"], _UNKNOWN),
            vulnerable=_VULNERABLE.get(row["vulnerable"], _UNKNOWN),
            hands=_make_hands(row["deal"], worth[place]),
            rows=_make_traveller(fields, contestants, form, replay_slugs, own_lines),
            datum="" if row["datum"] is None else format_signed(row["datum"]),
            previous=around[place],
            next=around[place + 2],
            double_dummy=solved.get((key, row["deal"])) or solved.get((key, None), ()),
            frequencies=field_contracts.count_frequencies(here, form, is_one_field=len(fields) == 1),
            contracts=field_contracts.compare_field(here, form),
            usual=field_contracts.find_usual(here),
            replays=replays,
            lin="".join(f"{table.line}\n" for table in lin),
            viewer="" if replays else "".join(table.link for table in lin),
            key=key,
            is_deal=key in of_sheets,
            order=orders.get(key, ""),
            deals=row["deals"],
            stated=row["stated"],
            evening=row["evening"] or 0,
            commentary=tuple(dict.fromkeys(chain.from_iterable(comments.get(record, ()) for record in row["records"]))),
        )
    return pages


def _compose_slug(row: Mapping[str, Any], orders: Mapping[str, str], of_sheets: Mapping[str, str]) -> str:
    if row["key"] in orders:
        return f"deal {orders[row['key']].partition('/')[0]}"
    return f"{'deal' if row['key'] in of_sheets else 'board'} {row['number']}"


def _evaluate_hands(deals: Sequence[str | None], *, openings: bool) -> list[dict[str, Any]]:
    """Return the shape and the points of each hand, a row for each deal; with `openings` its opening bid too."""
    dealt = pl.Series("deal", deals, dtype=pl.String)
    return pl.concat([evaluated(dealt), *([note_openings(dealt)] if openings else [])], how="horizontal").to_dicts()


def _number_deals(session: Session) -> dict[str, str]:
    """Number the deals of score sheets, by their key: `3`, or `2-3` for the third of table 2 where there are several.

    Only rubber-type games have deals without a board.
    """
    if method_named(session.facts.method or USUAL).sheet is None:
        return {}
    place = ("section", "round", "table", "ns", "ew")
    deals = result_lines.add_board_keys(result_lines.add_board_labels(session.results, session), session).filter(
        pl.col("key").str.starts_with("record ")
    )
    numbered = deals.select(
        "key",
        pl.int_range(1, pl.len() + 1).over(place).alias("deal"),
        pl.struct(place).rank("dense").alias("group"),
        "table",
    )
    several = numbered["group"].n_unique() > 1
    distinct = numbered.select("group", "table").unique()["table"].is_unique().all()
    return {
        key: f"{clean(table) if distinct and clean(table) else group}-{deal}" if several else str(deal)
        for key, deal, group, table in numbered.iter_rows()
    }


def list_boards(session: Session) -> list[dict[str, Any]]:
    """List the boards that were dealt or played, in the order of their numbers, those without a number last.

    Returns:
        A row for each board: `key` (`result_lines.add_board_keys`), `board`, `board_label`, `deal` (the first that a
        record shows), `deals` (how many different ones there are), `number` (as people read it, `2-7` for board 7 of
        the second evening), `stated` (`number` without the evening), `dealer` and `vulnerable` as stated, else by the
        number (Law 2), `datum`, `records` (those of the board), `evening` (null if there is only one).
    """
    about = ("record", "source", "board", "board_label", "deal", "dealer", "vulnerable")
    played = result_lines.add_board_labels(session.results.select("record", "source", "board", "datum"), session)
    rows = result_lines.add_board_keys(pl.concat([session.records.select(about), played], how="diagonal"), session)
    rows = add_evenings(rows, session) if number_evenings(session) else rows.with_columns(evening=pl.lit(None))
    board = pl.col("board")
    grouped = rows.group_by("key", maintain_order=True).agg(
        board.first(),
        pl.col("board_label").drop_nulls().first(),
        pl.col("deal").drop_nulls().first(),
        pl.col("deal").drop_nulls().n_unique().alias("deals"),
        pl.col("dealer").cast(pl.String).drop_nulls().first(),
        pl.col("vulnerable").cast(pl.String).drop_nulls().first(),
        pl.col("datum").drop_nulls().first(),
        pl.col("record").drop_nulls().unique(maintain_order=True).alias("records"),
        pl.col("evening").first(),
    )
    boards = grouped.with_columns(
        pl.coalesce("dealer", board_dealer(board)).alias("dealer"),
        pl.coalesce("vulnerable", board_vulnerability(board)).alias("vulnerable"),
    ).to_dicts()
    for row in boards:
        row["stated"] = str(row["board"]) if row["board"] is not None else clean(row["board_label"])
        row["number"] = f"{row['evening']}-{row['stated']}" if row["evening"] and row["stated"] else row["stated"]
    return sorted(boards, key=_find_place)


def _find_place(row: Mapping[str, Any]) -> tuple[object, ...]:
    """Return what to sort a board by: its evening, then its number, those without a number last."""
    return row["evening"] or 0, row["board"] is None, row["board"] or 0, natural(row["board_label"])


def _make_hands(deal: str | None, worth: Mapping[str, Any]) -> tuple[Hand, ...]:
    return tuple(
        replace(
            hand,
            shape=worth[f"shape_{seat}"] or "",
            short_points=worth[f"short_{seat}"],
            long_points=worth[f"long_{seat}"],
            opening=_SUIT_LETTER.sub(lambda suit: _SIGNS[suit[0]], worth.get(f"opening_{seat}") or ""),
        )
        for hand, seat in zip(make_hands(deal), map(str.lower, SEATS), strict=False)
    )


def _make_traveller(
    fields: Mapping[str, Sequence[result_lines.Line]],
    contestants: Contestants,
    form: result_lines.PointsForm,
    replay_slugs: Mapping[int, str],
    own_lines: Mapping[int | None, result_lines.Line],
) -> tuple[TravellerRow, ...]:
    anchors = Anchors()
    rows = []
    for title, lines in fields.items():
        for line in lines:
            slug = replay_slugs.get(line["record"], "") if own_lines[line["record"]] is line else ""
            row = _make_row(line, contestants, form, anchors)
            rows.append(replace(row, replay=slug, field=title) if slug or title else row)
    return tuple(rows)


def _part_by_field(
    lines: Sequence[result_lines.Line], columns: Sequence[str]
) -> Mapping[str, Sequence[result_lines.Line]]:
    """Return the lines of a board by the title of their field, in order; without a title if all are of one."""
    fields: dict[tuple[str | None, ...], list[result_lines.Line]] = defaultdict(list)
    for line in lines:
        fields[tuple(line[name] for name in columns)].append(line)
    if len(fields) < 2:
        return {"": lines}
    ordered = sorted(fields.items(), key=lambda part_of: [natural(part) for part in part_of[0]])
    parted: dict[str, list[result_lines.Line]] = defaultdict(list)
    for field, within in ordered:
        texts = ((name == "section", text) for name, text in zip(columns, field, strict=True) if text)
        parts = (f"Section {clean(text)}" if of_section else PurePath(text).stem for of_section, text in texts)
        parted[", ".join(parts) or "Without a section"] += within
    return dict(parted)


def _make_row(
    line: result_lines.Line, contestants: Contestants, form: result_lines.PointsForm, anchors: Anchors
) -> TravellerRow:
    ns, ew = contestants.find_sides(line)
    score_ns, score_ew = result_lines.split_score(line)
    return TravellerRow(
        **vars(result_lines.make_outcome(line)),
        section=clean(line["section"]),
        round=clean(line["round"]),
        table=clean(line["table"]),
        ns=contestants.link_side(line, "NS"),
        ew=contestants.link_side(line, "EW"),
        tricks="" if line["tricks"] is None else str(line["tricks"]),
        score_ns=score_ns,
        score_ew=score_ew,
        points_ns=form.points(line["points_ns"]),
        points_ew=form.points(line["points_ew"]),
        percentage_ns=format_percentage(line["percentage_ns"]),
        percentage_ew=format_percentage(line["percentage_ew"]),
        tables=line["multiplicity"] or 1,
        anchor_ns=anchors.take(ns),
        anchor_ew=anchors.take(ew),
        against=result_lines.count_against(line["tricks"], line["dd_tricks"]),
        lead_cost=result_lines.format_cost(line["lead_cost"]),
        room=line["room"] or "",
    )


def collect_commentary(session: Session) -> dict[int, tuple[str, ...]]:
    """Return the paragraphs that the author of a file wrote about each record, by record; records without are left out.

    Files hold comments of every kind: notes that programs make for themselves, chat at the table, and what an author
    wrote to be read. Only the last is published: text in braces of RBN files, which have no other kind, and comments of
    PBN games that name their author in `[Annotator]`.
    """
    games = session.items.drop_nulls("record").join(session.sources.select("source", "format"), on="source")
    inherited = pl.col("text").str.replace("^##", "").replace("#", None).forward_fill().over("source")
    named = games.filter(pl.col("kind") == "tag", pl.col("name") == "Annotator").with_columns(inherited)
    authors = named.filter(~pl.col("text").str.strip_chars().is_in(_NOBODY))
    authored = pl.concat([authors, games.filter(pl.col("format") == "rbn")]).select("record").unique()
    place = ("record", "line", "column", "text")
    if authored.is_empty():
        return {}
    is_comment = pl.col("kind").cast(pl.String) == "comment"
    comments = pl.concat(frame.filter(is_comment).select(place) for frame in (games, session.annotations))
    bare = pl.col("text").str.replace(_BARE, "${1}${2}")
    texts = comments.join(authored, on="record").sort(place[:3], nulls_last=False).with_columns(bare)
    written: dict[int, list[str]] = {}
    for record, text in texts.select("record", "text").iter_rows():
        paragraphs = (replace_suit_codes(_MARKUP.sub("", part)) for part in _BREAK.split(text))
        written.setdefault(record, []).extend(filter(None, paragraphs))
    return {record: tuple(dict.fromkeys(paragraphs)) for record, paragraphs in written.items() if paragraphs}
