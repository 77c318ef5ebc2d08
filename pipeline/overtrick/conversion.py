"""A session in another file format, which the name of the file to write decides."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import polars as pl

from overtrick.core.atomic_write import replace_file
from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.core.problems import has_errors
from overtrick.files.formats.base import Written
from overtrick.files.formats.looks import find_format, list_files
from overtrick.files.formats.parts import write_session
from overtrick.judge.privacy import PublicSession, apply_privacy
from overtrick.show.data.documents import data_document
from overtrick.show.data.downloads import is_kept, write_games, write_pbn
from overtrick.show.data.file_names import EXPORTED, NAMES, DataFormat, data_format
from overtrick.show.publish.gate import check_files


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


def find_writer(target: Path, *, export: bool) -> Callable[[Session], Written]:
    """Return what writes a session in the format of the target's name.

    Args:
        target: the file to write.
        export: whether to write the strict export form of the format.

    Raises:
        TargetError: overtrick does not write such files.
    """
    form, data = find_format(_suffix(target)), data_format(target)
    if form and (form.export if export else form.write):
        return partial(write_session, form=form, export=export)
    if data and not form and not export:
        return partial(_write_data, form=data)
    if form or data:
        raise TargetError(f"is for {EXPORTED} files", option=True)
    raise TargetError(f"expected a name that ends in {NAMES}")


def _suffix(target: Path) -> str:
    """Return the end of a name that decides the format: `.results.txt` for the files of Jannersten."""
    name = target.name.lower()
    return ".results.txt" if name.endswith("results.txt") else target.suffix


def _write_data(session: Session, form: DataFormat) -> Written:
    """Write a session as a data file that no reader reads again."""
    return Written(data_document(session, form, "results"))


def is_source(source: str, target: Path) -> bool:
    """Return whether a target is the source itself, or one of the files in it."""
    if not target.exists():
        return False
    return any(Path(file).exists() and target.samefile(file) for file in list_files(source))


def is_unread(session: Session) -> bool:
    """Return whether overtrick could not read any file of a session, so that a file at the target should stay."""
    return bool(session.sources["format"].is_null().all()) and has_errors(session.problems)


def write_target(session: Session, target: Path, *, export: bool = False) -> tuple[Session, bool]:
    """Write a session to a file.

    Args:
        session: what to write; a `PublicSession` as pages write it.
        target: the file; one that is there is replaced when the new one is complete.
        export: whether to write the strict export form.

    Returns:
        The session with the problems of what the format cannot hold, and whether there are any.

    Raises:
        ConversionError: several files would go into one of a format that keeps a file as it was read.
        TargetError: as for `find_writer`.
        LeakError: the content names somebody who is hidden in a `PublicSession`.
        OSError: the file cannot be written.
    """
    write = find_writer(target, export=export)
    if _would_mix(session, target) and not export:
        raise ConversionError("several files cannot be kept as they are in one; use the export form")
    form = find_format(_suffix(target))
    if isinstance(session, PublicSession) and form and form.name == "pbn":
        written = Written(write_pbn(write_games(session)))
    else:
        written = write(session)
    if isinstance(session, PublicSession):
        check_files({target.name: written.content}, session.crowd, Config())
    if not written.content and has_errors(written.problems):
        return replace(session, problems=written.problems), True
    replace_file(target, written.content)
    problems = pl.concat([session.problems, written.problems])
    return replace(session, problems=problems), written.problems.height > 0


def make_public(session: Session, config: Config) -> PublicSession:
    """Return a session as pages publish it: named as players wish, without what files hold besides the session."""
    shown = apply_privacy(session, config.privacy, config.people.register)
    known = pl.when(pl.col("format").is_not_null()).then(pl.lit("frames")).alias("format")
    return replace(shown, sources=shown.sources.with_columns(known), listed=shown.items.filter(is_kept()))


def _would_mix(session: Session, target: Path) -> bool:
    """Return whether several files would go into one of a format that keeps a file as it was read."""
    form = find_format(_suffix(target))
    if form is None or form.export is None or session.sources.height < 2:
        return False
    return bool((session.sources["format"] == form.name).any())
