"""The documents beside the bulletin: hand records, scorecards, travellers, and the recap within it."""

import re
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, get_args

import pytest
from pypdf import PdfReader

from overtrick.core.config import Config
from overtrick.core.config.site import Document
from overtrick.pipeline import publish
from overtrick.show.html.contestants import Hand, SuitHolding
from overtrick.show.html.field_contracts import DoubleDummy
from overtrick.show.html.session_page import SessionPage
from overtrick.show.pdf.documents import has_east_asian, make_showable, render_pdf, start_documents
from tests.show.pdf.test_pdf import HOSTILE, elements, plain, tags_of
from tests.support.commands import ROOT
from tests.support.evaluating import evaluate
from tests.support.pdf_sample import sample_page
from tests.support.public import make_session_page
from tests.support.render_sample import evening, large_evening
from tests.support.site_sample import pairs_evening, team_match

TRICKS = tuple((seat, ("9", "11", "10", "6", "7")) for seat in ("North", "South", "East", "West"))
TABLE = DoubleDummy(TRICKS, (), "4♠+1 N-S · N-S +450", "file")

NAMES = (
    *("bulletin.pdf", "hand-records.pdf", "hand-records-compact.pdf", "hand-records-large.pdf"),
    *("scorecards.pdf", "travellers.pdf"),
)


def documents(page: SessionPage) -> dict[str, bytes]:
    return {name: document.result() for name, document in start_documents(page).items()}


def test_a_club_makes_the_documents_that_it_wants(tmp_path: Path) -> None:
    assert {*NAMES} == {f"{name}.pdf" for name in get_args(Document)}
    for chosen, wanted in (
        ({}, ["bulletin", "hand-records"]),
        ({"documents": []}, []),
        ({"documents": ["bulletin", "hand-records-large"]}, ["bulletin", "hand-records-large"]),
    ):
        publish(evening(), tmp_path / "site", Config.model_validate({"site": chosen}))
        assert {f"{name}.pdf" for name in wanted} == {path.name for path in tmp_path.rglob("*.pdf")}


def page_of_evening() -> SessionPage:
    return make_session_page(evening(), Config())


def with_tables(page: SessionPage) -> SessionPage:
    return replace(page, boards=tuple(replace(board, double_dummy=(TABLE,)) for board in page.boards))


@cache
def evening_of_37() -> dict[str, bytes]:
    page = with_tables(sample_page(boards=37, tables=2))
    return documents(replace(page, scorecards=page_of_evening().scorecards))


def pages(pdf: bytes) -> list[str]:
    return [plain(page.extract_text()) for page in PdfReader(BytesIO(pdf)).pages]


def boards_a_page(pdf: bytes) -> list[int]:
    return [page.count("Dealer") for page in pages(pdf)]


# which there are


def test_an_evening_has_all_documents() -> None:
    assert set(NAMES) == set(evening_of_37())


def test_what_has_nothing_to_say_is_not_made() -> None:
    assert ["bulletin.pdf"] == list(documents(sample_page(boards=0, tables=1)))
    assert "hand-records.pdf" not in documents(sample_page(boards=1, tables=1, deals=False))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_each_is_tagged_dated_and_has_its_fonts_in_it(name: str) -> None:
    pdf = PdfReader(BytesIO(evening_of_37()[name]))
    root: Any = pdf.trailer["/Root"]
    assert b"<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_data()
    assert pdf.metadata is not None
    kind = {"hand": "Hand records · ", "scor": "Scorecards · ", "trav": "Travellers · "}.get(name[:4], "")
    stated = (pdf.metadata.title, pdf.metadata.get("/CreationDate"))
    assert (f"{kind}Club evening", "D:20260301000000Z") == stated
    fonts: Any = pdf.pages[0]["/Resources"]
    for font in fonts["/Font"].values():
        assert {"/FontFile2", "/FontFile3"} & set(font["/DescendantFonts"][0]["/FontDescriptor"])


def test_the_same_page_gives_the_same_bytes() -> None:
    page = sample_page(boards=3, tables=3)
    assert documents(page) == documents(page)


# hand records


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hand-records.pdf", [18, 18, 1]),
        ("hand-records-compact.pdf", [36, 1]),
        ("hand-records-large.pdf", [8, 8, 8, 8, 5]),
    ],
)
@pytest.mark.slow
def test_each_layout_has_its_number_of_boards_to_a_page(name: str, expected: list[int]) -> None:
    assert expected == boards_a_page(evening_of_37()[name])


def test_a_board_reads_in_order() -> None:
    page = with_tables(sample_page(boards=1, tables=1))
    (board,) = page.boards
    order = (board.hands[0], board.hands[3], board.hands[1], board.hands[2])
    hands = [" ".join(f"{suit.symbol} {suit.ranks}" for suit in hand.suits) for hand in order]
    (text,) = pages(documents(page)["hand-records.pdf"])
    places = [text.index(part) for part in (f"1 Dealer {board.dealer} Vul. None", *hands, "NT ♠ ♥ ♦ ♣")]
    assert places == sorted(places)
    assert "N 9 11 10 6 7 S 9 11 10 6 7 E" in text
    assert "Par 4♠+1 N-S N-S +450" in text


def test_the_hands_are_read_out() -> None:
    page = sample_page(boards=2, tables=1)
    pdf = PdfReader(BytesIO(documents(page)["hand-records.pdf"]))
    spoken = [str(element["/Alt"]) for element in elements(pdf) if str(element["/S"]) == "/Figure"]
    assert [" ".join(hand.spoken for hand in board.hands) for board in page.boards] == spoken


def test_a_hand_of_one_suit_and_a_board_without_cards_have_their_place() -> None:
    suit = SuitHolding("spades", "♠", "A K Q J 10 9 8 7 6 5 4 3 2", "all")
    voids = tuple(
        SuitHolding(name, sign, "—", "void") for name, sign in (("hearts", "♥"), ("diamonds", "♦"), ("clubs", "♣"))
    )
    page = sample_page(boards=2, tables=1)
    first, second = page.boards
    long = tuple(replace(hand, suits=(suit, *voids)) for hand in first.hands)
    unknown = replace(second, hands=(), number="", dealer="unknown", vulnerable="unknown")
    (text,) = pages(documents(replace(page, boards=(replace(first, hands=long), unknown)))["hand-records.pdf"])
    assert 4 == text.count("♠ A K Q J 10 9 8 7 6 5 4 3 2")
    assert "♥ —" in text
    assert "Board without a number The cards of this board are not known." in text


# scorecards


def test_every_contestant_has_a_sheet_with_the_boards_as_played() -> None:
    page = page_of_evening()
    sheets = pages(documents(page)["scorecards.pdf"])
    cards = [card for card in page.scorecards if card.rows]
    assert len(cards) == 2 * len(sheets)
    for place, card in enumerate(cards):
        sheet = sheets[place // 2]
        assert f"{card.contestant.number} {card.contestant.names}" in sheet
        for row in card.rows:
            expected = (row.board, row.opponents.number, row.opponents.names, row.contract.text or row.remark)
            assert " ".join(filter(None, expected)) in sheet


@pytest.mark.slow
def test_cards_with_many_boards_have_a_sheet_each() -> None:
    page = make_session_page(large_evening(boards=40, tables=3), Config())
    sheets = pages(documents(page)["scorecards.pdf"])
    assert len(page.scorecards) == len(sheets)


@pytest.mark.slow
def test_below_the_results_are_the_best_and_the_worst_board_with_their_deals() -> None:
    page = make_session_page(evaluate(["fixtures/club-evening.pbn"], Config()), Config())
    sheets = pages(documents(page)["scorecards.pdf"])
    cards = [card for card in page.scorecards if card.rows]
    assert len(cards) == 2 * len(sheets)
    hands, found = {board.number: board.hands for board in page.boards}, []
    for place, card in enumerate(cards):
        own = page.own[card.contestant.page]
        for title, numbers in (("Best board", own.best), ("Worst board", own.worst)):
            # Where more than three boards share the score, none is named.
            if number := numbers.partition(", ")[0]:
                longest = max((suit.ranks for suit in hands[number][0].suits), key=len)
                assert f"{title} {number}" in sheets[place // 2]
                assert longest in sheets[place // 2]
                found.append(number)
    assert len(found) > len(cards)


def test_a_card_ends_with_its_total_and_shows_the_running_score() -> None:
    page = page_of_evening()
    sheet = pages(documents(page)["scorecards.pdf"])[0]
    assert f"Total {page.scorecards[0].total} MP" in sheet
    assert "Running" in sheet


def test_tops_and_bottoms_are_named_in_words() -> None:
    page = page_of_evening()
    marks = [row.mark for card in page.scorecards for row in card.rows if row.mark]
    text = " ".join(pages(documents(page)["scorecards.pdf"]))
    assert (marks.count("top"), marks.count("bottom")) == (text.count(" top"), text.count(" bottom"))
    assert marks


# travellers


def test_a_traveller_names_the_players() -> None:
    page = page_of_evening()
    text = " ".join(pages(documents(page)["travellers.pdf"]))
    for board in page.boards:
        for row in board.rows:
            if row.ew.id:
                assert f"{row.ns.number} {row.ns.names} {row.ew.number} {row.ew.names}" in text


@pytest.mark.slow
def test_a_page_holds_three_boards_of_20_tables() -> None:
    page = make_session_page(large_evening(boards=8, tables=20), Config())
    assert [2, 3, 3] == boards_a_page(documents(page)["travellers.pdf"])


# the recap


def test_the_recap_is_at_the_end_of_the_bulletin_in_per_cent() -> None:
    page = page_of_evening()
    first = page.recaps[0].rows[0]
    last = pages(render_pdf(page))[-1]
    assert "Recap sheet: North-South, per cent" in last
    assert f"{first.contestant.id} {first.contestant.names} 100 100 100 {first.total}" in last


def test_the_recap_of_imps_shows_imps() -> None:
    config = Config.model_validate({"scoring": {"method": "butler"}})
    page = make_session_page(evaluate(["fixtures/spring-pairs.csv"], config), config)
    last = pages(render_pdf(page))[-1]
    assert "Recap sheet: North-South, IMP" in last
    assert " ".join(cell.text for cell in page.recaps[0].rows[0].cells) in last


@pytest.mark.slow
def test_small_fields_share_the_page_of_the_recap() -> None:
    (sheet,) = [text for text in pages(render_pdf(page_of_evening())) if "Recap sheet" in text]
    assert "Recap sheet: East-West" in sheet


@pytest.mark.slow
def test_more_boards_than_fit_abreast_go_on_overleaf() -> None:
    page = make_session_page(large_evening(boards=40, tables=22), Config())
    sheets = [text for text in pages(render_pdf(page)) if "Recap sheet" in text]
    assert [True, False, True, False] == [" 36 " in text.partition("Total")[0] for text in sheets]


# what happened at the tables


def bulletin_text(tmp_path: Path, text: str) -> str:
    (tmp_path / "evening.pbn").write_text(text, "utf-8")
    session = evaluate([str(tmp_path / "evening.pbn")], Config())
    return " ".join(pages(render_pdf(make_session_page(session, Config()))))


def test_a_board_of_the_bulletin_shows_auction_explanations_and_play(tmp_path: Path) -> None:
    text = bulletin_text(tmp_path, pairs_evening(1, 1))
    assert re.search(
        "West Ann Vale A. North Bo Lind A. East Cy Marsh A. South Di Holm A. 1\u2660 ?1 Pass 2\u2660", text
    )
    assert "1 five \u2660 or more" in text
    assert re.search(r"Play 1 .* 2 .* 13 ", text)


def test_both_rooms_of_a_match_are_shown(tmp_path: Path) -> None:
    text = bulletin_text(tmp_path, team_match())
    assert [2, 2] == [len(re.findall(f"{room} Room \u00b7", text)) for room in ("Open", "Closed")]
    assert re.search(r"Round 1 Team Opponents Boards IMP Reds Blues 2 [+\u22120-9]+ : ", text)


def test_teams_whose_pairs_nobody_named_have_cards_of_their_matches() -> None:
    config = Config.model_validate({"scoring": {"method": "teams"}})
    page = make_session_page(evaluate([str(ROOT / "fixtures" / "team-match.csv")], config), config)
    cards = pages(documents(page)["scorecards.pdf"])
    assert ["Owls", "Larks"] == [re.findall(r"Round 1: against (\w+)", card)[0] for card in cards]


def test_replays_of_too_many_tables_are_left_out(tmp_path: Path) -> None:
    assert "Play 1" not in bulletin_text(tmp_path, pairs_evening(1, 3))


@pytest.mark.slow
def test_commentary_is_with_its_board(tmp_path: Path) -> None:
    signed = pairs_evening(1, 1).replace("{secret chat}", '[Annotator "Kay Wells"]\n{A hand to remember.}')
    assert "A hand to remember." in bulletin_text(tmp_path, signed)
    assert "secret" not in bulletin_text(tmp_path, pairs_evening(1, 1))


# double dummy in the bulletin


def test_a_board_of_the_bulletin_shows_tricks_and_par() -> None:
    page = with_tables(sample_page(boards=1, tables=2))
    text = " ".join(pages(render_pdf(page)))
    assert "NT ♠ ♥ ♦ ♣ N 9 11 10 6 7 S 9" in text
    assert "Par 4♠+1 N-S · N-S +450" in text
    assert 1 == tags_of(PdfReader(BytesIO(documents(page)["hand-records.pdf"]))).count("/THead")


def test_par_without_a_table_is_shown_too() -> None:
    (board,) = sample_page(boards=1, tables=1).boards
    alone = replace(board, double_dummy=(DoubleDummy((), (), "N-S −110", "file"),))
    text = " ".join(pages(render_pdf(replace(sample_page(boards=1, tables=1), boards=(alone,)))))
    assert "Par N-S −110" in text
    assert "NT ♠ ♥ ♦ ♣" not in text


# strangers' texts


@pytest.mark.parametrize("names", [HOSTILE[:6], HOSTILE[6:]])
@pytest.mark.slow
def test_hostile_names_come_out_literally_in_all_documents(names: tuple[str, ...]) -> None:
    pairs = ("1", "2", "3", "11", "12", "13")
    made = documents(make_session_page(evening(dict(zip(pairs, names, strict=True))), Config()))
    for document in ("bulletin.pdf", "scorecards.pdf", "travellers.pdf"):
        text = " ".join(pages(made[document]))
        assert [] == [name for name in names if name not in text], document


@pytest.mark.skipif(not has_east_asian(), reason="the extra cjk is not installed")
def test_names_in_chinese_japanese_and_korean_print() -> None:
    name = "王小明 – 山田 たかし – 김철수"
    assert name in plain(" ".join(pages(render_pdf(sample_page(boards=1, tables=2, names=[name])))))


@pytest.mark.skipif(has_east_asian(), reason="the extra cjk is installed")
def test_without_the_extra_they_become_replacement_characters() -> None:
    assert "\N{REPLACEMENT CHARACTER}" * 3 == make_showable("王小明")


def unknown_hand(hand: Hand) -> Hand:
    return replace(hand, suits=(), points=None)


def test_a_board_of_which_some_hands_are_known_shows_these() -> None:
    page = sample_page(boards=1, tables=1)
    (board,) = page.boards
    partly = replace(board, hands=tuple(unknown_hand(hand) for hand in board.hands[:3]) + board.hands[3:])
    (text,) = pages(documents(replace(page, boards=(partly,)))["hand-records.pdf"])
    assert "North not known" in text
    assert "West not known" not in text
