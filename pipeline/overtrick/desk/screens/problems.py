"""Problems: by cause, the most costly first, each with its place and a button that mends it."""

from starlette.responses import Response

from overtrick.desk.visit import Visit
from overtrick.evening.causes import list_causes


def show(visit: Visit) -> Response:
    """Show the problems of an evening."""
    shelved = visit.shelved
    evening = visit.desk.evening(shelved)
    return visit.render(
        "problems.html",
        shelved=shelved,
        screen="problems",
        causes=list_causes(evening.session),
        seen=evening.digest,
    )
