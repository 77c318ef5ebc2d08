"""History: every entry of the corrections file in its order, and undo."""

from starlette.responses import Response

from overtrick.apps.desk.screens.grid import show_changed
from overtrick.apps.desk.visit import Visit, address
from overtrick.apps.evening.edit import ChangedError, NothingToUndoError


def show(visit: Visit) -> Response:
    """Show the entries."""
    evening = visit.evening
    entries, content = evening.session.corrections.to_dicts(), evening.content.decode("utf-8", "replace")
    return visit.show("history", evening, entries=entries, file=evening.target.name, content=content)


def undo(visit: Visit) -> Response:
    """Take the last entry back."""
    shelved = visit.shelved
    with visit.desk.lock:
        evening = visit.desk.evening(shelved)
        if visit.text("seen") and visit.text("seen") != evening.digest:
            return show_changed(visit, evening)
        try:
            edited = evening.take_back()
            visit.desk.save(shelved, evening, edited)
        except NothingToUndoError:
            return visit.go(address(shelved.name, "history"), visit.translate("There is nothing to undo."))
        except ChangedError:
            return show_changed(visit, visit.desk.evening(shelved))
    what = str(edited.entry["what"]) if edited.entry else ""
    return visit.go(address(shelved.name, "history"), visit.translate("Taken back: %(what)s", what=what))
