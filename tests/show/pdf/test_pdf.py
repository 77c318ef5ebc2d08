"""The PDF bulletin says what the page says, in order and literally, to eyes, to machines and to screen readers."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
import typst
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from pypdf.generic import DictionaryObject

from overtrick.show.html.session_page import SessionPage
from overtrick.show.pdf.documents import make_showable, open_fonts, render_pdf
from tests.support.pdf_sample import PASSED_OUT, sample_page
from tests.support.sweeps import some

HOSTILE = (
    "#panic()",
    '#include "/etc/passwd"',
    "$x^2$ *bold* _italic_ `raw` <label> @reference",
    "= heading",
    "- item",
    'a "quote" and a \\ backslash \\u{41}',
    "// comment /* comment */",
    "<script>alert(1)</script>",
    "dashes -- --- and dots ...",
    "https://example.org",
    "{{ 7 * 7 }} {% raw %} {# gone #}",
    "brackets ] ) } [ ( {",
)


def reader(page: SessionPage) -> PdfReader:
    return PdfReader(BytesIO(render_pdf(page)))


def pages_of(page: SessionPage) -> list[str]:
    return [one.extract_text() for one in reader(page).pages]


def text_of(page: SessionPage) -> str:
    return plain("\n".join(pages_of(page)))


def plain(text: str) -> str:
    """Take off what setting adds: line breaks and the places where long words may break."""
    return " ".join(text.replace("\u200b", "").split())


def with_title(title: str) -> SessionPage:
    return replace(sample_page(boards=0, tables=1), title=title)


def elements(pdf: PdfReader) -> Iterator[DictionaryObject]:
    """Walk the tags of a PDF in reading order."""
    root: Any = pdf.trailer["/Root"]
    waiting = [root["/StructTreeRoot"]]
    while waiting:
        element = waiting.pop(0).get_object()
        if not isinstance(element, DictionaryObject):
            continue
        if "/S" in element:
            yield element
        kids = element.get("/K", [])
        waiting[:0] = kids if isinstance(kids, list) else [kids]


def tags_of(pdf: PdfReader) -> list[str]:
    return [str(element["/S"]) for element in elements(pdf)]


# what it says


def test_the_front_page_says_what_was_played_where_and_who_won() -> None:
    page = sample_page(boards=4, tables=8)
    front = plain(pages_of(page)[0])
    for expected in ("Riverside Bridge Club", "Club evening", "1 March 2026 · Matchpoints · 8 tables · 4 boards"):
        assert expected in front
    for ranking in page.rankings:
        first = ranking.rows[0]
        assert f"Winners {ranking.title} {first.contestant.names} {first.percentage} %" in front


def test_a_ranking_is_in_order_with_place_number_names_and_points() -> None:
    page = sample_page(boards=4, tables=8)
    lines = [
        f"{row.rank} {row.contestant.id} {row.contestant.names} {row.total} {row.percentage}"
        for row in page.rankings[0].rows
    ]
    assert " ".join(lines) in text_of(page)


def test_boards_are_counted_for_each_pair_only_when_they_differ() -> None:
    page = sample_page(boards=0, tables=3)
    first, *others = page.rankings[0].rows
    uneven = replace(page.rankings[0], rows=(replace(first, boards="20"), *others))
    assert "Boards" not in text_of(page)
    assert "Boards" in text_of(replace(page, rankings=(uneven,)))


def test_a_board_shows_dealer_vulnerability_hands_and_points() -> None:
    page = sample_page(boards=3)
    text = text_of(page)
    for board in page.boards:
        assert f"Board {board.number} Dealer {board.dealer} Vul. {board.vulnerable}" in text
        for hand in board.hands:
            assert " ".join(f"{holding.symbol} {holding.ranks}" for holding in hand.suits) in text


def test_a_traveller_keeps_the_order_and_the_values_of_its_rows() -> None:
    page = sample_page(boards=1)
    lines = []
    for row in page.boards[0].rows:
        lead = f"{row.lead.symbol}{row.lead.rank}" if row.lead else ""
        scores = f"{row.score_ns or row.score_ew} {row.points_ns} {row.points_ew}"
        lines.append(f"{row.ns.id} {row.ew.id} {row.contract.text} {row.declarer} {lead} {row.result} {scores}")
    assert " ".join(lines) in text_of(page)


def test_a_pass_out_an_award_and_a_remark_are_in_their_rows() -> None:
    page = sample_page(boards=1, tables=2)
    passed, adjusted = (replace(row, declarer="", lead=None, result="") for row in page.boards[0].rows)
    passed = replace(passed, contract=PASSED_OUT, score_ns="0", score_ew="0")
    nothing = replace(PASSED_OUT, text="", spoken="")
    adjusted = replace(adjusted, contract=nothing, remark="Adjusted", score_ns="A+", score_ew="A−")
    text = text_of(replace(page, boards=(replace(page.boards[0], rows=(passed, adjusted)),)))
    assert "1 3 Pass 0 0" in text
    assert "2 4 Adjusted A+ A−" in text


def test_imps_come_with_their_datum_and_without_percentages() -> None:
    text = text_of(sample_page(boards=1, butler=True))
    assert "Datum +130" in text
    assert "IMP" in text
    assert "Names IMP 1" in text


def test_statistics_rules_and_generator_are_there() -> None:
    text = text_of(sample_page(boards=0))
    for expected in ("Slams made 9", "Ties: share the place", "overtrick 0.1.0", "Page 1 of 1"):
        assert expected in text


# what is not known leaves no hole


def test_a_session_without_deals_has_no_diagram() -> None:
    page = sample_page(boards=2, deals=False)
    assert "HCP" not in text_of(page)
    assert "/Figure" not in tags_of(reader(page))


def test_a_hand_that_is_not_known_is_named() -> None:
    page = sample_page(boards=1)
    north, east, south, west = page.boards[0].hands
    hands = (north, east, south, replace(west, suits=(), points=None))
    assert "West not known" in text_of(replace(page, boards=(replace(page.boards[0], hands=hands),)))


def test_a_board_without_number_dealer_and_vulnerability_says_nothing_of_them() -> None:
    page = sample_page(boards=1)
    board = replace(page.boards[0], number="", dealer="unknown", vulnerable="unknown")
    text = text_of(replace(page, boards=(board,)))
    assert "Board without a number" in text
    assert "Dealer" not in text
    assert "Vul." not in text


def test_a_traveller_without_leads_has_no_column_for_them() -> None:
    assert "Lead" in text_of(sample_page(boards=1))
    assert "Lead" not in text_of(sample_page(boards=1, leads=False))


def test_an_empty_session_is_still_a_document() -> None:
    page = replace(sample_page(boards=0, tables=1), title="", club="", rankings=(), statistics=(), policies=())
    assert "Results" in text_of(page)


# how it is laid out


@pytest.mark.slow
def test_a_page_holds_four_boards_of_22_tables() -> None:
    pages = pages_of(sample_page(boards=8, tables=22))
    assert [len(re.findall(r"^Board \d", text, re.MULTILINE)) for text in pages] == [0, 4, 4]


@pytest.mark.slow
def test_no_board_is_torn_apart_by_a_column_or_a_page() -> None:
    headings = text_of(sample_page(boards=12, tables=13)).count("Contract By Lead Result")
    assert headings == 12, "a traveller that goes on elsewhere repeats its headings"


@pytest.mark.slow
def test_a_traveller_longer_than_a_page_goes_on_with_its_headings() -> None:
    page = sample_page(boards=1, tables=150)
    text = text_of(page)
    assert "150 300" in text
    assert text.count("Contract By Lead Result") > 1


def test_a_field_of_140_pairs_reads_in_order() -> None:
    page = sample_page(boards=0, tables=70, one_field=True)
    text = text_of(page)
    places = [text.index(f"{row.contestant.names} {row.total} {row.percentage}") for row in page.rankings[0].rows]
    assert places == sorted(places)


def test_pairs_that_go_by_names_alone_are_written_out_in_the_traveller() -> None:
    page = sample_page(boards=1, tables=3, numbers=False)
    first = page.boards[0].rows[0]
    assert f"{first.ns.names} {first.ew.names} {first.contract.text}" in text_of(page)


def heights_of(page: SessionPage, words: str) -> list[float]:
    """Return how far down the first page the lines are that begin with these words, in points."""
    found = []

    def see(text: str, matrix: list[float], place: list[float], *_font: object) -> None:
        if text.startswith(words):
            found.append(matrix[1] * place[4] + matrix[3] * place[5] + matrix[5])

    reader(page).pages[0].extract_text(visitor_text=see)
    return sorted({round(900 - height, 1) for height in found})


def test_rows_of_a_traveller_are_apart_by_a_line_or_by_as_many_as_their_names_need() -> None:
    def gaps(name: str) -> list[float]:
        names = [f"pair {name}" for _ in range(8)]
        page = replace(sample_page(boards=1, tables=4, names=names, numbers=False), rankings=())
        return [low - high for high, low in pairwise(heights_of(page, "pair"))]

    lines = gaps("of wolves")
    assert max(lines) - min(lines) < 0.2
    assert min(gaps("of wolves " * 12)) > 4 * max(lines), "a name over seven lines"


# strangers' texts


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_comes_out_literally(name: str) -> None:
    page = sample_page(boards=1, tables=2, names=[name])
    assert text_of(page).count(name) == 2, "among the winners and in the ranking"


def test_a_name_of_300_characters_is_all_there() -> None:
    name = "Wolf" * 75
    assert name in text_of(sample_page(boards=0, tables=1, names=[name])).replace(" ", "")


def test_a_word_too_wide_for_its_column_breaks() -> None:
    [page] = pages_of(sample_page(boards=0, tables=1, names=["W" * 26]))
    assert [18, 8] == sorted({len(run) for run in re.findall("W+", page)}, reverse=True)[:2]


def test_a_word_breaks_sooner_in_the_narrow_columns_of_a_short_traveller() -> None:
    page = sample_page(boards=1, tables=2, names=["Featherstonehaughs"], numbers=False)
    traveller = pages_of(page)[0].partition("Dealer")[2]
    assert "Featherst" in traveller
    assert "Featherstonehaughs" not in traveller


def test_a_board_whose_names_fill_more_than_a_page_goes_on_overleaf() -> None:
    names = [f"pair{number} {'wolf ' * 60}" for number in range(1, 41)]
    page = replace(sample_page(boards=1, tables=20, names=names, numbers=False), rankings=())
    pages = pages_of(page)
    first, last = (next(i for i, text in enumerate(pages) if f"pair{number} " in text) for number in (1, 20))
    assert first < last


def test_a_board_with_a_long_name_keeps_it() -> None:
    page = sample_page(boards=1)
    name = "the one that was played again after the break"
    assert f"Board {name} Dealer" in text_of(replace(page, boards=(replace(page.boards[0], number=name),)))


def test_lines_controls_and_direction_marks_do_not_reach_the_page() -> None:
    assert make_showable("Ann\n= Berg\x00\u202e\u200b\tCarl\ud800") == "Ann = Berg Carl"


def test_letters_of_many_scripts_are_shown() -> None:
    names = "Bjørn Łukasz Őry Şahin Ưng Дмитро Ωμέγα אבי فاطمة გიო"
    assert make_showable(names) == names


def test_characters_without_a_font_become_replacement_characters() -> None:
    assert "Li � and �" in text_of(with_title("Li 𓀀 and 😀"))


def test_every_character_that_passes_has_a_glyph_upright_and_bold() -> None:
    everything = sorted({make_showable(chr(code)) for code in range(0x20, 0x30000)})
    source = b"""
        #set document(title: "All")
        #set text(font: "Libertinus Serif", lang: "en")
        #for one in json(bytes(sys.inputs.all)) [#one *#one*]
    """
    inputs = {"all": json.dumps(everything)}
    made = typst.compile(source, font_paths=open_fonts(), pdf_standards="ua-1", sys_inputs=inputs)
    assert made.startswith(b"%PDF")


@settings(max_examples=some(40), deadline=None)
@given(st.text(min_size=1, max_size=80))
def test_any_text_makes_a_document(text: str) -> None:
    page = replace(sample_page(boards=0, tables=1, names=[text]), title=text, club=text)
    assert render_pdf(page).startswith(b"%PDF")


# for machines and screen readers


@pytest.mark.slow
def test_the_same_page_gives_the_same_bytes_in_another_process() -> None:
    program = (
        "import sys; from tests.support.pdf_sample import sample_page;"
        "from overtrick.show.pdf.documents import render_pdf;"
        "sys.stdout.buffer.write(render_pdf(sample_page(boards=3)))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "PYTHONPATH": os.pathsep.join(sys.path)}
    other = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
    assert other.stdout == render_pdf(sample_page(boards=3))


@pytest.mark.parametrize(
    ("session", "epoch", "expected"),
    [
        ("2026-03-01", None, "D:20260301000000Z"),
        ("2026-03-01", "1700000000", "D:20231114000000Z"),
        ("", None, None),
        ("2026-02-30", None, None),
        ("2026-03-01", "yesterday", None),
    ],
)
def test_the_document_is_dated_by_the_build_else_by_the_session_never_by_the_clock(
    session: str, epoch: str | None, expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    if epoch is not None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    metadata = reader(replace(sample_page(boards=0, tables=1), date=session)).metadata
    assert metadata is not None
    assert metadata.get("/CreationDate") == expected


def test_the_document_says_its_title_its_language_and_that_it_is_tagged_for_accessibility() -> None:
    pdf = reader(sample_page(boards=1))
    root: Any = pdf.trailer["/Root"]
    assert pdf.metadata is not None
    assert pdf.metadata.title == "Club evening"
    assert root["/Lang"] == "en"
    assert {"/Marked": True} == root["/MarkInfo"]
    assert b"<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_data()


def test_a_diagram_is_read_out_hand_by_hand() -> None:
    page = sample_page(boards=2)
    figures = [str(element["/Alt"]) for element in elements(reader(page)) if str(element["/S"]) == "/Figure"]
    assert figures == [" ".join(hand.spoken for hand in board.hands) for board in page.boards]


def test_tables_have_header_cells_and_a_board_reads_heading_diagram_traveller() -> None:
    tags = tags_of(reader(sample_page(boards=1)))
    board = tags[tags.index("/Figure") - 2 :]
    assert [tag for tag in board if tag in {"/H1", "/Figure", "/Table", "/THead"}] == [
        "/H1",
        "/Figure",
        "/Table",
        "/THead",
    ]
    assert board.count("/TH") == 13


def test_boards_can_be_jumped_to() -> None:
    outline: Any = reader(sample_page(boards=3)).outline
    assert [entry.title for entry in outline][-3:] == ["Board 1", "Board 2", "Board 3"]


def test_every_font_is_embedded() -> None:
    for page in reader(sample_page(boards=1)).pages:
        resources: Any = page["/Resources"]
        for font in resources["/Font"].values():
            descriptor = font["/DescendantFonts"][0]["/FontDescriptor"]
            assert "/FontFile2" in descriptor or "/FontFile3" in descriptor
