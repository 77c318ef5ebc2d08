"""Which board, room and session a record is: its label (`qx`), else its title (`ah`), never its place in the file."""

import numpy as np
import polars as pl

from overtrick.core.problems import report
from overtrick.files.formats.lin.read.boards import Boards
from overtrick.files.formats.lin.spelling import get_pattern


def _read_labels(boards: Boards) -> pl.DataFrame:
    """Read what is stated of the board that each record is.

    Returns:
        One row a record: `record line`, `label` (of `qx`), `title` (of `ah`), `letter` (of the room), `label_number`,
        `title_number`, `session` (from 1, 0 before any header).
    """
    label, title = pl.col("label"), pl.col("title").str.split("\\").list.first()
    begun = pl.DataFrame(
        {"record": np.arange(boards.count, dtype=np.uint32), "session": boards.session.astype(np.uint32)}
    )
    stated_label = boards.get_first("qx").select("record", label=pl.col("text"))
    stated_title = boards.get_first("ah").select("record", title=pl.col("text"))
    number = pl.coalesce(title.str.extract(get_pattern(name)) for name in ("BOARD_TITLE", "FIRST_NUMBER"))
    room_and_board = f"^{get_pattern('BOARD_LABEL')}"
    return (
        begun.with_columns(boards.tokens.frame["line"][boards.begins])
        .join(stated_label, on="record", how="left", maintain_order="left")
        .join(stated_title, on="record", how="left", maintain_order="left")
        .with_columns(
            label.str.extract(room_and_board, 1).str.to_lowercase().replace("", None).alias("letter"),
            label.str.extract(room_and_board, 2).cast(pl.Int32).alias("label_number"),
            number.cast(pl.Int32).alias("title_number"),
        )
    )


def number_boards(boards: Boards) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Number the records of a file by their labels, else by their titles.

    Returns:
        One row a record: `record line session board board_label room`, and `md` with `md_line md_column`: its deal as
        written, in a session that of the other room where it has none; and the problems.
    """
    dealt = boards.get_rows(boards.deals).unique("record", keep="last", maintain_order=True)
    dealt = dealt.select("record", md="text", md_line="line", md_column="column")
    frame = _read_labels(boards).join(dealt, on="record", how="left", maintain_order="left")
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
    counted = frame.with_columns(deals.alias("count")).filter("stuck")
    problems = [
        report("lin-board-stuck", counted.unique("label", keep="first", maintain_order=True)),
        report("lin-board-differs", frame.filter(pl.col("differs") & ~pl.col("stuck"))),
    ]
    in_room = (pl.col("session") > 0) & pl.col("letter").is_not_null()
    room = pl.when(pl.col("letter") == "o").then(pl.lit("Open")).otherwise(pl.lit("Closed"))
    words = pl.coalesce(pl.col("title", "label").str.strip_chars().replace("", None))
    frame = frame.with_columns(
        pl.coalesce(pl.col("board").cast(pl.String), words).alias("board_label"),
        pl.when(in_room).then(room).alias("room"),
    )
    return fill_from_other_room(frame, "md", "md_line", "md_column"), pl.concat(problems)


def fill_from_other_room(frame: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Fill these columns of a session's records from another record of the board where the first of them is null."""
    lacks = (pl.col("session") > 0) & pl.col("board").is_not_null() & pl.col(names[0]).is_null()
    if not frame.select(lacks.any()).item():
        return frame
    return frame.with_columns(
        pl.when(lacks).then(pl.col(name).drop_nulls().first().over("session", "board")).otherwise(name).alias(name)
        for name in names
    )
