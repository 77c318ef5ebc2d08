"""Problems of LIN stand at the command that they are about."""

from pathlib import Path

import pytest

from overtrick.files.assemble import assemble, read
from overtrick.files.formats.read import read_files
from tests.support.deals import random_boards
from tests.support.lin_boards import lin
from tests.support.lin_texts import HANDS
from tests.support.reading import places, validated

HEAD = f"pn|Ada,Ben,Cid,Dot|st||md|3{','.join(HANDS[:3])},|\nrh||ah|Board 5|\nsv|n|\n"
OVER = "mb|p|mb|p|mb|p|pg||"


def problems(text: str, folder: Path) -> list[tuple[str, int, int]]:
    path = folder / "a.lin"
    path.write_text(text, "utf-8")
    return places(validated(read([str(path)])).problems)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"{HEAD}\nmb|1N|mb|r|mb|p|{OVER}", ("auction-illegal", 5, 7)),
        (f"{HEAD}\nmb|1N|\n mb|ppr!|{OVER}", ("auction-illegal", 6, 7)),
        (f"{HEAD}\nmb|1N|\n mb|r!|{OVER}", ("auction-illegal", 6, 2)),
        (f"{HEAD}mb|1N|{OVER}pc|C2C5\nH2C6|pg||mc|7|", ("play-revoke", 5, 1)),
        (f"{HEAD}mb|1N|{OVER}pc|C2C5H2C6|pg||mc|7|", ("play-revoke", 4, 33)),
        (f"{HEAD}mb|1N|{OVER}pc|C5|pc|C4|pc|CQ|pc|C2|pg||mc|7|", ("play-wrong-turn", 4, 26)),
        (f"{HEAD}mb|1N|{OVER}\n{HEAD.partition('st')[2]}mb|1N|mb|d|\nmb|d|{OVER}", ("auction-illegal", 9, 1)),
        (f"{HEAD}mb|1N|{OVER}pc|C2|pc|C5|\npc|H2|pc|C6|pg||mc|7|", ("play-revoke", 5, 1)),
        (f"{HEAD}mb|1N|{OVER}pc|C2|pc|C5|pc|C4|\npc|CQ|pg||pc|D5|pc|C2|mc|7|", ("play-card-not-held", 5, 17)),
        (f"{HEAD.replace('sv|n', 'sv|e')}mb|1N|{OVER}", ("board-vulnerability", 3, 1)),
        (f"pn|A,B,C,D|\nmd|4{','.join(HANDS[:3])},|ah|Board 5|sv|n|mb|1N|{OVER}", ("board-dealer", 2, 1)),
        (f"pn|A,B,C,D|\n md|3SA,SKHA,SQ,SJ|ah|Board 5|sv|n|mb|1N|{OVER}", ("deal-partial", 2, 2)),
    ],
)
def test_a_problem_points_at_its_command(text: str, problem: tuple[str, int, int], tmp_path: Path) -> None:
    assert problem in problems(text, tmp_path)


def test_a_part_of_a_large_file_is_placed_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.lin"
    path.write_text(f"{HEAD}mb|1N|\nmb|r|{OVER}\n{lin(random_boards(20))}", "utf-8")
    monkeypatch.setattr("overtrick.files.formats.text.BLOCK", 2048)
    first, *others = (assemble([part]) for part in read_files([str(path)]))
    assert len(others) > 1
    assert first.sources["size"].is_null().all()
    assert ("auction-illegal", 5, 1) in places(validated(first).problems)


def test_tags_of_pbn_that_are_named_like_commands_are_none(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_text('[md ""]\n[Deal "N:AK... - - AQ..."]\n[Auction "N"]\nX AP\n[mb "X"]\n', "utf-8")
    expected = [("deal-duplicate-card", 2), ("auction-illegal", 4)]
    found = [(code, line) for code, line, _ in places(validated(read([str(path)])).problems)]
    assert expected == [one for one in found if one[0] in dict(expected)]
