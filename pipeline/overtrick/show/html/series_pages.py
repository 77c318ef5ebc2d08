"""The pages of series: the table as if it ended today, why each place is what it is, and what is needed for another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from overtrick.core.config.series import Series, SeriesTie
from overtrick.core.languages import Language
from overtrick.core.notation import clean
from overtrick.judge.people.identity import HIDDEN
from overtrick.judge.people.outlook import Need, Outlook, look_ahead
from overtrick.judge.people.season import Season
from overtrick.judge.people.series import LeftOut, Row, Score, Table
from overtrick.show import views
from overtrick.show.html.people_pages import PeoplePages, PersonRef, format_points
from overtrick.show.text.display import format_date, format_number, format_place

_UNITS: Final = {"percentage": "%", "vps": "VP", "imps": "IMP", "points": "Points", "ladder": "Rung"}
_LEFT_OUT: Final[Mapping[LeftOut, str]] = {
    "lower": "lower than the scores that count",
    "older": "older than the latest evenings that count",
    "substitute": "more substitutes than may count",
}
_DECIDED_BY: Final[Mapping[SeriesTie, str]] = {
    "head-to-head": "more evenings ahead of the other",
    "best-evening": "the best scores that count",
    "dropped": "the best scores that do not count",
    "evenings": "evenings played",
    "latest": "the score on the latest evening",
}


@dataclass(frozen=True)
class SeriesCell:
    """The score of a contestant on an evening."""

    text: str
    """Empty for an evening not played."""
    exact: str = ""
    """The score as a fraction, `275/4`."""
    left_out: str = ""
    """Why the score does not count; empty if it does."""
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
    """Empty on a ladder, where the place says it."""
    exact: str
    """The total as a fraction."""
    evenings: str
    handicap: str
    """What is added to each evening; empty for nothing."""
    decided_by: tuple[str, ...]
    """What separated the contestant from others with the same total."""
    next_up: str
    """The lowest score on the next evening that brings a better place; empty if none does."""
    needs: tuple[tuple[int, str], ...]
    """The places within reach on the next evening, each with the lowest score for it; empty where any score does."""
    new_partner: bool
    """Whether they need a partner that the player has not had yet."""
    is_safe: bool
    """Whether nobody below can come level any more."""
    evenings_short: int
    partners_short: int
    dropped: tuple[tuple[str, SeriesCell], ...]
    """The scores that do not count, each after its day."""
    more: Mapping[str, SeriesCell]
    """The score of the first evening as `evening_1`, and so on."""

    @property
    def tone(self) -> str:
        """The class of the line in the style sheet."""
        return "first" if self.rank in {"1", "1="} else ""


@dataclass(frozen=True)
class SeriesPage:
    """Everything that the page of a series shows."""

    path: str
    name: str
    rules: Series
    """Its settings."""
    unit: str
    left: int | None
    """The evenings to come; None if the series has no last one."""
    evenings: views.View
    """A column for each: its day in few letters, `5.3.`, or its number if it has no date."""
    rows: tuple[SeriesRow, ...]
    clubs: tuple[tuple[str, tuple[SeriesRow, ...]], ...]
    has_substitutes: bool

    def list_rows(self, rows: Sequence[SeriesRow]) -> views.Listing:
        """Return some of the rows as a table."""
        return views.Listing((*views.SERIES, *self.evenings), rows)


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
    outlooks = look_ahead(table, season)
    heads = [_make_head(season, at, number, spoken) for number, at in enumerate(table.evenings, 1)]
    days = [short for short, _, _ in heads]
    rows = tuple(_make_row(row, outlooks[row.key], table, people, days) for row in table.rows)
    return SeriesPage(
        path=path,
        name=clean(series.name),
        rules=series,
        unit=_UNITS[series.scoring],
        left=table.left,
        evenings=views.list_evenings(heads),
        rows=rows,
        clubs=tuple(
            # Within a club an outlook has the handicap only: its places are those over all clubs.
            (
                clean(club),
                tuple(
                    _make_row(row, Outlook(handicap=outlooks[row.key].handicap), table, people, days) for row in within
                ),
            )
            for club, within in table.clubs
        ),
        has_substitutes=any(cell.substitute for row in rows for cell in row.more.values()),
    )


def _make_head(season: Season, at: int, number: int, spoken: Language) -> tuple[str, str, str]:
    """Return the short title of an evening, its full one, and its page."""
    evening = season.evenings[at]
    day, text = format_date(evening.date)
    short = f"{int(day[8:])}.{int(day[5:7])}." if day else str(number)
    title = clean(evening.title) or spoken.translate("Results")
    full = ", ".join(filter(None, (title, spoken.format_date(day, text))))
    return short, full, f"{evening.folder}/index.html"


def _make_row(row: Row, outlook: Outlook, table: Table, people: PeoplePages, days: Sequence[str]) -> SeriesRow:
    cells = [_make_cell(row.scores.get(at), table) for at in table.evenings]
    return SeriesRow(
        rank=format_place(row.rank, row.rank_last),
        moved=None if row.before is None or row.rank is None else row.before - row.rank,
        players=_list_players(row, people),
        total="" if table.series.scoring == "ladder" else _format_score(row.total, table),
        exact=str(row.total),
        evenings=str(len(row.scores)),
        handicap=_format_score(outlook.handicap, table) if outlook.handicap else "",
        decided_by=tuple(_DECIDED_BY[rule] for rule in row.decided_by),
        next_up=_find_next_up(row, outlook.needs, table),
        needs=tuple((need.place, _format_need(need, table)) for need in outlook.needs),
        new_partner=outlook.new_partner,
        is_safe=outlook.is_safe,
        evenings_short=row.evenings_short,
        partners_short=row.partners_short,
        dropped=tuple((day, cell) for day, cell in zip(days, cells, strict=True) if cell.left_out),
        more={f"evening_{at}": cell for at, cell in enumerate(cells, start=1)},
    )


def _find_next_up(row: Row, needs: Sequence[Need], table: Table) -> str:
    better = [need for need in needs if row.rank is None or need.place < row.rank]
    return _format_need(better[-1], table) if better else ""


def _format_need(need: Need, table: Table) -> str:
    return "" if need.score is None else _format_score(need.score, table)


def _list_players(row: Row, people: PeoplePages) -> tuple[PersonRef, ...]:
    refs = tuple(people.ref(key) for key in row.keys)
    # Of a pair that wants no name, one sign is enough.
    return refs[:1] if all(ref.name == HIDDEN for ref in refs) else refs


def _make_cell(score: Score | None, table: Table) -> SeriesCell:
    if score is None:
        return SeriesCell("")
    left_out = _LEFT_OUT[score.left_out] if score.left_out else ""
    return SeriesCell(_format_score(score.points, table), str(score.points), left_out, score.substitute)


def _format_score(score: Fraction, table: Table) -> str:
    points = float(score)
    return format_number(points, 2) if table.series.scoring in {"percentage", "ladder"} else format_points(points)


def list_unknown(tables: Sequence[Table]) -> list[str]:
    """Return a sentence for each name in the settings of series that is nobody's, or in two pairs."""
    return [
        f"[[series]] {table.series.name!r}: {mistake}" for table in tables for mistake in dict.fromkeys(table.mistakes)
    ]
