"""What starts an evening on terminals: movement, names, deals."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from overtrick.apps.evening.terminals.initial import (
    Evening,
    InitialError,
    Player,
    list_sections,
    make_event,
    read_pairs,
)
from overtrick.core.config import Config

MITCHELL = {"kind": "mitchell", "tables": 3, "boards": 2}


def config(*movements: dict[str, Any]) -> Config:
    return Config.model_validate({"movement": list(movements)})


def event(*movements: dict[str, Any], method: str = "matchpoints", **more: Any) -> dict[str, Any]:
    sections, found = list_sections(config(*movements))
    when = datetime(2026, 3, 10, 19, 30, tzinfo=UTC)
    return make_event(Evening("Tuesday", when, method, sections, found, **more))[0]


def sections(made: dict[str, Any]) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = made["Sessions"][0]["ScoringGroups"][0]["Sections"]
    return listed


def test_each_table_has_its_pairs_and_boards_round_by_round() -> None:
    (section,) = sections(event(MITCHELL))
    first = section["Tables"][0]["Rounds"]
    met = [(one["RoundNumber"], one["PairNS"], one["PairEW"], one["LowBoardNumber"]) for one in first]
    assert ([(1, 1, 4, 1), (2, 1, 6, 3), (3, 1, 5, 5)], 2) == (met, section["Winners"])


def test_where_pairs_change_direction_there_is_one_ranking() -> None:
    assert [1, 1] == [
        sections(event(one))[0]["Winners"]
        for one in ({"kind": "howell", "tables": 4, "boards": 2}, {**MITCHELL, "switched": [3]})
    ]


def test_opponents_of_a_missing_pair_have_no_boards() -> None:
    (section,) = sections(event({**MITCHELL, "missing": 6}))
    idle = [one for table in section["Tables"] for one in table["Rounds"] if not one["PairEW"]]
    assert {(0, 0)} == {(one["LowBoardNumber"], one["HighBoardNumber"]) for one in idle}
    assert [3, 1, 2] == [one["PairNS"] for one in sorted(idle, key=lambda one: one["RoundNumber"])]


@pytest.mark.parametrize(
    ("movement", "said"),
    [
        ({"kind": "individual", "tables": 2, "boards": 3}, "not individuals"),
        ({"kind": "howell", "boards": 2, "start": [[4, 1, 1], [3, 2, 2]]}, "leaves later rounds open"),
    ],
)
def test_what_cannot_be_started_says_why(movement: dict[str, Any], said: str) -> None:
    with pytest.raises(InitialError, match=said):
        event(movement)
    with pytest.raises(InitialError, match="no movement"):
        list_sections(Config())


def test_names_and_numbers_sit_where_the_movement_begins() -> None:
    pairs = {
        ("", "1", ""): [Player("Ada Quill", "17"), Player("Ben Moss")],
        ("", "4", "EW"): [Player("Cher"), Player()],
    }
    made = event(MITCHELL, pairs=pairs)
    seats = [(one["Direction"], one.get("PlayerNumber"), one.get("LastName")) for one in made["Participations"]]
    assert [(1, "17", None), (3, None, "Moss"), (2, None, "Cher")] == seats
    assert [("17", "Ada", "Quill")] == [
        (one["PlayerNumber"], one["FirstName"], one["LastName"]) for one in made["PlayerData"]
    ]


def test_a_list_of_pairs_may_be_a_ranking_of_ours_or_typed_with_semicolons(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("\ufeffPair;Names;Numbers\r\n1;Ada Quill - Ben Moss;17 - 4\r\n;;\r\n2;Cy Lee;\r\n", "utf-8")
    ada = [Player("Ada Quill", "17"), Player("Ben Moss", "4")]
    assert {("", "1", ""): ada, ("", "2", ""): [Player("Cy Lee"), Player()]} == read_pairs(path, Config())
    path.write_text("rank,contestant,direction,names\n1,1,N-S,Ada Quill - Ben Moss\n", "utf-8")
    assert [("", "1", "NS")] == list(read_pairs(path, Config()))
    path.write_text("pair,names\nx,y\n", "utf-8")
    with pytest.raises(InitialError, match=r"pairs.csv:2: expected the number of a pair"):
        read_pairs(path, Config())


def test_hands_are_given_suit_by_suit() -> None:
    deal = "N:AKQJ.T98.765.432 T987.AKQ.432.J65 6543.J76.AKQ.T98 2.5432.JT98.AKQ7"
    (made,) = event(MITCHELL, deals={1: deal})["Handrecords"]
    assert ("AKQJ", "432", "2", "AKQ7") == tuple(
        made[name] for name in ("NorthSpades", "NorthClubs", "WestSpades", "WestClubs")
    )
    with pytest.raises(InitialError, match="board 1: terminals need all four hands"):
        event(MITCHELL, deals={1: "N:AKQJ.T98.765.432 - - -"})
