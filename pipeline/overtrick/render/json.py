"""JSON documents of a session. Each is one object; rows stand one a line, so that two runs can be compared with `diff`.

Numbers are numbers; what is not known is `null`.
"""

import json

import polars as pl

from overtrick import __version__
from overtrick.bridge.methods import method_named
from overtrick.config import Config
from overtrick.frames import Session
from overtrick.notation import clean
from overtrick.render.rows import (
    board_count,
    matches_rows,
    problem_rows,
    results_rows,
    sheets_rows,
    standings_rows,
    table_count,
)
from overtrick.render.text import date_texts, file_names, provisional_until


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
    whose rows are those of `render.rows`; where there are matches also `matches`, of rubber-type games also `sheets`.
    """
    return _document(
        {
            "session": json.dumps(_about(session), ensure_ascii=False),
            **_lists(session),
            "problems": _rows(problem_rows(session)),
        }
    )


def session_document(session: Session, config: Config, folder: str = "") -> str:
    """Write a published session, the `session.json` beside its pages.

    As `score_document`, but for its problems, and with `schema` (1; more keys may come, none will change under that
    number) and in `session` also `title`, `club`, `final`, `provisional_until`, `corrections` (each `date`, `text`),
    `sources` (`name` and `sha256` of each file) and `generator`. `docs/session.schema.json` says it as a JSON Schema.
    """
    names = file_names(session.sources["source"].to_list())
    digests = session.sources.select("source", "sha256").iter_rows()
    about = {
        "title": clean(session.facts.event) or clean(session.facts.site) or None,
        "club": config.club.name,
        **_about(session),
        "final": config.site.final,
        "provisional_until": provisional_until(date_texts(session.facts.date)[0], config.site.provisional_days) or None,
        "corrections": [{"date": one.date, "text": one.text} for one in config.site.corrected(folder)],
        "sources": [{"name": names[source], "sha256": digest} for source, digest in digests],
        "generator": f"overtrick {__version__}",
    }
    return _document(
        {
            "schema": "1",
            "session": json.dumps(about, ensure_ascii=False),
            **_lists(session),
        }
    )


def _about(session: Session) -> dict[str, object]:
    facts = session.facts
    return {
        "event": facts.event,
        "site": facts.site,
        "date": facts.date,
        "scoring": facts.scoring,
        "method": facts.method,
        "boards": board_count(session),
        "tables": table_count(session),
        "policies": facts.policies,
    }


def _lists(session: Session) -> dict[str, str]:
    """Write the standings, the results, and what the method has besides."""
    lists = {"standings": _rows(standings_rows(session)), "results": _rows(results_rows(session))}
    if method_named(session.facts.method).of_teams or not session.matches.is_empty():
        lists["matches"] = _rows(matches_rows(session))
    if method_named(session.facts.method).sheet:
        lists["sheets"] = _rows(sheets_rows(session))
    return lists


def rows_document(rows: pl.DataFrame) -> str:
    """Write rows as one list of objects."""
    return _rows(rows) + "\n"


def _document(members: dict[str, str]) -> str:
    return "{\n" + ",\n".join(f'"{key}": {value}' for key, value in members.items()) + "\n}\n"


def _rows(frame: pl.DataFrame) -> str:
    # Every newline that polars writes ends a row: those within a text are escaped.
    rows = frame.write_ndjson().rstrip("\n").replace("\n", ",\n")
    return f"[\n{rows}\n]" if rows else "[]"
