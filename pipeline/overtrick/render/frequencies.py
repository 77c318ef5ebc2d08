"""The frequency table of a board: each score once, best for N-S first, with the points that it was worth."""

from collections.abc import Sequence

from overtrick.render.context_tables import Frequency
from overtrick.render.lines import Line, PointsForm
from overtrick.render.text import signed


def frequencies(lines: Sequence[Line], form: PointsForm) -> tuple[Frequency, ...]:
    """Count the scores of a board's lines (`lines.display_lines`); adjusted scores are nobody else's and left out."""
    counts: dict[int, int] = {}
    worth: dict[int, tuple[set[str], set[str]]] = {}
    for line in lines:
        score = line["score_ns"]
        if score is None or line["award_ns"] or line["award_ew"]:
            continue
        counts[score] = counts.get(score, 0) + (line["multiplicity"] or 1)
        points = worth.setdefault(score, (set(), set()))
        points[0].add(form.points(line["points_ns"]))
        points[1].add(form.points(line["points_ew"]))
    most = max(counts.values(), default=1)
    return tuple(
        Frequency(
            score=signed(score),
            tables=counts[score],
            share=f"{counts[score] / most:.3f}",
            points_ns=_only(worth[score][0]),
            points_ew=_only(worth[score][1]),
        )
        for score in sorted(counts, reverse=True)
    )


def _only(texts: set[str]) -> str:
    """Give the one text; empty where fields of their own gave the same score different points."""
    return next(iter(texts)) if len(texts) == 1 else ""
