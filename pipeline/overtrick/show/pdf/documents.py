"""The documents to print, as PDF, and the pictures of shared links: the layouts in `templates/typst` set them.

Names come from strangers, and Typst source is a program: it can read files and loop. So no value ever becomes text of
that program, except within one string: JSON, in which each quote and each backslash is escaped.

The fonts are those of Typst, and Noto Sans CJK if the extra `cjk` is installed. Typst's fonts have no Chinese, Japanese
or Korean, and a font that has them is larger than everything else in overtrick. System fonts are left out, so that a
session gives the same bytes on every machine.
"""

import json
import os
import re
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
import typst

from overtrick.core.languages import Language, open_language
from overtrick.core.machine import resource
from overtrick.core.notation import clean
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.club_templates import Look
from overtrick.show.html.report_links import BOARD_PICTURE, SESSION_PICTURE
from overtrick.show.html.session_page import SessionPage
from overtrick.show.pdf.data import Data, Texts, list_bulletin, list_hand_records, list_scorecards, list_travellers

_TOGETHER: Final = 500
"""Parts in one stream. A reader unpacks a stream to find any of its parts."""
_EFFORT: Final = 5
"""Of zlib's compression: 6 takes half as long again for a two-hundredth less."""
_TRAILER: Final = re.compile(rb"trailer\s*<<(.*?)>>\s*startxref\s+([0-9]+)\s+%%EOF\s*$", re.DOTALL)
_TABLE: Final = re.compile(rb"xref\s+0 ([0-9]+)\s+0000000000 65535 f..", re.DOTALL)
_ENTRY: Final = 20
"""Bytes of a line of the table of places."""
_PLACE: Final = np.dtype([("kind", "u1"), ("at", ">u4"), ("part", ">u2")])
"""A line of the packed table: what kind of place, where, and which part of a stream."""
_IN_FILE: Final = 1
_IN_STREAM: Final = 2
_UP: Final = 2
_PREDICTOR: Final = f"/DecodeParms<</Predictor 12/Columns {_PLACE.itemsize}>>"
"""Neighbouring lines are nearly alike, so their differences pack to a tenth (7.4.4.4)."""
_END: Final = b"\nendobj\n"
_SUSPECTS: Final = b"/Suspects false"
"""Which is what a document without the entry says too (14.7.1); readers built on Poppler warn about it."""


def shrink_pdf(document: bytes) -> bytes:
    """Return a PDF document with the same parts, packed; a document of another form is returned as it is.

    The expected form is the typesetter's: all parts, from 1 on, in the order of their numbers.
    """
    trailer = _TRAILER.search(document, max(0, len(document) - 2000))
    if not trailer or not (table := _TABLE.match(document, int(trailer[2]))):
        return document
    count = int(table[1]) - 1
    lines = document[table.end() : table.end() + _ENTRY * count].split()
    starts = list(map(int, lines[::3]))
    if len(starts) != count or not starts or lines[2::3] != [b"n"] * count:
        return document
    wholes = document[starts[0] : table.start()].split(_END)[:-1]
    lengths = (len(whole) + len(_END) for whole in wholes)
    in_order = all(whole.startswith(b"%d 0 obj\n" % number) for number, whole in enumerate(wholes, 1))
    if not in_order or [*accumulate(lengths, initial=starts[0])] != [*starts, table.start()]:
        return document
    return _write(document[: starts[0]], wholes, trailer[1])


def _write(head: bytes, wholes: list[bytes], trailer: bytes) -> bytes:
    streams = [number for number, whole in enumerate(wholes, 1) if whole.endswith(b"endstream")]
    rest = [number for number, whole in enumerate(wholes, 1) if not whole.endswith(b"endstream")]
    packs = [rest[start : start + _TOGETHER] for start in range(0, len(rest), _TOGETHER)]
    last = len(wholes) + len(packs) + 1
    where = np.zeros(last + 1, _PLACE)
    written = [head]
    at = len(head)
    for number in streams:
        where[number] = (_IN_FILE, at, 0)
        written += [wholes[number - 1], _END]
        at += len(wholes[number - 1]) + len(_END)
    for pack, numbers in enumerate(packs, len(wholes) + 1):
        parts = [wholes[number - 1].partition(b"\n")[2] for number in numbers]
        index = np.array([numbers, [0, *accumulate(len(part) + 1 for part in parts[:-1])]])
        first = " ".join(map(str, index.T.ravel().tolist())).encode() + b"\n"
        about = f"/Type/ObjStm/N {len(parts)}/First {len(first)}"
        where["kind"][index[0]] = _IN_STREAM
        where["at"][index[0]] = pack
        where["part"][index[0]] = np.arange(len(parts))
        where[pack] = (_IN_FILE, at, 0)
        written.append(_wrap(pack, about, "", first + b"\n".join(parts)))
        at += len(written[-1])
    where[last] = (_IN_FILE, at, 0)
    rest_of_trailer = re.sub(rb"/Size [0-9]+", b"", trailer).decode("latin-1")
    about = f"/Type/XRef/Size {last + 1}/W[1 4 2]{rest_of_trailer}"
    written += [_wrap(last, about, _PREDICTOR, _predict(where)), f"startxref\n{at}\n%%EOF\n".encode()]
    return b"".join(written)


def _predict(where: npt.NDArray[np.void]) -> bytes:
    """Return each line of the table less the one above, after a byte that says so (the PNG filter `Up`)."""
    lines = where.view(np.uint8).reshape(-1, _PLACE.itemsize)
    above = np.vstack([np.zeros((1, _PLACE.itemsize), np.uint8), lines[:-1]])
    return np.hstack([np.full((len(lines), 1), _UP, np.uint8), lines - above]).tobytes()


def _wrap(number: int, about: str, filtered: str, content: bytes) -> bytes:
    packer = zlib.compressobj(_EFFORT, memLevel=9)
    packed = packer.compress(content) + packer.flush()
    head = f"{number} 0 obj\n<<{about}/Filter/FlateDecode{filtered}/Length {len(packed)}>>\nstream\n"
    return head.encode("latin-1") + packed + b"\nendstream\nendobj\n"


_PLAIN: Final = Look()
_SOURCE: Final = """\
#import "{layout}.typ": {layout}
#let (about, ..rest) = json(bytes("{literal}"))
#{layout}(about, ..rest)
"""


class Document(NamedTuple):
    """A document to print."""

    name: str
    """`hand-records-large.pdf`."""
    layout: str
    """`hand-records`: the file in `templates/typst`, and its function that sets the data."""
    data: Data


HAND_RECORDS: Final = {"standard": "hand-records.pdf"} | {
    size: f"hand-records-{size}.pdf" for size in ("compact", "large")
}
"""Layouts of hand records, and the files that they are written to."""

EAST_ASIAN: Final = (
    "\u3000-\u303f\u3041-\u3096\u3099-\u30ff\u3105-\u312f\u31f0-\u31ff"  # punctuation, Japanese syllables, Bopomofo
    "\u3400-\u4db5\u4e00-\u9fef"  # Han
    "\uac00-\ud7a3"  # Korean
    "\uff01-\uff9f"  # wide Latin, narrow Japanese
)
"""The letters of Noto Sans CJK, as a range of a regular expression."""

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
"""The letters of Typst's own fonts, upright and bold. PDF/UA allows no character without a glyph."""

Check = Callable[[Mapping[str, bytes]], None]
"""Takes contents by file name, and raises an error if they may not be published."""

_INKLESS: Final = re.compile("[\u00ad\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f]")


def start_documents(
    page: SessionPage,
    *,
    code: str = "en",
    look: Look = _PLAIN,
    check: Check = lambda _: None,
    only: Sequence[str] | None = None,
) -> dict[str, Future[bytes]]:
    """Start to set the documents of a session that have anything to show, in a language, on all cores.

    `only` names those that are wanted, without `.pdf`; None stands for all.

    Returns:
        By file name: `bulletin.pdf`, unless hand records say all of it; `hand-records.pdf` with 18 boards a side,
        `hand-records-compact.pdf` with 36 and `hand-records-large.pdf` with 8, if any deal is known; `scorecards.pdf`,
        a sheet for each contestant, and `travellers.pdf`, the results with names, if there are any and boards are
        played more than once.

    Raises:
        LanguageError: the language can't be used.
    """
    spoken = open_language(code)
    # Typst sets without holding Python's lock, so threads use all cores.
    pool = ThreadPoolExecutor(pl.thread_pool_size())
    begun = {
        document.name: pool.submit(set_document, document, spoken, look, check)
        for document in list_documents(page, spoken, look, only)
        if document.layout != "bulletin" or not page.is_hand_record
    }
    pool.shutdown(wait=False)
    return begun


def list_documents(
    page: SessionPage, spoken: Language, look: Look = _PLAIN, only: Sequence[str] | None = None
) -> Iterator[Document]:
    """Return the documents of a session, one after the other; the longest comes first. `only`: as `start_documents`."""
    texts, facts = Texts(spoken), {"facts": _list_facts(page, spoken)}

    def describe(kind: str) -> Data:
        about = {
            "title": make_showable(page.title) or spoken.translate("Results"),
            "language": spoken.code,
            "kind": texts.say(kind),
            "footer": page.footer,
            "logo": f"/{look.logo}" if look.logo else "",
            "club": page.club,
            "date": _choose_date(page.date),
            "generator": page.generator,
        }
        return {"about": about}

    def is_wanted(name: str) -> bool:
        return only is None or name.removesuffix(".pdf") in only

    if is_wanted("scorecards.pdf") and any(card.rows for card in page.scorecards):
        yield Document("scorecards.pdf", "scorecards", describe("Scorecards") | facts | list_scorecards(page, texts))
    if is_wanted("bulletin.pdf"):
        yield Document("bulletin.pdf", "bulletin", describe("") | facts | list_bulletin(page, texts))
    # The deals of rubber-type games are played once.
    if is_wanted("travellers.pdf") and not page.sheets and any(board.rows for board in page.boards):
        yield Document("travellers.pdf", "travellers", describe("Travellers") | facts | list_travellers(page, texts))
    layouts = {layout: name for layout, name in HAND_RECORDS.items() if is_wanted(name)}
    if layouts and any(board.hands for board in page.boards):
        data = describe("Hand records") | list_hand_records(page, texts)
        for layout, name in layouts.items():
            yield Document(name, "hand-records", data | {"layout": layout})


def render_pdf(page: SessionPage, *, code: str = "en", look: Look = _PLAIN) -> bytes:
    """Set the bulletin of a session: rankings and statistics, a block for each board with its results, the recap.

    The same page gives the same bytes. The document has the date of `SOURCE_DATE_EPOCH` if that is set, else the
    session's date, and none if that is not a whole date.

    Returns:
        A PDF in A4 or Letter, tagged for PDF/UA-1. Characters that the fonts lack are U+FFFD.
    """
    spoken = open_language(code)
    (bulletin,) = list_documents(page, spoken, look, ["bulletin"])
    return set_document(bulletin, spoken, look)


def set_document(document: Document, spoken: Language, look: Look = _PLAIN, check: Check = lambda _: None) -> bytes:
    """Return a document as PDF; `check` takes its texts by its name first."""
    values = json.dumps(_make_all_showable(document.data), ensure_ascii=False)
    check({document.name: values.encode("utf-8", "replace")})
    literal = values.replace("\\", "\\\\").replace('"', '\\"')
    source = _SOURCE.format(layout=document.layout, literal=literal)
    with _open_folder(look) as folder:
        pdf: bytes = typst.compile(  # type: ignore[call-overload]  # its stubs want one type for source and root
            source.encode(),
            root=str(folder),
            font_paths=open_fonts(),
            pdf_standards="ua-1",
            sys_inputs=list_inputs(spoken, look),
        )
    return shrink_pdf(pdf.replace(_SUSPECTS, b" " * len(_SUSPECTS), 1))


def list_inputs(spoken: Language, look: Look) -> dict[str, str]:
    """Return what layouts look up, as JSON: translations by their English text, and the look by keys with a colon.

    It is one value because the typesetter mixes up the order of several, and then takes them for others each time: what
    it set for one document it would not find again for the next.
    """
    return {"all": json.dumps({**spoken.catalogue, "look:paper": look.paper, "look:accent": look.accent})}


@contextmanager
def _open_folder(look: Look) -> Iterator[Path]:
    """Open the folder of the layouts: ours, or one for a while with the club's logo and its own layouts.

    The club's layouts replace those of the same name; ours are also in `ours/`.
    """
    ours = resource("templates", "typst")
    if not look.logo and not look.templates:
        yield ours
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        copytree(ours, folder / "ours")
        copytree(ours, folder, dirs_exist_ok=True)
        if look.templates:
            for path in look.templates.glob("*.typ"):
                (folder / path.name).write_bytes(path.read_bytes())
        if look.logo:
            (folder / look.logo).write_bytes(look.image)
        yield folder


def _make_all_showable(value: object) -> object:
    match value:
        case str():
            return make_showable(value)
        case dict():
            return {key: _make_all_showable(element) for key, element in value.items()}
        case list() | tuple():
            return [_make_all_showable(element) for element in value]
        case _:
            return value


@lru_cache(maxsize=1 << 14)
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


def _list_facts(page: SessionPage, spoken: Language) -> list[str]:
    """Return the facts below the title, among them whether results are final or may change."""
    boards = ("%(num)s deal", "%(num)s deals") if page.sheets else ("%(num)s board", "%(num)s boards")
    sizes = ((page.tables, "%(num)s table", "%(num)s tables"), (page.board_count, *boards))
    counts = [spoken.format_count(int(count), single, many) for count, single, many in sizes if count.strip("0")]
    until = page.provisional_until and spoken.translate("Provisional until %(day)s") % {"day": page.provisional_until}
    stamp = spoken.translate("Final") if page.final else until
    return [fact for fact in (page.date_text, page.site, spoken.translate(page.method), *counts, stamp) if fact]


def _choose_date(session_date: str) -> tuple[int, int, int] | None:
    """Return year, month and day."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        day = datetime.fromtimestamp(int(epoch), UTC) if epoch else date.fromisoformat(session_date)
    except (ValueError, OverflowError, OSError):
        return None
    return day.year, day.month, day.day


_WINNERS: Final = 3
"""Rankings whose winners are on a session's picture."""


def draw_pictures(page: SessionPage, *, code: str, look: Look) -> dict[str, bytes]:
    """Return the pictures of a session by their paths: `picture.png`, 1200 by 630, and `board-7/picture.png`.

    Texts reach the typesetter as data, never as its source.
    """
    spoken = open_language(code)
    pictures = {SESSION_PICTURE: _draw("picture.typ", _list_winners(page, spoken), look, 72.0)[0]}
    boards = [board for board in page.boards if board.hands]
    if boards:
        drawn = _draw("board-picture.typ", [_list_cards(board, page, spoken) for board in boards], look, 72.0)
        names = (f"{board.slug}/{BOARD_PICTURE}" for board in boards)
        pictures |= dict(zip(names, drawn, strict=True))
    return pictures


def _draw(template: str, card: object, look: Look, ppi: float) -> list[bytes]:
    drawn: bytes | list[bytes] = typst.compile(  # type: ignore[call-overload]  # its stubs want one type for all
        resource("templates", "typst", template).read_bytes(),
        root=str(resource("templates", "typst")),
        format="png",
        ppi=ppi,
        font_paths=open_fonts(),
        sys_inputs={"all": json.dumps({"card": card, "accent": look.accent})},
    )
    return [drawn] if isinstance(drawn, bytes) else drawn


def _list_winners(page: SessionPage, spoken: Language) -> dict[str, Any]:
    firsts = [(ranking.title, ranking.rows[0]) for ranking in page.rankings[:_WINNERS] if ranking.rows]
    return {
        "club": page.club,
        "title": page.title,
        "date": page.date_text,
        "winners": [
            {
                "field": spoken.translate_phrase(title) if len(firsts) > 1 else "",
                "names": first.contestant.names,
                "score": spoken.format_figure(f"{first.percentage} %" if first.percentage else first.total),
            }
            for title, first in firsts
        ],
    }


def _list_cards(board: BoardPage, page: SessionPage, spoken: Language) -> dict[str, Any]:
    pars = [one.par for one in board.double_dummy if one.par]
    dealer, vulnerable = spoken.translate(board.dealer), spoken.translate(board.vulnerable_words)
    return {
        "title": spoken.format_board(board.number, is_deal=board.is_deal, order=board.order),
        "session": ", ".join(filter(None, (page.title, page.date_text))),
        "terms": f"{spoken.translate('Dealer')} {dealer} · {spoken.translate('Vul.')} {vulnerable}",
        "par": f"{spoken.translate('Par')} {spoken.translate_terms(pars[0])}" if pars else "",
        "hands": [[spoken.translate_ranks(holding.ranks) for holding in hand.suits] for hand in board.hands],
    }
