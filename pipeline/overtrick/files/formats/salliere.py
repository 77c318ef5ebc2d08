"""The two tables of the scorer salliere, without a line of names: boards, and names of pairs.

A line of boards has the board, the pairs N-S and E-W, contract, declarer and tricks; then, once it is scored, points
for N-S and for E-W, and matchpoints of both. A line of names has the number of the pair and its two players, and what
salliere computed for them.
"""

import re
from typing import Final

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.notation import contract_text, is_number
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, Written, nothing_but, reads_text
from overtrick.files.formats.tables.cells import make_cells, read_cells
from overtrick.files.formats.tables.typed import list_pairs, split_line
from overtrick.files.formats.text import Text

_FIELDS: Final = ("board", "ns", "ew", "contract", "declarer", "tricks", "plus_ns", "plus_ew", "points_ns", "points_ew")
_LOOKED_AT: Final = 20
_BID: Final = r"\"?(?:[1-7](?:NT|[NSHDC])(?:X{0,2}|\*{0,2})(?:=|[+-][0-9]{1,2})?|AVE?[+=-]?|PASS|P|-?)\"?"
_BOARD: Final = re.compile(
    rf"\s*\"?[0-9]{{1,3}}\"?,[^,;\t]{{1,60}},[^,;\t]{{1,60}},{_BID}(?:,\"?[NESW-]?\"?)?(?:,[^A-Za-z]*)?\s*",
    re.IGNORECASE,
)
_NAME: Final = r"\s*\"?[^\W0-9_][^,;\t]*"
_NAMES: Final = re.compile(rf"\s*\"?[0-9]{{1,4}}\"?\s*,{_NAME},{_NAME}(?:,[0-9., %+-]*)?\s*")


def _lines(head: bytes) -> list[str]:
    """Return the first lines of a text, without the last one if it may be cut."""
    text = head.decode("utf-8-sig", "replace").split("\n")[: _LOOKED_AT + 1]
    return [line.rstrip("\r") for line in (text[:-1] if len(text) > 1 else text) if line.strip()]


def is_salliere(head: bytes) -> bool:
    """Report whether most of the first lines are lines of boards."""
    lines = _lines(head)
    fitting = sum(_BOARD.fullmatch(line) is not None for line in lines)
    return fitting > 0 and 3 * fitting > 2 * len(lines)


def is_salliere_names(head: bytes) -> bool:
    """Report whether all of the first lines are a number and two names."""
    lines = _lines(head)
    return len(lines) > 1 and all(_NAMES.fullmatch(line) for line in lines)


@reads_text
def read_salliere(text: Text) -> Reading:
    """Read a table of boards."""
    findings = list(text.findings)
    rows: list[dict[str, object]] = []
    for line, written in enumerate(text.content.rstrip("\x1a\n").split("\n"), start=1):
        if not written.strip():
            continue
        fields = split_line(written) or []
        if len(fields) < 4:
            findings.append(Finding("line-unknown/exchange", line, 1, values={"text": repr(written[:60])}))
            continue
        row: dict[str, object] = {"line": line, **dict(zip(_FIELDS, fields, strict=False))}
        score = _score(str(row.pop("plus_ns", "")), str(row.pop("plus_ew", "")))
        rows.append(row if score is None else row | {"score_ns": score})
    return read_cells(make_cells(rows, ("board", "ns", "ew")), findings)


def _score(plus: str, minus: str) -> str | None:
    """Return the points for N-S: `420` beside an empty cell, `-50` beside a cell that is 0 or empty."""
    if is_number(plus) and (plus != "0" or not minus):
        return plus
    if is_number(plus) or is_number(minus):
        return f"-{minus}" if minus != "0" else "0"
    return None


@reads_text
def read_salliere_names(text: Text) -> Reading:
    """Read a table of names: contestants without a result."""
    findings, players = list(text.findings), []
    for line, written in enumerate(text.content.rstrip("\x1a\n").split("\n"), start=1):
        fields = split_line(written) or [] if written.strip() else []
        if len(fields) >= 3:
            players += [{"line": line, "pair": fields[0], "seat": "", "name": name} for name in fields[1:3]]
        elif fields:
            findings.append(Finding("line-unknown/exchange", line, 1, values={"text": repr(written[:60])}))
    reading = nothing_but(findings)
    listed = list_pairs(players, findings)
    return reading if listed is None else Reading(contestants=listed, problems=reading.problems)


def write_salliere(session: Session) -> Written:
    """Write a line for each result of a numbered board that was played or passed out."""
    played = pl.col("level").is_not_null() & pl.col("ns").is_not_null() & pl.col("ew").is_not_null()
    results = session.results.drop_nulls("board").filter(played).with_columns(contract_text().alias("contract"))
    lines = []
    for row in results.sort("board", maintain_order=True).iter_rows(named=True):
        bid = str(row["contract"]).replace("NT", "N").replace("Pass", "PASS")
        fields = [row["board"], row["ns"], row["ew"], bid, row["declarer"], row["tricks"]]
        lines.append(",".join("" if field is None else str(field).replace(",", " ") for field in fields))
    return Written("".join(f"{line}\n" for line in lines).encode())
