"""`overtrick publish`: a folder to the club's website."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from overtrick.cli.options import ConfigFile
from overtrick.cli.output import PUBLISH_FAILED, emit, read_config, wrong_usage

if TYPE_CHECKING:
    from overtrick.publish import Address, Plan


def publish(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The site, as `overtrick bulletin` made it.")],
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="TARGET",
            help="A path, or a file:, ftp:, ftps:, sftp: or s3: URL. Without it: the one of --config.",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List what would be added, changed and deleted, and change nothing.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Delete more than ten files, and write over those of others, unasked.")
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Put a site on the club's website.

    Sends what is new or has changed, and deletes what an earlier run put there and
    the site has no more. Readers never see half a page or a broken link. A run
    that was cut is gone on with by the next one.

    Passwords come from OVERTRICK_PASSWORD or the keyring.
    """
    address = read_address(target or read_config(config).publish.target)
    if not folder.is_dir():
        wrong_usage(f"{folder}: is no folder")
    if address.scheme == "file" and folder.resolve() in Path(address.path).expanduser().resolve().parents:
        wrong_usage(f"{address}: is inside the site itself; choose a folder beside it")
    from overtrick.publish import PublishError, open_target, plan
    from overtrick.publish import publish as publish_folder

    try:
        with closing(open_target(address)) as place:
            if dry_run:
                todo = plan(folder, place)
                emit("".join(f"{line}\n" for line in _listed(todo)))
            else:
                with _progress() as told:
                    todo = publish_folder(folder, place, consent=yes, told=told)
    except PublishError as error:
        publish_failed(str(error))
    typer.echo(f"{address}: {'would be ' if dry_run else ''}{_counted(todo)}", err=True)


def read_address(text: str | None) -> "Address":
    """Read the address of a target; wrong usage when it is none."""
    from overtrick.publish import AddressError, parse_address

    if text is None:
        wrong_usage("say where to: overtrick publish DIR TARGET, or target = ... in the table [publish] of club.toml")
    try:
        return parse_address(text)
    except AddressError as error:
        wrong_usage(str(error))


def publish_failed(message: str) -> NoReturn:
    """Say why the site could not be published and stop with status 3."""
    typer.echo(f"overtrick: {message}", err=True)
    raise typer.Exit(PUBLISH_FAILED)


def _listed(todo: "Plan") -> Iterator[str]:
    yield from (f"add     {path}" for path in todo.add)
    foreign = set(todo.foreign)
    yield from (f"change  {path}{' (not from overtrick)' if path in foreign else ''}" for path in todo.change)
    yield from (f"delete  {path}" for path in todo.delete)


def _counted(todo: "Plan") -> str:
    return f"{len(todo.add)} added, {len(todo.change)} changed, {len(todo.delete)} deleted, {len(todo.keep)} unchanged"


@contextmanager
def _progress() -> Iterator[Callable[[int, int, str], None]]:
    """Show how far a run is, where somebody looks on."""
    if not sys.stderr.isatty():
        yield lambda _step, _steps, _path: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("")
        yield lambda step, steps, path: bar.update(task, completed=step, total=steps, description=path)
