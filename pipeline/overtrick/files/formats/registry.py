"""The one list of formats: what recognises, reads, writes and locates each of them.

To add a format, write its module or package below `formats/`, and an entry of `FORMATS` that names its functions. A
function is imported when it is first called. Nothing here imports polars: the help of the command lists formats.
"""

from functools import partial
from typing import Any, Final

from overtrick.files.formats.form import PARTS, Format, Together, begins_as_pbn, call_late, functions

__all__ = ["FORMATS", "PBN", "Format"]

_RESULTS: Final = ("results", "contracts", "leads", "rounds", "tables", "sections", "adjusted scores", "names")
_TABLE: Final = (*_RESULTS, "event, place and date", "teams", "the players of an individual")
_BIG_DEAL: Final = "the formats that the program Big Deal writes (github.com/hansvanstaveren/BigDeal)"
_LIN: Final = (
    *("deals", "auctions", "plays", "event, place and date", "results", "contracts", "leads", "rounds", "tables"),
    *("names", "teams", "carry-overs"),
)
_OF_ACBL: Final = ("event, place and date", "results", "sections", "adjusted scores", "names", "membership numbers")
_SAID_OF_LIN: Final = {"lin-result-contract": ["contract-differs-from-auction", "declarer-differs-from-auction"]}


def _pbn_together() -> tuple[Together, ...]:
    from overtrick.files.formats.pbn.read.reader import read_together, stands_alone
    from overtrick.files.formats.pbn.verify.annotations import check_lines_and_characters

    return (Together("pbn games", stands_alone, read_together, check_lines_and_characters),)


def _lin_together() -> tuple[Together, ...]:
    from overtrick.files.formats.lin.read import small

    return (
        Together("lin boards", small.are_boards, small.read_boards),
        Together("lin sessions", small.is_session, small.read_sessions),
    )


def _deals(name: str, title: str, *suffixes: str, writes: bool = True, **facts: Any) -> Format:  # noqa: ANN401
    """Return a format of deals, which is a row of `dealing_machines.machines.MACHINES` too."""
    usual = {"carries": ("deals",), "source": "public descriptions of the dealing machines, and files of them"}
    roles = ("recognises", "read", "write") if writes else ("recognises", "read")
    machine = {role: partial(call_late, "dealing_machines.machines:use", name, role) for role in roles}
    return Format(name, title, suffixes or (f".{name}",), **(machine | usual | facts))


PBN: Final = Format(
    "pbn",
    "Portable Bridge Notation",
    (".pbn",),
    begins_as_pbn,
    **functions("pbn.read.reader", read_text="read_pbn"),
    **functions("pbn.write", write="write_pbn", export="export_pbn"),
    **functions("pbn.locate", locate="locate_in_pbn", locate_cells="locate_cells_in_pbn"),
    together=_pbn_together,
    supersedes={"pbn-play-seat": ["play-begins-elsewhere"]},
    carries=tuple(part for part in PARTS if part != "carry-overs"),
    source="the PBN 2.1 standard (tistis.nl/pbn)",
)

FORMATS: Final = (
    PBN,
    Format(
        "bws",
        "Bridgemate database",
        (".bws",),
        **functions("bridgemate.jet", recognises="is_jet"),
        **functions("bridgemate.reader", read="read_bws"),
        carries=(*_RESULTS, "deals", "auctions", "plays", "membership numbers", "event, place and date"),
        called="bridgemate",
        source="the tables of databases that Bridgemate's control software and scoring programs made",
    ),
    Format(
        "usebio",
        "USEBIO",
        (".xml",),
        **functions("usebio.reader", recognises="is_usebio", read="read_usebio"),
        **functions("usebio.write", write="write_usebio"),
        **functions("usebio.travellers", locate_cells="locate_cells_in_usebio"),
        carries=(*_TABLE, "deals", "membership numbers"),
        source="the USEBIO 1.2 DTD (usebio.org) and files of British programs",
    ),
    _deals("bigdeal", "Big Deal CSV", ".bdc", source=_BIG_DEAL),
    Format(
        "bridgewebs",
        "BridgeWebs CSV",
        (".bwcsv",),
        **functions("bridgewebs", recognises="is_bridgewebs", read="read_bridgewebs", write="write_bridgewebs"),
        carries=(*_RESULTS, "event, place and date", "membership numbers"),
        source="BridgeWebs' guide, page CSV Format; columns are known by their headers",
    ),
    Format(
        "csv",
        "table of results",
        (".csv",),
        **functions("csv", recognises="is_results_csv", read="read_results_csv", locate_cells="locate_cells_in_csv"),
        **functions("exchange", write="write_table"),
        carries=_TABLE,
        in_folders=False,  # a folder often holds other tables, such as rankings: the content decides
        source="[tables.md](tables.md)",
    ),
    Format(
        "json",
        "session.json",
        (".json",),
        **functions("session_json", recognises="is_session_json", read="read_session_json"),
        **functions("exchange", write="write_json"),
        carries=(*_TABLE, "deals"),
        in_folders=False,
        source="[session.schema.json](session.schema.json)",
    ),
    Format(
        "connector",
        "Bridgemate data connector",
        (),
        **functions("bridgemate.connector", recognises="is_connector", read="read_connector"),
        carries=(*_RESULTS, "deals", "membership numbers", "event, place and date"),
        in_folders=False,
        source="[bridgemate.md](bridgemate.md): what `overtrick terminals` writes, after the connector's public client",
    ),
    Format(
        "xlsx",
        "spreadsheet",
        (".xlsx", ".ods"),
        **functions("spreadsheets", recognises="is_spreadsheet", read="read_spreadsheet"),
        **functions("exchange", write="write_spreadsheet"),
        carries=_TABLE,
        in_folders=False,
        packed=True,
        source="[tables.md](tables.md); the package python-calamine reads the file, XlsxWriter writes it",
    ),
    Format(
        "jannersten",
        "Jannersten results.txt",
        (".results.txt",),
        **functions("jannersten", recognises="is_jannersten", read="read_jannersten", write="write_jannersten"),
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
        **functions("acblscore_game", recognises="is_acblscore", read="read_acblscore"),
        carries=(*_RESULTS, "event, place and date"),
        source="the form of board results in the text reports of ACBLscore, as clubs publish them",
    ),
    Format(
        "acblscore game",
        "ACBLscore game file",
        (),
        **functions("acblscore_game", recognises="is_acblscore_game", read="read_acblscore_game"),
        carries=(*_OF_ACBL, "rounds", "tables"),
        source="ACBLscore Game Files Decoded (lajollabridge.com) and public programs that follow it",
    ),
    Format(
        "acbl live",
        "ACBL Live JSON",
        (),
        **functions("acbl_pages", recognises="is_acbl_live", read="read_acbl_live"),
        carries=(*_RESULTS, "deals", "auctions", "plays", "event, place and date", "membership numbers"),
        source="the normalised schema of acbl-live-fetch (docs/normalized-schema.md)",
    ),
    Format(
        "salliere",
        "table of boards of salliere",
        (".salliere",),
        **functions("salliere", recognises="is_salliere", read="read_salliere", write="write_salliere"),
        carries=("results", "contracts"),
        source="salliere's manual page and its test data",
    ),
    Format(
        "salliere names",
        "table of names of salliere",
        (),
        **functions("salliere", recognises="is_salliere_names", read="read_salliere_names"),
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
    Format(
        "bbo-html",
        "page of results of Bridge Base Online",
        (),
        **functions("bbo", recognises="is_bbo_page", read="read_bbo_page"),
        **functions("lin.locate", locate="locate_in_lin"),
        carries=("deals", "auctions", "plays", "results", "contracts", "leads", "names", "event, place and date"),
        first_card_leads=True,
        supersedes=_SAID_OF_LIN,
        source="acbl-live-fetch (docs/bbo-format.md)",
    ),
    Format(
        "acbl-html",
        "page of ACBL Live",
        (),
        **functions("acbl_pages", recognises="is_acbl_page", read="read_acbl_page"),
        carries=(*_OF_ACBL, "contracts", "deals"),
        source="acbl-live-fetch (docs/acbl-live-format.md)",
    ),
    Format(
        "lin links",
        "page with links to hands",
        (".links",),
        **functions("lin.read.links", recognises="is_page", read="read_page"),
        **functions("lin.write.travellers", write="write_links"),
        **functions("lin.locate", locate="locate_in_lin"),
        writes=("deals",),
        first_card_leads=True,
        supersedes=_SAID_OF_LIN,
        carries=_LIN,
        source="the links of Bridge Base Online's hand viewer, and pages with them",
    ),
    Format(
        "lin",
        "Bridge Base Online",
        (".lin",),
        **functions("lin.read.reader", recognises="is_lin", read_text="read_lin_file"),
        **functions("lin.write", write="write_lin"),
        **functions("lin.locate", locate="locate_in_lin"),
        together=_lin_together,
        carries=(*_LIN, "sections", "adjusted scores", "the players of an individual"),
        first_card_leads=True,
        supersedes=_SAID_OF_LIN,
        source="the LIN of Bridge Base Online",
    ),
)
"""All formats, in the order in which a file is tried against them."""
