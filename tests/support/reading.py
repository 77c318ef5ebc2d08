"""Reading made easy for tests: a text or a fixture in, frames out."""

from pathlib import Path
from typing import Any

import polars as pl

from overtrick.core.frames import Session
from overtrick.files.assemble import read
from overtrick.files.formats.base import Reading
from overtrick.files.formats.lin.read.reader import read_lin
from overtrick.files.formats.pbn.read.reader import read_pbn
from overtrick.files.formats.read import locate_findings
from overtrick.files.formats.text import TextBlock
from overtrick.judge.validate import validate

FIXTURES = Path(__file__).parents[2] / "fixtures"


def pbn(text: str, *, shortcut: bool = True) -> Reading:
    """Read PBN text as if it stood in a file."""
    return _alone(text, shortcut=shortcut)


def _alone(text: str, **options: Any) -> Reading:
    whole = text if text.endswith("\n") else text + "\n"
    (reading,) = read_pbn([TextBlock(whole)], **options)
    return reading


def lin(text: str, *, shortcut: bool = True) -> Reading:
    """Read LIN text as if it were a file."""
    return read_lin(text if text.endswith("\n") else text + "\n", shortcut=shortcut)


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
