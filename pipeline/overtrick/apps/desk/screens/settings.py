"""Settings: `club.toml` as a form with the words and checks of the file, and as text."""

from collections.abc import Mapping
from typing import Final

from starlette.responses import Response

from overtrick.apps.desk.visit import Visit
from overtrick.apps.evening.edit import read_bytes
from overtrick.core.atomic_write import replace_file
from overtrick.core.config import ConfigError, parse_config
from overtrick.core.config.edit import list_fields, set_values
from overtrick.core.config.file import SettingsFile

_HEADINGS: Final = {
    "club": "Your club",
    "site": "Website and look",
    "privacy": "Who may be named",
    "people": "Members, strata and series",
    "scoring": "Scoring and ties",
    "publish": "Where the website is",
    "deliver": "Other places",
    "checks": "Which problems to report",
    "tables": "Columns of your tables",
    "dialect": "Words of your club",
    "inbox": "Folder that is watched",
}
"""By table what a scorer looks for, in the order of the form; other tables come after them."""

LABELS: Final = {
    "club.name": "The club's name",
    "site.language": "Language of the pages",
    "site.logo": "Logo",
    "site.accent": "Colour",
    "site.address": "Address of the website",
    "site.contact": "Where readers report an error",
    "site.footer": "Line at the foot of each page",
    "site.provisional": "How long results are provisional",
    "site.analyse": "Show where the points went",
    "site.documents": "PDFs to make",
    "site.paper": "Paper",
    "privacy.names": "How to name players",
    "privacy.players": "Players who are named otherwise",
    "people.members": "List of members",
    "people.strata": "Strata",
    "scoring.method": "Scoring method",
    "scoring.winners": "Number of rankings",
    "scoring.field": "Results that are compared",
    "scoring.matchpoint_unit": "Matchpoints for a pair beaten",
    "scoring.sit_outs": "Total of a pair that played fewer boards",
    "scoring.average_plus": "Average plus and minus",
    "scoring.datum": "Datum of Butler",
    "scoring.vp_scale": "Scale of victory points",
    "scoring.tie_breaks": "Rules for ties",
    "publish.target": "Folder or address of the website",
    "deliver.sender": "The club's e-mail address",
    "deliver.server": "Server that sends e-mail",
    "deliver.scorer": "Name of the scorer",
}
"""By key what a scorer calls it; keys without such words are for experts, and come after them."""


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
    order = {name: place for place, name in enumerate(_HEADINGS)}
    tables = sorted(list_fields(data), key=lambda table: order.get(table[0], len(order)))
    files = sorted(path.name for path in visit.desk.settings_path.parent.iterdir() if path.name.isprintable())
    about = {"headings": _HEADINGS, "labels": LABELS, "files": files, "typed": typed, "wrong": wrong}
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
