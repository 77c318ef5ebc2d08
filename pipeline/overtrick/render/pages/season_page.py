"""A season as `SeasonPage`: the index of its sessions, with its players, its feed and its sitemap."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from overtrick import __version__
from overtrick.config import Config
from overtrick.notation import clean, natural
from overtrick.render.display import format_date, format_names, format_percentage
from overtrick.render.languages import Language, open_language

_UNKNOWN_DAY: Final = "0000-00-00"

Summary = Mapping[str, Any]
"""A `session.json`, as `data.json.write_session_json` writes it."""


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
    """`2026-03-01`; empty when it is not a whole date."""
    date_text: str
    month: str
    """`2026-03`; empty when unknown."""
    month_text: str
    """`March 2026`."""
    updated: str
    """Day of the session or of its last correction."""
    boards: str
    tables: str
    winners: tuple[Winner, ...]


@dataclass(frozen=True)
class SeasonPlayer:
    """A player's results in all sessions."""

    name: str
    sessions: str
    average: str
    """Percent."""
    best: str
    folder: str
    """Of the latest session in which the player has a place."""


@dataclass(frozen=True)
class SeasonPage:
    """Everything that the index shows."""

    title: str
    generator: str
    address: str
    """As in `SessionPage`."""
    noindex: bool
    sessions: tuple[SessionLink, ...]
    """The latest first."""
    players: tuple[SeasonPlayer, ...]
    """Those who played twice or more, the best average first."""
    club: str = ""
    footer: str = ""
    problems: tuple[()] = ()
    """Always empty: each session lists its own."""

    @property
    def updated(self) -> str:
        """The last day on which anything changed."""
        return max((one.updated for one in self.sessions), default="1970-01-01")


def make_season_page(sessions: Iterable[tuple[str, Summary]], config: Config) -> SeasonPage:
    """Make everything that the index of a season shows.

    Args:
        sessions: folder and summary of each session, in any order.
        config: the club's settings.
    """
    spoken = open_language(config.site.language)
    dated = sorted(sessions, key=lambda one: natural(one[0]))
    dated.sort(key=lambda one: _find_day(one[1]), reverse=True)
    return SeasonPage(
        title=clean(config.club.name) or spoken.translate("Bridge results"),
        generator=f"overtrick {__version__}",
        address=config.site.address or "",
        noindex=config.site.noindex,
        club=clean(config.club.name),
        footer=clean(config.site.footer),
        sessions=tuple(_make_link(folder, summary, spoken) for folder, summary in dated),
        players=_list_players(dated),
    )


def _find_day(summary: Summary) -> str:
    return format_date(summary["session"].get("date"))[0] or _UNKNOWN_DAY


def _make_link(folder: str, summary: Summary, spoken: Language) -> SessionLink:
    about = summary["session"]
    day, text = format_date(about.get("date"))
    return SessionLink(
        folder=folder,
        title=clean(about.get("title")) or spoken.translate("Results"),
        day=day,
        date_text=spoken.format_date(day, text),
        month=day[:7],
        month_text=spoken.format_month(day),
        updated=max([day or "1970-01-01", *(one.get("date") or "" for one in about.get("corrections", ()))]),
        boards=str(about.get("boards") or ""),
        tables=str(about.get("tables") or ""),
        winners=tuple(_list_winners(summary.get("standings", ()))),
    )


def _list_winners(standings: Sequence[Mapping[str, Any]]) -> Iterable[Winner]:
    """Return the first of each ranking, of three rankings at most."""
    rankings = list(dict.fromkeys(row["ranking"] for row in standings))[:3]
    for ranking in rankings:
        for row in standings:
            if row["ranking"] == ranking and row["rank"] == 1:
                names = format_names(row["names"]) or clean(row["contestant"])
                yield Winner(names, format_percentage(row["percentage"], 2))


def _list_players(sessions: Sequence[tuple[str, Summary]]) -> tuple[SeasonPlayer, ...]:
    """Average the percentages of every named player who played twice or more, the best average first.

    Args:
        sessions: folder and summary of each, the latest first.
    """
    earned: dict[str, list[float]] = defaultdict(list)
    latest: dict[str, str] = {}
    for folder, summary in sessions:
        # A player of several pairs or rankings of a session played that session once.
        here: dict[str, list[float]] = defaultdict(list)
        for row in summary.get("standings", ()):
            if row["names"] and row["percentage"] is not None:
                for name in row["names"].split(" - "):
                    here[clean(name)].append(row["percentage"])
        for name, percentages in here.items():
            earned[name].append(sum(percentages) / len(percentages))
            latest.setdefault(name, folder)
    regulars = [(sum(all_of) / len(all_of), name, all_of) for name, all_of in earned.items() if len(all_of) > 1]
    regulars.sort(key=lambda one: (-one[0], one[1]))
    return tuple(
        SeasonPlayer(
            name, str(len(all_of)), format_percentage(average, 2), format_percentage(max(all_of), 2), latest[name]
        )
        for average, name, all_of in regulars
        if name and not name.startswith("…")
    )
