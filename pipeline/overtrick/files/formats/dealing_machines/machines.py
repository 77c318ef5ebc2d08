"""The table of dealing machines and other formats of deals: to add one, add a row here and its line in the registry."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import polars as pl

from overtrick.core.frames import PROBLEMS, Problems, Session, empty
from overtrick.core.problems import report
from overtrick.files.formats.base import Reading, Written
from overtrick.files.formats.dealing_machines import binary, printed, text
from overtrick.files.formats.dealing_machines.deals import Deals, Dealt, Listed, select_deals
from overtrick.files.formats.dealing_machines.rbn import decode_rbn, is_rbn


def _report_counted(boards: Sequence[int]) -> Problems:
    """Report board numbers that are lost because the format counts from 1."""
    return _report_renumbered(boards, 1)


def _report_counted_on(boards: Sequence[int]) -> Problems:
    """Report board numbers that are lost because the format counts on from its first board."""
    return _report_renumbered(boards, boards[0] if boards else 1)


def _report_renumbered(boards: Sequence[int], first: int) -> Problems:
    counted = [*range(first, first + len(boards))]
    lost = {"boards": [_shown(boards)], "numbers": [_shown(counted)]}
    return empty(PROBLEMS) if boards == counted else report("written-changed/numbers", pl.DataFrame(lost))


def _report_gaps(boards: Sequence[int]) -> Problems:
    """Report boards without a deal within the range of a format that holds all boards of a range."""
    blank = [str(board) for board in range(boards[0], boards[-1] + 1) if board not in boards] if boards else []
    gaps = pl.DataFrame({"boards": [", ".join(blank)]})
    return report("written-changed/gaps", gaps) if blank else empty(PROBLEMS)


def _report_nothing(_: Sequence[int]) -> Problems:
    """Return no problems: the format has each board's number."""
    return empty(PROBLEMS)


def _shown(boards: Sequence[int]) -> str:
    """Return a list of board numbers, shortened if it is long."""
    numbers = [str(board) for board in boards]
    return ", ".join(numbers if len(numbers) <= 8 else [*numbers[:4], "...", numbers[-1]])


class Machine(NamedTuple):
    """A format of deals.

    Attributes:
        recognises: reports whether the first bytes of a file are of this format.
        decode: returns the deals of a file; nothing in it makes it raise.
        encode: returns the file for deals; None for a format that is only read.
        report_lost: reports what is lost of the numbers of the boards that are written.
        most: the highest board number that the format has a place for; None for any.
    """

    recognises: Callable[[bytes], bool]
    decode: Callable[[bytes], Dealt | Listed]
    encode: Callable[[Deals], bytes] | None = None
    report_lost: Callable[[Sequence[int]], Problems] = _report_counted
    most: int | None = None

    def read(self, data: bytes) -> Reading:
        """Read a file of deals."""
        return self.decode(data).to_reading()

    def write(self, session: Session) -> Written:
        """Write the deals of a session, and report what the format cannot hold.

        Raises:
            ValueError: the format is only read.
        """
        if self.encode is None:
            raise ValueError("overtrick does not write files of this format")
        deals = select_deals(session, self.most)
        return Written(self.encode(deals), pl.concat([deals.problems, self.report_lost(deals.boards)]))


MACHINES: Final = {
    "bigdeal": Machine(text.is_bigdeal, text.decode_bigdeal, text.encode_bigdeal, _report_nothing),
    "dup": Machine(binary.is_dup, binary.decode_dup, binary.encode_dup, _report_counted_on),
    "bri": Machine(binary.is_bri, binary.decode_bri, binary.encode_bri),
    "dge": Machine(binary.is_dge, binary.decode_dge, binary.encode_dge),
    "dlm": Machine(text.is_dlm, text.decode_dlm, text.encode_dlm, _report_gaps, most=text.MOST_BOARDS),
    "ber": Machine(text.is_ber, text.decode_ber, text.encode_ber),
    "bhg": Machine(text.is_bhg, text.decode_bhg, text.encode_bhg),
    "rzd": Machine(binary.is_rzd, binary.decode_rzd, binary.encode_rzd),
    "cds": Machine(binary.is_cds, binary.decode_cds, binary.encode_cds, _report_nothing, most=255),
    "zrd": Machine(binary.is_zrd, binary.decode_zrd),
    "gib": Machine(text.is_gib, text.decode_gib, text.encode_gib),
    "dds": Machine(text.is_dds, text.decode_dds, text.encode_dds),
    "dealer": Machine(printed.is_dealer, printed.decode_dealer),
    "rbn": Machine(is_rbn, decode_rbn),
}
"""By the name of the format in `formats.registry`."""
