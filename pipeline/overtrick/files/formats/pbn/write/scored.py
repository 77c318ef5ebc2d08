"""A scored session as PBN states one: score tables (PBN 5.9, 5.10) and what could have been made (4.2 and 5.7).

Where corrections changed it, the items that state the old values make room for the new ones. The results of a match
become games: a score table has no column for the teams, a game has tags for them.
"""

from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.core.bridge.cards import SEATS, STRAINS, UNKNOWN
from overtrick.core.bridge.methods import method_named
from overtrick.core.frames import ITEM_KIND, ITEMS, PLAYED, RECORDS, Facts, Results, Session, conform
from overtrick.core.notation import BETWEEN, contract_text, in_club_unit, matchpoint_unit
from overtrick.files.formats.pbn.tags import TAGS

_NOT_KNOWN: Final = "-"
_SCORES: Final = {
    **{name: name.lower() for name in ("Section", "Round", "Table")},
    "PairId_NS": "ns",
    "PairId_EW": "ew",
    "Contract": "contract",
    "Declarer": "declarer",
    "Result": "tricks",
    "Lead": "lead",
    "Score_NS": "cell_ns",
    "Score_EW": "cell_ew",
    **{
        f"{name}_{side}": f"{name}_{side}".lower()
        for name in ("MP", "IMP", "Honours", "Conduct")
        for side in ("NS", "EW")
    },
    "ButlerDatum": "datum",
    "Multiplicity": "tables",
}
"""Columns of ScoreTable (PBN 5.9), some of them private ones, and the columns of results with their values."""
_ALWAYS_SCORED: Final = ("PairId_NS", "PairId_EW", "Contract", "Declarer", "Result", "Score_NS", "Score_EW")
"""Columns of ScoreTable that a table has even if all its rows lack the value."""
_TOTALS: Final = {
    "Rank": "rank",
    "PairId": "contestant",
    **{name: name.lower() for name in ("Section", "Direction", "Names")},
    "TotalScoreMP": "total_mp",
    "TotalPercentage": "percentage",
    "TotalScoreIMP": "total_imp",
    "MasterPoints": "awards",
}
"""Columns of TotalScoreTable (PBN 5.10, and MasterPoints), and the columns of standings with their values."""

_RESULT_TABLE: Final = "OptimumResultTable"
_PAR_SCORE: Final = "OptimumScore"
_RESULT_HEADER: Final = r"Declarer;Denomination\2R;Result\2R"
_TEXTS: Final = {
    **{name: name.lower() for name in ("Event", "Site", "Date", "North", "East", "South", "West")},
    "PairNS": "pair_ns",
    "PairEW": "pair_ew",
}
"""Tags that export form takes from items, with the columns of records that corrections change."""

_SCORED: Final = ("Score", "ScoreIMP", "ScoreMP", "ScorePercentage", "ScoreRubber", "ScoreTable", "TotalScoreTable")
_MATCH: Final = ("section", "round", "one", "other")
"""Columns that are equal for the results of a match, with its two teams in the order of their names."""

_OF_RESULT: Final = ("section", "round", "table", "level", "strain", "doubled", "declarer", "tricks", "stated_score_ns")


def add_tables(session: Session) -> Session:
    """Add the tables of its boards and of its ranking to a scored session, in place of those that were read.

    The game that had the table of a board keeps it, else the first game with its deal gets it; readers score a board
    from its table. Boards without a number, and sessions by a method that compares no field, stay as they are. The
    first game of a deal gets the double-dummy tricks and par that are known.

    Args:
        session: scored and ranked, with the items of PBN (`foreign.as_pbn`).
    """
    could_be = _write_double_dummy(session)
    lines = session.results.filter(pl.col("board").is_not_null())
    if method_named(session.facts.method).pbn_written is None or lines.is_empty():
        return replace(session, listed=_put_in_place(session, could_be)) if could_be else session
    homes = _homes(session)
    lines = lines.with_columns(pl.col("record").replace_strict(homes["record"], homes["home"])).sort(
        "record", maintain_order=True
    )
    tables = write_score_tables(lines, session.facts)
    scores = [
        *tables,
        *write_total_table(session, int(lines["record"][0])),
        *_write_scoring(session, lines["record"].unique()),
    ]
    rewritten = pl.col("name").is_in([tag.name for tag in TAGS.values() if tag.becomes])
    without = replace(session, listed=session.items.filter(~rewritten.fill_null(value=False)))
    return replace(session, listed=_put_in_place(without, [*could_be, *scores]))


def add_awards(session: Session) -> Session:
    """Add the table of totals to a session that has masterpoints and states no totals; its items are those of PBN."""
    has_totals = session.items["name"].is_in(["TotalScoreTable"]).any()
    if has_totals or session.records.is_empty() or session.standings["awards"].is_null().all():
        return session
    return replace(
        session, listed=_put_in_place(session, write_total_table(session, int(session.records["record"][0])))
    )


def _homes(session: Session) -> pl.DataFrame:
    """Return which record holds the table of each record's board: `record home`."""
    headed = session.items.filter(pl.col("kind") == "section", pl.col("name") == "ScoreTable")["record"].unique()
    boards = session.records.select("record", "board", "deal", headed=pl.col("record").is_in(headed.to_list()))
    first = boards.sort("headed", "record", descending=[True, False]).unique(
        ["board", "deal"], keep="first", maintain_order=True
    )
    home = first.select("board", "deal", pl.col("record").alias("home"))
    return boards.join(home, on=["board", "deal"], how="left", nulls_equal=True, maintain_order="left")


def _write_scoring(session: Session, records: pl.Series) -> list[pl.DataFrame]:
    """State the method where the files ask for another one or for none."""
    method = method_named(session.facts.method)
    asks = rf"(?i)\b(?:{'|'.join(method.pbn)})"
    stated = session.records.filter(pl.col("record").is_in(records.to_list()))
    silent = stated.filter(~pl.col("scoring").str.contains(asks).fill_null(value=False))
    return [silent.select("record", kind=pl.lit("tag"), name=pl.lit("Scoring"), text=pl.lit(method.pbn_written))]


def _put_in_place(session: Session, parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Return the session's items with new ones before those of their records, without the Scoring that they replace."""
    new = pl.concat(parts).join(session.records.select("record", "source"), on="record", how="left")
    restated = new.filter(pl.col("name") == "Scoring").select("record", "name")
    others = session.items.join(restated, on=["record", "name"], how="anti", maintain_order="left")
    items = conform(ITEMS, new.with_columns(line=1, column=1, kind=pl.col("kind").cast(ITEM_KIND)))
    return pl.concat([items, others]).sort("record", maintain_order=True, nulls_last=False)


def write_score_tables(results: Results, facts: Facts) -> list[pl.DataFrame]:
    """Write the ScoreTable of each record that has results.

    Args:
        results: `frames.RESULTS`, scored.
        facts: of the session. Matchpoints are in the club's unit.

    Returns:
        Frames of `record kind name text`: the tag, and the section below it.
    """
    matchpoints, unit = method_named(facts.method).unit == "matchpoints", matchpoint_unit(facts)
    points = {
        f"{kind}_{side}": (pl.col(f"points_{side}") * unit).round(4) if (kind == "mp") == matchpoints else pl.lit(None)
        for kind in ("mp", "imp")
        for side in ("ns", "ew")
    }
    shared = pl.col("multiplicity").fill_null(1)
    cells = results.with_columns(
        **points,
        contract=_contract(),
        tables=pl.when((shared > 1).any()).then(shared),
        cell_ns=pl.coalesce(pl.lit("^") + pl.col("award_ns"), pl.col("score_ns").cast(pl.String)),
        cell_ew=pl.coalesce(pl.lit("^") + pl.col("award_ew"), (-pl.col("score_ns")).cast(pl.String)),
    )
    return _write_tables("ScoreTable", cells, _SCORES, _ALWAYS_SCORED)


def _contract() -> pl.Expr:
    """Write the contract, or instead that the board was not played."""
    words = {"not played": "NP", "bye": "bye"}
    return pl.col("status").cast(pl.String).replace_strict(words, default=contract_text(), return_dtype=pl.String)


def write_total_table(session: Session, record: int) -> list[pl.DataFrame]:
    """Write the TotalScoreTable of a ranked session below a record; frames as of `write_score_tables`."""
    standings = in_club_unit(session).standings
    matchpoints = standings["percentage"].is_not_null().any()
    total = pl.col("total").round(4)
    rows = standings.with_columns(
        total_mp=total if matchpoints else pl.lit(None),
        total_imp=pl.lit(None) if matchpoints else total,
        percentage=pl.col("percentage").round(4),
        names=pl.col("names").str.replace_all(BETWEEN, ";", literal=True),
        direction=pl.coalesce(
            pl.col("direction").cast(pl.String),
            pl.when(pl.col("ranking").str.contains(r"\b(?:NS|EW)$")).then(pl.col("ranking").str.slice(-2)),
        ),
    )
    rows = rows.with_columns(pl.lit(record, pl.UInt32).alias("record"))
    return _write_tables("TotalScoreTable", rows, _TOTALS, ("Rank", "PairId"))


def _write_tables(
    name: str, rows: pl.DataFrame, columns: dict[str, str], always: tuple[str, ...]
) -> list[pl.DataFrame]:
    """Write the table of each record: its tag with the columns that have a value there, and its rows."""
    shown = {
        column: pl.lit(value=True) if column in always else pl.col(key).is_not_null().any().over("record")
        for column, key in columns.items()
        if column in always or rows[key].count()
    }
    heads = [pl.when(there).then(pl.lit(column)) for column, there in shown.items()]
    cells = [pl.when(there).then(_cell(pl.col(columns[column]))) for column, there in shown.items()]
    tables = (
        rows.select(
            "record",
            pl.concat_str(heads, separator=";", ignore_nulls=True).alias("tag"),
            pl.concat_str(cells, separator=" ", ignore_nulls=True).alias("section"),
        )
        .group_by("record", maintain_order=True)
        .agg(pl.col("tag").first(), pl.col("section").str.join("\n"))
    )
    return [
        tables.select(pl.col("record").cast(pl.UInt32), kind=pl.lit(kind), name=pl.lit(name), text=kind)
        for kind in ("tag", "section")
    ]


def _cell(value: pl.Expr) -> pl.Expr:
    """Write a cell: `-` for an unknown value, and quotes around one with blanks (PBN 5.2)."""
    text = value.cast(pl.String).str.replace(r"\.0$", "").str.replace_all(r'["\\]', "'").str.replace_all(r"\s+", " ")
    quoted = pl.when(text.str.contains(r"^$|[\s;%{}\[]")).then(pl.format('"{}"', text)).otherwise(text)
    return quoted.fill_null(_NOT_KNOWN)


def _write_double_dummy(session: Session) -> list[pl.DataFrame]:
    """Write the known tables and par scores of games that state none: frames of `record kind name text`."""
    known = session.double_dummy
    stated = session.items.filter(pl.col("kind") == "tag").select("record", "name")
    tables = known.drop_nulls("tricks").join(
        stated.filter(name=_RESULT_TABLE), on="record", how="anti", maintain_order="left"
    )
    scores = known.drop_nulls("par_ns").join(
        stated.filter(name=_PAR_SCORE), on="record", how="anti", maintain_order="left"
    )
    side = pl.when(pl.col("par_ns") < 0).then(pl.lit("EW")).otherwise(pl.lit("NS"))
    parts = [
        _items(scores, "tag", _PAR_SCORE, pl.format("{} {}", side, pl.col("par_ns").abs())),
        _items(tables, "tag", _RESULT_TABLE, pl.lit(_RESULT_HEADER)),
        _items(_with_rows(tables), "section", _RESULT_TABLE, pl.col("rows")),
    ]
    return [part for part in parts if len(part)]


def _items(frame: pl.DataFrame, kind: str, name: str, text: pl.Expr) -> pl.DataFrame:
    return frame.select("record", kind=pl.lit(kind), name=pl.lit(name), text=text)


def _with_rows(tables: pl.DataFrame) -> pl.DataFrame:
    """Write twenty rows a table, declarer by declarer, no trumps first."""
    rows = [
        pl.lit(f"{seat} {strain} ") + _tricks(pl.col("tricks").arr.get(5 * SEATS.index(seat) + STRAINS.index(strain)))
        for seat in SEATS
        for strain in reversed(STRAINS)
    ]
    return tables.select("record", pl.concat_str(rows, separator="\n").alias("rows"))


def _tricks(number: pl.Expr) -> pl.Expr:
    return pl.when(number != UNKNOWN).then(number.cast(pl.String)).otherwise(pl.lit("?"))


def restate(session: Session) -> Session:
    """Return a scored session with the items that its corrections call for; without corrections, as it is.

    Tags follow the records. The scores of the boards that corrections are about are taken from the results: each board
    gets the table of its results, and the session that of its ranking.
    """
    applied = session.corrections.filter("applied")
    if applied.is_empty():
        return session
    session = replace(session, listed=_restated(session))
    if applied["law"].is_null().all() and not applied["kind"].is_in(["handicap", "carry_over", "method"]).any():
        return session
    boards = applied["board"].drop_nulls().unique()
    touched = session.records.filter(pl.col("board").is_in(boards.implode()))["record"]
    stale = pl.col("record").is_in(touched.implode()) & pl.col("name").is_in(_SCORED)
    return add_tables(replace(session, listed=session.items.filter(~stale.fill_null(value=False))))


def _restated(session: Session) -> pl.DataFrame:
    """Return the items of PBN files with their tags as the records have them now."""
    pbn = session.sources.filter(pl.col("format") == "pbn")["source"]
    records = session.records.filter(pl.col("source").is_in(pbn.implode()))
    tags = session.items.filter(pl.col("kind") == "tag", pl.col("name").is_in(list(_TEXTS)))
    stated = tags.unique(["record", "name"], keep="first").select("record", "name", pl.col("text").alias("stated"))
    now = records.select("record", "source", "line", *(pl.col(column).alias(name) for name, column in _TEXTS.items()))
    rows = now.unpivot(
        list(_TEXTS), index=["record", "source", "line"], variable_name="name", value_name="text"
    ).drop_nulls("text")
    compared = rows.join(stated, on=["record", "name"], how="left", maintain_order="left")
    new = compared.filter(~pl.col("text").eq_missing(pl.col("stated")))
    if new.is_empty():
        return session.items
    written = conform(ITEMS, new.with_columns(column=1, kind=pl.lit("tag", ITEM_KIND)))
    others = session.items.join(
        new.select("record", "name", kind=pl.lit("tag", ITEM_KIND)),
        on=["record", "name", "kind"],
        how="anti",
        maintain_order="left",
    )
    return pl.concat([written, others]).sort("record", maintain_order=True, nulls_last=False)


def seat_teams(session: Session) -> tuple[Session, pl.Series]:
    """Give each result of a match a game of its own, where the file has a table of them.

    The team that sits N-S in the first result of a match is the home team; it sits N-S in the open room. Matches with
    adjusted scores stay as they are, and so do those that have more than one result of a board in a room.

    Returns:
        The session, with records in place of those that hold only tables of matches; and these records.
    """
    teams = pl.min_horizontal("team_ns", "team_ew"), pl.max_horizontal("team_ns", "team_ew")
    rows = session.results.with_columns(one=teams[0], other=teams[1]).with_row_index("row")
    rows = rows.join(session.records.select("record", "room"), on="record", how="left", maintain_order="left")
    rows = rows.filter(pl.col("room").is_null(), pl.all_horizontal(pl.col("one", "other", "board").is_not_null()))
    home = pl.col("team_ns").first().over(_MATCH)
    rows = rows.with_columns(home_team=home, visit_team=pl.col("team_ew").first().over(_MATCH)).with_columns(
        room=pl.when(pl.col("team_ns") == pl.col("home_team")).then(pl.lit("Open")).otherwise(pl.lit("Closed"))
    )
    stays = pl.struct(*_MATCH, "board", "room").is_duplicated() | ~pl.col("status").is_in(PLAYED)
    rows = rows.filter(~stays.any().over(_MATCH), ~stays.any().over("record"))
    if rows.is_empty():
        return session, rows["record"]
    first = pl.lit(session.records["record"].max(), pl.UInt32) + 1
    rows = rows.with_columns(to=pl.int_range(pl.len(), dtype=pl.UInt32) + first)
    games = _make_games(session.records, rows)
    moved = session.results.with_row_index("row").join(rows.select("row", "to"), on="row", how="left")
    results = moved.sort("row").with_columns(pl.coalesce("to", "record").alias("record")).drop("row", "to")
    emptied = pl.col("record").is_in(rows["record"].implode()) & ~pl.col("record").is_in(results["record"].implode())
    records = pl.concat([session.records.filter(~emptied), games])
    return replace(session, records=records, results=results), rows["to"]


def _make_games(records: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Return a record for each result: its board, what was played, and who sat where."""
    pairs = [pl.col(side).alias(f"pair_{side}") for side in ("ns", "ew")]
    seated = ("home_team", "visit_team", "room")
    results = rows.select("record", "to", *_OF_RESULT, *seated, *pairs)
    board = records.drop(*_OF_RESULT, *seated, "pair_ns", "pair_ew")
    joined = results.join(board, on="record", how="left", maintain_order="left").with_columns(
        pl.col("to").alias("record")
    )
    bid_and_played = ("calls", "auction_start", "auction_end", "cards", "play_start", "play_end")
    return conform(RECORDS, joined.drop(*bid_and_played, "north", "east", "south", "west"))
