"""The mends of tables in PBN: cells without quotes, and the spelling of contracts."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import polars as pl

from overtrick.core import notation
from overtrick.core.frames import Session
from overtrick.core.grammar import matcher
from overtrick.files.formats.pbn.read.score_tables import cut_unquoted_names, read_header, strings_or_remarks
from overtrick.files.formats.pbn.tags import names
from overtrick.files.mend.draft import Draft, Edit

_SPELT: Final = ("Contract", "Denomination", "Percentage", "Percentage_NS", "Percentage_EW", "MeanPercentage")
"""The columns whose cells have one spelling."""


def quote_names(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Put quotes around the names in tables where the reader separates them by their spacing."""
    for line, text, header in _table_lines(session, problems, names(heads="table")):
        columns = read_header(header)
        found = cut_unquoted_names(text, columns) if columns and draft.line(line).endswith(text) else None
        if found:
            place, cells = found
            begin = draft.end_of(line) - len(text) + place
            yield Edit(begin, draft.end_of(line), " " + " ".join(f'"{cell}"' for cell in cells))


def quote_signs(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Put quotes around the cells with a `%`, in all tables of the file."""
    del problems
    for line, text, _ in _table_lines(session, session.records, names(heads="table")):
        if "%" in text:
            for match in re.finditer(r'(?<!\S)[^\s%"]+%[^\s"]*', _blank_strings(text)):
                begin = draft.end_of(line) - len(text) + match.start()
                yield Edit(begin, begin + len(match[0]), f'"{match[0]}"')


def respell_cells(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Write contracts, denominations and percentages as the standard does, in all tables of the file."""
    del problems
    for line, text, header in _table_lines(session, session.records, names(heads="table")):
        columns = read_header(header) or ()
        spelt = [(at, column.name) for at, column in enumerate(columns) if column.name in _SPELT]
        cells = list(matcher("CELL").finditer(text)) if spelt else []
        for at, name in spelt if len(cells) == len(columns) else ():
            old = cells[at][0].strip('"')
            new = _spelled(name, old)
            if new != old:
                begin = draft.end_of(line) - len(text) + cells[at].start() + (cells[at][0][0] == '"')
                over = begin + len(old)
                # Cells to the right keep their places if there is room.
                room = re.compile(" *(?= )").match(draft.text, over)
                spare = min(len(room[0]) if room else 0, max(len(new) - len(old), 0))
                yield Edit(begin, over + spare, new)


def _spelled(column: str, cell: str) -> str:
    """Return a cell as the standard writes it; the same where it is not understood."""
    if column not in {"Contract", "Denomination"}:
        return cell[:-1] if re.fullmatch(r"[0-9]+(\.[0-9]+)?%", cell) else cell
    level = "" if column == "Contract" else "1"
    value = pl.lit(level + cell)
    parts = pl.select(level=notation.level(value), strain=notation.strain(value), doubled=notation.doubled(value))
    text = parts.select(notation.contract_text()).item()
    return str(text).removeprefix(level) if text else cell


def _table_lines(session: Session, games: pl.DataFrame, tables: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """List the lines of tables in games, which a column `record` names: their numbers, their texts and the headers.

    Comments are blank, so that all places stay the same.
    """
    here = games.select("record").unique()
    tags = session.items.filter((pl.col("kind") == "tag") & pl.col("name").is_in(tables))
    headers = tags.unique(["record", "name"], keep="first").select("record", "name", header="text")
    sections = session.items.filter((pl.col("kind") == "section") & pl.col("name").is_in(tables))
    lines = sections.join(here, on="record", how="semi", maintain_order="left").join(
        headers.drop_nulls(), on=["record", "name"], maintain_order="left"
    )
    for first, text, header in lines.select("line", "text", "header").iter_rows():
        bare = strings_or_remarks().sub(lambda match: match[1] or re.sub(r"[^\n]", " ", match[0]), text)
        for at, line in enumerate(bare.split("\n")):
            if line.strip():
                yield first + at, line, header


def _blank_strings(text: str) -> str:
    return re.sub(r'"[^"]*"', lambda match: "x" * len(match[0]), text)
