r"""The documents to print, as PDF: a template makes Typst source, Typst sets it.

Names come from strangers, and Typst source is a program: it can read files and loop. So no value ever becomes text of
that program. Every value that a template places passes `write_literal`, Jinja's finalizer, and comes out as one Typst
literal: a string in quotes, a number, `none`, a date. There is no way around it, and no type is exempt, because the
templates only call the functions of `.typ` files, which are plain Typst without placeholders. Inside the quotes every
ASCII character other than letters, digits and the space is written `\u{..}`, an escape that Typst reads alike in code
and in text: a value placed where it should not be looks wrong, but still is not code.

The fonts are those of Typst, and Noto Sans CJK if the extra `cjk` is installed. Typst's fonts have no Chinese, Japanese
or Korean, and a font that has them is larger than everything else in overtrick. System fonts are left out, so that a
session gives the same bytes on every machine.
"""

import json
import os
import re
import unicodedata
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import polars as pl
import typst
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined

from overtrick.machine import resource
from overtrick.notation import clean
from overtrick.render.compiled import keep_compiled
from overtrick.render.languages import Language, add_language, open_language
from overtrick.render.look import Look
from overtrick.render.pages.session_page import SessionPage
from overtrick.render.pdf_size import shrink_pdf

_PLAIN: Final = Look()
_TITLES: Final = {"scorecards": "Scorecards", "travellers": "Travellers", "hand-records": "Hand records"}
"""What a document is, in its title; the bulletin has the session's title alone."""

SHORT_IDENTITY: Final = 5
"""Longest identity of a contestant, in characters, that a traveller sets as a number; longer ones are names."""

HAND_RECORDS: Final = {
    "standard": "hand-records.pdf",
    "compact": "hand-records-compact.pdf",
    "large": "hand-records-large.pdf",
}
"""Layouts of hand records, and the files that they are written to."""

EAST_ASIAN: Final = (
    "\u3000-\u303f\u3041-\u3096\u3099-\u30ff\u3105-\u312f\u31f0-\u31ff"  # punctuation, Japanese syllables, Bopomofo
    "\u3400-\u4db5\u4e00-\u9fef"  # Han
    "\uac00-\ud7a3"  # Korean
    "\uff01-\uff9f"  # wide Latin, narrow Japanese
)
"""What Noto Sans CJK adds, as a range of a regular expression."""

_CJK_PACKAGE: Final = "noto_cjk_sans_otc"
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
"""What Typst's own fonts have, upright and bold. PDF/UA allows no character without a glyph."""

_INKLESS: Final = re.compile("[\u00ad\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f]")
_NOT_PLAIN: Final = re.compile(r"[^A-Za-z0-9 \u0080-\U0010ffff]")


def start_documents(page: SessionPage, *, code: str = "en", look: Look = _PLAIN) -> dict[str, Future[bytes]]:
    """Start to set all documents of a session that have anything to show, in a language, on all cores.

    Returns:
        By file name: `bulletin.pdf`; `hand-records.pdf` with 18 boards a side, `hand-records-compact.pdf` with 36 and
        `hand-records-large.pdf` with 8, if any deal is known; `scorecards.pdf`, a sheet for each contestant, and
        `travellers.pdf`, the results with names, if there are any.

    Raises:
        LanguageError: the language can't be used.
    """
    spoken = open_language(code)
    # Typst sets without holding Python's lock, so threads use all cores.
    pool = ThreadPoolExecutor(pl.thread_pool_size())
    begun = {name: pool.submit(_set, source, spoken, look) for name, source in fill_templates(page, spoken, look)}
    pool.shutdown(wait=False)
    return begun


def fill_templates(page: SessionPage, spoken: Language, look: Look = _PLAIN) -> Iterator[tuple[str, str]]:
    """Return the Typst source of each document by its file name, one after the other; the longest comes first."""
    if any(card.rows for card in page.scorecards):
        yield "scorecards.pdf", _fill_template("scorecards", page, spoken, look)
    yield "bulletin.pdf", fill_bulletin(page, code=spoken.code, look=look)
    played = [board for board in page.boards if board.rows]
    if played:
        yield "travellers.pdf", _fill_template("travellers", page, spoken, look, boards=played, in_full=True)
    if any(board.hands for board in page.boards):
        for layout, name in HAND_RECORDS.items():
            yield name, _fill_template("hand-records", page, spoken, look, layout=layout, boards=page.boards)


def render_pdf(page: SessionPage, *, code: str = "en", look: Look = _PLAIN) -> bytes:
    """Set the bulletin of a session: rankings and statistics, a block for each board with its results, the recap.

    The same page gives the same bytes. The document has the date of `SOURCE_DATE_EPOCH` if that is set, else the
    session's date, and none if that is not a whole date.

    Returns:
        A PDF in A4 or Letter, tagged for PDF/UA-1. Characters that the fonts lack are U+FFFD.
    """
    return _set(fill_bulletin(page, code=code, look=look), open_language(code), look)


def fill_bulletin(page: SessionPage, *, code: str = "en", look: Look = _PLAIN) -> str:
    """Return the Typst source of the bulletin, which imports `bulletin.typ` from the folder of the templates."""
    identities = (one.id for board in page.boards for row in board.rows for one in (row.ns, row.ew))
    return _fill_template(
        "bulletin",
        page,
        open_language(code),
        look,
        winners=[(ranking, ranking.winners) for ranking in page.rankings if ranking.winners],
        named=any(len(identity) > SHORT_IDENTITY for identity in identities),
        in_full=False,
    )


def _fill_template(document: str, page: SessionPage, spoken: Language, look: Look, **values: object) -> str:
    return (
        _open_environment(spoken.code, look.templates)
        .get_template(f"{document}.typ.j2")
        .render(
            page=page,
            title=make_showable(page.title) or spoken.translate("Results"),
            kind=spoken.translate(_TITLES.get(document, "")),
            logo=f"/{look.logo}" if look.logo else "",
            date=_choose_date(page.date),
            facts=_list_facts(page, spoken),
            **values,
        )
    )


def _set(source: str, spoken: Language, look: Look = _PLAIN) -> bytes:
    files = collect_files(look)
    document: bytes = typst.compile(  # type: ignore[call-overload]  # its stubs want one type for source and root
        {"main.typ": source.encode(), **files} if files else source.encode(),
        root=str(resource("templates", "typst")),
        font_paths=open_fonts(),
        pdf_standards="ua-1",
        sys_inputs=list_inputs(spoken, look),
    )
    return shrink_pdf(document)


def list_inputs(spoken: Language, look: Look) -> dict[str, str]:
    """Return what layouts look up, as JSON: translations by their English text, and the look by keys with a colon.

    It is one value because the typesetter mixes up the order of several, and then takes them for others each time: what
    it set for one document it would not find again for the next.
    """
    return {"all": json.dumps({**spoken.catalogue, "look:paper": look.paper, "look:accent": look.accent})}


def collect_files(look: Look) -> dict[str, bytes]:
    """Return the club's logo and its own layouts, which replace those of the same name; ours are then in `ours/`."""
    files = {look.logo: look.image} if look.logo else {}
    own = sorted(look.templates.glob("*.typ")) if look.templates else []
    if own:
        ours = resource("templates", "typst").glob("*.typ")
        files |= {f"ours/{path.name}": path.read_bytes() for path in sorted(ours)}
        files |= {path.name: path.read_bytes() for path in own}
    return files


def write_literal(value: object) -> str:
    """Return a value as one Typst literal, whatever it holds.

    Raises:
        TypeError: templates can't place values of this type (a programming error).
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
            return _quote(value)
        case _:
            raise TypeError(f"a template can't place {value!r}")


@lru_cache(maxsize=4096)
def _quote(text: str) -> str:
    return '"' + _NOT_PLAIN.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", make_showable(text)) + '"'


def make_showable(text: str) -> str:
    """Return a text as one line of what the fonts can show, with U+FFFD for other characters."""
    text = clean(text)
    if text.isascii():
        return text
    return _match_unshowable().sub(_UNKNOWN_GLYPH, _INKLESS.sub("", unicodedata.normalize("NFC", text)))


@cache
def _match_unshowable() -> re.Pattern[str]:
    return re.compile(f"[^{_LETTERS}{EAST_ASIAN if has_east_asian() else ''}]")


@cache
def open_fonts() -> typst.Fonts:
    """Open the fonts, once: they are large."""
    folder = _find_east_asian()
    return typst.Fonts(include_system_fonts=False, font_paths=[str(folder)] if folder else [])


def has_east_asian() -> bool:
    """Return whether there is a font for Chinese, Japanese and Korean."""
    return _find_east_asian() is not None


@cache
def _find_east_asian() -> Path | None:
    spec = find_spec(_CJK_PACKAGE)
    folder = Path(spec.origin).parent if spec and spec.origin else None
    return folder if folder and any(folder.glob("*.ttc")) else None


@cache
def _open_environment(code: str, folder: Path | None) -> Environment:
    ours = FileSystemLoader(resource("templates", "typst"))
    environment = Environment(
        loader=ChoiceLoader([FileSystemLoader(folder or []), ours, PrefixLoader({"ours": ours})]),
        autoescape=False,  # noqa: S701 - that would escape for HTML; `write_literal` escapes for Typst
        finalize=write_literal,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=keep_compiled("typst", code),
    )
    add_language(environment, code)
    return environment


def _list_facts(page: SessionPage, spoken: Language) -> list[str]:
    """Return the facts below the title, among them whether results are final or may change."""
    sizes = (
        (page.tables, "%(num)s table", "%(num)s tables"),
        (page.board_count, "%(num)s deal", "%(num)s deals")
        if page.sheets
        else (page.board_count, "%(num)s board", "%(num)s boards"),
    )
    counts = [spoken.format_count(int(count), one, many) for count, one, many in sizes if count.strip("0")]
    until = page.provisional_until and spoken.translate("Provisional until %(day)s") % {"day": page.provisional_until}
    stamp = spoken.translate("Final") if page.final else until
    return [fact for fact in (page.date_text, page.site, spoken.translate(page.method), *counts, stamp) if fact]


def _choose_date(session_date: str) -> date | None:
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        return datetime.fromtimestamp(int(epoch), UTC) if epoch else date.fromisoformat(session_date)
    except (ValueError, OverflowError, OSError):
        return None
