"""The one list of formats: what recognises, reads, writes and locates each of them.

To add a format, write its module or package below `formats/` and add an entry to `FORMATS`. Each function is named by
a reference and loaded when it is first called. Nothing here imports polars: the help of the command lists formats.
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from overtrick.formats.form import Format, Reference, TextReader, Together
from overtrick.plugins import Fault, explain, find

if TYPE_CHECKING:
    from overtrick.formats.base import Reading

__all__ = ["FORMATS", "HEAD", "PARTS", "PBN", "Format", "Reference", "TextReader", "Together", "all_formats"]

HEAD: Final = 8192
"""The number of bytes at the start of a file that are enough to recognise its format."""

PARTS: Final = (
    *("deals", "auctions", "plays", "double-dummy tables", "event, place and date", "results", "contracts", "leads"),
    *("rounds", "tables", "sections", "adjusted scores", "split and weighted scores", "names", "membership numbers"),
    *("teams", "carry-overs", "the players of an individual"),
)
"""What a file can hold; each format names those that it carries."""
_RESULTS: Final = ("results", "contracts", "leads", "rounds", "tables", "sections", "adjusted scores", "names")
_TABLE: Final = (*_RESULTS, "event, place and date", "teams", "the players of an individual")

_BEGINS_AS_PBN: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?:[%;][^\n]*\n|\s)*+\[[A-Za-z0-9_]+[ \t]*+\"")
_MAY_BE_PBN: Final = re.compile(
    rb"\[\s*[A-Za-z][A-Za-z0-9_]*\s*\"|^[^\S\n]*\[[A-Za-z][A-Za-z0-9_]*(?:[ \t]|$)|\A\s*(?:[%;]|\Z)", re.MULTILINE
)
"""A tag anywhere, if need be a broken one; else an escape line or a comment at the start, or nothing at all."""


def _begins_as_pbn(head: bytes) -> bool:
    return _BEGINS_AS_PBN.match(head) is not None


PBN: Final = Format(
    "pbn",
    "Portable Bridge Notation",
    (".pbn",),
    recognises=_begins_as_pbn,
    read_text=Reference("pbn.read.reader:read_pbn"),
    together=(
        Together(
            "pbn games",
            Reference("pbn.read.reader:stands_alone"),
            Reference("pbn.read.reader:read_together"),
            Reference("pbn.verify.characters:check_lines_and_characters"),
        ),
    ),
    write=Reference("pbn.write:write_pbn"),
    export=Reference("pbn.write:export_pbn"),
    locate=Reference("pbn.locate:locate_in_pbn"),
    locate_cells=Reference("pbn.locate:locate_cells_in_pbn"),
    supersedes={"pbn-play-seat": ["play-begins-elsewhere"]},
    carries=tuple(part for part in PARTS if part != "carry-overs"),
    source="the PBN 2.1 standard (tistis.nl/pbn)",
)


def _deals(  # noqa: PLR0913 - the fields of a format
    name: str,
    title: str,
    *,
    suffixes: tuple[str, ...] | None = None,
    writes: bool = True,
    carries: tuple[str, ...] = ("deals",),
    in_folders: bool = True,
    source: str = "public descriptions of the dealing machines, and files of them",
) -> Format:
    """Return a format of deals alone; its module has the format's name."""
    return Format(
        name,
        title,
        (f".{name}",) if suffixes is None else suffixes,
        recognises=Reference(f"dealing_machines.{name}:is_{name}"),
        read=Reference(f"dealing_machines.{name}:read_{name}"),
        write=Reference(f"dealing_machines.{name}:write_{name}") if writes else None,
        carries=carries,
        in_folders=in_folders,
        source=source,
    )


_BIG_DEAL: Final = "the formats that the program Big Deal writes (github.com/hansvanstaveren/BigDeal)"
_LIN: Final = (
    *("deals", "auctions", "plays", "event, place and date", "results", "contracts", "leads", "rounds", "tables"),
    *("names", "teams", "carry-overs"),
)
_OF_ACBL: Final = ("event, place and date", "results", "sections", "adjusted scores", "names", "membership numbers")
_SAID_OF_LIN: Final = {"lin-result-contract": ["contract-differs-from-auction", "declarer-differs-from-auction"]}

FORMATS: Final = (
    PBN,
    Format(
        "bws",
        "Bridgemate database",
        (".bws",),
        recognises=Reference("bridgemate.jet:is_jet"),
        read=Reference("bridgemate.reader:read_bws"),
        carries=(*_RESULTS, "deals", "auctions", "plays", "membership numbers", "event, place and date"),
        called="bridgemate",
        source="the tables of databases that Bridgemate's control software and scoring programs made",
    ),
    Format(
        "usebio",
        "USEBIO",
        (".xml",),
        recognises=Reference("usebio.reader:is_usebio"),
        read=Reference("usebio.reader:read_usebio"),
        write=Reference("usebio.write:write_usebio"),
        locate_cells=Reference("usebio.locate:locate_cells_in_usebio"),
        carries=(*_TABLE, "deals", "membership numbers"),
        source="the USEBIO 1.2 DTD (usebio.org) and files of British programs",
    ),
    _deals("bigdeal", "Big Deal CSV", suffixes=(".bdc",), source=_BIG_DEAL),
    Format(
        "bridgewebs",
        "BridgeWebs CSV",
        (".bwcsv",),
        recognises=Reference("bridgewebs:is_bridgewebs"),
        read=Reference("bridgewebs:read_bridgewebs"),
        write=Reference("bridgewebs:write_bridgewebs"),
        carries=(*_RESULTS, "event, place and date", "membership numbers"),
        source="BridgeWebs' guide, page CSV Format; columns are known by their headers",
    ),
    Format(
        "csv",
        "table of results",
        (".csv",),
        recognises=Reference("csv:is_results_csv"),
        read=Reference("csv:read_results_csv"),
        locate_cells=Reference("csv:locate_cells_in_csv"),
        write=Reference(".render.data.exchange:write_table"),
        carries=_TABLE,
        in_folders=False,  # a folder often holds other tables, such as rankings: the content decides
        source="[tables.md](tables.md)",
    ),
    Format(
        "json",
        "session.json",
        (".json",),
        recognises=Reference("session_json:is_session_json"),
        read=Reference("session_json:read_session_json"),
        write=Reference(".render.data.exchange:write_json"),
        carries=(*_TABLE, "deals"),
        in_folders=False,
        source="[session.schema.json](session.schema.json)",
    ),
    Format(
        "connector",
        "Bridgemate data connector",
        (),  # as `.json`
        recognises=Reference("bridgemate.connector:is_connector"),
        read=Reference("bridgemate.connector:read_connector"),
        carries=(*_RESULTS, "deals", "membership numbers", "event, place and date"),
        in_folders=False,
        source="[bridgemate.md](bridgemate.md): what `overtrick terminals` writes, after the connector's public client",
    ),
    Format(
        "xlsx",
        "spreadsheet",
        (".xlsx", ".ods"),
        recognises=Reference("spreadsheets:is_spreadsheet"),
        read=Reference("spreadsheets:read_spreadsheet"),
        write=Reference(".render.data.exchange:write_spreadsheet"),
        carries=_TABLE,
        in_folders=False,
        packed=True,
        source="[tables.md](tables.md); the package python-calamine reads the file, XlsxWriter writes it",
    ),
    Format(
        "jannersten",
        "Jannersten results.txt",
        (".results.txt",),
        recognises=Reference("jannersten:is_jannersten"),
        read=Reference("jannersten:read_jannersten"),
        write=Reference("jannersten:write_jannersten"),
        carries=(
            *(
                "event, place and date",
                "results",
                "contracts",
                "leads",
                "rounds",
                "sections",
                "adjusted scores",
                "names",
            ),
            "the players of an individual",
        ),
        source="Jannersten's help, page Results.txt of Bridge Scorer (jannersten.com/Help/BTC)",
    ),
    Format(
        "acblscore",
        "ACBLscore report",
        (),
        recognises=Reference("acblscore:is_acblscore"),
        read=Reference("acblscore:read_acblscore"),
        carries=(*_RESULTS, "event, place and date"),
        source="the form of board results in the text reports of ACBLscore, as clubs publish them",
    ),
    Format(
        "acblscore game",
        "ACBLscore game file",
        (),
        recognises=Reference("acblscore_game:is_acblscore_game"),
        read=Reference("acblscore_game:read_acblscore_game"),
        carries=(*_OF_ACBL, "rounds", "tables"),
        source="ACBLscore Game Files Decoded (lajollabridge.com) and public programs that follow it",
    ),
    Format(
        "acbl live",
        "ACBL Live JSON",
        (),
        recognises=Reference("acbl_live:is_acbl_live"),
        read=Reference("acbl_live:read_acbl_live"),
        carries=(*_RESULTS, "deals", "auctions", "plays", "event, place and date", "membership numbers"),
        source="the normalised schema of acbl-live-fetch (docs/normalized-schema.md)",
    ),
    Format(
        "salliere",
        "table of boards of salliere",
        (".salliere",),
        recognises=Reference("salliere:is_salliere"),
        read=Reference("salliere:read_salliere"),
        write=Reference("salliere:write_salliere"),
        carries=("results", "contracts"),
        source="salliere's manual page and its test data",
    ),
    Format(
        "salliere names",
        "table of names of salliere",
        (),
        recognises=Reference("salliere:is_salliere_names"),
        read=Reference("salliere:read_salliere_names"),
        carries=("names",),
        source="salliere's manual page and its test data",
    ),
    _deals("dup", "Duplimate"),
    _deals("bri", "first Duplimate machines"),
    _deals("dge", "Duplimate screen"),
    _deals("dlm", "Duplimate for Windows"),
    _deals("ber", "Bernasconi machine"),
    _deals("bhg", "Borel machine"),
    _deals("rzd", "Kops machine", source=_BIG_DEAL),
    _deals("cds", "CDS machine", source=_BIG_DEAL),
    _deals("zrd", "library of solved deals", writes=False, carries=("deals", "double-dummy tables"), in_folders=False),
    _deals(
        "gib",
        "library of GIB",
        carries=("deals", "double-dummy tables"),
        source="the notes of GIB's double-dummy library (library.notes by M. Ginsberg)",
    ),
    _deals("dds", "deal list of DDS", suffixes=(".dds",), source="the lists of the solver DDS and its tests"),
    _deals(
        "rbn",
        "Richard's Bridge Notation",
        source="the description of RBN (rpbridge.net)",
        writes=False,
        carries=("deals", "auctions", "plays", "results", "contracts", "leads", "names", "event, place and date"),
    ),
    Format(
        "bbo-html",
        "page of results of Bridge Base Online",
        (),
        recognises=Reference("bbo:is_bbo_page"),
        read=Reference("bbo:read_bbo_page"),
        carries=("deals", "auctions", "plays", "results", "contracts", "leads", "names", "event, place and date"),
        locate=Reference("lin.locate:locate_in_lin"),
        first_card_leads=True,
        supersedes=_SAID_OF_LIN,
        source="acbl-live-fetch (docs/bbo-format.md)",
    ),
    Format(
        "acbl-html",
        "page of ACBL Live",
        (),
        recognises=Reference("acbl_pages:is_acbl_page"),
        read=Reference("acbl_pages:read_acbl_page"),
        carries=(*_OF_ACBL, "contracts", "deals"),
        source="acbl-live-fetch (docs/acbl-live-format.md)",
    ),
    Format(
        "lin links",
        "page with links to hands",
        (".links",),
        recognises=Reference("lin.read.links:is_page"),
        read=Reference("lin.read.links:read_page"),
        write=Reference("lin.write.viewer:write_links"),
        writes=("deals",),
        locate=Reference("lin.locate:locate_in_lin"),
        first_card_leads=True,
        supersedes=_SAID_OF_LIN,
        carries=_LIN,
        source="the links of Bridge Base Online's hand viewer, and pages with them",
    ),
    Format(
        "lin",
        "Bridge Base Online",
        (".lin",),
        recognises=Reference("lin.read.reader:is_lin"),
        read_text=Reference("lin.read.reader:read_lin_file"),
        together=(
            Together("lin boards", Reference("lin.read.small:are_boards"), Reference("lin.read.small:read_boards")),
            Together("lin sessions", Reference("lin.read.small:is_session"), Reference("lin.read.small:read_sessions")),
            Together("lin lessons", Reference("lin.read.small:is_lesson"), Reference("lin.read.small:read_lessons")),
        ),
        write=Reference("lin.write:write_lin"),
        carries=(*_LIN, "sections", "adjusted scores", "the players of an individual"),
        locate=Reference("lin.locate:locate_in_lin"),
        first_card_leads=True,
        supersedes=_SAID_OF_LIN,
        source="the LIN of Bridge Base Online",
    ),
)
"""All formats, in the order in which a file is tried against them."""


@cache
def plugin_formats() -> tuple[tuple[Format, ...], tuple[Fault, ...]]:
    """Return the formats of plugins (`overtrick.formats`), and the plugins that cannot be used.

    A plugin cannot take the name or the suffix of another format. Errors in its functions are those of one file.
    """
    found = find("overtrick.formats")
    formats: list[Format] = []
    faults = list(found.faults)
    for name, known in found.loaded:
        others = [*FORMATS, *formats]
        if not isinstance(known, Format) or (known.read is None and known.write is None):
            faults.append(Fault(f"overtrick.formats:{name}", "expected a Format that reads or writes"))
        elif any(known.name == one.name or {*known.suffixes} & {*one.suffixes} for one in others):
            faults.append(Fault(f"overtrick.formats:{name}", "another format has its name or its suffix"))
        else:
            formats.append(_guarded(known))
    return tuple(formats), tuple(faults)


def _guarded(known: Format) -> Format:
    """Return a format whose reader and recogniser never raise."""

    def recognises(head: bytes) -> bool:
        try:
            return bool(known.recognises(head))
        except Exception:  # noqa: BLE001 - whatever another package does
            return False

    def read(data: bytes) -> "Reading":
        from overtrick.formats.base import Reading, nothing_but  # noqa: PLC0415 - as `Reference`
        from overtrick.problems import Finding  # noqa: PLC0415 - as above

        try:
            reading = known.read(data) if known.read else None
            if isinstance(reading, Reading):
                return reading
            reason = "expected a Reading"
        except Exception as error:  # noqa: BLE001 - whatever another package does
            reason = explain(error)
        values = {"format": known.title, "reason": reason}
        return nothing_but([Finding("file-plugin-failed", 1, 1, values=values)])

    return known._replace(recognises=recognises, read=read if known.read else None, read_text=None, together=())


def all_formats() -> tuple[Format, ...]:
    """Return the formats of overtrick, then those of plugins."""
    return FORMATS + plugin_formats()[0]


def may_be_pbn(data: bytes) -> bool:
    """Return whether a text that no format recognises can be read as PBN: it has a tag, or nothing but comments."""
    from overtrick.formats.text import in_utf8  # noqa: PLC0415 - what recognises its format at once does not need it

    text = in_utf8(data).removeprefix(b"\xef\xbb\xbf").replace(b"\x00", b"")
    return _MAY_BE_PBN.search(text) is not None


def recognise(data: bytes, *, packed: bool = False) -> Format | None:
    """Return the format of a file's bytes; None for what no format recognises.

    Args:
        data: its bytes, or their beginning.
        packed: whether it is an archive: only formats whose files are archives are then tried.
    """
    head = data[:HEAD]
    own = next((known for known in FORMATS if (known.packed or not packed) and known.recognises(head)), None)
    if own or packed:
        return own
    other = next((known for known in plugin_formats()[0] if known.recognises(head)), None)
    plain = None if other else _plain_text(head)
    return other if plain is None else next((known for known in FORMATS if known.recognises(plain)), None)


def _plain_text(head: bytes) -> bytes | None:
    """Return the beginning of a text in UTF-8, without blank lines before it and with newlines; None if it is so."""
    from overtrick.formats.text import in_utf8  # noqa: PLC0415 - what recognises its format at once does not need it

    text = in_utf8(head).removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    plain = text.replace(b"\x1a", b"").lstrip()
    return None if plain == head or b"\0" in plain else plain


@cache
def get_format(name: str) -> Format:
    """Return the format of this name; a name that is not listed (an archive's, none at all) counts as PBN."""
    own = next((known for known in FORMATS if known.name == name), None)
    return own or next((known for known in plugin_formats()[0] if known.name == name), PBN)


@cache
def walked_suffixes() -> tuple[str, ...]:
    """Return the suffixes of the files that are read when a folder is given; a file given by name needs none."""
    return tuple(suffix for known in all_formats() if known.in_folders for suffix in known.suffixes)


def find_format(suffix: str) -> Format | None:
    """Return the format of files whose names end in this suffix, in any case; None for a suffix of no format."""
    own = next((known for known in FORMATS if suffix.lower() in known.suffixes), None)
    return own or next((known for known in plugin_formats()[0] if suffix.lower() in known.suffixes), None)
