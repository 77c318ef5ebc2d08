"""Charts of frames as SVG: bars, lines or dots, drawn by a template without a plotting library.

A chart names itself (`title`), says in words what it shows (`desc`), writes its values as text, and never tells series
apart by colour alone. Its colours follow the reader's light or dark setting, on a ground of its own.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, groupby
from math import ceil, floor, log10
from typing import Any, Final, Literal

import polars as pl
import polars.selectors as cs
from jinja2 import Template

from overtrick.core.languages import open_templates
from overtrick.core.notation import clean

Kind = Literal["bar", "line", "dot"]

WIDTH: Final = 720
MOST_BARS: Final = 80
MOST_POINTS: Final = 2000
MOST_SERIES: Final = 6

_LETTER: Final = 7.2
"""Width of a letter at the size of the labels."""
_LONGEST: Final = 34
"""Letters of a label; a longer one is cut."""
_TOP: Final = 64
_PLOT: Final = 260
_RIGHT: Final = 24


class ChartError(Exception):
    """A frame can't be drawn as asked; the message says why."""


@dataclass(frozen=True)
class Spec:
    """The chart that is asked for; columns by name, None for the first that fits."""

    kind: Kind = "bar"
    title: str | None = None
    x: str | None = None
    """Categories, or numbers for lines and dots; the first column by default."""
    y: str | None = None
    """Numbers; the first other column of numbers by default."""
    by: str | None = None
    """The series."""
    count: str | None = None
    """How many observations each value rests on, written after it."""


@dataclass(frozen=True)
class Point:
    """One value: `x` and `y` are its place, `label` its category and `text` the value with its count."""

    x: float
    y: float
    label: str
    text: str
    series: int
    width: float = 0.0
    """Of a bar, which begins at `x`."""
    anchor: str = "start"
    """Where the text of a bar is."""


@dataclass(frozen=True)
class Tick:
    """A mark of an axis."""

    at: float
    text: str
    anchor: str = "middle"


@dataclass(frozen=True)
class Drawing:
    """A chart as the template draws it."""

    kind: Kind
    title: str
    description: str
    width: int
    height: int
    left: float
    base: float
    """Where the value 0, or the lowest mark, is: x of bars, y of others."""
    series: tuple[tuple[float, str], ...]
    """Names of series, and where their legend is."""
    points: tuple[Point, ...]
    x_name: str
    y_name: str
    lines: tuple[tuple[int, str], ...] = ()
    """Of a line chart: series, and its places as SVG writes them."""
    heads: tuple[tuple[float, str], ...] = ()
    """Of a bar chart with series: y and name of each group."""
    across: tuple[Tick, ...] = ()
    up: tuple[Tick, ...] = ()


def draw_chart(frame: pl.DataFrame, spec: Spec) -> tuple[str, int]:
    """Return the chart of a frame as SVG, and the number of rows that it leaves out for want of a value.

    Args:
        frame: one row for each bar, or for each point of a line or a dot, in the order in which they are drawn.
        spec: what to draw.

    Raises:
        ChartError: the frame has no such columns, nothing to draw, or too much for a picture.
    """
    x, y = _columns(frame, spec)
    rows = frame.select(
        pl.col(x).alias("x"),
        pl.col(y).cast(pl.Float64).alias("y"),
        (pl.col(spec.by) if spec.by else pl.lit("")).cast(pl.String).fill_null("not known").alias("by"),
        (pl.col(spec.count) if spec.count else pl.lit(None)).cast(pl.Float64).alias("count"),
    )
    whole = rows.filter(pl.col("x").is_not_null(), pl.col("y").is_finite())
    if whole.is_empty():
        raise ChartError("nothing to draw: no row has both values")
    most = MOST_BARS if spec.kind == "bar" else MOST_POINTS
    if whole.height > most:
        raise ChartError(f"{whole.height:,} rows are too many for a chart of this kind; ask for {most:,} at most")
    series = whole["by"].unique(maintain_order=True).to_list()
    if len(series) > MOST_SERIES:
        raise ChartError(f"{len(series)} series are too many for a chart; ask for {MOST_SERIES} at most")
    title = spec.title or f"{_words(y)} by {' and '.join(map(_words, filter(None, (x, spec.by))))}"
    draw = _bars if spec.kind == "bar" else _plot
    drawing = draw(whole, series, spec, title, (_words(x), _words(y)))
    return _template().render(chart=drawing) + "\n", rows.height - whole.height


def _columns(frame: pl.DataFrame, spec: Spec) -> tuple[str, str]:
    """Return the columns for x and y: as asked, else the first that fit."""
    for name in filter(None, (spec.x, spec.y, spec.by, spec.count)):
        if name not in frame.columns:
            raise ChartError(f"no column {name}; the columns are: {', '.join(frame.columns)}")
    numbers = frame.select(cs.numeric()).columns
    x = spec.x or _find_other(frame.columns, (spec.y, spec.by, spec.count))
    y = spec.y or _find_other(numbers, (x, spec.x, spec.by, spec.count))
    if x is None or y is None:
        raise ChartError("a chart needs two columns, and the second must be of numbers")
    for name in filter(None, (y, spec.count)):
        if name not in numbers:
            raise ChartError(f"the column {name} is not of numbers")
    if frame.schema[x].is_nested():
        raise ChartError(f"the column {x} has lists in its rows")
    return x, y


def _find_other(columns: Iterable[str], taken: Collection[str | None]) -> str | None:
    return next((name for name in columns if name not in taken), None)


# A group of bars for each category, with a head where there are series:
#
#     notrump            <- head
#     clubs  ====== 0.62 (n = 13)
#     hearts === 0.31 (n = 20)
def _bars(rows: pl.DataFrame, series: Sequence[str], spec: Spec, title: str, names: tuple[str, str]) -> Drawing:
    listed = rows.with_columns(pl.col("x").cast(pl.String)).sort(
        pl.col("by").replace_strict(series, list(range(len(series))), return_dtype=pl.Int64), maintain_order=True
    )
    found = listed.to_dicts()
    texts = list(map(_value, found))
    left = 36 + _LETTER * max(len(_cut(row["x"])) for row in found)
    room = WIDTH - left - 24 - _LETTER * max(map(len, texts))
    low, high = min(0.0, *rows["y"]), max(0.0, *rows["y"])
    if low < 0:
        left, room = left + _LETTER * max(map(len, texts)), room - _LETTER * max(map(len, texts))
    scale = room / ((high - low) or 1.0)
    zero = left - low * scale
    points, heads = [], []
    top = 50.0
    for name, group in groupby(zip(found, texts, strict=True), key=lambda point: point[0]["by"]):
        if spec.by:
            heads.append((top + 15, _cut(name)))
            top += 24
        for row, text in group:
            length = max(abs(row["y"]) * scale, 0.5)
            begin, anchor = (zero, "start") if row["y"] >= 0 else (zero - length, "end")
            points.append(Point(begin, top, _cut(row["x"]), text, series.index(name), length, anchor))
            top += 24
        top += 8
    spoken = ". ".join(
        f"{f'{point.label}, {series[point.series]}' if spec.by else point.label}: {point.text}" for point in points
    )
    return Drawing(
        **_about(spec, title, names, f"Bars of {names[1]} by {names[0]}. {spoken}.", series),
        height=ceil(top + 34),
        left=left,
        base=zero,
        points=tuple(points),
        heads=tuple(heads),
    )


def _plot(rows: pl.DataFrame, series: Sequence[str], spec: Spec, title: str, names: tuple[str, str]) -> Drawing:
    """Lay out lines or dots on two axes."""
    numeric = rows["x"].dtype.is_numeric()
    texts = rows["x"].cast(pl.String)
    categories = texts.unique(maintain_order=True).to_list()
    order = list(map(float, range(len(categories))))
    place = rows["x"].cast(pl.Float64) if numeric else texts.replace_strict(categories, order, return_dtype=pl.Float64)
    up = _nice(*_span(rows["y"]), 6)
    across = _nice(*_span(place), 8) if numeric else order
    left = 24 + _LETTER * max(len(_figure(value)) for value in up)
    top = _TOP + (22 if spec.by else 0)
    base = top + _PLOT
    wide, first, last = WIDTH - left - _RIGHT, across[0], across[-1]

    def at_x(value: float) -> float:
        return round(left + 12 + (wide - 24) * (value - first) / ((last - first) or 1.0), 1)

    def at_y(value: float) -> float:
        return round(base - _PLOT * (value - up[0]) / ((up[-1] - up[0]) or 1.0), 1)

    placed = rows.with_columns(place.alias("place")).to_dicts()
    points = tuple(
        Point(at_x(row["place"]), at_y(row["y"]), _label(row["x"]), _value(row), series.index(row["by"]))
        for row in placed
    )
    places: list[list[str]] = [[] for _ in series]
    for point in sorted(points, key=lambda point: point.x):
        places[point.series].append(f"{point.x},{point.y}")
    lines = tuple(enumerate(map(" ".join, places))) if spec.kind == "line" else ()
    every = max(1, ceil(len(across) / 12))
    marks = [value if numeric else place for place, value in enumerate(across)][::every]
    word = "Lines" if spec.kind == "line" else "Dots"
    kinds = f" for {', '.join(series)}" if spec.by else ""
    low, high = min(points, key=lambda point: -point.y), max(points, key=lambda point: -point.y)
    spoken = f"{word} of {names[1]} by {names[0]}{kinds}."
    spoken += f" Lowest {low.text} at {low.label}, highest {high.text} at {high.label}."
    return Drawing(
        **_about(spec, title, names, spoken, series),
        height=base + 62,
        left=left,
        base=base,
        points=points,
        lines=lines,
        across=_marks(marks, at_x, None if numeric else categories),
        up=tuple(Tick(at_y(value), _figure(value)) for value in up),
    )


def _marks(values: Sequence[float], at: Callable[[float], float], categories: Sequence[str] | None) -> tuple[Tick, ...]:
    """Return the marks below the plot; names of categories stay within the picture."""
    if categories is None:
        return tuple(Tick(at(value), _figure(value)) for value in values)
    anchors = ["start", *["middle"] * (len(values) - 2), "end"] if len(values) > 1 else ["middle"]
    fits = max(3, int((WIDTH - 80) / len(values) / _LETTER))
    names = [_cut(categories[int(value)], fits) for value in values]
    return tuple(Tick(at(value), *named) for value, *named in zip(values, names, anchors, strict=True))


def _about(spec: Spec, title: str, names: tuple[str, str], description: str, series: Sequence[str]) -> dict[str, Any]:
    """Return the parts that all kinds of charts have."""
    return {
        "kind": spec.kind,
        "title": clean(title),
        "description": description,
        "width": WIDTH,
        "x_name": names[0],
        "y_name": names[1],
        "series": _legend(list(map(_cut, series if spec.by else ()))),
    }


def _legend(names: Sequence[str]) -> tuple[tuple[float, str], ...]:
    begins = accumulate((_LETTER * len(name) + 36 for name in names), initial=22.0)
    return tuple(zip(begins, names, strict=False))


def _span(values: pl.Series) -> tuple[float, float]:
    numbers = values.to_list()
    return min(numbers), max(numbers)


def _nice(low: float, high: float, most: int) -> list[float]:
    """Return round numbers from `low` or below to `high` or above, a few steps apart."""
    span = (high - low) or abs(high) or 1.0
    step = 10.0 ** floor(log10(span / most))
    step *= next(times for times in (1, 2, 2.5, 5, 10, 20) if span / (step * times) <= most)
    return [number * step for number in range(floor(low / step), ceil(high / step) + 1)] or [low]


def _value(row: dict[str, Any]) -> str:
    return _figure(row["y"]) + ("" if row["count"] is None else f" (n = {_figure(row['count'])})")


def _label(value: object) -> str:
    return _figure(float(value)) if isinstance(value, int | float) else _cut(str(value))


def _figure(value: float) -> str:
    """Return a number as people write it: `1,234`, `−0.62`, `0.004`."""
    digits = 0 if value == 0 or abs(value) >= 1000 else max(0, 2 - floor(log10(abs(value))) if abs(value) < 1 else 2)
    text = f"{abs(value):,.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"−{text}" if value < 0 and text != "0" else text


def _words(column: str) -> str:
    return clean(column.replace("_", " "))


def _cut(text: str, most: int = _LONGEST) -> str:
    shown = clean(text)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


@cache
def _template() -> Template:
    return open_templates("exchange").get_template("chart.svg.j2")
