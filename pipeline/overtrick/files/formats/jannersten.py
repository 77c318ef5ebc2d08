"""Jannersten's `results.txt`: sections `[GAME]`, `[CONTESTANTS]` and `[RESULTS]`, lines of fields between semicolons.

A contestant's line is a player: section, pair, seat, name, result, percentage, victory points, masterpoints. A result's
line has the board, section, round, the pairs of North, East, South and West, points for N-S, contract, declarer,
tricks, lead, matchpoints, IMPs and percentages of both sides, datum, top, adjusted top and remarks.
"""

import re
from typing import Final

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.notation import BETWEEN, contract_text, in_club_unit
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, Written, reads_text
from overtrick.files.formats.tables.cells import make_cells, read_cells
from overtrick.files.formats.tables.typed import list_pairs
from overtrick.files.formats.text import Text

_SECTION: Final = re.compile(r"\s*\[(game|contestants|results)\]", re.IGNORECASE)
_GAME: Final = (
    *("section", "boards_round", "boards", "rounds", "scoring", "filler", "event_type", "weighting", "handicap"),
    *("date", "event", "session", "across"),
)
_RESULT: Final = (
    *("board", "section", "round", "n", "e", "s", "w", "score_ns", "contract", "declarer", "tricks", "lead"),
    *("points_ns", "points_ew", "imps_ns", "imps_ew", "percentage_ns", "percentage_ew", "datum", "top", "adjusted"),
    "remarks",
)
_CONTESTANT: Final = ("section", "pair", "seat", "name", "total", "percentage", "vp", "masterpoints")
_PLAYED: Final = ("section", "round", "score_ns", "contract", "declarer", "tricks", "lead", "datum")
_AWARD: Final = re.compile(r"\s*(A[+-]?|[0-9]{1,3}(?:[.,][0-9]+)?%)\s*/\s*(A[+-]?|[0-9]{1,3}(?:[.,][0-9]+)?%)\s*")
_NUMBERED: Final = re.compile(r"#?0*([0-9]+)")


@reads_text
def read_jannersten(text: Text) -> Reading:
    """Read the results, the players and the facts of the game; a line that does not fit is kept in a problem."""
    findings, where = list(text.findings), ""
    game: dict[str, str] = {}
    rows: list[dict[str, object]] = []
    players: list[dict[str, object]] = []
    for line, written in enumerate(text.content.rstrip("\x1a\n").split("\n"), start=1):
        found = _SECTION.match(written)
        where = found[1].lower() if found else where
        rest = written[found.end() :].strip() if found else written.strip()
        if not rest or rest.startswith("("):
            continue
        fields = [field.strip().strip('"').strip() for field in rest.split(";")]
        if where == "results" and len(fields) >= 8:
            rows.append(_read_result(fields, line, game))
        elif where == "contestants" and len(fields) >= 4:
            players.append({"line": line, **dict(zip(_CONTESTANT, fields, strict=False))})
        elif where == "game" and ";" in rest:
            game = {**dict(zip(_GAME, fields, strict=False)), **game}
        elif not _NUMBERED.fullmatch(rest):
            findings.append(Finding("line-unknown/exchange", line, 1, values={"text": repr(written[:60])}))
    return read_cells(make_cells(rows, ("board", "ns", "ew")), findings, contestants=list_pairs(players, findings))


def _read_result(fields: list[str], line: int, game: dict[str, str]) -> dict[str, object]:
    field = dict(zip(_RESULT, fields, strict=False))
    number = _NUMBERED.fullmatch(field["board"])
    row: dict[str, object] = {
        "line": line,
        "board": number[1] if number else field["board"],
        **{name: field.get(name) for name in (*_PLAYED, "percentage_ns", "percentage_ew")},
        **_read_seats(field),
        "points_ns": field.get("points_ns") or field.get("imps_ns"),
        "points_ew": field.get("points_ew") or field.get("imps_ew"),
        **{name: game.get(name) for name in ("event", "date", "scoring")},
    }
    if award := _AWARD.fullmatch(field.get("remarks", "")):
        row |= {"award_ns": award[1].replace(",", "."), "award_ew": award[2].replace(",", ".")}
    return row


def _read_seats(field: dict[str, str]) -> dict[str, object]:
    """Return the cells of who sat where: four different numbers are the players of an individual."""
    north, east, south, west = (field.get(seat, "") for seat in "nesw")
    if all((north, east, south, west)) and len({north, east, south, west}) == 4:
        players = {f"player_{seat}": field[seat] for seat in "nesw"}
        return {"ns": f"{north}+{south}", "ew": f"{east}+{west}", **players}
    return {"ns": north or south, "ew": east or west}


def write_jannersten(session: Session) -> Written:
    """Write the game, the players by seat, and every result; awards go into the remarks, as `60%/40%`."""
    facts, results = session.facts, in_club_unit(session).results.filter(pl.col("board").is_not_null())
    section = results["section"].drop_nulls().first()
    method = (facts.scoring or "").split(";")[0]
    game = [section, "", results["board"].n_unique(), results["round"].n_unique(), method, "", "", "", ""]
    lines = ["[GAME]", _line([*game, facts.date, facts.event, "", ""]), "[CONTESTANTS]"]
    for row in session.contestants.iter_rows(named=True):
        names = (row["names"] or "").split(BETWEEN)
        seats = "EW" if row["direction"] == "EW" else "NS"
        for seat, name in zip(seats, names, strict=False):
            total, share = row["stated_total"], row["stated_percentage"]
            lines.append(_line([row["section"], row["contestant"], seat, f'"{name}"', total, share, "", ""]))
    lines.append("[RESULTS]")
    written = results.with_columns(contract_text().alias("contract")).sort("board", maintain_order=True)
    lines += [_line(_fields(row)) for row in written.iter_rows(named=True)]
    return Written("".join(f"{line}\r\n" for line in lines).encode())


def _fields(row: dict[str, object]) -> list[object]:
    individual = row["player_n"] is not None
    seats = [row[f"player_{seat}"] for seat in "nesw"] if individual else [row["ns"], row["ew"], "", ""]
    award = f"{row['award_ns'] or ''}/{row['award_ew'] or ''}" if row["award_ns"] or row["award_ew"] else ""
    played = [row["score_ns"], row["contract"], row["declarer"], row["tricks"], row["lead"]]
    earned = [row["points_ns"], row["points_ew"], "", "", row["percentage_ns"], row["percentage_ew"]]
    board = f"#{row['board']:02}"
    return [board, row["section"], row["round"], *seats, *played, *earned, row["datum"], "", "", award]


def _line(fields: list[object]) -> str:
    return ";".join("" if field is None else _number(field) for field in fields)


def _number(field: object) -> str:
    text = f"{field:.4f}".rstrip("0").rstrip(".") if isinstance(field, float) else str(field)
    return text.replace(";", ",").replace("\n", " ")
