"""Every problem that can be found: its severity, its sentence, its hint. The one place a message is written down.

A problem is data: a row of `frames.PROBLEMS`. Readers collect `Finding`s as they go; checks over columns call `found`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Final, Literal

import polars as pl

from overtrick.frames import PROBLEMS, SEVERITY, conform, empty

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True)
class Code:
    """What is fixed about a problem: `{names}` in the sentence are filled from the row that has it.

    Severity is a contract: error = what it names is left out of the scoring; warning = kept and marked; info = nothing
    changed. `rule` names the Law or the section of the format's description that it comes from. `tolerance` marks what
    a file does against the description of its format and is understood all the same: strict checking refuses it.
    """

    severity: Severity
    sentence: str
    hint: str
    rule: str = ""
    tolerance: bool = False


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


CODES: Final[dict[str, Code]] = {
    # files
    "file-unreadable": Code(
        "error",
        "the file can't be read: {reason}",
        "Check that the file exists, that it is a file and that you may open it.",
    ),
    "file-empty": Code("warning", "the file is empty", "Export it again from the program that wrote it."),
    "file-binary": Code(
        "error",
        "this is not a text file",
        "Give the PBN file itself; programs often offer it as 'Export' or 'Save as PBN'.",
    ),
    "file-no-games": Code(
        "warning",
        "no games were found",
        'Check that this is the right file or folder: a PBN file holds lines such as [Board "1"].',
    ),
    # scoring and ranking
    "scoring-unsupported": Code(
        "warning",
        '[Scoring "{asked}"] can\'t be done here: results keep their scores but get no points and no ranking',
        "Choose a method yourself, for example: --method butler, --method cross-imps or --method matchpoints.",
        rule="PBN 3.4.12",
    ),
    "scoring-mixed": Code(
        "warning",
        "the session asks for several scorings ({asked}): all of it is scored as {used}",
        "If these are several sessions, score them one by one; otherwise choose with --method.",
        rule="PBN 3.4.12",
    ),
    "board-fouled": Code(
        "warning",
        "board {board} was played in {forms} forms (cards or vulnerability differ): each is compared only with itself",
        "Score files of different sessions one by one; if a deal or a vulnerability is a slip, mend it in the file.",
        rule="Law 87",
    ),
    "award-unscored": Code(
        "error",
        "the adjusted score {award} means nothing at {method}: that side earns nothing on the board",
        "Matchpoints take A+, A, A- or a percentage from 0% to 100%; IMPs take A+, A, A- or 60%, 50%, 40%.",
        rule="Law 12C2",
    ),
    "datum-mismatch": Code(
        "warning",
        "the file states datum {stated_datum}, the scores give {datum}; the latter is used",
        "Programs leave out different scores: try other values of datum and datum_ties under [scoring] in club.toml.",
    ),
    "points-mismatch": Code(
        "warning",
        "{ns} against {ew}: the file states {stated} for N-S and E-W, scoring gives {computed}; the latter is used",
        "The program that wrote the file may follow other rules; those of this run are listed with the results.",
    ),
    "total-mismatch": Code(
        "warning",
        "{contestant}: the file states {what} {stated}, adding up gives {computed}; the latter is used",
        "Some programs round each line first: try line_rounding = 0.1 under [scoring]. Penalties are not known here.",
    ),
    # deals and boards
    "deal-hand-size": Code(
        "error",
        "board {board}: {seat} has {cards} cards instead of 13; the board is not scored",
        "Correct the Deal tag, or write - for a hand that is not known.",
        "Laws 1 and 6",
    ),
    "deal-duplicate-card": Code(
        "error",
        "board {board}: {card} is in {first} and in {second}; the board is not scored",
        "Correct the Deal tag.",
        "Law 1",
    ),
    "deal-end-position": Code(
        "info", "board {board}: the hands have {cards} cards each: an end position", "Nothing to do.", "PBN 3.10"
    ),
    "board-dealer": Code(
        "warning",
        "board {board}: the file says that {stated} deals, by its number it is {expected}; the file's dealer counts",
        "Check the board number and the dealer.",
        "Law 2",
    ),
    "board-vulnerability": Code(
        "warning",
        "board {board}: the file says vulnerable {stated}, by its number it is {expected}; the file's counts",
        "Check the board number and the vulnerability; scores follow the file.",
        "Law 2",
    ),
    # results
    "result-unknown": Code(
        "warning",
        "board {board}: {contract} by {declarer} has no known result and is not scored",
        "Enter declarer's tricks.",
        "PBN 3.4.15",
    ),
    "score-mismatch": Code(
        "warning",
        "board {board}: {contract} by {declarer} with {tricks} tricks is {law} for N-S, the file says"
        " {stated_score_ns}; the file's score counts",
        "Check contract, declarer, tricks and score of this result.",
        "Law 77",
    ),
    "score-mismatch-vulnerability": Code(
        "warning",
        "board {board}: {contract} by {declarer} with {tricks} tricks is {law} for N-S, the file says"
        " {stated_score_ns}, which is right for declarer {fits}; the file's score counts",
        "Check the vulnerability of this board and the score of this result.",
        "Law 77",
    ),
    # reading PBN
    "pbn-byte-order-mark": Code(
        "info",
        "the file begins with a byte order mark ({encoding})",
        "Nothing to do.",
        "PBN 2.2",
        tolerance=True,
    ),
    "pbn-tag-unquoted": Code(
        "warning",
        'tag {name} has no value in quotes; it is read as "{text}"',
        'Write the value in double quotes, such as [Event "Tuesday Pairs"].',
        "PBN 3.1",
        tolerance=True,
    ),
    "pbn-tag-unclosed": Code(
        "error",
        "tag {name} is not closed; its value is read up to the end of the line",
        'A tag ends with a double quote and a bracket: "].',
        "PBN 3.1",
    ),
    "pbn-tag-broken": Code("error", "this is no tag: {text}", 'A tag looks like [Board "1"].', "PBN 3.1"),
    "pbn-comment-unclosed": Code(
        "error",
        "a comment is opened with a brace and never closed; it is taken to end before the next tag",
        "Close the comment with }.",
        "PBN 3.8",
    ),
    "pbn-string-unclosed": Code(
        "error", "a double quote is never closed on this line", "Close the text with a second double quote.", "PBN 3.2"
    ),
    "pbn-stray-text": Code(
        "warning",
        "this text belongs to no section and is passed over: {text}",
        "Remove it, or put it in a comment between { and }.",
        "PBN 5.1",
        tolerance=True,
    ),
    "pbn-tag-repeated": Code(
        "warning",
        "tag {name} stands twice in one game; the first one counts",
        "Remove one of the two.",
        "PBN 3.3",
        tolerance=True,
    ),
    "pbn-inherit-nothing": Code(
        "warning",
        '[{name} "#"] repeats the value of the game before, but none has this tag; it is unknown',
        "Write the value itself.",
        "PBN 4.8",
        tolerance=True,
    ),
    "pbn-inherit-forbidden": Code(
        "error", "tag {name} can't be inherited with #; it is unknown", "Write the value itself.", "PBN 4.8"
    ),
    "pbn-board-left-out": Code(
        "info",
        "this game states a result but no board; it is taken to be of the same board as the game before",
        "Nothing to do if it is the other room's result.",
        "PBN 4.8",
        tolerance=True,
    ),
    "pbn-tag-value": Code(
        "error", '[{name} "{value}"] can\'t be read: expected {expected}', "Correct the value.", "PBN 3.4"
    ),
    "pbn-board-number": Code(
        "error",
        '[{name} "{value}"] is no board number: expected {expected}; the board is not scored',
        "Number the boards 1, 2, 3, ...",
        "PBN 3.4.4",
    ),
    "pbn-spelling": Code(
        "warning",
        '[{name} "{value}"] is not written as the standard asks; it is understood',
        "Nothing to do, unless another program refuses the file.",
        "PBN 3.4",
        tolerance=True,
    ),
    "pbn-deal": Code(
        "error",
        "the deal can't be read: {fault}",
        "A deal looks like N:AK2.QJ3.987.T654 and three more hands, a space between; - for a hand not known.",
        "PBN 3.4.11",
    ),
    "pbn-deal-spacing": Code(
        "warning",
        "the deal has {fault}",
        "Write one space between two hands.",
        "PBN 3.4.11",
        tolerance=True,
    ),
    "pbn-table-header": Code(
        "error",
        '[{name} "{value}"] is no table header; the table is passed over',
        "A header names the columns with ; between, such as PairId_NS;PairId_EW;Contract;Declarer;Result.",
        "PBN 5.2",
    ),
    "pbn-table-names": Code(
        "info",
        "the names in this row can't be told apart and are left out: {text}",
        "Put each pair's names in double quotes.",
        "PBN 5.1",
        tolerance=True,
    ),
    "pbn-table-row": Code(
        "error",
        "expected {expected} cells in a row of this table, got {got}: {text}",
        "Write a cell for each column, - where there is nothing; put a cell that holds a space in double quotes.",
        "PBN 5.1",
    ),
    "pbn-call-unknown": Code(
        "warning",
        "{text} is no call",
        "Calls are Pass, X, XX, AP and bids such as 1C or 3NT.",
        "PBN 3.5",
        tolerance=True,
    ),
    "pbn-card-unknown": Code(
        "warning",
        "{text} is no card",
        "A card is a suit and a rank, such as SA or HT.",
        "PBN 3.6",
        tolerance=True,
    ),
    # writing PBN in export form
    "pbn-export-value": Code(
        "warning",
        '[{name} "{value}"] has no place in export form: "{written}" is written, and the value in a comment',
        "Correct the value, or keep the file in the form it has.",
        "PBN 3.4",
    ),
    "pbn-export-kept": Code(
        "warning",
        "{fault}: the section is written as it stands, which is not export form",
        "Correct the section, or keep the file in the form it has.",
        "PBN 2.1",
    ),
    "pbn-export-character": Code(
        "warning",
        "export form has no such characters: {characters}; others are written for them",
        "Keep the file in the form it has if names must stay as they are.",
        "PBN 2.2",
    ),
    "pbn-export-line": Code(
        "warning",
        "a line of {length} characters can't be broken; export form allows 253 and the line's end",
        "Shorten the value; other programs may cut it.",
        "PBN 2.3",
    ),
    "pbn-export-stray": Code(
        "info",
        "this text belongs to no section and is written as a comment: {text}",
        "Nothing to do.",
        "PBN 5.1",
    ),
}


def findings_frame(findings: Iterable[Finding], source: str) -> pl.DataFrame:
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


def has_errors(problems: pl.DataFrame) -> bool:
    """Say whether any problem is an error."""
    return bool((problems["severity"] == "error").any())


def stricter(problems: pl.DataFrame) -> pl.DataFrame:
    """Make an error of every tolerance (`Code.tolerance`); what is well written and only odd stays as it is."""
    refused = pl.col("code").is_in([name for name, code in CODES.items() if code.tolerance])
    severity = pl.when(refused).then(pl.lit("error", SEVERITY)).otherwise("severity")
    return problems.with_columns(severity.alias("severity"))
