"""The club's settings, `club.toml`: typed, with errors that give the line, the key, the value and what was expected."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from overtrick.config.deliver import Deliver
from overtrick.config.movement import Movement
from overtrick.config.people import Award, People, Series
from overtrick.config.scoring import Datum, Scoring
from overtrick.config.setting import After, Before, setting
from overtrick.config.site import Privacy, Site
from overtrick.config.table import ConfigError, Table
from overtrick.config.tables import Tables
from overtrick.problems import CODES, match_codes
from overtrick.problems.code import Severity

__all__ = ["Checks", "Club", "Config", "ConfigError", "Datum", "Movement", "Publishing", "Scoring", "load_config"]

if TYPE_CHECKING:
    from overtrick.config.file import SettingsFile

_PASSWORD: Final = re.compile(r"//[^/@:\s]*:[^/\s]*@")
"""A password in an address."""


class Club(Table):
    """`[club]`: who publishes the results.

    Attributes:
        name: the club's name.
    """

    name: str | None = None


def _known_code(pattern: str) -> str:
    if not match_codes(pattern):
        from overtrick.config.errors import suggest  # noqa: PLC0415 - as in `load_config`

        raise ValueError(f"expected a problem code; {suggest(pattern, list(CODES))}")
    return pattern


def _not_a_loss(pattern: str) -> str:
    if pattern in CODES and CODES[pattern].is_loss:
        raise ValueError("this problem reports lost data and is always an error")
    return pattern


_Code = Annotated[str, After(_known_code)]
_CodeButLoss = Annotated[_Code, After(_not_a_loss)]


class Checks(Table):
    """`[checks]`: which problems overtrick reports, and how severe they are. `auction-*` means several codes.

    Problems that report lost data are always errors, whatever these keys say: otherwise nobody would know what is
    missing.

    Attributes:
        only: report only these codes.
        silence: don't report these codes.
        severity: by code "error", "warning" or "info". With an error, commands end with exit status 1.
    """

    only: list[_Code] | None = None
    silence: list[_CodeButLoss] = setting(factory=list)
    severity: dict[_CodeButLoss, Severity] = setting(factory=dict)


def _no_password(address: str) -> str:
    if _PASSWORD.search(address):
        raise ValueError("expected an address without a password; set OVERTRICK_PASSWORD or use the keyring")
    return address


class Publishing(Table):
    """`[publish]`: where the club's website is.

    Attributes:
        target: a path, or a file:, ftp:, ftps:, sftp: or s3: URL, without a password.
    """

    target: Annotated[str, After(_no_password)] | None = None


class Arriving(Table):
    """`[inbox]`: how `overtrick watch` takes files.

    Attributes:
        settle: a file is complete when it has not changed for this many seconds.
        patience: results wait this many seconds for the file with their deals.
    """

    settle: int | float = setting(default=3, ge=0, le=3600)
    patience: int | float = setting(default=60, ge=0, le=86_400)


def _as_list(movement: object) -> object:
    return [movement] if isinstance(movement, dict) else movement


class Config(Table):
    """All of `club.toml`."""

    club: Club = setting(factory=Club)
    scoring: Scoring = setting(factory=Scoring)
    checks: Checks = setting(factory=Checks)
    publish: Publishing = setting(factory=Publishing)
    deliver: Deliver = setting(factory=Deliver)
    inbox: Arriving = setting(factory=Arriving)
    tables: Tables = setting(factory=Tables)
    site: Site = setting(factory=Site)
    privacy: Privacy = setting(factory=Privacy)
    movement: Annotated[list[Movement], Before(_as_list)] = setting(factory=list)
    people: People = setting(factory=People)
    series: list[Series] = setting(factory=list)
    awards: list[Award] = setting(factory=list)


def load_config(path: Path | None) -> Config:
    """Read `club.toml`. Without a path, return the defaults.

    Raises:
        ConfigError: the file can't be opened, is not TOML, or has an unknown key or a wrong value.
    """
    if path is None:
        return Config()
    # Most runs read no club.toml, and need no tomllib, json and difflib.
    from overtrick.config.file import read_file  # noqa: PLC0415

    return parse_config(read_file(path))


def parse_config(file: "SettingsFile") -> Config:
    """Read the text of a `club.toml`, which need not be written yet.

    Raises:
        ConfigError: as for `load_config`.
    """
    from overtrick.config.errors import explain_errors  # noqa: PLC0415 - as in `load_config`
    from overtrick.config.moved import explain_moved  # noqa: PLC0415

    if message := explain_moved(file):
        raise ConfigError(message)
    from pydantic import ValidationError  # noqa: PLC0415

    try:
        config = Config.model_validate(file.data)
    except ValidationError as error:
        # Without the cause, whose text holds the values: one of them may be a password.
        raise ConfigError(explain_errors(error, Config, file)) from None
    return _find_files(config, file)


def _find_files(config: Config, file: "SettingsFile") -> Config:
    """Find the members, the logo, the templates and the tables of movements: paths are relative to `club.toml`."""
    movements = [_read_movement(file, movement, number) for number, movement in enumerate(config.movement, 1)]
    config = config.model_copy(update={"movement": movements, "people": _find_members(config.people, file.path.parent)})
    found = {}
    for key, kind in (("templates", "folder"), ("logo", "file")):
        stated = getattr(config.site, key)
        if stated is None:
            continue
        path = file.path.parent / stated
        if not (path.is_dir() if kind == "folder" else path.is_file()):
            from overtrick.config.errors import explain_refusal  # noqa: PLC0415 - as in `load_config`

            raise ConfigError(explain_refusal(f"the {kind} {path} does not exist", ("site", key), file))
        found[key] = str(path)
    return config.model_copy(update={"site": config.site.model_copy(update=found)}) if found else config


def _find_members(people: People, folder: Path) -> People:
    """Read the list of members: the one that is named, else the one beside `club.toml`."""
    from overtrick.config.members import MEMBERS_FILE, read_members  # noqa: PLC0415 - as in `load_config`

    path = folder / (people.members or MEMBERS_FILE)
    return people.with_members(read_members(path)) if people.members or path.is_file() else people


def _read_movement(file: "SettingsFile", movement: Movement, number: int) -> Movement:
    from overtrick.config.errors import explain_refusal  # noqa: PLC0415 - as in `load_config`

    keys = ("movement", number, "file") if isinstance(file.data["movement"], list) else ("movement", "file")
    try:
        return movement.read_table(file.path.parent)
    except OSError as error:
        raise ConfigError(explain_refusal(f"{movement.file} can't be read: {error.strerror}", keys, file)) from error
    except ValueError as error:
        raise ConfigError(explain_refusal(f"{movement.file}: {error}", keys, file)) from error
