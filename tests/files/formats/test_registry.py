"""Every entry of the list of formats is in order."""

from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

from overtrick.core.frames import Session
from overtrick.core.problems import CODES
from overtrick.files.formats.base import Reading, Written
from overtrick.files.formats.registry import FORMATS, Format
from overtrick.files.formats.text import TextBlock

GIVEN: dict[str, tuple[tuple[Any, ...], type]] = {
    "recognises": ((b"",), bool),
    "read": ((b"",), Reading),
    "read_text": (([TextBlock("")],), Iterator),
    "together": ((), tuple),
    "write": ((Session(),), Written),
    "export": ((Session(),), Written),
    "locate": ((Session(), pl.Series(dtype=pl.UInt32), "deal"), pl.DataFrame),
    "locate_cells": ((Session(), Session().results.with_row_index("row"), "score_ns"), pl.DataFrame),
}
"""By role, what a function of a format takes, and what it returns."""
FUNCTIONS = [(known, role) for known in FORMATS for role in GIVEN if getattr(known, role)]


@pytest.mark.parametrize(("known", "role"), FUNCTIONS, ids=[f"{known.name} {role}" for known, role in FUNCTIONS])
def test_each_function_of_a_format_is_there_and_takes_what_it_is_given(known: Format, role: str) -> None:
    given, returned = GIVEN[role]
    assert isinstance(getattr(known, role)(*given), returned)


def test_kinds_of_small_files_have_names_of_their_own() -> None:
    kinds = [together.kind for known in FORMATS if known.together for together in known.together()]
    assert len(kinds) == len(set(kinds))


def test_a_format_can_be_read_or_written_and_has_names_of_its_own() -> None:
    assert [] == [known.name for known in FORMATS if not (known.read or known.read_text or known.write)]
    assert len(FORMATS) == len({known.name for known in FORMATS}) == len({known.title for known in FORMATS})
    suffixes = [suffix for known in FORMATS for suffix in known.suffixes]
    assert len(suffixes) == len(set(suffixes))


def test_codes_of_problems_that_formats_name_exist() -> None:
    named = [(code, *repeated) for known in FORMATS for code, repeated in known.supersedes.items()]
    assert set() == {code for codes in named for code in codes} - set(CODES)
