"""How LIN spells the game: seats, hands, calls, cards, contracts and results, read and written, and whole headings."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product
from string import ascii_lowercase, digits
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl
from lark import Token

from overtrick.core.bridge import cards
from overtrick.core.bridge.auction import CALLS, DOUBLE, PASS, REDOUBLE
from overtrick.core.frames import SEAT, STRAIN, VULNERABLE
from overtrick.core.grammar import matcher, terminal, tokens
from overtrick.core.words import Dialect, Form, all_words, current_club, decide, plain

Codes = npt.NDArray[np.uint8]

CARD: Final = 0x80
"""Added to the code of a command that is written as a card is: `SA` has it, `sa` has not."""


@cache
def list_commands() -> tuple[str, ...]:
    """List the commands of the grammar in small letters. The code of a command is its place; 0 means no command."""
    letters = ascii_lowercase + digits + "#^<>"
    known = matcher("COMMAND", language="lin")
    return ("", *(pair for pair in map("".join, product(letters, repeat=2)) if known.fullmatch(pair)))


@cache
def tabulate_codes() -> Codes:
    """Return the code of each two bytes, at 256 times the first plus the second; 0 for two that are not a command."""
    table = np.zeros((256, 256), dtype=np.uint8)
    like_a_card = matcher("CARD_COMMAND", language="lin")
    for code, name in enumerate(list_commands()[1:], start=1):
        for letter_1, letter_2 in product(*({letter, letter.upper()} for letter in name)):
            table[ord(letter_1), ord(letter_2)] = code | (CARD if like_a_card.fullmatch(letter_1 + letter_2) else 0)
    return table.ravel()


LONGEST: Final = 10_000
"""Characters of an auction or a play in one value that are read; one of 319 calls has a tenth."""
SPOKEN: Final[Mapping[str, Form]] = {"mb": "call", "pc": "card", "rs": "contract"}
"""By command, what its values are; their words decide the dialect of a text."""
PLAYERS: Final = ("south", "west", "north", "east")
"""The seats in the order of LIN, as columns of `frames.RECORDS`."""
ORDER: Final = (2, 3, 0, 1)
"""The same seats as numbers."""
NOBODY: Final = ("South", "West", "North", "East")
"""The names of a room in which nobody plays."""
BROKEN_BY_RS: Final = "\nrs"
"""How a value ends whose last two letters the site took for the command `rs`: it began a line before them."""
SCORINGS: Final = {"I": "IMP", "B": "BAM"}
"""PBN's words for the letter in a session's header; `P` is pairs, at matchpoints or at IMPs."""

_DEALERS: Final = {str(digit): cards.SEATS[seat] for digit, seat in enumerate(ORDER, start=1)}
_VULNERABLE: Final = {"o": "None", "n": "NS", "e": "EW", "b": "All"}
_NOBODY_VULNERABLE: Final = {"0": "None", "-": "None", "": "None"}
_CALLS: Final = {PASS: "p", DOUBLE: "d", REDOUBLE: "r"}
_STRAINS: Final = {strain[0]: strain for strain in cards.STRAINS}
_CROSSES: Final = ("", "x", "xx")
_HAND: Final = r"([^. ]*)\.([^. ]*)\.([^. ]*)\.([^. ]*)"


def get_pattern(name: str) -> str:
    """Return a terminal among the grammar's `patterns` as a regular expression for columns."""
    return terminal(name, language="lin")


def get_whole_pattern(name: str) -> str:
    """Return such a terminal as an expression that has to match the whole of a text."""
    return f"^(?:{get_pattern(name)})$"


def read_dealer(deal: pl.Series) -> pl.Series:
    """Read the dealer's digit at the beginning of each deal; null where there is none."""
    return deal.str.head(1).replace_strict(_DEALERS, default=None, return_dtype=SEAT)


def write_dealer() -> pl.Expr:
    """Write `dealer` as a digit, by the board's number where it is not stated (Law 2); empty where nobody knows it."""
    digits = {seat: digit for digit, seat in _DEALERS.items()}
    seat = pl.coalesce(pl.col("dealer").cast(pl.String), cards.board_dealer(pl.col("board")))
    return seat.replace_strict(digits, default="", return_dtype=pl.String)


def read_vulnerability(value: pl.Series) -> pl.Series:
    """Read each `sv`: a word of any dialect, else its first letter; null for any other letter."""
    words, letters = all_words("vulnerability", current_club()), _VULNERABLE | _NOBODY_VULNERABLE
    read = {text: words.get(plain(text)) or letters.get(text.strip().lower()[:1]) for text in value.unique()}
    return value.replace_strict(read, default=None, return_dtype=VULNERABLE)


def write_vulnerability() -> pl.Expr:
    """Write `vulnerable`, by the board's number where it is not stated (Law 2); null where nobody knows it."""
    letters = {sides: letter for letter, sides in _VULNERABLE.items()}
    sides = pl.coalesce(pl.col("vulnerable").cast(pl.String), cards.board_vulnerability(pl.col("board")))
    return sides.replace_strict(letters, default=None, return_dtype=pl.String)


def write_hands(deals: pl.Series) -> pl.Series:
    """Write canonical deals as hands from South on; readers work out East's cards where the deal has all 52.

    Worked example, `N:AK.. QJ.. T9.. 87..`, which is not complete:

        each hand   SAKHDC SQJHDC ST9HDC S87HDC
        from South  ST9HDC,S87HDC,SAKHDC,SQJHDC
    """
    hands = deals.str.strip_prefix("N:").str.replace_all(_HAND, "S${1}H${2}D${3}C${4}").str.replace_all("-", "")
    north, east, south, west = (
        hands.str.split(" ").list.get(seat, null_on_oob=True).fill_null("") for seat in range(4)
    )
    whole = cards.is_complete(deals).to_numpy(writable=True)
    whole[whole] = (cards.owners(deals.filter(pl.Series(whole))) != cards.UNKNOWN).all(axis=1)
    east = east.set(pl.Series(whole), "")
    return pl.select(pl.concat_str(south, west, north, east, separator=",")).to_series().set(deals.is_null(), None)


def find_dialect(said: Callable[[str], pl.Series]) -> Dialect:
    """Return the dialect of a text.

    Args:
        said: returns the values of a command. They count if they are one call, card or result, or list results.
    """
    values = {form: said(name).str.split(",").explode() for name, form in SPOKEN.items()}
    return decide({form: texts.str.strip_chars("!?- \n") for form, texts in values.items()})


def cut_entries(text: str, language: str, dialect: Dialect) -> Iterator[Token]:
    """Cut a value of `mb` or `pc` into calls or cards by the grammar, up to `LONGEST` characters of it."""
    return tokens(text[:LONGEST], language, language="lin", dialect=dialect)


def write_call(code: pl.Expr) -> pl.Expr:
    """Write calls: `p`, `d`, `r`, `1N`."""
    names = [_CALLS.get(number, name[:2]) for number, name in enumerate(CALLS)]
    return code.replace_strict(list(range(len(CALLS))), names, default=None, return_dtype=pl.String)


def write_card(code: pl.Expr) -> pl.Expr:
    """Write cards: `SA`."""
    return code.replace_strict(list(range(len(cards.CARDS))), list(cards.CARDS), default=None, return_dtype=pl.String)


def read_result(item: pl.Expr) -> list[pl.Expr]:
    """Read items of result lists: `level strain declarer doubled tricks`, as `frames.RECORDS` has them.

    `level` is null where the item is not a result. Numbers may be out of range: `7NN+9` has 22 tricks.
    """
    parts = item.str.extract_groups(get_whole_pattern("RESULT")).struct
    level = parts.field("level").cast(pl.Int32)
    over = pl.when(parts.field("over") == "=").then(pl.lit("0")).otherwise(parts.field("over").str.strip_prefix("+"))
    passed_out = item.str.contains(f"^{get_pattern('PASSED_OUT')}")
    strain = parts.field("strain").str.to_uppercase()
    crosses = pl.concat_str(parts.field("before"), parts.field("after"))
    return [
        pl.when(passed_out).then(0).otherwise(level).cast(pl.UInt8).alias("level"),
        strain.replace_strict(_STRAINS, default=None, return_dtype=STRAIN).alias("strain"),
        parts.field("declarer").str.to_uppercase().cast(SEAT).alias("declarer"),
        crosses.str.len_chars().cast(pl.UInt8).alias("doubled"),
        (level + 6 + over.cast(pl.Int32)).alias("tricks"),
    ]


def write_result() -> pl.Expr:
    """Write contract and tricks as an item of a result list: `4SWx-4`, `P`; null where the contract is not known."""
    over = pl.col("tricks").cast(pl.Int64) - 6 - pl.col("level")
    signed = pl.when(over == 0).then(pl.lit("=")).when(over > 0).then(pl.format("+{}", over))
    difference = signed.otherwise(over.cast(pl.String)).fill_null("")
    crosses = pl.col("doubled").fill_null(0).replace_strict([0, 1, 2], list(_CROSSES), return_dtype=pl.String)
    strain, declarer = pl.col("strain").cast(pl.String).str.head(1), pl.col("declarer").cast(pl.String)
    contract = pl.concat_str(pl.col("level").cast(pl.String), strain, declarer, crosses, difference)
    return pl.when(pl.col("level") == 0).then(pl.lit("P")).otherwise(contract)


def write_text(text: pl.Expr) -> pl.Expr:
    """Write a text as a value can hold it: on one line, without pipes, and without `rs` at its end.

    The site breaks the line before an `rs` that ends a value; a space after it prevents that.
    """
    line = text.str.replace_all(r"[^\S ]+", " ").str.strip_chars().str.replace_all("|", "/", literal=True)
    return pl.when(line.str.ends_with("rs")).then(line + " ").otherwise(line)


def write_listed(text: pl.Expr) -> pl.Expr:
    """Write a text as a list of values can hold it: without commas too; empty where nothing is known."""
    return write_text(text.str.replace_all(",", "", literal=True)).fill_null("")


_ONLY_DEALT: Final = pl.all_horizontal(pl.col(seat).is_null() for seat in PLAYERS) & (pl.col("body") == "")


def spell_headings(records: pl.DataFrame) -> pl.DataFrame:
    """Add to records what their headings are made of: `hands digit sv`, spelled as LIN does."""
    return records.with_columns(
        write_hands(records["deal"]).alias("hands"), write_dealer().alias("digit"), write_vulnerability().alias("sv")
    )


def write_names() -> pl.Expr:
    """List the players of a record."""
    return pl.concat_str((write_listed(pl.col(seat)) for seat in PLAYERS), separator=",")


def write_heading() -> pl.Expr:
    """Write what comes before the auction of a record, from `spell_headings`."""
    known = pl.any_horizontal(pl.col(seat).is_not_null() for seat in PLAYERS)
    numbered = pl.when(pl.col("board").is_not_null()).then(pl.format("Board {}", "board"))
    pieces = [
        pl.when(known).then(pl.format("pn|{}|", write_names())),
        pl.when(~_ONLY_DEALT).then(pl.lit("st||")),
        pl.format("md|{}{}|", "digit", "hands"),
        pl.lit("rh||"),
        pl.format("ah|{}|", numbered.otherwise(write_text(pl.col("board_label")))),
        pl.format("sv|{}|", "sv"),
    ]
    return pl.concat_str(piece.fill_null("") for piece in pieces)


def write_line() -> pl.Expr:
    """Write a record from `spell_headings` with its `body` as a line; empty for one without cards and without a body.

    A board that was only dealt has the shape in which deals are uploaded.
    """
    label = pl.format("qx|o{}|", pl.col("board").cast(pl.String).fill_null(""))
    labelled = pl.when(_ONLY_DEALT | pl.col("hands").is_null()).then(label).otherwise(pl.lit(""))
    body = pl.when(_ONLY_DEALT).then(pl.lit("pg||")).otherwise("body")
    there = pl.col("hands").is_not_null() | (pl.col("body") != "")
    return pl.when(there).then(pl.concat_str(labelled, write_heading(), body, pl.lit("\n"))).otherwise(pl.lit(""))
