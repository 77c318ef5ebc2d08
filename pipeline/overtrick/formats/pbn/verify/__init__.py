"""What PBN asks of a file beyond being readable: form and values, each rule with its section of the standard.

Every check finds suspects with expressions over whole columns; only suspects are looked at one by one. Nothing here
changes what is read.
"""

import polars as pl

from overtrick.formats.pbn.read.batches import Batch
from overtrick.formats.pbn.read.games import Games
from overtrick.formats.pbn.read.side_by_side import Tags
from overtrick.formats.pbn.verify.annotations import annotations_in_order
from overtrick.formats.pbn.verify.characters import lines_and_characters, tabs
from overtrick.formats.pbn.verify.export import Declared, export_declared, export_form, lines_as_declared
from overtrick.formats.pbn.verify.files import Files, Tally
from overtrick.formats.pbn.verify.notes import notes_in_order
from overtrick.formats.pbn.verify.results import results_in_order
from overtrick.formats.pbn.verify.sections import games_apart, sections_in_order
from overtrick.formats.pbn.verify.tables import tables_in_order
from overtrick.formats.pbn.verify.values import tag_names, tag_values
from overtrick.formats.text import TextBlock
from overtrick.problems import Finding, report_findings


class Verifier:
    """Holds the games of one file against the standard, batch by batch; or those of several files in one batch."""

    def __init__(self, encoding: str, files: Files | None = None) -> None:
        """Begin a file that was read with that encoding, or files whose lines and characters are in order."""
        self._encoding = encoding
        self._files = files
        self._declared: dict[int, int] = {}
        self._tally = Tally()
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
            A frame of `frames.PROBLEMS`, without what is `counted`.
        """
        self._tally.begin_batch()
        files = self._files or Files((1,), (batch.line_end,))
        findings = [*self._lines(batch), *self._declarations(games, files)]
        tag_names(tags, files, self._tally)
        return pl.concat(
            [
                report_findings(findings, ""),
                tabs(games),
                games_apart(batch, games),
                tag_values(tags, files, self._tally),
                sections_in_order(games, tags, records),
                results_in_order(tags, records, files),
                annotations_in_order(annotations),
                notes_in_order(games, tags, annotations),
                tables_in_order(games, tags, records, files, self._tally),
                export_form(games, tags, records, annotations, Declared(files, self._declared)),
            ]
        )

    def counted(self) -> pl.DataFrame:
        """Give the problems that are told once a file, with how often they occurred in all batches so far."""
        return self._tally.told()

    def _lines(self, batch: Batch) -> list[Finding]:
        if self._files:
            return []
        first, self._beyond_ascii = not self._beyond_ascii, self._beyond_ascii or not batch.text.isascii()
        block = TextBlock(batch.text, line_end=batch.line_end, odd_end=batch.odd_end)
        return lines_and_characters(block, self._encoding, first_line=batch.first_line, first=first)

    def _declarations(self, games: Games, files: Files) -> list[Finding]:
        """Find where files declare export form that have not yet, and whether their lines end so."""
        new = {file: line for file, line in export_declared(games, files).items() if file not in self._declared}
        self._declared |= new
        return [one for file, line in new.items() for one in lines_as_declared(line, files.line_ends[file])]
