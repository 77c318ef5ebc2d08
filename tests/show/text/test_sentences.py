"""Sentences about changes in other languages."""

import pytest

pytest.importorskip("babel", reason="the extra `languages` is not installed")

from overtrick.core.languages import open_language
from overtrick.show.text.sentences import translate_sentence


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("4♠ by N: 10 tricks in place of 9", "4♠ par N : 10 levées au lieu de 9"),
        ("3NT by W, 9 tricks in place of 4♠X by E, 1 trick", "3SA par O, 9 levées au lieu de 4♠X par E, 1 levée"),
        ("4♠ by N in place of S", "4♠ par N au lieu de S"),
        ("lead ♦K in place of ♥2", "entame ♦K au lieu de ♥2"),
        ("+420 for N-S in place of +450", "+420 pour N-S au lieu de +450"),
        ("3 against 6: 60% for N-S and 40% for E-W in place of passed out",
         "3 contre 6 : 60% pour N-S et 40% pour E-O au lieu de passe général"),
        ("3 against 6: 3/4 of +420 and 1/4 of -50 for N-S", "3 contre 6 : 3/4 de +420 et 1/4 de -50 pour N-S"),
        ("pair 3 sat N-S and pair 6 E-W", "la paire 3 était en N-S et la paire 6 en E-O"),
        ("pair 4 in place of 3: 4 against 6: passed out", "la paire 4 au lieu de 3 : 4 contre 6 : passe général"),
        ("Removed: 3 against 6: 4♠ by N, 10 tricks", "Retiré : 3 contre 6 : 4♠ par N, 10 levées"),
        ("Pair 3 loses 0.5 of a top", "La paire 3 perd 0.5 d’un top"),
        ("Pair 3 wins the tie by lot", "La paire 3 gagne le départage au sort"),
        ("Names of pair 2: W. Smith - E. North in place of W. Smyth - E. North",
         "Noms de la paire 2 : W. Smith - E. North au lieu de W. Smyth - E. North"),
        ("Title: Spring Final in place of Spring", "Titre : Spring Final au lieu de Spring"),
        ("fouled: 1, 2 N-S are compared only with each other",
         "donne faussée : 1, 2 N-S ne sont comparées qu’entre elles"),
        ("cards: ♠A to North and ♥K to East", "cartes : ♠A en Nord et ♥K en Est"),
        ("W. Smith", "W. Smith"),
    ],
)  # fmt: skip
def test_a_sentence_is_translated_part_by_part(english: str, french: str) -> None:
    assert french == translate_sentence(open_language("fr"), english)
    assert english == translate_sentence(open_language("en"), english)
    assert "%(" not in translate_sentence(open_language("pl"), english)
