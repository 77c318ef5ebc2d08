r"""The documents to print, as PDF: a template makes Typst source, Typst sets it.

Names come from strangers, and Typst source is a program: it can read files and loop. So no value is ever text of that
program. Whatever a template places passes `literal`, Jinja's finalizer, and comes out as one Typst literal: a string in
quotes, a number, `none`, a date. There is no way round it and no type that is exempt, for the templates only call the
functions of `.typ` files, which are plain Typst without a placeholder. Inside the quotes every ASCII character other
than letters, digits and the space is written `\u{..}`, an escape that Typst reads alike in code and in text: a value
placed where it should not be looks wrong, and still is not code.
"""

import os
import re
import unicodedata
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from typing import Final

import polars as pl
import typst
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from overtrick.machine import resource
from overtrick.notation import clean
from overtrick.render.context import Ranking, SessionPage, StandingRow
from overtrick.render.fonts import EAST_ASIAN, fonts, has_east_asian
from overtrick.render.languages import Language, language, speak

SHORT_IDENTITY: Final = 5
"""Longest identity of a contestant, in characters, that a traveller sets as a number; longer ones are names."""

HAND_RECORDS: Final = {
    "standard": "hand-records.pdf",
    "compact": "hand-records-compact.pdf",
    "large": "hand-records-large.pdf",
}
"""Layouts of hand records and the files that they go to."""

_UNKNOWN_GLYPH: Final = "\N{REPLACEMENT CHARACTER}"

_LETTERS: Final = (
    "\x20-\x7e\xa0-\xac\xae-\u036f\u1e00-\u1eff"  # Latin, accents
    "\u0370-\u0377\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ff"  # Greek
    "\u0400-\u0477\u047a-\u0482\u048a-\u04f9\u04fc-\u04ff"  # Cyrillic
    "\u0531-\u0556\u0561-\u0586\u10d0-\u10fa"  # Armenian, Georgian
    "\u05d0-\u05ea\u0621-\u063a\u0641-\u064a\u067e\u0686\u0698\u06a9\u06af\u06cc"  # Hebrew, Arabic, Persian letters
    "\u2010-\u2027\u2030-\u2040\u20a0-\u20c0\u2190-\u2199\u2200-\u22ff"  # punctuation, currencies, arrows, mathematics
    "\u25a0-\u25ff\u2605\u2606\u2660-\u2667\ufffd"  # shapes, stars, suits
)
"""What Typst's own fonts have, upright and bold. PDF/UA has no place for a character without a glyph."""

_INKLESS: Final = re.compile("[\u00ad\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f]")
_NOT_PLAIN: Final = re.compile(r"[^A-Za-z0-9 \u0080-\U0010ffff]")


def pdf_documents(page: SessionPage, *, code: str = "en") -> dict[str, Future[bytes]]:
    """Begin to set all documents of a session that have anything to say, in a language; they get ready meanwhile.

    Returns:
        By file name: `bulletin.pdf`; `hand-records.pdf` with 18 boards a side, `hand-records-compact.pdf` with 36 and
        `hand-records-large.pdf` with 8, where any deal is known; `scorecards.pdf`, a sheet a contestant, and
        `travellers.pdf`, the results with names, where there are any.

    Raises:
        LanguageError: the language can't be used.
    """
    spoken = language(code)
    # Typst sets without holding Python's lock, so threads are enough for all cores.
    pool = ThreadPoolExecutor(pl.thread_pool_size())
    begun = {name: pool.submit(_set, source, spoken) for name, source in _sources(page, spoken)}
    pool.shutdown(wait=False)
    return begun


def _sources(page: SessionPage, spoken: Language) -> Iterator[tuple[str, str]]:
    """Fill the templates of the documents one after the other; the longest comes first."""
    if any(card.rows for card in page.scorecards):
        yield "scorecards.pdf", _source("scorecards", page, spoken)
    yield "bulletin.pdf", typst_source(page, code=spoken.code)
    played = [board for board in page.boards if board.rows]
    if played:
        yield "travellers.pdf", _source("travellers", page, spoken, boards=played, in_full=True)
    if any(board.hands for board in page.boards):
        for layout, name in HAND_RECORDS.items():
            yield name, _source("hand-records", page, spoken, layout=layout, boards=page.boards)


def render_pdf(page: SessionPage, *, code: str = "en") -> bytes:
    """Set the bulletin of a session: rankings and statistics, a block a board with deal and traveller, the recap.

    The same page gives the same bytes: the fonts are those of `render.fonts`, and the document is dated by
    `SOURCE_DATE_EPOCH` where that is set, else by the session's date, and not at all where that is no whole date.

    Returns:
        A PDF in A4, tagged as PDF/UA-1 asks. Characters that no font at hand can show stand as U+FFFD.
    """
    return _set(typst_source(page, code=code), language(code))


def typst_source(page: SessionPage, *, code: str = "en") -> str:
    """Fill the bulletin's template: Typst source that imports `bulletin.typ` from the same folder."""
    identities = (one.id for board in page.boards for row in board.rows for one in (row.ns, row.ew))
    return _source(
        "bulletin",
        page,
        language(code),
        winners=[(ranking, winners(ranking)) for ranking in page.rankings if winners(ranking)],
        named=any(len(identity) > SHORT_IDENTITY for identity in identities),
        in_full=False,
    )


def _source(document: str, page: SessionPage, spoken: Language, **values: object) -> str:
    """Fill the template of a document."""
    return (
        _environment(spoken.code)
        .get_template(f"{document}.typ.j2")
        .render(
            page=page,
            title=showable(page.title) or spoken.text("Results"),
            date=_document_date(page.date),
            facts=_facts(page, spoken),
            **values,
        )
    )


def _set(source: str, spoken: Language) -> bytes:
    return typst.compile(  # type: ignore[call-overload, no-any-return]  # its stubs want one type for source and root
        source.encode(),
        root=str(resource("templates", "typst")),
        font_paths=fonts(),
        pdf_standards="ua-1",
        sys_inputs=dict(spoken.catalogue),
    )


def winners(ranking: Ranking) -> tuple[StandingRow, ...]:
    """Give the first of a ranking, all of them when they share the place; none when nobody is ranked."""
    return tuple(row for row in ranking.rows if row.rank and row.rank == ranking.rows[0].rank)


def literal(value: object) -> str:
    """Write a value as one Typst literal, whatever it holds.

    Raises:
        TypeError: the value is of a type that templates have no business with (a programming error).
    """
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case date():
            return f"datetime(year: {value.year}, month: {value.month}, day: {value.day})"
        case str():
            return _quoted(value)
        case _:
            raise TypeError(f"a template can't place {value!r}")


def showable(text: str) -> str:
    """Bring a text to one line of what the fonts can show: U+FFFD for the rest, nothing for what has no ink."""
    text = clean(text)
    if text.isascii():
        return text
    return _unshowable().sub(_UNKNOWN_GLYPH, _INKLESS.sub("", unicodedata.normalize("NFC", text)))


@cache
def _unshowable() -> re.Pattern[str]:
    return re.compile(f"[^{_LETTERS}{EAST_ASIAN if has_east_asian() else ''}]")


@lru_cache(maxsize=4096)
def _quoted(text: str) -> str:
    return '"' + _NOT_PLAIN.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", showable(text)) + '"'


@cache
def _environment(code: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(resource("templates", "typst")),
        autoescape=False,  # noqa: S701 - that would escape for HTML; `literal` escapes for Typst
        finalize=literal,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    speak(environment, code)
    return environment


def _facts(page: SessionPage, spoken: Language) -> list[str]:
    """List what stands below the title; results that may change, or are final, say so."""
    sizes = (
        (page.tables, "%(num)s table", "%(num)s tables"),
        (page.board_count, "%(num)s board", "%(num)s boards"),
    )
    counts = [spoken.counted(int(count), one, many) for count, one, many in sizes if count.strip("0")]
    until = page.provisional_until and spoken.text("Provisional until %(day)s") % {"day": page.provisional_until}
    stamp = spoken.text("Final") if page.final else until
    return [fact for fact in (page.date_text, page.site, spoken.text(page.method), *counts, stamp) if fact]


def _document_date(session_date: str) -> date | None:
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        return datetime.fromtimestamp(int(epoch), UTC) if epoch else date.fromisoformat(session_date)
    except (ValueError, OverflowError, OSError):
        return None
