"""Which entry belongs to which game (PBN 3)."""

import polars as pl
import pytest

from tests.support.reading import codes, pbn


def test_an_empty_line_ends_a_game() -> None:
    assert [1, 2] == pbn('[Board "1"]\n \t\n[Board "2"]\n').records["board"].to_list()


def test_an_empty_line_in_a_comment_does_not() -> None:
    assert 1 == len(pbn('[Board "1"]\n{ a\n\nb }\n[Dealer "N"]\n').records)


def test_escapes_and_comments_alone_are_no_game() -> None:
    assert 1 == len(pbn('% PBN 2.1\n\n{ none }\n\n[Board "1"]\n').records)


def test_boards_merged_without_an_empty_line_are_two_games() -> None:
    text = '[Event "x"]\n[Board "1"]\n[Dealer "N"]\n[Event "x"]\n[Board "2"]\n[Dealer "E"]\n[Board "3"]\n'
    records = pbn(text).records
    assert [1, 2, 3] == records["board"].to_list()
    assert ["x", "x", None] == records["event"].to_list()
    assert ["N", "E", None] == records["dealer"].to_list()


def test_an_auction_and_a_play_belong_to_the_game_that_an_empty_line_parts_them_from() -> None:
    text = '[Board "1"]\n[Dealer "N"]\n\n[Auction "N"]\nAP\n[Note "1:x"]\n\n \n[Play "E"]\n*\n[Note "1:y"]\n\n'
    records = pbn(f'{text}{{of the next}}\n[Board "2"]\n').records
    assert [(1, 4, "*"), (2, None, None)] == records.select("board", pl.col("calls").list.len(), "play_end").rows()


@pytest.mark.parametrize("other", ['[Auction "N"]\n[Dealer "N"]', '[Auction "N"]\nAP\n[Board "2"]'])
def test_an_auction_with_a_board_of_its_own_is_a_game(other: str) -> None:
    assert 2 == len(pbn(f'[Board "1"]\n[Dealer "N"]\n\n{other}\n').records)


def test_a_second_auction_is_a_game() -> None:
    assert 2 == len(pbn('[Dealer "N"]\n[Auction "N"]\nAP\n\n[Auction "N"]\nAP\n').records)


def test_an_auction_of_nothing_dealt_is_a_game() -> None:
    assert 2 == len(pbn('[Site "x"]\n\n[Auction "N"]\nAP\n').records)


def test_text_after_the_last_game_is_named() -> None:
    reading = pbn('[Board "1"]\n\nGenerated 40 hands\nTime needed 0.1 sec\n')
    assert ["stray-text"] == codes(reading.problems)
    assert ["tag", "stray"] == reading.items["kind"].to_list()


def test_text_below_a_tag_without_section_is_named() -> None:
    reading = pbn('[Result "9"]\nbad characters\n')
    assert [("stray-text", 2)] == reading.problems.select("code", "line").rows()


def test_a_private_section_is_kept_without_complaint() -> None:
    reading = pbn('[MyTable "A;B"]\n1 2\n3 4\n')
    assert [] == codes(reading.problems)
    assert [("tag", "MyTable", "A;B"), ("section", "MyTable", "1 2\n3 4")] == (
        reading.items.select("kind", "name", "text").rows()
    )


def test_a_section_holds_the_comments_between_its_lines_and_no_others() -> None:
    reading = pbn('[Auction "N"] {before}\n1C {in} Pass\n% in too\nAP\n{after}\n')
    assert ["N", "{before}", "1C {in} Pass\n% in too\nAP", "{after}"] == reading.items["text"].to_list()
    assert ["tag", "comment", "section", "comment"] == reading.items["kind"].to_list()


def test_a_comment_right_behind_a_section_is_kept() -> None:
    assert ["N", "1C ", "; of 1C"] == pbn('[Auction "N"]\n1C ; of 1C\n').items["text"].to_list()


def test_a_tag_that_stands_twice_counts_once() -> None:
    reading = pbn('[Site "Here"]\n[Site "There"]\n')
    assert ["Here"] == reading.records["site"].to_list()
    assert [("pbn-tag-repeated", 2)] == reading.problems.select("code", "line").rows()


def test_a_comment_that_is_never_closed_hides_no_other_game() -> None:
    text = '[Board "1"]\n{ the director was called\n[Dealer "N"]\n\n[Board "2"]\n\n[Board "3"]\n}\n\n[Board "4"]\n'
    reading = pbn(text)
    assert [1, 2, 3, 4] == reading.records["board"].to_list()
    assert ["pbn-comment-unclosed", "stray-text"] == codes(reading.problems)


def test_a_comment_around_whole_games_is_named_with_them() -> None:
    reading = pbn('[Board "1"]\n\n{\n[Board "2"]\n\n[Board "3"]\n}\n\n[Board "4"]\n')
    assert [1, 4] == reading.records["board"].to_list()
    assert [("pbn-comment-games", 3, "this comment hides games (number: 2; boards: 2, 3)")] == (
        reading.problems.select("code", "line", "message").rows()
    )


def test_private_tags_after_an_empty_line_belong_to_the_game_above() -> None:
    text = '[Board "1"]\n[Dealer "N"]\n\n[BCFlags "1f"]\n\n[Mine "x"]\n\n[Auction "N"]\nAP\n\n[Board "2"]\n'
    records = pbn(text).records
    assert [(1, 4), (2, None)] == records.select("board", pl.col("calls").list.len()).rows()


def test_private_tags_of_no_game_are_games() -> None:
    assert 3 == len(pbn('[Mine "x"]\n\n[Mine "y"]\n\n[Board "1"]\n').records)
