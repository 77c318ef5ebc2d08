"""A correction changes what it says and nothing else; undone, everything is as before.

Each kind of entry is applied to each file that has results. `expect` says in plain rows what has to be in every frame
afterwards; all that it does not name must be as it was.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from overtrick.core.config import Scoring
from overtrick.core.config.corrections import parse_corrections
from overtrick.core.config.file import SettingsFile
from overtrick.core.frames import Session
from overtrick.files.assemble import read
from overtrick.files.assemble.beside import Found
from overtrick.files.correct import correct
from overtrick.files.correct.entry import toml_value
from tests.support.commands import FIXTURES
from tests.support.everything import differences, frames_of
from tests.support.sweeps import ALL

Row = dict[str, Any]

SOURCE = "a.corrections.toml"

TABLES = {
    "sections": (
        "section,round,table,board,ns,ew,contract,declarer,tricks,lead,points_ns,points_ew,names_ns,names_ew\n"
        "A,1,1,1,1,2,3NT,N,9,HK,2,0,Ada Ash - Bo Box,Cy Dee - Di Elm\nA,1,2,1,3,4,3NT,N,8,,0,2,Eva Fox - Flo Gum,\n"
        "B,1,1,1,1,2,3NT,N,9,,1,1,Hal Ivy - Ida Jay,\nB,1,2,1,3,4,4S,E,9,,1,1,,\n"
        "A,2,1,2,1,4,1C,W,7,,1,1,,\nA,2,2,2,3,2,1D,W,7,D2,1,1,,\n"
    ),
    "teams": (
        "board,round,table,ns,ew,team_ns,team_ew,contract,declarer,tricks\n"
        "1,1,1,H1,K2,Heron,Kestrel,4S,N,10\n1,1,2,K1,H2,Kestrel,Heron,4S,N,9\n"
        "2,1,1,H1,K2,Heron,Kestrel,1NT,E,7\n2,1,2,K1,H2,Kestrel,Heron,Pass,,\n"
    ),
    "individual": (
        "board,ns,ew,player_n,player_e,player_s,player_w,contract,declarer,tricks\n"
        "1,1+2,3+4,1,3,2,4,4S,N,10\n1,5+6,7+8,5,7,6,8,4S,N,9\n2,1+3,2+4,1,2,3,4,1NT,E,7\n2,5+7,6+8,5,6,7,8,2NT,S,6\n"
    ),
}
GAMES = "".join(
    f'[Event "Spring"]\n[Board "{board}"]\n[North "{ns}"]\n[South "Sue {ns}"]\n[East "{ew}"]\n[West "Wes {ew}"]\n'
    f'[Contract "{contract}"]\n[Declarer "N"]\n[Result "{tricks}"]\n[ScoreMP "NS 1"]\n[Private "kept"]\n\n'
    for board, ns, ew, contract, tricks in (
        *((1, "Ann", "Eve", "3NT", 9), (1, "Bob", "Fay", "4S", 10)),
        *((2, "Ann", "Fay", "1C", 8), (2, "Bob", "Eve", "2H", 7)),
    )
)


@cache
def sessions(folder: Path) -> dict[str, Session]:
    """Return each file that has results of somebody."""
    for name, text in TABLES.items():
        (folder / f"{name}.csv").write_text(text, "utf-8")
    (folder / "games.pbn").write_text(GAMES, "utf-8")
    paths = [*sorted(folder.iterdir()), *sorted(FIXTURES.iterdir())]
    found = {path.name: read([str(path)]) for path in paths}
    found["two files"] = read([str(folder / "games.pbn"), str(FIXTURES / "spring-pairs.csv")])
    return {name: session for name, session in found.items() if targets(session)}


def targets(session: Session) -> list[int]:
    """Return the results that an entry can name: on a board, of two contestants."""
    known = pl.all_horizontal(pl.col("board", "ns", "ew").is_not_null())
    rows = session.results.with_row_index("at").filter(known)
    named = ["board", "section", "round", "table", "ns", "ew"]
    return rows.filter(~pl.struct(named).is_duplicated())["at"].to_list()


@dataclass
class Expected:
    """The frames after an entry, as rows, and the settings that it adds."""

    results: list[Row]
    records: dict[int, Row]
    contestants: list[Row]
    items: list[Row]
    facts: Row = field(default_factory=dict)
    rulings: Row = field(default_factory=dict)
    scored: int | None = None

    def set(self, row: Row, **values: Any) -> None:
        """Set columns of a result, and of its game record if that states the same result and no other."""
        record = self.own_record(row)
        row |= values
        if record is not None:
            record |= {key: value for key, value in values.items() if key in (*CONTRACT, "stated_score_ns")}
            if "stated_points_ns" in values:
                record |= {"stated_points_ns": None, "stated_percentage_ns": None}

    def own_record(self, row: Row) -> Row | None:
        record = self.records.get(row["record"])
        if record is None or (record["level"] is None and record["stated_score_ns"] is None):
            return None
        alone = sum(other["record"] == row["record"] for other in self.results) == 1
        seated = record["pair_ns"] is not None and [record["pair_ns"], record["pair_ew"]] == [row["ns"], row["ew"]]
        same = all(record[name] == row[name] for name in CONTRACT)
        return record if same and (alone or seated) else None


CONTRACT = ("level", "strain", "doubled", "declarer", "tricks")
UNPLAYED: Row = dict.fromkeys((*CONTRACT, "lead", "stated_score_ns"))
UNADJUSTED: Row = dict.fromkeys(("award_ns", "award_ew", "split_score", "weights"))
UNPOINTED: Row = dict.fromkeys(("stated_points_ns", "stated_points_ew"))
STATED: Row = dict.fromkeys(("stated_rank", "stated_total", "stated_percentage"))
SIDES = {"ns": "ew", "team_ns": "team_ew", "player_n": "player_e", "player_s": "player_w"}
SEATS = {"north": "east", "south": "west", "pair_ns": "pair_ew"}
OF_SIDE = {"NS": {"ns", "_n", "_s"}, "EW": {"ew", "_e", "_w"}}
SEATED = {"ns": ("north", "south"), "ew": ("east", "west")}

Effect = Callable[[Expected, Row, Row], None]
"""Does to the rows what an entry says of a result."""


def exchange(row: Row, pairs: dict[str, str]) -> None:
    for one, other in pairs.items():
        row[one], row[other] = row[other], row[one]


def set_result(after: Expected, row: Row, entry: Row) -> None:
    values: Row = {}
    if entry.get("contract") == "Pass":
        values = {**UNPLAYED, "level": 0}
    elif "contract" in entry:
        values = {"level": 6, "strain": "NT", "doubled": 1}
    values |= {column: entry[key] for key, column in (("by", "declarer"), ("tricks", "tricks")) if key in entry}
    values |= {"stated_score_ns": entry.get("score"), **UNADJUSTED, **UNPOINTED}
    level = values.get("level", row["level"])
    after.set(row, **values, status="passed" if level == 0 else "played")
    after.scored = row["board"]


def set_lead(_: Expected, row: Row, entry: Row) -> None:
    row["lead"] = entry["lead"]


def swap(after: Expected, row: Row, _: Row) -> None:
    record = after.own_record(row)
    after.set(row, **UNPOINTED)
    exchange(row, SIDES)
    lines = {(who["contestant"], who["direction"]) for who in after.contestants if who["direction"]}
    if len({name for name, _ in lines}) < len(lines):
        row |= {"listed_ns": "EW", "listed_ew": "NS"}
    if record is not None:
        exchange(record, SEATS)
    after.scored = row["board"]


def other_pair(after: Expected, row: Row, entry: Row) -> None:
    new, old = entry["other_pair"], entry["pair"]
    named = [name for name in (*SIDES, *SIDES.values()) if name[-2:] in OF_SIDE[entry["direction"]]]
    side = next(name for name in sorted(named, key=lambda name: name in {"ns", "ew"}) if row[name] == old)
    record = after.own_record(row)
    for pair, *players in (("ns", "player_n", "player_s"), ("ew", "player_e", "player_w")):
        if side in players and row[pair] == "+".join(row[player] for player in players):
            row[pair] = "+".join(new if player == side else row[player] for player in players)
    after.set(row, **{side: new}, **UNPOINTED)
    if record is not None and side in SEATED:
        listed = {each["names"] for each in after.contestants if each["contestant"] == new and each["names"]}
        names = (listed.pop() if len(listed) == 1 else new).split(" - ")
        record |= dict(zip(SEATED[side], names if len(names) == 2 else (None, None), strict=True))
        if record[f"pair_{side}"]:
            record[f"pair_{side}"] = new
    after.scored = row["board"]


def delete(after: Expected, row: Row, _: Row) -> None:
    record = after.own_record(row)
    after.results.remove(row)
    if record is not None:
        record |= dict.fromkeys((*CONTRACT, "stated_score_ns", "stated_points_ns", "stated_percentage_ns"))
    after.scored = row["board"]


def not_played(after: Expected, row: Row, _: Row) -> None:
    after.set(row, **UNPLAYED, **UNADJUSTED, **UNPOINTED, status="not played")
    after.scored = row["board"]


def adjust(after: Expected, row: Row, entry: Row) -> None:
    [kind] = [key for key in ("award", "split", "weighted", "assigned") if key in entry]
    place = {key: row[key] for key in ("board", "section", "round", "table", "ns", "ew")}
    after.rulings = {"adjustments": [place | {kind: entry[kind]}]}
    after.scored = row["board"]


def foul(after: Expected, row: Row, entry: Row) -> None:
    after.rulings = {"fouled": [{"board": row["board"], "ns": entry["fouled"], "section": row["section"]}]}
    after.scored = row["board"]


def rule(name: str, key: str) -> Effect:
    def ruled(after: Expected, _: Row, entry: Row) -> None:
        said = entry[key] if isinstance(entry[key], dict) else {"amount": entry[key]}
        about = {"contestant": entry["pair"], "section": entry.get("section"), "direction": entry.get("direction")}
        after.rulings = {name: [about | said]}
        after.scored = 0

    return ruled


def decide(after: Expected, _: Row, entry: Row) -> None:
    about = {key: entry.get(key) for key in ("section", "direction")}
    after.rulings = {"decided_ties": [about | {"contestant": entry["tie"]["winner"], "by": "lot"}]}


def set_method(after: Expected, _: Row, entry: Row) -> None:
    after.rulings = {"method": entry["method"]}
    after.scored = 0


def set_fact(key: str, column: str) -> Effect:
    def fact(after: Expected, _: Row, entry: Row) -> None:
        value = str(entry[key]).replace("-", ".") if key == "date" else entry[key]
        after.facts = {column: value}
        for record in after.records.values():
            record[column] = value

    return fact


def rename(after: Expected, _: Row, entry: Row) -> None:
    old, new = entry["player"]["from"], entry["player"]["to"]

    def renamed(text: str | None) -> str | None:
        return text and " - ".join(new if name == old else name for name in text.split(" - "))

    for row in after.contestants:
        row |= {key: renamed(row[key]) for key in ("contestant", "names")}
    for row in after.results:
        row |= {key: renamed(row[key]) for key in (*SIDES, *SIDES.values()) if not key.startswith("team")}
    for record in after.records.values():
        record |= {key: renamed(record[key]) for key in (*SEATS, *SEATS.values())}


def name(after: Expected, _: Row, entry: Row) -> None:
    """Name a pair, and its players in the game records that state it; one known by its names has new ones."""
    who, new = entry["pair"], entry["name"]
    about = {key: entry[key] for key in ("direction", "section") if key in entry}
    mine = [
        row
        for row in after.contestants
        if row["contestant"] == who and all(row[key] in {None, value} for key, value in about.items())
    ]
    by_names = any(row["names"] == who for row in mine)
    for record in after.records.values():
        for pair, seats in (("pair_ns", ("north", "south")), ("pair_ew", ("east", "west"))):
            joined = " - ".join(record[seat] or "?" for seat in seats)
            if (record[pair] or joined) == who and about.get("direction", pair[-2:].upper()) == pair[-2:].upper():
                record |= dict(zip(seats, new.split(" - "), strict=True))
    for row in mine:
        row["names"] = new
    if by_names:
        for row in [*after.results, *after.contestants, *after.records.values()]:
            keys = [*SIDES, *SIDES.values(), "contestant", "pair_ns", "pair_ew"]
            row.update({key: new for key in keys if row.get(key) == who and not key.startswith("team")})


def exchange_cards(after: Expected, row: Row, entry: Row) -> None:
    one, other = entry["cards"]
    for record in after.records.values():
        if record["board"] == row["board"] and record["deal"]:
            hands = [hand.split(".") for hand in record["deal"][2:].split(" ")]
            for hand in hands:
                gone, come = (one, other) if holds(hand, one) else (other, one)
                if holds(hand, gone):
                    suits = {suit: hand["SHDC".index(suit)] for suit in "SHDC"}
                    suits[gone[0]] = suits[gone[0]].replace(gone[1], "")
                    suits[come[0]] = "".join(rank for rank in RANKS if rank in suits[come[0]] + come[1])
                    hand[:] = suits.values()
            record["deal"] = "N:" + " ".join(".".join(hand) for hand in hands)
            computed = [item for item in after.items if item["record"] == record["record"] and item["name"] in COMPUTED]
            after.items = [item for item in after.items if item not in computed]


COMPUTED = {"DoubleDummyTricks", "OptimumResultTable", "Ability", "OptimumScore", "ParScore", "Minimax", "ParContract"}
"""Tags with what a program found for the cards as they were."""

RANKS = "AKQJT98765432"


def holds(hand: list[str], card: str) -> bool:
    return len(hand) == 4 and card[1] in hand["SHDC".index(card[0])]


def first_card(hand: str) -> str | None:
    return next(
        (suit + ranks[0] for suit, ranks in zip("SHDC", hand.split("."), strict=False) if ranks.strip("-")), None
    )


def place(row: Row) -> Row:
    return {key: row[key] for key in ("board", "section", "round", "table") if row[key] is not None}


def one_of(row: Row, side: str) -> str:
    """Return who an entry may name on a side: in an individual a player."""
    return str(row[f"player_{'n' if side == 'ns' else 'e'}"] or row[side])


def entries(session: Session, row: Row) -> Iterator[tuple[str, Row, Effect]]:
    """Yield entries of all kinds about a result, with what they do."""
    ns, ew = ({"pair": one_of(row, side), "direction": side.upper()} for side in ("ns", "ew"))
    at = place(row)
    others = sorted({*session.results["ns"].drop_nulls(), *session.results["ew"].drop_nulls()} - {row["ns"], row["ew"]})
    if row["player_n"]:
        seated = [row[f"player_{seat}"] for seat in "nesw"]
        others = sorted(
            {*session.results["player_n"].drop_nulls(), *session.results["player_e"].drop_nulls()} - {*seated}
        )
    of_pair = {"pair": row["ns"]}
    listed = session.contestants.filter(pl.col("contestant") == row["ns"])
    if listed.height > 1:
        of_pair |= {key: listed[key][0] for key in ("direction", "section") if listed[key].n_unique() > 1}
    yield "contract", {**at, **ns, "contract": "6NTX", "by": "E", "tricks": 13}, set_result
    yield "passed", {**at, **ew, "contract": "Pass"}, set_result
    yield "score", {**at, **ew, "score": 110}, set_result
    if row["level"] and row["declarer"]:
        yield "tricks", {**at, **ns, "tricks": 0 if row["tricks"] else 13}, set_result
        yield "by", {**at, **ns, "by": "S" if row["declarer"] == "W" else "W", "tricks": 5}, set_result
    if row["level"] != 0:
        yield "lead", {**at, **ns, "lead": "C3"}, set_lead
    yield "swap", {**at, **ns, "swap": True}, swap
    several = session.contestants.filter(pl.col("contestant").is_duplicated())["contestant"].to_list()
    others = [name for name in others if name not in several]
    if others:
        yield "other pair", {**at, **ns, "other_pair": others[0]}, other_pair
        yield "other pair E-W", {**at, **ew, "other_pair": others[-1]}, other_pair
    yield "delete", {**at, **ew, "delete": True}, delete
    yield "not played", {**at, **ns, "not_played": True}, not_played
    yield "award", {**at, **ns, "award": ["60%", "A-"]}, adjust
    yield "split", {**at, **ew, "split": {"ns": 100, "ew": -50}}, adjust
    yield "weighted", {**at, **ns, "weighted": [{"score": 90, "weight": 2}, {"score": -50, "weight": 1}]}, adjust
    yield "assigned", {**at, **ns, "assigned": -110}, adjust
    on_board: Row = {key: at[key] for key in ("board", "section") if key in at}
    yield "fouled", {**on_board, "fouled": [row["ns"]]}, foul
    if not row["player_n"]:
        yield "penalty", {**of_pair, "penalty": {"amount": 3, "unit": "percent"}}, rule("penalties", "penalty")
        yield "carry-over", {**of_pair, "carry_over": {"score": 60, "top": 100}}, rule("carry_overs", "carry_over")
        yield "handicap", {**of_pair, "handicap": 2}, rule("handicaps", "handicap")
        about = {key: value for key, value in of_pair.items() if key != "pair"}
        if listed.height:
            yield "name", {**of_pair, "name": "Zed Zulu - Yan Yak"}, name
        yield "tie", {**about, "tie": {"winner": row["ns"]}}, decide
    for players in session.contestants["names"].drop_nulls().str.split(" - ").head(1):
        yield "player", {"player": {"from": players[-1], "to": "Zed Zulu"}}, rename
    for deal in session.records.filter(pl.col("board") == row["board"])["deal"].drop_nulls().head(1):
        held = {seat: first_card(hand) for seat, hand in enumerate(deal[2:].split(" "))}
        one, other = [card for card in held.values() if card][:2]
        yield "cards", {"board": row["board"], "cards": [one, other]}, exchange_cards
    yield "method", {"method": "butler"}, set_method
    yield "title", {"title": "The Other Cup"}, set_fact("title", "event")
    yield "date", {"date": "2001-02-03"}, set_fact("date", "date")
    yield "club", {"club": "Elsewhere"}, set_fact("club", "site")


def found(*said: Row) -> list[Found]:
    lines = [
        "[[corrections]]\n" + "".join(f"{k} = {toml_value(v)}\n" for k, v in {**e, "why": "x"}.items()) for e in said
    ]
    text = "".join(lines)
    corrections = parse_corrections(SettingsFile(Path(SOURCE), text), SOURCE)
    assert () == corrections.findings
    return [Found(corrections)]


def expect(session: Session, at: int, entry: Row, effect: Effect) -> tuple[dict[str, Any], Row]:
    """Return the frames of a session after an entry about a result, and the settings that it adds."""
    after = Expected(
        session.results.to_dicts(),
        {row["record"]: row for row in session.records.to_dicts()},
        session.contestants.to_dicts(),
        session.items.to_dicts(),
    )
    effect(after, after.results[at], entry)
    if after.scored is not None:
        for row in after.results:
            row.update(UNPOINTED if after.scored in {0, row["board"]} else {})
        for row in after.contestants:
            row.update(STATED)
    frames = frames_of(session)
    changed = {"results": after.results, "contestants": after.contestants, "items": after.items}
    changed["records"] = [*after.records.values()]
    frames |= {name: pl.DataFrame(rows, schema=frames[name].schema) for name, rows in changed.items()}
    frames["facts"] = frames["facts"] | {name: str(value) for name, value in after.facts.items()}
    return frames, after.rulings


def without_the_entry(after: Session) -> dict[str, Any]:
    """Return the frames of a corrected session without those that tell of its corrections."""
    frames = frames_of(after)
    problems = frames["problems"].filter(pl.col("source").ne_missing(SOURCE))
    return frames | {"problems": problems, "corrections": frames["corrections"].clear()}


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Session]:
    return sessions(tmp_path_factory.mktemp("evenings"))


def test_a_correction_changes_what_it_says_and_nothing_else(everything: dict[str, Session]) -> None:
    rng = random.Random(35)
    wrong: list[str] = []
    tried = set()
    for name, session in everything.items():
        rows = targets(session)
        for at in rows if ALL else rng.sample(rows, 1):
            for kind, entry, effect in entries(session, session.results.row(at, named=True)):
                frames, rulings = expect(session, at, entry, effect)
                after, added = correct(session, found(entry))
                told = after.problems.filter(pl.col("source") == SOURCE)
                if "correction-no-change" in told["code"]:
                    frames = frames_of(session)
                errors = told.filter(pl.col("code") != "correction-no-change")["message"].to_list()
                differ = errors or differences(frames, without_the_entry(after))
                scoring = added.on(Scoring()).model_dump()
                for key, value in rulings.items():
                    differ += _missing(key, value, scoring[key])
                differ += [f"scoring.{key}" for key in set(changed_settings(scoring)) ^ set(rulings)]
                tried.add(kind)
                wrong += [f"{name} {kind} {entry}: {line}" for line in differ]
    assert "" == "\n".join(wrong)
    assert 27 == len(tried)


def changed_settings(scoring: Row) -> list[str]:
    usual = Scoring().model_dump()
    return [key for key, value in scoring.items() if value != usual[key]]


def _missing(key: str, expected: Any, got: Any) -> list[str]:
    """Return in what a setting is not as expected; keys that are not expected may be anything but a value."""
    if not isinstance(expected, list):
        return [] if expected == got else [f"{key}: {got}"]
    if len(expected) != len(got):
        return [f"{key}: {got}"]
    [want], [have] = expected, got
    return [f"{key}.{name}: {value} -> {have.get(name)}" for name, value in want.items() if have.get(name) != value]


CONTRADICTS_ITSELF = {"title", "date", "club", "method"}
"""What there is once in a session."""


def apart(session: Session) -> list[int]:
    """Return two results on different boards with different contestants; none where there are not two."""
    rows = session.results.with_row_index("at").filter(pl.col("at").is_in(targets(session))).to_dicts()
    for one in rows[:1]:
        for other in rows[1:]:
            if one["board"] != other["board"] and {one["ns"], one["ew"]}.isdisjoint({other["ns"], other["ew"]}):
                return [one["at"], other["at"]]
    return []


def test_entries_about_different_things_do_not_disturb_each_other(everything: dict[str, Session]) -> None:
    """Both count, in either order with the same frames; of two about one thing the first counts."""
    wrong, tried = [], set()
    for name in everything if ALL else sorted(everything)[::2]:
        session = everything[name]
        pair = apart(session)
        if not pair:
            continue
        one, other = (
            {kind: entry for kind, entry, _ in entries(session, session.results.row(at, named=True))} for at in pair
        )
        for kind in one.keys() & other.keys() - {"player"}:
            first, _ = correct(session, found(one[kind], other[kind]))
            codes = [code for code in first.problems["code"] if code == "correction-contradicts"]
            if codes != ["correction-contradicts"] * (kind in CONTRADICTS_ITSELF):
                wrong.append(f"{name} {kind}: {first.problems['message'].to_list()}")
            second, _ = correct(session, found(other[kind], one[kind]))
            if not codes:
                wrong += [
                    f"{name} {kind}: {line}"
                    for line in differences(without_the_entry(first), without_the_entry(second))
                ]
            twice = correct(session, found(one[kind], one[kind]))[0].problems["code"].to_list()
            refused = any(code.startswith("correction-") for code in twice)
            if refused == (kind == "penalty"):
                wrong.append(f"{name} {kind} twice: {twice}")
            tried.add(kind)
    assert "" == "\n".join(wrong)
    assert 26 == len(tried)
