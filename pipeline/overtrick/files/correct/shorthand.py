"""A result as a scorer types it: `4SN+1`, `3NTXE-2 DK`, `P`, `60/40`, `-100`; read into options of a correction."""

import re
from collections.abc import Mapping
from typing import Any, Final

_SIGNS: Final = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "−": "-", "–": "-", "\ufe0e": None})
_CARD: Final = r"[SHDC](?:10|[2-9TJQKA])"
_CONTRACT: Final = re.compile(
    rf"([1-7])\s*(NT|[CDHSN])\s*(X{{0,2}}|\*{{0,2}})\s*(?:BY\s*)?([NESW])\s*(=|[+-]\s*[0-9]{{1,2}}|[0-9]{{1,2}})"
    rf"(?:\s*,?\s*({_CARD}))?"
)
_PASSED: Final = frozenset({"P", "PASS", "AP", "PO", "PASSED OUT", "ALL PASS"})
_NOT_PLAYED: Final = frozenset({"NP", "NOT PLAYED"})
_SHARE: Final = r"(?:A[+-]?|(?:100|[0-9]{1,2})(?:\.[0-9]{1,6})?\s*%?)"
_AWARD: Final = re.compile(rf"({_SHARE})\s*/\s*({_SHARE})|(A[+-]?)\s+(A[+-]?)")
_SCORE: Final = re.compile(r"[+-]\s*[0-9]{2,5}|0")


class ShorthandError(ValueError):
    """The text is not a result; the message says what was expected."""


def read_shorthand(text: str) -> dict[str, Any]:
    """Return the options of `overtrick correct` for a result as a scorer types it.

    Args:
        text: contract, declarer and tricks (`4SN+1`, `4S N 11`, `4SXN=`), and the lead if it is known (`4SN+1 DK`);
            `P` for a board that was passed out; `NP` for one that was not played; `60/40` or `A+/A-` for an artificial
            score; `+620` or `-100` for the points of N-S alone.

    Raises:
        ShorthandError: the text is none of these.
    """
    given = " ".join(text.translate(_SIGNS).upper().split())
    if given in _PASSED:
        return {"contract": "Pass"}
    if given in _NOT_PLAYED:
        return {"not_played": True}
    if award := _AWARD.fullmatch(given):
        return {"award": tuple(_share(part) for part in award.groups() if part)}
    if _SCORE.fullmatch(given):
        return {"score": int(given.replace(" ", ""))}
    if played := _CONTRACT.fullmatch(given):
        return _played(played)
    raise ShorthandError("expected contract, declarer and tricks such as 4SN+1, or P, NP, 60/40, -100")


def _share(text: str) -> str:
    return text if text.startswith("A") else f"{text.rstrip('% ')}%"


def _played(match: re.Match[str]) -> dict[str, Any]:
    level, strain, doubled, declarer, made, lead = match.groups()
    target = int(level) + 6
    number = made.replace(" ", "")
    tricks = target if number == "=" else int(number) + (target if number[0] in "+-" else 0)
    if not 0 <= tricks <= 13:
        raise ShorthandError(f"expected 0 to 13 tricks, got {tricks}")
    contract = f"{level}{'NT' if strain == 'N' else strain}{doubled.replace('*', 'X')}"
    read = {"contract": contract, "by": declarer, "tricks": tricks}
    return read | ({"lead": lead.replace("10", "T")} if lead else {})


def write_shorthand(row: Mapping[str, Any]) -> str:
    """Return a row of `frames.RESULTS` as `read_shorthand` reads it; empty if nothing is known of it."""
    if row["status"] == "not played":
        return "NP"
    if row["award_ns"] is not None or row["award_ew"] is not None:
        return f"{row['award_ns'] or '0%'}/{row['award_ew'] or '0%'}"
    if row["level"] == 0:
        return "P"
    if row["level"] is None or row["strain"] is None or row["declarer"] is None or row["tricks"] is None:
        return "" if row["stated_score_ns"] is None else f"{row['stated_score_ns']:+d}"
    over = row["tricks"] - row["level"] - 6
    made = "=" if over == 0 else f"{over:+d}"
    contract = f"{row['level']}{row['strain'].removesuffix('T')}{'X' * (row['doubled'] or 0)}"
    return f"{contract}{row['declarer']}{made}" + (f" {row['lead']}" if row["lead"] else "")
