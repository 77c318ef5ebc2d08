"""The picture of a comparison: a bar a reader, as long as its boards a second."""

from collections.abc import Sequence
from html import escape
from typing import Final

WIDTH: Final = 760
_LEFT, _RIGHT, _ROW = 210, 190, 26


def bars(title: str, rows: Sequence[tuple[str, float, str]], foot: str) -> str:
    """Draw an SVG.

    Args:
        title: what is compared.
        rows: name, boards a second, and what is said of them; the first is ours.
        foot: the line below: what the machine was worth.
    """
    most = max(value for _, value, _ in rows)
    height = 70 + _ROW * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"',
        f'font-family="system-ui, sans-serif" font-size="13"><title>{escape(title)}</title>',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="16" y="26" font-size="15" font-weight="600" fill="#111">{escape(title)}</text>',
    ]
    for number, (name, value, said) in enumerate(rows):
        top = 42 + _ROW * number
        length = max((WIDTH - _LEFT - _RIGHT) * value / most, 1)
        colour = "#1b6e4b" if name.startswith("overtrick") else "#9aa5a0"
        parts += [
            f'<text x="{_LEFT - 10}" y="{top + 14}" text-anchor="end" fill="#111">{escape(name)}</text>',
            f'<rect x="{_LEFT}" y="{top}" width="{length:.1f}" height="18" rx="2" fill="{colour}"/>',
            f'<text x="{_LEFT + length + 8:.1f}" y="{top + 14}" fill="#333">{escape(said)}</text>',
        ]
    parts.append(f'<text x="16" y="{height - 12}" font-size="11" fill="#666">{escape(foot)}</text></svg>')
    return "\n".join(parts) + "\n"
