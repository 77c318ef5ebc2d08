"""Plays by hand: small hands played card by card, and a referee who sits at one table."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from hypothesis import strategies as st

from overtrick.bridge.cards import CARDS, SEATS, STRAINS, UNKNOWN, owners
from overtrick.bridge.play import Boards, PlayFault, Plays, replay_plays
from tests.deals import Board, random_boards

Fault = tuple[int, PlayFault]
Row = Sequence[int]


def cards(text: str) -> list[int]:
    """Read cards as the rows stand: `SA HA - CA`."""
    return [UNKNOWN if word == "-" else CARDS.index(word) for word in text.split()]


def _padded(played: Sequence[int]) -> list[int]:
    return [*played, *[UNKNOWN] * (52 - len(played))]


def one_play(
    deal: str | None, play: str, *, first: str = "W", leader: str | None = None, strain: str = "NT", leads: str = ""
) -> Boards:
    """Lay one play out; `leads` names the leader of each trick that is recorded as led out of turn, `.` for none."""
    marked = [UNKNOWN if seat == "." else SEATS.index(seat) for seat in leads.ljust(13, ".")]
    return Boards(
        owner=owners(pl.Series([deal], dtype=pl.String)),
        cards=np.array([_padded(cards(play))], np.uint8),
        first=np.array([SEATS.index(first)], np.uint8),
        leader=np.array([SEATS.index(leader or first)], np.uint8),
        strain=np.array([STRAINS.index(strain)], np.uint8),
        leads=np.array([marked], np.uint8),
    )


def replayed(deal: str | None, play: str, **how: str) -> Plays:
    """Replay one play, laid out by `one_play`."""
    return replay_plays(one_play(deal, play, **how))


def as_boards(boards: Sequence[Board], plays: Sequence[Row] | None = None) -> Boards:
    """Put random boards side by side, with other cards played than theirs if wanted."""
    rows = [[card for row in board.rows for card in row] for board in boards] if plays is None else plays
    owner = np.full((len(boards), 52), UNKNOWN, dtype=np.uint8)
    for number, board in enumerate(boards):
        for seat, hand in enumerate(board.hands):
            owner[number, list(hand)] = seat
    leaders = np.array([board.leader or 0 for board in boards], dtype=np.uint8)
    return Boards(
        owner=owner,
        cards=np.array([_padded(row) for row in rows], dtype=np.uint8).reshape(-1, 52),
        first=leaders,
        leader=leaders,
        strain=np.array([board.contract.strain if board.contract else UNKNOWN for board in boards], dtype=np.uint8),
        leads=np.full((len(boards), 13), UNKNOWN, dtype=np.uint8),
    )


def played_boards() -> st.SearchStrategy[Board]:
    """A board with a contract, played to the end."""
    dealt = st.integers(0, 10**6).map(lambda seed: random_boards(1, seed, claims=0.0)[0])
    return dealt.filter(lambda board: board.contract is not None)


def faults(plays: Plays, number: int = 0) -> list[Fault]:
    """List place and fault of the cards of one play."""
    found = plays.faults
    mine = found.board == number
    return [(int(p), PlayFault(f)) for p, f in zip(found.place[mine], found.fault[mine], strict=True)]


def winners(plays: Plays, number: int = 0) -> str:
    """Name the winners of a play trick by trick, `.` for a trick that nobody is known to have won."""
    return "".join("." if seat == UNKNOWN else SEATS[seat] for seat in plays.winner[number]).rstrip(".")


def referee(board: Board, play: Row) -> list[Fault]:
    """Judge a play in fixed columns up to its first trick with a card that can't be, one card after the other."""
    assert board.contract
    held = [set(hand) for hand in board.hands]
    trump = board.contract.strain
    leader = first = (board.contract.declarer + 1) % 4
    seen: set[int] = set()
    for start in range(0, len(play), 4):
        by_seat = {(first + column) % 4: play[start + column] for column in range(4)}
        places = {(first + column) % 4: start + column for column in range(4)}
        wrong: list[Fault] = []
        for seat, card in by_seat.items():
            if card in seen:
                wrong.append((places[seat], PlayFault.AGAIN))
            elif card not in board.hands[seat]:
                wrong.append((places[seat], PlayFault.NOT_HELD))
            seen.add(card)
        spoiled = {place for place, _ in wrong}
        led = by_seat[leader] // 13
        for seat, card in by_seat.items():
            held[seat] -= seen
            could = any(other // 13 == led for other in held[seat])
            if card // 13 != led and could and not spoiled & {places[seat], places[leader]}:
                wrong.append((places[seat], PlayFault.REVOKE))
        if wrong:
            return sorted(wrong)
        worth = {led: 100, trump: 200}
        leader = max(by_seat, key=lambda seat: worth.get(by_seat[seat] // 13, 0) + by_seat[seat] % 13)
    return []
