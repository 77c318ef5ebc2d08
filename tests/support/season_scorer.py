"""An independent scorer of series: plain Python, fractions, and the rules of docs/people.md and docs/settings.md."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from itertools import groupby
from random import Random
from typing import Any, NamedTuple

FIRST = "Ada Ben Cleo Dora Eli Fay Gus Hal Ivy Jo Kim Lou".split()
LAST = "Quill Moss Reed Lane Thorne Vale Finch Stone Birch Marsh Heath Fern".split()
PEOPLE = [f"{first} {last}" for first, last in zip(FIRST, LAST, strict=True)]


class Line(NamedTuple):
    """A pair on an evening."""

    first: str
    second: str
    percentage: Fraction


class Placed(NamedTuple):
    """A contestant in the table of a series: on a ladder the total is the rung."""

    who: tuple[str, ...]
    rank: int | None
    rank_last: int | None
    total: Fraction


@dataclass
class Player:
    """What a contestant has done: score, whether with a substitute, and partners, by day."""

    scores: dict[date, Fraction] = field(default_factory=dict)
    substitute: dict[date, bool] = field(default_factory=dict)
    partners: dict[date, list[str]] = field(default_factory=dict)


Season = Mapping[date, Sequence[Line]]


def play(seed: int) -> tuple[Season, dict[str, int]]:
    """Return a random season of 4 to 8 evenings, in any order, and the handicaps of its players."""
    lot = Random(seed)
    days = [date(2026, 1, 6) + timedelta(lot.choice((7, 25)) * week) for week in range(lot.randint(4, 8))]
    lot.shuffle(days)
    season = {}
    for day in days:
        here = PEOPLE[:8] if lot.random() < 0.5 else lot.sample(PEOPLE, lot.choice((6, 8, 10)))
        pairs = zip(here[::2], here[1::2], strict=True)
        season[day] = [Line(a, b, Fraction(lot.randint(8, 16) * 100, 24)) for a, b in pairs]
    return season, {name: lot.randint(-2, 6) for name in PEOPLE}


def draw_rules(seed: int, **chosen: Any) -> dict[str, Any]:
    """Return random settings of a series, but for those that are chosen."""
    lot = Random(seed)
    pairs = lot.random() < 0.5
    some: dict[str, tuple[Any, ...]] = {
        "scoring": ("percentage", "percentage", "points", "ladder"), "best": (None, 2, 3), "last": (None, 3),
        "of": (None, 5), "minimum": (1, 2, 3), "handicap": (False, True),
        "tie_breaks": ([], ["latest"], ["best-evening", "latest"], ["evenings", "dropped"], ["head-to-head"]),
    }  # fmt: skip
    rules = {name: lot.choice(values) for name, values in some.items()} | chosen
    rules |= {"contestants": "pairs" if pairs else "players"}
    if pairs:
        listed = [f"{PEOPLE[at]} - {PEOPLE[at + 1]}" for at in (0, 2, 4)]
        rules |= {"pairs": lot.choice(([], listed)), "substitutes": lot.choice((None, 0, 1))}
        rules["substitute_most"] = lot.choice((None, 5 if rules["scoring"] == "points" else 50))
    else:
        rules["partners"] = lot.choice((1, 2))
    if rules["scoring"] == "points":
        rules["places"] = [10, 6, 3]
    return {name: value for name, value in rules.items() if value is not None}


def score_series(season: Season, rules: Mapping[str, Any], handicaps: Mapping[str, int]) -> list[Placed]:
    """Return the table of a series after its latest evening."""
    days = sorted(season)[: rules.get("of")]
    found = _collect({day: season[day] for day in days}, rules, handicaps)
    return _climb(found, days) if rules["scoring"] == "ladder" else _place(found, days, rules)


def score_further(
    season: Season,
    rules: Mapping[str, Any],
    handicaps: Mapping[str, int],
    further: Mapping[tuple[str, ...], Sequence[Fraction | None]],
) -> dict[tuple[str, ...], Placed]:
    """Return the table after further evenings, each with a new partner, by contestant.

    Args:
        season: the evenings played.
        rules: of the series.
        handicaps: of all players.
        further: scores without handicaps on each of the further evenings, by contestant; None where it does not play.
    """
    days = sorted(season)[: rules.get("of")]
    found = _collect({day: season[day] for day in days}, rules, handicaps)
    number = max(map(len, further.values()))
    to_come = [days[-1] + timedelta(at + 1) for at in range(number)]
    for who, scores in further.items():
        bonus = Fraction(sum(handicaps[name] for name in who), len(who)) if rules["handicap"] else 0
        for day, score in zip(to_come, scores, strict=True):
            if score is not None:
                _note(found, who, day, score + bonus, partner=f"new on {day}")
    return {placed.who: placed for placed in _place(found, [*days, *to_come], rules)}


def _place(found: Mapping[tuple[str, ...], "Player"], days: list[date], rules: Mapping[str, Any]) -> list[Placed]:
    ready: list[Ranked] = []
    waiting: list[Ranked] = []
    for who, player in found.items():
        counting, others = _choose(player, days, rules)
        total = sum((player.scores[day] for day in counting), Fraction(0))
        if rules["scoring"] == "percentage" and counting:
            total /= len(counting)
        key = [total, *(_tie_key(rule, player, counting, others, days) for rule in rules["tie_breaks"])]
        (ready if counting and _has_enough(player, rules) else waiting).append((who, key, player))
    placed: list[Placed] = []
    for group in _separate(ready, rules["tie_breaks"]):
        first = len(placed) + 1
        placed += [Placed(who, first, first + len(group) - 1, key[0]) for who, key, _ in group]
    return placed + [Placed(who, None, None, key[0]) for who, key, _ in waiting]


Ranked = tuple[tuple[str, ...], list[Any], Player]


def _separate(rows: list[Ranked], ties: Sequence[str]) -> list[list[Ranked]]:
    groups = _split(rows, lambda row: row[1][0])
    for at, rule in enumerate(ties, 1):
        parted: list[list[Ranked]] = []
        for group in groups:
            if rule != "head-to-head":
                parted += _split(group, lambda row, at=at: row[1][at])  # type: ignore[misc]
            elif len(group) == 2:
                ahead = {row[0]: _wins(row[2], other[2]) for row, other in (group, group[::-1])}
                parted += _split(group, lambda row, ahead=ahead: ahead[row[0]])  # type: ignore[misc]
            else:
                parted.append(group)
        groups = parted
    return groups


def _split(rows: list[Ranked], value: Callable[[Ranked], Any]) -> list[list[Ranked]]:
    ordered = sorted(rows, key=value, reverse=True)
    return [list(group) for _, group in groupby(ordered, key=value)]


def _wins(one: Player, other: Player) -> int:
    return sum(score > other.scores[day] for day, score in one.scores.items() if day in other.scores)


def _tie_key(rule: str, player: Player, counting: list[date], others: list[date], days: list[date]) -> Any:
    match rule:
        case "best-evening":
            return sorted((player.scores[day] for day in counting), reverse=True)
        case "dropped":
            return sorted((player.scores[day] for day in others), reverse=True)
        case "evenings":
            return len(player.scores)
        case "latest":
            return player.scores.get(days[-1], Fraction(-1000))
    return None


def _choose(player: Player, days: list[date], rules: Mapping[str, Any]) -> tuple[list[date], list[date]]:
    """Return the days that count, and those that do not."""
    recent = days[-rules["last"] :] if "last" in rules else days
    chosen: list[date] = []
    substitutes = rules.get("substitutes", len(days))
    for day in sorted(player.scores, key=lambda day: (-player.scores[day], day)):
        if day in recent and not (player.substitute[day] and substitutes == 0):
            substitutes -= player.substitute[day]
            chosen.append(day)
    chosen = chosen[: rules.get("best")]
    return chosen, [day for day in player.scores if day not in chosen]


def _has_enough(player: Player, rules: Mapping[str, Any]) -> bool:
    substitutes = sum(player.substitute.values())
    excluded = max(0, substitutes - rules.get("substitutes", substitutes))
    partners = {partner for names in player.partners.values() for partner in names}
    wanted = rules.get("partners", 1)
    return len(player.scores) - excluded >= int(rules["minimum"]) and (wanted == 1 or len(partners) >= int(wanted))


def _collect(season: Season, rules: Mapping[str, Any], handicaps: Mapping[str, int]) -> dict[tuple[str, ...], Player]:
    found: dict[tuple[str, ...], Player] = {}
    listed = [tuple(sorted(text.split(" - "))) for text in rules.get("pairs", ())]
    for day, lines in season.items():
        stood_in: dict[tuple[str, ...], list[Fraction]] = {}
        for line in lines:
            pair = tuple(sorted((line.first, line.second)))
            points = _points(line, lines, rules)
            if rules["contestants"] == "players":
                for one, other in (pair, pair[::-1]):
                    _note(found, (one,), day, points, partner=other)
            elif not listed or pair in listed:
                _note(found, pair, day, points)
            else:
                usual = [one for one in listed if set(one) & set(pair)]
                if len(usual) == 1:
                    most = rules.get("substitute_most")
                    points = points if most is None else min(points, Fraction(most))
                    stood_in.setdefault(usual[0], []).append(points)
        for pair, scores in stood_in.items():
            _note(found, pair, day, sum(scores, Fraction(0)) / len(scores), substitute=True)
    if rules["handicap"]:
        for who, player in found.items():
            bonus = Fraction(sum(handicaps[name] for name in who), len(who))
            player.scores = {day: score + bonus for day, score in player.scores.items()}
    return found


def _note(
    found: dict[tuple[str, ...], Player],
    who: tuple[str, ...],
    day: date,
    points: Fraction,
    *,
    substitute: bool = False,
    partner: str = "",
) -> None:
    player = found.setdefault(who, Player())
    player.scores[day], player.substitute[day], player.partners[day] = points, substitute, [partner]


def _points(line: Line, lines: Sequence[Line], rules: Mapping[str, Any]) -> Fraction:
    if rules["scoring"] != "points":
        return line.percentage
    better = sum(other.percentage > line.percentage for other in lines)
    equal = sum(other.percentage == line.percentage for other in lines)
    places = [*rules["places"], *[0] * len(lines)][better : better + equal]
    return Fraction(sum(places), equal)


def _climb(found: Mapping[tuple[str, ...], Player], days: list[date]) -> list[Placed]:
    ladder: list[tuple[str, ...]] = []
    for day in days:
        here = [who for who in ladder if day in found[who].scores]
        rungs = [ladder.index(who) for who in here]
        for rung, who in zip(rungs, sorted(here, key=lambda who: -found[who].scores[day]), strict=True):
            ladder[rung] = who
        new = [who for who in found if day in found[who].scores and who not in ladder]
        ladder += sorted(new, key=lambda who: (-found[who].scores[day], " ".join(who).casefold()))
    return [Placed(who, rung, rung, Fraction(rung)) for rung, who in enumerate(ladder, 1)]
