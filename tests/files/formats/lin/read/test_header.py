"""What a LIN session says once: event, teams, players, and lists by board."""

import pytest

from tests.support.lin_texts import HEADER, MD, ONE_NOTRUMP, PLAYERS, session
from tests.support.reading import codes, lin

BOARD = f"{MD}{ONE_NOTRUMP}"


def seated(text: str) -> list[tuple[str | None, ...]]:
    return lin(text).records.select("south", "west", "north", "east").rows()


def test_event_segment_scoring_and_teams_are_those_of_the_header() -> None:
    record = lin(session("", f"o1|{BOARD}")).records.row(0, named=True)
    assert ("Cup", "Final", "IMP") == (record["event"], record["round"], record["scoring"])
    assert ("Reds", "Blues") == (record["home_team"], record["visit_team"])


@pytest.mark.parametrize(("letter", "scoring"), [("I", "IMP"), ("B", "BAM"), ("P", None), ("", None)])
def test_the_letter_of_the_scoring_has_the_word_of_pbn(letter: str, scoring: str | None) -> None:
    header = HEADER.replace(",I,", f",{letter},")
    assert [scoring] == lin(session("", f"o1|{BOARD}", header=header)).records["scoring"].to_list()


def test_eight_names_are_the_open_and_the_closed_room() -> None:
    assert [("Ada", "Ben", "Cid", "Dot"), ("Eve", "Fay", "Gus", "Hal")] == seated(
        session("", f"o1|{BOARD}", f"c1|{BOARD}")
    )


def test_four_names_before_or_after_a_label_are_of_that_board() -> None:
    text = f"{HEADER}{PLAYERS}pn|a,b,c,d|qx|o1|{BOARD}\nqx|c1|pn|e,f,g,h|{BOARD}\nqx|o2|{BOARD}"
    assert [("a", "b", "c", "d"), ("e", "f", "g", "h"), ("Ada", "Ben", "Cid", "Dot")] == seated(text)


def test_eight_names_change_those_of_all_that_follow() -> None:
    text = f"{HEADER}{PLAYERS}qx|o1|{BOARD}\npn|a,b,c,d,e,f,g,h|qx|c1|{BOARD}\nqx|o2|{BOARD}"
    assert [("Ada", "Ben", "Cid", "Dot"), ("e", "f", "g", "h"), ("a", "b", "c", "d")] == seated(text)


@pytest.mark.parametrize("names", ["", ",,,", ",,,,,,,", "South"])
def test_names_that_are_missing_are_unknown(names: str) -> None:
    assert (None, None, None) == seated(f"{HEADER}pn|{names}|pg||qx|o1|{BOARD}")[0][1:]


def test_a_closed_room_of_seats_for_names_is_nobody() -> None:
    text = f"{HEADER}pn|Ada,Ben,Cid,Dot,South,West,North,East|pg||qx|c1|{BOARD}"
    assert [(None, None, None, None)] == seated(text)


def test_teams_replace_players_that_are_unknown() -> None:
    text = f"{HEADER}pg||qx|o1|{BOARD}qx|c1|{BOARD}"
    assert [("Reds", "Blues"), ("Blues", "Reds")] == lin(text).records.select("pair_ns", "pair_ew").rows()


def test_players_by_board_go_on_where_a_name_is_left_out() -> None:
    text = f"{HEADER}pw|Ada,Ben,Cid,Dot,,Eve,,|pg||qx|o1|{BOARD}qx|o2|{BOARD}"
    assert [("Ada", "Ben", "Cid", "Dot"), ("Ada", "Eve", "Cid", "Dot")] == seated(text)


def test_scores_by_board_are_of_north_and_south() -> None:
    text = f"{HEADER}mp|-7.2,,,6.3|pg||qx|o1|{BOARD}qx|o2|{BOARD}"
    assert [-7.2, -6.3] == lin(text).records["stated_points_ns"].to_list()


def test_a_score_with_the_board_is_points_or_percent() -> None:
    text = f"{BOARD}zz|-3|\npn|a|{BOARD}zz|35.71%|"
    stated = lin(text).records.select("stated_points_ns", "stated_percentage_ns")
    assert [(-3.0, None), (None, 35.71)] == stated.rows()


def test_boards_that_bn_names_out_of_order_are_reported() -> None:
    named = (lin(f"{HEADER}rs|P,,P,|\nbn|{numbers}|\nqx|o1|{BOARD}") for numbers in ("1,2", "2,3", "1,7,"))
    assert [False, True, True] == ["lin-boards-named" in codes(reading.problems) for reading in named]


def test_a_header_of_another_length_is_reported() -> None:
    assert "lin-header" in codes(lin(session("", f"o1|{BOARD}", header="vg|Cup,Final|\n")).problems)


def test_names_encoded_twice_are_read_as_they_were_meant() -> None:
    text = f"pn|HÃ¤usler,Ã©tÃ©,Ben,Dot|{BOARD}\npn|Häusler,été,Ångström,naïve|{BOARD}"
    assert [("Häusler", "été", "Ben", "Dot"), ("Häusler", "été", "Ångström", "naïve")] == seated(text)
    assert ["HÃ¤usler,Ã©tÃ©,Ben,Dot"] == lin(text).items["text"].to_list()[:1]


@pytest.mark.parametrize(("written", "name"), [("Ã\x81rpÃ¡d", "Árpád"), ("Ã\x8dÃ±igo", "Íñigo"), ("Ã\x90uro", "Ðuro")])
def test_letters_that_windows_leaves_open_are_repaired_too(written: str, name: str) -> None:
    assert name == seated(f"pn|{written},b,c,d|{BOARD}")[0][0]


def test_a_second_header_ends_the_session_before_it_with_its_names_and_chat() -> None:
    second = HEADER.replace("Cup", "Plate") + "nt|ann: welcome|pg||\n" + PLAYERS.replace("Ada", "Zoe")
    reading = lin(session("1NN=,1NN=", f"o1|{BOARD}mc|7|") + f"{second}qx|o1|{BOARD}")
    assert [("Cup", "Ada"), ("Plate", "Zoe"), ("Cup", "Eve")] == reading.records.select("event", "south").rows()
    assert 0 == len(reading.annotations)


def test_eight_names_after_a_play_are_for_the_next_board() -> None:
    text = f"{HEADER}{PLAYERS}qx|o1|{BOARD}mc|7|pg||\npn|a,b,c,d,e,f,g,h|pg||\nqx|o2|{BOARD}"
    assert [("Ada", "Ben", "Cid", "Dot"), ("a", "b", "c", "d")] == seated(text)


@pytest.mark.parametrize(("carried", "read"), [("12,3", (12, 3)), (",0", (None, 0)), ("-2.5,x", (-2.5, None))])
def test_the_header_states_what_teams_carry_over(carried: str, read: tuple[float | None, float | None]) -> None:
    home, visit = carried.split(",")
    header = HEADER.replace("Reds,0,Blues,5", f"Reds,{home},Blues,{visit}")
    records = lin(session("", f"o1|{BOARD}", header=header)).records
    assert [read] == records.select("home_carry", "visit_carry").rows()


@pytest.mark.parametrize("broken", ["A,B,C,D,E", "A,B,C,D,E,F,G", "A,B,C,D,E,F,G,H"])
def test_a_broken_list_of_names_names_nobody_at_the_next_boards(broken: str) -> None:
    texts = [f"pn|{names}|{MD}mb|pppp|pg||\n" for names in ("J,K,L,M", broken, ",,,", ",,,")]
    assert ["J", None, None] == [lin("".join(texts)).records["south"][number] for number in (0, 2, 3)]
