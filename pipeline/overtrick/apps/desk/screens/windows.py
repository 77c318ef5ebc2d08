"""Which window may write: the first that is open; all others are for reading only."""

from starlette.responses import JSONResponse, Response

from overtrick.apps.desk.visit import Visit

_LONGEST = 64


def hear(visit: Visit) -> Response:
    """Note that a window is open."""
    return JSONResponse({"writes": visit.desk.hear(_window(visit))})


def take(visit: Visit) -> Response:
    """Let a window write in the place of another one."""
    return JSONResponse({"writes": visit.desk.hear(_window(visit), take=True)})


def leave(visit: Visit) -> Response:
    """Note that a window was closed."""
    visit.desk.leave(_window(visit))
    return Response(status_code=204)


def _window(visit: Visit) -> str:
    # The field is not called `window` here: a window for reading only must be able to say that it is open.
    return visit.text("id")[:_LONGEST]
