"""Languages of pages: one catalogue of texts each, dates and decimal signs as its readers write them.

The texts in templates are English, and are the keys of the catalogues `templates/languages/<code>.po`. English needs
nothing but this module; the others need Babel, the extra `languages`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from typing import Final

from overtrick.resources import resource

_WORD: Final = re.compile(r"[A-Za-z]+")
_NUMBER: Final = re.compile(r"(?<=\d)\.(?=\d)")


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

    def text(self, english: str) -> str:
        """Translate a text; a text that the catalogue lacks stays English, and an empty one empty."""
        return self.texts.gettext(english) if english else ""

    def said(self, english: str) -> str:
        """Translate word by word what screen readers say of cards and contracts: `queen of diamonds`."""
        if self.code == "en":
            return english
        words = _WORD.sub(lambda word: self.texts.pgettext("spoken", word[0]), english)
        return re.sub(r" {2,}", " ", words).strip()

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


@cache
def language(code: str) -> Language:
    """Open a language.

    Raises:
        LanguageError: it is not English and Babel is missing, or there is no catalogue of it.
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
    path = resource("templates", "languages", f"{code}.po")
    if not path.is_file():
        raise LanguageError(f'there is no catalogue of texts for "{code}"')
    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=code))
    compiled.seek(0)
    return Language(
        code, GNUTranslations(compiled), get_decimal_symbol(code), lambda when: format_date(when, "long", locale=code)
    )
