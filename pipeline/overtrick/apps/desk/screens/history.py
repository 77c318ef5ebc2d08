"""History: every entry of the corrections file in its order; any of them is taken back, and counts again."""

from collections.abc import Callable
from typing import Final

from starlette.responses import Response

from overtrick.apps.desk.screens.grid import show_changed
from overtrick.apps.desk.visit import Visit, address
from overtrick.apps.evening.edit import ChangedError, Edited, Evening, NothingToUndoError
from overtrick.core.notation import is_number
from overtrick.files.assemble.beside import show_path

_LONGEST: Final = 6
"""Digits of the number of an entry."""


def show(visit: Visit) -> Response:
    """Show the entries, those of the evening's own file with their numbers."""
    evening = visit.evening
    target, numbers = show_path(evening.target), evening.number_entries()
    entries = [
        {**entry, "number": numbers.get(entry["line"]) if entry["source"] == target else None}
        for entry in evening.session.corrections.to_dicts()
    ]
    content = evening.content.decode("utf-8", "replace")
    return visit.show("history", evening, entries=entries, file=evening.target.name, content=content)


def undo(visit: Visit) -> Response:
    """Remove the last entry."""
    return _change(visit, lambda evening: evening.take_back(), "Taken back: %(what)s")


def take_back(visit: Visit) -> Response:
    """Take an entry back; it stays on record."""
    return _change(visit, lambda evening: evening.set_aside(_number(visit)), "Taken back: %(what)s")


def put_again(visit: Visit) -> Response:
    """Let an entry that was taken back count again."""
    return _change(visit, lambda evening: evening.put_again(_number(visit)), "Counts again: %(what)s")


def _number(visit: Visit) -> int:
    text = visit.text("number")
    if not is_number(text) or len(text) > _LONGEST or not int(text):
        raise NothingToUndoError
    return int(text)


def _change(visit: Visit, edit: Callable[[Evening], Edited], said: str) -> Response:
    """Save a change of the corrections file, and show what was changed."""
    shelved = visit.shelved
    with visit.desk.lock:
        evening = visit.desk.evening(shelved)
        if visit.text("seen") and visit.text("seen") != evening.digest:
            return show_changed(visit, evening)
        try:
            edited = edit(evening)
            visit.desk.save(shelved, evening, edited)
        except NothingToUndoError:
            return visit.go(address(shelved.name, "history"), visit.translate("There is nothing to undo."))
        except ChangedError:
            return show_changed(visit, visit.desk.evening(shelved))
    what = str(edited.entry["what"]) if edited.entry else ""
    return visit.go(address(shelved.name, "history"), visit.translate(said, what=what))
