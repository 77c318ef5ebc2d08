"""Deal tags to canonical deals (PBN 3.4.11): whole deals as a column, all others through the grammar's `deal`."""

import re
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from overtrick.core import notation
from overtrick.core.bridge.cards import COMPLETE_LENGTH, HAND_LENGTH, RANKS, SEATS, letters_of
from overtrick.core.grammar import grammar
from overtrick.files.formats.pbn.read.games import row_or_null

if TYPE_CHECKING:
    from lark import Token, Tree

_IN_HAND: Final = np.isin(np.arange(256), list(f"{RANKS}.".encode()))
_SEAT: Final = np.array([SEATS.index(chr(byte)) if chr(byte) in SEATS else len(SEATS) for byte in range(256)])
"""By byte: whether it may be in a hand; and the seat that it names, 4 for none."""

OPEN: Final = "x in place of some cards"
"""What is wrong with a deal of a lesson that leaves small cards open."""

LONGEST: Final = 1000
"""Characters of a value that is read; a whole deal has 69."""
_TOO_LONG: Final = f"it has more than {LONGEST:,} characters"

_RANKS: Final = "([0-9TJQKA]*)"
_LETTERED: Final = re.compile(rf"(?<=[: ])S{_RANKS}\.H{_RANKS}\.D{_RANKS}\.C{_RANKS}(?= |\Z)", re.IGNORECASE)
_DOTTED: Final = re.compile(r"(?<=[: ])((?:[0-9TJQKA]*\.){3}[0-9TJQKA]*)\.(?= |\Z)", re.IGNORECASE)


def read_deals(value: pl.Series, *, shortcut: bool = True) -> tuple[pl.Series, pl.Series]:
    """Read Deal values.

    Args:
        value: one value a game, null where the game has no Deal tag.
        shortcut: false sends every value through the grammar; the result is the same.

    Returns:
        The canonical deals (`frames.RECORDS["deal"]`; null where a value cannot be read), and what is wrong with each
        value, null where nothing is. A deal of the wrong number of cards is canonical too: checks come later.
    """
    whole = _read_whole(value) if shortcut else value.clear(len(value))
    no_fault = value.clear(len(value))
    if whole.null_count() == value.null_count():
        return whole.alias("deal"), no_fault
    odd = whole.is_null() & value.is_not_null() & ~value.str.strip_chars().is_in(notation.UNKNOWN_VALUES)
    if not odd.any():
        return whole.alias("deal"), no_fault
    distinct = value.filter(odd).unique().to_list()
    read = {text: _read_one(text) if len(text) <= LONGEST else (None, _TOO_LONG) for text in distinct}
    canonical = value.replace_strict(distinct, [read[t][0] for t in distinct], default=whole, return_dtype=pl.String)
    faults = value.replace_strict(distinct, [read[t][1] for t in distinct], default=None, return_dtype=pl.String)
    return canonical.alias("deal"), faults


# The value `E:hand0 hand1 hand2 hand3`, each hand 13 cards and 3 dots, so 69 bytes in all:
#
#     written     E : hand0 hand1 hand2 hand3     one row of the matrix; `letters_of` adds a space at the end
#     seat        1                               East, clockwise from North
#     hands       hand0 hand1 hand2 hand3         16 bytes and a space each
#     from_north  3     0     1     2             (place - seat) % 4: North holds the last hand that is written
#     turned      N : hand3 hand0 hand1 hand2
def _read_whole(value: pl.Series) -> pl.Series:
    """Turn values of four whole hands, as nearly every program writes them, to begin with North; null for others."""
    at = np.flatnonzero(value.str.len_bytes().fill_null(0).to_numpy() == COMPLETE_LENGTH)
    written = letters_of(value.gather(at))
    seat, hands = _SEAT[written[:, 0]], written[:, 2:].reshape(len(at), len(SEATS), HAND_LENGTH + 1)
    sound = (seat < len(SEATS)) & (written[:, 1] == ord(":")) & (hands[:, :, -1] == ord(" ")).all(axis=1)
    sound &= _IN_HAND[hands[:, :, :-1]].all(axis=(1, 2)) & ((hands == ord(".")).sum(axis=2) == len("...")).all(axis=1)
    turned = written[sound]
    turned[:, 0] = ord("N")
    from_north = (np.arange(len(SEATS)) - seat[sound, None]) % len(SEATS)
    turned[:, 2:] = hands[np.flatnonzero(sound)[:, None], from_north].reshape(len(turned), turned.shape[1] - 2)
    lines = pl.lit(pl.Series([turned.tobytes()]))
    start = pl.Series(np.arange(len(turned)) * turned.shape[1])
    place = np.full(len(value), -1)
    place[at[sound]] = np.arange(len(turned))
    return pl.select(lines.bin.slice(start, COMPLETE_LENGTH).cast(pl.String)).to_series().gather(row_or_null(place))


def _read_one(text: str) -> tuple[str | None, str | None]:
    """Read one value through the grammar: the canonical deal, and what is wrong with the value; either may be None."""
    from lark.exceptions import UnexpectedInput  # noqa: PLC0415 - most deals are read as a column

    plain, slip = _without_slips(text)
    try:
        tree = grammar("deal").parse(plain.strip(), start="deal")
    except UnexpectedInput:
        return None, "expected a seat, a colon and four hands with spaces between them"
    seat, *hands = tree.children
    odd = [str(token) for token in tree.scan_values(_is_odd)]
    if odd:
        return None, OPEN if set("".join(odd)) <= set("xX") else f"{odd[0]!r} is not a rank"
    if len(hands) != len(SEATS):
        return None, f"expected 4 hands, got {len(hands)}"
    written = [_canonical_hand(hand) for hand in hands if not isinstance(hand, str)]
    shapes = [hand.count(".") for hand in written if hand != "-"]
    if any(dots != 3 for dots in shapes):
        return None, "expected four suits in each hand with dots between them"
    if not shapes:
        return None, "all four hands are unknown"
    shift = SEATS.index(str(seat).upper())
    return "N:" + " ".join(written[(place - shift) % 4] for place in range(4)), slip or _oddity(text)


def _without_slips(text: str) -> tuple[str, str | None]:
    """Take suit letters or a fifth dot out of the hands; return the text and what was taken out."""
    plain = _LETTERED.sub(r"\1.\2.\3.\4", text)
    if plain != text:
        return plain, "suit letters in its hands"
    plain = _DOTTED.sub(r"\1", text)
    return plain, "an extra dot after a hand" if plain != text else None


def _oddity(text: str) -> str | None:
    """Return what is odd about the spelling of a deal that can be read."""
    if re.search(r"\s{2}|\t", text.strip()):
        return "more than one space between hands"
    if re.search(r"^\s|:\s|\s$", text):
        return "a space before or after its hands"
    return "10 instead of T" if "10" in text else None


def _is_odd(token: object) -> bool:
    return getattr(token, "type", None) == "ODD"


def _canonical_hand(hand: "Tree[Token]") -> str:
    if hand.children and getattr(hand.children[0], "type", None) == "HIDDEN":
        return "-"
    holdings = [child for child in hand.children if not isinstance(child, str)]
    return ".".join("".join(map(str, holding.children)).upper().replace("10", "T") for holding in holdings)
