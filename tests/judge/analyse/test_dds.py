"""The solver's library, compared with endplay's own binding of it."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from overtrick.core.bridge.cards import CARDS, SEATS, STRAINS, UNKNOWN, held, owners
from overtrick.judge.analyse import dds, solver
from tests.benchmarks.solving import plays_of
from tests.support.deals import Board, pbn, random_boards
from tests.support.endplay import import_endplay
from tests.support.pbn_texts import session
from tests.support.sweeps import ALL

pytestmark = pytest.mark.skipif(dds.library() is None, reason="the extra dd is not installed")

BOARDS = [board for board in random_boards(4, seed=11) if board.contract]


@pytest.fixture(scope="module")
def deals() -> list[str]:
    return session(pbn(BOARDS)).records["deal"].to_list()


def strain_and_leader() -> tuple[Any, Any]:
    contracts = [board.contract for board in BOARDS if board.contract]
    leaders = [board.leader or 0 for board in BOARDS]
    return np.array([one.strain for one in contracts], np.uint8), np.array(leaders, np.uint8)


def denomination(strain: int) -> Any:
    return import_endplay("endplay.types").Denom.find(STRAINS[strain])


@pytest.mark.slow
def test_tables_are_those_of_the_binding(deals: list[str]) -> None:
    types, solve = import_endplay("endplay.types"), import_endplay("endplay.dds").calc_dd_table
    some = deals if ALL else deals[:2]
    for deal, tricks in zip(some, dds.solve_tables(held(pl.Series(some))), strict=True):
        table = solve(types.Deal(deal))
        expected = [table[denomination(strain), types.Player.find(seat)] for seat in SEATS for strain in range(5)]
        assert expected == tricks.tolist()


@pytest.mark.slow
def test_leads_are_those_of_the_binding(deals: list[str]) -> None:
    types, solve = import_endplay("endplay.types"), import_endplay("endplay.dds").solve_board
    strain, leader = strain_and_leader()
    found = dds.solve_cards(held(pl.Series(deals)), strain, leader, np.full((len(deals), 3), UNKNOWN, np.uint8))
    for n, deal in enumerate(deals):
        board = types.Deal(deal, first=types.Player.find(SEATS[leader[n]]), trump=denomination(strain[n]))
        expected = {str(card).replace("10", "T"): tricks for card, tricks in solve(board)}
        named = {CARDS[card]: tricks for card, tricks in enumerate(found[n].tolist()) if tricks != UNKNOWN}
        assert {ascii_card(card): tricks for card, tricks in expected.items()} == named


def ascii_card(card: str) -> str:
    return card.translate(str.maketrans("♠♥♦♣", "SHDC"))


def test_plays_are_those_of_the_binding(deals: list[str]) -> None:
    types, analyse_play = import_endplay("endplay.types"), import_endplay("endplay.dds").analyse_play
    strain, leader = strain_and_leader()
    cards = np.full((len(deals), 52), UNKNOWN, np.uint8)
    for row, board in zip(cards, BOARDS, strict=True):
        played = in_order(board)
        row[: len(played)] = played
    found = dds.solve_plays(held(pl.Series(deals)), strain, leader, cards)
    for n, deal in enumerate(deals):
        board = types.Deal(deal, first=types.Player.find(SEATS[leader[n]]), trump=denomination(strain[n]))
        expected = list(analyse_play(board, [CARDS[card] for card in cards[n] if card != UNKNOWN]))
        assert expected == found[n][: len(expected)].tolist()


def in_order(board: Board) -> list[int]:
    """Return the cards of a board in the order in which they were played; its rows are by seat."""
    opening = board.leader or 0
    leaders = [opening, *board.winners]
    return [
        row[(leaders[trick] + turn - opening) % 4] for trick, row in enumerate(board.rows) for turn in range(len(row))
    ]


def test_a_play_against_the_laws_is_an_error_and_not_a_number(deals: list[str]) -> None:
    cards = np.full((1, 52), UNKNOWN, np.uint8)
    cards[0, :2] = 0
    with pytest.raises(dds.SolverError):
        dds.solve_plays(held(pl.Series(deals[:1])), np.zeros(1, np.uint8), np.zeros(1, np.uint8), cards)


@pytest.mark.slow
def test_recorded_plays_are_those_of_the_binding() -> None:
    """Tables, leads and traces of 4 deals at five tables each, or of 200."""
    types, binding = import_endplay("endplay.types"), import_endplay("endplay.dds")
    plays = plays_of(*((200, 1) if ALL else (4, 5)))
    tables = solver.solve(list({deal for deal, *_ in plays}))
    for deal, table in tables.items():
        solved = binding.calc_dd_table(types.Deal(deal))
        assert list(table) == [
            solved[denomination(strain), types.Player.find(seat)] for seat in SEATS for strain in range(5)
        ]
    traces = solver.solve_plays(list(dict.fromkeys(solver.play_key(*play) for play in plays)))
    for play in plays:
        deal, strain, leader, cards = play
        board = types.Deal(deal, first=types.Player.find(SEATS[leader]), trump=denomination(strain))
        leads = {ascii_card(str(card).replace("10", "T")): tricks for card, tricks in binding.solve_board(board)}
        trace = traces[solver.play_key(*play)]
        assert (13 - max(leads.values()), 13 - leads[CARDS[cards[0]]]) == (trace[0], trace[1])
        expected = list(binding.analyse_play(board, [CARDS[card] for card in cards]))
        assert expected == list(trace[: len(expected)])


def test_without_a_library_nothing_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dds, "LIBRARIES", (("no_such_package", "."),))
    dds.library.cache_clear()
    assert dds.library() is None
    dds.library.cache_clear()


def test_best_cards_give_up_nothing_at_any_place_of_a_trick(deals: list[str]) -> None:
    strain, leader = strain_and_leader()
    cards = np.full((len(deals), 52), UNKNOWN, np.uint8)
    for row, board in zip(cards, BOARDS, strict=True):
        played = in_order(board)
        row[: len(played)] = played
    found = dds.solve_plays(held(pl.Series(deals)), strain, leader, cards)
    holders = owners(pl.Series(deals))
    for n, deal in enumerate(deals[:3]):
        for place in range(8):
            if cards[n, place] == UNKNOWN:
                break
            turn = holders[n, cards[n, place - place % 4]]
            key = solver.play_key(deal, int(strain[n]), int(turn), cards[n, :place].tobytes())
            best = solver.solve_best_cards([key])[key]
            assert {int(holders[n, card]) for card in best} == {int(holders[n, cards[n, place]])}
            gave_up = found[n, place] != found[n, place + 1]
            assert gave_up == (cards[n, place] not in best)
