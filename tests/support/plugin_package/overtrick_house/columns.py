"""A column of travellers and scorecards that ticks slams."""

import polars as pl

from overtrick.show.views import Column

SLAM = Column("slam", "Slam", value=pl.col("level") >= 6)
COLUMNS = {"traveller": SLAM, "scorecard": SLAM}
