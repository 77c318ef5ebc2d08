"""The one list of formats: what recognises, reads, writes and locates each of them.

To add a format, write its module or package below `formats/`, and a row of `FORMATS` with the paths of its functions.
A function is imported when it is first called. Nothing here imports polars: the help of the command lists formats.
"""

from functools import partial
from typing import Final

from overtrick.files.formats.form import PARTS, Format, Together, begins_as_pbn, make_format

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


PBN: Final = make_format(
    "pbn",
    "Portable Bridge Notation",
    ".pbn",
    read_text="pbn.read.reader.read_pbn",
    locate="pbn.locate.locate_in_pbn",
    locate_cells="pbn.locate.locate_cells_in_pbn",
    recognises=begins_as_pbn,
    together=_pbn_together,
    write="pbn.write.write_pbn",
    export="pbn.write.export_pbn",
    supersedes={"pbn-play-seat": ["play-begins-elsewhere"]},
    carries=PARTS,
    source="the PBN 2.1 standard (tistis.nl/pbn)",
)


def _deals(name: str, title: str, *suffixes: str, writes: bool = True, **facts: object) -> Format:
    """Return a format of deals, which is a row of `dealing_machines.machines.MACHINES` too."""
    usual = {"carries": ("deals",), "source": "public descriptions of the dealing machines, and files of them"}

    def call(role: str, *values: object) -> object:
        from overtrick.files.formats.dealing_machines.machines import MACHINES

        return getattr(MACHINES[name], role)(*values)

    roles = {role: partial(call, role) for role in ("recognises", "read", *(("write",) if writes else ()))}
    return make_format(name, title, *suffixes or (f".{name}",), **(usual | roles | facts))


def _lin_together() -> tuple[Together, ...]:
    from overtrick.files.formats.lin.read import small

    return (
        Together("lin boards", small.are_boards, small.read_boards),
        Together("lin sessions", small.is_session, small.read_sessions),
    )


FORMATS: Final = (
    PBN,
    make_format(
        "bws",
        "Bridgemate database",
        ".bws",
        recognises="bridgemate.jet.is_jet",
        read="bridgemate.reader.read_bws",
        carries=(*_RESULTS, "deals", "auctions", "plays", "membership numbers", "event, place and date"),
        called="bridgemate",
        source="the tables of databases that Bridgemate's control software and scoring programs made",
    ),
    make_format(
        "usebio",
        "USEBIO",
        ".xml",
        recognises="usebio.reader.is_usebio",
        read="usebio.reader.read_usebio",
        locate_cells="usebio.travellers.locate_cells_in_usebio",
        write="usebio.write.write_usebio",
        carries=(*_TABLE, "deals", "membership numbers"),
        source="the USEBIO 1.2 DTD (usebio.org) and files of British programs",
    ),
    _deals("bigdeal", "Big Deal CSV", ".bdc", source=_BIG_DEAL),
    make_format(
        "bridgewebs",
        "BridgeWebs CSV",
        ".bwcsv",
        recognises="bridgewebs.is_bridgewebs",
        read="bridgewebs.read_bridgewebs",
        write="bridgewebs.write_bridgewebs",
        carries=(*_RESULTS, "event, place and date", "membership numbers"),
        source="BridgeWebs' guide, page CSV Format; columns are known by their headers",
    ),
    make_format(
        "csv",
        "table of results",
        ".csv",
        recognises="csv.is_results_csv",
        read="csv.read_results_csv",
        write="exchange.write_table",
        locate_cells="csv.locate_cells_in_csv",
        carries=_TABLE,
        in_folders=False,  # a folder often holds other tables, such as rankings: the content decides
        source="[tables.md](tables.md)",
    ),
    make_format(
        "json",
        "session.json",
        ".json",
        recognises="session_json.is_session_json",
        read="session_json.read_session_json",
        write="exchange.write_json",
        carries=(*_TABLE, *_GAMES, "double-dummy tables", "membership numbers", "carry-overs"),
        in_folders=False,
        source="[session.schema.json](session.schema.json)",
    ),
    make_format(
        "connector",
        "Bridgemate data connector",
        recognises="bridgemate.connector.is_connector",
        read="bridgemate.connector.read_connector",
        carries=(*_RESULTS, "deals", "membership numbers", "event, place and date"),
        in_folders=False,
        source="[bridgemate.md](bridgemate.md): what `overtrick terminals` writes, after the connector's public client",
    ),
    make_format(
        "xlsx",
        "spreadsheet",
        ".xlsx",
        ".ods",
        recognises="zips.is_spreadsheet",
        read="spreadsheets.read_spreadsheet",
        write="exchange.write_spreadsheet",
        carries=_TABLE,
        in_folders=False,
        packed=True,
        source="[tables.md](tables.md); the package python-calamine reads the file, XlsxWriter writes it",
    ),
    make_format(
        "jannersten",
        "Jannersten results.txt",
        ".results.txt",
        recognises="jannersten.is_jannersten",
        read="jannersten.read_jannersten",
        write="jannersten.write_jannersten",
        carries=(
            *("event, place and date", "results", "contracts", "leads", "rounds", "sections", "adjusted scores"),
            *("names", "the players of an individual"),
        ),
        source="Jannersten's help, page Results.txt of Bridge Scorer (jannersten.com/Help/BTC)",
    ),
    make_format(
        "acblscore",
        "ACBLscore report",
        recognises="acblscore_game.is_acblscore",
        read="acblscore_game.read_acblscore",
        carries=(*_RESULTS, "event, place and date"),
        source="the form of board results in the text reports of ACBLscore, as clubs publish them",
    ),
    make_format(
        "acblscore game",
        "ACBLscore game file",
        recognises="acblscore_game.is_acblscore_game",
        read="acblscore_game.read_acblscore_game",
        carries=(*_OF_ACBL, "rounds", "tables"),
        source="ACBLscore Game Files Decoded (lajollabridge.com) and public programs that follow it",
    ),
    make_format(
        "acbl live",
        "ACBL Live JSON",
        recognises="acbl_pages.is_acbl_live",
        read="acbl_pages.read_acbl_live",
        carries=(*_RESULTS, "deals", "auctions", "plays", "event, place and date", "membership numbers"),
        source="the normalised schema of acbl-live-fetch (docs/normalized-schema.md)",
    ),
    make_format(
        "salliere",
        "table of boards of salliere",
        ".salliere",
        recognises="salliere.is_salliere",
        read="salliere.read_salliere",
        write="salliere.write_salliere",
        carries=("results", "contracts"),
        source="salliere's manual page and its test data",
    ),
    make_format(
        "salliere names",
        "table of names of salliere",
        recognises="salliere.is_salliere_names",
        read="salliere.read_salliere_names",
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
    make_format(
        "bbo-html",
        "page of results of Bridge Base Online",
        recognises="bbo.is_bbo_page",
        read="bbo.read_bbo_page",
        locate="lin.locate.locate_in_lin",
        carries=(*_GAMES, "results", "contracts", "leads", "names", "event, place and date"),
        first_card_leads=True,
        supersedes=_SAID_OF_LIN,
        source="acbl-live-fetch (docs/bbo-format.md)",
    ),
    make_format(
        "acbl-html",
        "page of ACBL Live",
        recognises="acbl_pages.is_acbl_page",
        read="acbl_pages.read_acbl_page",
        carries=(*_OF_ACBL, "contracts", "deals"),
        source="acbl-live-fetch (docs/acbl-live-format.md)",
    ),
    make_format(
        "lin links",
        "page with links to hands",
        ".links",
        recognises="lin.read.links.is_page",
        read="lin.read.links.read_page",
        locate="lin.locate.locate_in_lin",
        write="lin.write.travellers.write_links",
        writes=("deals",),
        first_card_leads=True,
        supersedes=_SAID_OF_LIN,
        carries=_LIN,
        source="the links of Bridge Base Online's hand viewer, and pages with them",
    ),
    make_format(
        "lin",
        "Bridge Base Online",
        ".lin",
        recognises="lin.read.reader.is_lin",
        read_text="lin.read.reader.read_lin_file",
        locate="lin.locate.locate_in_lin",
        together=_lin_together,
        write="lin.write.write_lin",
        carries=(*_LIN, "sections", "adjusted scores", "the players of an individual"),
        first_card_leads=True,
        supersedes=_SAID_OF_LIN,
        source="the LIN of Bridge Base Online",
    ),
)
"""All formats, in the order in which a file is tried against them."""
