"""Problems: by cause, the most costly first, each with its place and a button that mends it."""

from starlette.responses import Response

from overtrick.apps.desk.visit import Visit, address
from overtrick.apps.evening.causes import list_causes, part_aside
from overtrick.apps.evening.shelf import read_aside, set_aside


def show(visit: Visit) -> Response:
    """Show the problems of an evening, and apart from them those that were set aside."""
    evening = visit.evening
    causes, aside = part_aside(list_causes(evening.session), read_aside(visit.desk.folder, visit.shelved))
    return visit.show("problems", evening, causes=causes, aside=aside)


def put(visit: Visit) -> Response:
    """Set a problem aside, or bring it back."""
    shelved = visit.shelved
    with visit.desk.lock:
        set_aside(visit.desk.folder, shelved, visit.text("problem")[:64], aside=visit.text("do") != "back")
    return visit.go(address(shelved.name, "problems"))
