"""Small frames written as a scorer would say them: what tests of scoring, ranking and pages feed on."""

from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from overtrick.core.frames import CONTESTANTS, RECORDS, RESULTS, Facts, Schema, Session, conform, empty

Row = Mapping[str, object]


def frame(schema: Schema, rows: Iterable[Row]) -> pl.DataFrame:
    """Make a frame of that schema from rows that name only some of its columns."""
    table = [dict(row) for row in rows]
    if unknown := {name for row in table for name in row} - set(schema):
        raise KeyError(sorted(unknown))
    return conform(schema, pl.DataFrame(table, infer_schema_length=None)) if table else empty(schema)


def results(*rows: Row) -> pl.DataFrame:
    """Make results as a reader leaves them: played, at one table, in the first record, unless a row says otherwise."""
    usual = {"record": 0, "source": "evening.pbn", "status": "played", "multiplicity": 1}
    return frame(RESULTS, [{**usual, "line": line, **row} for line, row in enumerate(rows, start=1)])


def traveller(board: int, scores: Sequence[int | str], **columns: object) -> list[Row]:
    """Write the results of one board, a table a score: N-S pairs 1, 2, 3 ... against E-W pairs 101, 102, 103 ...

    A score is in points for N-S; a text is an artificial score such as `A+`, or two such as `A+ A-` (N-S, then E-W), or
    `not played`.
    """
    return [
        {"board": board, "table": str(table), "ns": str(table), "ew": str(100 + table), **_outcome(score), **columns}
        for table, score in enumerate(scores, start=1)
    ]


def _outcome(score: int | str) -> Row:
    if isinstance(score, int):
        return {"stated_score_ns": score}
    if score == "not played":
        return {"status": score}
    ns, _, ew = score.partition(" ")
    return {"status": "adjusted", "award_ns": ns, "award_ew": ew or ns}


def session(
    *rows: Row, scoring: str | None = None, contestants: Iterable[Row] = (), records: Iterable[Row] = ()
) -> Session:
    """Make a session of results; without `records` they all stand in one record that asks for `scoring`."""
    stated = list(records) or [{"record": 0, "source": "evening.pbn", "line": 1, "scoring": scoring}]
    return Session(
        records=frame(RECORDS, stated),
        results=results(*rows),
        contestants=frame(CONTESTANTS, contestants),
        facts=Facts(scoring=scoring),
    )
