"""The screens without a browser and without a script: forms, what they write, and what they answer."""

import json
import re
import shlex
import shutil
from errno import ENOSPC
from html import unescape
from os import strerror
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest

import overtrick as ot
from overtrick.apps.evening.grid import ORDERS
from overtrick.apps.evening.live import Follower
from overtrick.apps.evening.new_club import QUESTIONS
from overtrick.apps.evening.published import Publication
from overtrick.core.config import Config
from overtrick.core.config.edit import list_fields
from overtrick.core.languages import open_language
from overtrick.core.machine import resource
from overtrick.core.words import spoken
from overtrick.files.correct.entry import read_shorthand
from tests.support.clocks import set_clock
from tests.support.commands import EVENING, FIXTURES, run
from tests.support.desk import Visitor, visit
from tests.support.sites import differing, read_folder

CELL = {"board": 1, "table": 2, "ns": "2", "ew": "5"}


@pytest.fixture
def scorer(tmp_path: Path) -> Visitor:
    (tmp_path / "tuesday.csv").write_bytes((FIXTURES / "spring-pairs.csv").read_bytes())
    return visit(tmp_path)


@pytest.fixture
def game(tmp_path: Path) -> Visitor:
    """Return a desk with the same evening as a PBN file, so that what is typed is a correction."""
    (tmp_path / "club").mkdir()
    ot.convert(FIXTURES / "spring-pairs.csv", tmp_path / "club" / "tuesday.pbn")
    return visit(tmp_path / "club")


def written(scorer: Visitor) -> bytes:
    path = scorer.desk.folder / "tuesday.corrections.toml"
    return path.read_bytes() if path.exists() else b""


def seen(scorer: Visitor) -> str:
    return scorer.get("/evening/tuesday/people").seen


def test_the_list_names_evenings_with_their_state(scorer: Visitor) -> None:
    assert "tuesday Spring Pairs 7 March 2026 2 3 ready to publish" in scorer.get("/").words


def test_the_overview_says_what_came_in_and_how_it_stands(scorer: Visitor) -> None:
    words = scorer.get("/evening/tuesday/").words
    assert "tuesday.csv table of results 6 yes" in words
    assert "Jo Thorne – Kim Vale" in words


SCREENS = ("", "problems", "grid", "grid?board=1", "cell?board=1&table=2&ns=2&ew=5", "rulings", "people", "publish",
           "history", "live")  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        "bye.pbn",
        "two-rooms.lin",
        "empty.pbn",
        "rubber.csv",
        "spring-pairs.dup",
        "spring-pairs.csv",
        "adjusted-scores.pbn",
    ],
)
def test_every_screen_of_every_kind_of_evening_opens(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes((FIXTURES / name).read_bytes())
    scorer = visit(tmp_path)
    answers = [scorer.get(f"/evening/{Path(name).stem}/{screen}").status for screen in SCREENS]
    cells = set(re.findall(r'/cell\?([^"]+)', scorer.get(f"/evening/{Path(name).stem}/grid").text))
    answers += [scorer.get(f"/evening/{Path(name).stem}/cell?{unescape(key)}").status for key in cells]
    assert ({200}, []) == (set(answers), scorer.said)


TWINS = """
cell  | result=4SN%3D                             | --board 1 --pair 2 --contract 4S --by N --tricks 10
cell  | result=4SN%3D+HA                          | --board 1 --pair 2 --contract 4S --by N --tricks 10 --lead HA
cell  | level=3&strain=N&doubled=X&by=E&made=-2   | --board 1 --pair 2 --contract 3NTX --by E --tricks 7
cell  | result=P                                  | --board 1 --pair 2 --contract Pass
cell  | result=-100                               | --board 1 --pair 2 --score -100
cell  | result=NP                                 | --board 1 --pair 2 --not-played
cell  | swap=1                                    | --board 1 --pair 2 --swap
cell  | instead=3                                 | --board 1 --pair 2 --other-pair 3
cell  | instead_ew=6                              | --board 1 --pair 5 --direction EW --other-pair 6
cell  | delete=1                                  | --board 1 --pair 2 --delete
entry | board=1&pair=1&other_pair=6&add=1&assigned=90 | --board 1 --pair 1 --other-pair 6 --add --assigned 90
entry | board=1&pair=1&award_ns=60&award_ew=40%25 | --board 1 --pair 1 --award 60% 40%
entry | board=1&pair=1&split_ns=620&split_ew=-650 | --board 1 --pair 1 --split 620 -650
entry | board=1&pair=1&weighted=60:620,40:-100    | --board 1 --pair 1 --weighted 60:620,40:-100
entry | board=1&pair=1&assigned=140               | --board 1 --pair 1 --assigned 140
entry | pair=1&penalty_amount=0.25&penalty_unit=top&disciplinary=1 | --pair 1 --penalty 0.25 top --disciplinary
entry | pair=1&penalty_amount=25&penalty_unit=percent-of-top | --pair 1 --penalty 0.25 top
entry | board=1&fouled=1                          | --board 1 --fouled 1
entry | pair=1&carry_over=2,5                     | --pair 1 --carry-over 2.5
entry | pair=1&handicap=3                         | --pair 1 --handicap 3
entry | pair=2&name=Fay+Reid+-+Gus+Lane           | --pair 2 --name "Fay Reid - Gus Lane"
entry | player_from=Fay+Reed&player_to=Fay+Reid   | --player "Fay Reed" "Fay Reid"
entry | absent=Fay+Reed&substitute_player=Nia+Poe | --substitute "Fay Reed" "Nia Poe"
entry | title=Final                               | --title Final
entry | date=2026-03-08                           | --date 2026-03-08
entry | club=Millbrook                            | --club Millbrook
entry | method=butler                             | --method butler
"""
"""The screen, the fields of its form, and the options of `overtrick correct` that do the same."""


@pytest.mark.parametrize("twins", TWINS.strip().splitlines(), ids=lambda line: line.rpartition("| ")[2])
@pytest.mark.sweep(2)
@pytest.mark.slow
def test_a_form_leaves_the_same_bytes_as_the_command(
    twins: str, game: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_clock(monkeypatch, "2026-03-07T12:00:00")
    screen, given, options = (part.strip() for part in twins.split("|"))
    fields = {**(CELL if screen == "cell" else {}), **dict(parse_qsl(given))}
    twin = tmp_path / "twin"
    twin.mkdir()
    (twin / "tuesday.pbn").write_bytes((game.desk.folder / "tuesday.pbn").read_bytes())
    done = run("correct", twin / "tuesday.pbn", *shlex.split(options), "--why", "as told", "--who", "N. Park")
    assert (0, "") == (done.status, done.err.partition(f"{twin}")[0])
    answer = game.post(f"/evening/tuesday/{screen}", fields, seen=seen(game), why="as told", who="N. Park", do="save")
    assert 303 == answer.status, answer.words
    assert (twin / "tuesday.corrections.toml").read_text("utf-8") == written(game).decode()


@pytest.mark.slow
def test_undo_leaves_the_same_bytes_as_the_command(game: Visitor) -> None:
    for result in ("4SN=", "4SN+1"):
        game.post("/evening/tuesday/cell", {**CELL, "table": 3, "ns": "3", "ew": "6"}, result=result, do="save")
        game.post("/evening/tuesday/cell", CELL, result="P", do="save")
    both = written(game)
    assert both
    game.post("/evening/tuesday/undo")
    one = written(game)
    run("correct", game.desk.folder / "tuesday.pbn", "--undo")
    assert len(both) > len(one) > len(written(game))


@pytest.mark.slow
def test_a_cell_that_is_corrected_again_keeps_only_the_last_correction(game: Visitor) -> None:
    for result in ("4SN=", "4SN+1", "P"):
        assert 303 == game.post("/evening/tuesday/cell", CELL, result=result, do="save").status
    assert 1 == written(game).count(b"[[corrections]]")
    assert b'contract = "Pass"' in written(game)


def test_what_changes_is_shown_before_anything_is_written(scorer: Visitor) -> None:
    answer = scorer.post("/evening/tuesday/cell", CELL, result="4SN=", do="preview")
    assert "10 tricks in place of 9" in answer.words
    assert "3.50 → 5.50" in answer.words
    assert b"" == written(scorer)


@pytest.mark.parametrize("result", ["", "4S", "9NN=", "4SN+9", "<script>"])
def test_a_text_that_is_not_a_result_is_explained_and_not_written(scorer: Visitor, result: str) -> None:
    answer = scorer.post("/evening/tuesday/cell", CELL, result=result, do="save")
    assert 422 == answer.status
    assert "expected" in answer.words
    assert "<script>" not in answer.text
    assert b"" == written(scorer)


def test_an_entry_that_fits_nothing_is_explained_and_not_written(scorer: Visitor) -> None:
    answer = scorer.post("/evening/tuesday/entry", seen=seen(scorer), board=99, pair="1", award_ns="A+", award_ew="A-",
                         why="x", do="save")  # fmt: skip
    assert 422 == answer.status
    assert "no result is on this board" in answer.words
    assert b"" == written(scorer)


def test_a_ruling_that_is_refused_comes_back_as_it_was_filled_in(scorer: Visitor) -> None:
    fields = {"open": "weighted", "board": "99", "pair": "1", "weighted": "60:620, 40:-100", "round": "3"}
    answer = scorer.post("/evening/tuesday/entry", fields, seen=seen(scorer), back="rulings", why="late claim")
    assert 422 == answer.status
    opened = answer.text.partition('id="weighted"><details open>')[2].partition("</section>")[0]
    for value in ("99", "60:620, 40:-100", "3", "late claim"):
        assert f'value="{value}"' in opened
    name = {"player_from": "Nobody", "player_to": "Nia Poe", "why": "married"}
    people = scorer.post("/evening/tuesday/entry", name, seen=answer.seen, back="people", do="save")
    assert 422 == people.status
    for value in name.values():
        assert f'value="{value}"' in people.text
    assert b"" == written(scorer)


def test_a_form_that_is_unclear_offers_whom_it_may_mean(tmp_path: Path) -> None:
    lines = (FIXTURES / "spring-pairs.csv").read_text("utf-8").splitlines()
    rows = [line.split(",") for line in lines]
    numbered = [",".join([*row[:6], str(int(row[6]) - 3), *row[7:]]) for row in rows[1:]]
    (tmp_path / "tuesday.csv").write_text("\n".join([lines[0], *numbered]) + "\n", "utf-8")
    scorer = visit(tmp_path)
    fields = {"pair": "1", "penalty_amount": "10", "penalty_unit": "percent", "why": "late", "open": "penalty"}
    asked = scorer.post("/evening/tuesday/entry", fields, seen=seen(scorer), back="rulings")
    assert 422 == asked.status
    assert [("1 NS", "Ada Quill – Ben Moss"), ("1 EW", "Dora Finch – Eli Stone")] == re.findall(
        r'<button name="pair" value="([^"]+)">[^<]*<small>([^<]+)', asked.text
    )
    form = asked.text.partition("Which one?")[2].partition("</form>")[0]
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))
    clear = scorer.post("/evening/tuesday/entry", {**sent, "pair": "1 EW"})
    assert (200, True) == (clear.status, "Dora Finch" in clear.words)
    assert "What it would change" in clear.words
    other = scorer.post("/evening/tuesday/entry", {**fields, "penalty_amount": "ten"}, seen=seen(scorer))
    assert (422, False) == (other.status, "Which one?" in other.text)


def test_a_board_that_a_pair_played_twice_offers_its_results(tmp_path: Path) -> None:
    head = "board,round,table,ns,ew,contract,declarer,tricks,score_ns,names_ns,names_ew"
    # Another pair sits N-S with the number 2.
    lines = (
        "1,1,1,1,2,4S,N,10,420,Ann Lark - Bob Wren,Cy Dunn - Di Eads",
        *("1,2,2,1,3,3NT,E,8,50,,", "2,3,1,2,5,P,,,0,Eve Reed - Fay Lane,"),
    )
    (tmp_path / "tuesday.csv").write_text("\n".join([head, *lines]) + "\n", "utf-8")
    scorer = visit(tmp_path)
    fields = {"board": "1", "pair": "1", "assigned": "420", "why": "late", "open": "assigned"}
    asked = scorer.post("/evening/tuesday/entry", fields, seen=seen(scorer), back="rulings")
    assert 422 == asked.status
    offered = re.findall(r'<button name="(\w+)" value="([^"]+)">([^<]*) <small>([^<]+)', asked.text)
    assert [
        ("round", "1", "Round 1", "Ann Lark – Bob Wren / Cy Dunn – Di Eads 4SN="),
        ("round", "2", "Round 2", "Ann Lark – Bob Wren / 3 3NE-1"),
    ] == offered
    form = asked.text.partition("Which one?")[2].partition("</form>")[0]
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))
    clear = scorer.post("/evening/tuesday/entry", {**sent, "round": "2"})
    assert (200, True) == (clear.status, "What it would change" in clear.words)
    # Refused once more, the same ruling is open.
    wrong = scorer.post("/evening/tuesday/entry", {**sent, "round": "2", "assigned": "many"})
    assert (422, True) == (wrong.status, bool(re.search(r'id="assigned"><details open>', wrong.text)))


def test_publish_counts_open_warnings_and_pairs_without_names(tmp_path: Path) -> None:
    lines = (FIXTURES / "spring-pairs.csv").read_text("utf-8").splitlines(keepends=True)
    table = "".join([*lines, lines[1]]).replace("Lou Heath - Max Fern", "Lou Heath - ?")
    (tmp_path / "tuesday.csv").write_text(table, "utf-8")
    words = visit(tmp_path).get("/evening/tuesday/publish").words
    assert "1 warning is open 1 pair has no names" in words
    (tmp_path / "tuesday.csv").write_text("".join(lines), "utf-8")
    words = visit(tmp_path).get("/evening/tuesday/publish").words
    assert "warning" not in words
    assert "no names" not in words


def test_a_file_that_changed_meanwhile_is_kept_and_both_versions_are_shown(scorer: Visitor) -> None:
    old = seen(scorer)
    theirs = b'[[corrections]]\ntitle = "Theirs"\nwhy = "x"\n'
    (scorer.desk.folder / "tuesday.corrections.toml").write_bytes(theirs)
    answer = scorer.post("/evening/tuesday/entry", seen=old, title="Mine", why="y", do="save")
    assert 409 == answer.status
    assert "Mine" in answer.words
    assert "Theirs" in answer.words
    assert theirs == written(scorer)


def test_a_column_is_pasted_as_it_would_be_typed(scorer: Visitor) -> None:
    table = scorer.desk.folder / "tuesday.csv"
    before = table.read_text()
    page = scorer.get("/evening/tuesday/grid?board=1")
    scorer.post("/evening/tuesday/column", seen=page.seen, board=1, column="3NS=\r\n\r\n4SN=\r\n")
    after = table.read_text()
    assert (1, b"") == (sum(map(str.__ne__, before.splitlines(), after.splitlines())), written(scorer))
    assert [(9, "S")] == [row for row in results(scorer, "tricks", "declarer") if row[1] == "S"]


def test_lines_of_a_column_that_are_no_results_come_back_with_their_reason(scorer: Visitor) -> None:
    page = scorer.get("/evening/tuesday/grid?board=1")
    answer = scorer.post("/evening/tuesday/column", seen=page.seen, board=1, column="3NS=\r\n4SQ\r\n")
    assert 422 == answer.status
    assert "2: expected" in answer.words
    assert "\n4SQ</textarea>" in answer.text
    assert "3NS=" not in answer.text.partition("<textarea")[2].partition("</textarea>")[0]
    assert 9 in [row[0] for row in results(scorer, "tricks", "declarer") if row[1] == "S"]
    assert "" == written(scorer).decode()
    long = scorer.post("/evening/tuesday/column", seen=answer.seen, board=1, column="P\r\n" * 30)
    assert "more lines than the board has results" in long.words


def results(scorer: Visitor, *columns: str) -> list[tuple[object, ...]]:
    table = ot.evaluate(scorer.desk.folder / "tuesday.csv").results
    return table.filter(board=1).select(columns).rows()


def test_the_form_of_a_result_begins_with_what_it_is(scorer: Visitor) -> None:
    page = scorer.get("/evening/tuesday/cell?board=1&table=2&ns=2&ew=5").text
    assert ["4", "♠", "", "N"] == re.findall(r'type="radio" name="\w+" value="([^"]*)" checked', page)
    assert ["-1"] == re.findall(r"<option selected>([^<]*)", page)
    link = re.findall(r'href="(/evening/tuesday/rulings[?]open=award[^"]*)"', page)[0].replace("&amp;", "&")
    ruling = scorer.get(link.partition("#")[0]).text
    for name, value in (("board", "1"), ("pair", "2"), ("table", "2")):
        assert f'name="{name}" type="text" value="{value}"' in ruling


@pytest.mark.parametrize("language", ["en", "fr", "pl"])
def test_the_pad_saved_as_it_opens_changes_nothing(language: str, scorer: Visitor) -> None:
    (scorer.desk.folder / "club.toml").write_text(f'[site]\nlanguage = "{language}"\n', "utf-8")
    before = (scorer.desk.folder / "tuesday.csv").read_bytes()
    # The last result of board 2 is an artificial score, which the pad does not have.
    for board, table in ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2)):
        at = {"board": board, "table": table, "ns": table, "ew": table + 3}
        page = scorer.get(f"/evening/tuesday/cell?{urlencode(at)}").text
        checked = dict(re.findall(r'type="radio" name="(\w+)" value="([^"]*)" checked', page))
        made = "".join(re.findall(r"<option selected>([^<]*)", page))
        lead = re.findall(r'name="lead" type="text" value="([^"]*)"', page)[0]
        pad = {**at, **checked, "made": made, "lead": lead, "why": "looked"}
        answer = scorer.post("/evening/tuesday/cell", pad, seen=seen(scorer), do="save")
        assert 303 == answer.status, answer.words
    assert (before, b"") == ((scorer.desk.folder / "tuesday.csv").read_bytes(), written(scorer))


def test_a_form_that_is_refused_comes_back_as_it_was_filled_in(scorer: Visitor) -> None:
    fields = {**CELL, "level": "4", "strain": "♥", "doubled": "X", "by": "E", "made": "+6", "why": "misread slip"}
    answer = scorer.post("/evening/tuesday/cell", fields, seen=seen(scorer), do="save")
    assert 422 == answer.status
    assert ["4", "♥", "X", "E"] == re.findall(r'type="radio" name="\w+" value="([^"]*)" checked', answer.text)
    assert ["+6"] == re.findall(r"<option selected>([^<]*)", answer.text)
    assert 'value="misread slip"' in answer.text
    both = scorer.post("/evening/tuesday/cell", {**CELL, "instead": "3", "instead_ew": "6"}, seen=seen(scorer))
    assert "change one pair at a time" in both.words
    assert ('value="3"' in both.text, 'value="6"' in both.text) == (True, True)


@pytest.mark.parametrize("order", ["table", "round", "ns", "ew", "nonsense", ""])
def test_the_columns_of_the_grid_are_what_the_scorer_asks_for(scorer: Visitor, order: str) -> None:
    page = scorer.get(f"/evening/tuesday/grid?order={order}").text
    current = re.findall(r'href="[^"]*order=(\w+)" aria-current', page)
    assert [order if order in ORDERS else "table"] == current
    assert set(range(6)) == {number for number, key in enumerate(re.findall('data-key="([^"]*)"', page)) if key}


def test_a_problem_has_its_place_its_sentence_and_a_button(tmp_path: Path) -> None:
    text = (FIXTURES / "spring-pairs.csv").read_text("utf-8").replace("4S,N,-1,DK", "4S,N,-1,QX")
    (tmp_path / "tuesday.csv").write_text(text, "utf-8")
    words = visit(tmp_path).get("/evening/tuesday/problems").words
    assert re.search(r"Warning\s+Correct the cell\.\s+1 time · value-unknown", words)
    assert "tuesday.csv:3" in words
    assert "Open the result" in words


def test_each_table_of_the_settings_has_a_heading_in_words(scorer: Visitor) -> None:
    tables = [name for name, _, fields in list_fields({}) if fields]
    headings = dict(re.findall(r'<h2 title="\[(\w+)\]">([^<]+)</h2>', scorer.get("/settings").text))
    assert set(tables) == set(headings)
    assert [] == [name for name, words in headings.items() if words == name]
    assert ["club", "site", "privacy"] == list(headings)[:3]


_ENGLISH = re.compile(
    r"\b(the|of|by [NESW]|and|with|tricks?|passed|for N-S|March|are|were|not|this|table of|in place)\b"
)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["fr", "pl"])
def test_no_screen_has_english_left(tmp_path: Path, language: str) -> None:
    text = (FIXTURES / "spring-pairs.csv").read_text("utf-8").replace("4S,N,-1,DK", "4S,N,-1,QX")
    (tmp_path / "tuesday.csv").write_text(text, "utf-8")
    (tmp_path / "club.toml").write_text(f'[site]\nlanguage = "{language}"\n', "utf-8")
    scorer = visit(tmp_path)
    ruling = {"board": 1, "pair": "1", "award_ns": "60%", "award_ew": "40%", "why": "spóźnienie", "do": "save"}
    assert 303 == scorer.post("/evening/tuesday/entry", ruling, seen=seen(scorer)).status
    screens = ["", "problems", "grid", "grid?board=1", "rulings", "people", "ranking", "publish", "history", "live",
               "traveller?board=2", "cell?board=1&table=1&ns=1&ew=4"]  # fmt: skip
    pages = {path: scorer.get(path).text for path in ("/", "/type", "/settings")}
    pages |= {screen: scorer.get(f"/evening/tuesday/{screen}").text for screen in screens}
    deals = (FIXTURES / "club-evening.pbn").read_bytes()
    files = [
        ("wed.csv", text.encode()),
        ("wed.pbn", deals),
        ("x.png", b"\x89PNG"),
        ("y.pbn", b"\0" * 99),
        ("a.csv", b""),
    ]
    pages |= {"dropped": scorer.drop(*files).text, "into": scorer.drop(("wed.pbn", deals), into="wed").text}
    pages |= {name: scorer.drop((name, b"x")).text for name in ("nul", "../x.csv")}
    for path, page in pages.items():
        # Without the file as it is.
        said = re.sub(r"(?s)<(pre|code)>.*?</\1>|<script.*?</script>", "", page)
        assert [] == _ENGLISH.findall(unescape(re.sub(r"<[^>]+>", " ", said))), path


@pytest.mark.parametrize("language", ["fr", "pl"])
def test_every_setting_is_described_in_the_language_of_the_desk(language: str) -> None:
    say = open_language(language).translate
    for _, about, fields in list_fields({}):
        assert [] == [text for text in (about, *(one.about for one in fields)) if fields and say(text) == text]


def test_settings_that_a_scorer_knows_come_first_and_in_words(scorer: Visitor) -> None:
    (scorer.desk.folder / "crest.svg").write_text("<svg/>", "utf-8")
    page = scorer.get("/settings")
    site = page.text.partition('id="site"')[2].partition('id="privacy"')[0]
    assert site.index('title="[site] footer"><span>Line at the foot of each page</span>') < site.index("For experts")
    assert site.index("For experts") < site.index("<code>noindex</code>")
    documents = unescape(site.partition('name="site.documents"')[2].partition("</label>")[0])
    assert 'placeholder="["bulletin", "hand-records"]"' in documents
    assert '<code>"bulletin", "scorecards", "travellers"' in documents
    assert '<option value="crest.svg">' in page.text
    known = {one.place for _, _, fields in list_fields({}) for one in fields}
    called = {*re.findall(r'"([a-z_]+\.[a-z_]+)": _\(', resource("templates", "desk", "settings.html").read_text())}
    assert called
    assert called <= known


@pytest.mark.parametrize("screen", ["/settings", "/evening/tuesday/publish"])
def test_the_folder_of_the_website_is_chosen_from_those_near_the_evenings(scorer: Visitor, screen: str) -> None:
    for folder in (
        scorer.desk.folder / "site",
        scorer.desk.folder.parent / "a-website",
        scorer.desk.folder / ".hidden",
    ):
        folder.mkdir(exist_ok=True)
    page = scorer.get(screen).text
    field = re.search(r'<input name="(?:publish\.)?target"[^>]*>', page)
    assert field
    assert 'list="folders"' in field[0]
    offered = set(
        re.findall('<option value="([^"]*)">', page.partition('<datalist id="folders">')[2].partition("</datalist>")[0])
    )
    assert {str(scorer.desk.folder / "site"), str(scorer.desk.folder.parent / "a-website")} <= offered
    assert str(scorer.desk.folder / ".hidden") not in offered


def test_settings_are_written_with_the_comments_of_the_file(scorer: Visitor) -> None:
    path = scorer.desk.folder / "club.toml"
    path.write_text('# ours\n[club]\nname = "Old" # the name\n', "utf-8")
    done = scorer.post(
        "/settings", {"club.name": "New", "site.final": "true", "scoring.tie_breaks": '["rematchpoint"]'}
    )
    assert 303 == done.status, done.words
    text = path.read_text("utf-8")
    assert '# ours\n[club]\nname = "New" # the name\n' in text
    assert "final = true" in text
    assert 'tie_breaks = ["rematchpoint"]' in text


def test_whether_pages_get_an_analysis_is_a_setting_that_publish_offers(scorer: Visitor, tmp_path: Path) -> None:
    path = scorer.desk.folder / "club.toml"
    form = {"target": str(tmp_path / "www"), "with_analyse": "1", "do": "look"}
    assert 303 == scorer.post("/evening/tuesday/publish", {**form, "analyse": "1"}).status
    assert "[site]\nanalyse = true\n" in path.read_text("utf-8")
    scorer.post("/evening/tuesday/publish", form)
    assert "analyse" not in path.read_text("utf-8")


def test_a_wrong_setting_is_explained_as_on_the_command_line_and_not_written(scorer: Visitor) -> None:
    answer = scorer.post("/settings", {"site.provisional_days": "400"})
    assert 422 == answer.status
    assert "provisional_days = 400: expected" in answer.words
    assert not (scorer.desk.folder / "club.toml").exists()
    answer = scorer.post("/settings/text", text='[club]\nnme = "x"\n')
    assert "did you mean name?" in answer.words


def test_a_settings_file_with_errors_is_named_on_every_page(scorer: Visitor) -> None:
    (scorer.desk.folder / "club.toml").write_text("[club", "utf-8")
    assert "The settings have errors" in scorer.get("/evening/tuesday/").words
    assert 422 == scorer.get("/settings").status


def test_pages_are_those_of_the_bulletin_command(scorer: Visitor, tmp_path: Path) -> None:
    scorer.get("/evening/tuesday/ranking")
    run("bulletin", scorer.desk.folder / "tuesday.csv", "--out", tmp_path / "site", "--no-pdf", "--no-dd")
    ours = scorer.desk.folder / ".overtrick" / "pages" / "tuesday"
    assert [] == differing(read_folder(ours), read_folder(tmp_path / "site"))
    assert "<title>" in scorer.get("/evening/tuesday/pages/index.html").text


@pytest.mark.parametrize(("last", "state"), [("4S,N,10", "finished"), (",,", "playing")])
def test_a_table_of_a_whole_evening_has_finished(scorer: Visitor, last: str, state: str) -> None:
    lines = ["board,round,table,ns,ew,contract,declarer,tricks", "1,1,1,1,2,3NT,N,9", f"2,1,1,1,2,{last}"]
    (scorer.desk.folder / "short.csv").write_text("\n".join([*lines, "1,1,2,3,4,3NT,N,9", "2,1,2,3,4,4S,N,9"]), "utf-8")
    states = re.findall(r'<span class="state[^"]*">([^<]+)', scorer.get("/evening/short/live").text)
    assert state == states[0]


def test_a_traveller_without_tables_has_no_column_for_them(scorer: Visitor) -> None:
    lines = ["board,ns,ew,contract,declarer,tricks", "1,1,2,3NT,N,9", "1,3,4,4S,N,9"]
    path = scorer.desk.folder / "short.csv"
    path.write_text("\n".join(lines), "utf-8")
    assert (
        "Table"
        not in scorer.get("/evening/short/traveller?board=1").text.partition("<thead>")[2].partition("</thead>")[0]
    )
    path.write_text("\n".join(f"{line},{table}" for line, table in zip(lines, ("table", 1, 2), strict=True)), "utf-8")
    assert (
        "Table" in scorer.get("/evening/short/traveller?board=1").text.partition("<thead>")[2].partition("</thead>")[0]
    )


def test_the_wall_names_players_as_the_club_publishes_them(scorer: Visitor) -> None:
    assert "Jo Thorne" in scorer.get("/live").words
    (scorer.desk.folder / "club.toml").write_text('[privacy]\nnames = "hidden"\n', "utf-8")
    assert "Jo Thorne" not in scorer.get("/live").words


def test_the_desk_speaks_the_language_of_the_pages(scorer: Visitor) -> None:
    pytest.importorskip("babel", reason="the extra `languages` is not installed")
    (scorer.desk.folder / "club.toml").write_text('[site]\nlanguage = "fr"\n', "utf-8")
    answer = scorer.get("/")
    assert '<html lang="fr">' in answer.text
    assert "Réglages" in answer.words


def test_a_wrong_file_is_taken_out_of_an_evening_and_kept(tmp_path: Path) -> None:
    for suffix in (".csv", ".dup"):
        shutil.copy(FIXTURES / f"spring-pairs{suffix}", tmp_path / f"tuesday{suffix}")
    scorer = visit(tmp_path)
    page = scorer.get("/evening/tuesday/")
    assert 2 == page.text.count('value="take out"')
    deals = (tmp_path / "tuesday.dup").read_bytes()
    scorer.post("/evening/tuesday/", do="take out", file="no such file")
    assert (tmp_path / "tuesday.dup").exists()
    scorer.desk.followed["tuesday"] = Follower(tmp_path / "running.bws", tmp_path / "tuesday.bws")
    scorer.post("/evening/tuesday/", do="take out", file="tuesday.dup")
    assert ["tuesday"] == [*scorer.desk.followed]
    assert not (tmp_path / "tuesday.dup").exists()
    [kept] = (tmp_path / ".overtrick" / "removed").rglob("tuesday.dup")
    assert deals == kept.read_bytes()
    assert str(kept.parent) in scorer.get("/evening/tuesday/").text
    assert 0 == scorer.get("/evening/tuesday/").text.count('value="take out"')
    scorer.post("/evening/tuesday/", do="remove")
    assert ({}, 404) == (scorer.desk.followed, scorer.get("/evening/tuesday/").status)


@pytest.mark.parametrize("in_folder", [False, True])
def test_an_evening_is_renamed_and_removed_with_its_corrections(tmp_path: Path, *, in_folder: bool) -> None:
    place = tmp_path / "tuesday" if in_folder else tmp_path
    place.mkdir(exist_ok=True)
    shutil.copy(FIXTURES / "spring-pairs.csv", place / "tuesday.csv")
    shutil.copy(FIXTURES / "spring-pairs.csv", tmp_path / "friday.csv")
    assert 0 == run("correct", place if in_folder else place / "tuesday.csv", "--title", "Cup", "--why", "x").status
    scorer = visit(tmp_path)
    (tmp_path / "members.csv").write_text("name\n")
    for name in ("friday", "", "../friday", "a/b", "members.csv" if in_folder else "members", "done", "earlier"):
        page = scorer.post("/evening/tuesday/", do="rename", name=name)
        assert (422, True) == (page.status, 'role="alert"' in page.text)
    scorer.post("/evening/tuesday/", do="rename", name="Spring cup")
    assert "Cup" in scorer.get("/evening/Spring%20cup/").text
    assert 404 == scorer.get("/evening/tuesday/").status
    before = {path.name for path in tmp_path.rglob("*") if path.is_file() and ".overtrick" not in path.parts}
    scorer.post("/evening/Spring%20cup/", do="remove")
    assert 404 == scorer.get("/evening/Spring%20cup/").status
    kept = {path.name for path in (tmp_path / ".overtrick" / "removed").rglob("*") if path.is_file()}
    assert before - {"friday.csv", "members.csv"} == kept
    assert 2 == len(kept)


@pytest.mark.parametrize("how", ["published", "followed", "in an inbox"])
def test_an_evening_that_others_know_by_its_name_keeps_it(
    how: str, scorer: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = scorer.desk.folder
    if how == "published":
        monkeypatch.setattr(
            "overtrick.apps.desk.desk.read_publication", lambda *_: Publication("now", "www", "x", True)
        )
    elif how == "followed":
        scorer.desk.followed["tuesday"] = Follower(folder / "running.bws", folder / "tuesday.bws")
    else:
        (folder / "done" / "tuesday").mkdir(parents=True)
        (folder / "tuesday.csv").rename(folder / "done" / "tuesday" / "tuesday.csv")
    refused = scorer.post("/evening/tuesday/", do="rename", name="other")
    assert (422, 0) == (refused.status, refused.text.count('value="rename"'))
    assert 200 == scorer.get("/evening/tuesday/").status


def test_a_bug_is_one_line_and_not_the_end(scorer: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overtrick.apps.desk.screens.overview.list_causes", lambda _: 1 // 0)
    assert 500 == scorer.get("/evening/tuesday/problems").status
    assert 1 == len(scorer.said)
    assert 200 == scorer.get("/evening/tuesday/grid").status


def test_an_evening_with_html_in_its_names_shows_them_as_text(tmp_path: Path) -> None:
    text = Path(EVENING).read_text("utf-8").replace("Priya Raman", "<img src=x onerror=alert(1)>")
    (tmp_path / "tuesday.pbn").write_text(text, "utf-8")
    scorer = visit(tmp_path)
    for screen in ("", "grid", "people", "rulings", "history"):
        assert "<img" not in scorer.get(f"/evening/tuesday/{screen}").text


def test_a_problem_that_is_right_is_set_aside_and_brought_back(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "twelve-card-hand.pbn", tmp_path / "tuesday.pbn")
    scorer = visit(tmp_path)
    before = scorer.get("/evening/tuesday/problems")
    name = re.findall(r'name="problem" value="([0-9a-f]+)"', before.text)[0]
    assert 303 == scorer.post("/evening/tuesday/problems", problem=name, do="aside").status
    aside = scorer.get("/evening/tuesday/problems")
    assert "Looked at, fine (1)" in aside.words
    assert before.text.count('value="aside"') - 1 == aside.text.count('value="aside"')
    scorer.post("/evening/tuesday/problems", problem=name, do="back")
    assert before.text == scorer.get("/evening/tuesday/problems").text


def test_publish_asks_whose_a_name_is_that_is_near_a_hidden_one(tmp_path: Path) -> None:
    table = (FIXTURES / "spring-pairs.csv").read_text("utf-8").replace("Ada Quill", "Ada Quille")
    (tmp_path / "tuesday.csv").write_text(table, "utf-8")
    (tmp_path / "club.toml").write_text('[privacy.players]\n"Ada Quill" = "hidden"\n', "utf-8")
    words = visit(tmp_path).get("/evening/tuesday/publish").words
    assert '"Ada Quille" may be Ada Quill, who is not named in full' in words
    (tmp_path / "club.toml").write_text('[privacy.players]\n"Ada Quille" = "hidden"\n', "utf-8")
    assert "may be" not in visit(tmp_path).get("/evening/tuesday/publish").words


@pytest.mark.parametrize(
    ("language", "typed", "shown", "stored"),
    [
        ("fr", "4CN=", "4♥N=", "4H,N,="),
        ("fr", "4TN= TA", "4♣N= ♣A", "4C,N,="),
        ("fr", "3SAO-1", "3SAO-1", "3NT,W,-1"),
        ("fr", "4♠N+1", "4♠N+1", "4S,N,+1"),
        ("pl", "2BAN=", "2BAN=", "2NT,N,="),
        ("en", "4CN=", "4CN=", "4C,N,="),
    ],
)
def test_a_club_types_in_the_language_of_its_pages(
    language: str, typed: str, shown: str, stored: str, tmp_path: Path
) -> None:
    (tmp_path / "club.toml").write_text(f'[site]\nlanguage = "{language}"\n', "utf-8")
    table = tmp_path / "tuesday.csv"
    table.write_text("board,ns,ew,contract,declarer,tricks\n1,1,2,,,\n1,3,4,4H,S,10\n", "utf-8")
    scorer = visit(tmp_path)
    fields = {"result:board=1&ns=1&ew=2": typed, "seen:board=1&ns=1&ew=2": ""}
    for _ in range(2):
        # What is shown is read as it was meant, so that typing it again changes nothing.
        answer = scorer.post("/evening/tuesday/traveller", fields, accept="application/json")
        assert (200, shown) == (answer.status, json.loads(answer.text)["now"]["board=1&ns=1&ew=2"])
        assert {} == json.loads(answer.text)["wrong"]
        fields = {"result:board=1&ns=1&ew=2": shown, "seen:board=1&ns=1&ew=2": shown}
    line = table.read_text("utf-8").splitlines()[1]
    assert stored in line or stored.replace(",", " ") in line


EXAMPLE = re.compile(r"(?<![\w-])[1-7](?:[^\W\d]{2,4}[+=-]\d?)(?: [^\W\d]{2}\b)?(?![\w-])")


@pytest.mark.parametrize("language", ["en", "fr", "pl"])
def test_every_result_that_a_screen_gives_as_an_example_can_be_typed(language: str, tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(f'[site]\nlanguage = "{language}"\n', "utf-8")
    (tmp_path / "tuesday.csv").write_bytes((FIXTURES / "spring-pairs.csv").read_bytes())
    scorer = visit(tmp_path)
    screens = ("grid", "cell?board=1&table=2&ns=2&ew=5", "traveller?board=1")
    refused = scorer.post("/evening/tuesday/cell", {**CELL, "result": "nonsense"}, seen=seen(scorer), do="save").words
    shown = [*(scorer.get(f"/evening/tuesday/{screen}").words for screen in screens), refused]
    examples = {found[0] for words in shown for found in EXAMPLE.finditer(words)}
    assert 3 <= len(examples)
    with spoken(Config.model_validate({"site": {"language": language}}).words()):
        assert {11, 7} <= {read_shorthand(example)["tricks"] for example in examples}


@pytest.mark.parametrize("typed", ["4SN", "4♠", "4♠N 5", "4♠N 2", "60/", "nonsense", "NPX"])
@pytest.mark.parametrize("language", ["fr", "pl"])
def test_no_entry_is_refused_in_english_on_a_desk_of_another_language(
    language: str, typed: str, tmp_path: Path
) -> None:
    (tmp_path / "club.toml").write_text(f'[site]\nlanguage = "{language}"\n', "utf-8")
    (tmp_path / "tuesday.csv").write_bytes((FIXTURES / "spring-pairs.csv").read_bytes())
    scorer = visit(tmp_path)
    form = {**CELL, "result": typed}
    told = json.loads(scorer.post("/evening/tuesday/cell", form, seen=seen(scorer), accept="application/json").text)
    assert not re.search(r"\b(expected|such|tricks|got|sign)\b", told["error"])
    assert told["error"]


@pytest.mark.slow
def test_a_correction_in_another_language_means_the_same_in_its_file(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('[site]\nlanguage = "fr"\n', "utf-8")
    shutil.copy(FIXTURES / "club-evening.pbn", tmp_path / "tuesday.pbn")
    scorer = visit(tmp_path)
    cell = "board=1&round=1&table=1&ns=1&ew=9"
    typed = {**dict(parse_qsl(cell)), "result": "4TN+1 TA", "was": ""}
    typed["was"] = re.search(r'data-short="([^"]*)"', scorer.get("/evening/tuesday/grid").text)[1]  # type: ignore[index]
    answer = scorer.post("/evening/tuesday/cell", typed, do="save", accept="application/json")
    assert 200 == answer.status, answer.text
    file = tmp_path / "tuesday.corrections.toml"
    assert 'contract = "4C"\nby = "N"\ntricks = 11\nlead = "CA"' in file.read_text("utf-8")
    assert "4♣" in scorer.get("/evening/tuesday/grid").text
    options = shlex.split("--board 2 --pair 1 --contract 4CO+1 --why misread")
    done = run("correct", tmp_path / "tuesday.pbn", *options)
    assert 0 == done.status, done.err
    assert 'contract = "4H"\nby = "W"\ntricks = 11' in file.read_text("utf-8")
    pad = {**dict(parse_qsl(cell)), "level": "2", "strain": "♦", "by": "E", "made": "=", "why": "misread"}
    assert 303 == scorer.post("/evening/tuesday/cell", pad, do="save", seen=seen(scorer)).status
    assert 'contract = "2D"\nby = "E"\ntricks = 8' in file.read_text("utf-8")


def rank(game: Visitor) -> str:
    return run("score", game.desk.folder / "tuesday.pbn", "--format", "csv").out


@pytest.mark.slow
def test_history_takes_back_any_entry_and_lets_it_count_again(game: Visitor) -> None:
    for result, place in (("4SN=", CELL), ("P", {**CELL, "table": 3, "ns": "3", "ew": "6"})):
        game.post("/evening/tuesday/cell", place, result=result, do="save")
    both, ranking = written(game), rank(game)
    assert 303 == game.post("/evening/tuesday/take-back", number="1").status
    assert both != written(game)
    assert both.count(b"[[corrections]]") == written(game).count(b"[[corrections]]") == 2
    shown = game.get("/evening/tuesday/history").text
    assert 1 == shown.count("taken back at")
    assert (1, 1) == (shown.count("/put-again"), shown.count("/take-back"))
    assert ranking != rank(game)
    game.post("/evening/tuesday/put-again", number="1")
    assert both == written(game)
    assert ranking == rank(game)


@pytest.mark.parametrize("number", ["0", "7", "two", "", "9" * 5000])
def test_history_changes_nothing_for_an_entry_that_is_not_there(game: Visitor, number: str) -> None:
    game.post("/evening/tuesday/cell", CELL, result="4SN=", do="save")
    before = written(game)
    assert before
    assert 303 == game.post("/evening/tuesday/take-back", number=number).status
    assert before == written(game)
    assert 303 == game.post("/evening/tuesday/put-again", number="1").status
    assert before == written(game)


def test_a_disk_that_is_full_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *_: object, **__: object) -> None:
        raise OSError(ENOSPC, strerror(ENOSPC), str(path))

    monkeypatch.setattr("overtrick.apps.evening.new_club.replace_file", refuse)
    scorer = visit(tmp_path)
    refused = scorer.post("/club", {"name": "Lantern"})
    assert (500, []) == (refused.status, scorer.said)
    assert f"club.schema.json: {strerror(ENOSPC)}" in refused.words
    assert "bug" not in refused.words


def test_a_club_without_settings_is_asked_what_init_asks(tmp_path: Path) -> None:
    scorer = visit(tmp_path)
    first = scorer.get("/").words
    assert all(words in first for words, *_ in QUESTIONS.values())
    refused = scorer.post("/club", {"name": "Lantern", "colour": "green", "hide": "Ada Quill"})
    assert (422, []) == (refused.status, list(tmp_path.iterdir()))
    assert '[site] accent = "green": expected a text like #14532d' in refused.words
    assert 'value="Lantern"' in refused.text
    assert 422 == scorer.post("/club", {"name": "Lantern", "logo": "crest.png"}).status
    (tmp_path / "crest.png").write_bytes(b"")
    answers = {
        "name": "Lantern",
        "logo": "crest.png",
        "colour": "#14532d",
        "names": "initials",
        "hide": "Ada Quill, Ann Ash",
        "example": "1",
    }
    scorer.post("/club", answers)
    options = ("--name", "Lantern", "--colour", "#14532d", "--names", "initials", "--hide", "Ada Quill, Ann Ash")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "crest.png").write_bytes(b"")
    run("init", tmp_path / "other", "--yes", "--example", "--logo", "crest.png", *options)
    for path in (path for path in (tmp_path / "other").rglob("*") if path.is_file()):
        assert path.read_bytes() == (tmp_path / path.relative_to(tmp_path / "other")).read_bytes()
    later = scorer.get("/").words
    assert ("made-up-evening" in later, "Who must not be named" in later) == (True, False)
    before = (tmp_path / "club.toml").read_bytes()
    assert scorer.post("/club", {"name": "Another"}).status == 303
    assert before == (tmp_path / "club.toml").read_bytes()
