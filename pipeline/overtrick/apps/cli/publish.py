"""`overtrick publish`: a folder to the club's website."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from overtrick.apps.cli.options import ConfigFile, must_exist, read_config
from overtrick.apps.cli.output import complain, emit, publish_failed, say, show_work, wrong_usage

if TYPE_CHECKING:
    from overtrick.show.publish.address import Address
    from overtrick.show.publish.run import Plan


def publish(
    folder: Annotated[
        Path, Argument(metavar="DIR", callback=must_exist, help="The folder to publish, made by `overtrick bulletin`.")
    ],
    target: Annotated[
        str | None,
        Argument(
            metavar="TARGET",
            help="A path, or a file:, ftp:, ftps:, sftp: or s3: URL. Default: the target in the club's settings.",
        ),
    ] = None,
    dry_run: Annotated[
        bool, Option("--dry-run", help="List the files to add, change and delete, and change nothing.")
    ] = False,
    yes: Annotated[
        bool,
        Option("--yes", help="Agree to delete more than ten files, overwrite files of others, or publish any folder."),
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Publish a folder to the club's website.

    Sends new and changed files, and deletes files of earlier runs that the folder no longer has. Readers never see half
    a page or a broken link. After an interruption, run it again to resume.

    Passwords come from OVERTRICK_PASSWORD or the keyring.
    """
    settings = read_config(config, [folder])
    address = read_address(target or settings.publish.target)
    if not folder.is_dir():
        wrong_usage(f"{folder}: not a folder")
    if address.scheme == "file" and folder.resolve() in Path(address.path).expanduser().resolve().parents:
        wrong_usage(f"{address}: inside the folder to publish; choose a target outside it")
    from overtrick.show.publish.address import PublishError
    from overtrick.show.publish.bulletin import check_made
    from overtrick.show.publish.gate import check_folder
    from overtrick.show.publish.run import plan
    from overtrick.show.publish.run import publish as publish_folder
    from overtrick.show.publish.targets import open_target

    try:
        if not (yes or dry_run):
            check_made(folder)
        check_folder(folder, settings)
        with show_work("Comparing with the website") as line, closing(open_target(address)) as place:
            if dry_run:
                todo = plan(folder, place)
                emit("".join(f"{step}\n" for step in _list_steps(todo)))
                counts = f"{len(todo.add)} to add, {len(todo.change)} to change, {len(todo.delete)} to delete"
            else:
                todo = publish_folder(folder, place, consent=yes, on_step=line("Publishing") or _ignore)
                counts = f"{len(todo.add)} added, {len(todo.change)} changed, {len(todo.delete)} deleted"
    except PublishError as error:
        publish_failed(str(error))
    say(f"{address}: {counts}, {len(todo.keep)} unchanged")


def read_address(text: str | None) -> "Address":
    """Return the address of a target. If there is none or it has an error, say so and end with status 2."""
    from overtrick.show.publish.address import AddressError, parse_address

    if text is None:
        wrong_usage("missing target; name it after the folder, or set target in the table [publish] of club.toml")
    try:
        address = parse_address(text)
    except AddressError as error:
        wrong_usage(str(error))
    if address.scheme == "ftp":
        complain(
            "overtrick: ftp: sends your password so that others on the network can read it; use ftps: or sftp: if your"
            " provider offers them"
        )
    return address


def _ignore(_step: int, _steps: int, _path: str) -> None:
    """Show nothing of a step."""


def _list_steps(todo: "Plan") -> Iterator[str]:
    yield from (f"add     {path}" for path in todo.add)
    foreign = set(todo.foreign)
    yield from (f"change  {path}{' (not from overtrick)' if path in foreign else ''}" for path in todo.change)
    yield from (f"delete  {path}" for path in todo.delete)
