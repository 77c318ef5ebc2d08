"""Charts of the measurements as SVG: bars for the readers, and curves for a growing archive."""

from collections.abc import Mapping, Sequence
from html import escape
from math import log10
from typing import Final

WIDTH: Final = 760
_LEFT, _RIGHT, _ROW = 210, 190, 26


def bars(title: str, rows: Sequence[tuple[str, float, str]], foot: str) -> str:
    """Draw a bar for each reader.

    Args:
        title: the heading.
        rows: each reader's name, its boards per second, and the label of its bar.
        foot: the line below the chart.
    """
    most = max(value for _, value, _ in rows)
    height = 70 + _ROW * len(rows)
    parts = _head(title, height)
    for number, (name, value, said) in enumerate(rows):
        top = 42 + _ROW * number
        length = max((WIDTH - _LEFT - _RIGHT) * value / most, 1)
        colour = "#1b6e4b" if name.startswith("overtrick") else "#9aa5a0"
        parts += [
            f'<text x="{_LEFT - 10}" y="{top + 14}" text-anchor="end" fill="#111">{escape(name)}</text>',
            f'<rect x="{_LEFT}" y="{top}" width="{length:.1f}" height="18" rx="2" fill="{colour}"/>',
            f'<text x="{_LEFT + length + 8:.1f}" y="{top + 14}" fill="#333">{escape(said)}</text>',
        ]
    return _closed(parts, height, foot)


def curves(title: str, lines: Mapping[str, Sequence[tuple[int, float]]], foot: str) -> str:
    """Draw boards per second over the number of boards, the latter on a logarithmic scale.

    Args:
        title: the heading.
        lines: by name of the curve, its points: boards, and boards per second.
        foot: the line below the chart.
    """
    points = [point for line in lines.values() for point in line]
    fewest, most = (log10(choose(boards for boards, _ in points)) for choose in (min, max))
    top = max(speed for _, speed in points)

    def at(boards: int, speed: float) -> tuple[float, float]:
        across = (log10(boards) - fewest) / (most - fewest or 1)
        return 90 + across * (WIDTH - 230), _BASE - speed / top * (_BASE - 60)

    parts = _head(title, _BASE + 60)
    parts.append(f'<line x1="70" x2="{WIDTH - 30}" y1="{_BASE}" y2="{_BASE}" stroke="#999"/>')
    for boards in sorted({boards for boards, _ in points}):
        x, _ = at(boards, 0)
        parts.append(f'<text x="{x:.1f}" y="{_BASE + 18}" text-anchor="middle" fill="#333">{boards:,}</text>')
    for number, (name, line) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [at(*point) for point in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for (x, y), (_, speed) in zip(places, line, strict=True):
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
            parts.append(f'<text x="{x:.1f}" y="{y - 10:.1f}" text-anchor="middle" fill="#333">{speed:,.0f}</text>')
        x, y = places[-1]
        parts.append(f'<text x="{x + 40:.1f}" y="{y + 4:.1f}" fill="{colour}">{escape(name)}</text>')
    return _closed(parts, _BASE + 60, foot)


_BASE: Final = 250
_COLOURS: Final = ("#1b6e4b", "#8a5a00", "#2b5f9e")


def _head(title: str, height: int) -> list[str]:
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"',
        f'font-family="system-ui, sans-serif" font-size="13"><title>{escape(title)}</title>',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="16" y="26" font-size="15" font-weight="600" fill="#111">{escape(title)}</text>',
    ]


def _closed(parts: Sequence[str], height: int, foot: str) -> str:
    foot_line = f'<text x="16" y="{height - 12}" font-size="11" fill="#666">{escape(foot)}</text></svg>'
    return "\n".join([*parts, foot_line]) + "\n"
