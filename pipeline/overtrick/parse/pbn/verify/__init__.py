"""What PBN asks of a file beyond being readable: form and values, each rule with its section of the standard.

Every check finds suspects with expressions over whole columns; only suspects are looked at one by one. Nothing here
changes what is read.
"""

import polars as pl

from overtrick.parse.pbn.games import Games
from overtrick.parse.pbn.tags import Tags
from overtrick.parse.pbn.verify.annotations import annotations_in_order
from overtrick.parse.pbn.verify.export import export_form
from overtrick.parse.pbn.verify.notes import notes_in_order
from overtrick.parse.pbn.verify.results import results_in_order
from overtrick.parse.pbn.verify.sections import sections_in_order
from overtrick.parse.pbn.verify.tables import tables_in_order
from overtrick.parse.pbn.verify.values import tag_names, tag_values


def verify(games: Games, tags: Tags, records: pl.DataFrame, annotations: pl.DataFrame) -> pl.DataFrame:
    """Hold the games of a file against the standard.

    Args:
        games: its games.
        tags: their tags with inheritance done.
        records: `frames.RECORDS`, a row a game.
        annotations: `frames.ANNOTATIONS`, `record` being the game.

    Returns:
        A frame of `frames.PROBLEMS`.
    """
    return pl.concat(
        [
            tag_names(tags),
            tag_values(tags),
            sections_in_order(games, tags, records),
            results_in_order(tags, records),
            annotations_in_order(annotations),
            notes_in_order(games, tags, annotations),
            tables_in_order(games, tags),
            export_form(games, tags),
        ]
    )
