"""`overtrick terminals`: an evening on Bridgemates, over Bridgemate's data connector."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from overtrick.apps.cli.app import Command, make_group
from overtrick.apps.cli.options import ConfigFile, option, read_config, with_loudness
from overtrick.apps.cli.output import PUBLISH_FAILED, command_line, complain, emit, say, show_work, stamp, wrong_usage

if TYPE_CHECKING:
    from overtrick.apps.evening.terminals.connector import Connector
    from overtrick.apps.evening.terminals.initial import Evening

terminals = make_group("Start an evening on Bridgemates and take its results.")

_File = Annotated[
    Path, Argument(metavar="FILE", help="The evening's file that results go to, such as inbox/tuesday.json.")
]

_Address = Annotated[
    str | None,
    option("--address", "URL", "The data connector, such as http://192.168.1.50:5079. Default: on this computer."),
]


@terminals.command(cls=Command)
@with_loudness
def start(
    file: _File,
    config: ConfigFile = None,
    pairs: Annotated[Path | None, option("--pairs", "FILE", "Who plays: a table with columns pair and names.")] = None,
    deals: Annotated[Path | None, option("--deals", "FILE", "The deals, in any format that overtrick reads.")] = None,
    title: Annotated[str | None, option("--title", "TEXT", "Default: the name of FILE.")] = None,
    date: Annotated[str | None, option("--date", "YYYY-MM-DD", "Default: today.")] = None,
    address: _Address = None,
    again: Annotated[
        bool, Option("--again", help="Start an evening that was started before: this empties the terminals.")
    ] = False,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Print who meets whom on which boards, and send nothing.")
    ] = False,
) -> None:
    """Start an evening on the terminals.

    They get the movement, the names and the deals. The movement is that of the table [movement] in the club's settings.
    The club's id and licence key for Bridgemate come from the keyring, or from OVERTRICK_BRIDGEMATE_CLUB and
    OVERTRICK_BRIDGEMATE_LICENCE.
    """
    from overtrick.apps.evening.terminals import document as documents
    from overtrick.apps.evening.terminals.initial import make_event

    _check_name(file)
    with _refusals(file):
        evening = _plan(file, config, pairs, deals, title, date)
        event, lists = make_event(evening)
        if dry_run:
            emit("".join(f"{line}\n" for line in _list_rounds(evening)))
            raise typer.Exit
        connector = _connect(address)
        known = documents.load(file)
        if known and known["Started"] and not again:
            poll_it = command_line("terminals", "poll", file)
            wrong_usage(f"{file}: started before; take its results with: {poll_it}, or start afresh with --again")
        document = documents.make_document(address, lists["Session"], lists)
        documents.save(file, document)
        with show_work("Sending the evening to the terminals"):
            connector.start(event)
        documents.save(file, {**document, "Started": True})
    tables = sum(len(section["Tables"]) for section in event["Sessions"][0]["ScoringGroups"][0]["Sections"])
    say(f"{file}: started, {tables} tables; next: {command_line('terminals', 'poll', file)}")


@terminals.command(cls=Command)
@with_loudness
def poll(
    file: _File,
    address: _Address = None,
    every: Annotated[float, option("--every", "SECONDS", "How often to ask.", min=1, max=3600)] = 10,
    once: Annotated[bool, Option("--once", help="Ask once, and exit.")] = False,
) -> None:
    """Take results, players and director calls until Ctrl-C.

    Writes FILE whenever something new came; `overtrick watch` and the desk notice it. After an interruption, run it
    again: nothing is lost and nothing comes twice.
    """
    from overtrick.apps.evening.terminals import document as documents
    from overtrick.apps.evening.terminals.connector import keep_polling, only_poller, poll_once

    with _refusals(file):
        document = documents.load(file)
        if document is None:
            wrong_usage(f"{file}: not started; start it with: {command_line('terminals', 'start', file)}")
        connector = _connect(address or document.get("Address"))
        with only_poller(file):
            # What an interruption kept from the evening's file.
            documents.save(file, document)
            if once:
                for line in poll_once(connector, file, document, every=True):
                    say(stamp(line))
                return
            import threading

            keep_polling(
                connector,
                file,
                document,
                lambda line: say(stamp(line)),
                complain=lambda line: complain(stamp(line)),
                pause=every,
                wait=threading.Event().wait,
            )


def _check_name(file: Path) -> None:
    if file.suffix.lower() != ".json":
        wrong_usage(f"{file}: expected a name that ends in .json")
    if not file.parent.is_dir():
        wrong_usage(f"{file.parent}: not a folder")


def _plan(
    file: Path, config: Path | None, pairs: Path | None, deals: Path | None, title: str | None, date: str | None
) -> "Evening":
    """Return the evening that the options and the settings ask for."""
    from overtrick.apps.evening.terminals.initial import Evening, boards_of, list_sections, read_pairs

    now = datetime.now().astimezone()
    try:
        day = datetime.strptime(date, "%Y-%m-%d").astimezone() if date else now
    except ValueError:
        raise typer.BadParameter("expected a day such as 2026-03-10", param_hint="--date") from None
    settings = read_config(config, [file])
    sections, movements = list_sections(settings)
    return Evening(
        title=title or file.stem,
        when=day.replace(hour=now.hour, minute=now.minute),
        method=settings.scoring.method or "matchpoints",
        sections=sections,
        movements=movements,
        pairs=read_pairs(pairs, settings) if pairs else {},
        deals=_read_deals(deals, set(boards_of(sections))) if deals else {},
    )


def _read_deals(path: Path, boards: set[int]) -> dict[int, str]:
    """Return the deals of the boards that are played; boards without one are named."""
    import polars as pl

    from overtrick.files.assemble import read

    records = read([str(path)]).records.drop_nulls(["board", "deal"]).filter(pl.col("board").is_in(sorted(boards)))
    deals = dict(records.unique("board", keep="first").select("board", "deal").iter_rows())
    if lacking := sorted(boards - deals.keys()):
        listed = ", ".join(map(str, lacking[:10]))
        complain(f"overtrick: {path} has no deal for {len(lacking)} boards: {listed}")
    return deals


def _list_rounds(evening: "Evening") -> Iterator[str]:
    for letter, sittings in evening.sections.items():
        for sitting in sittings:
            boards = f"boards {sitting.boards[0]}-{sitting.boards[-1]}" if sitting.boards else "nobody plays"
            pairs = f"{sitting.ns[0]} - {sitting.ew[0]}"
            yield f"section {letter}, round {sitting.round}, table {sitting.table}: {pairs}, {boards}"


def _connect(address: str | None) -> "Connector":
    from overtrick.apps.evening.terminals.connector import Connector, find_keys, is_installed

    if not is_installed():
        wrong_usage(
            "Bridgemate's data connector needs another package; get it with: pip install 'overtrick[bridgemate]'"
        )
    return Connector(address, *find_keys())


@contextmanager
def _refusals(file: Path) -> Iterator[None]:
    """Turn whatever ends the command into one sentence and its status."""
    from overtrick.apps.evening.terminals.connector import AwayError, ConnectorError
    from overtrick.apps.evening.terminals.document import DocumentError
    from overtrick.apps.evening.terminals.initial import InitialError

    try:
        yield
    except AwayError as error:
        complain(f"overtrick: {error}")
        raise typer.Exit(PUBLISH_FAILED) from None
    except (ConnectorError, DocumentError, InitialError) as error:
        wrong_usage(str(error))
    except TimeoutError:
        wrong_usage(f"{file}: another overtrick is taking the results of this evening; stop it first")
    except OSError as error:
        wrong_usage(f"{error.filename or file}: {error.strerror or error}")
