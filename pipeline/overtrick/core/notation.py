"""How seats, contracts, leads, tricks, awards and scores are spelled in any file, and how they are written in messages.

Most functions here turn a column of texts into a typed column by one expression for all rows at once. They return null
both for what is unknown and for what cannot be read. Where formats differ, a parameter says how; what only one format
spells in its own way is read in the home of that format. Sections in parentheses are those of the PBN 2.1 standard.
"""

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

import polars as pl

from overtrick.core.bridge.cards import SEAT_NAMES, SEATS, STRAINS, UNKNOWN, Bytes
from overtrick.core.bridge.methods import sheet_words
from overtrick.core.frames import SEAT, STATUS, STRAIN, VULNERABLE, Facts, Session
from overtrick.core.words import ENGLISH, Club, DayOrder, Dialect, Form, Kind, all_words, plain

# Controls and noncharacters are not allowed in HTML and can steer a terminal; direction marks turn a line around.
UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufdd0-\ufdef\ud800-\udfff"
    + "".join(chr(plane * 0x10000 + end) for plane in range(17) for end in (0xFFFE, 0xFFFF))
    + "]"
)

UNKNOWN_VALUES: Final = ["", "?"]
"""`""` not applicable, `?` unknown (3.4)."""

BETWEEN: Final = " - "
"""Between the names, or the membership numbers, of two partners."""

ACROSS: Final = "Across "
"""Before sections that are compared with one another, in a Scoring: `MP;Across A+B`."""

MOST_POINTS: Final = 100_000
"""More than any contract can score; a few files hold larger numbers that a failed program left."""

_SEAT: Final = rf"(?i)^\s*\^?({ENGLISH.pattern('seat')})\s*$"
_ON_SHEETS: Final = rf"(?i)\b(?:{'|'.join(sheet_words())})\b"

_STRAIN: Final = ENGLISH.pattern("strain")
_CONTRACT: Final = rf"(?i)^\s*([1-7])\s*({_STRAIN})\s*(X{{0,2}}|\*{{0,2}})\s*$"
_DENOMINATION: Final = rf"(?i)^\s*({_STRAIN})\s*$"
_PASSED_OUT: Final = rf"(?i)^\s*{ENGLISH.pattern('outcome', 'passed out')}\s*$"

_RESULT: Final = re.compile(r"((?:[1-7](?:NT|[CDHS])X{0,2}|Pass)) ?([NESW])? ?(=|[+-]?[0-9]+)? ?([CDHS].)?")

_SUIT: Final = ENGLISH.pattern("strain", *STRAINS[:4])
_RANK: Final = ENGLISH.pattern("rank")
_SUIT_FIRST: Final = rf"(?i)^({_SUIT})({_RANK})$"
_RANK_FIRST: Final = rf"(?i)^({_RANK})({_SUIT})$"

_TRICKS: Final = r"(?i)^\s*\^?(?:(NS|EW)\s+\^?)?([0-9]{1,2})(?:\s+(?:NS|EW)\s+\^?[0-9]{1,2})?\s*$"
_TRICKS_MADE: Final = r"^([0-9]{1,2})$"
_TRICKS_OVER: Final = r"^([+-][0-9]{1,2})$"

_MINUS: Final = r"^[-−–—]\s*"
_PLUS: Final = r"^\+\s+"
_THOUSANDS: Final = r"^([+-]?[0-9])[.,'’ \x{a0}\x{2009}\x{202f}]([0-9]{3})(?:[.,]0+)?$"
"""A whole number with a sign between thousands: scores have four digits at most."""
_GROUPED: Final = r"([0-9])['’ \x{a0}\x{2009}\x{202f}]([0-9]{3})"
_WITHOUT_FRACTION: Final = r"^([+-]?[0-9]+)[.,]0+$"
_WHOLE: Final = r"^([+-]?[0-9]{1,6})$"
_NUMBER: Final = r"^([+-]?[0-9]+(?:\.[0-9]*)?)$"
_NUMBER_FROM_POINT: Final = r"^([+-]?[0-9]+(?:\.[0-9]*)?|[+-]?\.[0-9]+)$"
_BARE_NUMBER: Final = r"^\s*([+-]?[0-9]+(?:\.[0-9]*)?)\s*$"
_NS_NUMBER: Final = r"(?i)\bNS\s+([+-]?[0-9]+(?:\.[0-9]*)?)"
_EW_NUMBER: Final = r"(?i)\bEW\s+([+-]?[0-9]+(?:\.[0-9]*)?)"

_PERCENT: Final = r"^([0-9]{1,3}(?:\.[0-9]{1,6})?%)$"
_AVERAGE: Final = r"^(A[+-]?)$"

_DAY_KNOWN: Final = re.compile(r"[0-9?]{4}\.[0-9?]{2}\.[0-9?]{2}")
_MONTH_KNOWN: Final = re.compile(r"([0-9]{4})(?:[-./]([0-9]{2}))?")
_CLOCK: Final = r"(?:[ T,]+[0-9]{1,2}[:.H][0-9]{2}.*)?"
_YEAR_FIRST: Final = re.compile(r"([0-9]{4})(?:[-./ ]([0-9]{1,2})[-./ ]([0-9]{1,2})|([0-9]{2})([0-9]{2}))(?:[T ].*)?")
_YEAR_LAST: Final = re.compile(rf"([0-9]{{1,2}})\s?([-./])\s?([0-9]{{1,2}})\s?[-./]\s?([0-9]{{4}}){_CLOCK}")
_POINTS: Final = re.compile(r"\s*[0-9]+\s?\.")
_WEEKDAY: Final = r"(?:([A-Z]+)\.?,? )?"
_DAY_MONTH: Final = re.compile(
    rf"{_WEEKDAY}([0-9]{{1,2}})(?:ST|ND|RD|TH|ER)?[-. ]*(?:OF |DE )?([A-Z]+)[-.,]* ?(?:DE )?"
    rf"([0-9]{{4}})(?: ?R\.?)?{_CLOCK}"
)
_MONTH_DAY: Final = re.compile(rf"{_WEEKDAY}([A-Z]+)\.?[- ]([0-9]{{1,2}})(?:ST|ND|RD|TH)?[-,]? ?([0-9]{{4}}){_CLOCK}")


# Texts


def _meaning(word: pl.Expr, kind: Kind) -> pl.Expr:
    """Return what each word of the standards means, in letters of either case; null for another."""
    words = ENGLISH.words(kind)
    return word.str.to_uppercase().replace_strict(
        list(words), list(words.values()), default=None, return_dtype=pl.String
    )


def respell(values: pl.Series, form: Form, dialect: Dialect) -> pl.Series:
    """Return values in overtrick's own spelling: `4S` for the `4P` of a French text.

    Returns:
        As written what the dialect does not know, null what can mean two things.
    """
    written = values.drop_nulls().unique()
    known = {text: dialect.read(form, text) or (None if dialect.readings(form, text) else text) for text in written}
    return values.replace_strict(list(known), list(known.values()), default=None, return_dtype=pl.String)


def text(value: pl.Expr) -> pl.Expr:
    """Return a text as written, null for `?` and for nothing."""
    return pl.when(~value.str.strip_chars().is_in(UNKNOWN_VALUES)).then(value)


def read_date(text: str, order: DayOrder | None = None) -> str | None:
    """Return a date that people or programs wrote as `YYYY.MM.DD` (3.4.3), `?` for unknown digits.

    Args:
        text: `2013-08-24 18:36`, `20151006`, `6.1.2026`, `2-Aug-2023`, `6 stycznia 2026`, `January 6th, 2026`.
        order: which comes first where day and month could be exchanged. With points between them it is the day, if
            nothing else is known.

    Returns:
        None if the text is not a day of the calendar, or could be two and no order is given.
    """
    found = list_dates(text)
    if len({*found.values()}) > 1:
        order = order or ("day-first" if _POINTS.match(text) else None)
        return found[order] if order else None
    return next(iter(found.values()), None)


@lru_cache(maxsize=1 << 12)
def list_dates(text: str) -> Mapping[DayOrder, str]:
    """Return the days of the calendar that a text could be, by what comes first; only one for `13/1/2026`."""
    said = plain(text)
    if numbers := _YEAR_LAST.fullmatch(said):
        first, _, second, year = numbers.groups()
        orders: dict[DayOrder, str | None] = {
            "day-first": _on_calendar(year, second, first),
            "month-first": _on_calendar(year, first, second),
        }
        return {order: day for order, day in orders.items() if day}
    day = _read_certain(said)
    return {"day-first": day, "month-first": day} if day else {}


def find_order(texts: Iterable[str]) -> DayOrder | None:
    """Return what comes first in dates, day or month, by those that can be read in one way only."""
    found = [list_dates(text) for text in texts]
    orders = {order for dates in found if len(dates) == 1 for order in dates}
    return orders.pop() if len(orders) == 1 else None


def _read_certain(said: str) -> str | None:
    """Return a date in which year, month and day cannot be mistaken for each other; None for any other text."""
    if found := _YEAR_FIRST.fullmatch(said):
        return _on_calendar(*filter(None, found.groups()))
    if _DAY_KNOWN.fullmatch(said):
        return said
    if found := _MONTH_KNOWN.fullmatch(said):
        return f"{found[1]}.{found[2] or '??'}.??"
    named = (_DAY_MONTH.fullmatch(said), _MONTH_DAY.fullmatch(said))
    parts = [(found[1], found[3 - at], found[2 + at], found[4]) for at, found in enumerate(named) if found]
    for weekday, month, day, year in parts:
        number = all_words("month", Club()).get(month)
        if number and weekday in {None, *all_words("weekday", Club())}:
            return _on_calendar(year, number, day)
    return None


def _on_calendar(year: str, month: str, day: str) -> str | None:
    try:
        return f"{dt.date(int(year), int(month), int(day)):%Y.%m.%d}".zfill(10)
    except ValueError:
        return None


# Boards and seats


def board(value: pl.Expr) -> pl.Expr:
    """Return the board number: a positive integer (3.4.4)."""
    number = value.str.strip_chars().str.extract(r"^([0-9]{1,9})$").cast(pl.Int32)
    return pl.when(number > 0).then(number)


def seat(value: pl.Expr) -> pl.Expr:
    """Return a seat: `N E S W` or its name; `irregular` reports a `^` before a declarer."""
    return _meaning(value.str.extract(_SEAT), "seat").cast(SEAT)


def side_of(declarer: pl.Expr) -> pl.Expr:
    """Return `NS` or `EW` for a seat."""
    return (
        pl.when(declarer.cast(pl.String).is_in(["N", "S"]))
        .then(pl.lit("NS"))
        .when(declarer.is_not_null())
        .then(pl.lit("EW"))
    )


def irregular(value: pl.Expr) -> pl.Expr:
    """Report whether a declarer or a result is marked `^` as irregular (3.4.13 and 3.4.15)."""
    return value.str.contains("^", literal=True).fill_null(value=False)


def vulnerable(value: pl.Expr) -> pl.Expr:
    """Return the vulnerability (3.4.10), also with the hyphens and blanks that some programs write."""
    return _meaning(value.str.strip_chars(), "vulnerability").cast(VULNERABLE)


def scored_on_sheets(scoring: pl.Expr) -> pl.Expr:
    """Report whether a Scoring (3.4.12) is rubber or Chicago, where deals are counted on and written on sheets."""
    return scoring.str.contains(_ON_SHEETS).fill_null(value=False)


# Contracts and leads


def level(value: pl.Expr) -> pl.Expr:
    """Return the level of a contract (3.4.14), 0 for one that was passed out."""
    return pl.when(value.str.contains(_PASSED_OUT)).then(0).otherwise(value.str.extract(_CONTRACT, 1)).cast(pl.UInt8)


def strain(value: pl.Expr) -> pl.Expr:
    """Return the strain of a contract. An end position states nothing else (3.10)."""
    word = pl.coalesce(value.str.extract(_CONTRACT, 2), value.str.extract(_DENOMINATION))
    return _meaning(word, "strain").cast(STRAIN)


def doubled(value: pl.Expr) -> pl.Expr:
    """Return 0, 1 or 2 for a contract as bid, doubled or redoubled: `X` or `*` once or twice."""
    return value.str.extract(_CONTRACT, 3).str.len_chars().cast(pl.UInt8)


def lead(value: pl.Expr, *, rank_first: bool = False) -> pl.Expr:
    """Return a card as suit and rank: `DQ` for `dq`, `HT` for `H10`.

    Args:
        value: the texts.
        rank_first: whether the format writes `QD` and `10H` too.
    """
    suit, rank = value.str.extract(_SUIT_FIRST, 1), value.str.extract(_SUIT_FIRST, 2)
    if rank_first:
        suit = pl.coalesce(suit, value.str.extract(_RANK_FIRST, 2))
        rank = pl.coalesce(rank, value.str.extract(_RANK_FIRST, 1))
    return _meaning(suit, "strain") + _meaning(rank, "rank")


def read_result(text: str, dialect: Dialect) -> tuple[str, str | None, str | None, str | None] | None:
    """Return contract, declarer, tricks and lead of a result as people write it; None for any other text.

    4♠* +1 by N, DK    becomes    4SX  N  +1  DK
    """
    found = _RESULT.fullmatch(dialect.read("contract", text) or "")
    return (found[1], found[2], found[3], found[4]) if found else None


def count_tricks(contract: str, tricks: str) -> int:
    """Return declarer's tricks in a contract: 11 for `+1` and for `11` in `4S`.

    Raises:
        ValueError: the contract can't have that many.
    """
    target = int(contract[0]) + 6
    number = target if tricks == "=" else int(tricks) + (target if tricks[0] in "+-" else 0)
    if not 0 <= number <= 13:
        possible = f"{-target} to {f'+{13 - target}' if target < 13 else '='}"
        raise ValueError(f"expected 0 to 13 tricks, got {number}: {contract} can be {possible}")
    return number


# Tricks


def tricks_against(value: pl.Expr, level: pl.Expr, *, made: bool = True) -> pl.Expr:
    """Return declarer's tricks, written against the level of the contract: `=`, `+1`, `-2`.

    Args:
        value: the texts.
        level: of the contract; 0 gives null, and so does null unless the number of tricks is written.
        made: whether the format writes the number of tricks too, as in `10`.
    """
    over = pl.when(value == "=").then(0).otherwise(value.str.extract(_TRICKS_OVER).cast(pl.Int32))
    number = over + level.cast(pl.Int32) + 6
    if made:
        number = pl.coalesce(value.str.extract(_TRICKS_MADE).cast(pl.Int32), number)
    possible = number.is_between(0, 13) & (level.is_null() | (level > 0))
    return pl.when(possible).then(number).cast(pl.UInt8)


def tricks(value: pl.Expr, declarer: pl.Expr) -> pl.Expr:
    """Return declarer's tricks of a Result (3.4.15): a number, or either side's; `irregular` reports a `^`."""
    return tricks_of_declarer(tricks_stated(value), tricks_side(value), declarer)


def tricks_stated(value: pl.Expr) -> pl.Expr:
    """Return the number that a Result begins with, of whichever side."""
    return value.str.extract(_TRICKS, 2).cast(pl.UInt8)


def tricks_side(value: pl.Expr) -> pl.Expr:
    """Return the side, `NS` or `EW`, that a Result names first; null where it names none."""
    return value.str.extract(_TRICKS, 1).str.to_uppercase()


def tricks_of_declarer(stated: pl.Expr, side: pl.Expr, declarer: pl.Expr) -> pl.Expr:
    """Return declarer's tricks from those of a side; null where a side is named and declarer is not known."""
    is_declarers = side == side_of(declarer)
    won = pl.when(side.is_null() | is_declarers).then(stated).when(is_declarers.not_()).then(13 - stated)
    return pl.when(stated <= 13).then(won).cast(pl.UInt8)


# Scores and awards


def plain_number(text: str) -> str | None:
    """Return a number of masterpoints as written, `0.50` as `0.5`; None for any other text."""
    found = re.fullmatch(r"(\d{1,6})(?:\.(\d{1,4}))?", text.strip())
    if not found:
        return None
    decimals = (found[2] or "").rstrip("0")
    return f"{int(found[1])}.{decimals}" if decimals else f"{int(found[1])}"


def whole(value: pl.Expr) -> pl.Expr:
    """Return a whole number of up to six digits as programs write it: `420`, `-150.0`, `1.400`, `1 400`, `−50`."""
    plain = _signed(value).str.replace(_THOUSANDS, "$1$2").str.replace(_WITHOUT_FRACTION, "$1")
    return plain.str.extract(_WHOLE).cast(pl.Int32)


def number(value: pl.Expr, *, from_point: bool = False) -> pl.Expr:
    """Return a number with or without a sign and decimals, as programs write it: `7.5`, `−7,5`, `1 400.25`.

    Args:
        value: the texts.
        from_point: whether the format writes `.5` for 0.5 too.
    """
    plain = _signed(value).str.replace_all(_GROUPED, "$1$2").str.replace(r"^([^,]*),([^,]*)$", "$1.$2")
    return plain.str.extract(_NUMBER_FROM_POINT if from_point else _NUMBER).cast(pl.Float64)


def _signed(value: pl.Expr) -> pl.Expr:
    """Return texts of numbers without blanks around them, with a plain sign in front."""
    return value.str.strip_chars().str.replace(_MINUS, "-").str.replace(_PLUS, "+")


def for_ns(value: pl.Expr, declarer: pl.Expr) -> pl.Expr:
    """Return a score for N-S out of its five forms (4.2): a bare number is declarer's side's."""
    ns, ew, bare = _numbers_of_sides(value)
    side = side_of(declarer)
    from_bare = pl.when(side == "NS").then(bare).when(side == "EW").then(-bare).when(bare == 0).then(bare)
    return pl.coalesce(ns, -ew, from_bare)


def _numbers_of_sides(value: pl.Expr) -> Iterator[pl.Expr]:
    """Return the number that a score states for N-S, the one for E-W, and a number without a side."""
    return (value.str.extract(number).cast(pl.Float64) for number in (_NS_NUMBER, _EW_NUMBER, _BARE_NUMBER))


def points_for_ns(value: pl.Expr, declarer: pl.Expr) -> pl.Expr:
    """Return a Score for N-S, a whole number of points; null for anything that no contract comes near."""
    points = for_ns(value, declarer)
    return pl.when((points == points.round()) & (points.abs() < MOST_POINTS)).then(points).cast(pl.Int32)


def percentage_for_ns(value: pl.Expr, declarer: pl.Expr) -> pl.Expr:
    """Return a ScorePercentage for N-S: another side's is what is left of 100."""
    ns, ew, bare = _numbers_of_sides(value)
    side = side_of(declarer)
    from_bare = pl.when(side == "NS").then(bare).when(side == "EW").then(100 - bare)
    return pl.coalesce(ns, 100 - ew, from_bare)


def percent(value: pl.Expr) -> pl.Expr:
    """Return a percentage as written, `62.5%`: up to six decimals, which are all that shares are computed from."""
    return value.str.extract(_PERCENT)


def award(value: pl.Expr) -> pl.Expr:
    """Return an artificial score (Law 12C2): `A+`, `A`, `A-` or a percentage."""
    return pl.coalesce(value.str.extract(_AVERAGE), percent(value))


def is_counted(tricks: str = "tricks") -> pl.Expr:
    """Return whether a result has points, or a contract with its tricks, so that there is something to score."""
    return pl.col("stated_score_ns").is_not_null() | pl.all_horizontal(pl.col("level", tricks).is_not_null())


def status(
    *,
    passed: pl.Expr,
    played: pl.Expr,
    adjusted: pl.Expr | None = None,
    bye: pl.Expr | None = None,
    not_played: pl.Expr | None = None,
) -> pl.Expr:
    """Return the status of a result: the first of `adjusted`, `bye`, `passed`, `not played`, `played` that holds.

    Args:
        passed: whether the board was passed out.
        played: whether there is anything to score.
        adjusted: whether an artificial score is awarded; None, as for the next two, if the format does not say so.
        bye: whether nobody sat against the pair.
        not_played: whether the board was not played.

    Returns:
        `frames.STATUS`; `unknown` where nothing holds.
    """
    conditions = {"adjusted": adjusted, "bye": bye, "passed": passed, "not played": not_played, "played": played}
    found = pl.lit("unknown", STATUS)
    for name, holds in reversed([*conditions.items()]):
        if holds is not None:
            found = pl.when(holds).then(pl.lit(name, STATUS)).otherwise(found)
    return found


# For people


def contract_text() -> pl.Expr:
    """Return the contract of a frame with `level strain doubled`: `4SX`, `3NT`, `Pass`; null when unknown."""
    doubled = pl.col("doubled").fill_null(0).cast(pl.UInt8).replace_strict([0, 1, 2], ["", "X", "XX"], default="")
    bid = pl.concat_str("level", pl.col("strain").cast(pl.String), doubled)
    return pl.when(pl.col("level") == 0).then(pl.lit("Pass")).otherwise(bid)


def seat_name(seat: pl.Expr) -> pl.Expr:
    """Return the name of each seat, `North` for `N`; null stays null."""
    return seat.cast(pl.String).replace_strict(SEATS, SEAT_NAMES, return_dtype=pl.String, default=None)


def seat_after(seat: pl.Expr, steps: pl.Expr | int) -> pl.Expr:
    """Return the seat that many steps clockwise; null stays null."""
    return ((seat.to_physical().cast(pl.UInt32) + steps) % 4).cast(pl.UInt8).cat.to(SEAT)


def names_of(codes: Bytes, names: Sequence[str]) -> pl.Series:
    """Return the name of each code, by its place in `names`; null for a code without one."""
    by_code = pl.Series([*names, *[None] * (UNKNOWN + 1 - len(names))], dtype=pl.String)
    return by_code.gather(pl.Series(codes, dtype=pl.UInt8).cast(pl.UInt32))


def matchpoint_unit(facts: Facts) -> float:
    """Return what a matchpoint of the frames counts for people: a half where a pair beaten is worth 1 (Law 78A)."""
    return 0.5 if facts.policies.get("matchpoint_unit") == "1-half" else 1.0


def in_club_unit(session: Session) -> Session:
    """Return a session with points as people see them: `points_*` and totals in the club's unit of matchpoints.

    Frames count 2 for a pair beaten. Whatever shows points to people calls this just before it does; exact fractions,
    tops and victory points stay as they are.
    """
    unit = matchpoint_unit(session.facts)
    if unit == 1:
        return session
    in_points = session.matches["victory_points"].is_not_null().any()
    totals = [] if in_points else [pl.col("total", "correction") * unit]
    return replace(
        session,
        results=session.results.with_columns(pl.col("points_ns", "points_ew") * unit),
        matches=session.matches.with_columns(pl.col("points", "points_opponents") * unit),
        standings=session.standings.with_columns(totals),
    )


def clean(text: str | None) -> str:
    """Return a stranger's text fit for a page: no control or direction characters, single spaces; `` for None."""
    if not text:
        return ""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join(UNSAFE.sub("", " ".join(text.split())).split())


def is_number(text: str) -> bool:
    """Report whether a text is a whole number in the digits 0 to 9; Python's own check knows those of every script."""
    return text.isascii() and text.isdecimal()


@lru_cache(maxsize=1 << 14)
def natural(text: str | None) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts texts as people do: none first, `2` before `10`, `A2` before `A10`, numbers first."""
    # Eighteen digits at a time: Python refuses to read a number of thousands of them.
    pieces = re.findall(r"([0-9]{1,18})|([^0-9]+)", text or "")
    return tuple((0, int(digits), "") if digits else (1, 0, other.casefold()) for digits, other in pieces)
