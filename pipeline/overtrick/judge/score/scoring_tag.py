"""What a file asks for in `[Scoring]` (PBN 3.4.12): a system and modifiers, separated by semicolons, in any case."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import polars as pl

from overtrick.core.bridge.cards import side_vulnerable
from overtrick.core.bridge.methods import METHODS, USUAL, USUAL_OF_TEAMS, Settings, Sheet
from overtrick.core.bridge.sheets import deal_parts
from overtrick.core.config import Scoring
from overtrick.core.frames import PROBLEMS, Lines, Problems, Session, empty
from overtrick.core.problems import report
from overtrick.judge.score.stated_matches import states_imps

TAGS: Final = {"ScoreRubber": "stated_sheet", "ScoreRubberHistory": "stated_history"}
"""The tags, and the text columns that they become."""

_OF_RUBBERS: Final = (0, 500, 700)
_OF_GAMES: Final = (0, 300, 500)
"""What programs add above the line to a deal that completes a rubber, or a game where games are paid at once.

They follow other rules than `bridge.sheets`, so each of these bonuses is tried."""
_HONOURS: Final = (0, 100, 150)


def with_rubber_tags(lines: Lines, session: Session, sheet: Sheet) -> Lines:
    """Find the honours of a deal: the points that it has above the line and the contract does not account for.

    Args:
        lines: results with `stated_vulnerable`.
        session: its items hold the tags.
        sheet: whether games add up to rubbers.

    Returns:
        The lines with `honours_ns honours_ew` filled where they were null, and with these columns added:
        `stated_sheet stated_history` (texts), and `sheet_explained`, false where no honours account for the points.
    """
    for tag, column in TAGS.items():
        texts = session.items.filter(pl.col("kind") == "tag", pl.col("name") == tag).unique("record", keep="first")
        lines = lines.join(
            texts.select("record", pl.col("text").alias(column)), on="record", how="left", maintain_order="left"
        )
    if lines["stated_sheet"].null_count() == lines.height:
        return lines.with_columns(pl.lit(value=True).alias("sheet_explained"))
    bonuses = _OF_RUBBERS if sheet.rubbers else _OF_GAMES
    read = {side: _honours(side, bonuses) for side in ("ns", "ew")}
    told = {side: _stated_points(side)[0].is_not_null() for side in ("ns", "ew")}
    right = [_below_agrees(side) & read[side].is_not_null() | ~told[side] for side in ("ns", "ew")]
    return lines.with_columns(
        *(pl.coalesce(f"honours_{side}", read[side]).alias(f"honours_{side}") for side in ("ns", "ew")),
        pl.all_horizontal(right).fill_null(value=False).alias("sheet_explained"),
    )


def _stated_points(side: str) -> tuple[pl.Expr, pl.Expr]:
    """Return the points above and below the line that are stated for a side: declarer's where no side is named."""
    text = pl.col("stated_sheet")
    declares = pl.col("declarer").cast(pl.String).str.contains(f"[{side.upper()}]")
    named, bare = rf"(?i){side}\s*([0-9]{{1,5}})\s*/\s*([0-9]{{1,5}})", r"^\s*([0-9]{1,5})\s*/\s*([0-9]{1,5})\s*$"
    above, below = (
        pl.coalesce(text.str.extract(named, n), pl.when(declares).then(text.str.extract(bare, n))).cast(pl.Int32)
        for n in (1, 2)
    )
    return above, below


def _honours(side: str, bonuses: Sequence[int]) -> pl.Expr:
    """Return the points above the line that are honours, at the stated vulnerability or else at the one that fits."""
    stated = side_vulnerable(pl.col("stated_vulnerable"), pl.col("declarer")).fill_null(value=False)
    return pl.coalesce(_left_over(side, stated, bonuses), _left_over(side, ~stated, bonuses))


def _left_over(side: str, vulnerable: pl.Expr, bonuses: Sequence[int]) -> pl.Expr:
    declares = pl.col("declarer").cast(pl.String).str.contains(f"[{side.upper()}]").fill_null(value=False)
    parts = deal_parts(vulnerable)
    own = parts["overtricks"] + parts["doubled"] + parts["slam"]
    rest = _stated_points(side)[0] - pl.when(declares).then(own).otherwise(parts["undertricks"])
    made = declares & (parts["tricks"] > 0)
    alone = dict(zip(_HONOURS, _HONOURS, strict=True))
    with_bonus = {bonus + points: points for bonus in bonuses for points in _HONOURS}
    return (
        pl.when(made)
        .then(rest.replace_strict(with_bonus, default=None, return_dtype=pl.Int32))
        .otherwise(rest.replace_strict(alone, default=None, return_dtype=pl.Int32))
    )


def _below_agrees(side: str) -> pl.Expr:
    declares = pl.col("declarer").cast(pl.String).str.contains(f"[{side.upper()}]").fill_null(value=False)
    return _stated_points(side)[1] == pl.when(declares).then(deal_parts(pl.lit(value=False))["tricks"]).otherwise(0)


def stated_before(side: str) -> tuple[pl.Expr, pl.Expr]:
    """Return the stated points of a side before the deal: above the line, and below it in all games of the rubber."""
    pattern = rf"(?i){side}\s+[0-9]+\s+([0-9]{{1,5}})\s*/\s*([0-9]{{1,5}})(?:\s+([0-9]{{1,5}}))?(?:\s+([0-9]{{1,5}}))?"
    units = [pl.col("stated_history").str.extract(pattern, n).cast(pl.Int32) for n in (1, 2, 3, 4)]
    return units[0], units[1] + units[2].fill_null(0) + units[3].fill_null(0)


_MODIFIERS: Final[Mapping[str, Settings]] = {
    "imp": {},
    "imps": {},
    "mean": {},
    "median": {"datum": "median"},
    "vps": {"pair_rounds": "matches"},
}
"""Words that ask for no method by themselves, with the settings that they stand for."""


_OPEN: Final = {"imp", "imps", "mean", "median"}
"""Words that ask for IMPs without saying against what."""

_WAYS_TO_IMPS: Final[tuple[Settings, ...]] = (
    {"method": "cross-imps"},
    {"method": "butler", "datum": "mean"},
    {"method": "butler", "datum": "mean-2"},
    {"method": "butler", "datum": "stated"},
    {"method": "cross-imps", "cross_divisor": "scores"},
    {"method": "cross-imps", "cross_divisor": "none"},
)
"""What IMPs may be, the most common first."""

Choose = Callable[[Sequence[Scoring]], tuple[Scoring, bool]]
"""Returns the settings under which most lines earn the points that the file states, and whether half of them do."""


def read_scoring(text: str, *, of_teams: bool = False) -> Scoring | None:
    """Read one `[Scoring]` value.

    Args:
        text: the value.
        of_teams: whether results name teams; IMPs are then those between the two tables of a match.

    Returns:
        The method and policies that it asks for; no method when it is empty (`""`, `?`); None when it asks for what is
        not supported: another system, an unknown modifier, or IMPs without saying against what.
    """
    words = [word for part in text.split(";") if (word := part.strip().lower()) not in {"", "?"}]
    if not words:
        return Scoring.model_construct()
    known = _meanings()
    if any(word not in known for word in words):
        return None
    asked: dict[str, object] = {}
    for word in words:
        asked |= known[word]
    if of_teams and "method" not in asked:
        asked["method"] = USUAL_OF_TEAMS
    return Scoring.model_construct().model_copy(update=asked) if "method" in asked else None


def _choose_first(ways: Sequence[Scoring]) -> tuple[Scoring, bool]:
    return ways[0], True


def settle_scoring(session: Session, scoring: Scoring, choose: Choose = _choose_first) -> tuple[Scoring, Problems]:
    """Settle how a session is scored: by the club's settings first, then as most results ask, then the usual way.

    A session of LIN files that says nothing is scored as on their site, which leaves boards with fewer results on their
    own top. Results that name the teams of a match are compared in IMPs. IMPs that lines state say against what they
    are, where the file doesn't; if no method explains half of them, none is used.

    Returns:
        The settings, completed by what the file asks for; without a method when that is not supported. And the problems
        `scoring-unsupported` and `scoring-mixed`.
    """
    stated = _stated(session)
    of_teams = bool(session.results["team_ns"].is_not_null().any())
    read = [(text, read_scoring(text, of_teams=of_teams)) for text in stated["scoring"]]
    asked = [(text, rules) for text, rules in read if rules != Scoring.model_construct()]
    chosen = {name: value for name in scoring.model_fields_set if (value := getattr(scoring, name)) is not None}
    if (
        scoring.method is None
        and states_imps(session.results)
        and not of_teams
        and all(map(_is_open, stated["scoring"]))
    ):
        known = session.results["stated_datum"].count() > 0
        possible = [way for way in _WAYS_TO_IMPS if known or way.get("datum") != "stated"]
        best, explains = choose([Scoring.model_construct().model_copy(update={**way, **chosen}) for way in possible])
        if explains or stated.is_empty():
            return best, empty(PROBLEMS)
        return scoring, report("scoring-unsupported", stated.head(1).with_columns(asked="scoring"), "facts.scoring")
    if not asked:
        usual = {"method": scoring.method or (USUAL_OF_TEAMS if of_teams else USUAL)}
        of_site = _all_lin(session) and "short_boards" not in scoring.model_fields_set
        rules_of_site = {"short_boards": "own-top"} if of_site else {}
        return scoring.model_copy(update=usual | rules_of_site), empty(PROBLEMS)
    text, rules = asked[0]
    asks = stated.filter(pl.col("scoring") == text)
    if rules is None and scoring.method is None:
        return scoring, report("scoring-unsupported", asks.with_columns(asked="scoring"), "facts.scoring")
    settled = (rules or scoring).model_copy(update=chosen)
    if scoring.method is None and any(other != rules for _, other in asked):
        several = ", ".join(text for text, _ in asked)
        told = asks.with_columns(pl.lit(several).alias("asked"), used="scoring")
        return settled, report("scoring-mixed", told, "facts.scoring")
    return settled, empty(PROBLEMS)


def _is_open(text: str) -> bool:
    """Return whether a `[Scoring]` leaves open what IMPs are counted against."""
    return {word for part in text.split(";") if (word := part.strip().lower()) not in {"", "?"}} <= _OPEN


def _meanings() -> dict[str, Settings]:
    """Return all words that are supported, with the settings that they stand for."""
    of_methods = {
        word: {"method": method.name, **more} for method in METHODS.values() for word, more in method.pbn.items()
    }
    return {**_MODIFIERS, **of_methods}


_BESIDE_BOARDS: Final = ("event", "site", "date", "scoring", "section", "round", "table", "pair_ns", "pair_ew")
"""What `ot` may state of a record."""


def _all_lin(session: Session) -> bool:
    """Return whether all files are LIN: Bridge Base Online compares the results that there are, however few.

    Results beside which overtrick wrote `ot` come from elsewhere.
    """
    formats = session.sources["format"].drop_nulls()
    if formats.is_empty() or not formats.is_in(["lin", "lin links"]).all():
        return False
    # Records of other boards state none of this, and to list all commands of LIN takes a while.
    states = session.records.select(pl.col(*_BESIDE_BOARDS).count() > 0).row(0)
    return not any(states) or not session.items.filter(pl.col("name") == "ot").height


def _stated(session: Session) -> pl.DataFrame:
    """List what the records of the results ask for, the most frequent first: `scoring len`, and a record that does.

    Returns:
        `scoring len index source`; `index` is the number of the record, as in `problems.FINDINGS`.
    """
    records = session.records.select("record", "scoring", "source")
    stated = (
        session.results.select("record")
        .join(records, on="record", maintain_order="left")
        .drop_nulls("scoring")
        .group_by("scoring", maintain_order=True)
        .agg(pl.len(), pl.first("record").alias("index"), pl.first("source"))
        .sort("len", descending=True, maintain_order=True)
    )
    if stated.is_empty() and session.facts.scoring is not None and not session.results.is_empty():
        return pl.DataFrame({"scoring": [session.facts.scoring]})
    return stated
