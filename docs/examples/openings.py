"""Which opening bids win matchpoints: the average percentage of the side that opened, by opening bid."""

import sys

import polars as pl

import overtrick as ot
from overtrick.core.bridge.auction import CALLS, FIRST_BID

session = ot.evaluate(sys.argv[1:-1])
openings = session.records.select(
    "record",
    call=pl.col("calls").list.eval(pl.element().filter(pl.element().is_between(FIRST_BID, 37))).list.first(),
    passes=pl.col("calls").list.eval(pl.element() >= FIRST_BID).list.arg_max(),
    first=pl.col("auction_start").to_physical(),
).drop_nulls("call")
by_side = openings.with_columns(
    opening=pl.col("call").replace_strict(dict(enumerate(CALLS)), return_dtype=pl.Enum(CALLS)),
    opened_ns=(pl.col("first") + pl.col("passes")) % 2 == 0,
)
table = (
    session.results.join(by_side, on="record")
    .with_columns(percentage=pl.when("opened_ns").then("percentage_ns").otherwise("percentage_ew"))
    .group_by("opening")
    .agg(pl.col("percentage").mean(), results=pl.len())
    .sort("opening")
)
print(table)
ot.chart(table, title="Matchpoints of the side that opened", x="opening", y="percentage", count="results").save(
    sys.argv[-1]
)
