"""All pages of the people of a season: players, partnerships, series."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from overtrick.core.config import Config
from overtrick.core.languages import open_language
from overtrick.judge.people.crowd import Crowd
from overtrick.judge.people.evening import Evening
from overtrick.judge.people.identity import list_doubts
from overtrick.judge.people.season import Season, gather, list_mentions
from overtrick.judge.people.series import make_table
from overtrick.show.html.contestants import make_slugs
from overtrick.show.html.people_pages import BestLeader, HardContract, PeoplePages, PersonLine
from overtrick.show.html.series_pages import list_unknown, make_series_page

FOLDERS: Final = ("people", "partnerships", "series")
"""The folders of these pages in a season; no session can have these names."""


@dataclass(frozen=True)
class PlayersPage:
    """The list of all players, and what the analysis found of the whole field."""

    lines: tuple[PersonLine, ...]
    hardest: tuple[HardContract, ...]
    leaders: tuple[BestLeader, ...]


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
    regulars: tuple[PersonLine, ...]
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
    messages = list_doubts(season.wishes, (name for name, _ in list_mentions(evenings)))
    return PeopleSite(
        pages=tuple(pages),
        regulars=_list_regulars(lines),
        path="people/index.html" if lines else "",
        series=tuple((page.path, page.name) for page in shown),
        messages=(*messages, *list_unknown(tables)),
        spellings=people.list_spellings(),
        crowd=_list_crowd(season),
    )


def _list_crowd(season: Season) -> Crowd:
    """Return who is not named in full on the pages of a season, and who is."""
    hidden, visible = list(season.wishes.hidden), list[str]()
    for key, person in season.identities.people.items():
        (visible if season.namings[key] == "full" else hidden).extend([person.name, *person.spellings])
    return Crowd(hidden, visible, [evening.title for evening in season.evenings])


def _list_regulars(lines: Sequence[PersonLine]) -> tuple[PersonLine, ...]:
    regulars = [line for line in lines if line.average and line.evenings != "1"]
    return tuple(sorted(regulars, key=lambda line: -float(line.average)))
