"""PBN written as it was read."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.frames import Session
from overtrick.files.formats.pbn.write.export import text_as_read
from tests.support.deals import free_pbn, pbn, random_boards
from tests.support.pbn_texts import odd_texts, session, sound_games
from tests.support.reading import FIXTURES

FRAMES = ("items", "records", "annotations", "results", "contestants")


def content(frame: pl.DataFrame) -> list[dict[str, object]]:
    """Give the rows of a frame without their places."""
    return frame.drop("source", "line", "column", strict=False).to_dicts()


def assert_same(expected: Session, got: Session) -> None:
    for name in FRAMES:
        assert content(getattr(expected, name)) == content(getattr(got, name)), name


def kept(text: str) -> str:
    """Read a text and write it again."""
    return text_as_read(session(text))


def assert_kept(text: str) -> None:
    read = session(text)
    written = text_as_read(read)
    again = session(written)
    assert_same(read, again)
    assert written == text_as_read(again)


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.pbn")), ids=lambda path: path.stem)
def test_our_files_come_back(path: Path) -> None:
    assert_kept(path.read_text("utf-8"))


def test_a_plain_file_comes_back_to_the_letter() -> None:
    text = pbn(random_boards(12))
    assert text == kept(text)


def test_a_file_in_export_form_keeps_its_line_ends() -> None:
    text = '% PBN 2.1\r\n% EXPORT\r\n\r\n[Board "1"]\r\n{so\r\nit was}\r\n'
    assert text == kept(text)


def test_brackets_that_stand_apart_stay_apart() -> None:
    assert_kept('] ]\n[Board "1"] ] } ]\n')


def test_games_in_free_form_come_back() -> None:
    assert_kept(free_pbn(random_boards(40, seed=3), seed=4))


@given(sound_games())
@pytest.mark.slow
def test_whatever_the_import_form_allows_comes_back(text: str) -> None:
    assert_kept(text)


@pytest.mark.parametrize("text", [";\n\n", "; a\n", "%\n", " \n;\n", '{a}\n[Board "1"]\n'])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.sweep(3)
def test_a_text_of_comments_alone_is_the_same_in_every_encoding(text: str, encoding: str) -> None:
    assert_same(session(text * 9), session((text * 9).encode(encoding)))


@given(
    sound_games(), st.sampled_from(["utf-8-sig", "utf-16", "latin-1"]), st.sampled_from(["\n", "\r\n", "\r", "\r\r\n"])
)
@pytest.mark.slow
def test_a_text_is_the_same_in_every_encoding_and_with_every_line_end(text: str, encoding: str, end: str) -> None:
    assert_same(session(text), session(text.replace("\n", end).encode(encoding)))


def test_stray_lines_that_an_empty_line_parts_stay_apart() -> None:
    assert_kept('[Dealer ""]\n\nabc\n\nabc\n[Auction "N"]\n')


def test_what_shares_a_line_shares_it_again() -> None:
    text = '[Event "x"]  ; said of the event\n  [Board "1"] [Dealer "N"]{first}\n[Auction "N"]\t1C {a} 1D ; b\n'
    assert text == kept(text)


def test_tags_are_spelled_in_one_way() -> None:
    assert '[Event "x"]\n[Board "1"]\n' == kept('[ Event\n"x" ]\n[Board"1"]\n')


@pytest.mark.parametrize(
    "value", [r"say \"Pass\"", r"back\\", r"C:\rolls", r"\\\\", r"\\\"", r"PairId_NS\4R;Contract\5L", r"\\\a"]
)
def test_backslashes_and_quotes_in_values_come_back(value: str) -> None:
    text = f'[Event "{value}"]\n'
    read = session(text)
    assert read.records["event"].to_list() == session(text_as_read(read)).records["event"].to_list()


def test_a_table_header_is_not_given_more_backslashes() -> None:
    text = '[ScoreTable "PairId_NS\\4R;Contract\\5L"]\n   1 3NT\n'
    assert text == kept(text)


def test_what_stands_outside_games_keeps_its_place() -> None:
    text = '% PBN 2.1\n% by hand\n\n{before\n\nall}\n\n[Board "1"]\n\n; between\n\n% two\n\n[Board "2"]\n\nthe end\n'
    assert text == kept(text)


def test_games_that_were_run_together_are_parted() -> None:
    assert '[Board "1"]\n\n[Board "2"]\n' == kept('[Board "1"]\n[Board "2"]\n')
    assert '[Board "1"]\n\n[Board "2"]\n' == kept('[Board "1"]\n\n \n\n[Board "2"]\n\n\n')


def test_what_was_never_closed_is_closed() -> None:
    text = '[Event Random Deal #]\n[North "Ada]\n{and so\n[Board "1"]\n'
    assert '[Event "Random Deal #"]\n[North "Ada"]\n{and so}\n[Board "1"]\n' == kept(text)


def test_section_text_that_begins_with_a_percent_sign_is_not_hidden() -> None:
    read = session('[Foo\n"x"]%50 %60\n')
    assert ["%50 %60"] == session(text_as_read(read)).items.filter(pl.col("kind") == "section")["text"].to_list()


def closed(item: dict[str, object]) -> dict[str, object]:
    text = str(item["text"]).rstrip("\n")
    return {**item, "text": f"{text}}}"} if item["kind"] == "comment" and text[0] == "{" and text[-1] != "}" else item


@given(odd_texts())
@pytest.mark.slow
def test_slips_lose_nothing_either(text: str) -> None:
    read = session(text)
    written = text_as_read(read)
    again = session(written)
    assert [closed(item) for item in content(read.items)] == content(again.items)
    assert content(read.records) == content(again.records)
    assert written == text_as_read(again)


def test_nothing_gives_nothing() -> None:
    assert "" == text_as_read(Session())
