"""Values that a tag takes from an earlier game (PBN 4.8): readers fill them in, the export form writes them out."""

from typing import NamedTuple

import polars as pl


class Inherited(NamedTuple):
    """One tag down the games of a file."""

    values: pl.Series
    """The value in each game, String; null where there is none."""
    nothing: list[int]
    """The games whose `#` has no earlier value to repeat."""
    last: str | None
    """The value that `#` would repeat in the next game."""
    running: str | None
    """The value that the next game would have without the tag, because of a `##`."""


def resolve(written: pl.Series, last: str | None = None, running: str | None = None) -> Inherited:
    """Follow `#` and `##` down one tag.

    Args:
        written: the tag's value in each game of one file, String; null in games without it.
        last: the value that `#` repeats before the first of them.
        running: the value that a `##` gives to games without the tag, before the first of them.
    """
    held: list[str | None] = []
    nothing: list[int] = []
    for game, value in enumerate(written.to_list()):
        if value is None:
            held.append(running)
            continue
        if value == "#":
            if last is None:
                nothing.append(game)
        elif value.startswith("##"):
            running = last = value[2:]
        else:
            last = value
        held.append(last)
    return Inherited(pl.Series(written.name, held, dtype=pl.String), nothing, last, running)
