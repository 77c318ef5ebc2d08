"""The one list of formats: what recognises, reads, writes and locates each of them.

To add a format, write its module or package below `formats/`, a function here that imports what it does, and an entry
of `FORMATS`. A format is imported when one of its functions is first called. Nothing here imports polars: the help of
the command lists formats.
"""

from typing import TYPE_CHECKING, Final

from overtrick.files.formats.form import PARTS, Format, Functions, Together, begins_as_pbn, load_later

if TYPE_CHECKING:
    from overtrick.core.frames import Session
    from overtrick.files.formats.base import Written

__all__ = ["FORMATS", "PBN", "Format"]

_RESULTS: Final = ("results", "contracts", "leads", "rounds", "tables", "sections", "adjusted scores", "names")
_TABLE: Final = (*_RESULTS, "event, place and date", "teams", "the players of an individual")


@load_later
def _pbn() -> Functions:
    from overtrick.files.formats.pbn.locate import locate_cells_in_pbn, locate_in_pbn
    from overtrick.files.formats.pbn.read.reader import read_pbn

    return Functions(begins_as_pbn, read_text=read_pbn, locate=locate_in_pbn, locate_cells=locate_cells_in_pbn)


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


PBN: Final = Format(
    "pbn",
    "Portable Bridge Notation",
    (".pbn",),
    recognises=begins_as_pbn,
    read_text=_pbn.read_text,
    together=_pbn_together,
    write=_write_pbn,
    export=_export_pbn,
    locate=_pbn.locate,
    locate_cells=_pbn.locate_cells,
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
    """Return a format of deals, which is a row of `dealing_machines.machines.MACHINES` too."""

    @load_later
    def machine() -> Functions:
        from overtrick.files.formats.dealing_machines.machines import MACHINES

        return Functions(MACHINES[name].recognises, MACHINES[name].read, write=MACHINES[name].write)

    return Format(
        name,
        title,
        (f".{name}",) if suffixes is None else suffixes,
        recognises=machine.recognises,
        read=machine.read,
        write=machine.write if writes else None,
        carries=carries,
        in_folders=in_folders,
        source=source,
    )


@load_later
def _bws() -> Functions:
    from overtrick.files.formats.bridgemate.jet import is_jet
    from overtrick.files.formats.bridgemate.reader import read_bws

    return Functions(is_jet, read_bws)


@load_later
def _usebio() -> Functions:
    from overtrick.files.formats.usebio.reader import is_usebio, read_usebio
    from overtrick.files.formats.usebio.travellers import locate_cells_in_usebio

    return Functions(is_usebio, read_usebio, locate_cells=locate_cells_in_usebio)


def _write_usebio(session: "Session") -> "Written":
    from overtrick.files.formats.usebio.write import write_usebio

    return write_usebio(session)


@load_later
def _bridgewebs() -> Functions:
    from overtrick.files.formats.bridgewebs import is_bridgewebs, read_bridgewebs, write_bridgewebs

    return Functions(is_bridgewebs, read_bridgewebs, write=write_bridgewebs)


@load_later
def _csv() -> Functions:
    from overtrick.files.formats.csv import is_results_csv, locate_cells_in_csv, read_results_csv
    from overtrick.files.formats.exchange import write_table

    return Functions(is_results_csv, read_results_csv, write=write_table, locate_cells=locate_cells_in_csv)


@load_later
def _json() -> Functions:
    from overtrick.files.formats.exchange import write_json
    from overtrick.files.formats.session_json import is_session_json, read_session_json

    return Functions(is_session_json, read_session_json, write=write_json)


@load_later
def _connector() -> Functions:
    from overtrick.files.formats.bridgemate.connector import is_connector, read_connector

    return Functions(is_connector, read_connector)


@load_later
def _xlsx() -> Functions:
    from overtrick.files.formats.exchange import write_spreadsheet
    from overtrick.files.formats.spreadsheets import is_spreadsheet, read_spreadsheet

    return Functions(is_spreadsheet, read_spreadsheet, write=write_spreadsheet)


@load_later
def _jannersten() -> Functions:
    from overtrick.files.formats.jannersten import is_jannersten, read_jannersten, write_jannersten

    return Functions(is_jannersten, read_jannersten, write=write_jannersten)


@load_later
def _acblscore() -> Functions:
    from overtrick.files.formats.acblscore_game import is_acblscore, read_acblscore

    return Functions(is_acblscore, read_acblscore)


@load_later
def _acblscore_game() -> Functions:
    from overtrick.files.formats.acblscore_game import is_acblscore_game, read_acblscore_game

    return Functions(is_acblscore_game, read_acblscore_game)


@load_later
def _acbl_live() -> Functions:
    from overtrick.files.formats.acbl_pages import is_acbl_live, read_acbl_live

    return Functions(is_acbl_live, read_acbl_live)


@load_later
def _salliere() -> Functions:
    from overtrick.files.formats.salliere import is_salliere, read_salliere, write_salliere

    return Functions(is_salliere, read_salliere, write=write_salliere)


@load_later
def _salliere_names() -> Functions:
    from overtrick.files.formats.salliere import is_salliere_names, read_salliere_names

    return Functions(is_salliere_names, read_salliere_names)


@load_later
def _bbo() -> Functions:
    from overtrick.files.formats.bbo import is_bbo_page, read_bbo_page
    from overtrick.files.formats.lin.locate import locate_in_lin

    return Functions(is_bbo_page, read_bbo_page, locate=locate_in_lin)


@load_later
def _acbl_pages() -> Functions:
    from overtrick.files.formats.acbl_pages import is_acbl_page, read_acbl_page

    return Functions(is_acbl_page, read_acbl_page)


@load_later
def _links() -> Functions:
    from overtrick.files.formats.lin.locate import locate_in_lin
    from overtrick.files.formats.lin.read.links import is_page, read_page

    return Functions(is_page, read_page, locate=locate_in_lin)


def _write_links(session: "Session") -> "Written":
    from overtrick.files.formats.lin.write.travellers import write_links

    return write_links(session)


@load_later
def _lin() -> Functions:
    from overtrick.files.formats.lin.locate import locate_in_lin
    from overtrick.files.formats.lin.read.reader import is_lin, read_lin_file

    return Functions(is_lin, read_text=read_lin_file, locate=locate_in_lin)


def _write_lin(session: "Session") -> "Written":
    from overtrick.files.formats.lin.write import write_lin

    return write_lin(session)


def _lin_together() -> tuple[Together, ...]:
    from overtrick.files.formats.lin.read import small

    return (
        Together("lin boards", small.are_boards, small.read_boards),
        Together("lin sessions", small.is_session, small.read_sessions),
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
        recognises=_bws.recognises,
        read=_bws.read,
        carries=(*_RESULTS, "deals", "auctions", "plays", "membership numbers", "event, place and date"),
        called="bridgemate",
        source="the tables of databases that Bridgemate's control software and scoring programs made",
    ),
    Format(
        "usebio",
        "USEBIO",
        (".xml",),
        recognises=_usebio.recognises,
        read=_usebio.read,
        write=_write_usebio,
        locate_cells=_usebio.locate_cells,
        carries=(*_TABLE, "deals", "membership numbers"),
        source="the USEBIO 1.2 DTD (usebio.org) and files of British programs",
    ),
    _deals("bigdeal", "Big Deal CSV", suffixes=(".bdc",), source=_BIG_DEAL),
    Format(
        "bridgewebs",
        "BridgeWebs CSV",
        (".bwcsv",),
        recognises=_bridgewebs.recognises,
        read=_bridgewebs.read,
        write=_bridgewebs.write,
        carries=(*_RESULTS, "event, place and date", "membership numbers"),
        source="BridgeWebs' guide, page CSV Format; columns are known by their headers",
    ),
    Format(
        "csv",
        "table of results",
        (".csv",),
        recognises=_csv.recognises,
        read=_csv.read,
        locate_cells=_csv.locate_cells,
        write=_csv.write,
        carries=_TABLE,
        in_folders=False,  # a folder often holds other tables, such as rankings: the content decides
        source="[tables.md](tables.md)",
    ),
    Format(
        "json",
        "session.json",
        (".json",),
        recognises=_json.recognises,
        read=_json.read,
        write=_json.write,
        carries=(*_TABLE, "deals"),
        in_folders=False,
        source="[session.schema.json](session.schema.json)",
    ),
    Format(
        "connector",
        "Bridgemate data connector",
        (),  # as `.json`
        recognises=_connector.recognises,
        read=_connector.read,
        carries=(*_RESULTS, "deals", "membership numbers", "event, place and date"),
        in_folders=False,
        source="[bridgemate.md](bridgemate.md): what `overtrick terminals` writes, after the connector's public client",
    ),
    Format(
        "xlsx",
        "spreadsheet",
        (".xlsx", ".ods"),
        recognises=_xlsx.recognises,
        read=_xlsx.read,
        write=_xlsx.write,
        carries=_TABLE,
        in_folders=False,
        packed=True,
        source="[tables.md](tables.md); the package python-calamine reads the file, XlsxWriter writes it",
    ),
    Format(
        "jannersten",
        "Jannersten results.txt",
        (".results.txt",),
        recognises=_jannersten.recognises,
        read=_jannersten.read,
        write=_jannersten.write,
        carries=(
            *("event, place and date", "results", "contracts", "leads", "rounds", "sections", "adjusted scores"),
            *("names", "the players of an individual"),
        ),
        source="Jannersten's help, page Results.txt of Bridge Scorer (jannersten.com/Help/BTC)",
    ),
    Format(
        "acblscore",
        "ACBLscore report",
        (),
        recognises=_acblscore.recognises,
        read=_acblscore.read,
        carries=(*_RESULTS, "event, place and date"),
        source="the form of board results in the text reports of ACBLscore, as clubs publish them",
    ),
    Format(
        "acblscore game",
        "ACBLscore game file",
        (),
        recognises=_acblscore_game.recognises,
        read=_acblscore_game.read,
        carries=(*_OF_ACBL, "rounds", "tables"),
        source="ACBLscore Game Files Decoded (lajollabridge.com) and public programs that follow it",
    ),
    Format(
        "acbl live",
        "ACBL Live JSON",
        (),
        recognises=_acbl_live.recognises,
        read=_acbl_live.read,
        carries=(*_RESULTS, "deals", "auctions", "plays", "event, place and date", "membership numbers"),
        source="the normalised schema of acbl-live-fetch (docs/normalized-schema.md)",
    ),
    Format(
        "salliere",
        "table of boards of salliere",
        (".salliere",),
        recognises=_salliere.recognises,
        read=_salliere.read,
        write=_salliere.write,
        carries=("results", "contracts"),
        source="salliere's manual page and its test data",
    ),
    Format(
        "salliere names",
        "table of names of salliere",
        (),
        recognises=_salliere_names.recognises,
        read=_salliere_names.read,
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
        recognises=_bbo.recognises,
        read=_bbo.read,
        carries=("deals", "auctions", "plays", "results", "contracts", "leads", "names", "event, place and date"),
        locate=_bbo.locate,
        first_card_leads=True,
        supersedes=_SAID_OF_LIN,
        source="acbl-live-fetch (docs/bbo-format.md)",
    ),
    Format(
        "acbl-html",
        "page of ACBL Live",
        (),
        recognises=_acbl_pages.recognises,
        read=_acbl_pages.read,
        carries=(*_OF_ACBL, "contracts", "deals"),
        source="acbl-live-fetch (docs/acbl-live-format.md)",
    ),
    Format(
        "lin links",
        "page with links to hands",
        (".links",),
        recognises=_links.recognises,
        read=_links.read,
        write=_write_links,
        writes=("deals",),
        locate=_links.locate,
        first_card_leads=True,
        supersedes=_SAID_OF_LIN,
        carries=_LIN,
        source="the links of Bridge Base Online's hand viewer, and pages with them",
    ),
    Format(
        "lin",
        "Bridge Base Online",
        (".lin",),
        recognises=_lin.recognises,
        read_text=_lin.read_text,
        together=_lin_together,
        write=_write_lin,
        carries=(*_LIN, "sections", "adjusted scores", "the players of an individual"),
        locate=_lin.locate,
        first_card_leads=True,
        supersedes=_SAID_OF_LIN,
        source="the LIN of Bridge Base Online",
    ),
)
"""All formats, in the order in which a file is tried against them."""
