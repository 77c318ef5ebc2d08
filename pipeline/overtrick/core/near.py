"""The known name that somebody meant who misspelt it, or called it otherwise."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches


def find_near(name: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """Return the known name that a name is most like, by difflib's measure from 0 to 1; None below `likeness`."""
    names = {each.lower().replace("-", "_"): each for each in known}
    near = get_close_matches(name.lower().replace("-", "_"), names, n=1, cutoff=likeness)
    return names[near[0]] if near else None


def ask_near(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean NAME?` with the known name that is nearest; empty without any."""
    near = find_near(name, known)
    return f"; did you mean {near}?" if near else ""


def find_meant(word: str, tried: Mapping[str, str]) -> str | None:
    """Return what a word means: the key of the text that lists it among the words that people try; None without any."""
    return next((meant for meant, words in tried.items() if word.lower() in words.split()), None)
