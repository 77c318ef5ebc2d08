"""Tag names (PBN 3.3) and the values that the standard gives its tags (PBN 3.4 and 4)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import polars as pl

from overtrick import notation
from overtrick.formats.pbn.read.games import PLAIN_TAGS
from overtrick.formats.pbn.read.side_by_side import Tags
from overtrick.formats.pbn.verify.files import Files, Tally
from overtrick.frames import PROBLEMS, empty
from overtrick.problems import report

TABLES: Final = frozenset(
    """
    ActionTable AuctionTimeTable InstantScoreTable OptimumPlayTable OptimumResultTable PlayTimeTable ScoreTable
    TotalScoreTable
    """.split()
)
"""Tags of supplemental sections (PBN 5.3 to 5.10)."""

KNOWN_TAGS: Final = (PLAIN_TAGS - {"DoubleDummyTricks"}) | {"Auction", "Play"} | TABLES
"""Every tag of PBN 2.1."""


@dataclass(frozen=True)
class Form:
    """How a tag's value has to look."""

    pattern: str
    """Matches a whole value."""
    expected: str
    section: str
    read: Callable[[pl.Expr], pl.Expr] | None = None
    """Gives null for what can't be used; None for a value that is only kept."""
    told: bool = False
    """Whether reading itself reports what can't be used."""
    holds: Callable[[pl.Series], pl.Series] | None = None
    """Says which values of the form can be meant; None for all."""


def _five_forms(number: str) -> str:
    """Match a score of declarer's side, of one side or of both (4.2.1)."""
    sides = rf"EW\s+{number}(?:\s+NS\s+{number})?|NS\s+{number}(?:\s+EW\s+{number})?"
    return rf"\s*(?:{number}|{sides})\s*"


def _for_north(read: Callable[[pl.Expr, pl.Expr], pl.Expr]) -> Callable[[pl.Expr], pl.Expr]:
    """Read a value as if North were declarer: whether it can be read does not depend on who is."""
    return lambda value: read(value, pl.lit("N"))


def _on_calendar(days: pl.Series) -> pl.Series:
    """Say which dates there are, as far as they are known to the day."""
    return days.str.to_date("%Y.%m.%d", strict=False).is_not_null() | days.str.contains("?", literal=True)


def _each_once(seats: pl.Series) -> pl.Series:
    """Say which lists of seats name none twice."""
    letters = seats.str.to_uppercase().str.split("")
    return letters.list.len() == letters.list.n_unique()


_DECIMAL: Final = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_PERCENT: Final = r"\+?0*(?:\d{1,2}(?:\.\d*)?|\.\d+|100(?:\.0*)?)"
_TRICKS: Final = r"0*(?:\d|1[0-3])"
_RUBBER: Final = r"\d+\s*/\s*\d+"
_POINTS: Final = r"\d{1,6}"
_UNITS: Final = rf"{_POINTS}\s+{_POINTS}\s*/\s*{_POINTS}(?:\s+{_POINTS}){{0,2}}"
_CLOCK: Final = r"(?:[01?][0-9?]|2[0-3?]):[0-5?][0-9?]:[0-5?][0-9?]"
_DAY: Final = r"[0-9?]{4}\.(?:0[1-9?]|1[0-2?]|\?[0-9?])\.(?:0[1-9?]|[12][0-9?]|3[01?]|\?[0-9?])"
_DAY_EXPECTED: Final = "a day as YYYY.MM.DD, with ? for what is unknown"
_SEAT: Final = "(?i:[NESW])"

_FORMS: Final[dict[str, Form]] = {
    "Date": Form(_DAY, _DAY_EXPECTED, "3.4.3", holds=_on_calendar),
    "EventDate": Form(_DAY, _DAY_EXPECTED, "4.4.1", holds=_on_calendar),
    "UTCDate": Form(_DAY, _DAY_EXPECTED, "4.5.2", holds=_on_calendar),
    "Time": Form(_CLOCK, "HH:MM:SS", "4.5.1"),
    "UTCTime": Form(_CLOCK, "HH:MM:SS", "4.5.3"),
    "Board": Form(r"[1-9]\d*", "a whole number above 0, such as 7", "3.4.4", notation.board, told=True),
    "Dealer": Form(_SEAT, "N, E, S or W", "3.4.9", notation.seat, told=True),
    "Declarer": Form(rf"\^?{_SEAT}", "N, E, S or W, or ^ and one of them", "3.4.13", notation.seat, told=True),
    "Auction": Form(_SEAT, "N, E, S or W", "3.5", notation.seat),
    "Play": Form(_SEAT, "N, E, S or W", "3.6", notation.seat),
    "Result": Form(
        rf"\^?{_five_forms(_TRICKS)}",
        "tricks, such as 9 or NS 9 EW 4",
        "3.4.15",
        _for_north(notation.tricks),
        told=True,
    ),
    "Score": Form(
        _five_forms(r"[+-]?\d+"),
        "points, such as -50, NS 420 or EW 50",
        "4.2.1",
        _for_north(notation.points_for_ns),
        told=True,
    ),
    "ScoreIMP": Form(_five_forms(_DECIMAL), "IMPs, such as 5, NS -2.5 or EW 3", "4.2.2", _for_north(notation.for_ns)),
    "ScoreMP": Form(
        _five_forms(_DECIMAL), "matchpoints, such as 12, NS 7.5 or EW 3", "4.2.3", _for_north(notation.for_ns)
    ),
    "ScorePercentage": Form(
        _five_forms(_PERCENT), "0 to 100, such as 54.2 or NS 54.2", "4.2.4", _for_north(notation.percentage_for_ns)
    ),
    "ScoreRubber": Form(_five_forms(_RUBBER), "points above and below the line, such as 300/40", "4.2.5"),
    "ScoreRubberHistory": Form(
        rf"\s*NS\s+{_UNITS}\s+EW\s+{_UNITS}\s*",
        "NS and EW, each with two numbers above and one to three below the line, such as NS 0 30/40 EW 0 0/0",
        "4.2.6",
    ),
    "OptimumScore": Form(
        r"\s*(?:EW\s+[+-]?\d+(?:\s+NS\s+[+-]?\d+)?|NS\s+[+-]?\d+(?:\s+EW\s+[+-]?\d+)?)\s*",
        "a side and its points, such as NS 420",
        "4.2",
    ),
    "Round": Form(r"[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*", "letters, digits and _, parts joined by dots", "4.4.4"),
    "Room": Form("(?i:Open|Closed)", "Open or Closed", "4.1.7"),
    "FrenchMP": Form("(?i:Yes|No)", "Yes or No", "4.1.4"),
    "Hidden": Form("(?i:[WNES]+)", "W, N, E or S, or several of them, each once", "4.1.6", holds=_each_once),
    "TimeControl": Form(r"\d+/\d+|-", "games/minutes, such as 4/30", "4.6.1"),
    "TimeCall": Form(r"\d+", "a number of seconds", "4.6.2"),
    "TimeCard": Form(r"\d+", "a number of seconds", "4.6.3"),
}

_PLAYER: Final = ("(?i:human|program)", "4.3.4")
_SCORINGS: Final = (
    "MP MatchPoints IMP Cavendish Chicago Rubber BAM Instant Butler Butler-2 Experts Cross Cross1 Cross2 Mean Median "
    "MP1 MP2 OldMP Mitchell2 Mitchell3 Mitchell4 Ascherman Bastille EMP IMP_1948 IMP_1961"
)
_ONE_SCORING: Final = rf"(?i:{_SCORINGS.replace(' ', '|')})"
_LISTED: Final[dict[str, tuple[str, str]]] = {
    "Competition": ("(?i:Cavendish|Chicago|Individuals|Pairs|Rubber|Teams)", "4.1.1"),
    "Mode": ("(?i:EM|EMB|IBS|OKB|TABLE|TC)", "4.7.4"),
    "Scoring": (rf"{_ONE_SCORING}(?:;{_ONE_SCORING})*", "3.4.12"),
    "Table": (r"0*[1-9]\d*", "4.4.7"),
    "Termination": (
        "(?i:abandoned|adjudication|death|emergency|normal|rules infraction|time forfeit|unterminated)",
        "4.1.8",
    ),
    **{f"{seat}Type": _PLAYER for seat in ("West", "North", "East", "South")},
}
"""Tags whose values the standard lists as examples: others are allowed, and may be slips."""


def tag_names(tags: Tags, files: Files, tally: Tally) -> None:
    """Count the tags that the standard does not know: private tags are legal, slips look like them."""
    name, correct = pl.col("name"), {name.lower(): name for name in KNOWN_TAGS}
    own = tags.tags.filter(~name.is_in(list(KNOWN_TAGS))).select("line", "column", "name", record="game")
    meant = name.str.to_lowercase().replace_strict(correct, default=None, return_dtype=pl.String)
    named = files.numbered(own).with_columns(correct=meant)
    private, capital = pl.col("correct").is_null(), name.str.contains("^[A-Z]")
    tally.add("pbn-tag-case", named.filter(~private), "name")
    tally.add("pbn-tag-unknown", named.filter(private & capital), "name")
    tally.add("pbn-tag-name", named.filter(private & ~capital), "name")


def tag_values(tags: Tags, files: Files, tally: Tally) -> pl.DataFrame:
    """Report values that have not the form of their tag, and count those of open lists that are not listed."""
    for name, (pattern, section) in _LISTED.items():
        if name in tags.row and len(wrong := _against(tags, name, pattern)):
            tally.add(
                "pbn-value-unlisted", files.numbered(wrong.with_columns(section=pl.lit(section))), "name", "value"
            )
    problems = [_misformed(tags, name, form) for name, form in _FORMS.items() if name in tags.row]
    return pl.concat([empty(PROBLEMS), *problems])


def _against(
    tags: Tags, name: str, pattern: str, holds: Callable[[pl.Series], pl.Series] | None = None
) -> pl.DataFrame:
    """List where a tag's value does not match or hold, each distinct value tried once.

    Only what a tag states itself counts, which is what follows `##` (4.8).
    """
    rows = tags.row[name].drop_nulls()
    value = tags.tags["text"].gather(rows)
    distinct = value.unique().str.strip_prefix("##").unique()
    distinct = distinct.filter(~distinct.str.strip_chars().is_in([*notation.UNKNOWN_VALUES, "#"]))
    good = distinct.str.contains(f"^(?:{pattern})$")
    odd = distinct.filter(~(good & holds(distinct) if holds else good))
    if odd.is_empty():
        return pl.DataFrame()
    stated = pl.DataFrame({"row": rows, "value": value.str.strip_prefix("##")})
    wrong = stated.filter(pl.col("value").is_in(odd.to_list()))
    place = tags.tags.select(pl.col("game").alias("record"), "line", "column", "name")[wrong["row"]]
    return place.with_columns(wrong["value"])


def _misformed(tags: Tags, name: str, form: Form) -> pl.DataFrame:
    wrong = _against(tags, name, form.pattern, form.holds)
    if wrong.is_empty():
        return empty(PROBLEMS)
    wrong = wrong.with_columns(pl.lit(form.expected).alias("expected"), pl.lit(form.section).alias("section"))
    if form.read is None:
        return report("pbn-value", wrong)
    usable = form.read(pl.col("value")).is_not_null()
    problems = report("pbn-value", wrong.filter(usable))
    return problems if form.told else pl.concat([problems, report("pbn-tag-value", wrong.filter(~usable))])
