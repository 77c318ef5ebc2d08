"""A small made-up evening, scored and ranked by hand: what tests of pages feed on.

Three tables, four boards, matchpoints, two winners. Board 1 is an ordinary board, board 2 was passed out once and
adjusted once, of board 3 one hand is not known and table 2 has a bye, of board 4 no cards are known.
"""

from collections.abc import Mapping, Sequence
from random import Random

from overtrick.core.frames import CONTESTANTS, PROBLEMS, RECORDS, RESULTS, SOURCES, STANDINGS, Facts, Session
from tests.support.builders import frame

Row = dict[str, object]

DEALS = (
    "N:AQ64.J4.Q98543.7 T8.Q653.KJT76.K2 KJ.KT87..AQJT543 97532.A92.A2.986",
    "N:K752.K72.JT.AJ72 AJ94.A84.A43.KT9 QT3.QJT3.K82.654 86.965.Q9765.Q83",
    "N:AKQJT98765432... - .AKQJT98765432.. ..AKQJT98765432.",
)
NAMES = {
    "1": "Ada Moss - Bo Lind",
    "2": "Cleo Marsh - Dag Holm",
    "3": "Eva Thorn - Finn Ash",
    "11": "Gro Vale - Hal Brook",
    "12": "Ina Birch - Jon Reed",
    "13": "Kay Wells - Leo Stone",
}


def line(board: int, table: int, ns: str, ew: str, **columns: object) -> Row:
    """Write a result that was played, unless the columns say otherwise."""
    usual: Row = {"record": board - 1, "source": "evening.pbn", "status": "played", "multiplicity": 1, "doubled": 0}
    return {**usual, "board": board, "table": str(table), "round": str(board), "ns": ns, "ew": ew, **columns}


def bid(contract: str, declarer: str, tricks: int, score: int, lead: str | None = None) -> Row:
    """Write what was bid and made: `4S`, `3NTX`."""
    plain = contract.rstrip("X")
    return {
        "level": int(plain[0]),
        "strain": plain[1:],
        "doubled": len(contract) - len(plain),
        "declarer": declarer,
        "tricks": tricks,
        "score_ns": score,
        "lead": lead,
    }


def points(ns: float, top: int = 4) -> Row:
    """Write matchpoints of a board with that top."""
    return {
        "points_ns": ns,
        "points_ew": top - ns,
        "top": top,
        "percentage_ns": 100 * ns / top,
        "percentage_ew": 100 * (top - ns) / top,
    }


LINES: Sequence[Row] = (
    line(1, 1, "1", "11", **bid("4S", "N", 10, 420, "D6"), **points(4)),
    line(1, 2, "2", "12", **bid("3NTX", "S", 8, -100, "HQ"), **points(0)),
    line(1, 3, "3", "13", **bid("5C", "S", 11, 400, "CT"), **points(2)),
    line(2, 1, "1", "12", level=0, status="passed", score_ns=0, **points(2, 2)),
    line(2, 2, "2", "13", **bid("1NT", "E", 7, -90, "S5"), **points(0, 2)),
    line(2, 3, "3", "11", status="adjusted", award_ns="A+", award_ew="A-", points_ns=2.4, points_ew=1.6, top=4),
    line(3, 1, "1", "13", **bid("7NT", "N", 13, 1520), **points(2, 2)),
    {**line(3, 2, "2", ""), "ew": None, "status": "bye"},
    line(3, 3, "3", "12", **bid("6S", "N", 12, 980), **points(0, 2)),
    line(4, 1, "2", "11", status="not played"),
    line(4, 2, "3", "12", status="unknown", level=2, strain="H", declarer="W"),
)

STANDING_ROWS: Sequence[tuple[str, int, int, str, float, float]] = (
    ("NS", 1, 1, "1", 9, 90.0),
    ("NS", 2, 3, "3", 4.4, 44.0),
    ("NS", 2, 3, "2", 4.4, 44.0),
    ("EW", 1, 1, "12", 6, 75.0),
    ("EW", 2, 2, "13", 4, 50.125),
    ("EW", 3, 3, "11", 1.6, 20.0),
)


def evening(names: Mapping[str, str] = NAMES) -> Session:
    """Make the evening; `names` are the players by pair number."""
    deals = {record: {"deal": deal} for record, deal in enumerate(DEALS)}
    records = [
        {"record": n, "source": "evening.pbn", "line": 20 * n + 1, "board": n + 1, "board_label": str(n + 1)}
        | deals.get(n, {})
        for n in range(4)
    ]
    standings = [
        {"ranking": ranking, "rank": rank, "rank_last": last, "contestant": pair, "direction": ranking, "total": total}
        | {"names": names.get(pair), "percentage": percentage, "boards": 3}
        for ranking, rank, last, pair, total, percentage in STANDING_ROWS
    ]
    digest = "0123456789abcdef" * 4
    return Session(
        sources=frame(SOURCES, [{"source": "club/evening.pbn", "format": "pbn", "sha256": digest, "records": 4}]),
        records=frame(RECORDS, records),
        results=frame(RESULTS, LINES),
        contestants=frame(CONTESTANTS, [{"contestant": pair, "names": who} for pair, who in names.items()]),
        standings=frame(STANDINGS, standings),
        problems=frame(PROBLEMS, [PROBLEM]),
        facts=FACTS,
    )


PROBLEM: Row = {
    "severity": "warning",
    "code": "deal-hand-size",
    "source": "club/evening.pbn",
    "line": 41,
    "column": 7,
    "board": "3",
    "message": "the hand of East is not given",
    "hint": "Enter the missing hand.",
}
FACTS = Facts(
    event="Tuesday Pairs",
    site="Millbrook",
    date="2026.03.03",
    method="matchpoints",
    policies={"field": "all", "line_rounding": "exact"},
)


def large_evening(boards: int = 28, tables: int = 22) -> Session:
    """Make a full club evening by lot, the same each time: every table plays every board."""
    lot = Random(11)
    names = {str(n): f"Player {2 * n - 1:03} - Player {2 * n:03}" for n in range(1, 2 * tables + 1)}
    outcomes = [
        bid(*one) for one in (("4S", "N", 10, 420, "DQ"), ("3NT", "E", 8, 50, "HT"), ("2HX", "W", 6, 300, "SA"))
    ]
    rows = [
        line(board, table, str(table), str(tables + (table + board) % tables + 1))
        | lot.choice(outcomes)
        | points(lot.randrange(2 * tables - 1), 2 * tables - 2)
        for board in range(1, boards + 1)
        for table in range(1, tables + 1)
    ]
    records = [
        {"record": n, "source": "evening.pbn", "board": n + 1, "board_label": str(n + 1), "deal": DEALS[n % 2]}
        for n in range(boards)
    ]
    listed = [{"contestant": pair, "names": who} for pair, who in names.items()]
    standings = [
        {**one, "ranking": seats, "direction": seats, "rank": place, "rank_last": place, "total": 600, "percentage": 50}
        for seats, half in (("NS", listed[:tables]), ("EW", listed[tables:]))
        for place, one in enumerate(half, start=1)
    ]
    return Session(
        records=frame(RECORDS, records),
        results=frame(RESULTS, rows),
        contestants=frame(CONTESTANTS, listed),
        standings=frame(STANDINGS, standings),
        facts=FACTS,
    )
