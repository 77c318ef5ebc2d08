"""USEBIO: events, participants, boards and traveller lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.files.formats.looks import get_format
from overtrick.files.formats.usebio.reader import read_usebio
from tests.support.reading import codes, places
from tests.support.usebio_texts import board, element, elements, event, hand, line, pair, participants, section


def results(*lines: str) -> list[dict[str, object]]:
    return list(read_usebio(event(board(1, lines))).results.iter_rows(named=True))


def test_usebio_is_known_by_its_outermost_element() -> None:
    is_usebio = get_format("usebio").recognises
    assert is_usebio(event())
    assert is_usebio(event().decode().replace("utf-8", "utf-16").encode("utf-16"))
    assert not is_usebio(b"<html><body>USEBIO</body></html>")


def test_the_event_is_said_in_every_record() -> None:
    said = {"EVENT_DESCRIPTION": "Spring Pairs", "DATE": "07/03/2026", "BOARD_SCORING_METHOD": "MATCH_POINTS"}
    records = read_usebio(event(board(3, [line(1, 2)]), **said)).records
    assert [("Spring Pairs", "Riverside", "2026.03.07", "MP", 3)] == records.select(
        "event", "site", "date", "scoring", "board"
    ).rows()


def test_a_date_may_be_written_the_iso_way_and_an_odd_one_is_named() -> None:
    iso = read_usebio(event(board(3, []), DATE="2026-03-07T19:30"))
    assert ["2026.03.07"] == iso.records["date"].to_list()
    odd = read_usebio(event(board(3, []), DATE="last Tuesday"))
    assert ["last Tuesday"] == odd.records["date"].to_list()
    assert [("value-unknown", 4)] == odd.problems.select("code", "line").rows()


@pytest.mark.parametrize(
    ("kind", "values", "asked"),
    [
        ("MP_PAIRS", {}, "MP"),
        ("CROSS_IMP", {"SCORING_METHOD": "IMPS"}, "IMP;Cross2"),
        ("BUTLER_PAIRS", {"PROGRAM_NAME": "Another"}, "Butler"),
        ("BUTLER_PAIRS", {"PROGRAM_NAME": "Compscore3"}, "Butler-2"),
        ("SWISS_PAIRS", {"BOARD_SCORING_METHOD": "CROSS_IMPS", "MATCH_SCORING_METHOD": "VPS"}, "IMP;Cross2;VPS"),
        ("SWISS_PAIRS", {"BOARD_SCORING_METHOD": "MATCH_POINTS"}, "MP"),
        ("SWISS_TEAMS", {"BOARD_SCORING_METHOD": "IMPS"}, "IMP"),
        ("AGGREGATE", {}, "Aggregate"),
        ("PAIRS", {}, None),
    ],
)
def test_the_scoring_is_said_in_the_words_of_pbn(kind: str, values: dict[str, str], asked: str | None) -> None:
    assert [asked] == read_usebio(event(board(1, []), kind=kind, **values)).records["scoring"].to_list()


def test_scoring_that_nobody_states_is_told_from_the_points_of_the_lines() -> None:
    read = read_usebio(event(board(1, [line(1, 2, NS_CROSS_IMP_POINTS="1.5", EW_CROSS_IMP_POINTS="-1.5")])))
    assert ["IMP;Cross2"] == read.records["scoring"].to_list()
    assert [(1.5, -1.5)] == read.results.select("stated_points_ns", "stated_points_ew").rows()


def test_participants_have_names_numbers_places_and_totals() -> None:
    numbered = "".join(
        f"<PLAYER>{elements(PLAYER_NAME=name, NATIONAL_ID_NUMBER=number)}</PLAYER>"
        for name, number in (("Ann", 7), ("Bob", 8))
    )
    said = elements(PAIR_NUMBER="1NS", DIRECTION="NS", TOTAL_SCORE="97.00", PERCENTAGE="53.89", PLACE="3=")
    one = f"<PAIR>{said}{numbered}</PAIR>"
    read = read_usebio(event(participants(one, pair("1EW", "Cy", "Di", DIRECTION="EW"))))
    assert [("1NS", "NS", "Ann - Bob", "7 - 8", 3, 97.0, 53.89), ("1EW", "EW", "Cy - Di", None, None, None, None)] == (
        read.contestants.select(
            "contestant", "direction", "names", "members", "stated_rank", "stated_total", "stated_percentage"
        ).rows()
    )


def test_a_line_is_a_result() -> None:
    [row] = results(
        line("1NS", "1EW", "4HX", "E", 9, LEAD="10C", SCORE="200", NS_MATCH_POINTS="8", EW_MATCH_POINTS="2")
    )
    expected = {"ns": "1NS", "ew": "1EW", "level": 4, "strain": "H", "doubled": 1, "declarer": "E", "tricks": 9}
    stated = {"lead": "CT", "stated_score_ns": 200, "stated_points_ns": 8.0, "status": "played", "multiplicity": 1}
    assert expected | stated == {name: row[name] for name in expected | stated}


@pytest.mark.parametrize(("tricks", "won"), [("9", 9), ("=", 9), ("+1", 10), ("-2", 7), ("0", 0)])
def test_tricks_are_counted_from_nothing_or_from_the_contract(tricks: str, won: int) -> None:
    assert [won] == [row["tricks"] for row in results(line(1, 2, "3NT", "N", tricks))]


@pytest.mark.parametrize("contract", ["2Sx", "2S*", "2SX"])
def test_a_double_may_be_written_in_three_ways(contract: str) -> None:
    assert [(2, "S", 1)] == [(row["level"], row["strain"], row["doubled"]) for row in results(line(1, 2, contract))]


@pytest.mark.parametrize(
    ("cells", "status", "award"),
    [
        ({"contract": "PASS", "by": "", "tricks": "", "SCORE": "0"}, "passed", None),
        ({"contract": "", "by": "", "tricks": "", "SCORE": "A6040"}, "adjusted", "60%"),
        ({"contract": "", "by": "", "tricks": "", "NS_SCORE": "60%", "EW_SCORE": "40%"}, "adjusted", "60%"),
        ({"contract": "", "by": "", "tricks": ""}, "not played", None),
        ({"contract": "Not played", "by": "", "tricks": ""}, "not played", None),
        ({"contract": "4S", "by": "N", "tricks": ""}, "unknown", None),
        ({"contract": "", "by": "", "tricks": "", "SCORE": "-420"}, "played", None),
    ],
)
def test_what_happened_at_the_table(cells: dict[str, str], status: str, award: str | None) -> None:
    assert [(status, award)] == [(row["status"], row["award_ns"]) for row in results(line(1, 2, **cells))]


def test_cells_that_mean_nothing_are_named_where_they_stand() -> None:
    read = read_usebio(event(board(4, [line(1, 2, "42", "Q", "x", LEAD="ZZ", SCORE="none")])))
    named = {
        message.removeprefix("overtrick does not understand ").split(" and ")[0] for message in read.problems["message"]
    }
    assert {"CONTRACT '42'", "PLAYED_BY 'Q'", "LEAD 'ZZ'", "SCORE 'none'"} == named
    assert {6} == set(read.problems["line"])
    assert ["unknown"] == read.results["status"].to_list()


def test_a_datum_that_is_no_number_is_named() -> None:
    read = read_usebio(event(board(4, [line(1, 2)], BOARD_AVERAGE="16°")))
    assert ["overtrick does not understand BOARD_AVERAGE '16°' and treats it as unknown"] == read.problems[
        "message"
    ].to_list()
    assert [None] == read.results["stated_datum"].to_list()


@pytest.mark.parametrize(("datum", "asked"), [(270, "Butler"), (100, "Butler-2")])
def test_the_datum_tells_whether_the_extremes_count(datum: int, asked: str) -> None:
    scores = [line(1, 2, SCORE=score) for score in (1000, 100, 90, -110)]
    read = read_usebio(event(board(4, scores, BOARD_AVERAGE=datum), kind="BUTLER_PAIRS"))
    assert [asked] == read.records["scoring"].to_list()


def test_a_board_without_a_number_is_left_out_and_named() -> None:
    read = read_usebio(event(board("x", [line(1, 2)]), board(2, [line(1, 2)])))
    assert ["usebio-board"] == codes(read.problems)
    assert [2] == read.records["board"].to_list()


def test_hands_belong_to_their_board_and_a_board_may_have_nothing_else() -> None:
    suits = ["AKQJT98765432", "", "-", ""]
    hands = "".join(
        hand(seat, *suits[-turn:], *suits[:-turn]) for turn, seat in enumerate(["North", "East", "South", "West"])
    )
    read = read_usebio(event(board(1, [line(1, 2)]), f"<HANDSET>{board(1, [hands])}{board(2, [hands])}</HANDSET>"))
    assert ["N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"] * 2 == read.records[
        "deal"
    ].to_list()
    assert [1, 2] == read.records["board"].to_list()


def test_hands_with_tens_of_two_digits_are_read_and_those_of_nonsense_named() -> None:
    read = read_usebio(
        event(
            f"<HANDSET>{board(1, [hand('N', '10', '10', '', '')])}{board(2, [hand('N', '?!', '', '', '')])}</HANDSET>"
        )
    )
    assert ["N:T.T.. - - -", None] == read.records["deal"].to_list()
    assert ["deal-unread"] == codes(read.problems)


def test_sections_have_their_own_boards_and_participants() -> None:
    parts = [section(name, participants(pair(1, name)), board(1, [line(1, 2)])) for name in "AB"]
    read = read_usebio(event(*parts))
    assert [("A", 1), ("B", 1)] == read.records.select("section", "board").rows()
    assert ["A", "B"] == read.results["section"].to_list()
    assert [("A", "1"), ("B", "1")] == read.contestants.select("section", "contestant").rows()


def test_sessions_of_one_event_keep_their_boards_apart() -> None:
    both = "".join(f'<SESSION SESSION_ID="{n}">{board(1, [line(1, 2)])}</SESSION>' for n in (1, 2))
    assert ["1", "2"] == read_usebio(event(both)).records["section"].to_list()


def test_a_match_of_teams_seats_the_teams() -> None:
    """The first team's pair sits N-S at the first line and E-W at the second."""
    lines = [line(11, 22, DIRECTION="NS"), line(21, 12, "2S", "E", 8, DIRECTION="EW")]
    match = f"<MATCH>{elements(ROUND_NUMBER=2, TEAM='A', OPPOSING_TEAM='B')}{board(5, lines)}</MATCH>"
    read = read_usebio(event(match, kind="SWISS_TEAMS"))
    assert [("2", 5, "11", "22"), ("2", 5, "21", "12")] == [
        (row["round"], 5, row["ns"], row["ew"]) for row in read.results.iter_rows(named=True)
    ]
    assert [("A", "B"), ("B", "A")] == read.results.select("team_ns", "team_ew").rows()
    assert ["IMP"] == read.records["scoring"].to_list()


def test_teams_without_pair_numbers_are_contestants_themselves() -> None:
    lines = [line("", "", DIRECTION="NS"), line("", "", "2S", "E", 8, DIRECTION="EW")]
    match = f"<MATCH>{elements(TEAM='A', OPPOSING_TEAM='B')}{board(5, lines)}</MATCH>"
    read = read_usebio(
        event(match, participants("<TEAM><TEAM_ID>A</TEAM_ID><TEAM_NAME>Aces</TEAM_NAME></TEAM>"), kind="TEAMS")
    )
    assert [("A", "B"), ("B", "A")] == read.results.select("ns", "ew").rows()
    assert [("A", "Aces")] == read.contestants.select("contestant", "names").rows()


def test_lines_that_name_the_teams_of_their_match_seat_them() -> None:
    lines = [line("A", "B"), line("B", "A", "2S", "E", 8), line("A", "C")]
    match = f"<MATCH>{elements(TEAM='A', OPPOSING_TEAM='B', TEAM_SCORE=12)}{board(5, lines)}</MATCH>"
    read = read_usebio(event(match, kind="TEAMS"))
    assert [("A", "B"), ("B", "A"), (None, None)] == read.results.select("team_ns", "team_ew").rows()
    assert [(12, None), (None, 12), (None, None)] == read.results.select("stated_match_ns", "stated_match_ew").rows()


def test_matches_of_swiss_pairs_share_their_boards() -> None:
    matches = "".join(
        f"<MATCH>{elements(ROUND_NUMBER=1, NS_PAIR_NUMBER=ns, EW_PAIR_NUMBER=ew)}{board(1, [line('', '')])}</MATCH>"
        for ns, ew in ((1, 2), (3, 4))
    )
    read = read_usebio(event(matches, kind="SWISS_PAIRS"))
    assert [1] == read.records["board"].to_list()
    assert [("1", "2"), ("3", "4")] == read.results.select("ns", "ew").rows()


def test_players_of_an_individual_sit_together_and_a_result_listed_again_counts_once() -> None:
    seats = {"N_PLAYER_NUMBER": 1, "S_PLAYER_NUMBER": 2, "E_PLAYER_NUMBER": 3, "W_PLAYER_NUMBER": 4}
    again = line("", "", "3NT", "N", 9, SCORE="400", **seats)
    read = read_usebio(event(board(1, [again, again]), kind="INDIVIDUAL"))
    assert [("1+2", "3+4", "1", "4")] == read.results.select("ns", "ew", "player_n", "player_w").rows()
    assert [("results-repeated", "info")] == read.problems.select("code", "severity").rows()


def test_what_means_nothing_here_is_kept_under_its_path() -> None:
    read = read_usebio(event(board(1, [line(1, 2, LIN_DATA="pn|a,b,c,d|")]), MASTER_POINT_TYPE="GREEN"))
    assert [("EVENT/MASTER_POINT_TYPE", "GREEN"), ("EVENT/BOARD/TRAVELLER_LINE/LIN_DATA", "pn|a,b,c,d|")] == (
        read.items.select("name", "text").rows()
    )


def test_a_file_without_event_or_with_broken_xml_gives_problems() -> None:
    assert ["file-no-games"] == codes(read_usebio(b"<USEBIO/>").problems)
    cut = event(board(1, [line(1, 2)]), board(2, [line(1, 2)]))[:-30]
    assert [("file-damaged", 8, 1)] == [(code, n, 1) for code, n, _ in places(read_usebio(cut).problems)]


@given(cut=st.integers(0, 700), junk=st.binary(max_size=4))
def test_no_file_raises(cut: int, junk: bytes) -> None:
    whole = event(participants(pair(1, "Ann", "Bob")), board(1, [line(1, 2), element("X", 1)]), board(2, [line(2, 1)]))
    read = read_usebio(whole[:cut] + junk + whole[cut + len(junk) :])
    assert read.results.height <= 2


def test_hands_may_stand_beside_the_results_of_their_board() -> None:
    suits = ("AKQJT98765432", "", "", "")
    hands = "".join(hand(seat, *suits[-turn:], *suits[:-turn]) for turn, seat in enumerate("NESW"))
    reading = read_usebio(event(f"<BOARD>{elements(BOARD_NUMBER=4)}{hands}{line(1, 2)}</BOARD>"))
    assert ["N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"] == reading.records[
        "deal"
    ].to_list()
    assert 1 == len(reading.results)


def test_names_and_numbers_may_be_attributes_or_elements() -> None:
    data = event(
        '<PARTICIPANTS><TEAM TEAM_ID="7" TEAM_NAME="Reds"/><PAIR PAIR_NUMBER="3"/></PARTICIPANTS>',
        f'<BOARD BOARD_NUMBER="12">{line(1, 2)}</BOARD>',
        kind="",
        EVENT_TYPE="BUTLER_PAIRS",
    )
    reading = read_usebio(data)
    assert [("7", "Reds"), ("3", None)] == reading.contestants.select("contestant", "names").rows()
    assert [(12, "Butler")] == reading.records.select("board", "scoring").rows()
    assert [] == reading.items.filter(reading.items["name"].str.contains("@[PTB]"))["name"].to_list()


@pytest.mark.parametrize(
    ("asked", "method"), [("Butler", "BUTLER"), ("MP", "MATCHPOINTS"), ("IMP;Cross2", "CROSS_IMP")]
)
def test_methods_have_other_names_too(asked: str, method: str) -> None:
    read = read_usebio(event(board(1, [line(1, 2)]), BOARD_SCORING_METHOD=method))
    assert [asked] == read.records["scoring"].to_list()


@pytest.mark.parametrize("number", ["１", "٣", "²", "1_0"])  # noqa: RUF001 - that is the point
def test_a_board_number_in_other_digits_is_not_a_number(number: str) -> None:
    reading = read_usebio(event(board(number, [line(1, 2)])))
    assert "usebio-board" in codes(reading.problems)


def test_a_board_number_of_thousands_of_digits_is_only_a_label() -> None:
    assert [None] == read_usebio(event(board("9" * 5000, [line(1, 2)]))).records["board"].to_list()
