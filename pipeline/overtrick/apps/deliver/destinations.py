"""The places that take results: what each of them gets, and how it is sent.

To add one, write what prepares its parcels and add a row to `DESTINATIONS`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from overtrick.apps.deliver import bodies, bridgewebs, scorecards
from overtrick.apps.deliver.order import Order, OrderError, Parcel, Sender
from overtrick.apps.deliver.post import Postbox, write_letter
from overtrick.core.config import Config


@dataclass(frozen=True)
class Destination:
    """A place that takes results.

    Attributes:
        name: for `--to`.
        title: for people.
        prepare: returns what is sent; raises `OrderError` for settings, `PublishError` for an evening that do not fit.
        sender: returns what sends it; None if people hand the files in.
        counts_points: whether it counts masterpoints, and so needs everybody's name and number. All others get what
            pages show, and nobody who is hidden there.
    """

    name: str
    title: str
    prepare: Callable[[Order], list[Parcel]]
    sender: Callable[[Order], Sender] | None = None
    counts_points: bool = False


def _by_mail(order: Order, name: str) -> Sender:
    return Postbox(order, name, lambda parcel, _again: write_letter(order, parcel))


def _to_members(order: Order) -> Sender:
    return Postbox(order, "mail", partial(scorecards.write_letter, order), private=True)


DESTINATIONS: Final = (
    Destination("bridgewebs", "the club's pages on BridgeWebs", bridgewebs.prepare, bridgewebs.Uploader),
    Destination("ebu", "the English Bridge Union", bodies.prepare_ebu, counts_points=True),
    Destination("ecats", "simultaneous pairs of ECatsBridge", bodies.prepare_ecats, partial(_by_mail, name="ecats")),
    Destination("abf", "masterpoints of the Australian Bridge Federation", bodies.prepare_abf, counts_points=True),
    Destination("mail", "scorecards for members who agreed", scorecards.prepare, _to_members),
)

NAMES: Final = tuple(place.name for place in DESTINATIONS)


def find_destinations(names: Sequence[str], config: Config) -> list[Destination]:
    """Return the places of these names: those of overtrick, and those that the club added as `[[deliver.files]]`.

    Raises:
        OrderError: a name is not that of a place.
    """
    known = {place.name: place for place in DESTINATIONS}
    for place in config.deliver.files:
        if place.name in known:
            raise OrderError(f"[[deliver.files]] name {place.name!r}: another place has this name; choose another one")
        prepare, sender = partial(bodies.prepare_file, place=place), partial(_by_mail, name=place.name)
        known[place.name] = Destination(place.name, place.to, prepare, sender, counts_points=bool(place.numbers))
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise OrderError(f"{unknown!r} is not a place for results; expected one of {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(names)]


def list_ready(config: Config) -> list[Destination]:
    """Return the places that the settings have all keys for."""
    stated = config.deliver
    by_mail = all((stated.server, stated.sender))
    ready = {
        "bridgewebs": bool(stated.bridgewebs.club),
        "ebu": bool(stated.ebu.club),
        "ecats": all((by_mail, stated.ecats.country, stated.scorer, stated.telephone)),
        "abf": any(table.colour.lower() in bodies.ABF_COLOURS for table in config.awards),
        "mail": by_mail and any(member.scorecard for member in config.people.register),
        **{place.name: by_mail for place in stated.files},
    }
    return find_destinations([name for name, is_ready in ready.items() if is_ready], config)
