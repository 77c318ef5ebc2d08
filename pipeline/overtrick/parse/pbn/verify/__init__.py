"""What PBN asks of a file beyond being readable: form and values, each rule with its section of the standard.

Every check finds suspects with expressions over whole columns; only suspects are looked at one by one. Nothing here
changes what is read.
"""

import polars as pl

from overtrick.frames import PROBLEMS, empty
from overtrick.parse.pbn.batches import Batch
from overtrick.parse.pbn.games import Games
from overtrick.parse.pbn.tags import Tags
from overtrick.parse.pbn.verify.annotations import annotations_in_order
from overtrick.parse.pbn.verify.characters import lines_and_characters
from overtrick.parse.pbn.verify.export import export_declared, export_form, lines_as_declared
from overtrick.parse.pbn.verify.notes import notes_in_order
from overtrick.parse.pbn.verify.results import results_in_order
from overtrick.parse.pbn.verify.sections import games_apart, sections_in_order
from overtrick.parse.pbn.verify.tables import tables_in_order
from overtrick.parse.pbn.verify.values import tag_names, tag_values


class Verifier:
    """Holds the games of one file against the standard, batch by batch."""

    def __init__(self, encoding: str) -> None:
        """Begin a file that was read with that encoding."""
        self._encoding = encoding
        self._export_from: int | None = None
        self._beyond_ascii = False

    def hold(
        self, batch: Batch, games: Games, tags: Tags, records: pl.DataFrame, annotations: pl.DataFrame
    ) -> pl.DataFrame:
        """Hold the next batch against the standard.

        Args:
            batch: its text.
            games: its games.
            tags: their tags with inheritance done.
            records: `frames.RECORDS`, a row a game.
            annotations: `frames.ANNOTATIONS`, `record` being the game.

        Returns:
            A frame of `frames.PROBLEMS`.
        """
        ends = empty(PROBLEMS)
        if self._export_from is None:
            self._export_from = export_declared(games)
            if self._export_from:
                ends = lines_as_declared(self._export_from, batch.line_end)
        characters = lines_and_characters(batch, self._encoding, games, first=not self._beyond_ascii)
        self._beyond_ascii = self._beyond_ascii or not batch.text.isascii()
        return pl.concat(
            [
                characters,
                ends,
                games_apart(batch, games),
                tag_names(tags),
                tag_values(tags),
                sections_in_order(games, tags, records),
                results_in_order(tags, records),
                annotations_in_order(annotations),
                notes_in_order(games, tags, annotations),
                tables_in_order(games, tags, records),
                export_form(games, tags, records, annotations, self._export_from),
            ]
        )
