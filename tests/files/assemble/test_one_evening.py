"""One evening in several files, of whatever formats: the ranking of the single file."""

from itertools import combinations, permutations, product
from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.core.frames import Session
from tests.support import one_evening as one
from tests.support.commands import run
from tests.support.evaluating import evaluate
from tests.support.sweeps import sample

PARTS = ("board", "round", "table", "direction")
FORMATS = tuple(one.FORMATS)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder for files, with a helper that reads databases."""
    (tmp_path / ".bin").mkdir()
    one.install_helper(tmp_path / ".bin", monkeypatch)
    return tmp_path


def score(*paths: Path) -> Session:
    return evaluate([str(path) for path in paths], Config())


def without_names(ranking: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return [(*row[:3], *row[4:]) for row in ranking]


def expect_same(folder: Path, suffixes: tuple[str, ...]) -> None:
    lines = one.play()
    alone = one.ranking(score(one.write_csv(folder / "alone.csv", lines)))
    read = score(*(one.FORMATS[suffix](folder / f"tuesday{suffix}", lines) for suffix in suffixes))
    got = one.ranking(read)
    assert alone == got
    assert [] == read.problems.filter(read.problems["severity"] != "info")["message"].to_list()


@pytest.mark.parametrize("suffixes", sample([*permutations(one.FORMATS, 2)], 3), ids="".join)
@pytest.mark.slow
def test_an_evening_in_two_formats_has_the_ranking_of_one(folder: Path, suffixes: tuple[str, ...]) -> None:
    expect_same(folder, suffixes)


@pytest.mark.slow
@pytest.mark.parametrize("suffixes", sample([*permutations(one.FORMATS, 3)], 9), ids="".join)
@pytest.mark.sweep(2)
def test_an_evening_in_three_formats_has_the_ranking_of_one(folder: Path, suffixes: tuple[str, ...]) -> None:
    expect_same(folder, suffixes)


@pytest.mark.parametrize(("suffix", "by"), sample([*product(FORMATS, PARTS)], 3))
@pytest.mark.slow
@pytest.mark.sweep(2)
def test_an_evening_in_two_parts_has_the_ranking_of_the_whole(folder: Path, suffix: str, by: str) -> None:
    lines = one.play()
    whole = one.ranking(score(one.FORMATS[suffix](folder / f"whole{suffix}", lines)))
    parts = [one.FORMATS[suffix](folder / f"part{n}{suffix}", part) for n, part in enumerate(one.split(lines, by))]
    for order in permutations(parts):
        read = score(*order)
        assert whole == one.ranking(read)
        assert [] == read.problems.filter(read.problems["severity"] != "info")["message"].to_list()


@pytest.mark.slow
@pytest.mark.parametrize(("suffixes", "by"), sample([*product(permutations(FORMATS, 2), PARTS)], 7), ids="".join)
@pytest.mark.sweep(2)
def test_parts_may_be_of_different_formats_and_overlap(folder: Path, suffixes: tuple[str, str], by: str) -> None:
    lines = one.play()
    whole = without_names(one.ranking(score(one.write_csv(folder / "whole.csv", lines))))
    first, second = one.split(lines, by)
    paths = [
        one.FORMATS[suffix](folder / f"part{suffix}", part)
        for suffix, part in zip(suffixes, (first, [*second, *first[:3]]), strict=True)
    ]
    assert whole == without_names(one.ranking(score(*paths)))


@pytest.mark.slow
@pytest.mark.parametrize("suffixes", sample([*permutations(FORMATS, 2)], 4), ids="".join)
def test_one_changed_result_is_one_error(folder: Path, suffixes: tuple[str, str]) -> None:
    lines = one.play()
    tricks = 12 if lines[4].tricks == 13 else 13
    changed = [*lines[:4], lines[4]._replace(tricks=tricks), *lines[5:]]
    paths = [
        one.FORMATS[suffix](folder / f"tuesday{suffix}", part)
        for suffix, part in zip(suffixes, (lines, changed), strict=True)
    ]
    problems = score(*paths).problems
    errors = problems.filter(problems["severity"] == "error")
    assert ["result-differs"] == errors["code"].to_list()
    assert f"{lines[4].tricks} tricks" in errors["message"][0]
    assert f"{tricks} tricks" in errors["message"][0]


def test_a_file_that_is_named_twice_or_beside_its_folder_is_read_once(folder: Path) -> None:
    path = one.write_csv(folder / "tuesday.csv", one.play())
    for paths in ([path, path], [folder, path], [path, folder / ".." / folder.name / "tuesday.csv"]):
        read = score(*paths)
        assert 1 == read.sources.height
        assert [] == read.problems["code"].to_list()


@pytest.mark.slow
def test_the_output_says_what_was_joined(folder: Path) -> None:
    lines = one.play()
    paths = [one.FORMATS[suffix](folder / f"monday{suffix}", lines) for suffix in (".bws", ".pbn", ".xml")]
    said = "30 results from monday.bws; hands from monday.pbn; monday.pbn holds the same 30 results;"
    assert f"{said} monday.xml holds the same 30 results" in run("score", *paths).err
    assert said in run("bulletin", *paths, "--out", folder / "site", "--no-pdf", "--no-dd").err


def test_parts_are_counted(folder: Path) -> None:
    lines = one.play()
    first, second = one.split(lines, "board")
    paths = [one.write_csv(folder / "a.csv", first), one.write_csv(folder / "b.csv", [*second, *first[:2]])]
    counted = f"{len(first)} results from a.csv; {len(second)} more from b.csv; b.csv holds 2 of the same results"
    assert (counted,) == score(*paths).facts.joined


@pytest.mark.slow
@pytest.mark.parametrize("suffixes", [*combinations((".csv", ".pbn", ".xml"), 2)], ids="".join)
def test_several_evenings_are_scored_each_by_itself(folder: Path, suffixes: tuple[str, str]) -> None:
    lines = one.play()
    monday = [one.FORMATS[suffix](folder / f"monday{suffix}", lines) for suffix in suffixes]
    tuesday = one.write_csv(folder / "tuesday.csv", one.play(seed=8), date="2026.10.20")
    printed = run("score", *monday, tuesday, "--format", "csv").out.splitlines()
    assert ["monday"] * 6 + ["tuesday"] * 6 == [row.split(",")[0] for row in printed[1:]]
    alone = run("score", tuesday, "--format", "csv").out.splitlines()
    assert [f"tuesday,{row}" for row in alone[1:]] == printed[7:]


@pytest.mark.slow
def test_several_evenings_are_added_up_on_request(folder: Path) -> None:
    lines = one.play()
    paths = [
        one.write_csv(folder / "monday.csv", lines),
        one.FORMATS[".xml"](folder / "monday.xml", lines),
        one.write_csv(folder / "tuesday.csv", lines, date="2026.10.20"),
    ]
    alone, added = score(paths[0]), run("score", *paths, "--total", "--format", "csv").out.splitlines()
    twice = [f"{2 * total:g}" for total in alone.standings["total"]]
    assert twice == [f"{float(row.split(',')[7]):g}" for row in added[1:]]


@pytest.mark.slow
def test_a_match_keeps_its_carry_over_beside_a_file_that_cannot_state_one(tmp_path: Path) -> None:
    match, other = tmp_path / "match.lin", tmp_path / "match.csv"
    hands = "md|3SAKQJT98765432,HAKQJT98765432,DAKQJT98765432|sv|o|pg||"
    match.write_text(f"vg|Cup,1,I,1,1,Reds,10,Blues,0|\nrs|4SS=,3NN=|\nqx|o1|{hands}\nqx|c1|{hands}\n", "utf-8")
    assert "carry-overs" in run("convert", match, other).err
    alone = one.ranking(score(match))
    assert [11.0, -11.0] == sorted((row[4] for row in alone), key=lambda total: -float(str(total)))
    assert [alone, alone] == [one.ranking(score(*paths)) for paths in ((match, other), (other, match))]
