"""Texts that are kept beside the tests: what is read and scored now must be what was read and scored before.

`OVERTRICK_UPDATE_GOLDEN=1 OVERTRICK_SWEEPS=1` writes them again; read the difference before you commit it.
"""

import os
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import polars as pl

GOLDEN: Final = Path(__file__).parents[1] / "golden"
_UPDATE: Final = bool(os.environ.get("OVERTRICK_UPDATE_GOLDEN"))


def assert_as_before(name: str | Path, text: str) -> None:
    """Assert that a text is the one that is kept: in a file, or under a name in `tests/golden`."""
    kept = GOLDEN / name
    if _UPDATE:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(text, "utf-8", newline="\n")
    before = kept.read_text("utf-8") if kept.exists() else ""
    assert before.splitlines() == text.splitlines()


def assert_section_as_before(name: str, title: str, lines: Iterable[str]) -> None:
    """Assert that a section of a text, below `# title`, is as it is kept. Only one process may write sections."""
    kept = GOLDEN / name
    sections = dict(_sections(kept.read_text("utf-8"))) if kept.exists() else {}
    if _UPDATE:
        sections[title] = [*lines]
        kept.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"# {each}\n" + "".join(f"{line}\n" for line in sections[each]) for each in sorted(sections))
        kept.write_text(text, "utf-8", newline="\n")
    assert sections.get(title) == [*lines]


def _sections(text: str) -> Iterable[tuple[str, list[str]]]:
    for section in text.split("# ")[1:]:
        title, *lines = section.splitlines()
        yield title, lines


def folded(values: Iterable[object]) -> str:
    """Return values in a line, repeated ones as `NS x36`."""
    groups = ((_said(value), len([*same])) for value, same in groupby(values, key=_said))
    return " | ".join(f"{text} x{count}" if count > 1 else text for text, count in groups)


def _said(value: object) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def columns_of(frames: Mapping[str, Any], leave_out: Iterable[str] = ()) -> Iterable[str]:
    """Yield a line for each column that holds something, and for each fact: `results.tricks: 9 x2 | 10`."""
    for name, frame in frames.items():
        if isinstance(frame, pl.DataFrame):
            said = [column for column in frame.columns if frame[column].null_count() < len(frame)]
            lines = ((f"{name}.{column}", folded(frame[column].to_list())) for column in said)
        else:
            lines = ((f"{name}.{key}", str(value)) for key, value in frame.items())
        yield from (f"{key}: {text}" for key, text in lines if key not in set(leave_out))
