"""Several evenings, each scored by itself, as one document."""

import json
from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Literal

import polars as pl

from overtrick.core.frames import Session
from overtrick.files.assemble.together import name_of_evening
from overtrick.files.formats.session_rows import (
    describe_session,
    list_matches,
    list_problems,
    list_results,
    list_sheets,
    list_standings,
    write_csv,
    write_object,
    write_rows,
)
from overtrick.show.data.json import list_analysis

_LISTERS = {"standings": list_standings, "results": list_results, "matches": list_matches, "sheets": list_sheets}


def name_evenings(evenings: Sequence[Session]) -> list[str]:
    """Return a name for each evening: that of its first file of results, with its date where two are alike."""
    first = [next(iter([*one.results["source"], *one.sources["source"]]), "") for one in evenings]
    names = [name_of_evening(Path(source)) for source in first]
    alike = Counter(names)
    return [
        f"{name} {one.facts.date or number}" if alike[name] > 1 else name
        for number, (name, one) in enumerate(zip(names, evenings, strict=True), start=1)
    ]


def join_problems(evenings: Sequence[Session]) -> Session:
    """Return a session with the files, records and problems of all evenings, to list and to count."""
    return Session(
        sources=pl.concat([one.sources for one in evenings]),
        records=pl.concat([one.records for one in evenings]),
        problems=pl.concat([one.problems for one in evenings]),
    )


def data_of_evenings(
    evenings: Sequence[Session], names: Sequence[str], form: Literal["csv", "json", "parquet"], rows: str | None
) -> bytes:
    """Return evenings as one data file, in which each row has the name of its evening in the column `evening`.

    JSON has the keys of a single session, and `evenings`: what each session says of itself. Its `session` has only what
    all of them have in common.
    """
    listed = {
        name: pl.concat([_named(lister(one), label) for one, label in zip(evenings, names, strict=True)])
        for name, lister in _LISTERS.items()
    }
    if form == "json":
        described = [describe_session(one) for one in evenings]
        shared = {
            key: value if all(one[key] == value for one in described) else None for key, value in described[0].items()
        }
        own = [{"evening": name, **one} for name, one in zip(names, described, strict=True)]
        analysed = [one for one in evenings if not one.analysis.is_empty()]
        if len(analysed) == len(evenings):
            parts = [list_results(one).with_columns(list_analysis(one)) for one in evenings]
            listed["results"] = pl.concat([_named(part, label) for part, label in zip(parts, names, strict=True)])
        several = [name for name in ("matches", "sheets") if len(listed[name])]
        members = {"session": json.dumps(shared, ensure_ascii=False), "evenings": json.dumps(own, ensure_ascii=False)}
        members |= {name: write_rows(listed[name]) for name in ("standings", "results", *several)}
        problems = write_rows(list_problems(join_problems(evenings)))
        return write_object({**members, "problems": problems}).encode()
    asked = listed[rows or ("results" if form == "parquet" else "standings")]
    if form == "csv":
        return write_csv(asked).encode()
    buffer = BytesIO()
    asked.write_parquet(buffer)
    return buffer.getvalue()


def _named(rows: pl.DataFrame, evening: str) -> pl.DataFrame:
    return rows.select(pl.lit(evening).alias("evening"), pl.all())
