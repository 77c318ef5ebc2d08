"""Who took part, told from where they sat."""

import polars as pl

from overtrick.frames import CONTESTANTS, conform


def each_once(seated: pl.DataFrame) -> pl.DataFrame:
    """List contestants once each.

    Args:
        seated: `contestant section direction names`, one row each time that somebody sat; null contestants are left
            out, and names that one row lacks are taken from another.

    Returns:
        A frame of `frames.CONTESTANTS`. One who sat both ways has no direction. A number that stands for one pair N-S
        and for another E-W, as in many Mitchells, is two contestants: their names tell them apart.
    """
    apart = seated.unique(maintain_order=True).drop_nulls("contestant")
    listed = apart.with_columns(pl.col("direction").cast(CONTESTANTS["direction"].dtype))
    elsewhere = pl.col("names").drop_nulls().first().over("contestant", "section", "direction")
    listed = listed.with_columns(pl.coalesce("names", elsewhere).alias("names"))
    stayed = pl.col("direction").n_unique() == 1
    once = listed.group_by("contestant", "section", "names", maintain_order=True).agg(
        pl.when(stayed).then(pl.col("direction").first()).alias("direction")
    )
    return conform(CONTESTANTS, once)


def together(contestants: pl.DataFrame) -> pl.DataFrame:
    """Put contestants of several readings together, each row once.

    Args:
        contestants: `frames.CONTESTANTS`. Names that come with results count only where no total table states the
            contestant.
    """
    stated = pl.any_horizontal(pl.col("stated_rank", "stated_total", "stated_percentage").is_not_null())
    known = contestants.filter(stated)["contestant"].unique()
    return contestants.filter(stated | ~pl.col("contestant").is_in(known.to_list())).unique(maintain_order=True)
