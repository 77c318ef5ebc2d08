"""Publish: what will be added, changed and deleted; how far it is; and back to the version before."""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

from starlette.responses import Response

from overtrick.apps.deliver import Order, OrderError, deliver, find_destinations, list_ready, plan
from overtrick.apps.deliver.destinations import Destination
from overtrick.apps.deliver.receipts import Receipts, find_folder
from overtrick.apps.deliver.report import describe_errors, describe_outcome, describe_plan, name_place
from overtrick.apps.desk.desk import Desk, Job
from overtrick.apps.desk.screens.ranking import make_up_to_date
from overtrick.apps.desk.screens.settings import write_settings
from overtrick.apps.desk.visit import Visit, address
from overtrick.apps.evening import published
from overtrick.apps.evening.edit import RefusedError
from overtrick.apps.evening.people import list_pairs
from overtrick.apps.evening.shelf import Shelved
from overtrick.core.atomic_write import OutputError
from overtrick.core.languages import LanguageError
from overtrick.judge.analyse.solver import PlaySolvers, is_installed, make_play_solvers, make_solver, wants_analysis
from overtrick.judge.privacy import apply_privacy
from overtrick.judge.validate.movement_given import count_results
from overtrick.pipeline import evaluate
from overtrick.show.publish.address import AddressError, NeedsConsentError, PublishError
from overtrick.show.publish.run import Plan


def show(visit: Visit) -> Response:
    """Show the checklist, what a run would do if the form asks for it, and how far a run is."""
    shelved = visit.shelved
    desk = visit.desk
    evening = desk.evening(shelved)
    config = desk.settings().config
    todo, wrong = _plan(visit, shelved) if visit.text("look") and config.publish.target else (None, "")
    return visit.show(
        "publish",
        evening,
        state=desk.state(shelved, evening),
        errors=int((evening.session.problems["severity"] == "error").sum()),
        warnings=int((evening.session.problems["severity"] == "warning").sum()),
        nameless=sum(not pair.is_named for pair in list_pairs(evening.session)),
        counts=count_results(evening.session),
        is_blank=evening.session.is_blank,
        doubts=apply_privacy(evening.session, config.privacy, config.people.register).doubts,
        publication=published.read_publication(desk.folder, shelved),
        can_undo=published.can_undo(desk.folder, shelved),
        job=desk.jobs.get(shelved.name),
        todo=todo,
        refused=wrong,
        can_analyse=is_installed(),
        places=list_ready(config),
    )


def _plan(visit: Visit, shelved: Shelved) -> tuple[Plan | None, str]:
    config = visit.desk.settings().config
    try:
        pages = make_up_to_date(visit, shelved, visit.desk.evening(shelved), pdf=True)
        return published.plan_pages(pages, config.publish.target or "", shelved), ""
    except (AddressError, PublishError, OutputError) as error:
        return None, str(error)


def publish(visit: Visit) -> Response:
    """Begin to publish; the page then shows how far it is."""
    shelved = visit.shelved
    desk = visit.desk
    here = address(shelved.name, "publish")
    if (target := visit.text("target")) and (error := write_settings(visit, {("publish", "target"): target})):
        return visit.go(here, error)
    if not desk.settings().config.publish.target:
        return visit.go(here, visit.translate("Say where the website is."))
    if error := _set_analysis(visit):
        return visit.go(here, error)
    if visit.text("do") == "look":
        return visit.go(f"{here}?look=1")
    begin(desk, shelved, final=bool(visit.text("final")), consent=bool(visit.text("consent")))
    return visit.go(here)


def _set_analysis(visit: Visit) -> str:
    """Write whether the pages get an analysis into the settings, if the form says otherwise; return what is wrong."""
    wanted = bool(visit.text("analyse"))
    if not visit.text("with_analyse") or wanted == visit.desk.settings().config.site.analyse:
        return ""
    return write_settings(visit, {("site", "analyse"): "true" if wanted else ""})


def begin(desk: Desk, shelved: Shelved, *, final: bool, consent: bool = False) -> Job:
    """Publish an evening in a thread, unless that goes on already."""
    return start(desk, shelved, partial(_publish, desk, shelved, final=final, consent=consent))


def start(desk: Desk, shelved: Shelved, work: Callable[[Job], None]) -> Job:
    """Begin work on an evening in a thread, unless some goes on already."""
    with desk.lock:
        running = desk.jobs.get(shelved.name)
        if running and not running.is_over:
            return running
        job = desk.jobs[shelved.name] = Job()
    threading.Thread(target=_carry_out, args=(job, work), daemon=True).start()
    return job


def _carry_out(job: Job, work: Callable[[Job], None]) -> None:
    try:
        work(job)
    except NeedsConsentError as error:
        job.error, job.needs_consent = str(error), True
    except (AddressError, PublishError, OrderError, OutputError, LanguageError, RefusedError) as error:
        job.error = str(error)
    except Exception as error:  # noqa: BLE001 - a thread that ends without a word would look as if it went on
        job.error = f"overtrick failed because of a bug; please report it: {type(error).__name__}: {error}"
    finally:
        job.is_over = True


def _publish(desk: Desk, shelved: Shelved, job: Job, *, final: bool, consent: bool) -> None:
    """Make the pages as `overtrick bulletin` makes them, and publish them as `overtrick publish` does."""
    evening = desk.evening(shelved)
    settings = desk.settings()
    is_whole = not count_results(evening.session)[1]
    config = published.as_final(settings.config, final=is_whole and (final or settings.config.site.final))
    inputs = published.digest_inputs(shelved, evening, settings.content)
    planned = published.Publication("", settings.config.publish.target or "", inputs, config.site.final)

    def bring(plays: PlaySolvers | None) -> None:
        solver = make_solver()
        session = evaluate(evening.gathered, settings.config, evening.found, solver=solver, play_solver=plays)
        with desk.lock:
            pages = published.make_pages(desk.folder, shelved, session, config, pdf=True)
            desk.made[shelved.name] = (inputs, True)
        job.done = published.publish_pages(
            desk.folder, shelved, pages, planned, consent=consent, completes=job.is_analysing, on_step=job.show
        )

    bring(None)
    if wants_analysis(settings.config) and not evening.session.results.is_empty():
        # People wait for the results, so the analysis follows, as it does with `overtrick bulletin`.
        job.is_analysing = True
        bring(make_play_solvers(job.count, job.count))


def undo(visit: Visit) -> Response:
    """Put the version before back on the website."""
    shelved = visit.shelved
    desk = visit.desk
    here = address(shelved.name, "publish")
    try:
        published.undo_publication(desk.folder, shelved)
    except (AddressError, PublishError) as error:
        return visit.go(here, str(error))
    desk.jobs.pop(shelved.name, None)
    return visit.go(here, visit.translate("The version before is on the website again."))


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
    lines: list[str] = []
    for place in places:
        try:
            lines += describe_plan(place, plan(place, order, receipts))
        except PublishError as error:
            lines.append(name_place(place, str(error)))
    job.told = tuple(lines)


def _deliver(places: Sequence[Destination], order: Order, folder: Path, job: Job, *, again: bool) -> None:
    def show(place: str, done: int, number: int) -> None:
        job.show(done, number, place)

    outcomes = deliver(places, order, folder, again=again, on_step=show)
    # Paths begin at the folder of the evening, which the reader knows.
    lines = chain.from_iterable(map(describe_outcome, outcomes))
    job.told = tuple(line.replace(f"{folder.parent}/", "") for line in lines)
    job.error = " ".join(f"{line}." for outcome in outcomes for line in describe_errors(outcome))
