"""The words for the rules that scoring and ranking followed: the only place that turns `Facts.policies` into English.

Words that need no more than the value of a setting are in `policies.toml`, beside this module. JSON has these texts.
Pages and documents look them up in the catalogues of `core.languages`.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from overtrick.core.bridge.methods import method_named
from overtrick.core.config.scoring import Adjustment
from overtrick.core.frames import Facts

_TABLE: Final = Path(__file__).with_name("policies.toml")

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


def _choose(words: Mapping[str, str]) -> Words:
    """Return the words of a setting, a table of `policies.toml`: the text for its value, or the one for all values."""

    def say(value: object, _facts: Facts) -> Said:
        yield words["name"], words.get("always") or words[words["usual"] if value is None else str(value)]

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
    "tie_breaks": _tie_breaks,
    "decided_ties": _decided_ties,
    **{rule: _choose(words) for rule, words in tomllib.loads(_TABLE.read_text("utf-8")).items()},
}
"""By the rule, its words. A rule that is not here is in another one's words, as `line_ties` with `line_rounding`."""
