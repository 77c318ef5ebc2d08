"""Auctions for display: rows of four calls from West, with the calls' alerts and explanations."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

import polars as pl

from overtrick.bridge.auction import SKIPPED
from overtrick.bridge.calls import CALLS, FIRST_BID
from overtrick.bridge.cards import SEATS, STRAINS
from overtrick.frames import Session
from overtrick.notation import clean
from overtrick.render.context_tables import Auction, Call, Explanation
from overtrick.render.notation import contract

Remarks = Mapping[int, list[Mapping[str, Any]]]
"""Annotations by record."""

_WORDS: Final = (("Pass", "pass"), ("X", "double"), ("XX", "redouble"))
_NOTE: Final = re.compile(r"\s*(\d+)\s*:\s*(.*)", re.DOTALL)
_SIGNS: Final = {"!C": "♣", "!D": "♦", "!H": "♥", "!S": "♠", "!N": "NT", "!c": "♣", "!d": "♦", "!h": "♥", "!s": "♠"}
_SIGN: Final = re.compile(r"![CDHSNcdhs](?![a-z])|\\[CDHS]")
_JUDGEMENTS: Final = {"1": "!", "2": "?", "3": "!!", "4": "??", "5": "!?", "6": "?!"}
"""Numeric annotation glyphs of a call (PBN 4.3) that are the same as its suffixes."""

_NOTHING: Final = Call("", "", "", "", "")
_UNKNOWN: Final = Call("?", "", "", "?", "not known")
_SHOWN: Final = ("note", "explanation", "alert", "suffix", "nag")


def auction_remarks(session: Session) -> Remarks:
    """Gather what is said of calls, record by record: all that explains or judges a call, and no chat."""
    said = session.annotations.filter(
        pl.col("part").cast(pl.String) == "auction", pl.col("kind").is_in(_SHOWN), pl.col("index").is_not_null()
    )
    remarks: dict[int, list[Mapping[str, Any]]] = {}
    for row in said.select("record", "index", "kind", "text").iter_rows(named=True):
        remarks.setdefault(row["record"], []).append(row)
    return remarks


def auction_notes(session: Session) -> Mapping[int, Mapping[str, str]]:
    """Read the notes of auctions, record by record and by number: `[Note "1: text"]` after `[Auction]` (PBN 3.5.5)."""
    heads = session.items.filter(pl.col("kind").cast(pl.String) == "tag")
    below = pl.when(pl.col("name") != "Note").then(pl.col("name")).forward_fill().over("record")
    stated = heads.with_columns(below.alias("head")).filter(
        pl.col("name") == "Note", (pl.col("head") == "Auction"), pl.col("record").is_not_null()
    )
    notes: dict[int, dict[str, str]] = {}
    for record, text in stated.select("record", "text").iter_rows():
        if match := _NOTE.fullmatch(text or ""):
            notes.setdefault(record, {}).setdefault(match[1], explained(match[2]))
    return notes


def auction(
    start: str | None, codes: Iterable[int], remarks: Iterable[Mapping[str, Any]], notes: Mapping[str, str]
) -> Auction | None:
    """Write out an auction; None when no call is known.

    Args:
        start: the seat of the first call; without it the auction begins in the first column.
        codes: as in `frames.RECORDS["calls"]`.
        remarks: annotations of its calls.
        notes: texts by number, of the remarks that are references.
    """
    calls = [_call(code) for code in codes]
    if not calls:
        return None
    texts: dict[str, str] = {}
    for row in remarks:
        at = row["index"]
        if at < len(calls):
            calls[at] = _remarked(calls[at], row["kind"], clean(row["text"]), notes, texts)
    lead = (SEATS.index(start) + 1) % 4 if start in SEATS else 0
    filled = [_NOTHING] * lead + calls
    rows = tuple(tuple(filled[begin : begin + 4]) for begin in range(0, len(filled), 4))
    return Auction(rows, tuple(Explanation(number, text) for text, number in texts.items()))


def explained(text: str) -> str:
    r"""Write suit signs for what files spell `!H` or `\H`, and make the text fit for a page."""
    return _SIGN.sub(lambda found: _SIGNS[f"!{found[0][1]}"], clean(text))


@cache
def _call(code: int) -> Call:
    if code == SKIPPED or code >= len(CALLS):
        return _UNKNOWN
    if code < FIRST_BID:
        text, spoken = _WORDS[code]
        return Call(text, "", "", "", spoken)
    level, strain = divmod(code - FIRST_BID, 5)
    bid = contract(level + 1, STRAINS[strain], 0)
    return Call(bid.text, bid.level, bid.suit, bid.symbol, bid.spoken)


def _remarked(call: Call, kind: str, text: str, notes: Mapping[str, str], texts: dict[str, str]) -> Call:
    """Add one remark to a call; `texts` numbers the explanations, the same text once."""
    if kind == "alert":
        return _with(call, alerted=True)
    if kind == "suffix":
        return _with(call, mark=text)
    if kind == "nag":
        return _with(call, mark=_JUDGEMENTS.get(text.lstrip("$"), call.mark))
    meaning = notes.get(text, "") if kind == "note" else explained(text)
    if not meaning:
        return call
    number = texts.setdefault(meaning, str(len(texts) + 1))
    return _with(call, note=f"{call.note}, {number}" if call.note and call.note != number else number)


def _with(call: Call, **changes: object) -> Call:
    return Call(**{**vars(call), **changes})
