"""The bodies of Auction and Play in export form (PBN 3.5, 3.6): four entries a line, in the columns that are due."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from overtrick.bridge.calls import CALLS, PASS
from overtrick.bridge.cards import CARDS, SEATS, UNKNOWN, owners
from overtrick.frames import Session
from overtrick.render.pbn.syntax import LINE_LIMIT

_SUFFIXES: Final = ("!", "?", "!!", "??", "!?", "?!")
"""In the order of their glyphs: $1 to $6 on a call, $7 to $12 on a card (3.7)."""

_TRICKS: Final = 13

Marks = dict[int | None, list[tuple[str, str]]]
"""Annotations by the entry that they belong to: kind and text."""


@dataclass(frozen=True)
class Section:
    """One section as export form writes it."""

    record: int
    name: str
    value: str
    """Of its tag."""
    text: str
    fault: str | None = None
    """Why it had to stay as it was."""
    remarks: tuple[str, ...] = ()
    """Comments and escape lines taken out of it."""


def auctions(session: Session, stated: pl.DataFrame, written: pl.DataFrame) -> list[Section]:
    """Write auctions from the dealer on, `AP` spelled out (3.5).

    Args:
        session: its records and annotations.
        stated: record, text: the value of each Auction tag.
        written: record, text: the sections as written, for those that hold words that are no calls.
    """
    marks = _marks(session, "auction")
    kept = _kept(session, "pbn-call-unknown", written)
    bodies = []
    for game in _games(session, stated).iter_rows(named=True):
        record, calls = game["record"], game["calls"] or []
        if record in kept:
            bodies.append(
                Section(record, "Auction", game["text"], kept[record], "the auction holds words that are no calls")
            )
            continue
        entries = _entries([_call(code) for code in calls], marks[record], _SUFFIXES.index("!") + 1)
        ended = len(calls) >= len(SEATS) and set(calls[-3:]) == {PASS}
        rows = [entries[at : at + 4] for at in range(0, len(entries), 4)]
        text = _lines([*_leading(marks[record]), *rows], "" if ended else game["auction_end"] or "*")
        begins = game["auction_start"]
        odd = begins and game["dealer"] and begins != game["dealer"]
        bodies.append(
            Section(record, "Auction", begins or "?", text, "the first call is not the dealer's" if odd else None)
        )
    return bodies


def plays(session: Session, stated: pl.DataFrame, written: pl.DataFrame) -> list[Section]:
    """Write plays a trick a line, a column a seat, the opening leader's first (3.6).

    Each card goes to the column of the hand that holds it where the deal shows that, else it stays in its own. A play
    with a `+` for the next card stays as written. Arguments as for `auctions`.
    """
    marks = _marks(session, "play")
    kept = _kept(session, "pbn-card-unknown", written)
    as_written = dict(written.select("record", "text").iter_rows())
    games = _games(session, stated)
    holders = owners(games["deal"]).tolist()
    bodies = []
    for game, holder in zip(games.iter_rows(named=True), holders, strict=True):
        record = game["record"]
        if record in kept:
            bodies.append(Section(record, "Play", game["text"], kept[record], "the play holds words that are no cards"))
        elif game["play_end"] == "+":
            bodies.append(Section(record, "Play", game["text"].upper(), as_written[record]))
        else:
            bodies.append(_play(game, holder, marks[record]))
    return bodies


def _play(game: Mapping[str, Any], holder: Sequence[int], marks: Marks) -> Section:
    codes = game["cards"] or []
    declarer, start = (SEATS.index(seat) if seat else None for seat in (game["declarer"], game["play_start"]))
    leader = (declarer + 1) % 4 if declarer is not None else start
    first = start if start is not None else leader
    entries = _entries([_card(code) for code in codes], marks, _SUFFIXES.index("!") + 1 + len(_SUFFIXES))
    rows = []
    for at in range(0, len(codes), 4):
        columns = _columns(codes[at : at + 4], holder, first or 0, leader or 0)
        row = [["-"] for _ in SEATS]
        for column, entry in zip(columns, entries[at : at + 4], strict=True):
            row[column] = entry
        rows.append(row)
    ended = len(codes) >= _TRICKS * len(SEATS) and UNKNOWN not in codes
    seat = "?" if leader is None else SEATS[leader]
    return Section(game["record"], "Play", seat, _lines([*_leading(marks), *rows], "" if ended else "*"))


def _columns(cards: Sequence[int], holder: Sequence[int], first: int, leader: int) -> list[int]:
    """Say in which column each card of a row goes."""
    written = [(first + place) % 4 for place in range(len(cards))]
    held = [holder[card] for card in cards if card != UNKNOWN]
    if UNKNOWN not in cards and UNKNOWN not in held and len(set(held)) == len(held):
        written = held
    elif UNKNOWN not in held and len(set(held)) == len(held):
        free = iter(seat for seat in written + list(range(4)) if seat not in held)
        written = [next(free) if card == UNKNOWN else holder[card] for card in cards]
    return [(seat - leader) % 4 for seat in written]


def _games(session: Session, stated: pl.DataFrame) -> pl.DataFrame:
    return session.records.join(stated.select("record", "text"), on="record", how="inner", maintain_order="left")


def _kept(session: Session, code: str, written: pl.DataFrame) -> dict[int, str]:
    """Give the sections that hold a word that was not understood, as written."""
    odd = session.problems.filter(pl.col("code") == code)["record"].unique()
    return dict(written.filter(pl.col("record").is_in(odd.to_list())).select("record", "text").iter_rows())


def _marks(session: Session, part: str) -> defaultdict[int, Marks]:
    marks: defaultdict[int, Marks] = defaultdict(dict)
    of_part = session.annotations.filter(pl.col("part") == part).select("record", "index", "kind", "text")
    for record, index, kind, text in of_part.iter_rows():
        marks[record].setdefault(index, []).append((kind, text))
    return marks


def _call(code: int) -> str:
    return CALLS[code] if code < len(CALLS) else ""


def _card(code: int) -> str:
    return CARDS[code] if code < len(CARDS) else "-"


def _entries(words: Sequence[str], marks: Marks, glyph: int) -> list[list[str]]:
    """Put to each word its annotations; what stands behind the last entry belongs to it."""
    last = len(words) - 1
    behind = [mark for index in sorted(i for i in marks if i is not None and i > last) for mark in marks[index]]
    return [
        _entry(word, marks.get(index, []) + (behind if index == last else []), glyph)
        for index, word in enumerate(words)
    ]


def _entry(word: str, marks: Iterable[tuple[str, str]], glyph: int) -> list[str]:
    """Write one call or card: irregularity, itself, note, glyphs ascending, comments (3.5.1, 3.9)."""
    by_kind: defaultdict[str, list[str]] = defaultdict(list)
    for kind, text in marks:
        by_kind[kind].append(text)
    glyphs = {*by_kind["nag"], *(str(glyph + _SUFFIXES.index(text[:2])) for text in by_kind["suffix"])}
    return [
        *(f"^{text}" for text in by_kind["irregularity"]),
        *([word] if word else []),
        *(f"={text}=" for text in by_kind["note"]),
        *(f"${text}" for text in sorted(glyphs, key=lambda text: (len(text), text))),
        *by_kind["comment"],
    ]


def _leading(marks: Marks) -> list[list[list[str]]]:
    """Give the comments before the first entry, a row each."""
    return [[[text]] for _, text in marks.get(None, [])]


def _lines(rows: Iterable[Sequence[Sequence[str]]], end: str) -> str:
    """Write rows of entries, each on a line of its own; a `;` comment and an escape line break it.

    Comments behind the last entry stand on lines of their own, as they do where nobody can say that they belong to it.
    """
    pieces = [[piece for entry in row for piece in entry] for row in rows]
    behind: list[list[str]] = []
    while not end and pieces and len(pieces[-1]) > 1 and pieces[-1][-1].startswith(("{", ";", "%")):
        behind.insert(0, [pieces[-1].pop()])
    return "\n".join([*filter(None, map(_line, pieces + behind)), *([end] if end else [])])


def _line(pieces: Sequence[str]) -> str:
    text = ""
    for piece in pieces:
        begin = text.rfind("\n") + 1
        room = LINE_LIMIT - (len(text) - begin) - 1
        fits = len(piece.partition("\n")[0]) <= room and not piece.startswith("%")
        text += ("" if len(text) == begin else " " if fits else "\n") + piece
        if piece.startswith((";", "%")):
            text += "\n"
    return text.removesuffix("\n")
