"""A Bridgemate database for tests: an Access file's first bytes, and a helper that prints tables given as CSV."""

import stat
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

HEAD = b"\x00\x01\x00\x00Standard Jet DB\x00".ljust(2048, b"\x00")
"""One page, so that the file does not look cut off."""

SECTION = "ID,Letter,Tables\n1,A  ,2\n"
RECEIVED = "ID,Section,Table,Round,Board,PairNS,PairEW,Declarer,NS/EW,Contract,Result,LeadCard,Remarks,Erased"
MOVEMENT = "Section,Table,Round,NSPair,EWPair,LowBoard,HighBoard,CustomBoards"

_HELPER = """#!{python}
import pathlib, sys
table = pathlib.Path({folder!r}) / (sys.argv[-1] + ".csv")
if not table.exists():
    sys.exit(1)
sys.stdout.buffer.write(table.read_bytes())
"""


def received(*rows: str) -> str:
    return "\n".join([RECEIVED, *rows]) + "\n"


def movement(*rows: str) -> str:
    return "\n".join([MOVEMENT, *rows]) + "\n"


def install_helper(folder: Path, patch: pytest.MonkeyPatch, tables: Mapping[str, str]) -> None:
    """Put a program in the place of `mdb-export` that prints these tables."""
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    helper = folder / "mdb-export"
    helper.write_text(_HELPER.format(python=sys.executable, folder=str(folder)), encoding="utf-8")
    helper.chmod(helper.stat().st_mode | stat.S_IXUSR)
    patch.setenv("PATH", str(folder))
