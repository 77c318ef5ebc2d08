"""What a file is decides which problems are its scorer's."""

from pathlib import Path

import pytest

import overtrick as ot
from tests.support.commands import FIXTURES, run

DEAL = '[Deal "N:K843.T542.J6.863 AQJ7.K.Q75.AT942 962.AJ7.KT82.J75 T5.Q9863.A943.KQ"]'
PLAYED = '[Contract "3NT"]\n[Declarer "E"]\n[Result "9"]\n'
SOUTH_DEALS = '[Board "{}"]\n[Dealer "S"]'


def game(number: int, *parts: str) -> str:
    return "\n".join([SOUTH_DEALS.format(number), DEAL, *parts])


def game_of(kind: str, number: int) -> str:
    match kind:
        case "session":
            pairs = ("1 4", "2 3")
            rows = "\n".join(f"{pair} 3NT E 9" for pair in pairs)
            return game(number, f'[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result"]\n{rows}')
        case "match":
            teams = '[HomeTeam "Heron"]\n[VisitTeam "Kestrel"]\n'
            return "\n\n".join(game(number, f'[Room "{room}"]\n{teams}{PLAYED}') for room in ("Open", "Closed"))
        case "play":
            return game(number, PLAYED)
        case "bidding":
            return game(number, '[Auction "S"]\n1NT Pass 3NT AP')
        case "lesson":
            return game(number, "{Plan the play before you read on.}")
        case _:
            return game(number)


KINDS = ["session", "match", "play", "bidding", "lesson", "practice"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_taken_for_what_it_is(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file.pbn"
    path.write_text("\n\n".join(game_of(kind, number) for number in (1, 2)))
    assert {str(path): kind} == dict(ot.evaluate(path).facts.kinds)


@pytest.mark.parametrize("kind", KINDS)
def test_dealers_off_the_law_matter_where_boards_were_played(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file.pbn"
    path.write_text("\n\n".join(game_of(kind, number) for number in (1, 2)))
    told = "board-dealer" in ot.check(path)["code"].to_list()
    assert told == (kind in {"session", "match", "play"})


def test_the_evening_of_a_table_that_is_a_file_of_its_own_is_a_session(tmp_path: Path) -> None:
    for table, pairs in (("1", ("1", "3")), ("2", ("2", "4"))):
        names = (
            f'[PairNS "{pairs[0]}"]\n[PairEW "{pairs[1]}"]\n[Table "{table}"]\n[Date "2026.03.01"]\n[Event "Club"]\n'
        )
        (tmp_path / f"table{table}.pbn").write_text(game(1, names, PLAYED))
    assert {"session"} == set(ot.evaluate(tmp_path).facts.kinds.values())


def test_the_settings_say_what_files_are(tmp_path: Path) -> None:
    path = tmp_path / "file.pbn"
    path.write_text("\n\n".join(game_of("practice", number) for number in (1, 2)))
    (tmp_path / "club.toml").write_text('[checks]\nkind = "session"\n')
    assert ["board-dealer"] * 2 == ot.check(path)["code"].to_list()


def test_a_strict_check_reports_each_board_of_any_file(tmp_path: Path) -> None:
    path = tmp_path / "file.pbn"
    path.write_text("\n\n".join(game_of("practice", number) for number in range(1, 9)))
    assert "board-dealer" not in run("check", path, "--format", "json").out
    assert 6 == run("check", path, "--strict", "--format", "json").out.count('"board-dealer"')


@pytest.mark.slow
def test_check_shows_what_a_file_is_unless_it_is_a_session(tmp_path: Path) -> None:
    path = tmp_path / "file.pbn"
    path.write_text("\n\n".join(game_of("practice", number) for number in (1, 2)))
    assert "1 file, 2 games, 2 boards (practice deals): no problems\n" in run("check", path).err
    assert "boards (" not in run("check", FIXTURES / "club-evening.pbn").err
