"""The ways to compare the results of a board."""

from typing import Literal

Method = Literal["matchpoints", "butler", "cross-imps", "aggregate"]
"""What a line is compared with, and in which unit.

- `matchpoints`: with every other line; one a pair tied, two a pair beaten
- `butler`: with the board's datum, in IMPs (Law 78B)
- `cross-imps`: with every other line, in IMPs
- `aggregate`: with nothing; the points are added
"""
