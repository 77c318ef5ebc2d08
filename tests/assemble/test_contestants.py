"""Who took part in an evening, whatever its files call them."""

from pathlib import Path

import polars as pl

from tests.assemble.test_deals import together

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
    assert ["contestant-spellings"] == both.problems["code"].to_list()


def test_a_substitute_is_not_another_pair(tmp_path: Path) -> None:
    rows = ["1,1,2,50,Ada Quill - Bo Moss,", "2,1,2,50,Ada Quill - Bo Moss,", "3,1,2,50,Ada Quill - Zed Yang,"]
    both = together(tmp_path, a_csv=HEADER + "\n".join(rows) + "\n")
    assert ["contestant-substitute"] == both.problems["code"].to_list()
    assert ["Zed Yang - Bo Moss"] == both.contestants["substitutes"].drop_nulls().to_list()


def test_names_without_a_number_take_the_number_that_another_file_has_for_them(tmp_path: Path) -> None:
    both = together(
        tmp_path,
        a_csv=HEADER + "1,7,8,50,Ada - Bo,Cy - Di\n",
        b_csv=HEADER + "2,Ada - Bo,Cy - Di,90,Ada - Bo,Cy - Di\n",
    )
    assert ["7", "7"] == both.results["ns"].to_list()
