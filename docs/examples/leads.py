"""The value of the opening lead: the tricks that leads gave up double dummy, by the suit led. It needs the extra dd."""

import sys

import polars as pl

import overtrick as ot
from overtrick.core.bridge.cards import CARDS

session = ot.evaluate(sys.argv[1:-1], analyse=True)
results = session.results.with_row_index("result").select("result", "board", "level", "strain", "declarer")
table = (
    session.analysis.join(results, on="result")
    .drop_nulls("lead_cost")
    .with_columns(card=pl.col("lead").replace_strict(dict(enumerate(CARDS)), return_dtype=pl.String))
    .with_columns(
        suit=pl.col("card").str.head(1),
        against=pl.when(pl.col("strain") == "NT").then(pl.lit("notrump")).otherwise(pl.lit("a suit")),
    )
    .group_by("suit", "against")
    .agg(pl.col("lead_cost").mean().alias("tricks"), leads=pl.len())
    .sort("suit", "against")
)
print(table)
ot.chart(table, title="Tricks that the opening lead gave up", x="suit", y="tricks", by="against", count="leads").save(
    sys.argv[-1]
)
