"""One sentence for a board: what moved a contestant's score most, compared with the tables that had the same cards."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

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
