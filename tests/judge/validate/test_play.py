"""Plays of files: every card by the Laws, and the tricks that come of it."""

from pathlib import Path

import pytest

from overtrick.apps.evening.check import examine
from overtrick.core.config import Config
from tests.support.deals import pbn, random_boards
from tests.support.pbn_texts import DEAL, session
from tests.support.reading import validated

Told = tuple[str, int, int, str]
PLAY = "SK H3 S4 S3\nC5 C2 C6 CK\nS2 H6 S5 S7\nC8 CA CT C4\nD2 DA DT D3\nD4 DK H5 H7"


def game(play: str, result: str = "?", *, deal: str = DEAL, declarer: str = "S", first: str = "W") -> str:
    """Write a game of 5HX; its result stands in line 4 and its cards from line 6 on."""
    return (
        f'[Deal "{deal}"]\n[Declarer "{declarer}"]\n[Contract "5HX"]\n[Result "{result}"]\n[Play "{first}"]\n{play}\n'
    )


def told(text: str) -> list[Told]:
    problems = validated(session(text)).problems
    about = problems.filter(problems["code"].str.contains("^(?:play|irregularity|result-[^u])"))
    return about.select("code", "line", "column", "message").rows()


def judged(text: str) -> list[tuple[str, int, int]]:
    """Give code, line and column of each problem of the plays in a text."""
    return [place[:3] for place in told(text)]


def message(text: str) -> str:
    [only] = told(text)
    return only[3].removeprefix("board ?: ")


def test_legal_plays_are_silent() -> None:
    assert [] == told(pbn(random_boards(60, seed=4)))


def test_a_play_that_stops_is_silent() -> None:
    assert [] == told(game(f"{PLAY}\n- - - H2\n*", "9"))


@pytest.mark.parametrize(
    ("play", "code", "place", "said"),
    [
        (
            "SK H3 S4 S3\nC5 C2 C6 SK",
            "play-card-not-held",
            (7, 10),
            "South plays ♠K in trick 2, but it has already been played",
        ),
        ("SK H3 S4 SA", "play-card-not-held", (6, 10), "South plays ♠A in trick 1, but East holds it"),
        ("SK H3 H5 S3", "play-revoke", (6, 7), "East plays ♥5 on ♠K in trick 1, but can follow suit"),
        (
            "SK H3 S4 S3\n- - C6 -",
            "play-out-of-turn",
            (7, 5),
            "in trick 2, East has a card (♣6), but North, who plays earlier, does not",
        ),
    ],
)
def test_a_card_that_is_not_allowed_is_shown_where_it_stands(
    play: str, code: str, place: tuple[int, int], said: str
) -> None:
    assert [(code, *place, f"board ?: {said}")] == told(game(play))


def test_the_player_whose_turn_it_is_is_named() -> None:
    ((code, *_, said),) = told(game("SK - - S3"))
    assert ("play-out-of-turn", True) == (code, "but North, who plays earlier, does not" in said)


def test_only_the_first_card_out_of_its_turn_is_noted() -> None:
    assert [("play-out-of-turn", 6, 6)] == judged(game("SK - S4 S3"))


def test_places_count_on_through_notes_and_comments() -> None:
    assert [("play-revoke", 8, 1)] == judged(game("SK! =1= H3 {a\nb} ;c\nH5 $9 S3"))


def test_a_card_of_a_hidden_hand_may_be_held_by_anyone_there() -> None:
    hidden = "N:- A8654.KQ5.T.QJT6 - KQT2.AT.J6542.85"
    assert [] == judged(game("SK H3 S4 S3", deal=hidden))
    assert "North plays ♠A in trick 1, but East holds it" == message(game("SK SA S4 S3", deal=hidden))
    shown = "N:.63.AKQ987.A9732 - J973.J98742.3.K4 -"
    assert "North plays ♠A in trick 1, but another player holds it" == message(game("SK SA S4 S3", deal=shown))


def test_the_deal_s_own_faults_are_not_blamed_on_the_play() -> None:
    assert [] == judged(game("S2 H3 S4 S3", deal=DEAL.replace("KQT2", "KQT")))


def test_cards_after_the_thirteenth_trick_are_reported_once() -> None:
    board = next(b for b in random_boards(20, seed=9, claims=0.0) if b.contract)
    text = pbn([board])
    lines = len(text.splitlines())
    assert [("play-after-end", lines + 1, 3)] == judged(f"{text.rstrip()}\n- S2 S3 *\n")


def test_rows_that_do_not_keep_to_the_columns_are_noted_at_the_first() -> None:
    turned = game("SK H3 S4 S3\nC2 C6 CK C5\nS7 S2 H6 S5\n*", "9")
    assert [("play-rows-turned", 7, 1)] == judged(turned)


@pytest.mark.parametrize(
    ("play", "mark", "what"),
    [
        ("SQ D7 ^R DT S3", "^R", "♦10 by East"),
        ("SK H3 S4 S3\nD2 D7 DT ^L D3", "^L", "the lead of ♦3 by South"),
        ("S3 H3 ^L SA S3", "^L", "the lead of ♠A by East"),
    ],
)
def test_recorded_revokes_and_leads_out_of_turn_are_notes(play: str, mark: str, what: str) -> None:
    notes = [row for row in told(game(play)) if row[0] == "irregularity-recorded"]
    assert [f"board ?: the file marks {what} as irregular ({mark})"] == [note for *_, note in notes]


@pytest.mark.parametrize(
    "play",
    [
        "^R SK H3 S4 S3",
        "SK ^R H3 S4 S3",
        "SK H3 ^R S4 S3",
        "^L SK H3 S4 S3",
        "SK H3 S4 S3\nC5 ^L C2 C6 CK",
        "SK ^I H3 S4 S3",
        "SK ^S H3 S4 S3",
    ],
)
def test_a_mark_at_nothing_irregular_is_reported_where_it_stands(play: str) -> None:
    rows = play.split("\n")
    line = next(number for number, row in enumerate(rows) if "^" in row)
    assert [("irregularity-unfounded", 6 + line, 1 + rows[line].index("^"))] == judged(game(play))


def test_only_one_player_leads_to_a_trick() -> None:
    both = judged(game("SK H3 S4 S3\nC5 C2 ^L C6 ^L CK"))
    assert [("irregularity-recorded", 7, 7), ("irregularity-unfounded", 7, 13)] == sorted(both)


def test_a_mark_that_can_t_be_judged_is_left_alone() -> None:
    assert [] == judged(game("SK ^R H3 S4 S3", deal="N:- A8654.KQ5.T.QJT6 - -"))
    assert [] == judged(game("- H3 S4 S3\nC5 C2 C6 ^L CK"))
    assert [] == judged(game("SK H3 S4 ^R -"))


def test_an_opening_lead_from_the_wrong_side_is_reported_unless_it_is_marked() -> None:
    wrong = game("S3 SK H3 S4\n*", declarer="W", first="S")
    assert "South leads to the first trick, but against West it is North's lead" == message(wrong)
    assert ["irregularity-recorded"] == [code for code, *_ in judged(wrong.replace("S3 SK", "^L S3 SK"))]
    assert [] == judged(game("S3 SK H3 S4\n*", declarer="E", first="S"))


def test_columns_that_begin_with_another_than_the_leader_are_noted_where_nothing_shows_who_led() -> None:
    begun = game("SK H3 S4 S3\n*", declarer="E")
    said = "the first column of the play is West's, but against East it is South's lead"
    assert [("play-begins-elsewhere", 6, 1, f"board ?: {said}")] == told(begun)
    assert ["irregularity-recorded"] == [code for code, *_ in judged(begun.replace("SK", "^L SK"))]


def test_one_card_in_the_first_column_is_a_lead() -> None:
    said = "board ?: West leads to the first trick, but against East it is South's lead"
    assert [("play-wrong-turn", 6, 1, said)] == told(game("SK - - -\n*", declarer="E"))


def test_columns_that_are_named_at_the_tag_are_not_named_again(tmp_path: Path) -> None:
    path = tmp_path / "evening.pbn"
    path.write_text(game("SK H3 S4 S3\n*", declarer="E"), "utf-8")
    problems = examine([str(path)], Config()).problems
    assert ["pbn-play-seat"] == [code for code in problems["code"] if "play" in code]


def test_stated_tricks_that_a_claim_leaves_room_for_are_silent() -> None:
    for tricks in range(6, 14):
        assert [] == judged(game(f"{PLAY}\n*", str(tricks)))


@pytest.mark.parametrize("tricks", ["4", "5", "EW 8"])
def test_stated_tricks_out_of_reach_are_reported_at_the_result(tricks: str) -> None:
    assert [("result-differs-from-play", 4, 1)] == judged(game(f"{PLAY}\n*", tricks))


def test_a_trick_under_way_that_is_lost_can_t_be_claimed() -> None:
    said = "the file says 13 tricks, but after the play only 6 to 12 are possible; overtrick uses the file's result"
    assert said == message(game(f"{PLAY}\n- - - H2\n*", "13"))


def test_another_number_than_that_of_thirteen_tricks_is_reported() -> None:
    board = next(b for b in random_boards(20, seed=9, claims=0.0) if b.contract)
    right, wrong = f'[Result "{board.tricks}"]', f'[Result "{(board.tricks or 0) - 1}"]'
    text = pbn([board])
    assert [] == judged(text)
    assert ["result-differs-from-play"] == [code for code, *_ in judged(text.replace(right, wrong))]


def test_a_result_marked_as_irregular_may_differ() -> None:
    assert "the file marks the result of 4 tricks as irregular (^)" == message(game(f"{PLAY}\n*", "^4"))


def test_a_result_marked_for_nothing_is_reported() -> None:
    assert [("irregularity-unfounded", 4, 1)] == judged(game(f"{PLAY}\n*", "^9"))


def revoked(result: str, mark: str = "") -> str:
    """Write thirteen tricks of East and West, who hold spades and diamonds; East revokes in the first."""
    high = "AKQJT9876543"
    rows = [
        f"S{high[0]} H{high[0]} {mark}D{high[0]} C{high[0]}",
        f"S{high[1]} H{high[1]} S2 C{high[1]}",
        *(f"S{high[n]} H{high[n]} D{high[n - 1]} C{high[n]}" for n in range(2, 12)),
        f"D2 H2 D{high[11]} C2",
    ]
    deal = f"N:.{high}2.. 2..{high}. ...{high}2 {high}..2."
    play = "\n".join(rows)
    return f'[Deal "{deal}"]\n[Declarer "S"]\n[Contract "3NT"]\n[Result "{result}"]\n[Play "W"]\n{play}\n'


def about_result(text: str) -> list[tuple[str, str]]:
    return [(code, said.removeprefix("board ?: ")) for code, line, _, said in told(text) if line == 4]


def test_a_result_after_a_revoke_is_explained_and_not_blamed() -> None:
    by_law = ("result-after-revoke", "a revoke that costs 1 trick explains the result of 1 trick (Law 64)")
    by_rule = (
        "result-after-revoke",
        "a revoke that costs 2 tricks explains the result of 2 tricks (two tricks for a revoke)",
    )
    assert [] == about_result(revoked("0"))
    assert [by_law] == about_result(revoked("1"))
    assert [by_rule] == about_result(revoked("2"))
    assert ["result-differs-from-play"] == [code for code, _ in about_result(revoked("3"))]


def test_a_revoke_that_is_marked_explains_as_much() -> None:
    assert ["irregularity-recorded", "result-after-revoke"] == sorted(code for code, *_ in told(revoked("1", "^R ")))


def test_plays_in_columns_of_nobody_known_are_not_judged() -> None:
    assert [] == judged(game("SK SK SK SK", "3", first="?"))


def test_an_end_position_is_not_counted_out_of_thirteen() -> None:
    ending = (
        '[Deal "N:A.K.. K.Q.. Q.J.. J.T.."]\n[Declarer "S"]\n[Contract "NT"]\n[Result "2"]\n[Play "W"]\nSJ SA SK SQ\n'
    )
    assert [] == judged(ending)
