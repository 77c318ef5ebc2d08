"""Lines of a file, read again to show what a problem is about."""

from collections.abc import Collection

from overtrick.formats.sources import STDIN, opened
from overtrick.formats.text import coding, text_blocks
from overtrick.problems import Finding


def source_lines(source: str, numbers: Collection[int]) -> dict[int, str]:
    """Read some lines of a file again, as problems number them; none of standard input and of what can't be read."""
    lines: dict[int, str] = {}
    if source == STDIN or not numbers:
        return lines
    try:
        with opened(source) as file:
            found = coding(file.look())
            if isinstance(found, Finding):
                return lines
            first = 1
            for block in text_blocks(file.blocks(), found.encoding):
                texts = block.content.split("\n")
                lines |= {number: texts[number - first] for number in numbers if 0 <= number - first < len(texts) - 1}
                first += len(texts) - 1
    except (OSError, ValueError):
        pass
    return lines
