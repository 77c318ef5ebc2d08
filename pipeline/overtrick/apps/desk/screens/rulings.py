"""Rulings and every other correction: a form for each kind, and what it does before it is saved."""

from starlette.responses import Response

from overtrick.apps.desk.screens.entering import describe
from overtrick.apps.desk.screens.grid import show_changed
from overtrick.apps.desk.screens.overview import show_people
from overtrick.apps.desk.visit import Visit, address, hidden_fields, read_form
from overtrick.apps.evening.edit import ChangedError
from overtrick.apps.evening.people import list_pairs
from overtrick.core.bridge.methods import METHODS
from overtrick.files.correct.entry import EntryError
from overtrick.show.history.changes import list_changes


def show(visit: Visit, refused: str = "") -> Response:
    """Show the forms, and the rulings so far; a form that was refused as it was filled in, with the reason."""
    evening = visit.evening
    session = evening.session
    return visit.show(
        "rulings",
        evening,
        status=422 if refused else 200,
        refused=refused,
        pairs=list_pairs(session),
        boards=sorted(session.results["board"].drop_nulls().unique()),
        changes=[change for change in list_changes(session.corrections) if change.is_ruling],
        methods=[method.name for method in METHODS.values()],
    )


def enter(visit: Visit) -> Response:
    """Save an entry, or show first what it would change."""
    shelved = visit.shelved
    back = visit.text("back")
    with visit.desk.lock:
        evening = visit.desk.evening(shelved)
        if visit.text("seen") != evening.digest:
            return show_changed(visit, evening)
        show_again = show_people if back == "people" else show
        try:
            entry = read_form(visit)
            edited = evening.put(entry)
        except EntryError as error:
            return show_again(visit, visit.say(str(error)))
        if not edited.errors.is_empty():
            return show_again(visit, " ".join(visit.list_errors(edited)))
        if visit.text("do") != "save":
            fields = hidden_fields(visit)
            return visit.show(
                "entry", evening, tab="rulings", back=back, edited=edited, fields=fields, law=entry.law or ""
            )
        try:
            visit.desk.save(shelved, evening, edited)
        except ChangedError:
            return show_changed(visit, visit.desk.evening(shelved))
    screen = back if back in {"rulings", "people", "problems", "grid", "history"} else "rulings"
    return visit.go(address(shelved.name, screen), describe(visit, edited))
