"""Deliver: the results to other places than the website, as `overtrick deliver` brings them there."""

from collections.abc import Sequence
from functools import partial

from starlette.responses import Response

from overtrick.deliver import Order, deliver, find_destinations, plan
from overtrick.deliver.receipts import Receipts, find_folder
from overtrick.deliver.report import describe_errors, describe_outcome, describe_plan, name_place
from overtrick.desk.desk import Desk, Job
from overtrick.desk.screens.publishing import start
from overtrick.desk.visit import Visit, address
from overtrick.evening.shelf import Shelved
from overtrick.publish import PublishError


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
    if visit.text("do") == "look":
        start(visit.desk, shelved, partial(_look, shelved, order, names))
    else:
        start(
            visit.desk, shelved, partial(_deliver, visit.desk, shelved, order, names, again=bool(visit.text("again")))
        )
    return visit.go(here)


def _look(shelved: Shelved, order: Order, names: Sequence[str], job: Job) -> None:
    receipts = Receipts(find_folder(shelved.place))
    told: list[str] = []
    for place in find_destinations(names, order.config):
        try:
            told += describe_plan(place, plan(place, order, receipts))
        except PublishError as error:
            told.append(name_place(place, str(error)))
    job.told = tuple(told)


def _deliver(desk: Desk, shelved: Shelved, order: Order, names: Sequence[str], job: Job, *, again: bool) -> None:
    def show(place: str, done: int, number: int) -> None:
        job.show(done, number, place)

    outcomes = deliver(
        find_destinations(names, order.config), order, find_folder(shelved.place), again=again, on_step=show
    )
    # The desk may be in another folder than the reader thinks of: paths begin at its own.
    said = (line for one in outcomes for line in describe_outcome(one))
    job.told = tuple(line.replace(f"{desk.folder}/", "") for line in said)
    job.error = " ".join(f"{line}." for one in outcomes for line in describe_errors(one))
