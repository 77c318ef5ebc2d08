"""Deal tags to canonical deals (PBN 3.4.11): whole deals as a column, all others through the grammar's `deal`."""

import polars as pl
from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from overtrick.bridge.cards import SEATS
from overtrick.parse.pbn import values
from overtrick.parse.pbn.grammar import grammar


def deals(value: pl.Series, *, shortcut: bool = True) -> tuple[pl.Series, pl.Series]:
    """Read Deal values.

    Args:
        value: one value a game, null where the game has no Deal tag.
        shortcut: false sends every value through the grammar; the result is the same.

    Returns:
        The canonical deals (`frames.RECORDS["deal"]`; null when there is none to be read), and what is wrong with a
        value, null where nothing is. A deal of the wrong number of cards is canonical too: checks come later.
    """
    whole = value.to_frame("deal").select(values.complete_deal(pl.col("deal")).alias("deal"))["deal"]
    if not shortcut:
        whole = pl.Series([None] * len(value), dtype=pl.String)
    odd = (whole.is_null() & value.is_not_null() & ~value.str.strip_chars().is_in(values.UNKNOWN_VALUES)).fill_null(
        value=False
    )
    distinct = value.filter(odd).unique().to_list()
    read = {text: _read(text) for text in distinct}
    canonical = value.replace_strict(distinct, [read[t][0] for t in distinct], default=whole, return_dtype=pl.String)
    faults = value.replace_strict(distinct, [read[t][1] for t in distinct], default=None, return_dtype=pl.String)
    return canonical.alias("deal"), faults


def _read(text: str) -> tuple[str | None, str | None]:
    """Read one value through the grammar: the canonical deal and what is wrong with the value, either may be None."""
    try:
        tree = grammar().parse(text.strip(), start="deal")
    except UnexpectedInput:
        return None, "expected a seat, a colon and four hands with a space between"
    seat, *hands = tree.children
    odd = next((str(token) for token in tree.scan_values(_is_odd)), None)
    if odd is not None:
        return None, f"{odd!r} is no rank"
    if len(hands) != len(SEATS):
        return None, f"expected 4 hands, got {len(hands)}"
    written = [_canonical_hand(hand) for hand in hands if isinstance(hand, Tree)]
    shapes = [hand.count(".") for hand in written if hand != "-"]
    if any(dots != 3 for dots in shapes):
        return None, "expected four suits in each hand with a dot between"
    if not shapes:
        return None, "all four hands are unknown"
    shift = SEATS.index(str(seat).upper())
    fault = "more than one space between hands" if "  " in text.strip() else None
    return "N:" + " ".join(written[(place - shift) % 4] for place in range(4)), fault


def _is_odd(token: object) -> bool:
    return isinstance(token, Token) and token.type == "ODD"


def _canonical_hand(hand: Tree[Token]) -> str:
    if hand.children and isinstance(hand.children[0], Token) and hand.children[0].type == "HIDDEN":
        return "-"
    holdings = [child for child in hand.children if isinstance(child, Tree)]
    return ".".join("".join(map(str, holding.children)).upper().replace("10", "T") for holding in holdings)
