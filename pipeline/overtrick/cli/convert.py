"""`overtrick convert`: the same session in another format."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overtrick.cli.documents import DataFormat, data_document, data_format
from overtrick.cli.options import ConfigFile, CorrectionsFile, read_config, read_named
from overtrick.cli.output import finish, wrong_usage
from overtrick.formats.registry import FORMATS, Format, find_format

if TYPE_CHECKING:
    from collections.abc import Callable

    from overtrick.formats.base import Written
    from overtrick.frames import Session

_WRITTEN = [known for known in FORMATS if known.write]
_NAMES = ", ".join(
    [
        *(
            f"{known.suffixes[0]}{f' ({known.title})' if known.name not in known.suffixes[0] else ''}"
            for known in _WRITTEN
        ),
        ".parquet",
    ]
)
_EXPORTED = ", ".join(known.suffixes[0] for known in _WRITTEN if known.export)


def convert(
    source: Annotated[
        str,
        typer.Argument(metavar="SOURCE", help="A file of any supported format, a folder, or - for standard input."),
    ],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help=f"The file to write: {_NAMES}.")],
    export: Annotated[bool, typer.Option("--export", help="Write PBN in its strict export form.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Let TARGET replace SOURCE itself.")] = False,
    config: ConfigFile = None,
    corrections: CorrectionsFile = None,
) -> None:
    """Convert a session to another file format.

    The name of the target decides the format. A PBN file keeps every tag, comment and private line of a PBN source;
    with --export, or from another format, it has the strict export form that all programs read. LIN is for Bridge Base
    Online, and keeps all commands of a LIN source. USEBIO is for national bodies. The files .dup, .bri, .dge, .dlm,
    .ber and .bhg are for dealing machines and hold only deals. JSON holds the session with its scores; CSV holds the
    results with names, event, date and scoring, and can be read again; Parquet lists the results. overtrick reports
    what a format can't hold. It does not replace the source unless --force is given.
    """
    write = _find_writer(target, export=export)
    if not force and _is_source(source, target):
        wrong_usage(f"{target}: this would replace the source; choose another name, or replace it with --force")
    settings = read_config(config)
    import polars as pl

    from overtrick.pipeline import evaluate
    from overtrick.problems import has_errors
    from overtrick.render.atomic_write import replace_file

    session = evaluate([source], settings, corrections=read_named(corrections))
    if session.sources["format"].is_null().all() and has_errors(session.problems):
        # Nothing was read: keep the file that is at the target.
        finish(session, [source], config)
    if _would_mix(session, target) and not export:
        wrong_usage("several files cannot be kept as they are in one; use --export")
    written = write(session)
    if not written.content and has_errors(written.problems):
        finish(replace(session, problems=written.problems), [source], config)
    session = replace(session, problems=pl.concat([session.problems, written.problems]))
    try:
        replace_file(target, written.content)
    except OSError as error:
        wrong_usage(f"{target}: can't be written: {error.strerror}")
    all_shown = export or written.problems.height > 0
    finish(session, [source], config, severities=("error", "warning", "info") if all_shown else ("error",))


def _is_source(source: str, target: Path) -> bool:
    """Return whether a target is the source itself, or one of the files in it."""
    if not target.exists():
        return False
    from overtrick.formats.sources import list_files

    return any(Path(file).exists() and target.samefile(file) for file in list_files(source))


def _find_writer(target: Path, *, export: bool) -> "Callable[[Session], Written]":
    """Return what writes a session in the form that the target's name asks for."""
    form, data = find_format(_suffix(target)), data_format(target)
    if form and (form.export if export else form.write):
        return partial(_write_form, form=form, export=export)
    if data and not form and not export:
        return partial(_write_data, form=data)
    if form or data:
        raise typer.BadParameter(f"is for {_EXPORTED} files", param_hint="--export")
    raise typer.BadParameter(f"expected a name that ends in {_NAMES}", param_hint="TARGET")


def _suffix(target: Path) -> str:
    """Return the end of a name that decides the format: `.results.txt` for the files of Jannersten."""
    name = target.name.lower()
    return ".results.txt" if name.endswith("results.txt") else target.suffix


def _write_form(session: "Session", form: "Format", *, export: bool) -> "Written":
    """Write a session in a format, with a note that names the parts that it cannot store."""
    from overtrick.formats.parts import write_session

    return write_session(session, form, export=export)


def _write_data(session: "Session", form: DataFormat) -> "Written":
    """Write a session as a data file that no reader reads again."""
    from overtrick.formats.base import Written

    return Written(data_document(session, form, "results"))


def _would_mix(session: "Session", target: Path) -> bool:
    """Report whether several files would go into one of a format that keeps a file as it was read."""
    form = find_format(_suffix(target))
    if form is None or form.export is None or session.sources.height < 2:
        return False
    return bool((session.sources["format"] == form.name).any())
