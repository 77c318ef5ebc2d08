"""`overtrick chart`: a picture of a table, or of what a query finds in an archive."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer import Argument

from overtrick.apps.cli.options import StorageOptions, open_archive, option
from overtrick.apps.cli.output import complain, emit, say, show_work, write_file, wrong_usage

if TYPE_CHECKING:
    import polars as pl

Kind = Literal["bar", "line", "dot"]


def chart(
    source: Annotated[
        str, Argument(metavar="FILE|ARCHIVE", help="A CSV or Parquet file, or an archive that --query asks.")
    ],
    query: Annotated[
        str | None,
        option(
            "--query",
            "SQL|FILE.sql",
            "The rows to draw, as an SQL query or a file that holds one. A file of data is the table `data`; an"
            " archive has the tables of docs/archive.md.",
        ),
    ] = None,
    kind: Annotated[Kind, option("--kind", "bar|line|dot", "How to draw the rows.")] = "bar",
    title: Annotated[str | None, option("--title", "TEXT", "The heading.")] = None,
    x: Annotated[str | None, option("--x", "COLUMN", "The categories, or numbers. Default: the first column.")] = None,
    y: Annotated[str | None, option("--y", "COLUMN", "The values. Default: the next column of numbers.")] = None,
    by: Annotated[str | None, option("--by", "COLUMN", "Draw a series for each value of it.")] = None,
    count: Annotated[
        str | None, option("--count", "COLUMN", "How many observations each value rests on; written after it.")
    ] = None,
    out: Annotated[Path | None, option("--out", "FILE.svg", "Write to a file. Default: standard output.")] = None,
    storage: StorageOptions = None,
) -> None:
    """Draw a chart of a table or of a query's rows, as SVG.

    The picture needs no other program: each value is written as text, its colours follow the reader's light or dark
    setting, and a screen reader gets a description.
    """
    if out and out.suffix.lower() != ".svg":
        raise typer.BadParameter("expected a name that ends in .svg", param_hint="--out")
    with show_work("Asking"):
        frame = _rows(source, query, storage)
    from overtrick.show.html.charts import ChartError, Spec, draw_chart
    from overtrick.show.text.display import format_count

    try:
        drawn, left_out = draw_chart(frame, Spec(kind, title, x, y, by, count))
    except ChartError as error:
        wrong_usage(str(error))
    if left_out:
        complain(f"{format_count(left_out, 'row', 'rows')} without a value left out")
    if out:
        write_file(out, drawn.encode())
        say(f"{out}: written")
    else:
        emit(drawn)


def _rows(source: str, query: str | None, storage: list[str] | None) -> "pl.DataFrame":
    """Return the rows to draw. If they can't be read, say why and end with status 2."""
    import polars as pl

    tables = _tables(source, storage)
    if query is None:
        if "data" not in tables:
            wrong_usage(f"{source}: an archive has several tables; choose the rows with --query")
        query = "SELECT * FROM data"
    if query.lower().endswith(".sql"):
        try:
            query = Path(query).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            wrong_usage(f"{query}: can't be read: {getattr(error, 'strerror', None) or 'not text in UTF-8'}")
    try:
        return pl.SQLContext(tables).execute(query).collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        wrong_usage(f"the query fails: {' '.join(str(error).split())[:500]}")


def _tables(source: str, storage: list[str] | None) -> "dict[str, pl.LazyFrame]":
    """Return the tables that a query can ask: those of an archive, or `data`."""
    import polars as pl

    suffix = Path(source).suffix.lower()
    if suffix not in {".csv", ".parquet"} or "://" in source or Path(source).is_dir():
        store = open_archive(source, storage)
        from overtrick.apps.archive.store import ArchiveError

        try:
            return store.scan()
        except ArchiveError as error:
            wrong_usage(str(error))
    if not Path(source).is_file():
        wrong_usage(f"{source}: no such file")
    return {"data": pl.scan_csv(source) if suffix == ".csv" else pl.scan_parquet(source)}
