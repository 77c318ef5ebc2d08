"""Matches of teams, round by round, and the score sheets of rubber-type games."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

import polars as pl

from overtrick.core.frames import Results, Session
from overtrick.core.notation import clean, natural
from overtrick.judge.rank.match_totals import list_stated_carry
from overtrick.judge.validate.movement_given import find_draw
from overtrick.show import views
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.contestants import Contestant, ContestantRef, Contestants
from overtrick.show.html.ranking_tables import Standing
from overtrick.show.html.result_lines import Line, Outcome, PointsForm, make_outcome
from overtrick.show.html.scorecards import Scorecard
from overtrick.show.html.team_cards import TeamMatch, choose_places, format_victory_points, name_round
from overtrick.show.text.display import format_number

AnySession = TypeVar("AnySession", bound=Session)


@dataclass(frozen=True)
class Segment:
    """A line of the match."""

    title: str
    """`Segment 2 of 3`, `Round 2`; `Carry-over`, `Penalty` for what was added to the totals."""
    page: str
    """Path of its boards from the site's root; empty for what was added."""
    won: str
    """Of the first team; `lost` is of the second. Both are empty where no board has points."""
    lost: str
    total: str
    """Of the first team after the segment; `total_lost` is of the second."""
    total_lost: str


@dataclass(frozen=True)
class SegmentTable:
    """The segments of the only match of a session."""

    teams: tuple[ContestantRef, ContestantRef]
    rows: tuple[Segment, ...]


def make_segments(
    session: Session, standings: Iterable[tuple[Standing, Contestant]], cards: Iterable[Scorecard], form: PointsForm
) -> SegmentTable | None:
    """Return the segments of a session in which two teams met each other only, the leaders first.

    Returns:
        None for other sessions, and for a match of one segment without a carry-over.
    """
    if session.matches.is_empty() or session.matches["victory_points"].is_not_null().any():
        return None
    of_page = {card.contestant.page: card for card in cards if card.matches}
    stated: dict[str, Standing] = {}
    for row, team in standings:
        stated.setdefault(f"{team.slug}/index.html", row)
    ranked = [page for page in stated if page in of_page]
    if len(ranked) != 2 or len(of_page) != 2:
        return None
    first, second = (of_page[page] for page in ranked)
    changed = [stated[page].get("correction") or 0.0 for page in ranked]
    if changed[0] == -changed[1]:
        changed = _split_lead(session, [str(stated[page]["contestant"]) for page in ranked], changed)
    rows = _list_rows(first, changed, [name for name, _ in (*first.extras, *second.extras)], form)
    return SegmentTable((first.contestant, second.contestant), rows) if len(rows) > 1 else None


def _split_lead(session: Session, teams: Sequence[str], changed: Sequence[float]) -> list[float]:
    """Return what each of two teams carries over, where the totals have the difference: 124 and 6 for a lead of 118.

    A file that states only the lead gives 118 and 0.
    """
    for home, visitor, *stated in list_stated_carry(session).iter_rows():
        scores: list[float] = stated if [home, visitor] == teams else stated[::-1]
        if {home, visitor} == set(teams) and scores[0] - scores[1] == changed[0]:
            return scores
    return [max(change, 0.0) for change in changed]


def _list_rows(
    card: Scorecard, changed: Sequence[float], names: Sequence[str], form: PointsForm
) -> tuple[Segment, ...]:
    """Return the segments after what was added to the totals, which has the first of the names."""
    won, lost = changed
    start = [form.unsigned(value) for value in changed]
    rows = [Segment(names[0], "", *start, *start)] if any(changed) and names else []
    for match in card.matches:
        if match.gained:
            won, lost = won + match.gained[0], lost + match.gained[1]
        total, total_lost = (form.unsigned(value) for value in (won, lost))
        page = f"{card.contestant.page}#{match.anchor}"
        rows.append(Segment(match.round, page, match.won, match.lost, total, total_lost))
    return tuple(rows)


_PLACE: Final = ("section", "round")
_SHEET: Final = ("section", "round", "table", "ns", "ew", "sheet")


@dataclass(frozen=True)
class MatchRow:
    """A match of two teams."""

    team: ContestantRef
    opponents: ContestantRef
    boards: str = ""
    points: str = ""
    """What each side won at the tables, else the net, as the files state it; so is `points_opponents`."""
    points_opponents: str = ""
    victory_points: str = ""
    """Empty without a scale; so is `victory_points_opponents`."""
    victory_points_opponents: str = ""
    on_card: TeamMatch | None = None
    """The match on the team's card, with its boards; None where the team has none."""


@dataclass(frozen=True)
class MatchRound:
    """The matches of one round."""

    title: str
    """`Section A, Round 3`; empty where the files name neither."""
    rows: tuple[MatchRow, ...]
    is_drawn: bool = False
    """Whether it is the round to come, of which only the teams are known."""

    columns = views.columns_of("MATCHES")
    """The columns of a page."""


@dataclass(frozen=True)
class SheetEntry:
    """One line of a score sheet; three of the four columns are empty."""

    deal: str
    kind: str
    """Its kind, as in `bridge.sheets.Kind`."""
    above_ns: str
    below_ns: str
    above_ew: str
    below_ew: str
    new_game: bool
    """Whether a new game begins here; a rule is drawn above the line."""
    so_far: str = ""
    """The totals of N-S and E-W after the deal, `100 : 60`, on its last line; empty on the others."""
    outcome: Outcome | None = None
    """The contract and its result, on the first line of a deal; None on the others."""
    page: str = ""
    """Path of the deal's page from the site's root; empty without one."""

    @property
    def tone(self) -> str:
        """The class of the line in the style sheet."""
        return "new-game" if self.new_game else "new-deal" if self.outcome else ""


@dataclass(frozen=True)
class Sheet:
    """The score sheet of a rubber, a round of Chicago or a match of four hands."""

    title: str
    ns: ContestantRef
    ew: ContestantRef
    rows: tuple[SheetEntry, ...]
    total_ns: str
    total_ew: str

    columns = views.columns_of("SHEET")
    """The columns of a page."""


def make_match_rounds(
    session: Session, contestants: Contestants, form: PointsForm, drawn: Results, cards: Iterable[Scorecard] = ()
) -> tuple[MatchRound, ...]:
    """Make the matches of a session, round by round, each with its boards from the cards of the teams.

    The draw of the next round is the last; `drawn` has its lines (`set_draw_apart`).
    """
    rounds = []
    on_cards = {
        (card.contestant.page, match.round, match.opponents.page): match for card in cards for match in card.matches
    }
    places = choose_places(session.matches)
    for place, rows in session.matches.group_by(_PLACE, maintain_order=True):
        title = _compose_title(dict(zip(_PLACE, place, strict=True)))
        matches = (_make_match(row, contestants, form, places, on_cards) for row in rows.iter_rows(named=True))
        rounds.append(MatchRound(title, tuple(matches)))
    return (*rounds, *_list_draws(drawn, contestants))


def set_draw_apart(session: AnySession) -> tuple[AnySession, Results]:
    """Return a session without the lines of rounds that are still to come, and these lines."""
    drawn = find_draw(session)
    analysis = session.analysis.filter(~drawn) if len(session.analysis) else session.analysis
    return replace(session, results=session.results.filter(~drawn), analysis=analysis), session.results.filter(drawn)


def _list_draws(drawn: Results, contestants: Contestants) -> Iterator[MatchRound]:
    """Yield, by section, who meets whom in the next round."""
    named = drawn.with_columns(team=pl.coalesce("team_ns", "ns"), other=pl.coalesce("team_ew", "ew"))
    for (section,), lines in named.group_by("section", maintain_order=True):
        name = min(lines["round"], key=natural)
        matches: dict[frozenset[str], MatchRow] = {}
        for met in lines.filter(pl.col("round") == name).select("team", "other").iter_rows():
            team, other = (contestants.link(contestants.find(one, None, section)) for one in met)
            matches.setdefault(frozenset(met), MatchRow(team, other))
        title = _compose_title({"section": section, "round": name})
        yield MatchRound(f"Draw, {title}", (*matches.values(),), is_drawn=True)


def _make_match(
    row: Mapping[str, Any],
    contestants: Contestants,
    form: PointsForm,
    places: int,
    on_cards: Mapping[tuple[str, str, str], TeamMatch],
) -> MatchRow:
    team, opponents = (
        contestants.link(contestants.find(row[name], None, row["section"])) for name in ("team", "opponents")
    )
    card = on_cards.get((team.page, name_round(row["round"]), opponents.page))
    net = (form.points(row[name]) for name in ("points", "points_opponents"))
    points, points_opponents = (card.won, card.lost) if card and card.won else net
    return MatchRow(
        team=team,
        opponents=opponents,
        boards=str(row["boards"] or ""),
        points=points,
        points_opponents=points_opponents,
        victory_points=format_victory_points(row["victory_points"], places),
        victory_points_opponents=format_victory_points(row["victory_points_opponents"], places),
        on_card=card,
    )


def list_line_ups(lines: Iterable[Line], contestants: Contestants) -> dict[str, tuple[ContestantRef, ...]]:
    """Return the pairs that played for each team, by the path of the team's scorecard."""
    found: dict[str, dict[ContestantRef, None]] = defaultdict(dict)
    for line in lines:
        for side in ("NS", "EW"):
            team = contestants.find(line[f"team_{side.lower()}"], side, line["section"])
            pair = contestants.find(line[side.lower()], side, line["section"])
            if team and pair and team != pair:
                found[contestants.link(team).page][contestants.link(pair)] = None
    return {page: tuple(pairs) for page, pairs in found.items()}


def make_score_sheets(
    session: Session, contestants: Contestants, lines: Iterable[Line], boards: Mapping[str, BoardPage]
) -> tuple[Sheet, ...]:
    """Make the score sheets, with the contract of each deal and the total of each side."""
    frame = session.sheets
    played = {line["record"]: (make_outcome(line), f"{boards[line['key']].slug}/index.html") for line in lines}
    sheets = []
    for place, rows in frame.group_by(_SHEET, maintain_order=True):
        about: dict[str, Any] = dict(zip(_SHEET, place, strict=True))
        ns, ew = contestants.find_sides(about)
        of_side = pl.col("direction").cast(pl.String)
        sums = (format_number(int(rows.filter(of_side == side)["points"].sum())) for side in ("NS", "EW"))
        entries = _make_entries(rows, played)
        sheets.append(Sheet(_compose_title(about), contestants.link(ns), contestants.link(ew), entries, *sums))
    # Without tables, several are the first sheet of theirs.
    if len({sheet.title for sheet in sheets}) < len(sheets):
        return tuple(replace(sheet, title=f"Sheet {place}") for place, sheet in enumerate(sheets, start=1))
    return tuple(sheets)


def _make_entries(rows: pl.DataFrame, played: Mapping[int, tuple[Outcome, str]]) -> tuple[SheetEntry, ...]:
    entries = []
    game, record = rows["game"][0], None
    sums = {"NS": 0, "EW": 0}
    last = rows.select((pl.col("deal") != pl.col("deal").shift(-1)).fill_null(value=True)).to_series()
    for row, ends in zip(rows.iter_rows(named=True), last, strict=True):
        sums[str(row["direction"])] += row["points"]
        so_far = " : ".join(format_number(points) for points in sums.values()) if ends else ""
        columns = dict.fromkeys(("above_ns", "below_ns", "above_ew", "below_ew"), "")
        column = f"{'below' if row['below'] else 'above'}_{str(row['direction']).lower()}"
        columns[column] = format_number(row["points"])
        outcome, page = (None, "") if row["record"] == record else played.get(row["record"], (None, ""))
        deal, kind, new = str(row["deal"] or ""), clean(row["kind"]), row["game"] != game
        entries.append(SheetEntry(deal, kind, **columns, new_game=new, so_far=so_far, outcome=outcome, page=page))
        game, record = row["game"], row["record"]
    return tuple(entries)


def _compose_title(about: Mapping[str, object]) -> str:
    """Return the title of a round or a sheet, as far as the file names section, round, table and sheet."""
    names = ("section", "round", "table", "sheet")
    known = {name: clean(str(about[name])) for name in names if about.get(name) is not None}
    # A round may have a name of its own, such as `Segment 3 of 8`.
    named = name_round(known["round"]) if "round" in known else ""
    return ", ".join(named if name == "round" else f"{name.capitalize()} {text}" for name, text in known.items())
