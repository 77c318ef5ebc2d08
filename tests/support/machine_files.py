"""Files for dealing machines, made in the tests: what hypothesis deals, and two deals written out by hand."""

import numpy as np
import polars as pl
from hypothesis import strategies as st

from overtrick.core.bridge.cards import canonical
from overtrick.core.frames import RECORDS, Session, conform
from overtrick.files.formats.base import Reading, Written
from overtrick.files.formats.looks import get_format

FORMS = ("dup", "bri", "dge", "dlm", "ber", "bhg")

SUIT_EACH = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
"""North has the spades, East the hearts, South the diamonds, West the clubs."""


def session(deals: list[str], first: int = 1) -> Session:
    """Make a session of boards that were dealt and not played yet, numbered from `first` on."""
    rows = [
        {"record": n, "board": first + n, "board_label": str(first + n), "deal": deal} for n, deal in enumerate(deals)
    ]
    return Session(records=conform(RECORDS, pl.DataFrame(rows)))


def written(deals: Session, form: str) -> Written:
    """Write deals for a machine."""
    write = get_format(form).write
    assert write is not None
    return write(deals)


def read(data: bytes, form: str) -> Reading:
    """Read a file of this format."""
    known = get_format(form)
    assert known.read is not None
    return known.read(data)


def dealt() -> st.SearchStrategy[list[str]]:
    """Deal one to six boards."""
    seats = [seat for seat in range(4) for _ in range(13)]
    return st.lists(st.permutations(seats), min_size=1, max_size=6).map(
        lambda boards: canonical(np.array(boards, dtype=np.uint8)).to_list()
    )
