"""The pages of series: the table as if it ended today, with what counts and what is dropped."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from overtrick.core.languages import Language
from overtrick.core.notation import clean
from overtrick.judge.people.identity import HIDDEN
from overtrick.judge.people.season import Season
from overtrick.judge.people.series import Row, Score, Table
from overtrick.show.html.people_pages import PeoplePages, PersonRef, format_points
from overtrick.show.text.display import format_date, format_number, format_place

_UNITS = {"percentage": "%", "vps": "VP", "imps": "IMP", "points": "Points", "ladder": "Rung"}


@dataclass(frozen=True)
class SeriesCell:
    """The score of a contestant on an evening."""

    text: str
    """Empty for an evening not played."""
    dropped: bool = False
    substitute: bool = False


@dataclass(frozen=True)
class SeriesRow:
    """A contestant of a series."""

    rank: str
    """`3`, `4=` when shared; empty when not ranked yet."""
    moved: int | None
    """Places gained on the latest evening; None for a newcomer and where nobody is ranked."""
    players: tuple[PersonRef, ...]
    total: str
    evenings: str
    to_beat: str
    """The score that a further evening has to be higher than to count; empty if each still counts."""
    evenings_short: int
    partners_short: int
    cells: tuple[SeriesCell, ...]


@dataclass(frozen=True)
class SeriesEvening:
    """An evening at the head of a column."""

    page: str
    title: str
    day: str
    date_text: str
    short: str
    """The day in few letters, `5.3.`; the number of the evening if it has no date."""


@dataclass(frozen=True)
class SeriesPage:
    """Everything that the page of a series shows."""

    path: str
    name: str
    scoring: str
    unit: str
    best: int | None
    of: int | None
    last: int | None
    minimum: int
    partners: int
    substitutes: int | None
    handicap: bool
    left: int | None
    """The evenings to come; None if the series has no last one."""
    evenings: tuple[SeriesEvening, ...]
    rows: tuple[SeriesRow, ...]
    clubs: tuple[tuple[str, tuple[SeriesRow, ...]], ...]
    has_substitutes: bool


def make_series_page(table: Table, path: str, season: Season, people: PeoplePages, spoken: Language) -> SeriesPage:
    """Return the page of a series.

    Args:
        table: from `people.series.make_table`.
        path: of the page from the site's root.
        season: all evenings.
        people: the pages of players, to link to.
        spoken: the language.
    """
    series = table.series
    rows = tuple(_make_row(row, table, people) for row in table.rows)
    return SeriesPage(
        path=path,
        name=clean(series.name),
        scoring=series.scoring,
        unit=_UNITS[series.scoring],
        best=series.best,
        of=series.of,
        last=series.last,
        minimum=series.minimum,
        partners=series.partners,
        substitutes=series.substitutes,
        handicap=series.handicap,
        left=table.left,
        evenings=tuple(_make_evening(season, at, number, spoken) for number, at in enumerate(table.evenings, 1)),
        rows=rows,
        clubs=tuple(
            (clean(club), tuple(_make_row(row, table, people) for row in within)) for club, within in table.clubs
        ),
        has_substitutes=any(cell.substitute for row in rows for cell in row.cells),
    )


def _make_evening(season: Season, at: int, number: int, spoken: Language) -> SeriesEvening:
    evening = season.evenings[at]
    day, text = format_date(evening.date)
    short = f"{int(day[8:])}.{int(day[5:7])}." if day else str(number)
    title = clean(evening.title) or spoken.translate("Results")
    return SeriesEvening(f"{evening.folder}/index.html", title, day, spoken.format_date(day, text), short)


def _make_row(row: Row, table: Table, people: PeoplePages) -> SeriesRow:
    ladder = table.series.scoring == "ladder"
    return SeriesRow(
        rank=format_place(row.rank, row.rank_last),
        moved=None if row.before is None or row.rank is None else row.before - row.rank,
        players=_list_players(row, people),
        total=str(int(row.total)) if ladder else _format_score(row.total, table),
        evenings=str(len(row.scores)),
        to_beat="" if row.to_beat is None or table.left == 0 else _format_score(row.to_beat, table),
        evenings_short=row.evenings_short,
        partners_short=row.partners_short,
        cells=tuple(_make_cell(row.scores.get(at), table) for at in table.evenings),
    )


def _list_players(row: Row, people: PeoplePages) -> tuple[PersonRef, ...]:
    refs = tuple(people.ref(key) for key in row.keys)
    # Of a pair that wants no name, one sign is enough.
    return refs[:1] if all(ref.name == HIDDEN for ref in refs) else refs


def _make_cell(score: Score | None, table: Table) -> SeriesCell:
    if score is None:
        return SeriesCell("")
    return SeriesCell(_format_score(score.points, table), not score.counts, score.substitute)


def _format_score(score: Fraction, table: Table) -> str:
    points = float(score)
    return format_number(points, 2) if table.series.scoring in {"percentage", "ladder"} else format_points(points)


def list_unknown(tables: Sequence[Table]) -> list[str]:
    """Return a sentence for each name in the settings of series that is nobody's, or in two pairs."""
    return [
        f"[[series]] {table.series.name!r}: {mistake}" for table in tables for mistake in dict.fromkeys(table.mistakes)
    ]
