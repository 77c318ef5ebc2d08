"""Until when results are provisional: some time after the end of play, and then they are final."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from overtrick.core.config.site import Site
from overtrick.core.frames import Facts
from overtrick.core.machine import present
from overtrick.show.text.display import format_date

_DAY: Final = timedelta(days=1)
_LENGTHS: Final = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1)}


@dataclass(frozen=True)
class Finality:
    """Whether results may still change.

    Attributes:
        final: whether they are final.
        until: when they become final; None if the settings or the files don't say.
        published: when they were first published, if `until` depends on it.
    """

    final: bool = False
    until: datetime | None = None
    published: str | None = None

    @property
    def iso(self) -> str:
        """The time for programs: `2026-03-07T23:00:00+01:00`, or the last day if it ends there; empty if unknown."""
        if self.until is None:
            return ""
        return self._last_day or self.until.isoformat(timespec="seconds")

    @property
    def day(self) -> str:
        """The last day, `2026-03-07`; empty if unknown."""
        return "" if self.until is None else self._last_day or self.until.date().isoformat()

    @property
    def clock(self) -> str:
        """The time on the last day, `23:00`; empty if it is the end of the day."""
        return "" if self.until is None or self._last_day else f"{self.until:%H:%M}"

    @property
    def _last_day(self) -> str:
        """The day at whose end results become final; empty if that is at another time."""
        if self.until is None or (self.until.hour, self.until.minute, self.until.second) != (0, 0, 0):
            return ""
        return (self.until.date() - _DAY).isoformat()


def find_finality(facts: Facts, site: Site, published: str | None = None) -> Finality:
    """Return until when the results of a session are provisional.

    Play ended when the last result was entered, if the files say when. Otherwise `day` counts from the end of the
    session's day; `minute` and `hour` do so too, but if the results were published on that day or the next one, they
    count from the first publication.

    Args:
        facts: of the session.
        site: the settings.
        published: when the session was first published; None if it is published now.
    """
    if site.objection is None:
        return Finality(site.final)
    number, unit = site.objection
    now, whole = present(), _end_of_day(format_date(facts.date)[0])
    first = _read_time(published) or now
    end, used = _read_time(facts.ended), False
    if end is None or (whole and abs(end - whole) > _DAY):
        # The files don't say, or the clock was wrong.
        used = whole is None or (unit != "day" and abs(first - whole) <= _DAY)
        end = first if used or whole is None else whole
    try:
        until = _add(end, number, unit)
    except OverflowError:
        return Finality(site.final)
    return Finality(site.final or now >= until, until, first.isoformat(timespec="seconds") if used else None)


def is_due(until: object) -> bool:
    """Return whether results that were provisional until then, as `Finality.iso` states it, are final now."""
    if not isinstance(until, str) or not until:
        return False
    end = _end_of_day(until) or _read_time(until)
    return end is not None and present() >= end


def _add(end: datetime, number: int, unit: str) -> datetime:
    """Return a time so much later: days by the calendar, since some have 23 or 25 hours."""
    if unit == "day":
        return (end.replace(tzinfo=None) + number * _DAY).astimezone()
    return (end + number * _LENGTHS[unit]).astimezone()


def _end_of_day(day: str) -> datetime | None:
    try:
        return datetime.combine(date.fromisoformat(day) + _DAY, datetime.min.time()).astimezone()
    except (ValueError, OverflowError):
        return None


def _read_time(text: str | None) -> datetime | None:
    """Read a time; one without an offset is in the time of this machine."""
    try:
        return datetime.fromisoformat(text).astimezone() if text else None
    except (ValueError, OverflowError, OSError):
        return None
