"""Databases of other programs: missing columns, repeated sections, text in columns of numbers."""

import os
from random import Random

import polars as pl
import pytest

from overtrick.files.formats.base import Reading
from overtrick.files.formats.bridgemate import reader
from overtrick.files.formats.bridgemate.jet import Tables
from tests.support.bridgemate import HEAD
from tests.support.reading import codes

PLACE = {"Section": "1", "Table": "2", "Round": "3", "Board": "4"}
TABLES: dict[str, dict[str, str | None]] = {
    "Section": {"ID": "1", "Letter": "A", "MissingPair": "9"},
    "ReceivedData": {
        **PLACE,
        "ID": "1",
        "PairNS": "7",
        "PairEW": "8",
        "Declarer": "8",
        "NS/EW": "E",
        "Contract": "4 S",
        "Result": "=",
        "LeadCard": "ST",
        "Remarks": "",
        "Erased": "0",
    },
    "RoundData": {
        "Section": "1",
        "Table": "2",
        "Round": "3",
        "NSPair": "7",
        "EWPair": "8",
        "LowBoard": "4",
        "HighBoard": "4",
        "CustomBoards": None,
    },
    "PlayerNumbers": {"Section": "1", "Table": "2", "Direction": "N", "Number": "12", "Name": "Ada", "Round": "0"},
    "PlayerNames": {"strID": "12", "Name": "Ada"},
    "HandRecord": {"Section": "1", "Board": "4", "NorthSpades": "AKQ", "WestClubs": "32"},
    "BiddingData": {**PLACE, "ID": "1", "Counter": "1", "Direction": "N", "Bid": "1S", "Erased": "0"},
    "PlayData": {**PLACE, "ID": "1", "Counter": "1", "Direction": "N", "Card": "SA", "Erased": "0"},
    "Session": {"Name": "Monday", "Date": "2026-01-19"},
    "HandEvaluation": {"Section": "1"},
}
ODD = (None, "", "x", "-1", "0", "99999999999999999999", "2147483648", "1.5", "٣", "9 8", "'\"{}", "A" * 300)


def read(monkeypatch: pytest.MonkeyPatch, tables: dict[str, pl.DataFrame]) -> Reading:
    monkeypatch.setattr(reader, "read_tables", lambda *_: Tables(tables, []))
    return reader.read_bws(HEAD)


def frames(**changed: pl.DataFrame) -> dict[str, pl.DataFrame]:
    sound = {name: pl.DataFrame([row], schema=dict.fromkeys(row, pl.String)) for name, row in TABLES.items()}
    needed = {name: sound[name] for name in ("Section", "ReceivedData")}
    return {**needed, **changed}


def received(**cells: str) -> pl.DataFrame:
    return frames()["ReceivedData"].with_columns(pl.lit(text).alias(name) for name, text in cells.items())


def test_a_missing_column_is_named_and_the_rest_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = read(monkeypatch, frames(ReceivedData=received().drop("Contract", "Remarks")))
    assert [("7", "8", None)] == reading.results.select("ns", "ew", "level").rows()
    assert ["bws-column"] == codes(reading.problems)
    assert "table ReceivedData does not have column Contract" in reading.problems["message"][0]


def test_text_in_a_column_of_numbers_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = pl.concat([received(Round="three", Board=board) for board in ("4", "5")])
    reading = read(monkeypatch, frames(ReceivedData=rows))
    assert 2 == len(reading.results)
    assert ["table ReceivedData, column Round: expected a number, got 'three'"] == reading.problems["message"].to_list()


def test_two_sections_with_one_letter_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    sections = pl.DataFrame({"ID": ["1", "2"], "Letter": ["A", "A "]})
    reading = read(monkeypatch, frames(Section=sections, ReceivedData=pl.concat([received(), received(Section="2")])))
    assert ["A", "2"] == reading.results["section"].to_list()
    assert ["bws-section"] == codes(reading.problems)


def test_a_section_that_is_listed_twice_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    sections = pl.DataFrame({"ID": ["1", "1"], "Letter": ["A", "B"]})
    reading = read(monkeypatch, frames(Section=sections))
    assert ["A"] == reading.results["section"].to_list()
    assert ["several sections have the number 1; overtrick treats them as one, A"] == reading.problems[
        "message"
    ].to_list()


def test_a_section_without_a_letter_has_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = read(monkeypatch, frames(Section=pl.DataFrame({"ID": ["1"], "Letter": [" "]})))
    assert ["1"] == reading.results["section"].to_list()


@pytest.mark.parametrize("seed", range(int(os.environ.get("OVERTRICK_TABLES", "20"))))
def test_no_table_raises(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any column may be missing, and any cell may hold anything; `OVERTRICK_TABLES` sets the number of databases."""
    random = Random(seed)
    tables = {}
    for name, row in TABLES.items():
        columns = [column for column in row if random.random() > 0.1]
        rows = [
            {column: random.choice(ODD) if random.random() < 0.3 else row[column] for column in columns}
            for _ in range(random.choice((0, 1, 5)))
        ]
        if random.random() > 0.1 or name in {"Section", "ReceivedData"}:
            tables[name] = pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String))
    reading = read(monkeypatch, tables)
    assert len(reading.results) == len(tables["ReceivedData"]) or "bws-entered-again" in codes(reading.problems)
