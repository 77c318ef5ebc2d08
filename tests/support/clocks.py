"""A clock that tests set."""

from datetime import datetime

import pytest


def set_clock(patch: pytest.MonkeyPatch, time: str) -> str:
    """Set the clock to a time of this place, such as `2026-03-07T22:15:00`; return it with its offset."""
    moment = datetime.fromisoformat(time).astimezone()
    patch.setenv("SOURCE_DATE_EPOCH", f"{moment.timestamp():.0f}")
    return moment.isoformat(timespec="seconds")
