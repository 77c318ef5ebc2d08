"""Tables of an old `club.toml` that are about one evening: what to write in its corrections file instead."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from overtrick.core.config.entries import toml_value
from overtrick.core.config.errors import explain_refusal
from overtrick.core.config.file import SettingsFile

_KEYS: Final = ("board", "pair", "section", "round", "table", "direction")


MOVED: Final = ("adjustments", "fouled", "penalties", "carry_overs", "decided_ties")
"""Keys of `Scoring` that corrections files fill, and no `club.toml`."""


def explain_moved(file: SettingsFile) -> str:
    """Return a message for each table of `[scoring]` that belongs in a corrections file; empty if there is none.

    Each says where the entry goes, and has it ready to paste.
    """
    scoring = file.data.get("scoring")
    if not isinstance(scoring, dict):
        return ""
    moved = [name for name in MOVED if scoring.get(name)]
    messages = []
    for name in moved:
        reason = (
            "is about one evening, and club.toml holds for all of them; move it to the corrections file beside the"
            " evening's files, NAME.corrections.toml for NAME.pbn:"
        )
        told = explain_refusal(reason, ("scoring", name), file).partition("\n")[0].replace(f"{name}: is", f"{name} is")
        listed = scoring[name] if isinstance(scoring[name], list) else [scoring[name]]
        tables = [table for table in listed if isinstance(table, dict)]
        pasted = "\n\n".join("\n".join(f"    {line}" for line in _lines(name, table)) for table in tables)
        messages.append(f"{told}\n{pasted}")
    return "\n".join(messages)


def _lines(name: str, old: Mapping[str, Any]) -> Iterator[str]:
    """Write an old table as an entry of a corrections file."""
    yield "[[corrections]]"
    new = {key: old[key] for key in ("board", "section", "round", "table", "direction") if key in old}
    pair = old.get("contestant", old.get("ns", old.get("ew")))
    if name == "adjustments" and pair is not None:
        new["direction"] = "NS" if "ns" in old else "EW"
    if name != "fouled" and pair is not None:
        new["pair"] = pair
    yield from (f"{key} = {toml_value(new[key])}" for key in _KEYS if key in new)
    yield from (f"{key} = {toml_value(value)}" for key, value in _ENTRIES[name](old).items())
    yield f"why = {toml_value(old.get('reason') or '...')}"


def _only(old: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: old[key] for key in keys if key in old}


_ENTRIES: Final[Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]]] = {
    "adjustments": lambda old: _only(old, "award", "assigned", "split", "weighted"),
    "penalties": lambda old: {"penalty": _only(old, "amount", "unit")},
    "carry_overs": lambda old: {"carry_over": _only(old, "points", "score", "top")},
    "fouled": lambda old: {"fouled": old.get("ns", [])},
    "decided_ties": lambda old: {"tie": {"winner": old.get("contestant"), **_only(old, "by")}},
}
"""By table, what its entry says."""
