"""Where the points of a contestant went: its distance from average on each board, parted into causes that add up.

A sentence for each board says what moved it most.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate
from typing import Any, Final, Protocol

from overtrick.core.bridge.cards import CARDS, SIDE_OF_SEAT
from overtrick.judge.analyse.deals import CAUSES
from overtrick.show.html.contestants import Card, Contract, make_card, make_contract
from overtrick.show.html.result_lines import Line
from overtrick.show.text.display import SIDES, format_signed

_Bid = tuple[int, str, str]
"""Level, strain and the side that declares."""


@dataclass(frozen=True)
class Story:
    """What moved a contestant's score most on a board, as the sentence of a page says it.

    Attributes:
        cause: one of `analyse.deals.CAUSES`.
        points: what it was worth, with its sign.
        declared: whether the contestant declared.
        contract: the contract.
        usual: the contract of most tables, if that is another one.
        sides: who declared that one, and who this one, `N-S` or `E-W`; empty texts where the same side did.
        count: how many tables were in it.
        tables: how many tables there are.
        tricks: tricks made.
        others: the mean of the other tables in that strain by that side, as people read it; empty without any.
        better: the card that would have given up no trick, where points were lost; None where none is known.
        trick: the trick of that card, from 1.
        board: how the board is called.
        board_page: its page.
        trick_page: where the replay of that trick is; empty where none is shown.
    """

    cause: str
    points: str
    declared: bool
    contract: Contract
    usual: Contract | None = None
    sides: tuple[str, str] = ("", "")
    count: int = 0
    tables: int = 0
    tricks: int | None = None
    others: str = ""
    better: Card | None = None
    trick: int = 0
    board: str = ""
    board_page: str = ""
    trick_page: str = ""


@dataclass
class _Board:
    """The tables of a board that are compared with each other."""

    bids: Counter[_Bid] = field(default_factory=Counter)
    tricks: dict[tuple[str, str], list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))


class Stories:
    """The sentences of a session's boards."""

    def __init__(self, lines: Iterable[Line], columns: Sequence[str]) -> None:
        """Take all lines of a session, and the columns besides the board by which they were compared apart."""
        self._columns = ("key", *columns)
        self._boards: dict[tuple[Any, ...], _Board] = defaultdict(_Board)
        for line in lines:
            if line["level"] and line["declarer"]:
                board, tables = self._boards[self._place(line)], line["multiplicity"] or 1
                board.bids[_read_bid(line)] += tables
                if line["tricks"] is not None:
                    board.tricks[_read_bid(line)[1:]].append((line["tricks"], tables))

    def _place(self, line: Line) -> tuple[Any, ...]:
        return tuple(line[column] for column in self._columns)

    def tell(self, line: Line, side: str, parts: Sequence[Fraction], places: int) -> Story | None:
        """Return the sentence of a line as a side sees it; None for a board on which nothing moved.

        Args:
            line: the result, which was analysed.
            side: of the contestant.
            parts: its parts, in the order of `CAUSES`.
            places: the decimals of the parts.
        """
        most = max(range(len(parts)), key=lambda at: (abs(parts[at]), -at))
        if not parts[most] or not line["level"] or not line["declarer"]:
            return None
        there, bid = self._boards[self._place(line)], _read_bid(line)
        usual, count = there.bids.most_common(1)[0]
        is_usual = usual == bid or list(there.bids.values()).count(count) > 1
        better, trick = _find_better(line, CAUSES[most], side) if parts[most] < 0 else (None, 0)
        return Story(
            cause=CAUSES[most],
            points=format_signed(round(float(parts[most]), places), places),
            declared=bid[2] == side,
            contract=make_contract(line["level"], line["strain"], line["doubled"]),
            usual=None if is_usual else make_contract(usual[0], usual[1], 0),
            sides=("", "") if usual[2] == bid[2] else (SIDES[usual[2]], SIDES[bid[2]]),
            count=count,
            tables=there.bids.total(),
            tricks=line["tricks"],
            others=_format_mean(there.tricks[bid[1:]], line),
            better=better,
            trick=trick,
        )


def _read_bid(line: Line) -> _Bid:
    return line["level"], line["strain"], SIDE_OF_SEAT[line["declarer"]]


def _format_mean(tricks: Sequence[tuple[int, int]], line: Line) -> str:
    """Return the mean of the tricks at the other tables: `9`, `9.5`."""
    tables = sum(number for _, number in tricks) - 1
    if tables < 1 or line["tricks"] is None:
        return ""
    mean = (sum(made * number for made, number in tricks) - line["tricks"]) / tables
    return f"{mean:.1f}".removesuffix(".0")


_PLAYERS: Final[Mapping[str, bool]] = {"lead": False, "declarer": True, "defence": False}
"""By cause in which a contestant's own cards are judged, whether its side declares."""


def _find_better(line: Line, cause: str, side: str) -> tuple[Card | None, int]:
    """Return a card that would have given up no trick where the contestant's own did, and its trick from 1."""
    if cause not in _PLAYERS or (SIDE_OF_SEAT[line["declarer"]] == side) != _PLAYERS[cause]:
        return None, 0
    for cost in line["costs"] or ():
        own = cost["seat"] is not None and str(cost["seat"]) in side
        if own and cost["best"] and (cost["place"] == 0) == (cause == "lead"):
            return make_card(CARDS[cost["best"][0]]), cost["place"] // 4 + 1
    return None, 0


Played = Iterable[tuple[Line, str]]
"""The lines of a contestant in the order played, each with the side it sat on."""

NAMES: Final = ("Bidding", "Lead", "Declarer", "Defence", "Opponents", "Play")
"""The causes as headings, in the order of `causes.CAUSES`."""

TRICKS: Final = ("Declaring", "Leads", "Defending")

_OTHER: Final = {"NS": "EW", "EW": "NS"}
_MIDDLE: Final = 50


@dataclass(frozen=True)
class Bar:
    """One cause in the bar of a board."""

    cause: str
    """As in `causes.CAUSES`."""
    start: str
    """In a box 100 wide, whose middle is an average score."""
    width: str


@dataclass(frozen=True)
class Split:
    """The result of one board, and its causes."""

    board: str
    board_page: str
    total: str
    """The distance from average with its sign."""
    parts: tuple[str, ...]
    """In the order of `NAMES`; empty for nothing. As written, they add up to the total."""
    bars: tuple[Bar, ...]
    points: Fraction
    """The exact distance from average."""


@dataclass(frozen=True)
class Tricks:
    """Tricks won or lost against double dummy in one part of the play."""

    name: str
    """One of `TRICKS`."""
    tricks: str
    """With its sign: `−2`."""
    boards: int


@dataclass(frozen=True)
class Splits:
    """Where the points of a contestant went."""

    rows: tuple[Split, ...]
    sum: Split
    """Of all rows."""
    tricks: tuple[Tricks, ...]
    stories: tuple[Story, ...] = ()
    """A sentence for each board on which something moved, the one that moved most first."""

    @property
    def extremes(self) -> tuple[Story, ...]:
        """The sentences of the largest loss and of the largest gain, as far as there are any."""
        found = (next((one for one in self.stories if one.points.startswith(sign)), None) for sign in "−+")
        return tuple(one for one in found if one)


class NumberedPage(Protocol):
    """A board's page, `board_pages.BoardPage`."""

    @property
    def label(self) -> str:
        """The name of the board."""

    @property
    def slug(self) -> str:
        """The folder of the page."""

    def find_trick(self, record: int | None, trick: int) -> str:
        """Return the path of a trick of a record, empty where its play is not shown."""


def make_splits(played: Played, boards: Mapping[str, NumberedPage], stories: Stories | None = None) -> Splits | None:
    """Part the distance from average of each board of a contestant; None where nothing was analysed.

    A board that two tables of a team played together is seen from both, and each counts half.

    Args:
        played: the lines of the contestant.
        boards: the pages of the boards.
        stories: what tells the sentences of the boards; None for none.
    """
    played = list(played)
    each = _add_tables([(line, side) for line, side in played if line["parts_of"]])
    if not each:
        return None
    whole = [sum(column, Fraction(0)) for column in zip(*(parts for _, parts in each), strict=True)]
    widest = max(_width(parts) for _, parts in each)
    places = int(any(part.denominator > 1 for _, parts in each for part in parts))
    seen = [(boards[line["key"]], parts) for line, parts in each]
    rows = (_make_split(board.label, f"{board.slug}/index.html", parts, widest, places) for board, parts in seen)
    told = _tell(played, boards, stories, places) if stories else ()
    return Splits(tuple(rows), _make_split("", "", whole, _width(whole), places), count_tricks(played), told)


def _tell(
    played: Sequence[tuple[Line, str]], boards: Mapping[str, NumberedPage], stories: Stories, places: int
) -> tuple[Story, ...]:
    """Return the sentences of the boards, that of the largest part first."""
    found = []
    for line, side in played:
        if line["parts_of"]:
            parts, board = list_parts(line, side), boards[line["key"]]
            if story := stories.tell(line, side, parts, places):
                page = board.find_trick(line["record"], story.trick) if story.better else ""
                named = replace(story, board=board.label, board_page=f"{board.slug}/index.html", trick_page=page)
                found.append((max(map(abs, parts)), named))
    return tuple(story for _, story in sorted(found, key=lambda one: one[0], reverse=True))


def list_parts(line: Line, side: str) -> list[Fraction]:
    """Return the parts of a line that was analysed, in the order of `causes.CAUSES`, as a side sees them."""
    return [Fraction(part, line["parts_of"]) for part in line[f"parts_{side.lower()}"]]


def _add_tables(played: Sequence[tuple[Line, str]]) -> list[tuple[Line, list[Fraction]]]:
    """Return each board of a match once, as the mean of its tables; other lines as they are."""
    together: dict[object, list[tuple[Line, str]]] = defaultdict(list)
    for place, (line, side) in enumerate(played):
        team, other = line[f"team_{side.lower()}"], line[f"team_{_OTHER[side].lower()}"]
        together[(line["round"], line["key"], team, other) if team and other else place].append((line, side))
    return [(tables[0][0], _average([list_parts(*table) for table in tables])) for tables in together.values()]


def _average(rows: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    return [sum(column, Fraction(0)) / len(rows) for column in zip(*rows, strict=True)]


def _width(parts: Sequence[Fraction]) -> Fraction:
    gained = sum((part for part in parts if part > 0), Fraction(0))
    return max(gained, gained - sum(parts, Fraction(0)))


def _make_split(board: str, page: str, parts: Sequence[Fraction], widest: Fraction, places: int) -> Split:
    written = round_together(parts, places)
    texts = tuple(format_signed(value / 10**places, places) if value else "" for value in written)
    total = format_signed(sum(written) / 10**places, places)
    return Split(board, page, total, texts, tuple(_draw(parts, widest)), sum(parts, Fraction(0)))


# Two decimals of 1/3, 1/3, 1/3: the sums so far are 0.33, 0.67 and 1.00, so that the parts are 0.33, 0.34 and 0.33.
def round_together(parts: Sequence[Fraction], places: int) -> list[int]:
    """Round parts in units of the last decimal, so that they add up to their rounded total."""
    sums = [round(total * 10**places) for total in accumulate(parts)]
    return [total - before for before, total in zip([0, *sums], sums, strict=False)]


def _draw(parts: Sequence[Fraction], widest: Fraction) -> Iterable[Bar]:
    """Yield the bars: gains to the right of the middle, losses to the left."""
    ends = {1: Fraction(_MIDDLE), -1: Fraction(_MIDDLE)}
    for cause, part in zip(CAUSES, parts, strict=True):
        if not part:
            continue
        sign = 1 if part > 0 else -1
        # Without any gain or loss there is no bar, so `widest` is not zero here.
        width = abs(part) / widest * _MIDDLE
        start = ends[sign] if sign > 0 else ends[sign] - width
        ends[sign] += sign * width
        yield Bar(cause, f"{float(start):.4g}", f"{float(width):.4g}")


def measure_tricks(line: Line, side: str) -> dict[str, int]:
    """Return the tricks that a side won or lost against double dummy, by part of the play; unknown ones are left out.

    The opponents' lead is not the declarer's: what declarer made is compared with double dummy after the lead, where
    the lead is known. So is what the defenders gave up.
    """
    tricks, best, lead = line["tricks"], line["dd_tricks"], line["lead_cost"]
    if tricks is None or best is None or not line["declarer"]:
        return {}
    after = tricks - best - (lead or 0)
    if SIDE_OF_SEAT[line["declarer"]] == side:
        return {"Declaring": after}
    return {"Defending": -after} | ({} if lead is None else {"Leads": -lead})


def count_tricks(played: Played) -> tuple[Tricks, ...]:
    """Add the tricks of some lines up; parts of which nothing is known are left out."""
    found: dict[str, list[int]] = defaultdict(list)
    for line, side in played:
        for name, tricks in measure_tricks(line, side).items():
            found[name].append(tricks)
    return tuple(Tricks(name, format_signed(sum(found[name])), len(found[name])) for name in TRICKS if name in found)
