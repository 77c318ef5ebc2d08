"""Games in other languages: what a word means is data, and the whole text decides its language."""

from collections.abc import Callable

import pytest

from overtrick.core.bridge.auction import CALLS
from overtrick.core.bridge.cards import CARDS
from overtrick.core.words import Club, spoken
from overtrick.files.formats.base import Reading
from tests.support.reading import codes, differing, pbn, pbn_archive

BOTH = pytest.mark.parametrize("read", [pbn, pbn_archive])

FRENCH = """\
[Event "Tournoi du jeudi"]
[Board "1"]
[North "Alix Bruyère"]
[Dealer "N"]
[Vulnerable "Personne"]
[Deal "O:876.5432.8765.43 ARD2.V109.432.A65 543.876.RDV.RDV2 V109.ARD.A109.987"]
[Declarer "N"]
[Contract "3SA"]
[Result "9"]
[Encheres "N"]
1SA Passe 3SA Contre
Surcontre Passe Passe Passe
[Jeu "E"]
TR T7 T3 T5
*

[Board "2"]
[Dealer "E"]
[Declarer "O"]
[Contract "4C"]
[Result "10"]
"""

GERMAN = """\
[Event "Vereinsabend"]
[Board "1"]
[North "Grit Amsel"]
[Dealer "O"]
[Vulnerable "Keiner"]
[Declarer "W"]
[Contract "4H"]
[Result "10"]
[Auction "O"]
Passe Passe 1H Passe
4H Kontra Rekontra Passe
Passe Passe
[Play "N"]
KB KD KA K2
*
"""


def played(reading: Reading) -> tuple[list[str], list[str]]:
    row = reading.records.row(0, named=True)
    return [CALLS[code] for code in row["calls"]], [CARDS[code] for code in row["cards"]]


@BOTH
def test_a_french_file_is_read(read: Callable[[str], Reading]) -> None:
    reading = read(FRENCH)
    records = reading.records
    assert [("N", "N", 3, "NT", 9), ("E", "W", 4, "H", 10)] == (
        records.select("dealer", "declarer", "level", "strain", "tricks").rows()
    )
    assert "N:AKQ2.JT9.432.A65 543.876.KQJ.KQJ2 JT9.AKQ.AT9.987 876.5432.8765.43" == records["deal"][0]
    assert "None" == records["vulnerable"][0]
    assert ("1NT Pass 3NT X XX Pass Pass Pass".split(), "CK C7 C3 C5".split()) == played(reading)
    assert {"pbn-spelling"} == {*codes(reading.problems)}


@BOTH
def test_a_german_file_is_read(read: Callable[[str], Reading]) -> None:
    reading = read(GERMAN)
    assert [("E", "W", 4, "H")] == reading.records.select("dealer", "declarer", "level", "strain").rows()
    assert ("Pass Pass 1H Pass 4H X XX Pass Pass Pass".split(), "DJ DQ DA D2".split()) == played(reading)


@pytest.mark.parametrize("text", [FRENCH, GERMAN])
def test_another_language_reads_the_same_on_both_roads(text: str) -> None:
    assert [] == differing(text)


def test_the_cells_of_tables_are_read_in_the_language_of_the_text() -> None:
    header = '[Board "1"]\n[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result;Lead"]\n'
    results = pbn(header + "1 2 3SA O 9 CR\n3 4 4P N 10 KD\n5 6 4K X N 9 -\n7 8 Passe - - -\n").results
    assert [("NT", "W", "HK"), ("S", "N", "DQ")] == results.select("strain", "declarer", "lead").rows()[:2]


def test_a_slip_in_an_english_file_is_not_another_language() -> None:
    """German reads as many of these values, but the words of PBN are English."""
    text = '[Board "1"]\n[Contract "4C"]\n[Declarer "W"]\n\n[Board "2"]\n[Contract "4S"]\n[Declarer "O"]\n'
    assert [("C", "W"), ("S", None)] == pbn(text).records.select("strain", "declarer").rows()


def test_a_word_that_means_two_things_is_reported() -> None:
    """O is West in French and East in German, and nothing else says which."""
    reading = pbn('[Board "1"]\n[Contract "3SA"]\n[Declarer "O"]\n[Vulnerable "?"]\n')
    assert [("NT", None)] == reading.records.select("strain", "declarer").rows()
    unsure = reading.problems.filter(code="word-unsure")
    assert [3] == unsure["line"].to_list()
    assert "E in German" in unsure["message"].item()


OWN = (
    ("strain", "Zed", "NT"),
    ("seat", "Q", "N"),
    ("call", "Nix", "Pass"),
    ("rank", "Y", "A"),
    ("vulnerability", "Rot", "All"),
    ("section", "Gebote", "Auction"),
    ("section", "Stiche", "Play"),
)


@BOTH
def test_a_spelling_that_is_added_to_each_table_is_read_on_both_roads(read: Callable[[str], Reading]) -> None:
    text = (
        '[Board "1"]\n[Dealer "Q"]\n[Vulnerable "Rot"]\n[Deal "Q:Y... K... Q... J..."]\n'
        '[Gebote "Q"]\n1Zed Nix Nix Nix\n[Stiche "E"]\nSK SQ SJ SY\n'
    )
    assert read(text).records["dealer"][0] is None
    with spoken(Club(words=OWN)):
        reading = read(text)
    row = reading.records.row(0, named=True)
    assert ("N", "All", "N:A... K... Q... J...", 1, "NT", "N") == tuple(
        row[name] for name in ("dealer", "vulnerable", "deal", "level", "strain", "declarer")
    )
    assert ("1NT Pass Pass Pass".split(), "SK SQ SJ SA".split()) == played(reading)
