"""How the values of arguments and options are read: the plain ones at once, the others by typer.

Recent versions of typer read each value with pydantic. To load it takes a tenth of a second, more than all the rest of
the command line.
"""

from pathlib import Path
from typing import Any, Literal, get_args, get_origin


def read_plainly(param: Any) -> Any:  # noqa: ANN401 - a class of typer, by its version
    """Return an argument or option that reads texts, paths and chosen words by itself; in older typers all do so."""
    if not isinstance(getattr(param, "get_runtime_param", None), _Reader | None):
        param.get_runtime_param = _Reader(param.type_descriptor.annotation, param.get_runtime_param)
    return param


class _Reader:
    """Replaces the reader that typer makes for a parameter, and makes that one only for other values."""

    def __init__(self, kind: Any, make: Any) -> None:  # noqa: ANN401 - types, and what typer keeps to itself
        self._kind = kind
        self._make = make

    def __call__(self) -> "_Reader":
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 - as above
        """Return the value of a parameter from what was typed: a text, or a sequence of texts."""
        is_plain = (value is None and param.nargs == 1 and not param.multiple) or (
            get_origin(self._kind) is Literal and value in get_args(self._kind)
        )
        if is_plain:
            return value
        if isinstance(value, str) and self._kind in {str, Path}:
            return self._kind(value)
        if self._kind == list[str] and isinstance(value, list | tuple) and {*map(type, value)} <= {str}:
            return list(value)
        return self._make().coerce(value, param=param, ctx=ctx)
