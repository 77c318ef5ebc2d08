"""Corrections in plain words: `4♠ by N: 10 tricks in place of 9`."""

from collections.abc import Mapping
from typing import Any

from overtrick.core.bridge.cards import CARD_SIGNS, CARDS, STRAIN_SIGNS, STRAINS
from overtrick.core.config.corrections import Entry

Row = Mapping[str, Any]
"""A result: one row of `frames.RESULTS`."""

_SIGNS = dict(zip(STRAINS, STRAIN_SIGNS, strict=True))
_CARD_SIGNS = dict(zip(CARDS, CARD_SIGNS, strict=True))
_PLAYED = ("level", "strain", "doubled", "declarer", "tricks", "lead", "status", "award_ns", "award_ew")


def change_of(before: Row, after: Row) -> str:
    """Return what changed in a result."""
    match [name for name in _PLAYED if before[name] != after[name]]:
        case ["tricks"] if None not in {before["tricks"], after["tricks"]}:
            return f"{contract(after)}: {tricks(after['tricks'])} in place of {before['tricks']}"
        case ["declarer"] if before["declarer"] is not None:
            return f"{contract(after)} in place of {before['declarer']}"
        case ["lead"]:
            return f"lead {card(after['lead'])}{in_place_of(card(before['lead']))}"
        case [] if after["stated_score_ns"] is not None:
            was = before["stated_score_ns"]
            return f"{after['stated_score_ns']:+d} for N-S{in_place_of('' if was is None else f'{was:+d}')}"
    old, new = played(before), played(after)
    return new if old == new else f"{new}{in_place_of(old)}"


def in_place_of(before: str) -> str:
    """Return ` in place of BEFORE`; nothing if there was nothing before."""
    return f" in place of {before}" if before else ""


def played(row: Row) -> str:
    """Return what happened at the table: `4♠ by N, 10 tricks`, `passed out`, `60% and 40%`, `N-S 420`."""
    if row["status"] in {"not played", "bye"}:
        return str(row["status"])
    if row["award_ns"] is not None or row["award_ew"] is not None:
        return award(row["award_ns"], row["award_ew"])
    if row["level"] == 0:
        return "passed out"
    won = tricks(row["tricks"]) if row["tricks"] is not None else ""
    stated = row["stated_score_ns"]
    score = "" if stated is None or won else f"{stated:+d} for N-S"
    return ", ".join(part for part in (contract(row), won, score) if part)


def full(row: Row) -> str:
    """Return who met whom and what happened: `3 against 6: 4♠ by N, 10 tricks`."""
    return f"{against(row)}: {played(row) or 'no result'}"


def against(row: Row) -> str:
    """Return who met whom: `3 against 6`, or of a pair that sat the other way `4 EW against 2 NS`."""
    ns, ew = (" ".join(filter(None, (row[side] or "?", row.get(f"listed_{side}")))) for side in ("ns", "ew"))
    return f"{ns} against {ew}"


def award(ns: str | None, ew: str | None) -> str:
    """Return an artificial score: `60% for N-S and 40% for E-W`."""
    return f"{ns or 'nothing'} for N-S and {ew or 'nothing'} for E-W"


def adjusted(entry: Entry) -> str:
    """Return the adjusted score that an entry gives: `60% for N-S and 40% for E-W`."""
    if entry.award is not None:
        return award(*entry.award)
    if entry.split is not None:
        return f"{entry.split.ns:+d} for N-S and {entry.split.ew:+d} for E-W"
    if entry.weighted is not None:
        whole = sum(each.weight for each in entry.weighted)
        parts = [f"{each.weight}/{whole} of {each.score:+d}" for each in entry.weighted]
        return f"{' and '.join(parts)} for N-S"
    return f"{entry.assigned:+d} for N-S"


def contract(row: Row) -> str:
    """Return contract and declarer: `4♠X by N`; empty if the contract is not known."""
    if row["level"] is None or row["strain"] is None:
        return ""
    bid = f"{row['level']}{_SIGNS[row['strain']]}{'X' * (row['doubled'] or 0)}"
    return f"{bid} by {row['declarer']}" if row["declarer"] else bid


def card(name: str | None) -> str:
    """Return a card with its sign: `♦K`."""
    return _CARD_SIGNS.get(name or "", name or "")


def tricks(number: int) -> str:
    """Return a number of tricks: `10 tricks`."""
    return f"{number} trick{'' if number == 1 else 's'}"


def listed(names: list[str], most: int = 12) -> str:
    """Return names with commas between them, no more than a reader wants to see."""
    return ", ".join(names) if len(names) <= most else f"{', '.join(names[:most])} and {len(names) - most} more"
