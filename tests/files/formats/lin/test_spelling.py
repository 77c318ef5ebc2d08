"""What LIN writes of the game, it reads back."""

from itertools import product

import polars as pl

from overtrick.core.bridge.auction import CALLS
from overtrick.core.bridge.cards import CARDS, SEATS, STRAINS, VULNERABILITIES
from overtrick.core.frames import SEAT, STRAIN, VULNERABLE
from overtrick.core.words import ENGLISH
from overtrick.files.formats.lin.spelling import (
    read_dealer,
    read_result,
    read_vulnerability,
    write_call,
    write_card,
    write_dealer,
    write_result,
    write_vulnerability,
)

BOARD = pl.lit(1, pl.Int32).alias("board")


def test_every_call_is_read_back() -> None:
    codes = pl.DataFrame({"code": range(len(CALLS))})
    written = codes.select(write_call(pl.col("code"))).to_series()
    assert codes["code"].to_list() == [CALLS.index(str(ENGLISH.read("call", call))) for call in written]


def test_every_card_is_read_back() -> None:
    codes = pl.DataFrame({"code": range(len(CARDS))})
    written = codes.select(write_card(pl.col("code"))).to_series()
    assert codes["code"].to_list() == [CARDS.index(str(ENGLISH.read("card", card))) for card in written]


def test_every_result_is_read_back() -> None:
    rows = [*product(range(1, 8), STRAINS, SEATS, range(3), (*range(14), None)), (0, None, None, None, None)]
    dtypes = (pl.UInt8, STRAIN, SEAT, pl.UInt8, pl.Int32)
    names = ("level", "strain", "declarer", "doubled", "tricks")
    results = pl.DataFrame(rows, schema=list(zip(names, dtypes, strict=True)), orient="row")
    assert results.equals(results.select(item=write_result()).select(read_result(pl.col("item"))))


def test_every_dealer_is_read_back() -> None:
    dealers = pl.DataFrame({"dealer": pl.Series(SEATS, dtype=SEAT)}).with_columns(BOARD)
    assert dealers["dealer"].equals(read_dealer(dealers.select(write_dealer()).to_series()))


def test_every_vulnerability_is_read_back() -> None:
    boards = pl.DataFrame({"vulnerable": pl.Series(VULNERABILITIES, dtype=VULNERABLE)}).with_columns(BOARD)
    assert boards["vulnerable"].equals(read_vulnerability(boards.select(write_vulnerability()).to_series()))
