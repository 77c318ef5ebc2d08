"""The picture that goes with a shared link: who won, on a card of 1200 by 630."""

import json
from typing import Final

from overtrick.machine import resource
from overtrick.render.context import SessionPage
from overtrick.render.languages import language

PICTURE_NAME: Final = "picture.png"
_WINNERS: Final = 3


def session_picture(page: SessionPage, *, code: str = "en") -> bytes:
    """Draw the picture as PNG: club, title, date and the winners of up to three rankings.

    Texts reach the typesetter as data, never as its source.
    """
    import typst  # noqa: PLC0415 - the typesetter is slow to load

    spoken = language(code)
    first = [(ranking.title, ranking.rows[0]) for ranking in page.rankings[:_WINNERS] if ranking.rows]
    card = {
        "club": page.club,
        "title": page.title,
        "date": page.date_text,
        "winners": [
            {
                "names": row.contestant.names,
                "score": spoken.figure(f"{row.percentage} %" if row.percentage else row.total),
            }
            for _, row in first
        ],
    }
    return typst.compile(  # type: ignore[call-overload, no-any-return]  # its stubs want one type for source and root
        resource("templates", "typst", "picture.typ").read_bytes(),
        root=str(resource("templates", "typst")),
        format="png",
        ppi=72.0,
        ignore_system_fonts=True,
        sys_inputs={"card": json.dumps(card)},
    )
