"""A season as `SeasonPage`: its index, feed and sitemap, and all pages of its people."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import Any, Final

from overtrick.core.bridge.methods import METHODS, UNSCORED
from overtrick.core.config import Config
from overtrick.core.languages import Language, open_language
from overtrick.core.notation import clean, is_number, natural
from overtrick.core.version import __version__
from overtrick.judge.people.identity import list_doubts
from overtrick.judge.people.season import Evening, Season, gather, list_mentions
from overtrick.judge.people.series import make_table
from overtrick.judge.privacy import Crowd
from overtrick.show.history.changes import Change
from overtrick.show.history.publications import list_publications
from overtrick.show.html.contestants import make_slugs
from overtrick.show.html.people_pages import PeoplePages, PersonFigure, PersonMean
from overtrick.show.html.ranking_tables import compose_title
from overtrick.show.html.series_pages import list_unknown, make_series_page
from overtrick.show.text.display import MONTHS, format_date, format_names, format_percentage

FOLDERS: Final = ("people", "partnerships", "series")
"""The folders of these pages in a season; no session can have these names."""


@dataclass(frozen=True)
class PlayersPage:
    """The list of all players, and what the analysis found of the whole field."""

    lines: tuple[PersonMean, ...]
    hardest: tuple[PersonFigure, ...]
    leaders: tuple[PersonFigure, ...]


@dataclass(frozen=True)
class PeopleSite:
    """The pages of the people of a season.

    Attributes:
        pages: of each page the path from the site's root, the template, and its values.
        regulars: those who played twice or more, the best average first.
        path: of the list of players; empty if nobody is named.
        series: path and name of each series.
        messages: names in the settings that are nobody's, for people to read.
        spellings: the page of each spelling of a player's name.
        crowd: who is not named in full.
    """

    pages: tuple[tuple[str, str, object], ...]
    regulars: tuple[PersonMean, ...]
    path: str
    series: tuple[tuple[str, str], ...]
    messages: tuple[str, ...]
    spellings: Mapping[str, str] = field(default_factory=dict)
    crowd: Crowd = field(default_factory=lambda: Crowd((), ()))


def make_people_site(evenings: Sequence[Evening], config: Config) -> PeopleSite:
    """Make everything that the pages of players, partnerships and series show."""
    spoken = open_language(config.site.language)
    season = gather(evenings, config)
    people = PeoplePages(season, spoken)
    pages: list[tuple[str, str, object]] = [(page.path, "person.html", page) for page in people.make_pages()]
    lines = people.list_players()
    if lines:
        listed = PlayersPage(lines, people.list_hardest(), people.list_leaders())
        pages.append(("people/index.html", "people.html", listed))
    slugs = make_slugs(series.name for series in config.series)
    tables = [make_table(season, series) for series in config.series]
    shown = [
        make_series_page(table, f"series/{slug}/index.html", season, people, spoken)
        for table, slug in zip(tables, slugs, strict=True)
    ]
    pages += [(page.path, "series.html", page) for page in shown]
    messages, crowd = list_doubts(season.wishes, (name for name, _ in list_mentions(evenings))), _list_crowd(season)
    return PeopleSite(
        pages=tuple(pages),
        regulars=_list_regulars(lines),
        path="people/index.html" if lines else "",
        series=tuple((page.path, page.name) for page in shown),
        messages=(*messages, *crowd.list_doubts(), *list_unknown(tables)),
        spellings=people.list_spellings(),
        crowd=crowd,
    )


def _list_crowd(season: Season) -> Crowd:
    """Return who is not named in full on the pages of a season, and who is."""
    hidden, visible = list(season.wishes.hidden), list[str]()
    for key, person in season.identities.people.items():
        (visible if season.namings[key] == "full" else hidden).extend([person.name, *person.spellings])
    return Crowd(hidden, visible, [evening.title for evening in season.evenings])


def _list_regulars(lines: Sequence[PersonMean]) -> tuple[PersonMean, ...]:
    regulars = [line for line in lines if line.average and line.count != "1"]
    return tuple(sorted(regulars, key=lambda line: -float(line.average)))


_UNKNOWN_DAY: Final = "0000-00-00"

_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

Summary = Mapping[str, Any]
"""A `session.json`, as `data.json.write_session_json` writes it."""


@dataclass(frozen=True)
class Winner:
    """The first of a ranking."""

    ranking: str
    """Its heading, `North-South`; empty for the only ranking, and for others who share the place."""
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
    year: str
    """Empty when unknown."""
    month: str
    """In English; empty when unknown."""
    weekday: str
    """From `1` for Monday; empty when unknown."""
    updated: str
    """Day of the session or of its last correction."""
    boards: str
    tables: str
    winners: tuple[Winner, ...]
    teams: tuple[str, ...] = ()
    """The names of its teams, in the order of the ranking."""

    @property
    def weekday_name(self) -> str:
        """In English; empty when unknown."""
        return _WEEKDAYS[int(self.weekday) - 1] if self.weekday else ""


@dataclass(frozen=True)
class SeasonChange:
    """The changes of one publication of a session."""

    session: SessionLink
    time: str
    """`2026-03-07 22:15`."""
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class SeasonPage:
    """Everything that the index shows."""

    title: str
    generator: str
    address: str
    """As in `SessionPage`."""
    noindex: bool
    contact: str
    """As in `SessionPage`."""
    sessions: tuple[SessionLink, ...]
    """The latest first."""
    players: tuple[PersonMean, ...]
    """Those who played twice or more, the best average first."""
    club: str = ""
    footer: str = ""
    changes: tuple[SeasonChange, ...] = ()
    """The changes after it was published, the last one first."""
    people: str = ""
    """Path of the list of all players; empty if nobody is named."""
    series: tuple[tuple[str, str], ...] = ()
    """Path and name of each series."""
    problems: tuple[()] = ()
    """Always empty: each session lists its own."""

    @property
    def years(self) -> list[tuple[str, list[tuple[str, list[SessionLink]]]]]:
        """The sessions by year and month, the latest first."""
        return [
            (year, [(month, list(links)) for month, links in groupby(within, key=lambda session: session.month)])
            for year, within in groupby(self.sessions, key=lambda session: session.year)
        ]

    @property
    def weekdays(self) -> list[tuple[str, str]]:
        """The days of the week on which there were sessions: number and name in English."""
        return sorted({(session.weekday, session.weekday_name) for session in self.sessions if session.weekday})

    @property
    def updated(self) -> str:
        """The last day on which anything changed."""
        return max((session.updated for session in self.sessions), default="1970-01-01")


def make_season_page(sessions: Iterable[tuple[str, Summary]], config: Config, people: PeopleSite) -> SeasonPage:
    """Make everything that the index of a season shows.

    Args:
        sessions: folder and summary of each session, in any order.
        config: the club's settings.
        people: the pages of players and series.
    """
    spoken = open_language(config.site.language)
    dated = sorted(sessions, key=lambda session: natural(session[0]))
    dated.sort(key=lambda session: format_date(session[1]["session"].get("date"))[0] or _UNKNOWN_DAY, reverse=True)
    links = [(_make_link(folder, summary, spoken), summary) for folder, summary in dated]
    return SeasonPage(
        title=clean(config.club.name) or spoken.translate("Bridge results"),
        generator=f"overtrick {__version__}",
        address=config.site.address or "",
        noindex=config.site.noindex,
        club=clean(config.club.name),
        footer=clean(config.site.footer),
        contact=config.site.contact or "",
        sessions=tuple(link for link, _ in links),
        players=people.regulars,
        people=people.path,
        series=people.series,
        changes=_list_changes(links),
    )


def _make_link(folder: str, summary: Summary, spoken: Language) -> SessionLink:
    about = summary["session"]
    day, text = format_date(about.get("date"))
    month, weekday = _find_month(day)
    teams = summary.get("standings", ()) if METHODS.get(about.get("method"), UNSCORED).of_teams else ()
    return SessionLink(
        folder=folder,
        title=clean(about.get("title")) or spoken.translate("Results"),
        day=day,
        date_text=spoken.format_date(day, text),
        year=day[:4],
        month=month,
        weekday=weekday,
        updated=max([day or "1970-01-01", *_list_days(about)]),
        boards=str(about.get("boards") or ""),
        tables=str(about.get("tables") or ""),
        winners=tuple(_list_winners(summary.get("standings", ()))),
        teams=tuple(dict.fromkeys(clean(row["contestant"]) for row in teams if not is_number(row["contestant"]))),
    )


def _list_changes(sessions: Iterable[tuple[SessionLink, Summary]]) -> tuple[SeasonChange, ...]:
    """Return the publications of all sessions that changed something, the last one first."""
    found = [
        (publication.time, SeasonChange(link, publication.shown_time, publication.changes))
        for link, summary in sessions
        for publication in list_publications(summary["session"])
    ]
    return tuple(change for _, change in sorted(found, key=lambda publication: publication[0], reverse=True))


def _list_days(about: Mapping[str, Any]) -> Iterable[str]:
    """Return the days on which a session was corrected or published again."""
    yield from (entry.get("date") or "" for entry in about.get("corrections", ()))
    yield from (entry["time"][:10] for entry in about.get("publications", ()))


def _find_month(day: str) -> tuple[str, str]:
    """Return the month of an ISO date in English, and the day of the week from `1` for Monday; empty if unknown."""
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return "", ""
    return MONTHS[found.month - 1], str(found.isoweekday())


def _list_winners(standings: Sequence[Mapping[str, Any]]) -> Iterable[Winner]:
    """Return the first of each ranking, of three rankings at most."""
    rankings = list(dict.fromkeys(row["ranking"] for row in standings))
    for ranking in rankings[:3]:
        title = compose_title(ranking, rankings) if len(rankings) > 1 else ""
        for row in standings:
            if row["ranking"] == ranking and row["rank"] == 1:
                names = format_names(row["names"]) or clean(row["contestant"])
                yield Winner(title, names, format_percentage(row["percentage"], 2))
                title = ""
