"""Pages and lists of links that carry hands: a link to the viewer holds the text of a LIN file, or a board's parts."""

import html
import re
from dataclasses import fields, replace
from typing import Final
from urllib.parse import unquote

import numpy as np
import polars as pl

from overtrick.formats.base import Reading, nothing_but
from overtrick.formats.lin.read.reader import has_pbn_tag, is_lin, read_lin
from overtrick.formats.lin.read.viewer import as_lin
from overtrick.formats.text import decode, in_utf8
from overtrick.problems import Finding, report_findings

_PAGE: Final = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_ADDRESS: Final = re.compile(rb"https?://[^\s\"'<>]{1,2000}?[?&;](?:lin|[nsew])=", re.IGNORECASE)
_WITH_PIPES: Final = re.compile(rb"[?&;]lin=[a-z]{2}\|", re.IGNORECASE)
_BARE: Final = r"[ \t]*\??(?:lin=)?(?=(?:vg|pn|st|md|qx|ah)(?:\|[^|\n]*\|[a-z]{2})?%7c)"
"""What stands before the value of a link of which nothing else is there."""
_IS_BARE: Final = re.compile(_BARE.encode(), re.IGNORECASE)
_VALUE: Final = r"(?:[^\"<>&\n]|&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|lt|gt|quot|apos);)*"
_LINK: Final = re.compile(rf"(?:[?&;]lin=|hv_popuplin\('|^{_BARE})({_VALUE})", re.IGNORECASE | re.MULTILINE)
_QUERY: Final = re.compile(r"handviewer[^\s\"'<>?]*\?([^\s\"<>]+)", re.IGNORECASE)
_LONGEST_ADDRESS: Final = 2000
"""Characters before a link's value."""
_WHOLE: Final = re.compile(r"(?:^|[&;])lin=", re.IGNORECASE)
_PLUS_IS_BLANK: Final = re.compile(r"(?:^|(?<=\|))(?:ah|an|nt|pn)\|[^|]*", re.IGNORECASE)


def is_page(head: bytes) -> bool:
    """Say whether a file's beginning is that of a page, or holds a link to a hand and is neither LIN nor PBN."""
    head = in_utf8(head)
    if _PAGE.match(head) or _IS_BARE.match(head.lstrip()):
        return True
    if has_pbn_tag(head):
        return False
    return _WITH_PIPES.search(head) is not None or (_ADDRESS.search(head) is not None and not is_lin(head))


def read_page(data: bytes) -> Reading:
    """Read the hands in the links of a page or a list, each link once; nothing is fetched.

    Returns:
        The frames as `read_lin` gives them, placed where the link stands; the rest of the page is not kept.
    """
    page = decode(data)
    if isinstance(page, Finding):
        return nothing_but([page])
    texts = _texts(page.content)
    reading = read_lin("".join(f"{text}\n" for text in texts) or "\n")
    starts = np.repeat(np.array(list(texts.values()), dtype=np.int64), [text.count("\n") + 1 for text in texts])
    newlines = np.array([match.start() for match in re.finditer("\n", page.content)], dtype=np.int64)
    line = np.searchsorted(newlines, starts)
    column = starts - np.concatenate([[-1], newlines])[line]
    placed = pl.DataFrame({"text_line": np.arange(1, len(starts) + 1), "line": line + 1, "column": column})
    placed = placed.cast(pl.UInt32)
    moved = {field.name: _moved(getattr(reading, field.name), placed) for field in fields(reading)}
    problems = pl.concat([report_findings(page.findings, ""), moved.pop("problems")])
    return replace(reading, **moved, problems=problems)


def _texts(page: str) -> dict[str, int]:
    """Find the texts in the links of a page, each with the place of its first link."""
    found = [(match.start(1), _text(_value(match))) for match in _LINK.finditer(page)]
    for match in _QUERY.finditer(page):
        query = html.unescape(_value(match))
        found.append((match.start(1), as_lin(query) or "" if not _WHOLE.search(query) else ""))
    texts: dict[str, int] = {}
    for start, text in sorted(found):
        if "|" in text:
            texts.setdefault(text, start)
    return texts


def _value(match: re.Match[str]) -> str:
    """Give the value of a link, which ends at an apostrophe where one stands before its address: names have some."""
    before = match.string[max(0, match.start(1) - _LONGEST_ADDRESS) : match.start(1)]
    signs = [before.rfind(sign) for sign in "'\"<> \n\t"]
    return match[1].partition("'")[0] if signs[0] >= 0 and signs[0] == max(signs) else match[1]


def _text(value: str) -> str:
    """Decode the value of a link. A `+` is a blank only in what people wrote: it is a trick over elsewhere."""
    whole = html.unescape(value)
    encoded = whole if "|" in whole else whole.split()[0] if whole.strip() else ""
    spaced = _PLUS_IS_BLANK.sub(
        lambda found: found[0].replace("+", " "), re.sub("%7c", "|", encoded, flags=re.IGNORECASE)
    )
    try:
        return unquote(spaced, errors="strict")
    except UnicodeError:
        return unquote(spaced, encoding="latin-1")


def _moved(frame: pl.DataFrame, placed: pl.DataFrame) -> pl.DataFrame:
    """Place rows where their link stands in the page."""
    if "line" not in frame.columns or placed.is_empty():
        return frame
    own = ["column"] if "column" in frame.columns else []
    joined = (
        frame.drop(own).rename({"line": "text_line"}).join(placed, on="text_line", how="left", maintain_order="left")
    )
    return joined.select(frame.columns)
