"""Corrections of names: of a pair, of a player wherever they are named, of a substitute."""

from typing import Final

import polars as pl

from overtrick.core.frames import CONTESTANTS, conform
from overtrick.core.notation import BETWEEN
from overtrick.core.problems import Finding
from overtrick.files.correct import words
from overtrick.files.correct.draft import Change, Draft
from overtrick.files.correct.targets import Contestant, called, find_contestant, nearest, select_rows

_SEATS: Final = ("north", "east", "south", "west")
_IDENTITIES: Final = ("ns", "ew", "player_n", "player_e", "player_s", "player_w")
_SEATS_OF: Final = {"pair_ns": ("north", "south"), "pair_ew": ("east", "west")}


def name_pair(draft: Draft) -> Change | Finding:
    """Set the names of a pair. One that is known by its names alone is known by the new ones from now on."""
    entry = draft.entry
    who = find_contestant(draft, str(entry.pair))
    if isinstance(who, Finding):
        return who
    key = ("name", who.name, who.direction, who.section)
    if contradiction := draft.claim({key: "sets the names"}):
        return contradiction
    new = " ".join(str(entry.name).split())
    here = select_rows(who)
    before = draft.session.contestants.filter(here)["names"].drop_nulls()
    old = str(before[0]) if len(before) else ""
    if draft.session.contestants.filter(here).is_empty():
        row = {"contestant": who.name, "section": who.section, "direction": who.direction}
        added = conform(CONTESTANTS, pl.DataFrame([row], infer_schema_length=None))
        draft.update(contestants=lambda frame: pl.concat([frame, added], rechunk=True))
    settled = pl.when(~here).then("spellings").alias("spellings")
    draft.update(contestants=lambda frame: frame.with_columns(_when(here, "names", new), settled))
    _name_seats(draft, who, new)
    if old == who.name:
        _change_identity(draft, old, new)
    label = "names" if old == who.name else f"names of {called(draft, who.name)}"
    return Change(f"{label}: {new}{words.in_place_of(old)}", old, new, is_none=old == new)


def rename_player(draft: Draft) -> Change | Finding:
    """Set the name of a player wherever it is written."""
    renamed = draft.entry.player
    assert renamed is not None  # noqa: S101 - the entry is of this kind
    if wrong := _replace_player(draft, renamed.before, renamed.to, key="player"):
        return wrong
    what = f"{renamed.to} in place of {renamed.before}"
    return Change(what, renamed.before, renamed.to, is_none=renamed.before == renamed.to)


def substitute(draft: Draft) -> Change | Finding:
    """Name the substitute of a player: everywhere, or only in the games of some boards."""
    given = draft.entry.substitute
    assert given is not None  # noqa: S101 - the entry is of this kind
    if given.boards is None:
        if wrong := _replace_player(draft, given.absent, given.player, key="substitute", same_person=False):
            return wrong
        _note_substitute(draft, given.player, given.absent, named=given.player)
        return Change(f"{given.player} played for {given.absent}", given.absent, given.player)
    players = _players(draft)
    if given.absent not in players:
        reason = f"no player is called {given.absent}; {nearest(given.absent, players)}"
        return draft.finding("correction-unmatched", "substitute", reason=reason)
    here = pl.col("board").is_in(given.boards) & pl.col("record").is_in(draft.records["record"].implode())
    seats = [_when(here & (pl.col(seat) == given.absent), seat, given.player) for seat in _SEATS]
    draft.update(records=lambda frame: frame.with_columns(seats))
    _note_substitute(draft, given.player, given.absent, named=given.absent)
    boards = ", ".join(map(str, given.boards))
    what = f"{given.player} played for {given.absent} on board{'s' if len(given.boards) > 1 else ''} {boards}"
    return Change(what, given.absent, given.player)


def _note_substitute(draft: Draft, player: str, absent: str, *, named: str) -> None:
    """Note at the pairs that now name one of the two who played for whom."""
    names = pl.col("names").str.split(BETWEEN)
    here = names.list.contains(named).fill_null(value=False)
    known = pl.concat_str("substitutes", pl.lit(f"{player}{BETWEEN}{absent}"), separator="; ", ignore_nulls=True)
    draft.update(
        contestants=lambda frame: frame.with_columns(
            pl.when(here).then(known).otherwise("substitutes").alias("substitutes")
        )
    )


def _when(here: pl.Expr, column: str, value: str) -> pl.Expr:
    return pl.when(here).then(pl.lit(value)).otherwise(pl.col(column)).alias(column)


def _name_seats(draft: Draft, who: Contestant, names: str) -> None:
    """Name the players in the game records that state the contestant, as far as there are two names."""
    players = names.split(BETWEEN)
    if len(players) != len(_SEATS_OF):
        return
    records = draft.records
    read = pl.col("record").is_in(records["record"].implode())
    for pair, seats in _SEATS_OF.items():
        if who.direction in {None, pair[-2:].upper()}:
            joined = pl.concat_str(*seats, separator=BETWEEN)
            here = read & (pl.coalesce(pair, joined) == who.name)
            draft.update(
                records=lambda frame, here=here, seats=seats: frame.with_columns(  # type: ignore[misc]  # bound now
                    _when(here, seat, player) for seat, player in zip(seats, players, strict=True)
                )
            )


def _change_identity(draft: Draft, old: str, new: str) -> None:
    """Rename a contestant that is known by its names; it becomes one with another one of the new names."""
    draft.names |= {**{name: new for name, known in draft.names.items() if known == old}, old: new}
    draft.update(
        results=lambda frame: frame.with_columns(pl.col(_IDENTITIES).replace(old, new)),
        records=lambda frame: frame.with_columns(pl.col(list(_SEATS_OF)).replace(old, new)),
        contestants=lambda frame: _each_once(frame.with_columns(pl.col("contestant").replace(old, new))),
    )


def _each_once(contestants: pl.DataFrame) -> pl.DataFrame:
    """List contestants once each; one that is listed N-S and E-W sat both ways, and has no direction."""
    key = ["contestant", "section", "names"]
    stayed = pl.col("direction").n_unique().over(key) == 1
    once = contestants.with_columns(pl.when(stayed).then("direction").alias("direction"))
    return once.unique(key, keep="first", maintain_order=True)


def _players(draft: Draft) -> set[str]:
    """Return the names of all players."""
    records = draft.records
    texts = pl.concat([draft.session.contestants["names"], *(records[seat] for seat in _SEATS)])
    return {name for text in texts.drop_nulls().unique() for name in text.split(BETWEEN) if name}


def _replace_player(draft: Draft, old: str, new: str, *, key: str, same_person: bool = True) -> Finding | None:
    """Replace a player's name, in one pair if the entry names one, else wherever it is written."""
    pair = draft.entry.pair
    who = find_contestant(draft, pair) if pair is not None else None
    if isinstance(who, Finding):
        return who
    here = select_rows(who) if who else pl.lit(value=True)
    contestants = draft.session.contestants.filter(here)
    listed = contestants["names"].drop_nulls().unique().to_list()
    known = {name for text in listed for name in text.split(BETWEEN)} if who else _players(draft)
    if old not in known:
        of = f" of {who.name}" if who else ""
        reason = f"no player{of} is called {old}; {nearest(old, known)}"
        return draft.finding("correction-unmatched", key, reason=reason)
    if contradiction := draft.claim({("player", old, who): f"renames {old}"}):
        return contradiction
    if not same_person:
        _clear_member(draft, here, old)
    changed = {text: _renamed(text, old, new) for text in listed if old in text.split(BETWEEN)}
    names = pl.when(here).then(pl.col("names").replace(changed)).otherwise("names").alias("names")
    draft.update(contestants=lambda frame: frame.with_columns(names))
    if who is None:
        read = pl.col("record").is_in(draft.records["record"].implode())
        seats = [pl.when(read).then(pl.col(seat).replace(old, new)).otherwise(seat).alias(seat) for seat in _SEATS]
        draft.update(records=lambda frame: frame.with_columns(seats))
    else:
        for text in changed.values():
            _name_seats(draft, who, text)
    for identity in contestants["contestant"].drop_nulls().unique():
        if identity in changed or (identity == old and pair is None):
            _change_identity(draft, identity, _renamed(identity, old, new))
    return None


def _renamed(names: str, old: str, new: str) -> str:
    return BETWEEN.join(new if name == old else name for name in names.split(BETWEEN))


def _clear_member(draft: Draft, here: pl.Expr, old: str) -> None:
    """Remove the membership number of a player from the pairs that have it: the substitute's is not known."""
    frame = draft.session.contestants
    rows = frame.with_row_index("at").filter(here, pl.col("members").is_not_null(), pl.col("names").is_not_null())
    numbers: dict[int, str] = {}
    for at, names, members in rows.select("at", "names", "members").iter_rows():
        parts = list(zip(names.split(BETWEEN), members.split(BETWEEN), strict=False))
        numbers[at] = BETWEEN.join("" if name == old else number for name, number in parts)
    at = pl.int_range(pl.len())
    cleared = at.replace_strict(numbers, default=pl.col("members"), return_dtype=pl.String)
    draft.update(contestants=lambda listed: listed.with_columns(cleared.alias("members")))
