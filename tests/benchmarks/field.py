"""Whether the parts of a result tell who is good at what: evenings played by pairs whose skill is known.

Run `python -m tests.benchmarks.field` from the checkout; it needs the extra `dd` and half an hour. Eight tables play 24
boards in eight rounds. Each pair has four chances to err, in bidding, in the opening lead, as declarer and as defender,
and these are spread evenly over the sixteen pairs, each in an order of its own. The pairs draw their seats anew each
evening: a result is compared with those who held the same cards, so lines that never change are never compared. Two
kinds of evenings are played:

- with cards: a player who errs plays a card that gives up a trick, if there is one, and a card that gives up none
  otherwise; the solver finds them;
- by tricks alone: a pair that errs loses a trick against double dummy, and no card is recorded. Its chance is
  then the same as declarer and as defender, because nothing tells the two apart.

It prints Spearman's rank correlation of each part with the skill: the mean over evenings, of N-S and of E-W by
themselves because they are ranked apart, and over seasons, of all pairs. Evenings of pairs without differences in skill
say how often a part looks significant by chance: its 95 % interval leaves out 0.
"""

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from random import Random
from statistics import mean
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import CARDS, SEATS, STRAINS
from overtrick.core.config import Config, Scoring
from overtrick.core.frames import Session
from overtrick.judge.analyse import solver
from overtrick.judge.analyse.explain import explain
from overtrick.judge.people.performance import ENOUGH_BOARDS, find_interval, summarize
from overtrick.judge.people.season import note_evening
from overtrick.pipeline import evaluate
from tests.support.deals import NOTRUMP, Contract
from tests.support.pbn_texts import session

TABLES: Final = 8
ROUNDS: Final = 8
BOARDS_A_ROUND: Final = 3
SKILLS: Final = ("bidding", "lead", "declarer", "defence")
GOOD, POOR = 0, 1
OF_CARDS: Final = {"bidding": (0.0, 0.6), "lead": (0.0, 1.0), "declarer": (0.0, 0.15), "defence": (0.0, 0.25)}
"""By skill, the chance of the best and of the poorest pair to err: in a contract, a lead, a card."""
OF_TRICKS: Final = {"bidding": (0.0, 0.6), "play": (0.0, 0.7)}
"""The same where no card is recorded: declarer and the defenders err at most once in a board."""

GAME: Final = """[Event "Field"]
[Board "{board}"]
[Dealer "{dealer}"]
[Vulnerable "None"]
[Deal "{deal}"]
[Scoring "MP"]
[Round "{round}"]
[Table "{table}"]
[PairNS "{ns}"]
[PairEW "{ew}"]
[Contract "{contract}"]
[Declarer "{declarer}"]
[Result "{tricks}"]
{play}
"""

Skills = dict[str, list[float]]
"""By skill, the chance of each of the sixteen pairs to err."""


@dataclass
class Table:
    """A board at one table while it is played."""

    board: int
    round: int
    table: int
    ns: int
    ew: int
    deal: str
    hands: list[list[int]]
    contract: Contract
    best: int
    """Tricks of declarer's side double dummy."""
    cards: list[int]
    leader: int
    won: int = 0

    @property
    def turn(self) -> int:
        """The seat that plays the next card."""
        return (self.leader + len(self.cards) % 4) % 4

    def pair_of(self, seat: int) -> int:
        """Return the number of the pair of a seat, from 0."""
        return (self.ew if seat % 2 else self.ns) - 1


def spread_skills(rng: Random, chances: dict[str, tuple[float, float]]) -> Skills:
    """Spread each skill evenly over the pairs, in an order of its own."""
    pairs = 2 * TABLES
    steps = {
        name: [low + (high - low) * n / (pairs - 1) for n in range(pairs)] for name, (low, high) in chances.items()
    }
    return {name: rng.sample(values, pairs) for name, values in steps.items()}


def deal_boards(rng: Random, boards: int) -> list[str]:
    """Deal boards at random, in canonical form."""
    dealt = []
    for _ in range(boards):
        pack = rng.sample(range(52), 52)
        hands = [sorted(pack[start : start + 13], reverse=True) for start in range(0, 52, 13)]
        dealt.append(
            "N:"
            + " ".join(
                ".".join("".join(CARDS[c][1] for c in hand if c // 13 == s) for s in (3, 2, 1, 0)) for hand in hands
            )
        )
    return dealt


def read_hands(deal: str) -> list[list[int]]:
    """Return the codes of the cards of each seat."""
    suits = [hand.split(".") for hand in deal.removeprefix("N:").split(" ")]
    return [[CARDS.index(STRAINS[3 - n] + rank) for n, suit in enumerate(hand) for rank in suit] for hand in suits]


def choose_contract(tricks: bytes, rng: Random, errs: Sequence[float]) -> tuple[Contract, int]:
    """Return the best contract that makes, or where the pair errs one a trick too high or short of its bonus.

    Args:
        tricks: double dummy, in the order of `frames.DOUBLE_DUMMY`: by declarer from North, by strain from clubs.
        rng: decides who errs.
        errs: the chance of N-S and of E-W to err.
    """
    made = {(place % 5, place // 5): count for place, count in enumerate(tricks)}
    plain = [
        (value_contract(count - 6, strain), strain, seat, count) for (strain, seat), count in made.items() if count > 6
    ]
    _, strain, seat, count = max(plain)
    level = min(count - 6, bonus_level(count - 6, strain))
    if rng.random() < errs[seat % 2]:
        level = max(1, level - 2) if level > 2 and rng.random() < 0.5 else min(7, count - 5)
    return Contract(level, strain, 0, seat), count


def bonus_level(level: int, strain: int) -> int:
    """Return the lowest level with the bonus of a makeable level."""
    game = 3 if strain == NOTRUMP else 4 if strain > 1 else 5
    return 7 if level == 7 else 6 if level == 6 else game if level >= game else 1


def value_contract(level: int, strain: int) -> int:
    """Return about what a contract is worth that just makes."""
    bonus = {7: 1300, 6: 800}.get(level, 300 if level >= bonus_level(level, strain) > 1 else 50)
    return bonus + level * (20 if strain < 2 else 30) + (10 if strain == NOTRUMP else 0)


def seat_tables(deals: Sequence[str], solved: dict[str, bytes], skills: Skills, rng: Random) -> list[Table]:
    """Let all pairs bid all their boards: in a round all tables play the same three, so that nobody meets one twice."""
    tables = []
    for number in range(ROUNDS):
        for table in range(TABLES):
            ns, ew = table + 1, TABLES + (table - number) % TABLES + 1
            for place in range(BOARDS_A_ROUND):
                board = BOARDS_A_ROUND * number + place
                deal = deals[board]
                errs = [skills["bidding"][pair - 1] for pair in (ns, ew)]
                contract, best = choose_contract(solved[deal], rng, errs)
                leader = (contract.declarer + 1) % 4
                tables.append(
                    Table(board + 1, number + 1, table + 1, ns, ew, deal, read_hands(deal), contract, best, [], leader)
                )
    return tables


def play_cards(tables: Sequence[Table], skills: Skills, rng: Random) -> None:
    """Play all tables, a card at each in turn."""
    for place in range(52):
        keys = [solver.play_key(one.deal, one.contract.strain, one.leader, bytes(one.cards)) for one in tables]
        best = solver.solve_best_cards(list(dict.fromkeys(keys))) if place < 51 else {}
        for one, key in zip(tables, keys, strict=True):
            play_card(one, best.get(key, b""), skills, rng)


def play_card(one: Table, best: bytes, skills: Skills, rng: Random) -> None:
    """Play a card that gives up nothing, or one that does where the player errs."""
    seat = one.turn
    begun = one.cards[len(one.cards) // 4 * 4 :]
    suit = [card for card in one.hands[seat] if begun and card // 13 == begun[0] // 13]
    legal = suit or one.hands[seat]
    costly = [card for card in legal if best and card not in best]
    good = [card for card in legal if card not in costly]
    declares = seat % 2 == one.contract.declarer % 2
    skill = "lead" if not one.cards else "declarer" if declares else "defence"
    errs = costly and rng.random() < skills[skill][one.pair_of(seat)]
    card = rng.choice(costly if errs or not good else good)
    one.hands[seat].remove(card)
    one.cards.append(card)
    if len(one.cards) % 4 == 0:
        trick = one.cards[-4:]
        order = [(c // 13 == one.contract.strain, c // 13 == trick[0] // 13, c % 13) for c in trick]
        one.leader = (one.leader + order.index(max(order))) % 4
        one.won += one.leader % 2 == one.contract.declarer % 2


def write_play(one: Table) -> str:
    """Write the play section: a column a seat from the opening leader clockwise."""
    first = leader = (one.contract.declarer + 1) % 4
    rows = [f'[Play "{SEATS[first]}"]']
    for start in range(0, len(one.cards), 4):
        trick = one.cards[start : start + 4]
        rows.append(" ".join(CARDS[trick[(first + column - leader) % 4]] for column in range(4)))
        order = [(c // 13 == one.contract.strain, c // 13 == trick[0] // 13, c % 13) for c in trick]
        leader = (leader + order.index(max(order))) % 4
    return "\n".join(rows) + "\n"


def make_tricks(one: Table, skills: Skills, rng: Random) -> int:
    """Return the tricks of a table that nobody recorded."""
    lost = rng.random() < skills["play"][one.pair_of(one.contract.declarer)]
    given = rng.random() < skills["play"][one.pair_of(one.contract.declarer + 1)]
    return max(0, min(13, one.best - lost + given))


def evaluate_evening(tables: Sequence[Table], solved: dict[str, bytes], tricks: Sequence[int] | None) -> Session:
    """Score an evening: with the cards that were played, or with the tricks alone."""
    games = [
        GAME.format(
            board=one.board, dealer="NESW"[(one.board - 1) % 4], deal=one.deal, round=one.round, table=one.table,
            ns=one.ns, ew=one.ew, contract=one.contract, declarer=SEATS[one.contract.declarer],
            tricks=one.won if tricks is None else tricks[n], play=write_play(one) if tricks is None else "",
        )
        for n, one in enumerate(tables)
    ]  # fmt: skip
    text = "% PBN 2.1\n" + "\n".join(games)
    return evaluate(session(text), Config(), solver=lambda deals: {deal: solved[deal] for deal in deals})


def list_lines(explained: Session) -> pl.DataFrame:
    """Return the lines of an evening with the number of each pair, in place of its entry."""
    noted = note_evening(explained, "evening", explained.standings["contestant"].to_list())
    pairs = noted.entries.select("entry", pair=pl.col("page").cast(pl.Int64) - 1)
    parts = [*(f"part_{name}" for name in SKILLS), "part_unknown"]
    return noted.lines.join(pairs, on="entry").select("pair", *parts)


def give_skills(seed: int, *, with_cards: bool, differ: bool) -> Skills:
    """Return the skills of a season's pairs; without differences all err as often as the middle of them."""
    chances = OF_CARDS if with_cards else OF_TRICKS
    if not differ:
        chances = {name: ((low + high) / 2,) * 2 for name, (low, high) in chances.items()}
    return spread_skills(Random(seed), chances)


def play_evening(seed: str, skills: Skills, known: dict[str, bytes], *, with_cards: bool) -> pl.DataFrame:
    """Play an evening with solved deals; return its lines."""
    solver.limit_threads(1)
    rng = Random(seed)
    drawn = rng.sample(range(2 * TABLES), 2 * TABLES)
    seated = {name: [chances[pair] for pair in drawn] for name, chances in skills.items()}
    tables = seat_tables(rng.sample(sorted(known), ROUNDS * BOARDS_A_ROUND), known, seated, rng)
    if with_cards:
        play_cards(tables, seated, rng)
    tricks = None if with_cards else [make_tricks(one, seated, rng) for one in tables]
    lines = list_lines(explain(evaluate_evening(tables, known, tricks), Scoring(), solver.solve_plays))
    return lines.with_columns(pl.col("pair").replace_strict(range(2 * TABLES), drawn), line=pl.col("pair") < TABLES)


Season = tuple[Skills, list[pl.DataFrame]]
"""The skills of its pairs, and the lines of each evening."""


def play_seasons(
    pool: Executor, known: dict[str, bytes], seasons: int, evenings: int, *, with_cards: bool, differ: bool
) -> list[Season]:
    """Play seasons of some evenings, each by its own pairs."""
    begun = []
    for seed in range(seasons):
        skills = give_skills(seed, with_cards=with_cards, differ=differ)
        names = (f"{seed} {number} {differ}" for number in range(evenings))
        runs = [pool.submit(play_evening, name, skills, known, with_cards=with_cards) for name in names]
        begun.append((skills, runs))
    return [(skills, [run.result() for run in runs]) for skills, runs in begun]


def correlate(lines: pl.DataFrame, part: str, skill: Sequence[float]) -> float:
    """Return the rank correlation of the mean of a part with skill, over the pairs."""
    means = lines.group_by("pair").agg(pl.col(part).mean()).drop_nulls().sort("pair")
    true = pl.Series("skill", [-skill[pair] for pair in means["pair"]])
    return float(means.with_columns(true).select(pl.corr(part, "skill", method="spearman")).item())


def count_significant(lines: pl.DataFrame, part: str) -> tuple[int, int]:
    """Return for how many pairs the 95 % interval of a part leaves out 0, and of how many; both as pages show it."""
    means = summarize(lines, part, ["pair"]).select("count", "mean", "deviation")
    found = [find_interval(*row) for row in means.iter_rows()]
    known = [one for one in found if one.margin is not None and one.count >= ENOUGH_BOARDS]
    return sum(abs(one.mean) > (one.margin or 0) for one in known), len(known)


def report(title: str, seasons: Sequence[Season], even: Sequence[Season]) -> Iterator[str]:
    """Yield a row of the table in docs/analysis.md for each part."""
    cards = title == "with cards"
    parts = dict(zip(SKILLS, SKILLS, strict=True)) if cards else {"bidding": "bidding", "unknown": "play"}
    for part, name in parts.items():
        column = f"part_{part}"
        evenings = [
            correlate(line, column, skills[name])
            for skills, found in seasons
            for lines in found
            for line in lines.partition_by("line")
        ]
        whole = [correlate(pl.concat(found), column, skills[name]) for skills, found in seasons]
        counts = np.array([count_significant(pl.concat(found), column) for _, found in even])
        nothing = 100 - 100 * counts[:, 0].sum() / counts[:, 1].sum()
        yield f"| {title} | {name} | {mean(evenings):.2f} | {mean(whole):.2f} | {nothing:.0f} % |"


HEAD: Final = """\
| evenings | part | one evening | a season | nothing significant without differences |
|---|---|--:|--:|--:|"""
KINDS: Final = {"with cards": (1, 4), "by tricks alone": (20, 5)}
"""Seasons of pairs that differ, and of pairs that do not."""


def main() -> None:
    """Play all evenings and print the table."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--deals", type=int, default=240, help="deals that evenings are drawn from")
    given.add_argument("--evenings", type=int, default=40, help="evenings of a season")
    given.add_argument("--workers", type=int, default=2)
    asked = given.parse_args()
    known = dict(solver.solve(deal_boards(Random(0), asked.deals)))
    print(HEAD)
    with ProcessPoolExecutor(asked.workers, get_context("spawn")) as pool:
        for title, (seasons, even) in KINDS.items():
            cards = title == "with cards"
            # Those without differences are shorter: with cards, as many evenings as a page needs for 30 boards.
            few = 5 if cards else asked.evenings
            differing = play_seasons(pool, known, seasons, asked.evenings, with_cards=cards, differ=True)
            alike = play_seasons(pool, known, even, few, with_cards=cards, differ=False)
            for row in report(title, differing, alike):
                print(row, flush=True)


if __name__ == "__main__":
    main()
