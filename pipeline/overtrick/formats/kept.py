"""What was read, as compressed bytes for later use in the same run; it takes about as much space as the files."""

import io
import pickle
from typing import Any

import polars as pl


def pack(value: object) -> bytes:
    """Return a value that may hold frames, such as the parts that `formats.read.read_source` yields, as bytes."""
    content = io.BytesIO()
    _Packer(content).dump(value)
    return content.getvalue()


def unpack(content: bytes) -> Any:  # noqa: ANN401 - what it was given
    """Return what `pack` was given. The bytes must be of this run: they can hold any Python code."""
    return pickle.loads(content)  # noqa: S301


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
