"""The session as a whole."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from overtrick.core.config import Config
from overtrick.core.frames import PROBLEMS, Facts, Session
from overtrick.core.languages import open_language
from overtrick.core.version import __version__
from overtrick.show.data.downloads import describe_boards
from overtrick.show.history.publications import list_published_results
from overtrick.show.html.html import render_site
from overtrick.show.html.session_page import ProblemRow, SessionPage
from tests.support.builders import frame
from tests.support.evaluating import evaluate
from tests.support.public import make_session_page
from tests.support.render_sample import DEALS, FACTS, PROBLEM, evening

ENGLISH = open_language("en")


def page(session: Session | None = None) -> SessionPage:
    return make_session_page(session or evening(), Config())


def test_the_head_of_the_page_says_what_was_played() -> None:
    assert ("Tuesday Pairs", "Millbrook", "2026-03-03", "3 March 2026", "Matchpoints", "3", "4") == (
        *(page().title, page().site, page().date, page().date_text, page().method, page().tables, page().board_count),
    )


def test_the_club_is_named_as_its_settings_say() -> None:
    assert (
        "Millbrook BC" == make_session_page(evening(), Config.model_validate({"club": {"name": "Millbrook BC"}})).club
    )


def test_without_an_event_the_place_is_the_title_and_is_not_said_twice() -> None:
    nameless = page(replace(evening(), facts=replace(FACTS, event=None)))
    assert ("Millbrook", "") == (nameless.title, nameless.site)


def test_without_anything_the_page_is_called_results() -> None:
    assert "Results" == page(Session()).title


def test_tables_are_counted_only_when_every_result_says_its_table() -> None:
    nowhere = evening().results.with_columns(table=pl.lit(None, dtype=pl.String))
    assert "" == page(replace(evening(), results=nowhere)).tables


def test_the_rules_of_the_scoring_are_readable() -> None:
    assert (("Compared within", "the whole session"), ("Line rounding", "exact")) == page().policies


def test_sources_are_named_with_the_beginning_of_their_hash() -> None:
    assert (("evening.pbn", "0123456789ab"),) == page().sources
    assert f"overtrick {__version__}" == page().generator


def test_problems_come_errors_first_without_private_folders() -> None:
    rows = [PROBLEM, {**PROBLEM, "severity": "error", "column": None, "source": "club/late/other.pbn"}]
    found = page(Session(problems=frame(PROBLEMS, rows))).problems
    assert [("error", "late/other.pbn:41"), ("warning", "evening.pbn:41:7")] == [
        (row.severity, row.place) for row in found
    ]


def test_a_problem_has_its_board_its_message_and_its_hint() -> None:
    assert (
        ProblemRow("warning", "evening.pbn:41:7", "3", "the hand of East is not given", "Enter the missing hand.")
        == page().problems[0]
    )


def test_an_empty_session_makes_an_empty_page() -> None:
    empty = page(Session())
    assert ((), (), (), (), "0") == (
        *(empty.rankings, empty.boards, empty.scorecards, empty.statistics, empty.board_count),
    )


def test_deals_alone_make_board_pages() -> None:
    deals = replace(Session(), records=evening().records, facts=Facts(event=FACTS.event))
    assert ["1", "2", "3", "4"] == [board.number for board in page(deals).boards]
    assert (True, False) == (page(deals).is_hand_record, page().is_hand_record)


RUBBER = """[Board ""]
[North "Ada"]
[East "Lena"]
[South "Ivo"]
[West "Tom"]
[Dealer "N"]
[Vulnerable "None"]
[Scoring "Rubber"]
[Declarer "N"]
[Contract "4S"]
[Result "10"]
"""
CARDS = '[Deal "N:T94.74.AKJ65.J42 KQ6.J3.T872.KQ97 J73.KT98.Q43.T63 A852.AQ652.9.A85"]'


@pytest.mark.parametrize("cards", ["", f"{CARDS}\n"])
def test_a_deal_of_a_score_sheet_has_a_page_where_its_cards_are_known(cards: str, tmp_path: Path) -> None:
    path = tmp_path / "rubber.pbn"
    path.write_text(RUBBER + cards)
    shown = page(evaluate([str(path)], Config()))
    files = {name: content.decode() for name, content in render_site(shown).items() if name.endswith(".html")}
    assert bool(cards) == ("deal-1/index.html" in files)
    assert [bool(cards)] * 2 == [
        any(f'"{up}deal-1/index.html"' in text for text in files.values()) for up in ("", "../")
    ]
    assert files["index.html"].index("score-sheet") < files["index.html"].index('class="ranking')
    (described,) = describe_boards(shown, {}, ENGLISH)
    assert ("deal-1/index.html" if cards else "index.html#sheets") == described["page"]


def test_of_thousands_of_equal_problems_the_first_are_listed_and_the_rest_counted() -> None:
    many = frame(PROBLEMS, [{**PROBLEM, "line": line} for line in range(1, 1203)])
    listed = page(replace(evening(), problems=many)).problems
    assert 1001 == len(listed)
    assert [f"overtrick does not list all problems {PROBLEM['code']} (not listed: 202)"] == [
        one.message for one in listed if "not list" in one.message
    ]


def two_evenings(folder: Path) -> Session:
    """Score board 1 of two evenings; the second has its deal in a file of its own, and a correction."""
    head = "event,date,scoring,round,table,board,ns,ew,contract,declarer,tricks"
    for day in (14, 7):
        lines = [
            f"Cup,2026.10.{day:02d},MP,{table},{table},1,{table},{table + 2},4S,N,{day - table}" for table in (1, 2)
        ]
        (folder / f"{day}.csv").write_text("\n".join([head, *lines]) + "\n", "utf-8")
    (folder / "14.pbn").write_text(f'% PBN 2.1\n[Board "1"]\n[Deal "{DEALS[0]}"]\n', "utf-8")
    entry = '[[corrections]]\nboard = 1\npair = "2"\ntricks = 9\nwhy = "typed wrongly"\n'
    (folder / "14.corrections.toml").write_text(entry, "utf-8")
    return evaluate([str(folder / name) for name in ("14.csv", "14.pbn", "7.csv")], Config(), total=True)


def test_boards_of_several_evenings_are_apart_and_name_their_evening(tmp_path: Path) -> None:
    page = make_session_page(two_evenings(tmp_path), Config())
    assert [("1-1", "1", "7 October 2026"), ("2-1", "1", "14 October 2026")] == [
        (board.number, board.stated, board.evening_title) for board in page.boards
    ]
    assert [2, 2] == [len(board.rows) for board in page.boards]
    assert ["1-1", "2-1"] == [row.board for row in page.scorecards[0].rows]
    assert "7 October – 14 October 2026" == page.date_text


def test_corrections_and_published_results_name_their_evening(tmp_path: Path) -> None:
    session = two_evenings(tmp_path)
    page = make_session_page(session, Config())
    assert ["2-1"] == [change.number for change in page.changes]
    assert [(1, 2), (2, 2)] == sorted(list_published_results(session)["evening"].value_counts().rows())
    assert [(1, 1), (2, 1)] == [(one["evening"], one["board"]) for one in describe_boards(page, {}, ENGLISH)]
