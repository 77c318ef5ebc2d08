"""Scorecards: every board of one contestant, in the order it was played."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from overtrick.order import natural
from overtrick.render.contestants import Contestant, Contestants
from overtrick.render.context import BoardPage, Scorecard, ScorecardRow
from overtrick.render.lines import Line, PointsForm, award, percentage, remark
from overtrick.render.notation import card, contract, result
from overtrick.render.performance import field_contracts, running, running_chart, running_texts, shares
from overtrick.render.standings import Standing, rank_text
from overtrick.render.text import clean, signed

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
            one = contestants.find(line[side.lower()], side, line["section"])
            if one:
                played[one].append((line, side))
    cards = []
    for one in contestants:
        mine = sorted(played[one], key=lambda at: (natural(at[0]["round"]), order[at[0]["key"]]))
        scores = running(mine, form)
        rows = tuple(
            replace(_row(line, side, boards[line["key"]], contestants, form), running=text)
            for (line, side), text in zip(mine, running_texts(scores, form), strict=True)
        )
        card = _scorecard(one, standings.get(one, {}), rows, contestants, form)
        chart = running_chart(scores, [row.board for row in rows], form)
        cards.append(replace(card, shares=shares(mine, field, form), chart=chart))
    return tuple(cards)


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


def _row(line: Line, side: str, board: BoardPage, contestants: Contestants, form: PointsForm) -> ScorecardRow:
    own, other = side.lower(), _OTHER[side].lower()
    bid = contract(line["level"], line["strain"], line["doubled"])
    return ScorecardRow(
        board=board.number or "?",
        board_page=f"{board.slug}/index.html",
        round=clean(line["round"]),
        direction=_SIDES[side],
        opponents=contestants.ref(contestants.find(line[other], _OTHER[side], line["section"])),
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
