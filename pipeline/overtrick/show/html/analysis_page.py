"""The page of an evening that says where the points went: of each contestant, and on which boards."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.contestants import Card, ContestantRef, Contestants, Contract, make_card, make_contract
from overtrick.show.html.ranking_tables import Ranking
from overtrick.show.html.result_lines import Line, group_lines
from overtrick.show.html.scorecards import Scorecard
from overtrick.show.html.splits import Splits
from overtrick.show.text.display import format_number, format_signed

_LISTED: Final = 8
"""Contracts and leads that a page lists."""

_DECIDED: Final = 5
"""Boards that a page lists for a ranking."""

_FEW: Final = 3
"""Leads from the same seat against the same trumps of which one may be called good."""

_AFTER: Final = {"N": "EW", "S": "EW", "E": "NS", "W": "NS"}
"""The side that leads, by declarer."""


@dataclass(frozen=True)
class DecidedBoard:
    """A board on which first and second of a ranking were far apart."""

    board: str
    page: str
    first: str
    """Distance of the first from average; empty if it did not play the board."""
    second: str
    difference: str


@dataclass(frozen=True)
class Decided:
    """The boards that decided a ranking."""

    title: str
    first: ContestantRef
    second: ContestantRef
    boards: tuple[DecidedBoard, ...]


@dataclass(frozen=True)
class HardContract:
    """A contract in which declarers made fewer tricks than double dummy."""

    board: str
    page: str
    contract: Contract
    declarer: str
    tables: int
    double_dummy: str
    made: str
    """The mean."""
    against: str
    """The mean, less the double-dummy tricks."""


@dataclass(frozen=True)
class GoodLead:
    """A lead that gave up nothing, where others did."""

    board: str
    page: str
    contract: Contract
    declarer: str
    card: Card
    leaders: tuple[ContestantRef, ...]
    wrong: int
    """Leads against this declarer and these trumps that gave up tricks."""
    leads: int


@dataclass(frozen=True)
class AnalysisPage:
    """Everything that the page shows."""

    cards: tuple[Scorecard, ...]
    """Those with splits, the furthest above average first."""
    decided: tuple[Decided, ...]
    hardest: tuple[HardContract, ...]
    leads: tuple[GoodLead, ...]


def make_analysis_page(
    cards: Sequence[Scorecard],
    rankings: Iterable[Ranking],
    lines: Iterable[Line],
    boards: Mapping[str, BoardPage],
    contestants: Contestants,
) -> AnalysisPage:
    """Make the page of a session that was analysed.

    Args:
        cards: all scorecards.
        rankings: all rankings.
        lines: from `result_lines.list_lines`.
        boards: from `board_pages.make_board_pages`.
        contestants: who played.
    """
    split = {card.contestant.page: card.splits for card in cards if card.splits}
    told = [(card.splits.sum.points, card) for card in cards if card.splits]
    lines = [line for line in lines if line["dd_tricks"] is not None and line["level"]]
    return AnalysisPage(
        cards=tuple(card for _, card in sorted(told, key=lambda one: one[0], reverse=True)),
        decided=tuple(_find_decided(rankings, split)),
        hardest=_find_hardest(lines, boards),
        leads=_find_leads(lines, boards, contestants),
    )


def _find_decided(rankings: Iterable[Ranking], split: Mapping[str, Splits]) -> Iterable[Decided]:
    seen = set()
    for ranking in rankings:
        two = tuple(row.contestant for row in ranking.rows if row.rank and row.contestant.page in split)[:2]
        if len(two) == 2 and two not in seen:
            seen.add(two)
            if boards := _compare_boards(*(split[contestant.page] for contestant in two)):
                yield Decided(ranking.title, *two, boards)


def _compare_boards(first: Splits, second: Splits) -> tuple[DecidedBoard, ...]:
    """Return the boards on which two contestants were furthest apart."""
    names = {row.board_page: row.board for row in (*first.rows, *second.rows)}
    leader, runner_up = _add_boards(first), _add_boards(second)
    apart = {page: leader.get(page, Fraction(0)) - runner_up.get(page, Fraction(0)) for page in names}
    furthest = sorted((page for page in apart if apart[page]), key=lambda page: -abs(apart[page]))[:_DECIDED]
    return tuple(
        DecidedBoard(names[page], page, _text(leader.get(page)), _text(runner_up.get(page)), _text(apart[page]))
        for page in furthest
    )


def _add_boards(splits: Splits) -> dict[str, Fraction]:
    found: dict[str, Fraction] = defaultdict(Fraction)
    for row in splits.rows:
        found[row.board_page] += row.points
    return found


def _text(points: Fraction | None) -> str:
    return "" if points is None else _short(format_signed(float(points), 2))


def _short(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _find_hardest(lines: Sequence[Line], boards: Mapping[str, BoardPage]) -> tuple[HardContract, ...]:
    """Find the contracts that at least two tables played furthest below double dummy."""
    played = (line for line in lines if line["tricks"] is not None)
    tables = group_lines(played, "key", "level", "strain", "declarer")
    found = []
    for same in tables.values():
        counts = [line["multiplicity"] or 1 for line in same]
        tricks = sum(line["tricks"] * count for line, count in zip(same, counts, strict=True))
        mean = Fraction(tricks, sum(counts))
        if sum(counts) > 1 and mean < same[0]["dd_tricks"]:
            found.append((mean - same[0]["dd_tricks"], sum(counts), same[0], mean))
    found.sort(key=lambda contract: (contract[0], -contract[1]))
    return tuple(
        HardContract(
            *_place(line, boards),
            tables=count,
            double_dummy=str(line["dd_tricks"]),
            made=_short(format_number(float(mean), 1)),
            against=_short(format_signed(float(against), 1)),
        )
        for against, count, line, mean in found[:_LISTED]
    )


def _find_leads(
    lines: Sequence[Line], boards: Mapping[str, BoardPage], contestants: Contestants
) -> tuple[GoodLead, ...]:
    """Find leads that gave up nothing where most others did, one of each card."""
    known = (line for line in lines if line["lead_cost"] is not None and line["lead"])
    against = group_lines(known, "key", "strain", "declarer")
    found = [lead for same in against.values() for lead in _list_good_leads(same)]
    found.sort(key=lambda lead: (-lead[0], -lead[1]))
    leads = []
    for _, count, wrong, led in found[:_LISTED]:
        if card := make_card(led[0]["lead"]):
            leaders = dict.fromkeys(contestants.link_side(line, _AFTER[line["declarer"]]) for line in led)
            leads.append(GoodLead(*_place(led[0], boards), card, tuple(leaders), wrong, count))
    return tuple(leads)


def _list_good_leads(same: Sequence[Line]) -> Iterable[tuple[Fraction, int, int, list[Line]]]:
    """Yield the cards that gave up nothing, if half of the leads or more did.

    With each come the share of wrong leads, the number of all and of wrong ones, and the lines that led the card.
    """
    wrong = sum(line["lead_cost"] > 0 for line in same)
    if len(same) < _FEW or 2 * wrong < len(same):
        return
    for led in group_lines((line for line in same if not line["lead_cost"]), "lead").values():
        yield Fraction(wrong, len(same)), len(same), wrong, led


def _place(line: Line, boards: Mapping[str, BoardPage]) -> tuple[str, str, Contract, str]:
    board = boards[line["key"]]
    contract = make_contract(line["level"], line["strain"], line["doubled"])
    return board.label, f"{board.slug}/index.html", contract, line["declarer"] or ""
