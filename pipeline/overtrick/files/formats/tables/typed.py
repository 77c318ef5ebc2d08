"""The words that people type into the cells of a table: `4♠`, `3nt`, `AVE+`, `North`, `60/40`."""

import re
from collections.abc import Sequence
from csv import Error, reader
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import polars as pl

from overtrick.core.frames import CONTESTANTS, Contestants, conform, empty
from overtrick.core.notation import BETWEEN, read_result
from overtrick.core.problems import Finding
from overtrick.core.words import Club, Dialect, all_words, current_club, plain, respell_tricks


def split_line(line: str, separator: str = ",") -> list[str] | None:
    """Return the cells of a line of CSV without blanks around them; None for a line that is not CSV."""
    try:
        return [cell.strip() for cell in next(reader([line], delimiter=separator), [])]
    except Error:
        return None


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
            findings.append(Finding("value-unknown/exchange", player["line"], 1, values=values))
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
    numbers = [player.get("member") or "" for player in ordered]
    return {
        "names": BETWEEN.join(player["name"] for player in ordered if player.get("name")) or None,
        "members": BETWEEN.join(numbers) if any(numbers) else None,
        "stated_total": _number(ordered[0].get("total")),
        "stated_percentage": _number(ordered[0].get("percentage")),
    }


def _number(text: object) -> float | None:
    try:
        return float(str(text).replace(",", "."))
    except ValueError:
        return None


ON_SHEETS: Final = ("honours_ns", "honours_ew", "conduct_ns", "conduct_ew")
REQUIRED: Final = ("board", "ns", "ew")
_REQUIRED: Final = (
    frozenset(REQUIRED),
    frozenset({"ns", "ew", "contract", "declarer", "tricks"}),  # without board numbers, the lines are deals in order
    frozenset({"board", "name_n", "name_s", "name_e", "name_w"}),
    frozenset({"board", "names_ns", "names_ew"}),
    frozenset({"board", "player_n", "player_e", "player_s", "player_w"}),
)
"""Columns of which a table of results has one set."""
COLUMNS: Final = (
    *(*REQUIRED, "dealer", *ON_SHEETS),
    *("section", "round", "table", "vulnerable", "contract", "declarer", "tricks", "lead", "score_ns"),
    *("team_ns", "team_ew", "player_n", "player_e", "player_s", "player_w", "listed_ns", "listed_ew"),
    *("award_ns", "award_ew", "points_ns", "points_ew", "datum", "names_ns", "names_ew"),
    *("event", "site", "date", "scoring"),
)
"""The columns of a table, by the names that overtrick writes."""
TYPED: Final = ("score_ew", "name_n", "name_e", "name_s", "name_w")
"""Further columns that people type: points for E-W, and the name of one player."""
COMPUTED: Final = ("percentage_ns", "percentage_ew")
"""Columns that `overtrick convert` writes and no reader uses."""

_SEPARATE: Final = re.compile(r"[^a-z0-9%+]+")


def fold(header: str) -> str:
    """Return a header without case, accents, blanks and signs: `nspair` for ` N/S Pair`."""
    return _SEPARATE.sub("", plain(header).lower())


@cache
def _name_headers(club: Club) -> dict[str, str]:
    ours = {fold(name): name for name in (*COLUMNS, *TYPED, *COMPUTED)}
    return (
        {fold(word): name for word, name in all_words("column", club).items()}
        | ours
        | {fold(word): name for word, name in club.of("column").items()}
    )


def name_columns(headers: Sequence[str]) -> list[str | None]:
    """Return the name of each column by `COLUMNS`, `TYPED` and `COMPUTED`; None for one that is not known.

    Of two columns with one meaning, the first that is called exactly so counts, else the first.
    """
    known = _name_headers(current_club())
    names = [known.get(fold(header)) or None for header in headers]
    for name in {name for name in names if name}:
        places = [at for at, other in enumerate(names) if other == name]
        exact = [at for at in places if headers[at].strip().lower() == name]
        for at in places:
            if at != (exact or places)[0]:
                names[at] = None
    return names


def are_imps(headers: Sequence[str]) -> bool:
    """Report whether the headers say that the points of a table are IMPs: `NS IMPs`."""
    named = zip(headers, name_columns(headers), strict=True)
    return any(name in {"points_ns", "points_ew"} and "imp" in fold(header) for header, name in named)


def is_header(cells: Sequence[str]) -> bool:
    """Report whether a row of cells is the header of a table of results: it has the columns that are required."""
    if len(cells) < len(REQUIRED):
        return False
    names = set(name_columns(cells))
    return any(names >= required for required in _REQUIRED)


_NOT_PLAYED: Final = re.compile("-+")
_OUTCOMES: Final = all_words("outcome", Club())
_WORD: Final = f"(?:{'|'.join(word for word, outcome in _OUTCOMES.items() if outcome == 'A')})"
_AVERAGE: Final = re.compile(rf"{_WORD}\.?\s*([+=-]?)(?:\s*[/,;: ]?\s*{_WORD}\.?\s*([+=-]?))?")
_AVERAGES: Final = re.compile(rf"{_WORD}\.?\s*([+=-])\s*/?\s*([+=-])")
_SHARE: Final = r"([0-9]{1,3}(?:[.,][0-9]{1,6})?)\s*%?"
_SHARES: Final = re.compile(rf"A?\s*{_SHARE}\s*[/:;-]\s*{_SHARE}|A([0-9]{{2}})([0-9]{{2}})")
_ALONE: Final = re.compile(rf"{_SHARE}")
_NOTHING: Final = r"(?:[-?*X]{0,2})"
_ONE_SHARE: Final = re.compile(
    rf"A?\s*(?:{_SHARE}\s*[/:;]\s*{_NOTHING}|{_NOTHING}\s*[/:;]\s*{_SHARE})|A{_SHARE}\s*{_NOTHING}|A[-?*X]{{1,2}}\s*{_SHARE}"
)
"""A share of one side: `60/`, `-/40`, `A60--`, `A--40`."""
_ONE_AVERAGE: Final = re.compile(rf"{_NOTHING}\s*/\s*{_WORD}\.?\s*([+=-]?)|{_WORD}\.?\s*([+=-]?)\s*/\s*{_NOTHING}")
_PER_CENT: Final = r"(?:100(?:[.,]0{1,6})?|0?[0-9]{1,2}(?:[.,][0-9]{1,6})?)\s*%?"
_BOTH: Final = (
    *(rf"A?\s*{_PER_CENT}\s*[/:;-]\s*{_PER_CENT}", "A[0-9]{4}"),
    *(rf"{_WORD}\.?\s*=?", rf"{_WORD}\.?\s*[+=-]?\s*[/,;: ]?\s*{_WORD}\.?\s*[+=-]?"),
)
OTHER_RESULTS: Final = "|".join(
    [*(pattern.pattern for pattern in (_NOT_PLAYED, _AVERAGES)), *_BOTH]
    + [re.escape(word) for word, outcome in _OUTCOMES.items() if outcome == "not played"]
)
"""The regular expression of a result without a contract: not played, or an artificial score for both sides."""
_RANK_FIRST: Final = re.compile(r"(10|.)\s*(.)")


@dataclass(frozen=True)
class Said:
    """The meaning of a cell, in the spelling of `overtrick convert`; None for what it does not say.

    Attributes:
        contract: `4SX`, `Pass`.
        declarer, tricks, lead: where they follow the contract, as in `4♠N+1 DK`.
        award_ns, award_ew: an artificial score, `A+` or `60%`.
        not_played: whether the cell says that the board was not played.
    """

    contract: str | None = None
    declarer: str | None = None
    tricks: str | None = None
    lead: str | None = None
    award_ns: str | None = None
    award_ew: str | None = None
    not_played: bool = False


def read_contract(text: str, dialect: Dialect) -> Said | None:
    """Return what a cell in the column of the contract says; None for what cannot be read."""
    if found := read_result(text, dialect):
        return Said(*found)
    upper = plain(text)
    if _OUTCOMES.get(upper) == "not played" or _NOT_PLAYED.fullmatch(upper):
        return Said(not_played=True)
    return read_award(upper, alone=True)


def read_award(text: str, *, alone: bool) -> Said | None:
    """Return the artificial score in a cell: `AVE`, `AVE+`, `A+/A-`, `60/40`; None for another text.

    Args:
        text: the cell.
        alone: whether a number alone is a percentage: in the column of the contract, but not in that of the score.
    """
    upper = plain(text)
    if found := _SHARES.fullmatch(upper):
        ours, theirs = (found[1] or found[3], found[2] or found[4])
        return _shares(ours, theirs)
    if found := _AVERAGES.fullmatch(upper):
        return Said(award_ns=_letter(found[1]), award_ew=_letter(found[2]))
    if found := _AVERAGE.fullmatch(upper):
        if found[2] is not None:
            return Said(award_ns=_letter(found[1]), award_ew=_letter(found[2]))
        sign = found[1].strip("=")
        return Said(award_ns=f"A{sign}", award_ew=None if sign else "A")
    if (upper.endswith("%") or alone) and (found := _ALONE.fullmatch(upper)):
        return _shares(found[1], None)
    return _read_one_side(upper)


def _read_one_side(upper: str) -> Said | None:
    """Return an artificial score that is written with a place for the other side's: `60/`, `-/40`, `A-/`."""
    if found := _ONE_SHARE.fullmatch(upper):
        theirs = found[2] or found[4]
        share = _share(theirs or found[1] or found[3])
        if share is None:
            return None
        return Said(award_ew=share) if theirs else Said(award_ns=share)
    if found := _ONE_AVERAGE.fullmatch(upper):
        return Said(award_ns=_letter(found[2])) if found[1] is None else Said(award_ew=_letter(found[1]))
    return None


def _letter(sign: str) -> str:
    return f"A{sign.strip('=')}"


def _shares(ours: str, theirs: str | None) -> Said | None:
    shares = [None if share is None else _share(share) for share in (ours, theirs)]
    if shares[0] is None or (theirs is not None and shares[1] is None):
        return None
    return Said(award_ns=shares[0], award_ew=shares[1])


def _share(text: str) -> str | None:
    """Return a percentage as `60%`; None for more than 100."""
    number = text.replace(",", ".")
    return f"{number}%" if float(number) <= 100 else None


def read_tricks(text: str) -> str:
    """Return a number of tricks without blanks, with a plain minus sign: `-1` for `− 1` and `1 off`, `=` for `made`."""
    upper = plain(text)
    return respell_tricks(upper, "", _OUTCOMES) or upper.replace(" ", "").removesuffix(".0")


def read_lead(text: str, dialect: Dialect) -> str:
    """Return a card as suit and rank, `HK` for `♥K` and `K♥`; another text as it is."""
    upper = plain(text)
    found = _RANK_FIRST.fullmatch(upper)
    return dialect.read("card", upper) or (found and dialect.read("card", found[2] + found[1])) or text
