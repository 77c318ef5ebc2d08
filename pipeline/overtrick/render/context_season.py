"""What the templates of the index, the feed and the map of addresses are given."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Winner:
    """The first of a ranking."""

    names: str
    percentage: str
    """Empty at IMPs."""


@dataclass(frozen=True)
class SessionLink:
    """One session of the index."""

    folder: str
    title: str
    day: str
    """`2026-03-01`; empty when the date is not whole."""
    date_text: str
    year: str
    """Empty when unknown."""
    updated: str
    """Day of the session or of its last correction."""
    boards: str
    tables: str
    winners: tuple[Winner, ...]


@dataclass(frozen=True)
class SeasonPlayer:
    """One player over all sessions."""

    name: str
    sessions: str
    average: str
    """Percent."""
    best: str


@dataclass(frozen=True)
class SeasonPage:
    """What the index knows."""

    title: str
    generator: str
    address: str
    """As in `SessionPage`."""
    noindex: bool
    sessions: tuple[SessionLink, ...]
    """The latest first."""
    players: tuple[SeasonPlayer, ...]
    """Those who came twice or more, the best average first."""
    problems: tuple[()] = ()
    """None: each session tells its own."""

    @property
    def updated(self) -> str:
        """The last day on which anything changed."""
        return max((one.updated for one in self.sessions), default="1970-01-01")
