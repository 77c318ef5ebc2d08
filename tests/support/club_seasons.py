"""A made-up club's season: many evenings of 40 people, and what an independent computation makes of it."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random

FIRST = "Ada Ben Cleo Dora Eli Fay Gus Hal Ivy Jo Kim Lou Max Nell Otto Pia Quin Rae Sid Tess".split()
LAST = (
    "Quill Moss Reed Lane Thorne Vale Finch Stone Birch Marsh Heath Fern Holm Lind Berg Dahl Frost Carver Mason Wren "
    "Archer Barker Draper Farmer Gardner Keeler Naylor Parker Sawyer Tanner Weaver Ashdown Copeland Dunmore Hollins "
    "Jessop Langley Merton Norwood Oakley"
).split()
PEOPLE = [f"{FIRST[n % 20]} {LAST[n]}" for n in range(40)]
SPELT = {
    "Ada Quill": ("ADA QUILL", "Ada Quil"),
    "Ben Moss": ("BEN MOSS", "Moss, Ben"),
    "Cleo Reed": ("Cléo Reed", "C. Reed"),
    "Dora Lane": ("dora lane", "Dora Laine"),
}
"""Two more spellings of four people: the first differs only in case and accents, the second is an alias."""
HIDDEN = {"Gus Finch": "hidden", "Hal Stone": "hidden"}
BOARDS, TABLES = 4, 5


@dataclass
class Evening:
    """An evening as it was played.

    Attributes:
        day: its date.
        title: its title.
        pairs: by number, the two players by their usual names.
        spelt: by number, the names as the file has them.
        scores: by board and table, points for N-S.
    """

    day: date
    title: str
    pairs: dict[str, tuple[str, str]]
    spelt: dict[str, str]
    contracts: dict[tuple[int, int], tuple[str, str, int]] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        return f"{self.day}"

    def csv(self) -> str:
        """Write the evening as a table: at table t, pair t sits N-S and pair t + 5 E-W."""
        lines = ["event,date,scoring,table,board,ns,ew,contract,declarer,tricks,names_ns,names_ew"]
        for (board, table), (contract, declarer, tricks) in self.contracts.items():
            ns, ew = str(table), str(table + TABLES)
            names = f'"{self.spelt[ns]}","{self.spelt[ew]}"'
            lines.append(
                f"{self.title},{self.day:%Y.%m.%d},MP,{table},{board},{ns},{ew},{contract},{declarer},{tricks},{names}"
            )
        return "\n".join(lines) + "\n"

    def score(self, board: int, table: int) -> int:
        """Return the points of N-S for a contract of 1NT, not vulnerable or vulnerable as the board has it (Law 77)."""
        _, declarer, tricks = self.contracts[board, table]
        vulnerable = {1: "", 2: "NS", 3: "EW", 4: "NSEW"}[board]
        side = "NS" if declarer in "NS" else "EW"
        made = tricks - 7
        points = 90 + 30 * made if made >= 0 else (100 if side in vulnerable else 50) * made
        return points if side == "NS" else -points

    def percentages(self) -> dict[str, float]:
        """Return the percentage of each pair: 2 matchpoints a pair beaten, 1 a tie, of 8 a board."""
        earned: dict[str, int] = defaultdict(int)
        for board in range(1, BOARDS + 1):
            scores = {table: self.score(board, table) for table in range(1, TABLES + 1)}
            for table, own in scores.items():
                others = [other for at, other in scores.items() if at != table]
                won = sum(2 * (own > other) + (own == other) for other in others)
                earned[str(table)] += won
                earned[str(table + TABLES)] += 2 * len(others) - won
        return {pair: 100 * points / (2 * (TABLES - 1) * BOARDS) for pair, points in earned.items()}

    def by_player(self) -> dict[str, float]:
        """Return the percentage of each player, by the usual name."""
        found = self.percentages()
        return {name: found[number] for number, pair in self.pairs.items() for name in pair}


def play_season(evenings: int, seed: int = 11) -> list[Evening]:
    """Play a season: 20 of the 40 people an evening, every week, usual partners as a rule, names spelt as it comes.

    Twelve of the evenings are of the Spring Cup.
    """
    every = evenings // 12
    lot = Random(seed)
    usual = [(PEOPLE[n], PEOPLE[n + 1]) for n in range(0, 40, 2)]
    season = []
    for week in range(evenings):
        here = lot.sample(usual, 2 * TABLES)
        if lot.random() < 0.4:
            (a, b), (c, d) = here[0], here[1]
            here[:2] = [(a, d), (c, b)]
        pairs = {str(number): pair for number, pair in enumerate(here, 1)}
        spelt = {
            number: " - ".join(lot.choice((name, name, *SPELT.get(name, ()))) for name in pair)
            for number, pair in pairs.items()
        }
        title = "Tuesday Pairs" if (week + 1) % every else "Spring Cup"
        evening = Evening(date(2026, 1, 6) + timedelta(7 * week), title, pairs, spelt)
        for board in range(1, BOARDS + 1):
            for table in range(1, TABLES + 1):
                evening.contracts[board, table] = ("1NT", lot.choice("NESW"), lot.randint(5, 10))
        season.append(evening)
    return season


def write_club(folder: Path, season: list[Evening]) -> Path:
    """Write the club's folder: settings, members and a file for each evening; return the settings."""
    folder.mkdir()
    for evening in season:
        (folder / f"{evening.folder}.csv").write_text(evening.csv(), "utf-8")
    lines = ["number,name,aliases,privacy,handicap,grade"]
    for number, name in enumerate(PEOPLE, 1):
        alias = SPELT[name][1] if name in SPELT else ""
        grade = "ABC"[number % 3]
        lines.append(f'{number},{name},"{alias}",{HIDDEN.get(name, "")},{handicap(name):g},{grade}')
    (folder / "members.csv").write_text("\n".join(lines) + "\n", "utf-8")
    settings = folder / "club.toml"
    settings.write_text(
        '[club]\nname = "Millbrook"\n\n'
        '[[series]]\nname = "Spring Cup"\ntitle = "spring cup"\nbest = 8\nof = 12\nminimum = 3\nhandicap = true\n\n'
        '[[series]]\nname = "Ladder"\nscoring = "ladder"\n',
        "utf-8",
    )
    return settings


def handicap(name: str) -> float:
    return PEOPLE.index(name) % 7 / 2
