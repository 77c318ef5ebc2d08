"""Who took part, by where they sat."""

import polars as pl

from overtrick.frames import CONTESTANTS, Contestants, conform


def list_contestants(seated: pl.DataFrame) -> Contestants:
    """List contestants, each once.

    Args:
        seated: `contestant section direction names`, one row each time that somebody sat, or one row for the `times`;
            null contestants are left out, and names that one row lacks are taken from another.

    Returns:
        A frame of `frames.CONTESTANTS`. One who sat both ways has no direction. A number that is one pair N-S
        and another E-W, as in many Mitchells, is two contestants: they have different names.
    """
    named = seated.drop_nulls("contestant").group_by("contestant", "section", "direction", "names", maintain_order=True)
    apart = named.agg(pl.col("times").sum() if "times" in seated.columns else pl.len().alias("times"))
    listed = apart.with_columns(pl.col("direction").cast(CONTESTANTS["direction"].dtype))
    if listed["names"].has_nulls():
        elsewhere = pl.col("names").drop_nulls().first().over("contestant", "section", "direction")
        listed = listed.with_columns(pl.coalesce("names", elsewhere).alias("names"))
    stayed = pl.col("direction").n_unique() == 1
    once = listed.group_by("contestant", "section", "names", maintain_order=True).agg(
        pl.when(stayed).then(pl.col("direction").first()).alias("direction"), pl.col("times").sum()
    )
    return conform(CONTESTANTS, once)
