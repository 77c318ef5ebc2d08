"""The readers of all formats but PBN: a line here for each, in the order in which a file is held against them."""

from typing import Final

from overtrick.formats.bridgemate.jet import is_jet
from overtrick.formats.bridgemate.reader import read_bws
from overtrick.formats.csv import is_results_csv, read_results_csv
from overtrick.formats.dealing_machines.ber import is_ber, read_ber
from overtrick.formats.dealing_machines.bhg import is_bhg, read_bhg
from overtrick.formats.dealing_machines.bri import is_bri, read_bri
from overtrick.formats.dealing_machines.dds import is_dds_list, read_dds_list
from overtrick.formats.dealing_machines.dge import is_dge, read_dge
from overtrick.formats.dealing_machines.dlm import is_dlm, read_dlm
from overtrick.formats.dealing_machines.dup import is_dup, read_dup
from overtrick.formats.dealing_machines.rbn import is_rbn, read_rbn
from overtrick.formats.dealing_machines.rzd import is_rzd, read_rzd
from overtrick.formats.lin.read.links import is_page, read_page
from overtrick.formats.lin.read.reader import is_lin, read_lin_file
from overtrick.formats.registry import Format
from overtrick.formats.usebio.reader import is_usebio, read_usebio

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
