"""What differs between two publications, from their results alone."""

from typing import Any

from overtrick.show.history.differences import Row, State, find_differences

FACTS = {"event": "Spring Pairs", "date": "2026.03.07", "site": None, "method": "matchpoints"}


def line(board: int, ns: str, ew: str, contract: str | None = "4S", **columns: Any) -> Row:
    usual = {"section": None, "round": None, "table": None, "lead": None, "award_ns": None, "award_ew": None}
    played = {"contract": contract, "declarer": "N", "tricks": 10, "score_ns": 420}
    return {**usual, "board": board, "ns": ns, "ew": ew, **played, **columns}


def state(*results: Row, names: dict[str, str] | None = None, **facts: str) -> State:
    standings = [{"contestant": name, "names": shown} for name, shown in (names or {}).items()]
    return State({**FACTS, **facts}, results, standings, [])


def found(old: State, new: State) -> list[tuple[int | None, str]]:
    return [(one.board, one.what) for one in find_differences(old, new)[0]]


def test_a_corrected_result_is_told_with_what_it_replaces() -> None:
    old, new = state(line(6, "3", "4", tricks=9, score_ns=-50)), state(line(6, "3", "4"))
    assert [(6, "4♠ by N: 10 tricks in place of 9")] == found(old, new)
    doubled = state(line(6, "3", "4", "4SX", score_ns=590))
    assert [(6, "4♠X by N, 10 tricks in place of 4♠ by N, 10 tricks")] == found(new, doubled)
    assert [(6, "lead ♦K")] == found(new, state(line(6, "3", "4", lead="DK")))
    nothing = state(line(6, "3", "4", None, declarer=None, tricks=None, score_ns=None))
    assert [(6, "3 against 4: no result in place of 4♠ by N, 10 tricks")] == found(new, nothing)


def test_results_come_and_go() -> None:
    one, two = state(line(6, "3", "4")), state(line(6, "3", "4"), line(7, "3", "4"))
    assert [(7, "added: 3 against 4: 4♠ by N, 10 tricks")] == found(one, two)
    assert [(7, "removed: 3 against 4: 4♠ by N, 10 tricks")] == found(two, one)


def test_pairs_that_sat_the_other_way_are_one_difference() -> None:
    assert [(6, "4 against 3 in place of 3 against 4")] == found(
        state(line(6, "3", "4"), line(6, "1", "2")), state(line(6, "4", "3"), line(6, "1", "2"))
    )


def test_another_pair_in_a_result_is_one_difference() -> None:
    assert [(6, "5 against 4 in place of 3 against 4")] == found(
        state(line(6, "3", "4"), line(7, "5", "4"), line(8, "3", "4")),
        state(line(6, "5", "4"), line(7, "5", "4"), line(8, "3", "4")),
    )


def test_a_pair_known_by_its_names_stays_the_same_pair_with_other_names() -> None:
    old = state(line(6, "A - B", "C - D"), line(7, "A - B", "C - D"), names={"A - B": "A - B"})
    new = state(line(6, "A - Bee", "C - D"), line(7, "A - Bee", "C - D", tricks=9), names={"A - Bee": "A - Bee"})
    assert [(None, "names: A - Bee in place of A - B"), (7, "4♠ by N: 9 tricks in place of 10")] == found(old, new)


def test_a_name_that_is_hidden_now_is_not_a_difference() -> None:
    old = state(line(6, "A - B", "C - D"), names={"A - B": "Ann Ash - Bo Lee"})
    for hidden in ("… - Bo Lee", "No. 3 - Bo Lee", "A. A. - Bo Lee"):
        new = state(line(6, "A - B", "C - D"), names={"A - B": hidden})
        assert [] == found(old, new)
        assert [] == found(new, old)


def test_title_and_method_are_told() -> None:
    assert [
        (None, "title: Final in place of Spring Pairs"),
        (None, "scored as butler in place of matchpoints"),
    ] == found(state(line(6, "3", "4")), state(line(6, "3", "4"), event="Final", method="butler"))


def test_an_evening_that_grows_is_one_sentence() -> None:
    more = [line(board, "3", "4") for board in range(1, 30)]
    assert [(None, "28 results added")] == found(state(*more[:1]), state(*more))


def test_other_cards_are_told_and_new_deals_are_not() -> None:
    def dealt(*deals: str) -> State:
        rows = [{"section": None, "board": board, "deal": deal} for board, deal in enumerate(deals, start=1)]
        return State(FACTS, [line(1, "3", "4")], [], rows)

    assert [(1, "other cards")] == found(dealt("N:one"), dealt("N:other"))
    assert [] == found(dealt("N:one"), dealt("N:one", "N:two"))
