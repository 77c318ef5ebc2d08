"""Which corrections files belong to the files that are read."""

from pathlib import Path

import pytest

from overtrick.files.assemble.beside import corrections_path, evening_paths, find_among, find_corrections, list_inputs

ENTRY = '[[corrections]]\ntitle = "A"\nwhy = "x"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("tuesday.pbn", "tuesday.lin", "monday.pbn", "below/late.pbn", "table.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("", "utf-8")
    return tmp_path


def put(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).write_text(ENTRY, "utf-8")


def about(folder: Path, *paths: str) -> dict[str, set[str] | None]:
    """Return the names of the corrections files that are found, with those of the files that each is about."""
    return {
        str(Path(one.corrections.source).relative_to(folder)): None
        if one.sources is None
        else {str(Path(source).relative_to(folder)) for source in one.sources}
        for one in find_corrections([str(folder / path) for path in paths])
    }


def test_a_file_has_the_corrections_of_its_name_beside_it(folder: Path) -> None:
    put(folder, "tuesday.corrections.toml", "monday.corrections.toml")
    assert {"tuesday.corrections.toml": {"tuesday.lin"}} == about(folder, "tuesday.lin")
    assert {"tuesday.corrections.toml": {"tuesday.lin", "tuesday.pbn"}} == about(folder, "tuesday.lin", "tuesday.pbn")
    assert {} == about(folder, "below/late.pbn")


def test_in_a_folder_a_file_of_another_name_is_about_all_of_it(folder: Path) -> None:
    put(
        folder,
        "tuesday.corrections.toml",
        "evening.corrections.toml",
        "below/notes.corrections.toml",
        ".x.corrections.toml",
    )
    assert {
        "tuesday.corrections.toml": {"tuesday.lin", "tuesday.pbn"},
        "evening.corrections.toml": None,
        "below/notes.corrections.toml": {"below/late.pbn"},
    } == about(folder, ".")


def test_a_file_that_is_named_is_about_the_whole_session(folder: Path) -> None:
    put(folder, "tuesday.corrections.toml")
    assert {"tuesday.corrections.toml": None} == about(folder, "monday.pbn", "tuesday.corrections.toml")
    assert {"tuesday.corrections.toml": {"tuesday.lin"}} == about(folder, "tuesday.lin", "tuesday.corrections.toml")


def test_corrections_are_not_read_as_results(folder: Path) -> None:
    put(folder, "tuesday.corrections.toml")
    given = [str(folder / name) for name in ("monday.pbn", "tuesday.corrections.toml")]
    assert given[:1] == list_inputs(given)


def test_a_corrections_file_alone_stands_for_the_files_of_its_name(folder: Path) -> None:
    put(folder, "tuesday.corrections.toml")
    assert ["tuesday.lin", "tuesday.pbn"] == [
        Path(path).name for path in list_inputs([str(folder / "tuesday.corrections.toml")])
    ]


def test_the_corrections_of_a_folder_are_in_it(folder: Path) -> None:
    assert folder / f"{folder.name}.corrections.toml" == corrections_path(folder)
    put(folder, "notes.corrections.toml")
    assert folder / "notes.corrections.toml" == corrections_path(folder)


def test_an_evening_in_a_folder_is_the_files_beside_one_another(folder: Path) -> None:
    assert ["monday.pbn", "tuesday.lin", "tuesday.pbn"] == [Path(path).name for path in evening_paths(folder)]
    assert [str(folder / "tuesday.lin")] == evening_paths(folder / "tuesday.lin")


def test_tables_are_an_evening_where_there_is_nothing_else(folder: Path) -> None:
    for name in ("tuesday.pbn", "tuesday.lin", "monday.pbn", "below/late.pbn"):
        (folder / name).unlink()
    put(folder, "table.corrections.toml")
    assert [str(folder / "table.csv")] == evening_paths(folder)
    assert {"table.corrections.toml": {"table.csv"}} == about(folder, ".")


def test_files_of_one_session_may_be_in_several_folders(folder: Path) -> None:
    put(folder, "below/tuesday.corrections.toml")
    files = [folder / name for name in ("tuesday.lin", "monday.pbn", "below/tuesday.corrections.toml")]
    read, (found,) = find_among(files)
    assert [str(path) for path in files[:2]] == read
    assert frozenset([str(files[0])]) == found.sources


def test_standard_input_has_no_corrections() -> None:
    assert [] == find_corrections(["-"])
