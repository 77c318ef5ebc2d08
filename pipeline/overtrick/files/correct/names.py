"""Corrections of names, of what is said once of a session, and of the cards of a deal."""

from dataclasses import replace
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.cards import CARD_SIGNS, CARDS, RANKS, SEAT_NAMES
from overtrick.core.frames import CONTESTANTS, conform
from overtrick.core.notation import BETWEEN, read_date
from overtrick.files.correct import words
from overtrick.files.correct.draft import Change, Draft
from overtrick.files.correct.targets import Contestant, called, find_contestant, nearest, ranges, select_rows
from overtrick.files.correct.words import in_place_of

_SEATS: Final = ("north", "east", "south", "west")
_IDENTITIES: Final = ("ns", "ew", "player_n", "player_e", "player_s", "player_w")
_SEATS_OF: Final = {"pair_ns": ("north", "south"), "pair_ew": ("east", "west")}


def name_pair(draft: Draft) -> Change:
    """Set the names of a pair. One that is known by its names alone is known by the new ones from now on."""
    entry = draft.entry
    who = find_contestant(draft, str(entry.pair))
    key = ("name", who.name, who.direction, who.section)
    draft.claim({key: "sets the names"})
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


def rename_player(draft: Draft) -> Change:
    """Set the name of a player wherever it is written."""
    renamed = draft.entry.player
    assert renamed is not None  # noqa: S101 - the entry is of this kind
    _replace_player(draft, renamed.before, renamed.to, key="player")
    what = f"{renamed.to} in place of {renamed.before}"
    return Change(what, renamed.before, renamed.to, is_none=renamed.before == renamed.to)


def substitute(draft: Draft) -> Change:
    """Name the substitute of a player: everywhere, or only in the games of some boards."""
    given = draft.entry.substitute
    assert given is not None  # noqa: S101 - the entry is of this kind
    if given.boards is None:
        _replace_player(draft, given.absent, given.player, key="substitute", same_person=False)
        _note_substitute(draft, given.player, given.absent, named=given.player)
        return Change(f"{given.player} played for {given.absent}", given.absent, given.player)
    players = _players(draft)
    if given.absent not in players:
        reason = f"no player is called {given.absent}; {nearest(given.absent, players)}"
        raise draft.refusal("correction-unmatched", "substitute", reason=reason)
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
    noted = pl.when(here).then(known).otherwise("substitutes").alias("substitutes")
    draft.update(contestants=lambda frame: frame.with_columns(noted))


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
            named = [_when(here, seat, player) for seat, player in zip(seats, players, strict=True)]
            draft.update(records=lambda frame, named=named: frame.with_columns(named))  # type: ignore[misc]  # bound now


def _change_identity(draft: Draft, old: str, new: str) -> None:
    """Rename a contestant that is known by its names; it becomes one with another one of the new names."""
    draft.names |= {**{name: new for name, known in draft.names.items() if known == old}, old: new}
    draft.update(
        results=lambda frame: frame.with_columns(pl.col(_IDENTITIES).replace(old, new)),
        records=lambda frame: frame.with_columns(pl.col(list(_SEATS_OF)).replace(old, new)),
        contestants=lambda frame: _each_once(frame.with_columns(pl.col("contestant").replace(old, new))),
    )


def _each_once(contestants: pl.DataFrame) -> pl.DataFrame:
    """List contestants once each; one that is listed N-S and E-W, or in two sections, has no direction or section."""
    key = ["contestant", "names"]
    once = contestants.with_columns(
        pl.when(pl.col(name).n_unique().over(key) == 1).then(name).alias(name) for name in ("section", "direction")
    )
    return once.unique(key, keep="first", maintain_order=True)


def _players(draft: Draft) -> set[str]:
    """Return the names of all players."""
    records = draft.records
    texts = pl.concat([draft.session.contestants["names"], *(records[seat] for seat in _SEATS)])
    return {name for text in texts.drop_nulls().unique() for name in text.split(BETWEEN) if name}


def _replace_player(draft: Draft, old: str, new: str, *, key: str, same_person: bool = True) -> None:
    """Replace a player's name, in one pair if the entry names one, else wherever it is written."""
    pair = draft.entry.pair
    who = find_contestant(draft, pair) if pair is not None else None
    here = select_rows(who) if who else pl.lit(value=True)
    contestants = draft.session.contestants.filter(here)
    listed = contestants["names"].drop_nulls().unique().to_list()
    _claim_player(draft, who, listed, old, key)
    if not same_person:
        _clear_member(draft, here, old)
    changed = {text: _renamed(text, old, new) for text in listed if old in text.split(BETWEEN)}
    names = pl.when(here).then(pl.col("names").replace(changed)).otherwise("names").alias("names")
    draft.update(contestants=lambda frame: frame.with_columns(names))
    if who is None:
        read = pl.col("record").is_in(draft.records["record"].implode())
        seats = pl.when(read).then(pl.col(_SEATS).replace(old, new)).otherwise(pl.col(_SEATS))
        draft.update(records=lambda frame: frame.with_columns(seats))
        changed |= {old: new}
    else:
        for text in changed.values():
            _name_seats(draft, who, text)
    for identity in sorted(changed.keys() & {*contestants["contestant"]}):
        _change_identity(draft, identity, changed[identity])


def _claim_player(draft: Draft, who: Contestant | None, listed: list[str], old: str, key: str) -> None:
    """Refuse a name that nobody has, in one pair or anywhere, and one that another entry changes."""
    known = {name for text in listed for name in text.split(BETWEEN)} if who else _players(draft)
    if old not in known:
        of = f" of {who.name}" if who else ""
        raise draft.refusal("correction-unmatched", key, reason=f"no player{of} is called {old}; {nearest(old, known)}")
    draft.claim({("player", old, who): f"renames {old}"})


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


# Corrections of what is said once of a session, and of the cards of a deal.

_SUITS: Final = "SHDC"
"""In the order of a hand of PBN."""

_SIGNS: Final = dict(zip(CARDS, CARD_SIGNS, strict=True))
_COLUMNS: Final = {"title": "event", "date": "date", "club": "site"}
_OF_THE_DEAL: Final = (
    *("DoubleDummyTricks", "OptimumResultTable", "Ability", "TABLE"),
    *("OptimumScore", "ParScore", "Minimax", "PAR", "ParContract", "OptimumContract"),
)
"""Tags with what was computed from the cards: they do not hold for other cards."""


def set_fact(draft: Draft) -> Change:
    """Set the title, the date, or the club or place."""
    entry = draft.entry
    kind = entry.kind
    stated = str(entry.day if kind == "date" else getattr(entry, kind))
    new = read_date(stated) or stated if kind == "date" else stated
    draft.claim({kind: f"sets the {kind}"})
    column = _COLUMNS[kind]
    old = getattr(draft.session.facts, column)
    read = pl.col("record").is_in(draft.records["record"].implode())
    text = pl.when(read).then(pl.lit(new)).otherwise(column).alias(column)
    draft.update(records=lambda frame: frame.with_columns(text))
    changed: dict[str, Any] = {column: new}
    draft.session = replace(draft.session, facts=replace(draft.session.facts, **changed))
    return Change(f"{kind}: {new}{in_place_of(old or '')}", old or "", new, is_none=old == new)


def swap_cards(draft: Draft) -> Change:
    """Let two cards of a board change places in every game record that shows both.

    Double-dummy tables and par that the file states for the board are left out: they were computed from the other
    cards.
    """
    entry = draft.entry
    cards = entry.cards or []
    here = draft.records.filter(pl.col("board") == entry.board, pl.col("deal").is_not_null())
    if entry.section is not None:
        here = here.filter(pl.col("section") == entry.section)
    deals = here["deal"].unique(maintain_order=True).to_list()
    _check_cards(draft, cards, deals)
    says = {("card", entry.board, entry.section, card): f"moves {_SIGNS[card]}" for card in cards}
    draft.claim(says)
    changed = {deal: _exchanged(deal, cards[0], cards[1]) for deal in deals}
    touched = here["record"].implode()
    stated = pl.col("record").is_in(touched) & pl.col("name").is_in(_OF_THE_DEAL)
    deal = (
        pl.when(pl.col("record").is_in(touched)).then(pl.col("deal").replace(changed)).otherwise("deal").alias("deal")
    )
    draft.update(
        records=lambda frame: frame.with_columns(deal),
        listed=lambda frame: frame.filter(~stated.fill_null(value=False)),
    )
    after = {card: _holder(changed[deals[0]], card) for card in cards}
    places = [f"{_SIGNS[card]} to {SEAT_NAMES[seat]}" for card, seat in after.items() if seat is not None]
    return Change(f"cards: {' and '.join(places)}", deals[0], changed[deals[0]])


def _check_cards(draft: Draft, cards: list[str], deals: list[str]) -> None:
    """Refuse cards that can't change places in the deals of a board."""
    if not deals:
        boards = draft.records.drop_nulls(["board", "deal"])["board"].to_list()
        reason = f"the files show no deal of this board{f'; they show boards {ranges(boards)}' if boards else ''}"
        raise draft.refusal("correction-unmatched", "board", reason=reason)
    if cards[0] == cards[1]:
        raise draft.refusal("correction-impossible", "cards", reason="these are not two cards")
    for card in cards:
        if all(_holder(deal, card) is None for deal in deals):
            raise draft.refusal("correction-unmatched", "cards", reason=f"no hand shows {_SIGNS[card]}")
    first, second = (_holder(deals[0], card) for card in cards)
    if first == second:
        raise draft.refusal("correction-impossible", "cards", reason=f"{SEAT_NAMES[first or 0]} holds both cards")


def _hands(deal: str) -> list[str]:
    return deal.partition(":")[2].split(" ")


def _holder(deal: str, card: str) -> int | None:
    """Return the seat that holds a card in a canonical deal, from 0 for North; None if no hand shows it."""
    for seat, hand in enumerate(_hands(deal)):
        if hand != "-" and card[1] in hand.split(".")[_SUITS.index(card[0])]:
            return seat
    return None


def _exchanged(deal: str, first: str, second: str) -> str:
    """Return a deal in which two cards have changed places."""
    seats = {first: _holder(deal, second), second: _holder(deal, first)}
    hands = [hand if hand == "-" else _without(hand, (first, second)) for hand in _hands(deal)]
    for card, seat in seats.items():
        if seat is not None:
            hands[seat] = _with(hands[seat], card)
    return f"N:{' '.join(hands)}"


def _without(hand: str, cards: tuple[str, str]) -> str:
    suits = hand.split(".")
    for card in cards:
        at = _SUITS.index(card[0])
        suits[at] = suits[at].replace(card[1], "")
    return ".".join(suits)


def _with(hand: str, card: str) -> str:
    suits = hand.split(".")
    at = _SUITS.index(card[0])
    suits[at] = "".join(sorted(suits[at] + card[1], key=RANKS.index, reverse=True))
    return ".".join(suits)
