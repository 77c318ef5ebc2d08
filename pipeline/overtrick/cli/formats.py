"""`overtrick formats`: the formats that overtrick reads and writes, and what each holds."""

import json
from typing import Annotated, Literal

import typer

from overtrick.cli.output import emit
from overtrick.formats.registry import describe_formats


def formats(
    form: Annotated[
        Literal["text", "json"], typer.Option("--format", help="A table for people, or JSON for programs.")
    ] = "text",
) -> None:
    """List the file formats: their names, whether overtrick reads and writes them, and what they hold.

    overtrick recognises a file by its content. When it writes, the end of the file's name decides.
    """
    rows = describe_formats()
    if form == "json":
        emit(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
        return
    widest = max(len(row["name"]) for row in rows)
    for row in rows:
        how = "read, write" if row["read"] and row["write"] else "read" if row["read"] else "write"
        about = f"{row['title']}{f' ({suffixes})' if (suffixes := ', '.join(row['suffixes'])) else ''}"
        emit(f"{row['name']:<{widest}}  {how:<11}  {about}: {', '.join(row['carries'])}\n")
