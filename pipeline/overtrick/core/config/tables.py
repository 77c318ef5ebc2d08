"""The tables `[tables]` and `[dialect]` of `club.toml`: what the club calls the columns of tables, and its words."""

from collections.abc import Iterator
from typing import Literal, Self

from pydantic import Field, model_validator

from overtrick.core.config.table import Table
from overtrick.core.words import plain

ColumnName = Literal[
    "",
    "board",
    "ns",
    "ew",
    "dealer",
    "honours_ns",
    "honours_ew",
    "conduct_ns",
    "conduct_ew",
    "section",
    "round",
    "table",
    "vulnerable",
    "contract",
    "declarer",
    "tricks",
    "lead",
    "score_ns",
    "score_ew",
    "team_ns",
    "team_ew",
    "player_n",
    "player_e",
    "player_s",
    "player_w",
    "award_ns",
    "award_ew",
    "points_ns",
    "points_ew",
    "datum",
    "names_ns",
    "names_ew",
    "name_n",
    "name_e",
    "name_s",
    "name_w",
    "event",
    "site",
    "date",
    "scoring",
]


class Tables(Table):
    """`[tables]`: how overtrick reads tables and spreadsheets that people type.

    Attributes:
        columns: by the header of a column, the name of what it holds (docs/tables.md), or "" to leave the column out.
    """

    columns: dict[str, ColumnName] = Field(default_factory=dict)


Language = Literal["english", "french", "german", "dutch", "polish", "swedish", "spanish"]


class Dialect(Table):
    """`[dialect]`: words for the game, beside those that overtrick knows (`grammars/words.toml`).

    Each key lists words by what they mean: `strain = { NT = ["SA"], S = ["P"] }`. Capitals and accents do not count.

    Attributes:
        language: the language of files that leave it open: whether `4C` is 4 hearts, as in French, or 4 clubs.
        strain: words for suits and notrump.
        rank: words for the ranks of cards.
        seat: words for the seats.
        call: words for Pass, X and XX.
        vulnerability: words for the sides that are vulnerable.
    """

    language: Language | None = None
    strain: dict[Literal["C", "D", "H", "S", "NT"], list[str]] = Field(default_factory=dict)
    rank: dict[Literal["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"], list[str]] = Field(
        default_factory=dict
    )
    seat: dict[Literal["N", "E", "S", "W"], list[str]] = Field(default_factory=dict)
    call: dict[Literal["Pass", "X", "XX"], list[str]] = Field(default_factory=dict)
    vulnerability: dict[Literal["None", "NS", "EW", "All"], list[str]] = Field(default_factory=dict)

    def words(self) -> Iterator[tuple[str, str, str]]:
        """Yield kind, word and meaning of each word."""
        for kind in ("strain", "rank", "seat", "call", "vulnerability"):
            for meaning, listed in getattr(self, kind).items():
                yield from ((kind, word, meaning) for word in listed)

    @model_validator(mode="after")
    def _claimed_once(self) -> Self:
        claimed: dict[tuple[str, str], str] = {}
        for kind, word, meaning in self.words():
            if not plain(word):
                raise ValueError(f"expected words in {kind}.{meaning}, got an empty one")
            other = claimed.setdefault((kind, plain(word)), meaning)
            if other != meaning:
                raise ValueError(f"expected one meaning for the word {word!r}, got {kind}.{other} and {kind}.{meaning}")
        return self
