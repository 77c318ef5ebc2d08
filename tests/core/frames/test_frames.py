"""Frames and their names in signatures."""

from typing import get_args, get_type_hints

import pytest

from overtrick.core.frames import FRAMES, Schema, Session, dtypes


@pytest.mark.parametrize("name", FRAMES)
def test_a_frame_of_a_session_has_the_columns_that_its_type_names(name: str) -> None:
    hints = get_type_hints(Session, include_extras=True) | {
        "items": get_type_hints(vars(Session)["items"].fget, include_extras=True)["return"]
    }
    _, schema = get_args(hints[name])
    columns: Schema = schema
    assert dtypes(columns) == dict(getattr(Session(), name).schema)
