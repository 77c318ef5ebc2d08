"""`overtrick watch`: a folder that files are put into, and bulletins come out of."""

import gc
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overtrick.cli.options import ConfigFile
from overtrick.cli.output import DATA_ERRORS, PUBLISH_FAILED, emit, read_config, wrong_usage
from overtrick.cli.publish import publish_failed, read_address

if TYPE_CHECKING:
    from overtrick.inbox import Outcome, Watcher
    from overtrick.publish.targets.steady import SteadyTarget


def watch(
    folder: Annotated[Path, typer.Argument(metavar="INBOX", help="The folder that files are put into.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Where bulletins go: a folder in it for each session.")
    ],
    config: ConfigFile = None,
    publish: Annotated[
        str | None,
        typer.Option(
            "--publish", metavar="TARGET", help="Publish each bulletin there. Without it: as --config says, if it does."
        ),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Do what is there, and stop.")] = False,
) -> None:
    """Make a bulletin of every session that is put into a folder, and publish it.

    A file is taken when it is complete. Files with the same name before the dot
    are of one session, as tuesday.pbn with the deals and tuesday.bws with the
    results. What is done moves to INBOX/done, and what is no session to
    INBOX/rejected with the reason beside it. Cut at any moment, the next run goes on.
    """
    settings = read_config(config)
    address = publish or settings.publish.target
    if not folder.is_dir():
        wrong_usage(f"{folder}: is no folder")
    target = _target(address) if address else None
    # Unlike other commands this one does not end before garbage piles up.
    gc.enable()
    from overtrick.inbox import Inbox, WatchedError, Watcher

    try:
        inbox = Inbox(folder)
        with inbox.locked(), closing(target) if target else nullcontext():
            watcher = Watcher(inbox, out, settings, lambda message: typer.echo(message, err=True), target)
            _run(watcher, once=once)
    except WatchedError as error:
        wrong_usage(str(error))
    except OSError as error:
        publish_failed(f"{error.filename or folder}: {error.strerror or error}")


def _target(text: str) -> "SteadyTarget":
    from overtrick.publish import PublishError, open_target

    try:
        return open_target(read_address(text))
    except PublishError as error:
        publish_failed(str(error))


def _run(watcher: "Watcher", *, once: bool) -> None:
    from overtrick import inbox

    if once:
        outcome = inbox.once(watcher)
        _print(outcome)
        raise typer.Exit(_status(outcome))
    for outcome in inbox.watch(watcher):
        _print(outcome)


def _print(outcome: "Outcome") -> None:
    if outcome.made:
        emit("".join(f"{page}\n" for page in outcome.made))


def _status(outcome: "Outcome") -> int:
    if outcome.unwritten or outcome.unpublished:
        return PUBLISH_FAILED
    return DATA_ERRORS if outcome.faulty else 0
