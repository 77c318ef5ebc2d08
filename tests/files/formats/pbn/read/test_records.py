"""Tag values as typed columns (PBN 3.4 and 4)."""

from pathlib import Path

import pytest

from overtrick.core.config import Config
from tests.support.evaluating import evaluate
from tests.support.reading import codes, pbn

DEAL = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"


def value(tags: str, column: str) -> object:
    return pbn(tags + "\n").records[column][0]


@pytest.mark.parametrize(
    ("written", "board"), [("1", 1), (" 7 ", 7), ("32", 32), ("0", None), ("1A", None), ("-1", None), ("?", None)]
)
def test_a_board_is_a_whole_number_above_0(written: str, board: int | None) -> None:
    assert board == value(f'[Board "{written}"]', "board")


def test_a_board_that_is_no_number_is_named_with_its_place() -> None:
    reading = pbn('[Event "x"]\n[Board "1A"]\n')
    assert [("error", "pbn-tag-value", 2, 1)] == (reading.problems.select("severity", "code", "line", "column").rows())
    assert "1A" == reading.records["board_label"][0]


@pytest.mark.parametrize(
    ("written", "vulnerable"),
    [("None", "None"), ("Love", "None"), ("-", "None"), ("ns", "NS"), ("E-W", "EW"), ("Both ", "All"), ("", None)],
)
def test_vulnerability_has_many_names(written: str, vulnerable: str | None) -> None:
    assert vulnerable == value(f'[Vulnerable "{written}"]', "vulnerable")


@pytest.mark.parametrize(
    ("written", "contract"),
    [
        ("4SX", (4, "S", 1)),
        ("3N", (3, "NT", 0)),
        ("5Cx", (5, "C", 1)),
        ("4S**", (4, "S", 2)),
        ("1ntxx", (1, "NT", 2)),
        ("Pass", (0, None, None)),
        ("H", (None, "H", None)),
        ("?", (None, None, None)),
        ("8C", (None, None, None)),
    ],
)
def test_contracts(written: str, contract: tuple[int | None, str | None, int | None]) -> None:
    record = pbn(f'[Contract "{written}"]\n').records.row(0, named=True)
    assert contract == (record["level"], record["strain"], record["doubled"])


@pytest.mark.parametrize(
    ("written", "tricks"),
    [("9", 9), ("^9", 9), ("NS 9", 9), ("EW 4", 9), ("EW 4 NS 9", 9), ("0", 0), ("?", None), ("14", None), ("", None)],
)
def test_a_result_is_declarers_tricks(written: str, tricks: int | None) -> None:
    assert tricks == value(f'[Declarer "S"]\n[Contract "1C"]\n[Result "{written}"]', "tricks")


@pytest.mark.parametrize(
    ("declarer", "written", "points"),
    [
        ("N", "420", 420),
        ("E", "420", -420),
        ("E", "NS -100", -100),
        ("N", "EW 110", -110),
        ("N", "NS +550", 550),
        ("N", "EW -50 NS 50", 50),
        ("?", "420", None),
        ("?", "0", 0),
    ],
)
def test_a_score_is_kept_for_north_south(declarer: str, written: str, points: int | None) -> None:
    assert points == value(f'[Declarer "{declarer}"]\n[Score "{written}"]', "stated_score_ns")


@pytest.mark.parametrize("first", "NESW")
def test_a_deal_is_turned_to_begin_with_north(first: str) -> None:
    hands = DEAL[2:].split(" ")
    shift = "NESW".index(first)
    assert DEAL == value(f'[Deal "{first}:{" ".join(hands[shift:] + hands[:shift])}"]', "deal")


@pytest.mark.parametrize(
    ("written", "deal"),
    [
        ("S:A.K.Q.J - - -", "N:- - A.K.Q.J -"),
        ("n:akq10... - - -", "N:AKQT... - - -"),
        ("N:A.K.Q.J  - - -", "N:A.K.Q.J - - -"),
        ("N:SA.HK.DQ.CJ - - -", "N:A.K.Q.J - - -"),
        ("N:A.K.Q.J. - - -", "N:A.K.Q.J - - -"),
        (" N:A.K.Q.J - - - ", "N:A.K.Q.J - - -"),
        ("N:A.K.Q.x - - -", None),
        ("N:A.K.Q - - -", None),
        ("N:- - - -", None),
        ("W", None),
        ("", None),
    ],
)
def test_deals_that_are_not_whole_go_through_the_grammar(written: str, deal: str | None) -> None:
    assert deal == value(f'[Deal "{written}"]', "deal")


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("N:A.K.Q.J  - - -", "pbn-deal-spelling"),
        ("N: A.K.Q.J - - -", "pbn-deal-spelling"),
        ("N:A.K.Q.J - - - ", "pbn-deal-spelling"),
        ("N:A.K.Q.10 - - -", "pbn-deal-spelling"),
        ("N:SA.HK.DQ.CJ - - -", "pbn-deal-spelling"),
        ("N:A.K.Q.J. - - -", "pbn-deal-spelling"),
        ("N:Axx.K.Q.J - - -", "pbn-deal-open"),
        ("N:Axy.K.Q.J - - -", "pbn-deal"),
        ("N:A.K.Q - - -", "pbn-deal"),
    ],
)
def test_what_is_odd_about_a_deal_is_named(written: str, code: str) -> None:
    assert [code] == codes(pbn(f'[Deal "{written}"]').problems)


def test_a_game_that_was_passed_out_has_no_declarer_and_no_tricks() -> None:
    reading = pbn('[Declarer "S"]\n[Contract "Pass"]\n[Result "0"]')
    assert [(0, None, None)] == reading.records.select("level", "declarer", "tricks").rows()
    assert [] == codes(reading.problems)


@pytest.mark.parametrize(
    "tag",
    [
        '[Dealer "Black"]',
        '[Contract "5Herts"]',
        '[Result "C-2"]',
        '[Result "NS 14"]',
        '[Score "10.a"]',
        '[Score "1.5"]',
    ],
)
def test_a_value_that_cant_be_read_is_named_and_stays_unknown(tag: str) -> None:
    assert ["pbn-tag-value"] == codes(pbn(f"{tag}\n").problems)


def test_question_marks_and_empty_values_are_unknown_without_complaint() -> None:
    text = '[North "?"]\n[Site ""]\n[Dealer ""]\n[Declarer "?"]\n[Contract "?"]\n[Result "?"]\n[Deal ""]\n'
    reading = pbn(text)
    assert [] == codes(reading.problems)
    assert {None} == {reading.records[name][0] for name in ("north", "site", "dealer", "level", "tricks", "deal")}


@pytest.mark.parametrize("score", ["12345678901234", "-99999999999999999999", "10.5", "1e9"])
def test_a_score_that_no_contract_has_is_named_and_stays_unknown(score: str) -> None:
    reading = pbn(f'[Declarer "N"]\n[Contract "1C"]\n[Score "{score}"]\n')
    assert [None] == reading.records["stated_score_ns"].to_list()
    assert ["pbn-tag-value"] == codes(reading.problems)


@pytest.mark.parametrize(
    ("expected", "written"),
    [
        ("2026.03.07", "2026.03.07"),
        ("2026.03.??", "2026.03.??"),
        ("2013.08.24", "2013-08-24 18:36"),
        ("2015.10.06", "20151006"),
        ("2023.08.02", "2-Aug-2023"),
        ("5/6/2024", "5/6/2024"),
        (None, "?"),
        (None, "-"),
    ],
)
def test_a_date_is_read_where_its_form_says_what_is_what(tmp_path: Path, expected: str | None, written: str) -> None:
    file = tmp_path / "one.pbn"
    file.write_text(f'[Date "{written}"]\n[Board "1"]\n', "utf-8")
    assert expected == evaluate([str(file)], Config()).records["date"][0]


@pytest.mark.parametrize("digit", ["١", "１", "५"])  # noqa: RUF001 - that is the point
def test_a_board_number_in_other_digits_is_named(digit: str) -> None:
    reading = pbn(f'[Board "{digit}"]\n')
    assert ([None], ["pbn-tag-value"]) == (reading.records["board"].to_list(), codes(reading.problems))


@pytest.mark.parametrize(
    ("tags", "auction", "expected"),
    [
        ("", "1C Pass 1S Pass\n2S X AP", (2, "S", 1, "S")),
        ('[Contract "?"]\n[Declarer ""]', "AP", (0, None, 0, None)),
        ('[Contract "1C"]', "1C AP", (1, "C", 0, "N")),
        ('[Contract "3NT"]\n[Declarer "?"]', "1C AP", (3, "NT", 0, None)),
        ('[Declarer "E"]', "1C AP", (1, "C", 0, "E")),
        ('[Contract "4Q"]', "1C AP", (None, None, None, None)),
        ("", "1C Pass 1S", (None, None, None, None)),
        ("", "1C 1C AP", (None, None, None, None)),
        ("", "1C huh AP", (None, None, None, None)),
    ],
)
def test_a_contract_that_no_tag_states_is_that_of_the_auction(
    tags: str, auction: str, expected: tuple[object, ...]
) -> None:
    """The tags of the file win, and an auction with a slip says nothing (3.5)."""
    record = pbn(f'{tags}\n[Auction "N"]\n{auction}\n').records
    assert expected == record.select("level", "strain", "doubled", "declarer").row(0)


def test_tricks_are_those_of_the_declarer_of_the_auction() -> None:
    text = '[Dealer "N"]\n[Auction "N"]\n1C AP\n[Result "{}"]\n'
    assert [8, 5] == [pbn(text.format(result)).records["tricks"][0] for result in ("8", "EW 8")]


def test_the_matches_of_two_stages_are_two_matches(tmp_path: Path) -> None:
    """The boards have the same numbers, the rounds none; each stage keeps its results."""
    games = [
        f'[Board "1"]\n[HomeTeam "Larks"]\n[VisitTeam "Owls"]\n[Stage "{stage}"]\n[Room "{room}"]\n[Scoring "IMP"]\n'
        f'[Declarer "S"]\n[Contract "4S"]\n[Result "{tricks}"]\n'
        for stage, room, tricks in (
            ("Semi", "Open", 10),
            ("Semi", "Closed", 9),
            ("Final", "Open", 9),
            ("Final", "Closed", 8),
        )
    ]
    (tmp_path / "cup.pbn").write_text("\n".join(games))
    session = evaluate([str(tmp_path / "cup.pbn")], Config())
    assert ["Semi", "Semi", "Final", "Final"] == session.results["round"].to_list()
    assert [("Semi", 1), ("Final", 1)] == session.matches.select("round", "boards").rows()
