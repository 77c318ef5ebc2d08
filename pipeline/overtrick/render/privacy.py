"""Players named as they wish: a session as it may be published."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.config.site import Naming, Privacy
from overtrick.frames import Session
from overtrick.notation import natural

_BETWEEN: Final = " - "
_HIDDEN: Final = "…"
_PART: Final = re.compile(r"\w{3,}")
"""A part of a name that says whose it is, unlike an initial."""
_SEATS: Final = ("north", "east", "south", "west")
_IDENTITIES: Final = {
    "records": ("pair_ns", "pair_ew"),
    "results": ("ns", "ew", "player_n", "player_e", "player_s", "player_w", "team_ns", "team_ew"),
    "contestants": ("contestant",),
    "standings": ("contestant",),
    "matches": ("team", "opponents"),
    "sheets": ("ns", "ew"),
}
"""Columns that name contestants, some by the names of their players, by frame."""

_NAMES: Final = {"records": _SEATS, "contestants": ("names",), "standings": ("names",)}


def published(session: Session, privacy: Privacy) -> Session:
    """Name players as `[privacy]` says, in every frame; membership numbers go altogether.

    Initials are `A. M.`, a number is `No. 3`, a hidden name `…`. A pair all of whose players are numbers or hidden is
    known by its own number, where it has one. Contestants stay apart: two that would read alike get `(2)`.
    """
    session = replace(session, contestants=session.contestants.with_columns(pl.lit(None, pl.String).alias("members")))
    if privacy.names == "full" and not privacy.players:
        return session
    players = _players(session)
    wishes = {_folded(name): naming for name, naming in privacy.players.items()}
    named = {name: wishes.get(_folded(name), privacy.names) for name in players}
    if all(naming == "full" for naming in named.values()):
        return session
    shown = {name: _shown(name, naming, number) for number, (name, naming) in enumerate(named.items(), start=1)}
    identities = _distinct(_texts(session, _IDENTITIES), shown)
    names = {text: _names(text, shown, named, identities) for text in _texts(session, _NAMES)}
    seats = {text: _joined(text, shown) for text in players}
    changes = {
        name: [pl.col(column).replace(identities) for column in columns] for name, columns in _IDENTITIES.items()
    }
    changes["records"] += [pl.col(column).replace(seats) for column in _SEATS]
    for frame in ("contestants", "standings"):
        changes[frame].append(pl.col("names").replace_strict(names, default=pl.col("names"), return_dtype=pl.String))
    frames = {name: getattr(session, name).with_columns(columns) for name, columns in changes.items()}
    other = {name: text for name, text in shown.items() if name != text}
    frames |= {name: _unsaid(getattr(session, name), other) for name in ("items", "annotations")}
    return replace(session, **frames, problems=_told(session.problems, other))


def _players(session: Session) -> list[str]:
    """List all names of players, in a fixed order."""
    texts = _texts(session, _NAMES)
    return sorted({name for text in texts for name in text.split(_BETWEEN) if name.strip()}, key=natural)


def _texts(session: Session, columns: Mapping[str, Iterable[str]]) -> list[str]:
    series = [getattr(session, frame)[column] for frame, names in columns.items() for column in names]
    texts: list[str] = pl.concat(series).drop_nulls().unique(maintain_order=True).to_list()
    return texts


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _shown(name: str, naming: Naming, number: int) -> str:
    match naming:
        case "full":
            return name
        case "initials":
            return " ".join(f"{word[0]}." for word in name.split())
        case "number":
            return f"No. {number}"
        case "hidden":
            return _HIDDEN


def _joined(text: str, shown: Mapping[str, str]) -> str:
    return _BETWEEN.join(shown.get(name, name) for name in text.split(_BETWEEN))


def _distinct(identities: Iterable[str], shown: Mapping[str, str]) -> dict[str, str]:
    """Rename identities that are names of players, and keep those apart that then read alike."""
    renamed: dict[str, str] = {}
    taken: dict[str, int] = {}
    for text in identities:
        new = _joined(text, shown)
        taken[new] = taken.get(new, 0) + 1
        renamed[text] = new if taken[new] == 1 or new == text else f"{new} ({taken[new]})"
    return renamed


def _names(
    text: str, shown: Mapping[str, str], named: Mapping[str, Naming], identities: Mapping[str, str]
) -> str | None:
    """Rename a pair; nothing where no player of it is named, so that its number stands for it."""
    if text in identities:
        return identities[text]
    unnamed = all(named.get(name, "full") in {"number", "hidden"} for name in text.split(_BETWEEN))
    return None if unnamed else _joined(text, shown)


def _unsaid(written: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    """Leave out comments with a part of the name of somebody who is not named in full."""
    parts = sorted({part for name in names for part in _PART.findall(name)})
    named = pl.col("text").str.contains_any(parts, ascii_case_insensitive=True).fill_null(value=False)
    return written.filter(~((pl.col("kind").cast(pl.String) == "comment") & named))


def _told(problems: pl.DataFrame, shown: Mapping[str, str]) -> pl.DataFrame:
    """Take names out of what is told of problems, longer names first."""
    names = sorted(shown, key=len, reverse=True)
    texts = [shown[name] for name in names]
    return problems.with_columns(
        pl.col(column).str.replace_many(names, texts, leftmost=True) for column in ("message", "hint")
    )
