"""Every value of every setting of `[scoring]`, on an evening of pairs, of teams and of rubbers: scored as before.

Other tests say what is right; this one says that nothing else has changed. A setting that changes nothing says so.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, Literal, get_args, get_origin

import polars as pl
import pytest

from overtrick import pipeline
from overtrick.core.config import Config, Scoring
from overtrick.core.frames import Session
from tests.support.golden import assert_section_as_before, columns_of
from tests.support.wall_evenings import TEXTS

EVERY: Final = ".*"
OF_IMPS: Final = "datum|cross_|sit_outs|winners|field|adjustments|penalties|carry_overs|stated_view"
METHODS: Final = {
    "pairs": {"matchpoints": EVERY, "butler": OF_IMPS, "cross-imps": OF_IMPS},
    "teams": {"teams": EVERY, "bam": "vp_|tie_breaks|adjustments|penalties|pair_rounds"},
    "rubbers": {
        "rubber": "honours|penalties",
        "chicago": "honours|chicago_|passed_out",
        "alberta": "honours|passed_out",
    },
}
"""By evening the methods, and the settings that are tried with each, as a pattern of their names."""
TIE_RULES: Final = get_args(get_args(Scoring.model_fields["tie_breaks"].annotation)[0])[0]
LISTS: Final[list[dict[str, Any]]] = [
    *({"tie_breaks": [rule]} for rule in get_args(TIE_RULES)),
    {"tie_breaks": [{"rule": "opponents", "at_least": 3}, "lot"]},
    {"field": "all", "field_groups": ["A", "B"]},
    {"field": "all", "winners": 1},
    {"line_rounding": 0.5},
    {"line_rounding": 0.5, "line_ties": "up"},
    {"line_rounding": 1.0, "matchpoint_unit": "1-half"},
    {"vp_boards": 8, "vp_scale": "acbl-30"},
    {"bye_points": 12.5},
    {"house_scale": {"margins": [0, 3, 9, 20], "winner": [10, 13, 17, 20]}, "vp_scale": "house"},
    {"virtual": ["Dee", "3"]},
    {"fouled": [{"board": 1, "ns": ["1", "2"], "section": "A"}]},
    {"fouled": [{"board": 1, "ns": ["1"], "section": "A"}], "fouled_groups": "white-book"},
    {"fouled": [{"board": 1, "ns": ["1"], "section": "A"}], "fouled_groups": "acbl"},
    {"adjustments": [{"board": 1, "section": "A", "ns": "1", "assigned": 620}]},
    {"adjustments": [{"board": 1, "section": "A", "ns": "1", "split": {"ns": -50, "ew": 140}}]},
    {"adjustments": [{"board": 1, "ns": "Ash1", "award": ["A+", "A-"]}]},
    {
        "adjustments": [
            {
                "board": 1,
                "ns": "1",
                "section": "B",
                "weighted": [{"weight": 2, "score": 420}, {"weight": 1, "score": -50}],
            }
        ]
    },
    {"penalties": [{"contestant": "1", "amount": 10.0, "section": "A"}, {"contestant": "Ash", "amount": 2.0}]},
    {"handicaps": [{"contestant": "2", "amount": 3.5, "section": "B"}, {"contestant": "Box", "amount": 1.5}]},
    {"carry_overs": [{"contestant": "2", "points": 4.0, "section": "B"}, {"contestant": "Cox", "points": 1.5}]},
    {"carry_overs": [{"contestant": "2", "score": 60.0, "top": 12.0, "section": "A"}]},
]


def of_one_value() -> Iterator[dict[str, Any]]:
    """Yield each value of each setting that has a list of values, and the settings of `LISTS`."""
    for name, field in Scoring.model_fields.items():
        if name != "method":
            yield from ({name: value} for value in _values(field.annotation) if value not in (field.default, "house"))
    yield from LISTS


def _values(annotation: Any) -> Iterator[object]:
    if get_origin(annotation) is Literal:
        yield from get_args(annotation)
    elif get_origin(annotation) not in (list, dict):
        for part in get_args(annotation):
            yield from _values(part)


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Session]:
    """Return what is read of each evening."""
    folder = tmp_path_factory.mktemp("wall")
    for kind, text in TEXTS.items():
        (folder / f"{kind}.csv").write_text(text(), "utf-8")
    return {kind: pipeline.read([str(folder / f"{kind}.csv")], Config()) for kind in TEXTS}


@cache
def told_by_default(method: Any, session: Session) -> list[str]:
    return told(pipeline.evaluate(session, Config(scoring=Scoring(method=method)), until="rank"))


def told(session: Session) -> list[str]:
    """Return the points of results, the places and the problems in lines."""
    points = pl.col("^(score_ns|numerator_.*|denominator|top|datum|imps_.*|points_ns|points_ew|percentage_ns)$")
    frames = {
        "results": session.results.select(points),
        "standings": session.standings,
        "matches": session.matches,
        "problems": session.problems.select("code", "line").sort("line", "code"),
    }
    return list(columns_of(frames))


CASES: Final = [
    (kind, method, setting)
    for kind, methods in METHODS.items()
    for method, concerned in methods.items()
    for setting in ({}, *of_one_value())
    if not setting or re.match(concerned, next(iter(setting)))
]


@pytest.mark.parametrize(("kind", "method", "setting"), CASES, ids=str)
def test_a_setting_scores_as_before(
    kind: str, method: str, setting: dict[str, Any], sessions: dict[str, Session]
) -> None:
    scoring = Scoring.model_validate({"method": method, **setting})
    changed = told(pipeline.evaluate(sessions[kind], Config(scoring=scoring), until="rank"))
    plain = told_by_default(method, sessions[kind]) if setting else []
    assert_section_as_before(f"scored/{method}.txt", f"{setting}", [line for line in changed if line not in plain])
