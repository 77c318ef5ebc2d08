"""Players named as they wish in everything that is published."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.core.config.members import Member
from overtrick.core.config.site import Naming, Privacy
from overtrick.core.frames import Corrections, Session
from overtrick.core.notation import BETWEEN, is_number, natural
from overtrick.judge.people.identity import HIDDEN, STRICTEST_FIRST, Wishes, fold_name, split_pair

_BETWEEN_SUBSTITUTES: Final = "; "
_PART: Final = re.compile(r"\w{3,}")
"""A part of a name that identifies a player, unlike an initial."""
_SEATS: Final = ("north", "east", "south", "west")
_IDENTITIES: Final = {
    "records": ("pair_ns", "pair_ew"),
    "results": ("ns", "ew", "player_n", "player_e", "player_s", "player_w", "team_ns", "team_ew"),
    "contestants": ("contestant",),
    "standings": ("contestant",),
    "matches": ("team", "opponents"),
    "sheets": ("ns", "ew"),
}
"""By frame: columns that identify contestants, in some files by the names of their players."""

_OF_NAMES: Final = ("name", "player", "substitute")
"""Kinds of correction whose texts are names."""

_SUBSTITUTES: Final = {"contestants": ("substitutes",)}
_NAMES: Final = {"records": _SEATS, "contestants": ("names",), "standings": ("names",)}


def apply_privacy(session: Session, privacy: Privacy, members: Sequence[Member] = (), *, word: str = "No.") -> Session:
    """Rename players as `[privacy]` and `members.csv` say, in every frame, and remove all membership numbers.

    Initials are `A. M.`, a hidden name is `…`, and a number is that of the pair with `word` before it, `No. 3`. A pair
    whose players are all numbers or hidden goes by its own number, where it has one. Contestants stay distinct: of two
    with the same new name, the second gets `(2)`.
    """
    numbers = _list_numbers(session)
    session = replace(session, contestants=session.contestants.with_columns(members=pl.lit(None, pl.String)))
    wishes = Wishes(privacy, members)
    if wishes.is_plain:
        return session
    named = _list_wishes(session, wishes, numbers)
    if all(naming == "full" for naming in named.values()):
        return session
    shown = _list_shown(session, named, word)
    changes = _list_changes(session, named, shown)
    frames = {name: getattr(session, name).with_columns(columns) for name, columns in changes.items()}
    other = {name: text for name, text in shown.items() if name != text}
    return replace(
        session,
        **frames,
        listed=_remove_comments(session.items, other),
        annotations=_remove_comments(session.annotations, other),
        corrections=_rename_in_corrections(session.corrections, other),
        problems=session.problems.with_columns(_replace_names(("message", "hint"), other)),
    )


def _list_changes(session: Session, named: Mapping[str, Naming], shown: Mapping[str, str]) -> dict[str, list[pl.Expr]]:
    """Return the changed columns of each frame, where they hold nothing but names and identities."""
    identities = _rename_identities(_collect_texts(session, _IDENTITIES), shown)
    names = {text: _rename_names(text, shown, named, identities) for text in _collect_texts(session, _NAMES)}
    seats = {text: _rename_pair(text, shown) for text in named}
    substitutes = {text: _rename_substitutes(text, shown) for text in _collect_texts(session, _SUBSTITUTES)}
    changes = {name: [pl.col(*columns).replace(identities)] for name, columns in _IDENTITIES.items()}
    changes["records"].append(pl.col(*_SEATS).replace(seats))
    changes["contestants"].append(pl.col("substitutes").replace(substitutes))
    for frame in ("contestants", "standings"):
        changes[frame].append(pl.col("names").replace_strict(names, default=pl.col("names"), return_dtype=pl.String))
    return changes


def list_new_names(
    session: Session, privacy: Privacy, members: Sequence[Member] = (), *, word: str = "No."
) -> dict[str, str]:
    """Return how pages name the players who are not named in full, also those whom only the settings name."""
    wishes = Wishes(privacy, members)
    named = _list_wishes(session, wishes, _list_numbers(session))
    known = {fold_name(name) for name in named}
    others = [name for name in privacy.players if not is_number(name)] + [
        name for member in members for name in member.names
    ]
    named |= {name: wishes.find(name, "") for name in others if fold_name(name) not in known}
    return {name: new for name, new in _list_shown(session, named, word).items() if name != new}


def list_nobody(session: Session, privacy: Privacy, members: Sequence[Member] = ()) -> list[str]:
    """Return the names and numbers in `[privacy.players]` that belong to no player of a session and to no member."""
    numbers = _list_numbers(session)
    mentions = [(name, number) for name, known in numbers.items() for number in known]
    return Wishes(privacy, members).list_unused([*mentions, *((name, "") for name in _list_players(session))])


def _list_wishes(session: Session, wishes: Wishes, numbers: Mapping[str, Sequence[str]]) -> dict[str, Naming]:
    """Return by player how to name each one; the strictest wish if several people have the name."""
    return {
        name: min((wishes.find(name, number) for number in numbers.get(name, [""])), key=STRICTEST_FIRST.index)
        for name in _list_players(session)
    }


def _list_shown(session: Session, named: Mapping[str, Naming], word: str) -> dict[str, str]:
    numbers = _number_players(session, [*named])
    return {name: _rename_player(name, naming, f"{word} {numbers[name]}") for name, naming in named.items()}


def _list_numbers(session: Session) -> dict[str, list[str]]:
    """Return the membership numbers that files state beside each name: several, if several people have the name."""
    numbers: dict[str, list[str]] = {}
    for names, members in session.contestants.select("names", "members").drop_nulls().iter_rows():
        for name, number in split_pair(names, members):
            numbers.setdefault(name, []).append(number)
    return numbers


def _list_players(session: Session) -> list[str]:
    """Return the names of all players, in natural order."""
    texts = _collect_texts(session, _NAMES)
    texts += [pair for text in _collect_texts(session, _SUBSTITUTES) for pair in text.split(_BETWEEN_SUBSTITUTES)]
    return sorted({name for text in texts for name in text.split(BETWEEN) if name.strip()}, key=natural)


def _collect_texts(session: Session, columns: Mapping[str, Iterable[str]]) -> list[str]:
    series = [getattr(session, frame)[column] for frame, names in columns.items() for column in names]
    texts: list[str] = pl.concat(series).drop_nulls().unique(maintain_order=True).to_list()
    return texts


def _number_players(session: Session, players: Sequence[str]) -> dict[str, str]:
    """Return the number of each player: that of the pair, or its place in the list where the pair has only names."""
    numbers: dict[str, str] = {}
    for frame in (session.standings, session.contestants):
        for contestant, names in frame.select("contestant", "names").drop_nulls().iter_rows():
            people = names.split(BETWEEN)
            if not set(people) & set(contestant.split(BETWEEN)):
                numbers |= {name: contestant for name in people if name not in numbers}
    return {name: numbers.get(name, str(place)) for place, name in enumerate(players, start=1)}


def _rename_player(name: str, naming: Naming, number: str) -> str:
    match naming:
        case "full":
            return name
        case "initials":
            return " ".join(f"{word[0]}." for word in name.split())
        case "number":
            return number
        case "hidden":
            return HIDDEN


def _rename_pair(text: str, shown: Mapping[str, str]) -> str:
    return BETWEEN.join(shown.get(name, name) for name in text.split(BETWEEN))


def _rename_substitutes(text: str, shown: Mapping[str, str]) -> str:
    return _BETWEEN_SUBSTITUTES.join(_rename_pair(pair, shown) for pair in text.split(_BETWEEN_SUBSTITUTES))


def _rename_identities(identities: Iterable[str], shown: Mapping[str, str]) -> dict[str, str]:
    """Return the new identity of each contestant; two that would be the same stay distinct by a number."""
    renamed: dict[str, str] = {}
    taken: dict[str, int] = {}
    for text in identities:
        new = _rename_pair(text, shown)
        taken[new] = taken.get(new, 0) + 1
        renamed[text] = new if taken[new] == 1 or new == text else f"{new} ({taken[new]})"
    return renamed


def _rename_names(
    text: str, shown: Mapping[str, str], named: Mapping[str, Naming], identities: Mapping[str, str]
) -> str | None:
    """Return the new names of a pair; None if it names no player, so that pages show the pair's number."""
    if text in identities:
        return identities[text]
    unnamed = all(named.get(name, "full") in {"number", "hidden"} for name in text.split(BETWEEN))
    return None if unnamed else _rename_pair(text, shown)


def _remove_comments(written: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    """Remove comments that hold a part of the name of anybody who is not named in full."""
    parts = sorted({part for name in names for part in _PART.findall(name)})
    named = pl.col("text").str.contains_any(parts, ascii_case_insensitive=True).fill_null(value=False)
    return written.filter(~((pl.col("kind").cast(pl.String) == "comment") & named))


def _rename_in_corrections(corrections: Corrections, shown: Mapping[str, str]) -> Corrections:
    """Replace names in corrections. Those of names lose their texts, since these also hold the name in the file."""
    of_names = pl.col("kind").is_in(_OF_NAMES)
    neutral = corrections.with_columns(
        pl.when(of_names).then(pl.lit("a name was corrected")).otherwise("what").alias("what"),
        *(pl.when(~of_names).then(name).alias(name) for name in ("before", "after")),
    )
    return neutral.with_columns(_replace_names(("what", "why", "who", "before", "after", "pair"), shown))


def _replace_names(columns: Iterable[str], shown: Mapping[str, str]) -> list[pl.Expr]:
    """Replace names in columns of text, longer names first."""
    names = sorted(shown, key=len, reverse=True)
    texts = [shown[name] for name in names]
    return [pl.col(column).str.replace_many(names, texts, leftmost=True) for column in columns]
