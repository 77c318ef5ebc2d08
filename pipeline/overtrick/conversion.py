"""A session in another file format, which the name of the file to write decides."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

from overtrick.formats.registry import FORMATS, find_format
from overtrick.render.data.documents import DataFormat, data_document, data_format

if TYPE_CHECKING:
    from collections.abc import Callable

    from overtrick.formats.base import Written
    from overtrick.frames import Session

_WRITTEN: Final = [known for known in FORMATS if known.write]

NAMES: Final = ", ".join(
    [
        *(
            f"{known.suffixes[0]}{f' ({known.title})' if known.name not in known.suffixes[0] else ''}"
            for known in _WRITTEN
        ),
        *(f".{name}" for name in get_args(DataFormat)),
    ]
)
"""The endings of the files that can be written, for people."""

EXPORTED: Final = ", ".join(known.suffixes[0] for known in _WRITTEN if known.export)
"""The endings of those that have a strict export form."""


class ConversionError(ValueError):
    """A conversion that the names of the files, or the number of them, do not allow."""


class TargetError(ConversionError):
    """A name of a target that is not of a format that overtrick writes.

    Attributes:
        option: whether the format is known, but has no export form.
    """

    def __init__(self, message: str, *, option: bool = False) -> None:
        super().__init__(message)
        self.option = option


def find_writer(target: Path, *, export: bool) -> "Callable[[Session], Written]":
    """Return what writes a session in the format of the target's name.

    Args:
        target: the file to write.
        export: whether to write the strict export form of the format.

    Raises:
        TargetError: overtrick does not write such files.
    """
    form, data = find_format(target.suffix), data_format(target)
    write = form.export if form and export else form.write if form else None
    if write:
        return write
    if data and not export:
        return partial(_write_data, form=data)
    if form or data:
        raise TargetError(f"is for {EXPORTED} files", option=True)
    raise TargetError(f"expected a name that ends in {NAMES}")


def _write_data(session: "Session", form: DataFormat) -> "Written":
    """Write a session as a data file; a table keeps all that can be read back."""
    from overtrick.formats.base import Written  # noqa: PLC0415 - the command line names the formats without polars

    if form != "csv":
        return Written(data_document(session, form, "results"))
    from overtrick.render.data.rows import write_csv  # noqa: PLC0415 - as above
    from overtrick.render.data.table import list_table, report_not_in_table  # noqa: PLC0415 - as above

    return Written(write_csv(list_table(session)).encode(), report_not_in_table(session))


def is_source(source: str, target: Path) -> bool:
    """Return whether a target is the source itself, or one of the files in it."""
    if not target.exists():
        return False
    from overtrick.formats.sources import list_files  # noqa: PLC0415 - as above

    return any(Path(file).exists() and target.samefile(file) for file in list_files(source))


def is_unread(session: "Session") -> bool:
    """Return whether overtrick could not read any file of a session, so that a file at the target should stay."""
    from overtrick.problems import has_errors  # noqa: PLC0415 - as above

    return bool(session.sources["format"].is_null().all()) and has_errors(session.problems)


def write_target(session: "Session", target: Path, *, export: bool = False) -> tuple["Session", bool]:
    """Write a session to a file.

    Args:
        session: what to write.
        target: the file; one that is there is replaced when the new one is complete.
        export: whether to write the strict export form.

    Returns:
        The session with the problems of what the format cannot hold, and whether there are any.

    Raises:
        ConversionError: several files would go into one of a format that keeps a file as it was read.
        TargetError: as for `find_writer`.
        OSError: the file cannot be written.
    """
    import polars as pl  # noqa: PLC0415 - as above

    from overtrick.render.atomic_write import replace_file  # noqa: PLC0415 - as above

    write = find_writer(target, export=export)
    if _would_mix(session, target) and not export:
        raise ConversionError("several files cannot be kept as they are in one; use the export form")
    written = write(session)
    replace_file(target, written.content)
    problems = pl.concat([session.problems, written.problems])
    return replace(session, problems=problems), written.problems.height > 0


def _would_mix(session: "Session", target: Path) -> bool:
    """Return whether several files would go into one of a format that keeps a file as it was read."""
    form = find_format(target.suffix)
    if form is None or form.export is None or session.sources.height < 2:
        return False
    return bool((session.sources["format"] == form.name).any())
