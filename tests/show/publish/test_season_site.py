"""A season: many sessions in one folder."""

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import overtrick as ot
from overtrick.apps.inbox.season import make_season
from overtrick.core.atomic_write import RECORD, OutputError
from overtrick.core.config import Config, load_config
from overtrick.core.config.site import Privacy
from tests.support.clocks import set_clock
from tests.support.club_seasons import play_season, write_club
from tests.support.commands import FIXTURES, ROOT
from tests.support.pages import parse, text_of
from tests.support.site_sample import hostile_evening, pairs_evening, team_match
from tests.support.sites import differing

pytestmark = pytest.mark.xdist_group("season site")

CLUB = Config.model_validate(
    {"club": {"name": "Millbrook"}, "site": {"address": "https://club.example/r/", "corrections": [
        {"date": "2026-03-09", "text": "Table 2 turned the board.", "session": "pairs"}]}}
)  # fmt: skip
ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def put_files(folder: Path) -> Path:
    folder.mkdir()
    (folder / "pairs.pbn").write_text(pairs_evening(boards=1))
    (folder / "teams.pbn").write_text(team_match())
    return folder


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return put_files(tmp_path / "files")


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("season")
    make(put_files(base / "files"), base / "out")
    return base / "out"


@pytest.fixture
def out(season: Path, tmp_path: Path) -> Path:
    """Return a season that was made of `files`."""
    return shutil.copytree(season, tmp_path / "out")


def make(files: Path, out: Path, config: Config = CLUB) -> dict[str, bool]:
    """Make a season; say of each session whether it was made."""
    return {folder: outcome == "made" for folder, outcome in make_season([str(files)], out, config, pdf=False)}


@pytest.mark.slow
def test_only_what_changed_is_made_again(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert {"pairs": True, "teams": True} == make(files, out)
    assert {"pairs": False, "teams": False} == make(files, out)
    (files / "teams.pbn").write_text(team_match().replace("Ann", "Anne"))
    assert {"pairs": False, "teams": True} == make(files, out)
    assert {"pairs": True, "teams": True} == make(files, out, Config())


@pytest.mark.slow
def test_what_is_hidden_or_has_neither_deals_nor_results_is_no_session(files: Path, tmp_path: Path) -> None:
    for name in (".DS_Store", "notes.txt", "club.toml"):
        (files / name).write_text('[club]\nname = "Millbrook"\n')
    (files / "pictures").mkdir()
    out = tmp_path / "out"
    made = {"pairs": "made", "teams": "made"}
    assert made == dict(make_season([str(files)], out, CLUB, pdf=False))
    people = {"people", "partnerships"}
    assert {"pairs", "teams", *people} == {path.name for path in out.iterdir() if path.is_dir()}


@pytest.mark.slow
def test_a_correction_makes_the_session_again_that_it_is_of(files: Path, out: Path) -> None:
    corrected = Config.model_validate(
        {"club": {"name": "Millbrook"}, "site": {"address": "https://club.example/r/", "corrections": [
            {"date": "2026-03-09", "text": "Table 3 turned the board.", "session": "pairs"}]}}
    )  # fmt: skip
    assert {"pairs": True, "teams": False} == make(files, out, corrected)


@pytest.mark.slow
def test_where_readers_are_pointed_to_makes_no_page_again(files: Path, out: Path) -> None:
    moved = Config.model_validate(CLUB.model_dump() | {"publish": {"target": "/srv/www"}})
    assert {"pairs": False, "teams": False} == make(files, out, moved)


@pytest.mark.slow
def test_documents_come_to_sessions_that_were_made_without(files: Path, out: Path) -> None:
    assert {"pairs": "made", "teams": "made"} == dict(make_season([str(files)], out, CLUB))
    assert 2 == len(list(out.glob("*/bulletin.pdf")))


def test_a_season_of_nothing_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Bring biscuits.")
    assert {"notes": "left out"} == dict(make_season([str(tmp_path / "notes.txt")], tmp_path / "out", CLUB, pdf=False))
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_season_that_was_stopped_goes_on_with_what_is_left(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert ("pairs", "made") == next(make_season([str(files)], out, CLUB, pdf=False))
    assert not (out / "index.html").exists()
    assert {"pairs": False, "teams": True} == make(files, out)


@pytest.mark.slow
def test_style_and_script_of_the_index_stay_where_they_are_the_same(files: Path, out: Path) -> None:
    written = {path: path.stat().st_mtime_ns for path in (*out.glob("style.*"), *out.glob("site.*"))}
    (files / "teams.pbn").write_text(team_match().replace("Ann", "Anne"))
    make(files, out)
    assert written == {path: path.stat().st_mtime_ns for path in (*out.glob("style.*"), *out.glob("site.*"))}


@pytest.mark.slow
def test_sessions_share_the_style_and_an_earlier_one_keeps_its_own(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    make(files, out)
    (style,) = out.rglob("style.*.css")
    assert style.parent == out
    (files / "pairs.pbn").unlink()
    # A session whose files are gone stays as it is, also after a change of the look.
    make(files, out, Config.model_validate({"site": {"accent": "#14532d"}}))
    (now,) = {*out.rglob("style.*.css")} - {style}
    pages = {folder: (out / folder / "index.html").read_text("utf-8") for folder in ("pairs", "teams")}
    assert [True, False] == [style.name in page for page in pages.values()]
    assert [False, True] == [now.name in page for page in pages.values()]


@pytest.mark.slow
def test_many_sessions_are_made_on_all_cores(files: Path, tmp_path: Path) -> None:
    for week in range(6):
        (files / f"week-{week}.pbn").write_text(pairs_evening(boards=1).replace("2026.03.05", f"2026.04.0{week + 1}"))
    assert 8 == sum(make(files, tmp_path / "out").values())
    assert 8 == len(list((tmp_path / "out").glob("*/session.json")))


@pytest.mark.slow
def test_sessions_made_before_stay_in_the_index(files: Path, out: Path) -> None:
    (files / "pairs.pbn").unlink()
    make(files, out)
    page = parse((out / "index.html").read_bytes())
    assert {"pairs/index.html", "teams/index.html"} <= {one.get("href") for one in page.iter("a")}


@pytest.mark.slow
def test_the_index_names_winners_and_regulars(files: Path, tmp_path: Path) -> None:
    (files / "again.pbn").write_text(pairs_evening(boards=1).replace("2026.03.05", "2026.03.12"))
    make(files, tmp_path / "out")
    text = text_of(parse((tmp_path / "out" / "index.html").read_bytes()))
    assert "Thursday Pairs Thursday, 5 March 2026" in text
    assert "Bo Lind A.2" in text
    winners = re.findall(r"North-South: (.*?) [0-9.]+.% East-West: (.*?) [0-9.]+.%", text)
    assert 2 == len(winners)
    assert len(winners) == text.count("North-South:")


@pytest.mark.slow
def test_the_feed_has_an_entry_a_session_that_a_correction_brings_up_to_date(out: Path) -> None:
    feed = ET.fromstring((out / "feed.xml").read_bytes())  # noqa: S314 - we wrote it
    entries = {one.findtext(f"{ATOM}id"): one.findtext(f"{ATOM}updated") for one in feed.iter(f"{ATOM}entry")}
    assert {
        "tag:club.example,2026-03-05:/r/pairs/": "2026-03-09T00:00:00Z",
        "tag:club.example,2026-03-05:/r/teams/": "2026-03-05T00:00:00Z",
    } == entries


@pytest.mark.slow
def test_the_map_lists_pages_that_are_there_and_none_of_problems(out: Path) -> None:
    site_map = ET.fromstring((out / "sitemap.xml").read_bytes())  # noqa: S314 - we wrote it
    pages = [str(one.text).removeprefix("https://club.example/r/") for one in site_map.iter(f"{MAP}loc")]
    assert [] == [page for page in pages if not (out / page).exists() or "problems" in page]
    assert "pairs/board-1/index.html" in pages


@pytest.mark.slow
def test_without_an_address_there_is_no_feed(files: Path, tmp_path: Path) -> None:
    make(files, tmp_path / "out", Config())
    assert not (tmp_path / "out" / "feed.xml").exists()


@pytest.mark.slow
def test_a_correction_is_on_the_page_of_its_session(out: Path) -> None:
    said = [b"turned the board" in (out / name / "index.html").read_bytes() for name in ("pairs", "teams")]
    assert [True, False] == said


@pytest.mark.slow
def test_names_that_mean_harm_do_none_in_index_and_feed(files: Path, tmp_path: Path) -> None:
    (files / "hostile.pbn").write_text(hostile_evening(), "utf-8")
    make(files, tmp_path / "out")
    assert not any(one.text for one in parse((tmp_path / "out" / "index.html").read_bytes()).iter("script"))
    ET.fromstring((tmp_path / "out" / "feed.xml").read_bytes())  # noqa: S314 - we wrote it


def test_a_folder_of_other_things_is_not_a_season(files: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "one.tex").write_text("x")
    with pytest.raises(OutputError, match="did not write"):
        make(files, tmp_path / "thesis")


@pytest.mark.slow
def test_session_json_is_as_its_schema_says(out: Path) -> None:
    document = json.loads((out / "pairs" / "session.json").read_bytes())
    schema = json.loads((ROOT / "docs" / "session.schema.json").read_bytes())["properties"]
    assert schema["schema"]["const"] == document["schema"]
    assert set(schema["session"]["required"]) == set(document["session"])
    for rows in ("standings", "results", "contestants", "deals", "games"):
        described = schema[rows]["items"]
        assert set(described.get("required", ())) <= set(document[rows][0]) <= set(described["properties"])


@pytest.mark.slow
def test_the_corrections_of_one_session_make_it_again_and_no_other(files: Path, out: Path) -> None:
    before = (out / "pairs" / "index.html").read_bytes()
    corrections = files / "pairs.corrections.toml"
    corrections.write_text('[[corrections]]\ntitle = "Thursday Final"\nwhy = "a marker"\n', "utf-8")
    assert {"pairs": True, "teams": False} == make(files, out)
    assert b"a marker" in (out / "pairs" / "index.html").read_bytes()
    assert b"Thursday Final" in (out / "index.html").read_bytes()
    corrections.unlink()
    assert {"pairs": True, "teams": False} == make(files, out)
    assert before == (out / "pairs" / "index.html").read_bytes()


@pytest.mark.slow
def test_a_correction_is_in_session_json_as_its_schema_says(files: Path, tmp_path: Path) -> None:
    text = '[[corrections]]\nboard = 1\ntable = 1\nnot_played = true\nwhy = "no time"\nwhen = 2026-03-09T10:00:00Z\n'
    (files / "pairs.corrections.toml").write_text(text, "utf-8")
    make(files, tmp_path / "out")
    document = json.loads((tmp_path / "out" / "pairs" / "session.json").read_bytes())
    correction = document["session"]["corrections"][-1]
    schema = json.loads((ROOT / "docs" / "session.schema.json").read_bytes())["properties"]["session"]["properties"]
    assert correction.keys() <= schema["corrections"]["items"]["properties"].keys()
    assert ("2026-03-09", "79C") == (correction["date"], correction["law"])
    assert correction["text"].endswith("(no time)")


@pytest.mark.slow
def test_a_second_run_on_the_same_season_is_refused(files: Path, tmp_path: Path) -> None:
    first = make_season([str(files)], tmp_path / "out", CLUB, pdf=False)
    next(first)
    with pytest.raises(OutputError, match="another run is writing this folder"):
        make(files, tmp_path / "out")
    assert 1 == len([*first])
    assert {"pairs", "teams"} == make(files, tmp_path / "out").keys()


@pytest.mark.slow
def test_a_run_that_died_while_it_began_a_season_leaves_a_season(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / f".{RECORD}.new-0123abcd").write_text("{", "utf-8")
    assert {"pairs": True, "teams": True} == make(files, out)
    assert [] == [path.name for path in out.iterdir() if path.name.startswith(".")]


@pytest.mark.slow
def test_a_forged_record_deletes_nothing_and_leads_nowhere_else(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "style.mine.css").write_text("b {}", "utf-8")
    (out / RECORD).write_text(json.dumps({"sessions": {"../files": "x", "/etc": "y"}}), "utf-8")
    make(files, out)
    assert "b {}" == (out / "style.mine.css").read_text("utf-8")
    assert ["pairs", "teams"] == sorted(json.loads((out / RECORD).read_bytes())["sessions"])


@pytest.mark.slow
def test_a_season_lists_the_changes_of_all_its_sessions(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    make(files, out)
    before = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    assert "changes.html" not in before
    corrections = files / "pairs.corrections.toml"
    corrections.write_text('[[corrections]]\ntitle = "Thursday Final"\nwhy = "a marker"\n', "utf-8")
    make(files, out)
    changes = (out / "changes.html").read_text("utf-8")
    assert ("a marker" in changes, 'href="pairs/changes/index.html"' in changes) == (True, True)
    assert 'href="changes.html"' in (out / "index.html").read_text("utf-8")
    corrections.unlink()
    make(files, out)
    assert [] == differing(before, {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()})


@pytest.mark.slow
def test_sessions_that_become_final_are_made_again_once(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    club = Config.model_validate({"site": {"provisional": "2 days"}})
    day = pairs_evening(boards=1).partition('[Date "')[2].partition('"')[0]
    year_month, number = day[:8].replace(".", "-"), int(day[8:])
    for later, made in ((1, True), (2, False), (3, True), (4, False)):
        set_clock(monkeypatch, f"{year_month}{number + later:02}T12:00:00")
        assert made == make(files, out, club)["pairs"]
        shown = text_of(parse((out / "pairs" / "index.html").read_bytes()))
        assert ("Final" if later > 2 else "Provisional until") in shown


@pytest.mark.slow
def test_evenings_find_the_pages_of_players_and_are_not_made_again_for_them(files: Path, tmp_path: Path) -> None:
    make(files, out := tmp_path / "out")
    script = (out / "people.js").read_text("utf-8")
    assert '"Ann Vale A.": "people/ann-vale-a/index.html"' in script
    card = next(out.glob("pairs/pair-*/index.html"))
    assert '<script src="../../people.js" defer></script>' in card.read_text("utf-8")
    assert not {"pairs"} & {folder for folder, made in make(files, out).items() if made}
    opted = CLUB.model_copy(update={"privacy": Privacy(players={"Ann Vale A.": "hidden"})})
    make(files, out, opted)
    assert "Ann Vale A." not in (out / "people.js").read_text("utf-8")
    assert "Ann Vale A." not in (out / "search.js").read_text("utf-8")


def test_a_season_lists_the_teams_of_an_evening_for_its_search(tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    for name in ("team-match.csv", "spring-pairs.csv"):
        shutil.copy(FIXTURES / name, tmp_path / "club")
    config = Config.model_validate({"scoring": {"method": "teams"}})
    for _ in make_season([str(tmp_path / "club" / "team-match.csv")], tmp_path / "teams", config, pdf=False):
        pass
    (listed,) = json.loads((tmp_path / "teams" / "season.json").read_text("utf-8"))["sessions"]
    ranked = ot.evaluate(FIXTURES / "team-match.csv", method="teams").standings["contestant"].to_list()
    assert ranked == listed["teams"]
    for _ in make_season([str(tmp_path / "club" / "spring-pairs.csv")], tmp_path / "pairs", Config(), pdf=False):
        pass
    (listed,) = json.loads((tmp_path / "pairs" / "season.json").read_text("utf-8"))["sessions"]
    assert "teams" not in listed


@pytest.mark.slow
def test_the_search_of_a_season_knows_each_player_and_the_latest_five_evenings(tmp_path: Path) -> None:
    settings = write_club(tmp_path / "club", season := play_season(12))
    config = load_config(settings)
    for _ in make_season([str(tmp_path / "club")], tmp_path / "out", config, pdf=False):
        pass
    people = json.loads((tmp_path / "out" / "search.js").read_text("utf-8").partition("] = ")[2].rstrip(";\n"))
    by_name = {name: (page, spelt, rows) for name, page, spelt, rows, _ in people}
    ranked = {(path, title) for *_, series in people for path, title, _, _ in series}
    assert {series.name for series in config.series} == {title for _, title in ranked}
    assert all((tmp_path / "out" / path).is_file() for path, _ in ranked)
    assert not {"Gus Finch", "Hal Stone"} & set(by_name)
    for name, (page, _, rows) in by_name.items():
        if page.startswith("people/"):
            played = [evening for evening in season if any(name in pair for pair in evening.pairs.values())]
            latest = sorted((evening.folder for evening in played), reverse=True)[:5]
            assert latest == [card.partition("/")[0] for card, *_ in rows]
        for card, place, field, percentage in rows:
            assert (tmp_path / "out" / card).is_file()
            assert int(place.rstrip("=")) <= int(field) == 5
            assert 0 <= float(percentage) <= 100
    assert {"Ben Moss", "BEN MOSS", "Moss, Ben"} >= set(by_name["Ben Moss"][1]) >= {"Ben Moss"}
