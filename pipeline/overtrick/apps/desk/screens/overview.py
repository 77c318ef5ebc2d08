"""An evening as it was read: its files, what is wrong with them, and who played."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

import polars as pl
from starlette.responses import Response

from overtrick.apps.desk.visit import Visit, address
from overtrick.apps.evening.causes import list_causes, part_aside
from overtrick.apps.evening.entering import is_typed
from overtrick.apps.evening.people import list_near, list_pairs, list_players
from overtrick.apps.evening.shelf import Shelved, list_shelf, read_aside, set_aside
from overtrick.core.frames import Session
from overtrick.core.notation import in_club_unit
from overtrick.files.formats.looks import get_format
from overtrick.files.formats.session_rows import count_boards, count_tables
from overtrick.judge.validate.movement_given import count_results


@dataclass(frozen=True)
class Read:
    """A file as it was read.

    Attributes:
        name: its name.
        kind: what it was taken for; empty if it can't be read.
        deals: how many boards have a deal in it.
        results: how many results count from it.
        names: whether it names players.
    """

    name: str
    kind: str
    deals: int
    results: int
    names: bool


def show(visit: Visit, refused: str = "") -> Response:
    """Show what was read, and the ranking in short."""
    shelved, evening = visit.shelved, visit.evening
    session = evening.session
    return visit.show(
        "overview",
        evening,
        tab="",
        status=422 if refused else 200,
        refused=refused,
        typed_name=visit.text("name") or shelved.name,
        is_here=shelved.place.parent == visit.desk.folder,
        may_rename=visit.desk.may_rename(shelved),
        session=session,
        state=visit.desk.state(shelved, evening),
        day=visit.say_day(session.facts.date),
        boards=count_boards(session),
        tables=count_tables(session),
        numbers=sorted(session.results["board"].drop_nulls().unique()),
        files=_list_files(session),
        rankings=rankings(session),
        severities=dict(session.problems.group_by("severity").len().iter_rows()),
        corrections=session.corrections.height,
        counts=count_results(session),
        is_typed=is_typed(session),
    )


def _list_files(session: Session) -> list[Read]:
    deals = dict(session.records.drop_nulls("deal").group_by("source").agg(pl.col("board").n_unique()).iter_rows())
    results = dict(session.results.group_by("source").len().iter_rows())
    named = session.records.filter(pl.any_horizontal(pl.col("north", "south", "east", "west").is_not_null()))
    names = {*named["source"]} | ({*results} if session.contestants["names"].is_not_null().any() else set())
    return [
        Read(
            PurePath(source).name,
            get_format(kind).title if kind else "",
            deals.get(source, 0),
            results.get(source, 0),
            source in names,
        )
        for source, kind in session.sources.select("source", "format").iter_rows()
    ]


def rankings(session: Session) -> list[tuple[str, list[dict[str, object]]]]:
    """Return each ranking with its rows, totals in the club's unit."""
    parts = in_club_unit(session).standings.partition_by("ranking", maintain_order=True)
    return [(str(part["ranking"][0]), part.to_dicts()) for part in parts]


def show_problems(visit: Visit) -> Response:
    """Show the problems of an evening, and apart from them those that were set aside."""
    evening = visit.evening
    causes, aside = part_aside(list_causes(evening.session), read_aside(visit.desk.folder, visit.shelved))
    return visit.show("problems", evening, causes=causes, aside=aside)


def put_aside(visit: Visit) -> Response:
    """Set a problem aside, or bring it back."""
    shelved = visit.shelved
    with visit.desk.lock:
        set_aside(visit.desk.folder, shelved, visit.text("problem")[:64], aside=visit.text("do") != "back")
    return visit.go(address(shelved.name, "problems"))


def show_people(visit: Visit, refused: str = "") -> Response:
    """Show who played, names that may be misspelt, and substitutes, with a form to mend each name."""
    evening = visit.evening
    pairs, players = list_pairs(evening.session), list_players(evening.session)
    near = list_near(evening.session, _list_known(visit, visit.shelved))
    status = 422 if refused else 200
    return visit.show("people", evening, status=status, refused=refused, pairs=pairs, players=players, near=near)


def _list_known(visit: Visit, shelved: Shelved) -> Iterator[tuple[str, list[str]]]:
    """Yield the club's members, and the players of the other evenings that were read."""
    yield "members.csv", [name for member in visit.desk.settings().config.people.register for name in member.names]
    for other in list_shelf(visit.desk.folder):
        if other.name != shelved.name and visit.desk.is_read(other):
            yield other.name, list_players(visit.desk.evening(other).session)
