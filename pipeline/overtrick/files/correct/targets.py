"""Which result or contestant an entry means; if none or several, the nearest that it may have meant."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

import polars as pl

from overtrick.core.notation import is_number, natural
from overtrick.core.problems import Finding
from overtrick.files.correct import words
from overtrick.files.correct.draft import Draft

_SIDES: Final = {
    "NS": ("ns", "player_n", "player_s", "team_ns"),
    "EW": ("ew", "player_e", "player_w", "team_ew"),
}
"""Columns of results that name contestants, by the side that they sat on."""

_NEAR: Final = 0.5


@dataclass(frozen=True)
class Contestant:
    """Who an entry is about; direction and section only where they tell two of the same number apart."""

    name: str
    direction: str | None = None
    section: str | None = None


def find_result(draft: Draft) -> int | Finding:
    """Return the number of the result that the entry names, or what is wrong with the entry."""
    entry = draft.entry
    on_board = draft.results.filter(pl.col("board") == entry.board)
    if on_board.is_empty():
        return _no_board(draft)
    left = _of_pair(draft, on_board, entry.pair) if entry.pair is not None else on_board
    if isinstance(left, pl.DataFrame):
        left = _at_place(draft, left)
    if isinstance(left, Finding):
        return left
    if left.height > 1:
        which = words.listed([_placed(row) for row in left.iter_rows(named=True)], 6)
        values = {"count": left.height, "things": "results", "which": which}
        return draft.finding("correction-ambiguous", "pair", **values)
    return int(left["row"].item())


def _at_place(draft: Draft, left: pl.DataFrame) -> pl.DataFrame | Finding:
    """Return the results in the section, the round and at the table that the entry states."""
    entry = draft.entry
    for key in ("section", "round", "table"):
        if (wanted := getattr(entry, key)) is not None:
            here, left = left, left.filter(pl.col(key) == wanted)
            if left.is_empty():
                known = words.listed(sorted({str(name) for name in here[key].drop_nulls()}, key=natural))
                reason = f"it was in {key} {known}" if known else f"the file states no {key}"
                return draft.finding("correction-unmatched", key, reason=reason)
    return left


def _of_pair(draft: Draft, on_board: pl.DataFrame, name: str) -> pl.DataFrame | Finding:
    """Return the results of a pair on the board, in the direction that the entry says, or what is wrong with it."""
    pair, direction = identity(draft, name), draft.entry.direction
    here = on_board.filter(_sat(pair, None))
    if here.is_empty():
        return draft.finding("correction-unmatched", "pair", reason=_not_on_board(draft, pair, on_board))
    left = here.filter(_sat(pair, direction))
    if left.is_empty():
        sat = "E-W" if direction == "NS" else "N-S"
        which = words.listed([words.against(row) for row in here.iter_rows(named=True)])
        return draft.finding("correction-unmatched", "direction", reason=f"the contestant sat {sat}: {which}")
    return left


def find_contestant(draft: Draft, name: str, key: str = "pair") -> Contestant | Finding:
    """Return the contestant that an entry names.

    Args:
        draft: the session.
        name: number or name.
        key: the key of the entry that has it.
    """
    entry = draft.entry
    who = identity(draft, name)
    listed = draft.session.contestants.filter(pl.col("contestant") == who).unique(["section", "direction"])
    if listed.is_empty() and not _plays(draft, who):
        return draft.finding("correction-unmatched", key, reason=_nobody(draft, who))
    left = listed
    for column, wanted in (("direction", entry.direction), ("section", entry.section)):
        if wanted is not None:
            here, left = left, left.filter(pl.col(column).is_null() | (pl.col(column) == wanted))
            if left.is_empty() and not here.is_empty():
                known = words.listed(sorted({str(text) for text in here[column].drop_nulls()}, key=natural))
                return draft.finding("correction-unmatched", column, reason=f"contestant {who} is in {column} {known}")
    if left.height > 1:
        which = words.listed([_described(row) for row in left.iter_rows(named=True)], 6)
        return draft.finding("correction-ambiguous", key, count=left.height, things="contestants", which=which)
    return Contestant(who, entry.direction, entry.section)


def identity(draft: Draft, name: str) -> str:
    """Return the identity of the contestant with this number or these names; the text itself if there is none."""
    contestants = draft.session.contestants
    if name in draft.names:
        return draft.names[name]
    if _plays(draft, name) or (contestants["contestant"] == name).any():
        return name
    folded = " ".join(name.split()).casefold()
    same = contestants.filter(pl.col("names").str.to_lowercase() == folded)["contestant"].unique()
    return str(same.item()) if len(same) == 1 else name


def called(draft: Draft, name: str) -> str:
    """Return how a sentence calls a contestant: `pair 3`, `team 3`, `player 3`; one that is not a number as it is."""
    if not is_number(name):
        return name
    results = draft.session.results
    if results["player_n"].is_not_null().any():
        return f"player {name}"
    return f"team {name}" if results["team_ns"].is_not_null().any() else f"pair {name}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the most similar of some names as a question, else a list of them."""
    names = sorted(set(known), key=natural)
    near = get_close_matches(name.casefold(), [text.casefold() for text in names], n=1, cutoff=_NEAR)
    if near:
        return f"did you mean {next(text for text in names if text.casefold() == near[0])}?"
    return f"known are {words.listed(names)}" if names else "none is known"


def ranges(numbers: Sequence[int]) -> str:
    """Return whole numbers with their runs: `1-4, 7`."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def contestants_of(results: pl.DataFrame) -> list[str]:
    """Return everybody that results name."""
    columns = [name for side in _SIDES.values() for name in side]
    return [str(name) for name in pl.concat([results[name] for name in columns]).drop_nulls().unique()]


def column_of(draft: Draft, number: int, name: str) -> str:
    """Return the column of a result that names a contestant, on the side that the entry says."""
    row, direction = draft.row(number), draft.entry.direction
    columns = [name for side in ([direction] if direction else _SIDES) for name in _SIDES[side]]
    # A player of an individual is named by the seat, and a team by its own column: not by the side of both.
    named = [column for column in columns if row[column] == name]
    return min(named, key=lambda column: column in {"ns", "ew"})


def _sat(name: str, direction: str | None) -> pl.Expr:
    columns = [column for side in ([direction] if direction else _SIDES) for column in _SIDES[side]]
    return pl.any_horizontal((pl.col(column) == name).fill_null(value=False) for column in columns)


def _plays(draft: Draft, name: str) -> bool:
    return bool(draft.session.results.select(_sat(name, None).any()).item())


def _no_board(draft: Draft) -> Finding:
    boards = draft.results["board"].drop_nulls().unique().to_list()
    reason = f"there are results on boards {ranges(boards)}" if boards else "the session has no results on any board"
    return draft.finding("correction-unmatched", "board", reason=f"no result is on this board; {reason}")


def _not_on_board(draft: Draft, pair: str, on_board: pl.DataFrame) -> str:
    if not _plays(draft, pair):
        return _nobody(draft, pair)
    met = words.listed([words.against(row) for row in on_board.iter_rows(named=True)])
    return f"contestant {pair} has no result on this board; its results are {met}"


def _nobody(draft: Draft, name: str) -> str:
    known = {*contestants_of(draft.results), *draft.session.contestants["contestant"].drop_nulls()}
    return f"there is no contestant {name}; {nearest(name, known)}"


def _placed(row: words.Row) -> str:
    places = [f"{key} {row[key]}" for key in ("section", "round", "table") if row[key] is not None]
    return f"{words.against(row)} ({', '.join(places)})" if places else words.against(row)


def _described(row: words.Row) -> str:
    parts = [f"{key} {row[key]}" for key in ("section", "direction") if row[key] is not None]
    return f"{', '.join(parts)} ({row['names']})" if row["names"] else ", ".join(parts)
