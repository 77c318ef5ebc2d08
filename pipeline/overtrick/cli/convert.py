"""`overtrick convert`: the same session in another form."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overtrick.cli.documents import data_document, data_format
from overtrick.cli.options import ConfigFile
from overtrick.cli.output import finish, read_config, wrong_usage

if TYPE_CHECKING:
    from overtrick.frames import Session


def convert(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A PBN file, a folder of them, or -.")],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="The file to write: .pbn, .json, .csv or .parquet.")],
    export: Annotated[
        bool, typer.Option("--export", help="Write PBN in its strict export form, not as it was read.")
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Write a session in another form, chosen by the name of the file to write.

    PBN keeps every tag, comment and private line as it was read; with --export it is brought into the one form that all
    programs read, and what that form can't hold is named. JSON holds the session with its scores; CSV and Parquet list
    the results.
    """
    pbn = target.suffix.lower() == ".pbn"
    if not pbn and data_format(target) is None:
        raise typer.BadParameter("expected a name that ends in .pbn, .json, .csv or .parquet", param_hint="TARGET")
    if export and not pbn:
        raise typer.BadParameter("is for .pbn files", param_hint="--export")
    settings = read_config(config)
    from overtrick.pipeline import evaluate
    from overtrick.problems import has_errors
    from overtrick.render.files import replace_file

    session = evaluate([source], settings)
    if session.sources["encoding"].is_null().all() and has_errors(session.problems):
        # Nothing was read, and what stands at the target is worth more than that.
        finish(session, show_errors=True)
    session, content = _converted(session, target, export=export)
    try:
        replace_file(target, content)
    except OSError as error:
        wrong_usage(f"{target}: can't be written: {error.strerror}")
    finish(session, show_errors=True, severities=("error", "warning", "info") if export else ("error",))


def _converted(session: "Session", target: Path, *, export: bool) -> tuple["Session", bytes]:
    """Write the session in the form of the target; the session gains the problems that arise."""
    import polars as pl

    from overtrick.render.pbn import export_pbn, write_pbn

    form = data_format(target)
    if form:
        return session, data_document(session, form, "results")
    if export:
        written = export_pbn(session)
        return replace(session, problems=pl.concat([session.problems, written.problems])), written.text.encode(
            "latin-1"
        )
    if session.sources.height > 1:
        wrong_usage("several files can't be kept as they are in one; use --export")
    return session, write_pbn(session).encode(session.sources["encoding"][0] or "utf-8")
