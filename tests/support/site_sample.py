"""A made-up club's season as files: played boards, a match of teams, a rubber, and names that mean harm."""

from pathlib import Path
from random import Random

from overtrick.core.bridge.cards import RANKS, SEATS

SUITS = "SHDC"
PLAYERS = {"West": "Ann Vale", "North": "Bo Lind", "East": "Cy Marsh", "South": "Di Holm"}
HOSTILE = (
    "<script>alert(1)</script>",
    '"O\'Neill" & Sons',
    "../../etc/passwd",
    "\u202egnihton\u202c",
    "🂡 王小明",
    "Ж" * 300,
    "=HYPERLINK(1)",
)


def dealt(lot: Random) -> dict[str, list[str]]:
    """Deal 52 cards to four seats."""
    cards = [suit + rank for suit in SUITS for rank in RANKS]
    lot.shuffle(cards)
    return {seat: cards[13 * n : 13 * n + 13] for n, seat in enumerate(SEATS)}


def hand_text(cards: list[str]) -> str:
    return ".".join("".join(r for r in reversed(RANKS) if suit + r in cards) for suit in SUITS)


def played(hands: dict[str, list[str]], trump: str, declarer: str) -> tuple[list[list[str]], int]:
    """Play a board card by card, following suit with the lowest: tricks in the order played, and declarer's tricks."""
    left = {seat: list(cards) for seat, cards in hands.items()}
    leader = (SEATS.index(declarer) + 1) % 4
    tricks, won = [], 0
    for _ in range(13):
        trick: list[tuple[int, str]] = []
        for turn in range(4):
            seat = (leader + turn) % 4
            held = left[SEATS[seat]]
            following = [card for card in held if not trick or card[0] == trick[0][1][0]] or held
            card = min(following, key=lambda one: RANKS.index(one[1]))
            held.remove(card)
            trick.append((seat, card))
        led = trick[0][1][0]
        leader = max(
            trick, key=lambda one: (one[1][0] == trump, one[1][0] == led, RANKS.index(one[1][1]))
        )[0]  # fmt: skip
        won += leader % 2 == SEATS.index(declarer) % 2
        tricks.append([card for _, card in trick])
    return tricks, won


def rows_by_column(tricks: list[list[str]], hands: dict[str, list[str]], first: str) -> str:
    """Write tricks as PBN does: a row a trick, columns from the opening leader."""
    order = [SEATS[(SEATS.index(first) + n) % 4] for n in range(4)]
    return "\n".join(
        " ".join(next(card for card in trick if card in hands[seat]) for seat in order) for trick in tricks
    )


def game(
    board: int, table: int, hands: dict[str, list[str]], level: int, *, names: dict[str, str] = PLAYERS, tags: str = ""
) -> str:
    """Write a game in which South plays spades after an auction that is explained."""
    tricks, won = played(hands, "S", "S")
    deal = " ".join(hand_text(hands[seat]) for seat in SEATS)
    people = "".join(f'[{seat} "{name}"]\n' for seat, name in names.items())
    return (
        f'[Event "Thursday Pairs"]\n[Date "2026.03.05"]\n[Board "{board}"]\n{people}[Dealer "S"]\n[Vulnerable "NS"]\n'
        f'[Deal "N:{deal}"]\n[Scoring "MP"]\n[Declarer "S"]\n[Contract "{level}S"]\n[Result "{won}"]\n'
        f'[Table "{table}"]\n{tags}{{secret chat}}\n[Auction "S"]\n1S =1= Pass {level}S! Pass\nPass Pass\n'
        '[Note "1: five !S or more"]\n'
        f'[Play "W"]\n{rows_by_column(tricks, hands, "W")}\n[DoubleDummyTricks "9ba679ba672236622366"]\n'
        '[OptimumScore "NS 650"]\n'
    )


def pairs_evening(boards: int = 3, tables: int = 3) -> str:
    """Write an evening: each table plays each board at a level of its own."""
    lot = Random(7)
    games = []
    for board in range(1, boards + 1):
        hands = dealt(lot)
        for table in range(1, tables + 1):
            names = {seat: f"{name} {'ABCDEFGH'[table - 1]}." for seat, name in PLAYERS.items()}
            games.append(game(board, table, hands, 1 + table, names=names))
    return "\n".join(games)


def team_match() -> str:
    """Write two boards played in both rooms."""
    lot = Random(9)
    games = []
    for board in (1, 2):
        hands = dealt(lot)
        for n, room in enumerate(("Open", "Closed")):
            home, visit = ("Reds", "Blues") if n == 0 else ("Blues", "Reds")
            tags = f'[Room "{room}"]\n[HomeTeam "Reds"]\n[VisitTeam "Blues"]\n[Round "1"]\n'
            names = {seat: f"{name} {home if seat in 'NorthSouth' else visit}" for seat, name in PLAYERS.items()}
            games.append(game(board, 1, hands, 2 + n, names=names, tags=tags).replace('"MP"', '"IMP"'))
    return "\n".join(games)


def rubber() -> str:
    """Write three deals at rubber bridge."""
    lot = Random(13)
    return "\n".join(game(n, 1, dealt(lot), 2).replace('"MP"', '"Rubber"') for n in (1, 2, 3))


def individual() -> str:
    """Write three rounds of two tables at which players change partners, as a table."""
    turns = (("1 2 3 4", "5 6 7 8"), ("1 5 4 2", "3 6 8 7"), ("1 3 7 6", "2 4 5 8"))
    lines = ["event,round,table,board,ns,ew,player_n,player_e,player_s,player_w,contract,declarer,tricks"]
    for turn, tables in enumerate(turns, start=1):
        for table, seated in enumerate(tables, start=1):
            n, e, s, w = seated.split()
            lines.append(f"Solo,{turn},{table},{turn},{n}-{s},{e}-{w},{n},{e},{s},{w},2H,N,{7 + table}")
    return "\n".join(lines)


def hostile_evening() -> str:
    """Write an evening of players whose names mean harm."""
    names = [name.replace("\\", "\\\\").replace('"', '\\"') for name in HOSTILE]
    hands = dealt(Random(5))
    seated = [dict(zip(PLAYERS, names[n:] + names[:n], strict=False)) for n in range(3)]
    return "\n".join(game(1, n + 1, hands, 2 + n, names=people) for n, people in enumerate(seated))


def write_season_files(folder: Path) -> Path:
    """Write the files of the season to a folder."""
    folder.mkdir()
    butler = pairs_evening().replace('"MP"', '"IMP;Butler"')
    texts = {
        "pairs": pairs_evening(),
        "butler": butler,
        "teams": team_match(),
        "rubber": rubber(),
        "hostile": hostile_evening(),
    }
    for name, text in texts.items():
        (folder / f"{name}.pbn").write_text(text, "utf-8")
    (folder / "individual.csv").write_text(individual(), "utf-8")
    return folder
