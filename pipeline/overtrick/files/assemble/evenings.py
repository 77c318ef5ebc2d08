"""How many evenings there are in the files of a session, as the club says or by the rule of `together`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path, PurePath
from typing import Final, Literal, NamedTuple

import polars as pl

from overtrick.core.bridge.cards import is_complete
from overtrick.core.config import Config, Scoring
from overtrick.core.frames import PROBLEMS as PROBLEM_COLUMNS
from overtrick.core.frames import Contestants, Problems, Records, Session, empty
from overtrick.core.notation import BETWEEN
from overtrick.core.problems import report
from overtrick.files.assemble.results import KEY
from overtrick.files.assemble.together import group_results

_IDENTITIES: Final = {
    "records": ("pair_ns", "pair_ew"),
    "results": ("ns", "ew", "player_n", "player_e", "player_s", "player_w"),
    "contestants": ("contestant",),
}
"""By frame: the columns that identify contestants."""


def settle_clubs(readings: Iterable[Session], scoring: Scoring) -> tuple[Iterator[Session], Scoring]:
    """Make each club, and each file that is only compared, a section.

    Args:
        readings: as `formats.read.read_files` yields them.
        scoring: `clubs` and `virtual` are followed.

    Returns:
        The readings, with a section where they have clubs or virtual files, and the settings: with these, all files are
        one session, and all results are compared.
    """
    if not (scoring.clubs or scoring.virtual):
        return iter(readings), scoring
    together = scoring.model_copy(update={"sessions": "together", "field": "all"})
    return (_settle(reading, scoring) for reading in readings), together


def with_clubs(config: Config) -> Config:
    """Return the settings by which an event of several clubs is scored."""
    _, scoring = settle_clubs((), config.scoring)
    return config if scoring is config.scoring else config.model_copy(update={"scoring": scoring})


def _settle(reading: Session, scoring: Scoring) -> Session:
    name = next(iter(reading.sources["source"]), None)
    if name is None:
        return reading
    if scoring.is_virtual(name):
        return _in_section(reading, PurePath(name).stem, virtual=True)
    return _in_section(reading, club_of(name, scoring.clubs), virtual=False)


def club_of(source: str, clubs: Mapping[str, str]) -> str | None:
    """Return the club of a file; None if no pattern fits its name."""
    name = PurePath(source).name
    return next((club for pattern, club in clubs.items() if fnmatch(name, pattern)), None)


def _in_section(reading: Session, section: str | None, *, virtual: bool) -> Session:
    if section is None:
        return reading
    # Sections of the club keep their letters after its name.
    named = pl.concat_str(pl.lit(section), pl.col("section"), separator=" ", ignore_nulls=True).alias("section")
    records = reading.records
    if virtual:
        # The same people may have played last year's evening, under the same names.
        seated = {"pair_ns": ("north", "south"), "pair_ew": ("east", "west")}
        records = records.with_columns(
            pl.coalesce(pair, pl.concat_str(*players, separator=BETWEEN)).alias(pair)
            for pair, players in seated.items()
        )
    frames = {"records": records, "results": reading.results, "contestants": reading.contestants}
    changed = {
        name: frame.with_columns(named, *(_qualify(column, section, virtual=virtual) for column in _IDENTITIES[name]))
        for name, frame in frames.items()
    }
    if not virtual:
        changed["contestants"] = changed["contestants"].with_columns(pl.lit(section).alias("club"))
    return replace(reading, records=changed["records"], results=changed["results"], contestants=changed["contestants"])


def _qualify(column: str, section: str, *, virtual: bool) -> pl.Expr:
    """Put the club before a number; a name is unique without it, but not that of a file that is only compared."""
    is_number = pl.col(column).str.contains(r"^[A-Za-z]{0,2}[0-9]") | pl.lit(virtual)
    return pl.when(is_number).then(pl.concat_str(pl.lit(f"{section} "), column)).otherwise(column).alias(column)


def describe_joined(session: Session, keyed: pl.DataFrame) -> str | None:
    """Return what each file of an evening adds; None if no file holds results.

    An example: `270 results from monday.bws; hands from monday.pbn; monday.xml holds the same 270 results`.

    Args:
        session: one evening as it was gathered, before its results are counted once.
        keyed: its results as `key_results` returns them.
    """
    if session.results.is_empty():
        return None
    sources = session.sources["source"].unique(maintain_order=True).to_list()
    counts = _count(keyed)
    names = _short_names(sources)
    adds: list[str] = []
    repeats: list[str] = []
    for source in sources:
        total, added = counts.get(source, (0, 0))
        if added:
            adds.append(f"{_results(added)} from {names[source]}" if not adds else f"{added} more from {names[source]}")
        if total and not added:
            repeats.append(f"{names[source]} holds the same {_results(total)}")
        elif total > added:
            repeats.append(f"{names[source]} holds {total - added} of the same results")
    hands = _hands(session, sources)
    shown = [f"hands from {' and '.join(names[source] for source in hands)}"] if hands else []
    return "; ".join([*adds, *shown, *repeats]) or None


def _results(count: int) -> str:
    return f"{count} result{'' if count == 1 else 's'}"


def _count(keyed: pl.DataFrame) -> dict[str, tuple[int, int]]:
    """Return by file how many results it holds, and how many of them no file before it holds."""
    keyed = keyed.filter(~pl.col("status").is_in(["not played", "unknown"]))
    known = pl.col("first").is_not_null()
    new = ~known | (pl.col("source") == pl.col("source").first().over(KEY))
    lines = keyed.with_columns(new.alias("new")).filter(~known | pl.struct(*KEY, "source").is_first_distinct())
    counts = lines.group_by("source").agg(pl.len().alias("total"), pl.col("new").sum())
    return {source: (total, added) for source, total, added in counts.select("source", "total", "new").iter_rows()}


def _hands(session: Session, sources: Sequence[str]) -> list[str]:
    """Return the files that the hands of the others come from: each gives some that none before it gives."""
    dealt = session.records.filter(is_complete(session.records["deal"]), pl.col("board").is_not_null())
    boards_of = {source: set(boards) for source, boards in dealt.group_by("source").agg("board").iter_rows()}
    with_results = session.results["source"].unique(maintain_order=True).to_list()
    wanted = set(session.results["board"].drop_nulls()) - boards_of.get(with_results[0], set())
    giving = []
    for source in sources:
        if source != with_results[0] and wanted & boards_of.get(source, set()):
            giving.append(source)
            wanted -= boards_of[source]
    return giving


def _short_names(sources: Sequence[str]) -> dict[str, str]:
    """Return the name of each file without its folder, unless two files have the same."""
    named = Counter(Path(source).name for source in sources)
    return {source: Path(source).name if named[Path(source).name] == 1 else source for source in sources}


Sessions = Literal["together", "by-file"]
"""The values of `sessions` under `[scoring]`: all files are one session, or each file of results is one."""


class Evenings(NamedTuple):
    """How the files of a session belong together.

    Attributes:
        asked: what the club says; None where it leaves the decision to the files.
        groups: the files of each evening, as `together.group_files` returns them.
        several: whether the results are of several evenings, or those of one file of several events or days.
    """

    asked: Sessions | None
    groups: Sequence[Sequence[str]]
    several: bool

    @property
    def by_file(self) -> bool:
        """Whether there are several: each is compared within itself, and the totals of one number are added."""
        return len(self.groups) > 1 or self.asked == "by-file"

    @property
    def evening_of(self) -> dict[str, str]:
        """The first file of the evening of each file that is not the first itself; empty if there is one evening."""
        if not self.by_file:
            return {}
        return {source: group[0] for group in self.groups for source in group[1:]}


def find_evenings(session: Session, asked: Sessions | None) -> Evenings:
    """Decide how files belong together: as the club says, else by `together.group_files`.

    The rooms of a match may be in files that name the event differently: matches stay together.
    """
    sources = session.sources["source"].unique(maintain_order=True).to_list()
    several = session.sources.height > 1 and _are_several(session)
    if asked == "by-file":
        return Evenings(asked, [[source] for source in session.results["source"].unique(maintain_order=True)], several)
    of_teams = bool(session.results["team_ns"].is_not_null().any())
    if asked == "together" or of_teams or len(sources) == 1:
        return Evenings(asked, [sources], several)
    with_results = group_results(session, given=True)
    return Evenings(asked, with_results or [sources], several or len(with_results) > 1)


def _are_several(session: Session) -> bool:
    """Report whether the games with results of one file state several events, or several days."""
    played = session.records.join(session.results.select("record").unique(), on="record", how="semi")
    stated = played.group_by("source").agg(pl.col("event", "date").drop_nulls().n_unique())
    return bool(stated.select(pl.any_horizontal(pl.col("event", "date") > 1).any()).item())


def report_evenings(session: Session, evenings: Evenings) -> Problems:
    """Report that files are evenings of their own, and the numbers that are different contestants in them."""
    if len(evenings.groups) < 2:
        return empty(PROBLEM_COLUMNS)
    first = session.results.select("source").head(1).with_columns(pl.lit(len(evenings.groups)).alias("evenings"))
    problems = report("sessions-several", first if evenings.asked is None else first.clear())
    return pl.concat([_report_two_names(session.contestants), problems])


def _report_two_names(contestants: Contestants) -> Problems:
    """Report a number that is other players in another of the files."""
    who = ["contestant", "section", "direction"]
    named = contestants.drop_nulls("names").group_by(who, maintain_order=True)
    several = named.agg(pl.col("names").unique(maintain_order=True)).filter(pl.col("names").list.len() > 1)
    return report("contestant-names/several-files", several.with_columns(several=pl.col("names").list.join(" / ")))


_STATED: Final = ("deal", "dealer", "vulnerable")


def join_deals(session: Session, evenings: Evenings) -> Session:
    """Fill the deals, dealers and vulnerabilities of results from files that hold deals alone, by board number.

    What the file of the results states itself stays. Where the results are of several events or days, or several
    evenings played the same boards, nothing tells whose the deals are, and none is filled in.

    Args:
        session: all files, one after the other.
        evenings: how they belong together.

    Returns:
        The session, and a problem for whatever does not join.
    """
    if session.sources.height < 2 or session.results.is_empty():
        return session
    if not evenings.by_file:
        session = _share_deals(session)
    with_results = session.results["source"].unique().implode()
    dealt = session.records.filter(~pl.col("source").is_in(with_results), pl.col("board").is_not_null())
    dealt = dealt.filter(is_complete(dealt["deal"]))
    if dealt.is_empty():
        return session
    played = session.records.join(session.results.select("record").unique(), on="record", how="semi")
    if evenings.several or (evenings.by_file and _share_a_board(played)):
        alone = dealt.unique("source", maintain_order=True).select("source")
        return replace(session, problems=pl.concat([session.problems, report("join-several-sessions", alone)]))
    several = dealt.group_by("board", maintain_order=True).agg(
        pl.col("deal").n_unique().alias("deals"), pl.first("source", "line", "record", "board_label")
    )
    several = several.filter(pl.col("deals") > 1)
    offered = dealt.join(several, on="board", how="anti", maintain_order="left").unique(
        "board", keep="first", maintain_order=True
    )
    problems = [
        session.problems,
        report("join-deal/two", _labelled(several)),
        _other_deals(played, offered),
        _not_joined("join-deal/missing", played.filter(pl.col("deal").is_null()), dealt),
        _not_joined("join-no-result", dealt, played),
    ]
    return replace(_with_deals(session, played, offered), problems=pl.concat(problems))


def _share_deals(session: Session) -> Session:
    """Fill the deals that one file with results lacks from another of the same evening, where only one is known."""
    played = session.records.join(session.results.select("record").unique(), on="record", how="semi")
    if played["source"].n_unique() == session.records["source"].n_unique() == 1 or not played["deal"].has_nulls():
        return session
    shown = session.records.filter(is_complete(session.records["deal"]), pl.col("board").is_not_null())
    shown = shown.filter(pl.col("source").is_in(session.results["source"].unique().implode()))
    of_board = shown.group_by("board", maintain_order=True).agg(
        pl.col("deal").n_unique().alias("deals"), *(pl.col(name).drop_nulls().first() for name in _STATED)
    )
    return _with_deals(session, played, of_board.filter(pl.col("deals") == 1))


def _share_a_board(played: Records) -> bool:
    """Report whether several files played a board of the same number."""
    files = played.drop_nulls("board").group_by("board").agg(pl.col("source").n_unique())
    return bool((files["source"] > 1).any())


def _with_deals(session: Session, played: Records, offered: Records) -> Session:
    """Fill what the records of results leave open, and the vulnerability of their results with it."""
    bare = played.filter(pl.col("deal").is_null()).select("record")
    given = offered.select("board", *(pl.col(name).alias(f"given_{name}") for name in _STATED))
    records = session.records.join(bare.with_columns(bare=True), on="record", how="left", maintain_order="left")
    records = records.join(given, on="board", how="left", maintain_order="left")
    filled = records.with_columns(
        pl.when("bare").then(pl.coalesce(name, f"given_{name}")).otherwise(name).alias(name) for name in _STATED
    ).select(session.records.columns)
    before, after = (frame.select("record", "vulnerable") for frame in (session.records, filled))
    changed = before.join(after, on="record", suffix="_joined").filter(
        pl.col("vulnerable").is_null() & pl.col("vulnerable_joined").is_not_null()
    )
    results = session.results.join(
        changed.select("record", "vulnerable_joined"), on="record", how="left", maintain_order="left"
    ).with_columns(pl.coalesce("vulnerable_joined", "vulnerable").alias("vulnerable"))
    return replace(session, records=filled, results=results.select(session.results.columns))


def _other_deals(played: Records, offered: Records) -> Problems:
    own = played.drop_nulls("deal").select("board", pl.col("deal").alias("own")).unique(maintain_order=True)
    different = offered.join(own, on="board", maintain_order="left").filter(pl.col("deal") != pl.col("own"))
    return report("join-deal/other", _labelled(different.unique("record", maintain_order=True)))


def _labelled(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.drop("board").rename({"board_label": "board"})


def _not_joined(code: str, rows: Records, others: Records) -> Problems:
    """Report the boards that the other side lacks, one problem a file."""
    alone = rows.join(others.select("board"), on="board", how="anti", maintain_order="left")
    numbers = pl.col("board").unique().sort().cast(pl.String).str.join(", ").alias("boards")
    return report(code, alone.drop_nulls("board").group_by("source", maintain_order=True).agg(numbers))
