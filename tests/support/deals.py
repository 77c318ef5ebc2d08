"""Random legal boards, the same ones for the same seed: what property tests and benchmarks feed on.

A board is dealt, bid and played card by card, so its contract, declarer and tricks are known without any reader or
replay of the package. Seats, calls and cards are the codes of `overtrick.core.bridge`. `pbn` writes boards as programs
do, `free_pbn` as the import form of PBN also allows: both texts mean the same.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from overtrick.core.bridge.auction import CALLS, DOUBLE, FIRST_BID, PASS, REDOUBLE, bid
from overtrick.core.bridge.cards import CARDS, RANKS, SEATS, STRAINS

DATE: Final = "2026.10.06"
"""The day of boards in PBN."""

NOTRUMP: Final = STRAINS.index("NT")
VULNERABILITIES: Final = ("None", "NS", "EW", "All")

OPENING: Final = 0.65
DOUBLING: Final = 0.06
BIDDING: Final = (0.75, 0.55, 0.4, 0.12, 0.1, 0.05, 0.0)
"""Chance of another bid when the last one was at level 1 to 7; half of it for the opponents of the last bidder."""


@dataclass(frozen=True)
class Contract:
    """What was bid, by whom: level 1 to 7, strain 0 to 4, doubled 0 to 2, declarer's seat."""

    level: int
    strain: int
    doubled: int
    declarer: int

    def __str__(self) -> str:
        """Write the contract as PBN does: `4SX`."""
        return f"{self.level}{STRAINS[self.strain]}{'X' * self.doubled}"


@dataclass(frozen=True)
class Board:
    """One board that was bid and played within the Laws."""

    number: int
    hands: tuple[tuple[int, ...], ...]
    """Cards by seat, North first, lowest club first."""
    calls: tuple[int, ...]
    """From the dealer on, with the passes that end the auction."""
    contract: Contract | None
    """None when passed out."""
    rows: tuple[tuple[int, ...], ...]
    """A trick each: four cards by seat, from the opening leader clockwise. Fewer than 13 when a claim ended it."""
    winners: tuple[int, ...]
    """Seat that won each of the rows."""
    tricks: int | None
    """Declarer's tricks, those of the claim included; None when passed out."""

    @property
    def dealer(self) -> int:
        """Seat that deals this number (Law 2)."""
        return (self.number - 1) % 4

    @property
    def vulnerable(self) -> str:
        """Vulnerability of this number (Law 2): it moves on by one board in every four."""
        return VULNERABILITIES[(self.number - 1 + (self.number - 1) // 4) % 4]

    @property
    def leader(self) -> int | None:
        """Seat that makes the opening lead: declarer's left-hand opponent."""
        return (self.contract.declarer + 1) % 4 if self.contract else None


def random_boards(count: int, seed: int = 0, *, claims: float = 0.3) -> list[Board]:
    """Make boards number 1 to `count`; a share `claims` of the plays ends early with a claim."""
    rng = Random(seed)
    return [_random_board(number, rng, claims) for number in range(1, count + 1)]


def _random_board(number: int, rng: Random, claims: float) -> Board:
    pack = rng.sample(range(52), 52)
    hands = tuple(tuple(sorted(pack[start : start + 13])) for start in range(0, 52, 13))
    calls, contract = _random_auction((number - 1) % 4, rng)
    if contract is None:
        return Board(number, hands, calls, None, (), (), None)
    rows, winners = _random_play(hands, contract, rng)
    if rng.random() < claims:
        kept = rng.randrange(13)
        rows, winners = rows[:kept], winners[:kept]
    won = sum(winner % 2 == contract.declarer % 2 for winner in winners)
    return Board(number, hands, calls, contract, rows, winners, won + rng.randint(0, 13 - len(rows)))


def _random_auction(dealer: int, rng: Random) -> tuple[tuple[int, ...], Contract | None]:
    """Bid until three passes follow a bid, or four open (Laws 18, 19 and 22)."""
    calls: list[int] = []
    highest, bidder, doubled, passes = None, 0, 0, 0
    named: dict[tuple[int, int], int] = {}
    while passes < (4 if highest is None else 3):
        caller = (dealer + len(calls)) % 4
        call = _random_call(highest, doubled, (caller - bidder) % 2 == 1, rng)
        calls.append(call)
        passes = passes + 1 if call == PASS else 0
        if call in (DOUBLE, REDOUBLE):
            doubled += 1
        elif call >= FIRST_BID:
            highest, bidder, doubled = call, caller, 0
            named.setdefault((caller % 2, (call - FIRST_BID) % 5), caller)
    if highest is None:
        return tuple(calls), None
    level, strain = divmod(highest - FIRST_BID, 5)
    return tuple(calls), Contract(level + 1, strain, doubled, named[bidder % 2, strain])


def _random_call(highest: int | None, doubled: int, opponent: bool, rng: Random) -> int:
    chance = rng.random()
    if highest is None:
        return bid(1, rng.randrange(5)) if chance < OPENING else PASS
    if doubled < 2 and opponent == (doubled == 0) and chance < DOUBLING:
        return DOUBLE + doubled
    bidding = BIDDING[(highest - FIRST_BID) // 5] / (2 if opponent else 1)
    return min(highest + rng.randint(1, 4), bid(7, NOTRUMP)) if chance > 1 - bidding else PASS


def _random_play(
    hands: Sequence[Sequence[int]], contract: Contract, rng: Random
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Play thirteen tricks, each card any that follows suit, else any at all (Law 44)."""
    held = [list(hand) for hand in hands]
    rows, winners = [], []
    first = leader = (contract.declarer + 1) % 4
    for _ in range(13):
        trick: dict[int, int] = {}
        led = None
        for turn in range(4):
            seat = (leader + turn) % 4
            card = rng.choice([card for card in held[seat] if card // 13 == led] or held[seat])
            held[seat].remove(card)
            trick[seat] = card
            led = card // 13 if led is None else led
        leader = max(trick, key=_strength(trick, trick[leader] // 13, contract.strain))
        winners.append(leader)
        rows.append(tuple(trick[(first + column) % 4] for column in range(4)))
    return tuple(rows), tuple(winners)


def _strength(trick: dict[int, int], led: int, trump: int) -> Callable[[int], int]:
    value = {led: 100, trump: 200}
    return lambda seat: value.get(trick[seat] // 13, 0) + trick[seat] % 13


def pbn(boards: Iterable[Board]) -> str:
    """Write boards as programs do: the fifteen mandatory tags in order, Auction, Play with a column a seat."""
    return "% PBN 2.1\n" + "\n".join("\n".join(_game(board)) + "\n" for board in boards)


def _game(board: Board) -> Iterator[str]:
    yield from (f'[{name} "{value}"]' for name, value in _tags(board, first=board.dealer))
    yield f'[Auction "{SEATS[board.dealer]}"]'
    yield from _lines([CALLS[call] for call in board.calls])
    if board.leader is not None:
        yield f'[Play "{SEATS[board.leader]}"]'
        yield from _lines([CARDS[card] for row in board.rows for card in row])
        if len(board.rows) < 13:
            yield "*"


def _lines(words: Sequence[str]) -> Iterator[str]:
    return (" ".join(words[start : start + 4]) for start in range(0, len(words), 4))


def _tags(board: Board, first: int) -> list[tuple[str, str]]:
    contract = board.contract
    return [
        ("Event", "Random boards"),
        ("Site", "Lantern Street Bridge Club"),
        ("Date", DATE),
        ("Board", str(board.number)),
        ("West", "Okafor, Ada"),
        ("North", "Lindqvist, Bo"),
        ("East", "Marsh, Celia"),
        ("South", "Duarte, Dinis"),
        ("Dealer", SEATS[board.dealer]),
        ("Vulnerable", board.vulnerable),
        ("Deal", _deal(board.hands, first)),
        ("Scoring", "MatchPoints;MP1"),
        ("Declarer", SEATS[contract.declarer] if contract else ""),
        ("Contract", str(contract or "Pass")),
        ("Result", "" if board.tricks is None else str(board.tricks)),
    ]


def _deal(hands: Sequence[Sequence[int]], first: int) -> str:
    written = [_hand(hands[(first + seat) % 4]) for seat in range(4)]
    return f"{SEATS[first]}:{' '.join(written)}"


def _hand(cards: Sequence[int]) -> str:
    suits = ("".join(RANKS[card % 13] for card in reversed(cards) if card // 13 == suit) for suit in (3, 2, 1, 0))
    return ".".join(suits)


_SYNONYMS: Final = {
    "None": ("None", "none", "Love", "-"),
    "NS": ("NS", "ns"),
    "EW": ("EW", "ew"),
    "All": ("All", "ALL", "Both"),
}

# Nothing else may separate: two line ends in a row would end the game.
_SPACES: Final = (" ", "  ", "\t", "\n")


def free_pbn(boards: Iterable[Board], seed: int = 0) -> str:
    """Write the same boards with the freedoms of the import form, chosen at random (PBN 2.1, 3 and 3.11).

    Tags in any order and several a line, any white space, comments with blank lines in them, a deal from any seat,
    lower case, other names of a vulnerability, an auction padded with `-` and cut short by `AP`, escape lines.
    """
    rng = Random(seed)
    return "\n\n".join(_free_game(board, rng).rstrip() for board in boards) + "\n"


def _free_game(board: Board, rng: Random) -> str:
    tags = dict(_tags(board, first=rng.randrange(4)))
    tags["Vulnerable"] = rng.choice(_SYNONYMS[board.vulnerable])
    for name in ("Dealer", "Deal", "Contract", "Declarer"):
        tags[name] = rng.choice((tags[name], tags[name].lower()))
    contract = board.contract
    if contract and board.tricks is not None and rng.random() < 0.5:
        side, other = ("NS", "EW") if contract.declarer % 2 == 0 else ("EW", "NS")
        tags["Result"] = rng.choice((f"{side} {board.tricks}", f"{other} {13 - board.tricks} {side} {board.tricks}"))
    parts = [_free_tag(name, value, rng) for name, value in rng.sample(list(tags.items()), len(tags))]
    parts += _free_auction(board, rng)
    if board.leader is not None:
        parts.append(_free_tag("Play", SEATS[board.leader], rng))
        parts += [_free_word(CARDS[card], rng) for row in board.rows for card in row]
        parts += ["*"] if len(board.rows) < 13 else []
    return "".join(parts)


def _free_auction(board: Board, rng: Random) -> Iterator[str]:
    padding = rng.randrange(4)
    yield _free_tag("Auction", SEATS[(board.dealer - padding) % 4], rng)
    words = ["-"] * padding + [CALLS[call] for call in board.calls]
    if rng.random() < 0.5:
        words[-3 if board.contract else -4 :] = ["AP"]
    yield from (_free_word(word, rng) for word in words)


def _free_tag(name: str, value: str, rng: Random) -> str:
    tag = rng.choice((f'[{name} "{value}"]', f'[ {name}\t"{value}" ]', f'[{name}"{value}"]', f'[{name}\n"{value}"]'))
    return tag + rng.choice((*_SPACES, "; a remark\n", "{ two\n\nlines }", "\n% private\n"))


def _free_word(word: str, rng: Random) -> str:
    return rng.choice((word, word.lower())) + rng.choice(_SPACES)
