"""Sessions as a whole: who met whom on which boards, by the travellers.

Nothing here needs a movement: pairs play each board once, most of them sit one way or both, boards go round complete.
Most results of a session show the usual pattern in it. What each file is, a session, a match, the play of one table or
material to learn with, decides which problems its scorer cares about (`Code.kinds`).
"""

from collections.abc import Callable, Mapping
from typing import Final

import polars as pl

from overtrick.core import frames
from overtrick.core.bridge.movements import numbers_repeat
from overtrick.core.contestants import by_line, is_told_apart, name_contestant
from overtrick.core.frames import PROBLEMS, Contestants, Problems, Results, Seats, Session, empty, seats, sides
from overtrick.core.problems import concat_problems, report
from overtrick.judge.validate.result import describe_results

_SEATED: Final = ("ns", "ew", "team_ns", "team_ew", "player_n", "player_e", "player_s", "player_w")
"""Columns of results with those who sat at the table."""


def check_left_out(session: Session) -> Problems:
    """Report results without declarer, contract or pair, awards for one side or beside a result, and blank files."""
    results = session.results
    if results.is_empty():
        return _report_blank(session)
    award_ns, award_ew = pl.col("award_ns").is_not_null(), pl.col("award_ew").is_not_null()
    no_score = pl.col("stated_score_ns").is_null() & ~award_ns & ~award_ew & pl.col("weights").is_null()
    scored = pl.col("status").is_in(frames.HAPPENED)
    happened = pl.any_horizontal(pl.col("level", "declarer", "tricks", "stated_score_ns").is_not_null())
    # A list of single games need not name anybody; a traveller does.
    named = pl.any_horizontal(pl.col("ns", "ew").is_not_null())
    names_some = named.any().over("source")
    nobody = pl.any_horizontal(pl.col("ns", "ew").is_null()) & names_some
    at_fault = {
        "result-incomplete/declarer": no_score
        & (pl.col("level") > 0)
        & pl.col("declarer").is_null()
        & pl.col("tricks").is_not_null(),
        "result-incomplete/contract": no_score
        & pl.col("level").is_null()
        & ~pl.col("status").is_in(["not played", "bye"])
        & pl.any_horizontal(pl.col("declarer", "tricks", "lead").is_not_null()),
        "result-no-pair": nobody & (scored | (pl.col("level") > 0)),
        "award-one-side": (award_ns != award_ew) & (pl.col("status") == "adjusted"),
        "award-beside-result": (award_ns | award_ew) & happened,
    }
    flagged = results.with_columns(**at_fault)
    about = {"result-no-pair": "ns", "award-one-side": "award_ns", "award-beside-result": "award_ns"}
    found = [
        report(code, _worded(describe_results(session, rows)), f"results.{about.get(code, 'declarer')}")
        for code in at_fault
        if flagged[code].any()
        for rows in [flagged.filter(code).select(results.columns)]
    ]
    return concat_problems([*found, _report_blank(session)])


def check_unlisted(session: Session) -> Problems:
    """Report contestants with results that the files' own list does not name: they are not ranked."""
    unlisted = list_unlisted(session).with_columns(pl.col("board").cast(pl.String))
    return report("contestant-unlisted/contestant", unlisted)


def check_names(session: Session) -> Problems:
    """Report contestants whom files call by different names, each once."""
    spelt = session.contestants.filter(pl.col("spellings").list.len() > 1)
    each = pl.element().struct
    said = pl.concat_str(pl.lit('"'), each.field("names"), pl.lit('" ('), each.field("where"), pl.lit(")"))
    told = spelt.with_columns(pl.col("spellings").list.eval(said).list.join(", ").alias("several"))
    return report("contestant-names/one-file", told.with_columns(name_contestant().alias("contestant")))


def list_unlisted(session: Session) -> Seats:
    """Return the first result of each contestant that the list of contestants does not name: a slip, or a late entry.

    Returns:
        Rows of `frames.seats`, whose `contestant` is the team in a match; none if there is no list, or if it lacks half
        of the contestants: then it is one of something else.
    """
    listed = session.contestants
    apart = [by for by in ("section", "direction") if is_told_apart(listed, by)]
    if listed.is_empty() or (not apart and _name_seated(session.results) <= {None, *listed["contestant"]}):
        # Nobody is looked for: a million seats would take half a gigabyte.
        return seats(session.results.clear())
    happened = session.results.filter(pl.col("status").is_in(frames.HAPPENED))
    seated = (
        by_line(seats(happened)).with_columns(contestant=pl.coalesce("team", "contestant")).drop_nulls("contestant")
    )
    who = ["contestant", *apart]
    first = seated.unique(who, keep="first", maintain_order=True)
    unlisted = first.join(listed, on=who, how="anti", nulls_equal=True, maintain_order="left")
    for by in apart:
        anywhere = listed.filter(pl.col(by).is_null())
        unlisted = unlisted.join(anywhere, on="contestant", how="anti", maintain_order="left")
    return unlisted if 2 * unlisted.height < first.height else unlisted.clear()


def _name_seated(results: Results) -> set[str | None]:
    return {name for column in _SEATED for name in results[column].unique().to_list()}


def _worded(described: pl.DataFrame) -> pl.DataFrame:
    """Add who met, which side lacks something, and the awards, for messages."""
    without_ns = pl.col("ns").is_null() | pl.col("award_ns").is_null() & pl.col("award_ew").is_not_null()
    awards = pl.concat_str(pl.col("award_ns").fill_null("?"), pl.col("award_ew").fill_null("?"), separator=" / ")
    return described.with_columns(
        meeting=pl.format("{} against {}", pl.col("ns").fill_null("?"), pl.col("ew").fill_null("?")),
        side=pl.when(without_ns).then(pl.lit("N-S")).otherwise(pl.lit("E-W")),
        other_side=pl.when(without_ns).then(pl.lit("E-W")).otherwise(pl.lit("N-S")),
        awards=awards,
    )


def _report_blank(session: Session) -> Problems:
    """Report files in which every result is blank, and those whose games only say who sat at the table."""
    blank = pl.all_horizontal(
        pl.col("level", "tricks", "stated_score_ns", "award_ns", "award_ew", "weights").is_null()
    ) & (pl.col("status") != "bye")
    stated = session.results.select("source", "line", blank=blank)
    seated = pl.any_horizontal(pl.col("pair_ns", "pair_ew").is_not_null())
    in_room = pl.all_horizontal(pl.col("home_team", "visit_team", "room").is_not_null())
    games = session.records.filter(seated | in_room).join(stated, on="source", how="anti", maintain_order="left")
    # Results that another file holds too are listed with that file.
    empty = pl.all_horizontal(pl.col("level", "stated_score_ns").is_null())
    listed = pl.concat([stated, games.select("source", "line", blank=empty)])
    files = listed.group_by("source", maintain_order=True).agg(pl.all("blank"), pl.first("line"), results=pl.len())
    return report("results-blank", files.filter("blank"))


_MEETING: Final = ["section", "round", "table", "ns", "ew"]
_BOARD: Final = ["section", "board"]


def check_board_counts(lines: pl.DataFrame, seats: pl.DataFrame, pair: list[str]) -> list[Problems]:
    """Report boards that lack results, or have too many.

    Args:
        lines: results of travellers.
        seats: the same, one row for each contestant.
        pair: the columns of `seats` that identify a contestant.
    """
    boards = lines.group_by(*_BOARD, maintain_order=True).agg(
        pl.len().alias("results"), pl.col("source", "line", "column").first()
    )
    if boards["results"].n_unique() < 2:
        return []
    usual = pl.col("results").mode().max().over("section")
    share = (pl.col("results") == pl.col("usual")).mean().over("section")
    counted = boards.with_columns(usual=usual).with_columns(is_usual=share >= _MOST)
    at_table = 4 if lines["player_n"].count() else 2
    uneven = _uneven(seats, pair, at_table)
    counted = _with_peers(counted, lines).join(uneven, on=_BOARD, how="left", nulls_equal=True)
    unknown, odd = pl.lit(seats.is_empty()), pl.col("is_odd").fill_null(value=False)
    lacks, has_more = (pl.col(name).fill_null(value=False) for name in ("lacks", "has_more"))
    usual_counts = pl.col("is_usual") & ~odd
    fewer = pl.when((lacks | odd) & (pl.col("results") < pl.col("most"))).then("most")
    more = pl.when(has_more & (pl.col("results") > pl.col("least"))).then("least")
    fewer_than_usual = usual_counts & (lacks | unknown) & (pl.col("results") < pl.col("usual"))
    more_than_usual = usual_counts & (has_more | unknown) & (pl.col("results") > pl.col("usual"))
    missing = pl.coalesce(fewer, pl.when(fewer_than_usual).then("usual"))
    # While an evening is entered, most boards lack results: a complete one has as many as tables sat.
    beyond = pl.col("results") > pl.col("tables").fill_null(pl.col("usual"))
    surplus = pl.when((more.is_not_null() | more_than_usual) & beyond).then(pl.coalesce("tables", "usual"))
    named = counted.with_columns(missing.alias("missing"), surplus.alias("surplus"), pl.col("board").cast(pl.String))
    return [
        report("board-results-missing", named.drop_nulls("missing").with_columns(usual="missing")),
        report("board-results-surplus", named.drop_nulls("surplus").with_columns(tables="surplus")),
    ]


def _with_peers(counted: pl.DataFrame, lines: pl.DataFrame) -> pl.DataFrame:
    """Add `most least`, the results of the boards played with this one; null if it is played alone."""
    # Boards 1 and 2 are a set, and table 3 has no result on board 1:
    #
    #     board  results  with  times  most  least
    #     1      2        2     2      3     3
    #     2      3        1     2      2     2
    met = lines.lazy().drop_nulls(["ns", "ew"]).unique([*_MEETING, "board"], maintain_order=True).sort("board")
    pairs = [
        met.with_columns(pl.col("board").shift(step).over(_MEETING).alias("with")).drop_nulls("with")
        for step in (1, -1)
    ]
    often = pl.concat(pairs).group_by(*_BOARD, "with", maintain_order=True).agg(times=pl.len())
    results = counted.lazy()
    known = results.select("section", pl.col("board").alias("with"), theirs="results")
    mates = (
        often.join(results.select(*_BOARD, "results"), on=_BOARD, nulls_equal=True)
        .join(known, on=["section", "with"], nulls_equal=True)
        .filter(2 * pl.col("times") >= pl.min_horizontal("results", "theirs"))
    )
    peers = mates.group_by(_BOARD).agg(most=pl.col("theirs").max(), least=pl.col("theirs").min())
    return results.join(peers, on=_BOARD, how="left", nulls_equal=True, maintain_order="left").collect()


def _uneven(seats: pl.DataFrame, pair: list[str], at_table: int) -> pl.DataFrame:
    """Return by board whether it explains why contestants have more or fewer boards than most.

    Returns:
        `section board`; `lacks`: two contestants with fewer boards did not play it; `has_more`: two with more boards
        did, or two that are entered on hardly any board; `is_odd`: the number of contestants is odd, so that one always
        sits out and nobody is missed; `tables`: how many contestants who are entered on more boards fill, `at_table` of
        them each.
    """
    number, usual = pl.col("boards"), pl.col("usual")
    stranger = 2 * number < usual
    few = (number < usual) & ~stranger
    boards = seats.lazy().group_by("section", *pair).agg(boards=pl.col("board").n_unique())
    known = boards.with_columns(usual=pl.col("boards").mode().max().over("section"))
    sections = known.group_by("section").agg(
        all_few=few.sum(), is_odd=pl.len() % 2 == 1, tables=(~stranger).sum() // at_table
    )
    played = seats.lazy().select(*_BOARD, *pair).unique().join(known, on=["section", *pair], nulls_equal=True)
    # A list of all contestants for each board would grow with the square of a file.
    by_board = played.group_by(_BOARD).agg(few_played=few.sum(), has_more=((number > usual) | stranger).sum() > 1)
    counted = by_board.join(sections, on="section", nulls_equal=True)
    lacks = (pl.col("all_few") - pl.col("few_played") > 1).alias("lacks")
    return counted.select(*_BOARD, lacks, "has_more", "is_odd", "tables").collect()


_PAIR: Final = ["of_section", "of_direction", "contestant"]
"""Columns that identify a pair; section and direction are null where the number alone is enough."""

_FEW_BOTH_WAYS: Final = 0.5
"""If a larger share of the pairs, or of the numbers, sat both ways, that is not a slip."""

_MOST: Final = 0.6
"""The share of meetings that makes something usual in a session."""

_MOST_RUN: Final = 0.8
"""The share of meetings that must have consecutive boards, where no rounds are stated."""

_NOBODY: Final = r"(?:phantom|bye|sit[- ]?out|missing|nobody)(?:[- ](?:pair|player|team))?"
_PHANTOM: Final = rf"(?i)^(?:0+|{_NOBODY})$"
_PHANTOM_NAMES: Final = rf"(?i)^{_NOBODY}(?: - {_NOBODY})*$"
"""Texts by which programs name a missing pair, and its players."""


LINE: Final = ["source", "line", "column"]
"""Columns that say where a result was read."""
_NO_SLIPS: Final = empty(PROBLEMS)


def check_consistency(session: Session, slips: Problems = _NO_SLIPS) -> Problems:
    """Report pairs that play a board twice, sit at two tables or the wrong way, and boards that lack results.

    Args:
        session: an evening.
        slips: what a movement has told of single results. They contradict others, which are right; so these checks
            leave them out, and count no results on the boards of a section in which a board is wrong.
    """
    entered = select_travellers(session.results)
    lines = entered.join(slips, on=LINE, how="anti", nulls_equal=True, maintain_order="left")
    if lines.is_empty():
        return empty(PROBLEMS)
    bye = session.results.filter(pl.col("status") == "bye")
    seated = _seats(pl.concat([lines, bye]).with_row_index("row"), seats)
    at_table, byes = seated.filter(pl.col("status") != "bye"), seated.filter(pl.col("status") == "bye")
    as_pairs = _seats(lines, sides) if len(bye) or lines["player_n"].count() else at_table
    elsewhere = _two_tables(at_table)
    odd = entered.join(slips, on=LINE, how="semi", nulls_equal=True)
    on_board = slips.filter(pl.col("code") == "movement-wrong-board")
    unsure = entered.join(on_board, on=LINE, how="semi", nulls_equal=True)["section"].unique()
    counted = entered.filter(~pl.col("section").is_in(unsure.implode(), nulls_equal=True))
    found = [
        report("pair-against-itself", _itself(lines, at_table)),
        _against_nobody(at_table, session.contestants),
        _board_twice(at_table.join(elsewhere, on="row", how="anti", maintain_order="left")),
        report("pair-two-tables", _told(elsewhere.unique([*_ROUND, "table"], keep="first", maintain_order=True))),
        _wrong_way(as_pairs),
        _bye_played(at_table, byes),
        *check_board_counts(counted, _seats(counted, seats) if len(slips) else at_table, _PAIR),
        _not_consecutive(lines.join(odd, on=_MEETING, how="anti", nulls_equal=True, maintain_order="left")),
    ]
    return concat_problems(found)


def select_travellers(results: Results) -> pl.DataFrame:
    """Return the results of files with travellers (several of a board in one record), each of one table.

    A file of an evening's part may have one result of each board: it counts if travellers have all its contestants.
    """
    played = pl.col("status").is_in(frames.HAPPENED) & (pl.col("multiplicity").fill_null(1) == 1)
    entered = results.filter(played & pl.col("board").is_not_null())
    if entered["record"].n_unique() == entered.height:
        return entered.clear()
    several = pl.len().over("record").max().over("source") > 1
    known = entered.filter(several).select(pl.concat([pl.col("ns"), pl.col("ew")]).drop_nulls().unique()).to_series()
    part = pl.all_horizontal(pl.col("ns", "ew").is_in(known.implode())).fill_null(value=False).all().over("source")
    return entered.filter(several | part)


def _seats(lines: pl.DataFrame, of: Callable[[pl.DataFrame], pl.DataFrame]) -> pl.DataFrame:
    """Return a row for each contestant of each result: the columns of `_PAIR`, its `direction`, its `opponents`.

    Args:
        lines: results.
        of: `frames.sides` for pairs, `frames.seats` for players in their place in an individual.
    """
    both = of(lines.with_columns(opponents_ns="ew", opponents_ew="ns"))
    known = both.drop_nulls("contestant")
    by_direction = many_both_ways(known) and numbers_repeat(by_line(known), "direction")
    return known.with_columns(
        of_section=pl.col("section") if numbers_repeat(known, "section") else pl.lit(None, pl.String),
        of_direction=by_line(known)["direction"].cast(pl.String) if by_direction else pl.lit(None, pl.String),
    )


def many_both_ways(seats: pl.DataFrame) -> bool:
    """Report whether many numbers occur N-S and E-W, as in a Howell or where each direction has its own numbers."""
    pairs = seats.group_by("section", "contestant").agg(pl.col("direction").n_unique() > 1)
    return bool(pairs["direction"].sum() > _FEW_BOTH_WAYS * pairs.height)


def _told(rows: pl.DataFrame) -> pl.DataFrame:
    """Return seats with the columns that messages use."""
    return rows.with_columns(
        pl.col("contestant").alias("pair"),
        pl.col("board").cast(pl.String),
        pl.col("direction").cast(pl.String).replace({"NS": "N-S", "EW": "E-W"}),
    )


def _itself(lines: pl.DataFrame, seats: pl.DataFrame) -> pl.DataFrame:
    if seats["of_direction"].is_not_null().any():
        return lines.clear()
    return lines.filter(pl.col("ns") == pl.col("ew")).with_columns(pl.col("board").cast(pl.String), pair="ns")


def _against_nobody(seats: pl.DataFrame, contestants: Contestants) -> Problems:
    """Report results against a missing pair, known by its number or by the name listed for it."""
    nobody = contestants.filter(pl.col("names").str.contains(_PHANTOM_NAMES)).select("contestant", "section").unique()
    named = pl.col("contestant").str.contains(_PHANTOM)
    if len(nobody):
        named |= pl.col("contestant").is_in(nobody.filter(pl.col("section").is_null())["contestant"].implode())
    wrong = seats.filter(named)
    if len(nobody):
        listed = seats.join(nobody, on=["contestant", "section"], how="semi", nulls_equal=True)
        wrong = pl.concat([wrong, listed])
    return report("pair-phantom", _told(wrong.unique(["record", "line", "column"], maintain_order=True)))


def _board_twice(seats: pl.DataFrame) -> Problems:
    """Report the fewest results without which no pair plays a board twice; a pair against itself has its own code.

    Matches of teams, whom files name or who meet both ways on a board, may use the same numbers in each round.
    """
    # The first result is of another board. Both its pairs play board 5 again, the pairs of the others only once:
    #
    #     ns  ew  board  times again  told
    #     1   8   5      2            yes
    #     1   9   5      1            no
    #     3   8   5      1            no
    both_ways = pl.col("direction").n_unique().over("section", "contestant", "opponents", "board", "round") > 1
    match = pl.when(pl.col("team").is_not_null() | both_ways).then("round")
    others = seats.filter((pl.col("contestant") != pl.col("opponents")).fill_null(value=True))
    whose = [*_PAIR, "record", "board", "match"]
    counted = others.with_columns(match=match).with_columns(times=pl.len().over(whose))
    counted = counted.with_columns(again=(pl.col("times") - 1).sum().over("row"))
    ordered = counted.sort("again", "line", maintain_order=True)
    again = ordered.filter(pl.int_range(pl.len()).over(whose) > 0).unique("row", keep="first", maintain_order=True)
    return report("pair-board-twice", _told(again.sort("line", maintain_order=True)))


_ROUND: Final = [*_PAIR, "section", "round"]
"""Columns that identify what a pair does in a round."""


def _two_tables(seats: pl.DataFrame) -> pl.DataFrame:
    """Return the seats of pairs at another table than the `other`, where they play most of a round."""
    at = seats.drop_nulls(["round", "table"])
    tables = at.group_by(*_ROUND, "table", maintain_order=True).agg(results=pl.len())
    most = (
        tables.sort("results", descending=True, maintain_order=True)
        .unique(_ROUND, keep="first", maintain_order=True)
        .rename({"table": "other"})
        .drop("results")
    )
    placed = at.join(most, on=_ROUND, how="left", nulls_equal=True, maintain_order="left")
    return placed.filter(pl.col("table") != pl.col("other"))


def _wrong_way(seats: pl.DataFrame) -> Problems:
    """Report results in which both pairs sit the other way than usual, in a session where few pairs sit both ways."""
    if many_both_ways(seats):
        return empty(PROBLEMS)
    ways = pl.col("direction").n_unique().over(_PAIR) > 1
    here = pl.len().over(*_PAIR, "direction")
    rare = seats.filter(ways & (2 * here < pl.len().over(_PAIR)))
    met = rare.filter(pl.len().over("record", "line", "column") == 2)
    # A Howell that has begun turns pairs round against opponents that sit as usual; a slip turns both.
    if 2 * met.height < rare.height:
        return empty(PROBLEMS)
    return report("pair-wrong-way", _told(_without_switched(met.filter(pl.col("direction") == "NS"), seats)))


def _without_switched(turned: pl.DataFrame, seats: pl.DataFrame) -> pl.DataFrame:
    """Return results that are turned round, without those of tables that are so on all boards of a round.

    Several such tables are an arrow-switch of a part of the tables; a single one is a slip.
    """
    cell = ["section", "round", "table"]
    boards = seats.filter(pl.col("direction") == "NS").group_by(cell).agg(boards=pl.len())
    cells = turned.group_by(cell).agg(turned=pl.len()).join(boards, on=cell, nulls_equal=True)
    whole = cells.filter(pl.col("turned") == pl.col("boards"), pl.col("boards") > 1).drop_nulls(["round", "table"])
    several = whole.filter(pl.len().over("section") > 1)
    return turned.join(several, on=cell, how="anti", nulls_equal=True, maintain_order="left")


def _bye_played(seats: pl.DataFrame, byes: pl.DataFrame) -> Problems:
    key = [*_PAIR, "record", "board"]
    return report("pair-bye-played", _told(seats.join(byes.select(key).unique(), on=key, how="semi", nulls_equal=True)))


def _not_consecutive(lines: pl.DataFrame) -> Problems:
    """Report meetings whose boards have gaps, in sessions where the boards of most meetings are consecutive."""
    met = lines.drop_nulls(["ns", "ew"]).sort("board")
    meetings = met.group_by("section", "round", "ns", "ew", maintain_order=True).agg(
        pl.col("board").unique().sort().alias("boards"), pl.col("source", "line", "column", "record").first()
    )
    several = meetings.filter(pl.col("boards").list.len() > 1)
    run = pl.col("boards").list.last() - pl.col("boards").list.first() + 1 == pl.col("boards").list.len()
    marked = several.with_columns(run=run)
    # In some rounds of a scissors movement all tables play halves of two sets, each table others.
    in_round = pl.col("run").mean().over("section", "round")
    alike = pl.col("boards").n_unique().over("section", "round", "run") == 1
    usual = pl.when(pl.col("round").is_null()).then(in_round >= _MOST_RUN).otherwise(in_round > 0.5)
    wrong = marked.filter(~pl.col("run") & (usual | alike))
    if marked["run"].sum() < _MOST * marked.height:
        return empty(PROBLEMS)
    return report(
        "boards-not-consecutive", wrong.with_columns(pl.col("boards").cast(pl.List(pl.String)).list.join(", "))
    )


_MOST_OF_A_BOOK: Final = 2000


def find_kinds(session: Session) -> dict[str, str]:
    """Return the kind of each file, one of `problems.KINDS`.

    A board of two tables or a list of contestants makes a session, two rooms a match. One result a board is the play
    of a table. Without results, comments, hands of fewer than 12 cards and deals without numbers make a lesson,
    auctions without play a bidding test, and deals alone practice deals. All files of an evening count together
    for what is a session.

    Args:
        session: as it was checked, with the files of an evening together.
    """
    results, records = session.results, session.records
    played = pl.col("tricks").is_not_null() | pl.col("score_ns").is_not_null() | pl.col("award_ns").is_not_null()
    scored = results.with_columns(stated=played | pl.col("stated_score_ns").is_not_null() | (pl.col("level") == 0))
    in_rooms = scored["team_ns"].is_not_null().any() or records["room"].is_not_null().any()
    together = scored.filter("stated").select(pl.struct("section", "board").is_duplicated().any()).item()
    listed = len(session.contestants.drop_nulls("line"))
    whole = "match" if in_rooms else "session" if together or listed else "play"
    with_results = [*scored.filter("stated")["source"].drop_nulls().unique()]
    hands = pl.col("deal").str.split(" ").list.eval(pl.element().str.count_matches("[2-9TJQKA]"))
    commented = _list_commented(session) if len(with_results) < len(session.sources) else pl.Series(dtype=pl.UInt32)
    shown = records.filter(~pl.col("source").is_in(with_results)).select(
        "source",
        cut=hands.list.eval((pl.element() > 0) & (pl.element() < 12)).list.any().fill_null(value=False),
        commented=pl.col("record").is_in(commented.implode()),
        bid=pl.col("calls").list.len() > 0,
        played=pl.col("cards").list.len() > 0,
        numbered=pl.col("board").is_not_null(),
    )
    by_file = shown.group_by("source").agg(pl.col("cut", "commented", "bid", "played", "numbered").any())
    kinds = {row["source"]: _of_lessons(row) for row in by_file.to_dicts()} | dict.fromkeys(with_results, whole)
    return dict(sorted(kinds.items()))


def _list_commented(session: Session) -> pl.Series:
    """Return the records with a comment. More boards than a book has are not a lesson, and are not searched."""
    comments = [session.annotations.filter(pl.col("kind") == "comment")["record"]]
    if session.records.height <= _MOST_OF_A_BOOK:
        comments.append(session.items.filter(pl.col("kind") == "comment")["record"])
    return pl.concat(comments).drop_nulls().unique()


def _of_lessons(row: Mapping[str, bool]) -> str:
    """Return the kind of a file without a result."""
    if row["cut"] or row["commented"] or not row["numbered"]:
        return "lesson"
    return "bidding" if row["bid"] and not row["played"] else "practice"
