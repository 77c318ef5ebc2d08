"""A session as `SessionPage`: everything that its pages and documents show."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.methods import method_named
from overtrick.core.config import Config
from overtrick.core.config.site import Site
from overtrick.core.frames import Facts, Session
from overtrick.core.languages import Language, open_language
from overtrick.core.notation import clean
from overtrick.core.policies import describe_policies
from overtrick.core.problems import MOST_OF_EACH, limit_each_code, report
from overtrick.core.version import __version__
from overtrick.files.formats.session_rows import count_tables
from overtrick.judge.privacy import PublicSession
from overtrick.judge.validate.movement_given import count_results, find_in_play
from overtrick.show import views
from overtrick.show.history.changes import Change, Finality, number_evenings
from overtrick.show.history.publications import ChangePage, History, continue_history, make_change_pages
from overtrick.show.html import cell_tables, match_pages, ranking_tables
from overtrick.show.html.analysis_page import AnalysisPage, make_analysis_page
from overtrick.show.html.board_pages import BoardPage, make_board_pages
from overtrick.show.html.contestants import ContestantRef, Contestants
from overtrick.show.html.field_contracts import find_unsolved_hint
from overtrick.show.html.performance import Comparison, make_comparison, make_statistics
from overtrick.show.html.result_lines import Line, PointsForm, choose_points_form, list_lines
from overtrick.show.html.scorecards import OwnScores, Scorecard, make_own_scores, make_scorecards
from overtrick.show.text.display import capitalise, format_date, shorten_paths
from overtrick.show.text.sentences import translate_message

_FEW_MATCHES: Final = 4


@dataclass(frozen=True)
class ProblemRow:
    """One problem, for the director's page."""

    severity: str
    place: str
    """`file:line:column`."""
    board: str
    message: str
    hint: str
    is_english: bool = True
    """Whether the message is not translated."""


@dataclass(frozen=True)
class SessionPage:
    """Everything that the pages and documents of a session show."""

    title: str
    club: str
    site: str
    date: str
    """`2026-03-01`; empty when it is not a whole date."""
    date_text: str
    """For reading: `1 March 2026`."""
    method: str
    """`Matchpoints`, `Butler IMPs`."""
    points_name: str
    """`MP` or `IMP`."""
    has_percentages: bool
    tables: str
    board_count: str
    policies: tuple[tuple[str, str], ...]
    """Names and values of the scoring rules that were applied."""
    sources: tuple[tuple[str, str], ...]
    """Name of each file, without the folders that all share, and the first twelve digits of its SHA-256."""
    generator: str
    """`overtrick 0.1.0`."""
    rankings: tuple[ranking_tables.Ranking, ...] = ()
    room: ranking_tables.Ranking | None = None
    """The Butler of the pairs of a team event, in IMPs per board; None in other events and in a single match."""
    boards: tuple[BoardPage, ...] = ()
    scorecards: tuple[Scorecard, ...] = ()
    problems: tuple[ProblemRow, ...] = ()
    recaps: tuple[cell_tables.CellTable, ...] = ()
    matrix: cell_tables.Matrix | None = None
    rounds: tuple[match_pages.MatchRound, ...] = ()
    """Matches of teams."""
    sheets: tuple[match_pages.Sheet, ...] = ()
    """Score sheets of rubber-type games."""
    sheet_totals: ranking_tables.SheetTotals | None = None
    """The totals of all score sheets; None for fewer than two."""
    total_name: str = ""
    """The unit of totals: `VP` where matches give victory points, else as `points_name`."""
    address: str = ""
    """Address of the folder on the web, with a slash at its end; empty unless the settings have it."""
    noindex: bool = False
    final: bool = False
    provisional_until: str = ""
    """The time until which results may change, for reading; empty unless the settings have it."""
    missing: int = 0
    """Results that are not there yet, of an evening that has some."""
    final_at: str = ""
    """The same for programs: `2026-03-07T23:00:00+01:00`."""
    contact: str = ""
    """Where readers report errors: an address as in `[site] contact`; may be empty."""
    corrections: tuple[tuple[str, str], ...] = ()
    """The day (`2026-03-05`, may be empty) and what was changed."""
    changes: tuple[Change, ...] = ()
    """Corrections and rulings of the evening's corrections file, and what changed since the first publication."""
    change_pages: tuple[ChangePage, ...] = ()
    """The changes of each publication, the last one first."""
    statistics: tuple[tuple[str, str], ...] = ()
    """Names and values: passed out, slams bid and made, ..."""
    own: Mapping[str, OwnScores] = field(default_factory=dict)
    """By the path of a scorecard: its scores on the tiles of the boards."""
    line_ups: Mapping[str, tuple[ContestantRef, ...]] = field(default_factory=dict)
    """By the path of a team's scorecard: the pairs that played for it."""
    teams: Mapping[str, ContestantRef] = field(default_factory=dict)
    """By the path of a pair's scorecard: the team that it played for."""
    in_play: frozenset[str] = frozenset()
    """The paths of the scorecards of teams whose match goes on."""
    crossed: cell_tables.CellTable | None = None
    """Teams by teams, for three teams or more."""
    of_teams: bool = False
    segments: match_pages.SegmentTable | None = None
    """The only match of two teams, segment by segment; None in other sessions."""
    by_round: cell_tables.CellTable | None = None
    """Matches and totals round by round, for two rounds or more."""
    barometers: tuple[cell_tables.CellTable, ...] = ()
    """The standing after each round by ranking, where each board was played in one round only."""
    sides: Mapping[str, str] = field(default_factory=dict)
    """Names by section, side and identity: `A|ns|3`."""
    footer: str = ""
    """The club's own line at the foot of pages and documents."""
    comparison: Comparison | None = None
    """All results, for the comparison of two contestants; None where there is nothing to choose."""
    analysis: AnalysisPage | None = None
    """Where the points of the evening went; None where nothing was analysed."""
    double_dummy_hint: str = ""
    """How to get the double-dummy tables that are missing because no solver is installed; empty if none are."""

    @property
    def all_corrections(self) -> tuple[tuple[str, str], ...]:
        """The changes that the club states, and the evening's corrections and rulings: day, and text."""
        return (*self.corrections, *((change.day, change.text) for change in self.changes))

    @property
    def has_deals(self) -> bool:
        """Whether the cards of any board are known."""
        return any(board.hands for board in self.boards)

    @property
    def hands_only(self) -> bool:
        """Whether there are deals and no results: a hand record and nothing else."""
        return self.has_deals and not self.rankings and not any(board.rows for board in self.boards)

    @property
    def is_hand_record(self) -> bool:
        """Whether there is nothing to print but a hand record: no results, no auctions and no comments."""
        return self.hands_only and not any(board.replays or board.commentary for board in self.boards)

    @property
    def has_board_pages(self) -> bool:
        """Whether boards have pages: deals of score sheets have none where neither cards nor calls are known."""
        return not self.sheets or any(board.hands or board.replays for board in self.boards)

    @property
    def has_board_tiles(self) -> bool:
        """Whether boards have numbers that a reader looks for; the deals of score sheets have none."""
        return bool(self.boards) and not self.sheets

    @property
    def boards_by_evening(self) -> tuple[tuple[str, tuple[BoardPage, ...]], ...]:
        """The boards with the day of their evening; an empty text where there is only one."""
        parts = [tuple(boards) for _, boards in groupby(self.boards, key=lambda board: board.evening)]
        return tuple((part[0].evening_title, part) for part in parts)

    @property
    def has_boards_of_matches(self) -> bool:
        """Whether there are so few matches that the page of matches shows the boards of each."""
        return sum(len(match_round.rows) for match_round in self.rounds) <= _FEW_MATCHES

    @property
    def titles(self) -> Mapping[str, str]:
        """What the session calls the columns of `views` whose title is a word for them."""
        board = "Deal" if self.sheets else "Board"
        return {"points": self.points_name, "total": self.total_name, "board": board, "team": self.contestants_name}

    @property
    def room_columns(self) -> views.View:
        """The columns of the Butler of the pairs."""
        return views.ROOM

    @property
    def contestants_name(self) -> str:
        """Who has matches: `Team`, or `Pair` in a Swiss event of pairs."""
        return "Team" if self.of_teams else "Pair"

    @property
    def unranked(self) -> tuple[Scorecard, ...]:
        """The scorecards of contestants that are in no ranking and in no team."""
        return tuple(card for card in self.scorecards if not card.rank and card.contestant.page not in self.teams)


def make_session_page(
    session: PublicSession, config: Config, folder: str = "", history: History | None = None
) -> SessionPage:
    """Make everything that the site and the PDF documents of a session show.

    Args:
        session: scored and ranked, named as players wish.
        config: the club's settings.
        folder: of the session in its season; empty for a session on its own.
        history: of its publications; None if it is published for the first time.
    """
    session, drawn = match_pages.set_draw_apart(session)
    facts, site, spoken = session.facts, config.site, open_language(config.site.language)
    history = history or continue_history(None, session, config)
    method = method_named(facts.method)
    contestants = Contestants(session, spoken.translate("Team") if method.of_teams else "")
    form = choose_points_form(session)
    lines = list_lines(session)
    boards = make_board_pages(session, lines, contestants, form, openings=site.openings)
    boards = _name_evenings(boards, session, spoken)
    standings = ranking_tables.match_standings(session, contestants)
    rankings = ranking_tables.make_rankings(standings, contestants, form)
    cards = make_scorecards(session, lines, boards, contestants, {entrant: row for row, entrant in reversed(standings)})
    scoring = _describe_scoring(session, form, cards)
    percent = bool(scoring["has_percentages"])
    return SessionPage(
        **_describe_event(facts, config, spoken, list(dict.fromkeys(board.evening_title for board in boards.values()))),
        **scoring,
        **_describe_site(config.site, folder),
        **_describe_tables(session, lines, rankings, contestants, form),
        tables=str(count_tables(session) or ""),
        missing=count_results(session)[1] if rankings else 0,
        in_play=frozenset(contestants.link(contestants.find(team, None, None)).page for team in find_in_play(session)),
        board_count=str(len(boards)),
        sources=_list_sources(session),
        generator=f"overtrick {__version__}",
        rankings=rankings,
        room=ranking_tables.make_room(session, config.scoring, contestants),
        boards=tuple(boards.values()),
        scorecards=cards,
        recaps=() if method.sheet else cell_tables.make_recaps(rankings, boards.values(), cards, percent=percent),
        comparison=make_comparison(session, lines, boards, contestants, rankings, form),
        sheets=match_pages.make_score_sheets(session, contestants, lines, boards),
        sheet_totals=ranking_tables.make_sheet_totals(session, contestants),
        own=make_own_scores(cards, list(boards.values())),
        **_describe_sides(lines, contestants),
        rounds=match_pages.make_match_rounds(session, contestants, form, drawn, cards),
        crossed=cell_tables.make_cross_table(session, standings, contestants, form),
        segments=match_pages.make_segments(session, standings, cards, form),
        by_round=cell_tables.make_round_table(session, standings, contestants, form),
        problems=_list_problems(session, spoken) if site.problems else (),
        **_describe_history(history, rankings, spoken),
        corrections=tuple((change.date, clean(change.text)) for change in site.corrected(folder)),
        statistics=make_statistics(session.results, number_evenings(session)),
        analysis=make_analysis_page(cards, rankings, lines, boards, contestants)
        if any(card.splits for card in cards)
        else None,
        double_dummy_hint=find_unsolved_hint(session),
    )


def _describe_scoring(session: Session, form: PointsForm, cards: Sequence[Scorecard]) -> dict[str, Any]:
    """Return the values of a page that say how the session was scored; without results, no method and no rules."""
    method, policies = method_named(session.facts.method), describe_policies(session.facts)
    return {
        "method": method.title if cards else "",
        "points_name": form.name,
        "total_name": "VP" if session.matches["victory_points"].is_not_null().any() else form.name,
        "has_percentages": session.standings["percentage"].is_not_null().any(),
        "policies": tuple((capitalise(clean(name)), clean(rule)) for name, rule in policies.items() if cards),
        "of_teams": method.of_teams,
    }


def _describe_site(site: Site, folder: str) -> dict[str, Any]:
    """Return the values of a page that the settings state for all of them."""
    address = site.address or ""
    return {
        "footer": clean(site.footer),
        "address": f"{address}{folder}/" if address and folder else address,
        "noindex": site.noindex,
        "contact": site.contact or "",
    }


def _describe_tables(
    session: Session,
    lines: Sequence[Line],
    rankings: Sequence[ranking_tables.Ranking],
    contestants: Contestants,
    form: PointsForm,
) -> dict[str, Any]:
    """Return the matrix and the barometers of a page, for sessions that can have them."""
    method = method_named(session.facts.method)
    return {
        "matrix": None if method.sheet or method.of_teams else cell_tables.make_matrix(lines, contestants, form),
        "barometers": ()
        if len(session.matches)
        else cell_tables.make_barometers(session, lines, rankings, contestants, form),
    }


def _describe_event(facts: Facts, config: Config, spoken: Language, days: Sequence[str]) -> dict[str, Any]:
    """Return the values of a page that say what was played, where and when; `days` are those of several evenings."""
    club, place = _name_club(clean(config.club.name), clean(facts.site) if clean(facts.event) else "")
    date, date_text = format_date(facts.date)
    return {
        "title": clean(facts.event) or clean(facts.site) or spoken.translate("Results"),
        "club": club,
        "site": place,
        "date": date,
        "date_text": _join_days(days) if len(days) > 1 and all(days) else spoken.format_date(date, date_text),
    }


def _name_evenings(boards: dict[str, BoardPage], session: Session, spoken: Language) -> dict[str, BoardPage]:
    """Return the boards with the day of their evening, if there are several evenings."""
    numbers = number_evenings(session)
    if not numbers:
        return boards
    dated = session.records.select("source", "date").drop_nulls().unique("source", keep="first")
    days = {numbers.get(source): spoken.format_date(*format_date(date)) for source, date in dated.iter_rows()}
    return {key: replace(board, evening_title=days.get(board.evening, "")) for key, board in boards.items()}


def _join_days(days: Sequence[str]) -> str:
    """Return the first and the last day: `7 October – 21 October 2026`."""
    first, last = days[0], days[-1]
    return f"{first.removesuffix(last[-5:])} – {last}"


def _describe_sides(lines: Sequence[Line], contestants: Contestants) -> dict[str, Any]:
    """Return the values of a page that say who sat together."""
    line_ups = match_pages.list_line_ups(lines, contestants)
    by_page = {contestants.link(entrant).page: contestants.link(entrant) for entrant in contestants} if line_ups else {}
    return {
        "line_ups": line_ups,
        "teams": {pair.page: by_page[team] for team, pairs in line_ups.items() for pair in pairs},
        "sides": contestants.name_sides(lines),
    }


def _describe_history(history: History, rankings: Iterable[ranking_tables.Ranking], spoken: Language) -> dict[str, Any]:
    """Return the values of a page that say what changed, and until when its results are provisional."""
    finality = history.finality
    return {
        "final": finality.final,
        "provisional_until": _format_end(finality, spoken),
        "final_at": finality.until.isoformat() if finality.until else "",
        "changes": history.changes,
        "change_pages": make_change_pages(history, {ranking.name: ranking.title for ranking in rankings}),
    }


def _name_club(club: str, place: str) -> tuple[str, str]:
    """Return the club and the place at the head of a page: the place that a file states, unless it is the club."""
    is_told = any(map(str.isalnum, place)) and place.casefold() != club.casefold()
    return club, place if is_told else ""


def _format_end(finality: Finality, spoken: Language) -> str:
    """Return the time until which results are provisional: `8 March 2026`, `7 March 2026, 23:00`."""
    parts = (spoken.format_date(finality.day, format_date(finality.day)[1]), finality.clock)
    return ", ".join(part for part in parts if part)


def _list_sources(session: Session) -> tuple[tuple[str, str], ...]:
    names = shorten_paths(session.sources["source"].to_list())
    rows = session.sources.select("source", "sha256").iter_rows()
    return tuple((names[source], (sha256 or "")[:12]) for source, sha256 in rows)


def _list_problems(session: Session, spoken: Language) -> tuple[ProblemRow, ...]:
    """Return the problems, errors first, then file by file from top to bottom; of each code as many as people read."""
    shown = limit_each_code(session.problems)
    counts = session.problems.group_by("source", "code", maintain_order=True).len("left")
    more = counts.filter(pl.col("left") > MOST_OF_EACH).with_columns(pl.col("left") - MOST_OF_EACH)
    cut = report("file-problems-cut", more)
    ordered = pl.concat([shown, cut]).sort(
        "severity", "source", "line", "column", nulls_last=False, maintain_order=True
    )
    files = pl.concat([session.sources["source"], session.problems["source"]])
    names = shorten_paths(files.drop_nulls().unique(maintain_order=True).to_list())
    return tuple(_describe_problem(row, names, spoken) for row in ordered.iter_rows(named=True))


def _describe_problem(row: Mapping[str, Any], names: Mapping[str, str], spoken: Language) -> ProblemRow:
    said = translate_message(spoken, row["message"], row["code"])
    parts = (names.get(row["source"], clean(row["source"])), row["line"], row["column"])
    return ProblemRow(
        severity=row["severity"],
        place=":".join(str(part) for part in parts if part not in (None, "")),
        board=clean(row["board"]),
        message=clean(said),
        hint=clean(spoken.problems.get(row["hint"], row["hint"])),
        is_english=said == row["message"],
    )
