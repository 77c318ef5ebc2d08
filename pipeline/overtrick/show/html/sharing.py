"""What a shared link shows of a page: a title, a description in one line, and a picture."""

from dataclasses import dataclass
from typing import Final

from overtrick.core.languages import Language
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.scorecards import Scorecard
from overtrick.show.html.session_page import SessionPage

SESSION_PICTURE: Final = "picture.png"
BOARD_PICTURE: Final = "picture.png"
"""Name of a board's picture in its folder."""


@dataclass(frozen=True)
class Shared:
    """What programs that show links read of a page."""

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
    facts = [
        f"{spoken.translate('Dealer')} {spoken.translate(board.dealer)}",
        f"{spoken.translate('Vulnerable')}: {spoken.translate(board.vulnerable_words)}",
        *(f"{spoken.translate('Par')} {spoken.translate_terms(one.par)}" for one in board.double_dummy[:1] if one.par),
    ]
    heading = spoken.format_board(board.number, is_deal=board.is_deal, order=board.order)
    return Shared(f"{heading} · {_title(page)}", "; ".join(facts), f"{board.slug}/{BOARD_PICTURE}", 600, 315)


def share_card(page: SessionPage, card: Scorecard, spoken: Language) -> Shared:
    """Return what a link to a scorecard shows: place and score."""
    score = f"{card.percentage} %" if card.percentage else f"{card.total} {spoken.translate(page.total_name)}"
    facts = [
        spoken.translate("%(place)s of %(count)s") % {"place": spoken.format_ordinal(card.rank), "count": card.of}
        if card.of
        else "",
        spoken.format_figure(score) if card.total else "",
    ]
    return Shared(f"{card.contestant.names} · {_title(page)}", ", ".join(filter(None, facts)), SESSION_PICTURE)


def _title(page: SessionPage) -> str:
    return ", ".join(filter(None, (page.title, page.date_text)))
