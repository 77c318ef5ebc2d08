"""The codes of all problems, each with its severity, sentence and hint, and the functions that report problems.

A problem is data: a row of `frames.PROBLEMS`. A reader collects a `Finding` for each problem and reports them together
with `report_findings`; a check of columns passes the rows at fault to `report`. All message texts are in the modules
of this package, one for each subject.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from string import Formatter
from typing import Final

import polars as pl

from overtrick.frames import PROBLEMS, SEVERITY, conform, empty
from overtrick.plugins import Fault, find
from overtrick.problems import corrections, exchange, files, lin, other_formats, pbn, pbn_standard, play, session
from overtrick.problems.code import Code, Severity


@dataclass(frozen=True)
class Finding:
    """One problem that a reader found, before the name of its file is known.

    Attributes:
        code: a key of `CODES`.
        line, column: its place in the file, from 1.
        record, board, table: the row of `frames.RECORDS`, the board and the table that it concerns.
        values: what fills the placeholders in the code's sentence.
    """

    code: str
    line: int | None = None
    column: int | None = None
    record: int | None = None
    board: str | None = None
    table: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)


SUBJECTS: Final[dict[str, Mapping[str, Code]]] = {
    "Files and archives": files.CODES,
    "Deals, auctions and play": play.CODES,
    "Results and scoring": session.CODES,
    "Corrections": corrections.CODES,
    "Reading and writing PBN": pbn.CODES,
    "The PBN standard": pbn_standard.CODES,
    "Reading and writing LIN": lin.CODES,
    "USEBIO, Bridgemate, CSV and dealing machines": other_formats.CODES,
    "Tables, spreadsheets and files of other programs": exchange.CODES,
}
"""The codes by subject, under the headings of `docs/problems.md`."""


class _Codes(dict[str, Code]):
    """The codes of overtrick, and those of plugins from the first time that another one is asked for."""

    def __missing__(self, code: str) -> Code:
        load_plugin_codes()
        if code in self:
            return self[code]
        raise KeyError(code)


CODES: Final[dict[str, Code]] = _Codes({name: code for codes in SUBJECTS.values() for name, code in codes.items()})


@cache
def load_plugin_codes() -> tuple[Fault, ...]:
    """Add the codes of plugins (`overtrick.problems`) to `CODES`; return the plugins that cannot be used."""
    found = find("overtrick.problems")
    faults = list(found.faults)
    for name, codes in found.loaded:
        sound = isinstance(codes, Mapping) and all(isinstance(code, Code) for code in codes.values())
        if not sound or any(code in CODES for code in codes):
            reason = "a code is already taken" if sound else "expected a mapping from names to Code"
            faults.append(Fault(f"overtrick.problems:{name}", reason))
        else:
            CODES.update(codes)
    return tuple(faults)


def report_faults(faults: Iterable[Fault]) -> pl.DataFrame:
    """Report plugins that are skipped."""
    values = ({"name": fault.name, "reason": fault.reason} for fault in faults)
    return report_findings([Finding("plugin-skipped", values=one) for one in values], None)


MOST_OF_EACH: Final = 1000
"""The number of problems that `limit_each_code` keeps of each code in each source."""

MOST_LISTED: Final = 100_000
"""The number of findings of each code that `report_findings` lists of one file."""

_MOST_SHOWN: Final = 200
"""The number of characters of a value that a message quotes."""


def report_findings(findings: Iterable[Finding], source: str | None) -> pl.DataFrame:
    """Report the findings of one file, in the order given.

    Args:
        findings: the problems that a reader collected.
        source: the name of the file; None for problems of no file.

    Returns:
        A frame of `frames.PROBLEMS`, one row for each finding. Of each code the first `MOST_LISTED` are listed, and
        `file-problems-cut` counts the others.
    """
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
        for f in _cut_each_code(findings)
    ]
    if not rows:
        return empty(PROBLEMS)
    return conform(PROBLEMS, pl.DataFrame(rows, infer_schema_length=None))


def _cut_each_code(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the first `MOST_LISTED` findings of each code, then one for those of a code that are left out."""
    seen: dict[str, int] = {}
    first_cut: dict[str, Finding] = {}
    for finding in findings:
        count = seen[finding.code] = seen.get(finding.code, 0) + 1
        if count <= MOST_LISTED:
            yield finding
        else:
            first_cut.setdefault(finding.code, finding)
    for code, finding in first_cut.items():
        values = {"code": code, "left": seen[code] - MOST_LISTED}
        yield Finding("file-problems-cut", finding.line, finding.column, values=values)


def _cropped(value: object) -> str:
    text = str(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def report(code: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Report one problem for each row.

    Args:
        code: a key of `CODES`.
        rows: the rows at fault. They have a column for each placeholder in the code's sentence, where a null value
            reads as `?`, and those of `source line column record board table` that are known.

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
    """Return the first `MOST_OF_EACH` problems of each code in each source, in the order given."""
    nth = pl.int_range(pl.len()).over("source", "code")
    return problems.filter(nth < MOST_OF_EACH)


def has_errors(problems: pl.DataFrame) -> bool:
    """Return whether any problem is an error."""
    return bool((problems["severity"] == "error").any())


def apply_strict(problems: pl.DataFrame) -> pl.DataFrame:
    """Return the problems with severity error for every tolerance (`Code.tolerance`); the others stay unchanged."""
    refused = pl.col("code").is_in([name for name, code in CODES.items() if code.tolerance])
    severity = pl.when(refused).then(pl.lit("error", SEVERITY)).otherwise("severity")
    return problems.with_columns(severity.alias("severity"))


def match_codes(pattern: str) -> list[str]:
    """Return the codes that match a pattern: a code, or several with wildcards such as `*`, as in file names."""
    matched = [name for name in CODES if fnmatchcase(name, pattern)]
    if not matched:
        load_plugin_codes()
        matched = [name for name in CODES if fnmatchcase(name, pattern)]
    return matched


def apply_checks(
    problems: pl.DataFrame, only: Collection[str] | None, silence: Collection[str], severity: Mapping[str, Severity]
) -> pl.DataFrame:
    """Apply the club's [checks] settings to the problems.

    Problems that tell of a loss (`Code.is_loss`) always stay, with their severity.

    Args:
        problems: a frame of `frames.PROBLEMS`.
        only: patterns of the codes to keep; None keeps all.
        silence: patterns of the codes to leave out.
        severity: the new severity by pattern. If several patterns match a code, the last one applies.

    Returns:
        A frame of `frames.PROBLEMS`.
    """
    losses = {name for name, code in CODES.items() if code.is_loss}
    wanted = set(CODES) if only is None else _match_any(only)
    wanted = (wanted - _match_any(silence)) | losses
    changed = {
        name: level for pattern, level in severity.items() for name in match_codes(pattern) if name not in losses
    }
    kept = problems if len(wanted) == len(CODES) else problems.filter(pl.col("code").is_in(list(wanted)))
    levels = kept["code"].replace_strict(changed, default=None, return_dtype=SEVERITY)
    return kept.with_columns(pl.coalesce(levels, "severity").alias("severity"))


def _match_any(patterns: Iterable[str]) -> set[str]:
    return {name for pattern in patterns for name in match_codes(pattern)}
