"""Pages of Bridge Base Online: the hands of a player, and the traveller of a board, as people save them.

A row of class `tourney` or `highlight` is a result: the four players, `4♥S+3` or `3NW-1`, the points and what they
earned for one side, and a link to the hand viewer with the text of a LIN file. A traveller shows the points of the side
that the player who saved it sat on, and a list of a player's hands those of the player. The deals, auctions and plays
come from the links; the results come from the table, also where a link is missing or states none.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import unquote

import polars as pl

from overtrick.core.frames import RECORDS, conform
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, nothing_but
from overtrick.files.formats.lin.read.links import read_page
from overtrick.files.formats.tables.cells import make_cells, read_cells
from overtrick.files.formats.text import decode, in_utf8

_RECOGNISED: Final = re.compile(
    rb"class=[\"']?(?:tourney|tourneySummary|tourneyName|handnum|bbo_t_l|onesection)\b", re.IGNORECASE
)
_RANKING: Final = re.compile(r"class=[\"']?(?:bbo_t_l|onesection|bbo_tr_o)\b", re.IGNORECASE)
_ROW: Final = re.compile(r"<tr\b([^<>]*)>(.*?)(?=<tr\b|</table|\Z)", re.IGNORECASE | re.DOTALL)
_CELL: Final = re.compile(r"<td\b([^<>]*)>(.*?)(?=<td\b|</tr|\Z)", re.IGNORECASE | re.DOTALL)
_CLASS: Final = re.compile(r"class\s*=\s*[\"']?([\w -]+)", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]*>")
_LIN: Final = re.compile(r"(?:hv_popuplin\('|[?&;]lin=)((?:[^'\"<>&]|&(?:amp|#39|quot);)*)", re.IGNORECASE)
_IN_LIN: Final = re.compile(r"(?:^|\|)ah\|([^|]*)\|", re.IGNORECASE)
_RESULT: Final = re.compile(r"([1-7])\s*(NT|[NSHDC♠♥♦♣])\s*(x{0,2})\s*([NESW])\s*(=|[+-][0-9]{1,2})", re.IGNORECASE)
_SEATS: Final = ("north", "east", "south", "west")
_POINTS: Final = re.compile(r"[+-]?[0-9]{1,5}")
_EARNED: Final = re.compile(r"[+-]?[0-9]{1,3}(?:\.[0-9]{1,2})?")
_PLAYER: Final = re.compile(r"class=[\"']?username[^<>]*>([^<>]{1,60})<", re.IGNORECASE)
_HEADING: Final = re.compile(r"<th\b[^<>]*>(.{0,200}?)</th", re.IGNORECASE | re.DOTALL)
_DAY: Final = re.compile(r"\b(20[0-9]{2})-([0-9]{2})-([0-9]{2})\b")


def is_bbo_page(head: bytes) -> bool:
    """Report whether a page has rows of results as Bridge Base Online writes them."""
    text = in_utf8(head)
    return b"<" in text and _RECOGNISED.search(text) is not None


def read_bbo_page(data: bytes) -> Reading:
    """Read the results in the table, and the hands in its links."""
    page = decode(data)
    if isinstance(page, Finding):
        return nothing_but([page])
    content = page.content
    event = _find_event(content)
    rows, findings = [], []
    line, counted = 1, 0
    for found in _ROW.finditer(content):
        line += content.count("\n", counted, found.start())
        counted = found.start()
        row, finding = _read_row(found, line, event)
        rows += [row] if row else []
        findings += [finding] if finding else []
    if not rows:
        hands = read_page(data)
        is_ranking = hands.records.is_empty() and _RANKING.search(content)
        return nothing_but([Finding("bbo-ranking", 1, 1)]) if is_ranking else hands
    _name_points(rows, content)
    cells = make_cells(rows, ("board", "ns", "ew", "name_n", "name_e", "name_s", "name_w"))
    reading = read_cells(cells, [*page.findings, *findings])
    hands = read_page(data)
    return _with_hands(reading, hands)


def _find_event(content: str) -> str | None:
    found = re.search(r"class=[\"']?tourneyName[^<>]*>(.{0,2000}?)</td", content, re.IGNORECASE | re.DOTALL)
    return take_text(found[1]) or None if found else None


def _read_row(found: re.Match[str], line: int, event: str | None) -> tuple[dict[str, object] | None, Finding | None]:
    """Return the result of a row of the table, or what is wrong with it; neither for a row that is not a result."""
    kind = _class(found[1])
    if "tourneySummary" in kind or not {"tourney", "highlight"} & set(kind):
        return None, None
    cells = [(_class(cell[1]), cell[2]) for cell in _CELL.finditer(found[2])]
    named = {name: take_text(body) for classes, body in reversed(cells) for name in classes}
    scores = [take_text(body) for classes, body in cells if {"score", "negscore"} & set(classes)]
    result = named.get("result", "")
    row: dict[str, object] = {"line": line, "event": event}
    row |= {f"name_{seat[0]}": named.get(seat) for seat in _SEATS}
    if not all(named.get(seat) for seat in _SEATS):
        return None, Finding("value-unknown/exchange", line, 1, values={"field": "players", "text": result})
    row["board"] = _find_board(found[2], named.get("handnum", ""))
    if day := _DAY.search(take_text(found[2])):
        row["date"] = ".".join(day.groups())
    row |= _read_result(result)
    row |= dict(zip(("points", "earned"), scores, strict=False))
    return row, None


def _name_points(rows: list[dict[str, object]], content: str) -> None:
    """Put the points of all rows, and the IMPs that they earned, into the columns of the side that they are for."""
    headings = " ".join(take_text(heading[1]) for heading in _HEADING.finditer(content))
    sides = _sides_of_points(rows, content, headings)
    earned = [str(row.pop("earned", "")) for row in rows]
    scoring = _find_scoring(earned, headings)
    for row, side, text in zip(rows, sides, earned, strict=True):
        row["scoring"] = scoring
        points = str(row.pop("points", ""))
        if _POINTS.fullmatch(points):
            row[f"score_{side}"] = points
        if scoring != "MP" and _EARNED.fullmatch(text):
            row |= {f"points_{side}": text, f"points_{'ew' if side == 'ns' else 'ns'}": f"{0 - float(text):g}"}


def _find_scoring(earned: Sequence[str], headings: str) -> str | None:
    """Return how a page is scored: matchpoints are percentages, and never less than nothing."""
    if any("%" in text for text in earned):
        return "MP"
    in_imps = re.search(r"\bIMPs?\b", headings, re.IGNORECASE) or any(text.startswith("-") for text in earned)
    return "IMP;Cross2" if in_imps else None


def _sides_of_points(rows: list[dict[str, object]], content: str, headings: str) -> list[str]:
    """Return the side whose points each row shows: of the three ways to read a page, the one that most contracts fit.

    Where no contract tells, the heading does, then the seat of the player.
    """
    # 4♥ by N, made, 620    fits ns
    # 3NT by W, -1, -100    fits ew, and the player's if the player sat East or West
    found = _PLAYER.search(content)
    player = take_text(found[1]).lower() if found else ""
    ew = ["ew"] * len(rows)
    own = ["ns" if player in {str(row["name_n"]).lower(), str(row["name_s"]).lower()} else "ew" for row in rows]
    ways = [["ns"] * len(rows), ew, own]
    if heading := re.search(r"\b(NS|EW) Points\b", headings, re.IGNORECASE):
        ways.sort(key=lambda way: way != [heading[1].lower()] * len(rows))
    else:
        ways.reverse()
    winners = [_find_winner(row) for row in rows]
    return max(ways, key=lambda way: sum(side in winner for side, winner in zip(way, winners, strict=True)))


def _find_winner(row: dict[str, object]) -> str:
    """Return the side that the points of a row are for, by its contract; nothing where the row does not tell."""
    points, tricks = str(row.get("points", "")), row.get("tricks")
    if not tricks or not _POINTS.fullmatch(points) or not int(points):
        return ""
    declares_ns, is_made = str(row["declarer"]).upper() in {"N", "S"}, not str(tricks).startswith("-")
    return "ns" if (declares_ns == is_made) == (int(points) > 0) else "ew"


def _read_result(text: str) -> dict[str, object]:
    """Return the cells of a result: `4SN+1` is contract, declarer and tricks."""
    if stated := _RESULT.fullmatch(text):
        level, strain, doubled, declarer, tricks = stated.groups()
        return {"contract": f"{level}{strain}{doubled}", "declarer": declarer, "tricks": tricks}
    return {"contract": "Pass" if text.lower() in {"pass", "passed out", "p", "ap"} else text}


def _find_board(body: str, number: str) -> str:
    """Return the board by the hand in the link, which a traveller's row numbers do not give; else the number."""
    if link := _LIN.search(body):
        text = unquote(html.unescape(link[1])).replace("+", " ")
        if found := _IN_LIN.search(text):
            digits = re.search(r"(?<![0-9])([0-9]{1,9})\s*\Z", found[1].strip())
            return digits[1] if digits else number
    return number


def _class(attributes: str) -> list[str]:
    found = _CLASS.search(attributes)
    return found[1].split() if found else []


def take_text(body: str) -> str:
    """Return the text of a part of a page, without marks and with single blanks."""
    return " ".join(html.unescape(_TAG.sub(" ", body)).replace("\u00a0", " ").split())


def _with_hands(table: Reading, hands: Reading) -> Reading:
    """Return the results of the table with the deals, auctions and plays of the links, as records of their own.

    A record of a link states no result: the table has it.
    """
    shift = len(table.records)
    outcome = ("level", "strain", "doubled", "declarer", "tricks", "stated_score_ns")
    linked = hands.records.with_columns(
        (pl.col("record") + shift).cast(RECORDS["record"].dtype),
        *(pl.lit(None, hands.records.schema[name]).alias(name) for name in outcome),
    )
    moved = {
        name: frame.with_columns((pl.col("record") + shift).cast(frame.schema["record"]))
        for name, frame in {"listed": hands.items, "annotations": hands.annotations, "problems": hands.problems}.items()
    }
    return replace(
        table,
        records=conform(RECORDS, pl.concat([table.records, linked])),
        listed=pl.concat([table.items, moved["listed"]]),
        annotations=moved["annotations"],
        problems=pl.concat([table.problems, moved["problems"]]),
    )
