"""The files that commands write, by the ends of their names.

Nothing here imports polars: the help of the commands lists them.
"""

from pathlib import Path
from typing import Final, Literal, get_args

from overtrick.files.formats.registry import FORMATS

DataFormat = Literal["csv", "json", "parquet"]
Rows = Literal["standings", "results", "matches", "sheets"]

_WRITTEN: Final = [known for known in FORMATS if known.write]

NAMES: Final = ", ".join(
    [
        *(
            f"{known.suffixes[0]}{f' ({known.title})' if known.name not in known.suffixes[0] else ''}"
            for known in _WRITTEN
        ),
        ".parquet",
    ]
)
"""The endings of the files that can be written, for people."""

EXPORTED: Final = ", ".join(known.suffixes[0] for known in _WRITTEN if known.export)
"""The endings of those that have a strict export form."""


def data_format(path: Path) -> DataFormat | None:
    """Return the data format that a file name ends in, or None."""
    suffix = path.suffix.lower().removeprefix(".")
    return next((name for name in get_args(DataFormat) if name == suffix), None)
