"""The ways to compare the results of a board, and the games that are scored without comparing."""

from typing import Final, Literal

Method = Literal[
    "matchpoints",
    "butler",
    "cross-imps",
    "teams",
    "bam",
    "aggregate",
    "rubber",
    "chicago",
    "chicago-duplicate",
    "alberta",
]
"""What a line is compared with, and in which unit.

- `matchpoints`: with every other line; one a pair tied, two a pair beaten
- `butler`: with the board's datum, in IMPs (Law 78B)
- `cross-imps`: with every other line, in IMPs
- `teams`: with the other table of the match, in IMPs; matches in victory points where a scale is set
- `bam`: board-a-match: with the other table of the match, won, tied or lost
- `aggregate`: with nothing; the points are added
- `rubber`, `chicago`, `chicago-duplicate`, `alberta`: with nothing; the deals of a table make a score sheet
"""

TEAM_METHODS: Final[frozenset[Method]] = frozenset({"teams", "bam"})
"""Those whose contestants are teams, and whose boards are compared within a match."""

SHEET_METHODS: Final[frozenset[Method]] = frozenset({"rubber", "chicago", "chicago-duplicate", "alberta"})
"""Those in which the deals of a table are scored in their order, on a sheet."""
