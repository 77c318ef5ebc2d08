"""`overtrick people`: who may be the same person, over all evenings of a club."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer
from typer import Argument, Option

from overtrick.apps.cli.options import ConfigFile, find_config, must_exist, option
from overtrick.apps.cli.output import command_line, complain, count_items, emit, say, show_work, write_file, wrong_usage

if TYPE_CHECKING:
    from overtrick.core.config import Config
    from overtrick.judge.people.identity import Doubt
    from overtrick.judge.people.proposals import Proposal

_DOUBTS = {
    "number taken": "{name} has the number {number}, which is that of {members} in members.csv",
    "same name": "{name} may be each of these members: {members}; give them numbers in the files",
    "two numbers": "{name} has the number {number} and others, none of which is that of the member {members}",
}


def people(
    club: Annotated[
        Path,
        Argument(
            metavar="CLUB", callback=must_exist, help="The club's folder, with club.toml, members.csv and its evenings."
        ),
    ],
    config: ConfigFile = None,
    merge: Annotated[
        tuple[str, str] | None, option("--merge", "NAME SPELLING", "Add a spelling to a member, and so merge the two.")
    ] = None,
    apart: Annotated[
        tuple[str, str] | None, option("--apart", "NAME NAME", "List both as members: they are two people.")
    ] = None,
    form: Annotated[Literal["text", "json"], Option("--format", help="How to list the near misses.")] = "text",
) -> None:
    """List names that may be one person, and merge them.

    People are the same by membership number, else by name or alias in members.csv; case and accents don't matter.
    Nobody is merged by guess: each near miss comes with the evidence and the command that merges it.
    """
    if club.is_file() and club.suffix != ".toml":
        wrong_usage(f"{club}: name the club's folder, or its club.toml")
    folder = club if club.is_dir() else club.parent
    found = find_config(config or (club if club.is_file() else None), [folder])
    settings = _read_settings(found, folder)
    if merge or apart:
        _write(settings, found, folder, merge, apart)
    _list(club, folder, settings, form)


def _read_settings(path: Path | None, folder: Path) -> "Config":
    """Read the settings; without `club.toml`, only the list of members in the club's folder."""
    from overtrick.core.config import ConfigError, load_config
    from overtrick.core.config.members import MEMBERS_FILE, read_members

    try:
        settings = load_config(path)
        if path is None and (folder / MEMBERS_FILE).is_file():
            named = settings.people.with_members(read_members(folder / MEMBERS_FILE))
            settings = settings.model_copy(update={"people": named})
    except ConfigError as error:
        wrong_usage(str(error))
    return settings


def _write(
    settings: "Config", found: Path | None, folder: Path, merge: tuple[str, str] | None, apart: tuple[str, str] | None
) -> NoReturn:
    """Write `members.csv`, and end."""
    from overtrick.apps.evening.club import add_alias, add_members
    from overtrick.core.config import ConfigError
    from overtrick.core.config.members import MEMBERS_FILE

    home = found.parent if found and found.is_file() else folder
    path = home / (settings.people.members or MEMBERS_FILE)
    try:
        text = add_alias(path, *merge) if merge else add_members(path, apart or ())
    except ConfigError as error:
        wrong_usage(str(error))
    write_file(path, text.encode())
    if merge:
        say(f"{path}: {merge[1]} is a spelling of {merge[0]}")
    else:
        say(f"{path}: {' and '.join(apart or ())} are two members")
    raise typer.Exit


def _list(club: Path, folder: Path, settings: "Config", form: str) -> None:
    from overtrick.apps.evening.club import list_evening_files, read_evenings
    from overtrick.judge.people.identity import Wishes, identify
    from overtrick.judge.people.proposals import propose
    from overtrick.show.text.display import format_count

    try:
        with show_work("Listing files") as line:
            files = count_items(list_evening_files(folder), line("Reading evenings"), lambda file: file.name)
            pairs = list(read_evenings(files, complain))
    except OSError as error:
        wrong_usage(f"{error.filename}: can't be read: {error.strerror}")
    mentions = [(evening, mention) for evening, pair in pairs for mention in pair]
    if not mentions:
        wrong_usage(f"{folder}: no evening names any player")
    known = identify(mentions, settings.people.register)
    keys = [(evening, [known.keys.get(mention) for mention in pair]) for evening, pair in pairs]
    seats = [seat for evening, people in keys for seat in _list_seats(evening, people)]
    proposals = propose(known, seats)
    unused = Wishes(settings.privacy, settings.people.register).list_unused(mention for _, mention in mentions)
    if form == "json":
        emit(_write_json(proposals, known.doubts, unused))
        return
    emit("".join(_describe(club, proposal) for proposal in proposals))
    wrong = [f"[privacy.players] {name}: nobody has this name or number; correct it, or remove it" for name in unused]
    for message in (*map(_explain, known.doubts), *wrong):
        complain(message)
    evenings, played = len({evening for evening, _ in mentions}), len({key for _, key, _ in seats})
    people, dates = format_count(played, "person", "people"), format_count(evenings, "evening", "evenings")
    say(f"{people} on {dates}; {len(proposals)} may be somebody else's spelling")


def _list_seats(evening: str, pair: Sequence[str | None]) -> list[tuple[str, str, str]]:
    """Return evening, person and partner for each player of a pair who is known; no partner is an empty text."""
    partners = pair[::-1] if len(pair) == 2 else [None] * len(pair)
    return [(evening, key, partner or "") for key, partner in zip(pair, partners, strict=True) if key]


def _describe(club: Path, near: "Proposal") -> str:
    merge = command_line("people", club, "--merge", near.name, near.other)
    return f"{near.other} = {near.name}?  {near.score:.0%} ({near.kind}; {near.evidence})\n    {merge}\n"


def _explain(doubt: "Doubt") -> str:
    values = {"name": doubt.name or "?", "number": doubt.number, "members": ", ".join(doubt.members)}
    more = f" and {len(doubt.evenings) - 3} more" if len(doubt.evenings) > 3 else ""
    return f"{_DOUBTS[doubt.kind].format(**values)} ({', '.join(doubt.evenings[:3])}{more})"


def _write_json(proposals: "list[Proposal]", doubts: "tuple[Doubt, ...]", unused: list[str]) -> str:
    listed = {
        "proposals": [vars(near) for near in proposals],
        "doubts": [{**vars(near), "members": list(near.members), "evenings": list(near.evenings)} for near in doubts],
        "unused": unused,
    }
    return json.dumps(listed, ensure_ascii=False, indent=1) + "\n"
