"""Every problem that can be found: its severity, its sentence, its hint. The one place a message is written down.

A problem is data: a row of `frames.PROBLEMS`. Readers collect `Finding`s as they go; checks over columns call `found`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Final

import polars as pl

from overtrick.frames import PROBLEMS, SEVERITY, conform, empty
from overtrick.problems import deals, files, lin_reading, pbn_reading, pbn_standard, pbn_writing, results, scoring
from overtrick.problems.code import Code


@dataclass(frozen=True)
class Finding:
    """One problem found while reading, before its file name is known."""

    code: str
    line: int | None = None
    column: int | None = None
    record: int | None = None
    board: str | None = None
    table: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)


MOST_OF_EACH: Final = 1000
"""Problems of one code in one source that are kept where there may be any number of them."""

_SUBJECTS: Final = (files, pbn_reading, pbn_standard, lin_reading, deals, results, scoring, pbn_writing)

CODES: Final[dict[str, Code]] = {name: code for subject in _SUBJECTS for name, code in subject.CODES.items()}


def findings_frame(findings: Iterable[Finding], source: str | None) -> pl.DataFrame:
    """Turn findings of one file into rows of `frames.PROBLEMS`, in the order found."""
    rows = [
        {
            "severity": CODES[f.code].severity,
            "code": f.code,
            "source": source,
            "line": f.line,
            "column": f.column,
            "record": f.record,
            "board": f.board,
            "table": f.table,
            "message": CODES[f.code].sentence.format(**f.values),
            "hint": CODES[f.code].hint,
        }
        for f in findings
    ]
    if not rows:
        return empty(PROBLEMS)
    return conform(PROBLEMS, pl.DataFrame(rows, infer_schema_length=None))


def found(code: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Make one problem a row.

    Args:
        code: a key of `CODES`.
        rows: the rows at fault, with whichever of `source line column record board table` is known and a column for
            each name in the code's sentence. A null value reads as `?`.

    Returns:
        A frame of `frames.PROBLEMS`, in the order of `rows`.
    """
    if rows.is_empty():
        return empty(PROBLEMS)
    known = CODES[code]
    names = [name for _, name, _, _ in Formatter().parse(known.sentence) if name]
    template = known.sentence
    for name in names:
        template = template.replace(f"{{{name}}}", "{}", 1)
    values = [pl.col(name).cast(pl.String).fill_null("?") for name in names]
    return conform(
        PROBLEMS,
        rows.with_columns(
            pl.lit(known.severity).alias("severity"),
            pl.lit(code).alias("code"),
            (pl.format(template, *values) if values else pl.lit(known.sentence)).alias("message"),
            pl.lit(known.hint).alias("hint"),
        ),
    )


def first_of_each(problems: pl.DataFrame) -> pl.DataFrame:
    """Keep the first `MOST_OF_EACH` problems of each code in each source, in their order."""
    nth = pl.int_range(pl.len()).over("source", "code")
    return problems.filter(nth < MOST_OF_EACH)


def has_errors(problems: pl.DataFrame) -> bool:
    """Say whether any problem is an error."""
    return bool((problems["severity"] == "error").any())


def stricter(problems: pl.DataFrame) -> pl.DataFrame:
    """Make an error of every tolerance (`Code.tolerance`); what is well written and only odd stays as it is."""
    refused = pl.col("code").is_in([name for name, code in CODES.items() if code.tolerance])
    severity = pl.when(refused).then(pl.lit("error", SEVERITY)).otherwise("severity")
    return problems.with_columns(severity.alias("severity"))
