"""One list of contestants from all files: random evenings, cut and respelt, have the ranking of the whole."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

import overtrick as ot
from overtrick.apps.evening.edit import Evening, open_evening
from overtrick.apps.evening.shelf import find_shelved
from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.files.correct.entry import read_entry
from tests.files.assemble.test_contestants import HEADER
from tests.files.assemble.test_deals import together
from tests.support import one_evening, witnesses
from tests.support.desk import visit
from tests.support.sweeps import ALL

CUTS = range(1000 if ALL else 6)
EDITS = range(500 if ALL else 4)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder for files, with a helper that reads databases."""
    (tmp_path / ".bin").mkdir()
    one_evening.install_helper(tmp_path / ".bin", monkeypatch)
    return tmp_path


def paths(folder: Path, rng: Random, *, of: tuple[str, ...] = witnesses.FORMATS) -> list[Path]:
    """Return two files of random formats; of one name if one is a database, whose event has no name."""
    suffixes = [rng.choice(of), rng.choice(of)]
    stems = "tt" if ".bws" in suffixes and suffixes[0] != suffixes[1] else "ab"
    return [folder / f"{stem}{suffix}" for stem, suffix in zip(stems, suffixes, strict=True)]


def cut(rows: list[witnesses.Row], rng: Random) -> tuple[list[witnesses.Row], list[witnesses.Row]]:
    """Return rows in two parts, by round, table or board."""
    by = rng.choice(["round", "table", "board"])
    values = sorted({row[by] for row in rows})
    first = rng.sample(values, rng.randint(1, len(values) - 1))
    return [row for row in rows if row[by] in first], [row for row in rows if row[by] not in first]


@pytest.mark.slow
@pytest.mark.parametrize("seed", CUTS)
def test_parts_have_the_ranking_of_the_whole(folder: Path, seed: int) -> None:
    rng = Random(seed)
    evening = witnesses.play(rng, sections=2 if seed % 5 == 4 else 1)
    # A database states no scoring, and one section.
    scored = evening.rows[0]["scoring"] == "MP" and evening.sections == 1
    known = [suffix for suffix in witnesses.FORMATS if suffix != ".bws" or scored]
    first, second = paths(folder, rng, of=tuple(known))
    left, right = cut(evening.rows, rng)
    whole = ot.evaluate(witnesses.put(folder / ".whole.csv", evening.rows))
    rest, names = rng.choice([(right, True), (right + left[: len(left) // 2], True), (evening.rows, seed % 2 == 0)])
    witnesses.put(first, left)
    witnesses.put(second, rest, names=names)
    for order in ([first, second], [second, first]):
        got = ot.evaluate(order)
        named = names and ".bws" not in {first.suffix, second.suffix}
        assert witnesses.rank(whole, names=named) == witnesses.rank(got, names=named)
        if ".bws" not in {first.suffix, second.suffix}:
            # With sit-outs, the rules of ranking may decide who wins; the whole evening draws that warning too.
            assert witnesses.told(whole) == witnesses.told(got)
            assert set(got.problems.filter(pl.col("severity") != "info")["code"]) <= {"sit-outs-winner"}
            assert {row[side] for row in left for side in witnesses.NAMED} <= set(got.standings["names"])


@pytest.mark.slow
@pytest.mark.parametrize("seed", CUTS)
def test_the_desk_ranks_the_parts_that_arrive_as_the_whole(folder: Path, seed: int) -> None:
    rng = Random(seed)
    evening = witnesses.play(rng, two_lines=False)
    known = [suffix for suffix in witnesses.FORMATS if suffix != ".bws" or evening.rows[0]["scoring"] == "MP"]
    files = [folder / "parts" / path.name for path in paths(folder, rng, of=tuple(known))]
    files[0].parent.mkdir()
    for path, rows in zip(files, cut(evening.rows, rng), strict=True):
        witnesses.put(path, rows)
    whole = ot.evaluate(witnesses.put(folder / ".whole.csv", evening.rows))
    scorer = visit(folder / "desk")
    scorer.drop(*((path.name, path.read_bytes()) for path in files))
    (name,) = {path.name for path in (folder / "desk").iterdir() if not path.name.startswith(".")}
    shelved = find_shelved(folder / "desk", name)
    assert shelved is not None
    got = scorer.desk.evening(shelved).session
    named = ".bws" not in {path.suffix for path in files}
    assert witnesses.rank(whole, names=named) == witnesses.rank(got, names=named)


@pytest.mark.slow
@pytest.mark.parametrize("seed", CUTS)
def test_names_that_differ_are_told_once_with_both(folder: Path, seed: int) -> None:
    rng = Random(seed)
    evening = witnesses.play(rng)
    files = paths(folder, rng, of=tuple(suffix for suffix in witnesses.FORMATS if suffix != ".bws"))
    old = rng.choice(evening.rows)[rng.choice(witnesses.NAMED)]
    new = witnesses.respell(rng, old)
    for path, rows in zip(files, (evening.rows, witnesses.rename(evening.rows, {old: new})), strict=True):
        witnesses.put(path, rows)
    whole = ot.evaluate(witnesses.put(folder / ".whole.csv", evening.rows))
    both = [ot.evaluate(order) for order in (files, files[::-1])]
    for got in both:
        assert witnesses.rank(whole, names=False) == witnesses.rank(got, names=False)
        serious = got.problems.filter(pl.col("severity") != "info", pl.col("code") != "sit-outs-winner")
        (said,) = serious["message"]
        assert all(f'"{text}" ({file.name}' in said for text, file in zip((old, new), files, strict=True))
    assert witnesses.rank(both[0]) == witnesses.rank(both[1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "cut_rows"),
    [
        (1, lambda row: row["round"] == "3"),
        (2, lambda row: row["table"] == "2"),
        (3, lambda row: int(row["board"]) % 2 == 0),
    ],
)
def test_two_lines_are_known_from_all_files_together(
    folder: Path, seed: int, cut_rows: Callable[[witnesses.Row], bool]
) -> None:
    """N-S 1 and E-W 3 are not N-S 3 and E-W 1, though one file shows no pair that meets its own number."""
    rows = witnesses.play(Random(seed), two_lines=True, most=3).rows
    rows = [{**row, "scoring": "MP"} for row in rows]
    whole = ot.evaluate(witnesses.put(folder / ".whole.csv", rows))
    part = witnesses.put(folder / "t.json", [row for row in rows if cut_rows(row)])
    for name in ("t.bws", "t.xml"):
        got = ot.evaluate([part, witnesses.put(folder / name, [row for row in rows if not cut_rows(row)])])
        assert witnesses.rank(whole, names=False) == witnesses.rank(got, names=False)
        assert [] == witnesses.told(got)


def test_a_substitute_sits_on_other_boards(tmp_path: Path) -> None:
    first, second = "Ada Quill - Bo Moss", "Zed Yang - Bo Moss"
    rows = [f"{board},1,2,50,{first if board < 3 else second}," for board in range(1, 4)]
    apart = together(tmp_path, a_csv=HEADER + "\n".join(rows[:2]) + "\n", b_csv=HEADER + rows[2] + "\n")
    assert ["contestant-substitute"] == apart.problems["code"].to_list()
    same = together(tmp_path, a_csv=HEADER + rows[1] + "\n", b_csv=HEADER + rows[1].replace(first, second) + "\n")
    (spelt,) = same.contestants["spellings"].drop_nulls()
    assert {first, second} == {name["names"] for name in spelt}


def test_a_name_without_the_partner_takes_nothing_away(tmp_path: Path) -> None:
    both = together(
        tmp_path, a_csv=HEADER + "1,1,2,50,Ada - Bo,\n", b_csv=HEADER + "2,1,2,50,Ada - ?,\n3,1,2,50,Ada,\n"
    )
    assert ["Ada - Bo"] == both.contestants["names"].drop_nulls().to_list()
    assert both.contestants["spellings"].is_null().all()


@pytest.mark.slow
@pytest.mark.parametrize("seed", EDITS)
def test_a_correction_acts_on_the_contestant_and_can_be_undone(tmp_path: Path, seed: int) -> None:
    """Swaps, rulings and penalties of evenings whose lines or sections share numbers: nobody's boards change."""
    rng = Random(seed)
    most = 20 if ALL else 5
    evening = witnesses.play(rng, two_lines=seed % 4 < 3, sections=2 if seed % 3 == 2 else 1, most=most)
    path = witnesses.put(tmp_path / "tuesday.csv", evening.rows)
    before = ot.evaluate(path)
    row, side = rng.choice(evening.rows), rng.choice(["ns", "ew"])
    number, line, names = f"{row['section']}{row[side]}", side.upper(), row[f"names_{side}"]
    who = rng.choice([f"{number} {line}", f"{number}{line}", f"{line}{number}", names, names.split(" - ")[0]])
    given: dict[str, Any] = rng.choice(
        [
            {"board": int(row["board"]), "swap": True},
            {"board": int(row["board"]), "award": ("60%", "40%")},
            {"penalty": (2.0, "points")},
        ]
    )
    opened: Evening = open_evening(path, Config())
    edited = opened.add(read_entry({"pair": who, "why": "as the players say", **given}))
    assert [] == edited.errors["message"].to_list()
    opened.write(edited.text)
    after = ot.evaluate(path)
    assert boards(before) == boards(after)
    if "penalty" in given:
        assert [names] == after.standings.filter(pl.col("correction").is_not_null())["names"].to_list()
    if "award" in given:
        assert [row[side]] == after.results.filter(pl.col("award_ns").is_not_null())[side].to_list()
    opened = open_evening(path, Config())
    opened.write(opened.take_back().text)
    assert witnesses.rank(before) == witnesses.rank(ot.evaluate(path))


def boards(session: Session) -> list[tuple[str, int]]:
    return sorted(session.standings.select("names", "boards").iter_rows())


def test_the_spelling_of_the_list_of_members_counts(tmp_path: Path) -> None:
    for name, names in (("a", "Ada Quilllow - Bo Moss"), ("b", "Ada Quill - Bo Moss")):
        (tmp_path / f"{name}.csv").write_text(HEADER + f"1,1,2,50,{names},\n")
    (tmp_path / "club.toml").write_text("")
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    assert ["Ada Quilllow - Bo Moss"] == ot.evaluate(files).contestants["names"].drop_nulls().to_list()
    (tmp_path / "members.csv").write_text("number,name\n1,Ada Quill\n2,Bo Moss\n")
    got = ot.evaluate(files, tmp_path / "club.toml")
    assert ["Ada Quill - Bo Moss"] == got.contestants["names"].drop_nulls().to_list()
    (said,) = (text for text in witnesses.told(got) if "different names" in text)
    assert said.endswith('overtrick uses "Ada Quill - Bo Moss"')


def test_a_table_typed_by_hand_is_not_missing_in_the_database(folder: Path) -> None:
    lines = one_evening.play()
    left = [line for line in lines if line.table != 2]
    database = one_evening.write_bws(folder / "tuesday.bws", lines)
    received = folder / ".tuesday-tables" / "ReceivedData.csv"
    rows = received.read_text().splitlines()
    received.write_text("\n".join(row for row in rows if row.split(",")[2] != "2") + "\n")
    typed = one_evening.write_csv(folder / "tuesday.csv", [line for line in lines if line.table == 2])
    assert len(lines) - len(left) == len(witnesses.told(ot.evaluate(database)))
    assert [] == witnesses.told(ot.evaluate([database, typed]))
