"""Reading `club.toml`, with errors that give the line, the key, the value and what was expected."""

from pathlib import Path

from pydantic import ValidationError

from overtrick.core.config import Config, ConfigError
from overtrick.core.config.errors import explain_errors, explain_refusal
from overtrick.core.config.file import SettingsFile, read_file
from overtrick.core.config.members import MEMBERS_FILE, read_members
from overtrick.core.config.movement import Movement
from overtrick.core.config.people import People
from overtrick.core.config.scoring import OF_ONE_EVENING


def load_config(path: Path | None) -> Config:
    """Read `club.toml`. Without a path, return the defaults.

    Raises:
        ConfigError: the file can't be opened, is not TOML, or has an unknown key or a wrong value.
    """
    if path is None:
        return Config()
    return parse_config(read_file(path))


def parse_config(file: SettingsFile) -> Config:
    """Read the text of a `club.toml`, which need not be written yet.

    Raises:
        ConfigError: as for `load_config`.
    """
    scoring = file.data.get("scoring")
    for key in OF_ONE_EVENING:
        if isinstance(scoring, dict) and key in scoring:
            reason = "club.toml is for all evenings; write it in the evening's corrections file (docs/corrections.md)"
            raise ConfigError(explain_refusal(reason, ("scoring", key), file))
    try:
        config = Config.model_validate(file.data)
    except ValidationError as error:
        # Without the cause, whose text holds the values: one of them may be a password.
        raise ConfigError(explain_errors(error, Config, file)) from None
    return _find_files(config, file)


def _find_files(config: Config, file: SettingsFile) -> Config:
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
            raise ConfigError(explain_refusal(f"the {kind} {path} does not exist", ("site", key), file))
        found[key] = str(path)
    return config.model_copy(update={"site": config.site.model_copy(update=found)}) if found else config


def _find_members(people: People, folder: Path) -> People:
    """Read the list of members: the one that is named, else the one beside `club.toml`."""
    path = folder / (people.members or MEMBERS_FILE)
    return people.with_members(read_members(path)) if people.members or path.is_file() else people


def _read_movement(file: SettingsFile, movement: Movement, number: int) -> Movement:
    keys = ("movement", number, "file") if isinstance(file.data["movement"], list) else ("movement", "file")
    try:
        return movement.read_table(file.path.parent)
    except OSError as error:
        raise ConfigError(explain_refusal(f"{movement.file} can't be read: {error.strerror}", keys, file)) from error
    except ValueError as error:
        raise ConfigError(explain_refusal(f"{movement.file}: {error}", keys, file)) from error
