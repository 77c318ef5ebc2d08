"""The routes of the desk: which screen answers which address."""

from collections.abc import Awaitable, Callable, Iterator

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from overtrick.apps.desk.desk import Desk
from overtrick.apps.desk.screens import (
    arriving,
    grid,
    history,
    live,
    overview,
    publishing,
    ranking,
    rulings,
    settings,
    sheets,
    traveller,
)
from overtrick.apps.desk.visit import Handler, Visit, answer
from overtrick.core.machine import resource

_ASSETS = {"desk.css": (("html", "tokens.css"), ("desk", "desk.css")), "desk.js": (("desk", "desk.js"),)}

SCREENS: tuple[tuple[str, str, Handler], ...] = (
    ("/", "GET", arriving.show),
    ("/arrive", "POST", arriving.take),
    ("/club", "POST", arriving.begin),
    ("/window", "POST", live.hear),
    ("/window/take", "POST", live.take),
    ("/window/leave", "POST", live.leave),
    ("/settings", "GET", settings.show),
    ("/settings", "POST", settings.save),
    ("/settings/text", "GET", settings.show_text),
    ("/settings/text", "POST", settings.save_text),
    ("/type", "GET", sheets.choose),
    ("/type", "POST", sheets.begin),
    ("/live", "GET", live.screen),
    ("/evening/{name}/", "GET", overview.show),
    ("/evening/{name}/problems", "GET", overview.show_problems),
    ("/evening/{name}/problems", "POST", overview.put_aside),
    ("/evening/{name}/grid", "GET", grid.show),
    ("/evening/{name}/cell", "GET", grid.show_cell),
    ("/evening/{name}/cell", "POST", grid.save_cell),
    ("/evening/{name}/effect", "POST", grid.effect),
    ("/evening/{name}/column", "POST", grid.paste),
    ("/evening/{name}/rulings", "GET", rulings.show),
    ("/evening/{name}/entry", "POST", rulings.enter),
    ("/evening/{name}/people", "GET", overview.show_people),
    ("/evening/{name}/ranking", "GET", ranking.show),
    ("/evening/{name}/documents", "POST", ranking.documents),
    ("/evening/{name}/pages/{path:path}", "GET", ranking.page),
    ("/evening/{name}/publish", "GET", publishing.show),
    ("/evening/{name}/publish", "POST", publishing.publish),
    ("/evening/{name}/deliver", "POST", publishing.send),
    ("/evening/{name}/unpublish", "POST", publishing.undo),
    ("/evening/{name}/history", "GET", history.show),
    ("/evening/{name}/undo", "POST", history.undo),
    ("/evening/{name}/take-back", "POST", history.take_back),
    ("/evening/{name}/put-again", "POST", history.put_again),
    ("/evening/{name}/traveller", "GET", traveller.show),
    ("/evening/{name}/traveller", "POST", traveller.save),
    ("/evening/{name}/live", "GET", live.show),
    ("/evening/{name}/live", "POST", live.follow),
)
"""The address, the method and the function of every screen."""


def make_app(desk: Desk) -> Starlette:
    """Return the application that shows the desk."""
    routes = [Route(path, answer(desk, screen), methods=[method]) for path, method, screen in SCREENS]
    return Starlette(routes=[*_assets(desk), *routes], exception_handlers={404: _away(desk)})


def make_wall(desk: Desk) -> Starlette:
    """Return the application for the local network: the ranking on a large screen, and nothing else."""
    return Starlette(routes=[*_assets(desk), Route("/live", answer(desk, live.screen), methods=["GET"])])


def _assets(desk: Desk) -> Iterator[Route]:
    for name, parts in _ASSETS.items():
        content = b"".join(resource("templates", *part).read_bytes() for part in parts)
        kind = "text/css" if name.endswith(".css") else "text/javascript"

        def show(_: Visit, content: bytes = content, kind: str = kind) -> Response:
            return Response(content, media_type=kind)

        yield Route(f"/{name}", answer(desk, show), methods=["GET"])


def _away(desk: Desk) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Return what answers an address without a screen."""
    shown = answer(desk, lambda visit: visit.render("refused.html", status=404, message="This page does not exist."))

    async def away(request: Request, _: Exception) -> Response:
        return await shown(request)

    return away
