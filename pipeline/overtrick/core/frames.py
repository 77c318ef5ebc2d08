"""All frames: their columns, with types, units and meaning. The one place where a schema is defined."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Annotated, Final, Literal, NamedTuple

import polars as pl
from polars.datatypes import DataTypeClass

from overtrick.core.bridge.cards import SEATS, STRAINS, VULNERABILITIES
from overtrick.core.bridge.methods import Settings
from overtrick.core.late import Late, get_frame
from overtrick.core.notebook import Board, find_board, summary, summary_html

ColumnType = pl.DataType | DataTypeClass  # with its parameters, or without
SEAT: Final = pl.Enum(SEATS)
STRAIN: Final = pl.Enum(STRAINS)
VULNERABLE: Final = pl.Enum(VULNERABILITIES)
SEVERITY: Final = pl.Enum(["error", "warning", "info"])
ITEM_KINDS: Final = ("tag", "section", "comment", "escape", "stray")
ITEM_KIND: Final = pl.Enum(ITEM_KINDS)
PLAYED: Final = ("played", "passed")
HAPPENED: Final = (*PLAYED, "adjusted")
STATUS: Final = pl.Enum([*HAPPENED, "not played", "bye", "unknown"])
DIRECTION: Final = pl.Enum(["NS", "EW"])
PART: Final = pl.Enum(["auction", "play"])
ORIGIN: Final = pl.Enum(["stated", "solved"])

Holds = Literal["free", "player", "names", "substitutes", "identity", "label", "file", "text", "row", "title", "number"]
"""What a column can hold of names; `judge.privacy` says how they are taken out of each."""


class Column(NamedTuple):
    """One column of a frame: its polars type, what it means, and what it can hold of names where that is told."""

    dtype: ColumnType
    meaning: str
    told: Holds | None = None


Schema = dict[str, Column]

SOURCES: Final[Schema] = {
    "source": Column(pl.String, "the file as the user named it; `-` for standard input", "file"),
    "format": Column(pl.String, "pbn, or a name of `formats.readers`; null for a file that can't be read", "free"),
    "encoding": Column(pl.String, "how its text was read: utf-8, utf-8-sig, utf-16, cp1252, latin-1, ...", "free"),
    "size": Column(pl.UInt64, "bytes"),
    "sha256": Column(pl.String, "of the bytes, hexadecimal; in an archive also of the evening", "free"),
    "records": Column(pl.UInt32, "game records found in it"),
}

ITEMS: Final[Schema] = {
    "source": Column(pl.String, "the file", "file"),
    "record": Column(pl.UInt32, "the game record the item belongs to; null before and between games"),
    "line": Column(pl.UInt32, "first line, from 1"),
    "column": Column(pl.UInt32, "first column, in characters from 1"),
    "kind": Column(ITEM_KIND, "tag, section (the rows below a tag), comment, escape line, stray (not understood)"),
    "name": Column(pl.String, "tag name; for a section the name of its tag; null otherwise", "free"),
    "text": Column(pl.String, "tag value without quotes and escapes; a section or a comment as written", "row"),
}

RECORDS: Final[Schema] = {
    "record": Column(pl.UInt32, "number of the game record in the session, from 0"),
    "source": Column(pl.String, "the file", "file"),
    "line": Column(pl.UInt32, "first line of the record"),
    "event": Column(pl.String, "PBN 3.4.1; null when unknown or empty, as for all texts here", "title"),
    "site": Column(pl.String, "PBN 3.4.2", "title"),
    "date": Column(pl.String, "PBN 3.4.3, `YYYY.MM.DD` with `?` for an unknown part; else as written"),
    "board": Column(pl.Int32, "board number, 1 and up; null when the file states none, or a text that is not a number"),
    "board_label": Column(pl.String, "the board as the file writes it", "label"),
    "north": Column(pl.String, "player", "player"),
    "east": Column(pl.String, "player", "player"),
    "south": Column(pl.String, "player", "player"),
    "west": Column(pl.String, "player", "player"),
    "pair_ns": Column(pl.String, "identity of the pair, PBN PairNS", "identity"),
    "pair_ew": Column(pl.String, "identity of the pair, PBN PairEW", "identity"),
    "home_team": Column(pl.String, "PBN HomeTeam", "identity"),
    "visit_team": Column(pl.String, "PBN VisitTeam", "identity"),
    "home_carry": Column(pl.Float64, "IMPs that the home team brings into this part of the match, LIN vg"),
    "visit_carry": Column(pl.Float64, "the same for the visiting team"),
    "room": Column(pl.String, "PBN Room: Open or Closed"),
    "section": Column(pl.String, "PBN Section", "label"),
    "round": Column(pl.String, "PBN Round", "label"),
    "table": Column(pl.String, "PBN Table", "label"),
    "dealer": Column(SEAT, "as stated"),
    "vulnerable": Column(VULNERABLE, "as stated"),
    "deal": Column(pl.String, "canonical: `N:`, then the hands clockwise from North, S.H.D.C, `-` if hidden", "free"),
    "scoring": Column(pl.String, "PBN 3.4.12, as written"),
    "level": Column(pl.UInt8, "of the contract, 1-7; 0 when passed out; null when unknown"),
    "strain": Column(STRAIN, "of the contract; null when passed out or unknown"),
    "doubled": Column(pl.UInt8, "0, 1 doubled, 2 redoubled"),
    "declarer": Column(SEAT, "as stated; null when unknown; a passed-out board has one only where a program states it"),
    "irregular_declarer": Column(pl.Boolean, "marked by `^`: played in place of the partner, declarer by the auction"),
    "tricks": Column(pl.UInt8, "declarer's tricks, 0-13; null when unknown"),
    "irregular_tricks": Column(pl.Boolean, "marked by `^`: not the number that the play gives"),
    "stated_score_ns": Column(pl.Int32, "points for N-S as stated"),
    "stated_points_ns": Column(pl.Float64, "matchpoints or IMPs for N-S as stated"),
    "stated_percentage_ns": Column(pl.Float64, "percent for N-S as stated"),
    "auction_start": Column(SEAT, "seat of the first entry of `calls`"),
    "calls": Column(pl.List(pl.UInt8), "codes of `bridge.calls` in order, without padding; 255 for an invalid call"),
    "auction_end": Column(pl.String, "`*` ended early, `+` to be continued, null when the text ends without a mark"),
    "play_start": Column(SEAT, "seat of the first column of the play"),
    "cards": Column(
        pl.List(pl.UInt8), "codes of `bridge.cards` row by row, four a trick; 255 for `-`, `+` and an invalid card"
    ),
    "play_end": Column(pl.String, "as `auction_end`"),
}

ANNOTATIONS: Final[Schema] = {
    "record": Column(pl.UInt32, "the game record"),
    "part": Column(PART, "auction or play"),
    "index": Column(pl.UInt32, "index in `calls` or `cards` of its entry, from 0; null for a comment before the first"),
    "kind": Column(pl.String, "suffix, nag, note, irregularity, comment (chat too), alert, explanation", "free"),
    "text": Column(pl.String, "as written without its mark: `!?`, `13`, `I`; a comment; what a note says", "row"),
    "reference": Column(pl.String, "the number of a note in its game; null for others"),
    "line": Column(pl.UInt32, "from 1"),
    "column": Column(pl.UInt32, "in characters, from 1"),
}

RESULTS: Final[Schema] = {
    "record": Column(pl.UInt32, "the game record that states it; null if the file has results alone"),
    "source": Column(pl.String, "the file", "file"),
    "line": Column(pl.UInt32, "from 1"),
    "column": Column(pl.UInt32, "in characters, from 1"),
    "section": Column(pl.String, "section of the session", "label"),
    "round": Column(pl.String, "round of the movement", "label"),
    "table": Column(pl.String, "table", "label"),
    "board": Column(pl.Int32, "board number; null when the file gives none"),
    "ns": Column(pl.String, "contestant that sat N-S", "identity"),
    "ew": Column(pl.String, "contestant that sat E-W", "identity"),
    "player_n": Column(pl.String, "contestant that sat North in an individual; null in other events", "identity"),
    "player_e": Column(pl.String, "contestant that sat East", "identity"),
    "player_s": Column(pl.String, "contestant that sat South", "identity"),
    "player_w": Column(pl.String, "contestant that sat West", "identity"),
    "team_ns": Column(pl.String, "team whose pair sat N-S, in a match of teams", "identity"),
    "team_ew": Column(pl.String, "team whose pair sat E-W", "identity"),
    "names_ns": Column(pl.String, "who sat N-S, as the line names them; null once `assemble` has listed all", "names"),
    "names_ew": Column(pl.String, "the same for E-W", "names"),
    "listed_ns": Column(DIRECTION, "line of who sat N-S, if it is not N-S and both lines have the same numbers"),
    "listed_ew": Column(DIRECTION, "the same for E-W"),
    "vulnerable": Column(VULNERABLE, "the one that counts: as stated for the board, else by its number (Law 2)"),
    "level": Column(pl.UInt8, "as in records"),
    "strain": Column(STRAIN, "as in records"),
    "doubled": Column(pl.UInt8, "as in records"),
    "declarer": Column(SEAT, "as in records"),
    "tricks": Column(pl.UInt8, "as in records"),
    "lead": Column(pl.String, "opening lead, suit then rank: `DQ`, `HT`"),
    "entered": Column(pl.String, "when it was entered, as `2026-03-07T22:15:00`, in the time of the place"),
    "status": Column(STATUS, "played, passed (out), adjusted, not played, bye, unknown (can't be scored)"),
    "award_ns": Column(pl.String, "artificial score of N-S: `A+`, `A`, `A-` or a percentage as `60%`"),
    "award_ew": Column(pl.String, "artificial score of E-W"),
    "honours_ns": Column(pl.Int32, "points for honours that N-S claimed: 100 or 150; rubber-type games only"),
    "honours_ew": Column(pl.Int32, "the same for E-W"),
    "conduct_ns": Column(pl.Int32, "points that N-S lose on this deal for their conduct; rubber-type games only"),
    "conduct_ew": Column(pl.Int32, "the same for E-W"),
    "multiplicity": Column(pl.UInt32, "tables that share this row; 1 unless the file says otherwise"),
    "stated_score_ns": Column(pl.Int32, "points for N-S as the file states them; E-W's are the negative"),
    "stated_points_ns": Column(pl.Float64, "matchpoints or IMPs as the file states them"),
    "stated_points_ew": Column(pl.Float64, "matchpoints or IMPs as the file states them"),
    "stated_datum": Column(pl.Int32, "Butler datum as the file states it"),
    "stated_match_ns": Column(pl.Float64, "what the match earned the team that sat N-S, as stated: IMPs or points"),
    "stated_match_ew": Column(pl.Float64, "the same for E-W"),
    "split_score": Column(pl.Int32, "points for N-S by which E-W are scored, where they differ (Law 12C1)"),
    "weights": Column(
        pl.List(pl.Struct({"score_ns": pl.Int32, "weight": pl.Int64})),
        "a weighted score (Law 12C1c): points for N-S and their weights; `score_ns` is then null",
    ),
    "law_score_ns": Column(pl.Int32, "points for N-S by Law 77 from the contract; null when it can't be computed"),
    "score_ns": Column(pl.Int32, "points for N-S that are compared: as stated, else by Law 77; null when not played"),
    "numerator_ns": Column(pl.Int64, "matchpoints (2 a pair beaten) or IMPs of N-S, exactly: times `denominator`"),
    "numerator_ew": Column(pl.Int64, "the same for E-W"),
    "denominator": Column(pl.Int64, "of both numerators; null when the line earns nothing"),
    "top": Column(pl.Int64, "most matchpoints that the line could earn; null at IMPs"),
    "datum": Column(pl.Int32, "Butler datum of the board, points for N-S; not rounded: to the nearest point"),
    "points_ns": Column(pl.Float64, "numerator_ns / denominator"),
    "points_ew": Column(pl.Float64, "numerator_ew / denominator"),
    "percentage_ns": Column(pl.Float64, "100 * points_ns / top; null at IMPs"),
    "percentage_ew": Column(pl.Float64, "100 * points_ew / top; null at IMPs"),
}

CONTESTANTS: Final[Schema] = {
    "contestant": Column(pl.String, "identity within the session, as results name it", "identity"),
    "section": Column(pl.String, "section, where the file states one", "label"),
    "direction": Column(DIRECTION, "where the contestant started; null when unknown"),
    "names": Column(pl.String, "players, joined by ` - `", "names"),
    "substitutes": Column(pl.String, "who played for whom: `Ben - Ann` if Ben did; several with `; `", "substitutes"),
    "members": Column(pl.String, "membership numbers in the order of `names`, joined alike; never shown", "number"),
    "source": Column(pl.String, "the file that names the contestant so; null where none does", "file"),
    "line": Column(pl.UInt32, "where it does, from 1; null where the format has no lines"),
    "spellings": Column(pl.List(pl.Struct({"names": pl.String, "where": pl.String})), "other names; where", "number"),
    "club": Column(pl.String, "club or clubs, where the file states them", "title"),
    "stated_awards": Column(pl.String, "masterpoints as the file states them: `17 green`, with `; ` between colours"),
    "stated_adjustment": Column(pl.Float64, "what the Director added to the total, in its unit; penalties are < 0"),
    "stated_rank": Column(pl.UInt32, "as the file states it"),
    "stated_total": Column(pl.Float64, "as the file states it for this session"),
    "stated_percentage": Column(pl.Float64, "as the file states it for this session"),
}

STANDINGS: Final[Schema] = {
    "ranking": Column(pl.String, "the field: `NS`, `EW`, `all`, or a section's name before one of these", "label"),
    "rank": Column(pl.UInt32, "competition ranking: 1 + contestants that are strictly better"),
    "rank_last": Column(pl.UInt32, "last of the places that are shared: 2 and 3 share as rank 2, rank_last 3"),
    "contestant": Column(pl.String, "identity", "identity"),
    "direction": Column(DIRECTION, "in a two-winner field, or where numbers repeat N-S and E-W; null otherwise"),
    "section": Column(pl.String, "where numbers repeat from one section to the next; null otherwise", "label"),
    "names": Column(pl.String, "players", "names"),
    "total": Column(pl.Float64, "matchpoints (2 a pair beaten), IMPs, victory points or points; ranked exactly"),
    "percentage": Column(pl.Float64, "100 * total / top available on the boards scored; null at IMPs"),
    "boards": Column(pl.UInt32, "boards the contestant is scored on"),
    "stated_total": Column(pl.Float64, "as in contestants"),
    "stated_percentage": Column(pl.Float64, "as in contestants"),
    "correction": Column(pl.Float64, "the part of the total from carry-over, handicap and penalties; null if none"),
    "awards": Column(pl.String, "masterpoints of each player, as stated or by the club's table: `24 black; 5 green`"),
    "tie_break": Column(pl.String, "rule that broke a tie with other contestants; null where none was needed"),
}

MATCHES: Final[Schema] = {
    "section": Column(pl.String, "section of the session, where each section is scored by itself", "label"),
    "round": Column(pl.String, "round of the movement", "label"),
    "team": Column(pl.String, "the team that sat N-S at the first table read of the match", "identity"),
    "opponents": Column(pl.String, "the other team", "identity"),
    "boards": Column(pl.UInt32, "boards compared, including those with an adjusted score"),
    "numerator": Column(pl.Int64, "IMPs (or points) that the team won by, or its matchpoints: times `denominator`"),
    "numerator_opponents": Column(pl.Int64, "the same for the opponents"),
    "denominator": Column(pl.Int64, "of both numerators"),
    "top": Column(pl.Int64, "most matchpoints that the match could earn, 2 a comparison; null at IMPs"),
    "points": Column(pl.Float64, "numerator / denominator"),
    "points_opponents": Column(pl.Float64, "numerator_opponents / denominator"),
    "victory_points": Column(pl.Int64, "in hundredths; null without a scale"),
    "victory_points_opponents": Column(pl.Int64, "the same for the opponents"),
}

SHEETS: Final[Schema] = {
    "section": Column(pl.String, "section of the session", "label"),
    "round": Column(pl.String, "round of the movement", "label"),
    "table": Column(pl.String, "table", "label"),
    "ns": Column(pl.String, "contestant that sat N-S", "identity"),
    "ew": Column(pl.String, "contestant that sat E-W", "identity"),
    "sheet": Column(pl.UInt32, "number of the sheet at this table, from 1: the rubber, the round of four, the match"),
    "record": Column(pl.UInt32, "the deal that earned it; null for points settled after the last deal"),
    "deal": Column(pl.UInt32, "number of that deal on the sheet, from 1"),
    "game": Column(pl.UInt32, "number of the game in which it was written, from 1"),
    "direction": Column(DIRECTION, "the side that earned it"),
    "kind": Column(pl.String, "what it is for: one of `bridge.sheets.Kind`", "free"),
    "below": Column(pl.Boolean, "whether it is written below the line"),
    "points": Column(pl.Int32, "points"),
}

DOUBLE_DUMMY: Final[Schema] = {
    "record": Column(pl.UInt32, "the first game record that shows the deal"),
    "board": Column(pl.Int32, "as in records"),
    "deal": Column(pl.String, "as in records; null where a table is stated without its deal", "free"),
    "tricks": Column(
        pl.Array(pl.UInt8, 20),
        "of declarer N E S W, each in C D H S NT; 255 for an unknown number; null where only par is stated",
    ),
    "origin": Column(ORIGIN, "whether the file states the tricks or the solver found them; null without tricks"),
    "solved": Column(pl.Array(pl.UInt8, 20), "the solver's tricks, even if the file states some; null if not solved"),
    "par_ns": Column(pl.Int32, "points for N-S, from the tricks if all are known, else as the file states them"),
    "par_contracts": Column(
        pl.List(
            pl.Struct(
                {"level": pl.UInt8, "strain": STRAIN, "doubled": pl.UInt8, "declarer": pl.String, "tricks": pl.UInt8}
            )
        ),
        "contracts that reach par, as in records; declarer `N E S W`, or `NS EW` for either; null when not known",
    ),
}

ANALYSIS: Final[Schema] = {
    "result": Column(pl.UInt32, "the row in `results`"),
    "dd_tricks": Column(pl.UInt8, "tricks that declarer makes in the contract double dummy; null when not known"),
    "lead": Column(pl.UInt8, "the opening lead, a code of `bridge.cards`; null when not known"),
    "lead_cost": Column(pl.UInt8, "tricks that the opening lead gave up double dummy; null when not known"),
    "costs": Column(
        pl.List(
            pl.Struct({"place": pl.UInt8, "card": pl.UInt8, "seat": SEAT, "cost": pl.Int8, "best": pl.List(pl.UInt8)})
        ),
        "cards that gave up tricks: `place` in the play, 0 for the lead; `best` would have given up none; last a claim,"
        " without card and seat, negative if the defence gave tricks up; null unless the play is recorded to an end",
    ),
    "swing": Column(pl.Int64, "points of N-S less the average of the board, times `denominator`; null if not compared"),
    "swing_ew": Column(pl.Int64, "the same for E-W: the negative, unless a ruling gave the sides scores of their own"),
    "expected": Column(pl.Int64, "the part of the bidding: the contract as the field plays it; null when not known"),
    "lead_value": Column(pl.Int64, "the part of the opening lead, against the tables where the same side declared"),
    "declarer_value": Column(pl.Int64, "the part of declarer's cards, as before"),
    "defence_value": Column(pl.Int64, "the part of the defenders' cards after the lead, as before"),
    "unknown_value": Column(pl.Int64, "the part of what nobody recorded; with the four before it, this is the swing"),
    "denominator": Column(pl.Int64, "of all these"),
    "same_side": Column(pl.UInt32, "other tables of the board where the same side declared; 0: the evening's mean"),
    "others": Column(pl.UInt32, "other tables that the result is compared with and that have a contract"),
    "alike": Column(pl.UInt32, "those of them with the same contract: level, strain and side"),
    "with_field": Column(pl.Boolean, "whether it is the contract that most tables bid; null if several were"),
}

CORRECTIONS: Final[Schema] = {
    "source": Column(pl.String, "the corrections file", "file"),
    "line": Column(pl.UInt32, "where the entry begins, from 1"),
    "kind": Column(pl.String, "what the entry corrects: one of `config.corrections.Kind`", "free"),
    "law": Column(pl.String, "79C for a score entered wrongly; 12, 87, 90, 91 for a ruling; else null", "free"),
    "board": Column(pl.Int32, "board number; null if the entry is not about a board"),
    "evening": Column(pl.String, "of several evenings the one that the entry is about, by its first file", "file"),
    "section": Column(pl.String, "section of the result or contestant", "label"),
    "pair": Column(pl.String, "contestant that the entry names", "identity"),
    "round": Column(pl.String, "round of the result", "label"),
    "table": Column(pl.String, "table of the result", "label"),
    "what": Column(pl.String, "the correction in plain words: `4♠ by N: 10 tricks in place of 9`"),
    "why": Column(pl.String, "the reason, as the entry gives it"),
    "who": Column(pl.String, "who corrected or decided", "player"),
    "when": Column(pl.String, "ISO 8601, with the offset from UTC if the entry has one"),
    "taken_back": Column(pl.String, "when the entry was taken back, as `when`; null for one that was not"),
    "before": Column(pl.String, "what the file says"),
    "after": Column(pl.String, "what counts instead"),
    "applied": Column(pl.Boolean, "false for an entry that fits nothing or several, or was taken back or contradicted"),
}

PROBLEMS: Final[Schema] = {
    "severity": Column(SEVERITY, "error: left out, or breaks the Laws; warning: kept and marked; info: no change"),
    "code": Column(pl.String, "one of `problems.CODES`", "free"),
    "source": Column(pl.String, "the file", "file"),
    "line": Column(pl.UInt32, "from 1"),
    "column": Column(pl.UInt32, "in characters, from 1"),
    "record": Column(pl.UInt32, "the game record"),
    "board": Column(pl.String, "the board as the file writes it", "label"),
    "table": Column(pl.String, "the table as the file writes it", "label"),
    "message": Column(pl.String, "one sentence"),
    "hint": Column(pl.String, "what to do"),
}


Sources = Annotated[pl.DataFrame, SOURCES]
Items = Annotated[pl.DataFrame, ITEMS]
Records = Annotated[pl.DataFrame, RECORDS]
Annotations = Annotated[pl.DataFrame, ANNOTATIONS]
Results = Annotated[pl.DataFrame, RESULTS]
Contestants = Annotated[pl.DataFrame, CONTESTANTS]
Standings = Annotated[pl.DataFrame, STANDINGS]
Matches = Annotated[pl.DataFrame, MATCHES]
Sheets = Annotated[pl.DataFrame, SHEETS]
DoubleDummy = Annotated[pl.DataFrame, DOUBLE_DUMMY]
Analysis = Annotated[pl.DataFrame, ANALYSIS]
Corrections = Annotated[pl.DataFrame, CORRECTIONS]
Problems = Annotated[pl.DataFrame, PROBLEMS]
"""For signatures: each is a plain data frame to a type checker, and names its columns to a reader."""

Lines = Annotated[pl.DataFrame, RESULTS, "and the columns of `score.groups.assign_groups`"]
"""Results while they are scored: each knows which results it is compared with."""

Seats = Annotated[pl.DataFrame, "one row a contestant and result, as `sides` and `seats` return them"]
"""Results seen from each contestant: `contestant direction`, and the columns of its side without `_ns` or `_ew`."""


def dtypes(schema: Schema) -> dict[str, ColumnType]:
    """Return the polars types of a schema by column."""
    return {name: column.dtype for name, column in schema.items()}


def empty(schema: Schema) -> pl.DataFrame:
    """Return a frame of that schema with no rows."""
    return _null_row(tuple(dtypes(schema).items())).clear()


def blank(schema: Schema, height: int) -> pl.DataFrame:
    """Return a frame of that schema with as many rows, all null."""
    return conform(schema, pl.DataFrame(height=height))


def conform(schema: Schema, frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame in a schema: its columns in order and cast, missing ones null, others dropped."""
    nulls, known, height = _null_row(tuple(dtypes(schema).items())), set(frame.columns), frame.height
    return pl.DataFrame(
        [frame[one.name].cast(one.dtype) if one.name in known else one.new_from_index(0, height) for one in nulls]
    )


# A query takes longer than to go column by column; 55 columns take 0.5 ms to make, and copies of them 0.02 ms.
_null_row = cache(lambda columns: pl.DataFrame([pl.Series(name, [None], kind) for name, kind in columns]))


def sides(results: Results) -> Seats:
    """Return each result as two rows, one a contestant: N-S of all results first, then E-W.

    Args:
        results: other columns than those of the schema are kept.

    Returns:
        The columns without a side as they are, `direction` (NS or EW), `contestant` for `ns` and `ew`, and each pair of
        columns `x_ns x_ew` as one column `x`. Scores in points stay those of N-S.
    """
    #     board  ns  ew  points_ns  points_ew  score_ns         board  direction  contestant  points  score_ns
    #     1      3   8   7.75       0.25       430        ->    1      NS         3           7.75    430
    #     1      4   9   4          4          420              1      NS         4           4       420
    #                                                           1      EW         8           0.25    430
    #                                                           1      EW         9           4       420
    paired = [name.removesuffix("_ew") for name in results.columns if name.endswith("_ew")]
    shared = [name for name in results.columns if name not in {"ns", "ew"} and name[:-3] not in paired]
    halves = []
    for direction in ("ns", "ew"):
        half = results[[*shared, direction, *(f"{name}_{direction}" for name in paired)]]
        half.columns = [*shared, "contestant", *paired]
        named = pl.Series("direction", [direction.upper()], DIRECTION).new_from_index(0, half.height)
        halves.append(half.insert_column(len(shared), named))
    return pl.concat(halves)


def seats(results: Results) -> Seats:
    """Return one row for each contestant of a result: as `sides`, or in an individual two players a side."""
    by_side = sides(results)
    alone = pl.col("player_n").is_not_null()
    if not results.select(alone.any()).item():
        return by_side
    players = {"NS": ("player_n", "player_s"), "EW": ("player_e", "player_w")}
    each = [
        by_side.filter(alone & (pl.col("direction") == direction)).with_columns(pl.col(player).alias("contestant"))
        for direction, pair in players.items()
        for player in pair
    ]
    return pl.concat([by_side.filter(~alone), *each])


@dataclass(frozen=True)
class Facts:
    """Facts about the whole session; None where no file states it.

    `policies`: the rules that were followed, in the order of pages: keys of `[scoring]` and their values, and with None
    what the method always does (`Method.rules`). `settings`: keys of `[scoring]` that numbers decide. `ended`: when the
    last result came in, `2026-03-07T22:15:00`, local. `by_file`: whether the files are of several evenings, each
    compared within itself (`assemble.evenings`); `evening_of`: then the first file of the evening of each other file.
    `joined`: a line for each evening of several files. `kinds`: what each file is (`problems.KINDS`). `lead_first`:
    formats that list a play from the lead on. `set_by`: where the entry is that set `4, "tricks"` or `"a", 7, "ns"`.
    """

    event: str | None = None
    site: str | None = None
    date: str | None = None
    ended: str | None = None
    scoring: str | None = None
    method: str | None = None
    policies: Settings = field(default_factory=dict)
    settings: Settings = field(default_factory=dict)
    by_file: bool = field(default=False, repr=False)
    evening_of: Mapping[str, str] = field(default_factory=dict, repr=False)
    joined: tuple[str, ...] = field(default=(), repr=False)
    lead_first: frozenset[str] = field(default=frozenset(), repr=False)
    kinds: Mapping[str, str] = field(default_factory=dict, repr=False)
    set_by: Mapping[tuple[object, ...], tuple[str, int, int]] = field(default_factory=dict, repr=False)

    @property
    def evening(self) -> pl.Expr:
        """The evening of each row with a `source`: the first of its files."""
        return pl.col("source").replace(dict(self.evening_of)) if self.evening_of else pl.col("source")


@dataclass(frozen=True, eq=False, repr=False)
class Session:
    """The frames that flow through the pipeline. A stage is a plain function from one session to the next."""

    sources: "Sources" = field(default_factory=lambda: empty(SOURCES))
    listed: "pl.DataFrame | Late" = field(default_factory=lambda: empty(ITEMS))
    records: "Records" = field(default_factory=lambda: empty(RECORDS))
    annotations: "Annotations" = field(default_factory=lambda: empty(ANNOTATIONS))
    results: "Results" = field(default_factory=lambda: empty(RESULTS))
    contestants: "Contestants" = field(default_factory=lambda: empty(CONTESTANTS))
    matches: "Matches" = field(default_factory=lambda: empty(MATCHES))
    sheets: "Sheets" = field(default_factory=lambda: empty(SHEETS))
    standings: "Standings" = field(default_factory=lambda: empty(STANDINGS))
    double_dummy: "DoubleDummy" = field(default_factory=lambda: empty(DOUBLE_DUMMY))
    analysis: "Analysis" = field(default_factory=lambda: empty(ANALYSIS))
    corrections: "Corrections" = field(default_factory=lambda: empty(CORRECTIONS))
    problems: "Problems" = field(default_factory=lambda: empty(PROBLEMS))
    facts: Facts = field(default_factory=Facts)

    @property
    def items(self) -> "Items":
        """The contents of the files, in the order of each file. The frame is made when something first asks for it."""
        return get_frame(self.listed)

    @property
    def is_blank(self) -> bool:
        """Whether it has neither a deal nor a result, so that a page would be empty."""
        return self.results.is_empty() and self.records["deal"].is_null().all()

    def board(self, number: int) -> Board:
        """Return a board, which shows as its diagram. Raises KeyError if the session has no such board."""
        return find_board(self.records, self.results, number)

    def __repr__(self) -> str:
        """Return a short summary."""
        return summary(self)

    def _repr_html_(self) -> str:
        """Return the rankings and the first problems for a notebook."""
        return summary_html(self)


_NAMES: Final = ("items", *(part.name for part in fields(Session) if part.name not in {"listed", "facts"}))
FRAMES: Final[Mapping[str, Schema]] = {name: globals()[name.upper()] for name in _NAMES}
"""The schema of each frame."""
