"""Who took part, by where they sat, and what they are called there."""

import polars as pl

from overtrick.core.frames import CONTESTANTS, Contestants, Session, conform


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


def name_sides(session: Session, side: str) -> pl.Series:
    """Return the names of who sat N-S (`ns`) or E-W (`ew`) at each result: `names_ns`, null where nothing is told.

    They are those of that number, section and direction, as far as contestants are told apart.
    """
    known = session.contestants.drop_nulls("names").filter(pl.col("names") != pl.col("contestant"))
    asked = session.results.select(
        pl.col(side).alias("contestant"), "section", pl.lit(side.upper(), known.schema["direction"]).alias("direction")
    )
    for by in (["contestant", "section", "direction"], ["contestant", "section"], ["contestant", "direction"]):
        asked = _with_names(asked, known, by)
    named = _with_names(asked, known, ["contestant"])
    return named.select(pl.coalesce(pl.col("^names_by_.*$"))).to_series().alias(f"names_{side}")


def _with_names(asked: pl.DataFrame, known: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    found = known.select(*by, pl.col("names").alias(f"names_by_{'_'.join(by)}")).unique(by, keep="first")
    return asked.join(found, on=by, how="left", maintain_order="left")
