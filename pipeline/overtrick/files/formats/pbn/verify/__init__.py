"""Checks against the standard: the form and the values of a file, each rule with its section of PBN 2.1.

Every check finds suspects with expressions over whole columns; only suspects are looked at one by one. No check changes
the frames.
"""

import polars as pl

from overtrick.core.problems import Finding, report_findings
from overtrick.files.formats.pbn.read.games import Batch, Games
from overtrick.files.formats.pbn.read.tag_columns import Tags
from overtrick.files.formats.pbn.verify import sections
from overtrick.files.formats.pbn.verify.annotations import (
    check_annotations,
    check_lines_and_characters,
    check_notes,
    check_related_values,
    check_tabs,
    check_values,
    count_unknown_tags,
)
from overtrick.files.formats.pbn.verify.table_cells import check_tables
from overtrick.files.formats.pbn.verify.tally import Files, Tally
from overtrick.files.formats.text import TextBlock


class Verifier:
    """Checks the games of one file against the standard, batch by batch; or those of several files in one batch."""

    def __init__(self, encoding: str, files: Files | None = None) -> None:
        """Begin a file that was read with that encoding, or files whose lines and characters are checked elsewhere."""
        self._encoding = encoding
        self._files = files
        self._declared: dict[int, int] = {}
        self._tally = Tally()
        self._beyond_ascii = False

    def check(
        self, batch: Batch, games: Games, tags: Tags, records: pl.DataFrame, annotations: pl.DataFrame
    ) -> pl.DataFrame:
        """Check the next batch.

        Args:
            batch: its text.
            games: its games.
            tags: their tags with inheritance done.
            records: `frames.RECORDS`, a row a game.
            annotations: `frames.ANNOTATIONS`, `record` being the game.

        Returns:
            A frame of `frames.PROBLEMS`, without those that `report_counted` returns.
        """
        self._tally.begin_batch()
        files = self._files or Files((1,), (batch.line_end,))
        findings = [*self._check_lines(batch), *self._check_declarations(games, files)]
        count_unknown_tags(games, tags, files, self._tally)
        sections.count_alerts(games, files, self._tally)
        return pl.concat(
            [
                report_findings(findings, ""),
                check_tabs(games),
                sections.check_games_apart(batch, games),
                check_values(tags, files, self._tally),
                sections.check_sections(games, tags, records),
                check_related_values(tags, records, files),
                check_annotations(annotations),
                check_notes(games, tags, annotations),
                check_tables(games, tags, records, files, self._tally),
                sections.check_export_form(games, tags, records, annotations, sections.Declared(files, self._declared)),
            ]
        )

    def report_counted(self) -> pl.DataFrame:
        """Report the problems that are counted, once a file, with how often they occurred in all batches so far."""
        return self._tally.report()

    def _check_lines(self, batch: Batch) -> list[Finding]:
        if self._files:
            return []
        first, self._beyond_ascii = not self._beyond_ascii, self._beyond_ascii or not batch.text.isascii()
        block = TextBlock(batch.text, line_end=batch.line_end, odd_end=batch.odd_end)
        return check_lines_and_characters(block, self._encoding, first_line=batch.first_line, first=first)

    def _check_declarations(self, games: Games, files: Files) -> list[Finding]:
        """Note which files declare export form, and check the line ends of those that had not declared it before."""
        new = {
            file: line for file, line in sections.find_declarations(games, files).items() if file not in self._declared
        }
        self._declared |= new
        return [
            finding for file, line in new.items() for finding in sections.check_line_ends(line, files.line_ends[file])
        ]
