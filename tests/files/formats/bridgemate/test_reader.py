"""Bridgemate databases: what was received, from whom, and what does not fit the movement."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from overtrick.core.bridge.auction import CALLS
from overtrick.core.bridge.cards import CARDS
from overtrick.files.formats.base import Reading
from overtrick.files.formats.bridgemate.reader import read_bws
from overtrick.files.formats.looks import get_format
from tests.support.bridgemate import HEAD, RECEIVED, SECTION, install_helper, movement, received
from tests.support.reading import codes

Read = Callable[..., Reading]

LIBRARY = """
TABLES = {
    "Section": {"ID": [1], "Letter": ["A  "], "Tables": [2]},
    "Session": {"ID": [1], "Name": [None], "Date": ["2026-01-19 00:00:00"]},
    "ReceivedData": {
        "ID": [1], "Section": [1], "Table": [2], "Round": [3], "Board": [4], "PairNS": [7], "PairEW": [8],
        "Declarer": [8], "NS/EW": ["E"], "Contract": ["4 S"], "Result": ["-1"], "LeadCard": [""], "Remarks": [""],
        "Erased": [False],
    },
}


class Header:
    number_of_rows = 1


class Table:
    table_header = Header()

    def __init__(self, columns):
        self.parse = lambda: columns


class AccessParser:
    def __init__(self, path):
        self.catalog = TABLES

    def get_table(self, name):
        return Table(TABLES[name])
"""


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Read a database of these tables."""

    def reading(*rows: str, **tables: str) -> Reading:
        install_helper(tmp_path, monkeypatch, {"Section": SECTION, "ReceivedData": received(*rows), **tables})
        return read_bws(HEAD)

    return reading


def test_a_database_is_known_by_its_first_bytes() -> None:
    is_jet = get_format("bws").recognises
    assert is_jet(HEAD)
    assert not is_jet(b"Standard Jet DB")


def test_without_mdbtools_a_damaged_database_leaves_one_problem_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert ["file-damaged"] == codes(read_bws(HEAD).problems)


def test_without_mdbtools_tables_come_through_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the library: what its tables hold is printed as `mdb-export` prints it."""
    (tmp_path / "access_parser.py").write_text(LIBRARY, encoding="utf-8")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    reading = read_bws(HEAD)
    assert [("A", "2", "7", "8", 4)] == reading.results.select("section", "table", "ns", "ew", "level").rows()
    assert ["2026.01.19"] == reading.records["date"].to_list()


@pytest.mark.slow
def test_a_database_of_something_else_is_none_of_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_helper(tmp_path, monkeypatch, {})
    assert ["file-damaged"] == codes(read_bws(HEAD).problems)
    install_helper(tmp_path, monkeypatch, {"Section": SECTION})
    assert ["file-damaged"] == codes(read_bws(HEAD).problems)


def test_a_helper_that_crashes_leaves_one_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_helper(tmp_path, monkeypatch, {"Section": SECTION, "ReceivedData": received()})
    (tmp_path / "mdb-export").write_text(f"#!{sys.executable}\nimport os\nos.abort()\n")
    assert ["file-damaged"] == codes(read_bws(HEAD).problems)


def test_a_row_is_a_result(read: Read) -> None:
    reading = read("1,1,2,3,4,7,8,8,E,4 S x,-1,ST,,0", Session="ID,Name,Date\n1,Monday,2026-01-19\n")
    row = reading.results.row(0, named=True)
    expected = {"section": "A", "table": "2", "round": "3", "ns": "7", "ew": "8", "level": 4, "strain": "S"}
    played = {"doubled": 1, "declarer": "E", "tricks": 9, "lead": "ST", "status": "played", "record": 0}
    assert expected | played == {name: row[name] for name in expected | played}
    assert [("Monday", "2026.01.19", 4, "A")] == reading.records.select("event", "date", "board", "section").rows()
    assert [] == codes(reading.problems)


@pytest.mark.parametrize(
    ("cells", "status", "tricks"),
    [
        ("1,N,3 NT,=,,,0", "played", 9),
        ("1,N,3 NT,+1,H10,,0", "played", 10),
        ("0,,PASS,,,,0", "passed", None),
        ("0,,,,,Not played,0", "not played", None),
        ("0,,,,,60%-40%,0", "adjusted", None),
        ("1,N,3 NT,=,,Arbitral score,0", "adjusted", None),
        ("1,N,3 NT,,,,0", "unknown", None),
    ],
)
def test_what_happened_at_the_table(read: Read, cells: str, status: str, tricks: int | None) -> None:
    assert [(status, tricks)] == read(f"1,1,1,1,1,1,2,{cells}").results.select("status", "tricks").rows()


def test_percentages_in_a_remark_are_the_score(read: Read) -> None:
    assert [("60%", "40%")] == read("1,1,1,1,1,1,2,0,,,,,60%-40%,0").results.select("award_ns", "award_ew").rows()


def test_an_arbitral_score_is_not_in_the_database(read: Read) -> None:
    assert ["bws-arbitral"] == codes(read("1,1,1,1,1,1,2,0,,,,,Arbitral score,0").problems)


def test_pairs_that_sat_the_wrong_way_round_are_turned_and_the_seat_stays(read: Read) -> None:
    reading = read("1,1,1,1,1,1,2,2,N,3 NT,=,,Wrong direction,0", RoundData=movement("1,1,1,1,2,1,1,"))
    assert [("2", "1", "N")] == reading.results.select("ns", "ew", "declarer").rows()
    assert [] == codes(reading.problems)


def test_erased_rows_are_left_out_and_the_last_entry_counts(read: Read) -> None:
    rows = ("1,1,1,1,1,1,2,1,N,3 NT,=,,,1", "3,1,1,1,1,1,2,1,N,3 NT,+2,,,0", "2,1,1,1,1,1,2,1,N,3 NT,+1,,,0")
    reading = read(*rows)
    assert [11] == reading.results["tricks"].to_list()
    assert ["bws-entered-again", "bws-entered-again"] == codes(reading.problems)
    assert {"info"} == set(reading.problems["severity"])


def test_the_time_of_entry_is_the_day_of_one_column_and_the_time_of_the_other(read: Read) -> None:
    text = f"{RECEIVED},DateLog,TimeLog\n" + "".join(
        f"{number},1,{number},1,1,{number},4,1,S,3 NT,=,,,0,{logged}\n"
        for number, logged in ((1, "2026-03-07 00:00:00,1899-12-30 22:15:03"), (2, ","), (3, "soon,22:15"))
    )
    assert ["2026-03-07T22:15:03", None, None] == read(ReceivedData=text).results["entered"].to_list()


def test_cells_that_mean_nothing_are_named(read: Read) -> None:
    reading = read("1,1,1,1,1,1,2,1,N,9 Z,=,Q,why,0")
    assert ["value-unknown"] * 3 == codes(reading.problems)
    assert ("1", "1") == reading.problems.select("board", "table").row(0)


def test_a_declaring_pair_that_sat_elsewhere_is_named(read: Read) -> None:
    assert ["board 1, round 1: pair 2 is entered as declarer but did not sit NS; overtrick uses declarer's seat"] == (
        read("1,1,1,1,1,1,2,2,N,3 NT,=,,,0").problems["message"].to_list()
    )


def test_entries_are_held_against_the_movement(read: Read) -> None:
    moves = movement("1,1,1,1,2,1,2,", '1,2,1,3,4,5,9,"5,7"', "1,3,1,0,5,1,2,")
    rows = ("1,1,1,1,1,1,4,1,N,3 NT,=,,,0", "2,1,1,1,2,1,2,1,N,3 NT,=,,,0", "3,1,2,1,5,3,4,3,N,3 NT,=,,,0")
    assert [
        "board 1, round 1: the entry says 1 against 4, but the movement has 1 against 2; overtrick uses the entry",
        "board 7, round 1: the result of 3 against 4 is missing",
    ] == read(*rows, RoundData=moves).problems["message"].to_list()


def test_pairs_entered_the_wrong_way_round_without_a_remark_are_named(read: Read) -> None:
    reading = read("1,1,1,1,1,2,1,2,N,3 NT,=,,,0", RoundData=movement("1,1,1,1,2,1,1,"))
    expected = (
        "board 1, round 1: the entry says 2 against 1, but the movement has them the other way round;"
        " overtrick uses the entry"
    )
    assert [expected] == reading.problems["message"].to_list()


def test_a_board_that_the_movement_has_not_at_that_table_is_named(read: Read) -> None:
    moves = movement("1,1,1,1,2,1,1,", "1,2,1,3,0,2,2,")
    entered = ("1,1,1,1,1,1,2,1,N,3 NT,=,,,0", "2,1,1,1,5,1,2,1,N,3 NT,=,,,0", "3,1,2,1,2,3,4,3,N,3 NT,=,,,0")
    assert [
        "board 5, round 1: the entry says 1 against 2, but the movement does not have this board at table 1",
        "board 2, round 1: the entry says 3 against 4, but the movement does not have this board at table 2",
    ] == read(*entered, RoundData=moves).problems["message"].to_list()


@pytest.mark.slow
def test_the_opponents_of_a_missing_pair_sit_out(read: Read) -> None:
    moves = movement("1,1,1,1,2,1,1,", "1,2,1,3,4,2,2,")
    section = SECTION.replace("Tables\n1,A  ,2", "Tables,MissingPair\n1,A  ,2,4")
    played = "1,1,1,1,1,1,2,1,N,3 NT,=,,,0"
    assert ["bws-missing"] == codes(read(played, RoundData=moves).problems)
    assert [] == codes(read(played, RoundData=moves, Section=section).problems)
    against_nobody = read(played, "2,1,2,1,2,3,4,3,N,3 NT,=,,,0", RoundData=moves, Section=section)
    assert ["movement-wrong-board"] == codes(against_nobody.problems)


def test_of_two_pairs_of_one_number_the_missing_one_is_of_east_and_west(read: Read) -> None:
    moves = movement("1,1,1,1,1,1,1,", "1,2,1,2,2,2,2,")
    section = SECTION.replace("Tables\n1,A  ,2", "Tables,MissingPair\n1,A  ,2,2")
    assert [] == codes(read("1,1,1,1,1,1,1,1,N,3 NT,=,,,0", RoundData=moves, Section=section).problems)


def test_players_of_an_individual_are_held_against_the_movement_too(read: Read) -> None:
    head = "ID,Section,Table,Round,Board,PairNS,PairEW,South,West,Declarer,NS/EW,Contract,Result,Erased\n"
    moves = "Section,Table,Round,NSPair,EWPair,LowBoard,HighBoard,CustomBoards,South,West\n1,1,1,1,2,1,2,,3,4\n"
    rows = "1,1,1,1,1,1,2,3,4,1,N,3 NT,=,0\n2,1,1,1,2,1,2,3,5,1,N,3 NT,=,0\n"
    assert [
        (
            "board 2, round 1: the entry says 1+3 against 2+5, but the movement has 1+3 against 2+4;"
            " overtrick uses the entry"
        )
    ] == read(ReceivedData=head + rows, RoundData=moves).problems["message"].to_list()


def test_pairs_are_named_by_who_sat_at_their_table_in_round_1(read: Read) -> None:
    numbers = "Section,Table,Direction,Number,Name,Round\n1,1,N,11,Ann,0\n1,1,S,12,Bob,0\n1,1,E,13,,0\n1,1,W,14,,0\n"
    names = "ID,Name,strID\n13,Cy,13\n"
    reading = read(
        "1,1,1,1,1,1,2,1,N,3 NT,=,,,0", RoundData=movement("1,1,1,1,2,1,1,"), PlayerNumbers=numbers, PlayerNames=names
    )
    assert [("1", "NS", "Ann - Bob", "11 - 12"), ("2", "EW", "Cy - ?", "13 - 14")] == (
        reading.contestants.select("contestant", "direction", "names", "members").rows()
    )


def test_hands_belong_to_their_board(read: Read) -> None:
    suits = [
        f"{seat}{suit}"
        for seat in ("North", "East", "South", "West")
        for suit in ("Spades", "Hearts", "Diamonds", "Clubs")
    ]
    hands = [
        "AKQJ1098765432",
        "",
        "",
        "",
        "",
        "AKQJ1098765432",
        "",
        "",
        "",
        "",
        "AKQJ1098765432",
        "",
        "",
        "",
        "",
        "AKQJ1098765432",
    ]
    table = f"Section,Board,{','.join(suits)}\n1,2,{','.join(hands)}\n"
    records = read("1,1,1,1,1,1,2,1,N,3 NT,=,,,0", HandRecord=table).records
    assert [(1, None), (2, "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")] == records.select(
        "board", "deal"
    ).rows()


def test_four_numbers_are_the_players_of_an_individual(read: Read) -> None:
    head = "ID,Section,Table,Round,Board,PairNS,PairEW,South,West,Declarer,NS/EW,Contract,Result,Erased\n"
    reading = read(ReceivedData=head + "1,1,1,1,1,1,2,3,4,1,N,3 NT,=,0\n")
    assert [("1+3", "2+4", "1", "3")] == reading.results.select("ns", "ew", "player_n", "player_s").rows()


def table_of(column: str, *rows: str) -> str:
    """Write a table of calls or cards: ID, section, table, round, board, counter, seat, entry, whether erased."""
    return "\n".join([f"ID,Section,Table,Round,Board,Counter,Direction,{column},Erased", *rows]) + "\n"


def calls_of(reading: Reading) -> list[list[str]]:
    calls = reading.records.drop_nulls("calls")["calls"].to_list()
    return [[CALLS[code] if code < len(CALLS) else "?" for code in auction] for auction in calls]


def cards_of(reading: Reading) -> list[str]:
    (play,) = reading.records.drop_nulls("cards")["cards"].to_list()
    return [CARDS[code] if code < len(CARDS) else "-" for code in play]


ONE_SPADE = ("1,1,1,1,1,1,N,1S,0", "2,1,1,1,1,2,E,PASS,0", "3,1,1,1,1,3,S,Pass,0", "4,1,1,1,1,4,W,PASS,0")
TWO_TABLES = ("1,1,1,1,1,1,2,1,N,1 S,=,,,0", "2,1,2,1,1,3,4,3,N,1 NT,=,,,0")


def test_a_table_that_recorded_its_auction_has_a_record_of_its_own(read: Read) -> None:
    reading = read(*TWO_TABLES, BiddingData=table_of("Bid", *ONE_SPADE))
    assert [["1S", "Pass", "Pass", "Pass"]] == calls_of(reading)
    assert [(None, None, None, None), ("1", "N", "S", "1")] == reading.records.select(
        "table", "auction_start", "strain", "pair_ns"
    ).rows()
    assert [1, 0] == reading.results["record"].to_list()
    assert [] == codes(reading.problems.filter(reading.problems["code"] != "bws-missing"))


def test_the_last_entry_of_a_call_counts_and_an_erased_one_is_gone(read: Read) -> None:
    more = ("5,1,1,1,1,3,S,1 n,0", "6,1,1,1,1,4,W,2H,0", "7,1,1,1,1,5,N,x,0", "8,1,1,1,1,5,N,x,1")
    reading = read(TWO_TABLES[0], BiddingData=table_of("Bid", *ONE_SPADE, *more))
    assert [["1S", "Pass", "1NT", "2H"]] == calls_of(reading)
    assert ["*"] == reading.records["auction_end"].to_list()


@pytest.mark.parametrize(("calls", "end"), [(3, "*"), (4, None)])
def test_three_passes_end_an_auction_only_after_another_call(calls: int, end: str | None, read: Read) -> None:
    passes = [
        f"{number},1,1,1,1,{number},{seat},PASS,0" for number, seat in zip(range(1, calls + 1), "NESW", strict=False)
    ]
    reading = read(TWO_TABLES[0], BiddingData=table_of("Bid", *passes))
    assert [end] == reading.records["auction_end"].to_list()


def test_calls_of_an_auction_that_was_begun_again_are_left_out(read: Read) -> None:
    again = ("5,1,1,1,1,1,N,PASS,0", "6,1,1,1,1,2,E,1C,0")
    # What is left out is not also blamed for its turn.
    at_odds = ("3,1,1,1,1,3,E,Pass,0", "4,1,1,1,1,4,E,PASS,0")
    reading = read(TWO_TABLES[0], BiddingData=table_of("Bid", *ONE_SPADE[:2], *at_odds, *again))
    assert [["Pass", "1C"]] == calls_of(reading)
    assert ["bws-call"] * 2 == [code for code in codes(reading.problems) if code != "bws-missing"]


def test_a_call_that_was_not_recorded_leaves_its_place(read: Read) -> None:
    reading = read(TWO_TABLES[0], BiddingData=table_of("Bid", ONE_SPADE[0], ONE_SPADE[3], "2,1,1,1,1,2,E,2Z,0"))
    assert [["1S", "?", "?", "Pass"]] == calls_of(reading)
    assert ["board 1, round 1: overtrick does not understand '2Z' in column Bid and treats it as unknown"] == [
        message for message in reading.problems["message"] if "Bid" in message
    ]


def test_a_call_of_another_than_whose_turn_it_was_is_named(read: Read) -> None:
    reading = read(TWO_TABLES[0], BiddingData=table_of("Bid", ONE_SPADE[0], "2,1,1,1,1,2,S,PASS,0"))
    assert "board 1, round 1: PASS is recorded for S at another player's turn; overtrick keeps it" in list(
        reading.problems["message"]
    )


def test_cards_stand_in_the_columns_of_their_players(read: Read) -> None:
    play = ("1,1,1,1,1,1,E,SA,0", "2,1,1,1,1,2,S,S2,0", "3,1,1,1,1,3,W,S10,0", "4,1,1,1,1,4,N,3S,0")
    lead = ("5,1,1,1,1,5,W,HT,0", "6,1,1,1,1,7,E,H4,0")
    reading = read(TWO_TABLES[0], PlayData=table_of("Card", *play, *lead))
    assert ["SA", "S2", "ST", "S3", "H4", "-", "HT"] == cards_of(reading)
    assert [("E", "*")] == reading.records.select("play_start", "play_end").rows()


def test_a_card_without_a_place_is_named(read: Read) -> None:
    play = ("1,1,1,1,1,1,E,SA,0", "2,1,1,1,1,2,E,S2,0", "3,1,1,1,1,,S,S3,0", "4,1,1,1,1,99,S,S4,0", "5,1,1,1,1,3,,S5,0")
    reading = read(TWO_TABLES[0], PlayData=table_of("Card", *play))
    assert ["SA"] == cards_of(reading)
    assert 4 == len([message for message in reading.problems["message"] if message.endswith("overtrick leaves it out")])


def test_an_auction_without_a_result_is_kept(read: Read) -> None:
    reading = read(BiddingData=table_of("Bid", *ONE_SPADE))
    assert [["1S", "Pass", "Pass", "Pass"]] == calls_of(reading)
    assert 0 == len(reading.results)


def test_a_pair_that_sits_out_first_is_listed_without_names(read: Read) -> None:
    numbers = "Section,Table,Direction,Number,Name,Round\n1,1,N,,Ada Quill,0\n1,1,S,,Ben Moss,0\n"
    moves = movement("1,1,1,1,0,1,2,", "1,1,2,3,1,3,4,", "1,2,2,2,4,3,4,")
    played = "1,1,1,2,3,3,1,3,N,3 NT,=,,,0"
    listed = read(played, RoundData=moves, PlayerNumbers=numbers).contestants
    assert [("1", "NS", "Ada Quill - Ben Moss"), ("2", "NS", None), ("3", "NS", None), ("4", "EW", None)] == sorted(
        listed.select("contestant", "direction", "names").iter_rows()
    )


def test_two_lines_with_the_same_numbers_are_different_pairs(read: Read) -> None:
    moves = movement("1,1,1,1,1,1,2,", "1,2,1,2,0,1,2,", "1,1,2,1,2,3,4,")
    listed = read(
        "1,1,1,1,1,1,1,1,N,3 NT,=,,,0", RoundData=moves, PlayerNumbers="Section,Table,Direction,Number,Name\n1,1,N,,Ada"
    )
    assert [("1", "EW"), ("1", "NS"), ("2", "EW"), ("2", "NS")] == sorted(
        listed.contestants.select("contestant", "direction").iter_rows()
    )
