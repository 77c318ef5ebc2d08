"""Deliveries that were made, or would be, in sentences; none of them holds the address of a member."""

from collections.abc import Iterator, Sequence
from typing import Final

from overtrick.apps.deliver.destinations import Destination
from overtrick.apps.deliver.run import Outcome, Planned

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
