"""Corrections of results: a score entered wrongly, the wrong pairs, a result too many or too few (Law 79C)."""

from bisect import bisect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import polars as pl

from overtrick.core import notation
from overtrick.core.bridge.cards import board_vulnerability
from overtrick.core.bridge.score import possible_scores
from overtrick.core.config.corrections import ADJUSTED, RESULT_KEYS, Entry
from overtrick.core.contestants import is_told_apart
from overtrick.files.correct import targets, words
from overtrick.files.correct.draft import CONTRACT, Change, Draft

Words = Callable[[Mapping[str, Any]], str]
"""Describes a result in words."""

_OTHER_SIDE: Final = {"ns": "ew", "team_ns": "team_ew", "player_n": "player_e", "player_s": "player_w"}
_OTHER_SEAT: Final = {"north": "east", "south": "west", "pair_ns": "pair_ew"}
"""Which columns change places when two pairs sat the other way. Nothing says which of a pair sat where."""

_UNPOINTED: Final = dict.fromkeys(("stated_points_ns", "stated_points_ew"))
_UNADJUSTED: Final = dict.fromkeys(("award_ns", "award_ew", "split_score", "weights"))
_NOTHING_PLAYED: Final = dict.fromkeys((*CONTRACT, "lead", "stated_score_ns"))
_SEATS_OF: Final = {"ns": ("north", "south"), "ew": ("east", "west")}
_PARTNERS: Final = (("ns", "player_n", "player_s"), ("ew", "player_e", "player_w"))
_SHOWN: Final = (
    *(*CONTRACT, "lead", "status", "award_ns", "award_ew", "stated_score_ns"),
    *("listed_ns", "listed_ew", *_OTHER_SIDE),
    *_OTHER_SIDE.values(),
)
"""Columns whose change is one that a reader sees."""

_SETS: Final = {
    "contract": "sets the contract",
    "by": "sets the declarer",
    "tricks": "sets the tricks",
    "lead": "sets the lead",
    "score": "sets the score",
}


def set_result(draft: Draft) -> Change:
    """Set contract, declarer, tricks, lead or score. Without a score, the result is scored anew by Law 77."""
    number = targets.find_result(draft)
    entry, before = draft.entry, draft.row(number)
    given = [key for key in RESULT_KEYS if getattr(entry, key) is not None]
    new = _result_of(entry, before)
    if reason := _impossible(draft, {**before, **new}):
        raise draft.refusal("correction-impossible", given[0], reason=reason)
    says = {(number, key): _SETS[key] for key in given}
    draft.claim(says, [(number, "not_played")])
    after = draft.set_row(number, **new)
    return _change(words.change_of(before, after), before, after, scored=set(given) != {"lead"})


def swap(draft: Draft) -> Change:
    """Let the two pairs change places; contract, declarer and score stay, since they are by seat."""
    number = targets.find_result(draft)
    draft.claim({(number, "swap"): "lets the pairs change places"})
    before, record = draft.row(number), draft.own_record(number)
    after = draft.set_row(number, **_exchanged(before, _OTHER_SIDE), **_exchange_lines(draft, before), **_UNPOINTED)
    if record is not None:
        draft.set_record(record, **_exchanged(draft.record(record), _OTHER_SEAT))
    ns, ew = (targets.called(draft, str(after[side]), after[f"listed_{side}"]) for side in ("ns", "ew"))
    what = f"{ns} sat N-S and {ew} E-W"
    return _change(what, before, after, told=words.against)


def replace_pair(draft: Draft) -> Change:
    """Put another contestant in the place of the one that the entry names."""
    number = targets.find_result(draft)
    entry, before = draft.entry, draft.row(number)
    old, new = targets.identity(draft, str(entry.pair)), targets.find_one(draft, str(entry.other_pair), "other_pair")
    column = targets.column_of(draft, number, str(entry.pair))
    draft.claim({(number, column): f"puts another contestant in the place of {old}"})
    record = draft.own_record(number)
    line = {f"listed_{column}": _of_other_line(new.direction, column)} if column in _SEATS_OF else {}
    after = draft.set_row(number, **{column: new.name}, **line, **_UNPOINTED)
    for side, *players in _PARTNERS:
        if column in players and before[side] == _together(before, players):
            after = draft.set_row(number, **{side: _together(after, players)})
    if record is not None and column in _SEATS_OF:
        pair = f"pair_{column}"
        draft.set_record(record, **{pair: draft.record(record)[pair] and new.name}, **_seated(draft, column, new))
    what = f"{targets.called(draft, new.name, new.direction)} in place of {old}: {words.full(after)}"
    return _change(what, before, after, told=words.against)


def _exchange_lines(draft: Draft, before: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the lines of two pairs that change places, where the lines repeat numbers: each pair keeps its own."""
    if not is_told_apart(draft.session.contestants, "direction"):
        return {}
    ns, ew = (before[f"listed_{side}"] or side.upper() for side in ("ns", "ew"))
    return {"listed_ns": _of_other_line(ew, "ns"), "listed_ew": _of_other_line(ns, "ew")}


def _of_other_line(line: str | None, side: str) -> str | None:
    """Return the line of a contestant if it is not that of the side on which it sits."""
    return None if line == side.upper() else line


def delete(draft: Draft) -> Change:
    """Remove a result."""
    number = targets.find_result(draft)
    before = draft.row(number)
    fields = (*RESULT_KEYS, "not_played", "adjusted", "swap", *_OTHER_SIDE, *_OTHER_SIDE.values())
    draft.claim({(number, "deleted"): "removes the result"}, [(number, key) for key in fields])
    draft.remove_row(number)
    return replace(_change(f"removed: {words.full(before)}", before, before), after="", is_none=False)


def not_played(draft: Draft) -> Change:
    """State that the table did not play the board."""
    number = targets.find_result(draft)
    against = [(number, key) for key in (*RESULT_KEYS, "adjusted")]
    draft.claim({(number, "not_played"): "says that the table did not play the board"}, against)
    before = draft.row(number)
    after = draft.set_row(number, **_NOTHING_PLAYED, **_UNADJUSTED, **_UNPOINTED, status="not played")
    what = f"{words.against(after)}: not played{words.in_place_of(words.played(before))}"
    return _change(what, before, after)


def add(draft: Draft) -> Change:
    """Add a result that the file lacks."""
    entry = draft.entry
    if draft.records.is_empty():
        raise draft.refusal("correction-impossible", "add", reason="the files of the evening hold no boards")
    seats = _seats(draft)
    section = entry.section or _only(draft, pl.col("ns") == seats["ns"], "section")
    same = draft.results.filter(
        pl.col("ns").eq_missing(seats["ns"]),
        pl.col("ew").eq_missing(seats["ew"]),
        pl.col("board") == entry.board,
        pl.col("section").eq_missing(section) | (pl.lit(value=section is None)),
    )
    if not same.is_empty():
        raise draft.refusal(
            "correction-impossible", "add", reason=f"it is there: {words.full(same.row(0, named=True))}"
        )
    empty = {**_NOTHING_PLAYED, **_UNADJUSTED, "status": "unknown"}
    new = _result_of(entry, empty)
    adjusted = any(getattr(entry, key) is not None for key in ADJUSTED)
    if adjusted:
        new["status"] = "adjusted"
    elif reason := _impossible(draft, {**empty, **new, "vulnerable": None}):
        raise draft.refusal("correction-impossible", "add", reason=reason)
    record = _record_of_board(draft, section)
    place = {"board": entry.board, "section": section, "round": entry.round, "table": entry.table, "multiplicity": 1}
    stated = draft.record(record)
    place |= {"record": record, "source": stated["source"], "vulnerable": _vulnerable(draft, stated)}
    number = draft.add_row(**empty | place | seats | new)
    after = draft.row(number)
    if adjusted:
        draft.adjusted.append((number, draft.placed))
    shown = f"{words.against(after)}: {words.adjusted(entry)}" if adjusted else words.full(after)
    return replace(_change(f"added: {shown}", after, after), before="", after=shown, is_none=False)


def _result_of(entry: Entry, before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that an entry changes in a result."""
    new: dict[str, Any] = {}
    if entry.contract is not None:
        text = pl.lit(entry.contract)
        read = pl.select(level=notation.level(text), strain=notation.strain(text), doubled=notation.doubled(text)).row(
            0, named=True
        )
        new |= read if read["level"] else {**_NOTHING_PLAYED, "level": 0}
    for key, column in (("by", "declarer"), ("tricks", "tricks"), ("lead", "lead")):
        if (value := getattr(entry, key)) is not None:
            new[column] = value
    if set(new) != {"lead"}:
        new |= {"stated_score_ns": entry.score, **_UNADJUSTED, **_UNPOINTED}
        new["status"] = _status({**before, **new})
    return new


def _status(row: Mapping[str, Any]) -> str:
    if row["level"] == 0:
        return "passed"
    return "played" if row["tricks"] is not None or row["stated_score_ns"] is not None else "unknown"


def _impossible_score(draft: Draft, score: int, row: Mapping[str, Any]) -> str | None:
    """Return why no contract gives N-S a score on a board; None if one does, or if honours count too."""
    if draft.records.select(notation.scored_on_sheets(pl.col("scoring")).any()).item():
        return None
    vulnerable = ("None", "All") if row["vulnerable"] is None else (row["vulnerable"],)
    possible = frozenset[int]().union(
        *(possible_scores(ns_vulnerable=at in {"NS", "All"}, ew_vulnerable=at in {"EW", "All"}) for at in vulnerable)
    )
    if score in possible:
        return None
    above = bisect(ordered := sorted(possible), score)
    nearest_ones = " and ".join(f"{other:+d}" for other in ordered[max(above - 1, 0) : above + 1])
    return f"no contract scores {score:+d} for N-S on this board; possible is {nearest_ones}"


def _impossible(draft: Draft, row: Mapping[str, Any]) -> str | None:
    """Return why a result can't be as the entry says; None if it can."""
    entry = draft.entry
    plays = entry.by is not None or entry.tricks is not None
    if row["level"] == 0 and (plays or entry.lead):
        return "the board was passed out; a contract is needed too"
    if entry.score is not None and (reason := _impossible_score(draft, entry.score, row)):
        return reason
    if entry.contract is None and not plays:
        return None
    if row["level"] is None:
        return "the file states no contract; set contract too"
    lacks = [key for key, column in (("by", "declarer"), ("tricks", "tricks")) if row[column] is None]
    if row["level"] and lacks and entry.score is None:
        return f"{words.contract(row)} needs {' and '.join(lacks)} too"
    return None


def _exchanged(row: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    there = {first: row[other] for first, other in columns.items()}
    return there | {other: row[first] for first, other in columns.items()}


def _together(row: Mapping[str, Any], players: list[str]) -> str:
    """Return the identity of two players of an individual who sat together, as readers form it."""
    return "+".join(str(row[player]) for player in players)


def _seated(draft: Draft, side: str, who: targets.Contestant) -> dict[str, str | None]:
    """Return the players of a contestant by seat, as a game record names them; null where they are not known."""
    listed = draft.session.contestants.filter(targets.select_rows(who))["names"].drop_nulls().unique()
    names = str(listed.item()).split(" - ") if len(listed) == 1 else who.name.split(" - ")
    return dict(zip(_SEATS_OF[side], names if len(names) == 2 else (None, None), strict=True))


def _seats(draft: Draft) -> dict[str, Any]:
    """Return who sat where in an added result."""
    entry = draft.entry
    alone = draft.session.results["player_n"].is_not_null().any()
    if alone and not entry.players:
        reason = "in an individual, name the four players: players = [N, E, S, W]"
        raise draft.refusal("correction-impossible", "add", reason=reason)
    if entry.players:
        named = [targets.identity(draft, name) for name in entry.players]
        seats = dict(zip(("player_n", "player_e", "player_s", "player_w"), named, strict=True))
        sides = {side: _together(seats, players) for side, *players in _PARTNERS}
        _check_seats(draft, seats, "players")
        return sides | seats
    pairs = [targets.identity(draft, str(name)) for name in (entry.pair, entry.other_pair)]
    sides = dict(zip(("ns", "ew"), pairs, strict=True))
    teams = {f"team_{side}": _team(draft, name) for side, name in sides.items()}
    _check_seats(draft, sides, "pair")
    return sides | teams


def _check_seats(draft: Draft, seats: Mapping[str, str], key: str) -> None:
    """Refuse a seat of somebody who is not in the session."""
    known = {*targets.contestants_of(draft.session.results), *draft.session.contestants["contestant"].drop_nulls()}
    for name in seats.values():
        if name not in known:
            raise draft.refusal("correction-unmatched", key, reason=targets.nobody(draft, name))


def _team(draft: Draft, name: str) -> str | None:
    """Return the team of a contestant: itself, or that for which the pair sits elsewhere."""
    teams = draft.session.results.select(pl.concat_list("team_ns", "team_ew").explode()).to_series()
    if (teams == name).any():
        return name
    return _only(draft, pl.col("ns") == name, "team_ns") or _only(draft, pl.col("ew") == name, "team_ew")


def _only(draft: Draft, where: pl.Expr, column: str) -> str | None:
    """Return the only value of a column where something holds; None if there are several or none."""
    values = draft.results.filter(where)[column].drop_nulls().unique()
    return str(values.item()) if len(values) == 1 else None


def _record_of_board(draft: Draft, section: str | None) -> int:
    """Return the game record of a board, with a deal if there is one; a new one if the files have none."""
    records = draft.records.filter(pl.col("board") == draft.entry.board)
    here = records.filter(pl.col("section").eq_missing(section) | pl.col("section").is_null())
    found = (records if here.is_empty() else here).sort(pl.col("deal").is_null(), "record")
    shared = found.filter(pl.col("level").is_null())
    if not found.is_empty():
        return int((found if shared.is_empty() else shared)["record"][0])
    others = draft.records.head(1)
    about = others.select("source", "event", "site", "date", "scoring").to_dicts()
    first: dict[str, Any] = about[0] if about else {}
    board = draft.entry.board
    return draft.add_record(**first, board=board, board_label=str(board), section=section)


def _vulnerable(draft: Draft, record: Mapping[str, Any]) -> str | None:
    """Return who is vulnerable on the board of an added result: as stated, else by the number (Law 2)."""
    others = draft.results.filter(pl.col("record") == record["record"])["vulnerable"].drop_nulls()
    by_number = pl.select(board_vulnerability(pl.lit(draft.entry.board))).item()
    known: str | None = record["vulnerable"] or (others[0] if len(others) else by_number)
    return known


def _change(
    what: str, before: Mapping[str, Any], after: Mapping[str, Any], *, scored: bool = True, told: Words = words.full
) -> Change:
    """Return what became of a result."""
    place = {key: after[key] for key in ("section", "round", "table")}
    same = all(before[name] == after[name] for name in _SHOWN)
    return Change(what, told(before), told(after), place, after["board"] if scored else None, is_none=same)
