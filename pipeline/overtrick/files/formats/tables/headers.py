"""The names that people give to the columns of a table of results, in English, French and Polish."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, Final

import polars as pl

from overtrick.core.frames import CONTESTANTS, Contestants, conform, empty
from overtrick.core.notation import BETWEEN
from overtrick.core.problems import Finding

_SEAT_ORDER: Final = {"N": 0, "E": 0, "S": 1, "W": 1}


def list_pairs(players: Sequence[dict[str, Any]], findings: list[Finding]) -> "Contestants | None":
    """Return the pairs of players; None where no player is listed.

    Args:
        players: `line section pair seat name`, and `total percentage`, as texts; a seat is a letter, and a name may
            be blank.
        findings: gets a problem for a player without a pair.
    """
    pairs: dict[tuple[str | None, str, str | None], list[dict[str, Any]]] = {}
    for player in players:
        if not player.get("pair"):
            values = {"field": "pair", "text": str(player.get("name", ""))}
            findings.append(Finding("exchange-value", player["line"], 1, values=values))
            continue
        seat = str(player.get("seat") or "").strip().upper()[:1]
        side = "NS" if seat in {"N", "S"} else "EW" if seat in {"E", "W"} else None
        pairs.setdefault((player.get("section") or None, str(player["pair"]), side), []).append(player | {"seat": seat})
    if not pairs:
        return None if not players else empty(CONTESTANTS)
    rows = [
        {"contestant": pair, "section": section, "direction": side, **_describe_pair(members)}
        for (section, pair, side), members in pairs.items()
    ]
    return conform(CONTESTANTS, pl.DataFrame(rows, infer_schema_length=None))


def _describe_pair(members: list[dict[str, Any]]) -> dict[str, object]:
    """Return the names, numbers and totals of a pair, North and East first."""
    ordered = sorted(members, key=lambda player: _SEAT_ORDER.get(player["seat"], 2))
    return {
        "names": BETWEEN.join(player["name"] for player in ordered if player.get("name")) or None,
        "members": _joined([player.get("member") for player in ordered]),
        "stated_total": _number(ordered[0].get("total")),
        "stated_percentage": _number(ordered[0].get("percentage")),
    }


def _joined(numbers: list[str | None]) -> str | None:
    return BETWEEN.join(number or "" for number in numbers) if any(numbers) else None


def _number(text: object) -> float | None:
    try:
        return float(str(text).replace(",", "."))
    except ValueError:
        return None


ON_SHEETS: Final = ("honours_ns", "honours_ew", "conduct_ns", "conduct_ew")
REQUIRED: Final = ("board", "ns", "ew")
REQUIRED_OF_DEALS: Final = ("ns", "ew", "contract", "declarer", "tricks")
"""Columns that a table without board numbers must have: its lines are deals in their order."""
COLUMNS: Final = (
    *(*REQUIRED, "dealer", *ON_SHEETS),
    *("section", "round", "table", "vulnerable", "contract", "declarer", "tricks", "lead", "score_ns"),
    *("team_ns", "team_ew", "player_n", "player_e", "player_s", "player_w"),
    *("award_ns", "award_ew", "points_ns", "points_ew", "datum", "names_ns", "names_ew"),
    *("event", "site", "date", "scoring"),
)
"""The columns of a table, by the names that overtrick writes."""
TYPED: Final = ("score_ew", "name_n", "name_e", "name_s", "name_w")
"""Further columns that people type: points for E-W, and the name of one player."""
COMPUTED: Final = ("percentage_ns", "percentage_ew")
"""Columns that `overtrick convert` writes and no reader uses."""

_SPELLINGS: Final = {
    "board": "board no; board number; board nr; boards; bd; brd; deal; donne; no donne; numero de donne; etui; rozdanie"
    "; nr rozdania; rozdanie nr; rozd; pudelko",
    "ns": "n-s; ns pair; pair ns; ns no; ns number; ns pair no; north-south; paire ns; ns paire; nord-sud; no ns"
    "; para ns; ns para; nr ns",
    "ew": "e-w; ew pair; pair ew; ew no; ew number; ew pair no; east-west; eo; e-o; paire eo; eo paire; est-ouest"
    "; no eo; we; w-e; para we; para ew; we para; nr we; nr ew",
    "section": "sect; sec; sektor; sekcja",
    "round": "rnd; rd; tour; runda",
    "table": "tbl; table no; stol; stolik; nr stolu",
    "vulnerable": "vul; vulnerability; vulnerabilite; zalozenia; zal; po partii",
    "dealer": "dlr; donneur; rozdajacy",
    "contract": "ctr; contr; bid; contrat; kontrakt; kontr",
    "declarer": "by; decl; dec; played by; declarant; par; jouee par; joue par; rozgrywajacy; rozgr",
    "tricks": "tr; tks; trk; result; res; made; levees; resultat; lewy; lew; lewa",
    "lead": "ld; ol; opening lead; op lead; entame; wist",
    "score_ns": "score; ns score; score for ns; ns+; marque; marque ns; zapis; zapis ns",
    "score_ew": "ew score; score ew; score eo; marque eo; zapis we; zapis ew",
    "points_ns": "mp ns; ns mp; ns mps; mps ns; matchpoints ns; ns matchpoints; ns points; imps ns; imp ns; ns imps"
    "; pkt ns",
    "points_ew": "mp ew; ew mp; ew mps; mps ew; matchpoints ew; ew matchpoints; ew points; imps ew; imp ew; ew imps"
    "; mp eo; eo mp; points eo; pkt we; pkt ew",
    "percentage_ns": "ns %; % ns; percent ns; ns percent",
    "percentage_ew": "ew %; % ew; percent ew; ew percent; % eo; % we",
    "names_ns": "ns names; ns players; players ns; ns name; noms ns; joueurs ns; nazwiska ns; gracze ns; zawodnicy ns",
    "names_ew": "ew names; ew players; players ew; ew name; noms eo; joueurs eo; nazwiska we; nazwiska ew; gracze we"
    "; zawodnicy we",
    "name_n": "north; nord; polnoc; north player; player n",
    "name_e": "east; est; wschod; east player",
    "name_s": "south; sud; poludnie; south player",
    "name_w": "west; ouest; zachod; west player",
    "award_ns": "ns award; adjusted ns; arbitrage ns",
    "award_ew": "ew award; adjusted ew; arbitrage eo",
    "datum": "butler datum",
    "event": "tournament; tournoi; turniej; competition",
    "site": "club; venue; klub; lieu; miejsce",
    "date": "data; played on",
    "scoring": "method; marquage",
}
_SEPARATE: Final = re.compile(r"[^a-z0-9%+]+")
_WITHOUT_ACCENT: Final = str.maketrans("łø", "lo")
_FRENCH: Final = frozenset("donne contrat declarant levees entame eo paireeo nomseo marque".split())

_NO_COLUMNS: Final[Mapping[str, str]] = MappingProxyType({})
_CHOSEN: ContextVar[Mapping[str, str]] = ContextVar("columns", default=_NO_COLUMNS)
"""The names of columns in the club's settings, over the table above."""


@contextmanager
def call_columns(chosen: Mapping[str, str]) -> Iterator[None]:
    """Apply the club's own names of columns while files are read.

    Args:
        chosen: the name in `COLUMNS` for each header, in capitals or not; `""` leaves a column out.
    """
    token = _CHOSEN.set({fold(header): name for header, name in chosen.items()})
    try:
        yield
    finally:
        _CHOSEN.reset(token)


def fold(header: str) -> str:
    """Return a header without case, accents, blanks and signs: `nspair` for ` N/S Pair`."""
    if header.isascii():
        return _SEPARATE.sub("", header.lower())
    plain = unicodedata.normalize("NFKD", header.casefold().translate(_WITHOUT_ACCENT))
    return _SEPARATE.sub("", "".join(char for char in plain if not unicodedata.combining(char)))


def _known() -> dict[str, str]:
    known = {fold(name): name for name in (*COLUMNS, *TYPED, *COMPUTED)}
    for name, spellings in _SPELLINGS.items():
        for spelling in spellings.split(";"):
            known.setdefault(fold(spelling), name)
    return known


def name_columns(headers: Sequence[str]) -> list[str | None]:
    """Return the name of each column by `COLUMNS`, `TYPED` and `COMPUTED`; None for one that is not known.

    Of two columns with one meaning, the first that is called exactly so counts, else the first.
    """
    chosen = _CHOSEN.get()
    names: list[str | None] = []
    for header in headers:
        folded = fold(header)
        names.append(chosen[folded] or None if folded in chosen else _known().get(folded))
    for name in {name for name in names if name}:
        places = [at for at, other in enumerate(names) if other == name]
        exact = [at for at in places if headers[at].strip().lower() == name]
        for at in places:
            if at != (exact or places)[0]:
                names[at] = None
    return names


def is_header(cells: Sequence[str]) -> bool:
    """Report whether a row of cells is the header of a table of results: it has the columns that are required."""
    if len(cells) < len(REQUIRED):
        return False
    names = set(name_columns(cells))
    if names.issuperset(REQUIRED) or names.issuperset(REQUIRED_OF_DEALS):
        return True
    return names.issuperset({"board", "name_n", "name_s", "name_e", "name_w"}) or names.issuperset(
        {"board", "names_ns", "names_ew"}
    )


def is_french(headers: Sequence[str]) -> bool:
    """Report whether the headers of a table are French, where C is for hearts."""
    return not _FRENCH.isdisjoint(fold(header) for header in headers)
