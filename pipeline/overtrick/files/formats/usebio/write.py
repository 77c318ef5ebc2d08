"""USEBIO, the XML in which national bodies take results for masterpoints.

Files are of version 1.2, those for a body of 1.3: usebio.org says that a valid file of 1.2 is valid in 1.3 with another
version in its head, and that `EBU_CHARGE_CODE` takes the place of `P2P_CHARGE_RATE`.

Elements are in the order in which the programs of British clubs write them, since the DTD fixes it. The template
`usebio.xml.j2` places them; the functions here list their names and texts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

import polars as pl
from jinja2 import Environment

from overtrick.core.bridge.cards import SEAT_NAMES, board_vulnerability, is_complete
from overtrick.core.bridge.methods import method_named
from overtrick.core.frames import Records, Results, Session
from overtrick.core.languages import open_templates
from overtrick.core.notation import BETWEEN, clean, contract_text, in_club_unit, is_number, natural
from overtrick.core.problems import report
from overtrick.core.version import __version__
from overtrick.files.formats.base import Written

_Cells = list[tuple[str, str]]
"""Elements and their texts, in order."""
_Kind = Literal["PAIR", "PLAYER", "TEAM"]
_Row = Mapping[str, Any]

_MOST_COPIES: Final = 1000
"""Copies that are written of a line that tables share; a larger number is a slip."""
_BY_LETTER: Final = {"A+": "60%", "A": "50%", "A-": "40%"}
_SUITS_UP: Final = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")
_UNKNOWN: Final = "?"
_IDENTITY: Final = {"PAIR": "PAIR_NUMBER", "PLAYER": "PLAYER_NUMBER", "TEAM": "TEAM_ID"}


@dataclass(frozen=True)
class Submission:
    """The further facts in a file for a national body or a simultaneous event.

    Attributes:
        club: the name of the club; None to take it from the session.
        number: the number of the club.
        charge: the EBU's charge code.
        scorer: the name of who answers questions.
        telephone: their telephone number.
        email: their e-mail address.
    """

    club: str | None = None
    number: str | None = None
    charge: str | None = None
    scorer: str | None = None
    telephone: str | None = None
    email: str | None = None

    @property
    def contact(self) -> _Cells:
        """The elements of the contact."""
        return _filled([("FULL_NAME", self.scorer), ("TELEPHONE", self.telephone), ("EMAIL", self.email)])


def write_usebio(session: Session, submission: Submission | None = None) -> Written:
    """Write a scored session: the event, its participants with totals and places, every result, and the hands.

    Args:
        session: scored and ranked.
        submission: for a file of version 1.3, what else it says.
    """
    session = in_club_unit(session)
    stated = submission or Submission()
    results = _held(session.results)
    kind = _kind(results)
    sections: list[str | None] = sorted(results["section"].unique().to_list(), key=natural) or [None]
    text = (
        _environment()
        .get_template("usebio.xml.j2")
        .render(
            version="1.3" if submission else "1.2",
            club=_filled([("CLUB_NAME", stated.club or session.facts.site), ("CLUB_ID_NUMBER", stated.number)]),
            event_type=_event_type(results, kind, session.facts.method),
            event=_event(session, len(sections), stated.charge),
            contact=stated.contact,
            sections=[_section(session, results, section, kind, alone=len(sections) == 1) for section in sections],
            hands=_hands(session.records),
        )
    )
    return Written(text.encode(), _problems(session, results))


def _section(session: Session, results: Results, section: str | None, kind: _Kind, *, alone: bool) -> dict[str, Any]:
    rows = results.filter(pl.col("section").eq_missing(section))
    return {
        "name": None if section is None else clean(section),
        "participants": _participants(session, section, kind, alone=alone),
        "matches": _matches(rows, session.facts.method),
        "boards": _boards(rows.filter(pl.col("team_ns").is_null() | pl.col("team_ew").is_null()), session.facts.method),
    }


def _kind(results: Results) -> _Kind:
    """Return who takes part: players if all sat alone, teams if any result is of a match, else pairs."""
    if len(results) and results["player_n"].null_count() == 0:
        return "PLAYER"
    return "TEAM" if results["team_ns"].is_not_null().any() else "PAIR"


def _event_type(results: Results, kind: _Kind, method: str | None) -> str:
    if kind == "PLAYER":
        return "INDIVIDUAL"
    if kind == "TEAM":
        return "SWISS_TEAMS" if results["round"].n_unique() > 1 else "TEAMS"
    usebio = method_named(method).usebio
    return usebio.event_type if usebio else "PAIRS"


@cache
def _environment() -> Environment:
    return open_templates("exchange")


def _held(results: Results) -> pl.DataFrame:
    """Return the results that the format can hold: those of numbered boards, once for each table that shares them."""
    stated = results.filter(pl.col("board").is_not_null(), ~pl.col("status").is_in(["not played", "bye"]))
    copies = pl.col("multiplicity").fill_null(1).clip(1, _MOST_COPIES)
    repeated = stated.select(pl.all().repeat_by(copies).explode()) if len(stated) else stated
    return repeated.sort("section", "board", maintain_order=True, nulls_last=True)


def _event(session: Session, sections: int, charge: str | None) -> _Cells:
    facts = session.facts
    rankings = session.standings["ranking"].unique()
    usebio = method_named(facts.method).usebio
    # IMPs against nobody knows what are not matchpoints either.
    in_imps = facts.method is None and (facts.scoring or "").upper().startswith("IMP")
    winners = "2" if any(str(name).endswith(("NS", "EW")) for name in rankings) else "1"
    return _filled(
        [
            ("EVENT_DESCRIPTION", facts.event),
            ("PROGRAM_NAME", "overtrick"),
            ("PROGRAM_VERSION", __version__),
            ("WINNER_TYPE", winners if len(rankings) else None),
            ("TITLE", facts.event),
            ("DATE", _date(facts.date)),
            ("VENUE", facts.site),
            ("SESSION_COUNT", "1"),
            ("SECTION_COUNT", str(sections)),
            ("EBU_CHARGE_CODE", charge),
            ("BOARD_SCORING_METHOD", usebio.methods[0] if usebio else "IMPS" if in_imps else None),
        ]
    )


def _date(date: str | None) -> str | None:
    """Return `2026.03.07` as British programs write it, `07/03/2026`; a date of another form as it is."""
    parts = (date or "").split(".")
    return "/".join(reversed(parts)) if len(parts) == 3 and all(map(is_number, parts)) else date


def _problems(session: Session, stated: pl.DataFrame) -> pl.DataFrame:
    """Report what the format cannot hold."""
    lost = session.results.filter(pl.col("board").is_null() | pl.col("status").is_in(["not played", "bye"]))
    counted = lost.group_by("source", maintain_order=True).agg(pl.len().alias("lines"))
    awards = [pl.col(f"award_{side}") for side in ("ns", "ew")]
    fraction = pl.any_horizontal(award.str.contains(r"\.[0-9]*[1-9]") for award in awards)
    alone = awards[0].is_null() != awards[1].is_null()
    beyond = pl.any_horizontal(award == "100%" for award in awards)
    adjusted = stated.filter((pl.col("status") == "adjusted") & (fraction | alone | beyond))
    off_law = pl.col("vulnerable").cast(pl.String) != board_vulnerability(pl.col("board"))
    other = stated.filter(off_law).unique("board", keep="first", maintain_order=True)
    return pl.concat(
        [
            report("format-not-written/usebio", counted),
            report("written-changed/award", adjusted),
            report("written-changed/vulnerability", other.drop("table")),
        ]
    )


# Boards, matches and hands


def _boards(results: Results, method: str | None, team: str | None = None) -> list[dict[str, Any]]:
    """Return boards with the lines of their tables.

    Args:
        results: of one section or match, sorted by board.
        method: as in `bridge.methods`; it names the elements of the points.
        team: the first team of the match; each line says how it sat.
    """
    rows = results.with_columns(
        contract_text().alias("contract"), pl.col("declarer").cast(pl.String), pl.col("status").cast(pl.String)
    )
    listed = []
    for (number,), lines in rows.group_by("board", maintain_order=True):
        datum = lines["datum"].drop_nulls().first()
        about = _filled([("BOARD_NUMBER", str(number)), ("BOARD_AVERAGE", None if datum is None else str(datum))])
        listed.append({"about": about, "lines": [_line(row, method, team) for row in lines.iter_rows(named=True)]})
    return listed


def _matches(results: Results, method: str | None) -> list[dict[str, Any]]:
    """Return the matches of teams: round, the two teams, and their boards."""
    of_teams = results.filter(pl.col("team_ns").is_not_null() & pl.col("team_ew").is_not_null())
    pair = [pl.min_horizontal("team_ns", "team_ew").alias("one"), pl.max_horizontal("team_ns", "team_ew").alias("two")]
    listed = []
    for (stage, *_), lines in of_teams.with_columns(pair).group_by("round", "one", "two", maintain_order=True):
        first = lines.row(0, named=True)
        about = [("ROUND_NUMBER", stage), ("TEAM", first["team_ns"]), ("OPPOSING_TEAM", first["team_ew"])]
        listed.append({"about": _filled(about), "boards": _boards(lines, method, first["team_ns"])})
    return listed


def _line(row: Mapping[str, Any], method: str | None, team: str | None) -> _Cells:
    contract = row["contract"]
    usebio = method_named(method).usebio
    kind = usebio.points if usebio else None
    earned = [(f"{side}_{kind}", _decimal(row[f"points_{side.lower()}"])) for side in ("NS", "EW")] if kind else []
    sat = None if team is None else "NS" if row["team_ns"] == team else "EW"
    return _who(row) + _filled(
        [
            ("DIRECTION", sat),
            ("ROUND_NUMBER", None if team else row["round"]),
            ("TABLE_NUMBER", row["table"]),
            ("CONTRACT", "PASS" if contract == "Pass" else contract),
            ("PLAYED_BY", row["declarer"]),
            ("LEAD", row["lead"][::-1] if row["lead"] else None),
            ("TRICKS", None if row["tricks"] is None else str(row["tricks"])),
            ("SCORE", _score(row)),
            *earned,
        ]
    )


def _who(row: Mapping[str, Any]) -> _Cells:
    if row["player_n"] is not None:
        return _filled([(f"{seat}_PLAYER_NUMBER", row[f"player_{seat.lower()}"]) for seat in "NSEW"])
    pairs = [(f"{side}_PAIR_NUMBER", row[side.lower()], row[f"team_{side.lower()}"]) for side in ("NS", "EW")]
    return _filled([(name, pair) for name, pair, team in pairs if pair != team])


def _score(row: Mapping[str, Any]) -> str | None:
    """Return points for N-S, or `A6040` for an artificial score of 60 % and 40 %."""
    awards = [row["award_ns"], row["award_ew"]]
    if row["status"] == "adjusted" and all(awards):
        return "A" + "".join(f"{round(float(_BY_LETTER.get(award, award).rstrip('%'))):02}" for award in awards)
    return None if row["score_ns"] is None else str(row["score_ns"])


def _hands(records: Records) -> list[tuple[int, list[_Cells]]]:
    """Return the complete deals by board number, each seat's suits from the clubs up."""
    dealt = records.filter(is_complete(records["deal"]), pl.col("board").is_not_null())
    once = dealt.unique("board", keep="first", maintain_order=True).sort("board")
    return [
        (
            board,
            [
                [("DIRECTION", seat), *zip(_SUITS_UP, reversed(hand.split(".")), strict=True)]
                for seat, hand in zip(SEAT_NAMES, deal[2:].split(" "), strict=True)
            ],
        )
        for board, deal in once.select("board", "deal").iter_rows()
    ]


# Participants


def _participants(session: Session, section: str | None, kind: _Kind, *, alone: bool) -> list[dict[str, Any]]:
    """Return the contestants of a section, the ranked ones first.

    Args:
        session: ranked.
        section: its name; None for a session without sections.
        kind: which element each of them is.
        alone: whether it is the only section, so that all contestants are its own.
    """
    listed, ranked = session.contestants, session.standings
    if not alone:
        listed = listed.filter(pl.col("section").eq_missing(section))
        prefix = pl.col("ranking").str.starts_with(f"{section} ")
        ranked = ranked.filter(pl.col("section").eq_missing(section) | (pl.col("section").is_null() & prefix))
    known, rows = listed.to_dicts(), ranked.to_dicts()
    others = [row for row in known if not any(_same(row, other) for other in rows)]
    merged = [(row, _about(row, known)) for row in rows] + [(row, row) for row in others]
    return [_participant(kind, row, about) for row, about in merged]


def _same(listed: _Row, ranked: _Row) -> bool:
    """Report whether a ranking names this contestant: a direction counts only if both state it."""
    directions = {listed["direction"], ranked["direction"]} - {None}
    return bool(listed["contestant"] == ranked["contestant"] and len(directions) < 2)


def _about(ranked: _Row, known: Sequence[_Row]) -> _Row:
    """Return what is known about a ranked contestant, by number and direction, else by number alone."""
    same = [row for row in known if row["contestant"] == ranked["contestant"]]
    exact = [row for row in same if row["direction"] == ranked["direction"]]
    candidates = exact or same
    return candidates[0] if len(candidates) == 1 else {}


def _participant(kind: _Kind, row: _Row, about: _Row) -> dict[str, Any]:
    tied = row.get("rank_last") is not None and row["rank_last"] > row["rank"]
    place = row.get("rank", row.get("stated_rank"))
    names = about.get("names") or row.get("names")
    cells = [
        (_IDENTITY[kind], row["contestant"]),
        ("TEAM_NAME", names if kind == "TEAM" else None),
        ("DIRECTION", row.get("direction") or about.get("direction")),
        ("TOTAL_SCORE", _decimal(row.get("total", row.get("stated_total")))),
        ("PERCENTAGE", _decimal(row.get("percentage", row.get("stated_percentage")))),
        ("PLACE", None if place is None else f"{place}{'=' if tied else ''}"),
    ]
    players = [] if kind == "TEAM" else _players(_split(names), _split(about.get("members")))
    awards = _awards(row.get("awards") or about.get("stated_awards"))
    if kind == "PLAYER":
        cells += [cell for player in players for cell in player]
        players = []
    return {"kind": kind, "about": _filled(cells), "awards": awards, "players": players}


def _awards(stated: str | None) -> list[_Cells]:
    """Return masterpoints by colour: `17 green; 5 black`."""
    colours = [award.partition(" ") for award in (stated or "").split("; ") if award]
    return [
        _filled([("MASTER_POINTS_AWARDED", points), ("MASTER_POINT_TYPE", colour.upper())])
        for points, _, colour in colours
    ]


def _players(names: list[str], members: list[str]) -> list[list[tuple[str, str]]]:
    """Return the elements of the players, each with a membership number if there is one for each of them.

    An unknown player beside a known one has an element with an empty name, so that the other keeps the seat.
    """
    count = max(len(names), len(members))
    numbers = members if len(members) == count else [""] * count
    people = zip(names or [""] * count, numbers, strict=False)
    listed = [
        _filled([("PLAYER_NAME", None if name == _UNKNOWN else name), ("NATIONAL_ID_NUMBER", number)])
        for name, number in people
    ]
    return [cells or [("PLAYER_NAME", "")] for cells in listed] if any(listed) else []


def _split(joined: str | None) -> list[str]:
    return joined.split(BETWEEN) if joined else []


# Cells


def _filled(cells: Iterable[tuple[str, str | None]]) -> _Cells:
    """Return the elements that have a text, cleaned for XML."""
    return [(name, text) for name, value in cells if (text := clean(value))]


def _decimal(value: float | None) -> str | None:
    """Return a number with no more decimals than it needs, four at most."""
    return None if value is None else f"{value:.4f}".rstrip("0").rstrip(".")
