"""People: the names of an evening, those that may be misspelt, substitutes."""

from collections.abc import Iterator

from starlette.responses import Response

from overtrick.apps.desk.visit import Visit
from overtrick.apps.evening.people import list_near, list_pairs, list_players
from overtrick.apps.evening.shelf import Shelved, list_shelf


def show(visit: Visit) -> Response:
    """Show who played, with a form to mend each name."""
    evening = visit.evening
    pairs, players = list_pairs(evening.session), list_players(evening.session)
    near = list_near(evening.session, _known(visit, visit.shelved))
    return visit.show("people", evening, pairs=pairs, players=players, near=near)


def _known(visit: Visit, shelved: Shelved) -> Iterator[tuple[str, list[str]]]:
    """Yield the club's members, and the players of the other evenings that were read."""
    yield "members.csv", [name for member in visit.desk.settings().config.people.register for name in member.names]
    for other in list_shelf(visit.desk.folder):
        if other.name != shelved.name and visit.desk.is_read(other):
            yield other.name, list_players(visit.desk.evening(other).session)
