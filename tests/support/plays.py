"""Plays by hand: small hands played card by card, and a referee who sits at one table."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from hypothesis import strategies as st

from overtrick.core.bridge.cards import CARDS, SEATS, STRAINS, UNKNOWN, held
from overtrick.core.bridge.play import Boards, PlayFault, Plays, replay_plays
from tests.support.deals import Board, random_boards

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
        hands=held(pl.Series([deal], dtype=pl.String)),
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
    hands = [[sum(1 << card for card in hand) for hand in board.hands] for board in boards]
    leaders = np.array([board.leader or 0 for board in boards], dtype=np.uint8)
    return Boards(
        hands=np.array(hands, dtype=np.uint64).reshape(-1, 4),
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


class Referee:
    """Sits at one table and judges a play in fixed columns, one card after the other, each wrong one as it stands."""

    def __init__(self, board: Board) -> None:
        """Take the hands of a board with a contract."""
        assert board.contract
        self.hands = board.hands
        self.trump = board.contract.strain
        self.first = (board.contract.declarer + 1) % 4
        self.leader: int | None = self.first
        self.held = [set(hand) for hand in board.hands]
        self.unseen = [0] * 4
        """Cards that each has played without anyone knowing which."""
        self.seen: set[int] = set()

    def judge(self, play: Row) -> tuple[list[Fault], list[int]]:
        """Give the faults of whole tricks in the order of the columns, and the winner of each or `UNKNOWN`."""
        faults, winners = [], []
        for start in range(0, len(play), 4):
            trick = {(self.first + column) % 4: play[start + column] for column in range(4)}
            wrong = self._trick(trick)
            faults += [(start + (seat - self.first) % 4, wrong[seat]) for seat in trick if seat in wrong]
            winners.append(UNKNOWN if self.leader is None else self.leader)
        return faults, winners

    def _trick(self, trick: dict[int, int]) -> dict[int, PlayFault]:
        wrong = {}
        for seat, card in trick.items():
            if card in self.seen:
                wrong[seat] = PlayFault.AGAIN
            elif card not in self.hands[seat]:
                wrong[seat] = PlayFault.NOT_HELD
            else:
                self.seen.add(card)
                self.held[seat].remove(card)
        impossible = set(wrong)
        if self.leader is not None and self.leader not in impossible:
            led = trick[self.leader] // 13
            for seat in trick.keys() - impossible:
                could = sum(card // 13 == led for card in self.held[seat]) > self.unseen[seat]
                if trick[seat] // 13 != led and could:
                    wrong[seat] = PlayFault.REVOKE
        for seat in impossible:
            self.unseen[seat] += 1
        self.leader = None if impossible else self._winner(trick)
        return wrong

    def _winner(self, trick: dict[int, int]) -> int | None:
        """Say who wins, whoever led where that is not known."""
        leads = [self.leader] if self.leader is not None else list(trick)
        worths = [{trick[seat] // 13: 100, self.trump: 200} for seat in leads]
        winners = {max(trick, key=lambda seat: worth.get(trick[seat] // 13, 0) + trick[seat] % 13) for worth in worths}
        return winners.pop() if len(winners) == 1 else None
