"""Inherited values (PBN 4.8)."""

import pytest

from overtrick.files.formats import base
from tests.support.reading import codes, pbn


def test_a_hash_repeats_the_value_before() -> None:
    assert ["x", "x", "x"] == pbn('[Event "x"]\n\n[Event "#"]\n\n[Event "#"]\n').records["event"].to_list()


def test_two_hashes_hold_until_another_value() -> None:
    text = '[Event "##x"]\n\n[Board "2"]\n\n[Event "y"]\n\n[Board "4"]\n\n[Event "##"]\n\n[Board "6"]\n'
    assert ["x", "x", "y", "x", None, None] == pbn(text).records["event"].to_list()


def test_a_hash_with_nothing_before_is_unknown_and_named() -> None:
    reading = pbn('[Event "#"]\n[Board "1"]\n')
    assert [None] == reading.records["event"].to_list()
    assert [("pbn-inherit-nothing", 1, 1)] == reading.problems.select("code", "line", "column").rows()


def test_a_deal_is_never_inherited_by_a_hash() -> None:
    reading = pbn('[Dealer "N"]\n\n[Dealer "#"]\n')
    assert ["N", None] == reading.records["dealer"].to_list()
    assert ["pbn-inherit-forbidden"] == codes(reading.problems)


def test_a_table_inherits_its_header() -> None:
    text = '[Board "1"]\n[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result"]\n1 2 1NT N 7\n\n'
    again = '[Board "2"]\n[ScoreTable "#"]\n3 4 2S E 8\n'
    assert ["1", "3"] == pbn(text + again).results["ns"].to_list()


def test_the_second_room_plays_the_board_before() -> None:
    deal = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"
    board = f'[Board "7"]\n[Dealer "S"]\n[Vulnerable "All"]\n[Deal "{deal}"]\n'
    first = f'{board}[Declarer "S"]\n[Contract "2H"]\n[Result "8"]\n'
    second = '[West "Nuna"]\n[Declarer "E"]\n[Contract "1S"]\n[Result "7"]\n'
    reading = pbn(f"{first}\n{second}")
    assert [(7, "S", "All", deal)] * 2 == reading.records.select("board", "dealer", "vulnerable", "deal").rows()
    assert ["pbn-board-left-out"] == codes(reading.problems)


def test_a_lone_contract_is_not_given_the_board_before() -> None:
    assert [1, None] == pbn('[Board "1"]\n[Deal "N:- - - A..."]\n\n[Contract "Pass"]\n').records["board"].to_list()


def test_tags_of_the_standard_stay_where_a_file_has_more_tags_than_it_may_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [f'[Made{number} "x"]\n' for number in range(200)]
    monkeypatch.setitem(base.MOST_PER_FILE, "cells", (20_000, ""))
    session = pbn("\n".join([*games, '[Board "7"]\n']))
    assert session.records["board"].drop_nulls().to_list() == [7]
    # 201 games may have 99 columns each; what has none is still kept as it is written.
    assert len(session.items.filter(name="Made199")) == 1
