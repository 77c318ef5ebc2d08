"""A new club: what `overtrick init` and the first screen of the desk ask, and the files that the answers become."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from overtrick.core.atomic_write import replace_file
from overtrick.core.config import Config, ConfigError, parse_config
from overtrick.core.config.corrections import CorrectionsFile
from overtrick.core.config.file import SettingsFile
from overtrick.core.machine import resource
from overtrick.files.correct.entry import SCHEMA

QUESTIONS: Final = {
    "name": ("The club's name", "", "Our Bridge Club"),
    "logo": ("Its logo, an SVG, PNG or JPEG file beside club.toml", "; Enter for none", ""),
    "colour": ("Its colour, such as #14532d", "; Enter for ours", ""),
    "names": ("How to name players", ": full, initials, number or hidden", "full"),
    "hide": ("Who must not be named, with commas between them", "; Enter for nobody", ""),
    "target": ("Where results go: a folder or an sftp: address", "; Enter to decide later", ""),
}
"""By key: the question, what a terminal adds to it, and the answer where nobody gives one."""

_SCHEMA: Final = ".overtrick/club.schema.json"


def set_up(settings: Path, answers: Mapping[str, str], *, example: bool) -> None:
    """Write the files of a new club: its settings, the schemas for editors, and a made-up evening on request.

    Args:
        settings: where its `club.toml` will be.
        answers: by the keys of `QUESTIONS`.
        example: whether to add an evening to play with.

    Raises:
        OSError: a file can't be written.
    """
    club = settings.parent
    (club / _SCHEMA).parent.mkdir(parents=True, exist_ok=True)
    for schema, model in ((_SCHEMA, Config), (SCHEMA, CorrectionsFile)):
        replace_file(club / schema, json.dumps(model.model_json_schema(), indent=1).encode())
    replace_file(settings, _write(answers).encode(), durable=True)
    if example:
        made_up = resource("templates", "exchange", "made-up-evening.csv").read_bytes()
        replace_file(club / "made-up-evening.csv", made_up, durable=True)


def find_wrong(settings: Path, answers: Mapping[str, str]) -> str:
    """Return what is wrong with the settings that some answers make; empty if nothing is."""
    try:
        parse_config(SettingsFile(settings, _write(answers)))
    except ConfigError as error:
        # The place is one in a file that is not written yet.
        return str(error).partition(": ")[2].splitlines()[0]
    return ""


def _write(answers: Mapping[str, str]) -> str:
    """Return the settings with comments; what has no answer is a comment that shows how to say it."""
    hidden = [name.strip() for name in answers["hide"].split(",") if name.strip()]
    lines = [
        f"#:schema {_SCHEMA}",
        "# The club's settings. docs/settings.md lists all keys; `overtrick config check club.toml` checks them.",
        "",
        "[club]",
        f"name = {_quoted(answers['name'])}",
        "",
        "[site]",
        _line("logo", answers["logo"], "logo.svg", "a file beside this one"),
        _line("accent", answers["colour"], "#14532d", "the colour of headings and links"),
        '# documents = ["bulletin", "hand-records", "scorecards"]    # the PDFs to make',
        "",
        "[privacy]",
        f'names = {_quoted(answers["names"])}    # or "full", "initials", "number", "hidden"',
        "",
        "[privacy.players]    # who wishes to be named otherwise",
        *(f'{_quoted(name)} = "hidden"' for name in hidden),
        *([] if hidden else ['# "Ann Example" = "hidden"']),
        "",
        "[publish]",
        _line("target", answers["target"], "sftp://club@example.org/results", "no password here"),
    ]
    return "\n".join(lines) + "\n"


def _line(key: str, value: str, shown: str, about: str) -> str:
    return f"{key} = {_quoted(value)}" if value else f"# {key} = {_quoted(shown)}    # {about}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
