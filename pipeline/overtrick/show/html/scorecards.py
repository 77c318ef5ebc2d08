"""Scorecards: every board of one contestant, in the order it was played."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from overtrick.core.bridge.methods import USUAL, method_named
from overtrick.core.bridge.victory_points import UNIT
from overtrick.core.frames import Session
from overtrick.core.notation import clean, natural
from overtrick.show import views
from overtrick.show.html import performance
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.contestants import Contestant, ContestantRef, Contestants
from overtrick.show.html.ranking_tables import Standing, format_rank
from overtrick.show.html.result_lines import (
    Line,
    Outcome,
    PointsForm,
    any_row,
    choose_points_form,
    count_against,
    format_award,
    format_cost,
    list_field_columns,
    make_outcome,
)
from overtrick.show.html.splits import Split, Splits, Stories, make_splits
from overtrick.show.html.team_cards import TeamCards, TeamMatch, list_match_sides
from overtrick.show.text import display

_OTHER: Final = {"NS": "EW", "EW": "NS"}
ROUNDING: Final = 0.005
"""Less is not a part of a total, but rounding."""


@dataclass(frozen=True, kw_only=True)
class ScorecardRow(Outcome):
    """One board on a contestant's scorecard."""

    board: str
    board_page: str
    """Path of the board's page from the site's root."""
    round: str
    direction: str
    """`N-S` or `E-W`."""
    opponents: ContestantRef
    score: str
    """For the contestant's side, with its sign; an artificial score reads `A+`, `60%`."""
    points: str
    percentage: str
    """Empty at IMPs."""
    mark: str
    """`top` for the only best result in these seats, `bottom` for the only worst, of three or more; else empty."""
    running: str = ""
    """The score after this board: percent so far, or the sum of points; empty where the board has no points."""
    partner: ContestantRef | None = None
    """Who sat opposite in an individual; None in other events."""
    seat: str = ""
    """Where the contestant sat in an individual, `N E S W`; empty in other events."""
    against: int | None = None
    """Tricks against double dummy: -1 for one that was lost; None where they are not known."""
    lead_cost: str = ""
    """Tricks that the opening lead gave up: `−1`; empty for nothing, and where it is not known."""

    @property
    def tone(self) -> str:
        """The class of the line in the style sheet."""
        return self.mark

    @property
    def seats(self) -> str:
        """Where it sat: `N-S`, in an individual `N`."""
        return self.seat or self.direction


@dataclass(frozen=True)
class Scorecard:
    """The page of a contestant."""

    contestant: ContestantRef
    slug: str
    direction: str
    """`N-S`, `E-W` in a two-winner field; empty otherwise."""
    rank: str
    """`3`, `4=` when shared; empty when not ranked."""
    total: str
    percentage: str
    boards: str
    rows: tuple[ScorecardRow, ...]
    shares: tuple[performance.Share, ...] = ()
    """As declarer and defender, with and against the field."""
    partners: tuple[performance.PartnerShare, ...] = ()
    """How the player of an individual did with each partner."""
    opponents: tuple[performance.PartnerShare, ...] = ()
    """The same against each opponent."""
    chart: performance.RunningChart | None = None
    """The score after each board; None for fewer than three of them."""
    at_tables: bool = True
    """Whether travellers have a row for it: not for teams, nor for the players of an individual."""
    of: str = ""
    """How many are in its ranking; empty when not ranked."""
    extras: tuple[tuple[str, str], ...] = ()
    """Name and points of what belongs to the total without being played for: `Carry-over`."""
    matches: tuple[TeamMatch, ...] = ()
    """The matches of a team; empty for others."""
    splits: Splits | None = None
    """Where its points went; None where nothing was analysed."""
    of_deals: bool = False
    """Whether it is of score sheets, whose deals are worth what they score."""

    @property
    def percentage_short(self) -> str:
        """The percentage with as many decimals as those of the boards above it."""
        return display.format_percentage(display.parse_number(self.percentage)) if self.percentage else ""

    @cached_property
    def bars(self) -> Mapping[str, Split]:
        """The split of each row, by the page of its board; empty unless each board has one row."""
        rows = self.splits.rows if self.splits else ()
        found = {split.board_page: split for split in rows}
        return found if len(found) == len(rows) else {}

    has_partners = any_row("partner")
    """Whether partners changed, as in an individual."""

    columns = views.columns_of("SCORECARD")
    """The columns of its boards."""

    @property
    def titles(self) -> Mapping[str, str]:
        """What the columns are called here, as `SessionPage.titles`."""
        return {"seats": "Seat" if self.has_partners else "Seats"}

    @property
    def names_seats(self) -> bool:
        """Whether its rows say where it sat: they sat both ways, or with several partners."""
        return self.has_partners or not self.direction

    @property
    def across(self) -> int:
        """How many columns are before those with a total."""
        return next((at for at, one in enumerate(self.columns) if one.name in views.SUMMED), len(self.columns))

    has_percentages = any_row("percentage")
    """Whether any row has a percentage."""


def make_scorecards(
    session: Session,
    lines: Iterable[Line],
    boards: Mapping[str, BoardPage],
    contestants: Contestants,
    standings: Mapping[Contestant, Standing],
) -> tuple[Scorecard, ...]:
    """Make the scorecard of every contestant.

    Args:
        session: scored and ranked.
        lines: from `result_lines.list_lines`.
        boards: from `board_pages.make_board_pages`.
        contestants: who played.
        standings: the first standing of each contestant.
    """
    form = choose_points_form(session)
    order = {key: (board.evening, place) for place, (key, board) in enumerate(boards.items())}
    sizes = Counter(session.standings["ranking"].fill_null("all"))
    teams, matches = TeamCards(session.matches, boards, contestants, form), list_match_sides(session.matches)
    lines = list(lines)
    played, stories = _list_played(lines, contestants), Stories(lines, list_field_columns(session))
    cards = []
    for player in contestants:
        of_a_team = any(player.id == line[f"team_{side.lower()}"] for line, side in played[player])
        mine = _sort_played(played[player], order, once_a_board=of_a_team)
        scores = performance.compute_running_scores(mine, form)
        rows = tuple(
            _make_row(line, side, boards[line["key"]], contestants, form, player=player, running=text)
            for (line, side), text in zip(mine, performance.format_running_scores(scores, form), strict=True)
        )
        standing = standings.get(player, {})
        rank, count = format_rank(standing), standing.get("boards")
        cards.append(
            Scorecard(
                contestant=contestants.link(player),
                slug=player.slug,
                direction=display.SIDES.get(standing.get("direction") or "", ""),
                rank=rank,
                total=form.total(standing.get("total")),
                percentage=display.format_percentage(standing.get("percentage"), 2),
                boards="" if count is None else str(count),
                rows=rows,
                shares=() if of_a_team else performance.make_shares(mine, form),
                partners=performance.make_partner_shares(
                    mine, [[row.partner] if row.partner else [] for row in rows], form
                ),
                opponents=performance.make_partner_shares(mine, [row.opponents.players for row in rows], form),
                chart=performance.draw_chart(scores, [row.board for row in rows], form),
                at_tables=not (of_a_team or any(row.partner for row in rows)),
                of=str(sizes[standing["ranking"] or "all"]) if rank else "",
                extras=list_extras(session, standing, mine, matches, form),
                matches=teams.list_matches(player, played[player]) if of_a_team else (),
                of_deals=method_named(session.facts.method or USUAL).sheet is not None,
                splits=make_splits(_sort_played(played[player], order, once_a_board=False), boards, stories),
            )
        )
    return tuple(cards)


def _list_played(lines: Iterable[Line], contestants: Contestants) -> Mapping[Contestant, list[tuple[Line, str]]]:
    """Return the lines of each contestant, each with the side that it sat on."""
    played: dict[Contestant, list[tuple[Line, str]]] = defaultdict(list)
    for line in lines:
        for side in display.SIDES:
            for earner in contestants.find_earners(line, side):
                played[earner].append((line, side))
    return played


def _sort_played(
    played: performance.Played, order: Mapping[str, tuple[int, int]], *, once_a_board: bool
) -> performance.Played:
    """Sort lines as they were played; `order` has the evening and the place of each board.

    With `once_a_board` points that a team's tables earned together on a board count once, at the last of its lines.
    """

    def place(at: tuple[Line, str]) -> tuple[object, ...]:
        evening, board = order[at[0]["key"]]
        return evening, natural(at[0]["round"]), board, at[1] == "EW"

    ordered = sorted(played, key=place)
    if not once_a_board:
        return ordered

    def identify(line: Line, side: str) -> tuple[object, ...]:
        return line["round"], line["key"], line[f"team_{_OTHER[side].lower()}"], line[f"points_{side.lower()}"]

    last = {identify(*at): place for place, at in enumerate(ordered)}
    nothing = dict.fromkeys(("points_ns", "points_ew", "percentage_ns", "percentage_ew", "mark_ns", "mark_ew"))
    return [at if last[identify(*at)] == place else ({**at[0], **nothing}, at[1]) for place, at in enumerate(ordered)]


def list_extras(
    session: Session,
    standing: Standing,
    mine: performance.Played,
    matches: Iterable[Mapping[str, Any]],
    form: PointsForm,
) -> tuple[tuple[str, str], ...]:
    """Return what a total has besides the points of its boards or matches: its name, and its points."""
    total, changed = standing.get("total"), standing.get("correction") or 0.0
    if total is None:
        return ()
    extras = [(_name_correction(session, standing["contestant"]), changed)] if changed else []
    in_matches = _sum_matches(matches, standing["contestant"])
    points = (line[f"points_{side.lower()}"] for line, side in mine)
    rest = total - changed - (sum(filter(None, points)) if in_matches is None else in_matches)
    name = "Sit-outs" if in_matches is None else "Byes"
    if abs(rest) >= ROUNDING and (name, session.facts.policies.get("sit_outs")) != ("Sit-outs", "as-earned"):
        extras.append((name, rest))
    return tuple((name, form.total(value)) for name, value in extras)


def _sum_matches(matches: Iterable[Mapping[str, Any]], team: str) -> float | None:
    """Return the victory points of a team in all its matches; None if there are none."""
    points = [row["victory_points"] for row in matches if row["team"] == team and row["victory_points"] is not None]
    return sum(points) / UNIT if points else None


def _name_correction(session: Session, contestant: str) -> str:
    policies = session.facts.policies
    penalties: Any = policies.get("penalties", ())
    there = {
        "Carry-over": "carry_overs" in policies,
        "Penalty": any(penalty.contestant == contestant for penalty in penalties),
        "Handicap": "handicaps" in policies,
    }
    stated = [name for name, is_there in there.items() if is_there]
    return stated[0] if len(stated) == 1 else "Carry-over, penalties, handicap"


def _make_row(  # noqa: PLR0913 - a row joins them all
    line: Line,
    side: str,
    board: BoardPage,
    contestants: Contestants,
    form: PointsForm,
    *,
    player: Contestant,
    running: str,
) -> ScorecardRow:
    side_name = side.lower()
    return ScorecardRow(
        **vars(make_outcome(line)),
        board=board.label,
        board_page=f"{board.slug}/index.html",
        round=clean(line["round"]),
        direction=display.SIDES[side],
        opponents=contestants.link_side(line, _OTHER[side]),
        score=_format_score(line, side),
        points=form.points(line[f"points_{side_name}"]),
        percentage=display.format_percentage(line[f"percentage_{side_name}"]),
        mark=line[f"mark_{side_name}"] or "",
        running=running,
        partner=next((one for one in contestants.link_side(line, side).players if one.id != player.id), None),
        seat=next((seat for seat in "NESW" if line[f"player_{seat.lower()}"] == player.id), ""),
        against=count_against(line["tricks"], line["dd_tricks"]),
        lead_cost=format_cost(line["lead_cost"]),
    )


def _format_score(line: Line, side: str) -> str:
    if line["award_ns"] or line["award_ew"]:
        return format_award(line[f"award_{side.lower()}"])
    if line["score_ns"] is None:
        return ""
    return display.format_signed(line["score_ns"] if side == "NS" else -line["score_ns"])


_FEW: Final = 3
"""The fewest boards of which one is named as the best, and the most that share the best score."""


@dataclass(frozen=True)
class OwnScores:
    """The boards of one contestant."""

    scores: str
    """Percent, or points, board by board in the order of the tiles: `64,50,,12`; empty for a board not played."""
    best: str
    """The board with the best score, `7`; two or three share it as `7, 12`; empty where more do."""
    worst: str


def make_own_scores(cards: Iterable[Scorecard], boards: Sequence[BoardPage]) -> Mapping[str, OwnScores]:
    """Return the scores of each contestant by the path of its scorecard; contestants without any are left out."""
    found = ((card.contestant.page, _make(card.rows, boards)) for card in cards)
    return {page: scores for page, scores in found if scores}


def _make(rows: Sequence[ScorecardRow], boards: Sequence[BoardPage]) -> OwnScores | None:
    percent = any(row.percentage for row in rows)
    texts = {row.board_page: (row.percentage if percent else row.points, row.board) for row in rows}
    known = {page: (display.parse_number(text), number) for page, (text, number) in texts.items() if text}
    if not known:
        return None
    scores = (known.get(f"{board.slug}/index.html") for board in boards)
    listed = ",".join("" if score is None else f"{score[0]:{'.0f' if percent else 'g'}}" for score in scores)
    if len(known) < _FEW:
        return OwnScores(listed, "", "")
    values = [value for value, _ in known.values()]
    best, worst = _name(known, max(values)), _name(known, min(values))
    return OwnScores(listed, best, "" if worst == best else worst)


def _name(known: Mapping[str, tuple[float, str]], value: float) -> str:
    numbers = [number for score, number in known.values() if score == value]
    return ", ".join(numbers) if len(numbers) <= _FEW else ""
