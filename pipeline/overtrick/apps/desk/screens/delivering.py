"""Deliver: the results to other places than the website, as `overtrick deliver` brings them there."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from starlette.responses import Response

from overtrick.apps.deliver import Order, OrderError, deliver, find_destinations, plan
from overtrick.apps.deliver.destinations import Destination
from overtrick.apps.deliver.receipts import Receipts, find_folder
from overtrick.apps.deliver.report import describe_errors, describe_outcome, describe_plan, name_place
from overtrick.apps.desk.desk import Job
from overtrick.apps.desk.screens.publishing import start
from overtrick.apps.desk.visit import Visit, address
from overtrick.show.publish.errors import PublishError


def send(visit: Visit) -> Response:
    """Begin to deliver, or to find out what would be delivered; the page then shows how far it is."""
    shelved = visit.shelved
    names = [name for name in visit.form.getlist("to") if isinstance(name, str)]
    here = address(shelved.name, "publish")
    if not names:
        return visit.go(here, visit.translate("Choose at least one place."))
    evening = visit.desk.evening(shelved)
    if not visit.text("all-the-same") and (evening.session.problems["severity"] == "error").any():
        return visit.go(here, visit.translate("The evening has errors; mend them first, or confirm below."))
    order = Order(
        shelved.name,
        evening.session,
        evening.settings,
        visit.text("event"),
        visit.text("session"),
        visit.text("charge"),
    )
    try:
        places = find_destinations(names, order.config)
    except OrderError as error:
        return visit.go(here, str(error))
    work = partial(_deliver, again=bool(visit.text("again"))) if visit.text("do") != "look" else _look
    start(visit.desk, shelved, partial(work, places, order, find_folder(shelved.place)))
    return visit.go(here)


def _look(places: Sequence[Destination], order: Order, folder: Path, job: Job) -> None:
    receipts = Receipts(folder)
    told: list[str] = []
    for place in places:
        try:
            told += describe_plan(place, plan(place, order, receipts))
        except PublishError as error:
            told.append(name_place(place, str(error)))
    job.told = tuple(told)


def _deliver(places: Sequence[Destination], order: Order, folder: Path, job: Job, *, again: bool) -> None:
    def show(place: str, done: int, number: int) -> None:
        job.show(done, number, place)

    outcomes = deliver(places, order, folder, again=again, on_step=show)
    # Paths begin at the folder of the evening, which the reader knows.
    job.told = tuple(line.replace(f"{folder.parent}/", "") for one in outcomes for line in describe_outcome(one))
    job.error = " ".join(f"{line}." for one in outcomes for line in describe_errors(one))
