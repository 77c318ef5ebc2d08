"""The tables that readers see. Each view is a tuple of columns, from which all media take what they show.

A column that is added to a view is in the tables of pages, on a phone as a line of its own, in documents, in what the
templates of clubs are given, and, if it has a value, in CSV, JSON, Parquet and the lists of terminals:

    Column("slam", "Slam", value=pl.col("level") >= 6)

`templates/html/cells.html` writes the kinds of cells on pages, `WRITTEN` in `pdf/data.py` those of documents.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import attrgetter
from typing import Any, Final, Literal

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.plugins import Fault, explain, find
from overtrick.files.formats import session_rows


@dataclass(frozen=True)
class Paper:
    """How documents set a column."""

    width: float = 12
    """Its part of the line, beside those of the other columns; 0 for what its texts need."""
    align: Literal["left", "center", "right"] = "right"
    head: str | None = None
    """A shorter title; None: as on pages."""
    group: str = ""
    """The title that it has together with its neighbours; empty: as on pages."""
    words: bool = False
    """Whether its texts may need a second line."""
    space: float = 0
    """Room before it, in points; 0: as much as before others."""
    mm: float = 0
    """Its width in millimetres instead."""


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a view."""

    name: str
    """In CSV and JSON, and of the attribute of a row in templates: `row.points_ns`."""
    title: str = ""
    """What readers see above it, in English; `points`, `total` and `board` are what the session calls them."""
    kind: str = "text"
    """How its cells are written: as they are, as the language writes a `figure` or a `word`, or as more than a text."""
    tone: str = "more"
    """Its classes in the style sheet, which give it its place in a narrow row; `more` is a line of its own there."""
    paper: Paper | None = Paper(words=True)
    """None where documents leave it out."""
    value: pl.Expr | None = None
    """Its typed value, made of the columns of `frames.RESULTS`, in a ranking of `frames.STANDINGS`; None where CSV and
    JSON have it anyway, or not. Matches have none."""
    when: Callable[[Any], object] | None = None
    """Tells of a table whether it has the column; None: where any row has something in it."""
    side: str = ""
    """Whose it is, after the title: `N-S` or `E-W`."""
    unit: str = ""
    """What ends the title: `%`."""
    full: str = ""
    """The title in full, for those who point at it."""
    group: str = ""
    """The title that it has together with its neighbours."""
    link: str = ""
    """Where its title leads: an address from the site's root, or a place on the same page."""
    before: str = ""
    """A word before its texts in a narrow row, which has no titles: `with`."""
    after: str = ""
    """The same, after them."""
    is_named: bool = False
    """Whether its title stands beside each of its texts in a narrow row."""
    is_spoken: bool = False
    """Whether only screen readers read the title."""
    is_head: bool = False
    """Whether its cells are the heads of their rows."""
    of_contract: bool = False
    """Whether it is one of those in whose place a row without a contract has a word."""
    on_pages: bool = True
    """Whether pages have it; what they say in another column may be one by itself in documents."""

    def of(self, row: Any) -> Any:  # noqa: ANN401 - whatever the rows of a view hold
        """Return what a row has in the column: an attribute, else one of its `more`."""
        value = getattr(row, self.name, None)
        return getattr(row, "more", {}).get(self.name) if value is None else value

    def is_in(self, table: "Table") -> bool:
        """Return whether a table has the column."""
        return bool(self.when(table)) if self.when else any(self.of(row) for row in table.rows)


View = tuple[Column, ...]
Table = Any
"""What has `rows`, whose attributes have the names of columns: a board, a scorecard, a ranking."""


def choose_columns(view: View, table: Table) -> View:
    """Return the columns that a table of a page has."""
    return tuple(column for column in view if column.on_pages and column.is_in(table))


@dataclass(frozen=True)
class Listing:
    """A table that is its rows and nothing else."""

    view: View
    rows: Sequence[Any]

    @cached_property
    def columns(self) -> View:
        """The columns of a page."""
        return choose_columns(self.view, self)


def list_rows(view: str, rows: Sequence[Any]) -> Listing:
    """Return rows as a table of a view of this module, by its name; templates call it as `view`."""
    return Listing(globals()[view], rows)


def columns_of(view: str) -> cached_property[View]:
    """Return what gives a table its `columns`: those that it has of a view of this module, by its name."""
    return cached_property(lambda table: choose_columns(globals()[view], table))


def _always(_: object) -> bool:
    return True


def _any_of(*names: str) -> Callable[[Table], bool]:
    """Return what tells whether any row of a table has something in any of these, which are shown together."""
    read = [attrgetter(name) for name in names]
    return lambda table: any(of(row) for row in table.rows for of in read)


_SEATED: Final = _any_of("ns.id", "ew.id")
_SCORED: Final = _any_of("points_ns", "points_ew")
_PER_CENT: Final = _any_of("percentage_ns", "percentage_ew")
_SIDE: Final = partial(Paper, group="Pair", words=True)
_POINTS: Final = partial(Paper, 10, group="points")
_MADE: Final = partial(Column, of_contract=True)


def _load_columns() -> tuple[dict[str, View], list[Fault]]:
    """Return the columns that plugins add (`overtrick.columns`), by view, and the plugins that cannot be used."""
    added: dict[str, View] = {"traveller": (), "scorecard": (), "ranking": ()}
    faults = []
    for name, plugin in find("overtrick.columns").loaded:
        try:
            for view, column in plugin.items():
                of = "standings" if view == "ranking" else "results"
                # A name that is taken, or a value of a column that there is not, raises here and not in an evening.
                value = getattr(Session(), of).select(column.value.alias(column.name))
                getattr(session_rows, f"list_{of}")(Session()).hstack(value)
                added[view] += (column,)
        except Exception as error:  # noqa: BLE001 - whatever another package does
            faults.append(Fault(f"overtrick.columns:{name}", explain(error)))
    return added, faults


_ADDED, FAULTS = _load_columns()


_AGAINST: Final = Column(
    *("against", "DD", "against", "num dd", None),
    when=lambda of: any(row.against is not None for row in of.rows),
    full="Tricks against double dummy",
    before="double dummy",
)


def _contract(contract: Paper, by: float, lead: float, result: float) -> View:
    """Return the columns of the contract and its result, and how wide each is on paper."""
    return (
        _MADE("contract", "Contract", "contract", "bid", contract, when=_always),
        _MADE("declarer", "By", "word", "by", Paper(by, "center"), when=_always),
        _MADE("lead", "Lead", "card", "lead", Paper(lead, "left")),
        _MADE("result", "Result", "text", "made", Paper(result), when=_always),
        _AGAINST,
    )


TRAVELLER: Final[View] = (
    Column("section", "Section", "text", "sec", Paper(7, "left", "Sec.", words=True), when=lambda of: of.has_sections),
    Column("ns", "North-South", "side", "ns", _SIDE(8, head="N-S"), when=_SEATED),
    Column("ew", "East-West", "side", "ew", _SIDE(8, head="E-W"), when=_SEATED),
    *_contract(Paper(14, "left", words=True, space=6), 6, 8, 12),
    Column("score_ns", "N-S", "text", "num s-ns", Paper(10, group="Score"), when=_always),
    Column("score_ew", "E-W", "text", "num s-ew", Paper(10, group="Score"), when=_always),
    Column("points_ns", "points", "figure", "num p-ns", _POINTS(head="N-S"), when=_SCORED, side="N-S"),
    Column("points_ew", "points", "figure", "num p-ew", _POINTS(head="E-W"), when=_SCORED, side="E-W"),
    Column("percentage_ns", "N-S", "figure", "num pct", None, unit="%", when=_PER_CENT),
    Column("replay", "Auction and play", "replay", "again", None, when=lambda of: of.replays, is_spoken=True),
    Column("tables", "", "tables", paper=Paper(words=True), on_pages=False),
    *_ADDED["traveller"],
)
"""The results of a board."""

FREQUENCIES: Final[View] = (
    Column("score", "N-S", "text", "num", None, when=_always, is_head=True),
    Column("contracts", "Contracts", "played", "played", None),
    Column("tables", "Tables", "bar", "often", None, when=_always),
    Column("points_ns", "points", "figure", "num", None, when=_SCORED, side="N-S"),
    Column("points_ew", "points", "figure", "num", None, when=_SCORED, side="E-W"),
)
"""The scores of a board, each with the contracts that gave it."""

SCORECARD: Final[View] = (
    Column("round", "Round", "text", "round", Paper(11, words=True)),
    Column("board", "board", "board", "board", Paper(11), when=_always, is_head=True),
    Column("seats", "seats", "word", "seats", Paper(15, "left", "Seats"), when=lambda of: of.names_seats),
    Column("partner", "Partner", "partner", "with", Paper(34, "left", words=True), before="with"),
    Column("opponents", "Opponents", "opponents", "vs", Paper(74, "left", words=True), when=_any_of("opponents.id")),
    *_contract(Paper(17, "left", words=True), 9, 11, 14),
    Column("score", "Score", "text", "num score", Paper(16), when=lambda of: not of.of_deals),
    Column("points", "points", "marked", "num pts", Paper(14)),
    Column("percentage", "%", "figure", "num pct", Paper(14)),
    Column("running", "Running", "figure", "num run", Paper(15), when=lambda of: of.chart),
    Column("causes", "Causes", "causes", "shape", None, when=lambda of: of.bars, link="#splits"),
    Column("mark", "", "mark", paper=Paper(15, "left"), on_pages=False),
    *_ADDED["scorecard"],
)
"""The boards of a contestant."""

SUMMED: Final = ("points", "percentage", "running", "causes")
"""The columns of a scorecard below which its total stands."""

RANKING: Final[View] = (
    Column("rank", "Place", "place", "place", Paper(mm=7.5, head=""), when=_always),
    Column("number", "No.", "number", paper=Paper(0), on_pages=False),
    Column("contestant", "Names", "contestant", "names", Paper(1, "left"), when=_always, is_head=True),
    Column("boards", "Boards", "text", "num boards", Paper(0), when=lambda of: of.has_boards),
    Column("total", "total", "total", "num total", Paper(0), when=_always),
    Column("percentage", "%", "total", "num pct", Paper(0)),
    Column("awards", "Masterpoints", "figure", "num award", None),
    *_ADDED["ranking"],
)
"""The contestants of a field."""

ROOM: Final[View] = (RANKING[0], replace(RANKING[2], kind="pair"), *(replace(of, when=_always) for of in RANKING[3:5]))
"""The Butler of the pairs of teams."""


MATCHES: Final[View] = (
    Column("team", "team", "team", "names", Paper(1, "left"), when=_always, is_head=True),
    Column("opponents", "Opponents", "team", "names", Paper(1, "left"), when=_always),
    Column("boards", "Boards", "text", "num boards", Paper(0)),
    Column("points", "points", "match", "num", Paper(mm=26), is_named=True),
    Column("victory_points", "VP", "victory", "num", Paper(mm=30), is_named=True),
)
"""The matches of a round."""

_ON_PAGES: Final = partial(Column, paper=None, when=_always)
_HEAD: Final = partial(_ON_PAGES, is_head=True)
_TEXT: Final = partial(_ON_PAGES, kind="text", tone="num")
_FIGURE: Final = partial(_TEXT, kind="figure")
_WORD: Final = partial(_TEXT, kind="word", tone="")
_PERSON: Final = partial(_HEAD, "ref", kind="person", tone="names")
_POINTS_OF_SHEET: Final = partial(Column, kind="text", tone="num", paper=Paper(8), when=_always, is_named=True)

SHEET: Final[View] = (
    Column("deal", "Deal", "deal", "of-deal", Paper(0, "left"), when=_always),
    Column("kind", "For", "word", "", Paper(0, "left"), when=_always, is_head=True),
    _POINTS_OF_SHEET("above_ns", "above", group="N-S"),
    _POINTS_OF_SHEET("below_ns", "below", group="N-S"),
    _POINTS_OF_SHEET("above_ew", "above", group="E-W"),
    _POINTS_OF_SHEET("below_ew", "below", group="E-W"),
    Column("so_far", "Running", "text", "num so-far", Paper(0), when=_always),
)
"""The lines of a score sheet."""

SHEETS: Final[View] = (
    _HEAD("name", "Names", "signed", "names"),
    _TEXT("sheets", "Sheets"),
    _TEXT("won", "Won"),
    _TEXT("lost", "Lost"),
    _TEXT("difference", "Difference", kind="strong"),
)
"""The totals of all score sheets."""

_SHORT: Final = "Points for short suits: void 3, singleton 2, doubleton 1"
_LONG: Final = "Points for long suits: 1 for each card after the fourth"

HANDS: Final[View] = (
    _HEAD("seat", "", "word", ""),
    Column("points", "HCP", "known", "num", Paper(0), when=_always),
    Column("shape", "Shape", "text", "num", Paper(0), when=_always),
    Column("short_points", "Short suits", "plus", "num", Paper(0), when=_always, full=_SHORT),
    Column("long_points", "Long suits", "plus", "num", Paper(0), when=_always, full=_LONG),
    Column("opening", "Opens", "call", "num", Paper(0), full="Opening bid by the Standard American card"),
)
"""The hands of a board. In hand records, beside the diagram, each column is a line."""

_BEST: Final = _FIGURE("best", "Best", tone="num best", unit="%")
_AVERAGE: Final = _FIGURE("average", "Average", tone="num pct", unit="%")
_AWARDS: Final = Column("awards", "Masterpoints", "figure", "num award", None)
_PLAYED: Final = partial(_TEXT, tone="num sessions-played")
_MEAN: Final = (_FIGURE("mean", "Mean"), _FIGURE("low", "95 per cent interval", kind="interval"))

PLAYERS: Final[View] = (_PERSON("Player"), _PLAYED("count", "Evenings"), _BEST, _AVERAGE, _AWARDS)
"""The players of a season."""

REGULARS: Final[View] = (_PERSON("Player"), _PLAYED("count", "Sessions"), _BEST, _AVERAGE)
"""The players of a season with two sessions or more."""

PARTNERS: Final[View] = (_PERSON("Partner"), _PLAYED("count", "Evenings"), _BEST, _AVERAGE)
"""The partners of a player."""

EVENINGS: Final[View] = (
    _ON_PAGES("date_text", "Date", "day", "date"),
    _HEAD("title", "Evening", "link", "names"),
    _ON_PAGES("partner", "Partner", "person", "with", when=_any_of("partner.name")),
    _ON_PAGES("place", "Place", "place", "num place"),
    _TEXT("field", "of", tone="num field", before="of"),
    _ON_PAGES("total", "Total", "scored", "num total"),
    _FIGURE("percentage", "%", tone="num pct", after="%"),
    _AWARDS,
)
"""The evenings of a player."""

RIVALS: Final[View] = (
    _PERSON("Opponents"),
    _TEXT("count", "Boards", tone="num boards", is_named=True),
    _ON_PAGES("date_text", "Last met", "met", "date"),
    replace(_AVERAGE, unit=""),
)
"""Head to head: a player against each opponent."""

SHARES: Final[View] = (_HEAD("name", "", "word", ""), _TEXT("count", "Boards"), _FIGURE("average", "Average"))
"""What a player's boards brought as declarer and as defender."""

BEST_BOARDS: Final[View] = (
    _HEAD("board", "Board", "link", "names"),
    _TEXT("date_text", "Date", tone="date"),
    _ON_PAGES("contract", "Contract", "bid", "bid"),
    _WORD("declarer", "By", tone="by"),
    _TEXT("result", "Result", tone="made"),
    _TEXT("score", "Score", tone="num score"),
    _FIGURE("earned", "Earned", tone="num pct"),
)
"""The best boards of a player."""

FIGURES: Final[View] = (_HEAD("name", "Part", "word", ""), _WORD("unit", "Unit"), _TEXT("count", "Boards"), *_MEAN)
"""Where a player's points went."""

_PART: Final = partial(Column, kind="part", tone="num", paper=None, is_named=True)

SLICES: Final[View] = (
    _HEAD("name", "Boards", "slice", "names"),
    _TEXT("count", "Number"),
    _PART("distance", "Distance"),
    _PART("bidding", "Bidding"),
    _PART("cards", "Own cards"),
    _PART("opponents", "Opponents"),
)
"""The same, of boards of one kind."""

HARDEST: Final[View] = (_HEAD("contract", "Contract", "bid", ""), _TEXT("count", "Tables"), *_MEAN)
"""The contracts that the declarers of a season found hardest."""

LEADERS: Final[View] = (_PERSON("Names"), _TEXT("count", "Leads"), *_MEAN)
"""Those whose leads won most in a season."""

SERIES: Final[View] = (
    _ON_PAGES("rank", "Place", "rank", "place"),
    _ON_PAGES("moved", "Moved", "moved", "num moved", when=lambda of: len({row.moved for row in of.rows}) > 1),
    _HEAD("players", "Names", "entrant", "names"),
    Column("total", "unit", "exact", "num pct", None),
    _PLAYED("evenings", "Evenings"),
    Column("next_up", "To move up", "figure", "num best", None),
)
"""The table of a series, before the scores of each evening."""

_EVENING: Final = partial(_ON_PAGES, kind="counted", is_named=True)


def list_evenings(heads: Sequence[tuple[str, str, str]]) -> View:
    """Return the columns of the evenings of a series, of which each has a short title, a full one and a page.

    A row has the score of the first evening as `more["evening_1"]`.
    """
    return tuple(
        _EVENING(f"evening_{at}", short, tone=f"num evening-{at}", full=full, link=page)
        for at, (short, full, page) in enumerate(heads, start=1)
    )


_BOARD: Final = _HEAD("board", "Board", "link", "at-board")
_CONTRACT: Final = _ON_PAGES("contract", "Contract", "bid", "")
_OF_FIELD: Final = (
    _WORD("declarer", "By"),
    _TEXT("tables", "Tables"),
    _TEXT("double_dummy", "Double dummy"),
    _FIGURE("made", "Tricks"),
)

FIELD: Final[View] = (HARDEST[0], *_OF_FIELD, _FIGURE("expected", "Expected"), _FIGURE("earned", "Earned"))
"""What each contract of a board was worth to the field."""

HARD_CONTRACTS: Final[View] = (_BOARD, _CONTRACT, *_OF_FIELD, _FIGURE("against", "Difference"))
"""The contracts of an evening furthest below double dummy."""

GOOD_LEADS: Final[View] = (
    _BOARD,
    _CONTRACT,
    _OF_FIELD[0],
    _ON_PAGES("card", "Lead", "card", ""),
    _TEXT("wrong", "Gave up tricks", kind="share"),
    _ON_PAGES("leaders", "Names", "several", "names"),
)
"""The leads of an evening that gave up no trick where most did."""

DECIDED: Final[View] = (
    replace(_BOARD, tone="board"),
    _FIGURE("first", "First"),
    _FIGURE("second", "Second"),
    _FIGURE("difference", "Difference"),
)
"""The boards that decided an evening."""


def list_values(*views: View) -> list[pl.Expr]:
    """Return the values of the columns that CSV and JSON do not have anyway, named as the columns."""
    return [
        *{
            column.name: column.value.alias(column.name)
            for view in views
            for column in view
            if column.value is not None
        }.values()
    ]


def list_results(session: Session) -> pl.DataFrame:
    """Return every scored line of every board: `session_rows.list_results`, and the other values of its views."""
    return session_rows.list_results(session).hstack(session.results.select(list_values(TRAVELLER, SCORECARD)))


def list_standings(session: Session) -> pl.DataFrame:
    """Return the standings: `session_rows.list_standings`, and the other values of the rankings."""
    return session_rows.list_standings(session).hstack(session.standings.select(list_values(RANKING)))
