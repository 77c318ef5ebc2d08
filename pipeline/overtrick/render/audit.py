"""An audit in words: what agrees, what does not, and which policy would explain it."""

from collections.abc import Sequence

import polars as pl

from overtrick.render.table import format_table


def audit_text(differences: pl.DataFrame, lines: int, totals: int, explanations: Sequence[tuple[str, int, int]]) -> str:
    """Write an audit for the terminal.

    Args:
        differences: a row each, with `what` and `explained_by`, columns that hold nothing left out.
        lines: how many lines state points.
        totals: how many totals and percentages are stated.
        explanations: policies, each with how many differences it would explain by itself, and how many it would make.

    Returns:
        The table of differences, then what each policy explains, then how much agrees.
    """
    wrong_lines = differences.filter(pl.col("what") == "line").height
    wrong_totals = differences.height - wrong_lines
    agree = (
        f"{_number(lines - wrong_lines, lines, 'line')} and {_number(totals - wrong_totals, totals, 'total')}"
        " agree with what is stated."
    )
    blocks = [format_table(differences)] if differences.height else []
    blocks += ["".join(_explanation(*each, of=differences.height) for each in explanations)]
    return "\n".join(block for block in [*blocks, agree + "\n"] if block)


def _number(right: int, of: int, noun: str) -> str:
    return f"{right} of {of} {noun}{'' if of == 1 else 's'}"


def _explanation(policy: str, explains: int, breaks: int, *, of: int) -> str:
    otherwise = f", and {breaks} others would differ" if breaks else ""
    return f"{policy} would explain {explains} of {of}{otherwise}.\n"
