"""Deals as the program `dealer` prints them."""

import pytest

from overtrick.core.frames import Session
from overtrick.files.formats.dealing_machines.printed import decode_dealer
from overtrick.files.formats.looks import recognise
from tests.support.reading import codes, validated

HANDS = ["AKQT3.J6.KJ42.95", "9876542.A.AQ.AKQ", ".KQT98754.T98.JT", "J.32.7653.874632"]
DEAL = f"N:{' '.join(HANDS)}"
WEST_AND_EAST = f"N:- {HANDS[1]} - {HANDS[3]}"
COUNTED = "Generated 20281 hands\nProduced 2 hands\nInitial random seed 7\nTime needed    0.003 sec\r\r\n"


def one_line() -> str:
    return " ".join(f"{seat} {hand}" for seat, hand in zip("nesw", HANDS, strict=True)) + " \n"


def table(*hands: str) -> str:
    """Print hands as the program does: each card with a blank after it, columns of 20 characters."""
    suits = [[" ".join(suit or "-") + " " for suit in hand.split(".")] for hand in hands]
    return "".join("".join(cell.ljust(20) for cell in row[:-1]) + row[-1] + "\n" for row in zip(*suits, strict=True))


@pytest.mark.parametrize(
    ("printed", "deal"),
    [
        (one_line(), DEAL),
        (one_line().replace(" e", "\ne").replace(" s", "\ns").replace(" w", "\nw") + "\n", DEAL),
        ("   1.\n" + table(*HANDS) + "\n", DEAL),
        (table(HANDS[3], HANDS[1]) + "\n", WEST_AND_EAST),
        ("   1.\r\n" + table(*HANDS).replace(" \n", "\r\n") + "\r\n", DEAL),
    ],
    ids=["printoneline", "printcompact", "printall", "printew", "line ends of Windows"],
)
def test_each_action_of_the_program_prints_deals(printed: str, deal: str) -> None:
    data = (printed * 2 + COUNTED).encode()
    known = recognise(data)
    assert known is not None
    assert known.name == "dealer"
    reading = decode_dealer(data).to_reading()
    assert [(1, deal), (2, deal)] == reading.records.select("board", "deal").rows()
    assert reading.problems.is_empty()


def test_what_the_program_counts_is_kept() -> None:
    items = decode_dealer((one_line() + COUNTED).encode()).to_reading().items
    assert ("Generated", "20281 hands", 2) == items.select("name", "text", "line").row(0)
    assert 4 == len(items)


def test_another_line_is_kept_and_reported_in_its_place() -> None:
    reading = decode_dealer((one_line() + "Mean 12.3\n" + one_line()).encode()).to_reading()
    assert [("line-unknown", 2)] == reading.problems.select("code", "line").rows()
    assert [1, 3] == reading.records["line"].to_list()


def test_a_hand_whose_suit_does_not_fit_its_column_is_reported() -> None:
    """Nothing shows where a suit of more than ten cards ends, so the hands have the wrong number of cards."""
    hands = ["AKQJT987654.3.2.", *HANDS[1:]]
    reading = decode_dealer(("   1.\n" + table(*hands)).encode()).to_reading()
    assert "deal-hand-size" in codes(validated(Session(records=reading.records)).problems)
