"""What targets share."""

from pathlib import Path

import pytest

from overtrick.publish.targets.base import folders_above, joined, part_name, parted, take_place


def test_the_file_that_is_written_first_lies_beside_its_place_and_is_known_by_its_name() -> None:
    part = part_name("board-7/index.html")
    assert part.startswith("board-7/index.html.")
    assert "board-7/index.html" == parted(part)
    assert part != part_name("board-7/index.html")


@pytest.mark.parametrize("name", ["index.html", "index.html.part", "index.html.0123abcg.part", ".0123abcd.part"])
def test_other_names_are_of_others(name: str) -> None:
    assert None is parted(name)


def test_folders_of_a_file_are_listed_from_its_own_up() -> None:
    assert ["a/b", "a"] == folders_above("a/b/index.html")
    assert [] == folders_above("index.html")


def test_empty_parts_of_a_path_are_left_out() -> None:
    assert "a/index.html" == joined("", "a", "", "index.html")


def rename_into_nothing(old: str, new: str) -> None:
    if Path(new).exists():
        raise FileExistsError(new)
    Path(old).rename(new)


def test_where_nothing_is_renamed_onto_a_file_the_old_one_steps_aside(tmp_path: Path) -> None:
    part, place = tmp_path / "index.html.part", tmp_path / "index.html"
    part.write_text("new", "utf-8")
    place.write_text("old", "utf-8")
    take_place(str(part), str(place), rename_into_nothing, lambda name: Path(name).unlink())
    assert "new" == place.read_text("utf-8")
    assert [place] == list(tmp_path.iterdir())


def test_and_comes_back_when_the_new_one_can_t_take_its_place(tmp_path: Path) -> None:
    place = tmp_path / "index.html"
    place.write_text("old", "utf-8")
    with pytest.raises(FileNotFoundError):
        take_place(str(tmp_path / "none"), str(place), rename_into_nothing, lambda name: Path(name).unlink())
    assert "old" == place.read_text("utf-8")
    assert [place] == list(tmp_path.iterdir())
