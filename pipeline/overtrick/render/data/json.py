"""JSON documents of a session. Each is one object, with one row per line so that `diff` can compare two runs.

Numbers are numbers; unknown values are `null`.
"""

import json
from typing import Final

import polars as pl

from overtrick import __version__
from overtrick.bridge.methods import method_named
from overtrick.config import Config
from overtrick.frames import Session
from overtrick.notation import clean
from overtrick.render.changes import list_changes
from overtrick.render.data.rows import (
    count_boards,
    count_tables,
    list_analysis,
    list_matches,
    list_problems,
    list_results,
    list_sheets,
    list_standings,
)
from overtrick.render.display import find_provisional_end, format_date, shorten_paths

SESSION_FILE: Final = "session.json"
"""The document of a published session, in the folder of its site."""


def write_check_json(session: Session) -> str:
    """Return what was read and its problems.

    The object has `files` (read), `records` (games in them), `boards` (different board numbers) and `problems`, with
    the rows of `rows.list_problems`.
    """
    return _write_object(
        {
            "files": json.dumps(session.sources.height),
            "records": json.dumps(session.records.height),
            "boards": json.dumps(count_boards(session)),
            "problems": _write_rows(list_problems(session)),
        }
    )


def write_score_json(session: Session) -> str:
    """Return a scored session.

    The object has `session` (`event site date scoring method boards tables policies`: `scoring` as the file states it,
    `method` as it was scored, `policies` the rules that were applied), then `standings`, `results` and `problems` with
    the rows of `rows`; also `matches` where there are any, and `sheets` for rubber-type games.
    """
    return _write_object(
        {
            "session": json.dumps(_describe(session), ensure_ascii=False),
            **_write_lists(session),
            "problems": _write_rows(list_problems(session)),
        }
    )


def write_session_json(session: Session, config: Config, folder: str = "") -> str:
    """Return a published session, the `session.json` of its site.

    As `write_score_json` without the problems. It has `schema` too (1; new keys may be added under that number, but
    none changes), and in `session` also `title`, `club`, `final`, `provisional_until`, `corrections` (each `date`,
    `text`; those of the corrections file also `law`), `sources` (`name` and `sha256` of each file) and `generator`.
    `docs/session.schema.json` is its JSON Schema.
    """
    names = shorten_paths(session.sources["source"].to_list())
    digests = session.sources.select("source", "sha256").iter_rows()
    date, _ = format_date(session.facts.date)
    about = {
        "title": clean(session.facts.event) or clean(session.facts.site) or None,
        "club": config.club.name,
        **_describe(session),
        "final": config.site.final,
        "provisional_until": find_provisional_end(date, config.site.provisional_days) or None,
        "corrections": [
            *({"date": one.date, "text": one.text} for one in config.site.corrected(folder)),
            *({"date": one.day, "text": one.text, "law": one.law or None} for one in list_changes(session.corrections)),
        ],
        "sources": [{"name": names[source], "sha256": digest} for source, digest in digests],
        "generator": f"overtrick {__version__}",
    }
    return _write_object(
        {
            "schema": "1",
            "session": json.dumps(about, ensure_ascii=False),
            **_write_lists(session),
        }
    )


def _describe(session: Session) -> dict[str, object]:
    facts = session.facts
    return {
        "event": facts.event,
        "site": facts.site,
        "date": facts.date,
        "scoring": facts.scoring,
        "method": facts.method,
        "boards": count_boards(session),
        "tables": count_tables(session),
        "policies": facts.policies,
    }


def _write_lists(session: Session) -> dict[str, str]:
    """Return the lists of standings and results, and those of matches and score sheets if the method has them.

    Where the session was analysed, each result has its `analysis`, and `deals` lists the deal of each board.
    """
    results = list_results(session)
    lists = {}
    if not session.analysis.is_empty():
        results = results.with_columns(list_analysis(session))
        deals = session.records.select("board", "deal").drop_nulls().unique(maintain_order=True)
        lists["deals"] = _write_rows(deals)
    lists |= {"standings": _write_rows(list_standings(session)), "results": _write_rows(results)}
    if method_named(session.facts.method).of_teams or not session.matches.is_empty():
        lists["matches"] = _write_rows(list_matches(session))
    if method_named(session.facts.method).sheet:
        lists["sheets"] = _write_rows(list_sheets(session))
    return lists


def write_rows_json(rows: pl.DataFrame) -> str:
    """Return rows as a list of objects."""
    return _write_rows(rows) + "\n"


def _write_object(members: dict[str, str]) -> str:
    return "{\n" + ",\n".join(f'"{key}": {value}' for key, value in members.items()) + "\n}\n"


def _write_rows(frame: pl.DataFrame) -> str:
    # Every newline that polars writes ends a row: newlines within texts are escaped.
    rows = frame.write_ndjson().rstrip("\n").replace("\n", ",\n")
    return f"[\n{rows}\n]" if rows else "[]"
