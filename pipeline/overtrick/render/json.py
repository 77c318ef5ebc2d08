"""JSON documents of a session. Each is one object; rows stand one a line, so that two runs can be compared with `diff`.

Numbers are numbers; what is not known is `null`.
"""

import json

import polars as pl

from overtrick.bridge.methods import SHEET_METHODS, TEAM_METHODS
from overtrick.frames import Session
from overtrick.render.rows import (
    board_count,
    matches_rows,
    problem_rows,
    results_rows,
    sheets_rows,
    standings_rows,
    table_count,
)


def check_document(session: Session) -> str:
    """Write what was read and what is wrong with it.

    The object has `files` (read), `records` (games in them), `boards` (different board numbers) and `problems`, whose
    rows are those of `render.rows.problem_rows`.
    """
    return _document(
        {
            "files": json.dumps(session.sources.height),
            "records": json.dumps(session.records.height),
            "boards": json.dumps(board_count(session)),
            "problems": _rows(problem_rows(session)),
        }
    )


def score_document(session: Session) -> str:
    """Write a scored session.

    The object has `session` (`event site date scoring method boards tables policies`: `scoring` as the file states it,
    `method` as it was scored, `policies` the rules that were applied), then `standings`, `results` and `problems`,
    whose rows are those of `render.rows`; of teams also `matches`, of rubber-type games also `sheets`.
    """
    facts = session.facts
    about = {
        "event": facts.event,
        "site": facts.site,
        "date": facts.date,
        "scoring": facts.scoring,
        "method": facts.method,
        "boards": board_count(session),
        "tables": table_count(session),
        "policies": facts.policies,
    }
    members = {
        "session": json.dumps(about, ensure_ascii=False),
        "standings": _rows(standings_rows(session)),
        "results": _rows(results_rows(session)),
    }
    if session.facts.method in TEAM_METHODS:
        members["matches"] = _rows(matches_rows(session))
    if session.facts.method in SHEET_METHODS:
        members["sheets"] = _rows(sheets_rows(session))
    return _document({**members, "problems": _rows(problem_rows(session))})


def rows_document(rows: pl.DataFrame) -> str:
    """Write rows as one list of objects."""
    return _rows(rows) + "\n"


def _document(members: dict[str, str]) -> str:
    return "{\n" + ",\n".join(f'"{key}": {value}' for key, value in members.items()) + "\n}\n"


def _rows(frame: pl.DataFrame) -> str:
    # Every newline that polars writes ends a row: those within a text are escaped.
    rows = frame.write_ndjson().rstrip("\n").replace("\n", ",\n")
    return f"[\n{rows}\n]" if rows else "[]"
