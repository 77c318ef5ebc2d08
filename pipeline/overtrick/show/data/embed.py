"""The data that other websites show: of a session beside its `session.json`, and of a season."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.languages import Language
from overtrick.core.notation import is_number
from overtrick.files.formats.session_rows import list_standings
from overtrick.show.history.publications import list_published_results
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.season_page import SeasonPage
from overtrick.show.html.session_page import SessionPage
from overtrick.show.text.display import FIELDS

SESSION_SCRIPT: Final = "session.js"
SEASON_FILE: Final = "season.json"
SEASON_SCRIPT: Final = "season.js"
PEOPLE_SCRIPT: Final = "people.js"

_STANDINGS: Final = ("ranking", "rank", "rank_last", "contestant", "names", "total", "percentage")
_RESULTS: Final = ("board", "ns", "ew", "contract", "declarer", "tricks", "score_ns", "percentage_ns")
_WORDS: Final = {"dealer": "Dealer", "vulnerable": "Vul.", "par": "Par", "results": "Results"}


def describe_boards(boards: Iterable[BoardPage], deals: Mapping[str, str], spoken: Language) -> list[dict[str, object]]:
    """Return each board for `session.json`: its number, page, dealer, vulnerability, deal and par, in words to read.

    Args:
        boards: of the session.
        deals: the deal of each board in PBN, by its key.
        spoken: the language.
    """
    return [
        {
            "number": int(board.number) if is_number(board.number) else board.number,
            **(
                {"evening": board.evening, "board": int(board.stated)}
                if board.evening and is_number(board.stated)
                else {}
            ),
            "title": spoken.format_board(board.number, is_deal=board.is_deal, order=board.order),
            "page": f"{board.slug}/index.html",
            "dealer": None if board.dealer == "unknown" else spoken.translate(board.dealer),
            "vulnerable": None if board.vulnerable == "unknown" else spoken.translate(board.vulnerable_words),
            "deal": deals.get(board.key),
            "par": next((spoken.translate_terms(table.par) for table in board.double_dummy if table.par), None),
        }
        for board in boards
    ]


def describe_words(page: SessionPage, spoken: Language) -> dict[str, object]:
    """Return the words that other websites show, in the language of the pages, and the names of the contestants."""
    words = {key: spoken.translate(text) for key, text in _WORDS.items()}
    words |= {seat: spoken.translate(seat) for seat in "NESW"}
    words |= {name: spoken.translate(title) for name, title in FIELDS.items()}
    words |= {ranking.name: spoken.translate_phrase(ranking.title) for ranking in page.rankings}
    return {"language": spoken.code, "words": words, "names": page.sides}


def write_session_script(session: Session, page: SessionPage, boards: list[dict[str, object]], spoken: Language) -> str:
    """Return what `embed.js` reads where it may not read `session.json`: a part of it, as a script."""
    data = {
        "session": {"title": page.title, "date": page.date or None, "club": page.club or None},
        "standings": _list(list_standings(session), _STANDINGS),
        "results": _list_results(session),
        "boards": boards,
        "embed": describe_words(page, spoken),
    }
    return _wrap(data)


def write_season(page: SeasonPage) -> dict[str, str]:
    """Return the sessions of a season, the latest first, as JSON and as a script, by file name."""
    sessions = [
        {
            "title": session.title,
            "folder": session.folder,
            "date": session.day or None,
            "date_text": session.date_text,
            "winners": [{"names": winner.names, "percentage": winner.percentage or None} for winner in session.winners],
        }
        for session in page.sessions
    ]
    data = {"schema": 1, "title": page.title, "sessions": sessions}
    text = json.dumps(data, ensure_ascii=False, indent=1)
    return {SEASON_FILE: f"{text}\n", SEASON_SCRIPT: _wrap(data)}


def write_spellings(spellings: Mapping[str, str]) -> str:
    """Return the pages of players as a script, by which the pages of evenings link to them.

    So a new player's page changes no page of an evening.
    """
    return f"window.overtrickPeople = {json.dumps(spellings, indent=0)};\n"


def _list_results(session: Session) -> list[dict[str, Any]]:
    """Return the results; their sections and evenings only where there are several."""
    rows = list_published_results(session)
    several = [name for name in ("evening", "section") if name in rows.columns and not rows[name].is_null().all()]
    return _list(rows, (*several, *_RESULTS))


def _list(frame: pl.DataFrame, columns: Iterable[str]) -> list[dict[str, Any]]:
    return frame.select(columns).to_dicts()


def _wrap(data: object) -> str:
    # A page that does not state its encoding reads a script as Latin letters, so the script is ASCII alone.
    text = json.dumps(data, separators=(",", ":"))
    return f"(window.overtrickData ||= {{}})[document.currentScript.src] = {text};\n"
