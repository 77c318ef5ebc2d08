"""A session as pages: everything that templates need, ready to be placed."""

import polars as pl

from overtrick import __version__
from overtrick.bridge.methods import method_named
from overtrick.config import Config
from overtrick.frames import Session
from overtrick.notation import clean
from overtrick.render.boards import board_pages
from overtrick.render.contestants import Contestants
from overtrick.render.context import ProblemRow, SessionPage
from overtrick.render.double_dummy import unsolved_note
from overtrick.render.languages import Language, language
from overtrick.render.lines import display_lines, points_form
from overtrick.render.matches import match_rounds, score_sheets
from overtrick.render.recaps import matrix, recaps
from overtrick.render.rows import table_count
from overtrick.render.scorecards import scorecards
from overtrick.render.standings import ranked, rankings
from overtrick.render.statistics import statistics
from overtrick.render.text import date_texts, file_names, provisional_until


def session_page(session: Session, config: Config, folder: str = "") -> SessionPage:
    """Turn a scored and ranked session into what the site and the PDF show of it.

    Args:
        session: scored and ranked, and as it may be published.
        config: the club's settings.
        folder: of the session in its season; empty for a session alone.
    """
    facts, published = session.facts, config.site
    spoken = language(published.language)
    date, date_text = date_texts(facts.date)
    contestants = Contestants(session)
    form = points_form(session)
    lines = display_lines(session)
    boards = board_pages(session, lines, contestants, form)
    standings = ranked(session, contestants)
    fields = rankings(standings, contestants, form)
    cards = scorecards(lines, boards, contestants, {one: row for row, one in reversed(standings)}, form)
    return SessionPage(
        title=clean(facts.event) or clean(facts.site) or "Results",
        club=clean(config.club.name),
        site=clean(facts.site) if clean(facts.event) else "",
        date=date,
        date_text=spoken.date(date, date_text),
        method=method_named(facts.method).title,
        points_name=form.name,
        total_name="VP" if session.matches["victory_points"].is_not_null().any() else form.name,
        has_percentages=session.standings["percentage"].is_not_null().any(),
        tables=str(table_count(session) or ""),
        board_count=str(len(boards)),
        policies=tuple((_sentence(name), clean(rule)) for name, rule in facts.policies.items()),
        sources=_sources(session),
        generator=f"overtrick {__version__}",
        rankings=fields,
        boards=tuple(boards.values()),
        scorecards=cards,
        recaps=recaps(fields, boards.values(), {card.contestant.page: card.rows for card in cards}),
        matrix=matrix(lines, contestants, form),
        rounds=match_rounds(session, contestants, form),
        sheets=score_sheets(session, contestants),
        problems=_problems(session) if published.problems else (),
        address=f"{published.address}{folder}/" if published.address and folder else published.address or "",
        noindex=published.noindex,
        final=published.final,
        provisional_until=_last_day(date, published.provisional_days, spoken),
        corrections=_corrections(config, folder),
        statistics=statistics(session.results),
        double_dummy_note=unsolved_note(session),
    )


def _last_day(date: str, days: int | None, spoken: Language) -> str:
    """Name the last day on which results may change; empty where nobody says, or the date is not whole."""
    last = provisional_until(date, days)
    return spoken.date(last, date_texts(last)[1]) if last else ""


def _corrections(config: Config, folder: str) -> tuple[tuple[str, str], ...]:
    """List what was changed after publishing, and the Director's rulings that say why."""
    changes = [(change.date, clean(change.text)) for change in config.site.corrected(folder)]
    rulings = [f"Board {one.board}: {clean(one.reason)}" for one in config.scoring.adjustments if one.reason]
    penalties = [f"{clean(one.contestant)}: {clean(one.reason)}" for one in config.scoring.penalties if one.reason]
    return (*changes, *(("", text) for text in (*rulings, *penalties)))


def _sentence(text: str) -> str:
    text = clean(text)
    return text[:1].upper() + text[1:]


def _sources(session: Session) -> tuple[tuple[str, str], ...]:
    names = file_names(session.sources["source"].to_list())
    rows = session.sources.select("source", "sha256").iter_rows()
    return tuple((names[source], (sha256 or "")[:12]) for source, sha256 in rows)


def _problems(session: Session) -> tuple[ProblemRow, ...]:
    """List the problems, errors first, then file by file from top to bottom."""
    ordered = session.problems.sort("severity", "source", "line", "column", nulls_last=False, maintain_order=True)
    files = pl.concat([session.sources["source"], session.problems["source"]])
    names = file_names(files.drop_nulls().unique(maintain_order=True).to_list())
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
