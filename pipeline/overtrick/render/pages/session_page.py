"""A session as `SessionPage`: everything that its pages and documents show."""

from dataclasses import dataclass

import polars as pl

from overtrick import __version__
from overtrick.bridge.methods import method_named
from overtrick.config import Config
from overtrick.frames import Session
from overtrick.notation import clean
from overtrick.problems import MOST_OF_EACH, limit_each_code, report
from overtrick.render.changes import Change, list_changes
from overtrick.render.data.rows import count_tables
from overtrick.render.display import find_provisional_end, format_date, shorten_paths
from overtrick.render.languages import Language, open_language
from overtrick.render.pages.board_pages import BoardPage, make_board_pages
from overtrick.render.pages.contestants import Contestants
from overtrick.render.pages.double_dummy import find_unsolved_hint
from overtrick.render.pages.match_pages import MatchRound, Sheet, make_match_rounds, make_score_sheets
from overtrick.render.pages.ranking_tables import Ranking, make_rankings, match_standings
from overtrick.render.pages.recaps import Matrix, Recap, make_matrix, make_recaps
from overtrick.render.pages.result_lines import choose_points_form, list_lines
from overtrick.render.pages.scorecards import Scorecard, make_scorecards
from overtrick.render.pages.statistics import make_statistics


@dataclass(frozen=True)
class ProblemRow:
    """One problem, for the director's page."""

    severity: str
    place: str
    """`file:line:column`."""
    board: str
    message: str
    hint: str


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
    rankings: tuple[Ranking, ...] = ()
    boards: tuple[BoardPage, ...] = ()
    scorecards: tuple[Scorecard, ...] = ()
    problems: tuple[ProblemRow, ...] = ()
    recaps: tuple[Recap, ...] = ()
    matrix: Matrix | None = None
    rounds: tuple[MatchRound, ...] = ()
    """Matches of teams."""
    sheets: tuple[Sheet, ...] = ()
    """Score sheets of rubber-type games."""
    total_name: str = ""
    """The unit of totals: `VP` where matches give victory points, else as `points_name`."""
    address: str = ""
    """Address of the folder on the web, with a slash at its end; empty unless the settings have it."""
    noindex: bool = False
    final: bool = False
    provisional_until: str = ""
    """The last day on which results may change, for reading; empty unless the settings have it."""
    corrections: tuple[tuple[str, str], ...] = ()
    """The day (`2026-03-05`, may be empty) and what was changed."""
    changes: tuple[Change, ...] = ()
    """Corrections and rulings of the evening's corrections file."""
    statistics: tuple[tuple[str, str], ...] = ()
    """Names and values: passed out, slams bid and made, ..."""
    double_dummy_hint: str = ""
    """How to get the double-dummy tables that are missing because no solver is installed; empty if none are."""

    @property
    def all_corrections(self) -> tuple[tuple[str, str], ...]:
        """What the club says that was changed, and the evening's corrections and rulings: day, and text."""
        return (*self.corrections, *((change.day, change.text) for change in self.changes))

    @property
    def has_deals(self) -> bool:
        """Whether the cards of any board are known."""
        return any(board.hands for board in self.boards)

    @property
    def unranked(self) -> tuple[Scorecard, ...]:
        """The scorecards of contestants that are in no ranking."""
        return tuple(card for card in self.scorecards if not card.rank)


def make_session_page(session: Session, config: Config, folder: str = "") -> SessionPage:
    """Make everything that the site and the PDF documents of a session show.

    Args:
        session: scored and ranked, after `privacy.apply_privacy`.
        config: the club's settings.
        folder: of the session in its season; empty for a session on its own.
    """
    facts, site = session.facts, config.site
    spoken = open_language(site.language)
    date, date_text = format_date(facts.date)
    contestants = Contestants(session)
    form = choose_points_form(session)
    lines = list_lines(session)
    boards = make_board_pages(session, lines, contestants, form)
    standings = match_standings(session, contestants)
    rankings = make_rankings(standings, contestants, form)
    cards = make_scorecards(lines, boards, contestants, {one: row for row, one in reversed(standings)}, form)
    return SessionPage(
        title=clean(facts.event) or clean(facts.site) or "Results",
        club=clean(config.club.name),
        site=clean(facts.site) if clean(facts.event) else "",
        date=date,
        date_text=spoken.format_date(date, date_text),
        method=method_named(facts.method).title,
        points_name=form.name,
        total_name="VP" if session.matches["victory_points"].is_not_null().any() else form.name,
        has_percentages=session.standings["percentage"].is_not_null().any(),
        tables=str(count_tables(session) or ""),
        board_count=str(len(boards)),
        policies=tuple((_capitalise(name), clean(rule)) for name, rule in facts.policies.items()),
        sources=_list_sources(session),
        generator=f"overtrick {__version__}",
        rankings=rankings,
        boards=tuple(boards.values()),
        scorecards=cards,
        recaps=make_recaps(rankings, boards.values(), {card.contestant.page: card.rows for card in cards}),
        matrix=make_matrix(lines, contestants, form),
        rounds=make_match_rounds(session, contestants, form),
        sheets=make_score_sheets(session, contestants),
        problems=_list_problems(session) if site.problems else (),
        address=f"{site.address}{folder}/" if site.address and folder else site.address or "",
        noindex=site.noindex,
        final=site.final,
        provisional_until=_format_last_day(date, site.provisional_days, spoken),
        corrections=tuple((change.date, clean(change.text)) for change in site.corrected(folder)),
        changes=list_changes(session.corrections),
        statistics=make_statistics(session.results),
        double_dummy_hint=find_unsolved_hint(session),
    )


def _format_last_day(date: str, days: int | None, spoken: Language) -> str:
    last = find_provisional_end(date, days)
    return spoken.format_date(last, format_date(last)[1]) if last else ""


def _capitalise(text: str) -> str:
    text = clean(text)
    return text[:1].upper() + text[1:]


def _list_sources(session: Session) -> tuple[tuple[str, str], ...]:
    names = shorten_paths(session.sources["source"].to_list())
    rows = session.sources.select("source", "sha256").iter_rows()
    return tuple((names[source], (sha256 or "")[:12]) for source, sha256 in rows)


def _list_problems(session: Session) -> tuple[ProblemRow, ...]:
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
    return tuple(
        ProblemRow(
            severity=row["severity"],
            place=":".join(
                str(part)
                for part in (names.get(row["source"], clean(row["source"])), row["line"], row["column"])
                if part not in (None, "")
            ),
            board=clean(row["board"]),
            message=clean(row["message"]),
            hint=clean(row["hint"]),
        )
        for row in ordered.iter_rows(named=True)
    )
