"""Pictures of shared links, as PNG: of the session with its winners, and of each board with its deal."""

import json
from typing import Any, Final

import typst

from overtrick.core.languages import Language, open_language
from overtrick.core.machine import resource
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.club_templates import Look
from overtrick.show.html.report_links import BOARD_PICTURE, SESSION_PICTURE
from overtrick.show.html.session_page import SessionPage
from overtrick.show.pdf.documents import open_fonts

_WINNERS: Final = 3
"""Rankings whose winners are on a session's picture."""


def draw_pictures(page: SessionPage, *, code: str, look: Look) -> dict[str, bytes]:
    """Return the pictures of a session by their paths: `picture.png`, 1200 by 630, and `board-7/picture.png`.

    Texts reach the typesetter as data, never as its source.
    """
    spoken = open_language(code)
    pictures = {SESSION_PICTURE: _draw("picture.typ", _list_winners(page, spoken), look, 72.0)[0]}
    boards = [board for board in page.boards if board.hands]
    if boards:
        drawn = _draw("board-picture.typ", [_list_cards(board, page, spoken) for board in boards], look, 72.0)
        names = (f"{board.slug}/{BOARD_PICTURE}" for board in boards)
        pictures |= dict(zip(names, drawn, strict=True))
    return pictures


def _draw(template: str, card: object, look: Look, ppi: float) -> list[bytes]:
    drawn: bytes | list[bytes] = typst.compile(  # type: ignore[call-overload]  # its stubs want one type for all
        resource("templates", "typst", template).read_bytes(),
        root=str(resource("templates", "typst")),
        format="png",
        ppi=ppi,
        font_paths=open_fonts(),
        sys_inputs={"all": json.dumps({"card": card, "accent": look.accent})},
    )
    return [drawn] if isinstance(drawn, bytes) else drawn


def _list_winners(page: SessionPage, spoken: Language) -> dict[str, Any]:
    firsts = [(ranking.title, ranking.rows[0]) for ranking in page.rankings[:_WINNERS] if ranking.rows]
    return {
        "club": page.club,
        "title": page.title,
        "date": page.date_text,
        "winners": [
            {
                "field": spoken.translate_phrase(title) if len(firsts) > 1 else "",
                "names": first.contestant.names,
                "score": spoken.format_figure(f"{first.percentage} %" if first.percentage else first.total),
            }
            for title, first in firsts
        ],
    }


def _list_cards(board: BoardPage, page: SessionPage, spoken: Language) -> dict[str, Any]:
    pars = [one.par for one in board.double_dummy if one.par]
    dealer, vulnerable = spoken.translate(board.dealer), spoken.translate(board.vulnerable_words)
    return {
        "title": spoken.format_board(board.number, is_deal=board.is_deal, order=board.order),
        "session": ", ".join(filter(None, (page.title, page.date_text))),
        "terms": f"{spoken.translate('Dealer')} {dealer} · {spoken.translate('Vul.')} {vulnerable}",
        "par": f"{spoken.translate('Par')} {spoken.translate_terms(pars[0])}" if pars else "",
        "hands": [[spoken.translate_ranks(holding.ranks) for holding in hand.suits] for hand in board.hands],
    }
