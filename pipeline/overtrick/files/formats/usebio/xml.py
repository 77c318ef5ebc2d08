"""XML from strangers: elements with their places, no DTD fetched, no entity expanded, all within the budget of a file.

The standard library's expat does the parsing: it knows the place of every element, which tree builders drop, and an
entity that a file declares is refused before it can be used.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Final
from xml.parsers import expat

from overtrick.core.problems import Finding
from overtrick.files.formats.base import current_budget
from overtrick.files.formats.text import Text, decode

_DECLARED: Final = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
_BUT_LINE_END: Final = re.compile(r"[^\n]")
_DECLARATION: Final = re.compile(r"\s*<\?xml[^>]*\?>")
_BARE_AMPERSANDS: Final = re.compile(
    r"(?:&(?!#[0-9]+;|#[xX][0-9A-Fa-f]+;|(?:amp|lt|gt|quot|apos);)(?:[A-Za-z][A-Za-z0-9]*;)?)++"
)
"""Ampersands side by side that XML does not know without a DTD: alone, or in a name of HTML."""


@dataclass(slots=True)
class Element:
    """One element: its text is that between its tags, without the text of its children."""

    name: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list["Element"] = field(default_factory=list)
    text: str = ""
    is_read: bool = False

    def report_text(self, board: str | None = None) -> Finding:
        """Return the problem that its text is not a value of its kind."""
        values = {"element": self.name, "text": repr(self.text)}
        return Finding("value-unknown/usebio", self.line, self.column, board=board, values=values)

    def all(self, *names: str) -> list["Element"]:
        """Return the children with one of these names, and mark them as read."""
        found = [child for child in self.children if child.name in names]
        for child in found:
            child.is_read = True
        return found

    def first(self, *names: str) -> "Element | None":
        """Return the first child with one of these names that is not empty."""
        return next((child for child in self.all(*names) if child.text or child.children), None)

    def get(self, name: str) -> "Element | None":
        """Return the first child of this name with a text, and do not mark it as read."""
        return next((child for child in self.children if child.name == name and child.text), None)

    def value(self, *names: str) -> str | None:
        """Return the text of `first`."""
        child = self.first(*names)
        return child.text if child and child.text else None

    def stated(self, *names: str) -> str | None:
        """Return the first of these that is stated: programs write some as attributes, some as elements."""
        return next((said for name in names if (said := self.attributes.get(name) or self.value(name))), None)

    def unread(self, path: str = "") -> Iterator[tuple[str, str, "Element"]]:
        """Yield what no reader has read, at any depth: the names that lead to it, the text, the element.

        The name of an attribute begins with `@`.
        """
        for child in self.children:
            place = f"{path}/{child.name}" if path else child.name
            if child.text and not child.is_read:
                yield place, child.text, child
            for name, value in child.attributes.items():
                yield f"{place}/@{name}", value, child
            yield from child.unread(place)


def parse(data: bytes) -> tuple[Element | None, list[Finding]]:
    """Read XML.

    Returns:
        The outermost element, and the problems. A file that breaks off keeps what comes before; one that declares
        entities gives None.

    Raises:
        OverBudgetError: it is too deep, or has too many elements.
    """
    text = _decoded(data)
    if isinstance(text, Finding):
        return None, [text]
    content = _without_declaration(text.content)
    root, fault = _tree(content)
    findings = list(text.findings)
    if fault is not None and fault.code == "file-damaged/xml" and (bare := _bare_ampersands(content)):
        root, fault = _tree(_BARE_AMPERSANDS.sub(lambda bare: escape(unescape(bare[0])), content))
        findings += bare
    return root, findings if fault is None else [*findings, fault]


def _tree(content: str) -> tuple[Element | None, Finding | None]:
    builder = _Builder()
    parser = builder.parser
    try:
        parser.Parse(content.encode("utf-8", "replace"), True)
    except _RefusedError as refused:
        line, column = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        return None, Finding("file-refused/xml", line, column, values={"reason": str(refused)})
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        return builder.root, Finding("file-damaged/xml", error.lineno, error.offset + 1, values={"reason": reason})
    return builder.root, None


class _RefusedError(Exception):
    """The file uses what no exchange file needs and an attack does."""


class _Builder:
    """Builds the tree as expat goes through the text."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self.budget = current_budget()
        self.open: list[Element] = []
        # Of each open element: concatenated one by one, a million pieces would be copied a million times.
        self.texts: list[list[str]] = []
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.SkippedEntityHandler = self.skipped
        self.parser.EntityDeclHandler = self.declared
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.budget.need("depth", len(self.open) + 1)
        self.budget.spend("elements")
        place = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        element = Element(name.upper(), {key.upper(): value for key, value in attributes.items()}, *place)
        if self.open:
            self.open[-1].children.append(element)
        self.root = self.root or element
        self.open.append(element)
        self.texts.append([])

    def end(self, _name: str) -> None:
        self.open.pop().text = "".join(self.texts.pop()).strip()

    def characters(self, text: str) -> None:
        if self.texts:
            self.texts[-1].append(text)

    def skipped(self, name: str, is_parameter: int) -> None:
        # Without its DTD a file does not define &eacute;; programs mean the names of HTML.
        if not is_parameter:
            self.characters(unescape(f"&{name};"))

    def declared(self, name: str, *_rest: object) -> None:
        raise _RefusedError(f"it declares the entity {name!r}")


def _decoded(data: bytes) -> Text | Finding:
    """Return the text in the encoding that the file declares, else in one that fits."""
    text = decode(data)
    if isinstance(text, Finding) or text.encoding.startswith("utf-16"):
        return text
    declared = _DECLARED.search(data[:400])
    name = declared.group(1).decode() if declared else "utf-8"
    try:
        content = data.decode(codecs.lookup(name).name)
    except (LookupError, UnicodeError, AttributeError):
        values = {"declared": name, "encoding": text.encoding}
        return Text(text.content, text.encoding, (Finding("file-charset/xml", 1, 1, values=values),))
    content = content.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return Text(content, name)


def _without_declaration(content: str) -> str:
    """Return the text with blanks for its declaration, whose encoding no longer counts once the text is decoded."""
    declaration = _DECLARATION.match(content)
    if declaration is None:
        return content
    return _BUT_LINE_END.sub(" ", declaration.group()) + content[declaration.end() :]


def _bare_ampersands(content: str) -> list[Finding]:
    """Report ampersands that are alone, as in `Bill & Ben`, and those of HTML, as in `Ren&eacute;`.

    Several side by side are one slip.
    """
    return [
        Finding("xml-ampersand", number, bare.start() + 1)
        for number, line in enumerate(content.split("\n"), start=1)
        for bare in _BARE_AMPERSANDS.finditer(line)
    ]
