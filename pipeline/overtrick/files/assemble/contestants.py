"""Who took part: one list for an evening, to which every list and every line of results of its files is a witness.

A contestant is section, line (N-S or E-W) and number; section and line only where numbers repeat. Witnesses that agree
are one, and one without names takes nothing away. An example of three files:

    a.xml  lists   1 NS  Ada Quill - Bo Moss     and holds 24 results of 1 NS
    b.csv  line 2  1 NS  Ada Quil - Bo Moss      24 lines, results of the same boards
    c.csv  line 9  1 NS                          2 lines, results of other boards

The evening has one contestant 1 NS with 26 results. As many results have the one name as the other, so the longer one
counts; `spellings` keeps both with their places, and `judge.validate` reports them once. A pair that has another player
on other boards alone has a substitute.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cache
from itertools import combinations
from typing import Any, Final, Literal

import polars as pl

from overtrick.core.bridge.movements import where_numbers_repeat
from overtrick.core.config.members import Member
from overtrick.core.frames import CONTESTANTS, DIRECTION, PROBLEMS, Results, Session, conform, empty, seats
from overtrick.core.notation import BETWEEN
from overtrick.core.problems import report
from overtrick.core.words import fold_letters

BETWEEN_SUBSTITUTES: Final = "; "
_ALIKE: Final = 0.8
"""How much of two names must agree (from 0 to 1) to be spellings of one name."""
_PAIR: Final = 2
_OF_PERSONS: Final = ("members", "club")
_STATED: Final = ("stated_awards", "stated_adjustment", "stated_rank", "stated_total", "stated_percentage")
_PLAYERS: Final = ("player_n", "player_e", "player_s", "player_w")
_WHO: Final = ("source", "line", "section", "board", "ns", "ew", "names_ns", "names_ew", "team_ns", "team_ew")
_NUMBER: Final = ["evening", "contestant"]
_KEY: Final = [*_NUMBER, "of_section", "of_direction"]
"""What identifies a contestant; section and direction are null where the number is enough."""
_WHERE: Final = ["contestant", "section", "direction"]
_Rows = list[dict[str, Any]]


def settle_contestants(session: Session, evening: pl.Expr | None = None) -> Session:
    """List every contestant once, by what all files say, and know those by number whom a file knows by name only.

    Args:
        session: its files one after the other, as `gather` returns them.
        evening: the evening of each row with a `source`, if there are several.

    Returns:
        The session with one row for each contestant of an evening whom a list or a result names; a result beside its
        file's own list of others makes nobody a contestant (`contestant-unlisted`). `names` are those of most results,
        then the longer ones, then the first of the alphabet. One who sat both ways has no direction, unless numbers
        repeat. Places and totals stay if their file holds the whole evening. `contestant-substitute` names who played
        for whom, and `result-example` a game between the listed players that is not a result.
    """
    if evening is None:
        session = _without_examples(_by_number(session))
    results = session.results.with_columns((pl.lit("") if evening is None else evening).alias("evening"))
    seated = list_seated(results)
    said = _list_witnesses(session, evening, seated)
    said, seated = _add_keys(said, seated, results)
    two_lines = seated.drop_nulls("of_direction")["evening"].unique()
    is_whole = pl.col("source").is_in(_find_whole(results, two_lines).implode())
    said = _without_unlisted(said).with_columns(pl.when(is_whole).then(name).alias(name) for name in _STATED)
    contestants, judged = _merge(said, seated)
    nameless = session.results.with_columns(pl.lit(None, pl.String).alias(name) for name in ("names_ns", "names_ew"))
    return replace(
        session,
        contestants=conform(CONTESTANTS, contestants),
        results=nameless,
        problems=pl.concat([session.problems, _report_substitutes(judged), _report_unlisted_teams(said, seated)]),
    )


def list_seated(results: Results) -> pl.DataFrame:
    """Return who sat where: `evening` if there is one, the columns of `frames.seats` of `_WHO`, and their names.

    In an individual each player is a contestant, and has one of the two names of the side.
    """
    seated = seats(results.select(*(name for name in ("evening", *_WHO) if name in results.columns), *_PLAYERS))
    if seated["player_n"].null_count() < len(seated):
        first = pl.any_horizontal(pl.col("contestant") == pl.col(seat) for seat in ("player_n", "player_e"))
        parts = pl.col("names").str.split(BETWEEN)
        one = pl.when(first).then(parts.list.first()).otherwise(parts.list.last())
        of_player = pl.when(parts.list.len() == _PAIR).then(one)
        seated = seated.with_columns(pl.when(pl.col("player_n").is_null()).then("names").otherwise(of_player))
    return seated.drop(_PLAYERS).drop_nulls("contestant")


def numbers_repeat_in(results: Results, by: Literal["direction", "section"]) -> pl.Series:
    """Return the evenings in which numbers name different contestants in different directions or sections.

    A result that two files hold counts once, since the later one may have the pairs the wrong way round. The pairs of
    teams sit one way and the other.

    Args:
        results: of all files, with `evening`.
        by: what may tell equal numbers apart.
    """
    # A file without sections is of the only section that others state.
    stated = pl.col("section").drop_nulls().unique().over("evening", mapping_strategy="join")
    only = pl.when(stated.list.len() == 1).then(stated.list.first())
    met = results.filter(pl.col("team_ns").is_null()).with_columns(
        field=pl.col("evening"), section=pl.coalesce("section", only)
    )
    pair = ["field", "section", "board", pl.min_horizontal("ns", "ew"), pl.max_horizontal("ns", "ew")]
    if met["source"].n_unique() > 1:
        met = met.filter(pl.col("source") == pl.col("source").first().over(pair))
    return where_numbers_repeat(seats(met.select("field", "section", "board", "ns", "ew", *_PLAYERS)), by)


def _list_witnesses(session: Session, evening: pl.Expr | None, seated: pl.DataFrame) -> pl.DataFrame:
    """Return what lists and lines say: the columns of contestants, `evening`, `listed`, and how many `results` say so.

    Lines that say the same are one witness. A list speaks of the results of its file that name nobody themselves.
    """
    by = ["evening", "source", "contestant"]
    lines = seated.group_by(*by, "section", "direction", "names", maintain_order=True).agg(
        pl.len().alias("results"), pl.col("line").min(), pl.col("team").is_not_null().any().alias("of_team")
    )
    teams = (
        seated.drop_nulls("team")
        .group_by("evening", "source", "team", maintain_order=True)
        .agg(pl.len().alias("results"), pl.col("line").min())
    )
    lists = session.contestants.with_columns((pl.lit("") if evening is None else evening).alias("evening"), listed=True)
    held = seated.filter(pl.col("names").is_null()).group_by(by).agg(pl.len().alias("results"))
    lists = lists.join(held, on=by, how="left", maintain_order="left")
    every = [lists, lines, *([teams.rename({"team": "contestant"})] if len(teams) else [])]
    said = pl.concat(every, how="diagonal_relaxed").with_columns(
        pl.col("results").fill_null(0),
        pl.col("listed", "of_team").fill_null(value=False),
        pl.when(pl.col("names").str.contains(r"[^\s?-]")).then("names").alias("names"),
        pl.col("direction").cast(DIRECTION),
    )
    # Names that nothing contradicts need no comparison: an archive has hundreds of thousands.
    several = said.filter(pl.col("names").drop_nulls().n_unique().over(_NUMBER) > 1)["names"]
    return said.with_columns(_fold(said["names"], several))


def _add_keys(said: pl.DataFrame, seated: pl.DataFrame, results: Results) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Add `of_section` and `of_direction`; a witness that lacks one is of the only contestant whom it may mean."""
    ways: tuple[tuple[Literal["direction", "section"], tuple[str, ...]], ...] = (
        ("section", ()),
        ("direction", ("section",)),
    )
    seated = seated.with_columns(_fold(seated["names"], said.filter(pl.col("names") != pl.col("folded"))["names"]))
    for by, within in ways:
        evenings = pl.concat([numbers_repeat_in(results, by), _list_apart(said, by, *within)])
        apart, name = pl.col("evening").is_in(evenings.unique().implode()), f"of_{by}"
        of = pl.when(apart).then(pl.col(by).cast(pl.String)).alias(name)
        said, seated = said.with_columns(of), seated.with_columns(of)
        if len(evenings):
            only = [_agreed(name).over(group) for group in ([*_NUMBER, "folded"], _NUMBER)]
            said = said.with_columns(pl.coalesce(name, *only).alias(name))
    return said, seated


def _list_apart(said: pl.DataFrame, by: str, *within: str) -> pl.Series:
    """Return the evenings of files that name different people under most numbers of two lines or sections."""
    file = ["evening", "source"]
    several = said.drop_nulls([by, "names"]).group_by(*file, "contestant", *within).agg(by, "names")
    several = several.filter(pl.col(by).list.n_unique() > 1, pl.col("names").list.n_unique() > 1)
    unrelated = [not any(_are_related(*two) for two in combinations(set(names), 2)) for names in several["names"]]
    counted = several.with_columns(pl.Series("unrelated", unrelated, pl.Float64)).group_by(file)
    return counted.agg(pl.col("unrelated").mean()).filter(pl.col("unrelated") > 1 / 2)["evening"]


def _agreed(name: str) -> pl.Expr:
    """Return the one value of a column that all rows agree on, null where they state several."""
    stated = pl.col(name).drop_nulls()
    return pl.when(stated.n_unique() == 1).then(stated.first()).alias(name)


def _find_whole(results: Results, two_lines: pl.Series) -> pl.Series:
    """Return the files that hold all results of their evening: what others state of totals is that of a part.

    Args:
        results: with `evening`.
        two_lines: the evenings in which N-S and E-W have the same numbers; 2 against 3 is not 3 against 2 there.
    """
    ordered = pl.when(pl.col("evening").is_in(two_lines.implode())).then("ns")
    sides = pl.struct(
        pl.min_horizontal("ns", "ew").alias("one"), pl.max_horizontal("ns", "ew").alias("other"), ns=ordered
    )
    row = pl.when(pl.any_horizontal(pl.col("ns", "ew").is_null())).then(pl.int_range(pl.len()))
    held = results.select("evening", "source", result=pl.struct("section", "board", sides.alias("sides"), row=row))
    counts = held.group_by("evening", "source").agg(pl.col("result").n_unique().alias("held"))
    every = held.group_by("evening").agg(pl.col("result").n_unique().alias("every"))
    return counts.join(every, on="evening").filter(pl.col("held") == pl.col("every"))["source"]


def _without_unlisted(said: pl.DataFrame) -> pl.DataFrame:
    """Leave out whom nobody names but results beside their file's own list: a slip, or a late entry.

    A list that lacks half of the contestants of its file is one of something else.
    """
    lists = said.filter("listed")
    beside = said.filter(
        ~pl.col("listed"), ~pl.col("of_team"), pl.col("source").is_in(lists["source"].unique().implode())
    )
    if beside.is_empty():
        return said
    place = ["source", *_KEY]
    is_listed = lists.select(place).unique().with_columns(is_listed=True)
    seated = beside.select(place).unique().join(is_listed, on=place, how="left", nulls_equal=True)
    lacks = pl.col("is_listed").is_null()
    slips = seated.filter(lacks, 2 * lacks.sum().over("source") < pl.len().over("source")).with_columns(slip=True)
    if slips.is_empty():
        return said
    known = said.join(slips.select(*place, "slip"), on=place, how="left", nulls_equal=True, maintain_order="left")
    return known.filter(~pl.col("slip").fill_null(value=False).all().over(_KEY)).drop("slip")


def _merge(said: pl.DataFrame, seated: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return one row for each contestant, and what is to say of those that have several names (`_JUDGED`)."""
    # Nearly all contestants of an archive are named once.
    numbered = said.with_row_index("place").with_columns(alone=pl.len().over(_KEY) == 1)
    alone, several = numbered.filter("alone"), numbered.filter(~pl.col("alone"))
    if several.is_empty():
        return alone, pl.DataFrame(schema=_JUDGED)
    spelt = _list_spellings(several)
    judged = _judge(spelt.filter(pl.len().over(_KEY) > 1), said, seated)
    usual = spelt.unique(_KEY, keep="first", maintain_order=True).select(*_KEY, usual="names", usually="folded")
    rows = several.drop("names", "substitutes", "spellings")
    for known in (usual, judged.select(*_KEY, "fullest", "spellings", "substitutes")):
        rows = rows.join(known, on=_KEY, how="left", nulls_equal=True, maintain_order="left")
    other = (pl.col("folded") != pl.col("usually")).fill_null(value=False)
    once = (
        rows.with_columns(pl.coalesce("fullest", "usual").alias("names"))
        .group_by(_KEY, maintain_order=True)
        .agg(
            *(pl.col(name).sort_by(other, maintain_order=True).drop_nulls().first() for name in _OF_PERSONS),
            pl.col("place", "names", "spellings", "substitutes").first(),
            pl.col("source", "line").filter(pl.col("folded").is_not_null()).first(),
            *(_agreed(name) for name in ("section", "direction", *_STATED)),
        )
    )
    sat = seated.group_by(_KEY).agg(_agreed("direction").alias("sat"), is_seated=True)
    placed = once.join(sat, on=_KEY, how="left", nulls_equal=True, maintain_order="left")
    stays = pl.col("of_direction").is_not_null() | pl.col("is_seated").is_null()
    line = pl.coalesce("of_direction", pl.col("direction").cast(pl.String)).cast(DIRECTION)
    merged = placed.with_columns(pl.when(stays).then(line).otherwise("sat").alias("direction"))
    return pl.concat([alone, merged], how="diagonal_relaxed").sort("place"), judged


def _list_spellings(said: pl.DataFrame) -> pl.DataFrame:
    """Return the names of each contestant, each in its usual spelling, those that count first."""
    names = (
        said.drop_nulls("names").group_by(*_KEY, "folded", "names", maintain_order=True).agg(pl.col("results").sum())
    )
    every, length = pl.col("results").sum().over(*_KEY, "folded"), pl.col("names").str.len_chars()
    best_first = names.sort(every, "results", length, "names", descending=[True, True, True, False])
    return best_first.unique([*_KEY, "folded"], keep="first", maintain_order=True)


_JUDGED: Final = {
    **dict.fromkeys(_KEY, pl.String),
    "fullest": pl.String,
    "spellings": CONTESTANTS["spellings"].dtype,
    "substitutes": pl.String,
    "others": pl.List(pl.String),
}
"""Of a contestant with several names: the ones that count, how they differ, who played for whom, and in which names."""


def _judge(several: pl.DataFrame, said: pl.DataFrame, seated: pl.DataFrame) -> pl.DataFrame:
    """Compare the names of each contestant that has several, best first: a frame of `_JUDGED`."""
    if several.is_empty():
        return pl.DataFrame(schema=_JUDGED)
    keys = several.select(_KEY).unique()
    known = said.drop_nulls("folded").join(keys, on=_KEY, how="semi", nulls_equal=True)
    sat = seated.join(keys, on=_KEY, how="semi", nulls_equal=True).select(*_KEY, "source", "board", "folded")
    # A list speaks of the lines of its file that name nobody themselves.
    listed = known.filter("listed").select(*_KEY, "source", "folded")
    nameless = sat.filter(pl.col("folded").is_null()).drop("folded")
    of_lists = nameless.join(listed, on=[*_KEY, "source"], nulls_equal=True).select(sat.columns)
    played = pl.concat([sat.drop_nulls("folded"), of_lists]).group_by(*_KEY, "folded").agg(pl.col("board").unique())
    file = pl.col("source").str.split("/").list.last()
    if known["source"].n_unique() > known.select(file.n_unique()).item():
        file = pl.col("source")
    place = pl.concat_str(file, pl.lit(" line ") + pl.col("line").cast(pl.String), ignore_nulls=True)
    stands = known.group_by(*_KEY, "folded", "source").agg(place.sort_by("line").first().alias("where"))
    stands = stands.sort("source").group_by(*_KEY, "folded", maintain_order=True).agg("where")
    for more in (played, stands):
        several = several.join(more, on=[*_KEY, "folded"], how="left", nulls_equal=True, maintain_order="left")
    groups = several.group_by(_KEY, maintain_order=True)
    rows = [dict(zip(_KEY, key, strict=True)) | _judge_names(group.to_dicts()) for key, group in groups]
    return pl.DataFrame(rows, schema=_JUDGED)


def _judge_names(spelt: _Rows) -> dict[str, Any]:
    """Return what `_JUDGED` says of one contestant: of two names one of which lacks a player, the other is fuller."""
    parts = [set(each["folded"].split(BETWEEN)) for each in spelt]
    full = [each for each, some in zip(spelt, parts, strict=True) if not any(some < other for other in parts)]
    usual, *others = full
    played = [(each, _are_related(usual["names"], each["names"]) and _sat_apart(usual, each)) for each in others]
    different = [each for each, in_place in played if not in_place or not _only_in(usual["names"], each["names"])]
    substituted = [each["names"] for each in others if each not in different]
    stood_in = [who for other in substituted for who in _list_substitutes(usual["names"], other)]
    spellings = [{"names": each["names"], "where": ", ".join(each["where"] or [])} for each in (usual, *different)]
    return {
        "fullest": usual["names"],
        "spellings": spellings if different else None,
        "substitutes": BETWEEN_SUBSTITUTES.join(dict.fromkeys(stood_in)) or None,
        "others": substituted,
    }


def _sat_apart(usual: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether two names of a contestant are never those of one board."""
    return set(usual["board"] or []).isdisjoint(other["board"] or [])


def _list_substitutes(usual: str, other: str) -> list[str]:
    """Return who played for whom, as `Ben - Ann`, where other names stand in the place of the usual ones."""
    return [BETWEEN.join(both) for both in zip(_only_in(other, usual), _only_in(usual, other), strict=False)]


def _only_in(pair: str, other: str) -> list[str]:
    """Return the players that one pair has and the other has not."""
    known = _players(other)
    return [player for player in pair.split(BETWEEN) if not any(_alike(_plain(player), each) for each in known)]


def _report_unlisted_teams(said: pl.DataFrame, seated: pl.DataFrame) -> pl.DataFrame:
    """Report the teams of matches that no list of teams of their evening names, with their players.

    A list with half of the teams or fewer is one of something else. `contestant-unlisted` reports a team that its own
    file does not list.
    """
    lists = said.filter("listed")
    if lists.is_empty() or seated["team"].null_count() == len(seated):
        return empty(PROBLEMS)
    teams = seated.drop_nulls("team").group_by("evening", "team", maintain_order=True)
    played = teams.agg(pl.col("source", "line").first(), names=pl.col("names").drop_nulls().unique(maintain_order=True))
    known = lists.select("evening", team="contestant").unique().with_columns(known=True)
    named = played.join(known, on=["evening", "team"], how="left", maintain_order="left")
    listed = pl.col("known").fill_null(value=False)
    missing = named.filter((2 * listed.sum() > pl.len()).over("evening"), ~listed)
    elsewhere = missing.filter(~pl.col("source").is_in(lists["source"].unique().implode()))
    names = pl.when(pl.col("names").list.len() > 0).then(pl.format(" ({})", pl.col("names").list.join(", ")))
    return report("contestant-unlisted/team", elsewhere.with_columns(names=names.otherwise(pl.lit(""))))


def _report_substitutes(judged: pl.DataFrame) -> pl.DataFrame:
    told = judged.select("contestant", "others", usual="fullest").explode("others").drop_nulls("others")
    return report("contestant-substitute", told.rename({"others": "other"}))


def _are_related(usual: str, other: str) -> bool:
    """Return whether two names of a pair have a player in common, spelt alike."""
    return any(_alike(first, second) for first in _players(usual) for second in _players(other))


@cache
def _alike(name: str, other: str) -> bool:
    """Return whether two names are spellings of one: `Ada Quill`, `AdaQuill` and `A. Quill`."""
    if name == other or SequenceMatcher(None, name, other).ratio() >= _ALIKE:
        return True
    (first, _, last), (initial, _, surname) = name.partition(" "), other.partition(" ")
    return last == surname and min(len(first), len(initial)) <= _PAIR and first[:1] == initial[:1]


def _fold(names: pl.Series, among: pl.Series | None = None) -> pl.Series:
    """Return names without case, accents and the order of the players, as `folded`.

    Args:
        names: of pairs.
        among: the names to compare, and no others; None for all.
    """
    known = {text: _fold_pair(text) for text in (names if among is None else among).drop_nulls().unique().to_list()}
    return names.replace(known).alias("folded") if known else names.alias("folded")


def _fold_pair(names: str) -> str:
    return BETWEEN.join(sorted(player for player in _players(names) if player != "?"))


def _players(names: str) -> list[str]:
    return [_plain(player) for player in names.split(BETWEEN)]


def _plain(name: str) -> str:
    """Return a name without case, accents and doubled blanks, to be compared."""
    return " ".join(fold_letters(name).split())


def _by_number(session: Session) -> Session:
    """Give contestants that one file knows by name alone the number that another file has for the same players."""
    lines = list_seated(session.results).select("contestant", "names")
    listed = pl.concat([session.contestants.select("contestant", "names"), lines]).drop_nulls().unique()
    by_name = pl.col("contestant") == pl.col("names")
    if listed.select(by_name.all() | ~by_name.any()).item():
        return session
    listed = listed.with_columns(_fold(listed["names"]))
    numbers = listed.filter(~by_name).group_by("folded").agg(pl.col("contestant").unique())
    numbers = numbers.filter(pl.col("contestant").list.len() == 1).with_columns(pl.col("contestant").list.first())
    number = dict(
        listed.filter(by_name)
        .select("names", "folded")
        .join(numbers, on="folded")
        .select("names", "contestant")
        .iter_rows()
    )
    if not number:
        return session
    results = session.results.with_columns(pl.col("ns", "ew").replace(number))
    contestants = session.contestants.with_columns(pl.col("contestant").replace(number))
    return replace(session, results=results, contestants=contestants)


def _without_examples(session: Session) -> Session:
    """Leave out the game that a file shows of a board, where another file has the board's table of results.

    It is one if it seats partners against each other, or four players of the list none of whom has the partner that the
    list names: nobody sat there so.
    """
    results = session.results
    several = results.filter(pl.len().over("record") > 1).select("source", "board").unique()
    if not 0 < several["source"].n_unique() < results["source"].n_unique():
        return session
    named = pl.concat(
        [session.contestants.select("contestant", "names"), list_seated(results).select("contestant", "names")]
    )
    names = named.filter(pl.col("contestant") != pl.col("names"))["names"].drop_nulls().unique()
    pairs = {frozenset(players) for each in names if len(players := _players(each)) == _PAIR}
    known = {player for pair in pairs for player in pair}

    def is_example(sides: dict[str, str]) -> bool:
        ns, ew = (frozenset(_players(sides[side])) for side in ("ns", "ew"))
        if ns in pairs or ew in pairs or not len(ns) == len(ew) == _PAIR:
            return False
        return ns | ew <= known or any(len(pair & ns) == len(pair & ew) == 1 for pair in pairs)

    alone = results.filter(pl.len().over("record") == 1, ~pl.col("source").is_in(several["source"].implode()))
    beside = alone.drop_nulls(["ns", "ew"]).join(several.select("board").unique(), on="board", how="semi")
    shown = beside.filter([is_example(sides) for sides in beside.select("ns", "ew").to_dicts()])
    if shown.is_empty():
        return session
    real = results.join(shown.select("record"), on="record", how="anti", maintain_order="left")
    problems = report("result-example", shown.with_columns(pl.col("board").cast(pl.String)))
    return replace(session, results=real, problems=pl.concat([session.problems, problems]))


def prefer_members(session: Session, members: Sequence[Member]) -> Session:
    """Return the session in which, of the names that files give a contestant, those of the list of members count."""
    listed = session.contestants
    if not members or listed["spellings"].is_null().all():
        return session
    known = {_plain(member.name) for member in members}
    rows = []
    for row in listed.drop_nulls("spellings").select(*_WHERE, "spellings").iter_rows(named=True):
        spelt = sorted(row["spellings"], key=lambda each: not known.issuperset(_players(each["names"])))
        rows.append({**row, "spellings": spelt, "preferred": spelt[0]["names"]})
    chosen = pl.DataFrame(
        rows, schema={**{name: listed.schema[name] for name in (*_WHERE, "spellings")}, "preferred": pl.String}
    )
    joined = listed.drop("spellings").join(chosen, on=_WHERE, how="left", nulls_equal=True, maintain_order="left")
    named = joined.with_columns(pl.coalesce("preferred", "names").alias("names"))
    return replace(session, contestants=conform(CONTESTANTS, named))
