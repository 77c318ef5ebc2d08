"""`overtrick convert`: the same session in another form."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overtrick.cli.documents import data_document, data_format
from overtrick.cli.options import ConfigFile, CorrectionsFile, named_corrections
from overtrick.cli.output import finish, read_config, wrong_usage

if TYPE_CHECKING:
    from polars import DataFrame

    from overtrick.frames import Session


_DEALS = ("dup", "bri", "dge", "dlm", "ber", "bhg")
_NAMES = ".pbn, .lin, .xml (USEBIO), .json, .csv, .parquet, " + ", ".join(f".{name}" for name in _DEALS)


def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="A file of any format that is read, a folder of them, or - for standard input."
        ),
    ],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help=f"The file to write: {_NAMES}.")],
    export: Annotated[
        bool, typer.Option("--export", help="Write PBN in its strict export form, not as it was read.")
    ] = False,
    config: ConfigFile = None,
    corrections: CorrectionsFile = None,
) -> None:
    """Write a session in another form, chosen by the name of the file to write.

    PBN keeps every tag, comment and private line as it was read; with --export, and from any other format, it is
    brought into the one form that all programs read. LIN is for Bridge Base Online, and kept as it was read too. USEBIO
    is for national bodies; .dup, .bri, .dge, .dlm, .ber and .bhg are for dealing machines and hold deals alone. What a
    form can't hold is named. JSON holds the session with its scores; CSV and Parquet list the results.
    """
    form = target.suffix.lower().removeprefix(".")
    if form not in {"pbn", "lin", "xml", *_DEALS} and data_format(target) is None:
        raise typer.BadParameter(f"expected a name that ends in {_NAMES}", param_hint="TARGET")
    if export and form != "pbn":
        raise typer.BadParameter("is for .pbn files", param_hint="--export")
    settings = read_config(config)
    from overtrick.pipeline import evaluate
    from overtrick.problems import has_errors
    from overtrick.render.files import replace_file

    session = evaluate([source], settings, corrections=named_corrections(corrections))
    if session.sources["format"].is_null().all() and has_errors(session.problems):
        # Nothing was read, and what stands at the target is worth more than that.
        finish(session, show_errors=True)
    read = session.problems.height
    session, content = _converted(session, target, export=export)
    all_shown = export or session.problems.height > read
    try:
        replace_file(target, content)
    except OSError as error:
        wrong_usage(f"{target}: can't be written: {error.strerror}")
    finish(session, show_errors=True, severities=("error", "warning", "info") if all_shown else ("error",))


def _converted(session: "Session", target: Path, *, export: bool) -> tuple["Session", bytes]:
    """Write the session in the form of the target; the session gains the problems that arise."""
    data = data_format(target)
    if data:
        return session, data_document(session, data, "results")
    form = target.suffix.lower().removeprefix(".")
    if form == "pbn":
        return _pbn(session, export=export)
    if form == "lin":
        from overtrick.formats.lin.write import write_lin

        lin = write_lin(session)
        return _with(session, lin.problems), lin.content
    if form == "xml":
        from overtrick.formats.usebio.write import write_usebio

        usebio = write_usebio(session)
        return _with(session, usebio.problems), usebio.text.encode()
    from overtrick.formats.dealing_machines.write import write_deals

    deals = write_deals(session, form)
    return _with(session, deals.problems), deals.content


def _pbn(session: "Session", *, export: bool) -> tuple["Session", bytes]:
    import polars as pl

    from overtrick.formats.pbn.write import as_pbn, corrected_pbn, export_pbn, lin_losses, write_pbn

    if session.corrections["applied"].any():
        session, export = corrected_pbn(session), True
    if export or not (session.sources["format"] == "pbn").any():
        written = export_pbn(as_pbn(session))
        return _with(session, pl.concat([lin_losses(session), written.problems])), written.text.encode("latin-1")
    if session.sources.height > 1:
        wrong_usage("several files can't be kept as they are in one; use --export")
    return session, write_pbn(session).encode(session.sources["encoding"][0] or "utf-8")


def _with(session: "Session", problems: "DataFrame") -> "Session":
    import polars as pl

    return replace(session, problems=pl.concat([session.problems, problems]))
