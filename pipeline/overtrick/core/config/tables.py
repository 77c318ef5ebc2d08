"""The table `[tables]` of `club.toml`: what the club calls the columns of tables that people type."""

from typing import Literal

from pydantic import Field

from overtrick.core.config.table import Table

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
