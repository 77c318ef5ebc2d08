"""Players named as they wish in everything that is published: the one place that makes a `PublicSession`.

The schema of a frame says of each column whether it can hold a name, and so how the name is taken out of it. `player`,
`names` (of a pair), `substitutes` and `identity` (of a contestant, perhaps by name) are names, and get other ones.
`label` and `file` get another value if they hold a name. `text` is left out then, and of `row` the whole row. A `title`
stays. A `number` of a member never leaves, nor what files say of them. In texts a `Crowd` finds who may be named.
"""

import html
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from pathlib import PurePath
from typing import Any, Final

import polars as pl

from overtrick.core import frames
from overtrick.core.config.members import Member
from overtrick.core.config.site import Naming, Privacy
from overtrick.core.contestants import is_told_apart, name_contestant, split_players
from overtrick.core.frames import FRAMES, Column, Corrections, Holds, Problems, Schema, Session
from overtrick.core.machine import resource
from overtrick.core.notation import BETWEEN, is_number, natural
from overtrick.core.problems import CODES
from overtrick.core.words import fold_letters
from overtrick.judge.people.identity import (
    APOSTROPHES,
    HIDDEN,
    STRICTEST_FIRST,
    Wishes,
    fold_name,
    is_person,
    list_doubts,
    split_pair,
)

_BETWEEN_SUBSTITUTES: Final = "; "
_OF_NAMES: Final = ("name", "player", "substitute")
"""Kinds of correction whose texts are names."""

_KEPT: Final = ("Annotator", "Note", "OptimumScore", "DoubleDummyTricks", "OptimumResultTable")
"""Tags that pages and files need beside the frames."""

_WITHHELD: Final = "Not shown, because it names somebody who does not wish to be named."


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


@dataclass(frozen=True, eq=False, repr=False)
class PublicSession(Session):
    """A session in which players are named as they wish. Whatever is published is made from one.

    Attributes:
        crowd: who is not named in full.
        doubts: what the scorer should look at, with the names as the files have them.
        rename: returns how pages write the names in a text of nothing else.
    """

    crowd: Crowd = field(default_factory=lambda: Crowd((), ()))
    doubts: tuple[str, ...] = ()
    rename: Callable[[str], str] = str


def apply_privacy(
    session: Session, privacy: Privacy, members: Sequence[Member] = (), *, word: str = "No."
) -> PublicSession:
    """Name players as `[privacy]` and `members.csv` say, in every frame, and remove all membership numbers.

    Initials are `A. M.`, a hidden name is `…`, and a number is that of the pair with `word` before it, `No. 3`. A pair
    whose players are all numbers or hidden goes by its own number, where it has one. Contestants stay distinct: of two
    with the same new name, the second gets `(2)`.
    """
    numbers = _list_numbers(session)
    contestants = session.contestants.with_columns(
        pl.lit(None, frames.CONTESTANTS[name].dtype).alias(name) for name in _list_columns("number")
    )
    session = replace(session, contestants=contestants)
    wishes = Wishes(privacy, members)
    if wishes.is_plain:
        return _publish(session)
    names = _Names(session, wishes, numbers, word)
    renamed = _rename_all(session, names) if names.crowd.spellings else session
    return _publish(renamed, crowd=names.crowd, doubts=names.list_doubts(), rename=names.rename_pair)


def _publish(session: Session, **more: Any) -> PublicSession:  # noqa: ANN401 - further fields of the class
    return PublicSession(**{part.name: getattr(session, part.name) for part in fields(Session)}, **more)


class _Names:
    """How the texts of a session are written, by what their columns hold."""

    def __init__(self, session: Session, wishes: Wishes, numbers: Mapping[str, Sequence[str]], word: str) -> None:
        self._word = word
        teams = {*_collect(session, ("home_team", "visit_team", "team_ns", "team_ew", "team", "opponents"))}
        players = _list_players(session, teams)
        numbered = _find_all(wishes, [name for name in players if any(numbers.get(name, ()))], numbers)
        # Whose number one file states is known by name in all.
        known = {name: naming for name, naming in numbered.items() if naming != wishes.find(name)}
        self._wishes = wishes.with_names(known) if known else wishes
        self.named = _find_all(self._wishes, players, numbers)
        strict = [name for name, naming in self.named.items() if naming != "full"]
        self._players = _number_players(session, players)
        self._titles = _collect(session, _list_columns("title"))
        pairs = [split_players(text) for text in _collect(session, _list_columns("identity")) if text not in teams]
        partners = {name for pair in pairs if len(pair) > 1 for name in pair}
        named = self.named | _find_all(self._wishes, partners - self.named.keys(), numbers)
        visible = [name for name, naming in named.items() if naming == "full"]
        self.crowd = Crowd([*strict, *wishes.hidden], visible, self._titles)

    def list_doubts(self) -> tuple[str, ...]:
        """Return what a scorer should decide: names that may be somebody's who is hidden, and titles that name one."""
        return (*list_doubts(self._wishes, self.named), *self.crowd.list_doubts())

    def rename_player(self, name: str) -> str:
        """Return how pages name a player."""
        stated = self._wishes.find_stated(name) if is_person(name) else None
        naming = self.named.get(name) or stated or "full"
        match naming:
            case "full":
                return name
            case "initials":
                return " ".join(f"{word[0]}." for word in name.split())
            case "number" if name in self._players:
                return f"{self._word} {self._players[name]}"
            case _:
                return HIDDEN

    def rename_pair(self, text: str) -> str:
        """Return the new names of the players of a text; a text that names somebody otherwise is hidden as a whole."""
        players = split_players(text)
        renamed = [self.rename_player(player) for player in players]
        new = text if renamed == list(players) else BETWEEN.join(renamed)
        return HIDDEN if self.crowd.names(new) else new

    def rename_names(self, text: str, identities: Mapping[str, str]) -> str | None:
        """Return the new names of a pair; None if it names no player, so that pages show the pair's number."""
        if text in identities:
            return identities[text]
        new = self.rename_pair(text)
        alone = all(self.named.get(player, "full") in {"number", "hidden"} for player in split_players(text))
        return None if alone else new

    def rename_substitutes(self, text: str) -> str:
        """Return `… - Bo Beck; ...` of who played for whom."""
        return _BETWEEN_SUBSTITUTES.join(self.rename_pair(pair) for pair in text.split(_BETWEEN_SUBSTITUTES))

    def rename_label(self, text: str) -> str:
        """Return a label, hidden if it names somebody; of a ranking, only its section."""
        if not self.crowd.names(text, ours=True):
            return text
        of_ranking = re.fullmatch(r".+( (?:NS|EW|all))", text)
        return HIDDEN + (of_ranking[1] if of_ranking else "")

    def rename_file(self, text: str) -> str:
        """Return the name of a file, without its name if that names somebody."""
        path = PurePath(text)
        return f"{HIDDEN}{path.suffix}" if self.crowd.names(text, ours=True) else text

    def keep_text(self, text: str) -> str | None:
        """Return a text that names nobody who is hidden; None for another one."""
        return None if self.crowd.names(text) else text


def _find_all(wishes: Wishes, players: Iterable[str], numbers: Mapping[str, Sequence[str]]) -> dict[str, Naming]:
    """Return how to name each player; the strictest wish if several people have the name."""
    return {
        name: min((wishes.find(name, number) for number in numbers.get(name, [""])), key=STRICTEST_FIRST.index)
        for name in players
    }


def _rename_all(session: Session, names: _Names) -> Session:
    """Return a session with every column as its schema says."""
    identities = _make_distinct(_collect(session, _list_columns("identity")), names.rename_pair)
    labels = _make_distinct(_collect(session, _list_columns("label")), names.rename_label)
    files = _make_distinct(_collect(session, _list_columns("file")), names.rename_file)
    work: dict[Holds, Callable[[str], str | None]] = {
        "player": names.rename_pair,
        "names": partial(names.rename_names, identities=identities),
        "substitutes": names.rename_substitutes,
        "identity": lambda text: identities[text],
        "label": lambda text: labels[text],
        "file": lambda text: files[text],
        "text": names.keep_text,
        "row": names.keep_text,
    }
    renamed = {
        name: _rename_frame(getattr(session, name), frames.FRAMES[name], work)
        for name in frames.FRAMES
        if name not in {"items", "corrections", "problems"}
    }
    items = session.items.filter((pl.col("kind") == "comment") | pl.col("name").is_in(_KEPT))
    facts = session.facts
    return replace(
        session,
        **renamed,
        listed=_rename_frame(items, frames.ITEMS, work),
        corrections=_rename_corrections(session.corrections, work, names.crowd),
        problems=_rename_problems(session.problems, work, names.crowd),
        facts=replace(
            facts,
            scoring=names.keep_text(facts.scoring or "") or None,
            evening_of={files.get(file, file): files.get(first, first) for file, first in facts.evening_of.items()},
            kinds={files.get(file, file): kind for file, kind in facts.kinds.items()},
        ),
    )


def _rename_frame(
    frame: pl.DataFrame, schema: Schema, work: Mapping[Holds, Callable[[str], str | None]]
) -> pl.DataFrame:
    for column, about in schema.items():
        rename = work.get(find_kind(about))
        if not rename or frame.is_empty():
            continue
        changed = {text: new for text in frame[column].drop_nulls().unique() if (new := rename(text)) != text}
        if changed and about.told == "row":
            frame = frame.filter(~pl.col(column).is_in(list(changed)).fill_null(value=False))
        elif changed:
            frame = frame.with_columns(pl.col(column).replace(changed))
    return frame


def _rename_corrections(
    corrections: Corrections, work: Mapping[Holds, Callable[[str], str | None]], crowd: Crowd
) -> Corrections:
    """Rename in corrections. Those of names lose their texts, since these also hold the name in the file."""
    of_names = pl.col("kind").is_in(_OF_NAMES)
    neutral = corrections.with_columns(
        pl.when(of_names).then(pl.lit("a name was corrected")).otherwise("what").alias("what"),
        *(pl.when(~of_names).then(name).alias(name) for name in ("before", "after")),
    )
    told = {text: "a correction" for text in neutral["what"].drop_nulls().unique() if crowd.names(text, ours=True)}
    frame = _rename_frame(neutral.with_columns(what=pl.lit(None, pl.String)), frames.CORRECTIONS, work)
    return frame.with_columns(neutral["what"].replace(told))


def _rename_problems(problems: Problems, work: Mapping[Holds, Callable[[str], str | None]], crowd: Crowd) -> Problems:
    """Rename in problems; a message that names somebody who is hidden is left out, and the problem stays."""
    told = {text: _WITHHELD for text in problems["message"].unique() if crowd.names(text, ours=True)}
    hints = {text: "" for text in problems["hint"].drop_nulls().unique() if crowd.names(text, ours=True)}
    labels = {column: about for column, about in frames.PROBLEMS.items() if find_kind(about) != "text"}
    frame = _rename_frame(problems, labels, work)
    return frame.with_columns(pl.col("message").replace(told), pl.col("hint").replace(hints))


def _make_distinct(texts: Iterable[str], rename: Callable[[str], str]) -> dict[str, str]:
    """Return the new text of each; two that would be the same stay distinct by a number."""
    renamed: dict[str, str] = {}
    taken: dict[str, int] = {}
    for text in texts:
        new = rename(text)
        taken[new] = taken.get(new, 0) + 1
        renamed[text] = new if taken[new] == 1 or new == text else f"{new} ({taken[new]})"
    return renamed


def find_kind(column: Column) -> Holds:
    """Return what a column can hold of names: a text any, unless the schema tells what it is."""
    return column.told or ("text" if column.dtype == pl.String else "free")


def _list_columns(*kinds: Holds) -> list[str]:
    columns = [column for schema in frames.FRAMES.values() for column in schema.items()]
    return sorted({name for name, column in columns if find_kind(column) in kinds})


def _collect(session: Session, columns: Iterable[str]) -> list[str]:
    """Return the different texts of columns, in the order of the frames."""
    wanted = {*columns}
    found = [getattr(session, name) for name in frames.FRAMES if name != "items"]
    series = [frame[column].cast(pl.String) for frame in found for column in frame.columns if column in wanted]
    texts: list[str] = pl.concat(series).drop_nulls().unique(maintain_order=True).to_list()
    return texts


def _list_numbers(session: Session) -> dict[str, list[str]]:
    """Return the membership numbers that files state beside each name: several, if several people have the name."""
    numbers: dict[str, list[str]] = {}
    for names, members in session.contestants.select("names", "members").drop_nulls().iter_rows():
        for name, number in split_pair(names, members):
            numbers.setdefault(name, []).append(number)
    return numbers


def _list_players(session: Session, teams: Collection[str]) -> list[str]:
    """Return the names of all players, in natural order."""
    texts = [text for text in _collect(session, _list_columns("player", "names")) if text not in teams]
    texts += [pair for text in _collect(session, ("substitutes",)) for pair in text.split(_BETWEEN_SUBSTITUTES)]
    return sorted({name for text in texts for name in split_players(text) if name.strip()}, key=natural)


def _number_players(session: Session, players: Sequence[str]) -> dict[str, str]:
    """Return the number of each player: that of the pair, or its place in the list where the pair has only names.

    Section and line follow the number where they tell pairs apart: `3 NS`.
    """
    numbers: dict[str, str] = {}
    for frame in (session.standings, session.contestants):
        apart = [pl.when(is_told_apart(frame, by)).then(by).alias(by) for by in ("section", "direction")]
        called = frame.with_columns(apart).select("contestant", "names", called=name_contestant())
        for contestant, names, label in called.drop_nulls().iter_rows():
            people = split_players(names)
            if not set(people) & set(split_players(contestant)):
                numbers |= {name: label for name in people if name not in numbers}
    return {name: numbers.get(name, str(place)) for place, name in enumerate(players, start=1)}
