"""`overtrick convert`: the same session in another format."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from overtrick.apps.cli.options import ConfigFile, CorrectionsFile, must_exist, read_config, read_corrections
from overtrick.apps.cli.output import complain, finish, publish_failed, show_work, stages_on, wrong_usage
from overtrick.show.data.file_names import NAMES

if TYPE_CHECKING:
    from overtrick.conversion import Outcome
    from overtrick.core.config import Config
    from overtrick.core.frames import Session


def convert(
    source: Annotated[
        str,
        Argument(
            metavar="SOURCE",
            callback=must_exist,
            help="A file of any supported format, a folder, or - for standard input.",
        ),
    ],
    target: Annotated[Path, Argument(metavar="TARGET", help=f"The file to write: {NAMES}.")],
    export: Annotated[bool, Option("--export", help="Write PBN in its strict export form.")] = False,
    public: Annotated[bool, Option("--public", help="Name players as they wish on pages.")] = False,
    yes: Annotated[bool, Option("--yes", help="Let TARGET replace SOURCE itself.")] = False,
    config: ConfigFile = None,
    corrections: CorrectionsFile = None,
) -> None:
    """Convert a session to another file format.

    The name of the target decides the format. A PBN file keeps every tag, comment and private line of a PBN source;
    with --export, or from another format, it has the strict export form that all programs read. LIN is for Bridge Base
    Online, and keeps all commands of a LIN source. USEBIO is for national bodies. The files .dup, .bri, .dge, .dlm,
    .ber and .bhg are for dealing machines and hold only deals. JSON holds the session with its scores; CSV holds the
    results with names, event, date and scoring, and can be read again; Parquet lists the results. overtrick reports
    what a format can't hold. It does not replace the source unless --yes is given.
    With --public, players are named as they wish on pages, and nothing else than the session is written.
    """
    from overtrick.conversion import TargetError, find_writer, is_source, is_unread

    try:
        find_writer(target, export=export)
    except TargetError as error:
        raise typer.BadParameter(str(error), param_hint="--export" if error.option else "TARGET") from None
    if not yes and is_source(source, target):
        wrong_usage(f"{target}: this would replace the source; choose another name, or replace it with --yes")
    settings = read_config(config, [source])
    from overtrick.pipeline import evaluate, read

    with show_work("Reading") as line:
        show, found = stages_on(line), read_corrections([source], corrections)
        session = evaluate(read([source], settings, show=show), settings, found, show=show)
    session = _hide(session, settings) if public else session
    if is_unread(session):
        finish(session, [source], config)
    session, outcome = _write(session, target, export=export)
    shown = ("error", "warning", "info") if export or outcome != "whole" else ("error",)
    made = "nothing is written" if outcome == "nothing" else f"{target}: written"
    finish(session, [source], config, severities=shown, made=made)


def _hide(session: "Session", settings: "Config") -> "Session":
    """Return a session as pages publish it, and write what the scorer should decide to standard error."""
    from overtrick.conversion import make_public

    hidden = make_public(session, settings)
    for doubt in hidden.doubts:
        complain(f"warning: {doubt}")
    return hidden


def _write(session: "Session", target: Path, *, export: bool) -> "tuple[Session, Outcome]":
    """Write the file, and return what `write_target` returns; if it can't be written, say why and end."""
    from overtrick.conversion import ConversionError, write_target
    from overtrick.show.publish.address import LeakError

    try:
        with show_work("Writing the file"):
            return write_target(session, target, export=export)
    except ConversionError:
        wrong_usage("several files cannot be kept as they are in one; use --export")
    except LeakError as error:
        publish_failed(str(error))
    except OSError as error:
        wrong_usage(f"{target}: can't be written: {error.strerror}")
