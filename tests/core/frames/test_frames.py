"""Frames and their names in signatures."""

from dataclasses import fields
from typing import get_args, get_type_hints

import pytest

from overtrick.core.frames import Schema, Session, dtypes

NAMES = [field.name for field in fields(Session) if field.name != "facts"]


@pytest.mark.parametrize("name", NAMES)
def test_a_frame_of_a_session_has_the_columns_that_its_type_names(name: str) -> None:
    _, schema = get_args(get_type_hints(Session, include_extras=True)[name])
    columns: Schema = schema
    assert dtypes(columns) == dict(getattr(Session(), name).schema)
