"""The words for the rules that scoring and ranking followed: the only place that turns `Facts.policies` into English.

JSON has these texts. Pages and documents look them up in the catalogues of `core.languages`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from overtrick.core.bridge.methods import method_named
from overtrick.core.config.scoring import Adjustment
from overtrick.core.frames import Facts

Said = Iterator[tuple[str, str]]
"""Names of rules, and what was followed."""

Words = Callable[[Any, Facts], Said]
"""Puts a rule into words, given its value and all facts."""


def describe_policies(facts: Facts) -> dict[str, str]:
    """Return the rules that scoring and ranking followed, in words: each by its name, in the order of `policies`."""
    said: dict[str, str] = {}
    for rule, value in facts.policies.items():
        if rule in SENTENCES:
            said |= SENTENCES[rule](value, facts)
    return said


def name_result(adjustment: Adjustment) -> str:
    """Return the result that an adjustment is about: `board 1, ns 3`."""
    return ", ".join(f"{name} {value}" for name, value in adjustment.place.items() if name != "source")


def _always(name: str, text: str) -> Words:
    """Return the words of a rule that is the same whatever its value."""

    def say(_value: object, _facts: Facts) -> Said:
        yield name, text

    return say


def _choose(name: str, texts: Mapping[object, str], usual: object = None) -> Words:
    """Return the words of a setting: the text for its value, or where it is left out for the usual one."""

    def say(value: object, _facts: Facts) -> Said:
        yield name, texts[usual if value is None else value]

    return say


def _field(value: str, facts: Facts) -> Said:
    extent = "each section" if value == "section" else "the whole session"
    groups: Any = facts.policies.get("field_groups")
    if groups:
        extent = f"each section, and {', '.join(groups)}"
    yield "compared within", f"{extent}, file by file" if facts.by_file else extent


def _matchpoint_unit(value: str, facts: Facts) -> Said:
    if method_named(facts.method).unit == "boards":
        yield "a board", "2 won, 1 tied, 0 lost" if value == "2-1" else "1 won, a half tied, 0 lost"
    else:
        yield "a pair beaten", "2 matchpoints, a tie 1" if value == "2-1" else "1 matchpoint, a tie a half"


def _line_rounding(value: object, facts: Facts) -> Said:
    up = ", half up on each side" if facts.policies.get("line_ties") == "up" else ""
    yield "line rounding", f"{value}{up}"


def _datum_rounding(value: str, facts: Facts) -> Said:
    if facts.policies.get("datum") != "stated":
        yield "datum rounded", "not at all" if value == "none" else "to the nearest ten"


def _datum_ties(value: str, facts: Facts) -> Said:
    if facts.policies.get("datum") != "stated" and facts.policies.get("datum_rounding") != "none":
        yield "datum half-way", {"away": "away from zero", "even": "to the even ten", "up": "up"}[value]


def _passed_out(value: str, facts: Facts) -> Said:
    sheet = method_named(facts.method).sheet
    of_match = sheet is not None and sheet.hands is not None
    again = "none of the four" if of_match else "dealt again by the same player"
    yield "passed-out hand" if of_match else "passed-out deal", again if value == "redealt" else "one of the four"


def _vp_scale(value: str, facts: Facts) -> Said:
    boards = facts.policies.get("vp_boards")
    yield "victory points", f"{value}, for {f'{boards} boards' if boards else 'the longest match'}"


def _bye_points(value: float | None, _facts: Facts) -> Said:
    if value is not None:
        yield "a round without a match", f"{value:g} victory points"


def _fouled(value: list[Any], _facts: Facts) -> Said:
    for entry in value:
        compared = f"{', '.join(entry.ns)} N-S compared with each other only"
        yield f"fouled, board {entry.board}", _with_reason(compared, entry.reason)


def _adjustments(value: list[Adjustment], _facts: Facts) -> Said:
    for adjustment in value:
        assigned = " and ".join(_assigned(adjustment))
        yield f"adjusted score, {name_result(adjustment)}", _with_reason(assigned, adjustment.reason)


def _assigned(adjustment: Adjustment) -> list[str]:
    if adjustment.weighted is not None:
        whole = sum(each.weight for each in adjustment.weighted)
        return [f"{each.weight}/{whole} of {each.score}" for each in adjustment.weighted]
    if adjustment.award is not None:
        ns, ew = adjustment.award
    elif adjustment.split is not None:
        ns, ew = str(adjustment.split.ns), str(adjustment.split.ew)
    else:
        return [f"{adjustment.assigned} for N-S"]
    return [f"{ns} for N-S", f"{ew} for E-W"]


def _with_reason(text: str, reason: str | None) -> str:
    return f"{text}; {reason}" if reason else text


def _penalties(value: list[Any], _facts: Facts) -> Said:
    units = {"points": "points", "top": "of a top", "percent": "%"}
    each: dict[str, list[str]] = {}
    for penalty in value:
        reason = f": {penalty.reason}" if penalty.reason else ""
        each.setdefault(penalty.contestant, []).append(f"{penalty.amount:g} {units[penalty.unit]}{reason}")
    yield from ((f"penalty, {contestant}", "; ".join(texts)) for contestant, texts in each.items())


def _tie_breaks(value: list[str], _facts: Facts) -> Said:
    yield "ties", ", then ".join(value) or "share their places"


def _decided_ties(value: list[Any], _facts: Facts) -> Said:
    how = {"lot": "won by lot", "extra-hands": "won on extra boards"}
    yield from ((f"tie, {tie.contestant}", how[tie.by]) for tie in value)


SENTENCES: Final[dict[str, Words]] = {
    "field": _field,
    "matchpoint_unit": _matchpoint_unit,
    "line_rounding": _line_rounding,
    "datum_rounding": _datum_rounding,
    "datum_ties": _datum_ties,
    "passed_out": _passed_out,
    "vp_scale": _vp_scale,
    "bye_points": _bye_points,
    "fouled": _fouled,
    "adjustments": _adjustments,
    "penalties": _penalties,
    "carry_overs": _always("carry-over", "added to the total"),
    "handicaps": _always("handicap", "in a ranking of its own"),
    "tie_breaks": _tie_breaks,
    "decided_ties": _decided_ties,
    "short_boards": _choose("short boards", {"neuberg": "Neuberg", "own-top": "own top"}),
    "average_plus": _choose(
        "average plus", {"flat": "flat 60 %", "session": "60 %, or the pair's session where better"}
    ),
    "average_flat": _always("average plus", "flat 60 %"),
    "average_imps": _always("average plus", "3 IMPs"),
    "average_comparisons": _always("average plus", "3 IMPs a comparison"),
    "fouled_groups": _choose(
        "fouled boards",
        {
            "neuberg": "each form by itself, as a short board",
            "white-book": "forms at three tables or fewer, and a third of the field, by percentages from 60",
            "acbl": "forms at three tables or fewer by percentages from 60, unless three is the most",
        },
    ),
    "datum": _choose(
        "datum",
        {
            "mean": "mean of all scores",
            "mean-2": "mean without the best and the worst score",
            "mean-5%": "mean without the best and the worst 5 % of the scores, in whole scores",
            "mean-scaled": "mean without the best and the worst score, two each from 11 scores, three from 26"
            " and so on",
            "median": "median",
            "stated": "as the file states it",
        },
        usual="mean",
    ),
    "cross_divisor": _choose(
        "divided by",
        {
            "comparisons": "number of comparisons",
            "scores": "number of scores",
            "none": "none; short boards brought to the full number of comparisons",
        },
        usual="comparisons",
    ),
    "team_points": _choose("boards compared by", {"imps": "IMPs", "total-points": "total points"}),
    "rubbers": _always("rubber", "700 in two games, 500 in three"),
    "unfinished_rubber": _always("unfinished rubber", "300 for the only game, 100 for the only part-score"),
    "part_scores_carried": _always("part-scores", "carried; 100 on the fourth deal"),
    "part_scores_at_once": _always("part-scores", "50 on each deal, nothing carried"),
    "games": _always("game", "500 fast, 300 slow; no rubber"),
    "legs": _always("legs", "100 for the only one, 50 each"),
    "honours": _choose("honours", {"claimed": "as claimed", "held": "as held", "none": "do not count"}),
    "no_honours": _always("honours", "do not count"),
    "chicago_vulnerable": _choose(
        "second and third deal",
        {
            "dealer": "dealer's side vulnerable, unless stated",
            "opponents": "dealer's opponents vulnerable, unless stated",
        },
    ),
    "own_points": _always("total", "own points"),
    "winners": _choose("winners", {1: "one", 2: "two, N-S and E-W"}),
    "sit_outs": _choose(
        "sit-outs",
        {
            "as-earned": "totals as they are",
            "prorate": "totals brought to the most boards played",
            "mean": "ranked by the mean of a board",
        },
    ),
}
"""By the rule, its words. A rule that is not here is in another one's words, as `line_ties` with `line_rounding`."""
