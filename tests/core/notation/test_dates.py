"""Dates as people and programs write them."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.notation import find_order, list_dates, read_date
from overtrick.core.words import DayOrder

FORMS = (
    *("{d}.{m}.{y}", "{d:02}.{m:02}.{y}", "{y}{m:02}{d:02}", "{y}-{m}-{d}", "{y}/{m:02}/{d:02}", "{y}.{m:02}.{d:02}"),
    *("{d} {english} {y}", "{english} {d}, {y}", "{english} {d} {y}", "{d} {french} {y}", "{d} {polish} {y} r."),
    "{d}. {english} {y}",
    *("{y}-{m:02}-{d:02} 19:30", "{y}-{m:02}-{d:02}T19:30:00", "{d}.{m}.{y} 19:30", "{d}-{short}-{y}"),
)  # fmt: skip
MONTHS = {
    "english": "January February March April May June July August September October November December",
    "french": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "polish": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "short": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
}


def write(form: str, day: dt.date) -> str:
    names = {language: listed.split()[day.month - 1] for language, listed in MONTHS.items()}
    return form.format(y=day.year, m=day.month, d=day.day, **names)


@pytest.mark.parametrize("form", FORMS)
@given(day=st.dates(dt.date(1900, 1, 1), dt.date(2199, 12, 31)))
def test_a_day_is_the_same_in_every_form(form: str, day: dt.date) -> None:
    assert f"{day:%Y.%m.%d}" == read_date(write(form, day))


@pytest.mark.parametrize("form", ["{d}/{m}/{y}", "{d:02}-{m:02}-{y}"])
@given(day=st.dates(dt.date(1900, 1, 1), dt.date(2199, 12, 31)))
def test_day_and_month_are_never_exchanged_by_guess(form: str, day: dt.date) -> None:
    text = write(form, day)
    could_be_two = day.day <= 12 and day.day != day.month
    assert (None if could_be_two else f"{day:%Y.%m.%d}") == read_date(text)
    assert f"{day:%Y.%m.%d}" == read_date(text, "day-first")


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["1/3/2026", "13/1/2026"], "day-first"),
        (["1/3/2026", "1/13/2026"], "month-first"),
        (["13/1/2026", "1/13/2026"], None),
        (["1/3/2026", "2026-01-13", "6 May 2026"], None),
    ],
)
def test_dates_that_are_certain_decide_for_their_siblings(texts: list[str], order: DayOrder | None) -> None:
    assert order == find_order(texts)


@pytest.mark.parametrize(
    "text", ["30.2.2026", "2026-02-30", "2026.13.01", "6.1.26", "Round 3 January 2026", "3 Smarch 2026", "Tuesday", ""]
)
def test_what_is_not_a_day_of_the_calendar_stays_unread(text: str) -> None:
    assert (None, {}) == (read_date(text), list_dates(text))


def test_a_day_may_be_known_in_part() -> None:
    assert ["2026.??.??", "2026.03.??", "2026.03.??"] == [read_date(text) for text in ("2026", "2026-03", "2026.03.??")]
