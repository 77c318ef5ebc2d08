"""Double-dummy tricks and par in the PBN of a scored session."""

import numpy as np
import polars as pl

from overtrick.core.frames import Session
from overtrick.files.formats.pbn.write import scored_pbn
from overtrick.files.formats.pbn.write.scored import add_tables
from overtrick.judge.analyse import Solver, analyse
from tests.support.pbn_texts import DEAL, session

GAME = (
    f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{DEAL}"]\n[Declarer "S"]\n[Contract "5H"]\n[Result "9"]\n'
)
TRICKS = bytes([*(0, 1, 2, 3, 4), *(13, 12, 11, 10, 9), *(0, 1, 2, 3, 4), *(13, 12, 11, 10, 9)])
"""Of declarer N, E, S and W, each in clubs, diamonds, hearts, spades and no trumps."""


def solving(tricks: bytes) -> Solver:
    return lambda deals: dict.fromkeys(deals, tricks)


def written(text: str, solver: Solver | None) -> Session:
    return session(scored_pbn(analyse(session(text), solver)).content)


def test_solved_tricks_are_written_declarer_by_declarer() -> None:
    rows = written(GAME, solving(TRICKS)).items.filter(kind="section", name="OptimumResultTable")["text"].to_list()
    assert ["N NT  4", "N  S  3", "N  H  2", "N  D  1", "N  C  0", "E NT  9"] == rows[0].split("\n")[:6]
    assert 20 == len(rows[0].split("\n"))


def test_what_is_written_is_read_as_the_same_tricks_and_par() -> None:
    known = analyse(session(GAME), solving(TRICKS)).double_dummy
    again = analyse(written(GAME, solving(TRICKS))).double_dummy
    assert known.select("deal", "tricks", "par_ns").equals(again.select("deal", "tricks", "par_ns"))


def test_par_is_stated_for_the_side_that_has_it() -> None:
    stated = written(GAME, solving(TRICKS)).items.filter(kind="tag", name="OptimumScore")["text"].to_list()
    (par,) = analyse(session(GAME), solving(TRICKS)).double_dummy["par_ns"]
    assert par < 0
    assert [f"EW {-par}"] == stated


def test_digits_of_a_private_tag_become_the_table_of_the_standard() -> None:
    digits = "9ba67" * 2 + "42376" * 2
    again = written(f'{GAME}[DoubleDummyTricks "{digits}"]\n', None).items
    rows = again.filter(kind="section", name="OptimumResultTable")["text"].to_list()
    assert ["N NT  9", "N  S 11", "N  H 10", "N  D  6", "N  C  7"] == rows[0].split("\n")[:5]
    assert [digits] == again.filter(name="DoubleDummyTricks")["text"].to_list()


def test_a_table_that_the_file_states_stays() -> None:
    text = f'{GAME}[OptimumResultTable "Declarer;Denomination;Result"]\nN NT 7\n'
    items = written(text, solving(TRICKS)).items.filter(kind="section", name="OptimumResultTable")
    assert ["N NT 7"] == items["text"].to_list()


def test_tricks_that_are_not_known_are_question_marks() -> None:
    part = np.frombuffer(TRICKS, dtype=np.uint8).copy()
    part[1:] = 255
    known = analyse(session(GAME), solving(TRICKS))
    table = known.double_dummy.with_columns(pl.Series("tricks", [part.tolist()], dtype=pl.Array(pl.UInt8, 20)))
    text = add_tables(Session(**{**vars(known), "double_dummy": table})).items.filter(kind="section")["text"][0]
    assert ["N NT ?", "N S ?", "N H ?", "N D ?", "N C 0"] == text.split("\n")[:5]


def test_a_game_without_a_table_gains_none() -> None:
    assert written(GAME, None).items.filter(pl.col("name").str.starts_with("Optimum")).is_empty()
