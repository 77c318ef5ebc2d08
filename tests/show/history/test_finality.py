"""When results stop being provisional."""

from dataclasses import replace
from typing import Any

import pytest

from overtrick.core.config.site import Site
from overtrick.core.frames import Facts
from overtrick.show.history.changes import Finality, find_finality, is_due
from tests.support.clocks import set_clock


def finality(provisional: str, published: str | None = None, **facts: Any) -> Finality:
    return find_finality(replace(Facts(), **facts), Site.model_validate({"provisional": provisional}), published)


@pytest.mark.parametrize(
    ("provisional", "day", "clock"),
    [("30 minutes", "2026-03-07", "22:45"), ("1 hour", "2026-03-07", "23:15"), ("5 days", "2026-03-12", "22:15")],
)
def test_the_time_counts_from_the_last_result_that_was_entered(
    provisional: str, day: str, clock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_clock(monkeypatch, "2026-03-07T22:20:00")
    known = finality(provisional, date="2026.03.07", ended="2026-03-07T22:15:00")
    assert (False, day, clock, None) == (known.final, known.day, known.clock, known.published)


def test_results_are_final_from_that_time_on(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {"date": "2026.03.07", "ended": "2026-03-07T22:15:00"}
    set_clock(monkeypatch, "2026-03-07T22:44:59")
    assert not finality("30 minutes", **facts).final
    set_clock(monkeypatch, "2026-03-07T22:45:00")
    assert finality("30 minutes", **facts).final


def test_days_count_from_the_end_of_the_day_if_no_file_says_when_play_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock(monkeypatch, "2026-03-07T22:20:00")
    known = finality("2 days", date="2026.03.07")
    assert ("2026-03-09", "", "2026-03-09") == (known.day, known.clock, known.iso)


def test_minutes_then_count_from_the_first_publication(monkeypatch: pytest.MonkeyPatch) -> None:
    first = set_clock(monkeypatch, "2026-03-07T22:20:00")
    known = finality("30 minutes", date="2026.03.07")
    assert ("22:50", first) == (known.clock, known.published)
    set_clock(monkeypatch, "2026-03-07T22:40:00")
    assert known == finality("30 minutes", first, date="2026.03.07")


def test_an_old_session_that_is_published_now_is_final(monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock(monkeypatch, "2026-08-01T12:00:00")
    known = finality("30 minutes", date="2026.03.07")
    assert (True, None) == (known.final, known.published)


def test_a_clock_that_is_wrong_by_months_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock(monkeypatch, "2026-03-07T22:20:00")
    assert finality("1 day", date="2026.03.07") == finality("1 day", date="2026.03.07", ended="2020-01-01T10:00:00")


def test_without_a_setting_nothing_is_said() -> None:
    assert Finality() == find_finality(Facts(date="2026.03.07"), Site())
    assert Finality(final=True) == find_finality(Facts(), Site(final=True))


def test_a_day_is_due_when_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock(monkeypatch, "2026-03-09T23:59:59")
    assert not is_due("2026-03-09")
    set_clock(monkeypatch, "2026-03-10T00:00:00")
    assert is_due("2026-03-09")
    assert not is_due("soon")
