"""Auctions: rows of four calls from West, with alerts and explanations."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.auction import CALLS, FIRST_BID, SKIPPED
from overtrick.core.bridge.cards import SEATS, STRAINS
from overtrick.core.frames import Session
from overtrick.core.notation import clean
from overtrick.show.html.contestants import make_contract

Remarks = Mapping[int, list[Mapping[str, Any]]]
"""Annotations by record."""


@dataclass(frozen=True)
class Call:
    """One call of an auction."""

    text: str
    """`1♠`, `Pass`, `X`; `?` for a call that the file spells in no known way, empty before the first call."""
    level: str
    suit: str
    """As in `Contract`."""
    symbol: str
    spoken: str
    """`1 spade`, `pass`, `double`."""
    mark: str = ""
    """An annotator's judgement, `!`, `??`."""
    alerted: bool = False
    doubled: str = ""
    """Always empty; a template that writes contracts writes calls too."""
    note: str = ""
    """Numbers of its explanations in `Auction.explanations`: `1`, `1, 2`."""


@dataclass(frozen=True)
class Explanation:
    """The meaning of a call."""

    number: str
    text: str


@dataclass(frozen=True)
class Auction:
    """An auction in rows of four calls: West, North, East, South."""

    rows: tuple[tuple[Call, ...], ...]
    explanations: tuple[Explanation, ...]


_WORDS: Final = (("Pass", "pass"), ("X", "double"), ("XX", "redouble"))
_SIGNS: Final = {"!C": "♣", "!D": "♦", "!H": "♥", "!S": "♠", "!N": "NT", "!c": "♣", "!d": "♦", "!h": "♥", "!s": "♠"}
_SIGN: Final = re.compile(r"![CDHSNcdhs](?![a-z])|\\[CDHS]")
_JUDGEMENTS: Final = {"1": "!", "2": "?", "3": "!!", "4": "??", "5": "!?", "6": "?!"}
"""Numeric annotation glyphs of a call (PBN 4.3) that mean the same as its suffixes."""

LONGEST: Final = 319
"""Calls of the longest auction: three passes, then each bid doubled and redoubled as late as can be."""
_LONGEST_NOTE: Final = 40
"""Characters that name the explanations of a call; a call with more of them is not explained further."""

_NO_CALL: Final = Call("", "", "", "", "")
_UNKNOWN: Final = Call("?", "", "", "?", "not known")
_SHOWN: Final = ("note", "explanation", "alert", "suffix", "nag")


def collect_remarks(session: Session) -> Remarks:
    """Return the annotations of calls, by record: everything that explains or judges a call, but no chat."""
    remarks: dict[int, list[Mapping[str, Any]]] = {}
    of_calls = session.annotations.filter(
        pl.col("part").cast(pl.String) == "auction", pl.col("kind").is_in(_SHOWN), pl.col("index").is_not_null()
    ).drop_nulls("text")
    for row in of_calls.select("record", "index", "kind", "text").iter_rows(named=True):
        remarks.setdefault(row["record"], []).append(row)
    return remarks


def make_auction(start: str | None, codes: Iterable[int], remarks: Iterable[Mapping[str, Any]]) -> Auction | None:
    """Return an auction; None when no call is known.

    An auction is shown up to the last call that one can have.

    Args:
        start: the seat of the first call; None puts the first call in the first column.
        codes: as in `frames.RECORDS["calls"]`.
        remarks: annotations of its calls.
    """
    calls = [_make_call(code) for code in islice(codes, LONGEST)]
    if not calls:
        return None
    texts: dict[str, str] = {}
    for row in remarks:
        at = row["index"]
        if at < len(calls):
            calls[at] = _add_remark(calls[at], row["kind"], clean(row["text"]), texts)
    lead = (SEATS.index(start) + 1) % 4 if start in SEATS else 0
    filled = [_NO_CALL] * lead + calls
    rows = tuple(tuple(filled[begin : begin + 4]) for begin in range(0, len(filled), 4))
    return Auction(rows, tuple(Explanation(number, text) for text, number in texts.items()))


def replace_suit_codes(text: str) -> str:
    r"""Return a text with suit signs in place of `!H` and `\H`, fit for a page."""
    return _SIGN.sub(lambda found: _SIGNS[f"!{found[0][1]}"], clean(text))


def _make_call(code: int) -> Call:
    if code == SKIPPED or code >= len(CALLS):
        return _UNKNOWN
    if code < FIRST_BID:
        text, spoken = _WORDS[code]
        return Call(text, "", "", "", spoken)
    level, strain = divmod(code - FIRST_BID, 5)
    bid = make_contract(level + 1, STRAINS[strain], 0)
    return Call(bid.text, bid.level, bid.suit, bid.symbol, bid.spoken)


def _add_remark(call: Call, kind: str, text: str, texts: dict[str, str]) -> Call:
    """Add one remark to a call; `texts` numbers the explanations, a repeated text once."""
    if kind == "alert":
        return replace(call, alerted=True)
    if kind == "suffix":
        return replace(call, mark=text)
    if kind == "nag":
        return replace(call, mark=_JUDGEMENTS.get(text.lstrip("$"), call.mark))
    meaning = replace_suit_codes(text)
    if not meaning or len(call.note) > _LONGEST_NOTE:
        return call
    number = texts.setdefault(meaning, str(len(texts) + 1))
    return replace(call, note=f"{call.note}, {number}" if call.note and call.note != number else number)
