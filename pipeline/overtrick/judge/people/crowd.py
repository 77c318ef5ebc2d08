"""The people of a session or a season whom a text may name: those who are not named in full, and all others."""

import html
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from overtrick.core.frames import FRAMES
from overtrick.core.machine import resource
from overtrick.core.notation import is_number
from overtrick.core.problems import CODES
from overtrick.core.words import fold_letters
from overtrick.judge.people.identity import APOSTROPHES, fold_name, is_person

_PARTICLES: Final = frozenset(
    "de van von der den het del della da di la le du des dos el al ter ten zu zur bin ibn mac mc st san y e i".split()
)
"""Words of names that are also words of many languages."""


class Crowd:
    """The people of a session: those who are not named in full, and all others, who keep their names."""

    def __init__(self, hidden: Iterable[str], visible: Iterable[str], titles: Iterable[str] = ()) -> None:
        self.spellings = list(dict.fromkeys(tuple(fold_name(name).split()) for name in hidden if is_person(name)))
        parts = {part for words in self.spellings for part in words if len(words) == 1 or _identifies(part)}
        self._parts = _compile_parts(parts, self.spellings)
        others = {fold_name(name) for name in visible} - {" ".join(words) for words in self.spellings}
        near = [name for name in others if " " in name and self._parts.search(name)]
        self._others = _compile_others(near)
        self._shared = {word for name in others for word in name.split()}
        self.titles = [title for title in titles if title and self.names(title, ours=True)]
        self._kept = [re.compile(re.escape(_fold(title))) for title in self.titles]
        self._kept += [_compile_whole(tuple(name.split())) for name in near]

    def list_doubts(self) -> list[str]:
        """Return a sentence for each title that names somebody who is not named in full."""
        stays = "names somebody who is not named in full; it stays as it is"
        return [f'The title "{title}" {stays}.' for title in dict.fromkeys(self.titles)]

    def names(self, text: str, *, ours: bool = False) -> bool:
        """Return whether a text names somebody who is not named in full, even by a part of the name.

        Args:
            text: a part of it that is another player's full name does not count.
            ours: whether overtrick wrote it, so that our own words in it are not names.
        """
        if not self.spellings:
            return False
        folded = fold_name(text)
        if not self._parts.search(folded):
            return False
        rest = self._others.sub(" ", folded) if self._others else folded
        found = set(self._parts.findall(rest))
        if not ours or not all(map(is_own_word, found)):
            return bool(found)
        words = set(rest.split())
        return any(len(spelling) > 1 and words.issuperset(spelling) for spelling in self.spellings)

    def find(self, text: str, ours: str = "", *, in_full: bool = False) -> tuple[str, int] | None:
        """Return whom a text names, and in which line: first and last name together, or a surname of nobody else.

        Args:
            text: of a page, a file or an address.
            ours: the club's own words, folded; they are not surnames.
            in_full: look for first and last name together only, where nobody knows who else has the surname.
        """
        if not self._may_hold(text):
            return None
        plain = self._mask_others(_fold(html.unescape(text) if "&" in text else text))
        for spelling in self.spellings:
            for found in _compile_whole(spelling).finditer(plain):
                return " ".join(spelling), plain.count("\n", 0, found.start()) + 1
            at = None if in_full else self._find_surname(spelling[-1], plain, ours)
            if at is not None:
                return spelling[-1], plain.count("\n", 0, at) + 1
        return None

    def _may_hold(self, text: str) -> bool:
        """Return whether a text holds any surname at all. Most do not, and this is all that they cost."""
        plain = APOSTROPHES.sub("", text.lower().replace("&#39;", "").replace("\u00d7", "x"))
        if any(spelling[-1] in plain for spelling in self.spellings):
            return True
        if plain.isascii():
            return False
        # Letters with accents, with room for a name around each. A search in bytes is much faster than one in letters.
        written = plain.encode("utf-8", "replace")
        near = {
            written[max(0, found.start() - 40) : found.end() + 40].decode("utf-8", "ignore")
            for found in _ACCENTED.finditer(written)
        }
        folded = fold_name(" ".join(near)).replace(" ", "\n")
        return any(spelling[-1] in folded for spelling in self.spellings)

    def _mask_others(self, plain: str) -> str:
        """Return a text with stars for titles that stay and for other players, who may have a surname in common."""
        for pattern in self._kept:
            plain = pattern.sub(lambda found: "*" * len(found[0]), plain)
        return plain

    def _find_surname(self, surname: str, plain: str, ours: str) -> int | None:
        if len(surname) < 3 or surname in self._shared or surname not in plain:
            return None
        found = re.search(rf"(?<![^\W_]){re.escape(surname)}(?![^\W_])", plain)
        if found is None or is_own_word(surname) or re.search(rf"\b{re.escape(surname)}\b", ours):
            return None
        return found.start()


_ACCENTED: Final = re.compile(rb"[\xc3-\xcd\xe1]")
"""The first bytes of letters with accents in UTF-8."""


def _fold(text: str) -> str:
    """Return a text in lower case without accents and apostrophes, with all other signs."""
    return fold_letters(APOSTROPHES.sub("", text))


@lru_cache(maxsize=1024)
def _compile_whole(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds a whole name in a folded text: `ann ashby`, `ashby, ann`, `ann-ashby`, `ann m. ashby`."""
    if len(words) == 1:
        return re.compile(rf"(?<![^\W_]){re.escape(words[0])}(?![^\W_])")
    between = r"(?:%20|, |[\s.,_+-])(?:[^\W_]\.? )?"
    ends = dict.fromkeys((words, words[::-1], (words[0], words[-1]), (words[-1], words[0])))
    orders = "|".join(between.join(map(re.escape, order)) for order in ends)
    return re.compile(rf"(?<![^\W_])(?:{orders})(?![^\W_])")


def _identifies(part: str) -> bool:
    return len(part) > 1 and part not in _PARTICLES and not is_number(part)


def _compile_parts(parts: Iterable[str], spellings: Iterable[tuple[str, ...]]) -> re.Pattern[str]:
    """Return what finds parts of names in a folded text: long ones also within words, such as `ashbys`."""
    joined = {"".join(order) for words in spellings for order in (words, words[::-1]) if len(words) > 1}
    within = {text for text in {*parts, *joined} if len(text) > 4}
    whole = {rf"\b{re.escape(part)}s?\b" for part in parts if len(part) < 4}
    begun = {rf"\b{re.escape(part)}" for part in parts if len(part) == 4}
    patterns = sorted((*map(re.escape, within), *whole, *begun), key=len, reverse=True)
    return re.compile("|".join(patterns) or r"(?!)")


def _compile_others(names: Iterable[str]) -> re.Pattern[str] | None:
    longest = sorted((name.split() for name in names), key=len, reverse=True)
    orders = [re.escape(" ".join(order)) for words in longest for order in (words, words[::-1])]
    return re.compile(rf"\b(?:{'|'.join(orders)})\b") if orders else None


@lru_cache(maxsize=4096)
def is_own_word(word: str) -> bool:
    """Return whether a folded word is one of our pages and messages, in any language."""
    return bool(re.search(rf"\b{re.escape(word)}\b", _read_own_words()))


@lru_cache(maxsize=1)
def _read_own_words() -> str:
    texts = [path.read_text("utf-8") for path in sorted(resource("templates").rglob("*.*"))]
    columns = " ".join(column for schema in FRAMES.values() for column in schema)
    said = (f"{text.sentence} {text.hint}" for code in CODES.values() for text in code.texts)
    return fold_name(" ".join([*texts, columns, *said]))
