"""The pages of players and partnerships in a season, and the list of players."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from operator import itemgetter
from typing import Any, Final

from overtrick.core.bridge.cards import SEAT_NAMES, SEATS, STRAIN_SIGNS, STRAINS
from overtrick.core.languages import Language
from overtrick.core.notation import clean
from overtrick.judge.people import performance
from overtrick.judge.people.identity import HIDDEN, fold_name
from overtrick.judge.people.season import Season
from overtrick.judge.people.series import BETWEEN_KEYS
from overtrick.show.html.contestants import Contract, format_result, make_contract, make_slugs
from overtrick.show.html.performance import RunningChart, draw_chart
from overtrick.show.html.result_lines import PointsForm
from overtrick.show.text.display import format_date, format_number, format_percentage, format_place, format_signed

_FIGURES: Final = {(True, "leads"): "Leads"}
"""Figures whose heading is not their name."""

_BY: Final = {"strain": "By strain", "bonus": "By level", "seat": "By seat", "partner": "By partner"}
_SLICE_NAMES: Final = {
    **{("strain", strain): sign for strain, sign in zip(STRAINS, STRAIN_SIGNS, strict=True)},
    **{("seat", seat): name for seat, name in zip(SEATS, SEAT_NAMES, strict=True)},
    **{("bonus", name): name.capitalize() for name in performance.SLICES["bonus"]},
}
"""Names of slices as pages have them."""

_PERCENT = PointsForm("%", sign=False, places=2, total_places=2)


@dataclass(frozen=True)
class PersonRef:
    """A player or a partnership as other pages name it."""

    name: str
    page: str
    """Path from the site's root; empty for somebody who has no page."""


@dataclass(frozen=True)
class PersonEvening:
    """An evening of a player."""

    page: str
    """Path of the scorecard from the site's root."""
    title: str
    day: str
    date_text: str
    partner: PersonRef
    place: str
    """`3`, `4=` when shared."""
    field: str
    """The number of contestants in the ranking."""
    percentage: str
    total: str
    unit: str
    awards: str


@dataclass(frozen=True)
class PersonMean:
    """The average of some boards or evenings."""

    ref: PersonRef
    """Whom it was with or against; the name of a share."""
    count: str
    average: str
    best: str = ""
    """Of evenings; empty for boards."""
    awards: str = ""
    """The masterpoints of a player."""
    page: str = ""
    """The own scorecard of the latest evening against somebody, from the season's root."""
    date_text: str = ""
    """The day of that evening."""
    earlier: str = ""
    """The day of the evening before that one; empty if there is none."""

    @property
    def name(self) -> str:
        """Whom it was with or against, or what."""
        return self.ref.name


@dataclass(frozen=True)
class BestBoard:
    """One of the best boards."""

    page: str
    """Path of the scorecard from the site's root."""
    board: str
    date_text: str
    contract: Contract
    declarer: str
    result: str
    score: str
    earned: str
    """Percent, or points."""


@dataclass(frozen=True)
class PersonFigure:
    """Where tricks or points went, on average; of a contract or of somebody's leads."""

    name: str
    unit: str
    """`tricks`, `%`, `points`."""
    count: str
    mean: str
    """Of a board, with its sign."""
    low: str
    """The ends of the 95 % interval; empty for a single board."""
    high: str
    contract: Contract | None = None
    ref: PersonRef | None = None


@dataclass(frozen=True)
class SlicePart:
    """The mean of a part on some boards."""

    mean: str
    """With its sign."""
    margin: str
    """Half the width of the 95 % interval."""
    is_clear: bool
    """Whether the interval leaves out 0."""


@dataclass(frozen=True)
class PersonSlice:
    """Where the points of boards of one kind went."""

    name: str
    """`♠`, `games`, `South`."""
    partner: PersonRef | None
    """The partner, where boards are told apart by partners."""
    unit: str
    count: str
    distance: SlicePart | None
    """All of it; None as for each part if it is not known."""
    bidding: SlicePart | None
    cards: SlicePart | None
    opponents: SlicePart | None


@dataclass(frozen=True)
class PersonPage:
    """Everything that the page of a player or a partnership shows."""

    path: str
    name: str
    evenings: str
    average: str
    best: str
    awards: tuple[tuple[str, str], ...]
    """Colour and points."""
    chart: RunningChart | None
    rows: tuple[PersonEvening, ...]
    """The latest first."""
    partners: tuple[PersonMean, ...]
    shares: tuple[PersonMean, ...]
    boards: tuple[BestBoard, ...]
    rivals: tuple[PersonMean, ...]
    figures: tuple[PersonFigure, ...] = ()
    slices: tuple[tuple[str, tuple[PersonSlice, ...]], ...] = ()
    """By heading (`By strain`), where the points of such boards went."""
    """Where tricks and points went; empty where nothing was analysed."""


class PeoplePages:
    """All pages of players and partnerships."""

    def __init__(self, season: Season, spoken: Language) -> None:
        self._season = season
        self._spoken = spoken
        self.players = performance.measure(season, "person")
        self.pairs = performance.measure(season, "pair")
        self._days = [format_date(evening.date) for evening in season.evenings]
        # A season names the same people a hundred thousand times.
        self._names: dict[str, str] = {}
        self._refs: dict[str | None, PersonRef] = {None: PersonRef("", "")}
        self._paths = self._choose_paths("people", self.players) | self._choose_paths("partnerships", self.pairs)

    def _choose_paths(self, folder: str, found: Mapping[str, performance.Performance]) -> dict[str, str]:
        """Return the page of each player or partnership; only those who are named in full have one."""
        namings = self._season.namings
        public = [key for key in found if all(namings[person] == "full" for person in key.split(BETWEEN_KEYS))]
        public.sort(key=lambda key: (fold_name(self.name(key)), key))
        slugs = make_slugs(self.name(key).replace(" – ", " ") for key in public)
        return {key: f"{folder}/{slug}/index.html" for key, slug in zip(public, slugs, strict=True)}

    def name(self, key: str) -> str:
        """Return the name of a player or a partnership as pages show it."""
        if key not in self._names:
            self._names[key] = " – ".join(clean(self._season.show(person)) for person in key.split(BETWEEN_KEYS))
        return self._names[key]

    def ref(self, key: str | None) -> PersonRef:
        """Return a player or a partnership as other pages name it."""
        if key not in self._refs:
            self._refs[key] = PersonRef(self.name(key), self._paths.get(key, "")) if key else PersonRef("", "")
        return self._refs[key]

    def list_spellings(self) -> dict[str, str]:
        """Return the page of each spelling of a player's name, for evenings' pages; none that two players have."""
        shown: dict[str, set[str]] = {}
        for (name, _), key in self._season.identities.keys.items():
            if self._season.namings[key] != "full":
                continue
            shown.setdefault(clean(name), set()).add(self._paths.get(key, ""))
        return {name: path for name, paths in sorted(shown.items()) if len(paths) == 1 and (path := min(paths))}

    def list_players(self) -> tuple[PersonMean, ...]:
        """Return everybody who is not hidden, by name."""
        lines = (
            PersonMean(self.ref(key), *_sum_up(found), format_awards(performance.sum_awards(found.evenings)))
            for key, found in self.players.items()
            if self.name(key) != HIDDEN
        )
        return tuple(sorted(lines, key=lambda line: (fold_name(line.ref.name), line.ref.page)))

    def list_hardest(self) -> tuple[PersonFigure, ...]:
        """Return the contracts that declarers found hardest; empty where nothing was analysed."""
        found = performance.find_hardest(self._season)[: performance.LISTED]
        return tuple(
            _describe_figure(performance.Figure("declaring", "tricks", interval), make_contract(level, strain, 0))
            for level, strain, interval in found
        )

    def list_leaders(self) -> tuple[PersonFigure, ...]:
        """Return those whose leads won most, without those who are hidden; empty where nothing was analysed."""
        found = (
            (key, interval)
            for key, interval in performance.find_best_leaders(self._season)
            if HIDDEN not in self.name(key)
        )
        return tuple(
            _describe_figure(performance.Figure("leads", "tricks", interval), ref=self.ref(key))
            for key, interval in islice(found, performance.LISTED)
        )

    def make_pages(self) -> Iterable[PersonPage]:
        """Make the page of everybody who has one."""
        yield from (self._make_page(key, found, "person") for key, found in self.players.items() if key in self._paths)
        yield from (self._make_page(key, found, "pair") for key, found in self.pairs.items() if key in self._paths)

    def _make_page(self, key: str, found: performance.Performance, who: performance.Who) -> PersonPage:
        percentages = found.percentages
        texts = [self._spoken.format_date(*self._days[evening]) for evening, _ in percentages]
        chart = draw_chart([percentage for _, percentage in percentages], texts, _PERCENT)
        partners = performance.find_partners(found.evenings) if who == "person" else {}
        return PersonPage(
            self._paths[key],
            self.name(key),
            *_sum_up(found),
            awards=tuple(
                (clean(of), format_points(points)) for of, points in performance.sum_awards(found.evenings).items()
            ),
            chart=chart,
            rows=tuple(self._make_evening(row, who) for row in reversed(found.evenings)),
            partners=self._list_partners(key, partners),
            shares=tuple(_mean(PersonRef(name, ""), mean) for name, mean in sorted(found.shares.items())),
            boards=tuple(self._make_board(row, found) for row in found.best),
            rivals=self._list_rivals(found),
            figures=tuple(_describe_figure(figure) for figure in found.figures),
            slices=tuple(self._list_slices(found.slices)),
        )

    def _list_slices(self, slices: Iterable[performance.Slice]) -> Iterator[tuple[str, tuple[PersonSlice, ...]]]:
        """Yield the slices by heading; partners who are hidden are left out."""
        by_heading: dict[str, list[PersonSlice]] = {}
        for one in slices:
            partner = self.ref(one.name) if one.by == "partner" else None
            if partner and partner.name == HIDDEN:
                continue
            parts = tuple(_describe_part(one.parts.get(name)) for name in ("total", "bidding", "cards", "opponents"))
            name = _SLICE_NAMES.get((one.by, one.name), one.name)
            count = str(one.parts["total"].count)
            by_heading.setdefault(_BY[one.by], []).append(PersonSlice(name, partner, one.unit, count, *parts))
        yield from ((heading, tuple(rows)) for heading, rows in by_heading.items())

    def _make_evening(self, row: Mapping[str, Any], who: performance.Who) -> PersonEvening:
        evening = self._season.evenings[row["evening"]]
        day, text = self._days[row["evening"]]
        return PersonEvening(
            page=_scorecard(evening.folder, row["page"]),
            title=clean(evening.title) or self._spoken.translate("Results"),
            day=day,
            date_text=self._spoken.format_date(day, text),
            partner=self.ref(row["partner"]) if who == "person" else PersonRef("", ""),
            place=format_place(row["rank"], row["rank_last"]),
            field=str(row["field"]),
            percentage=format_percentage(row["percentage"], 2),
            total="" if row["total"] is None else format_number(row["total"], 2).removesuffix(".00"),
            unit=evening.unit,
            awards=format_awards(performance.sum_awards([row])),
        )

    def _list_partners(self, key: str, partners: Mapping[str, list[Mapping[str, Any]]]) -> tuple[PersonMean, ...]:
        """Return what evenings with each partner brought; partners who are hidden are left out."""
        lines = []
        for partner, rows in partners.items():
            page = self._paths.get(BETWEEN_KEYS.join(sorted((key, partner))), "")
            summed = _sum_up(performance.Performance([dict(row) for row in rows]))
            lines.append(PersonMean(PersonRef(self.name(partner), page), *summed))
        shown = (line for line in lines if line.ref.name != HIDDEN)
        return tuple(sorted(shown, key=lambda line: (-int(line.count), fold_name(line.ref.name))))

    def _list_rivals(self, found: performance.Performance) -> tuple[PersonMean, ...]:
        """Return what boards against each opponent brought; opponents who are hidden are left out."""
        shown = [(key, mean) for key, mean in found.rivals.items() if HIDDEN not in self.name(key)]
        shown.sort(key=lambda at: (-at[1].boards, fold_name(self.name(at[0]))))
        pages = {row["evening"]: row["page"] for row in found.evenings}
        return tuple(
            replace(
                _mean(self.ref(key), mean),
                page=_scorecard(self._season.evenings[found.met[key][-1]].folder, pages[found.met[key][-1]]),
                date_text=self._spoken.format_date(*self._days[found.met[key][-1]]),
                earlier=self._spoken.format_date(*self._days[found.met[key][-2]]) if found.met[key][1:] else "",
            )
            for key, mean in shown
        )

    def _make_board(self, row: Mapping[str, Any], found: performance.Performance) -> BestBoard:
        evening = self._season.evenings[row["evening"]]
        at = itemgetter("evening", "entry")
        page = next(entry["page"] for entry in found.evenings if at(entry) == at(row))
        return BestBoard(
            page=_scorecard(evening.folder, page),
            board="" if row["board"] is None else str(row["board"]),
            date_text=self._spoken.format_date(*self._days[row["evening"]]),
            contract=make_contract(row["level"], row["strain"], row["doubled"]),
            declarer=row["declarer"] or "",
            result=format_result(row["level"], row["tricks"]),
            score="" if row["score"] is None else format_signed(row["score"]),
            earned=f"{format_percentage(row['percentage'])} %"
            if row["percentage"] is not None
            else f"{format_signed(row['points'], 2).removesuffix('.00')} {self._spoken.translate(evening.unit)}",
        )


def _sum_up(found: performance.Performance) -> tuple[str, str, str]:
    """Return how many evenings somebody played, with the average and the best percentage."""
    best = max((percentage for _, percentage in found.percentages), default=None)
    evenings = len({row["evening"] for row in found.evenings})
    return str(evenings), format_percentage(found.average, 2), format_percentage(best, 2)


def format_points(points: float) -> str:
    """Return masterpoints with the decimals they need, two at most."""
    text = format_number(points, 2)
    return text.rstrip("0").rstrip(".") if "." in text else text


def format_awards(awards: Mapping[str, float]) -> str:
    """Return masterpoints: `24 black, 0.5 green`."""
    return ", ".join(f"{format_points(points)} {clean(colour)}".strip() for colour, points in awards.items())


def _scorecard(folder: str, page: str | None) -> str:
    return f"{folder}/{page}/index.html" if page else f"{folder}/index.html"


def _describe_figure(
    figure: performance.Figure, contract: Contract | None = None, ref: PersonRef | None = None
) -> PersonFigure:
    found = figure.interval
    ends = ("", "")
    if found.margin is not None:
        ends = (format_signed(found.mean - found.margin, 2), format_signed(found.mean + found.margin, 2))
    name = _FIGURES.get((figure.unit == "tricks", figure.name), figure.name.capitalize())
    return PersonFigure(name, figure.unit, str(found.count), format_signed(found.mean, 2), *ends, contract, ref)


def _describe_part(found: performance.Interval | None) -> SlicePart | None:
    if found is None or found.margin is None:
        return None
    margin = format_number(found.margin, 2)
    return SlicePart(format_signed(found.mean, 2), margin, is_clear=abs(found.mean) > found.margin)


def _mean(ref: PersonRef, mean: performance.Mean) -> PersonMean:
    if mean.percentage is not None:
        average = f"{format_percentage(mean.percentage, 2)} %"
    else:
        average = "" if mean.points is None else format_signed(mean.points, 2)
    return PersonMean(ref, str(mean.boards), average)
