"""`overtrick deliver`: an evening to the places that take its results."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from overtrick.cli.options import ConfigFile, CorrectionsFile, read_config
from overtrick.cli.output import DATA_ERRORS, PUBLISH_FAILED, command_line, emit, progress_line, wrong_usage

if TYPE_CHECKING:
    from overtrick.config import Config
    from overtrick.deliver import Order, Outcome, Planned
    from overtrick.deliver.destinations import Destination
    from overtrick.evening.edit import Evening

_BEFORE: Final = {
    "new": "",
    "same": " (delivered {when}; nothing has changed)",
    "changed": " (delivered {when}; changed since: {changes})",
    "unsure": " (nobody knows whether the delivery of {when} arrived; look there, then use --again)",
}


def deliver(
    evening: Annotated[Path, typer.Argument(metavar="EVENING", help="A file of the evening, or its folder.")],
    to: Annotated[
        str,
        typer.Option("--to", metavar="NAME,...", help="The places: bridgewebs, ebu, ecats, abf, mail, or your own."),
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List what would be delivered and to whom, and deliver nothing.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Deliver what was delivered before, and what may have arrived.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Deliver an evening whose data has errors.")] = False,
    event: Annotated[
        str, typer.Option("--event", metavar="N", help="The number of the event in BridgeWebs' calendar.")
    ] = "",
    session: Annotated[
        str, typer.Option("--session", metavar="N", help="The number of the session of simultaneous pairs.")
    ] = "",
    charge: Annotated[
        str, typer.Option("--charge", metavar="CODE", help="The EBU's charge code, if not that of the settings.")
    ] = "",
    corrections: CorrectionsFile = None,
    config: ConfigFile = None,
) -> None:
    """Deliver the results of an evening to the places that take them.

    Nothing is delivered twice: a receipt beside the evening says what was delivered where. Changed results are
    delivered again. Places for which no way to send is described get a file, and you are told how to hand it in.

    Passwords come from OVERTRICK_BRIDGEWEBS_PASSWORD and OVERTRICK_MAIL_PASSWORD, or the keyring.
    """
    settings = read_config(config)
    if not evening.exists():
        wrong_usage(f"{evening}: there is no such file or folder")
    names = [name.strip() for name in to.split(",") if name.strip()]
    if not names:
        raise typer.BadParameter("expected the names of places", param_hint="--to")
    from overtrick.deliver import Order, OrderError, find_destinations
    from overtrick.publish import PublishError
    from overtrick.render.languages import LanguageError

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
        wrong_usage(str(error))
    except PublishError as error:
        _fail([str(error)])


def _open(evening: Path, settings: "Config", corrections: Path | None, *, yes: bool) -> "Evening":
    """Read an evening. If it has no results, or errors without --yes, say so and end with status 1."""
    from overtrick.evening.edit import RefusedError, open_evening
    from overtrick.problems import has_errors

    try:
        opened = open_evening(evening, settings, corrections)
    except RefusedError as error:
        wrong_usage(str(error))
    if opened.session.standings.is_empty():
        typer.echo(f"overtrick: {evening}: no results to deliver", err=True)
        raise typer.Exit(DATA_ERRORS)
    if has_errors(opened.session.problems) and not yes:
        check = command_line("check", evening)
        typer.echo(
            f"overtrick: {evening}: the data has errors; list them with: {check}; to deliver it as it is, use --yes",
            err=True,
        )
        raise typer.Exit(DATA_ERRORS)
    return opened


def _name(evening: Path) -> str:
    from overtrick.assemble.together import name_of_evening

    return evening.resolve().name if evening.is_dir() else name_of_evening(evening)


def _warn(places: "Sequence[Destination]", settings: "Config") -> None:
    """Warn of addresses without TLS."""
    names = {one.name for one in places}
    address, server = settings.deliver.bridgewebs.address, settings.deliver.server or ""
    if "bridgewebs" in names and address.startswith("http:"):
        typer.echo(
            "overtrick: http: sends your password so that others on the network can read it; use https:", err=True
        )
    if names - {"bridgewebs", "ebu", "abf"} and server.startswith("smtp:"):
        typer.echo(
            "overtrick: smtp: sends your password and all messages so that others on the network can read them; use"
            " smtps:",
            err=True,
        )


def _plan(places: "Sequence[Destination]", order: "Order", evening: Path) -> None:
    from overtrick.deliver import plan
    from overtrick.deliver.receipts import Receipts, find_folder
    from overtrick.publish import PublishError

    receipts = Receipts(find_folder(evening))
    errors = []
    for place in places:
        try:
            planned = plan(place, order, receipts)
        except PublishError as error:
            errors.append(f"{place.name}: {str(error).removeprefix(f'{place.name}: ')}")
        else:
            emit("".join(f"{line}\n" for line in _describe(place, planned)))
    if errors:
        _fail(errors)


def _describe(place: "Destination", planned: "Sequence[Planned]") -> Iterator[str]:
    first = planned[0].parcel
    if first.who:
        counts = [(state, sum(one.state == state for one in planned)) for state in _BEFORE]
        said = [f"{count} {state}" for state, count in counts if count]
        members = f"{len(planned)} member" if len(planned) == 1 else f"{len(planned)} members"
        yield f"{place.name}: {members} who agreed: {', '.join(said)}"
        yield f"  subject: {first.fields['subject']}"
    else:
        (one,) = planned
        changes = ", ".join(one.changes)
        before = _BEFORE[one.state].format(when=one.earlier.time if one.earlier else "", changes=changes)
        yield f"{place.name}: {first.target}{before}"
        yield from (f"  {name}: {value}" for name, value in first.fields.items())
        yield from (f"  {name}: {len(content):,} bytes" for name, content in first.files.items())
    yield from (f"  {note}" for note in first.notes)


def _deliver(places: "Sequence[Destination]", order: "Order", evening: Path, *, again: bool) -> None:
    from overtrick.deliver import deliver as deliver_evening
    from overtrick.deliver.receipts import find_folder

    with progress_line() as line:
        bars = {place.name: line(place.name) for place in places}

        def show(place: str, done: int, number: int) -> None:
            if bar := bars[place]:
                bar(done, number)

        outcomes = deliver_evening(places, order, find_folder(evening), again=again, on_step=show)
    emit("".join(f"{said}\n" for outcome in outcomes for said in _report(outcome)))
    errors = [error for outcome in outcomes for error in _errors(outcome)]
    if errors:
        _fail(errors)


def _report(outcome: "Outcome") -> Iterator[str]:
    """Return what was delivered, and what was delivered before."""
    name = outcome.destination.name
    for one in outcome.sent:
        if one.parcel.who:
            continue
        for path in outcome.paths:
            yield f"{name}: {path}"
        done = one.parcel.target if outcome.paths else f"delivered to {one.parcel.target}: {outcome.answer}"
        changed = (
            f" (changed since {one.earlier.time}: {', '.join(one.changes)})" if one.earlier and one.changes else ""
        )
        yield f"{name}: {done}{changed}"
    members = [one for one in outcome.sent if one.parcel.who]
    if members:
        corrected = sum(one.state == "changed" for one in members)
        yield f"{name}: sent to {len(members)} of the members who agreed{f', {corrected} corrected' * bool(corrected)}"
    if outcome.same:
        first = outcome.same[0]
        who = f" to {len(outcome.same)} of the members who agreed" if first.parcel.who else ""
        when = f" {first.earlier.time}" if first.earlier and not who else " before"
        yield f"{name}: delivered{when}{who}; nothing has changed, so it was not delivered again"
    for one in (*outcome.sent, *outcome.same)[:1]:
        yield from (f"{name}: {note}" for note in one.parcel.notes)


def _errors(outcome: "Outcome") -> Iterator[str]:
    name = outcome.destination.name
    for error in dict.fromkeys(outcome.errors):
        count = outcome.errors.count(error)
        yield f"{name}: {error.removeprefix(f'{name}: ')}{f' ({count} times)' if count > 1 else ''}"
    if outcome.unsure:
        members = f" to {len(outcome.unsure)} of the members" if outcome.unsure[0].parcel.who else ""
        yield f"{name}: nobody knows whether the delivery{members} arrived; look there, then use --again"


def _fail(errors: Sequence[str]) -> None:
    """Write why something was not delivered to standard error, and end with status 3."""
    for error in errors:
        typer.echo(f"overtrick: {error}", err=True)
    raise typer.Exit(PUBLISH_FAILED)
