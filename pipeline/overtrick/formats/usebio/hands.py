"""The hands of a USEBIO file: `HANDSET` with a `BOARD` for each deal, or hands beside the results of a board."""

from dataclasses import dataclass, field
from typing import Final

from overtrick.bridge.cards import SEATS
from overtrick.formats.usebio.xml import Element
from overtrick.notation import is_number
from overtrick.problems import Finding

_SUITS: Final = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
_VOID: Final = ("-", "--", "void", "none")

Deals = dict[str, tuple[Element, str]]
"""By board number the element and the deal, from North on, as PBN writes it."""


@dataclass
class Hands:
    """The sets of hands in a file, by their name."""

    sets: dict[str | None, Deals] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def of(self, section: Element, name: str | None) -> Deals:
        """Return the hands of a section: of the set it names, of the set with its own name, or of the only one."""
        if len(self.sets) == 1:
            return next(iter(self.sets.values()))
        asked = section.stated("HANDSET_ID") or name
        return self.sets.get(asked, {})


def read_hands(root: Element) -> Hands:
    """Read every set of hands, at any depth."""
    hands = Hands()
    for element in _handsets(root):
        found: Deals = hands.sets.setdefault(element.stated("HANDSET_ID"), {})
        for board in element.all("BOARD"):
            label = board.stated("BOARD_NUMBER")
            if label is None or not is_number(label):
                hands.findings.append(
                    Finding("usebio-board", board.line, board.column, board=label, values={"lines": 0})
                )
                continue
            found[label.lstrip("0") or "0"] = board, read_deal(board)
    return hands


def _handsets(element: Element) -> list[Element]:
    """Find the sets of hands at any depth."""
    found = element.all("HANDSET")
    for child in element.children:
        if child.name in {"EVENT", "SESSION", "SECTION"}:
            found += _handsets(child)
    return found


def read_deal(board: Element) -> str:
    """Return the hands of a board as PBN writes them, from North on; `-` for a missing hand."""
    shown = dict.fromkeys(SEATS, "-")
    for hand in board.all("HAND"):
        seat = (hand.value("DIRECTION") or "?")[0].upper()
        if seat in shown:
            shown[seat] = ".".join(_suit(hand.value(suit)) for suit in _SUITS)
    return f"N:{' '.join(shown.values())}"


def _suit(text: str | None) -> str:
    cards = (text or "").replace(" ", "").upper()
    return "" if cards.lower() in _VOID else cards.replace("10", "T")
