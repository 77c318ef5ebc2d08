"""A match of two teams in several segments: what each segment brought, and the score after it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from overtrick.core.frames import Session
from overtrick.show.html.contestants import Contestant, ContestantRef
from overtrick.show.html.ranking_tables import Standing
from overtrick.show.html.result_lines import PointsForm
from overtrick.show.html.scorecards import Scorecard


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
    session: Session,
    standings: Iterable[tuple[Standing, Contestant]],
    cards: Iterable[Scorecard],
    form: PointsForm,
) -> SegmentTable | None:
    """Return the segments of a session in which two teams met each other only, the leaders first.

    Returns:
        None for other sessions, and for a match of one segment without a carry-over.
    """
    if session.matches.is_empty() or session.matches["victory_points"].is_not_null().any():
        return None
    of_page = {card.contestant.page: card for card in cards if card.matches}
    stated: dict[str, Standing] = {}
    for row, one in standings:
        stated.setdefault(f"{one.slug}/index.html", row)
    ranked = [page for page in stated if page in of_page]
    if len(ranked) != 2 or len(of_page) != 2:
        return None
    first, second = (of_page[page] for page in ranked)
    changed = [stated[page].get("correction") or 0.0 for page in ranked]
    if changed[0] == -changed[1]:
        # A file that states only by how many IMPs a team was ahead: it begins with 12 to 0.
        changed = [max(change, 0.0) for change in changed]
    rows = _list_rows(first, changed, [name for name, _ in (*first.extras, *second.extras)], form)
    return SegmentTable((first.contestant, second.contestant), rows) if len(rows) > 1 else None


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
