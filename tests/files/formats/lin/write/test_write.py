"""LIN from the records of a session."""

from pathlib import Path

import pytest

from overtrick.core.frames import Session
from overtrick.files.assemble import read
from overtrick.files.formats.lin.write import write_lin
from tests.support.commands import EVENING, run
from tests.support.lin_texts import DEAL, HANDS, MD
from tests.support.lin_texts import session as match_session
from tests.support.reading import codes

ALL_HANDS = ",".join(HANDS[:3])
PLAYERS = '[South "Ada"]\n[West "Ben"]\n[North "Cid"]\n[East "Dot"]\n'
DEALT = f'[Board "5"]\n[Dealer "N"]\n[Vulnerable "NS"]\n[Deal "{DEAL}"]\n'
BID = '[Auction "N"]\n1NT =1= Pass $5 2S! {hm} X ; why\nXX Pass Pass Pass\n[Note "1:strong, 15-17"]\n'
PLAYED = '[Contract "2SXX"]\n[Declarer "S"]\n[Result "7"]\n'
PLAY = '[Play "W"]\nD7 DA D2 {well} D3\n- CA - -\n*\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def pbn_session(text: str, folder: Path) -> Session:
    path = folder / "a.pbn"
    path.write_text(text, "utf-8")
    return read([str(path)])


def written(text: str, folder: Path) -> list[str]:
    return write_lin(pbn_session(text, folder)).content.decode().split("\r\n")


def test_a_deal_has_the_shape_that_is_uploaded(folder: Path) -> None:
    assert [f"qx|o5|md|3{ALL_HANDS},|rh||ah|Board 5|sv|n|pg||", ""] == written(DEALT, folder)


def test_dealer_and_vulnerability_follow_the_number_where_nobody_states_them(folder: Path) -> None:
    line, _ = written(f'[Board "7"]\n[Deal "{DEAL}"]\n', folder)
    assert "md|1S" in line
    assert "sv|b|" in line


def test_a_board_is_a_line_with_its_auction_its_play_and_the_claim(folder: Path) -> None:
    line, end = written(DEALT + PLAYERS + PLAYED + BID + PLAY, folder)
    assert "" == end
    assert f"pn|Ada,Ben,Cid,Dot|st||md|3{ALL_HANDS},|rh||ah|Board 5|sv|n|" in line
    assert "mb|1N|an|strong, 15-17|mb|p|mb|2S|nt|hm|pg||mb|d|nt|why|pg||mb|r|mb|p|mb|p|mb|p|pg||" in line
    assert line.endswith("pc|D7|pc|DA|pc|D2|nt|well|pg||pc|D3|pg||pc|CA|pg||mc|7|pg||")


def test_a_match_is_below_its_header_with_both_rooms(folder: Path) -> None:
    match = '[Event "Cup"]\n[Round "Final"]\n[HomeTeam "Reds"]\n[VisitTeam "Blues"]\n[Scoring "IMP"]\n'
    rooms = "\n".join(f'{match}[Room "{room}"]\n{DEALT}{PLAYERS}{PLAYED}' for room in ("Open", "Closed"))
    lines = written(rooms, folder)
    assert ["vg|Cup,Final,I,5,5,Reds,,Blues,|", "rs|2SSxx-1,2SSxx-1|"] == lines[:2]
    assert "pn|Ada,Ben,Cid,Dot,Ada,Ben,Cid,Dot|pg||" == lines[2]
    assert ["qx|o5|st||md|3", "qx|c5|st||md|3"] == [line[:14] for line in lines[3:5]]


def test_teams_without_a_room_are_named_as_lost(folder: Path) -> None:
    text = f'[Event "Cup"]\n[HomeTeam "Reds"]\n[VisitTeam "Blues"]\n{DEALT}{PLAYED}'
    converted = write_lin(pbn_session(text, folder))
    assert b"Reds" not in converted.content
    assert ["HomeTeam, VisitTeam"] == [
        message.rpartition(": ")[2] for message in converted.problems.filter(code="not-written")["message"]
    ]


def test_a_result_without_an_auction_is_in_the_list(folder: Path) -> None:
    assert "rs|2SSxx-1,|" in written(DEALT + PLAYED, folder)


def test_a_board_that_comes_again_opens_another_list(folder: Path) -> None:
    game = f'[Event "Pairs"]\n{DEALT}{PLAYED}'
    lines = written(f"{game}\n{game.replace('2SXX', '3S')}", folder)
    assert ["rs|2SSxx-1,|", "rs|3SS-2,|"] == [line for line in lines if line.startswith("rs")]


def test_players_that_change_are_named_with_each_board(folder: Path) -> None:
    games = [f'[Event "Pairs"]\n{DEALT}{PLAYERS}{PLAYED}'.replace('"5"', f'"{number}"') for number in (5, 6)]
    lines = written("\n".join([games[0], games[1].replace("Ada", "Eve")]), folder)
    assert "pn|,,,,,,,|pg||" in lines
    assert ["qx|o5|pn|Ada", "qx|o6|pn|Eve"] == [line[:12] for line in lines if line.startswith("qx")]


def test_boards_far_apart_are_named(folder: Path) -> None:
    games = [DEALT.replace('"5"', f'"{number}"') + PLAYED for number in (5, 90_000)]
    lines = written("\n".join(games), folder)
    assert ["rs|2SSxx-1,,2SSxx-1,|", "bn|5,90000|"] == lines[1:3]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('[Annotator "Eve"]\n' + DEALT, "not-written"),
        (DEALT + BID, "not-written"),
        (DEALT + '[Auction "N"]\n1C {a|b}\n', "written-changed"),
        (DEALT + '[West "Ben, Sir"]\n', "written-changed"),
        (DEALT + '[Auction "S"]\n1C Pass Pass Pass\n', "not-written"),
        (DEALT + '[Auction "N"]\n1C hm Pass Pass Pass\n', "not-written"),
        (DEALT + '[Contract "1C"]\n[Declarer "N"]\n[Play "E"]\nHA - H3 H8\n', "not-written"),
        ('[Board "1"]\n[West "Ben"]\n', "not-written"),
        (DEALT.replace('"5"', '"x"') + PLAYED, "not-written"),
    ],
)
def test_what_lin_cannot_hold_is_reported(text: str, code: str, folder: Path) -> None:
    assert code in codes(write_lin(pbn_session(text, folder)).problems)


def test_tricks_of_a_contract_that_has_no_place_are_not_those_of_the_auction(folder: Path) -> None:
    game = DEALT.replace('"5"', '"x"') + PLAYED + '[Auction "N"]\n1C Pass Pass Pass\n'
    assert "mc|" not in "".join(written(game, folder))


def test_the_header_of_a_match_states_what_teams_carry_over(folder: Path) -> None:
    headers = [f"vg|Cup,{part},I,1,1,Reds,3,Blues,2.5|" for part in "AB"]
    for part, header in zip("ab", headers, strict=True):
        (folder / f"{part}.lin").write_text(match_session("1NN=,1NN=", f"o1|{MD}", header=f"{header}\n"))
    lines = write_lin(read([str(folder)])).content.decode().splitlines()
    assert headers == [line for line in lines if line.startswith("vg|")]


def test_a_plain_board_loses_nothing(folder: Path) -> None:
    assert [] == codes(write_lin(pbn_session(DEALT + PLAYERS, folder)).problems)


def test_comments_beside_the_auction_and_the_play_are_kept(folder: Path) -> None:
    line, _ = written(f"{{first}}\n{DEALT}{{of the deal}}\n{BID}{{of the auction}}\n{PLAY}; of the play\n", folder)
    assert "sv|n|nt|first|pg||nt|of the deal|pg||mb|1N|" in line
    assert "mb|p|nt|of the auction|pg||pg||pc|D7|" in line
    assert line.endswith("pc|CA|nt|of the play|pg||pg||")


def test_no_value_ends_in_rs(folder: Path) -> None:
    line, _ = written(DEALT + '[South "Peters"]\n[Auction "N"]\n1C {honours}\n', folder)
    assert "rs|" not in line
    path = folder / "a.lin"
    path.write_text(line, "utf-8")
    assert "Peters" == read([str(path)]).records["south"][0]


@pytest.mark.slow
def test_the_command_line_writes_lin_and_keeps_it(folder: Path) -> None:
    ran = run("convert", EVENING, folder / "evening.lin")
    assert 0 == ran.status
    assert "not-written" in ran.err
    ran = run("convert", folder / "evening.lin", folder / "again.lin")
    assert (0, "") == (ran.status, ran.out)
    assert (folder / "evening.lin").read_bytes() == (folder / "again.lin").read_bytes()
