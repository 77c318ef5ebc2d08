"""`overtrick deliver`: an evening to the places that take its results."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from overtrick.apps.cli import output
from overtrick.apps.cli.options import ConfigFile, CorrectionsFile, must_exist, option, read_config

if TYPE_CHECKING:
    from overtrick.apps.deliver import Order
    from overtrick.apps.deliver.destinations import Destination
    from overtrick.apps.evening.edit import Evening
    from overtrick.core.config import Config


def deliver(
    evening: Annotated[
        Path, Argument(metavar="EVENING", callback=must_exist, help="A file of the evening, or its folder.")
    ],
    to: Annotated[str, option("--to", "NAME,...", "The places: bridgewebs, ebu, ecats, abf, mail, or your own.")],
    dry_run: Annotated[
        bool, Option("--dry-run", help="List what would be delivered and to whom, and deliver nothing.")
    ] = False,
    again: Annotated[
        bool, Option("--again", help="Deliver what was delivered before, and what may have arrived.")
    ] = False,
    yes: Annotated[bool, Option("--yes", help="Deliver an evening whose data has errors.")] = False,
    event: Annotated[str, option("--event", "N", "The number of the event in BridgeWebs' calendar.")] = "",
    session: Annotated[str, option("--session", "N", "The number of the session of simultaneous pairs.")] = "",
    charge: Annotated[str, option("--charge", "CODE", "The EBU's charge code, if not that of the settings.")] = "",
    corrections: CorrectionsFile = None,
    config: ConfigFile = None,
) -> None:
    """Deliver the results of an evening to the places that take them.

    Nothing is delivered twice: a receipt beside the evening says what was delivered where. Changed results are
    delivered again. Places for which no way to send is described get a file, and deliver says how to hand it in.

    Passwords come from OVERTRICK_BRIDGEWEBS_PASSWORD and OVERTRICK_MAIL_PASSWORD, or the keyring.
    """
    settings = read_config(config, [evening])
    names = [name.strip() for name in to.split(",") if name.strip()]
    if not names:
        raise typer.BadParameter("expected the names of places", param_hint="--to")
    from overtrick.apps.deliver import Order, OrderError, find_destinations
    from overtrick.core.languages import LanguageError
    from overtrick.show.publish.address import PublishError

    try:
        places = find_destinations(names, settings)
        _warn(places, settings)
        opened = _open(evening, settings, corrections, yes=yes)
        order = Order(_name(evening), opened.session, opened.settings, event, session, charge)
        if dry_run:
            _plan(places, order, evening)
        else:
            _deliver(places, order, evening, again=again)
    except (OrderError, LanguageError) as error:
        output.wrong_usage(str(error))
    except PublishError as error:
        _fail([str(error)])


def _open(evening: Path, settings: "Config", corrections: Path | None, *, yes: bool) -> "Evening":
    """Read an evening. If it has no results, or errors without --yes, say so and end with status 1."""
    from overtrick.apps.evening.edit import RefusedError, open_evening
    from overtrick.core.problems import has_errors

    try:
        with output.show_work("Reading") as line:
            opened = open_evening(evening, settings, corrections, show=output.stages_on(line))
    except RefusedError as error:
        output.wrong_usage(str(error))
    if opened.session.standings.is_empty():
        output.complain(f"overtrick: {evening}: no results to deliver")
        raise typer.Exit(output.DATA_ERRORS)
    if has_errors(opened.session.problems) and not yes:
        check = output.command_line("check", evening)
        output.complain(
            f"overtrick: {evening}: the data has errors; list them with: {check}; to deliver it as it is, use --yes"
        )
        raise typer.Exit(output.DATA_ERRORS)
    return opened


def _name(evening: Path) -> str:
    from overtrick.files.assemble.together import name_of_evening

    return evening.resolve().name if evening.is_dir() else name_of_evening(evening)


def _warn(places: "Sequence[Destination]", settings: "Config") -> None:
    """Warn of addresses without TLS."""
    names = {place.name for place in places}
    address, server = settings.deliver.bridgewebs.address, settings.deliver.server or ""
    if "bridgewebs" in names and address.startswith("http:"):
        output.complain("overtrick: http: sends your password so that others on the network can read it; use https:")
    if names - {"bridgewebs", "ebu", "abf"} and server.startswith("smtp:"):
        output.complain(
            "overtrick: smtp: sends your password and all messages so that others on the network can read them; use"
            " smtps:"
        )


def _plan(places: "Sequence[Destination]", order: "Order", evening: Path) -> None:
    from overtrick.apps.deliver import plan
    from overtrick.apps.deliver.receipts import Receipts, find_folder
    from overtrick.apps.deliver.report import describe_plan, name_place
    from overtrick.show.publish.address import PublishError

    receipts = Receipts(find_folder(evening))
    errors = []
    for place in places:
        try:
            planned = plan(place, order, receipts)
        except PublishError as error:
            errors.append(name_place(place, str(error)))
        else:
            output.emit("".join(f"{line}\n" for line in describe_plan(place, planned)))
    if errors:
        _fail(errors)


def _deliver(places: "Sequence[Destination]", order: "Order", evening: Path, *, again: bool) -> None:
    from overtrick.apps.deliver import deliver as deliver_evening
    from overtrick.apps.deliver.receipts import find_folder
    from overtrick.apps.deliver.report import describe_errors, describe_outcome

    with output.show_work("Delivering") as line:
        bars = {place.name: line(f"Delivering to {place.name}") for place in places}

        def show(place: str, done: int, number: int) -> None:
            if bar := bars[place]:
                bar(done, number)

        outcomes = deliver_evening(places, order, find_folder(evening), again=again, on_step=show)
    output.emit("".join(f"{said}\n" for outcome in outcomes for said in describe_outcome(outcome)))
    errors = [error for outcome in outcomes for error in describe_errors(outcome)]
    if errors:
        _fail(errors)


def _fail(errors: Sequence[str]) -> None:
    """Write why something was not delivered to standard error, and end with status 3."""
    for error in errors:
        output.complain(f"overtrick: {error}")
    raise typer.Exit(output.PUBLISH_FAILED)
