"""Languages of pages: one catalogue of texts each, dates and decimal signs as its readers write them.

The texts in templates are English, and are the keys of the catalogues `templates/languages/<code>.po`. English needs
nothing but this module; the others need Babel, the extra `languages`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from typing import Final

from jinja2 import Environment

from overtrick.machine import resource

_WORD: Final = re.compile(r"[A-Za-z]+")
_NOTHING: Final = "\u200b"
"""Stands in a catalogue for a word that the language has no use for."""

_COUNTED: Final = ("Section", "Round", "Table", "Sheet", "Board")
_NUMBER: Final = re.compile(r"(?<=\d)\.(?=\d)")
_TERM: Final = re.compile(r"(?<![A-Za-z])(?:NT|Pass|[NESW](?:-[NESW])?)(?![A-Za-z])")


class LanguageError(Exception):
    """A language can't be used; the message says what to do."""


@dataclass(frozen=True)
class Language:
    """One language of pages."""

    code: str
    """As HTML names it: `en`, `fr`, `pl`."""
    texts: NullTranslations
    decimal: str
    long_date: Callable[[date], str] | None = None
    catalogue: Mapping[str, str] = field(default_factory=dict)
    """The texts that stand alone, by the English, for documents that look them up themselves."""

    def text(self, english: str) -> str:
        """Translate a text; a text that the catalogue lacks stays English, and an empty one empty."""
        return self.texts.gettext(english) if english else ""

    def phrase(self, english: str) -> str:
        """Translate a heading of several parts, `Section A, North-South`, `Table 3`; names in it stay as they are."""
        whole = self.text(english)
        if whole != english or self.code == "en":
            return whole
        return ", ".join(self._part(part) for part in english.split(", "))

    def heading(self, number: str) -> str:
        """Write what a board is called: `Board 7`."""
        return self.text("Board %s") % number if number else self.text("Board without a number")

    def _part(self, english: str) -> str:
        word, space, rest = english.partition(" ")
        return f"{self.text(word)} {rest}" if space and word in _COUNTED else self.text(english)

    def said(self, english: str) -> str:
        """Translate word by word what screen readers say of cards and contracts: `queen of diamonds`."""
        if self.code == "en":
            return english
        words = _WORD.sub(lambda word: self.texts.pgettext("spoken", word[0]), english)
        return re.sub(r" {2,}", " ", words.replace(_NOTHING, "")).strip()

    def counted(self, count: int, one: str, many: str) -> str:
        """Write a count with its noun, `%(num)s board` or `%(num)s boards`, as the language counts."""
        return self.texts.ngettext(one, many, count) % {"num": count}

    def terms(self, text: str) -> str:
        """Translate seats, notrump and pass within a text of contracts and scores: `3NT N-S`."""
        return _TERM.sub(lambda term: self.text(term[0]), text)

    def ranks(self, letters: str) -> str:
        """Write ranks with the language's letters: `A R D 10` in French."""
        if self.code == "en":
            return letters
        return re.sub("[AKQJ]", lambda letter: self.texts.pgettext("rank", letter[0]), letters)

    def figure(self, number: str) -> str:
        """Write a number with the language's decimal sign."""
        return _NUMBER.sub(self.decimal, number)

    def date(self, iso: str, otherwise: str) -> str:
        """Write a whole date (`YYYY-MM-DD`) for reading; `otherwise` where the date is not whole."""
        if not iso or self.long_date is None:
            return otherwise
        try:
            return self.long_date(date.fromisoformat(iso))
        except ValueError:
            return otherwise


def speak(environment: Environment, code: str) -> None:
    """Teach templates a language: `_` and `ngettext`, and filters for what is placed.

    Raises:
        LanguageError: as `language`.
    """
    spoken = language(code)
    environment.add_extension("jinja2.ext.i18n")
    environment.install_gettext_translations(spoken.texts, newstyle=True)  # type: ignore[attr-defined]
    environment.globals["language"] = spoken.code
    environment.filters |= {
        "tr": spoken.phrase,
        "said": spoken.said,
        "rank": spoken.ranks,
        "figure": spoken.figure,
        "terms": spoken.terms,
        "heading": lambda board: spoken.heading(board.number),
    }


@cache
def language(code: str) -> Language:
    """Open a language.

    Raises:
        LanguageError: it is not English and Babel is missing.
    """
    if code == "en":
        return Language("en", NullTranslations(), ".")
    try:
        from babel.dates import format_date  # noqa: PLC0415 - only pages in other languages need it
        from babel.messages.mofile import write_mo  # noqa: PLC0415
        from babel.messages.pofile import read_po  # noqa: PLC0415
        from babel.numbers import get_decimal_symbol  # noqa: PLC0415
    except ImportError as error:
        raise LanguageError(f'pages in "{code}" need Babel: pip install "overtrick[languages]"') from error
    compiled = BytesIO()
    with resource("templates", "languages", f"{code}.po").open("rb") as file:
        catalogue = read_po(file, locale=code)
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Language(
        code,
        GNUTranslations(compiled),
        get_decimal_symbol(code),
        lambda when: format_date(when, "long", locale=code),
        {str(one.id): str(one.string) for one in catalogue if one.id and not one.context and not one.pluralizable},
    )
