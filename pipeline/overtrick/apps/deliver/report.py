"""What was delivered, or would be, in sentences; none of them holds the address of a member."""

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
        counts = [(state, sum(one.state == state for one in planned)) for state in _BEFORE]
        said = [f"{count} {state}" for state, count in counts if count]
        members = f"{len(planned)} member" if len(planned) == 1 else f"{len(planned)} members"
        yield f"{place.name}: {members} who agreed: {', '.join(said)}"
        yield f"  subject: {first.fields['subject']}"
    else:
        (one,) = planned
        changes = ", ".join(one.changes)
        before = _BEFORE[one.state].format(when=one.earlier.time if one.earlier else "", changes=changes)
        yield f"{place.name}: {first.target}{before}"
        yield from (f"  {name}: {value}" for name, value in first.fields.items())
        yield from (f"  {name}: {len(content):,} bytes" for name, content in first.files.items())
    yield from (f"  {note}" for note in first.notes)


def describe_outcome(outcome: Outcome) -> Iterator[str]:
    """Return what was delivered, and what was delivered before."""
    name = outcome.destination.name
    for one in outcome.sent:
        if one.parcel.who:
            continue
        for path in outcome.paths:
            yield f"{name}: {path}"
        done = one.parcel.target if outcome.paths else f"delivered to {one.parcel.target}: {outcome.answer}"
        changed = (
            f" (changed since {one.earlier.time}: {', '.join(one.changes)})" if one.earlier and one.changes else ""
        )
        yield f"{name}: {done}{changed}"
    members = [one for one in outcome.sent if one.parcel.who]
    if members:
        corrected = sum(one.state == "changed" for one in members)
        yield f"{name}: sent to {len(members)} of the members who agreed{f', {corrected} corrected' * bool(corrected)}"
    if outcome.same:
        first = outcome.same[0]
        who = f" to {len(outcome.same)} of the members who agreed" if first.parcel.who else ""
        when = f" {first.earlier.time}" if first.earlier and not who else " before"
        yield f"{name}: delivered{when}{who}; nothing has changed, so it was not delivered again"
    for one in (*outcome.sent, *outcome.same)[:1]:
        yield from (f"{name}: {note}" for note in one.parcel.notes)


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
