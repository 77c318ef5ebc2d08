"""A spelling is one row of the table of words, and every reader has it."""

from collections.abc import Callable, Iterator

import pytest

from overtrick.core.bridge.auction import CALLS
from overtrick.core.bridge.cards import CARDS
from overtrick.core.grammar import _lexer, _terminals
from overtrick.core.words import Dialect, _rows, _shared, all_words, shipped
from overtrick.files.formats.base import Reading
from overtrick.files.formats.csv import read_results_csv
from tests.support.lin_texts import MD
from tests.support.reading import lin, lin_archive

ADDED = [
    *[("strain", "NT", "zz"), ("strain", "S", "pp"), ("rank", "T", "zehn"), ("seat", "N", "oben")],
    *[("call", "Pass", "weiter"), ("call", "X", "doppel"), ("outcome", "passed out", "alle weiter")],
    *[("vulnerability", "All", "beide"), ("column", "board", "tisch und brett")],
]
CACHES = (shipped, _shared, Dialect.words, all_words, _lexer, _terminals)


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    rows = [*_rows(), *((kind, meaning, "english", [word]) for kind, meaning, word in ADDED)]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "added-words"))
    monkeypatch.setattr("overtrick.core.words._rows", lambda: rows)
    for cache in CACHES:
        cache.cache_clear()
    yield
    monkeypatch.undo()
    for cache in CACHES:
        cache.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("way", [lin, lin_archive])
def test_calls_and_cards_of_lin(way: Callable[[str], Reading]) -> None:
    record = way(f"{MD}mb|1PP|mb|weiter|mb|1ZZ|mb|doppel|mb|p|mb|p|mb|p|pg||pc|Szehn|").records
    assert "1S Pass 1NT X Pass Pass Pass".split() == [CALLS[code] for code in record["calls"][0]]
    assert CARDS.index("ST") in record["cards"][0].to_list()


@pytest.mark.parametrize("way", [lin, lin_archive])
def test_deals_sides_and_results_of_lin(way: Callable[[str], Reading]) -> None:
    deal = "1PPAKQHAKQDAKQCAKQJ,PPJzehn98HJT98DJT98CT,PP765H765D765C9876"
    listed = "vg|Cup,Final,I,1,1,Reds,0,Blues,0|\nrs|3ZZoben=,alle weiter|\n"
    reading = way(f"{listed}qx|o1|md|{deal}|sv|beide|mb|3NN|mb|p|mb|p|mb|p|pg||\n")
    record = reading.records.row(0, named=True)
    assert ("All", 3, "NT", "N", 9) == tuple(record[name] for name in "vulnerable level strain declarer tricks".split())
    assert "N:765.765.765.9876 432.432.432.5432 AKQ.AKQ.AKQ.AKQJ JT98.JT98.JT98.T" == record["deal"]
    assert [3, 0] == reading.records["level"].to_list()


def test_cells_of_tables() -> None:
    cells = "tisch und brett,ns,ew,contract,declarer,tricks,vulnerable,lead\n1,1,2,3ZZ,oben,=,beide,PPzehn\n"
    reading = read_results_csv((cells + "1,3,4,alle weiter,,,beide,\n").encode())
    shown = reading.results.select("board", "level", "strain", "declarer", "lead", "vulnerable").rows()
    assert [(3, "NT", "N", "ST", "All"), (0, None, None, None, "All")] == [row[1:] for row in shown]
    assert [] == reading.problems.filter(severity="warning")["message"].to_list()
