"""Who took part in an evening, whatever its files call them."""

from pathlib import Path

import polars as pl
import pytest

from overtrick.judge.validate.session import check_names
from tests.files.assemble.test_deals import together
from tests.support.reading import codes

HEADER = "board,ns,ew,score_ns,names_ns,names_ew\n"


def test_a_pair_that_sat_both_ways_in_two_files_is_one_contestant(tmp_path: Path) -> None:
    both = together(
        tmp_path, a_csv=HEADER + "1,1,2,50,Ada - Bo,Cy - Di\n", b_csv=HEADER + "2,2,1,90,Cy - Di,Ada - Bo\n"
    )
    listed = both.contestants.select("contestant", pl.col("direction").cast(pl.String), "names")
    assert [("1", None, "Ada - Bo"), ("2", None, "Cy - Di")] == listed.sort("contestant").rows()


def test_the_usual_spelling_of_a_name_is_used_and_both_are_named(tmp_path: Path) -> None:
    rows = ["1,1,2,50,Ada Quill - Bo Moss,", "2,1,2,50,Ada Quill - Bo Moss,", "3,1,2,50,Ada Quil - Bo Moss,"]
    both = together(tmp_path, a_csv=HEADER + "\n".join(rows) + "\n")
    assert ["Ada Quill - Bo Moss"] == both.contestants["names"].drop_nulls().to_list()
    assert ["contestant-names"] == codes(check_names(both))


@pytest.mark.parametrize("name", ["Zed Yang", "B. Yang", "B. Most"])
def test_a_substitute_is_not_another_pair(tmp_path: Path, name: str) -> None:
    rows = ["1,1,2,50,Ada Quill - Bo Moss,", "2,1,2,50,Ada Quill - Bo Moss,", f"3,1,2,50,Ada Quill - {name},"]
    both = together(tmp_path, a_csv=HEADER + "\n".join(rows) + "\n")
    assert ["contestant-substitute"] == both.problems["code"].to_list()
    assert [f"{name} - Bo Moss"] == both.contestants["substitutes"].drop_nulls().to_list()


def test_names_without_a_number_take_the_number_that_another_file_has_for_them(tmp_path: Path) -> None:
    both = together(
        tmp_path,
        a_csv=HEADER + "1,7,8,50,Ada - Bo,Cy - Di\n",
        b_csv=HEADER + "2,Ada - Bo,Cy - Di,90,Ada - Bo,Cy - Di\n",
    )
    assert ["7", "7"] == both.results["ns"].to_list()


TABLE = HEADER + "1,1,2,50,Ada - Bo,Cy - Di\n1,3,4,90,Eve - Flo,Gus - Hal\n"
HAND = "|md|1SAKQJHAKQDAKQCAKQ,ST987HT987DT98CT9,S65432H65432D765,|sv|o|mb|7N|mb|p|mb|p|mb|p|mc|13|"


@pytest.mark.parametrize("players", ["Ada,Bo,Zed,Yan", "Ada,Cy,Eve,Gus"])
def test_a_game_that_parts_the_pairs_of_the_list_is_not_a_result(tmp_path: Path, players: str) -> None:
    """South and West are partners in the list; or nobody plays with the partner that the list names."""
    both = together(tmp_path, a_csv=TABLE, b_lin=f"qx|o1|pn|{players}{HAND}")
    assert [("1", "2"), ("3", "4")] == both.results.select("ns", "ew").rows()
    assert ["result-example"] == both.problems["code"].to_list()


@pytest.mark.parametrize("players", ["Ada,Cy,Bo,Zed", "Ada,Cy,Zed,Yan", "Uma,Vic,Wes,Xi"])
def test_a_game_with_a_pair_of_the_list_or_substitutes_is_a_result(tmp_path: Path, players: str) -> None:
    both = together(tmp_path, a_csv=TABLE, b_lin=f"qx|o1|pn|{players}{HAND}")
    assert 3 == both.results.height
