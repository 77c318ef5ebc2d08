"""What a scorecard says beside its lines."""

from typing import Any

from overtrick.render.pages.performance import (
    compute_running_scores,
    draw_chart,
    find_field_contracts,
    format_running_scores,
    make_shares,
)
from overtrick.render.pages.result_lines import PointsForm

MATCHPOINTS = PointsForm("MP", sign=False, places=0, total_places=0)
IMPS = PointsForm("IMP", sign=True, places=0, total_places=0)


def line(points: float | None, key: str = "1", contract: str = "4S", declarer: str | None = "N") -> dict[str, Any]:
    return {
        "key": key, "level": int(contract[0]), "strain": contract[1:], "declarer": declarer, "multiplicity": 1,
        "points_ns": points, "points_ew": None if points is None else 10 - points, "top": 10,
    }  # fmt: skip


def test_the_contract_of_most_tables_is_the_field_s() -> None:
    lines = [line(1), line(2), line(3, contract="3S")]
    assert {"1": (4, "S", "NS")} == find_field_contracts(lines)


def test_where_two_contracts_are_as_common_there_is_no_field() -> None:
    assert {} == find_field_contracts([line(1), line(2, contract="3S")])
    assert {} == find_field_contracts([line(1), line(2), line(1, declarer="E"), line(2, declarer="W")])


def test_partners_declare_for_the_same_field() -> None:
    assert {"1": (4, "S", "NS")} == find_field_contracts([line(1, declarer="N"), line(2, declarer="S")])


def test_boards_are_parted_by_who_declared() -> None:
    played = [(line(10), "NS"), (line(5), "NS"), (line(8, declarer="E"), "NS")]
    parts = {share.name: (share.boards, share.average) for share in make_shares(played, {}, MATCHPOINTS)}
    assert {"Declaring": ("2", "75.0"), "Defending": ("1", "80.0")} == parts


def test_boards_are_split_by_the_contract_of_the_field_whoever_declared() -> None:
    field = {"1": (4, "S", "NS"), "2": (4, "S", "NS")}
    played = [(line(2), "EW"), (line(4, key="2", contract="3S"), "EW")]
    parts = {share.name: share.average for share in make_shares(played, field, MATCHPOINTS)}
    assert {"Defending": "70.0", "With the field": "80.0", "Against the field": "60.0"} == parts


def test_imps_are_averaged_a_board() -> None:
    assert ["+2.50"] == [share.average for share in make_shares([(line(5), "NS"), (line(0), "NS")], {}, IMPS)][:1]


def test_the_running_score_is_a_percentage_of_what_could_be_had() -> None:
    played = [(line(10), "NS"), (line(None), "NS"), (line(5), "NS")]
    assert ["100.0", "", "75.0"] == format_running_scores(compute_running_scores(played, MATCHPOINTS), MATCHPOINTS)


def test_running_imps_are_added() -> None:
    assert ["+3", "+8"] == format_running_scores(compute_running_scores([(line(3), "NS"), (line(5), "NS")], IMPS), IMPS)


def test_a_chart_names_its_turning_points() -> None:
    chart = draw_chart([60.0, None, 40.0, 55.0], ["3", "4", "5", "6"], MATCHPOINTS)
    assert chart is not None
    assert ("60.0", "3", "40.0", "5", "55.0") == (
        chart.highest, chart.highest_board, chart.lowest, chart.lowest_board, chart.last
    )  # fmt: skip
    assert 3 == len(chart.line.split())


def test_a_chart_stays_in_its_box_and_a_level_evening_is_level() -> None:
    for scores in ([0.0, 100.0, 50.0], [50.0, 50.2, 49.9]):
        chart = draw_chart(scores, ["1", "2", "3"], MATCHPOINTS)
        assert chart is not None
        heights = [float(point.split(",")[1]) for point in chart.line.split()]
        assert all(0 <= height <= 40 for height in heights)
    assert max(heights) - min(heights) < 2


def test_two_boards_make_no_chart() -> None:
    assert draw_chart([50.0, 60.0], ["1", "2"], MATCHPOINTS) is None
