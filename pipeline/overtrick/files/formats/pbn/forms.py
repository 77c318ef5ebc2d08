"""How values look: of tags, of the cells of tables, and of tags beside the rest of their game (PBN 3 to 5).

The rows of `tags.TAGS` are made of these.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

import polars as pl

from overtrick.core import notation

Read = Callable[[pl.Expr], pl.Expr]


class Form(NamedTuple):
    """How the values of a tag or a cell look, in letters of either case where import form allows it (PBN 3.11)."""

    pattern: str
    """Matches a whole value; `<NAME>` is replaced by a terminal of the grammar (`grammar.filled_in`)."""
    expected: str = ""
    """The same in words, for a message."""
    holds: Callable[[pl.Series], pl.Series] | None = None
    """Returns which values of this form can be meant; None for all."""
    others: Literal["faults", "spellings", "allowed"] = "faults"
    """The meaning of other values: faults; spellings of many programs, which reading reports; or allowed, where the
    standard only lists examples."""
    own_order: bool = False
    """Whether bridge has its own order for these words, so that a column is not sorted by the alphabet."""
    cannot_be: Read | None = None
    """Returns which values of a cell cannot be right in any spelling; those are reported as outcomes."""


class Beside(NamedTuple):
    """A rule for the value of a tag beside the rest of its game.

    The expressions see the columns of `frames.RECORDS` and three more: `value`, in force in the game; `stated`, whether
    the game itself states a value that is known; and `file`, its number.
    """

    code: str
    """The problem, reported at the tag."""
    wrong: pl.Expr
    says: Mapping[str, pl.Expr] = MappingProxyType({})
    """Values of the problem's sentence."""


def side_named(number: str) -> str:
    """Match a score of one side, or of both."""
    return rf"EW\s+{number}(?:\s+NS\s+{number})?|NS\s+{number}(?:\s+EW\s+{number})?"


def five_forms(number: str) -> str:
    """Match a score of declarer's side, of one side or of both (4.2.1)."""
    return rf"\s*(?:{number}|{side_named(number)})\s*"


def of_both_sides(**cells: Form) -> dict[str, Form]:
    """Return the columns of N-S and of E-W."""
    return {f"{name}_{side}": form for name, form in cells.items() for side in ("NS", "EW")}


def each_once(seats: pl.Series) -> pl.Series:
    """Return which lists of seats name none twice."""
    letters = seats.str.to_uppercase().str.split("")
    return letters.list.len() == letters.list.n_unique()


def _on_calendar(days: pl.Series) -> pl.Series:
    """Return which dates exist, as far as they are known to the day."""
    return days.str.to_date("%Y.%m.%d", strict=False).is_not_null() | days.str.contains("?", literal=True)


def _not_empty(ranges: pl.Series) -> pl.Series:
    """Return which ranges do not have two bounds without a score between them (5.5)."""
    bounds = ranges.str.extract_groups(r"^([+-]?[0-9]{1,9}),([+-]?[0-9]{1,9})$").struct
    low, high = (bounds.field(key).cast(pl.Int64) for key in ("1", "2"))
    return (low < high).fill_null(value=True)


# Patterns.

DECIMAL: Final = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
PERCENT: Final = r"\+?0*(?:[0-9]{1,2}(?:\.[0-9]*)?|\.[0-9]+|100(?:\.0*)?)"
TRICKS: Final = r"0*(?:[0-9]|1[0-3])"
SEAT: Final = "(?i:[NESW])"
_RANGE: Final = r"[+-]?[0-9]+(?:,(?:\*|[+-]?[0-9]+))?|\*,[+-]?[0-9]+"

# Forms of several tags.

DAY: Final = Form(
    r"[0-9?]{4}\.(?:0[1-9?]|1[0-2?]|\?[0-9?])\.(?:0[1-9?]|[12][0-9?]|3[01?]|\?[0-9?])",
    "a day as YYYY.MM.DD, with ? for what is unknown",
    holds=_on_calendar,
)
CLOCK: Final = Form(r"(?:[01?][0-9?]|2[0-3?]):[0-5?][0-9?]:[0-5?][0-9?]", "HH:MM:SS")
SECONDS: Final = Form(r"[0-9]+", "a number of seconds")
PLAYER: Final = Form("(?i:human|program)", others="allowed")
ONE_SEAT: Final = Form(SEAT, "N, E, S or W", own_order=True)

# Forms of cells.

COUNT: Final = Form(r"0*[1-9][0-9]*", "a whole number above 0")
POINTS: Final = Form(r"[+-]?[0-9]+", "a number of points")
NUMBER: Final = Form(DECIMAL, "a number")
PERCENTAGE: Final = Form(PERCENT, "0 to 100")
CONTRACT: Final = Form("<CONTRACT>", "Pass or a contract such as 3NT or 4SX", own_order=True)
RESULT: Final = Form(TRICKS, "tricks, 0 to 13")
TIME: Final = Form(r"(?:(?:[0-9]+:)?[0-5]?[0-9]:[0-5][0-9]|[0-9]+)", "HH:MM:SS, MM:SS or SS")
SCORE_RANGE: Final = Form(_RANGE, "a score, or two with a comma between and * for no limit", holds=_not_empty)


def no_level(contract: pl.Expr) -> pl.Expr:
    """Return which cells begin as a contract and have a level that bridge does not have."""
    return contract.str.contains(r"^[0-9]") & notation.level(contract).is_null()


def too_many_tricks(result: pl.Expr) -> pl.Expr:
    """Return which cells are a number of tricks above 13."""
    return result.str.extract(r"^\^?([0-9]{1,9})$").cast(pl.Int64) > _HAND


# Rules for values beside others.

_HAND: Final = 13
_DECK: Final = 52


def is_end_position(deal: pl.Expr) -> pl.Expr:
    """Return which canonical deals have hands of fewer than 13 cards (3.10); false for a null deal."""
    # `N:AK.Q.. - .J.K.A -` has 19 characters: `N:` and three spaces, two hidden hands, six dots and so 6 cards.
    hidden = deal.str.count_matches("-", literal=True)
    shown = 4 - hidden
    cards = deal.str.len_bytes() - len("N:   ") - hidden - len("...") * shown
    return (cards < _HAND * shown).fill_null(value=False)


_BOTH: Final = r"(?i)^\s*\^?(?:NS|EW)\s+([0-9]+)\s+(?:NS|EW)\s+([0-9]+)\s*$"
_BELOW: Final = r"([0-9]{1,6}(?:\s+[0-9]{1,6})*)"
_HISTORY: Final = rf"^\s*NS\s+[0-9]+\s+[0-9]+\s*/\s*{_BELOW}\s+EW\s+[0-9]+\s+[0-9]+\s*/\s*{_BELOW}\s*$"

_VALUE, _STATED, _LEVEL, _DEAL = map(pl.col, ("value", "stated", "level", "deal"))
_NS, _EW = (_VALUE.str.extract(_BOTH, side).cast(pl.UInt32, strict=False) for side in (1, 2))
_OVER: Final = (pl.col("cards").list.len().fill_null(0) >= _DECK) | (pl.col("play_end") == "*").fill_null(value=False)
"""Which plays have ended. Without its play a game may be under way, and its result a partial one."""
_FIRST_DEAL: Final = _DEAL.drop_nulls().first().over("value", "file")


def _rubber_fault(games: dict[str, str | None]) -> str | None:
    """Return the fault of the points below the line, game by game, or of the vulnerability."""
    ns, ew = ([int(points) for points in (games[side] or "").split()] for side in ("ns", "ew"))
    if len(ns) != len(ew):
        return f"N-S have {len(ns)} games below the line and E-W {len(ew)}"
    if any(points % 10 for points in (*ns, *ew)):
        return "points below the line are multiples of 10"
    finished = list(zip(ns[:-1], ew[:-1], strict=True))
    if any((a >= 100) == (b >= 100) for a, b in finished):
        return "one side wins each game before the last with 100 points or more"
    sides = sorted({"NS" if points >= 100 else "EW" for points, _ in finished}, reverse=True)
    if len(finished) > len(sides):
        return "a rubber ends when one side has won two games"
    follows = {0: "None", 2: "All"}.get(len(sides), "".join(sides))
    vulnerable = games["vulnerable"] or follows
    return None if vulnerable == follows else f"the games won make {follows} vulnerable, the file says {vulnerable}"


_BELOW_LINE: Final = pl.struct("vulnerable", ns=_VALUE.str.extract(_HISTORY, 1), ew=_VALUE.str.extract(_HISTORY, 2))
_RUBBER: Final = pl.when(_VALUE.str.contains(_HISTORY)).then(
    _BELOW_LINE.map_elements(_rubber_fault, return_dtype=pl.String)
)

RESULT_LONE: Final = Beside(
    "pbn-value-odd/tricks",
    _STATED & pl.col("declarer").is_null() & _LEVEL.ne_missing(0) & _VALUE.str.contains(r"^\s*\^?[0-9]+\s*$"),
)
"""Declarer's tricks without a declarer (3.4.15)."""
_SUM: Final = _NS + _EW
RESULT_SUM: Final = Beside("pbn-value-odd/sum", (_SUM > _HAND) | ((_SUM != _HAND) & _OVER), {"total": _SUM})
"""Two sides' tricks that are not 13 after the play (3.4.15)."""
PASSED_OUT: Final = Beside("pbn-passed-out", _STATED & (_LEVEL == 0))
"""A declarer or a result of a board that was passed out (3.4.13, 3.4.15)."""
NO_LEVEL: Final = Beside(
    "pbn-value-odd/contract", pl.col("strain").is_not_null() & _LEVEL.is_null() & ~is_end_position(_DEAL)
)
"""A bare denomination of whole hands (3.10)."""
END_POSITION: Final = Beside("pbn-contract-end-position", _LEVEL.is_not_null() & is_end_position(_DEAL))
"""A whole contract of an end position (3.10)."""
RUBBER_HISTORY: Final = Beside("pbn-value-odd/rubber", _RUBBER.is_not_null(), {"fault": _RUBBER})
"""Games of a rubber that do not fit each other or the vulnerability (4.2.6)."""
DEAL_ID: Final = Beside("pbn-value-odd/deal-id", _STATED & (_DEAL != _FIRST_DEAL))
"""An identity that an earlier, different deal of the file has (4.1.2)."""
