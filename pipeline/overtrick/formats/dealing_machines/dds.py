"""Lists of deals as the double-dummy solver DDS and its tests write them: `PBN` lines, and the solutions below them.

`PBN 0 2 4 1 "N:..."` gives dealer (0 North to 3 West), vulnerability (0 none, 1 both, 2 N-S, 3 E-W), trump and leader.
Lists have no board numbers: `NUMBER` at the top is the number of deals.
"""

import re
from typing import Final

import polars as pl

from overtrick.bridge.boards import board_dealer, board_vulnerability
from overtrick.bridge.cards import SEATS, canonical
from overtrick.formats.base import Reading, Written, nothing_but
from overtrick.formats.dealing_machines.dealt import read_listed, reverse_deck, select_deals, strip_filling
from overtrick.formats.text import decode
from overtrick.frames import Session
from overtrick.problems import Finding

VULNERABILITIES: Final = ("None", "All", "NS", "EW")

_RECOGNISED: Final = re.compile(rb"\s*NUMBER +[0-9]+\s+PBN +[0-9]")
_WORD: Final = re.compile(r"[A-Z][A-Z0-9]*")
_DEAL: Final = re.compile(r'([0-3]) +([0-3]) +[0-9]+ +[0-9]+ +"([^"]*)"')


def is_dds(head: bytes) -> bool:
    """Report whether a file begins with the number of deals and the first deal."""
    return _RECOGNISED.match(strip_filling(head)) is not None


def read_dds(data: bytes) -> Reading:
    """Read a list of deals; the lines below a deal are kept as items."""
    text = decode(strip_filling(data))
    if isinstance(text, Finding):
        return nothing_but([text])
    findings = list(text.findings)
    rows: list[dict[str, object]] = []
    kept: list[tuple[object, ...]] = []
    counted = None
    for line, written in enumerate(text.content.splitlines(), start=1):
        word, _, said = written.strip().partition(" ")
        name, value = (word, said.strip()) if _WORD.fullmatch(word) else (None, written)
        if name == "PBN":
            deal = _DEAL.fullmatch(value)
            dealer, vulnerable, cards = deal.groups() if deal else (None, None, value)
            rows.append(
                {
                    "record": len(rows),
                    "line": line,
                    "dealer": SEATS[int(dealer)] if dealer else None,
                    "vulnerable": VULNERABILITIES[int(vulnerable)] if vulnerable else None,
                    "deal": cards,
                }
            )
        elif name == "NUMBER":
            counted = (line, value)
        elif name is None and written.strip():
            findings.append(Finding("deal-file-line", line, 1, values={"text": repr(written[:40])}))
        if written.strip():
            record = len(rows) - 1 if rows else None
            kept.append((record, line, 1, "tag" if name else "stray", name, value))
    if counted and counted[1] != str(len(rows)):
        values = {"stated": f"{counted[1]} deals", "found": str(len(rows))}
        findings.append(Finding("deal-file-header", counted[0], 1, values=values))
    return read_listed(rows, kept, findings)


def write_dds(session: Session) -> Written:
    """Write the number of deals and a line for each, without solutions; trump and leader are 0, as in tests of DDS."""
    deals = select_deals(session)
    known = session.records.drop_nulls("board").unique("board", keep="first").select("board", "dealer", "vulnerable")
    stated = {board: (dealer, side) for board, dealer, side in known.iter_rows()}
    numbers = pl.DataFrame({"board": deals.boards}, schema={"board": pl.Int32}).select(
        "board",
        board_dealer(pl.col("board")).cast(pl.String).alias("dealer"),
        board_vulnerability(pl.col("board")).cast(pl.String).alias("vulnerable"),
    )
    lines = [f"NUMBER {len(deals.boards)}"]
    for deal, (board, dealer, side) in zip(canonical(reverse_deck(deals.seats)), numbers.iter_rows(), strict=True):
        told = stated.get(board, (None, None))
        seat, vulnerable = SEATS.index(told[0] or dealer), VULNERABILITIES.index(told[1] or side)
        lines.append(f'PBN {seat} {vulnerable} 0 0 "{deal}"')
    return deals.to_file("".join(f"{line}\n" for line in lines).encode())
