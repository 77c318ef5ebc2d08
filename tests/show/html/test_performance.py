"""What a scorecard says beside its lines."""

from typing import Any

from overtrick.show.html.performance import compute_running_scores, draw_chart, format_running_scores, make_shares
from overtrick.show.html.result_lines import PointsForm

MATCHPOINTS = PointsForm("MP", sign=False, places=0, total_places=0)
IMPS = PointsForm("IMP", sign=True, places=0, total_places=0)


def line(points: float | None, contract: str = "4S", declarer: str | None = "N") -> dict[str, Any]:
    return {
        "key": "1", "level": int(contract[0]), "strain": contract[1:], "declarer": declarer, "multiplicity": 1,
        "points_ns": points, "points_ew": None if points is None else 10 - points, "top": 10,
        "with_field": None, "parts_ns": None, "parts_ew": None, "parts_of": None, "dd_tricks": None,
    }  # fmt: skip


def test_boards_are_parted_by_who_declared() -> None:
    played = [(line(10), "NS"), (line(5), "NS"), (line(8, declarer="E"), "NS")]
    parts = {share.name: (share.boards, share.average) for share in make_shares(played, MATCHPOINTS)}
    assert {"Declaring": ("2", "75.0"), "Defending": ("1", "80.0")} == parts


def test_boards_are_split_by_the_contract_of_the_field_whoever_declared() -> None:
    played = [({**line(2), "with_field": True}, "EW"), ({**line(4, contract="3S"), "with_field": False}, "EW")]
    parts = {share.name: share.average for share in make_shares(played, MATCHPOINTS)}
    assert {"Defending": "70.0", "With the field": "80.0", "Against the field": "60.0"} == parts


def test_what_contracts_would_have_earned_is_beside_what_they_did() -> None:
    bid = {"dd_tricks": 10, "parts_ns": [3, 0, -2, 0, 0, 0], "parts_ew": [-3, 0, 0, 0, 2, 0], "parts_of": 1}
    played = [({**line(6), **bid}, "NS"), ({**line(6), **bid, "parts_ns": [1, 0, 0, 0, 0, 0]}, "NS")]
    assert [("Declaring", "60.0", "70.0")] == [
        (share.name, share.average, share.expected) for share in make_shares(played, MATCHPOINTS)
    ]
    assert [""] == [share.expected for share in make_shares([*played, (line(6), "NS")], MATCHPOINTS)]


def test_imps_are_averaged_a_board() -> None:
    assert ["+2.50"] == [share.average for share in make_shares([(line(5), "NS"), (line(0), "NS")], IMPS)][:1]


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
