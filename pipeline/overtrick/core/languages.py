"""Templates and the languages of pages: a catalogue of texts for each, with its dates and decimal signs.

The texts in templates are English; they are the keys of the catalogues `templates/languages/CODE.po`. To add a
language, add its catalogue. English needs nothing else; the others need Babel, the extra `languages`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from typing import Final

from jinja2 import BaseLoader, BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from overtrick.core.machine import resource
from overtrick.core.notation import is_number

_SPOKEN: Final = re.compile(r"not known|passed out|[A-Za-z]+")
"""The phrases and words that a catalogue translates of texts for screen readers."""
_NO_WORD: Final = "\u200b"
"""In a catalogue: the language has no word here, as Polish has none for the `of` in `queen of diamonds`."""

_REMEMBERED: Final = 4096
"""Texts whose translations each filter remembers."""
_COUNTED: Final = ("Section", "Stratum", "Round", "Table", "Sheet", "Board")
_DECIMAL_POINT: Final = re.compile(r"(?<=[0-9])\.(?=[0-9])")
_PLACEHOLDER: Final = re.compile(r"\{\w+\}")
_TERM: Final = re.compile(r"(?<![A-Za-z])(?:NT|Pass|[NESW](?:-[NESW])?)(?![A-Za-z])")


class LanguageError(Exception):
    """A language can't be used; the message says what to do."""


@dataclass(frozen=True)
class Language:
    """A language of pages."""

    code: str
    """As HTML names it: `en`, `fr`, `pl`."""
    texts: NullTranslations
    decimal: str
    """The decimal sign."""
    write_date: Callable[[date], str] | None = None
    """Writes a date in words; None for English."""
    catalogue: Mapping[str, str] = field(default_factory=dict)
    """Translations by the English text, without plurals and contexts, for documents that look texts up themselves."""
    problems: Mapping[str, str] = field(default_factory=dict)
    """Translations of sentences and hints of problems by the English, with its placeholders."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """Translations of parts of problems, such as reasons, by the English; of forms that overlap, the plainest first."""

    def translate(self, english: str) -> str:
        """Return a text in this language; a text that the catalogue lacks stays English, and an empty one empty."""
        return self.texts.gettext(english) if english else ""

    def translate_phrase(self, english: str) -> str:
        """Translate a heading part by part: `Section A, North-South`, `Table 3`. Names in it stay as they are."""
        whole = self.translate(english)
        if whole != english or self.code == "en":
            return whole
        return ", ".join(self._translate_part(part) for part in english.split(", "))

    def _translate_part(self, english: str) -> str:
        word, space, rest = english.partition(" ")
        return f"{self.translate(word)} {rest}" if space and word in _COUNTED else self.translate(english)

    def translate_spoken(self, english: str) -> str:
        """Translate word by word what screen readers say of cards and contracts: `queen of diamonds`."""
        if self.code == "en":
            return english
        words = _SPOKEN.sub(lambda word: self.texts.pgettext("spoken", word[0]), english)
        return re.sub(r" {2,}", " ", words.replace(_NO_WORD, "")).strip()

    def translate_terms(self, text: str) -> str:
        """Translate seats, sides, notrump and pass within a text of contracts and scores: `3NT N-S`."""
        return _TERM.sub(lambda term: self.translate(term[0]), text)

    def translate_ranks(self, letters: str) -> str:
        """Replace the letters of ranks by this language's: `A R D 10` in French."""
        if self.code == "en":
            return letters
        return re.sub("[AKQJ]", lambda letter: self.texts.pgettext("rank", letter[0]), letters)

    def format_board(self, number: str, *, is_deal: bool = False, order: str = "") -> str:
        """Return the heading of a board: `Board 7`; of a deal of a score sheet: `Deal 7`; a title as it is.

        `order`, such as `1/12`, names a deal without a number: `Deal 1 of 12`.
        """
        if is_deal and number:
            return self.translate("Deal %s") % number
        if order and not number:
            place, _, count = order.partition("/")
            return self.translate("Deal %(place)s of %(count)s") % {"place": place, "count": count}
        if " " in number and not any(map(str.isdigit, number)):
            return number
        return self.translate("Board %s") % number if number else self.translate("Board without a number")

    def format_count(self, count: int, one: str, many: str) -> str:
        """Return a count with its noun in the right plural; the English is `%(num)s board`, `%(num)s boards`."""
        return self.texts.ngettext(one, many, count) % {"num": count}

    def format_ordinal(self, rank: str) -> str:
        """Return a place, `3` or `3=`, as an ordinal number: `3rd`, `3e`, `3.`."""
        place, shared = rank.removesuffix("="), "=" if rank.endswith("=") else ""
        if not is_number(place):
            return rank
        if self.code == "en":
            ending = (
                "th" if place[-2:] in {"11", "12", "13"} else {"1": "st", "2": "nd", "3": "rd"}.get(place[-1], "th")
            )
        else:
            ending = self.texts.pgettext("ordinal", "first" if place == "1" else "other")
            ending = "." if ending in {"first", "other"} else ending
        return f"{place}{ending}{shared}"

    def format_figure(self, number: str) -> str:
        """Replace the decimal point of a number by this language's decimal sign."""
        return _DECIMAL_POINT.sub(self.decimal, number)

    def format_date(self, iso: str, otherwise: str) -> str:
        """Return a date (`YYYY-MM-DD`) in words; `otherwise` if it is not a whole date, and in English."""
        if not iso or self.write_date is None:
            return otherwise
        try:
            return self.write_date(date.fromisoformat(iso))
        except ValueError:
            return otherwise


def add_language(environment: Environment, code: str) -> None:
    """Add a language to the templates of an environment: `_`, `ngettext`, and filters for the values they place.

    Raises:
        LanguageError: as `open_language`.
    """
    spoken = open_language(code)
    environment.add_extension("jinja2.ext.i18n")
    environment.install_gettext_translations(spoken.texts, newstyle=True)  # type: ignore[attr-defined]
    environment.globals["language"] = spoken.code
    texts = {
        "tr": spoken.translate_phrase,
        "said": spoken.translate_spoken,
        "rank": spoken.translate_ranks,
        "figure": spoken.format_figure,
        "terms": spoken.translate_terms,
        "ordinal": spoken.format_ordinal,
    }
    # The pages of a session show few texts many times.
    environment.filters |= {name: lru_cache(_REMEMBERED)(change) for name, change in texts.items()}
    environment.filters["heading"] = lambda board: spoken.format_board(
        board.number, is_deal=getattr(board, "is_deal", False), order=getattr(board, "order", "")
    )


@cache
def open_language(code: str) -> Language:
    """Return a language by its code: `en`, or the name of a catalogue in `templates/languages/`.

    Raises:
        LanguageError: the language is not English, and Babel is not installed.
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
    texts: dict[str, dict[str, str]] = {}
    for message in catalogue:
        if message.id and message.string and not message.fuzzy and not message.pluralizable:
            texts.setdefault(message.context or "", {})[str(message.id)] = str(message.string)
    return Language(
        code,
        GNUTranslations(compiled),
        get_decimal_symbol(code),
        lambda when: format_date(when, "long", locale=code),
        texts.get("", {}),
        texts.get("problem", {}),
        dict(sorted(texts.get("part of a problem", {}).items(), key=lambda part: _plainness(part[0]), reverse=True)),
    )


def _plainness(form: str) -> tuple[int, int]:
    """Return the number of characters before the first placeholder, and of all that are not in placeholders.

    `board 7, 3 against 4` is `board {board}, {named}` rather than `{one} against {other}`.
    """
    return len(form.partition("{")[0]), len(_PLACEHOLDER.sub("", form))


def open_templates(
    folder: str,
    *,
    loader: BaseLoader | None = None,
    cache: BytecodeCache | None = None,
    is_markup: bool = True,
    is_trusted: bool = True,
) -> Environment:
    """Open a folder of templates. A missing value is an error, not an empty text.

    Args:
        folder: the folder below `templates/`.
        loader: finds the templates, where they come from other folders too.
        cache: keeps what is compiled.
        is_markup: escape all values.
        is_trusted: without it, templates are kept from what is not theirs, which costs a tenth of the time.
    """
    kind = Environment if is_trusted else SandboxedEnvironment
    return kind(
        loader=loader or FileSystemLoader(resource("templates", folder)),
        autoescape=is_markup,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        bytecode_cache=cache,
    )
