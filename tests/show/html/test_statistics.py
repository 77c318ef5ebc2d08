"""What the field did."""

from overtrick.core.frames import Session
from overtrick.show.html.performance import make_statistics
from tests.support.builders import Row, results
from tests.support.render_sample import bid, evening, line


def found(*outcomes: Row) -> dict[str, str]:
    lines = [line(n, 1, "1", "2", **outcome) for n, outcome in enumerate(outcomes, start=1)]
    return dict(make_statistics(results(*lines)))


def test_the_sample_evening_is_summed_up() -> None:
    assert {
        "Results": "7",
        "Games bid": "3 (2 made)",
        "Slams bid": "2 (2 made)",
        "Doubled": "1 (0 made)",
        "Passed out": "1 time",
        "Highest score": "1520 on board 3",
    } == dict(make_statistics(evening().results))


def test_games_begin_where_the_hundred_points_do() -> None:
    partscores = [bid(contract, "N", 9, 110) for contract in ("2NT", "3H", "3S", "4C", "4D")]
    games = [bid(contract, "N", 11, 400) for contract in ("3NT", "4H", "4S", "5C", "5D", "5S")]
    assert "6 (6 made)" == found(*partscores, *games)["Games bid"]
    assert "Slams bid" not in found(*partscores, *games)


def test_results_without_tricks_are_not_counted_as_failures() -> None:
    unknown = bid("4S", "N", 10, 420) | {"tricks": None}
    assert "2 (1 made, 1 not known)" == found(bid("4S", "N", 10, 420), unknown)["Games bid"]


def test_a_line_counts_for_all_its_tables() -> None:
    assert "3 (3 made)" == found(bid("4S", "N", 10, 420) | {"multiplicity": 3})["Games bid"]


def test_the_most_common_contract_may_be_shared() -> None:
    outcomes = [bid(contract, "N", 9, 140) for contract in ("2H", "3NT", "2H", "3NT", "2S")]
    assert "2♥, 3NT (2 times each)" == found(*outcomes)["Most common contract"]


def test_a_highest_score_that_is_shared_is_not_named() -> None:
    assert "Highest score" not in found(bid("4S", "N", 10, 420), bid("4S", "E", 10, -420))


def test_a_session_without_results_has_no_statistics() -> None:
    assert () == make_statistics(Session().results)
