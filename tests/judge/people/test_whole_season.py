"""A season of many evenings and 40 people: pages agree with an independent computation, and little is made again."""

import hashlib
import shutil
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest

from overtrick.apps.inbox.season import make_season
from overtrick.core.config import load_config
from tests.support.club_seasons import BOARDS, HIDDEN, PEOPLE, SPELT, TABLES, Evening, handicap, play_season, write_club
from tests.support.pages import parse, text_of
from tests.support.sweeps import ALL

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("whole season")]

SEASON = play_season(60 if ALL else 24)


def make(club: Path, out: Path) -> dict[str, str]:
    config = load_config(club / "club.toml")
    return dict(make_season([str(club)], out, config, pdf=False))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    base = tmp_path_factory.mktemp("season")
    write_club(base / "club", SEASON)
    outcomes = make(base / "club", base / "out")
    assert {evening.folder: "made" for evening in SEASON} == outcomes
    return base / "club", base / "out"


def rows(page: Path, number: int = 0) -> list[list[str]]:
    """Return the texts of the cells of a table."""
    table = list(parse(page.read_bytes()).iter("table"))[number]
    body = next(table.iter("tbody"))
    for cell in body.iter("th"):
        for explained in cell.findall("details"):
            cell.remove(explained)
    return [[text_of(cell).strip() for cell in row] for row in body.iter("tr")]


def two_decimals(value: float) -> str:
    """Round halves away from zero, as pages do."""
    return str(Decimal(value).quantize(Decimal("1e-9")).quantize(Decimal("0.01"), ROUND_HALF_UP))


def shown(name: str) -> str:
    return "…" if name in HIDDEN else name


def slug(name: str) -> str:
    return name.lower().replace(" ", "-")


def evenings_of(name: str) -> list[Evening]:
    return [evening for evening in SEASON if name in evening.by_player()]


def test_each_player_has_the_evenings_that_were_played(made: tuple[Path, Path]) -> None:
    for name in PEOPLE:
        page = made[1] / "people" / slug(name) / "index.html"
        if name in HIDDEN:
            assert not page.exists()
            continue
        mine = evenings_of(name)
        table = next(n for n in range(3) if len(rows(page, n)[0]) >= 7)
        found = [(row[2], row[6].removesuffix(" %")) for row in rows(page, table)]
        expected = []
        for evening in reversed(mine):
            (pair,) = [pair for pair in evening.pairs.values() if name in pair]
            (partner,) = [one for one in pair if one != name]
            expected.append((shown(partner), two_decimals(evening.by_player()[name])))
        assert expected == found


def test_the_list_of_players_has_everybody_once_with_the_mean(made: tuple[Path, Path]) -> None:
    found = {row[0]: (row[1], row[2], row[3]) for row in rows(made[1] / "people" / "index.html")}
    expected = {}
    for name in set(PEOPLE) - set(HIDDEN):
        mine = [evening.by_player()[name] for evening in evenings_of(name)]
        expected[name] = (str(len(mine)), two_decimals(max(mine)), two_decimals(sum(mine) / len(mine)))
    assert expected == found


def test_the_best_8_of_12_with_handicaps(made: tuple[Path, Path]) -> None:
    chosen = [evening for evening in SEASON if evening.title == "Spring Cup"]
    assert 12 == len(chosen)
    totals = {}
    for name in PEOPLE:
        scores = sorted((e.by_player()[name] + handicap(name) for e in chosen if name in e.by_player()), reverse=True)
        if len(scores) >= 3:
            totals[name] = sum(scores[:8]) / len(scores[:8])
    place = {
        name: 1 + sum(round(other, 9) > round(total, 9) for other in totals.values()) for name, total in totals.items()
    }
    found = rows(made[1] / "series" / "spring-cup" / "index.html")
    ranked = [(row[0].rstrip("="), row[2], row[3]) for row in found if row[0] != "–"]
    expected = [(str(place[name]), shown(name), two_decimals(total)) for name, total in totals.items()]
    assert sorted(expected) == sorted(ranked)


def test_the_ladder_moves_each_week(made: tuple[Path, Path]) -> None:
    ladder: list[str] = []
    for evening in SEASON:
        points = evening.by_player()
        new = sorted(set(points) - set(ladder), key=lambda name: (-round(points[name], 9), name))
        rungs = [rung for rung, name in enumerate(ladder) if name in points]
        best = sorted((ladder[rung] for rung in rungs), key=lambda name: -round(points[name], 9))
        for rung, name in zip(rungs, best, strict=True):
            ladder[rung] = name
        ladder += new
    found = [row[2] for row in rows(made[1] / "series" / "ladder" / "index.html")]
    assert [shown(name) for name in ladder] == found


def test_boards_against_an_opponent_add_up(made: tuple[Path, Path]) -> None:
    name = PEOPLE[10]
    against: dict[str, int] = defaultdict(int)
    for evening in evenings_of(name):
        number = next(number for number, pair in evening.pairs.items() if name in pair)
        other = str((int(number) + TABLES - 1) % (2 * TABLES) + 1)
        for rival in evening.pairs[other]:
            against[rival] += BOARDS
    tables = list(parse((made[1] / "people" / slug(name) / "index.html").read_bytes()).iter("table"))
    found = {row[0]: int(row[1]) for row in rows(made[1] / "people" / slug(name) / "index.html", len(tables) - 1)}
    assert {rival: boards for rival, boards in against.items() if rival not in HIDDEN} == found


def test_who_is_hidden_is_hidden_in_every_file(made: tuple[Path, Path]) -> None:
    for path in made[1].rglob("*"):
        if path.is_file():
            content = path.read_bytes().lower()
            for name in HIDDEN:
                assert name.lower().encode() not in content, path
                assert slug(name).encode() not in path.as_posix().encode(), path


def test_spellings_are_one_person(made: tuple[Path, Path]) -> None:
    for name, others in SPELT.items():
        assert (made[1] / "people" / slug(name)).is_dir()
        assert not any((made[1] / "people" / slug(other)).is_dir() for other in others if slug(other) != slug(name))


def digests(out: Path) -> dict[str, tuple[str, int]]:
    """Return the content and the time of each file, without the record."""
    return {
        path.relative_to(out).as_posix(): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in out.rglob("*")
        if path.is_file()
    }


def test_a_correction_in_week_3_makes_only_what_it_touches(made: tuple[Path, Path], tmp_path: Path) -> None:
    club, out = tmp_path / "club", made[1]
    shutil.copytree(made[0], club, copy_function=shutil.copy2)
    before = digests(out)
    week = SEASON[2]
    number = "2"
    (club / f"{week.folder}.corrections.toml").write_text(
        f'[[corrections]]\nboard = 1\npair = "{number}"\ntricks = 13\nwhy = "entered wrongly"\n', "utf-8"
    )
    outcomes = make(club, out)
    assert {week.folder: "made"} == {folder: how for folder, how in outcomes.items() if how != "unchanged"}
    after = digests(out)
    touched = {path for path, state in after.items() if before.get(path) != state}
    here = {name for pair in week.pairs.values() for name in pair}
    allowed = {"index.html", "changes.html", "season.json", "season.js", "overtrick-season.json", "people/index.html"}
    # The search knows the place in each series.
    allowed |= {"series/ladder/index.html", "search.js"}
    for path in touched - allowed:
        top, _, rest = path.partition("/")
        assert top in {week.folder, "people", "partnerships"}, path
        if top == "people":
            assert rest.partition("/")[0] in map(slug, here), path
        if top == "partnerships":
            assert any(rest.startswith(slug(name)) for name in here), path
    assert f"{week.folder}/index.html" in touched
    assert "series/ladder/index.html" in touched
    assert "series/spring-cup/index.html" not in touched
    assert {"changes.html", f"{week.folder}/changes/index.html", *before} == after.keys()
    (club / f"{week.folder}.corrections.toml").unlink()
    make(club, out)
    # The record says where the files of the club are; here they are a copy.
    record = {"overtrick-season.json"}
    assert {path: before[path][0] for path in before.keys() - record} == {
        path: state[0] for path, state in digests(out).items() if path not in record
    }


def test_nothing_is_written_when_nothing_changed(made: tuple[Path, Path]) -> None:
    before = digests(made[1])
    make(*made)
    assert {path: state for path, state in before.items() if path != "overtrick-season.json"} == {
        path: state for path, state in digests(made[1]).items() if path != "overtrick-season.json"
    }


def exact(value: Element) -> Fraction:
    return Fraction(str(value.get("value")))


def test_the_page_of_a_series_alone_proves_each_place(made: tuple[Path, Path]) -> None:
    """From the exact scores in the page: what counts makes the total, and totals make places."""
    page = parse((made[1] / "series" / "spring-cup" / "index.html").read_bytes())
    totals: list[tuple[str, Fraction]] = []
    for row in next(next(page.iter("table")).iter("tbody")).iter("tr"):
        place, *_ = cells = list(row)
        assert all(struck.get("title") for struck in row.iter("s"))
        dropped = [exact(value) for struck in row.iter("s") for value in struck.iter("data")]
        values = {str(cell.get("class")): [*map(exact, cell.iter("data"))] for cell in cells}
        (total,) = values.pop("num pct")
        scores = sorted((value for found in values.values() for value in found), reverse=True)
        counting = scores[: len(scores) - len(dropped)]
        assert len(counting) == min(8, len(scores))
        assert sorted(dropped, reverse=True) == scores[8:]
        if text_of(place).strip() != "–":
            assert total == sum(counting, Fraction(0)) / len(counting)
            totals.append((text_of(place).strip(), sum(counting, Fraction(0)) / len(counting)))
    assert len(totals) > 20
    assert [rank.strip("=") for rank, _ in totals] == [
        str(1 + sum(other > total for _, other in totals)) for _, total in totals
    ]
