"""The link "Report an error" of each page, with the evening, the board and the pair filled in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from overtrick.core.languages import Language
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.scorecards import Scorecard
from overtrick.show.html.session_page import SessionPage

SESSION_PICTURE: Final = "picture.png"
BOARD_PICTURE: Final = "picture.png"
"""Name of a board's picture in its folder."""


@dataclass(frozen=True)
class Shared:
    """The description of a page for programs that show links."""

    title: str
    description: str
    picture: str
    """Path from the site's root; the page names it only if it is there."""
    width: int = 1200
    height: int = 630


def share_session(page: SessionPage, spoken: Language) -> Shared:
    """Return what a link to a session shows: who won, and how many boards there were."""
    boards = spoken.format_count(int(page.board_count), "%(num)s board", "%(num)s boards")
    first = page.rankings[0].rows[0] if page.rankings and page.rankings[0].rows else None
    if first is None:
        return Shared(_title(page), boards, SESSION_PICTURE)
    score = spoken.format_figure(f"{first.percentage} %" if first.percentage else first.total)
    text = f"{spoken.translate('1st')} {first.contestant.names} {score}; {boards}"
    return Shared(_title(page), text, SESSION_PICTURE)


def share_board(page: SessionPage, board: BoardPage, spoken: Language) -> Shared:
    """Return what a link to a board shows: dealer, vulnerability, par and the most frequent result."""
    pars = (spoken.translate_terms(table.par) for table in board.double_dummy[:1] if table.par)
    facts = [
        f"{spoken.translate('Dealer')} {spoken.translate(board.dealer)}",
        f"{spoken.translate('Vulnerable')}: {spoken.translate(board.vulnerable_words)}",
        *(f"{spoken.translate('Par')} {par}" for par in pars),
    ]
    heading = spoken.format_board(board.number, is_deal=board.is_deal, order=board.order)
    return Shared(f"{heading} · {_title(page)}", "; ".join(facts), f"{board.slug}/{BOARD_PICTURE}", 600, 315)


def share_card(page: SessionPage, card: Scorecard, spoken: Language) -> Shared:
    """Return what a link to a scorecard shows: place and score."""
    score = f"{card.percentage} %" if card.percentage else f"{card.total} {spoken.translate(page.total_name)}"
    place = {"place": spoken.format_ordinal(card.rank), "count": card.of} if card.of else {}
    rank = spoken.translate("%(place)s of %(count)s") % place if place else ""
    facts = (rank, spoken.format_figure(score) if card.total else "")
    return Shared(f"{card.contestant.names} · {_title(page)}", ", ".join(filter(None, facts)), SESSION_PICTURE)


def _title(page: SessionPage) -> str:
    return ", ".join(filter(None, (page.title, page.date_text)))


_LABELS: Final = {"evening": "Evening", "board": "Board", "pair": "Pair", "page": "Page"}
_OPEN: Final = "{pair}"


@dataclass(frozen=True)
class ReportLink:
    """A link that reports an error.

    Attributes:
        href: the address.
        with_pair: the same with `%7Bpair%7D` in the place of the pair, for a reader whose pair the page knows; empty
            if the pair is filled in already.
    """

    href: str
    with_pair: str = ""


def make_report_link(page: SessionPage, path: str, values: Mapping[str, Any], spoken: Language) -> ReportLink | None:
    """Return the link of a page of a session; None if the settings name no contact.

    Args:
        page: the session.
        path: of the page, from the root of the site.
        values: what the page is about: `board`, `one` (a table's auction and play), `card`.
        spoken: the language of the page.
    """
    about = {
        "evening": page.title,
        "date": page.date_text,
        "board": values["board"].number if "board" in values else "",
        "pair": _name_pair(values),
        "page": f"{page.address}{path.removesuffix('index.html')}" if page.address else path,
    }
    return fill_contact(page.contact, about, spoken)


def fill_contact(contact: str, about: Mapping[str, str], spoken: Language) -> ReportLink | None:
    """Return the link for what a page is about: `evening date board pair page`, each of which may be empty."""
    if not contact:
        return None
    href = _fill(contact, about, spoken)
    return ReportLink(href) if about["pair"] else ReportLink(href, _fill(contact, {**about, "pair": _OPEN}, spoken))


def _name_pair(values: Mapping[str, Any]) -> str:
    if "card" in values:
        contestant = values["card"].contestant
        return " ".join(part for part in (contestant.number, contestant.names) if part)
    return str(values["one"].heading) if "one" in values else ""


def _fill(contact: str, about: Mapping[str, str], spoken: Language) -> str:
    if contact.startswith(("http:", "https:")):
        return _fill_form(contact, about)
    evening = ", ".join(part for part in (about["evening"], about["date"]) if part)
    board = spoken.format_board(about["board"]) if about["board"] else ""
    subject = ": ".join(part for part in (evening, ", ".join(text for text in (board, about["pair"]) if text)) if part)
    texts = {**about, "evening": evening}
    lines = [f"{spoken.translate(label)}: {texts[key]}" for key, label in _LABELS.items()]
    body = "\r\n".join([*lines, "", f"{spoken.translate('What is wrong')}: "])
    return f"mailto:{contact.removeprefix('mailto:')}?subject={quote(subject, safe='')}&body={quote(body, safe='')}"


def _fill_form(address: str, about: Mapping[str, str]) -> str:
    quoted = {key: quote(value, safe="") for key, value in about.items()}
    if any(f"{{{key}}}" in address for key in about):
        for key, value in quoted.items():
            address = address.replace(f"{{{key}}}", value)
        return address
    address, mark, fragment = address.partition("#")
    query = "&".join(f"{key}={value}" for key, value in quoted.items())
    return f"{address}{'&' if '?' in address else '?'}{query}{mark}{fragment}"
