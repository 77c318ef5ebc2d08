"""`overtrick convert`: the same session in another format."""

from pathlib import Path
from typing import Annotated

import typer

from overtrick.apps.cli.options import ConfigFile, CorrectionsFile, must_exist, read_config, read_corrections
from overtrick.apps.cli.output import finish, show_work, stages_on, wrong_usage
from overtrick.show.data.file_names import NAMES


def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            callback=must_exist,
            help="A file of any supported format, a folder, or - for standard input.",
        ),
    ],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help=f"The file to write: {NAMES}.")],
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
    from overtrick.conversion import ConversionError, TargetError, find_writer, is_source, is_unread, write_target

    try:
        find_writer(target, export=export)
    except TargetError as error:
        raise typer.BadParameter(str(error), param_hint="--export" if error.option else "TARGET") from None
    if not force and is_source(source, target):
        wrong_usage(f"{target}: this would replace the source; choose another name, or replace it with --force")
    settings = read_config(config, [source])
    from overtrick.pipeline import evaluate, read

    with show_work("Reading") as line:
        show, found = stages_on(line), read_corrections([source], corrections)
        session = evaluate(read([source], settings, show=show), settings, found, show=show)
    if is_unread(session):
        finish(session, [source], config)
    try:
        with show_work("Writing the file"):
            session, incomplete = write_target(session, target, export=export)
    except ConversionError:
        wrong_usage("several files cannot be kept as they are in one; use --export")
    except OSError as error:
        wrong_usage(f"{target}: can't be written: {error.strerror}")
    shown = ("error", "warning", "info") if export or incomplete else ("error",)
    finish(session, [source], config, severities=shown, made=f"{target}: written")
