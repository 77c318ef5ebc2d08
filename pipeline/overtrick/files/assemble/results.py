"""One thing, one identity: the same result in several files, or twice in one, counts once.

A result is known by its board and the two sides that met there, whichever way they sat: by their numbers, else by their
names, else by table and round. The deals of a rubber have no board: they are known by the sides, and by their turn in
the file. Versions of one result are put together; where they differ, one of them counts.

An example. `a.csv` and `b.xml` hold board 1 of pairs 2 and 5, and `b.xml` has the table and the lead as well:

    source  board  ns  ew  contract  tricks  table  lead
    a.csv   1      2   5   4SN       10
    b.xml   1      2   5   4SN       10      3      HK

Both have the key (1, "2", "5"). Nothing that both state differs, so one row is left, with the table and the lead of
`b.xml`. Had `b.xml` 9 tricks, one of the two would count and `result-differs` would name both.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

import polars as pl

from overtrick.core.bridge.score import law_score
from overtrick.core.frames import RESULTS, STATUS, Session, conform
from overtrick.core.problems import report
from overtrick.files.assemble.contestants import numbers_repeat_in

KEY: Final = ("event_of", "board", "first", "second", "time")
"""Columns that identify a result; `first` and `second` are the two sides, in the order of their names.

`time` counts the games of a file in which the same players met on a board: programs that play a match against
themselves name both tables alike. Where a file has two sides meet on a board in several rounds, it counts these: a
rematch is another result. It is 0 for other lines of a traveller. Deals without a board have there the row of the first
version of the deal.
"""

_COMPARED: Final = (
    *("level", "strain", "doubled", "declaring", "tricks", "lead", "stated_score_ns", "split_score"),
    *("honours_ns", "honours_ew", "conduct_ns", "conduct_ew", "share_ns", "share_ew", "outcome"),
)
"""Columns in which two versions of a result must agree where both state a value."""

_NUMBER: Final = r"^[A-Za-z]{0,2}[0-9]{1,6}[A-Za-z]?(?:\+[0-9]{1,6})?$"
"""A contestant that is a number, `7`, `A12` or, in an individual, `3+8`, and not a name."""

_NUMBERED: Final = pl.all_horizontal(pl.col("ns", "ew").str.contains(_NUMBER).fill_null(value=False))
"""Whether the sides of a result are pairs by number, and not players by name."""

_ALONE: Final = pl.len().over("record") == 1
"""Whether a result is the only one of its game."""

_OF_ONE: Final = frozenset({"record", "board", "source", "line", "column", "status"})
"""Columns of a merged result that are not simply the first value that a version states."""

_PLAYERS: Final = {"ns": ("player_n", "player_s"), "ew": ("player_e", "player_w")}

_ROBOT: Final = r"(?:~~|gib\b|robot\b)[^ +]*(?: [0-9]+)?"
_ROBOTS: Final = rf"(?i)^{_ROBOT}(?:(?: - |\+){_ROBOT})?$"
"""Two players that sit at several tables at once: a table of four is not known by them."""


def count_each_result_once(
    session: Session,
    evening_of: Mapping[str, str] | None = None,
    *,
    apart: bool = False,
    changed: Mapping[str, int] = MappingProxyType({}),
    keyed: pl.DataFrame | None = None,
) -> Session:
    """Put the versions of each result together.

    Args:
        session: its files one after the other, in the order of their names.
        evening_of: the first file of the evening of each file that is not the first itself.
        apart: whether the files are of several evenings, so that no result of one is in another.
        changed: when files changed that have no path on this machine, in nanoseconds since 1970.
        keyed: what `key_results` returns of the session, if it is known; then it is one evening.

    Returns:
        The session with one row for each result, in the place of its first version, and with the problems
        `result-repeated` (a line that a file holds twice), `result-differs` (versions that cannot both be true). What
        counts then is the newer of two files of the same name, else the last file in the order of their full names;
        within one file the line below.
    """
    if _are_plainly_different(session.results):
        return session
    keyed = _with_keys(session, evening_of or {}, apart=apart) if keyed is None else keyed
    keyed = _without_partial_points(_in_one_section(keyed))
    versions = keyed.filter(pl.struct(KEY).is_duplicated() & pl.col("first").is_not_null())
    if versions.is_empty():
        return replace(session, results=conform(RESULTS, keyed))
    judged = _judge(versions.join(_precedence(session, changed), on="source", how="left", maintain_order="left"))
    merged = _merge(judged, session)
    alone = keyed.join(versions.select("row"), on="row", how="anti", maintain_order="left")
    results = pl.concat([alone, merged], how="diagonal_relaxed").sort("row")
    problems = [session.problems, _report_differences(judged), _report_repeats(judged)]
    return replace(session, results=conform(RESULTS, results), problems=pl.concat(problems))


def _are_plainly_different(results: pl.DataFrame) -> bool:
    """Return whether one file holds all results, and plainly none of them twice, as in nearly every file."""
    if results["source"].n_unique() > 1:
        return False
    individual = results["player_n"].null_count() < results.height
    # Equal results have equal sums; sums that differ save the exact comparison.
    known = sum((pl.col(name).hash() for name in ("ns", "ew")), pl.col("board").hash())
    if not individual and results.select(known.n_unique()).item() == results.height:
        return True
    by_sides = pl.all_horizontal(pl.col("ns", "ew").is_not_null())
    # Where nobody is named, the table tells results apart.
    by_table = pl.all_horizontal(pl.col("ns", "ew").is_null(), pl.col("round", "table").is_not_null())
    # The partners of an individual may be listed either way round.
    ns, ew = map(_side, ("ns", "ew")) if individual else ("ns", "ew")
    sides = pl.min_horizontal(ns, ew).alias("one"), pl.max_horizontal(ns, ew).alias("other")
    for identified, by in ((by_sides, sides), (by_table, ("round", "table"))):
        twice = identified & pl.col("board").is_not_null() & pl.struct("board", *by).is_duplicated()
        # The same players may play several deals of one number, each a game of its own.
        again = results.select("ns", "ew", twice.alias("twice"), _ALONE.alias("alone")).filter("twice")
        if not again.filter(~(pl.col("alone") & ~_NUMBERED)).is_empty():
            return False
    return True


def key_results(session: Session) -> pl.DataFrame:
    """Return the results of one evening with the columns of `KEY`; `first` is null where nothing identifies one."""
    return _with_keys(session, {}, apart=False)


def _in_one_section(keyed: pl.DataFrame) -> pl.DataFrame:
    """Put the results of a file without sections into the only section of the evening, if it has some of its pairs.

    Else the results of one board would be compared in two fields: those of the file, and those of the section.
    """
    section = pl.col("section")
    if keyed["section"].null_count() in {0, keyed.height}:
        return keyed
    sat = pl.concat([keyed.select("event_of", "source", "section", pair=name) for name in ("first", "second")])
    known = sat.drop_nulls("pair").filter(section.is_not_null().any().over("event_of", "pair"))
    # `known` has the pairs that some file has in a section, as every file has them.
    without = section.is_null().all().over("source") & pl.col("source").is_in(known["source"].unique().implode())
    stated = section.drop_nulls().unique().over("event_of", mapping_strategy="join")
    only = pl.when(stated.list.len() == 1).then(stated.list.first())
    return keyed.with_columns(pl.when(without).then(only).otherwise(section).alias("section"))


def _without_partial_points(keyed: pl.DataFrame) -> pl.DataFrame:
    """Drop the points that a file states for a board of which other files hold results too.

    They are right in their file, and wrong in the field that all files make together. So are those of a board that is
    short in the evening and not in its file: that these are on their own top proves nothing.
    """
    # Two files of one section; the second lacks no board that the first has, and has another as often as it has any.
    #
    #     board  results of a  of b  together  points of a file are kept
    #     1      2             1     3         no: they were compared with fewer
    #     2      2             0     2         no: a has no board more often, so the 2 were not short there
    #     3      0             3     3         yes

    if keyed["source"].n_unique() == 1:
        return keyed
    result = pl.struct("first", "second", "time", pl.when(pl.col("first").is_null()).then("row"))
    board = ["event_of", "section", "board"]
    field = ("event_of", "section")
    counted = keyed.select(
        *field, "source", own=result.n_unique().over("source", *board), all=result.n_unique().over(board)
    )
    most_own, most = pl.col("own").max().over("source", *field), pl.col("all").max().over(*field)
    kept = counted.select((pl.col("own") == pl.col("all")) & ((pl.col("all") == most) | (most_own == most)))
    whole = kept.to_series()
    points = ("stated_points_ns", "stated_points_ew", "stated_datum")
    return keyed.with_columns(pl.when(whole).then(name).alias(name) for name in points)


def _with_keys(session: Session, evening_of: Mapping[str, str], *, apart: bool) -> pl.DataFrame:
    """Add `row` and the columns of `KEY`; `first` is null where nothing identifies the result."""
    days = session.records.select("record", "event", "date")
    results = session.results.with_row_index("row").join(days, on="record", how="left", maintain_order="left")
    evening = pl.col("source").replace(evening_of) if apart else pl.lit("")
    ns, ew = _labels(results.with_columns(evening.alias("evening")))
    known = (
        pl.all_horizontal(pl.col("ns", "ew").is_not_null())
        & (pl.col("multiplicity").fill_null(1) == 1)
        & ~pl.all_horizontal(pl.col("ns", "ew").str.contains(_ROBOTS))
    )
    named = pl.any_horizontal(pl.col("ns", "ew").is_not_null())
    at_table = pl.all_horizontal(pl.col("board", "round", "table").is_not_null()) & ~named
    table = pl.concat_str("section", "round", "table", separator="\t", ignore_nulls=True)
    keyed = results.with_columns(
        (pl.col("source").replace(evening_of) if apart else _event_of(results)).alias("event_of"),
        pl.when(known).then(pl.min_horizontal(ns, ew)).when(at_table).then(table).alias("first"),
        pl.when(known).then(pl.max_horizontal(ns, ew)).when(at_table).then(pl.lit("")).alias("second"),
    )
    before = pl.int_range(pl.len()).over("source", *KEY[:-1])
    timed = keyed.with_columns(pl.when(_ALONE & ~_NUMBERED).then(before).otherwise(_count_rematches()).alias("time"))
    return _with_turns(timed) if results["board"].has_nulls() else timed


def _count_rematches() -> pl.Expr:
    """Return the number of earlier rounds in which the sides met on the board, if one file has them meet in several.

    Files that have each another round for the only meeting differ in the round, and do not hold two matches.
    """
    met, known = KEY[:-1], pl.col("round").is_not_null()
    again = (pl.col("round").n_unique().over("source", *met) > 1).any().over(met)
    return pl.when(again & known).then(pl.col("round").rank("dense").over(met).cast(pl.Int64) - 1).otherwise(0)


def _with_turns(keyed: pl.DataFrame) -> pl.DataFrame:
    """Fill `time` of the deals that have no board, which follow one another at a table.

    Two files hold the same deals where at least half of those in the same turn are equal; otherwise the later file
    holds further deals.
    """
    # Two copies of three deals of A and B, of which the second has another result for the last:
    #
    #     row  source  first  second  turn  contract  time
    #     0    a.csv   A      B       0     2SN8      0
    #     1    a.csv   A      B       1     3NTE9     1
    #     2    a.csv   A      B       2     4HN10     2
    #     3    b.csv   A      B       0     2SN8      0
    #     4    b.csv   A      B       1     3NTE9     1
    #     5    b.csv   A      B       2     4HN9      2
    bare = keyed.filter(pl.col("board").is_null() & pl.col("first").is_not_null())
    where = [name for name in ("round", "table") if not bare[name].has_nulls()]
    sides = ["event_of", "first", "second", *where]
    played = ("level", pl.col("strain").cast(pl.String), pl.col("doubled").fill_null(0), "declarer", "tricks")
    contract = pl.concat_str(*played, ignore_nulls=True)
    deals = bare.select(
        "row",
        *sides,
        pl.int_range(pl.len()).over("source", *sides).alias("turn"),
        pl.col("row").min().over("source").alias("file"),
        pl.when(pl.col("level").is_not_null())
        .then(contract)
        .otherwise(pl.col("stated_score_ns").cast(pl.String))
        .alias("said"),
    )
    pairs = deals.join(deals, on=[*sides, "turn"], suffix="_before").filter(pl.col("file_before") <= pl.col("file"))
    equal = pl.col("said").eq_missing(pl.col("said_before"))
    same = pairs.filter(2 * equal.sum().over("file", "file_before") >= pl.len().over("file", "file_before"))
    times = same.group_by("row").agg(pl.col("row_before").min().cast(pl.Int64).alias("turn"))
    return (
        keyed.join(times, on="row", how="left", maintain_order="left")
        .with_columns(pl.coalesce("turn", "time").alias("time"))
        .drop("turn")
    )


def _event_of(results: pl.DataFrame) -> pl.Expr:
    """Return the day of each result, and its event where a file holds several.

    Some files of an evening state no date: theirs is the only one there is. Programs call one event differently.
    """
    dates = results["date"].drop_nulls().unique()
    day = pl.col("date").fill_null(dates[0] if len(dates) == 1 else "")
    # The rooms of a match may be called differently in one file, too.
    events = results.filter(pl.col("team_ns").is_null()).group_by("source").agg(pl.col("event").drop_nulls().n_unique())
    apart = (events["event"] > 1).any()
    return pl.concat_str(day, pl.col("event").fill_null(""), separator="\n") if apart else day


def _labels(results: pl.DataFrame) -> tuple[pl.Expr, pl.Expr]:
    """Return what identifies each side: its number or name, and its section or direction where numbers repeat."""
    section = pl.col("section") if len(numbers_repeat_in(results, "section")) else pl.lit("")
    # Both tables of a match play a board, the same two sides one way and the other.
    by_direction = pl.lit(bool(len(numbers_repeat_in(results, "direction"))) or _meet_both_ways(results))
    by_direction = by_direction | pl.col("team_ns").is_not_null()
    ns, ew = (
        pl.concat_str(
            _side(side),
            section.fill_null(""),
            pl.when(by_direction).then(pl.lit(side)).otherwise(pl.lit("")),
            separator="\t",
        )
        for side in ("ns", "ew")
    )
    return ns, ew


def _side(side: str) -> pl.Expr:
    """Return the contestant of a side; in an individual its players, in whatever order they are listed."""
    first, second = _PLAYERS[side]
    players = pl.concat_list(first, second).list.sort().list.join("+")
    return pl.when(pl.col(first).is_not_null() & pl.col(second).is_not_null()).then(players).otherwise(side)


def _meet_both_ways(results: pl.DataFrame) -> bool:
    """Return whether most sides that meet on a board in one file meet both ways, as at the two tables of a match."""
    meetings = (
        results.drop_nulls(["board", "ns", "ew"])
        .group_by(
            "source", "board", pl.min_horizontal("ns", "ew").alias("one"), pl.max_horizontal("ns", "ew").alias("other")
        )
        .agg(pl.col("ns").n_unique().alias("ways"))
    )
    return 2 * meetings.filter(pl.col("ways") > 1).height > meetings.height


def _precedence(session: Session, changed: Mapping[str, int]) -> pl.DataFrame:
    """Return `source counts`: of two versions that differ, that of the file with the higher number counts.

    The files count in the order of their full names, but of files of the same name the newer one comes last.
    """
    files = session.sources.select("source").unique(maintain_order=True).with_row_index("order")
    path = [Path(source) for source in files["source"]]
    dated = files.with_columns(
        pl.Series("stem", [file.stem for file in path], dtype=pl.String),
        pl.Series("changed", [changed.get(file) or _changed(Path(file)) for file in files["source"]], dtype=pl.Int64),
    )
    place = pl.col("order").max().over("stem")
    ordered = dated.sort(place, "changed", "order", nulls_last=False, maintain_order=True)
    return ordered.select("source", "stem", "changed").with_row_index("counts")


def _changed(path: Path) -> int | None:
    try:
        return path.stat().st_mtime_ns
    except (OSError, ValueError):
        return None


def _judge(versions: pl.DataFrame) -> pl.DataFrame:
    """Compare each version with the one that counts.

    Returns:
        The versions, within each key the one that counts first, with `differs` (it cannot be true beside the one that
        counts), `counting` (the place of that one) and `worded` and `worded_counting`, what the two state.
    """
    ordered = versions.with_columns(**_comparable()).sort(
        "counts", "line", "row", descending=True, nulls_last=True, maintain_order=True
    )
    by_points = pl.col("level").is_null() | pl.col("level").first().over(KEY).is_null()
    differs = [(pl.col(name) != pl.col(name).first().over(KEY)).fill_null(value=False) for name in _COMPARED]
    points = by_points & (pl.col("points") != pl.col("points").first().over(KEY)).fill_null(value=False)
    turned = _side("ns") != _side("ns").first().over(KEY)
    return ordered.with_columns(
        pl.any_horizontal(*differs, points, turned.fill_null(value=False)).alias("differs"), _worded().alias("worded")
    ).with_columns(
        pl.col("worded").first().over(KEY).alias("worded_counting"),
        pl.col("source").first().over(KEY).alias("counting"),
        pl.col("line").first().over(KEY).alias("counting_line"),
    )


def _comparable() -> dict[str, pl.Expr]:
    """Return the columns of `_COMPARED` that results have not: awards as shares, what happened, who declared."""
    letters = {"A+": "60%", "A": "50%", "A-": "40%"}
    share = {
        f"share_{side}": pl.col(f"award_{side}")
        .replace(letters)
        .str.strip_chars_end("%")
        .cast(pl.Float64, strict=False)
        for side in ("ns", "ew")
    }
    law = law_score(pl.col("vulnerable"), pl.col("tricks"))
    # An award stands beside what happened at the table, and a version that states neither differs from none.
    happened = pl.when(~pl.col("status").is_in(["unknown", "adjusted"])).then(pl.col("status").cast(pl.String))
    # The players of an individual may be listed the other way round.
    seats = ("N", "E", "S", "W")
    playing = [pl.when(pl.col("declarer") == seat).then(f"player_{seat.lower()}") for seat in seats]
    declaring = pl.coalesce(*playing, pl.col("declarer").cast(pl.String))
    return {**share, "outcome": happened, "points": pl.coalesce("stated_score_ns", law), "declaring": declaring}


def _worded() -> pl.Expr:
    """Return what a version states, for a message: `2-5 4SX by N 10 tricks, lead HK`."""
    doubled = pl.col("doubled").fill_null(0).cast(pl.UInt8).replace_strict([0, 1, 2], ["", "X", "XX"], default="")
    contract = pl.when(pl.col("level") > 0).then(
        pl.concat_str(
            pl.concat_str("level", pl.col("strain").cast(pl.String), doubled),
            pl.lit(" by ") + pl.col("declarer").cast(pl.String),
            pl.lit(" ") + pl.col("tricks").cast(pl.String) + " tricks",
            pl.lit(", lead ") + pl.col("lead"),
            ignore_nulls=True,
        )
    )
    passed = pl.when(pl.col("level") == 0).then(pl.lit("passed out"))
    award = pl.concat_str(pl.col("award_ns").fill_null("?"), pl.col("award_ew").fill_null("?"), separator=" / ")
    awarded = pl.when(pl.any_horizontal(pl.col("award_ns", "award_ew").is_not_null())).then(award)
    score = pl.col("stated_score_ns").cast(pl.String) + " points for N-S"
    happened = pl.coalesce(awarded, contract, passed, score, pl.col("status").cast(pl.String))
    return pl.concat_str("ns", pl.lit("-"), "ew", pl.lit(": "), happened, ignore_nulls=True)


def _merge(judged: pl.DataFrame, session: Session) -> pl.DataFrame:
    """Return one row for each key: what the version that counts states, and what only the others that agree state."""
    played = session.records.select(
        "record",
        (
            pl.col("cards").list.len().fill_null(0)
            + pl.col("calls").list.len().fill_null(0)
            + pl.col("deal").is_not_null()
        ).alias("told"),
    )
    agreed = judged.filter(~pl.col("differs")).join(played, on="record", how="left", maintain_order="left")
    fullest = pl.col("record").sort_by("told", descending=True, maintain_order=True).first()
    taken = [pl.col(name).drop_nulls().first() for name in RESULTS if name not in _OF_ONE]
    place = [pl.col("source", "line", "column").first()]
    states = ["adjusted", "played", "passed", "not played", "bye"]
    status = [pl.when((pl.col("status") == state).any()).then(pl.lit(state)) for state in states]
    return agreed.group_by(KEY, maintain_order=True).agg(
        fullest,
        *taken,
        *place,
        pl.coalesce(*status, pl.lit("unknown")).cast(STATUS).alias("status"),
        pl.col("row").min(),
    )


def _report_differences(judged: pl.DataFrame) -> pl.DataFrame:
    """Report `result-differs` at each version that does not count."""
    wrong = judged.filter("differs")
    newer = pl.col("stem") == pl.col("stem").first().over(KEY)
    other_file = pl.col("source") != pl.col("counting")
    why = (
        pl.when(~other_file)
        .then(pl.lit("a later line"))
        .when(newer)
        .then(pl.lit("the newer file of that name"))
        .otherwise(pl.lit("the file that was named last"))
    )
    shown = (
        judged.with_columns(why.alias("why"))
        .filter("differs")
        .with_columns(
            pl.col("board").cast(pl.String),
            pl.col("counting") + pl.lit(" line ") + pl.col("counting_line").cast(pl.String),
        )
    )
    return report("result-differs", shown if len(wrong) else wrong)


def _report_repeats(judged: pl.DataFrame) -> pl.DataFrame:
    """Report `result-repeated` at each line that its own file has already; individuals list each line twice."""
    first = pl.struct(*KEY, "source").is_first_distinct()
    again = judged.sort("row").filter(~pl.col("differs") & ~first & pl.col("player_n").is_null())
    return report("result-repeated", again.with_columns(pl.col("board").cast(pl.String)))
