"""The items of a session, listed when something first asks for them.

A LIN file of 100,000 boards has six million commands, and a PBN file two million tags and sections. Most of what
overtrick does never looks at them. Listing them all the same makes reading 100,000 boards of PBN 34 % slower and of LIN
40 % slower, and takes more memory than all other frames together.
"""

from collections.abc import Callable, Collection
from threading import Lock
from typing import Final, TypeVar

import polars as pl

MOST_NAMES: Final = 2000
"""More names than formats have; a hostile file may have millions."""

_Frame = TypeVar("_Frame", bound="pl.DataFrame | Late")


class Late:
    """A frame that is made when something first asks for it.

    Attributes:
        names: what its column `name` can hold; None if that is not known before the frame is made.
    """

    def __init__(self, make: Callable[[], pl.DataFrame], names: Collection[str] | None = None) -> None:
        """Keep the function that makes the frame. More than `MOST_NAMES` names are not remembered."""
        self.names = frozenset(names) if names is not None and len(names) <= MOST_NAMES else None
        self._make: Callable[[], pl.DataFrame] | None = make
        self._frame = pl.DataFrame()
        self._lock = Lock()

    @property
    def frame(self) -> pl.DataFrame:
        """The frame. Of several threads that ask for it at once, the first makes it."""
        with self._lock:
            if self._make is not None:
                self._frame = self._make()
                # What it was made from can be large.
                self._make = None
        return self._frame

    @property
    def is_made(self) -> bool:
        """Whether something has asked for the frame."""
        return self._make is None

    def __reduce__(self) -> tuple[type["Late"], tuple[Callable[[], pl.DataFrame]]]:
        """Let other processes get the frame."""
        return Late, (self.frame.clone,)


def get_frame(frame: pl.DataFrame | Late) -> pl.DataFrame:
    """Return a frame, which is made if need be."""
    return frame.frame if isinstance(frame, Late) else frame


def change(frame: _Frame, work: Callable[[pl.DataFrame], pl.DataFrame]) -> _Frame:
    """Return what a function makes of a frame; of a frame that is still to be made, it makes it then."""
    if isinstance(frame, Late):
        return Late(lambda: work(frame.frame), frame.names)  # type: ignore[return-value]  # a Late of a Late
    return work(frame)  # type: ignore[return-value]  # a frame of a frame


def list_names(*frames: pl.DataFrame | Late) -> frozenset[str] | None:
    """Return what the columns `name` of frames can hold that are still to be made; None if that is not known of all."""
    known = [frame.names if isinstance(frame, Late) else None for frame in frames]
    return None if None in known else frozenset().union(*(names for names in known if names is not None))


def may_name(frame: pl.DataFrame | Late, names: Collection[str]) -> bool:
    """Return whether the column `name` holds one of some names; a frame that is still to be made may only hold it."""
    known = frame.names if isinstance(frame, Late) and not frame.is_made else None
    return bool(get_frame(frame)["name"].is_in(list(names)).any()) if known is None else not known.isdisjoint(names)
