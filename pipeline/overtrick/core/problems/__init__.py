"""The codes of all problems, each with its severity, sentence and hint, and the functions that report problems.

A problem is data: a row of `frames.PROBLEMS`, and `report` makes all of them. A check of columns passes it the rows at
fault. A reader collects a `Finding` for each problem, and `report_findings` passes them on, code by code. All message
texts are in `problems.toml` beside this module, which is read when a code is first asked for.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, reduce
from pathlib import Path
from string import Formatter
from typing import Any, Final, Literal

import polars as pl

from overtrick.core.frames import PROBLEMS, SEVERITY, Column, Problems, Records, Schema, conform, empty
from overtrick.core.plugins import Fault, find

Severity = Literal["error", "warning", "info"]

Kind = Literal["session", "match", "play", "bidding", "lesson", "practice"]
KINDS: Final[dict[str, str]] = {
    "session": "session",
    "match": "match",
    "play": "play of one table",
    "bidding": "auctions to learn from",
    "lesson": "lesson",
    "practice": "practice deals",
}
"""The kinds of files, by what judges them (`judge.validate.kinds`), with their names for people."""

TABLE: Final = Path(__file__).with_name("problems.toml")
"""The file with the codes of overtrick; its head describes the keys."""


@dataclass(frozen=True)
class Code:
    """The fixed part of a problem.

    Attributes:
        severity: a contract. "error": overtrick leaves something out of the scoring, or it cannot have happened at a
            table by the Laws. "warning": overtrick keeps it and marks it. "info": nothing changes.
        sentence: the message, with `{placeholders}` that the row at fault fills.
        hint: what a scorer can do.
        rule: the Law or the section of the format's description that the problem breaks, if any.
        tolerance: whether overtrick accepts something that the rule forbids. Strict checking makes it an error.
        habit: the one note for a file most of whose boards have the problem (`fold_habits`); empty to report each.
        habit_severity: the severity of that note.
        kinds: the `KINDS` of files for which it is reported; empty for all. Strict checking reports it for all.
        cases: the code for each way in which the problem comes, by name, if it has several: each with its own sentence,
            hint and rule, and the rest alike. `report("movement-differs/board", ...)` names one.
    """

    severity: Severity
    sentence: str = ""
    hint: str = ""
    rule: str = ""
    tolerance: bool = False
    habit: str = ""
    habit_severity: Severity = "info"
    kinds: Collection[str] = ()
    cases: Mapping[str, "Code"] = field(default_factory=dict)

    @property
    def texts(self) -> tuple["Code", ...]:
        """All that have a sentence: the cases, or the code itself."""
        return tuple(self.cases.values()) or (self,)

    @property
    def is_loss(self) -> bool:
        """Whether the problem reports something that is left out. Settings cannot silence it."""
        return self.severity == "error" and not self.tolerance


@dataclass(frozen=True)
class Finding:
    """One problem that a reader found, before the name of its file is known.

    Attributes:
        code: a key of `CODES`, with its case if it has several: `movement-differs/board`.
        line, column: its place in the file, from 1.
        record, board, table: the row of `frames.RECORDS`, the board and the table that it concerns.
        values: what fills the placeholders in the code's sentence; None reads as `?`.
    """

    code: str
    line: int | None = None
    column: int | None = None
    record: int | None = None
    board: str | None = None
    table: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)


FINDINGS: Final[Schema] = PROBLEMS | {
    "part": Column(
        pl.String,
        "what it is about: a column of the record (`records.deal`), of the result at that line (`results.tricks`), or a"
        " fact of the session (`facts.scoring`)",
    ),
    "index": Column(pl.Int64, "the entry of `records.calls` or `records.cards`; for a fact the record that states it"),
}
"""Problems that a check found in frames: `files.formats.locate.locate_findings` finds their places in the files."""

ABOUT_RECORD: Final = ("record", "source", "board")
"""The columns of a problem about its record; `board` is the label."""


def list_subjects() -> dict[str, dict[str, Code]]:
    """Return the codes of overtrick by subject, under the headings of `docs/problems.md`."""
    import tomllib  # noqa: PLC0415 - a run without problems needs no texts

    subjects = tomllib.loads(TABLE.read_text("utf-8"))["problems"]
    return {subject.pop("about"): {name: _make(code) for name, code in subject.items()} for subject in subjects}


def _make(row: dict[str, Any]) -> Code:
    """Return a code of the table; the tables in its row are its cases."""
    cases = {name: row.pop(name) for name in list(row) if isinstance(row[name], dict)}
    return Code(**row, cases={name: Code(**row, **case) for name, case in cases.items()})


class _Codes(Mapping[str, Code]):
    """The codes of overtrick, from the first time that one is asked for, and then those of plugins.

    Plugins are asked when a code is not known.
    """

    def __init__(self) -> None:
        self._loaded: dict[str, Code] = {}

    def _all(self) -> dict[str, Code]:
        if not self._loaded:
            # In one step, and the same in every thread: a second thread that comes here takes nothing away.
            self._loaded.update({name: code for codes in list_subjects().values() for name, code in codes.items()})
        return self._loaded

    def __getitem__(self, name: str) -> Code:
        if name not in self:
            load_plugin_codes()
        return self._all()[name]

    def __contains__(self, name: object) -> bool:
        return name in self._all()

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def add(self, codes: Mapping[str, Code]) -> None:
        """Add the codes of a plugin."""
        self._all().update(codes)


CODES: Final = _Codes()


def _find(code: str) -> tuple[str, Code]:
    """Return the key of `CODES` and what to say of a problem: `movement-differs/board` is a case of its code."""
    name, _, case = code.partition("/")
    known = CODES[name]
    return name, known.cases[case] if case or known.cases else known


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
            CODES.add(codes)
    return tuple(faults)


def report_faults(faults: Iterable[Fault]) -> pl.DataFrame:
    """Report plugins that are skipped."""
    return report_findings([Finding("plugin-skipped", values=fault._asdict()) for fault in faults], None)


MOST_OF_EACH: Final = 1000
"""The number of problems that `limit_each_code` keeps of each code in each source."""

MOST_LISTED: Final = 100_000
"""The number of findings of each code that `report_findings` lists of one file."""

_MOST_SHOWN: Final = 200
"""The number of characters of a value that a message quotes."""

_PLACE: Final = ("line", "column", "record", "board", "table")
"""The columns of a `Finding` about its place, as in `frames.PROBLEMS`."""


def report_findings(findings: Iterable[Finding], source: str | None) -> pl.DataFrame:
    """Report the findings of one file, in the order given.

    Args:
        findings: the problems that a reader collected.
        source: the name of the file; None for problems of no file.

    Returns:
        A frame of `frames.PROBLEMS`, one row for each finding. Of each code the first `MOST_LISTED` are listed, and
        `file-problems-cut` counts the others.
    """
    places: dict[str, list[int]] = {}
    listed = list(_cut_each_code(findings))
    for place, finding in enumerate(listed):
        places.setdefault(finding.code, []).append(place)
    if not listed:
        return empty(PROBLEMS)
    reported = [_report_code(code, [listed[place] for place in of_code], source) for code, of_code in places.items()]
    order = pl.Series([place for of_code in places.values() for place in of_code]).arg_sort()
    return reduce(pl.DataFrame.vstack, reported)[order]


def _report_code(code: str, found: Sequence[Finding], source: str | None) -> pl.DataFrame:
    """Report findings of one code."""
    rows = pl.DataFrame({"source": source} | {name: [getattr(finding, name) for finding in found] for name in _PLACE})
    texts = {
        name: [None if (value := finding.values[name]) is None else str(value) for finding in found]
        for name in _placeholders(_find(code)[1].sentence)
    }
    values = pl.DataFrame(texts, schema=dict.fromkeys(texts, pl.String))
    return report(code, rows, values=values)


def _cut_each_code(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the first `MOST_LISTED` findings of each code, then one for those of a code that are left out."""
    seen: dict[str, int] = {}
    first_cut: dict[str, Finding] = {}
    for finding in findings:
        code = finding.code.partition("/")[0]
        count = seen[code] = seen.get(code, 0) + 1
        if count <= MOST_LISTED:
            yield finding
        else:
            first_cut.setdefault(code, finding)
    for code, finding in first_cut.items():
        values = {"code": code, "left": seen[code] - MOST_LISTED}
        yield Finding("file-problems-cut", finding.line, finding.column, values=values)


def report(
    code: str, rows: pl.DataFrame, part: str | None = None, *, values: pl.DataFrame | None = None
) -> pl.DataFrame:
    """Report one problem for each row.

    Args:
        code: a key of `CODES`, with its case if it has several: `movement-differs/board`.
        rows: the rows at fault, with those columns of `source line column record board table` that are known; with a
            part also its `index`, if it has one.
        part: what the problems are about, as in `FINDINGS`; None if the rows have their places.
        values: a column for each placeholder in the code's sentence, where a null value reads as `?`; None if they are
            columns of `rows`.

    Returns:
        A frame of `frames.PROBLEMS`, or of `FINDINGS` with a part, in the order of `rows`.
    """
    if rows.is_empty():
        return empty(PROBLEMS)
    name, known = _find(code)
    constants = {"severity": known.severity, "code": name, "message": known.sentence, "hint": known.hint, "part": part}
    columns = rows.to_dict()
    columns |= {column: pl.Series([text]).new_from_index(0, rows.height) for column, text in constants.items()}
    if _placeholders(known.sentence):
        columns["message"] = _fill(known.sentence, rows if values is None else values)
    return conform(FINDINGS if part else PROBLEMS, pl.DataFrame(columns))


def _fill(sentence: str, values: pl.DataFrame) -> pl.Series:
    """Return a sentence with each row's values in its placeholders; long values are cropped."""
    names, template = _placeholders(sentence), sentence
    for name in names:
        template = template.replace(f"{{{name}}}", "{}", 1)
    texts = (pl.col(name).cast(pl.String).fill_null("?") for name in names)
    quoted = [
        pl.when(text.str.len_chars() > _MOST_SHOWN).then(text.str.head(_MOST_SHOWN) + "...").otherwise(text)
        for text in texts
    ]
    # Polars panics where it formats a column of several chunks of which a filter has left one empty.
    return values.rechunk().select(pl.format(template, *quoted)).to_series()


def _placeholders(sentence: str) -> list[str]:
    """Return the names of a sentence's placeholders in their order; one that comes twice is there twice."""
    return [name for _, name, _, _ in Formatter().parse(sentence) if name]


def concat_problems(frames: Iterable[pl.DataFrame]) -> Problems:
    """Put frames of `frames.PROBLEMS` and of `FINDINGS` below each other; what only some of them have is null."""
    found = [frame for frame in frames if not frame.is_empty()]
    return pl.concat(found, how="diagonal") if found else empty(PROBLEMS)


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


def leave_to_kinds(problems: Problems, kinds: Mapping[str, str]) -> pl.DataFrame:
    """Return the problems without those that a scorer of such a file does not care about (`Code.kinds`).

    Args:
        problems: a frame of `frames.PROBLEMS`.
        kinds: the kind of each file, one of `KINDS`.
    """
    if problems.is_empty():
        return problems
    unasked = [
        (source, name)
        for name, code in CODES.items()
        if code.kinds
        for source, kind in kinds.items()
        if kind not in code.kinds
    ]
    unasked_of = pl.DataFrame(unasked, schema={"source": pl.String, "code": pl.String}, orient="row")
    return problems.join(unasked_of, on=["source", "code"], how="anti", maintain_order="left")


_LEAST_BOARDS: Final = 5
"""Boards with a problem from which it can be a habit of a file."""


def fold_habits(problems: Problems, records: Records) -> pl.DataFrame:
    """Return the problems with one note in place of each that more than half of the boards of a file have.

    Only codes with a `Code.habit` are folded. An example: the dealer of 30 of 40 practice deals is South.

    Args:
        problems: a frame of `frames.PROBLEMS`.
        records: of the session.
    """
    if problems.height < _LEAST_BOARDS:
        return problems
    habits = {name: code.habit for name, code in CODES.items() if code.habit}
    found = problems.with_row_index("row").filter(pl.col("code").is_in(list(habits)), pl.col("record").is_not_null())
    if found.height < _LEAST_BOARDS:
        return problems
    by = ["source", "code"]
    counted = found.with_columns(pl.col("record").n_unique().over(by).alias("count"))
    counted = counted.join(records.group_by("source").len("of"), on="source", how="left", maintain_order="left")
    most = counted.filter(pl.col("count") >= _LEAST_BOARDS, 2 * pl.col("count") > pl.col("of"))
    notes = [
        first.with_columns(
            pl.lit(CODES[code].habit_severity, SEVERITY).alias("severity"),
            _fill(habits[code], first).alias("message"),
            pl.lit(None, pl.String).alias("board"),
        )
        for (code,), first in most.unique(by, keep="first", maintain_order=True).group_by("code")
    ]
    others = problems.with_row_index("row").join(most.select("row"), on="row", how="anti")
    columns = ["row", *PROBLEMS]
    return pl.concat([others.select(columns), *(note.select(columns) for note in notes)]).sort("row").drop("row")


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

    Problems that report a loss (`Code.is_loss`) always stay, with their severity.

    Args:
        problems: a frame of `frames.PROBLEMS`.
        only: patterns of the codes to keep; None keeps all.
        silence: patterns of the codes to leave out.
        severity: the new severity by pattern. If several patterns match a code, the last one applies.

    Returns:
        A frame of `frames.PROBLEMS`.
    """
    if problems.is_empty():
        return problems
    losses = {name for name, code in CODES.items() if code.is_loss}
    wanted = set(CODES) if only is None else _match_any(only)
    wanted = (wanted - _match_any(silence)) | losses
    changed = {
        name: level for pattern, level in severity.items() for name in match_codes(pattern) if name not in losses
    }
    shown = problems if len(wanted) == len(CODES) else problems.filter(pl.col("code").is_in(list(wanted)))
    levels = shown["code"].replace_strict(changed, default=None, return_dtype=SEVERITY)
    return shown.with_columns(pl.coalesce(levels, "severity").alias("severity"))


def _match_any(patterns: Iterable[str]) -> set[str]:
    return {name for pattern in patterns for name in match_codes(pattern)}
