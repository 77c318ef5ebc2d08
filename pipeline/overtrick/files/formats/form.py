"""What a format is: how its files are named, recognised, read and written. `registry.py` lists all formats.

Nothing here imports polars: every command loads it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    import polars as pl

    from overtrick.core.frames import Session
    from overtrick.core.problems import Finding
    from overtrick.files.formats.base import Reading, Small, Written
    from overtrick.files.formats.text import TextBlock


import re

PARTS: Final = (
    *("deals", "auctions", "plays", "comments", "double-dummy tables", "event, place and date", "results"),
    *("contracts", "leads", "rounds", "tables", "sections", "adjusted scores", "split and weighted scores", "names"),
    *("membership numbers", "teams", "carry-overs", "the players of an individual"),
)
"""What a file can hold; each format names those that it carries."""


class TextReader(Protocol):
    """Reads a decoded text block by block; each reading holds whole games, and there is at least one."""

    def __call__(
        self, blocks: "Iterable[TextBlock]", *, encoding: str = "utf-8", verified: bool = False
    ) -> "Iterator[Reading]":
        """Return the readings; `verified` asks for checks against the standard of the format too."""


class Together(NamedTuple):
    """How small files of one kind are read as one text, which saves most of the time that each would take.

    Attributes:
        kind: a name of its own among all kinds of all formats.
        stands_alone: reports whether a text is of this kind: one that means the same whatever texts of its kind come
            before and after it.
        read: reads such files as one text.
        verify: checks the lines and characters of one file against the standard, for readers that do.
    """

    kind: str
    stands_alone: Callable[[str], bool]
    read: "Callable[[Sequence[Small]], Reading]"
    verify: "Callable[[TextBlock, str], list[Finding]] | None" = None


class Format(NamedTuple):
    """How files of one format are named, recognised, read and written, and where in them a record states something.

    Attributes:
        name: as in `frames.SOURCES["format"]`.
        title: the format's name for people.
        carries: the `PARTS` of a session that its files can hold.
        suffixes: endings of its file names; the first one is used for what is written.
        source: where its description is public, in words for `docs/formats.md`.
        packed: whether its files are zip archives, whose contents may look like another format.
        called: the name by which people look for it, where it differs from `name`.
        writes: the `PARTS` that its written files hold, where these are fewer than `carries`.
        recognises: reports whether the first `find.HEAD` bytes of a file are of this format.
        read: reads all bytes of a file; nothing in them makes it raise.
        read_text: reads a text of any length instead, for formats that are text.
        together: returns how small files are read together, by kind, for formats that come in many small files.
        write: writes a session; `Written.problems` names what the format cannot hold.
        export: writes it in the strict form of the format's standard, where there is one.
        locate: finds where records state one of their columns, as `formats.locate.locate` describes it.
        locate_cells: finds where lines of results, `row record source line column`, state a column of
            `frames.RESULTS`, and returns `row line column`; `stated_points_ns` and `stated_score_ns` mean both sides.
        first_card_leads: whether the first card of a play is the opening lead; in PBN it is that of the first column.
        supersedes: by code that the reader reports, the codes by which a later check of a record would repeat it.
        in_folders: whether all files with these suffixes are read when a folder is given; else those it recognises.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    read: "Callable[[bytes], Reading] | None" = None
    read_text: TextReader | None = None
    together: Callable[[], tuple[Together, ...]] | None = None
    write: "Callable[[Session], Written] | None" = None
    export: "Callable[[Session], Written] | None" = None
    locate: "Callable[[Session, pl.Series, str], pl.DataFrame] | None" = None
    locate_cells: "Callable[[Session, pl.DataFrame, str], pl.DataFrame] | None" = None
    first_card_leads: bool = False
    supersedes: Mapping[str, Sequence[str]] = MappingProxyType({})
    in_folders: bool = True
    carries: tuple[str, ...] = ()
    source: str = ""
    packed: bool = False
    called: str = ""
    writes: tuple[str, ...] = ()

    @property
    def is_read(self) -> bool:
        """Whether overtrick reads files of this format."""
        return self.read is not None or self.read_text is not None

    @property
    def holds(self) -> tuple[str, ...]:
        """The parts that files of this format hold when overtrick writes them."""
        return self.writes or self.carries


class Functions(NamedTuple):
    """Functions of a format that come from the same modules; each is described at `Format`."""

    recognises: Callable[[bytes], bool] | None = None
    read: "Callable[[bytes], Reading] | None" = None
    read_text: TextReader | None = None
    write: "Callable[[Session], Written] | None" = None
    locate: "Callable[[Session, pl.Series, str], pl.DataFrame] | None" = None
    locate_cells: "Callable[[Session, pl.DataFrame, str], pl.DataFrame] | None" = None


def begins(pattern: bytes) -> Callable[[bytes], bool]:
    """Return what recognises the files that begin as a regular expression says, after the mark of UTF-8 if need be."""
    form = re.compile(rb"(?:\xef\xbb\xbf)?(?:" + pattern + rb")")
    return lambda head: form.match(head) is not None


def make_format(
    name: str,
    title: str,
    *suffixes: str,
    offers: str = "read",
    **facts: Any,  # noqa: ANN401 - what the fields hold
) -> Callable[[Callable[[], Functions]], Format]:
    """Return what makes a format of a function that imports what its files need; the first call of any of it does that.

    Args:
        name: as in `Format`.
        title: as in `Format`.
        suffixes: as in `Format`.
        offers: the fields of `Functions` that the function returns, besides `recognises` where `facts` has none.
        facts: other fields of `Format`.
    """

    def make(load: Callable[[], Functions]) -> Format:
        loaded = cache(load)

        def late(role: str) -> Callable[..., Any]:
            def call(*values: object, **options: object) -> Any:  # noqa: ANN401 - whatever the function returns
                return getattr(loaded(), role)(*values, **options)

            return call

        functions = {role: late(role) for role in ("recognises", *offers.split())}
        return Format(name, title, suffixes, **(functions | facts))

    return make


_MAY_BE_PBN: Final = re.compile(
    rb"\[\s*[A-Za-z][A-Za-z0-9_]*\s*\"|^[^\S\n]*\[[A-Za-z][A-Za-z0-9_]*(?:[ \t]|$)|\A\s*(?:[%;]|\Z)", re.MULTILINE
)
"""A tag anywhere, if need be a broken one; else an escape line or a comment at the start, or nothing at all."""


def may_be_pbn(text: bytes) -> bool:
    """Report whether a text in UTF-8 that no format recognises can be read as PBN: a tag, or nothing but comments."""
    return _MAY_BE_PBN.search(text.removeprefix(b"\xef\xbb\xbf").replace(b"\x00", b"")) is not None
