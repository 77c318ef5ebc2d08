"""Every problem that can be found: its severity, its sentence, its hint. The one place a message is written down.

A problem is data: a row of `frames.PROBLEMS`. Readers collect `Finding`s as they go; checks over columns call `report`.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from string import Formatter
from typing import Final

import polars as pl

from overtrick.frames import PROBLEMS, SEVERITY, conform, empty
from overtrick.problems import (
    archiving,
    auctions,
    bridgemate,
    corrections,
    csv,
    deal_files,
    deals,
    double_dummy,
    files,
    joining,
    lin_reading,
    lin_writing,
    matches,
    pbn_reading,
    pbn_standard,
    pbn_writing,
    plays,
    results,
    scoring,
    sessions,
    usebio,
)
from overtrick.problems.code import Code, Severity


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

_MOST_SHOWN: Final = 200
"""Characters of a value that a message quotes."""

_SUBJECTS: Final = (
    files,
    pbn_reading,
    pbn_standard,
    lin_reading,
    lin_writing,
    deal_files,
    deals,
    auctions,
    plays,
    double_dummy,
    results,
    sessions,
    corrections,
    scoring,
    matches,
    usebio,
    bridgemate,
    csv,
    joining,
    pbn_writing,
    archiving,
)

CODES: Final[dict[str, Code]] = {name: code for subject in _SUBJECTS for name, code in subject.CODES.items()}


def report_findings(findings: Iterable[Finding], source: str | None) -> pl.DataFrame:
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
            "message": CODES[f.code].sentence.format(**{name: _cropped(value) for name, value in f.values.items()}),
            "hint": CODES[f.code].hint,
        }
        for f in findings
    ]
    if not rows:
        return empty(PROBLEMS)
    return conform(PROBLEMS, pl.DataFrame(rows, infer_schema_length=None))


def _cropped(value: object) -> str:
    text = str(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def report(code: str, rows: pl.DataFrame) -> pl.DataFrame:
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
    values = [_quoted(pl.col(name).cast(pl.String).fill_null("?")) for name in names]
    # Polars panics where it formats a column of several chunks of which a filter has left one empty.
    return conform(
        PROBLEMS,
        rows.rechunk().with_columns(
            pl.lit(known.severity).alias("severity"),
            pl.lit(code).alias("code"),
            (pl.format(template, *values) if values else pl.lit(known.sentence)).alias("message"),
            pl.lit(known.hint).alias("hint"),
        ),
    )


def _quoted(value: pl.Expr) -> pl.Expr:
    cropped = value.str.head(_MOST_SHOWN) + "..."
    return pl.when(value.str.len_chars() > _MOST_SHOWN).then(cropped).otherwise(value)


def limit_each_code(problems: pl.DataFrame) -> pl.DataFrame:
    """Keep the first `MOST_OF_EACH` problems of each code in each source, in their order."""
    nth = pl.int_range(pl.len()).over("source", "code")
    return problems.filter(nth < MOST_OF_EACH)


def has_errors(problems: pl.DataFrame) -> bool:
    """Say whether any problem is an error."""
    return bool((problems["severity"] == "error").any())


def apply_strict(problems: pl.DataFrame) -> pl.DataFrame:
    """Make an error of every tolerance (`Code.tolerance`); what is well written and only odd stays as it is."""
    refused = pl.col("code").is_in([name for name, code in CODES.items() if code.tolerance])
    severity = pl.when(refused).then(pl.lit("error", SEVERITY)).otherwise("severity")
    return problems.with_columns(severity.alias("severity"))


def match_codes(pattern: str) -> list[str]:
    """Name the codes that a pattern stands for: one code, or several with `*` in place of any letters."""
    return [name for name in CODES if fnmatchcase(name, pattern)]


def apply_checks(
    problems: pl.DataFrame, only: Collection[str] | None, silence: Collection[str], severity: Mapping[str, Severity]
) -> pl.DataFrame:
    """Leave problems out and change their severity, by patterns of their codes; what tells of a loss stays.

    Args:
        problems: `frames.PROBLEMS`.
        only: patterns of those that are told; None for all.
        silence: patterns of those that are not told.
        severity: by pattern; the last one that fits a code holds.
    """
    losses = {name for name, code in CODES.items() if code.is_loss}
    told = set(CODES) if only is None else _all_matching(only)
    told = (told - _all_matching(silence)) | losses
    changed = {
        name: level for pattern, level in severity.items() for name in match_codes(pattern) if name not in losses
    }
    kept = problems if len(told) == len(CODES) else problems.filter(pl.col("code").is_in(list(told)))
    levels = kept["code"].replace_strict(changed, default=None, return_dtype=SEVERITY)
    return kept.with_columns(pl.coalesce(levels, "severity").alias("severity"))


def _all_matching(patterns: Iterable[str]) -> set[str]:
    return {name for pattern in patterns for name in match_codes(pattern)}
