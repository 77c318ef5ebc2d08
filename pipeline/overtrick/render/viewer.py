"""Single boards as LIN, the notation that hand viewers play: one line a table."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote

from overtrick.bridge.calls import CALLS, DOUBLE, FIRST_BID, PASS, REDOUBLE
from overtrick.bridge.cards import CARDS, RANKS, hands
from overtrick.render.context_tables import Auction, Play
from overtrick.render.text import clean

VIEWER: Final = "https://www.bridgebase.com/tools/handviewer.html?lin="
_ORDER: Final = (2, 3, 0, 1)
"""Seats as LIN lists them: South, West, North, East."""
_DEALERS: Final = {"S": "1", "W": "2", "N": "3", "E": "4"}
_VULNERABLE: Final = {"None": "o", "NS": "n", "EW": "e", "All": "b"}
_LETTERS: Final = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_SUITS: Final = re.compile("[♠♥♦♣]")
_CALLS: Final = {PASS: "p", DOUBLE: "d", REDOUBLE: "r"}


def lin_line(board: Mapping[str, Any], record: Mapping[str, Any], auction: Auction | None, play: Play | None) -> str:
    """Write one table as LIN; empty without a deal.

    Args:
        board: `number` for people, `dealer` and `vulnerable` as in `frames.RECORDS`, `deal`.
        record: a row of `frames.RECORDS` with the players, calls and tricks.
        auction: its auction, for the explanations.
        play: its play.
    """
    if board["deal"] is None:
        return ""
    fields = [
        ("pn", ",".join(_plain(record.get(seat)) for seat in ("south", "west", "north", "east"))),
        ("st", ""),
        ("md", _DEALERS.get(board["dealer"], "") + _deal(board["deal"])),
        ("rh", ""),
        ("ah", f"Board {_plain(board['number'])}"),
        ("sv", _VULNERABLE.get(board["vulnerable"], "")),
        *_called(record.get("calls") or (), auction),
        *_played(play),
    ]
    if record.get("tricks") is not None and record.get("level") and (play is None or play.rest):
        fields.append(("mc", str(record["tricks"])))
    return "".join(f"{name}|{value}|" for name, value in fields) + "pg||"


def viewer_address(lin: str) -> str:
    """Give the address at which the hand viewer shows a line of LIN; empty for none."""
    return f"{VIEWER}{quote(lin, safe='')}" if lin else ""


def _plain(text: str | None) -> str:
    """Take out what LIN uses itself."""
    return clean(text).replace("|", "/").replace(",", " ")


def _deal(deal: str) -> str:
    held = hands(deal)
    return ",".join(_hand(held[seat]) if seat < len(held) else "" for seat in _ORDER)


def _hand(cards: list[int] | None) -> str:
    if cards is None:
        return ""
    suits = ("".join(RANKS[card % 13] for card in cards if card // 13 == suit) for suit in (3, 2, 1, 0))
    return "".join(f"{letter}{ranks}" for letter, ranks in zip("SHDC", suits, strict=True))


def _called(codes: Iterable[int], auction: Auction | None) -> Iterable[tuple[str, str]]:
    shown = [call for row in auction.rows for call in row if call.text] if auction else []
    texts = {one.number: one.text for one in auction.explanations} if auction else {}
    for code, call in zip(codes, shown, strict=False):
        if code >= len(CALLS):
            return
        bid = _CALLS.get(code) or f"{(code - FIRST_BID) // 5 + 1}{'CDHSN'[(code - FIRST_BID) % 5]}"
        yield "mb", bid + ("!" if call.alerted else "")
        for number in call.note.split(", "):
            if number in texts:
                yield "an", _SUITS.sub(lambda sign: f"!{_LETTERS[sign[0]]}", _plain(texts[number]))


def _played(play: Play | None) -> Iterable[tuple[str, str]]:
    """List the cards in the order played, as far as that is known."""
    for trick in play.tricks if play else ():
        leads = [place for place, card in enumerate(trick.cards) if card.leads]
        if not leads:
            return
        yield "pg", ""
        for turn in range(4):
            card = trick.cards[(leads[0] + turn) % 4]
            if card.code not in CARDS:
                return
            yield "pc", card.code
