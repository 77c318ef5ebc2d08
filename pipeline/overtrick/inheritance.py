"""Values that a tag takes from an earlier game (PBN 4.8): readers fill them in, the export form writes them out."""

from typing import Final

import polars as pl

NOT_INHERITED: Final = frozenset(["Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play", "Note"])
"""Tags that `#` and `##` may not stand for."""


def resolve(written: pl.Series) -> tuple[pl.Series, list[int]]:
    """Follow `#` and `##` down one tag.

    Args:
        written: the tag's value in each game of one file, String; null in games without it.

    Returns:
        The values that hold, null where there is none, and the games whose `#` has nothing to stand for.
    """
    held: list[str | None] = []
    nothing: list[int] = []
    last: str | None = None
    running: str | None = None
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
    return pl.Series(written.name, held, dtype=pl.String), nothing
