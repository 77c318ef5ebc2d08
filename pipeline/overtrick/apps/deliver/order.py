"""An order to deliver: an evening, the club's settings, and the part of it that one place gets."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import zip_longest
from typing import Final, Protocol

import polars as pl

from overtrick.core.config import Config
from overtrick.core.config.members import Member
from overtrick.core.frames import Session
from overtrick.core.languages import open_language
from overtrick.core.notation import BETWEEN
from overtrick.judge.people.identity import Person, identify
from overtrick.judge.privacy import PublicSession, apply_privacy
from overtrick.show.html.contestants import make_slug
from overtrick.show.html.session_page import SessionPage, make_session_page
from overtrick.show.publish.address import PublishError
from overtrick.show.publish.targets.base import SERVICE

_NO_NUMBER: Final = ""


class OrderError(ValueError):
    """A setting or an option is missing or wrong; nothing was sent."""


class UnsureError(PublishError):
    """Everything was sent, but the answer is missing: it may have arrived."""


class ClosedError(PublishError):
    """A place lets nobody in: whatever else is sent there would fail in the same way."""


@dataclass(frozen=True)
class Order:
    """An evening to deliver.

    Attributes:
        name: of the evening, as its files have it.
        session: scored and ranked, with names as the files state them.
        config: the club's settings.
        event: the number of the event in BridgeWebs' calendar; empty if not known.
        number: the number of a simultaneous event; empty if it is none.
        charge: the EBU's charge code; empty for that of the settings.
    """

    name: str
    session: Session
    config: Config
    event: str = ""
    number: str = ""
    charge: str = ""

    @cached_property
    def shown(self) -> PublicSession:
        """The session with players named as they wish on pages, and without membership numbers."""
        word = open_language(self.config.site.language).translate("No.")
        return apply_privacy(self.session, self.config.privacy, self.config.people.register, word=word)

    @cached_property
    def page(self) -> SessionPage:
        """The content of its pages and documents."""
        return make_session_page(self.shown, self.config)

    @property
    def slug(self) -> str:
        """The name of its folder on the web."""
        return make_slug(self.name)

    @property
    def file_name(self) -> str:
        """The name of files without their ending: the date as `20261013`, else the name of the evening."""
        digits = (self.session.facts.date or "").replace(".", "")
        return digits if re.fullmatch("[0-9]{8}", digits) else self.slug

    @property
    def club(self) -> str:
        """The name of the club; empty if nothing states it."""
        return self.config.club.name or self.session.facts.site or ""


@dataclass(frozen=True)
class Parcel:
    """The files that a place gets in one go.

    Attributes:
        target: where it goes, for people; never the address of a member.
        files: contents by name.
        fields: what else is sent, by name; no password.
        who: the member whom it is for; empty if it is for a place.
        recipient: the e-mail address; empty if it goes by another way.
        notes: what people should know about it, each a sentence.
        own: the name of the member whom it is for, which may stand in it although pages hide it.
    """

    target: str
    files: Mapping[str, bytes]
    fields: Mapping[str, str] = field(default_factory=dict)
    who: str = ""
    recipient: str = field(default="", repr=False)
    notes: tuple[str, ...] = ()
    own: str = ""

    @property
    def hashes(self) -> dict[str, str]:
        """The SHA-256 of each file by its name."""
        return {name: sha256(content).hexdigest() for name, content in sorted(self.files.items())}

    @property
    def digest(self) -> str:
        """The SHA-256 of all that is sent."""
        sent = [self.hashes, sorted(self.fields.items()), self.recipient]
        return sha256(json.dumps(sent).encode()).hexdigest()


class Sender(Protocol):
    """Sends parcels, over one connection if there are several."""

    def send(self, parcel: Parcel, *, again: bool) -> str:
        """Send a parcel; `again` says that an earlier version of it was delivered.

        Returns:
            The answer of the server, on one line.

        Raises:
            PublishError: it was not accepted.
            UnsureError: it is not known whether it was accepted.
        """

    def close(self) -> None:
        """Close the connection."""


def missing(place: str, key: str, table: str = "") -> OrderError:
    """Return the error for a key that a place needs and the settings lack."""
    return OrderError(f"{place}: needs {key} in the table [{table or f'deliver.{place}'}] of club.toml")


def no_password(user: str, host: str, variable: str) -> PublishError:
    """Return the error for a password that neither the environment nor the keyring has."""
    return PublishError(
        f"{host}: no password for {user}; set {variable}, or store it with: keyring set {SERVICE} {user}@{host}"
    )


def add_numbers(session: Session, members: Session, register: tuple[Member, ...], body: str) -> tuple[Session, int]:
    """Give players the membership numbers of a body: those of its column in `members.csv`, else as files state them.

    A stated number that is the member's number in the club is left out, and so are the numbers of players whom
    `session` names otherwise than `members` does.

    Args:
        session: the session to deliver; its contestants are those of `members`, in the same order.
        members: the session with names and numbers as the files state them.
        register: the members of the club.
        body: the column of `members.csv`.

    Returns:
        The session, and how many of its players have no number.
    """
    rows = [_split(*row) for row in members.contestants.select("names", "members").iter_rows()]
    known = identify(((body, player) for row in rows for player in row), register)
    texts, without = [], 0
    for row, shown in zip(rows, session.contestants["names"], strict=True):
        numbers = [
            _choose(known.find(name, number), number, body) if name == shown_name else _NO_NUMBER
            for (name, number), shown_name in zip_longest(row, shown.split(BETWEEN)[: len(row)] if shown else ())
        ]
        without += numbers.count(_NO_NUMBER)
        texts.append(BETWEEN.join(numbers) if any(numbers) else None)
    contestants = session.contestants.with_columns(pl.Series("members", texts, pl.String))
    return replace(session, contestants=contestants), without


def _split(names: str | None, members: str | None) -> list[tuple[str, str]]:
    people = names.split(BETWEEN) if names else []
    numbers = members.split(BETWEEN) if members else []
    return list(zip(people, numbers if len(numbers) == len(people) else [""] * len(people), strict=True))


def _choose(person: Person | None, stated: str, body: str) -> str:
    if person is None or person.member is None:
        return stated
    return person.member.number_with(body) or ("" if stated == person.member.number else stated)
