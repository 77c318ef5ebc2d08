"""Scorecards by e-mail: to each member who agreed and played, their own, with a way to leave."""

from collections import Counter
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from functools import cache
from operator import attrgetter
from typing import Final
from urllib.parse import quote

from jinja2 import Template

from overtrick.apps.deliver.order import Order, Parcel
from overtrick.apps.deliver.post import begin_letter, check_mail
from overtrick.core.config.members import Member
from overtrick.core.languages import Language, add_language, open_language, open_templates
from overtrick.judge.people.identity import identify, split_pair
from overtrick.show.html.contestants import Contestants, fill_sections
from overtrick.show.html.scorecards import Scorecard, ScorecardRow
from overtrick.show.publish.address import PublishError

TARGET: Final = "members who agreed"
_TEXT: Final = "scorecard.txt"
_WIDEST: Final = 40
"""Characters of a cell; longer names are cut."""
_RIGHT: Final = frozenset({0, 3, 4, 5})
"""The columns of numbers."""


def prepare(order: Order) -> list[Parcel]:
    """Return a text for each member who agreed and played.

    Raises:
        OrderError: a setting is missing.
        PublishError: nobody who played has agreed.
    """
    check_mail(order, "mail")
    members = _find_members(order)
    willing = [member for member in members if member.scorecard and not member.left]
    if not willing:
        raise PublishError(
            "mail: nobody who played has agreed; members who agree have yes in the column scorecard of members.csv"
        )
    reached = [member for member in willing if member.email]
    if not reached:
        raise PublishError("mail: nobody who agreed has a valid address in the column email of members.csv")
    without = len(willing) - len(reached)
    notes = (f"{without} of those who agreed have no valid address in the column email.",) * bool(without)
    names = Counter(map(attrgetter("name"), willing))
    parcels = []
    for member in reached:
        # Two members may have one name.
        who = member.name if names[member.name] == 1 else f"{member.name} {member.number}"
        files = {_TEXT: _write_text(order, member, members[member]).encode()}
        subject = {"subject": _subject(order)}
        parcels.append(Parcel(TARGET, files, subject, who, member.email, notes, own=member.name))
    return parcels


def write_letter(order: Order, parcel: Parcel, again: bool) -> EmailMessage:
    """Return the message of a scorecard; `again` says that it replaces an earlier one."""
    spoken = open_language(order.config.site.language)
    subject = parcel.fields["subject"]
    message = begin_letter(order, parcel.recipient, spoken.translate("Corrected: %s") % subject if again else subject)
    message["List-Unsubscribe"] = f"<mailto:{_leave(order)}?subject=unsubscribe>"
    message["Auto-Submitted"] = "auto-generated"
    text = parcel.files[_TEXT].decode()
    if again:
        said = spoken.translate("Results were corrected. This scorecard replaces the one you got before.")
        text = f"{said}\n\n{text}"
    message.set_content(text)
    return message


def _leave(order: Order) -> str:
    return order.config.deliver.mail.leave or order.config.deliver.sender or ""


def _subject(order: Order) -> str:
    date = order.page.date_text
    return f"{order.page.title}, {date}" if date else order.page.title


def _find_members(order: Order) -> dict[Member, list[Scorecard]]:
    """Return the members who played, with their scorecards."""
    players = _list_players(order)
    people = identify((("", player) for _, pair in players for player in pair), order.config.people.register)
    members: dict[Member, list[Scorecard]] = {}
    for card, pair in players:
        for person in (people.find(*player) for player in pair):
            if person and person.member and card not in members.setdefault(person.member, []):
                members[person.member].append(card)
    return members


def _list_players(order: Order) -> list[tuple[Scorecard, list[tuple[str, str]]]]:
    """Return each scorecard, with name and number of its players."""
    contestants = Contestants(order.shown)
    rows = fill_sections(order.shown.standings).select("contestant", "direction", "section").iter_rows()
    found = [contestants.find(*row) for row in rows]
    cards = {card.slug: card for card in order.page.scorecards}
    listed = order.session.contestants.rows_by_key("contestant", named=True, include_key=True)
    players = []
    for row, contestant in zip(order.session.standings.iter_rows(named=True), found, strict=True):
        # The names of the standings are those of the contestants, which also have the numbers.
        known = [entry for entry in listed.get(row["contestant"], []) if entry["names"] == row["names"]]
        numbers = known[0]["members"] if known else None
        if contestant and contestant.slug in cards:
            players.append((cards[contestant.slug], list(split_pair(row["names"], numbers))))
    return players


def _write_text(order: Order, member: Member, cards: Sequence[Scorecard]) -> str:
    spoken = open_language(order.config.site.language)
    return _open_template(spoken.code).render(
        name=member.name,
        page=order.page,
        cards=cards,
        tables=[_set_table(card, order.page.points_name, spoken) for card in cards],
        links=[_link(order, card) for card in cards],
        leave=_leave(order),
    )


@cache
def _open_template(code: str) -> Template:
    environment = open_templates("exchange", is_markup=False)
    add_language(environment, code)
    return environment.get_template("scorecard.txt.j2")


def _link(order: Order, card: Scorecard) -> str:
    pattern = order.config.deliver.mail.link
    if pattern is None:
        return ""
    date = (order.session.facts.date or "").replace(".", "-")
    return f"{pattern.replace('{evening}', order.slug).replace('{date}', quote(date))}{card.slug}/"


def _set_table(card: Scorecard, unit: str, spoken: Language) -> list[str]:
    """Return the boards of a scorecard in columns."""
    heads = ["Board", "Opponents", "Contract", "Score", unit, "%"]
    rows = [[spoken.translate(head) for head in heads], *(list(_cells(row, spoken)) for row in card.rows)]
    used = [at for at in range(len(heads)) if any(row[at] for row in rows[1:])]
    widths = {at: min(_WIDEST, max(len(row[at]) for row in rows)) for at in used}
    return ["  ".join(_fit(row[at], widths[at], right=at in _RIGHT) for at in used).rstrip() for row in rows]


def _cells(row: ScorecardRow, spoken: Language) -> Iterator[str]:
    contract = " ".join(filter(None, (row.contract.text, spoken.translate(row.declarer), row.result)))
    yield row.board
    yield f"{row.opponents.number} {row.opponents.names}".strip()
    yield spoken.translate_terms(contract if row.contract.text else spoken.translate(row.remark))
    yield row.score
    yield spoken.format_figure(row.points)
    yield spoken.format_figure(row.percentage)


def _fit(text: str, width: int, *, right: bool) -> str:
    cut = text if len(text) <= width else f"{text[: width - 1]}…"
    return cut.rjust(width) if right else cut.ljust(width)
