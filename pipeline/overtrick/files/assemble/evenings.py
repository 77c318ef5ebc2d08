"""How many evenings there are in the files of a session, as the club says or by the rule of `together`."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import polars as pl

from overtrick.core.bridge.cards import is_complete
from overtrick.core.frames import PROBLEMS as PROBLEM_COLUMNS
from overtrick.core.frames import Contestants, Problems, Session, empty
from overtrick.core.problems import report
from overtrick.files.assemble.results import KEY, key_results
from overtrick.files.assemble.together import group_results


def describe_joined(session: Session) -> str | None:
    """Return what each file of an evening adds; None for a single file, or if no file holds results.

    An example: `270 results from monday.bws; hands from monday.pbn; monday.xml holds the same 270 results`.

    Args:
        session: one evening as it was gathered, before its results are counted once.
    """
    sources = session.sources["source"].unique(maintain_order=True).to_list()
    if len(sources) < 2 or session.results.is_empty():
        return None
    counts = _count(session)
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


def _count(session: Session) -> dict[str, tuple[int, int]]:
    """Return by file how many results it holds, and how many of them no file before it holds."""
    keyed = key_results(session).filter(~pl.col("status").is_in(["not played", "unknown"]))
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
    return report("contestant-two-names", several.with_columns(pl.col("names").list.join(" / ").alias("several")))
