"""Deliveries: one is planned and made; those that were made, or would be, in sentences without a member's address."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

from overtrick.apps.deliver.destinations import Destination
from overtrick.apps.deliver.order import ClosedError, Order, Parcel, Sender, UnsureError
from overtrick.apps.deliver.receipts import Receipt, Receipts, only_delivery
from overtrick.conversion import prove_files
from overtrick.show.publish.address import DroppedError, PublishError
from overtrick.show.publish.gate import check_files

# One delivery: plan, write a receipt that says it is being sent, send, write that it was delivered.

State = Literal["new", "same", "changed", "unsure"]
"""The state of a parcel: never sent; delivered as it is; delivered with other content; perhaps delivered."""


@dataclass(frozen=True)
class Planned:
    """A parcel, and what is known of it.

    Attributes:
        parcel: the parcel.
        state: whether it was delivered before.
        earlier: the last delivery; None if there is none.
        changes: the differences since then.
    """

    parcel: Parcel
    state: State
    earlier: Receipt | None = None
    changes: tuple[str, ...] = ()


@dataclass
class Outcome:
    """How the delivery to a place ended.

    Attributes:
        destination: the place.
        sent: the parcels that were delivered.
        same: those that were delivered before.
        unsure: those of which nobody knows whether they arrived, from this run or an earlier one.
        errors: why others were not delivered.
        answer: the last answer of the server.
        paths: the files that people hand in.
    """

    destination: Destination
    sent: list[Planned] = field(default_factory=list)
    same: list[Planned] = field(default_factory=list)
    unsure: list[Planned] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    answer: str = ""
    paths: list[Path] = field(default_factory=list)


def plan(destination: Destination, order: Order, receipts: Receipts) -> list[Planned]:
    """Return what a place would get, and send nothing.

    Raises:
        OrderError: a setting or an option is missing.
        PublishError: the evening has not what the place takes, or a parcel names somebody who is hidden.
    """
    parcels = destination.prepare(order)
    for parcel in () if destination.counts_points else parcels:
        own = parcel.own.encode()
        files = {name: content.replace(own, b"") if own else content for name, content in parcel.files.items()}
        fields = {name: text.encode() for name, text in parcel.fields.items()}
        check_files(files | fields, order.shown.crowd, order.config)
    proven = (replace(one, notes=(*one.notes, *_list_losses(order, one.files))) for one in parcels)
    return [_compare(destination.name, parcel, receipts) for parcel in proven]


def _list_losses(order: Order, files: Mapping[str, bytes]) -> list[str]:
    found = prove_files(order.shown, files)
    return [f"{name}: not given back: {', '.join(map(str, lost))}" for name, lost in found.items() if lost]


def _compare(place: str, parcel: Parcel, receipts: Receipts) -> Planned:
    known = receipts.find(place, parcel.who)
    if known is None:
        return Planned(parcel, "new")
    if known.status == "sending":
        return Planned(parcel, "unsure", known)
    if known.digest == parcel.digest:
        return Planned(parcel, "same", known)
    return Planned(parcel, "changed", known, receipts.list_changes(place, parcel))


def deliver(
    destinations: Sequence[Destination],
    order: Order,
    folder: Path,
    *,
    again: bool = False,
    on_step: Callable[[str, int, int], None] = lambda _place, _done, _all: None,
) -> list[Outcome]:
    """Deliver an evening to places, one after the other; what fails for one does not stop the others.

    A parcel is not delivered again unless its content has changed. Of a run that died while it was sending, nobody
    knows whether the place has it, so that it is not sent again either.

    Args:
        destinations: the places.
        order: the evening.
        folder: of its receipts.
        again: deliver what was delivered before, and what may have been.
        on_step: called before each parcel with the place, the number of parcels done, and the number of parcels.

    Raises:
        OrderError: a setting or an option is missing; nothing was sent.
        PublishError: the receipts can't be read or written, or another run is delivering this evening.
    """
    with only_delivery(folder):
        receipts = Receipts(folder)
        outcomes = list(map(Outcome, destinations))
        # All is prepared before anything is sent: a missing setting stops the run while nothing has happened.
        planned = [_prepare(outcome, order, receipts) for outcome in outcomes]
        for outcome, parcels in zip(outcomes, planned, strict=True):
            todo: list[Planned] = []
            lists = {"new": todo, "changed": todo, "same": outcome.same, "unsure": outcome.unsure}
            for item in parcels:
                (todo if again else lists[item.state]).append(item)
            if todo:
                _send_all(outcome, todo, order, receipts, on_step)
        return outcomes


def _prepare(outcome: Outcome, order: Order, receipts: Receipts) -> list[Planned]:
    try:
        return plan(outcome.destination, order, receipts)
    except PublishError as error:
        outcome.errors.append(str(error))
        return []


def _send_all(
    outcome: Outcome,
    todo: Sequence[Planned],
    order: Order,
    receipts: Receipts,
    on_step: Callable[[str, int, int], None],
) -> None:
    place = outcome.destination.name
    if outcome.destination.sender is None:
        for item in todo:
            outcome.paths += receipts.keep(place, item.parcel)
            receipts.note(place, item.parcel, "delivered")
            outcome.sent.append(item)
        return
    with closing(outcome.destination.sender(order)) as sender:
        for number, item in enumerate(todo):
            on_step(place, number, len(todo))
            try:
                _send(outcome, item, sender, receipts)
            except (ClosedError, DroppedError) as error:
                # The others would fail in the same way.
                outcome.errors.append(str(error))
                break
            except PublishError as error:
                outcome.errors.append(str(error))


def _send(outcome: Outcome, item: Planned, sender: Sender, receipts: Receipts) -> None:
    place, parcel = outcome.destination.name, item.parcel
    receipts.note(place, parcel, "sending")
    try:
        outcome.answer = sender.send(parcel, again=item.state == "changed")
    except UnsureError:
        outcome.unsure.append(item)
        raise
    except PublishError:
        receipts.restore(place, parcel.who, item.earlier)
        raise
    receipts.note(place, parcel, "delivered", outcome.answer)
    if not parcel.who:
        receipts.keep(place, parcel)
    outcome.sent.append(item)


_BEFORE: Final = {
    "new": "",
    "same": " (delivered {when}; nothing has changed)",
    "changed": " (delivered {when}; changed since: {changes})",
    "unsure": " (nobody knows whether the delivery of {when} arrived; look there, then deliver again (--again))",
}


def describe_plan(place: Destination, planned: Sequence[Planned]) -> Iterator[str]:
    """Return what a place would get; lines that belong to the one above begin with blanks."""
    first = planned[0].parcel
    if first.who:
        states = [item.state for item in planned]
        said = [f"{states.count(state)} {state}" for state in _BEFORE if state in states]
        members = f"{len(planned)} member" if len(planned) == 1 else f"{len(planned)} members"
        yield f"{place.name}: {members} who agreed: {', '.join(said)}"
        yield f"  subject: {first.fields['subject']}"
    else:
        (item,) = planned
        changes = ", ".join(item.changes)
        before = _BEFORE[item.state].format(when=item.earlier.time if item.earlier else "", changes=changes)
        yield f"{place.name}: {first.target}{before}"
        yield from (f"  {name}: {value}" for name, value in first.fields.items())
        yield from (f"  {name}: {len(content):,} bytes" for name, content in first.files.items())
    yield from (f"  {note}" for note in first.notes)


def describe_outcome(outcome: Outcome) -> Iterator[str]:
    """Return what was delivered, and what was delivered before."""
    lines = [*_describe_sent(outcome), *_describe_same(outcome.same)]
    for item in (*outcome.sent, *outcome.same)[:1]:
        lines += item.parcel.notes
    return (f"{outcome.destination.name}: {line}" for line in lines)


def _describe_sent(outcome: Outcome) -> Iterator[str]:
    members = [item for item in outcome.sent if item.parcel.who]
    if members:
        corrected = sum(item.state == "changed" for item in members)
        yield f"sent to {len(members)} of the members who agreed{f', {corrected} corrected' * bool(corrected)}"
        return
    for item in outcome.sent:
        yield from map(str, outcome.paths)
        done = item.parcel.target if outcome.paths else f"delivered to {item.parcel.target}: {outcome.answer}"
        since = f" (changed since {item.earlier.time}: {', '.join(item.changes)})" if item.earlier else ""
        yield f"{done}{since if item.changes else ''}"


def _describe_same(same: Sequence[Planned]) -> Iterator[str]:
    if same:
        who = f" to {len(same)} of the members who agreed" if same[0].parcel.who else ""
        when = f" {same[0].earlier.time}" if same[0].earlier and not who else " before"
        yield f"delivered{when}{who}; nothing has changed, so it was not delivered again"


def describe_errors(outcome: Outcome) -> Iterator[str]:
    """Return why something was not delivered."""
    name = outcome.destination.name
    for error in dict.fromkeys(outcome.errors):
        count = outcome.errors.count(error)
        yield f"{name_place(outcome.destination, error)}{f' ({count} times)' if count > 1 else ''}"
    if outcome.unsure:
        members = f" to {len(outcome.unsure)} of the members" if outcome.unsure[0].parcel.who else ""
        yield f"{name}: nobody knows whether the delivery{members} arrived; look there, then deliver again (--again)"


def name_place(place: Destination, error: str) -> str:
    """Return an error with the name of its place in front."""
    return f"{place.name}: {error.removeprefix(f'{place.name}: ')}"
