"""A session whose deals, sides, calls, cards and results are in another language."""

from collections.abc import Callable

import pytest

from overtrick.files.formats.base import Reading
from tests.support.reading import lin, lin_archive

SESSION = """vg|Coupe,Finale,I,1,2,Rouges,0,Bleus,0|
rs|4PEX-1,4CN=,Passe,|
pn|Anna,Bela,Carl,Dora,Emil,Fina,Gil,Hugo|
qx|o1|md|3PARD2C65K10943TAV5,PV9876CARDVK2TR43,P10543C10987KARDT102,|sv|{sides}|
mb|1K|mb|1P|mb|2C|mb|4P|mb|Contre|mb|Passe|mb|Passe|mb|Passe|pc|CA|pc|C4|pg||
"""


@pytest.mark.parametrize("way", [lin, lin_archive])
def test_a_french_session(way: Callable[[str], Reading]) -> None:
    reading = way(SESSION.format(sides="Tous"))
    stated = reading.records.select("board", "room", "level", "strain", "doubled", "declarer", "tricks").rows()
    assert [
        (1, "Open", 4, "S", 1, "E", 9),
        (1, "Closed", 4, "H", 0, "N", 10),
        (2, "Open", 0, None, None, None, None),
    ] == stated
    assert ["N:T543.T987.AKQ.T2 .432.J8765.Q9876 AKQ2.65.T943.AJ5 J9876.AKQJ.2.K43"] * 2 == reading.records["deal"][
        :2
    ].to_list()
    assert [] == reading.problems["message"].to_list()


@pytest.mark.parametrize(
    ("sides", "vulnerable"),
    [
        *[("Personne", "None"), ("Niemand", "None"), ("obie", "All"), ("Alle", "All"), ("E-O", "EW"), ("NZ", "NS")],
        *[("None", "None"), ("All", "All"), ("o", "None"), ("N", "NS"), ("e", "EW"), ("b", "All"), ("s", "None")],
    ],
)
def test_words_for_sides(sides: str, vulnerable: str) -> None:
    assert vulnerable == lin(SESSION.format(sides=sides)).records["vulnerable"][0]
