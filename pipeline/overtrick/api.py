"""The functions that `import overtrick as ot` offers.

They read files as the commands do, and return frames. Errors in the data, and files that cannot be read, are rows of
`problems`; none raises an exception. A path that leads nowhere raises FileNotFoundError.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import polars as pl

from overtrick import conversion, pipeline
from overtrick.apps.evening.check import examine
from overtrick.core import frames  # noqa: F401 - `overtrick` offers it
from overtrick.core.bridge.methods import MethodName
from overtrick.core.config import Config, ConfigError, load_config  # noqa: F401 - `overtrick` offers them
from overtrick.core.frames import Problems, Session
from overtrick.core.notebook import Board  # noqa: F401 - `overtrick` offers it
from overtrick.core.problems import apply_checks
from overtrick.files.assemble import refuse_several
from overtrick.files.assemble.beside import find_corrections, find_settings, read_corrections
from overtrick.files.correct import apply_corrections
from overtrick.files.formats.looks import refuse_missing
from overtrick.judge.analyse.solver import make_play_solvers, make_solver

Paths = str | Path | Sequence[str | Path]
"""A file of any supported format, a folder, or several of them."""

Settings = Config | str | Path | None
"""The club's settings: a `Config` or the path of a `club.toml`. None: those that the commands would use, which are in
OVERTRICK_CONFIG, beside the files or in a folder above them."""


def read(paths: Paths, config: Settings = None) -> Session:
    """Read files into one session and apply their corrections, without checking or scoring it.

    Args:
        paths: files of any supported format, or folders.
        config: the club's settings.

    Returns:
        The session: `records`, `results`, `contestants` and all else that the files state, in the schemas of
        `overtrick.core.frames`. `problems` holds the findings of the reader.

    Raises:
        ConfigError: the settings have errors.
        FileNotFoundError: there is nothing at a path.

    Example:
        >>> import overtrick as ot
        >>> ot.read("fixtures/club-evening.pbn").results.height
        192
    """
    files, settings = _open(paths, config)
    found = find_corrections(files)
    session, settings = apply_corrections(pipeline.read(files, settings), settings, found)
    checks = settings.checks
    return replace(session, problems=apply_checks(session.problems, checks.only, checks.silence, checks.severity))


def evaluate(  # noqa: PLR0913 - what the commands offer too
    paths: Paths,
    config: Settings = None,
    *,
    method: MethodName | None = None,
    corrections: str | Path | None = None,
    solve: bool = False,
    analyse: bool = False,
) -> Session:
    """Read files into one session, check it, score it and rank it.

    Args:
        paths: files of any supported format, or folders.
        config: the club's settings.
        method: the scoring method; None for that of the settings, else the file's, else matchpoints.
        corrections: the corrections file; None for those beside the files.
        solve: whether to solve each deal double dummy. It needs the extra `dd`.
        analyse: whether to solve leads and plays too, and fill `analysis`, where the points of each result came from.

    Returns:
        The session with all its frames. Points are matchpoints (2 for each pair beaten), IMPs or points.

    Raises:
        ConfigError: the settings have errors.
        FileNotFoundError: there is nothing at a path.

    Example:
        >>> import overtrick as ot
        >>> session = ot.evaluate("fixtures/club-evening.pbn")
        >>> session.standings.height
        16
        >>> session.standings["percentage"].round(2).max()
        61.86
    """
    files, settings = _open(paths, config)
    settings = settings.with_method(method) if method else settings
    found = find_corrections(files) if corrections is None else [read_corrections(Path(corrections))]
    return pipeline.evaluate(
        pipeline.read(files, settings),
        settings,
        found,
        solver=make_solver() if solve or analyse else None,
        play_solver=make_play_solvers() if analyse else None,
    )


def check(paths: Paths, config: Settings = None, *, strict: bool = False) -> Problems:
    """Check files, also against the standard of their format.

    Args:
        paths: files of any supported format, or folders.
        config: the club's settings.
        strict: whether to report a breach of the format as an error if overtrick can read it all the same.

    Returns:
        One row for each problem, in the schema `frames.PROBLEMS`: severity, code, source, line, column, record, board,
        table, message and hint.

    Raises:
        ConfigError: the settings have errors.
        FileNotFoundError: there is nothing at a path.

    Example:
        >>> import overtrick as ot
        >>> ot.check("fixtures/twelve-card-hand.pbn")["severity"].to_list()
        ['error']
    """
    files, settings = _open(paths, config)
    return examine(files, settings, strict=strict).problems


def bulletin(
    paths: Paths, out: str | Path = "site", config: Settings = None, *, pdf: bool = True, solve: bool = False
) -> Session:
    """Write the website of a session, with its PDFs.

    Args:
        paths: files of any supported format, or folders.
        out: the folder to write. An older bulletin in it is replaced as a whole.
        config: the club's settings.
        pdf: whether to write the PDFs too.
        solve: whether to solve each deal double dummy. It needs the extra `dd`.

    Returns:
        The session, as `evaluate` returns it. If it has neither deals nor results, nothing is written.

    Raises:
        ConfigError: the settings have errors.
        FileNotFoundError: there is nothing at a path.
        SeveralEveningsError: the files are of several evenings.
        OutputError: the folder cannot be written, or overtrick did not make it.

    Example:
        >>> from pathlib import Path
        >>> import overtrick as ot
        >>> session = ot.bulletin("fixtures/two-rooms.lin", "site", pdf=False)
        >>> Path("site/index.html").is_file()
        True
    """
    files, settings = _open(paths, config)
    refuse_several(files, settings)
    session = evaluate(files, settings, solve=solve)
    conversion.publish(session, Path(out), settings, pdf=pdf)
    return session


def convert(source: str | Path, target: str | Path, config: Settings = None, *, export: bool = False) -> Session:
    """Write a session in another file format, which the name of the target decides.

    Args:
        source: a file of any supported format, or a folder.
        target: the file to write, whose name ends as `overtrick convert --help` lists.
        config: the club's settings.
        export: whether to write PBN in its strict export form. Else a PBN source stays as it was read.

    Returns:
        The session, as `evaluate` returns it. Its `problems` also name what the format of the target cannot hold. If
        the source cannot be read, nothing is written.

    Raises:
        ConfigError: the settings have errors.
        FileNotFoundError: there is nothing at a path.
        ValueError: the name of the target is not of a format that overtrick writes, the target is the source, or
            several PBN files would become one without `export`.
        OSError: the target cannot be written.

    Example:
        >>> from pathlib import Path
        >>> import overtrick as ot
        >>> session = ot.convert("fixtures/two-rooms.lin", "rooms.pbn")
        >>> Path("rooms.pbn").read_text().splitlines()[0]
        '% PBN 2.1'
    """
    place = Path(target)
    conversion.find_writer(place, export=export)
    if conversion.is_source(str(source), place):
        raise conversion.ConversionError(f"{place}: this would replace the source; choose another name")
    session = evaluate(source, config)
    return session if conversion.is_unread(session) else conversion.write_target(session, place, export=export)[0]


@dataclass(frozen=True)
class Chart:
    """A picture, which a notebook shows.

    Attributes:
        svg: the text of the picture.
    """

    svg: str

    def save(self, path: str | Path) -> None:
        """Write the picture to a file, `.svg`."""
        Path(path).write_text(self.svg, "utf-8")

    def _repr_html_(self) -> str:
        """Return the picture for a notebook."""
        return self.svg


def chart(  # noqa: PLR0913 - the parts of a picture
    frame: pl.DataFrame,
    kind: Literal["bar", "line", "dot"] = "bar",
    *,
    title: str | None = None,
    x: str | None = None,
    y: str | None = None,
    by: str | None = None,
    count: str | None = None,
) -> Chart:
    """Draw a frame as an SVG picture, which a notebook shows.

    Args:
        frame: one row for each bar, or for each point of a line or a dot, in the order in which they are drawn.
        kind: how to draw the rows.
        title: the heading; by default the names of the columns.
        x: the column of categories, or of numbers for lines and dots; by default the first one.
        y: the column of values; by default the next one of numbers.
        by: a column with a value for each series.
        count: a column with the number of observations that each value rests on, which is written after it.

    Raises:
        ChartError: the frame has no such columns, nothing to draw, or too much for a picture.

    Example:
        >>> import overtrick as ot
        >>> ranking = ot.evaluate("fixtures/club-evening.pbn").standings
        >>> ot.chart(ranking, x="names", y="percentage", by="ranking").save("ranking.svg")
    """
    from overtrick.show.html.charts import Spec, draw_chart  # noqa: PLC0415 - few sessions draw

    return Chart(draw_chart(frame, Spec(kind, title, x, y, by, count))[0])


def _open(paths: Paths, config: Settings) -> tuple[list[str], Config]:
    """Return the paths of files and their settings, and write where these were found to standard error."""
    files = [str(paths)] if isinstance(paths, str | Path) else [str(path) for path in paths]
    refuse_missing(files)
    if isinstance(config, Config):
        return files, config
    found = find_settings(files, None if config is None else Path(config))
    if found and config is None:
        sys.stderr.write(f"Settings: {found}\n")
    return files, load_config(found)
