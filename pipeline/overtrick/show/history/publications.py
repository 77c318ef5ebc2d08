"""The history of a published session: what each publication changed, found by comparing it with the one before.

The history is part of `session.json`, so it is wherever the site is. The first publication has none. When corrections
are undone, so that a publication says what an earlier one said, the history since then goes too. Pages list it, with
whom each publication moved.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import polars as pl

from overtrick.core.atomic_write import MANIFEST, put_back
from overtrick.core.config import Config
from overtrick.core.frames import STANDINGS, Session, dtypes
from overtrick.core.machine import present
from overtrick.core.notation import clean
from overtrick.files.correct.draft import ranking_changes
from overtrick.files.formats.session_rows import list_deals
from overtrick.judge.privacy import PublicSession
from overtrick.show.history.changes import (
    Change,
    Finality,
    add_evenings,
    find_finality,
    list_changes,
    number_board,
    number_evenings,
)
from overtrick.show.history.differences import FACTS, Difference, State, find_differences, rename
from overtrick.show.text.display import capitalise, count_decimals, format_names, format_percentage
from overtrick.show.views import list_results, list_standings

SESSION_FILE: Final = "session.json"
"""The document of a published session, in the folder of its site."""

_MOVED: Final = ("rank", "total", "percentage", "boards")
_ENTRY: Final = ("kind", "board", "section", "law", "when")
"""The columns that tell an entry from others. Without texts: privacy may change the names in them."""

_OF_A_RESULT: Final = (
    *("result", "swap", "other_pair", "add", "delete", "not_played"),
    *("award", "split", "weighted", "assigned"),
)
_EXPLAIN: Final[Mapping[str, tuple[str, ...]]] = {
    "result": _OF_A_RESULT,
    "name": ("name", "player", "substitute"),
    **{kind: (kind,) for kind in (*FACTS, "cards")},
}
"""By the kind of a difference, the kinds of entry that may have made it."""


@dataclass(frozen=True)
class Publication:
    """The changes of one publication.

    Attributes:
        time: when, ISO 8601 with the offset from UTC.
        before: a digest of what the publication before said.
        changes: what changed, in plain words.
        moves: what it did to the ranking: `ranking section direction contestant names`, and of each of `rank total
            percentage boards` the new value and, under its name and `_before`, the old one.
    """

    time: str
    before: str
    changes: tuple[Change, ...]
    moves: tuple[Mapping[str, Any], ...] = ()

    @property
    def shown_time(self) -> str:
        """The time as pages show it: `2026-03-07 22:15`."""
        return self.time.replace("T", " ")[:16]


@dataclass(frozen=True)
class History:
    """All known publications of a session.

    Attributes:
        finality: until when its results are provisional.
        publications: those that changed something, in their order.
        changes: all corrections and rulings that count, and what changed in the files since the first publication.
    """

    finality: Finality = field(default_factory=Finality)
    publications: tuple[Publication, ...] = ()
    changes: tuple[Change, ...] = ()


def read_published(out: Path) -> Mapping[str, Any] | None:
    """Return the `session.json` of the site in a folder; None without a site, and for an older site without it."""
    try:
        put_back(out)
        return read_summary(out) if (out / MANIFEST).is_file() else None
    except OSError:
        return None


def read_summary(folder: Path) -> Mapping[str, Any] | None:
    """Return the `session.json` in the folder of a session; None if there is none, or something else of that name."""
    try:
        document = json.loads((folder / SESSION_FILE).read_bytes())
    except (OSError, ValueError):
        return None
    return document if isinstance(document, dict) and isinstance(document.get("session"), dict) else None


def find_end(out: Path) -> str:
    """Return until when the site in a folder says that its results are provisional; empty if they are final."""
    about = (read_published(out) or {}).get("session", {})
    return "" if about.get("final") else str(about.get("provisional_until") or "")


def continue_history(old: Mapping[str, Any] | None, session: PublicSession, config: Config) -> History:
    """Return the history of a session with the present publication.

    Args:
        old: `read_published` of where it is written to.
        session: to be published; who is hidden in it is hidden in old publications too.
        config: the club's settings.
    """
    about = {} if old is None else old["session"]
    finality = find_finality(session.facts, config.site, about.get("published"))
    entries, past = _list_entries(session), list_publications(about)
    if session.crowd.spellings:
        past = [_rename(publication, session) for publication in past]
    if old:
        # A document of another version, or one that somebody edited, can't be compared.
        with suppress(KeyError, TypeError, ValueError, AttributeError, pl.exceptions.PolarsError):
            past = [_rename(publication, session) for publication in _add_publication(past, old, session)]
    found = [change for publication in past for change in publication.changes if not change.is_entry]
    return History(finality, tuple(past), (*_timed(entries, past), *found))


def list_published_results(session: Session) -> pl.DataFrame:
    """Return `views.list_results`, with a column `evening` if several evenings have the same boards."""
    rows = list_results(session)
    if not number_evenings(session):
        return rows
    return rows.with_columns(add_evenings(session.results.select("source"), session)["evening"])


def describe_publications(publications: Sequence[Publication]) -> list[dict[str, Any]]:
    """Return publications as `session.json` has them."""
    return [
        {
            "time": publication.time,
            "before": publication.before,
            "changes": [
                {("board" if key == "number" else key): value for key, value in asdict(change).items() if key != "day"}
                for change in publication.changes
            ],
            "ranking": [dict(move) for move in publication.moves],
        }
        for publication in publications
    ]


def describe_entries(session: Session) -> list[dict[str, Any]]:
    """Return the entries of the corrections file that count, as `session.json` has them."""
    rows = session.corrections.filter("applied").select(*_ENTRY).to_dicts()
    return [
        {"date": change.day, "text": change.text, "who": change.who or None, **row}
        for change, row in zip(_list_entries(session), rows, strict=True)
    ]


def _list_entries(session: Session) -> tuple[Change, ...]:
    return list_changes(session.corrections, number_evenings(session))


def list_publications(about: Mapping[str, Any]) -> list[Publication]:
    """Return the publications that the `session` of a `session.json` lists; none if somebody damaged the list."""
    try:
        return list(_read_publications(about))
    except (KeyError, TypeError, ValueError, AttributeError):
        return []


def _read_publications(about: Mapping[str, Any]) -> Iterator[Publication]:
    for publication in about.get("publications", ()):
        changes = tuple(
            Change(
                **{("number" if key == "board" else key): value for key, value in change.items()},
                day=publication["time"][:10],
            )
            for change in publication["changes"]
        )
        yield Publication(str(publication["time"]), str(publication["before"]), changes, tuple(publication["ranking"]))


def _add_publication(past: list[Publication], old: Mapping[str, Any], session: Session) -> list[Publication]:
    """Return the publications with the present one, or without those that it takes back."""
    # A document of an older version has no evenings.
    apart = any("evening" in row for row in old["results"])
    lines = list_published_results(session) if apart else list_results(session)
    before, after = _state_in(old, session, lines.columns), _state_of(session, lines)
    had, has = [entry for entry in old["session"]["corrections"] if "kind" in entry], describe_entries(session)
    now = _digest(after, has)
    for at, publication in enumerate(past):
        if publication.before == now:
            return past[:at]
    was = _digest(before, had)
    if was == now or not before.results:
        return past
    added = _find_added(had, has)
    differences, renamed = find_differences(before, after)
    moves = _list_moves(rename(before, renamed), session)
    entries, evenings = _list_entries(session), number_evenings(session)
    rows = [row | {"evening": evenings.get(row["evening"])} for row in session.corrections.filter("applied").to_dicts()]
    new = [entries[at] for at in added]
    other = [difference for difference in differences if not _explain(difference, [rows[at] for at in added])]
    changes = (*new, *(_as_change(difference, _explain(difference, rows)) for difference in other))
    if not changes and not moves:
        return past
    if not changes:
        # Neither a result nor an entry is new.
        rules = _as_change(Difference("scored by other rules", "method"), None)
        changes = (replace(rules, why="other settings, or another version of overtrick"),)
    time = present().isoformat(timespec="seconds")
    stamped = tuple(_stamped(change, time) for change in changes)
    return [*past, Publication(time, was, stamped, tuple(moves))]


_OF_DEAL: Final = ("section", "board", "deal")


def _state_in(old: Mapping[str, Any], session: Session, columns: Sequence[str]) -> State:
    """Return what a document says, with the columns that publications are compared by: not the analysis."""
    facts = {key: old["session"].get(key) for key in FACTS.values()}

    def rows(name: str, columns: Sequence[str]) -> list[dict[str, Any]]:
        return [{column: row.get(column) for column in columns} for row in old[name]]

    deals = rows("deals", _OF_DEAL) if "deals" in old else None
    return State(facts, rows("results", columns), rows("standings", list_standings(session).columns), deals)


def _state_of(session: Session, lines: pl.DataFrame) -> State:
    facts = {key: getattr(session.facts, key) for key in FACTS.values()}
    deals = list_deals(session).select(_OF_DEAL)
    return State(facts, *(rows.to_dicts() for rows in (lines, list_standings(session), deals)))


def _digest(state: State, entries: Sequence[Mapping[str, Any]]) -> str:
    keys = [[entry[key] for key in _ENTRY] for entry in entries]
    text = json.dumps([vars(state), keys], sort_keys=True, default=str)
    return sha256(text.encode()).hexdigest()[:16]


def _find_added(had: Sequence[Mapping[str, Any]], has: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the indexes of the entries that are new."""
    left = Counter(tuple(entry[key] for key in _ENTRY) for entry in had)
    added = []
    for at, entry in enumerate(has):
        key = tuple(entry[name] for name in _ENTRY)
        left[key] -= 1
        if left[key] < 0:
            added.append(at)
    return added


def _explain(difference: Difference, entries: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the entry that made a difference; None if no entry did."""
    return next((entry for entry in entries if _may_explain(difference, entry)), None)


def _may_explain(difference: Difference, entry: Mapping[str, Any]) -> bool:
    """Report whether an entry is of a kind that makes such differences, and about the same board, table and pair."""
    if entry["kind"] not in _EXPLAIN.get(difference.kind, ()):
        return False
    board = (entry["board"], entry["evening"] or difference.evening)
    if difference.board is not None and board != (difference.board, difference.evening):
        return False
    places = zip((entry["section"], entry["round"], entry["table"]), difference.place, strict=True)
    if any(len({said, there} - {None, ""}) > 1 for said, there in places):
        return False
    by_pair = entry["pair"] and difference.contestants and not entry["table"]
    return not by_pair or entry["pair"] in difference.contestants


def _as_change(difference: Difference, entry: Mapping[str, Any] | None) -> Change:
    law, what = (entry or {}).get("law") or "", clean(difference.what)
    return Change(
        number=number_board(difference.board, difference.evening),
        what=what if difference.board is not None else capitalise(what),
        why=clean(entry["why"]) if entry else "",
        law=law,
        is_ruling=law not in {"", "79C"},
        who=clean(entry["who"]) if entry else "",
        day="",
        time="",
        kind=difference.kind,
        is_entry=False,
    )


def _stamped(change: Change, time: str) -> Change:
    shown = change.time or time.replace("T", " ")[:16]
    return replace(change, time=shown, day=shown[:10])


def _timed(entries: Sequence[Change], past: Sequence[Publication]) -> Iterator[Change]:
    """Return entries; one that has no time gets that of the publication that it came with."""
    times = {(change.number, change.what): change.time for each in past for change in each.changes if change.is_entry}
    for entry in entries:
        time = times.get((entry.number, entry.what), "")
        yield entry if entry.time or not time else replace(entry, time=time, day=time[:10])


def _list_moves(before: State, session: Session) -> list[dict[str, Any]]:
    """Return what happened to the contestants whose place or total changed."""
    after = list_standings(session)
    types = {name: dtype for name, dtype in dtypes(STANDINGS).items() if name in after.columns}
    rows = [{name: row.get(name) for name in types} for row in before.standings]
    changed = ranking_changes(pl.DataFrame(rows, schema=types, strict=False), after)
    differ = pl.any_horizontal(~pl.col(name).eq_missing(pl.col(f"{name}_before")) for name in _MOVED)
    pairs = [name for column in _MOVED for name in (column, f"{column}_before")]
    moved = changed.filter(differ).with_columns(pl.coalesce("names", "names_before").alias("names"))
    return moved.select("ranking", "section", "direction", "contestant", "names", *pairs).to_dicts()


def _rename(publication: Publication, session: PublicSession) -> Publication:
    """Hide in a publication who is hidden now."""
    if not session.crowd.spellings:
        return publication
    changes = [_rename_change(change, session) for change in publication.changes]
    moves = [
        {key: session.rename(said) if isinstance(said, str) else said for key, said in move.items()}
        for move in publication.moves
    ]
    return replace(publication, changes=tuple(changes), moves=tuple(moves))


def _rename_change(change: Change, session: PublicSession) -> Change:
    what, why = change.what, change.why
    if session.crowd.names(what, ours=True):
        what = "A name was corrected" if change.kind in _EXPLAIN["name"] else "A correction"
    return replace(change, what=what, why="" if session.crowd.names(why) else why, who=session.rename(change.who))


@dataclass(frozen=True)
class Move:
    """The change of one contestant's place in a ranking by a publication. Values that are not known are empty."""

    number: str
    """The contestant's number; empty if it is known by its names."""
    names: str
    place: tuple[str, str]
    """Before and after."""
    total: tuple[str, str]
    percentage: tuple[str, str]


@dataclass(frozen=True)
class Moved:
    """The contestants of one ranking that a publication moved."""

    title: str
    """In English: `North-South`, `A North-South`."""
    rows: tuple[Move, ...]
    has_percentages: bool


@dataclass(frozen=True)
class ChangePage:
    """One publication on the list."""

    time: str
    """`2026-03-07 22:15`; empty for the first one, which has what was corrected before."""
    changes: tuple[Change, ...]
    rankings: tuple[Moved, ...]


def make_change_pages(history: History, titles: Mapping[str, str]) -> tuple[ChangePage, ...]:
    """Return what the list shows, the last publication first.

    Args:
        history: of the publications.
        titles: by the name of each ranking of the session, its title.
    """
    later = {(change.number, change.what) for publication in history.publications for change in publication.changes}
    earlier = tuple(change for change in history.changes if (change.number, change.what) not in later)
    pages = [
        ChangePage(publication.shown_time, publication.changes, tuple(_list_moved(publication.moves, titles)))
        for publication in reversed(history.publications)
    ]
    return (*pages, ChangePage("", earlier, ())) if earlier else tuple(pages)


def _list_moved(moves: Sequence[Mapping[str, Any]], titles: Mapping[str, str]) -> Iterable[Moved]:
    for ranking in dict.fromkeys(str(move["ranking"]) for move in moves):
        rows = [move for move in moves if move["ranking"] == ranking]
        places = {key: _count_places(rows, key) for key in ("total", "percentage")}
        yield Moved(
            titles.get(ranking) or clean(ranking),
            tuple(_make_move(row, places) for row in rows),
            any(row["percentage"] is not None for row in rows),
        )


def _make_move(row: Mapping[str, Any], places: Mapping[str, int]) -> Move:
    contestant, names = clean(row["contestant"]), format_names(row["names"])
    known = format_names(row["contestant"])
    return Move(
        number="" if known == names or not names else contestant,
        names=names or contestant,
        place=_pair(row, "rank", 0),
        total=_pair(row, "total", places["total"]),
        percentage=_pair(row, "percentage", places["percentage"]),
    )


def _pair(row: Mapping[str, Any], key: str, places: int) -> tuple[str, str]:
    return format_percentage(row[f"{key}_before"], places), format_percentage(row[key], places)


def _count_places(rows: Sequence[Mapping[str, Any]], key: str) -> int:
    values = [row[name] for row in rows for name in (key, f"{key}_before")]
    return count_decimals([pl.Series(values, dtype=pl.Float64)])
