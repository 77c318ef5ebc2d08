"""Files of one evening in a season and in an inbox: the ranking of the single file."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from overtrick.apps.inbox.season import make_season
from overtrick.core.config import Config
from overtrick.files.assemble.gather import gather
from overtrick.files.assemble.together import group_files, list_held
from overtrick.files.formats.read import read_files
from tests.support import one_evening as one
from tests.support.commands import run
from tests.support.sweeps import sample


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder for files, beside a helper that reads databases."""
    (tmp_path / ".bin").mkdir()
    one.install_helper(tmp_path / ".bin", monkeypatch)
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


def totals(session: Path) -> list[tuple[str, float]]:
    standings = json.loads((session / "session.json").read_text("utf-8"))["standings"]
    return sorted((row["contestant"], row["total"]) for row in standings)


def season(folder: Path) -> dict[str, str]:
    return dict(make_season([str(folder)], folder.parent / "season", Config(), pdf=False))


def watch(folder: Path) -> None:
    (folder.parent / "club.toml").write_text("[inbox]\nsettle = 0\n")
    assert (
        0
        == run(
            "watch", folder, "--out", folder.parent / "out", "--once", "--config", folder.parent / "club.toml"
        ).status
    )


WHOLE = {"bws and pbn": (".bws", ".pbn"), "csv and xml": (".csv", ".xml"), "csv, lin and xml": (".csv", ".lin", ".xml")}


def fill(folder: Path, what: str) -> tuple[str, list[tuple[str, float]]]:
    """Put an evening into a folder, and return its name and totals."""
    lines = one.play()
    alone = one.write_csv(folder.parent / "alone.csv", lines)
    dict(make_season([str(alone)], folder.parent / "alone", Config(), pdf=False))
    expected = totals(folder.parent / "alone" / "alone")
    if what in WHOLE:
        for suffix in WHOLE[what]:
            one.FORMATS[suffix](folder / f"tuesday{suffix}", lines)
        return "tuesday", expected
    for number, part in enumerate(one.split(lines, what), start=1):
        one.write_csv(folder / f"part {number}.csv", part)
    return "part-1", expected


@pytest.mark.parametrize("what", sample([*WHOLE, "board", "round", "table", "direction"], 3))
@pytest.mark.slow
def test_a_season_and_an_inbox_put_an_evening_together(what: str, folder: Path) -> None:
    name, expected = fill(folder, what)
    for hidden in folder.glob(".*"):
        if hidden.is_file():
            hidden.unlink()
    assert {name: "made"} == season(folder)
    assert expected == totals(folder.parent / "season" / name)
    assert {name: "unchanged"} == season(folder)
    watch(folder)
    assert expected == totals(folder.parent / "out" / name)


@pytest.mark.slow
def test_evenings_that_are_much_alike_stay_apart(folder: Path) -> None:
    one.write_csv(folder / "monday.csv", one.play())
    one.write_csv(folder / "tuesday.csv", one.play(), date="2026.10.14")
    one.write_csv(folder / "wednesday.csv", one.play(seed=9))
    assert {"monday": "made", "tuesday": "made", "wednesday": "made"} == season(folder)


def test_copies_and_parts_without_names_in_one_folder_are_one_evening(folder: Path) -> None:
    """Here a copy has another name, and a database of terminals came in two parts."""
    lines = one.play()
    parts = [
        one.write_csv(folder / f"part {n}.csv", part, names=False) for n, part in enumerate(one.split(lines, "board"))
    ]
    one.write_csv(folder / "copy.csv", lines, names=False)
    other = one.write_csv(folder / "another.csv", one.play(seed=9), names=False)
    held = [list_held(gather(*read_files([str(path)])))[0] for path in sorted(folder.iterdir())]
    groups = group_files(held, given=False)
    assert [[other.name], ["copy.csv", *(part.name for part in parts)]] == [
        [Path(file.source).name for file in group] for group in groups
    ]


def groups(folder: Path) -> list[list[str]]:
    held = [list_held(gather(*read_files([str(path)])))[0] for path in sorted(folder.glob("[!.]*"))]
    return [[Path(file.source).name for file in group] for group in group_files(held, given=False)]


def test_undated_files_are_copies_if_one_has_all_results_of_the_other(folder: Path) -> None:
    lines = one.play()
    one.write_csv(folder / "a.csv", lines, date="")
    one.write_csv(folder / "b.csv", lines[:20], date="")
    one.write_csv(folder / "c.csv", [*lines[:19], lines[19]._replace(contract="7NT")], date="")
    assert [["a.csv", "b.csv"], ["c.csv"]] == groups(folder)


def test_a_game_shown_beside_the_traveller_does_not_make_strangers_of_a_copy(folder: Path) -> None:
    """The game seats partners against each other, as some programs do."""
    lines = one.play()
    one.write_csv(folder / "table.csv", lines)
    path = one.FORMATS[".pbn"](folder / "games.pbn", lines)
    text = path.read_text("latin-1")
    shown = {"West": "Ada Quill", "North": "Ben Moss", "East": "Cy Dunn", "South": "Di Eads", "Declarer": "N"}
    for tag, value in {**shown, "Contract": "1C", "Result": "7"}.items():
        text = text.replace(f'[{tag} "?"]', f'[{tag} "{value}"]', 1)
    path.write_text(text, "latin-1")
    assert [["games.pbn", "table.csv"]] == groups(folder)


@pytest.mark.slow
def test_files_of_one_name_and_two_dates_are_two_evenings(folder: Path) -> None:
    one.write_csv(folder / "pairs.csv", one.play())
    one.write_csv(folder / "pairs-results.csv", one.play(), date="2026.10.20")
    shown: list[tuple[str, int, int]] = []

    def show(words: str) -> Callable[[int, int], None]:
        return lambda done, total: shown.append((words, done, total))

    out = folder.parent / "season"
    assert 2 == len(dict(make_season([str(folder)], out, Config(), pdf=False, progress=show)))
    looking = [("Looking into files", done, 2) for done in (0, 2)]
    making = [("Making evenings", done, 2) for done in (0, 1, 2)]
    assert [*looking, *making, ("Making the index and the pages of players", 0, 0)] == shown


@pytest.mark.slow
def test_a_season_tells_what_it_put_together(folder: Path) -> None:
    lines = one.play()
    for suffix in (".csv", ".xml"):
        one.FORMATS[suffix](folder / f"tuesday{suffix}", lines)
    messages: list[str] = []
    dict(make_season([str(folder)], folder.parent / "season", Config(), pdf=False, tell=messages.append))
    many = f"{len(lines)} results"
    assert [f"tuesday: {many} from tuesday.csv; hands from tuesday.xml; tuesday.xml holds the same {many}"] == messages
