"""Sessions as the PDF bulletin gets them, made up by lot: the same page for the same arguments."""

from collections.abc import Sequence
from random import Random
from typing import Final

from overtrick.show.html.board_pages import BoardPage, TravellerRow
from overtrick.show.html.contestants import Card, ContestantRef, Contract, Hand, SuitHolding
from overtrick.show.html.ranking_tables import Ranking, StandingRow
from overtrick.show.html.session_page import SessionPage

SUITS: Final = ("spades", "hearts", "diamonds", "clubs")
SYMBOLS: Final = dict(zip((*SUITS, "notrump"), ("♠", "♥", "♦", "♣", "NT"), strict=True))
SEATS: Final = ("North", "East", "South", "West")
RANKS: Final = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
POINTS: Final = {"A": 4, "K": 3, "Q": 2, "J": 1}
VULNERABLE: Final = ("None", "N-S", "E-W", "Both", "N-S", "E-W", "Both", "None")
FIRST_NAMES: Final = ("Anna", "Bjørn", "Chloé", "Dmitri", "Eszter", "Fatma", "Grzegorz", "Helga", "Íñigo", "Jürgen")
LAST_NAMES: Final = ("Őry", "Ławski", "Kaya", "Lindqvist", "Moreau", "Nowak", "O’Dell", "Petrov", "Quist", "Şahin")

OUTCOMES: Final = (
    ("4", "spades", "", "=", 420),
    ("4", "spades", "", "+1", 450),
    ("4", "hearts", "X", "−1", -100),
    ("3", "notrump", "", "+2", 460),
    ("3", "notrump", "", "−2", -100),
    ("2", "diamonds", "", "+1", 110),
    ("5", "clubs", "X", "−4", -800),
    ("6", "notrump", "", "=", 990),
    ("1", "notrump", "", "=", 90),
    ("3", "hearts", "XX", "=", 760),
)
PASSED_OUT: Final = Contract("Pass", "", "", "", "", "passed out")


def sample_page(
    *,
    boards: int = 4,
    tables: int = 8,
    one_field: bool = False,
    butler: bool = False,
    deals: bool = True,
    leads: bool = True,
    numbers: bool = True,
    names: Sequence[str] = (),
) -> SessionPage:
    """Make a session of so many boards that each table plays; `names` go to the first contestants.

    Without `numbers` the pairs' names are all that tells them apart.
    """
    lot = Random(7)
    people = [*names, *(f"{person(lot)} – {person(lot)}" for _ in range(2 * tables))][: 2 * tables]
    pairs = [
        ContestantRef(str(number) if numbers else name, name, f"pair-{number}/index.html")
        for number, name in enumerate(people, start=1)
    ]
    fields = [("All pairs", pairs)] if one_field else [("North-South", pairs[:tables]), ("East-West", pairs[tables:])]
    return SessionPage(
        title="Club evening",
        club="Riverside Bridge Club",
        site="",
        date="2026-03-01",
        date_text="1 March 2026",
        method="Butler IMPs" if butler else "Matchpoints",
        points_name="IMP" if butler else "MP",
        total_name="IMP" if butler else "MP",
        has_percentages=not butler,
        tables=str(tables),
        board_count=str(boards),
        policies=(("Artificial scores", "60 / 50 / 40 %"), ("Ties", "share the place")),
        sources=(("evening.pbn", "0123456789ab"),),
        generator="overtrick 0.1.0",
        rankings=tuple(ranking(title, field, boards, butler=butler) for title, field in fields),
        boards=tuple(
            board(lot, number, pairs, tables, butler=butler, deals=deals, leads=leads)
            for number in range(1, boards + 1)
        ),
        statistics=(("Passed out", "3"), ("Slams bid", "12"), ("Slams made", "9"), ("Contracts made", "61 %")),
    )


def person(lot: Random) -> str:
    return f"{lot.choice(FIRST_NAMES)} {lot.choice(LAST_NAMES)}"


def ranking(title: str, field: Sequence[ContestantRef], boards: int, *, butler: bool) -> Ranking:
    rows = []
    for place, contestant in enumerate(field, start=1):
        percentage = 66 - 32 * place / len(field)
        total = f"{40 - 3 * place}".replace("-", "−") if butler else f"{percentage * boards / 5:.1f}"
        rank = "2=" if place in {2, 3} else str(place)
        rows.append(StandingRow(rank, contestant, total, "" if butler else f"{percentage:.2f}", str(boards)))
    return Ranking(title, title, tuple(rows))


def board(
    lot: Random, number: int, pairs: Sequence[ContestantRef], tables: int, *, butler: bool, deals: bool, leads: bool
) -> BoardPage:
    rows = [traveller_row(lot, table, pairs[table], pairs[tables + table], leads=leads) for table in range(tables)]
    return BoardPage(
        number=str(number),
        slug=f"board-{number}",
        dealer=SEATS[(number - 1) % 4],
        vulnerable=VULNERABLE[(number - 1) % 8],
        hands=deal(lot) if deals else (),
        rows=tuple(rows),
        datum="+130" if butler else "",
        previous="",
        next="",
    )


def traveller_row(lot: Random, table: int, ns: ContestantRef, ew: ContestantRef, *, leads: bool) -> TravellerRow:
    level, suit, doubled, result, score = lot.choice(OUTCOMES)
    declarer = lot.choice("NESW")
    score = score if declarer in "NS" else -score
    contract = Contract(f"{level}{SYMBOLS[suit]}{doubled}", level, suit, SYMBOLS[suit], doubled, f"{level} {suit}")
    lead_suit = lot.choice(SUITS)
    points = lot.randrange(15)
    return TravellerRow(
        section="",
        round="1",
        table=str(table + 1),
        ns=ns,
        ew=ew,
        contract=contract,
        declarer=declarer,
        lead=Card(lead_suit, SYMBOLS[lead_suit], lot.choice(RANKS), "") if leads else None,
        result=result,
        tricks="10",
        score_ns=str(score) if score > 0 else "",
        score_ew=str(-score) if score < 0 else "",
        points_ns=str(points),
        points_ew=str(14 - points),
        percentage_ns="",
        percentage_ew="",
        status="played",
        remark="",
        tables=1,
        anchor_ns="",
        anchor_ew="",
    )


def deal(lot: Random) -> tuple[Hand, ...]:
    pack = [(suit, rank) for suit in SUITS for rank in RANKS]
    lot.shuffle(pack)
    return tuple(hand(seat, pack[13 * index : 13 * index + 13]) for index, seat in enumerate(SEATS))


def hand(seat: str, cards: Sequence[tuple[str, str]]) -> Hand:
    holdings = []
    for suit in SUITS:
        ranks = " ".join(sorted((rank for of, rank in cards if of == suit), key=RANKS.index))
        holdings.append(SuitHolding(suit, SYMBOLS[suit], ranks or "—", ranks or "void"))
    spoken = "; ".join(f"{holding.suit} {holding.spoken}" for holding in holdings)
    return Hand(seat, tuple(holdings), sum(POINTS.get(rank, 0) for _, rank in cards), f"{seat}: {spoken}.")
