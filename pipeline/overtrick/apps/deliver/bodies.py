"""Files for national bodies, simultaneous events and other places: USEBIO, masterpoints, and what formats there are."""

import re
from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from itertools import product
from typing import Final
from xml.etree import ElementTree as ET

from overtrick.apps.deliver.order import Order, OrderError, Parcel, add_numbers, missing
from overtrick.apps.deliver.post import check_mail
from overtrick.core.config.site import FileByMail
from overtrick.core.frames import Session
from overtrick.core.notation import BETWEEN
from overtrick.core.problems import has_errors
from overtrick.files.formats.looks import find_format
from overtrick.files.formats.parts import write_session
from overtrick.files.formats.usebio.reader import read_usebio
from overtrick.files.formats.usebio.write import Submission, write_usebio
from overtrick.judge.people.awards import parse_awards
from overtrick.judge.people.season import match_contestant
from overtrick.show.publish.address import PublishError

HAND_IN: Final = {
    "ebu": "Hand it in on the page Submit of My EBU.",
    "abf": "Hand it in on the page Upload Awards Files of the ABF Masterpoint Centre.",
}
"""How people hand in the files for which no description of a way to send them is public."""

_CHARGE: Final = re.compile(r"[0-9]{2}")
_ABF_NUMBER: Final = re.compile(r"[0-9]{1,7}")
_MOST_POINTS: Final = 999_999
ABF_COLOURS: Final = {"green": ".grn", "red": ".red", "gold": ".gld"}
"""The colours of points that the ABF counts, and the endings of their files."""
_RED_AND_GREEN: Final = ".rag"
_ORDER: Final = (
    *("EVENT_DESCRIPTION", "PROGRAM_NAME", "PROGRAM_VERSION", "WINNER_TYPE", "TITLE", "DATE", "VENUE"),
    *("SESSION_COUNT", "SECTION_COUNT", "EBU_CHARGE_CODE", "BOARD_SCORING_METHOD", "CONTACT"),
)
"""The facts of an event in the order of the files of British programs."""


def prepare_ebu(order: Order) -> list[Parcel]:
    """Return a USEBIO 1.3 file with the club's number and the charge code, and everybody's name and EBU number.

    Raises:
        OrderError: the club's number is missing, or the charge code has not two digits.
        PublishError: the file would not be in order.
    """
    settings = order.config.deliver.ebu
    if settings.club is None:
        raise missing("ebu", "club")
    charge = order.charge or settings.charge
    if not _CHARGE.fullmatch(charge):
        raise OrderError(f"--charge: expected two digits, as in 10, got {charge!r}")
    session, without = add_numbers(order.session, order.session, order.config.people.register, "ebu")
    content = write_usebio(session, _submission(order, number=settings.club, charge=charge)).content
    check_usebio(content, session)
    notes = _note_without("EBU", without)
    if b"<PLAYER_NAME>" not in content:
        notes = ("The file names no players.",)
    return [Parcel(HAND_IN["ebu"], {f"{order.file_name}.xml": content}, notes=notes)]


def prepare_ecats(order: Order) -> list[Parcel]:
    """Return a USEBIO file for ECatsBridge.

    Its page "Scoring the Sims" describes the e-mail: the subject is the number of the session, a space and the country,
    and there is nothing in it but the file.

    Raises:
        OrderError: the number of the session or a setting is missing.
        PublishError: the file would not be in order.
    """
    settings = order.config.deliver.ecats
    if settings.country is None:
        raise missing("ecats", "country")
    for key in ("scorer", "telephone"):
        if getattr(order.config.deliver, key) is None:
            raise missing("ecats", key, "deliver")
    check_mail(order, "ecats")
    if not re.fullmatch(r"[0-9A-Za-z-]+", order.number):
        raise OrderError("ecats: needs the number of the simultaneous session; give it with --session")
    register = order.config.people.register
    session, without = add_numbers(order.shown, order.session, register, settings.numbers)
    content = write_usebio(session, _submission(order)).content
    check_usebio(content, session)
    fields = {"subject": f"{order.number} {settings.country}"}
    files = {f"{order.file_name}.xml": content}
    return [Parcel(settings.to, files, fields, recipient=settings.to, notes=_note_without("membership", without))]


def prepare_file(order: Order, place: FileByMail) -> list[Parcel]:
    """Return the file that a place of the club's own takes.

    Raises:
        OrderError: a setting is missing or wrong.
    """
    check_mail(order, place.name)
    form = find_format(place.format)
    if form is None or form.write is None:
        raise OrderError(f"{place.name}: overtrick does not write {place.format} files")
    session: Session = order.shown
    without = 0
    if place.numbers:
        register = order.config.people.register
        session, without = add_numbers(order.session, order.session, register, place.numbers)
    if form.name == "usebio":
        content = write_usebio(session, _submission(order)).content
    else:
        content = write_session(session, form, export=form.export is not None).content
    named = {"club": order.club, "title": session.facts.event or "", "date": session.facts.date or ""}
    subject = re.sub(r"\{(club|title|date)\}", lambda found: named[found[1]], place.subject)
    files = {f"{order.file_name}{place.format}": content}
    notes = _note_without("membership", without)
    return [Parcel(place.to, files, {"subject": " ".join(subject.split())}, recipient=place.to, notes=notes)]


def _submission(order: Order, number: str | None = None, charge: str | None = None) -> Submission:
    settings = order.config.deliver
    name = order.config.club.name
    return Submission(name, number, charge, settings.scorer, settings.telephone, settings.sender)


def _note_without(kind: str, count: int) -> tuple[str, ...]:
    return (f"Players without {kind} number: {count}.",) if count else ()


def check_usebio(content: bytes, session: Session) -> None:
    """Check a USEBIO file: the order of its facts, and that our own reader finds the same session in it.

    Raises:
        PublishError: something is missing or wrong.
    """
    tree = ET.fromstring(content)  # noqa: S314 - we wrote it
    names = [child.tag for child in tree.findall("EVENT/*")]
    if names != sorted(names, key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER)):
        raise PublishError("the facts of the USEBIO file are not in the order that programs expect")
    if not re.fullmatch(r"[0-9]{2}/[0-9]{2}/[0-9]{4}", tree.findtext("EVENT/DATE") or ""):
        raise PublishError("the evening has no date; enter it with: overtrick correct EVENING --date")
    read = read_usebio(content)
    lines = len(tree.findall(".//TRAVELLER_LINE"))
    if has_errors(read.problems) or read.results.height != lines or not lines:
        raise PublishError("the USEBIO file would not hold the results; run `overtrick check` on the evening")
    ranked = session.standings["contestant"].n_unique()
    if read.contestants["contestant"].n_unique() < ranked:
        raise PublishError("the USEBIO file would not hold all contestants; run `overtrick check` on the evening")


# Masterpoints of the Australian Bridge Federation


def prepare_abf(order: Order) -> list[Parcel]:
    """Return the masterpoint files of the ABF (abfmasterpoints.com.au, "Masterpoint Awards File Formats").

    Each player has a line: seven digits of the ABF number and six of the points in hundredths. Red and green points are
    in one file, red ones first.

    Raises:
        PublishError: the evening has no points that the ABF counts.
    """
    session, _ = add_numbers(order.session, order.session, order.config.people.register, "abf")
    points, notes = _list_points(session)
    files = _write_points(order.file_name, points)
    if not files:
        raise PublishError(
            "abf: no player with an ABF number has green, red or gold points; enter tables of points as [[awards]] and "
            "the numbers in a column abf of members.csv"
        )
    return [Parcel(HAND_IN["abf"], files, notes=notes)]


def _list_points(session: Session) -> tuple[dict[str, dict[str, int]], tuple[str, ...]]:
    """Return the points by colour and ABF number, in hundredths, and what people should know."""
    points: dict[str, dict[str, int]] = {colour: {} for colour in ABF_COLOURS}
    listed = session.contestants.rows_by_key("contestant", named=True, include_key=True)
    others: set[str] = set()
    without = rounded = substituted = 0
    for row in session.standings.iter_rows(named=True):
        awards = parse_awards(row["awards"])
        earned = {colour.lower(): number for colour, number in awards.items() if colour.lower() in ABF_COLOURS}
        others |= awards.keys() - earned.keys()
        if not earned:
            continue
        known = match_contestant(listed.get(row["contestant"], []), row)
        substituted += bool(known.get("substitutes"))
        numbers = (known.get("members") or "").split(BETWEEN)
        players = (known.get("names") or row["names"] or "").split(BETWEEN)
        valid = [number.zfill(7) for number in numbers if _ABF_NUMBER.fullmatch(number)]
        valid = valid if len(numbers) == len(players) else []
        without += len(players) - len(valid)
        for number, (colour, award) in product(valid, earned.items()):
            cents = Decimal(str(award)) * 100
            whole = int(cents.quantize(Decimal(1), ROUND_HALF_UP))
            rounded += whole != cents
            points[colour][number] = points[colour].get(number, 0) + whole
    said = {
        "Players with points who have no ABF number and are left out": without,
        "Awards rounded to hundredths": rounded,
        "Contestants with points and a substitute, to be checked": substituted,
    }
    notes = [f"{what}: {count}." for what, count in said.items() if count]
    notes += [f"Points of the colour {colour!r} are not for the ABF." for colour in sorted(others)]
    return points, tuple(notes)


def _write_points(name: str, points: Mapping[str, Mapping[str, int]]) -> dict[str, bytes]:
    red, green = points["red"], points["green"]
    files = {}
    if red and green:
        both = {number: (red.get(number, 0), green.get(number, 0)) for number in red.keys() | green.keys()}
        files[f"{name}{_RED_AND_GREEN}"] = _lines(both.items())
    for colour in ("gold",) if files else ("red", "green", "gold"):
        if points[colour]:
            cents = ((number, (earned,)) for number, earned in points[colour].items())
            files[f"{name}{ABF_COLOURS[colour]}"] = _lines(cents)
    return files


def _lines(rows: Iterable[tuple[str, tuple[int, ...]]]) -> bytes:
    """Return `0123456000042` for 0.42 points of the player 123456, a line for each, by number."""
    listed = sorted(rows)
    if any(part > _MOST_POINTS or part < 0 for _, cents in listed for part in cents):
        raise PublishError("abf: a player has more points than the file can hold")
    return "".join(f"{number}{''.join(f'{part:06}' for part in cents)}\r\n" for number, cents in listed).encode()
