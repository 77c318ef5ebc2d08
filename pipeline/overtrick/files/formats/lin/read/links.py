"""Pages and lists of links that carry hands: a link to the viewer holds the text of a LIN file, or a board's parts."""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import cache, partial
from typing import Final
from urllib.parse import unquote_to_bytes

import numpy as np
import polars as pl

from overtrick.core.grammar import terminal
from overtrick.core.late import change
from overtrick.core.problems import Finding, report_findings
from overtrick.files.formats.base import Reading, nothing_but
from overtrick.files.formats.lin.read.reader import has_pbn_tag, is_lin, read_lin
from overtrick.files.formats.lin.spelling import PLAYERS, get_pattern
from overtrick.files.formats.text import decode, in_utf8

_PAGE: Final = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_ADDRESS: Final = re.compile(rb"https?://[^\s\"'<>]{1,2000}?[?&;](?:lin|[nsew])=", re.IGNORECASE)
_WITH_PIPES: Final = re.compile(rb"[?&;]lin=[a-z]{2}\|", re.IGNORECASE)
_BARE: Final = r"[ \t]*\??(?:lin=)?(?=(?:vg|pn|st|md|qx|ah)(?:\|[^|\n]*\|[a-z]{2})?%7c)"
"""The beginning of a link that lacks its address: only the value is there."""
_IS_BARE: Final = re.compile(_BARE.encode(), re.IGNORECASE)
_VALUE: Final = r"(?:[^\"<>&\n]++|&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|lt|gt|quot|apos);)*+"
_LINK: Final = re.compile(rf"(?:[?&;]lin=|hv_popuplin\('|^{_BARE})({_VALUE})", re.IGNORECASE | re.MULTILINE)
_QUERY: Final = re.compile(r"handviewer[^\s\"'<>?]{0,200}\?([^\s\"<>]+)", re.IGNORECASE)
_LONGEST_ADDRESS: Final = 2000
"""Characters before a link's value."""
_WHOLE: Final = re.compile(r"(?:^|[&;])lin=", re.IGNORECASE)
_PLUS_IS_BLANK: Final = re.compile(r"(?:^|(?<=\|))(?:ah|an|nt|pn)\|[^|]*", re.IGNORECASE)
_PIECE: Final = re.compile(r"(?s).{1,65536}[^%]{0,2}")
"""Part of a value. It ends where no `%` with its two digits does: two more characters than it needs belong to it."""
_SEATS: Final = "".join(player[0] for player in PLAYERS)
_SECTION_PARTS: Final = re.compile(r"\(([^)]*)\)?|\{\+?([^}]*)\}?|([^({]+)")
"""An explanation in `()`, chat in `{}` (to the end if not closed), or calls or cards."""


def is_page(head: bytes) -> bool:
    """Return whether a file's beginning is that of a page, or holds a link to a hand and is neither LIN nor PBN."""
    head = in_utf8(head)
    if _PAGE.match(head) or _IS_BARE.match(head.lstrip()):
        return True
    if has_pbn_tag(head) or _begins_as_lin(head):
        return False
    return _WITH_PIPES.search(head) is not None or (_ADDRESS.search(head) is not None and not is_lin(head))


def _begins_as_lin(head: bytes) -> bool:
    """Return whether a file is LIN whose first command is not part of a link: chat may hold links too."""
    first = _first_command().search(head)
    return first is not None and first["link"] is None and is_lin(head)


@cache
def _first_command() -> re.Pattern[bytes]:
    return re.compile(rf"(?:(?P<link>[?&;]lin=)|\A|[\s|]){get_pattern('COMMAND')}\|".encode(), re.IGNORECASE)


def read_page(data: bytes) -> Reading:
    """Read the hands in the links of a page or a list, each link once; nothing is fetched.

    Returns:
        The frames as `read_lin` returns them, placed at their links; the rest of the page is not kept.
    """
    page = decode(data)
    if isinstance(page, Finding):
        return nothing_but([page])
    texts = _find_texts(page.content)
    reading = read_lin("".join(f"{text}\n" for text in texts) or "\n")
    starts = np.repeat(np.array(list(texts.values()), dtype=np.int64), [text.count("\n") + 1 for text in texts])
    newlines = np.array([match.start() for match in re.finditer("\n", page.content)], dtype=np.int64)
    line = np.searchsorted(newlines, starts)
    column = starts - np.concatenate([[-1], newlines])[line]
    placed = pl.DataFrame({"text_line": np.arange(1, len(starts) + 1), "line": line + 1, "column": column})
    placed = placed.cast(pl.UInt32)
    move = partial(_move, placed=placed)
    moved = {field.name: change(getattr(reading, field.name), move) for field in fields(reading)}
    problems = pl.concat([report_findings(page.findings, ""), moved.pop("problems")])
    return replace(reading, **moved, problems=problems)


def _find_texts(page: str) -> dict[str, int]:
    """Find the texts in the links of a page, each with the place of its first link."""
    found = [(match.start(1), decode_value(_cut_value(match))) for match in _LINK.finditer(page)]
    for match in _QUERY.finditer(page):
        query = html.unescape(_cut_value(match))
        found.append((match.start(1), "" if _WHOLE.search(query) else write_query_as_lin(query)))
    texts: dict[str, int] = {}
    for start, text in sorted(found):
        if "|" in text:
            texts.setdefault(text, start)
    return texts


def _cut_value(match: re.Match[str]) -> str:
    """Return the value of a link: up to an apostrophe if its address follows one, since names have some too."""
    before = match.string[max(0, match.start(1) - _LONGEST_ADDRESS) : match.start(1)]
    signs = [before.rfind(sign) for sign in "'\"<> \n\t"]
    return match[1].partition("'")[0] if signs[0] >= 0 and signs[0] == max(signs) else match[1]


def decode_value(value: str) -> str:
    """Decode the value of a link. A `+` is a space only in what people wrote: elsewhere it is a trick over."""
    whole = html.unescape(value)
    encoded = whole if "|" in whole else whole.split()[0] if whole.strip() else ""
    piped = re.sub("%7c", "|", encoded, flags=re.IGNORECASE)
    return _unquote(_PLUS_IS_BLANK.sub(lambda written: written[0].replace("+", " "), piped))


def _unquote(text: str) -> str:
    """Decode the `%7C` of a text, piece by piece: cutting it at each `%` at once takes a hundred times its size."""
    decoded = b"".join(unquote_to_bytes(piece[0]) for piece in _PIECE.finditer(text))
    try:
        return decoded.decode()
    except UnicodeError:
        return decoded.decode("latin-1")


def _move(frame: pl.DataFrame, placed: pl.DataFrame) -> pl.DataFrame:
    """Place rows at their link in the page."""
    if "line" not in frame.columns or placed.is_empty():
        return frame
    old = ["column"] if "column" in frame.columns else []
    joined = (
        frame.drop(old).rename({"line": "text_line"}).join(placed, on="text_line", how="left", maintain_order="left")
    )
    return joined.select(frame.columns)


@cache
def _hand() -> re.Pattern[str]:
    parts = "|".join(terminal(name, language="lin") for name in ("HOLDING", "HELD", "IGNORED"))
    return re.compile(f"(?:{parts})*")


def write_query_as_lin(query: str) -> str:
    """Write the board in a link's parameters, the part after `?`, as the viewer writes it in LIN.

    `n s e w` are the hands, `d` the dealer, `v` the vulnerability, `b` the board, `a` the auction, `p` the play, `c`
    the claim, `nn sn en wn` the names, `i` an introduction.

    Returns:
        The text; empty where the link does not show a hand.
    """
    values = _read_parameters(query)
    hands = [values.get(seat, "") for seat in _SEATS]
    if not any(hands) or not all(_hand().fullmatch(hand) for hand in hands):
        return ""
    return "".join(f"{name}|{value}|" for name, value in _list_commands(values, hands))


def _read_parameters(query: str) -> dict[str, str]:
    """Decode parameters; the first of each name counts."""
    values: dict[str, str] = {}
    for part in query.split("&"):
        name, _, value = part.partition("=")
        values.setdefault(name.lower(), " ".join(_unquote(value).replace("|", "/").split()))
    return values


def _list_commands(values: Mapping[str, str], hands: list[str]) -> Iterator[tuple[str, str]]:
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
    yield from _cut_section("mb", values.get("a", "").removeprefix("-"))
    yield from _cut_section("pc", values.get("p", ""))
    if values.get("c"):
        yield "mc", values["c"]


def _cut_section(command: str, value: str) -> Iterator[tuple[str, str]]:
    """Cut an auction or a play at its explanations and chat."""
    for explained, chat, entries in _SECTION_PARTS.findall(value):
        for name, text in (("an", explained), ("nt", chat), (command, entries)):
            if text.strip():
                yield name, text
