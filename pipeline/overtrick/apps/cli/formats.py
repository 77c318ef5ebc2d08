"""`overtrick formats`: the formats that overtrick reads and writes, and what each holds."""

import json
from typing import Annotated, Any, Literal

import typer

from overtrick.apps.cli.output import emit
from overtrick.files.formats.form import PARTS


def formats(
    form: Annotated[
        Literal["text", "json"], typer.Option("--format", help="A table for people, or JSON for programs.")
    ] = "text",
) -> None:
    """List the file formats and what they hold.

    overtrick recognises a file by its content, never by its name. When it writes, the end of the file's name decides.
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


def describe_formats() -> list[dict[str, Any]]:
    """Return each format as `overtrick formats` lists it: `name title suffixes read write carries`."""
    from overtrick.files.formats.looks import all_formats

    return [
        {
            "name": known.called or known.name,
            "title": known.title,
            "suffixes": list(known.suffixes),
            "read": known.is_read,
            "write": known.write is not None,
            "carries": [part for part in PARTS if part in known.carries],
        }
        for known in all_formats()
    ]
