"""Reports of ACBLscore as text: below `RESULTS OF BOARD 7`, a line for each table.

A line has points for N-S or for E-W, in the column of its side, matchpoints of both, and the pairs, as in
`420   7.50  0.50  A1-Ash-Birch vs A3-Cole-Dove`. `PASS`, `AVE+`, `AVE-`, `AVE` and `NP` take the place of points. A
report has no contracts. The rankings in it are not used: overtrick computes its own.
"""

import re
from typing import Final

from overtrick.core.notation import BETWEEN
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, reads_text
from overtrick.files.formats.tables.cells import make_cells, read_cells
from overtrick.files.formats.text import Text

_BOARD: Final = re.compile(r"\s*RESULTS\s+OF\s+BOARD\s+([0-9]{1,3})\b", re.IGNORECASE)
_RECOGNISED: Final = re.compile(rb"^[ \t]*RESULTS\s+OF\s+BOARD\s+[0-9]+", re.IGNORECASE | re.MULTILINE)
_HEADER: Final = re.compile(r"\bN-S\s+E-W\s+N-S\s+E-W")
_SIDES: Final = re.compile(r"N-S|E-W")
_VERSUS: Final = re.compile(r"\svs\.?(?=\s)")
_PAIR: Final = re.compile(r"\b([A-Z]{0,2})([0-9]{1,3})(?:NS|EW)?\s*-\s*(.*)")
_NUMBER: Final = re.compile(r"PASS|AVE?[+-]?|AV[+-]|NP|LATE|-?[0-9]+(?:\.[0-9]+)?", re.IGNORECASE)
_EVENT: Final = re.compile(r"^[ \t]*(?:EVENT|GAME)\s*[:>]\s*(\S.*?)\s{2,}", re.IGNORECASE | re.MULTILINE)
_RULE: Final = re.compile(r"[\s\-=_*]*")


def is_acblscore(head: bytes) -> bool:
    """Report whether a text has the results of a board."""
    return b"<" not in head[:200] and _RECOGNISED.search(head) is not None


@reads_text
def read_acblscore(text: Text) -> Reading:
    """Read the results of all boards of a report; other lines between them are reported."""
    findings, rows = list(text.findings), []
    event = found[1] if (found := _EVENT.search(text.content)) else None
    board, ranked = "", 0
    sides: tuple[int, ...] = ()
    for line, written in enumerate(text.content.rstrip("\x1a\n").split("\n"), start=1):
        plain = written.expandtabs().rstrip()
        if found := _BOARD.match(plain):
            board, sides = found[1], ()
        elif header := _HEADER.search(plain):
            sides = tuple(side.end() for side in _SIDES.finditer(plain, header.start()))
        elif board and (pairs := _find_pairs(plain)):
            rows.append({"line": line, "board": board, "event": event, **_read_line(plain, *pairs, sides)})
        elif board and re.match(r"\s*SCORES\b", plain, re.IGNORECASE):
            continue
        elif board and not _RULE.fullmatch(plain) and _NUMBER.match(plain.strip()):
            findings.append(Finding("exchange-line", line, 1, values={"text": repr(written[:60])}))
        elif not _RULE.fullmatch(plain):
            ranked = ranked or line
    if ranked:
        findings.append(Finding("exchange-part", ranked, 1, values={"what": "the rankings and remarks"}))
    return read_cells(make_cells(rows, ("board", "ns", "ew")), findings)


def _find_pairs(plain: str) -> tuple[re.Match[str], re.Match[str]] | None:
    """Return the pairs on both sides of `vs`; None for a line without them."""
    versus = _VERSUS.search(plain)
    ns = _PAIR.search(plain, 0, versus.start()) if versus else None
    ew = _PAIR.match(plain[versus.end() :].lstrip()) if versus else None
    return (ns, ew) if ns and ew else None


def _read_line(plain: str, north: re.Match[str], east: re.Match[str], sides: tuple[int, ...]) -> dict[str, object]:
    """Return what a line says: points stand below the side that earned them."""
    section, ns, names_ns = north.groups()
    _, ew, names_ew = east.groups()
    row: dict[str, object] = {"section": section or None, "ns": ns, "ew": ew}
    row |= {"names_ns": _names(names_ns), "names_ew": _names(names_ew)}
    numbers = list(_NUMBER.finditer(plain, 0, north.start()))
    earned = [one for one in numbers if "." in one[0]][-2:]
    scores = [one for one in numbers if "." not in one[0]]
    if len(earned) == 2:
        row |= {"points_ns": earned[0][0], "points_ew": earned[1][0]}
    by_side: dict[str, str] = {}
    for one in scores[-2:]:
        is_ew = len(sides) >= 2 and abs(one.end() - sides[1]) < abs(one.end() - sides[0])
        by_side["ew" if is_ew and "ew" not in by_side else "ns"] = one[0].upper()
    for side, text in by_side.items():
        if text == "PASS":
            row["contract"] = "Pass"
        elif text.startswith("AV"):
            row[f"award_{side}"] = f"A{text[-1] if text[-1] in '+-' else ''}"
        elif text not in {"NP", "LATE"}:
            row["score_ns" if side == "ns" else "score_ew"] = text
    if "award_ns" in row and len(by_side) == 1 and row["award_ns"] == "A":
        row["award_ew"] = "A"
    return row


def _names(text: str) -> str | None:
    """Return `Ash-Birch` as `Ash - Birch`."""
    return BETWEEN.join(part.strip() for part in text.split("-") if part.strip()) or None
