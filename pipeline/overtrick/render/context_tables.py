"""What templates are given of the tables that go with a board."""

from dataclasses import dataclass

from overtrick.render.context import Contract


@dataclass(frozen=True)
class MakeableContracts:
    """What one side can make with the cards in sight."""

    side: str
    """`N-S`, `E-W`."""
    contracts: tuple[Contract, ...]
    """The highest of each strain, notrump first; none when nothing makes."""


@dataclass(frozen=True)
class DoubleDummy:
    """Tricks that each hand takes as declarer when all see all cards, and what both sides can hold each other to."""

    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """By seat (`North South East West`) tricks in notrump, spades, hearts, diamonds, clubs; empty texts for unknown."""
    makeable: tuple[MakeableContracts, ...]
    par: str
    """`4♠ · N-S +450`; empty when unknown."""
    origin: str
    """`file` for what the file states; else the program that worked it out."""
