"""The rows of a session that JSON, CSV, Parquet and the terminal list, and CSV itself.

All writers take their columns from here, so that a result has the same names and numbers in every format. Matchpoints
are in the club's unit.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final

import polars as pl
from polars import selectors

from overtrick.core.bridge.auction import CALLS
from overtrick.core.bridge.cards import CARDS, SEATS, STRAINS, VULNERABILITIES
from overtrick.core.bridge.victory_points import UNIT
from overtrick.core.frames import CONTESTANTS, ITEM_KINDS, PART, PROBLEMS, RECORDS, STANDINGS, STATUS, Session
from overtrick.core.notation import contract_text, in_club_unit
from overtrick.core.policies import describe_policies
from overtrick.files.formats.base import LIN_HELD
from overtrick.files.formats.pbn.tags import held_names
from overtrick.files.formats.tables.typed import COMPUTED


def name_sides(session: Session, side: str) -> pl.Series:
    """Return the names of who sat N-S (`ns`) or E-W (`ew`) at each result: `names_ns`, null where nothing is known.

    They are those of that number, section and direction, as far as these tell contestants apart.
    """
    known = session.contestants.drop_nulls("names").filter(pl.col("names") != pl.col("contestant"))
    asked = session.results.select(
        pl.col(side).alias("contestant"),
        "section",
        pl.coalesce(f"listed_{side}", pl.lit(side.upper(), known.schema["direction"])).alias("direction"),
    )
    for by in (["contestant", "section", "direction"], ["contestant", "section"], ["contestant", "direction"]):
        asked = _with_names(asked, known, by)
    named = _with_names(asked, known, ["contestant"])
    return named.select(pl.coalesce(pl.col("^names_by_.*$"))).to_series().alias(f"names_{side}")


def _with_names(asked: pl.DataFrame, known: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    found = known.select(*by, pl.col("names").alias(f"names_by_{'_'.join(by)}")).unique(by, keep="first")
    return asked.join(found, on=by, how="left", maintain_order="left")


def describe_session(session: Session) -> dict[str, object]:
    """Return what a scored session says of itself."""
    facts = session.facts
    return {
        "event": facts.event,
        "site": facts.site,
        "date": facts.date,
        "scoring": facts.scoring,
        "method": facts.method,
        "boards": count_boards(session),
        "tables": count_tables(session),
        "policies": describe_policies(facts),
    }


def write_lists(session: Session, standings: pl.DataFrame, results: pl.DataFrame) -> dict[str, str]:
    """Return the lists of standings and results, and those of matches and score sheets if there are any."""
    more = {"matches": list_matches(session), "sheets": list_sheets(session)}
    lists = {"standings": standings, "results": results, **{name: rows for name, rows in more.items() if len(rows)}}
    return {name: write_rows(rows) for name, rows in lists.items()}


def write_object(members: dict[str, str]) -> str:
    """Return an object of members that are JSON already, one on a line."""
    return "{\n" + ",\n".join(f'"{key}": {value}' for key, value in members.items()) + "\n}\n"


def write_rows(frame: pl.DataFrame) -> str:
    """Return a list of objects, one on a line."""
    # Every newline that polars writes ends a row: newlines within texts are escaped.
    rows = frame.write_ndjson().rstrip("\n").replace("\n", ",\n")
    return f"[\n{rows}\n]" if rows else "[]"


DECIMALS: Final = 4
"""Of totals, points and percentages as written; ranking is done before, on exact numbers."""
_ROUNDED: Final = selectors.float().round(DECIMALS)

FORMULA: Final = "^[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
"""The first characters of a text that a spreadsheet would run as a formula, full-width forms included."""


def list_standings(session: Session) -> pl.DataFrame:
    """Return the standings, best first within a ranking: the columns of `frames.STANDINGS` without stated values."""
    computed = [name for name in STANDINGS if not name.startswith("stated_")]
    return in_club_unit(session).standings.select(computed).with_columns(_ROUNDED)


def list_results(session: Session) -> pl.DataFrame:
    """Return every scored line of every board.

    Columns: `section round table board ns ew contract declarer tricks lead score_ns points_ns points_ew percentage_ns
    award_ns award_ew` as in `frames.RESULTS`; `contract` as in `notation.contract_text`, `score_ns` in points,
    `points_*` in matchpoints or IMPs. `formats.csv` reads these columns.
    """
    return (
        in_club_unit(session)
        .results.with_columns(contract_text().alias("contract"))
        .select(
            *("section", "round", "table", "board", "ns", "ew", "contract", "declarer", "tricks", "lead"),
            *("score_ns", "points_ns", "points_ew", "percentage_ns", "award_ns", "award_ew"),
        )
        .with_columns(_ROUNDED)
    )


def list_deals(session: Session) -> pl.DataFrame:
    """Return the deals, each once for a board: `section board deal dealer vulnerable`, as in `frames.RECORDS`."""
    stated = pl.col("dealer", "vulnerable").cast(pl.String).drop_nulls().first()
    dealt = session.records.drop_nulls("deal")
    return dealt.group_by("section", "board", "deal", maintain_order=True).agg(stated)


CONTESTANT: Final = tuple(name for name in CONTESTANTS if name not in {"source", "line", "spellings"})
"""What a file tells of a contestant."""


def list_contestants(session: Session) -> pl.DataFrame:
    """Return the contestants, in the columns of `CONTESTANT` that have any value."""
    return drop_empty(session.contestants.select(CONTESTANT))


def drop_empty(frame: pl.DataFrame, *kept: str) -> pl.DataFrame:
    """Return a frame without the columns that have no value, apart from those that are kept."""
    return frame.drop(name for name in frame.columns if name not in kept and frame[name].is_null().all())


GAME_LISTS: Final = {"calls": CALLS, "cards": CARDS}
Allowed = Collection[object] | re.Pattern[str]
_INTEGER: Final = range(-(2**31), 2**31)
GAME: Final[dict[str, Allowed]] = {
    **{name: () for name in RECORDS if name not in {"record", "source", "line"}},
    **dict.fromkeys(("dealer", "declarer", "auction_start", "play_start"), SEATS),
    **dict.fromkeys(("auction_end", "play_end"), ("*", "+")),
    **dict.fromkeys(("irregular_declarer", "irregular_tricks"), (True, False)),
    "board": range(1, 2**31),
    "stated_score_ns": _INTEGER,
    "vulnerable": VULNERABILITIES,
    "level": range(8),
    "strain": STRAINS,
    "doubled": range(3),
    "tricks": range(14),
    **{name: re.compile(f"(?:(?:^| )(?:-|{'|'.join(map(re.escape, words))}))*") for name, words in GAME_LISTS.items()},
}
"""What a game record tells, as in `frames.RECORDS`, and the values that each column can have, or their pattern; empty
where any text or number will do. The values of `GAME_LISTS` are lists, written as words with blanks between them."""
FACTS: Final = ("event", "site", "date", "scoring")
"""What `session` says of all games; a game has them only where it says something else."""


STATED: Final = ("score_ns", "points_ns", "points_ew")
"""What files state of results, beside what counts."""
RESULT: Final[dict[str, Allowed]] = {
    "game": range(2**31),
    "status": tuple(STATUS.categories),
    "entered": (),
    "doubled": range(3),
    "multiplicity": range(1, 2**16),
    "split_score": _INTEGER,
    "stated_match_ns": (),
    "stated_match_ew": (),
    "weights": re.compile("[1-9][0-9]{0,2}:-?[0-9]{1,5}(?:,[1-9][0-9]{0,2}:-?[0-9]{1,5})*"),
}
"""What JSON tells of a result and tables do not: the place of its `game`, and columns of `frames.RESULTS`, `weights` as
`60:420,40:-50`."""


FOR_ALL: Final = ("note", "explanation", "alert", "irregularity")
"""Kinds of annotations that explain a call, or tell whose turn it was. Chat and comments are not for everybody."""
KINDS: Final = (*FOR_ALL, "suffix", "nag", "comment")
NOTE: Final[dict[str, Allowed]] = {
    "part": tuple(PART.categories),
    "kind": KINDS,
    "index": range(2**31),
    "text": (),
    "reference": (),
}
"""What an annotation tells, as in `frames.ANNOTATIONS`."""
ITEM: Final[dict[str, Allowed]] = {"game": range(2**31), "kind": ITEM_KINDS, "name": (), "text": ()}
"""What an item tells, as in `frames.ITEMS`; `game` is the place of its game, null outside games."""


def list_games(session: Session, kinds: Sequence[str] = KINDS) -> pl.DataFrame:
    """Return the game records, in the columns of `GAME` that have any value, each list as words with blanks between.

    `notes` are the annotations of some kinds.
    """
    shown = session.annotations.filter(pl.col("kind").is_in(list(kinds)))
    notes = shown.group_by("record", maintain_order=True).agg(pl.struct(*NOTE).alias("notes"))
    games = session.records.with_columns(
        pl.col(name).list.eval(pl.element().replace_strict(range(len(known)), known, default="-")).list.join(" ")
        for name, known in GAME_LISTS.items()
    )
    games = games.join(notes, on="record", how="left", maintain_order="left").select(*GAME, "notes")
    said = {name: pl.lit(getattr(session.facts, name), pl.String) for name in FACTS}
    usual = games.select(pl.col(name).eq_missing(said.get(name, pl.lit(None))).all() for name in games.columns)
    return games.drop(name for name, alike in usual.row(0, named=True).items() if alike) if len(games) else games


def place_games(session: Session, frame: pl.DataFrame) -> pl.Series:
    """Return the place in `list_games` of the record of each row, as `game`; null for none."""
    places = session.records.select("record").with_row_index("game")
    return frame.select("record").join(places, on="record", how="left", maintain_order="left")["game"]


def list_rest(session: Session) -> pl.DataFrame:
    """Return what no table of results has: `game`, and the columns of `RESULT` and `STATED` that have any value."""
    unusual = {
        "status": pl.col("status").is_in(["bye", "adjusted", "not played"]),
        "multiplicity": pl.col("multiplicity") != 1,
        # `contract` has no place for it.
        "doubled": (pl.col("level") == 0).fill_null(value=True),
    }
    outcome = pl.format("{}:{}", *(pl.element().struct.field(part) for part in ("weight", "score_ns")))
    weights = pl.col("weights").list.eval(outcome).list.join(",")
    rest = session.results.with_columns(weights, place_games(session, session.results)).select(
        *(pl.when(unusual.get(name, pl.lit(value=True))).then(name).alias(name) for name in RESULT),
        *(f"stated_{name}" for name in STATED),
    )
    return drop_empty(rest, "game")


def list_items(session: Session) -> pl.DataFrame:
    """Return the items that no other frame holds, in the columns of `ITEM`."""
    items = session.items.filter(~is_held())
    return items.with_columns(place_games(session, items)).select(*ITEM)


def is_held() -> pl.Expr:
    """Return whether another frame holds the value of an item, or it only sets the look of a page."""
    held = pl.col("name").is_in([*held_names(), *LIN_HELD, *COMPUTED, "score_ew"])
    return held.fill_null(value=False)


def list_matches(session: Session) -> pl.DataFrame:
    """Return the matches of teams.

    Columns: `section round team opponents boards`, `points points_opponents` in IMPs (or matchpoints, or points), and
    `victory_points victory_points_opponents`, null without a scale.
    """
    return (
        in_club_unit(session)
        .matches.select(
            *("section", "round", "team", "opponents", "boards", "points", "points_opponents"),
            *(pl.col(name) / UNIT for name in ("victory_points", "victory_points_opponents")),
        )
        .with_columns(_ROUNDED)
    )


def list_sheets(session: Session) -> pl.DataFrame:
    """Return the score sheets of rubber-type games, a row for each entry: the columns of `frames.SHEETS`."""
    return session.sheets


def list_problems(session: Session) -> pl.DataFrame:
    """Return the problems, file by file and from top to bottom: the columns of `frames.PROBLEMS`."""
    return session.problems.select(*PROBLEMS).sort("source", "line", "column", nulls_last=False, maintain_order=True)


def count_boards(session: Session) -> int:
    """Return the number of different board numbers."""
    return session.records["board"].drop_nulls().n_unique()


def count_tables(session: Session) -> int | None:
    """Return the number of tables of all sections; None unless the files name the table of every result."""
    scored = session.results.drop_nulls("score_ns")
    if scored.is_empty() or scored["table"].has_nulls():
        return None
    return scored.select("section", "table").n_unique()


def write_csv(rows: pl.DataFrame) -> str:
    """Return rows as CSV for spreadsheets: a header line, commas, `.` for decimals, an empty cell for null.

    A text that a spreadsheet would run as a formula gets an apostrophe before it: names come from strangers.
    """
    texts = [name for name, dtype in rows.schema.items() if dtype == pl.String]
    return rows.with_columns(pl.col(texts).str.replace(FORMULA, "'${0}")).write_csv()
