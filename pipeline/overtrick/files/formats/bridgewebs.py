"""The CSV that BridgeWebs takes and gives: options that begin with `#`, a ranking, and travellers board by board.

`#Version;std1` comes first, then facts such as `#Date;13/10/2026`. `#Scores` begins a ranking, `#Travellers` the
results, `#Board;7` one board of them; the first line below a part names its columns. A semicolon, a tab or a comma
separates the fields: the one in the first line.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.notation import BETWEEN, clean, contract_text, in_club_unit, read_date
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, Written, reads_text
from overtrick.files.formats.tables.cells import make_cells, read_cells
from overtrick.files.formats.tables.typed import fold, list_pairs, name_columns, split_line
from overtrick.files.formats.text import Text

_FACTS: Final = {"title": "event", "description": "event", "date": "date", "club": "site"}
_PARTS: Final = {"scores": "scores", "ranking": "scores", "travellers": "travellers", "traveller": "travellers"}
_RANKED: Final = {
    **dict.fromkeys(("pair", "pairno", "no", "number", "team"), "pair"),
    **dict.fromkeys(("name1", "player1", "north"), "name1"),
    **dict.fromkeys(("name2", "player2", "south"), "name2"),
    **dict.fromkeys(("names", "name", "players"), "names"),
    **dict.fromkeys(("id1", "ebu1", "ebuno1", "acbl1", "nationalid1"), "id1"),
    **dict.fromkeys(("id2", "ebu2", "ebuno2", "acbl2", "nationalid2"), "id2"),
    **dict.fromkeys(("section", "direction", "dir"), "direction"),
    **dict.fromkeys(("total", "score", "imps", "mps"), "total"),
    **dict.fromkeys(("percent", "percentage", "%"), "percentage"),
}
_SCORING: Final = {"butler": "Butler", "crossimp": "Cross-IMPs", "crossimps": "Cross-IMPs", "aggregate": "TotalPoints"}
_OPTION_OF: Final = {"butler": "Butler", "cross-imps": "Crossimp", "aggregate": "Aggregate"}


@reads_text
def read_bridgewebs(text: Text) -> Reading:
    """Read the facts, the ranking and the travellers."""
    findings, parts = list(text.findings), _Parts()
    for line, fields in _list_lines(text.content):
        parts.take(line, fields, findings)
    rows = [{**parts.facts, **row} for row in parts.results]
    return read_cells(
        make_cells(rows, ("board", "ns", "ew")), findings, contestants=list_pairs(parts.players, findings)
    )


def _list_lines(content: str) -> Iterator[tuple[int, list[str]]]:
    first = content.lstrip().split("\n", 1)[0]
    separator = max(";\t,", key=first.count)
    for line, written in enumerate(content.rstrip("\x1a\n").split("\n"), start=1):
        if written.strip(" \t;,"):
            fields = split_line(written, separator)
            yield line, [field.strip() for field in written.split(separator)] if fields is None else fields


class _Parts:
    """The parts of a file while it is read line by line."""

    def __init__(self) -> None:
        self.facts: dict[str, object] = {}
        self.players: list[dict[str, Any]] = []
        self.results: list[dict[str, object]] = []
        self._part = ""
        self._columns: list[str | None] = []
        self._board = ""
        self._fields: list[str] = []

    def take(self, line: int, fields: list[str], findings: list[Finding]) -> None:
        """Take one line."""
        if fields[0].startswith("#"):
            self._take_option(line, fold(fields[0].removeprefix("#")), fields[1:], findings)
        elif self._part == "scores":
            self._take_ranked(line, fields)
        elif self._part == "travellers":
            self._take_result(line, fields)
        else:
            findings.append(Finding("line-unknown/exchange", line, 1, values={"text": repr(";".join(fields)[:60])}))

    def _take_option(self, line: int, option: str, values: list[str], findings: list[Finding]) -> None:
        value = values[0] if values else ""
        if option in _PARTS:
            self._part, self._columns = _PARTS[option], []
        elif option == "board":
            self._part, self._board = "travellers", value
        elif option in _FACTS and value:
            self.facts.setdefault(
                _FACTS[option], (read_date(value, "day-first") or value) if option == "date" else value
            )
        elif option in _SCORING and value:
            self.facts["scoring"] = _SCORING[option]
        elif option == "date":
            findings.append(Finding("value-unknown/exchange", line, 1, values={"field": "date", "text": value}))

    def _take_ranked(self, line: int, fields: list[str]) -> None:
        if not self._columns:
            self._columns = [_RANKED.get(fold(field)) for field in fields]
            return
        row = {name: field for name, field in zip(self._columns, fields, strict=False) if name and field}
        direction = str(row.get("direction", "")).upper().replace("/", "").replace("-", "")
        seats = {"NS": "NS", "EW": "EW"}.get(direction, "")
        names = (
            [row.get("name1"), row.get("name2")]
            if "name1" in row
            else [name.strip() for name in re.split("[&/]", row.get("names", ""))]
        )
        for at, name in enumerate(names):
            number = row.get(f"id{at + 1}")
            seat = seats[at : at + 1]
            self.players.append({**row, "line": line, "seat": seat, "name": name, "member": number, "section": None})

    def _take_result(self, line: int, fields: list[str]) -> None:
        names = name_columns(fields)
        if {"ns", "ew"} <= set(names):
            self._columns = names
            self._fields = fields
            return
        row: dict[str, object] = {"line": line, "board": self._board}
        row |= {name: field for name, field in zip(self._columns, fields, strict=False) if name and field}
        self.results.append(row)


def write_bridgewebs(session: Session) -> Written:
    """Write the facts, the ranking (N-S and E-W apart where they are ranked so) and the travellers."""
    session = in_club_unit(session)
    facts = session.facts
    lines: list[list[object]] = [["#Version", "std1"], ["#Source", "overtrick"]]
    parts = (facts.date or "").split(".")
    date = "/".join(reversed(parts)) if len(parts) == 3 else facts.date
    named = {"#Title": facts.event, "#Club": facts.site, "#Date": date}
    lines += [[name, text] for name, text in named.items() if text]
    if facts.method in _OPTION_OF:
        lines.append([f"#{_OPTION_OF[facts.method]}", "1"])
    lines.append(["#Boards", session.results["board"].n_unique()])
    ranked = _list_ranked(session)
    if any(row["direction"] for row in ranked):
        lines.append(["#Winners", "2"])
    lines += [["#Scores"], list(_RANKING), *map(_ranked, ranked)]
    lines += [["#Travellers"], list(_TRAVELLER.values())]
    results = session.results.drop_nulls("board").with_columns(contract_text().alias("contract"))
    for (board,), rows in results.sort("board", maintain_order=True).group_by("board", maintain_order=True):
        lines.append(["#Board", board])
        lines += [[row[name] for name in _TRAVELLER] for row in rows.iter_rows(named=True)]
    return Written("".join(f"{';'.join(map(_text, line))}\r\n" for line in lines).encode())


_RANKING: Final = ("Position", "Pair", "Direction", "Name1", "Name2", "Id1", "Id2", "Total", "Percent")
_TRAVELLER: Final = {
    "section": "Section",
    "round": "Round",
    "table": "Table",
    "ns": "NS Pair",
    "ew": "EW Pair",
    "contract": "Contract",
    "declarer": "By",
    "lead": "Lead",
    "tricks": "Tricks",
    "score_ns": "Score NS",
    "points_ns": "NS MP",
    "points_ew": "EW MP",
    "award_ns": "award_ns",
    "award_ew": "award_ew",
}


def _list_ranked(session: Session) -> list[dict[str, Any]]:
    """Return the ranked contestants with their names, or all contestants where nothing is ranked."""
    known = session.contestants.select("contestant", "direction", "names", "members")
    if session.standings.is_empty():
        return known.with_columns(pl.lit(None).alias("total"), pl.lit(None).alias("percentage")).to_dicts()
    members = {(row["contestant"], row["direction"]): row["members"] for row in known.to_dicts()}
    return [
        {**row, "members": members.get((row["contestant"], row["direction"])) or members.get((row["contestant"], None))}
        for row in session.standings.to_dicts()
    ]


def _ranked(row: dict[str, Any]) -> list[object]:
    names = [*(row["names"] or "").split(BETWEEN), "", ""][:2]
    numbers = [*(row["members"] or "").split(BETWEEN), "", ""][:2]
    total, share = row["total"], row["percentage"]
    return [row.get("rank"), row["contestant"], row["direction"], *names, *numbers, total, share]


def _text(field: object) -> str:
    if field is None:
        return ""
    text = f"{field:.4f}".rstrip("0").rstrip(".") if isinstance(field, float) else clean(str(field))
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if ";" in text or '"' in text else text
