"""Entries applied to a session, one after the other."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from overtrick.apps.evening.causes import list_causes
from overtrick.core.config import Config, Scoring
from overtrick.core.config.corrections import parse_corrections
from overtrick.core.config.file import ConfigError, SettingsFile
from overtrick.core.frames import Session
from overtrick.files.assemble import read
from overtrick.files.assemble.beside import Found
from overtrick.files.correct import Rulings, correct, words
from overtrick.files.correct.entry import put_again, take_back
from tests.support.commands import FIXTURES
from tests.support.evaluating import evaluate

SOURCE = "tuesday.corrections.toml"
MITCHELL = "board,ns,ew,contract,declarer,tricks\n1,1,1,3NT,N,9\n1,2,2,3NT,N,8\n2,1,2,4S,E,10\n2,2,1,4S,E,11\n"
SECTIONS = "section,round,table,board,ns,ew,contract,declarer,tricks\nA,1,1,1,1,2,3NT,N,9\nB,1,1,1,1,2,3NT,N,8\n"
TEAMS = (
    "board,round,ns,ew,team_ns,team_ew,contract,declarer,tricks\n"
    "1,1,H1,K2,Heron,Kestrel,4S,N,10\n1,1,K1,H2,Kestrel,Heron,4S,N,9\n"
)
INDIVIDUAL = (
    "board,ns,ew,player_n,player_e,player_s,player_w,contract,declarer,tricks\n"
    "1,1+2,3+4,1,3,2,4,4S,N,10\n1,5+6,7+8,5,7,6,8,4S,N,9\n"
)


def found(text: str) -> list[Found]:
    return [Found(parse_corrections(SettingsFile(Path(SOURCE), text), SOURCE))]


def spring() -> Session:
    return read([str(FIXTURES / "spring-pairs.csv")])


def table(folder: Path, text: str) -> Session:
    (folder / "evening.csv").write_text(text, "utf-8")
    return read([str(folder / "evening.csv")])


def entry(text: str) -> str:
    return f'[[corrections]]\nwhy = "x"\n{text}\n'


def messages(session: Session) -> list[str]:
    return session.problems.filter(pl.col("code").str.starts_with("correction-"))["message"].to_list()


def corrected(text: str) -> tuple[Session, Rulings]:
    return correct(spring(), found(text))


def row(session: Session, board: int, ns: str) -> dict[str, object]:
    return session.results.row(by_predicate=(pl.col("board") == board) & (pl.col("ns") == ns), named=True)


def test_the_frame_tells_what_was_corrected_and_why() -> None:
    text = (
        '[[corrections]]\nboard = 1\npair = 2\ntricks = 10\nwhy = "entered wrongly"\nwho = "N. Park"\n'
        "when = 2026-03-07T22:15:00+01:00\n"
    )
    session, _ = corrected(text)
    assert {
        "source": SOURCE,
        "line": 1,
        "kind": "result",
        "law": "79C",
        "board": 1,
        "section": None,
        "pair": "2",
        "round": None,
        "table": "2",
        "what": "4♠ by N: 10 tricks in place of 9",
        "why": "entered wrongly",
        "who": "N. Park",
        "when": "2026-03-07T22:15:00+01:00",
        "before": "2 against 5: 4♠ by N, 9 tricks",
        "after": "2 against 5: 4♠ by N, 10 tricks",
        "evening": None,
        "taken_back": None,
        "applied": True,
    } == session.corrections.row(0, named=True)


@pytest.mark.parametrize(
    ("law", "kind", "text"),
    [
        ("79C", "result", "board = 1\npair = 2\ntricks = 10"),
        ("79C", "swap", "board = 1\npair = 2\nswap = true"),
        ("79C", "add", 'add = true\nboard = 2\npair = 1\nother_pair = 6\ncontract = "2H"\nby = "S"\ntricks = 9'),
        ("12", "add", 'add = true\nboard = 2\npair = 1\nother_pair = 6\naward = ["A+", "A-"]'),
        ("12", "award", 'board = 1\npair = 2\naward = ["60%", "40%"]'),
        ("87", "fouled", "board = 1\nfouled = [2]"),
        ("90", "penalty", "pair = 2\npenalty = { amount = 1 }"),
        ("91", "penalty", 'pair = 2\npenalty = { amount = 1, law = "91" }'),
        (None, "name", 'pair = 2\nname = "A - B"'),
        (None, "title", 'title = "Final"'),
    ],
)
def test_a_wrong_entry_a_ruling_and_other_data_are_told_apart(law: str | None, kind: str, text: str) -> None:
    session, _ = corrected(entry(text))
    assert [(law, kind, True)] == session.corrections.select("law", "kind", "applied").rows()


def test_a_corrected_contract_is_scored_anew_although_the_file_states_a_score(tmp_path: Path) -> None:
    session = table(
        tmp_path, "board,ns,ew,contract,declarer,tricks,score_ns,points_ns\n1,1,2,4S,N,10,420,2\n1,3,4,4S,N,9,-50,0\n"
    )
    after, _ = correct(session, found(entry("board = 1\npair = 1\ntricks = 11")))
    assert [None, -50] == after.results["stated_score_ns"].to_list()
    assert [None, None] == after.results["stated_points_ns"].to_list()


@pytest.mark.parametrize(("pair", "section"), [("1", "A"), ("5", "B")])
def test_a_result_that_is_added_is_in_the_section_of_its_pair(pair: str, section: str, tmp_path: Path) -> None:
    header = "board,section,ns,ew,contract,declarer,tricks\n"
    lines = f"{header}1,A,1,2,4S,N,10\n1,B,5,6,4S,N,9\n2,A,3,4,1C,N,7\n2,B,7,8,1C,N,7\n"
    text = f'add = true\nboard = 2\npair = {pair}\nother_pair = {int(pair) + 1}\ncontract = "Pass"'
    after, _ = correct(table(tmp_path, lines), found(entry(text)))
    assert [section] == after.results.filter(pl.col("status") == "passed")["section"].to_list()
    again = text.replace("board = 2", "board = 1") + f'\nsection = "{section}"'
    after, _ = correct(table(tmp_path, lines), found(entry(again)))
    assert ["correction-impossible"] == after.problems["code"].to_list()
    assert "it is there" in after.problems["message"][0]


def test_a_correction_of_the_lead_alone_leaves_the_score(tmp_path: Path) -> None:
    session = table(tmp_path, "board,ns,ew,contract,declarer,tricks,score_ns,points_ns\n1,1,2,4S,N,10,420,2\n")
    after, _ = correct(session, found(entry('board = 1\npair = 1\nlead = "H10"')))
    assert [("HT", 420, 2.0)] == after.results.select("lead", "stated_score_ns", "stated_points_ns").rows()


def test_each_entry_sees_what_the_entries_before_it_did() -> None:
    session, _ = corrected(
        entry("board = 1\npair = 3\nswap = true")
        + entry('board = 1\npair = 6\ndirection = "NS"\ntricks = 8')
        + entry('pair = 6\nname = "Lou Heath - Max Ferne"')
        + entry('player = { from = "Max Ferne", to = "Max Fern" }')
    )
    assert ("3", 8) == (row(session, 1, "6")["ew"], row(session, 1, "6")["tricks"])
    assert "Lou Heath - Max Fern" in session.contestants["names"]
    assert session.corrections["applied"].all()


@pytest.mark.parametrize(
    "lines",
    [
        ("A,1,{},Cy Dunn - Di Eads", "B,2,{},Fay Finch - Guy Gale"),
        ("A,1,{},Cy Dunn - Di Eads", "A,2,Fay Finch - Guy Gale,{}"),
        ("A,1,{},Cy Dunn - Di Eads", "B,2,Fay Finch - Guy Gale,{}"),
    ],
    ids=["two sections", "both lines", "both"],
)
def test_a_pair_that_gets_the_name_of_another_is_that_pair(lines: tuple[str, str], tmp_path: Path) -> None:
    """As in a file that spells the name the same way in both of its lines."""

    def listed(*names: str) -> Session:
        rows = [f"{line.format(name)},3NT,N,9\n" for line, name in zip(lines, names, strict=True)]
        return table(tmp_path, "".join(["section,board,ns,ew,contract,declarer,tricks\n", *rows]))

    right = listed("Ada Quill - Bo Rook", "Ada Quill - Bo Rook").contestants
    wrong = listed("Ada Quill - Bo Rook", "Ada Quill - Bo Rock")
    assert len(right) + 1 == len(wrong.contestants)
    after, _ = correct(wrong, found(entry('player = { from = "Bo Rock", to = "Bo Rook" }')))
    columns = ["contestant", "section", "names", "direction"]
    assert right.select(columns).sort(columns).equals(after.contestants.select(columns).sort(columns))


def test_a_session_without_corrections_stays_the_same() -> None:
    session = spring()
    same, rulings = correct(session, [])
    assert session.results.equals(same.results)
    assert Scoring() == rulings.on(Scoring())


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (
            "board 99, pair 2: no result is on this board; there are results on boards 1-2",
            "board = 99\npair = 2\nswap = true",
        ),
        ("board 1, pair 22: there is no contestant 22; did you mean 2?", "board = 1\npair = 22\nswap = true"),
        (
            "board 1, pair 2, direction EW: the contestant sat N-S: 2 against 5",
            'board = 1\npair = 2\ndirection = "EW"\nswap = true',
        ),
        ("board 1, pair 2, section B: the file states no section", 'board = 1\npair = 2\nsection = "B"\nswap = true'),
        ("board 1, pair 2, table 9: it was in table 2", "board = 1\npair = 2\ntable = 9\nswap = true"),
        ("board 1, pair 2: there is no contestant 33; did you mean 3?", "board = 1\npair = 2\nother_pair = 33"),
        ("pair 44: there is no contestant 44; did you mean 4?", "pair = 44\npenalty = { amount = 1 }"),
        (
            "the session: no player is called Gus Layne; did you mean Gus Lane?",
            'player = { from = "Gus Layne", to = "Gus Lane" }',
        ),
        ("board 1: contestant 5 did not sit N-S on this board; known are 1, 2, 3", "board = 1\nfouled = [5]"),
        ("board 1: the files show no deal of this board", 'board = 1\ncards = ["SA", "H2"]'),
        (
            "board 1, pair 2: it is there: 2 against 5: 4♠ by N, 9 tricks",
            'add = true\nboard = 1\npair = 2\nother_pair = 5\ncontract = "4S"\nby = "N"\ntricks = 9',
        ),
        ("board 2, pair 2: the board was passed out; a contract is needed too", "board = 2\npair = 2\ntricks = 9"),
        ("board 2, pair 2: 4♠ needs by and tricks too", 'board = 2\npair = 2\ncontract = "4S"'),
        ("board 2, pair 3: the file states no contract; set contract too", "board = 2\npair = 3\ntricks = 9"),
    ],
)
def test_an_entry_that_does_not_fit_names_the_nearest(message: str, text: str) -> None:
    session, rulings = corrected(entry(text))
    (told,) = messages(session)
    assert told.startswith(message)
    assert [False] == session.corrections["applied"].to_list()
    assert spring().results.equals(session.results)
    assert Scoring() == rulings.on(Scoring())


def test_a_problem_has_the_place_of_the_key() -> None:
    session, _ = corrected(entry("board = 1\npair = 2\ntricks = 10") + entry("board = 9\npair = 2\ntricks = 10"))
    (problem,) = session.problems.filter(pl.col("code") == "correction-unmatched").iter_rows(named=True)
    assert (SOURCE, 8, 1, "error") == tuple(problem[name] for name in ("source", "line", "column", "severity"))


@pytest.mark.parametrize(
    ("says", "first", "second"),
    [
        ("sets the tricks", "board = 1\npair = 2\ntricks = 10", "board = 1\npair = 5\ntricks = 10"),
        ("gives an adjusted score", 'board = 1\npair = 2\naward = ["A", "A"]', "board = 1\npair = 2\nassigned = 100"),
        ("sets the contract", 'board = 1\npair = 2\ncontract = "3S"', "board = 1\npair = 2\ndelete = true"),
        (
            "says that the table did not play the board",
            "board = 1\npair = 2\nnot_played = true",
            "board = 1\npair = 2\nscore = 100",
        ),
        ("lets the pairs change places", "board = 1\npair = 2\nswap = true", "board = 1\npair = 2\nswap = true"),
        ("sets the names", 'pair = 2\nname = "A - B"', 'pair = 2\nname = "A - C"'),
        ("sets the title", 'title = "A"', 'title = "B"'),
        ("sets the handicap", "pair = 2\nhandicap = 1", "pair = 2\nhandicap = 2"),
        ("sets the method", 'method = "butler"', 'method = "matchpoints"'),
    ],
)
def test_of_two_entries_that_contradict_each_other_the_first_counts(says: str, first: str, second: str) -> None:
    session, _ = corrected(entry(first) + entry(second))
    (told,) = messages(session)
    assert told.endswith(f"entry 1 on line 1 already {says}")
    assert [True, False] == session.corrections["applied"].to_list()


def test_two_penalties_of_a_pair_add_up() -> None:
    _, rulings = corrected(entry("pair = 2\npenalty = { amount = 1 }") * 2)
    assert 2 == len(rulings.on(Scoring()).penalties)


def test_an_entry_that_changes_nothing_is_a_warning() -> None:
    session, _ = corrected(entry("board = 1\npair = 2\ntricks = 9"))
    assert ["correction-no-change"] == session.problems["code"].to_list()
    assert ["warning"] == session.problems["severity"].to_list()


def test_a_number_that_two_pairs_have_needs_a_direction(tmp_path: Path) -> None:
    session = table(tmp_path, MITCHELL)
    after, _ = correct(session, found(entry("board = 2\npair = 1\ntricks = 9")))
    assert ["board 2, pair 1 fits 2 contestants: 1 NS, 1 EW"] == messages(after)
    after, _ = correct(session, found(entry('board = 2\npair = 1\ndirection = "EW"\ntricks = 9')))
    assert 9 == row(after, 2, "2")["tricks"]


def test_sections_tell_equal_numbers_apart(tmp_path: Path) -> None:
    session = table(tmp_path, SECTIONS)
    after, _ = correct(session, found(entry("board = 1\npair = 1\ntricks = 7")))
    assert ["board 1, pair 1 fits 2 contestants: A1 NS, B1 NS"] == messages(after)
    after, _ = correct(session, found(entry('board = 1\npair = 1\nsection = "B"\ntricks = 7')))
    assert [9, 7] == after.results["tricks"].to_list()


def test_a_table_names_a_result_without_its_pairs() -> None:
    session, _ = corrected(entry("board = 1\ntable = 2\ntricks = 10"))
    assert 10 == row(session, 1, "2")["tricks"]


def test_a_pair_can_be_named_by_its_players() -> None:
    session, _ = corrected(entry('board = 1\npair = "fay reed - gus lane"\ntricks = 10'))
    assert 10 == row(session, 1, "2")["tricks"]


def test_a_team_is_named_by_its_name(tmp_path: Path) -> None:
    session = table(tmp_path, TEAMS)
    after, _ = correct(session, found(entry('board = 1\npair = "Heron"\ndirection = "NS"\ntricks = 12')))
    assert 12 == row(after, 1, "H1")["tricks"]
    after, _ = correct(session, found(entry('board = 1\npair = "H1"\nswap = true')))
    assert ("Kestrel", "Heron") == (row(after, 1, "K2")["team_ns"], row(after, 1, "K2")["team_ew"])


def test_a_player_of_an_individual_is_replaced_at_the_right_seat(tmp_path: Path) -> None:
    session = table(tmp_path, INDIVIDUAL)
    after, _ = correct(session, found(entry("board = 1\npair = 2\nother_pair = 6")))
    assert ("1", "6", "1+6") == tuple(after.results.row(0, named=True)[name] for name in ("player_n", "player_s", "ns"))


def test_a_result_of_an_individual_is_added_with_its_players(tmp_path: Path) -> None:
    session = table(tmp_path, INDIVIDUAL)
    text = 'add = true\nboard = 2\nplayers = [1, 2, 3, 4]\ncontract = "1NT"\nby = "N"\ntricks = 7'
    after, _ = correct(session, found(entry(text)))
    assert ("1+3", "2+4", 2) == tuple(after.results.row(-1, named=True)[name] for name in ("ns", "ew", "board"))
    after, _ = correct(session, found(entry(text.replace("players = [1, 2, 3, 4]", "pair = 1\nother_pair = 2"))))
    assert ["board 2, pair 1: in an individual, name the four players: players = [N, E, S, W]"] == messages(after)


def test_an_added_result_of_two_pairs_belongs_to_the_teams_that_they_play_for_elsewhere(tmp_path: Path) -> None:
    played = "board,round,table,ns,ew,team_ns,team_ew,contract,declarer,tricks\n"
    session = table(
        tmp_path, f"{played}1,1,1,H1,K2,Heron,Kestrel,4S,N,10\n1,1,2,K1,H2,Kestrel,Heron,4S,N,9\n2,1,1,H1,K2,,,4S,N,9\n"
    )
    text = 'add = true\nboard = 3\npair = "K2"\nother_pair = "H2"\ncontract = "1NT"\nby = "N"\ntricks = 7'
    after, _ = correct(session, found(entry(text)))
    assert ("Kestrel", "Heron") == tuple(after.results.row(-1, named=True)[name] for name in ("team_ns", "team_ew"))


def test_an_added_result_takes_its_vulnerability_from_the_board() -> None:
    text = 'add = true\nboard = 2\npair = 1\nother_pair = 6\ncontract = "4S"\nby = "N"\ntricks = 10'
    added = corrected(entry(text))[0].results.row(-1, named=True)
    assert ("NS", "played", 1) == (added["vulnerable"], added["status"], added["multiplicity"])


def test_a_board_that_the_file_lacks_can_be_added() -> None:
    text = 'add = true\nboard = 9\npair = 1\nother_pair = 6\ncontract = "4S"\nby = "N"\ntricks = 10'
    session, _ = corrected(entry(text))
    assert 9 == session.records["board"].to_list()[-1]
    assert session.results.row(-1, named=True)["record"] == session.records["record"].to_list()[-1]


def test_an_adjusted_score_goes_with_its_result_through_later_entries() -> None:
    _, rulings = corrected(
        entry('board = 1\npair = 3\naward = ["60%", "40%"]') + entry("board = 1\npair = 3\nswap = true")
    )
    (adjustment,) = rulings.on(Scoring()).adjustments
    assert ("6", "3", "x") == (adjustment.ns, adjustment.ew, adjustment.reason)


def test_a_ruling_follows_a_pair_that_is_known_by_its_names(tmp_path: Path) -> None:
    session = table(
        tmp_path, "board,ns,ew,contract,declarer,tricks,names_ns,names_ew\n1,A - B,C - D,4S,N,10,A - B,C - D\n"
    )
    text = entry('pair = "A - B"\npenalty = { amount = 1 }') + entry('pair = "A - B"\nname = "A - Bee"')
    after, rulings = correct(session, found(text))
    assert ["A - Bee"] == after.results["ns"].to_list()
    assert ["A - Bee"] == [one.contestant for one in rulings.on(Scoring()).penalties]


def test_two_spellings_of_one_pair_become_one(tmp_path: Path) -> None:
    session = table(
        tmp_path,
        "board,ns,ew,contract,declarer,tricks,names_ns,names_ew\n"
        "1,A - B,C - D,4S,N,10,A - B,C - D\n2,A - Bee,C - D,4S,N,9,A - Bee,C - D\n",
    )
    after, _ = correct(session, found(entry('pair = "A - Bee"\nname = "A - B"')))
    assert ["A - B", "C - D"] == sorted(after.contestants["contestant"])
    assert ["A - B", "A - B"] == after.results["ns"].to_list()


def test_a_substitute_takes_no_membership_number_along() -> None:
    session = spring()
    numbered = replace(session, contestants=session.contestants.with_columns(pl.lit("11 - 22").alias("members")))
    after, _ = correct(numbered, found(entry('substitute = { for = "Gus Lane", player = "Sue Park" }')))
    who = after.contestants.filter(pl.col("contestant") == "2").row(0, named=True)
    assert ("Fay Reed - Sue Park", "11 - ") == (who["names"], who["members"])
    assert ["Sue Park - Gus Lane"] == after.contestants["substitutes"].drop_nulls().to_list()


def test_a_substitute_for_some_boards_is_in_their_games_only(tmp_path: Path) -> None:
    text = "".join(
        f'[Board "{board}"]\n[North "A"]\n[South "B"]\n[East "C"]\n[West "D"]\n[PairNS "1"]\n[PairEW "2"]\n'
        f'[Declarer "N"]\n[Contract "4S"]\n[Result "10"]\n\n'
        for board in (1, 2)
    )
    (tmp_path / "a.pbn").write_text(text, "utf-8")
    entries = entry('substitute = { for = "B", player = "Z", boards = [2] }')
    after, _ = correct(read([str(tmp_path / "a.pbn")]), found(entries))
    assert ["B", "Z"] == after.records["south"].to_list()
    assert "A - B" in after.contestants["names"]
    assert "Z - B" == after.contestants.filter(pl.col("names") == "A - B")["substitutes"].item()


def test_two_cards_change_places_in_every_game_of_the_board(tmp_path: Path) -> None:
    deal = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    (tmp_path / "a.pbn").write_text(
        f'[Board "1"]\n[Dealer "N"]\n[Deal "{deal}"]\n[DoubleDummyTricks "{"0" * 20}"]\n', "utf-8"
    )
    session = read([str(tmp_path / "a.pbn")])
    after, _ = correct(session, found(entry('board = 1\ncards = ["SA", "H2"]')))
    assert ["N:KQJT98765432.2.. A.AKQJT9876543.. ..AKQJT98765432. ...AKQJT98765432"] == after.records["deal"].to_list()
    assert "DoubleDummyTricks" not in after.items["name"]
    assert ["cards: ♠A to East and ♥2 to North"] == after.corrections["what"].to_list()
    same, _ = correct(session, found(entry('board = 1\ncards = ["SA", "SK"]')))
    assert ["board 1: North holds both cards"] == messages(same)


def test_the_game_that_states_a_result_is_corrected_with_it(tmp_path: Path) -> None:
    text = (
        '[Board "1"]\n[North "A"]\n[East "B"]\n[South "C"]\n[West "D"]\n[Declarer "N"]\n'
        '[Contract "4S"]\n[Result "10"]\n[Score "NS 420"]\n'
    )
    (tmp_path / "a.pbn").write_text(text, "utf-8")
    session = read([str(tmp_path / "a.pbn")])
    after, _ = correct(session, found(entry('board = 1\npair = "A - C"\ntricks = 9')))
    assert [(9, None)] == after.records.select("tricks", "stated_score_ns").rows()
    after, _ = correct(session, found(entry('board = 1\npair = "A - C"\ndelete = true')))
    assert [(None, None)] == after.records.select("level", "stated_score_ns").rows()
    after, _ = correct(session, found(entry('board = 1\npair = "A - C"\nswap = true')))
    assert [("B", "A", "D", "C")] == after.records.select("north", "east", "south", "west").rows()


@pytest.mark.parametrize("name", ["club-evening.pbn", "two-rooms.lin", "butler-evening.pbn", "rubber.csv"])
def test_an_unfit_entry_leaves_all_frames_as_they_are(name: str) -> None:
    session = read([str(FIXTURES / name)])
    after, _ = correct(session, found(entry("board = 999\npair = 2\ntricks = 3")))
    for frame in ("records", "results", "contestants", "items"):
        assert getattr(session, frame).equals(getattr(after, frame))


def test_a_corrected_session_is_checked_like_a_file(tmp_path: Path) -> None:
    """East holds the ace of hearts, so it can't be led against a contract by East."""
    deal = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    (tmp_path / "a.pbn").write_text(f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{deal}"]\n', "utf-8")
    (tmp_path / "a.csv").write_text("board,ns,ew,contract,declarer,tricks\n1,1,2,7S,N,13\n1,3,4,7S,N,13\n", "utf-8")
    (tmp_path / "a.corrections.toml").write_text(entry('board = 1\npair = 1\nlead = "S2"'), "utf-8")
    session = evaluate([str(tmp_path / "a.csv"), str(tmp_path / "a.pbn")], Config())
    assert "lead-not-held" in session.problems["code"]


def test_an_entry_that_was_taken_back_stays_on_record_and_contradicts_nothing() -> None:
    entry = '[[corrections]]\n{}board = 1\npair = 2\ntricks = {}\nwhy = "entered wrongly"\n'
    text = entry.format("taken_back = 2026-03-08T09:00:00+01:00\n", 11) + entry.format("", 10)
    session, _ = corrected(text)
    rows = session.corrections.select("what", "taken_back", "applied").rows()
    assert [
        ("4♠ by N: 11 tricks in place of 9", "2026-03-08T09:00:00+01:00", False),
        ("4♠ by N: 10 tricks in place of 9", None, True),
    ] == rows
    assert session.results.equals(corrected(entry.format("", 10))[0].results)
    assert [] == [code for code in session.problems["code"] if code.startswith("correction-")]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_taking_an_entry_back_marks_its_header_and_leaves_all_else(end: str) -> None:
    lines = [
        "# by hand",
        "[[corrections]]  # one",
        "board = 1",
        "pair = 2",
        "split = { ns = 1, ew = 2 }",
        'why = "x"',
        "",
    ]
    lines += ["[[corrections]]", 'title = "T"', 'why = "y"']
    file = SettingsFile(Path("x.toml"), end.join(lines))
    for number, at in ((1, 2), (2, 8)):
        text = take_back(file, number, datetime(2026, 3, 8, 9, tzinfo=UTC))
        marked = [*lines[:at], "taken_back = 2026-03-08T09:00:00+00:00", *lines[at:]]
        assert end.join(marked) == text
        assert file.text == put_again(SettingsFile(file.path, text), number)
        with pytest.raises(ConfigError):
            put_again(file, number)
        with pytest.raises(ConfigError):
            take_back(SettingsFile(file.path, text), number, datetime(2026, 3, 8, 9, tzinfo=UTC))


STATED = (
    "board,ns,ew,contract,declarer,tricks,points_ns,points_ew\n"
    "1,1,11,3NT,N,9,2,0\n1,2,12,3NT,N,8,0,2\n2,1,12,4S,E,10,1,1\n2,2,11,4S,E,10,1,1\n"
)


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ('board = 1\npair = "1"\ntricks = 8', {1}),
        ('board = 2\npair = "2"\ntricks = 9', {2}),
        ('board = 1\npair = "1"\nlead = "SA"', set()),
        ('board = 1\nfouled = ["1"]', {1}),
        ('pair = "1"\npenalty = {amount = 50, unit = "percent"}', {1, 2}),
        ('pair = "1"\nhandicap = 3', {1, 2}),
        ('method = "butler"', {1, 2}),
    ],
)
def test_stated_points_go_only_where_the_comparison_changed(text: str, without: set[int], tmp_path: Path) -> None:
    changed, _ = correct(table(tmp_path, STATED), found(entry(text)))
    assert [] == messages(changed)
    lines = changed.results.select("board", "stated_points_ns", "stated_points_ew")
    assert without == {*lines.filter(pl.all_horizontal(pl.nth(1, 2).is_null()))["board"]}
    assert {1, 2} - without == {*lines.filter(pl.all_horizontal(pl.nth(1, 2).is_not_null()))["board"]}


@pytest.mark.parametrize(("count", "ends"), [(11, "11"), (12, "12"), (13, "12 and 1 more"), (30, "12 and 18 more")])
def test_a_message_lists_twelve_names_and_counts_the_others(count: int, ends: str) -> None:
    names = [str(number) for number in range(1, count + 1)]
    assert f"{', '.join(names[: min(count, 12) - 1])}, {ends}" == words.listed(names)
    assert "1 and 2 more" == words.listed(names[:3], most=1)


GAME = """[Event "Tuesday"]
[Board "1"]
[West "Cy"]
[North "Ann"]
[East "Di"]
[South "Bob"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:T94.74.AKJ65.J42 KQ6.J3.T872.KQ97 J73.KT98.Q43.T63 A852.AQ652.9.A85"]
[Declarer "W"]
[Contract "2H"]
[Result "9"]
[Auction "N"]
Pass Pass Pass 1H
Pass 2H Pass Pass
Pass
[Play "N"]
DA D2 D3 D9
DK D7 D4 H2
"""


@pytest.mark.parametrize(
    ("suffix", "entry", "code", "line"),
    [
        (".csv", "score = 90", "score-mismatch", 4),
        (".pbn", "tricks = 13", "result-differs-from-play", 4),
        (".pbn", 'contract = "3H"', "contract-differs-from-auction", 4),
        (".pbn", 'by = "E"', "contract-differs-from-auction", 4),
    ],
)
def test_a_problem_that_an_entry_makes_is_told_at_the_entry(
    suffix: str, entry: str, code: str, line: int, tmp_path: Path
) -> None:
    path = tmp_path / f"tuesday{suffix}"
    path.write_text(MITCHELL if suffix == ".csv" else GAME)
    pair = 'pair = "1 NS"' if suffix == ".csv" else 'pair = "Ann - Bob"'
    text = f'[[corrections]]\nboard = 1\n{pair}\n{entry}\nwhy = "typed wrongly"\n'
    corrected = evaluate([str(path)], Config(), corrections=found(text))
    told = corrected.problems.filter(pl.col("code") == code)
    assert [(SOURCE, line, 1)] == told.select("source", "line", "column").rows()
    # At the desk it is mended in the cell of the result.
    (trouble,) = next(cause for cause in list_causes(corrected) if cause.code == code).troubles
    assert ("cell", "1") == (trouble.mend, trouble.board)
    assert "board=1" in trouble.key


def test_a_problem_that_no_entry_makes_stays_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "tuesday.pbn"
    path.write_text(GAME.replace('[Dealer "N"]', '[Dealer "E"]'))
    entry = '[[corrections]]\nboard = 1\npair = "Ann - Bob"\ntricks = 13\nwhy = "typed wrongly"\n'
    told = evaluate([str(path)], Config(), corrections=found(entry)).problems
    kept = evaluate([str(path)], Config(), corrections=()).problems
    own = told.filter(pl.col("source") == str(path))
    assert {"result-differs-from-play"} == set(told["code"]) - set(kept["code"])
    assert kept.select("code", "line", "column").rows() == own.select("code", "line", "column").rows()
    assert "board-dealer" in own["code"]


def test_a_player_of_one_pair_is_renamed_in_its_game_records_too(tmp_path: Path) -> None:
    path = tmp_path / "tuesday.pbn"
    other = GAME.replace('[North "Ann"]', '[North "Bob"]').replace('[South "Bob"]', '[South "Flo"]')
    path.write_text(GAME + "\n" + other.replace('[Board "1"]', '[Board "2"]'))
    renamed, _ = correct(read([str(path)]), found(entry('pair = "Ann - Bob"\nplayer = { from = "Bob", to = "Rob" }')))
    assert [("Ann", "Rob"), ("Bob", "Flo")] == renamed.records.select("north", "south").rows()
    assert {"Ann - Rob", "Bob - Flo"} <= set(renamed.contestants["names"])


def test_a_pair_that_did_not_play_the_board_is_answered_with_those_who_did(tmp_path: Path) -> None:
    path = tmp_path / "tuesday.csv"
    path.write_text("board,ns,ew,score_ns\n1,1,2,420\n2,3,4,140\n")
    refused, _ = correct(read([str(path)]), found(entry('board = 1\npair = "3"\nscore = 90')))
    (message,) = messages(refused)
    assert "contestant 3 has no result on this board; its results are 1 against 2" in message
