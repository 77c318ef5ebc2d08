"""Reading pages back as browsers and readers do."""

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import Element

import html5lib  # type: ignore[import-untyped]  # it comes without types

Site = Mapping[str, bytes]


def parse(page: bytes) -> Element:
    """Parse a page.

    Raises:
        html5lib.html5parser.ParseError: it is not valid HTML.
    """
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    document: Element = parser.parse(page, transport_encoding="utf-8")
    return document


def html_pages(site: Site) -> dict[str, Element]:
    """Parse all pages of a site."""
    return {path: parse(content) for path, content in site.items() if path.endswith(".html")}


def text_of(element: Element) -> str:
    """Give the text of an element as people read it, without what only screen readers get."""
    if "sr-only" in element.get("class", "").split():
        return ""
    parts = [element.text or ""]
    for child in element:
        parts += [text_of(child), child.tail or ""]
    return re.sub(r"\s+", " ", "".join(parts)).replace("\ufe0e", "")


def cells(table: Element) -> list[list[str]]:
    """Give the texts of a table's rows, heads and all."""
    return [[text_of(cell).strip() for cell in row] for row in table.iter("tr")]


def broken_links(site: Site) -> list[tuple[str, str]]:
    """List links that lead to no file, to no place on a page, or out of the site without saying so."""
    pages = html_pages(site)
    names = {path: {element.get("id") for element in page.iter()} for path, page in pages.items()}
    broken = []
    for path, page in pages.items():
        for element in page.iter():
            for address in filter(None, (element.get("href"), element.get("src"))):
                parts = urlsplit(address)
                if parts.scheme == "data" or (parts.scheme == "https" and "external" in element.get("rel", "")):
                    continue
                target = normpath(join(dirname(path), unquote(parts.path))) if parts.path else path
                here = target in site and (not parts.fragment or parts.fragment in names.get(target, set()))
                if parts.scheme or parts.netloc or not here:
                    broken.append((path, address))
    return broken


def repeated_names(page: Element) -> list[str]:
    """List ids that stand on a page more than once."""
    names = [name for element in page.iter() if (name := element.get("id"))]
    return sorted({name for name in names if names.count(name) > 1})
