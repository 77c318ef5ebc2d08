"""A live evening: the running game is followed, who is late is named, and the ranking is shown to the room."""

import time
from datetime import datetime
from pathlib import Path

import polars as pl
from starlette.responses import JSONResponse, Response

from overtrick.apps.desk.desk import Desk
from overtrick.apps.desk.screens import publishing
from overtrick.apps.desk.screens.overview import rankings
from overtrick.apps.desk.visit import Visit, address
from overtrick.apps.evening.edit import RefusedError
from overtrick.apps.evening.live import (
    WRONG_WAY,
    Follower,
    followed_source,
    list_sitting_out,
    list_tables,
    remember_source,
)
from overtrick.apps.evening.shelf import Shelved, list_shelf
from overtrick.apps.evening.terminals.document import find_documents, list_calls
from overtrick.core.frames import Session
from overtrick.core.notation import is_number
from overtrick.judge.privacy import apply_privacy
from overtrick.judge.validate.movement_given import MISSING, count_results

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


_MINUTE = 60.0


def show(visit: Visit) -> Response:
    """Show who is late, what went wrong while the players are still there, and what is followed."""
    shelved, evening = visit.shelved, visit.evening
    session = evening.session
    follower = visit.desk.followed.get(shelved.name)
    sent = list(find_documents(visit.desk.folder, shelved))
    return visit.show(
        "live",
        evening,
        tables=list_tables(session),
        wrong=_wrong(session),
        results=session.results.height,
        follower=follower,
        calls=[call for document in sent for call in list_calls(document) if call.is_open],
        on_terminals=bool(sent),
        is_over=follower.is_over if follower else not sent and not count_results(session)[1],
        goes_on=bool(sent or (follower and not follower.is_over)),
        minutes=visit.desk.publish_every.get(shelved.name, 0),
        heard=f"{datetime.fromtimestamp(follower.heard).astimezone():%H:%M:%S}" if follower and follower.heard else "",
    )


def _wrong(session: Session) -> list[dict[str, object]]:
    here = pl.any_horizontal(pl.col("code").str.starts_with(start) for start in WRONG_WAY)
    return session.problems.filter(here, ~pl.col("code").is_in(MISSING)).to_dicts()


def follow(visit: Visit) -> Response:
    """Follow a database of scoring terminals, or no longer."""
    shelved = visit.shelved
    desk = visit.desk
    here = address(shelved.name, "live")
    if visit.text("do") == "end":
        end(desk, shelved)
        return visit.go(here, visit.translate("The running game is not followed any more."))
    text = visit.text("source").strip('"')
    minutes = visit.text("minutes")
    source = Path(text)
    if not text or not source.is_absolute() or not source.is_file() or source.suffix.lower() != ".bws":
        return visit.go(here, visit.translate("There is no file with this name that ends in .bws."))
    desk.publish_every[shelved.name] = int(minutes) if is_number(minutes) else 0
    start(desk, shelved, source)
    return visit.go(here)


def start(desk: Desk, shelved: Shelved, source: Path) -> None:
    """Follow a file: copy it into the folder of an evening as often as it changes."""
    if shelved.name in desk.followed:
        desk.followed[shelved.name].end()
    place = shelved.place if shelved.place.is_dir() else shelved.place.parent
    name = source.name if shelved.place.is_dir() else f"{shelved.place.stem}{source.suffix}"
    follower = Follower(source, place / name, after=lambda: _publish(desk, shelved))
    remember_source(desk.folder, shelved, source)
    desk.followed[shelved.name] = follower
    follower.look()
    follower.start()


def end(desk: Desk, shelved: Shelved) -> None:
    """Follow the file of an evening no longer."""
    follower = desk.followed.pop(shelved.name, None)
    if follower:
        follower.end()
    remember_source(desk.folder, shelved, None)


def resume(desk: Desk) -> None:
    """Follow again what was followed when the desk ended."""
    for shelved in list_shelf(desk.folder):
        source = followed_source(desk.folder, shelved)
        if source is not None and source.is_file():
            start(desk, shelved, source)


def _publish(desk: Desk, shelved: Shelved) -> None:
    """Publish the ranking so far, if that is wanted and the last time is long enough ago."""
    minutes = desk.publish_every.get(shelved.name, 0)
    if not minutes or not desk.settings().config.publish.target:
        return
    if time.monotonic() - desk.published_at.get(shelved.name, float("-inf")) >= minutes * _MINUTE:
        desk.published_at[shelved.name] = time.monotonic()
        publishing.begin(desk, shelved, final=False)


def screen(visit: Visit) -> Response:
    """Show the ranking in large type: of the evening that is followed, else of the one that changed last."""
    desk = visit.desk
    listed = list_shelf(desk.folder)
    wanted = [visit.text("evening")] if visit.text("evening") else desk.followed
    shelved = next((evening for evening in listed if evening.name in wanted), listed[0] if listed else None)
    session = Session()
    if shelved is not None:
        try:
            session = desk.evening(shelved).session
        except RefusedError:
            shelved = None
    config = desk.settings().config
    session = apply_privacy(session, config.privacy, config.people.register)
    name = shelved.name if shelved else ""
    return visit.render(
        "wall.html",
        name=name,
        title=session.facts.event or name,
        rankings=rankings(session),
        sitting=list_sitting_out(session),
        round=max((place.round for place in list_tables(session)), default=0),
        results=session.results.filter(pl.col("score_ns").is_not_null()).height,
        now=datetime.now().astimezone().strftime("%H:%M"),
    )
