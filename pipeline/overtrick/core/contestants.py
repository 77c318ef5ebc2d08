"""How people write a contestant: `3`, `3 NS`, `NS3`, `A3 EW`, or names; and whom they may mean.

A contestant is section, line and number. Commands, forms, settings and corrections files all find them here.
"""

import re
from typing import Final

import polars as pl

_LINE: Final = r"(NS|EW|N-S|E-W|N/S|E/W)"
_FORM: Final = re.compile(rf"(?:{_LINE}[\s:]*)?(.*?)(?:\s*{_LINE})?", re.IGNORECASE)


def name_contestant() -> pl.Expr:
    """Return how messages name a row of contestants: `A3 NS`; section and line are left out where they are null."""
    return pl.concat_str("section", "contestant", pl.lit(" ") + pl.col("direction").cast(pl.String), ignore_nulls=True)
