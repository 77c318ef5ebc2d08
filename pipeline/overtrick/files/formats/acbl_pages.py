"""Pages of ACBL Live, as people save them: a board with its results, and the scorecard of a pair.

A row of a board is a result: contract, declarer, points for N-S, matchpoints, percentage, and `10-Ann Ash-Bo Birch vs.
6-Cy Cole-Di Dove`. A row of a scorecard is one too: board, contract, declarer, points won or lost, matchpoints,
percentage, and the opponents. Auctions in the links of such pages were made up by the site, so they are not read.
"""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, TypeGuard
from urllib.parse import unquote

import polars as pl

from overtrick.core.frames import CONTESTANTS, ITEMS, conform
from overtrick.core.notation import BETWEEN, is_number, read_date
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, nothing_but
from overtrick.files.formats.bbo import take_text
from overtrick.files.formats.lin.read.links import read_page
from overtrick.files.formats.pbn.read.tag_columns import read_deals
from overtrick.files.formats.session_json import read_json, report_value
from overtrick.files.formats.tables.cells import make_cells, read_cells
from overtrick.files.formats.tables.typed import list_pairs
from overtrick.files.formats.text import Text, decode, in_utf8

_SEATS: Final = "NESW"
_SUITS: Final = "SHDC"
_STRAINS: Final = ("NT", "S", "H", "D", "C")
_VULNERABLE: Final = {"both": "All", "none": "None", "ns": "NS", "ew": "EW", "all": "All"}
_SCORING: Final = {"matchpoints": "MatchPoints", "imps": "IMP"}
_OPTIONAL: Final = ("results", "players")
_TRICKS: Final = "0123456789abcd"


def read_acbl_live(data: bytes) -> Reading:
    """Read all sessions in a file; a value of a wrong kind is left out and reported."""
    return read_json(data, _read_tournaments)


def _read_tournaments(whole: object, _: Text, findings: list[Finding]) -> Reading:
    rows: list[dict[str, object]] = []
    players: list[dict[str, Any]] = []
    tables: list[dict[str, object]] = []
    for board, facts, place in _list_boards(whole, findings):
        stated = {**facts, **_about(board, place, findings)}
        tables.append({"board": stated["board"], "section": stated.get("section"), "text": _digits(board)})
        for at, result in enumerate(_list(board, "results", place, findings)):
            rows.append({"line": 1, **stated, **_read_result(result, f"{place}.results[{at}]", players, findings)})
    return _reading(rows, players, tables, findings)


def _reading(
    rows: list[dict[str, object]],
    players: list[dict[str, Any]],
    tables: list[dict[str, object]],
    findings: list[Finding],
) -> Reading:
    deals = pl.Series([row.pop("deal", None) for row in rows], dtype=pl.String)
    read, faults = read_deals(deals)
    for fault, row in zip(faults, rows, strict=True):
        if fault is not None:
            values = {"place": f"board {row['board']}, deal", "expected": "a deal of 52 cards", "text": fault}
            findings.append(Finding("json-value/session", 1, 1, values=values))
    cells = make_cells(rows, ("board", "ns", "ew")).with_columns(read.alias("deal"))
    once = {(player["section"], player["pair"], player["seat"]): player for player in players}
    reading = read_cells(cells, findings, contestants=list_pairs([*once.values()], findings))
    stated = pl.DataFrame(tables, schema=dict.fromkeys(("board", "section", "text"), pl.String)).drop_nulls("text")
    numbered = reading.records.select("record", pl.col("board_label").alias("board"), "section")
    items = stated.join(numbered, on=["board", "section"], how="inner", nulls_equal=True).with_columns(
        pl.lit(1).alias("line"),
        pl.lit(1).alias("column"),
        pl.lit("tag").alias("kind"),
        pl.lit("DoubleDummyTricks").alias("name"),
    )
    return replace(reading, listed=pl.concat([reading.items, conform(ITEMS, items)]))


def _list_boards(whole: object, findings: list[Finding]) -> Iterator[tuple[Mapping[str, Any], dict[str, object], str]]:
    """Yield each board with the facts of its session and its place in the file."""
    for a, tournament in enumerate(_list(whole, "tournaments", "", findings)):
        for b, event in enumerate(_list(tournament, "events", f"tournaments[{a}]", findings)):
            name = event.get("name") or tournament.get("name")
            facts: dict[str, object] = {
                "event": name if isinstance(name, str) else None,
                "date": str(event.get("date") or "") or None,
                "scoring": _SCORING.get(str(event.get("scoring")), None),
            }
            for c, session in enumerate(_list(event, "sessions", f"events[{b}]", findings)):
                for d, board in enumerate(_list(session, "boards", f"sessions[{c}]", findings)):
                    yield board, facts, f"sessions[{c}].boards[{d}]"


def _list(holder: object, name: str, place: str, findings: list[Finding]) -> list[Mapping[str, Any]]:
    value = holder.get(name) if isinstance(holder, dict) else None
    listed = value if isinstance(value, list) else []
    objects: list[Mapping[str, Any]] = [item for item in listed if isinstance(item, dict)]
    is_sound = name in _OPTIONAL if value is None else isinstance(value, list) and len(objects) == len(listed)
    if not is_sound:
        findings.append(report_value(f"{place}.{name}".strip("."), "a list of objects", value))
    return objects


def _about(board: Mapping[str, Any], place: str, findings: list[Finding]) -> dict[str, object]:
    number = board.get("number")
    if not isinstance(number, int) or isinstance(number, bool):
        findings.append(report_value(f"{place}.number", "a board number", number))
    return {
        "board": str(number),
        "section": _plain(board.get("section")),
        "dealer": _plain(board.get("dealer")),
        "vulnerable": _VULNERABLE.get(str(board.get("vulnerability")).lower()),
        "deal": _deal(board.get("deal")),
    }


def _plain(value: object) -> str | None:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def _deal(deal: object) -> str | None:
    """Return a deal in the form of PBN; None where it is not stated. A hand that is not an object is hidden."""
    if not isinstance(deal, dict):
        return None
    hands = [deal.get(seat) for seat in _SEATS]
    written = [
        ".".join("".join(map(str, hand.get(suit) or [])).replace("10", "T") for suit in _SUITS)
        if isinstance(hand, dict) and all(isinstance(hand.get(suit) or [], list) for suit in _SUITS)
        else "-"
        for hand in hands
    ]
    return f"N:{' '.join(written)}"


def _digits(board: Mapping[str, Any]) -> str | None:
    """Return a double-dummy table as PBN's `DoubleDummyTricks`, `?` for a number that is not known."""
    table = board.get("double_dummy")
    if not isinstance(table, dict):
        return None
    seats = [tricks if isinstance(tricks := table.get(seat), dict) else {} for seat in "NSEW"]
    numbers = [seat.get(strain) for seat in seats for strain in _STRAINS]
    digits = "".join(_TRICKS[tricks] if isinstance(tricks, int) and 0 <= tricks <= 13 else "?" for tricks in numbers)
    return digits if digits.strip("?") else None


def _read_result(
    result: Mapping[str, Any], place: str, players: list[dict[str, Any]], findings: list[Finding]
) -> dict[str, object]:
    row: dict[str, object] = {name: _plain(result.get(name)) for name in ("contract", "declarer", "tricks")}
    score = result.get("score")
    if _is_number(score):
        row["score_ns"] = f"{score:g}"
    elif score is not None:
        findings.append(report_value(f"{place}.score", "a number or null", score))
    share = result.get("percentage")
    if row["contract"] is None and score is None and _is_number(share):
        row |= {"award_ns": f"{share:g}%", "award_ew": f"{100 - share:g}%"}
    earned = result.get("matchpoints") if result.get("matchpoints") is not None else result.get("imps")
    row["points_ns"] = f"{earned:g}" if isinstance(earned, int | float) else None
    for side in ("ns", "ew"):
        pair = result.get(f"{side}_pair")
        if isinstance(pair, dict):
            section, seated = _read_pair(pair, side, f"{place}.{side}_pair", players, findings)
            row |= seated
            row.setdefault("section", section)
        else:
            findings.append(report_value(f"{place}.{side}_pair", "an object", pair))
    return {name: value for name, value in row.items() if value is not None}


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _read_pair(
    pair: Mapping[str, Any], side: str, place: str, players: list[dict[str, Any]], findings: list[Finding]
) -> tuple[str | None, dict[str, object]]:
    """Return the section of a pair, and its number and names as cells; its players are added to the list."""
    listed = _list(pair, "players", place, findings)
    names = [str(player.get("name") or "?") for player in listed]
    number = _plain(pair.get("number")) or BETWEEN.join(names) or None
    section = _plain(pair.get("section"))
    players += [
        {"line": 1, "section": section, "pair": number, "seat": seat, "name": name, "member": _plain(member)}
        for seat, name, member in zip(side.upper(), names, (player.get("acbl_id") for player in listed), strict=False)
    ]
    return section, {side: number, f"names_{side}": BETWEEN.join(names) or None}


_RECOGNISED: Final = re.compile(rb"live\.acbl\.org|/board-detail/|data-acbl=", re.IGNORECASE)
_TABLE: Final = re.compile(r"<table\b.*?(?:</table|\Z)", re.IGNORECASE | re.DOTALL)
_ROW: Final = re.compile(r"<tr\b[^<>]*>(.*?)(?=<tr\b|</table|\Z)", re.IGNORECASE | re.DOTALL)
_CELL: Final = re.compile(r"<td\b([^<>]*)>(.*?)(?=<td\b|</tr|\Z)", re.IGNORECASE | re.DOTALL)
_SUIT: Final = re.compile(r"<span\b[^<>]*\bclass=[\"']?(spades|hearts|diams|clubs)\b[^<>]*>", re.IGNORECASE)
_HELD: Final = re.compile(
    r"<span\b[^<>]*class=[\"']?(?:spades|hearts|diams|clubs) symbol[\"']?\s*>\s*</span>([^<>]*)", re.IGNORECASE
)
_TAG: Final = re.compile(r"<[^<>]*>")
_NAME: Final = re.compile(r"class=[\"']?name\b[^<>]*>(.*?)</span", re.IGNORECASE | re.DOTALL)
_MEMBER: Final = re.compile(r"data-acbl=[\"']?([0-9]+)", re.IGNORECASE)
_BOARD: Final = re.compile(r"board_num=([0-9]{1,3})|[?&;]b=([0-9]{1,3})\b")
_SECTION: Final = re.compile(r"/(?:board-detail|scores)/([A-Z]{1,3})\b")
_EVENT: Final = re.compile(r"Event:(?:</b>|%3C/b%3E)(?:\s|%20)*((?:(?!%2C)[^<,}\"]){1,200})", re.IGNORECASE)
_DAY: Final = re.compile(r"\b([A-Z][a-z]{2}) ([0-9]{1,2}), (20[0-9]{2})\b")
_OWN: Final = re.compile(
    r"<h4\b([^<>]*)>\s*<span[^<>]*>\s*([0-9]{1,3})\s*(NS|EW)\s*</span>\s*-?\s*(.*?)</h4", re.IGNORECASE | re.DOTALL
)
_OF_BOARD, _OF_SCORECARD = 7, 9
"""Cells of a row."""
_OTHER_SIDE: Final = ("score", "points", "percentage", "award")
"""What the table of a board says once more as E-W see it."""


def is_acbl_page(head: bytes) -> bool:
    """Report whether a file begins as a page of ACBL Live."""
    text = in_utf8(head).removeprefix(b"\xef\xbb\xbf")
    return text.lstrip()[:1] == b"<" and _RECOGNISED.search(text) is not None


def read_acbl_page(data: bytes) -> Reading:
    """Read the results of a page; one without any is read as a page with links."""
    page = decode(data)
    if isinstance(page, Finding):
        return nothing_but([page])
    content = page.content
    findings = list(page.findings)
    tables = (list(_read_rows(content, table, findings)) for table in _TABLE.finditer(content))
    filled: list[list[dict[str, object]]] = [*filter(None, tables), []]
    rows, *others = filled
    if not rows:
        return read_page(data)
    if others and others[0]:
        _add_other_side(rows, others[0])
    pairs = [pair for row in rows for pair in row.pop("pairs")]  # type: ignore[attr-defined]
    listed = pl.DataFrame(pairs, infer_schema_length=None).unique(
        ["contestant", "direction"], keep="first", maintain_order=True
    )
    cells = _add_deal(make_cells(rows, ("board", "ns", "ew")), content, findings)
    return read_cells(cells, findings, contestants=conform(CONTESTANTS, listed))


def _add_deal(cells: pl.DataFrame, content: str, findings: list[Finding]) -> pl.DataFrame:
    """Add the deal of the diagram to the results if they are all of one board."""
    deal, fault = _read_deal(content)
    if fault:
        findings.append(Finding("value-unknown/exchange", 1, 1, values={"field": "hands", "text": fault}))
    is_of_one_board = cells["cell_board"].n_unique() == 1
    return cells.with_columns(pl.lit(deal).alias("deal")) if deal and is_of_one_board else cells


def _add_other_side(rows: list[dict[str, object]], seen: list[dict[str, object]]) -> None:
    """Add what only the second table of a board's page says, which lists the results as E-W see them."""
    by_pairs = {(row["ew"], row["ns"]): row for row in seen}
    for row in rows:
        other = by_pairs.get((row["ns"], row["ew"]), {})
        row |= {f"{name}_ew": value for name in _OTHER_SIDE if (value := other.get(f"{name}_ns")) is not None}


def _read_rows(content: str, table: re.Match[str], findings: list[Finding]) -> Iterator[dict[str, object]]:
    facts = _read_facts(content)
    pair = _OWN.search(content)
    line, counted = content.count("\n", 0, table.start()) + 1, table.start()
    for row in _ROW.finditer(content, table.start(), table.end()):
        line += content.count("\n", counted, row.start())
        counted = row.start()
        cells = [(cell[1], cell[2]) for cell in _CELL.finditer(row[1])]
        read = None
        if len(cells) == _OF_BOARD:
            read = _read_of_board(cells, facts, content)
        elif len(cells) == _OF_SCORECARD and pair:
            read = _read_of_scorecard(cells, facts, pair)
        if read:
            yield {"line": line, **facts, **read}
        elif len(cells) in {_OF_BOARD, _OF_SCORECARD}:
            findings.append(Finding("line-unknown/exchange", line, 1, values={"text": repr(take_text(row[1])[:60])}))


def _read_facts(content: str) -> dict[str, object]:
    facts: dict[str, object] = {}
    if found := _SECTION.search(content):
        facts["section"] = found[1]
    if found := _EVENT.search(content):
        facts["event"] = " ".join(html.unescape(unquote(found[1])).split())
    if found := _DAY.search(_TAG.sub(" ", content[:200_000])):
        facts["date"] = read_date(found[0])
    return facts


def _read_of_board(cells: list[tuple[str, str]], facts: dict[str, object], content: str) -> dict[str, object] | None:
    """Return a result of a board's page; None for a row that is not one."""
    bodies = [body for _, body in cells]
    north, versus, east = bodies[6].partition("vs.")
    link = _BOARD.search(html.unescape(bodies[0])) or _BOARD.search(html.unescape(content))
    numbers = [re.match(r"\s*([0-9]{1,3})\s*-", take_text(side)) for side in (north, east)]
    if not versus or link is None or numbers[0] is None or numbers[1] is None:
        return None
    ns, ew = numbers[0][1], numbers[1][1]
    pairs = [_pair(facts, ns, "NS", north), _pair(facts, ew, "EW", east)]
    row = {"board": link[1] or link[2], "ns": ns, "ew": ew, "pairs": pairs}
    row |= {"points_ns": take_text(bodies[4]) or None, "percentage_ns": take_text(bodies[5]) or None}
    dealt = dict(re.findall(r"(Dlr|Vul):\s*([A-Za-z-]+)", take_text(content[:200_000])))
    row |= {"dealer": dealt.get("Dlr"), "vulnerable": dealt.get("Vul")}
    return row | _read_score(bodies[1], bodies[2], take_text(bodies[3]), "ns")


def _read_of_scorecard(
    cells: list[tuple[str, str]], facts: dict[str, object], pair: re.Match[str]
) -> dict[str, object] | None:
    """Return a result of a scorecard: points are those of its pair."""
    attributes, number, direction, names = pair.groups()
    bodies = [body for _, body in cells]
    versus = take_text(bodies[8])
    against = re.match(r"([0-9]{1,3})\s*-\s*(.*)", versus)
    board = take_text(bodies[1]).lstrip("0")
    if against is None or not is_number(board):
        return None
    own_pair = _pair(facts, number, direction.upper(), names.replace("&amp;", "-"), attributes)
    other = _pair(facts, against[1], "EW" if direction.upper() == "NS" else "NS", against[2], cells[8][0])
    ns, ew = (own_pair, other) if direction.upper() == "NS" else (other, own_pair)
    side = direction.lower()
    row = {"board": board, "ns": ns["contestant"], "ew": ew["contestant"], "pairs": [ns, ew]}
    row[f"points_{side}"] = take_text(bodies[6]) or None
    return row | _read_score(bodies[2], bodies[3], take_text(bodies[4]) or take_text(bodies[5]), side)


def _read_score(contract: str, declarer: str, score: str, side: str) -> dict[str, object]:
    """Return the cells of contract and score; the score is that of one side."""
    bid = take_text(_SUIT.sub(lambda found: found[1][0].upper(), contract)).replace(" ", "")
    row: dict[str, object] = {"contract": bid or None, "declarer": take_text(declarer) or None}
    if bid.upper() == "PASS" or score.upper() == "PASS":
        return {"contract": "Pass"}
    if award := re.fullmatch(r"(?i)ave?(?:rage)?\s*([+-]?)", score):
        return {f"award_{side}": f"A{award[1]}"}
    if re.fullmatch(r"[+-]?[0-9]{1,5}", score):
        row[f"score_{side}"] = score
    return row


def _pair(facts: dict[str, object], number: str, direction: str, body: str, attributes: str = "") -> dict[str, object]:
    """Return a pair: names and numbers are in marks of their own, or after the number and in a title."""
    names = [take_text(name) for name in _NAME.findall(body)]
    if names:
        marks = map(_MEMBER.search, re.split(r"(?=<span)", body)[1:])
        members = [found[1] if found else "" for found in marks]
    else:
        names = [name for part in re.split(r"\s+-\s+", take_text(body)) if (name := part.strip())]
        found = re.search(r"title=[\"']?([0-9]+)\s*\|\s*([0-9]+)", attributes)
        members = list(found.groups()) if found else []
    return {
        "contestant": number,
        "section": facts.get("section"),
        "direction": direction,
        "names": BETWEEN.join(names) or None,
        "members": BETWEEN.join(members[:2]) if len(members) == len(names) and any(members) else None,
    }


def _read_deal(content: str) -> tuple[str | None, str | None]:
    """Return the deal of the diagram, whose hands are N, W, E, S; and what is wrong with it."""
    suits = [re.sub(r"[\s—–-]", "", html.unescape(cards)).replace("10", "T") for cards in _HELD.findall(content)]
    if len(suits) < 16 or any(re.search(r"[^2-9TJQKA]", cards) for cards in suits[:16]):
        return None, None
    north, west, east, south = (".".join(suits[place : place + 4]) for place in range(0, 16, 4))
    read, faults = read_deals(pl.Series([f"N:{north} {east} {south} {west}"]))
    return read[0], faults[0]
