"""Reading made easy for tests: a text or a fixture in, frames out."""

from contextlib import AbstractContextManager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.bridge.cards import UNKNOWN
from overtrick.core.frames import Session
from overtrick.core.late import get_frame
from overtrick.files.assemble import read
from overtrick.files.formats.base import Reading
from overtrick.files.formats.lin.read import tokens as lin_tokens
from overtrick.files.formats.lin.read.reader import read_lin
from overtrick.files.formats.pbn.read import auctions_and_plays, games, tag_columns
from overtrick.files.formats.pbn.read.reader import read_pbn
from overtrick.files.formats.read import locate_findings
from overtrick.files.formats.text import TextBlock
from overtrick.judge.validate import validate

_NO_PLAYS: dict[str, Any] = {"section": pl.Int64, "codes": pl.List(pl.UInt8), "padding": pl.Int64, "end": pl.String}

FIXTURES = Path(__file__).parents[2] / "fixtures"


def pbn(text: str) -> Reading:
    """Read PBN text as if it stood in a file."""
    return _alone(text)


def pbn_archive(text: str) -> Reading:
    """Read PBN text as if it stood in a long file."""
    with patch.object(games, "LONGEST_EVENING", 0):
        return _made(_alone(text))


def pbn_bodies_by_grammar(text: str) -> Reading:
    """Read PBN text so that lark reads each deal, auction and play, as if none were in plain form."""
    with (
        patch.object(tag_columns, "_read_whole", lambda value: value.clear(len(value))),
        patch.object(auctions_and_plays, "_cards_in_columns", _no_cards),
        patch.object(auctions_and_plays, "_look_up", _no_words),
    ):
        return _made(_alone(text))


def differing(text: str) -> list[str]:
    """List the frames in which the ways of reading a PBN text differ, by the way and the frame."""
    expected = pbn(text)
    return [
        f"{way.__name__}: {field.name}"
        for way in (pbn_archive, pbn_bodies_by_grammar)
        for reading in [way(text)]
        for field in fields(Reading)
        if not get_frame(getattr(expected, field.name)).equals(get_frame(getattr(reading, field.name)))
    ]


def _no_cards(texts: list[str], *_rest: object) -> tuple[npt.NDArray[np.bool_], pl.DataFrame]:
    return np.zeros(len(texts), dtype=np.bool_), pl.DataFrame(schema=_NO_PLAYS)


def _no_words(_buffer: object, start: npt.NDArray[np.int64], *_rest: object) -> npt.NDArray[np.uint8]:
    return np.full(len(start), UNKNOWN, dtype=np.uint8)


def _made(reading: Reading) -> Reading:
    """Make the items now, while the patches hold."""
    return replace(reading, listed=reading.items)


def _alone(text: str, **options: Any) -> Reading:
    whole = text if text.endswith("\n") else text + "\n"
    (reading,) = read_pbn([TextBlock(whole)], **options)
    return reading


def lin(text: str) -> Reading:
    """Read LIN text as if it were a file."""
    return read_lin(text if text.endswith("\n") else text + "\n")


def as_archive() -> AbstractContextManager[object]:
    """Read LIN as in a long file."""
    return patch.object(lin_tokens, "LONGEST_EVENING", 0)


def lin_archive(text: str) -> Reading:
    """Read LIN text as if it were a long file."""
    with as_archive():
        return lin(text)


def verified(text: str, encoding: str = "utf-8") -> pl.DataFrame:
    """Read PBN text as if it stood in a file, hold it against the standard and give the problems."""
    return _alone(text, encoding=encoding, verified=True).problems


def fixture(name: str) -> Session:
    """Read and validate one of our fixtures."""
    return validated(read([str(FIXTURES / name)]))


def validated(session: Session) -> Session:
    """Check a session, and place what was found in its files."""
    return locate_findings(validate(session))


def codes(problems: pl.DataFrame) -> list[str]:
    """Name the problems in their order."""
    return problems["code"].to_list()


def places(problems: pl.DataFrame) -> list[tuple[str, int, int]]:
    """Give code, line and column of each problem."""
    return problems.select("code", "line", "column").rows()
