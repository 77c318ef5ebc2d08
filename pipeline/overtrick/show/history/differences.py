"""The differences between two publications of a session, found in what they published."""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from overtrick.core.notation import BETWEEN, is_number
from overtrick.files.correct import words

Row = Mapping[str, Any]
Rows = Sequence[Row]

_OUTCOME: Final = ("contract", "declarer", "tricks", "lead", "score_ns", "award_ns", "award_ew")
_CONTRACT: Final = re.compile(r"([1-7])(C|D|H|S|NT)(X{0,2})")
_HIDDEN_NAME: Final = re.compile(r"…(?: \([0-9]+\))?|No\. [0-9]+|(?:\w\. ?)+")
"""A player who is not named in full."""

_MOST: Final = 20
"""More changes of one kind become one sentence: an evening that is published while it is played grows by many."""

FACTS: Final = {"title": "event", "date": "date", "club": "site", "method": "method"}
"""By kind of entry, the key of `session` in `session.json`."""


@dataclass(frozen=True)
class State:
    """The statements of a publication about its session, with the names of `session.json`.

    Attributes:
        facts: `event`, `date`, `site` and `method`.
        results: the lines of all boards.
        standings: the rows of all rankings.
        deals: `section board deal` of each deal; None if the publication does not say.
    """

    facts: Mapping[str, Any]
    results: Rows
    standings: Rows
    deals: Rows | None = None


@dataclass(frozen=True)
class Difference:
    """One difference.

    Attributes:
        what: in plain words, without the board.
        kind: the kind of entry that would make it, as in `config.corrections.Kind`.
        board: the board, if it is about one.
        evening: the number of its evening, if there are several.
        place: section, round and table, as far as they are known.
        contestants: those it is about, numbers and names.
    """

    what: str
    kind: str
    board: int | None = None
    place: tuple[str | None, str | None, str | None] = (None, None, None)
    contestants: frozenset[str] = field(default_factory=frozenset)
    evening: int | None = None


def find_differences(old: State, new: State) -> tuple[list[Difference], dict[str, str]]:
    """Return what differs, the session's facts first and then board by board.

    A contestant that is known by its names and got others is the same one. A name that privacy changed is not listed.

    Returns:
        The differences; and by the old identity of each contestant that has another one now, the new one.
    """
    renamed = _find_renamed(old, new)
    before = rename(old, renamed)
    names = {str(row["contestant"]): str(row["names"] or "") for row in new.standings}
    found = [
        *_compare_facts(old.facts, new.facts),
        *_compare_names(old, new, renamed),
        *_compare_deals(old.deals, new.deals),
        *_compare_results(before.results, new.results),
    ]
    return [_with_names(difference, names) for difference in found], renamed


def rename(state: State, renamed: Mapping[str, str]) -> State:
    """Return what a publication said, with other identities of its contestants."""
    if not renamed:
        return state

    def changed(rows: Rows, *columns: str) -> list[Row]:
        return [{**row, **{name: renamed.get(row[name], row[name]) for name in columns}} for row in rows]

    return replace(state, results=changed(state.results, "ns", "ew"), standings=changed(state.standings, "contestant"))


def _with_names(difference: Difference, names: Mapping[str, str]) -> Difference:
    known = {names[name] for name in difference.contestants if names.get(name)}
    return replace(difference, contestants=difference.contestants | known)


def _compare_facts(old: Row, new: Row) -> Iterator[Difference]:
    for kind, key in FACTS.items():
        if old.get(key) != new.get(key) and new.get(key):
            what = f"{new[key]}{words.in_place_of(old.get(key) or '')}"
            yield Difference(f"scored as {what}" if kind == "method" else f"{kind}: {what}", kind)


def _compare_names(old: State, new: State, renamed: Mapping[str, str]) -> Iterator[Difference]:
    before = {renamed.get(row["contestant"], row["contestant"]): row["names"] or "" for row in old.standings}
    sat = {str(row[side]) for row in new.results for side in ("ns", "ew")}
    for name, names in {row["contestant"]: row["names"] or "" for row in new.standings}.items():
        earlier = before.get(name, names)
        if earlier != names and names and not _is_hidden(names) and not _is_hidden(earlier):
            label = "names" if name == names else f"names of {_call(name, sat)}"
            about = frozenset({name, names, earlier, *(old for old, now in renamed.items() if now == name)})
            yield Difference(f"{label}: {names}{words.in_place_of(earlier)}", "name", contestants=about)


def _call(name: str, sat: Iterable[str]) -> str:
    """Return how a sentence calls a contestant: a number that sits as such is a pair's, and `1+5` are two players."""
    if not is_number(name):
        return name
    if name in sat:
        return f"pair {name}"
    return f"player {name}" if any("+" in sat_as for sat_as in sat) else f"team {name}"


def _is_hidden(names: str) -> bool:
    return any(_HIDDEN_NAME.fullmatch(name.strip()) for name in names.split(BETWEEN))


def _compare_deals(old: Rows | None, new: Rows | None) -> Iterator[Difference]:
    if old is None or new is None:
        return
    before, after = _deals_by_board(old), _deals_by_board(new)
    for (section, board), deals in after.items():
        earlier = before.get((section, board), deals)
        if earlier != deals:
            yield Difference("other cards", "cards", board, (section, None, None))


def _deals_by_board(rows: Rows) -> dict[tuple[str | None, int], set[str]]:
    deals: dict[tuple[str | None, int], set[str]] = defaultdict(set)
    for row in rows:
        if row["board"] is not None:
            deals[row["section"], row["board"]].add(row["deal"])
    return deals


def _compare_results(old: Rows, new: Rows) -> Iterator[Difference]:
    """Compare the lines of each board: first those of the same contestants, then those at the same table."""
    before, after = _numbered(old), _numbered(new)
    changed = [
        (before[key], row) for key, row in after.items() if key in before and _outcome(before[key]) != _outcome(row)
    ]
    gone = [row for key, row in before.items() if key not in after]
    come = [row for key, row in after.items() if key not in before]
    moved = list(_pair_up(gone, come))
    found = {
        "changed": [_changed(*pair) for pair in changed] + [_moved(*pair) for pair in moved],
        "removed": [_about(row, f"removed: {words.full(_read(row))}") for row in gone],
        "added": [_about(row, f"added: {words.full(_read(row))}") for row in come],
    }
    for verb, each in found.items():
        if len(each) > _MOST:
            yield Difference(f"{len(each)} results {verb}", "results")
        else:
            yield from sorted(each, key=lambda difference: (difference.evening or 0, difference.board or 0))


def _numbered(rows: Rows) -> dict[Hashable, Row]:
    """Return rows by evening, section, board and contestants, and a number for lines that repeat these."""
    times: dict[Hashable, int] = defaultdict(int)
    numbered: dict[Hashable, Row] = {}
    for row in rows:
        key = (row.get("evening"), row["section"], row["board"], row["ns"], row["ew"])
        times[key] += 1
        numbered[*key, times[key]] = row
    return numbered


def _pair_up(gone: list[Row], come: list[Row]) -> Iterator[tuple[Row, Row]]:
    """Yield lines of one board that have other contestants now, and take them out of the two lists."""
    for new in list(come):
        near = [old for old in gone if _find_board(old) == _find_board(new)]
        for resembles in _RESEMBLING:
            found = [old for old in near if resembles(old, new)]
            if len(found) == 1:
                gone.remove(found[0])
                come.remove(new)
                yield found[0], new
                break


_RESEMBLING: Final[tuple[Callable[[Row, Row], bool], ...]] = (
    lambda old, new: {old["ns"], old["ew"]} == {new["ns"], new["ew"]},
    lambda old, new: bool(new["table"]) and _place(old) == _place(new),
    lambda old, new: bool(old["ns"] == new["ns"] or old["ew"] == new["ew"]),
)
"""What makes two results of a board the same one: their pairs, else their table, else one of the pairs."""


def _find_board(row: Row) -> tuple[Any, ...]:
    return row.get("evening"), row["section"], row["board"]


def _outcome(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in _OUTCOME)


def _place(row: Row) -> tuple[str | None, str | None, str | None]:
    return row["section"], row["round"], row["table"]


def _changed(old: Row, new: Row) -> Difference:
    before, after = _read(old), _read(new)
    if not words.played(after):
        return _about(new, f"{words.against(after)}: no result{words.in_place_of(words.played(before))}")
    return _about(new, words.change_of(before, after))


def _moved(old: Row, new: Row) -> Difference:
    before, after = _read(old), _read(new)
    what = f"{words.against(after)}{words.in_place_of(words.against(before))}"
    if _outcome(old) != _outcome(new):
        what = f"{what}: {words.change_of(before, after) or 'no result'}"
    return replace(_about(new, what), contestants=_met(old) | _met(new))


def _about(row: Row, what: str) -> Difference:
    return Difference(what, "result", row["board"], _place(row), _met(row), row.get("evening"))


def _met(row: Row) -> frozenset[str]:
    return frozenset(str(row[side]) for side in ("ns", "ew") if row[side] is not None)


def _read(row: Row) -> words.Row:
    """Return a line of `session.json` as `correct.words` reads it."""
    bid = _CONTRACT.fullmatch(row["contract"] or "")
    level = int(bid[1]) if bid else 0 if row["contract"] == "Pass" else None
    return {
        **row,
        "level": level,
        "strain": bid[2] if bid else None,
        "doubled": len(bid[3]) if bid else None,
        "status": None,
        "stated_score_ns": row["score_ns"],
    }


def _find_renamed(old: State, new: State) -> dict[str, str]:
    """Return contestants that have another identity now: they were where the other one is now, in most results."""
    before, after = _identities(old), _identities(new)
    gone, come = before - after, after - before
    was, now = _appearances(old.results, gone), _appearances(new.results, come)
    renamed: dict[str, str] = {}
    for name in sorted(was):
        shared = sorted(((len(was[name] & now[new_name]), new_name) for new_name in now), reverse=True)
        if shared and 2 * shared[0][0] > len(was[name]):
            renamed[name] = shared[0][1]
            del now[shared[0][1]]
    return renamed


def _identities(state: State) -> set[str]:
    sat = {row[side] for row in state.results for side in ("ns", "ew")}
    return {name for name in sat | {row["contestant"] for row in state.standings} if name is not None}


def _appearances(rows: Rows, names: Iterable[str]) -> dict[str, set[Hashable]]:
    """Return by contestant where each of its results is; without tables, by what it is and by who the others are."""
    found: dict[str, set[Hashable]] = {name: set() for name in names}
    for row in rows:
        for side, other in (("ns", "ew"), ("ew", "ns")):
            if row[side] in found:
                where = [_place(row)] if row["table"] else [_outcome(row), row[other]]
                found[row[side]].update((side, row["section"], row["board"], clue) for clue in where)
    return {name: places for name, places in found.items() if places}
