"""Tags as columns: one column a tag name, one row a game, with inherited values filled in (PBN 4.8)."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from operator import or_
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import polars as pl

from overtrick.core import notation
from overtrick.core.bridge.cards import COMPLETE_LENGTH, HAND_LENGTH, RANKS, SEATS, letters_of
from overtrick.core.frames import PROBLEMS, Column, Schema, empty
from overtrick.core.grammar import grammar, matcher
from overtrick.core.problems import Finding, report
from overtrick.core.words import ENGLISH, Dialect, Form, decide, list_readings, plain
from overtrick.files.formats.base import MOST_PER_FILE
from overtrick.files.formats.pbn import tags as known
from overtrick.files.formats.pbn.read.games import Games, row_or_null

if TYPE_CHECKING:
    from lark import Token, Tree

_IN_HAND: Final = np.isin(np.arange(256), list(f"{RANKS}.".encode()))
_SEAT: Final = np.array([SEATS.index(chr(byte)) if chr(byte) in SEATS else len(SEATS) for byte in range(256)])
"""By byte: whether it may be in a hand; and the seat that it names, 4 for none."""

OPEN: Final = "x in place of some cards"
"""The fault of a deal of a lesson that leaves small cards open."""

LONGEST: Final = 1000
"""Characters of a value that is read; a whole deal has 69."""
_TOO_LONG: Final = f"it has more than {LONGEST:,} characters"

_WORD: Final = re.compile(r"(?<!\S)[^\s=$^*+!?-][^\s=!?]*")
_RANKS: Final = "([0-9TJQKA]*)"
_LETTERED: Final = re.compile(rf"(?<=[: ])S{_RANKS}\.H{_RANKS}\.D{_RANKS}\.C{_RANKS}(?= |\Z)", re.IGNORECASE)
_DOTTED: Final = re.compile(r"(?<=[: ])((?:[0-9TJQKA]*\.){3}[0-9TJQKA]*)\.(?= |\Z)", re.IGNORECASE)


def read_deals(value: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Read Deal values.

    Args:
        value: one value a game, null where the game has no Deal tag.

    Returns:
        The canonical deals (`frames.RECORDS["deal"]`; null where a value cannot be read), and the fault of each value,
        null for a sound one. A deal of the wrong number of cards is canonical too: checks come later.
    """
    whole = _read_whole(value)
    no_fault = value.clear(len(value))
    if whole.null_count() == value.null_count():
        return whole.alias("deal"), no_fault
    odd = whole.is_null() & value.is_not_null() & ~value.str.strip_chars().is_in(notation.UNKNOWN_VALUES)
    if not odd.any():
        return whole.alias("deal"), no_fault
    distinct = value.filter(odd).unique().to_list()
    read = {text: _read_one(text) if len(text) <= LONGEST else (None, _TOO_LONG) for text in distinct}
    canonical = value.replace_strict(distinct, [read[t][0] for t in distinct], default=whole, return_dtype=pl.String)
    faults = value.replace_strict(distinct, [read[t][1] for t in distinct], default=None, return_dtype=pl.String)
    return canonical.alias("deal"), faults


# The value `E:hand0 hand1 hand2 hand3`, each hand 13 cards and 3 dots, so 69 bytes in all:
#
#     written     E : hand0 hand1 hand2 hand3     one row of the matrix; `letters_of` adds a space at the end
#     seat        1                               East, clockwise from North
#     hands       hand0 hand1 hand2 hand3         16 bytes and a space each
#     from_north  3     0     1     2             (place - seat) % 4: North holds the last hand that is written
#     turned      N : hand3 hand0 hand1 hand2
def _read_whole(value: pl.Series) -> pl.Series:
    """Turn values of four whole hands, as nearly every program writes them, to begin with North; null for others."""
    at = np.flatnonzero(value.str.len_bytes().fill_null(0).to_numpy() == COMPLETE_LENGTH)
    written = letters_of(value.gather(at))
    seat, hands = _SEAT[written[:, 0]], written[:, 2:].reshape(len(at), len(SEATS), HAND_LENGTH + 1)
    sound = (seat < len(SEATS)) & (written[:, 1] == ord(":")) & (hands[:, :, -1] == ord(" ")).all(axis=1)
    sound &= _IN_HAND[hands[:, :, :-1]].all(axis=(1, 2)) & ((hands == ord(".")).sum(axis=2) == len("...")).all(axis=1)
    turned = written[sound]
    turned[:, 0] = ord("N")
    from_north = (np.arange(len(SEATS)) - seat[sound, None]) % len(SEATS)
    turned[:, 2:] = hands[np.flatnonzero(sound)[:, None], from_north].reshape(len(turned), turned.shape[1] - 2)
    lines = pl.lit(pl.Series([turned.tobytes()]))
    start = pl.Series(np.arange(len(turned)) * turned.shape[1])
    place = np.full(len(value), -1)
    place[at[sound]] = np.arange(len(turned))
    return pl.select(lines.bin.slice(start, COMPLETE_LENGTH).cast(pl.String)).to_series().gather(row_or_null(place))


def _read_one(text: str) -> tuple[str | None, str | None]:
    """Read one value through the grammar: the canonical deal, and what is wrong with the value; either may be None."""
    from lark.exceptions import UnexpectedInput  # noqa: PLC0415 - most deals are read as a column

    plain, slip = _without_slips(text)
    try:
        tree = grammar("deal").parse(plain.strip(), start="deal")
    except UnexpectedInput:
        return None, "expected a seat, a colon and four hands with spaces between them"
    seat, *hands = tree.children
    odd = [str(token) for token in tree.scan_values(_is_odd)]
    if odd:
        return None, OPEN if set("".join(odd)) <= set("xX") else f"{odd[0]!r} is not a rank"
    written = [_canonical_hand(hand) for hand in hands if not isinstance(hand, str)]
    fault = f"expected 4 hands, got {len(hands)}" if len(hands) != len(SEATS) else _fault_of_hands(written)
    if fault:
        return None, fault
    shift = SEATS.index(str(seat).upper())
    return "N:" + " ".join(written[(place - shift) % 4] for place in range(4)), slip or _oddity(text)


def _fault_of_hands(hands: list[str]) -> str | None:
    suits = [hand.count(".") + 1 for hand in hands if hand != "-"]
    if any(count != 4 for count in suits):
        return "expected four suits in each hand with dots between them"
    return None if suits else "all four hands are unknown"


def _without_slips(text: str) -> tuple[str, str | None]:
    """Take suit letters or a fifth dot out of the hands; return the text and what was taken out."""
    plain = _LETTERED.sub(r"\1.\2.\3.\4", text)
    if plain != text:
        return plain, "suit letters in its hands"
    plain = _DOTTED.sub(r"\1", text)
    return plain, "an extra dot after a hand" if plain != text else None


def _oddity(text: str) -> str | None:
    """Return what is odd about the spelling of a deal that can be read."""
    if re.search(r"\s{2}|\t", text.strip()):
        return "more than one space between hands"
    if re.search(r"^\s|:\s|\s$", text):
        return "a space before or after its hands"
    return "10 instead of T" if "10" in text else None


def _is_odd(token: object) -> bool:
    return getattr(token, "type", None) == "ODD"


def _canonical_hand(hand: "Tree[Token]") -> str:
    if hand.children and getattr(hand.children[0], "type", None) == "HIDDEN":
        return "-"
    holdings = [child for child in hand.children if not isinstance(child, str)]
    return ".".join("".join(map(str, holding.children)).upper().replace("10", "T") for holding in holdings)


_FORMS: Final[dict[str, Form]] = {
    **dict.fromkeys(("Dealer", "Declarer", "Auction", "Play"), "seat"),
    "Contract": "contract",
    "Vulnerable": "vulnerability",
}
"""By tag, what its words name."""


def respell_tags(tags: "Tags", dialect: Dialect) -> tuple["Tags", pl.DataFrame]:
    """Return the tags with the words of a dialect in overtrick's own spelling, and a problem for each unsure one."""
    if dialect is ENGLISH:
        return tags, empty(PROBLEMS)
    said = {name: notation.respell(tags.value(name), form, dialect) for name, form in _FORMS.items() if tags.has(name)}
    problems = [empty(PROBLEMS)]
    for name, values in said.items():
        unsure = tags.at_fault(name, values.is_null() & tags.value(name).is_not_null())
        meanings = [list_readings(dialect.readings(_FORMS[name], text)) for text in unsure["value"]]
        named = unsure.with_columns(text="value", meanings=pl.Series(meanings, dtype=pl.String))
        problems.append(report("word-unsure", named))
    if tags.has("Deal"):
        said["Deal"] = map_texts(tags.value("Deal"), partial(_respell_deal, dialect=dialect))
    return replace(tags, wide=tags.wide.with_columns(**said)), pl.concat(problems)


def _respell_deal(deal: str, *, dialect: Dialect) -> str:
    """Return `W:AKQJT...` for the `O:ARDV10...` of a French deal."""
    seat, colon, hands = deal.partition(":")
    ranks = re.compile(dialect.pattern("rank"), re.IGNORECASE)
    meant = dialect.words("rank")
    return (dialect.read("seat", seat) or seat) + colon + ranks.sub(lambda word: meant[plain(word[0])], hands)


def map_texts(texts: pl.Series, change: Callable[[str], str]) -> pl.Series:
    """Change texts, each distinct one once."""
    distinct = texts.drop_nulls().unique().to_list()
    return texts.replace_strict(distinct, [change(text) for text in distinct], default=None, return_dtype=pl.String)


def decide_dialect(games: Games, tags: "Tags", cells: Mapping[Form, Iterable[str]] = MappingProxyType({})) -> Dialect:
    """Return the dialect of a text, from the words of its tags, auctions and plays, and of the cells of its tables.

    The words of PBN are English, so another dialect has to read more of the text.
    """
    said: dict[Form, set[str]] = {"call": set(), "card": set(), **{form: set(words) for form, words in cells.items()}}
    for name, form in _FORMS.items():
        said.setdefault(form, set()).update(tags.value(name).drop_nulls().unique())
    forms: dict[str, Form] = {"Auction": "call", "Play": "card"}
    for name, text in games.sections.filter(pl.col("name").is_in(list(forms))).select("name", "text").iter_rows():
        said[forms[name]].update(_WORD.findall(matcher("REMARK").sub(" ", text)))
    dialect = decide(said)
    return ENGLISH if "english" in dialect.names else dialect


MOST_NAMES: Final = 1000
"""Different tags that become columns; the standard has about 80, and a program adds a few. Of many games it is less."""

_FAULTY: Final[Schema] = {
    "record": Column(pl.UInt32, "the game"),
    "line": Column(pl.UInt32, "of the tag"),
    "column": Column(pl.UInt32, "of the tag"),
    "name": Column(pl.String, "the tag's"),
    "value": Column(pl.String, "the tag's, as its game states it"),
}


class Inherited(NamedTuple):
    """One tag down the games of a file."""

    values: pl.Series
    """The value in each game, String; null where there is none."""
    nothing: list[int]
    """The games whose `#` has no earlier value to repeat."""
    last: str | None
    """The value that `#` would repeat in the next game."""
    running: str | None
    """The value that the next game would have without the tag, because of a `##`."""


@dataclass(frozen=True, eq=False)
class Tags:
    """The tags of some games of a file."""

    wide: pl.DataFrame
    """One row a game, one String column a tag name: the value in force, stated or inherited; null without one."""
    row: dict[str, pl.Series]
    """By tag name, the row of `tags` that states a game's value; null where the game has no such tag."""
    tags: pl.DataFrame
    """`Games.tags`."""

    @cached_property
    def _unstated(self) -> pl.Series:
        return pl.Series(dtype=pl.String).clear(len(self.wide))

    def has(self, name: str) -> bool:
        """Return whether any game has a tag, stated or inherited."""
        return name in self._names

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.wide.columns)

    def value(self, name: str) -> pl.Series:
        """Return the values of a tag, all null when no game has it."""
        return self.wide[name] if self.has(name) else self._unstated.alias(name)

    def at_fault(self, name: str, mask: pl.Series) -> pl.DataFrame:
        """Return place and value of a tag in the games of `mask`, for a problem: record, line, column, name, value."""
        if name not in self.row or not mask.any():
            return empty(_FAULTY)
        chosen = self.tags.select(pl.col("game").alias("record"), "line", "column", "name", value="text")
        return chosen[self.row[name].filter(mask.fill_null(value=False)).drop_nulls()]


class Memory(NamedTuple):
    """The values that the games read so far leave to those that follow (PBN 4.8), by tag name."""

    last: dict[str, str]
    """The value that `#` repeats."""
    running: dict[str, str]
    """The value that a game without the tag has, because of a `##`."""
    board: dict[str, str | None]
    """The tags that describe the board of the last game."""


NO_MEMORY: Final = Memory({}, {}, {})


# Three games with four tags, and the columns made of them:
#
#     tags   game  name   text          row of Board   row of Event   wide    Board  Event
#     0      0     Board  1             0              1                      1      Cup
#     1      0     Event  Cup           2              null                   2      null
#     2      1     Board  2             null           3                      null   Final
#     3      2     Event  Final
#
# The rows of one name are written to `at` backwards, so that the first of a repeated tag is what stays.
def make_columns(games: Games) -> Tags:
    """Make each tag a column; of a tag that a game repeats, the first counts (PBN 3.3).

    Of more than `MOST_NAMES` different tags, or of more than the budget has cells for, those of the standard and those
    that come first are columns; the others are items only.
    """
    game = games.tags["game"].to_numpy().astype(np.int64)
    row = {}
    by_name = games.by_name
    standard = set(known.standard_names())
    most = max(len(standard), min(MOST_NAMES, MOST_PER_FILE["cells"][0] // max(games.count, 1)))
    if len(by_name) > most:
        by_name = dict(sorted(by_name.items(), key=lambda of: (of[0] not in standard, int(of[1][0])))[:most])
    for name, rows in by_name.items():
        at = np.full(games.count, -1, dtype=np.int64)
        at[game[rows[::-1]]] = rows[::-1]
        row[name] = row_or_null(at)
    wide = games.tags.select(pl.col("text").gather(rows).alias(name) for name, rows in row.items())
    return Tags(wide if row else pl.DataFrame(height=games.count), row, games.tags)


def inherit(tags: Tags, memory: Memory = NO_MEMORY) -> tuple[Tags, list[Finding], Memory]:
    """Fill in what a game takes from an earlier one: `#`, `##`, and the board that a second-room game leaves out.

    Args:
        tags: some games of a file.
        memory: the values that the games before them leave to them.

    Returns:
        The tags, the findings, and the values that all these games leave to the next.
    """
    findings: list[Finding] = []
    wide = _with_columns(tags.wide, [*memory.running, *memory.board])
    hashed = set(tags.tags.filter(pl.col("text").str.starts_with("#"))["name"])
    last, running = dict(memory.last), dict(memory.running)
    stated = wide.select(pl.all().drop_nulls().last()).to_dict(as_series=False)
    not_inherited = known.names(inherits=False)
    for name in wide.columns:
        if name in not_inherited:
            if name in hashed:
                forbidden = wide[name].str.starts_with("#").fill_null(value=False)
                findings.extend(_finding(tags, name, game, "pbn-inherit-forbidden") for game in forbidden.arg_true())
                wide = wide.with_columns(pl.when(~forbidden).then(name).alias(name))
        elif name in hashed or name in running:
            inherited = resolve(wide[name], last.get(name), running.get(name))
            findings.extend(_finding(tags, name, game, "pbn-inherit-nothing") for game in inherited.nothing)
            wide = wide.with_columns(inherited.values)
            _remember(last, name, inherited.last)
            _remember(running, name, inherited.running)
        else:
            _remember(last, name, stated[name][0])
    wide, second = _fill_second_rooms(wide, tags.row, memory.board)
    findings.extend(Finding("pbn-board-left-out", *_place(tags, game), record=game) for game in second)
    return Tags(wide, tags.row, tags.tags), findings, Memory(last, running, _last_board(wide) or memory.board)


def _last_board(wide: pl.DataFrame) -> dict[str, str | None]:
    of_board = known.names(of_board=True)
    return {name: wide[name][-1] for name in of_board if name in wide.columns} if len(wide) else {}


def _with_columns(wide: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    lacking = [name for name in dict.fromkeys(names) if name not in wide.columns]
    return wide.with_columns(pl.lit(None, pl.String).alias(name) for name in lacking) if lacking else wide


def _remember(values: dict[str, str], name: str, value: str | None) -> None:
    if value is not None:
        values[name] = value


# Three games, and the board that the second takes:
#
#     game  Board  Deal    Contract  Result  lacks  source  above  filled
#     0     7      N:A...  2H        8       no     1       7      7
#     1     null   null    1S        7       yes    1       7      7
#     2     8      N:K...  4S        10      no     3       8      8
#
# `boards` has one row more in front, the board that earlier games leave: `source` counts from there.
def _fill_second_rooms(
    wide: pl.DataFrame, row: dict[str, pl.Series], before: dict[str, str | None]
) -> tuple[pl.DataFrame, list[int]]:
    """Fill in the board of the game before, where a game states a result but no board."""
    if ("Board" in row and not row["Board"].null_count()) or not {"Board", "Deal"} <= set(wide.columns):
        return wide, []
    of_board = known.names(of_board=True)
    no_game = pl.repeat(False, len(wide), eager=True)

    def state_any(*names: str) -> pl.Series:
        return reduce(or_, (row[name].is_not_null() for name in names if name in row), no_game)

    lacks = state_any("Contract") & state_any("Auction", "Play", "Result") & ~state_any(*of_board, "Event")
    if not lacks.any():
        return wide, []
    names = [name for name in of_board if name in wide.columns]
    earlier = pl.DataFrame({name: [before.get(name)] for name in names}, dict.fromkeys(names, pl.String))
    boards = pl.concat([earlier, wide.select(names)])
    source = pl.Series(range(1, len(boards))).set(lacks, None).fill_null(strategy="forward").fill_null(0)
    above = boards[source]
    second = lacks & above["Board"].is_not_null() & above["Deal"].is_not_null()
    filled = [pl.when(second).then(above[name]).otherwise(pl.col(name)).alias(name) for name in names]
    return wide.with_columns(filled), second.arg_true().to_list()


def _place(tags: Tags, game: int) -> tuple[int, int]:
    first = tags.tags["game"].search_sorted(game)
    return tags.tags["line"][first], tags.tags["column"][first]


def _finding(tags: Tags, name: str, game: int, code: str) -> Finding:
    row = tags.row[name][game]
    line, column = tags.tags["line"][row], tags.tags["column"][row]
    return Finding(code, line, column, record=game, values={"name": name})


def resolve(written: pl.Series, last: str | None = None, running: str | None = None) -> Inherited:
    """Follow `#` and `##` down one tag.

    Args:
        written: the tag's value in each game of one file, String; null in games without it.
        last: the value that `#` repeats before the first of them.
        running: the value that a `##` gives to games without the tag, before the first of them.
    """
    values: list[str | None] = []
    nothing: list[int] = []
    for game, value in enumerate(written.to_list()):
        if value is None:
            values.append(running)
            continue
        if value == "#":
            if last is None:
                nothing.append(game)
        elif value.startswith("##"):
            running = last = value[2:]
        else:
            last = value
        values.append(last)
    return Inherited(pl.Series(written.name, values, dtype=pl.String), nothing, last, running)
