"""Readings to sessions: which results, deals and contestants of which files belong together.

`assemble` is the stage: readings in, one session out. Its steps are modules:

    gather     each file's records become results
    contestants    the same contestant is listed once, by what all files say of it
    results        the same result counts once, whatever files it is in
    together   which files are one evening: the rule
    evenings   how many evenings there are: the decision, kept in `Facts.by_file` and `Facts.evening_of`
    deals      results get the deals that other files hold
    joined     what each file added, in one line
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from overtrick.core.config import Config
from overtrick.core.frames import Contestants, Items, Session
from overtrick.core.late import Late, change, get_frame, list_names
from overtrick.core.machine import Show, no_garbage_collection, show_nothing
from overtrick.core.words import spoken
from overtrick.files.assemble.beside import Found, list_inputs, show_path
from overtrick.files.assemble.contestants import settle_contestants
from overtrick.files.assemble.evenings import (
    Evenings,
    Sessions,
    describe_joined,
    find_evenings,
    join_deals,
    report_evenings,
    with_clubs,
)
from overtrick.files.assemble.gather import gather
from overtrick.files.assemble.results import count_each_result_once, key_results
from overtrick.files.assemble.together import group_results, name_of_evening
from overtrick.files.formats.base import Small
from overtrick.files.formats.looks import count_bytes, list_each_file_once
from overtrick.files.formats.read import read_files, read_small_files
from overtrick.files.formats.text import STDIN


def assemble(
    readings: Iterable[Session],
    sessions: Sessions | None = None,
    *,
    verified: bool = False,
    changed: Mapping[str, int] = MappingProxyType({}),
) -> Session:
    """Put what files hold together into one session.

    Args:
        readings: as `formats.read.read_files` yields them.
        sessions: whether the files are "together" one session, or each file of results is one of its own ("by-file").
            None: as `together.group_files` finds.
        verified: whether the files were checked against the standard of their format.
        changed: when files changed that have no path on this machine, in nanoseconds since 1970.

    Returns:
        The session with `sources`, `items`, `records`, `annotations`, `results`, `contestants`, `problems` and `facts`;
        `Facts.by_file` and `Facts.evening_of` say how the files belong together.
    """
    with no_garbage_collection():
        session = gather(_put_together(readings))
        evenings = find_evenings(session, sessions)
        files = [source for group in evenings.groups for source in group]
        apart = evenings.asked is None and evenings.by_file and any(len(group) > 1 for group in evenings.groups)
        if apart and STDIN not in files:
            return _add_up(session, evenings, verified=verified)
        when = pl.col("source").replace(evenings.evening_of) if evenings.by_file else None
        session = _without_found(settle_contestants(session, when))
        if evenings.by_file:
            session = replace(session, contestants=_merge_evenings(session.contestants))
        joined = not evenings.by_file and session.sources["source"].n_unique() > 1
        keyed = key_results(session) if joined else None
        line = None if keyed is None else describe_joined(session, keyed)
        session = count_each_result_once(
            session, evenings.evening_of, apart=evenings.by_file, changed=changed, keyed=keyed
        )
        session = join_deals(session, evenings)
        session = replace(session, facts=replace(session.facts, joined=(line,) if line else ()))
        return _with_evenings(session, evenings)


def sort_into_evenings(
    paths: Sequence[str], config: Config, *, total: bool = False, show: Show = show_nothing
) -> list[list[str]]:
    """Return the files of each evening that are at some paths.

    Args:
        paths: files and folders. Standard input cannot be read twice, so what it holds is one evening.
        config: the club's settings; if they say how files belong together, there is one group.
        total: whether the files are said to be of several evenings: then names and dates alone join them.
        show: takes what is done.

    Returns:
        The files of each evening. Those that belong to none are with the first.
    """
    inputs = list_inputs(paths)
    if STDIN in inputs:
        return [inputs]
    files = list_each_file_once(inputs)
    if with_clubs(config).scoring.sessions is not None or len(files) == 1:
        return [files]
    on_bytes = count_bytes(inputs, show, "Looking for evenings")
    with no_garbage_collection(), spoken(config.words()):
        session = gather(_put_together(read_files(files, on_bytes=on_bytes)))
    if session.results["team_ns"].is_not_null().any() and not total:
        return [files]
    evenings = group_results(session, given=not total)
    if not evenings:
        return [files]
    known = {show_path(file): file for file in files}
    evenings[0] += [name for name in known if not any(name in evening for evening in evenings)]
    return [[known[name] for name in evening] for evening in evenings]


class OneEvening(NamedTuple):
    """An evening among several.

    Attributes:
        paths: what to read.
        corrections: the corrections files that are about it.
        together: whether its files are known to be one evening.
    """

    paths: Sequence[str]
    corrections: Sequence[Found]
    together: bool


def list_evenings(
    paths: Sequence[str], config: Config, corrections: Sequence[Found], show: Show = show_nothing
) -> list[OneEvening]:
    """Return the evenings among files and folders, in the order of their first files.

    Args:
        paths: files and folders.
        config: the club's settings.
        corrections: the corrections files.
        show: takes what is done.
    """
    groups = sort_into_evenings(paths, config, show=show)
    if len(groups) < 2:
        # A file that has disappeared since the folder was listed is then reported.
        return [OneEvening(groups[0] if groups else paths, corrections, together=False)]
    return [
        OneEvening(
            group,
            [file for file in corrections if file.sources is None or file.sources & set(map(show_path, group))],
            together=True,
        )
        for group in groups
    ]


class SeveralEveningsError(Exception):
    """One evening was asked for, and the files are of several; the message names each by its first file."""

    def __init__(self, evenings: Sequence[Sequence[str]]) -> None:
        """Take the files of each evening."""
        names = [name_of_evening(Path(files[0])) for files in evenings]
        super().__init__(f"{len(names)} evenings: {', '.join(names[:10])}{', ...' if len(names) > 10 else ''}")


def refuse_several(paths: Sequence[str], config: Config, show: Show = show_nothing) -> None:
    """Do nothing if files are of one evening.

    Raises:
        SeveralEveningsError: they are of several.
    """
    evenings = sort_into_evenings(paths, config, show=show)
    if len(evenings) > 1:
        raise SeveralEveningsError(evenings)


def put_evenings_together(groups: Iterable[Sequence[str]]) -> Session:
    """Assemble each evening by itself, and put them into one session in which totals are added."""
    return _put_evenings_together([assemble(read_files(group), "together") for group in groups])


def _add_up(session: Session, evenings: Evenings, *, verified: bool) -> Session:
    """Assemble the evenings that have several files one by one, and put them together with the others.

    Args:
        session: all files, of which those that belong to no evening are kept.
        evenings: how they belong together.
        verified: as for `assemble`.
    """
    together = [[*group] for group in evenings.groups if len(group) > 1]
    alone = [group[0] for group in evenings.groups if len(group) == 1]
    known = {source for group in evenings.groups for source in group}
    left = [source for source in session.sources["source"].unique(maintain_order=True) if source not in known]
    parts = [assemble(read_files(group, verified=verified), "together") for group in together]
    if alone or left:
        parts.append(assemble(read_files([*alone, *left], verified=verified), "by-file"))
    # Files that could not be read are no sources, and so they are not read again.
    unread = session.problems.join(session.sources, on="source", how="anti")
    whole = _put_evenings_together(parts)
    return _with_evenings(replace(whole, problems=pl.concat([unread, whole.problems])), evenings)


def _put_evenings_together(parts: list[Session]) -> Session:
    whole = _put_together(parts)
    joined = tuple(line for part in parts for line in part.facts.joined)
    # Files of results first: they name the evening. Those of deals alone belong to it.
    files = [
        pl.concat([part.results["source"], part.sources["source"]]).unique(maintain_order=True).to_list()
        for part in parts
    ]
    evening_of = {source: group[0] for group in files for source in group[1:]}
    lead_first = frozenset[str]().union(*(part.facts.lead_first for part in parts))
    facts = replace(parts[0].facts, joined=joined, by_file=True, evening_of=evening_of, lead_first=lead_first)
    return replace(whole, contestants=_merge_evenings(whole.contestants), facts=facts)


def _without_found(session: Session) -> Session:
    """Leave out problems about results that a database lacks, where another file has them: a table typed by hand."""
    lacks = session.problems.with_row_index("place").filter(pl.col("code") == "bws-missing")
    if lacks.is_empty():
        return session
    held = session.results.select(pl.col("board").cast(pl.String), "table", held_in="source").unique()
    found = lacks.join(held, on=["board", "table"]).filter(pl.col("source") != pl.col("held_in"))["place"]
    left = session.problems.with_row_index("place").filter(~pl.col("place").is_in(found.implode())).drop("place")
    return replace(session, problems=left)


def _with_evenings(session: Session, evenings: Evenings) -> Session:
    facts = replace(session.facts, by_file=evenings.by_file, evening_of=evenings.evening_of)
    problems = pl.concat([session.problems, report_evenings(session, evenings)])
    return replace(session, problems=problems, facts=facts)


def read(paths: Sequence[str], sessions: Sessions | None = None, *, verified: bool = False) -> Session:
    """Read paths into one session: `formats.read.read_files`, then `assemble`."""
    return assemble(read_files(paths, verified=verified), sessions, verified=verified)


def keep_apart(parts: Iterable[Session | Small]) -> Session:
    """Put parts of files into one session in which every file is an evening of its own and nothing is joined.

    The order of the files means nothing then, so small ones of a kind are read together wherever they are.
    """
    ordered = sorted(parts, key=lambda part: part.kind if isinstance(part, Small) else "")
    with no_garbage_collection():
        session = gather(_put_together(read_small_files(ordered)))
    return replace(session, facts=replace(session.facts, by_file=True))


def _put_together(parts: Iterable[Session]) -> Session:
    """Return the frames of all parts as one session; records are numbered on through them."""
    offsets = [0]
    frames: dict[str, list[Any]] = {field.name: [] for field in fields(Session) if field.name != "facts"}
    for part in parts:
        for name, group in frames.items():
            group.append(getattr(part, name))
        offsets.append(offsets[-1] + len(part.records))
    if len(frames["sources"]) <= 1:
        return part if frames["sources"] else Session()
    listed = [change(part, partial(_number_on, [at])) for part, at in zip(frames.pop("listed"), offsets, strict=False)]
    joined: dict[str, Any] = {name: _number_on(offsets, *frames.pop(name)) for name in list(frames)}
    whole = Session(listed=Late(lambda: _join_items(listed), list_names(*listed)), **joined)
    # Of a file in parts the last row alone is whole.
    known = whole.sources.filter(pl.col("size").is_not_null() | pl.struct("source").is_last_distinct())
    return replace(whole, sources=known)


def _number_on(offsets: Sequence[int], *parts: pl.DataFrame) -> pl.DataFrame:
    """Return parts below each other; the records of each are numbered on from its offset."""
    # One chunk a column: polars panics where it formats a column of which a filter leaves a chunk empty.
    whole = pl.concat(parts, rechunk=True)
    if "record" not in whole.columns or not any(offsets):
        return whole
    before = np.repeat(np.array(offsets[: len(parts)], np.uint32), [len(part) for part in parts])
    return whole.with_columns(pl.col("record") + pl.Series(before))


def _join_items(parts: list[pl.DataFrame | Late]) -> Items:
    """Return items below each other, and forget the parts; they are never in memory twice."""
    whole = pl.concat([get_frame(parts.pop(0)).clone() for _ in range(len(parts))])
    return pl.DataFrame([whole.drop_in_place(name).rechunk() for name in whole.columns])


def _merge_evenings(contestants: Contestants) -> Contestants:
    """Return the contestants of several evenings, whose totals are added by number, each row once.

    Names that come with results count only where no total table states the contestant.
    """
    stated = pl.any_horizontal(pl.col("stated_rank", "stated_total", "stated_percentage").is_not_null())
    known = contestants.filter(stated)["contestant"].unique()
    kept = contestants.filter(stated | ~pl.col("contestant").is_in(known.to_list()))
    same = [name for name in kept.columns if name not in {"source", "line", "spellings"}]
    return kept.unique(same, keep="first", maintain_order=True)
