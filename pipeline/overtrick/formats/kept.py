"""What files hold, as compressed bytes, for later use in the same run; it takes about as much space as the files."""

import io
import pickle
from collections.abc import Sequence
from typing import Any, cast

import polars as pl

from overtrick.formats.small import Small
from overtrick.frames import Session


def pack(parts: Sequence[Session | Small]) -> bytes:
    """Return parts as `formats.read.read_source` yields them, as bytes."""
    content = io.BytesIO()
    _Packer(content).dump(parts)
    return content.getvalue()


def unpack(content: bytes) -> list[Session | Small]:
    """Return the parts that `pack` was given. The bytes must be of this run: they can hold any Python code."""
    return cast("list[Session | Small]", pickle.loads(content))  # noqa: S301


class _Packer(pickle.Pickler):
    """Compresses frames, which is faster than to write four times as much."""

    def reducer_override(self, value: object) -> Any:  # noqa: ANN401 - as pickle has it
        if not isinstance(value, pl.DataFrame):
            return NotImplemented
        content = io.BytesIO()
        value.write_ipc_stream(content, compression="lz4")
        return _frame, (content.getvalue(),)


def _frame(content: bytes) -> pl.DataFrame:
    return pl.read_ipc_stream(io.BytesIO(content))
