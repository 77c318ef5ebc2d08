"""The formats that are told apart by what a file holds, whatever its name: a line here for each, and a reader.

A file that none of them knows is read as PBN, which needs no head.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from overtrick.parse.bridgemate.jet import is_jet
from overtrick.parse.bridgemate.reader import read_bws
from overtrick.parse.csv import is_results_csv, read_results_csv
from overtrick.parse.dealing_machines.ber import is_ber, read_ber
from overtrick.parse.dealing_machines.bhg import is_bhg, read_bhg
from overtrick.parse.dealing_machines.bri import is_bri, read_bri
from overtrick.parse.dealing_machines.dds import is_dds_list, read_dds_list
from overtrick.parse.dealing_machines.dge import is_dge, read_dge
from overtrick.parse.dealing_machines.dlm import is_dlm, read_dlm
from overtrick.parse.dealing_machines.dup import is_dup, read_dup
from overtrick.parse.dealing_machines.rbn import is_rbn, read_rbn
from overtrick.parse.dealing_machines.rzd import is_rzd, read_rzd
from overtrick.parse.lin.links import is_page, read_page
from overtrick.parse.lin.reader import is_lin, read_lin_file
from overtrick.parse.reading import Reading
from overtrick.parse.text import TextBlock
from overtrick.parse.usebio.reader import is_usebio, read_usebio

HEAD: Final = 8192
"""Bytes from a file's beginning that are enough to know its format."""


@dataclass(frozen=True)
class Format:
    """How files of one format are named, known and read.

    Attributes:
        name: as in `frames.SOURCES["format"]`.
        suffixes: of the names that a walked folder gives up.
        recognises: says whether a file's first `HEAD` bytes are of this format.
        read: reads all of its bytes; whatever they are, nothing raises.
        read_text: in its place, reads a text of any length block by block.
    """

    name: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    read: Callable[[bytes], Reading] | None = None
    read_text: Callable[[Iterable[TextBlock]], Iterator[Reading]] | None = None


FORMATS: Final = (
    Format("bws", (".bws",), is_jet, read_bws),
    Format("usebio", (".xml",), is_usebio, read_usebio),
    # A folder often holds tables that were made from its other files: one of results is read where it is named itself.
    Format("csv", (), is_results_csv, read_results_csv),
    Format("dup", (".dup",), is_dup, read_dup),
    Format("bri", (".bri",), is_bri, read_bri),
    Format("dge", (".dge",), is_dge, read_dge),
    Format("dlm", (".dlm",), is_dlm, read_dlm),
    Format("ber", (".ber",), is_ber, read_ber),
    Format("bhg", (".bhg",), is_bhg, read_bhg),
    Format("rzd", (".rzd",), is_rzd, read_rzd),
    Format("dds", (), is_dds_list, read_dds_list),
    Format("rbn", (".rbn",), is_rbn, read_rbn),
    Format("lin links", (), is_page, read_page),
    Format("lin", (".lin",), is_lin, read_text=read_lin_file),
)


def recognised(data: bytes) -> Format | None:
    """Give the format of a file's bytes, None for PBN and for what is not known."""
    head = data[:HEAD]
    return next((known for known in FORMATS if known.recognises(head)), None)
