"""Corrections of what is said once of a session, and of the cards of a deal."""

from dataclasses import replace
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.cards import CARD_SIGNS, CARDS, RANKS, SEAT_NAMES
from overtrick.core.problems import Finding
from overtrick.files.correct.draft import Change, Draft
from overtrick.files.correct.targets import ranges
from overtrick.files.correct.words import in_place_of

_SUITS: Final = "SHDC"
"""In the order of a hand of PBN."""

_SIGNS: Final = dict(zip(CARDS, CARD_SIGNS, strict=True))
_COLUMNS: Final = {"title": "event", "date": "date", "club": "site"}
_OF_THE_DEAL: Final = (
    *("DoubleDummyTricks", "OptimumResultTable", "Ability", "TABLE"),
    *("OptimumScore", "ParScore", "Minimax", "PAR", "ParContract", "OptimumContract"),
)
"""Tags with what was computed from the cards: they do not hold for other cards."""


def set_fact(draft: Draft) -> Change | Finding:
    """Set the title, the date, or the club or place."""
    entry = draft.entry
    kind = entry.kind
    new = str(entry.day if kind == "date" else getattr(entry, kind))
    if contradiction := draft.claim({kind: f"sets the {kind}"}):
        return contradiction
    column = _COLUMNS[kind]
    old = getattr(draft.session.facts, column)
    read = pl.col("record").is_in(draft.records["record"].implode())
    text = pl.when(read).then(pl.lit(new)).otherwise(column).alias(column)
    draft.update(records=lambda frame: frame.with_columns(text))
    changed: dict[str, Any] = {column: new}
    draft.session = replace(draft.session, facts=replace(draft.session.facts, **changed))
    return Change(f"{kind}: {new}{in_place_of(old or '')}", old or "", new, is_none=old == new)


def swap_cards(draft: Draft) -> Change | Finding:
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
    if finding := _check_cards(draft, cards, deals):
        return finding
    says = {("card", entry.board, entry.section, card): f"moves {_SIGNS[card]}" for card in cards}
    if contradiction := draft.claim(says):
        return contradiction
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


def _check_cards(draft: Draft, cards: list[str], deals: list[str]) -> Finding | None:
    """Return why the cards can't change places in the deals of a board; None if they can."""
    if not deals:
        boards = draft.records.drop_nulls(["board", "deal"])["board"].to_list()
        reason = f"the files show no deal of this board{f'; they show boards {ranges(boards)}' if boards else ''}"
        return draft.finding("correction-unmatched", "board", reason=reason)
    if cards[0] == cards[1]:
        return draft.finding("correction-impossible", "cards", reason="these are not two cards")
    for card in cards:
        if all(_holder(deal, card) is None for deal in deals):
            return draft.finding("correction-unmatched", "cards", reason=f"no hand shows {_SIGNS[card]}")
    first, second = (_holder(deals[0], card) for card in cards)
    if first == second:
        return draft.finding("correction-impossible", "cards", reason=f"{SEAT_NAMES[first or 0]} holds both cards")
    return None


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
