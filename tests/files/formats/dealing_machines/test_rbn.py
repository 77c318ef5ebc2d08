"""RBN: lines behind a letter, values that last, auctions and plays without a blank."""

from overtrick.core.bridge.auction import CALLS
from overtrick.core.bridge.cards import CARDS
from overtrick.files.formats.base import Reading
from overtrick.files.formats.dealing_machines.rbn import is_rbn
from tests.support.machine_files import read as read_file
from tests.support.reading import codes

NORTH = "AKQJ.AKQ.AKQ.AKQ"
HANDS = f"N:{NORTH}:T987.JT9.JT9.JT9:6543.876.876.876:"
DEAL = f"N:{NORTH} T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"


def read_rbn(data: bytes) -> Reading:
    return read_file(data, "rbn")


def row(text: str) -> dict[str, object]:
    return read_rbn(text.encode()).records.row(0, named=True)


def test_rbn_is_known_by_its_hands_and_not_inside_pbn_or_lin() -> None:
    assert is_rbn(f"D 20260101\nH {HANDS}\n".encode())
    assert not is_rbn(f'[Board "1"]\n{{\nH {HANDS}\n}}\n'.encode())
    assert not is_rbn(f"vg|x|\nmd|1|\nH {HANDS}".encode())


def test_the_last_hand_is_told_from_the_other_three() -> None:
    assert DEAL == row(f"H {HANDS}\n")["deal"]


def test_hands_from_another_seat_are_turned_to_north() -> None:
    assert DEAL == row(f"H E:T987.JT9.JT9.JT9:6543.876.876.876:2.5432.5432.5432:{NORTH}\n")["deal"]


def test_an_auction_has_dealer_vulnerability_and_the_passes_that_end_it() -> None:
    read = row(f"H {HANDS}\nA SB:2NP6N:XRA\n")
    assert ("S", "All", "S") == (read["dealer"], read["vulnerable"], read["auction_start"])
    assert ["2NT", "Pass", "6NT", "X", "XX", "Pass", "Pass", "Pass"] == [CALLS[call] for call in read["calls"]]  # type: ignore[attr-defined]


def test_a_board_passed_out_has_four_passes() -> None:
    read = row(f"H {HANDS}\nA NZ:A\nC P\n")
    assert [0, 0, 0, 0] == read["calls"]
    assert 0 == read["level"]


def test_cards_stand_in_columns_and_the_winner_leads() -> None:
    """East leads the spade ten to the ace; North then plays hearts, West a club that needs its letter."""
    read = row(f"H {HANDS}\nC 3NTX:N\nP ST32A:HA98C2:SK\n")
    assert "E" == read["play_start"]
    shown = [CARDS[card] if card < 52 else "-" for card in read["cards"]]  # type: ignore[attr-defined]
    assert ["ST", "S3", "S2", "SA", "H9", "H8", "C2", "HA", "-", "-", "-", "SK"] == shown
    assert "*" == read["play_end"]


def test_a_result_is_declarers_tricks() -> None:
    read = row(f"H {HANDS}\nC 4S:N\nR 12+480\n")
    assert (4, "S", 0, "N", 12) == tuple(read[name] for name in ("level", "strain", "doubled", "declarer", "tricks"))


def test_names_and_event_hold_until_others_are_stated() -> None:
    text = f"E Cup\nN Ann+Bob:Cy+Di:O\nB 1\nH {HANDS}\n\nB 2\nA NZ:A\n\nB 3\nN :Eve+Flo\n"
    records = read_rbn(text.encode()).records
    assert ["Cup"] * 3 == records["event"].to_list()
    assert [("Ann", "Cy"), ("Ann", "Cy"), (None, "Eve")] == records.select("north", "west").rows()
    assert [DEAL] * 3 == records["deal"].to_list()


def test_comments_and_lines_not_understood_are_kept() -> None:
    read = read_rbn(f"H {HANDS}\n{{two\nlines}}\nwhat is this\n".encode())
    assert [("tag", 1), ("comment", 2), ("stray", 4)] == read.items.select("kind", "line").rows()
    assert [("line-unknown", 4)] == read.problems.select("code", "line").rows()


def test_odd_calls_and_cards_are_named_at_their_line() -> None:
    read = read_rbn(f"B 4\nH {HANDS}\nC 4S:N\nA NZ:1SQ\nP ST3+A\n".encode())
    assert [("line-unknown", 4), ("line-unknown", 5)] == read.problems.select("code", "line").rows()


def test_hands_that_are_no_deal_are_named() -> None:
    read = read_rbn(b"B 4\nH N:AKQ:xyz\n")
    assert ["deal-file-deal"] == codes(read.problems)
    assert [None] == read.records["deal"].to_list()


def test_a_hundred_lines_that_are_no_rbn_above_the_first_label_are_kept() -> None:
    read = read_rbn(("?\n" * 101 + f"H {HANDS}\n").encode())
    assert ([DEAL], 102) == (read.records["deal"].to_list(), len(read.items))
