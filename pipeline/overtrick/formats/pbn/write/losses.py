"""What LIN holds that PBN has no place for."""

from typing import Final

import polars as pl

from overtrick.frames import Session
from overtrick.problems import report

_HELD: Final = (
    *("vg", "rs", "pn", "pw", "bn", "qx", "ah", "md", "sv", "mb", "an", "pc", "mc", "nt", "at", "zz"),
    *("pg", "st", "rh", "ha", "sk", "dt", "mn", "sa", "bt"),
)
"""Commands whose values become tags, sections or comments, or that only say how a page looks."""
_CARRIED_OVER: Final = r"^(?:[^,]*,){6}\s*0*[^,0\s][^,]*,|^(?:[^,]*,){8}\s*0*[^,0\s]"


def lin_losses(session: Session) -> pl.DataFrame:
    """Name, file by file, the commands that are lost, and scores that a match carried over; `frames.PROBLEMS`."""
    files = session.sources.filter(pl.col("format").is_in(["lin", "lin links"]))["source"]
    commands = session.items.filter((pl.col("kind") == "tag") & pl.col("source").is_in(files.implode()))
    said = commands.filter(pl.col("text").str.strip_chars(" \t\n,") != "")
    carried = (pl.col("name") == "vg") & pl.col("text").str.contains(_CARRIED_OVER)
    lost = said.filter(carried | ~pl.col("name").is_in(list(_HELD)))
    names = pl.col("name").replace("vg", "vg (carry-over)").unique(maintain_order=True).str.join(", ")
    grouped = lost.group_by("source", maintain_order=True).agg(names.alias("names"), pl.col("line").first())
    braces = session.annotations.filter(pl.col("kind").is_in(["comment"]) & pl.col("text").str.contains("[{}]"))
    sources = session.records.select("record", "source", board="board_label").filter(
        pl.col("source").is_in(files.implode())
    )
    changed = braces.join(sources, on="record", how="inner", maintain_order="left")
    return pl.concat([report("pbn-commands-not-written", grouped), report("pbn-braces", changed)])
