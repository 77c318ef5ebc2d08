"""Tags side by side: one column a tag name, one row a game, with inherited values filled in (PBN 4.8)."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.frames import Column, Schema, empty
from overtrick.inheritance import NOT_INHERITED, resolve
from overtrick.parse.pbn.games import Games
from overtrick.problems import Finding

OF_THE_BOARD: Final = ("Board", "Dealer", "Vulnerable", "Deal")
"""Tags that a second-room game leaves out, without `#`, because they are those of the game before."""


_FAULTY: Final[Schema] = {
    "game": Column(pl.UInt32, "the game"),
    "line": Column(pl.UInt32, "of the tag"),
    "column": Column(pl.UInt32, "of the tag"),
    "name": Column(pl.String, "the tag's"),
    "value": Column(pl.String, "the tag's, as its game states it"),
}


@dataclass(frozen=True)
class Tags:
    """The tags of a file side by side."""

    wide: pl.DataFrame
    """One row a game, one String column a tag name: the value that holds, with inherited ones; null without one."""
    row: dict[str, pl.Series]
    """By tag name, the row of `tags` that a game's value stands in; null where the game has no such tag."""
    tags: pl.DataFrame
    """`Games.tags`."""

    def value(self, name: str) -> pl.Series:
        """Give the values of a tag, all null when no game has it."""
        if name in self.wide.columns:
            return self.wide[name]
        return pl.Series(name, [None] * len(self.wide), dtype=pl.String)

    def at_fault(self, name: str, mask: pl.Series) -> pl.DataFrame:
        """Give the place and value of a tag in the games of `mask`, for a problem: game, line, column, name, value."""
        if name not in self.row or not mask.any():
            return empty(_FAULTY)
        chosen = self.tags.select("game", "line", "column", "name", pl.col("text").alias("value"))
        return chosen[self.row[name].filter(mask.fill_null(value=False)).drop_nulls()]


def tags_side_by_side(games: Games) -> Tags:
    """Give each tag a column; of a tag that a game repeats, the first counts (PBN 3.3)."""
    names = games.tags["name"]
    game = games.tags["game"].to_numpy().astype(np.int64)
    wide, row = {}, {}
    for rows in _rows_by_name(names):
        at = np.full(games.count, -1, dtype=np.int64)
        at[game[rows[::-1]]] = rows[::-1]
        name = names[int(rows[0])]
        row[name] = pl.Series(at).replace(-1, None) if (at < 0).any() else pl.Series(at)
        wide[name] = games.tags["text"].gather(row[name])
    return Tags(pl.DataFrame(wide, height=games.count), row, games.tags)


def _rows_by_name(names: pl.Series) -> list[npt.NDArray[np.int64]]:
    """Give the rows of each distinct name, in their order."""
    if names.is_empty():
        return []
    kinds = names.cast(pl.Categorical).to_physical().to_numpy()
    # Numpy sorts numbers of 16 bits far faster than longer ones.
    order = (kinds.astype(np.uint16) if kinds.max() < 2**16 else kinds).argsort(kind="stable")
    return np.split(order, np.flatnonzero(np.diff(kinds[order])) + 1)


def inherit(tags: Tags) -> tuple[Tags, list[Finding]]:
    """Fill in what a game takes from an earlier one: `#`, `##`, and the board that a second-room game leaves out."""
    findings: list[Finding] = []
    wide = tags.wide
    for name in wide.columns:
        if wide[name].str.starts_with("#").any():
            resolved, faults = resolve(wide[name])
            code = "pbn-inherit-nothing"
            if name in NOT_INHERITED:
                code = "pbn-inherit-forbidden"
                resolved = pl.Series(
                    name, [None if (v or "").startswith("#") else v for v in wide[name]], dtype=pl.String
                )
                faults = wide[name].str.starts_with("#").arg_true().to_list()
            findings.extend(_finding(tags, name, game, code) for game in faults)
            wide = wide.with_columns(resolved)
    wide, second = _second_rooms(wide)
    findings.extend(Finding("pbn-board-left-out", *_place(tags, game), record=game) for game in second)
    return Tags(wide, tags.row, tags.tags), findings


def _second_rooms(wide: pl.DataFrame) -> tuple[pl.DataFrame, list[int]]:
    """Give a game that states a result but no board the board of the game before it."""
    stated = [pl.col(name).is_not_null() for name in (*OF_THE_BOARD, "Event") if name in wide.columns]
    played = [pl.col(name).is_not_null() for name in ("Auction", "Play", "Result") if name in wide.columns]
    if not stated or not played or not {"Contract", "Board", "Deal"} <= set(wide.columns):
        return wide, []
    lacks = ~pl.any_horizontal(stated) & pl.any_horizontal(played) & pl.col("Contract").is_not_null()
    source = pl.when(~lacks).then(pl.int_range(pl.len())).forward_fill()
    plan = wide.select(lacks.alias("lacks"), source.alias("source"))
    whole = wide["Board"].gather(plan["source"]).is_not_null() & wide["Deal"].gather(plan["source"]).is_not_null()
    second = plan["lacks"] & whole
    names = [name for name in OF_THE_BOARD if name in wide.columns]
    filled = [
        pl.when(second).then(wide[name].gather(plan["source"])).otherwise(pl.col(name)).alias(name) for name in names
    ]
    return wide.with_columns(filled), second.arg_true().to_list()


def _place(tags: Tags, game: int) -> tuple[int, int]:
    first = tags.tags["game"].search_sorted(game)
    return tags.tags["line"][first], tags.tags["column"][first]


def _finding(tags: Tags, name: str, game: int, code: str) -> Finding:
    row = tags.row[name][game]
    line, column = tags.tags["line"][row], tags.tags["column"][row]
    return Finding(code, line, column, record=game, values={"name": name})
