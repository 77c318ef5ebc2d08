"""Which result or contestant an entry means; if none or several, the nearest that it may have meant."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from overtrick.core.contestants import find_contestants, is_told_apart
from overtrick.core.near import find_near
from overtrick.core.notation import is_number, natural
from overtrick.files.correct import words
from overtrick.files.correct.draft import Draft, UnappliedError

_SIDES: Final = {"NS": ("ns", "player_n", "player_s", "team_ns"), "EW": ("ew", "player_e", "player_w", "team_ew")}
"""Columns of results that name contestants, by the side that they sat on."""

_NEAR: Final = 0.5


@dataclass(frozen=True)
class Contestant:
    """Who an entry is about; direction and section only where they tell two of the same number apart."""

    name: str
    direction: str | None = None
    section: str | None = None

    def sat(self, direction: str | None) -> pl.Expr:
        """Select the results of the contestant, in one direction or in both."""
        return pl.any_horizontal(self._sat_in(side) for side in ([direction] if direction else _SIDES))

    def _sat_in(self, side: str) -> pl.Expr:
        here = pl.any_horizontal((pl.col(column) == self.name).fill_null(value=False) for column in _SIDES[side])
        if self.direction is not None:
            here &= pl.coalesce(f"listed_{side.lower()}", pl.lit(side)).cast(pl.String) == self.direction
        return here & (pl.col("section") == self.section).fill_null(value=True) if self.section else here


def find_result(draft: Draft) -> int:
    """Return the number of the result that the entry names.

    Raises:
        UnappliedError: it names none, or several.
    """
    entry = draft.entry
    on_board = draft.results.filter(pl.col("board") == entry.board)
    if on_board.is_empty():
        raise _no_board(draft)
    left = _of_pair(draft, on_board, entry.pair) if entry.pair is not None else on_board
    left = _at_place(draft, left)
    if left.height > 1:
        which = words.listed([_placed(row) for row in left.iter_rows(named=True)], 6)
        values = {"count": left.height, "things": "results", "which": which}
        raise draft.refusal("correction-ambiguous", "pair", **values)
    return int(left["row"].item())


def _at_place(draft: Draft, left: pl.DataFrame) -> pl.DataFrame:
    """Return the results in the section, the round and at the table that the entry states."""
    entry = draft.entry
    for key in ("section", "round", "table"):
        if (wanted := getattr(entry, key)) is not None:
            here, left = left, left.filter(pl.col(key) == wanted)
            if left.is_empty():
                known = words.listed(sorted({str(name) for name in here[key].drop_nulls()}, key=natural))
                reason = f"it was in {key} {known}" if known else f"the file states no {key}"
                raise draft.refusal("correction-unmatched", key, reason=reason)
    return left


def _of_pair(draft: Draft, on_board: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return the results of a pair on the board, in the direction that the entry says."""
    direction, everybody = draft.entry.direction, find_all(draft, name)
    if not everybody:
        raise draft.refusal("correction-unmatched", "pair", reason=nobody(draft, name))
    here = on_board.filter(_any_sat(everybody, None))
    if here.is_empty():
        raise draft.refusal("correction-unmatched", "pair", reason=_not_on_board(everybody, on_board))
    left = here.filter(_any_sat(everybody, direction))
    if left.is_empty():
        sat = "E-W" if direction == "NS" else "N-S"
        which = words.listed(list(map(words.against, here.iter_rows(named=True))))
        raise draft.refusal("correction-unmatched", "direction", reason=f"the contestant sat {sat}: {which}")
    given = {key: wanted for key in ("section", "round", "table") if (wanted := getattr(draft.entry, key)) is not None}
    there = left.filter(**given)
    at_board = [who for who in everybody if not there.filter(who.sat(direction)).is_empty()]
    if len(at_board) > 1:
        raise _ambiguous(draft, at_board, "pair")
    return left


def _any_sat(everybody: Sequence[Contestant], direction: str | None) -> pl.Expr:
    return pl.any_horizontal(who.sat(direction) for who in everybody)


def find_all(draft: Draft, name: str) -> list[Contestant]:
    """Return all contestants that a text may mean: a number, with its line or section, or names, or a part of them."""
    listed, text = draft.session.contestants, draft.names.get(name, name)
    apart = {by: is_told_apart(listed, by) for by in ("direction", "section")}
    found = [
        Contestant(row["contestant"], *(row[by] if told else None for by, told in apart.items()))
        for row in find_contestants(text, listed).iter_rows(named=True)
    ]
    plays = not found and not draft.session.results.filter(Contestant(text).sat(None)).is_empty()
    return [Contestant(text)] if plays else list(dict.fromkeys(found))


def _ambiguous(draft: Draft, everybody: Sequence[Contestant], key: str) -> UnappliedError:
    """Return the refusal that says that a text means several contestants, with the names of each."""
    listed = draft.session.contestants
    which = [_described(row) for who in everybody for row in listed.filter(select_rows(who)).iter_rows(named=True)]
    values = {"count": len(everybody), "things": "contestants", "which": words.listed(which, 6)}
    return draft.refusal("correction-ambiguous", key, **values)


def select_rows(who: Contestant) -> pl.Expr:
    """Select the rows of a contestant in `frames.CONTESTANTS`."""
    here = pl.col("contestant") == who.name
    for column, wanted in (("direction", who.direction), ("section", who.section)):
        if wanted is not None:
            here &= pl.col(column).is_null() | (pl.col(column) == wanted)
    return here


def find_contestant(draft: Draft, name: str, key: str = "pair") -> Contestant:
    """Return the contestant that an entry names, in the direction and section that it says.

    Args:
        draft: the session.
        name: number or name.
        key: the key of the entry that has it.

    Raises:
        UnappliedError: it means nobody, or several.
    """
    entry, everybody = draft.entry, find_all(draft, name)
    if not everybody:
        raise draft.refusal("correction-unmatched", key, reason=nobody(draft, name))
    listed = draft.session.contestants.filter(pl.any_horizontal(map(select_rows, everybody)))
    for column in ("direction", "section"):
        # What the entry or the list leaves out is null, and fits.
        here, listed = listed, listed.filter((pl.col(column) == pl.lit(getattr(entry, column))).fill_null(value=True))
        if here.height > listed.height == 0:
            known = words.listed(sorted(here[column].drop_nulls().cast(pl.String).unique(), key=natural))
            reason = f"contestant {everybody[0].name} is in {column} {known}"
            raise draft.refusal("correction-unmatched", column, reason=reason)
    left = [who for who in everybody if not listed.filter(select_rows(who)).is_empty()] or everybody
    if len(left) > 1:
        raise _ambiguous(draft, left, key)
    return replace(left[0], direction=left[0].direction or entry.direction, section=left[0].section or entry.section)


def identity(draft: Draft, name: str) -> str:
    """Return the identity of the contestant that a text means; the text itself if there is none, or several."""
    known = {who.name for who in find_all(draft, name)}
    return known.pop() if len(known) == 1 else name


def find_one(draft: Draft, name: str, key: str) -> Contestant:
    """Return the contestant that a text means; refuse a key of the entry that means nobody, or several."""
    everybody = find_all(draft, name)
    if not everybody:
        raise draft.refusal("correction-unmatched", key, reason=nobody(draft, name))
    if len(everybody) > 1:
        raise _ambiguous(draft, everybody, key)
    return everybody[0]


def called(draft: Draft, name: str, line: str | None = None) -> str:
    """Return how a sentence calls a contestant: `pair 3`, `team 3`, `player 3`; one that is not a number as it is.

    Args:
        draft: the session.
        name: the contestant.
        line: its line, where that tells it apart.
    """
    if not is_number(name):
        return name
    if line:
        return f"pair {name} {line}"
    results = draft.session.results
    if results["player_n"].is_not_null().any():
        return f"player {name}"
    return f"team {name}" if results["team_ns"].is_not_null().any() else f"pair {name}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the most similar of some names as a question, else a list of them."""
    names = sorted(set(known), key=natural)
    if near := find_near(name, names, _NEAR):
        return f"did you mean {near}?"
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
    line = draft.results.filter(pl.col("row") == number)
    sides = [
        side
        for side in ([direction] if direction else _SIDES)
        if not line.filter(_any_sat(find_all(draft, name), side)).is_empty()
    ]
    columns, who = [name for side in sides for name in _SIDES[side]], identity(draft, name)
    # A player of an individual is named by the seat, and a team by its own column: not by the side of both.
    named = [column for column in columns if row[column] == who]
    return min(named, key=lambda column: column in {"ns", "ew"})


def _no_board(draft: Draft) -> UnappliedError:
    boards = draft.results["board"].drop_nulls().unique().to_list()
    reason = f"there are results on boards {ranges(boards)}" if boards else "the session has no results on any board"
    return draft.refusal("correction-unmatched", "board", reason=f"no result is on this board; {reason}")


def _not_on_board(everybody: Sequence[Contestant], on_board: pl.DataFrame) -> str:
    met = words.listed([words.against(row) for row in on_board.iter_rows(named=True)])
    return f"contestant {everybody[0].name} has no result on this board; its results are {met}"


def nobody(draft: Draft, name: str) -> str:
    """Return the reason to refuse an unknown contestant, with the nearest number, or the nearest name of the file."""
    listed = draft.session.contestants
    known = {*contestants_of(draft.results), *listed["contestant"].drop_nulls()}
    named = set() if is_number(name) else set(listed["names"].drop_nulls())
    return f"there is no contestant {name}; {nearest(name, named or known)}"


def _placed(row: words.Row) -> str:
    places = [f"{key} {row[key]}" for key in ("section", "round", "table") if row[key] is not None]
    return f"{words.against(row)} ({', '.join(places)})" if places else words.against(row)


def _described(row: words.Row) -> str:
    label = " ".join(filter(None, (f"{row['section'] or ''}{row['contestant']}", row["direction"])))
    return f"{label} ({row['names']})" if row["names"] else label
