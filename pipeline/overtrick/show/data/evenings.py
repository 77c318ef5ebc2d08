"""Several evenings, each scored by itself, as one document."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from overtrick.core.frames import Session
from overtrick.files.assemble.together import name_of_evening
from overtrick.files.formats.session_rows import describe_session, list_problems, list_results, write_object, write_rows
from overtrick.show.data.documents import LISTERS, write_table
from overtrick.show.data.downloads import list_analysis
from overtrick.show.data.file_names import DataFormat


def name_evenings(evenings: Sequence[Session]) -> list[str]:
    """Return a name for each evening: that of its first file of results, with its date where two are alike."""
    first = [next(iter([*evening.results["source"], *evening.sources["source"]]), "") for evening in evenings]
    names = [name_of_evening(Path(source)) for source in first]
    alike = Counter(names)
    return [
        f"{name} {evening.facts.date or number}" if alike[name] > 1 else name
        for number, (name, evening) in enumerate(zip(names, evenings, strict=True), start=1)
    ]


def join_problems(evenings: Sequence[Session]) -> Session:
    """Return a session with the files, records and problems of all evenings, to list and to count."""
    return Session(
        sources=pl.concat([evening.sources for evening in evenings]),
        records=pl.concat([evening.records for evening in evenings]),
        problems=pl.concat([evening.problems for evening in evenings]),
    )


def data_of_evenings(evenings: Sequence[Session], names: Sequence[str], form: DataFormat, rows: str | None) -> bytes:
    """Return evenings as one data file, in which each row has the name of its evening in the column `evening`.

    JSON has the keys of a single session, and `evenings`: what each session says of itself. Its `session` has only what
    all of them have in common.
    """
    together = list(zip(evenings, names, strict=True))

    def join(lister: Callable[[Session], pl.DataFrame]) -> pl.DataFrame:
        named = (lister(session).select(pl.lit(name).alias("evening"), pl.all()) for session, name in together)
        return pl.concat(named)

    if form != "json":
        return write_table({name: partial(join, lister) for name, lister in LISTERS.items()}, form, rows)
    return _write_json(evenings, names, join).encode()


def _write_json(
    evenings: Sequence[Session], names: Sequence[str], join: Callable[[Callable[[Session], pl.DataFrame]], pl.DataFrame]
) -> str:
    listed = {name: join(lister) for name, lister in LISTERS.items()}
    if not any(session.analysis.is_empty() for session in evenings):
        listed["results"] = join(lambda session: list_results(session).with_columns(list_analysis(session)))
    several = [name for name in ("matches", "sheets") if len(listed[name])]
    described = [describe_session(session) for session in evenings]
    named = [{"evening": name, **about} for name, about in zip(names, described, strict=True)]
    members = {
        "session": json.dumps(_find_shared(described), ensure_ascii=False),
        "evenings": json.dumps(named, ensure_ascii=False),
        **{name: write_rows(listed[name]) for name in ("standings", "results", *several)},
        "problems": write_rows(list_problems(join_problems(evenings))),
    }
    return write_object(members)


def _find_shared(described: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the values that all sessions have in common, None for the others."""
    first = described[0]
    return {key: value if all(about[key] == value for about in described) else None for key, value in first.items()}
