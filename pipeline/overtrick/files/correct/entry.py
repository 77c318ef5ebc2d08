"""An entry of a corrections file, from options: those of `overtrick correct`, or the fields of a form."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from overtrick.core.config.corrections import Entry, parse_corrections
from overtrick.core.config.entries import toml_value
from overtrick.core.config.file import SettingsFile
from overtrick.core.machine import present

Given = Mapping[str, Any]
"""The options that were given, by name."""

_PLAIN: Final = (
    *("board", "pair", "section", "round", "table", "direction", "contract", "by", "tricks", "lead", "score"),
    *("swap", "other_pair", "add", "delete", "not_played", "assigned", "name", "title", "date", "club", "method"),
    *("why", "who"),
)
"""Options that are keys of an entry as they are."""

_PLACE: Final = re.compile(r"^(?:\[corrections\.1[^]]*\] |corrections, item 1: )")
"""The part of a message about an entry that gives its place in a file."""


class EntryError(ValueError):
    """The options describe no entry; the message says what is missing or wrong."""


def read_entry(given: Given) -> Entry:
    """Return the entry that the options describe.

    Raises:
        EntryError: they describe none.
    """
    values = {name: given[name] for name in _PLAIN if name in given}
    values |= {name: make(given) for name, make in _MADE.items() if name in given}
    if not values.keys() - {"why", "who"}:
        raise EntryError("say what is right, such as --contract 4S --by N --tricks 10; or --list, or --undo")
    values["when"] = present()
    # Through the text of a file, so that its messages are the command line's too.
    text = "[[corrections]]\n" + "".join(f"{key} = {toml_value(value)}\n" for key, value in values.items())
    read = parse_corrections(SettingsFile(Path(), text), "")
    if read.findings:
        raise EntryError("; ".join(_PLACE.sub("", str(one.values["reason"])) for one in read.findings))
    return read.entries[0].entry


def _penalty(given: Given) -> dict[str, object]:
    amount, unit = given["penalty"]
    law = {"law": "91"} if "disciplinary" in given else {}
    return {"amount": _short(amount), "unit": {"%": "percent"}.get(unit, unit), **law}


def _substitute(given: Given) -> dict[str, object]:
    absent, player = given["substitute"]
    boards = {"boards": [_whole(part) for part in given["boards"].split(",")]} if "boards" in given else {}
    return {"for": absent, "player": player, **boards}


def _tie(given: Given) -> dict[str, object]:
    extra = {"by": "extra-hands", "score": given["extra"]} if "extra" in given else {}
    return {"winner": given["tie"], **extra}


def _carried(text: str) -> dict[str, object]:
    """Read `3`, points; or `60/100`, a score and its top."""
    points, slash, top = text.partition("/")
    if not slash:
        return {"points": _number(points)}
    return {"score": _number(points), "top": _number(top)}


def _number(text: str) -> float:
    try:
        return _short(float(text))
    except ValueError as error:
        raise EntryError(f"expected a number, got {text!r}") from error


def _outcome(text: str) -> dict[str, int]:
    """Read `60:620`: a weight, and points for N-S."""
    weight, _, score = text.partition(":")
    return {"weight": _whole(weight), "score": _whole(score)}


def _words(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise EntryError(f"expected a whole number, got {text!r}") from None


def _short(number: float) -> float:
    return int(number) if number == number // 1 else number


_MADE: Final[Mapping[str, Callable[[Given], object]]] = {
    "fouled": lambda given: _words(given["fouled"]),
    "players": lambda given: _words(given["players"]),
    "award": lambda given: list(given["award"]),
    "cards": lambda given: list(given["cards"]),
    "split": lambda given: dict(zip(("ns", "ew"), given["split"], strict=True)),
    "weighted": lambda given: [_outcome(part) for part in given["weighted"].split(",")],
    "penalty": _penalty,
    "carry_over": lambda given: _carried(given["carry_over"]),
    "handicap": lambda given: _short(given["handicap"]),
    "player": lambda given: dict(zip(("from", "to"), given["player"], strict=True)),
    "substitute": _substitute,
    "tie": _tie,
}
"""Keys of an entry that are made of several words or options."""
