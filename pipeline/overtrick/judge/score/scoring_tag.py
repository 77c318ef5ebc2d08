"""`[Scoring]` (PBN 3.4.12): the system and modifiers that a file asks for, separated by semicolons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import polars as pl

from overtrick.core.bridge.cards import side_vulnerable
from overtrick.core.bridge.methods import METHODS, USUAL, USUAL_OF_TEAMS, Settings, Sheet
from overtrick.core.bridge.sheets import deal_parts
from overtrick.core.config import Scoring
from overtrick.core.frames import PROBLEMS, Lines, Problems, Results, Session, empty
from overtrick.core.notation import ACROSS, is_counted
from overtrick.core.problems import report

TAGS: Final = {"ScoreRubber": "stated_sheet", "ScoreRubberHistory": "stated_history"}
"""The tags, and the text columns that they become."""

_OF_RUBBERS: Final = (0, 500, 700)
_OF_GAMES: Final = (0, 300, 500)
"""Points that programs add above the line to a deal that completes a rubber, or a game where games are paid at once.

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
        return lines.with_columns(sheet_explained=pl.lit(value=True))
    bonuses = _OF_RUBBERS if sheet.rubbers else _OF_GAMES
    honours = {side: _honours(side, bonuses) for side in ("ns", "ew")}
    right = [
        _below_agrees(side) & points.is_not_null() | _stated_points(side)[0].is_null()
        for side, points in honours.items()
    ]
    return lines.with_columns(
        *(pl.coalesce(f"honours_{side}", points).alias(f"honours_{side}") for side, points in honours.items()),
        sheet_explained=pl.all_horizontal(right).fill_null(value=False),
    )


def _declares(side: str) -> pl.Expr:
    return pl.col("declarer").cast(pl.String).str.contains(f"[{side.upper()}]").fill_null(value=False)


def _stated_points(side: str) -> tuple[pl.Expr, pl.Expr]:
    """Return the points above and below the line that are stated for a side: declarer's where no side is named."""
    text = pl.col("stated_sheet")
    named, bare = rf"(?i){side}\s*([0-9]{{1,5}})\s*/\s*([0-9]{{1,5}})", r"^\s*([0-9]{1,5})\s*/\s*([0-9]{1,5})\s*$"
    above, below = (
        pl.coalesce(text.str.extract(named, n), pl.when(_declares(side)).then(text.str.extract(bare, n))).cast(pl.Int32)
        for n in (1, 2)
    )
    return above, below


def _honours(side: str, bonuses: Sequence[int]) -> pl.Expr:
    """Return the points above the line that are honours, at the stated vulnerability or else at the one that fits."""
    stated = side_vulnerable(pl.col("stated_vulnerable"), pl.col("declarer")).fill_null(value=False)
    return pl.coalesce(_left_over(side, stated, bonuses), _left_over(side, ~stated, bonuses))


def _left_over(side: str, vulnerable: pl.Expr, bonuses: Sequence[int]) -> pl.Expr:
    """Return the points above the line that neither the contract nor a bonus accounts for, if these can be honours."""
    # 3NT by N just made and 850 above the line, where 500 or 700 may complete a rubber: 850 = 700 + 150.
    declares = _declares(side)
    parts = deal_parts(vulnerable)
    of_contract = parts["overtricks"] + parts["doubled"] + parts["slam"]
    rest = _stated_points(side)[0] - pl.when(declares).then(of_contract).otherwise(parts["undertricks"])
    with_bonus = {bonus + points: points for bonus in bonuses for points in _HONOURS}
    alone = {points: points for points in _HONOURS}
    if_made, if_not = (
        rest.replace_strict(honours, default=None, return_dtype=pl.Int32) for honours in (with_bonus, alone)
    )
    return pl.when(declares & (parts["tricks"] > 0)).then(if_made).otherwise(if_not)


def _below_agrees(side: str) -> pl.Expr:
    return _stated_points(side)[1] == pl.when(_declares(side)).then(
        deal_parts(pl.lit(value=False))["tricks"]
    ).otherwise(0)


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
    "vp": {"pair_rounds": "matches"},
    "vps": {"pair_rounds": "matches"},
}
"""Words that ask for no method by themselves, with the settings that they stand for."""

_OPEN: Final = {"imp", "imps", "mean", "median"}
"""Words that ask for IMPs without saying against what."""


@dataclass(frozen=True)
class Request:
    """One `[Scoring]` value, read.

    Attributes:
        text: the value.
        kind: "nothing" for an empty value (`""`, `?`); "method"; "imps" for IMPs without saying against what;
            "unsupported" for another system or an unknown modifier.
        rules: the method and policies of a "method"; else without any.
    """

    text: str
    kind: Literal["nothing", "method", "imps", "unsupported"]
    rules: Scoring


def read_request(text: str, *, of_teams: bool = False) -> Request:
    """Read one `[Scoring]` value.

    Args:
        text: the value.
        of_teams: whether results name teams; IMPs are then those between the two tables of a match.
    """
    # text             of_teams  kind         rules
    # "?"              either    nothing
    # "MP;VPS"         either    method       method="matchpoints", pair_rounds="matches"
    # "IMP;Median"     false     imps
    # "IMP;Median"     true      method       method="teams", datum="median"
    # "MP;Across A+B"  either    method       method="matchpoints", field_groups=["A+B"]
    # "MP;Ascherman"   either    unsupported
    asked = [word for part in text.split(";") if (word := part.strip()) not in {"", "?"}]
    across = [word for word in asked if word.lower().startswith(ACROSS.lower())]
    words = [word.lower() for word in asked if word not in across]
    known = {**_MODIFIERS, **_words_of_methods()}
    without = Scoring.model_construct()
    if not words:
        return Request(text, "nothing", without)
    if not known.keys() >= set(words):
        return Request(text, "unsupported", without)
    rules = {name: value for word in words for name, value in known[word].items()}
    rules |= {"field_groups": [word[len(ACROSS) :] for word in across]} if across else {}
    if of_teams:
        rules.setdefault("method", USUAL_OF_TEAMS)
    if "method" in rules:
        return Request(text, "method", without.model_copy(update=rules))
    return Request(text, "imps" if set(words) <= _OPEN else "unsupported", without)


def _words_of_methods() -> dict[str, Settings]:
    return {word: {"method": method.name, **more} for method in METHODS.values() for word, more in method.pbn.items()}


def read_scoring(text: str, *, of_teams: bool = False) -> Scoring | None:
    """Return the settings that one `[Scoring]` value asks for; None where it names no method that is supported.

    An empty value asks for no method, and its settings are empty.
    """
    request = read_request(text, of_teams=of_teams)
    return request.rules if request.kind in {"nothing", "method"} else None


def settle_scoring(session: Session, scoring: Scoring) -> tuple[Scoring, Problems]:
    """Settle how a session is scored: by the club's settings first, then as most results ask, then the usual way.

    The first row that fits:

    | club's method | results ask for                           | settings                    | problem             |
    |---------------|-------------------------------------------|-----------------------------|---------------------|
    | none          | nothing or "imps", and state minus points | cross-IMPs                  |                     |
    | none          | "imps", three results or more on a board  | cross-IMPs                  |                     |
    | none          | "imps", and no way explains the points    | the club's                  | scoring-unsupported |
    | any           | nothing                                   | as `_complete` says         |                     |
    | none          | "imps" or "unsupported" most often        | the club's                  | scoring-unsupported |
    | any           | "imps" or "unsupported" most often        | the club's                  |                     |
    | none          | several                                   | those that most ask for     | scoring-mixed       |
    | any           | a method                                  | those that most ask for     |                     |

    Each setting that the club has made, its method too, replaces the one that results ask for.

    Returns:
        The settings; without a method where that is not supported. And the problems of the table.
    """
    stated = _stated(session)
    of_teams = bool(session.results["team_ns"].is_not_null().any())
    requests = [read_request(text, of_teams=of_teams) for text in stated["scoring"]]
    asked = [request for request in requests if request.kind != "nothing"]
    open_imps = not of_teams and all(request.kind == "imps" for request in asked)
    # Points below 0 can only be IMPs.
    states_imps = any((session.results[f"stated_points_{side}"] < 0).any() for side in ("ns", "ew"))
    open_imps &= states_imps or bool(asked and _compares_results(session.results))
    if asked and session.facts.settings.get("method", "") is None:
        return _settle_asked(scoring, stated, asked)
    if scoring.method is None and open_imps:
        return scoring.model_copy(update={"method": "cross-imps"}), empty(PROBLEMS)
    if not asked:
        return _complete(session, scoring, of_teams=of_teams), empty(PROBLEMS)
    return _settle_asked(scoring, stated, asked)


def _compares_results(results: Results) -> bool:
    """Return whether a board has three results or more, which IMPs can only be counted against each other."""
    played = results.filter(is_counted(), pl.col("board").is_not_null())
    return bool((played.group_by("section", "board").len()["len"] >= 3).any())


def asks_for_imps(session: Session, scoring: Scoring) -> bool:
    """Return whether results ask for IMPs without saying against what, and the club does not say it either."""
    texts = _stated(session)["scoring"]
    return scoring.method is None and {read_request(text).kind for text in texts} - {"nothing"} == {"imps"}


def _settle_asked(scoring: Scoring, stated: pl.DataFrame, asked: Sequence[Request]) -> tuple[Scoring, Problems]:
    """Settle how results are scored that ask for something, the most frequent request first."""
    first = asked[0]
    rows = stated.filter(pl.col("scoring") == first.text).with_columns(asked="scoring")
    if first.kind != "method":
        return scoring, empty(PROBLEMS) if scoring.method else report("scoring-unsupported", rows, "facts.scoring")
    own = {name: value for name in scoring.model_fields_set if (value := getattr(scoring, name)) is not None}
    settled = first.rules.model_copy(update=own)
    if scoring.method is not None or all(request.rules == first.rules for request in asked):
        return settled, empty(PROBLEMS)
    several = rows.with_columns(asked=pl.lit(", ".join(request.text for request in asked)), used="scoring")
    return settled, report("scoring-mixed", several, "facts.scoring")


def _complete(session: Session, scoring: Scoring, *, of_teams: bool) -> Scoring:
    """Complete the club's settings where no result asks for anything.

    A session of LIN files is scored as on their site, which leaves boards with fewer results on their own top.
    """
    usual = {"method": scoring.method or (USUAL_OF_TEAMS if of_teams else USUAL)}
    if _all_lin(session) and "short_boards" not in scoring.model_fields_set:
        usual["short_boards"] = "own-top"
    return scoring.model_copy(update=usual)


_BESIDE_BOARDS: Final = ("event", "site", "date", "scoring", "section", "round", "table", "pair_ns", "pair_ew")
"""Columns of a record that `ot` may state."""


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
