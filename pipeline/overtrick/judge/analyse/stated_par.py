"""Par as files state it: the score, and contracts in the notations of several programs."""

import re
from collections.abc import Mapping
from typing import Final

import polars as pl

from overtrick.core.bridge.cards import STRAINS
from overtrick.core.frames import Session

_SCORES: Final[Mapping[str, str]] = {
    "OptimumScore": r"\bNS\s+(?:[^;]*;\s*)?([+-]?[0-9]{1,5})\b",
    "ParScore": r"^\s*([+-]?[0-9]{1,5})\s*$",
    "Minimax": r"^\s*[1-7](?:NT?|[SHDC])D{0,2}[NESW]{1,2}([+-]?[0-9]{1,5})\s*$",
    "PAR": r'"NS ([+-]?[0-9]{1,5})"',
}
"""Tags with the score for N-S, and the pattern that finds it."""

_EW_SCORE: Final = r"\bEW\s+([+-]?[0-9]{1,5})\b"

_SEATS: Final = "NS|EW|[NESW]"
_BID: Final = r"([1-7])(NT?|[SHDC])"
_CONTRACTS: Final[Mapping[str, tuple[re.Pattern[str], tuple[str, ...]]]] = {
    "ParContract": (
        re.compile(rf"\b({_SEATS})\s+{_BID}([Xx*]{{0,2}})([+-][0-9]{{1,2}}|=)?"),
        ("declarer", "level", "strain", "doubled", "over"),
    ),
    "OptimumContract": (
        re.compile(rf"^{_BID}([Xx*]{{0,2}})\s+({_SEATS})\s+([0-9]{{1,2}})$"),
        ("level", "strain", "doubled", "declarer", "tricks"),
    ),
    "Minimax": (
        re.compile(rf"^{_BID}(D{{0,2}})({_SEATS})[+-]?[0-9]+$"),
        ("level", "strain", "doubled", "declarer"),
    ),
}
"""Tags with contracts, the pattern that finds a contract, and the parts of it in the order of the pattern."""


PAR_TAGS: Final = (*_SCORES, *_CONTRACTS)


def read_par_scores(session: Session) -> pl.DataFrame:
    """Read the par scores that the files state: record, line, column, name (of the tag), stated (Int32, for N-S).

    There is one for each record, the first that can be read. A text of another form stays in the file's items.
    """
    tags = _tags(session, list(_SCORES))
    score = pl.coalesce(
        pl.when(pl.col("name") == name).then(pl.col("text").str.extract(pattern)) for name, pattern in _SCORES.items()
    ).cast(pl.Int32)
    for_ew = pl.when(pl.col("name") == "OptimumScore").then(-pl.col("text").str.extract(_EW_SCORE).cast(pl.Int32))
    read = tags.with_columns(pl.coalesce(score, for_ew).alias("stated")).drop_nulls("stated")
    return read.unique("record", keep="first", maintain_order=True)


def read_par_contracts(session: Session) -> dict[int, list[dict[str, object]]]:
    """Read the par contracts that the files state, by record, in the form of `frames.DOUBLE_DUMMY`."""
    tags = _tags(session, list(_CONTRACTS))
    read: dict[int, list[dict[str, object]]] = {}
    for record, name, text in tags.select("record", "name", "text").iter_rows():
        pattern, parts = _CONTRACTS[name]
        contracts = [
            _contract(dict(zip(parts, match.groups(), strict=True))) for match in pattern.finditer(text.strip())
        ]
        if contracts:
            read.setdefault(record, contracts)
    return read


def _contract(parts: dict[str, str | None]) -> dict[str, object]:
    level, strain, over, tricks = (
        int(parts["level"] or 0),
        parts["strain"] or "",
        parts.get("over"),
        parts.get("tricks"),
    )
    won = int(tricks) if tricks else level + 6 + int(over.replace("=", "0")) if over else None
    return {
        "level": level,
        "strain": next(name for name in STRAINS if name[0] == strain[0]),
        "doubled": len(parts["doubled"] or ""),
        "declarer": parts["declarer"],
        "tricks": won if won is not None and 0 <= won <= 13 else None,
    }


def _tags(session: Session, names: list[str]) -> pl.DataFrame:
    stated = (pl.col("kind") == "tag") & pl.col("name").is_in(names) & pl.col("record").is_not_null()
    return session.items.filter(stated).select("record", "line", "column", "name", "text")
