"""Which board and room each record is: by its label, else by its title, never by its place in the file."""

import polars as pl

from overtrick.formats.lin.read.boards import Boards
from overtrick.problems import report


def numbered(boards: Boards) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Number the records of a file.

    Returns:
        One row a record: `record line session board board_label room`, and `md` with `md_line md_column`: its deal as
        written, in a session that of the other room where it has none; and the problems.
    """
    dealt = boards.rows(boards.deals).unique("record", keep="last", maintain_order=True)
    dealt = dealt.select("record", md="text", md_line="line", md_column="column")
    frame = boards.frame.join(dealt, on="record", how="left", maintain_order="left")
    label, title = pl.col("label_number"), pl.col("title_number")
    if boards.film:
        frame = frame.with_columns(label=pl.lit(None, pl.String), label_number=pl.lit(None, pl.Int32))
    deals = pl.col("md").n_unique().over("session", "letter", "label_number")
    frame = frame.with_columns((label != title).fill_null(value=False).alias("differs"))
    stuck = pl.col("differs") & (deals > 1) if frame["differs"].any() else pl.lit(value=False)
    frame = frame.with_columns(stuck.alias("stuck")).with_columns(
        pl.when("stuck").then(title).otherwise(pl.coalesce(label, title)).alias("board")
    )
    frame = frame.with_columns(pl.when(pl.col("board") > 0).then("board").alias("board"))
    problems = [
        report(
            "lin-board-stuck",
            frame.with_columns(deals.alias("count")).filter("stuck").unique("label", keep="first", maintain_order=True),
        ),
        report("lin-board-differs", frame.filter(pl.col("differs") & ~pl.col("stuck"))),
    ]
    in_room = (pl.col("session") > 0) & pl.col("letter").is_not_null()
    room = pl.when(pl.col("letter") == "o").then(pl.lit("Open")).otherwise(pl.lit("Closed"))
    words = pl.coalesce(pl.col("title", "label").str.strip_chars().replace("", None))
    frame = frame.with_columns(
        pl.coalesce(pl.col("board").cast(pl.String), words).alias("board_label"),
        pl.when(in_room).then(room).alias("room"),
    )
    return from_other_room(frame, "md", "md_line", "md_column"), pl.concat(problems)


def from_other_room(frame: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Fill what a record of a session lacks from another record of the board."""
    lacks = (pl.col("session") > 0) & pl.col("board").is_not_null() & pl.col(names[0]).is_null()
    if not frame.select(lacks.any()).item():
        return frame
    return frame.with_columns(
        pl.when(lacks).then(pl.col(name).drop_nulls().first().over("session", "board")).otherwise(name).alias(name)
        for name in names
    )
