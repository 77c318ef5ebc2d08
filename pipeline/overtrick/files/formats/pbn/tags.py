"""The tags of PBN, one row each: what the reader, the checks and the writers know about a tag, they know from here.

A new tag is a row of `TAGS`, a new column of a table an entry of its tag's `cells`. If a value is read into a column of
a frame, `frames` describes that column.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

import polars as pl

from overtrick.core import notation
from overtrick.files.formats.pbn import forms
from overtrick.files.formats.pbn.forms import Beside, Form, Read

ReadBySide = Callable[[pl.Expr, pl.Expr], pl.Expr]


class Export(NamedTuple):
    """How export form states a mandatory tag."""

    writes: Read | None = None
    """Returns the value, from the columns of a record and given what the file says; null where the record does not know
    it. None for tags that are written as the file has them."""
    pattern: str | None = None
    """Matches a value as export form writes it, where import form leaves some freedom (3.4, 3.11)."""


class Tag(NamedTuple):
    """One tag."""

    name: str
    section: str | None
    """Where PBN 2.1 describes it; None for a tag in wide use that the standard does not have."""
    text: str | None = None
    """The column of `frames.RECORDS` that holds the value as a text, null for `?` and for nothing."""
    reads: Mapping[str, Read] = MappingProxyType({})
    """By column of `frames.RECORDS`, how to read the value; null for what is unknown or cannot be read."""
    by_side: Mapping[str, ReadBySide] = MappingProxyType({})
    """The same for values that mean declarer's side unless they name another; the second expression is declarer."""
    irregular: str | None = None
    """The column that is true where a `^` marks the value as irregular."""
    varied: bool = False
    """Whether nearly every game has another value, so that reading each distinct one once saves nothing."""
    form: Form | None = None
    """None where any text is a value."""
    beside: tuple[Beside, ...] = ()
    """Rules for a value beside others; by itself it is right."""
    unreadable: str | None = None
    """The problem that reading reports for a value it cannot read; None leaves that to the checks of the standard."""
    export: Export | None = None
    """None for tags that export form does not need in every game (3.4)."""
    inherits: bool = True
    """Whether `#` and `##` may stand for its value (4.8)."""
    of_board: bool = False
    """Whether it describes the board, and not what happened at a table."""
    follows: bool = False
    """Whether records and annotations hold all that the tag and the section below it say, as of every mandatory tag."""
    heads: Literal["nothing", "part", "table"] = "nothing"
    """Its section: none, calls or cards (an auction or a play), or the rows of a table (5)."""
    needs: tuple[str, ...] = ()
    """Tags that its section needs before it (3.1)."""
    becomes: Literal["results", "contestants"] | None = None
    """The frame that the rows of a table become."""
    cells: Mapping[str, Form] = MappingProxyType({})
    """The predefined columns of a table (5.3 to 5.10), and how their cells look."""
    times: Literal["calls", "cards"] | None = None
    """The column of `frames.RECORDS` of whose entries each row of a table tells the time (5.4, 5.8)."""
    keys: tuple[str, ...] = ()
    """Columns whose values no two rows of a table share (5.7)."""
    rows: int | None = None
    """How many such rows a whole table has (5.7)."""

    @property
    def mandatory(self) -> bool:
        """Whether export form needs it in every game, in the order of the table (3.4)."""
        return self.export is not None

    @property
    def in_record(self) -> bool:
        """Whether a game that is written from its record needs nothing else for this tag."""
        return self.follows or self.mandatory


def names(**having: object) -> list[str]:
    """Return the names of the tags whose fields have these values, in the order of the table."""
    return [*list_names(frozenset(having.items()))]


@cache
def list_names(having: frozenset[tuple[str, object]]) -> tuple[str, ...]:
    """Return the same as `names`, found once."""
    return tuple(tag.name for tag in TAGS.values() if all(getattr(tag, name) == value for name, value in having))


def held_names() -> list[str]:
    """Return the names of the tags whose values other frames than items hold."""
    return [tag.name for tag in TAGS.values() if tag.in_record or tag.text or tag.reads or tag.by_side or tag.becomes]


def standard_names() -> list[str]:
    """Return the names of the tags that PBN 2.1 has."""
    return [tag.name for tag in TAGS.values() if tag.section]


def _written_date(stated: pl.Expr) -> pl.Expr:
    """Write a date as `YYYY.MM.DD` (3.4.3), `?` for what its form leaves open: 5/6/2023 may be of May or of June."""
    year = stated.str.extract(r"(?:^|[^0-9])([0-9]{4})(?:[^0-9]|$)") + pl.lit(".??.??")
    return pl.when(pl.col("date").str.contains(r"^[0-9?]{4}\.[0-9?]{2}\.[0-9?]{2}$")).then("date").otherwise(year)


def _written_board(_: pl.Expr) -> pl.Expr:
    return pl.when(pl.col("board").is_not_null()).then(pl.col("board_label").str.strip_chars())


def _column(name: str) -> Read:
    return lambda _: pl.col(name).cast(pl.String)


def _unless_passed_out(name: str) -> Read:
    """Write declarer or tricks with its `^`; a game that was passed out has neither (3.4.13, 3.4.15)."""

    def written(stated: pl.Expr) -> pl.Expr:
        caret = pl.when(stated.str.contains(r"^\s*\^")).then(pl.lit("^")).otherwise(pl.lit(""))
        passed = pl.col("level").eq_missing(0)
        return pl.when(passed).then(pl.lit("")).otherwise(caret + pl.col(name).cast(pl.String))

    return written


def _written_contract(_: pl.Expr) -> pl.Expr:
    return pl.coalesce(notation.contract_text(), pl.col("strain").cast(pl.String))


_UNITS: Final = r"[0-9]{1,6}\s+[0-9]{1,6}\s*/\s*[0-9]{1,6}(?:\s+[0-9]{1,6}){0,2}"
_SCORINGS: Final = (
    "MP MatchPoints IMP Cavendish Chicago Rubber BAM Instant Butler Butler-2 Experts Cross Cross1 Cross2 Mean Median "
    "MP1 MP2 OldMP Mitchell2 Mitchell3 Mitchell4 Ascherman Bastille EMP IMP_1948 IMP_1961"
).replace(" ", "|")

_TIMES: Final = dict.fromkeys(("Time", "TotalTime"), forms.TIME)
_SEATS: Final = ("West", "North", "East", "South")


_POINTS: Final[Mapping[str, ReadBySide]] = {"stated_points_ns": notation.for_ns}
_TOTALS: Final = "TotalScore TotalIMP TotalMP TotalPercentage MeanScore MeanIMP MeanMP".split()


def _points(name: str, section: str, pattern: str, expected: str, by_side: Mapping[str, ReadBySide] = _POINTS) -> Tag:
    """Return a tag of points, of declarer's side or of the sides that it names."""
    form = Form(forms.five_forms(pattern), expected)
    return Tag(name, section, by_side=by_side, form=form)


def _part(name: str, section: str, start: str, *needs: str) -> Tag:
    """Return the tag of an auction or a play, whose value is the seat of its first column."""
    tag = Tag(name, section, reads={start: notation.seat}, form=forms.ONE_SEAT, needs=needs)
    return tag._replace(inherits=False, follows=True, heads="part")


def _table(name: str, section: str, /, **cells: Form) -> Tag:
    """Return the tag of a table with its columns."""
    return Tag(name, section, heads="table", cells=cells)


TAGS: Final[dict[str, Tag]] = {
    tag.name: tag
    for tag in (
        # The mandatory tags, in the order of export form (3.4).
        Tag("Event", "3.4.1", text="event", export=Export()),
        Tag("Site", "3.4.2", text="site", export=Export()),
        Tag("Date", "3.4.3", reads={"date": notation.text}, form=forms.DAY, export=Export(_written_date)),
        Tag(
            "Board",
            "3.4.4",
            text="board_label",
            reads={"board": notation.board},
            varied=True,
            form=Form(r"[1-9][0-9]*", "a whole number above 0, such as 7"),
            unreadable="pbn-tag-value/board",
            export=Export(_written_board),
            of_board=True,
        ),
        *(Tag(seat, f"3.4.{number}", text=seat.lower(), export=Export()) for number, seat in enumerate(_SEATS, 5)),
        Tag(
            "Dealer",
            "3.4.9",
            reads={"dealer": notation.seat},
            form=forms.ONE_SEAT,
            unreadable="pbn-tag-value/tag",
            export=Export(_column("dealer"), "[NESW]"),
            inherits=False,
            of_board=True,
        ),
        Tag(
            "Vulnerable",
            "3.4.10",
            reads={"vulnerable": notation.vulnerable},
            form=Form("(?i:None|Love|-|NS|EW|All|Both)", "None, NS, EW or All", others="spellings"),
            unreadable="pbn-tag-value/tag",
            export=Export(_column("vulnerable"), "None|NS|EW|All"),
            inherits=False,
            of_board=True,
        ),
        # `read.deals` reads it, and reports what is wrong with it.
        Tag("Deal", "3.4.11", export=Export(_column("deal"), "[NESW]:[^a-z]*"), inherits=False, of_board=True),
        Tag(
            "Scoring",
            "3.4.12",
            text="scoring",
            form=Form(f"(?i:{_SCORINGS})(?:;(?i:{_SCORINGS}))*", others="allowed"),
            export=Export(),
        ),
        Tag(
            "Declarer",
            "3.4.13",
            reads={"declarer": notation.seat},
            irregular="irregular_declarer",
            form=Form(rf"\^?{forms.SEAT}", "N, E, S or W, or ^ and one of them"),
            unreadable="pbn-tag-value/tag",
            export=Export(_unless_passed_out("declarer"), r"\^?[NESW]"),
            inherits=False,
            beside=(forms.PASSED_OUT,),
        ),
        Tag(
            "Contract",
            "3.4.14",
            reads={"level": notation.level, "strain": notation.strain, "doubled": notation.doubled},
            form=Form("<CONTRACT>|<DENOMINATION>", "Pass or a contract such as 3NT or 4SX", others="spellings"),
            unreadable="pbn-tag-value/tag",
            export=Export(_written_contract, "<CONTRACT>|<DENOMINATION>"),
            inherits=False,
            beside=(forms.NO_LEVEL, forms.END_POSITION),
        ),
        Tag(
            "Result",
            "3.4.15",
            by_side={"tricks": notation.tricks},
            irregular="irregular_tricks",
            form=Form(
                rf"\^?{forms.five_forms(forms.TRICKS)}",
                "declarer's tricks from 0 to 13, or a side's, such as NS 9 EW 4",
            ),
            unreadable="pbn-tag-value/tag",
            export=Export(_unless_passed_out("tricks"), r"\^?[0-9]+"),
            beside=(forms.RESULT_LONE, forms.RESULT_SUM, forms.PASSED_OUT),
        ),
        # Calls and cards, and what is said of them (3.5, 3.6).
        _part("Auction", "3.5", "auction_start", "Dealer"),
        _part("Play", "3.6", "play_start", "Deal", "Declarer", "Contract"),
        Tag("Note", "3.5.4", inherits=False, follows=True),
        # The game (4.1).
        Tag(
            "Competition", "4.1.1", form=Form("(?i:Cavendish|Chicago|Individuals|Pairs|Rubber|Teams)", others="allowed")
        ),
        Tag("DealId", "4.1.2", beside=(forms.DEAL_ID,)),
        Tag("Description", "4.1.3"),
        Tag("FrenchMP", "4.1.4", form=Form("(?i:Yes|No)", "Yes or No")),
        Tag("Generator", "4.1.5"),
        Tag(
            "Hidden",
            "4.1.6",
            form=Form("(?i:[WNES]+)", "W, N, E or S, or several of them, each once", holds=forms.each_once),
        ),
        Tag("Room", "4.1.7", text="room", form=Form("(?i:Open|Closed)", "Open or Closed"), follows=True),
        Tag(
            "Termination",
            "4.1.8",
            form=Form(
                "(?i:abandoned|adjudication|death|emergency|normal|rules infraction|time forfeit|unterminated)",
                others="allowed",
            ),
        ),
        # Scores (4.2).
        Tag(
            "Score",
            "4.2.1",
            by_side={"stated_score_ns": notation.points_for_ns},
            form=Form(forms.five_forms(r"[+-]?[0-9]+"), "points, such as -50, NS 420 or EW 50"),
            unreadable="pbn-tag-value/tag",
        ),
        # Both become one column; matchpoints count where a game states both.
        _points("ScoreMP", "4.2.3", forms.DECIMAL, "matchpoints, such as 12, NS 7.5 or EW 3"),
        _points("ScoreIMP", "4.2.2", forms.DECIMAL, "IMPs, such as 5, NS -2.5 or EW 3"),
        _points("ScorePercentage", "4.2.4", forms.PERCENT, "0 to 100, such as 54.2 or NS 54.2")._replace(
            by_side={"stated_percentage_ns": notation.percentage_for_ns}, follows=True
        ),
        _points("ScoreRubber", "4.2.5", r"[0-9]+\s*/\s*[0-9]+", "points above and below the line, such as 300/40", {}),
        Tag(
            "ScoreRubberHistory",
            "4.2.6",
            form=Form(
                rf"\s*NS\s+{_UNITS}\s+EW\s+{_UNITS}\s*",
                "NS and EW, each with two numbers above and one to three below the line, such as NS 0 30/40 EW 0 0/0",
            ),
            beside=(forms.RUBBER_HISTORY,),
        ),
        Tag(
            "OptimumScore",
            "4.2",
            form=Form(rf"\s*(?:{forms.side_named('[+-]?[0-9]+')})\s*", "a side and its points, such as NS 420"),
        ),
        # The players (4.3).
        *(Tag(f"BidSystem{side}", "4.3.1") for side in ("EW", "NS")),
        Tag("PairEW", "4.3.2", text="pair_ew"),
        Tag("PairNS", "4.3.2", text="pair_ns"),
        *(Tag(f"{seat}NA", "4.3.3") for seat in _SEATS),
        *(Tag(f"{seat}Type", "4.3.4", form=forms.PLAYER) for seat in _SEATS),
        # The event (4.4).
        Tag("EventDate", "4.4.1", form=forms.DAY),
        Tag("EventSponsor", "4.4.2"),
        Tag("HomeTeam", "4.4.3", text="home_team", follows=True),
        Tag(
            "Round",
            "4.4.4",
            text="round",
            form=Form(r"[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*", "letters, digits and _, parts joined by dots"),
            follows=True,
        ),
        Tag("Section", "4.4.5", text="section", follows=True),
        Tag("Stage", "4.4.6"),
        Tag("Table", "4.4.7", text="table", form=Form(r"0*[1-9][0-9]*", others="allowed"), follows=True),
        Tag("VisitTeam", "4.4.8", text="visit_team", follows=True),
        # The IMPs that a team brings into this part of a match, which the standard has no tag for.
        Tag("HomeCarryOver", None, reads={"home_carry": notation.number}, follows=True),
        Tag("VisitCarryOver", None, reads={"visit_carry": notation.number}, follows=True),
        # Time and date (4.5), time control (4.6).
        Tag("Time", "4.5.1", form=forms.CLOCK),
        Tag("UTCDate", "4.5.2", form=forms.DAY),
        Tag("UTCTime", "4.5.3", form=forms.CLOCK),
        Tag("TimeControl", "4.6.1", form=Form(r"[0-9]+/[0-9]+|-", "games/minutes, such as 4/30")),
        Tag("TimeCall", "4.6.2", form=forms.SECONDS),
        Tag("TimeCard", "4.6.3", form=forms.SECONDS),
        # Miscellaneous (4.7).
        Tag("Annotator", "4.7.1"),
        Tag("AnnotatorNA", "4.7.2"),
        Tag("Application", "4.7.3"),
        Tag("Mode", "4.7.4", form=Form("(?i:EM|EMB|IBS|OKB|TABLE|TC)", others="allowed")),
        # Tables (5.3 to 5.10).
        _table(
            "ActionTable",
            "5.3",
            Rank=forms.COUNT,
            Call=Form("(?i:Pass|X{1,2}|AP|<BID>|0)", "a call, such as 1H or Pass", own_order=True),
            Card=Form("<STANDARD_CARD>|<SUIT>|0", "a card, such as SA", own_order=True),
            Declarer=forms.ONE_SEAT,
            Contract=forms.CONTRACT,
            Percentage=forms.PERCENTAGE,
        ),
        Tag("AuctionTimeTable", "5.4", heads="table", needs=("Auction",), cells=_TIMES, times="calls"),
        _table(
            "InstantScoreTable",
            "5.5",
            Rank=forms.COUNT,
            **forms.of_both_sides(ScoreRange=forms.SCORE_RANGE, IMP=forms.NUMBER, Percentage=forms.PERCENTAGE),
        ),
        _table(
            "OptimumPlayTable",
            "5.6",
            **dict.fromkeys("SHDC", Form(r"(?i:[AKQJT2-9]+)", "ranks such as AQ3", own_order=True)),
        ),
        _table(
            "OptimumResultTable",
            "5.7",
            Declarer=forms.ONE_SEAT,
            Denomination=Form("<DENOMINATION>", "NT, S, H, D or C", own_order=True),
            Result=forms.RESULT,
        )._replace(keys=("Declarer", "Denomination"), rows=20),
        Tag("PlayTimeTable", "5.8", heads="table", needs=("Play",), cells=_TIMES, times="cards"),
        _table(
            "ScoreTable",
            "5.9",
            Rank=forms.COUNT,
            Contract=forms.CONTRACT._replace(cannot_be=forms.no_level),
            Declarer=forms.ONE_SEAT._replace(pattern=rf"\^?{forms.SEAT}"),
            Result=forms.RESULT._replace(cannot_be=forms.too_many_tricks),
            Lead=Form("<SUIT><RANK>", "a card, such as SA"),  # of all programs, though not of the standard
            **forms.of_both_sides(Score=forms.POINTS, IMP=forms.NUMBER, MP=forms.NUMBER, Percentage=forms.PERCENTAGE),
            Multiplicity=forms.COUNT,
        )._replace(becomes="results"),
        _table(
            "TotalScoreTable",
            "5.10",
            Rank=forms.COUNT,
            **dict.fromkeys(_TOTALS, forms.NUMBER),
            MeanPercentage=forms.PERCENTAGE,
            NrBoards=Form(r"[0-9]+", "a number of boards"),
            Multiplicity=forms.COUNT,
        )._replace(becomes="contestants"),
        # Of no standard, and never above a section.
        Tag("DoubleDummyTricks", None),
    )
}
