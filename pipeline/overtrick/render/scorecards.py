"""Scorecards: every board of one contestant, in the order it was played."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from overtrick.notation import clean, natural
from overtrick.render.contestants import Contestant, Contestants
from overtrick.render.context import BoardPage, ContestantRef, Scorecard, ScorecardRow
from overtrick.render.lines import Line, PointsForm, award, percentage, remark
from overtrick.render.notation import card, contract, result
from overtrick.render.performance import Played, field_contracts, running, running_chart, running_texts, shares
from overtrick.render.standings import Standing, rank_text
from overtrick.render.text import signed

_SIDES: Final = {"NS": "N-S", "EW": "E-W"}
_OTHER: Final = {"NS": "EW", "EW": "NS"}


def scorecards(
    lines: Iterable[Line],
    boards: Mapping[str, BoardPage],
    contestants: Contestants,
    standings: Mapping[Contestant, Standing],
    form: PointsForm,
) -> tuple[Scorecard, ...]:
    """Make a page of every contestant; `lines` come from `lines.display_lines`, `boards` from `boards.board_pages`."""
    order = {key: place for place, key in enumerate(boards)}
    lines = list(lines)
    field = field_contracts(lines)
    played: dict[Contestant, list[tuple[Line, str]]] = defaultdict(list)
    for line in lines:
        for side in _SIDES:
            for one in contestants.earners(line, side):
                played[one].append((line, side))
    cards = []
    for one in contestants:
        of_a_team = any(one.id == line[f"team_{side.lower()}"] for line, side in played[one])
        mine = _in_order(played[one], order, once_a_board=of_a_team)
        scores = running(mine, form)
        rows = tuple(
            replace(
                _row(line, side, boards[line["key"]], contestants, form),
                running=text,
                partner=_partner(contestants.ref(one), contestants.side(line, side)),
            )
            for (line, side), text in zip(mine, running_texts(scores, form), strict=True)
        )
        card = _scorecard(one, standings.get(one, {}), rows, contestants, form)
        cards.append(
            replace(
                card,
                shares=() if of_a_team else shares(mine, field, form),
                chart=running_chart(scores, [row.board for row in rows], form),
                at_tables=not of_a_team and not card.has_partners,
            )
        )
    return tuple(cards)


def _in_order(played: Played, order: Mapping[str, int], *, once_a_board: bool) -> Played:
    """Sort lines as they were played; what a team's tables brought together on a board may count once, at the last."""
    ordered = sorted(played, key=lambda at: (natural(at[0]["round"]), order[at[0]["key"]], at[1] == "EW"))
    if not once_a_board:
        return ordered

    def brought(line: Line, side: str) -> tuple[object, ...]:
        return line["round"], line["key"], line[f"team_{_OTHER[side].lower()}"], line[f"points_{side.lower()}"]

    last = {brought(*at): place for place, at in enumerate(ordered)}
    nothing = dict.fromkeys(("points_ns", "points_ew", "percentage_ns", "percentage_ew", "mark_ns", "mark_ew"))
    return [at if last[brought(*at)] == place else ({**at[0], **nothing}, at[1]) for place, at in enumerate(ordered)]


def _scorecard(
    one: Contestant,
    standing: Standing,
    rows: tuple[ScorecardRow, ...],
    contestants: Contestants,
    form: PointsForm,
) -> Scorecard:
    boards = standing.get("boards")
    return Scorecard(
        contestant=contestants.ref(one),
        slug=one.slug,
        direction=_SIDES.get(standing.get("direction") or "", ""),
        rank=rank_text(standing),
        total=form.total(standing.get("total")),
        percentage=percentage(standing.get("percentage"), 2),
        boards="" if boards is None else str(boards),
        rows=rows,
    )


def _partner(one: ContestantRef, side: ContestantRef) -> ContestantRef | None:
    return next((player for player in side.players if player != one), None)


def _row(line: Line, side: str, board: BoardPage, contestants: Contestants, form: PointsForm) -> ScorecardRow:
    own = side.lower()
    bid = contract(line["level"], line["strain"], line["doubled"])
    return ScorecardRow(
        board=board.number or "?",
        board_page=f"{board.slug}/index.html",
        round=clean(line["round"]),
        direction=_SIDES[side],
        opponents=contestants.side(line, _OTHER[side]),
        contract=bid,
        declarer=line["declarer"] or "",
        lead=card(line["lead"]),
        result=result(line["level"], line["tricks"]),
        score=_score(line, side),
        points=form.points(line[f"points_{own}"]),
        percentage=percentage(line[f"percentage_{own}"]),
        mark=line[f"mark_{own}"] or "",
        status=line["status"] or "unknown",
        remark=remark(line, bid.text),
    )


def _score(line: Line, side: str) -> str:
    """Write the score from one side, with its sign; an artificial score as `A+`, `60%`."""
    if line["award_ns"] or line["award_ew"]:
        return award(line[f"award_{side.lower()}"])
    if line["score_ns"] is None:
        return ""
    return signed(line["score_ns"] if side == "NS" else -line["score_ns"])
