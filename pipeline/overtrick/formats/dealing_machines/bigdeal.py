"""The CSV of the dealing program Big Deal: sixteen suits, the board, and its dealer and vulnerability, all quoted.

`"AJ9","K9542",...,"Q762","1","N/-"` has the hands of North, East, South and West, spades first; `-`, `NS`, `EW` and
`All` follow the dealer. The first line is a board; no line names the columns.
"""

import re
from csv import Error, reader
from typing import Final

import polars as pl

from overtrick.bridge.boards import board_dealer, board_vulnerability
from overtrick.bridge.cards import canonical
from overtrick.formats.base import Reading, Written, nothing_but
from overtrick.formats.dealing_machines.dealt import FAULTY, reverse_deck, select_deals
from overtrick.formats.pbn.read.deals import read_deals
from overtrick.formats.text import decode
from overtrick.frames import ITEMS, RECORDS, Session, conform
from overtrick.problems import Finding, report_findings

_SUITS: Final = 16
_CELLS: Final = _SUITS + 2
_SUIT: Final = rb"\"?(?:10|[2-9TJQKA])*\"?"
_RECOGNISED: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:" + _SUIT + rb"[,;\t]){16}\"?[0-9]+\"?[,;\t]\"?[NESW]/", re.IGNORECASE
)
_VULNERABLE: Final = {"-": "None", "none": "None", "ns": "NS", "ew": "EW", "all": "All", "both": "All"}


def is_bigdeal(head: bytes) -> bool:
    """Report whether a file begins with a line of sixteen suits, a board number and a dealer."""
    return _RECOGNISED.match(head) is not None


def read_bigdeal(data: bytes) -> Reading:
    """Read a table of deals; a line that is not a deal is kept and named."""
    text = decode(data)
    if isinstance(text, Finding):
        return nothing_but([text])
    findings = list(text.findings)
    rows: list[dict[str, object]] = []
    kept: list[dict[str, object]] = []
    for line, written in enumerate(text.content.rstrip("\x1a\n").split("\n"), start=1):
        if not written.strip():
            continue
        cells = _cells(written)
        if len(cells) != _CELLS:
            kept.append({"line": line, "column": 1, "kind": "stray", "text": written})
            findings.append(Finding("deal-file-line", line, 1, values={"text": repr(written[:40])}))
            continue
        hands = [".".join(cells[seat : seat + 4]) for seat in range(0, _SUITS, 4)]
        dealer, _, vulnerable = cells[-1].partition("/")
        rows.append(
            {
                "line": line,
                "board_label": cells[_SUITS],
                "dealer": dealer.upper() if dealer.upper() in {"N", "E", "S", "W"} else None,
                "vulnerable": _VULNERABLE.get(vulnerable.strip().lower()),
                "deal": f"N:{' '.join(hands)}",
            }
        )
    return _reading(rows, kept, findings)


def _cells(line: str) -> list[str]:
    separator = next((one for one in ",;\t" if line.count(one) >= _SUITS), ",")
    try:
        return [cell.strip() for cell in next(reader([line], delimiter=separator), [])]
    except Error:
        return []


def _reading(rows: list[dict[str, object]], kept: list[dict[str, object]], findings: list[Finding]) -> Reading:
    schema = {"line": pl.UInt32, **dict.fromkeys(("board_label", "dealer", "vulnerable", "deal"), pl.String)}
    number = pl.col("board_label").str.extract(r"^([0-9]{1,9})$").cast(pl.Int32)
    records = conform(
        RECORDS, pl.DataFrame(rows, schema=schema).with_row_index("record").with_columns(number.alias("board"))
    )
    deals, faults = read_deals(records["deal"])
    for row, fault in zip(records.iter_rows(named=True), faults, strict=True):
        if fault is not None:
            values = {"place": f"board {row['board_label']}", "fault": fault}
            findings.append(Finding(FAULTY, row["line"], 1, row["record"], board=row["board_label"], values=values))
            kept.append({"record": row["record"], "line": row["line"], "kind": "stray", "text": row["deal"]})
    if not rows:
        findings.append(Finding("file-no-games", line=1, column=1))
    return Reading(
        items=conform(ITEMS, pl.DataFrame(kept, infer_schema_length=None)),
        records=records.with_columns(deals),
        problems=report_findings(findings, "").sort("line", maintain_order=True, nulls_last=True),
    )


def write_bigdeal(session: Session) -> Written:
    """Write a line a deal."""
    deals = select_deals(session)
    frame = pl.DataFrame({"board": deals.boards}, schema={"board": pl.Int32}).with_columns(
        board_dealer(pl.col("board")).alias("dealer"), board_vulnerability(pl.col("board")).alias("vulnerable")
    )
    stated = session.records.drop_nulls("board").unique("board", keep="first").select("board", "dealer", "vulnerable")
    told = frame.join(stated, on="board", how="left", suffix="_stated", maintain_order="left").select(
        "board",
        *(
            pl.coalesce(pl.col(f"{name}_stated").cast(pl.String), pl.col(name).cast(pl.String)).alias(name)
            for name in ("dealer", "vulnerable")
        ),
    )
    lines = []
    for deal, (board, dealer, vulnerable) in zip(canonical(reverse_deck(deals.seats)), told.iter_rows(), strict=True):
        suits = [suit for hand in deal[2:].split(" ") for suit in hand.split(".")]
        side = "-" if vulnerable == "None" else vulnerable
        lines.append(",".join(f'"{cell}"' for cell in (*suits, board, f"{dealer}/{side}")))
    return deals.to_file("".join(f"{line}\n" for line in lines).encode(), first=None)
