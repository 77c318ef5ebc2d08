"""JSON documents of a session. Each is one object, with one row per line so that `diff` can compare two runs.

Numbers are numbers; unknown values are `null`.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

import polars as pl

from overtrick import __version__
from overtrick.bridge.methods import method_named
from overtrick.config import Config
from overtrick.frames import Session
from overtrick.notation import clean
from overtrick.render.data.rows import (
    count_boards,
    count_tables,
    list_analysis,
    list_deals,
    list_matches,
    list_problems,
    list_results,
    list_sheets,
    list_standings,
)
from overtrick.render.display import shorten_paths

if TYPE_CHECKING:
    from overtrick.render.publications import History


def write_check_json(session: Session) -> str:
    """Return what was read and its problems.

    The object has `files` (read), `records` (games in them), `boards` (different board numbers) and `problems`, with
    the rows of `rows.list_problems`.
    """
    return write_object(
        {
            "files": json.dumps(session.sources.height),
            "records": json.dumps(session.records.height),
            "boards": json.dumps(count_boards(session)),
            "problems": write_rows(list_problems(session)),
        }
    )


def write_score_json(session: Session) -> str:
    """Return a scored session.

    The object has `session` (`event site date scoring method boards tables policies`: `scoring` as the file states it,
    `method` as it was scored, `policies` the rules that were applied), then `standings`, `results` and `problems` with
    the rows of `rows`; also `matches` where there are any, and `sheets` for rubber-type games.
    """
    return write_object(write_score_json_parts(session))


def write_score_json_parts(session: Session) -> dict[str, str]:
    """Return the members of `write_score_json`, each as JSON."""
    return {
        "session": json.dumps(describe_session(session), ensure_ascii=False),
        **_write_lists(session, list_results(session)),
        "problems": write_rows(list_problems(session)),
    }


def write_session_json(
    session: Session,
    config: Config,
    folder: str = "",
    history: "History | None" = None,
    beside: Mapping[str, object] | None = None,
) -> str:
    """Return a published session, the `session.json` of its site.

    As `write_score_json` without the problems. It has `schema` too (1; new keys may be added under that number, but
    none changes), and in `session` also `title`, `club`, `final`, `provisional_until`, `published`, `corrections` (each
    `date`, `text`; those of the corrections file also `law` and more), `publications` (what each one changed),
    `sources` (`name` and `sha256` of each file) and `generator`; and `deals`. `beside` adds further keys, such as the
    `boards` and the words of `embed`. `docs/session.schema.json` is its JSON
    Schema.
    """
    from overtrick.render.publications import (  # noqa: PLC0415 - `score` publishes nothing
        History,
        describe_entries,
        describe_publications,
        list_published_results,
    )

    history = history or History()
    names = shorten_paths(session.sources["source"].to_list())
    digests = session.sources.select("source", "sha256").iter_rows()
    about = {
        "title": clean(session.facts.event) or clean(session.facts.site) or None,
        "club": config.club.name,
        **describe_session(session),
        "final": history.finality.final,
        "provisional_until": history.finality.iso or None,
        "published": history.finality.published,
        "corrections": [
            *({"date": one.date, "text": one.text} for one in config.site.corrected(folder)),
            *describe_entries(session),
        ],
        "publications": describe_publications(history.publications),
        "sources": [{"name": names[source], "sha256": digest} for source, digest in digests],
        "generator": f"overtrick {__version__}",
    }
    return write_object(
        {
            "schema": "1",
            "session": json.dumps(about, ensure_ascii=False),
            **_write_lists(session, list_published_results(session)),
            "deals": write_rows(list_deals(session)),
            **{key: json.dumps(value, ensure_ascii=False) for key, value in (beside or {}).items()},
        }
    )


def describe_session(session: Session) -> dict[str, object]:
    """Return what a scored session says of itself."""
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


def _write_lists(session: Session, results: pl.DataFrame) -> dict[str, str]:
    """Return the lists of standings and results, and those of matches and score sheets if the method has them.

    Where the session was analysed, each result has its `analysis`, and `deals` lists the deal of each board.
    """
    lists = {}
    if not session.analysis.is_empty():
        results = results.with_columns(list_analysis(session))
        deals = session.records.select("board", "deal").drop_nulls().unique(maintain_order=True)
        lists["deals"] = write_rows(deals)
    lists |= {"standings": write_rows(list_standings(session)), "results": write_rows(results)}
    if method_named(session.facts.method).of_teams or not session.matches.is_empty():
        lists["matches"] = write_rows(list_matches(session))
    if method_named(session.facts.method).sheet:
        lists["sheets"] = write_rows(list_sheets(session))
    return lists


def write_rows_json(rows: pl.DataFrame) -> str:
    """Return rows as a list of objects."""
    return write_rows(rows) + "\n"


def write_object(members: dict[str, str]) -> str:
    """Return an object of members that are JSON already, one on a line."""
    return "{\n" + ",\n".join(f'"{key}": {value}' for key, value in members.items()) + "\n}\n"


def write_rows(frame: pl.DataFrame) -> str:
    """Return a list of objects, one on a line."""
    # Every newline that polars writes ends a row: newlines within texts are escaped.
    rows = frame.write_ndjson().rstrip("\n").replace("\n", ",\n")
    return f"[\n{rows}\n]" if rows else "[]"
