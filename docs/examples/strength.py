"""A season's field strength: by evening, the average season percentage of the pairs that played in it."""

import sys

import polars as pl

import overtrick as ot

evenings = [ot.evaluate(file) for file in sorted(sys.argv[1:-1])]
standings = pl.concat(
    evening.standings.select("names", "percentage").with_columns(date=pl.lit(evening.facts.date))
    for evening in evenings
)
season = standings.group_by("names").agg(pl.col("percentage").mean().alias("season"), evenings=pl.len())
table = (
    standings.join(season, on="names")
    .group_by("date")
    .agg(pl.col("season").mean().alias("strength"), pairs=pl.len())
    .sort("date")
)
print(season.sort("season", descending=True))
ot.chart(table, title="Strength of the field", x="date", y="strength", count="pairs").save(sys.argv[-1])
