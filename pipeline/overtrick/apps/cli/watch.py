"""`overtrick watch`: a folder that files go into and bulletins come out of."""

import gc
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from overtrick.apps.cli import output
from overtrick.apps.cli.options import Analyse, ConfigFile, must_exist, option, read_config, with_analysis
from overtrick.apps.cli.publish import read_address

if TYPE_CHECKING:
    from overtrick.apps.inbox.watcher import Outcome, Watcher
    from overtrick.show.publish.targets import SteadyTarget


def load_ahead() -> None:
    """Import what makes a bulletin, so that the process that reads files is ready for the first of them."""
    from overtrick.apps.inbox import watcher
    from overtrick.show.pdf import documents
    from overtrick.show.publish import bulletin

    del watcher, documents, bulletin


def watch(
    folder: Annotated[Path, Argument(metavar="INBOX", help="The folder that receives new files.")],
    out: Annotated[Path, option("--out", "DIR", "Where to write bulletins, in a folder per session.")],
    config: ConfigFile = None,
    publish: Annotated[
        str | None,
        option(
            "--publish", "TARGET", "Publish each bulletin there. Default: the target in the club's settings, if any."
        ),
    ] = None,
    analyse: Analyse = False,
    once: Annotated[bool, Option("--once", help="Process the files that are there now, and exit.")] = False,
) -> None:
    """Make and publish a bulletin of each session in an inbox.

    Takes a file when it is complete. Files with the same name before the dot belong to one session, for example
    tuesday.pbn with the deals and tuesday.bws with the results. Finished files move to INBOX/done, and files of no
    session to INBOX/rejected, with the reason beside them. After an interruption, run it again to resume.
    """
    settings = with_analysis(read_config(config, [must_exist(folder)]), analyse=analyse)
    address = publish or settings.publish.target
    if not folder.is_dir():
        output.wrong_usage(f"{folder}: not a folder")
    target = _open_target(address) if address else None
    # Unlike other commands this one runs until garbage piles up.
    gc.enable()
    from overtrick.apps.inbox.folders import Inbox, WatchedError
    from overtrick.apps.inbox.watcher import Watcher
    from overtrick.apps.inbox.worker import Worker

    try:
        inbox = Inbox(folder)
        with inbox.locked(), closing(target) if target else nullcontext(), closing(Worker(ahead=load_ahead)) as worker:
            if not once:
                worker.begin()
            watcher = Watcher(
                inbox,
                out,
                settings,
                lambda problem: output.complain(output.stamp(problem)),
                target,
                worker.run,
                tell=lambda done: output.say(output.stamp(done)),
            )
            _run(watcher, once=once)
    except WatchedError as error:
        output.wrong_usage(str(error))
    except OSError as error:
        output.publish_failed(f"{error.filename or folder}: {error.strerror or error}")


def _open_target(text: str) -> "SteadyTarget":
    from overtrick.show.publish.address import PublishError
    from overtrick.show.publish.targets import open_target

    try:
        return open_target(read_address(text))
    except PublishError as error:
        output.publish_failed(str(error))


def _run(watcher: "Watcher", *, once: bool) -> None:
    from overtrick.apps.inbox import watcher as inbox

    if once:
        outcome = inbox.run_once(watcher)
        _print_pages(outcome)
        raise typer.Exit(_status(outcome))
    for outcome in inbox.watch(watcher):
        _print_pages(outcome)


def _print_pages(outcome: "Outcome") -> None:
    if outcome.made:
        output.emit("".join(f"{page}\n" for page in outcome.made))


def _status(outcome: "Outcome") -> int:
    if outcome.unwritten or outcome.unpublished:
        return output.PUBLISH_FAILED
    return output.DATA_ERRORS if outcome.faulty else 0
