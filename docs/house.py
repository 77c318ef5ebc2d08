"""Draw the house from its imports: `python docs/house.py` writes docs/house.svg.

Each roof is a box with its rooms and their number of modules. An arrow leads from a roof to each roof that it imports
from.
"""

import ast
from collections import Counter
from html import escape
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "pipeline" / "overtrick"
PICTURE = Path(__file__).with_name("house.svg")
ROOFS = {
    "core": "what everybody may use",
    "files": "bytes to one evening, and back",
    "judge": "one evening to what it means",
    "show": "what people see",
    "pipeline.py": "the story: read, evaluate, publish",
    "conversion.py": "one file into another",
    "apps": "who asks for it",
}
"""The roofs in the order in which a file becomes a bulletin, and what each is for."""

WIDTH, LEFT, GAP, LINE = 760, 20, 22, 20
BOX = 520
TIP = (
    '<marker id="tip" markerWidth="7" markerHeight="6" refX="6" refY="3" orient="auto">'
    '<path d="M0 0 7 3 0 6"/></marker>'
)


def roof_of(parts: tuple[str, ...]) -> str | None:
    """Return the roof of a module's path below the package; None for the faces of the package."""
    for name in (parts[0], f"{parts[0]}.py") if parts else ():
        if name in ROOFS:
            return name
    return None


def list_rooms() -> dict[str, dict[str, int]]:
    """Return by roof the number of modules in each room; a module directly under the roof is a room."""
    rooms: dict[str, Counter[str]] = {name: Counter() for name in ROOFS}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        roof = roof_of(parts)
        if roof and len(parts) > 1 and parts[1] != "__init__":
            rooms[roof][parts[1]] += 1
    return {roof: dict(sorted(counted.items())) for roof, counted in rooms.items()}


def list_arrows() -> set[tuple[str, str]]:
    """Return the pairs of roofs of which the first imports from the second."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        here = roof_of(path.relative_to(PACKAGE).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("overtrick"):
                continue
            names = ((*str(node.module).split(".")[1:], alias.name) for alias in node.names)
            found |= {(here, there) for name in names if here and (there := roof_of(name)) and here != there}
    return found


def draw() -> str:
    """Return the picture as SVG."""
    rooms, parts, middle, top = list_rooms(), [], {}, GAP
    for roof, purpose in ROOFS.items():
        lines = list(wrap([f"{room} ({count})" if count > 1 else room for room, count in rooms[roof].items()]))
        height = LINE * (len(lines) + 1) + 14
        middle[roof] = top + height // 2
        heading = f'<tspan font-weight="bold">{escape(roof)}</tspan> {escape(purpose)}'
        parts += [
            f'<rect x="{LEFT}" y="{top}" width="{BOX}" height="{height}" rx="6" fill="#f4f7f5" stroke="#2f5d50"/>',
            f'<text x="{LEFT + 12}" y="{top + 23}">{heading}</text>',
            *(
                f'<text x="{LEFT + 12}" y="{top + 23 + LINE * number}" font-size="13">{escape(line)}</text>'
                for number, line in enumerate(lines, 1)
            ),
        ]
        top += height + GAP
    for number, (here, there) in enumerate(sorted(list_arrows(), key=by_order)):
        x, up = LEFT + BOX + 14 + 9 * number, list(ROOFS).index(there) > list(ROOFS).index(here)
        low, high, color = (
            middle[here] - 8 + number % 5 * 4,
            middle[there] - 8 + number % 5 * 4,
            "#b00" if up else "#678",
        )
        style = f'fill="none" stroke="{color}" marker-end="url(#tip)"'
        title = f"<title>{here} imports from {there}</title>"
        parts.append(f'<path d="M{LEFT + BOX} {low} H{x} V{high} H{LEFT + BOX + 2}" {style}>{title}</path>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" font-family="sans-serif" font-size="15">'
        f"<title>The roofs of overtrick, their rooms with the number of modules, and who imports from whom</title>"
        f"<defs>{TIP}</defs>\n" + "\n".join(parts) + "\n</svg>\n"
    )


def by_order(arrow: tuple[str, str]) -> tuple[int, int]:
    """Return what to sort arrows by, so that short ones are nearest to the boxes."""
    here, there = map(list(ROOFS).index, arrow)
    return abs(here - there), here


def wrap(words: list[str]) -> list[str]:
    """Return words as lines that fit a box."""
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} · {word}" if lines[-1] else word
        if len(longer) > 66:
            lines.append(word)
        else:
            lines[-1] = longer
    return [line for line in lines if line]


if __name__ == "__main__":
    PICTURE.write_text(draw(), "utf-8")
