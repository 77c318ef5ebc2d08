"""How often each score was reached."""

from typing import Any

from overtrick.render.frequencies import frequencies
from overtrick.render.lines import PointsForm

FORM = PointsForm("MP", sign=False, places=0, total_places=0)


def line(score: int | None, points: float = 2, **columns: Any) -> dict[str, Any]:
    usual = {"score_ns": score, "award_ns": None, "award_ew": None, "multiplicity": 1}
    return {**usual, "points_ns": points, "points_ew": 8 - points, **columns}


def test_scores_are_counted_best_for_north_south_first() -> None:
    table = frequencies([line(-50, 0), line(420, 6), line(420, 6), line(450, 8)], FORM)
    assert [("+450", 1, "8"), ("+420", 2, "6"), ("−50", 1, "0")] == [(f.score, f.tables, f.points_ns) for f in table]
    assert ["0.500", "1.000", "0.500"] == [f.share for f in table]


def test_a_line_counts_for_all_tables_that_share_it() -> None:
    assert [3] == [one.tables for one in frequencies([line(110, multiplicity=3)], FORM)]


def test_scores_that_are_artificial_or_missing_are_no_scores_of_the_board() -> None:
    assert () == frequencies([line(None), line(140, award_ns="A+", award_ew="A-")], FORM)


def test_points_that_differ_between_fields_are_not_named() -> None:
    assert [""] == [one.points_ns for one in frequencies([line(110, 2), line(110, 4)], FORM)]
