"""Frames that are made when something first looks at them.

A LIN file of 100,000 boards has six million commands, and a PBN file two million tags and sections. To list them takes
time, and more memory than all other frames together, and most of what overtrick does never looks at the list.
"""

from collections.abc import Callable, Collection
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

import polars as pl

MOST_NAMES: Final = 2000
"""More names than formats have; a hostile file may have millions."""

_MAKING: Final = RLock()
"""Held by the thread that makes a frame, so that a frame is made once."""


class LateFrame(pl.DataFrame):
    """A frame that is made when something first looks at it, and is then like any other."""

    names: frozenset[str] | None = None
    """What its column `name` can hold, where that is known before it is made."""
    _make: Callable[[], pl.DataFrame] | None = None
    _made: Any = None

    if not TYPE_CHECKING:
        # All that a frame of polars does, it does with `_df`.

        @property
        def _df(self):  # noqa: ANN202
            if self._make is not None:
                with _MAKING:
                    if self._make is not None:
                        self._made = self._make()._df  # noqa: SLF001
                        self._make = None
            return self._made

        @_df.setter
        def _df(self, made) -> None:  # noqa: ANN001
            self._made = made

        @classmethod
        def _from_pydf(cls, py_df):  # noqa: ANN001, ANN206
            return pl.DataFrame._from_pydf(py_df)  # noqa: SLF001

    @property
    def is_made(self) -> bool:
        """Whether something has looked at it."""
        return self._make is None


def make_late(make: Callable[[], pl.DataFrame], names: Collection[str] | None = None) -> pl.DataFrame:
    """Return the frame that a function returns; it is called once, when something first looks at the frame.

    Args:
        make: the function.
        names: what its column `name` can hold, remembered up to `MOST_NAMES` of them; None if that is not known.
    """
    frame = LateFrame.__new__(LateFrame)
    frame.names = frozenset(names) if names is not None and len(names) <= MOST_NAMES else None
    frame._make = make
    return frame


def is_late(frame: pl.DataFrame) -> bool:
    """Return whether a frame is still to be made."""
    return isinstance(frame, LateFrame) and not frame.is_made


def change(frame: pl.DataFrame, work: Callable[[pl.DataFrame], pl.DataFrame]) -> pl.DataFrame:
    """Return what a function makes of a frame; of a frame that is still to be made, it makes it then."""
    return make_late(lambda: work(frame), list_names(frame)) if is_late(frame) else work(frame)


def list_names(*frames: pl.DataFrame) -> frozenset[str] | None:
    """Return what the columns `name` of frames can hold that are still to be made; None if that is not known of all."""
    known = [frame.names if isinstance(frame, LateFrame) else None for frame in frames]
    return None if None in known else frozenset().union(*(names for names in known if names is not None))


def may_name(frame: pl.DataFrame, names: Collection[str]) -> bool:
    """Return whether the column `name` holds one of some names; a frame that is still to be made may only hold it."""
    known = list_names(frame) if is_late(frame) else None
    return bool(frame["name"].is_in(list(names)).any()) if known is None else not known.isdisjoint(names)
