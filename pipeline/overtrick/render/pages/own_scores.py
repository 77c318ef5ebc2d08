"""What a reader's own row of a ranking says besides the place: the score on each board, the best and the worst."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from overtrick.render.display import MINUS
from overtrick.render.pages.board_pages import BoardPage
from overtrick.render.pages.scorecards import Scorecard, ScorecardRow

_FEW: Final = 3
"""With fewer boards, and with more that share the best score, there is no best board to name."""


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
    made = ((card.contestant.page, _make(card.rows, boards)) for card in cards)
    return {page: own for page, own in made if own}


def _make(rows: Sequence[ScorecardRow], boards: Sequence[BoardPage]) -> OwnScores | None:
    percent = any(row.percentage for row in rows)
    texts = {row.board_page: (row.percentage if percent else row.points, row.board) for row in rows}
    known = {page: (_read(text), number) for page, (text, number) in texts.items() if text}
    if not known:
        return None
    scores = [known.get(f"{board.slug}/index.html") for board in boards]
    listed = ["" if one is None else f"{one[0]:.0f}" if percent else f"{one[0]:g}" for one in scores]
    values = [value for value, _ in known.values()]
    best, worst = ("", "") if len(values) < _FEW else (_name(known, max(values)), _name(known, min(values)))
    return OwnScores(",".join(listed), best, worst if best != worst else "")


def _read(text: str) -> float:
    return float(text.replace(MINUS, "-").replace("+", ""))


def _name(known: Mapping[str, tuple[float, str]], value: float) -> str:
    numbers = [number for score, number in known.values() if score == value]
    return ", ".join(numbers) if len(numbers) <= _FEW else ""
