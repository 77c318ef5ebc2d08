"""The words that people type into the cells of a table: `4♠`, `3nt`, `AVE+`, `North`, `60/40`."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
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


_SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("♠♤", "S"),
        **dict.fromkeys("♥♡", "H"),
        **dict.fromkeys("♦♢", "D"),
        **dict.fromkeys("♣♧", "C"),
        **dict.fromkeys("−–—", "-"),
        **dict.fromkeys("\u00a0\u2009\u202f", " "),
        **dict.fromkeys("\ufe0e\ufe0f", ""),
        "\u00d7": "X",
    }
)
_STRAINS: Final = {
    "S": "S SPADE SPADES PIQUE PIQUES PIK PIKI P",
    "H": "H HEART HEARTS COEUR COEURS CŒUR CŒURS KIER KIERY",
    "D": "D DIAMOND DIAMONDS CARREAU CARREAUX KARO KARA K",
    "C": "C CLUB CLUBS TREFLE TREFLES TRÈFLE TRÈFLES TREFL T",
    "NT": "NT N SA BA ST NOTRUMP NOTRUMPS NO-TRUMP NO-TRUMPS",
}
_STRAIN: Final = {word: strain for strain, words in _STRAINS.items() for word in words.split()}
_LONGEST_FIRST: Final = "|".join(sorted(map(re.escape, _STRAIN), key=len, reverse=True))
_DOUBLED: Final = {"": "", "X": "X", "*": "X", "DBL": "X", "D": "X", "XX": "XX", "**": "XX", "RDBL": "XX", "R": "XX"}
_SEAT_WORDS: Final = {
    "N": "n north nord polnoc",
    "E": "e east est wschod",
    "S": "s south sud poludnie",
    "W": "w west ouest o zachod",
}
_SEATS: Final = {word: seat for seat, words in _SEAT_WORDS.items() for word in words.split()}
_CONTRACT: Final = re.compile(
    rf"([1-7])\s*({_LONGEST_FIRST})\s*(XX|X|\*\*|\*|RDBL|DBL)?"
    r"(?:\s*(?:BY\s+|-\s*(?=[NESW]))?(NORTH|EAST|SOUTH|WEST|[NESWO]))?\s*(=|[+-]\s*[0-9]{1,2})?"
)
_PASSED: Final = re.compile(
    r"(?:4\s*)?PASS(?:E|É|ES|ED)?(?:\s*OUT)?|ALL\s*PASS|PASS\s*GENERAL|P\.?O\.?|AP|PASY|4\s*PASY|PAS|THROWN IN"
)
_NOT_PLAYED: Final = re.compile(r"NP|N/P|NOT\s*PLAYED|NO\s*PLAY|UNPLAYED|NON\s*JOU[EÉ]E?|NJ|NIE\s*GRANO|NIEGRANE|-+")
_WORD: Final = r"(?:A|AV|AVE|AVG|AVERAGE|MOY|MOYENNE|ŚR|SR|ŚREDNIA|SREDNIA)"
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
_LEAD: Final = re.compile(r"([SHDC])\s*(10|[2-9TJQKA])|(10|[2-9TJQKA])\s*([SHDC])")


@dataclass(frozen=True)
class Said:
    """The meaning of a cell, in the spelling of `overtrick convert`; None for what it does not say.

    Attributes:
        contract: `4SX`, `Pass`.
        declarer, tricks: where they follow the contract, as in `4♠N+1`.
        award_ns, award_ew: an artificial score, `A+` or `60%`.
        not_played: whether the cell says that the board was not played.
    """

    contract: str | None = None
    declarer: str | None = None
    tricks: str | None = None
    award_ns: str | None = None
    award_ew: str | None = None
    not_played: bool = False


def read_contract(text: str, hearts: str | None = None) -> Said | None:
    """Return what a cell in the column of the contract says; None for what cannot be read.

    Args:
        text: the cell.
        hearts: what the letter C means: H in a French table, C in any other, None where it can mean both.
    """
    upper = " ".join(text.translate(_SIGNS).upper().split())
    if found := _CONTRACT.fullmatch(upper):
        level, word, doubled, seat, tricks = found.groups(default="")
        strain = hearts if word == "C" else _STRAIN[word]
        if strain is None:
            return None
        declarer = _SEATS.get(seat.lower()) if seat else None
        return Said(f"{level}{strain}{_DOUBLED[doubled]}", declarer, tricks.replace(" ", "") or None)
    if _PASSED.fullmatch(upper):
        return Said("Pass")
    if _NOT_PLAYED.fullmatch(upper):
        return Said(not_played=True)
    return read_award(upper, alone=True)


def read_award(text: str, *, alone: bool) -> Said | None:
    """Return the artificial score in a cell: `AVE`, `AVE+`, `A+/A-`, `60/40`; None for another text.

    Args:
        text: the cell.
        alone: whether a number alone is a percentage: in the column of the contract, but not in that of the score.
    """
    upper = " ".join(text.translate(_SIGNS).upper().split())
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


def read_seat(text: str) -> str | None:
    """Return a seat from its letter or its name in English, French or Polish."""
    return _SEATS.get(fold(text))


def read_tricks(text: str) -> str:
    """Return a number of tricks without blanks, with a plain minus sign: `-1` for `− 1`, `=` for `made`."""
    plain = text.translate(_SIGNS).replace(" ", "")
    return "=" if plain.lower() in {"made", "==", "+0", "-0", "egal"} else plain.removesuffix(".0")


def read_lead(text: str) -> str:
    """Return a card as suit and rank, `HK` for `♥K` and `K♥`; another text as it is."""
    found = _LEAD.fullmatch(text.translate(_SIGNS).upper().strip())
    return f"{found[1] or found[4]}{found[2] or found[3]}" if found else text


def hearts_of(contracts: Mapping[str, object] | set[str], *, french: bool) -> str | None:
    """Return what C means among the contracts of a table: H with French suits, C with English ones, None with both.

    `4P`, `4K`, `4T` and `3SA` are French; `4S`, `4H` and `4D` are English. A table with neither follows its header.
    """
    letters = {found[1] for text in contracts if (found := re.match(r"\s*[1-7]\s*([A-Z])", text.upper()))}
    is_french, is_english = bool(letters & set("PKT")), bool(letters & set("HD"))
    if is_french and is_english:
        return None
    return "H" if is_french or (french and not is_english) else "C"
