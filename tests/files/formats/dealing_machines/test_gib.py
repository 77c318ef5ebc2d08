"""The library of GIB: deals West first, with the tricks of N-S by leader."""

import polars as pl

from overtrick.core.frames import Session
from overtrick.files.formats.dealing_machines.text import is_gib
from tests.support.machine_files import read, written
from tests.support.reading import codes

LINE = b"JT852.93.KQ7.J82 AQ97.JT654.T6.A5 43.AK8.A542.7643 K6.Q72.J983.KQT9:88887777A9A977778888\n"


def test_a_deal_begins_with_west_and_tricks_are_those_of_n_s_by_leader() -> None:
    assert is_gib(LINE)
    reading = read(LINE, "gib")
    assert ["N:AQ97.JT654.T6.A5 43.AK8.A542.7643 K6.Q72.J983.KQT9 JT852.93.KQ7.J82"] == reading.records[
        "deal"
    ].to_list()
    # Hearts: N-S take 10 with South or North on lead, so East and West 3; and 9 as declarers.
    assert "87978879785636556365" == reading.items.filter(name="DoubleDummyTricks")["text"].item()
    assert [] == codes(reading.problems)


def test_what_is_written_is_what_was_read() -> None:
    reading = read(LINE, "gib")
    table = pl.Series([[8, 7, 9, 7, 8, 5, 6, 3, 6, 5, 8, 7, 9, 7, 8, 5, 6, 3, 6, 5]], dtype=pl.Array(pl.UInt8, 20))
    solved = pl.DataFrame({"board": [1], "tricks": table}, schema_overrides={"board": pl.Int32})
    both = written(Session(records=reading.records, double_dummy=solved), "gib")
    assert LINE == both.content
    unsolved = written(Session(records=reading.records), "gib")
    assert LINE.partition(b":")[0] + b"\n" == unsolved.content


def test_damaged_lines_are_named() -> None:
    text = LINE + b"hello\n" + LINE.replace(b"88887777", b"8888777G") + LINE.replace(b"JT852", b"JT855")
    assert {"line-unknown"} <= set(codes(read(text, "gib").problems))
    for end in range(1, len(text), 13):
        read(text[:end], "gib")
