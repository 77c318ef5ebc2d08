"""How a run shows what it does: a callback that is passed along."""

from collections.abc import Callable

Show = Callable[[str, int, int], None]
"""Takes the words for what is done, how much of it is done, and how much there is."""


def show_nothing(_words: str, _done: int, _total: int) -> None:
    """Show nothing: nobody looks on."""
