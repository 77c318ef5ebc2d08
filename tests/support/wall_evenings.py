"""Made-up evenings of pairs, teams, rubbers and individuals with all that makes scoring hard, as tables of results."""

from collections.abc import Callable
from random import Random
from typing import Final

_PAIRS: Final = (
    "section,round,table,board,ns,ew,contract,declarer,tricks,score_ns,award_ns,award_ew,points_ns,points_ew"
)


def pairs() -> str:
    """Return an evening in two sections with ties, awards, a bye, a stated score, and boards of two sizes."""
    rng, lines = Random(3), [_PAIRS]
    for section, tables in (("A", 4), ("B", 3)):
        for board in range(1, 7):
            for table in range(1, tables + 1):
                ns, ew = table, tables + (table + board // 2) % tables + 1
                contract = f"{rng.choice('1234')}{rng.choice(['C', 'H', 'S', 'NT'])}{rng.choice(['', '', 'X'])}"
                played = f"{contract},{rng.choice('NESW')},{rng.randint(6, 11)},,,,"
                other = {2: ",,,,A+,A-,", 4: ",,,,60%,40%,", 5: ",,,420,,,", 6: "Pass,,,,,,"}
                row = other.get(board, played) if table == 2 else played
                if (board, table) != (3, 1):
                    lines.append(f"{section},{(board + 1) // 2},{table},{board},{ns},{ew},{row},")
    return "\n".join(lines) + "\n"


def teams() -> str:
    """Return three rounds of four teams, one match of them a tie, and a board that one room did not play."""
    rng, lines = Random(5), ["round,table,board,ns,ew,team_ns,team_ew,contract,declarer,tricks"]
    meetings = [[("Ash", "Box"), ("Cox", "Dee")], [("Ash", "Cox"), ("Box", "Dee")], [("Ash", "Dee"), ("Box", "Cox")]]
    for number, matches in enumerate(meetings, 1):
        for table, (home, away) in enumerate(matches, 1):
            for board in range(4 * number - 3, 4 * number + 1):
                for room, (ns, ew) in enumerate([(home, away), (away, home)]):
                    contract = f"{rng.choice('234')}{rng.choice(['D', 'S', 'NT'])}"
                    said = (
                        "2S,N,8"
                        if (number, table) == (2, 2)
                        else f"{contract},{rng.choice('NESW')},{rng.randint(7, 11)}"
                    )
                    if (number, board, room) != (3, 10, 1):
                        lines.append(f"{number},{2 * table + room},{board},{ns}1,{ew}2,{ns},{ew},{said}")
    return "\n".join(lines) + "\n"


def rubbers() -> str:
    """Return deals of a rubber with a part-score, honours, doubled contracts and a deal that was passed out."""
    deals = [
        *("N,2H,N,9,,", "E,3NT,E,11,,150", "S,Pass,,,,", "W,4D,W,9,,", "N,6C,S,12,100,", "E,4SX,N,10,,"),
        *("S,1NT,W,7,,", "W,2C,E,8,,", "N,5DXX,N,11,150,"),
    ]
    head = "table,ns,ew,dealer,contract,declarer,tricks,honours_ns,honours_ew"
    return "\n".join([head, *(f"1,Larks,Owls,{deal}" for deal in deals)]) + "\n"


def individual() -> str:
    """Return an individual of eight players, with names and leads, one result of which is an award."""
    names = ["Ann Ash", "Bo Böx", "Cy Cox", "Di Dee", "Eva Elm", "Flo Fox", "Gus Gum", "Ida Ivy"]
    seated = [f"{kind}_{seat}" for kind in ("player", "name") for seat in "nesw"]
    head = ["event", "date", "scoring", "board", "table", "ns", "ew", *seated]
    lines = [",".join([*head, "contract", "declarer", "tricks", "lead", "award_ns", "award_ew"])]
    rng = Random(9)
    for board in range(1, 7):
        seats = [(board + place) % 7 if place < 7 else 7 for place in range(8)]
        for table in (1, 2):
            north, east, south, west = seats[4 * table - 4 : 4 * table]
            contract = f"{rng.choice('123')}{rng.choice(['H', 'NT'])}"
            said = f"{contract},{rng.choice('NESW')},{rng.randint(6, 10)},S{rng.choice('A7')},,"
            said = ",,,,50%,60%" if (board, table) == (4, 2) else said
            who = f"{north + 1}+{south + 1},{east + 1}+{west + 1},{north + 1},{east + 1},{south + 1},{west + 1}"
            called = ",".join(names[seat] for seat in (north, east, south, west))
            lines.append(f"Spring; Singles,2026.05.04,MP,{board},{table},{who},{called},{said}")
    return "\n".join(lines) + "\n"


TEXTS: Final[dict[str, Callable[[], str]]] = {
    "pairs": pairs,
    "teams": teams,
    "rubbers": rubbers,
    "individual": individual,
}
"""By name, what makes the table."""
