"""Tables of series: what counts, what is dropped, who is ahead."""

import datetime as dt
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

from overtrick.core.config import Config
from overtrick.core.config.members import Member
from overtrick.judge.people.outlook import look_ahead
from overtrick.judge.people.season import ENTRIES, LINES, Evening, gather
from overtrick.judge.people.series import Table, make_table, share_places

Pair = tuple[str, str, float]
"""Two players, and their percentage (or their total, where the test says so)."""


def evening(
    day: int, pairs: Sequence[Pair], *, title: str = "Cup", unit: str = "MP", club: str | None = None
) -> Evening:
    ordered = sorted(pairs, key=lambda pair: -pair[2])
    ranks = [1 + sum(other[2] > pair[2] for other in ordered) for pair in ordered]
    rows = [
        {
            "entry": number, "ranking": "all", "rank": rank, "rank_last": rank + ranks.count(rank) - 1,
            "field": len(ordered), "total": pair[2], "percentage": pair[2] if unit == "MP" else None, "boards": 24,
            "club": club, "page": f"pair-{number}", "kind": "pairs", "awards": None, "names": list(pair[:2]),
            "numbers": ["", ""],
        }
        for number, (pair, rank) in enumerate(zip(ordered, ranks, strict=True))
    ]  # fmt: skip
    date = f"2026.03.{day:02}"
    entries, lines = pl.DataFrame(rows, ENTRIES), pl.DataFrame(schema=LINES)
    return Evening(f"day-{day}-{club or ''}", title, date, club, unit, entries, lines)


def table(played: Sequence[Evening], members: Sequence[Member] = (), /, **series: Any) -> Table:
    config = Config.model_validate({"series": [{"name": "Cup", **series}]})
    people = config.people.with_members(tuple(members))
    config = config.model_copy(update={"people": people})
    return make_table(gather(played, config), config.series[0])


def ranked(found: Table) -> list[tuple[int | None, str, float]]:
    """Return place, names in lower case and total of each row."""
    return [(row.rank, row.key.replace("name ", ""), round(float(row.total), 2)) for row in found.rows]


A, B, C, D = "Ann A1", "Bob B1", "Cas C1", "Dan D1"
a, b, c, d = (f"{name}".casefold() for name in (A, B, C, D))
WEEKS = [
    evening(2, [(A, B, 60.0), (C, D, 40.0)]),
    evening(9, [(A, C, 70.0), (B, D, 30.0)]),
    evening(16, [(A, B, 50.0), (C, D, 50.0)]),
]


def test_the_mean_of_the_best_two() -> None:
    assert [(1, a, 65.0), (2, c, 60.0), (3, b, 55.0), (4, d, 45.0)] == ranked(table(WEEKS, best=2))


def test_totals_are_exact() -> None:
    weeks = [evening(day, [(A, B, 100 / 3), (C, D, 200 / 7)]) for day in (2, 9, 16)]
    assert [Fraction(100, 3), Fraction(200, 7)] == [row.total for row in table(weeks, contestants="pairs").rows]


def test_what_does_not_count_is_dropped() -> None:
    (row,) = [row for row in table(WEEKS, best=2).rows if row.key == f"name {a}"]
    assert {0: None, 1: None, 2: "lower"} == {at: score.left_out for at, score in row.scores.items()}


def test_pairs_are_the_same_in_either_order() -> None:
    weeks = [evening(2, [(A, B, 60.0)]), evening(9, [(B, A, 50.0)])]
    assert [(1, f"{a} & {b}", 55.0)] == ranked(table(weeks, contestants="pairs"))


def test_who_has_played_too_little_is_not_ranked() -> None:
    weeks = [*WEEKS, evening(23, [("Eve E1", A, 90.0)])]
    found = table(weeks, minimum=2)
    assert (None, "eve e1", 90.0) == ranked(found)[-1]
    assert 1 == found.rows[-1].evenings_short


def test_different_partners_may_be_asked_for() -> None:
    found = table(WEEKS, partners=3)
    assert [1, 1, 1, 1] == [row.partners_short for row in found.rows]
    assert [None] * 4 == [row.rank for row in found.rows]


@pytest.mark.parametrize(
    ("chosen", "folders"),
    [
        ({"title": "cup"}, ["day-2-", "day-9-", "day-16-"]),
        ({"title": "Other"}, []),
        ({"weekday": "monday"}, ["day-2-", "day-9-", "day-16-"]),
        ({"weekday": "friday"}, []),
        ({"evenings": ["day-9-"]}, ["day-9-"]),
        ({"tag": "day-1"}, ["day-16-"]),
        ({"of": 2}, ["day-2-", "day-9-"]),
    ],
)
def test_which_evenings_belong_to_it(chosen: dict[str, Any], folders: list[str]) -> None:
    assert folders == [WEEKS[at].folder for at in table(WEEKS, **chosen).evenings]


def test_dates_limit_a_series() -> None:
    found = table(WEEKS, since=dt.date(2026, 3, 3), until=dt.date(2026, 3, 10))
    assert (1,) == found.evenings


def test_points_by_place_are_shared() -> None:
    assert 8.0 == share_places([10, 6, 4], 1, 2)
    assert 2.0 == share_places([10, 6, 4], 3, 4)
    # 10 + 10 + (10 + 6) / 2, and 6 + 6 + (10 + 6) / 2.
    assert (1, a, 28.0) == ranked(table(WEEKS, scoring="points", places=[10, 6]))[0]


def test_imps_and_victory_points_are_added() -> None:
    weeks = [evening(2, [(A, B, 12.0), (C, D, -12.0)], unit="IMP"), evening(9, [(A, B, 3.0)], unit="IMP")]
    assert [(1, f"{a} & {b}", 15.0), (2, f"{c} & {d}", -12.0)] == ranked(
        table(weeks, scoring="imps", contestants="pairs")
    )
    assert [] == ranked(table(weeks, scoring="vps"))


def test_handicaps_come_from_the_list_of_members() -> None:
    members = [Member(A, handicap=4.0, line=2), Member(B, handicap=-1.0, line=3)]
    found = table(WEEKS[:1], members, handicap=True)
    assert {"member 2": 64.0, "member 3": 59.0} == {row.key: row.total for row in found.rows if "member" in row.key}
    pairs = table(WEEKS[:1], members, handicap=True, contestants="pairs")
    assert 61.5 == pairs.rows[0].total


def test_only_members_may_be_ranked() -> None:
    found = table(WEEKS, [Member(A, line=2)], members_only=True)
    assert ["member 2"] == [row.key for row in found.rows]


def test_substitutes_are_capped() -> None:
    weeks = [
        evening(2, [(A, B, 50.0)]), evening(9, [(A, "Sub S1", 70.0)]), evening(16, [("Sub S2", B, 65.0)])
    ]  # fmt: skip
    series: dict[str, Any] = {"contestants": "pairs", "pairs": [f"{A} - {B}"]}
    assert [61.67] == [total for _, _, total in ranked(table(weeks, **series))]
    assert [60.0] == [total for _, _, total in ranked(table(weeks, **series, substitutes=1))]
    assert [53.33] == [total for _, _, total in ranked(table(weeks, **series, substitute_most=55.0))]


def test_names_of_nobody_are_reported() -> None:
    found = table(WEEKS, contestants="pairs", pairs=["Zed Z1 - Ann A1"])
    assert ("'Zed Z1 - Ann A1' is nobody in this season",) == found.mistakes


def test_a_player_in_two_pairs_is_reported_with_both() -> None:
    with pytest.raises(ValueError, match='"Ann A1" is in "Ann A1 - Bob B1" and "Cas C1 - Ann A1"'):
        table(WEEKS, contestants="pairs", pairs=["Ann A1 - Bob B1", "Cas C1 - Ann A1"])
    # The settings spell Ann in two ways, which only the list of members knows.
    members = [Member(A, aliases=("Annie",), line=2)]
    found = table(WEEKS, members, contestants="pairs", pairs=["Ann A1 - Bob B1", "Cas C1 - Annie"])
    assert ("'Ann A1' is in two pairs: 'Ann A1 - Bob B1' and 'Cas C1 - Annie'",) == found.mistakes


def test_equals_share_their_places_unless_a_rule_separates_them() -> None:
    weeks = [evening(2, [(A, B, 60.0), (C, D, 40.0)]), evening(9, [(C, D, 60.0), (A, B, 40.0)])]
    pairs: dict[str, Any] = {"contestants": "pairs"}
    assert [1, 1] == [rank for rank, _, _ in ranked(table(weeks, **pairs))]
    latest = table(weeks, **pairs, tie_breaks=["best-evening", "head-to-head", "latest"])
    assert [(1, f"{c} & {d}", 50.0), (2, f"{a} & {b}", 50.0)] == ranked(latest)


def test_places_before_the_latest_evening_are_known() -> None:
    found = table([*WEEKS, evening(23, [(D, "Eve E1", 99.0)])])
    moved = {row.key: row.before for row in found.rows}
    assert (4, None) == (moved[f"name {d}"], moved["name eve e1"])


def test_a_ladder_moves_only_those_who_play() -> None:
    weeks = [
        evening(2, [(A, B, 60.0), (C, D, 40.0)]), evening(9, [(C, B, 60.0), (D, "Eve E1", 40.0)])
    ]  # fmt: skip
    # After the first evening A B C D. On the second, B and C, then D play; Eve comes in below.
    assert [a, b, c, d, "eve e1"] == [key for _, key, _ in ranked(table(weeks, scoring="ladder"))]
    start = table(weeks[:1], scoring="ladder", start=[D, C])
    # D and C hold the rungs 1 and 2 and share them out; A and B come in below, whatever they scored.
    assert [d, c, a, b] == [key for _, key, _ in ranked(start)]


def test_a_guest_of_one_evening_stays_at_the_bottom_of_a_ladder() -> None:
    weeks = [*WEEKS, evening(23, [("Gus G1", "Hal H1", 100.0), (A, D, 0.0)]), evening(30, [("Gus G1", D, 90.0)])]
    assert ["gus g1", "hal h1"] == [key for _, key, _ in ranked(table(weeks[:4], scoring="ladder"))][-2:]
    # On their second evening Gus, rung 5, and D share the rungs they hold.
    assert [a, c, b, d, "gus g1", "hal h1"] == [key for _, key, _ in ranked(table(weeks, scoring="ladder"))]


def test_only_the_latest_evenings_count_in_a_rolling_table() -> None:
    assert [(1, a, 70.0), (1, c, 70.0)] == ranked(table(WEEKS[:2], last=1))[:2]


def test_an_event_of_several_clubs_ranks_within_each_too() -> None:
    weeks = [evening(2, [(A, B, 60.0)], club="Oakham"), evening(2, [(C, D, 70.0)], club="Millbrook")]
    found = table(weeks, contestants="pairs", within_clubs=True)
    assert [1, 2] == [row.rank for row in found.rows]
    assert [("Millbrook", 1), ("Oakham", 1)] == [(club, rows[0].rank) for club, rows in found.clubs]
    assert 1 == len(table(weeks, contestants="pairs", clubs=["oakham"]).rows)


def test_a_table_that_one_evening_can_lead_is_named() -> None:
    (said,) = table(WEEKS, best=2).mistakes
    assert "best without minimum" in said
    assert () == table(WEEKS, best=2, minimum=2).mistakes


@pytest.mark.parametrize(("settings", "safe"), [({"minimum": 2}, True), ({"minimum": 1}, False)])
def test_a_newcomer_may_still_come_to_lead(settings: dict[str, int], safe: bool) -> None:
    """One evening is left, on which nobody can have played twice: Ann and Bob are ahead of all who played."""
    weeks = [evening(2, [(A, B, 90.0), (C, D, 10.0)]), evening(9, [(A, B, 90.0), (C, D, 10.0)])]
    config = Config.model_validate({"series": [{"name": "Cup", "contestants": "pairs", "of": 3, **settings}]})
    season = gather(weeks, config)
    found = look_ahead(make_table(season, config.series[0]), season)
    assert safe == found[f"name {a} & name {b}"].is_safe
