"""Contestants that a file lists player by player, or pair by pair."""

from collections.abc import Sequence
from typing import Any, Final

import polars as pl

from overtrick.core.frames import CONTESTANTS, Contestants, conform, empty
from overtrick.core.notation import BETWEEN
from overtrick.core.problems import Finding

_SEAT_ORDER: Final = {"N": 0, "E": 0, "S": 1, "W": 1}


def list_pairs(players: Sequence[dict[str, Any]], findings: list[Finding]) -> "Contestants | None":
    """Return the pairs of players; None where no player is listed.

    Args:
        players: `line section pair seat name`, and `total percentage`, as texts; a seat is a letter, and a name may
            be blank.
        findings: gets a problem for a player without a pair.
    """
    pairs: dict[tuple[str | None, str, str | None], list[dict[str, Any]]] = {}
    for player in players:
        if not player.get("pair"):
            values = {"field": "pair", "text": str(player.get("name", ""))}
            findings.append(Finding("exchange-value", player["line"], 1, values=values))
            continue
        seat = str(player.get("seat") or "").strip().upper()[:1]
        side = "NS" if seat in {"N", "S"} else "EW" if seat in {"E", "W"} else None
        pairs.setdefault((player.get("section") or None, str(player["pair"]), side), []).append(player | {"seat": seat})
    if not pairs:
        return None if not players else empty(CONTESTANTS)
    rows = []
    for (section, pair, side), members in pairs.items():
        ordered = sorted(members, key=lambda one: _SEAT_ORDER.get(one["seat"], 2))
        names = [one["name"] for one in ordered if one.get("name")]
        rows.append(
            {
                "contestant": pair,
                "section": section,
                "direction": side,
                "names": BETWEEN.join(names) or None,
                "members": _joined([one.get("member") for one in ordered]),
                "stated_total": _number(ordered[0].get("total")),
                "stated_percentage": _number(ordered[0].get("percentage")),
            }
        )
    return conform(CONTESTANTS, pl.DataFrame(rows, infer_schema_length=None))


def _joined(numbers: list[str | None]) -> str | None:
    return BETWEEN.join(number or "" for number in numbers) if any(numbers) else None


def _number(text: object) -> float | None:
    try:
        return float(str(text).replace(",", "."))
    except ValueError:
        return None
