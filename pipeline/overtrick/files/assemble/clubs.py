"""Files of several clubs that play one event, and files that are only compared: each is a section of its own.

Contestants of different files have the same numbers there and are not the same, so the club's name goes before them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import PurePath
from typing import Final

import polars as pl

from overtrick.core.config import Config, Scoring
from overtrick.core.frames import Session
from overtrick.files.assemble.contestants import BETWEEN_PLAYERS

_IDENTITIES: Final = {
    "records": ("pair_ns", "pair_ew"),
    "results": ("ns", "ew", "player_n", "player_e", "player_s", "player_w"),
    "contestants": ("contestant",),
}
"""By frame: the columns that identify contestants."""


def settle_clubs(readings: Iterable[Session], scoring: Scoring) -> tuple[Iterator[Session], Scoring]:
    """Make each club, and each file that is only compared, a section.

    Args:
        readings: as `formats.read.read_files` yields them.
        scoring: `clubs` and `virtual` are followed.

    Returns:
        The readings, with a section where they have clubs or virtual files, and the settings: with these, all files are
        one session, and all results are compared.
    """
    if not (scoring.clubs or scoring.virtual):
        return iter(readings), scoring
    together = scoring.model_copy(update={"sessions": "together", "field": "all"})
    return (_settle(reading, scoring) for reading in readings), together


def with_clubs(config: Config) -> Config:
    """Return the settings by which an event of several clubs is scored."""
    _, scoring = settle_clubs((), config.scoring)
    return config if scoring is config.scoring else config.model_copy(update={"scoring": scoring})


def _settle(reading: Session, scoring: Scoring) -> Session:
    name = next(iter(reading.sources["source"]), None)
    if name is None:
        return reading
    if scoring.is_virtual(name):
        return _in_section(reading, PurePath(name).stem, virtual=True)
    return _in_section(reading, club_of(name, scoring.clubs), virtual=False)


def club_of(source: str, clubs: Mapping[str, str]) -> str | None:
    """Return the club of a file; None if no pattern fits its name."""
    name = PurePath(source).name
    return next((club for pattern, club in clubs.items() if fnmatch(name, pattern)), None)


def _in_section(reading: Session, section: str | None, *, virtual: bool) -> Session:
    if section is None:
        return reading
    # Sections of the club keep their letters after its name.
    named = pl.concat_str(pl.lit(section), pl.col("section"), separator=" ", ignore_nulls=True).alias("section")
    records = reading.records
    if virtual:
        # The same people may have played last year's evening, under the same names.
        seated = {"pair_ns": ("north", "south"), "pair_ew": ("east", "west")}
        records = records.with_columns(
            pl.coalesce(pair, pl.concat_str(*players, separator=BETWEEN_PLAYERS)).alias(pair)
            for pair, players in seated.items()
        )
    frames = {"records": records, "results": reading.results, "contestants": reading.contestants}
    changed = {
        name: frame.with_columns(named, *(_qualify(column, section, virtual=virtual) for column in _IDENTITIES[name]))
        for name, frame in frames.items()
    }
    if not virtual:
        changed["contestants"] = changed["contestants"].with_columns(pl.lit(section).alias("club"))
    return replace(reading, records=changed["records"], results=changed["results"], contestants=changed["contestants"])


def _qualify(column: str, section: str, *, virtual: bool) -> pl.Expr:
    """Put the club before a number; a name is unique without it, but not that of a file that is only compared."""
    is_number = pl.col(column).str.contains(r"^[A-Za-z]{0,2}[0-9]") | pl.lit(virtual)
    return pl.when(is_number).then(pl.concat_str(pl.lit(f"{section} "), column)).otherwise(column).alias(column)
