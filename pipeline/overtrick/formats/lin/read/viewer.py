"""Links to the viewer that hold a board in parameters, a hand each, brought into the LIN that the viewer makes of them.

`n s e w` are the hands, `d` the dealer, `v` the vulnerability, `b` the board, `a` the auction, `p` the play, `c` the
claim, `nn sn en wn` the names, `i` an introduction.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import unquote

_SEATS: Final = "swne"
"""In the order of LIN."""
_HAND: Final = re.compile(r"[SHDC2-9TJQKA10\s]*", re.IGNORECASE)
_SAID: Final = re.compile(r"\(([^)]*)\)?|\{\+?([^}]*)\}?|([^({]+)")


def as_lin(query: str) -> str | None:
    """Write the board of a link's parameters, the part behind `?`, as LIN; None where it shows no hand."""
    values = _values(query)
    hands = [values.get(seat, "") for seat in _SEATS]
    if not any(hands) or not all(_HAND.fullmatch(hand) for hand in hands):
        return None
    return "".join(f"{name}|{value}|" for name, value in _commands(values, hands))


def _values(query: str) -> dict[str, str]:
    """Decode parameters; of one that stands again the first counts."""
    values: dict[str, str] = {}
    for part in query.split("&"):
        name, _, value = part.partition("=")
        values.setdefault(name.lower(), " ".join(_decoded(value).replace("|", "/").split()))
    return values


def _decoded(value: str) -> str:
    try:
        return unquote(value, errors="strict")
    except UnicodeError:
        return unquote(value, encoding="latin-1")


def _commands(values: Mapping[str, str], hands: list[str]) -> Iterator[tuple[str, str]]:
    names = [values.get(f"{seat}n", "").replace(",", "") for seat in _SEATS]
    if any(names):
        yield "pn", ",".join(names)
    dealer = values.get("d", "n").lower()
    yield "md", f"{_SEATS.find(dealer) + 1 or 3}{','.join(hands)}"
    if "v" in values:
        yield "sv", values["v"]
    if values.get("b"):
        yield "ah", f"Board {values['b']}"
    if values.get("i"):
        yield "nt", values["i"]
    yield from _said("mb", values.get("a", "").removeprefix("-"))
    yield from _said("pc", values.get("p", ""))
    if values.get("c"):
        yield "mc", values["c"]


def _said(command: str, value: str) -> Iterator[tuple[str, str]]:
    """Cut an auction or a play where something is said, `(explanation)` or `{chat}`: to the end if not closed."""
    for explained, chat, entries in _SAID.findall(value):
        for name, text in (("an", explained), ("nt", chat), (command, entries)):
            if text.strip():
                yield name, text
