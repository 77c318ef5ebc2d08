"""The words that people type into the cells of a table: `4♠`, `3nt`, `AVE+`, `North`, `60/40`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from overtrick.core.notation import BETWEEN
from overtrick.files.formats.tables.headers import fold

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


def read_points(text: str) -> str:
    """Return a number with a point and a plain minus sign: `-7.5` for `−7,5`, `1400` for `1 400`."""
    plain = re.sub(r"(?<=[0-9]) (?=[0-9]{3})", "", text.translate(_SIGNS).strip())
    decimal = plain.replace(",", ".") if plain.count(",") == 1 else plain
    return re.sub(r"^([+-]) (?=[0-9])", r"\1", decimal)


def read_whole(text: str) -> str:
    """Return a score in points: as `read_points`, `420` for the `420.0` of a spreadsheet."""
    return re.sub(r"\.0+$", "", read_points(text))


def read_names(text: str) -> str:
    """Return the players of a pair as `Ann Example - Bob Sample`, whatever sign or word people put between them."""
    if BETWEEN in text:
        return text
    parts = re.split(r"[&/+;]| (?:and|et|oraz) ", " ".join(text.split()))
    return BETWEEN.join(part.strip() for part in parts if part.strip())


def hearts_of(contracts: Mapping[str, object] | set[str], *, french: bool) -> str | None:
    """Return what C means among the contracts of a table: H with French suits, C with English ones, None with both.

    `4P`, `4K`, `4T` and `3SA` are French; `4S`, `4H` and `4D` are English. A table with neither follows its header.
    """
    letters = {found[1] for text in contracts if (found := re.match(r"\s*[1-7]\s*([A-Z])", text.upper()))}
    is_french, is_english = bool(letters & set("PKT")), bool(letters & set("HD"))
    if is_french and is_english:
        return None
    return "H" if is_french or (french and not is_english) else "C"
