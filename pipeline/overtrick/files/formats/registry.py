"""The one list of formats: what recognises, reads, writes and locates each of them.

To add a format, write its module or package below `formats/`, a function here that imports what it does, and an entry
of `FORMATS`. A format is imported when one of its functions is first called; one whose files always begin alike says
here how (`begins`), and is imported only for its own files. Nothing here imports polars: the help of the command lists
formats.
"""

from typing import TYPE_CHECKING, Final

from overtrick.files.formats.form import PARTS, Format, Functions, Together, begins, make_format

if TYPE_CHECKING:
    from overtrick.core.frames import Session
    from overtrick.files.formats.base import Written

__all__ = ["FORMATS", "PBN", "Format"]

_RESULTS: Final = ("results", "contracts", "leads", "rounds", "tables", "sections", "adjusted scores", "names")
_TABLE: Final = (*_RESULTS, "event, place and date", "teams", "the players of an individual")
_BIG_DEAL: Final = "the formats that the program Big Deal writes (github.com/hansvanstaveren/BigDeal)"
_GAMES: Final = ("deals", "auctions", "plays", "comments")
_LIN: Final = (
    *(*_GAMES, "event, place and date", "results", "contracts", "leads", "rounds", "tables"),
    *("names", "teams", "carry-overs"),
)
_OF_ACBL: Final = ("event, place and date", "results", "sections", "adjusted scores", "names", "membership numbers")
_SAID_OF_LIN: Final = {"lin-result-contract": ["contract-differs-from-auction"]}


def _pbn_together() -> tuple[Together, ...]:
    from overtrick.files.formats.pbn.read.reader import read_together, stands_alone
    from overtrick.files.formats.pbn.verify.annotations import check_lines_and_characters

    return (Together("pbn games", stands_alone, read_together, check_lines_and_characters),)


def _write_pbn(session: "Session") -> "Written":
    from overtrick.files.formats.pbn.write import write_pbn

    return write_pbn(session)


def _export_pbn(session: "Session") -> "Written":
    from overtrick.files.formats.pbn.write import export_pbn

    return export_pbn(session)


@make_format(
    "pbn",
    "Portable Bridge Notation",
    ".pbn",
    offers="read_text locate locate_cells",
    recognises=begins(rb"(?:[%;][^\n]*\n|\s)*+\[[A-Za-z0-9_]+[ \t]*+\""),
    together=_pbn_together,
    write=_write_pbn,
    export=_export_pbn,
    supersedes={"pbn-play-seat": ["play-begins-elsewhere"]},
    carries=PARTS,
    source="the PBN 2.1 standard (tistis.nl/pbn)",
)
def _pbn() -> Functions:
    from overtrick.files.formats.pbn.locate import locate_cells_in_pbn, locate_in_pbn
    from overtrick.files.formats.pbn.read.reader import read_pbn

    return Functions(read_text=read_pbn, locate=locate_in_pbn, locate_cells=locate_cells_in_pbn)


PBN: Final = _pbn


def _deals(name: str, title: str, *suffixes: str, writes: bool = True, **facts: object) -> Format:
    """Return a format of deals, which is a row of `dealing_machines.machines.MACHINES` too."""
    usual = {"carries": ("deals",), "source": "public descriptions of the dealing machines, and files of them"}

    @make_format(name, title, *suffixes or (f".{name}",), offers="read write" if writes else "read", **(usual | facts))
    def machine() -> Functions:
        from overtrick.files.formats.dealing_machines.machines import MACHINES

        return Functions(MACHINES[name].recognises, MACHINES[name].read, write=MACHINES[name].write)

    return machine


@make_format(
    "bws",
    "Bridgemate database",
    ".bws",
    recognises=begins(rb"(?s:.{4})Standard (?:Jet|ACE) DB"),
    carries=(*_RESULTS, "deals", "auctions", "plays", "membership numbers", "event, place and date"),
    called="bridgemate",
    source="the tables of databases that Bridgemate's control software and scoring programs made",
)
def _bws() -> Functions:
    from overtrick.files.formats.bridgemate.reader import read_bws

    return Functions(read=read_bws)


def _write_usebio(session: "Session") -> "Written":
    from overtrick.files.formats.usebio.write import write_usebio

    return write_usebio(session)


@make_format(
    "usebio",
    "USEBIO",
    ".xml",
    offers="read locate_cells",
    # In any encoding that keeps ASCII letters as they are.
    recognises=begins(rb"(?si:.*<\x00?U\x00?S\x00?E\x00?B\x00?I\x00?O)"),
    write=_write_usebio,
    carries=(*_TABLE, "deals", "membership numbers"),
    source="the USEBIO 1.2 DTD (usebio.org) and files of British programs",
)
def _usebio() -> Functions:
    from overtrick.files.formats.usebio.reader import read_usebio
    from overtrick.files.formats.usebio.travellers import locate_cells_in_usebio

    return Functions(read=read_usebio, locate_cells=locate_cells_in_usebio)


@make_format(
    "bridgewebs",
    "BridgeWebs CSV",
    ".bwcsv",
    offers="read write",
    recognises=begins(rb"(?i:\s*\"?#\s*version\"?\s*[;,\t])"),
    carries=(*_RESULTS, "event, place and date", "membership numbers"),
    source="BridgeWebs' guide, page CSV Format; columns are known by their headers",
)
def _bridgewebs() -> Functions:
    from overtrick.files.formats.bridgewebs import read_bridgewebs, write_bridgewebs

    return Functions(read=read_bridgewebs, write=write_bridgewebs)


@make_format(
    "csv",
    "table of results",
    ".csv",
    offers="read write locate_cells",
    carries=_TABLE,
    in_folders=False,  # a folder often holds other tables, such as rankings: the content decides
    source="[tables.md](tables.md)",
)
def _csv() -> Functions:
    from overtrick.files.formats.csv import is_results_csv, locate_cells_in_csv, read_results_csv, write_table

    return Functions(is_results_csv, read_results_csv, write=write_table, locate_cells=locate_cells_in_csv)


@make_format(
    "json",
    "session.json",
    ".json",
    offers="read write",
    recognises=begins(rb'\s*\{\s*"(?:schema"\s*:\s*[0-9]+\s*,\s*"session|session)"\s*:\s*\{'),
    carries=PARTS,
    in_folders=False,
    source="[session.schema.json](session.schema.json)",
)
def _json() -> Functions:
    from overtrick.files.formats.session_json import read_session_json, write_json

    return Functions(read=read_session_json, write=write_json)


@make_format(
    "connector",
    "Bridgemate data connector",
    recognises=begins(rb'\s*\{\s*"bridgemate"\s*:\s*[0-9]'),
    carries=(*_RESULTS, "deals", "membership numbers", "event, place and date"),
    in_folders=False,
    source="[bridgemate.md](bridgemate.md): what `overtrick terminals` writes, after the connector's public client",
)
def _connector() -> Functions:
    from overtrick.files.formats.bridgemate.connector import read_connector

    return Functions(read=read_connector)


@make_format(
    "xlsx",
    "spreadsheet",
    ".xlsx",
    ".ods",
    offers="read write",
    carries=_TABLE,
    in_folders=False,
    packed=True,
    source="[tables.md](tables.md); the package python-calamine reads the file, XlsxWriter writes it",
)
def _xlsx() -> Functions:
    from overtrick.files.formats.spreadsheets import read_spreadsheet, write_spreadsheet
    from overtrick.files.formats.zips import is_spreadsheet

    return Functions(is_spreadsheet, read_spreadsheet, write=write_spreadsheet)


@make_format(
    "jannersten",
    "Jannersten results.txt",
    ".results.txt",
    offers="read write",
    recognises=begins(rb"(?i:\s*\[GAME\]|(?:[^\n]*\n){0,200}?\s*\[RESULTS\])"),
    carries=(
        *("event, place and date", "results", "contracts", "leads", "rounds", "sections", "adjusted scores"),
        *("names", "the players of an individual"),
    ),
    source="Jannersten's help, page Results.txt of Bridge Scorer (jannersten.com/Help/BTC)",
)
def _jannersten() -> Functions:
    from overtrick.files.formats.jannersten import read_jannersten, write_jannersten

    return Functions(read=read_jannersten, write=write_jannersten)


@make_format(
    "acblscore",
    "ACBLscore report",
    carries=(*_RESULTS, "event, place and date"),
    source="the form of board results in the text reports of ACBLscore, as clubs publish them",
)
def _acblscore() -> Functions:
    from overtrick.files.formats.acblscore_game import is_acblscore, read_acblscore

    return Functions(is_acblscore, read_acblscore)


@make_format(
    "acblscore game",
    "ACBLscore game file",
    recognises=begins(rb"\x12\x0a\x03AC3"),
    carries=(*_OF_ACBL, "rounds", "tables"),
    source="ACBLscore Game Files Decoded (lajollabridge.com) and public programs that follow it",
)
def _acblscore_game() -> Functions:
    from overtrick.files.formats.acblscore_game import read_acblscore_game

    return Functions(read=read_acblscore_game)


@make_format(
    "acbl live",
    "ACBL Live JSON",
    recognises=begins(rb'\s*\{\s*"schema_version"\s*:\s*"[^"]*"\s*,\s*"source"'),
    carries=(*_RESULTS, "deals", "auctions", "plays", "event, place and date", "membership numbers"),
    source="the normalised schema of acbl-live-fetch (docs/normalized-schema.md)",
)
def _acbl_live() -> Functions:
    from overtrick.files.formats.acbl_pages import read_acbl_live

    return Functions(read=read_acbl_live)


@make_format(
    "salliere",
    "table of boards of salliere",
    ".salliere",
    offers="read write",
    carries=("results", "contracts"),
    source="salliere's manual page and its test data",
)
def _salliere() -> Functions:
    from overtrick.files.formats.salliere import is_salliere, read_salliere, write_salliere

    return Functions(is_salliere, read_salliere, write=write_salliere)


@make_format(
    "salliere names",
    "table of names of salliere",
    carries=("names",),
    source="salliere's manual page and its test data",
)
def _salliere_names() -> Functions:
    from overtrick.files.formats.salliere import is_salliere_names, read_salliere_names

    return Functions(is_salliere_names, read_salliere_names)


@make_format(
    "bbo-html",
    "page of results of Bridge Base Online",
    offers="read locate",
    carries=(*_GAMES, "results", "contracts", "leads", "names", "event, place and date"),
    first_card_leads=True,
    supersedes=_SAID_OF_LIN,
    source="acbl-live-fetch (docs/bbo-format.md)",
)
def _bbo() -> Functions:
    from overtrick.files.formats.bbo import is_bbo_page, read_bbo_page
    from overtrick.files.formats.lin.locate import locate_in_lin

    return Functions(is_bbo_page, read_bbo_page, locate=locate_in_lin)


@make_format(
    "acbl-html",
    "page of ACBL Live",
    carries=(*_OF_ACBL, "contracts", "deals"),
    source="acbl-live-fetch (docs/acbl-live-format.md)",
)
def _acbl_pages() -> Functions:
    from overtrick.files.formats.acbl_pages import is_acbl_page, read_acbl_page

    return Functions(is_acbl_page, read_acbl_page)


def _write_links(session: "Session") -> "Written":
    from overtrick.files.formats.lin.write.travellers import write_links

    return write_links(session)


@make_format(
    "lin links",
    "page with links to hands",
    ".links",
    offers="read locate",
    write=_write_links,
    writes=("deals",),
    first_card_leads=True,
    supersedes=_SAID_OF_LIN,
    carries=_LIN,
    source="the links of Bridge Base Online's hand viewer, and pages with them",
)
def _links() -> Functions:
    from overtrick.files.formats.lin.locate import locate_in_lin
    from overtrick.files.formats.lin.read.links import is_page, read_page

    return Functions(is_page, read_page, locate=locate_in_lin)


def _write_lin(session: "Session") -> "Written":
    from overtrick.files.formats.lin.write import write_lin

    return write_lin(session)


def _lin_together() -> tuple[Together, ...]:
    from overtrick.files.formats.lin.read import small

    return (
        Together("lin boards", small.are_boards, small.read_boards),
        Together("lin sessions", small.is_session, small.read_sessions),
    )


@make_format(
    "lin",
    "Bridge Base Online",
    ".lin",
    offers="read_text locate",
    together=_lin_together,
    write=_write_lin,
    carries=(*_LIN, "sections", "adjusted scores", "the players of an individual"),
    first_card_leads=True,
    supersedes=_SAID_OF_LIN,
    source="the LIN of Bridge Base Online",
)
def _lin() -> Functions:
    from overtrick.files.formats.lin.locate import locate_in_lin
    from overtrick.files.formats.lin.read.reader import is_lin, read_lin_file

    return Functions(is_lin, read_text=read_lin_file, locate=locate_in_lin)


FORMATS: Final = (
    *(PBN, _bws, _usebio),
    *(_bridgewebs, _csv, _json, _connector, _xlsx, _jannersten, _acblscore, _acblscore_game, _acbl_live),
    *(_salliere, _salliere_names),
    _deals("bigdeal", "Big Deal CSV", ".bdc", source=_BIG_DEAL),
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
    _deals("dds", "deal list of DDS", source="the lists of the solver DDS and its tests"),
    _deals(
        "dealer",
        "output of dealer",
        source="the manual of the program dealer (bridgebase.com/tools/dealer/Manual)",
        writes=False,
        in_folders=False,
    ),
    _deals(
        "rbn",
        "Richard's Bridge Notation",
        source="the description of RBN (rpbridge.net)",
        writes=False,
        carries=("deals", "auctions", "plays", "results", "contracts", "leads", "names", "event, place and date"),
    ),
    *(_bbo, _acbl_pages, _links, _lin),
)
"""All formats, in the order in which a file is tried against them."""
