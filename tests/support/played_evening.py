"""An evening with every auction and play recorded: the same deals at every table, the same evening for the same seed.

The players are simple, but not senseless: they bid what their points and their longest fit come to, give or take a
level, lead from length or the top of an honour sequence, play low second and high third, and win cheaply.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from overtrick.core.bridge.auction import PASS, bid
from tests.support.deals import NOTRUMP, Board, Contract, pbn

Hands = tuple[tuple[int, ...], ...]

_CHANCE_OF_WHIM: Final = 0.12
"""How often a player plays just any card that the Laws allow."""


def played_evening(boards: int, tables: int, seed: int = 0) -> str:
    """Return the evening as PBN: board 1 at all tables, then board 2; the pairs have the number of their table."""
    rng = Random(seed)
    games = []
    for number in range(1, boards + 1):
        hands = _dealt(rng)
        for table in range(1, tables + 1):
            text = pbn([_played(number, hands, rng)]).removeprefix("% PBN 2.1\n")
            tags = f'[Table "{table}"]\n[PairNS "{table}"]\n[PairEW "{table + tables}"]\n[Auction '
            games.append(text.replace("[Auction ", tags, 1))
    return "% PBN 2.1\n" + "\n".join(games)


def _dealt(rng: Random) -> Hands:
    pack = rng.sample(range(52), 52)
    return tuple(tuple(sorted(pack[start : start + 13])) for start in range(0, 52, 13))


def _played(number: int, hands: Hands, rng: Random) -> Board:
    contract = _bid(hands, rng)
    dealer = (number - 1) % 4
    passes = (PASS,) * ((contract.declarer - dealer) % 4)
    calls = (*passes, bid(contract.level, contract.strain), *(PASS,) * 3)
    rows, winners = _play(hands, contract, rng)
    made = sum(winner % 2 == contract.declarer % 2 for winner in winners)
    return Board(number, hands, calls, contract, rows, winners, made)


def _bid(hands: Hands, rng: Random) -> Contract:
    points = [sum(max(card % 13 - 8, 0) for card in hand) for hand in hands]
    side = 0 if points[0] + points[2] + rng.choice((-1, 0, 1)) >= 20 else 1
    pair = (hands[side], hands[side + 2])
    fits = [sum(card // 13 == suit for hand in pair for card in hand) for suit in range(4)]
    best = max(range(4), key=lambda suit: (fits[suit], suit))
    strain = best if fits[best] >= 8 and not (best < 2 and rng.random() < 0.5) else NOTRUMP
    strength = points[side] + points[side + 2] + (fits[best] - 8 if strain != NOTRUMP else 0) + rng.randint(-1, 2)
    level = next(level for level, least in ((7, 38), (6, 33), (4, 25), (3, 23), (2, 20), (1, -99)) if strength >= least)
    level = 3 if (level, strain) == (4, NOTRUMP) else level
    lengths = [sum(card // 13 == strain for card in hands[seat]) for seat in (side, side + 2)]
    return Contract(level, strain, 0, side if lengths[0] >= lengths[1] else side + 2)


def _play(hands: Hands, contract: Contract, rng: Random) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    held = [list(hand) for hand in hands]
    rows, winners = [], []
    first = leader = (contract.declarer + 1) % 4
    for number in range(13):
        trick: list[int] = []
        for turn in range(4):
            seat = (leader + turn) % 4
            card = _chosen(held[seat], trick, contract, rng, opening=number == 0)
            held[seat].remove(card)
            trick.append(card)
        order = [trick[(first + column - leader) % 4] for column in range(4)]
        best = max(range(4), key=lambda turn: _rank(trick[turn], trick[0], contract.strain))
        leader = (leader + best) % 4
        winners.append(leader)
        rows.append(tuple(order))
    return tuple(rows), tuple(winners)


def _rank(card: int, led: int, trump: int) -> int:
    return (200 if card // 13 == trump else 100 if card // 13 == led // 13 else 0) + card % 13


def _chosen(held: Sequence[int], trick: Sequence[int], contract: Contract, rng: Random, *, opening: bool) -> int:
    if not trick:
        return _led(held, contract, rng, opening=opening)
    lawful = [card for card in held if card // 13 == trick[0] // 13] or list(held)
    if rng.random() < _CHANCE_OF_WHIM:
        return rng.choice(lawful)
    trump, led = contract.strain, trick[0]
    ranks = [_rank(card, led, trump) for card in trick]
    low = min(lawful, key=lambda card: (card // 13 == trump, card % 13))
    ours = len(trick) >= 2 and max(ranks) == ranks[-2]
    beating = [card for card in lawful if _rank(card, led, trump) > max(ranks)]
    if not beating or ours or (len(trick) == 1 and led % 13 < 8):
        return low
    by_rank = sorted(beating, key=lambda card: _rank(card, led, trump))
    return by_rank[-1] if len(trick) == 2 else by_rank[0]


def _led(held: Sequence[int], contract: Contract, rng: Random, *, opening: bool) -> int:
    suits = [sorted((card for card in held if card // 13 == suit), reverse=True) for suit in range(4)]
    usable = [suit for suit in suits if suit and (suit[0] // 13 != contract.strain or not opening)] or [
        suit for suit in suits if suit
    ]
    touching = [suit for suit in usable if len(suit) > 1 and suit[0] - suit[1] == 1 and suit[0] % 13 >= 9]
    suit = rng.choice(touching) if touching and rng.random() < 0.6 else max(usable, key=lambda one: (len(one), one[0]))
    if suit in touching:
        return suit[0]
    return suit[3] if len(suit) > 3 else rng.choice((suit[0], suit[-1]))
