"""Settings: `club.toml` as a form with the words and checks of the file, and as text."""

from collections.abc import Mapping

from starlette.responses import Response

from overtrick.apps.desk.visit import Visit
from overtrick.apps.evening.edit import read_bytes
from overtrick.core.atomic_write import replace_file
from overtrick.core.config import ConfigError, parse_config
from overtrick.core.config.edit import list_fields, set_values
from overtrick.core.config.file import SettingsFile


def show(visit: Visit) -> Response:
    """Show the form."""
    return _form(visit, {})


def _form(visit: Visit, typed: Mapping[tuple[str, str], str], wrong: str = "") -> Response:
    settings = visit.desk.settings()
    try:
        data = SettingsFile(visit.desk.settings_path, settings.content.decode("utf-8-sig")).data
    except (ConfigError, UnicodeDecodeError):
        # What is no TOML can't be a form.
        return _text(visit, settings.content.decode("utf-8", "replace"), settings.error)
    status = 422 if wrong else 200
    tables = {name: (about, {field.place: field for field in fields}) for name, about, fields in list_fields(data)}
    files = sorted(path.name for path in visit.desk.settings_path.parent.iterdir() if path.name.isprintable())
    about = {"files": files, "typed": typed, "wrong": wrong}
    return visit.render("settings.html", status=status, screen="form", tables=tables, seen=settings.digest, **about)


def save(visit: Visit) -> Response:
    """Write the values of the form into the file, if all of them are right."""
    given = {
        (table, key): value.strip().replace("\r\n", "\n")
        for name, value in visit.form.multi_items()
        if isinstance(value, str)
        for table, dot, key in [name.partition(".")]
        if dot
    }
    wrong = write_settings(visit, given)
    return _form(visit, given, wrong) if wrong else visit.go("/settings", visit.translate("Saved."))


def write_settings(visit: Visit, given: Mapping[tuple[str, str], str]) -> str:
    """Write values into the settings, and return what is wrong with them; nothing is written then."""
    settings = visit.desk.settings()
    try:
        text = set_values(settings.content.decode("utf-8-sig"), given)
    except (ConfigError, UnicodeDecodeError) as error:
        return str(error)
    return _write(visit, text)


def _write(visit: Visit, text: str) -> str:
    """Write the settings if they are right and the file is still what was read; return what is wrong otherwise."""
    desk = visit.desk
    with desk.lock:
        settings = desk.settings()
        seen = visit.text("seen_settings")
        if (seen and seen != settings.digest) or read_bytes(desk.settings_path) != settings.content:
            return visit.translate("The settings were changed elsewhere; this page shows them as they are now.")
        try:
            parse_config(SettingsFile(desk.settings_path, text))
        except ConfigError as error:
            return str(error)
        try:
            replace_file(desk.settings_path, text.encode(), durable=True)
        except OSError as error:
            return f"{desk.settings_path}: {error.strerror}"
    return ""


def show_text(visit: Visit) -> Response:
    """Show the file as text."""
    settings = visit.desk.settings()
    return _text(visit, settings.content.decode("utf-8-sig", "replace"), settings.error)


def _text(visit: Visit, text: str, wrong: str = "") -> Response:
    status = 422 if wrong else 200
    digest = visit.desk.settings().digest
    name = visit.desk.settings_path.name
    return visit.render(
        "settings_text.html", status=status, text=text, wrong=wrong, seen=digest, name=name, screen="text"
    )


def save_text(visit: Visit) -> Response:
    """Write the text, if it is right."""
    text = str(visit.form.get("text", "")).replace("\r\n", "\n")
    wrong = _write(visit, text)
    return _text(visit, text, wrong) if wrong else visit.go("/settings/text", visit.translate("Saved."))
