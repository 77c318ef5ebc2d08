"""The one list of formats: what recognises, reads, writes and locates each of them.

To add a format, write its module or package below `formats/` and add an entry to `FORMATS`. Each function is named by
a reference and loaded when it is first called, so that a run loads only the formats of the files it is given. Nothing
here imports polars: the command line lists the formats in its help.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    import polars as pl

    from overtrick.formats.base import Reading, Written
    from overtrick.formats.small import Small
    from overtrick.formats.text import TextBlock
    from overtrick.frames import Session
    from overtrick.problems import Finding

HEAD: Final = 8192
"""The number of bytes at the start of a file that are enough to recognise its format."""

_BEGINS_AS_PBN: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?:[%;][^\n]*\n|\s)*+\[[A-Za-z0-9_]+[ \t]*+\"")
_MAY_BE_PBN: Final = re.compile(
    rb"\[\s*[A-Za-z][A-Za-z0-9_]*\s*\"|^[^\S\n]*\[[A-Za-z][A-Za-z0-9_]*(?:[ \t]|$)|\A\s*(?:[%;]|\Z)", re.MULTILINE
)
"""A tag anywhere, if need be a broken one; else an escape line or a comment at the start, or nothing at all."""


@dataclass(frozen=True)
class Reference:
    """A function that is imported when it is first called.

    Attributes:
        name: the module below `overtrick.formats` and the function in it, as in `usebio.reader:read_usebio`.
    """

    name: str

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The function itself."""
        module, _, function = self.name.partition(":")
        loaded: Callable[..., Any] = getattr(import_module(f"overtrick.formats.{module}"), function)
        return loaded

    def __call__(self, *arguments: object, **options: object) -> Any:  # noqa: ANN401 - whatever the function returns
        """Call the function."""
        return self.function(*arguments, **options)


class TextReader(Protocol):
    """Reads a decoded text block by block; each reading holds whole games, and there is at least one."""

    def __call__(
        self, blocks: "Iterable[TextBlock]", *, encoding: str = "utf-8", verified: bool = False
    ) -> "Iterator[Reading]":
        """Return the readings; `verified` asks for checks against the standard of the format too."""


@dataclass(frozen=True)
class Together:
    """How small files of one format are read as one text, which saves most of the time that each would take.

    Attributes:
        stands_alone: reports whether a text means the same whatever files stand before and after it.
        read: reads such files as one text.
        verify: checks the lines and characters of one file against the standard, for readers that do.
    """

    stands_alone: Callable[[str], bool]
    read: "Callable[[Sequence[Small]], Reading]"
    verify: "Callable[[TextBlock, str], list[Finding]] | None" = None


@dataclass(frozen=True)
class Format:
    """How files of one format are named, recognised, read and written, and where in them a record states something.

    Attributes:
        name: as in `frames.SOURCES["format"]`.
        title: the format's name for people.
        suffixes: endings of its file names; the first one is used for what is written.
        recognises: reports whether the first `HEAD` bytes of a file are of this format.
        read: reads all bytes of a file; nothing in them makes it raise.
        read_text: reads a text of any length instead, for formats that are text.
        together: how small files are read together, for formats that come in many small files.
        write: writes a session; `Written.problems` names what the format cannot hold.
        export: writes it in the strict form of the format's standard, where there is one.
        locate: finds where records state one of their columns, as `formats.locate.locate` describes it.
        first_card_leads: whether the first card of a play is the opening lead by definition. In PBN it is the card of
            the first column, and only the play shows whose card was led.
        supersedes: by code of a problem that the reader reports, the codes of the problems that a later check of the
            same record would repeat.
        in_folders: whether all files with these suffixes are read when a folder is given; else those it recognises.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    read: "Callable[[bytes], Reading] | None" = None
    read_text: TextReader | None = None
    together: Together | None = None
    write: "Callable[[Session], Written] | None" = None
    export: "Callable[[Session], Written] | None" = None
    locate: "Callable[[Session, pl.Series, str], pl.DataFrame] | None" = None
    first_card_leads: bool = False
    supersedes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    in_folders: bool = True


def _begins_as_pbn(head: bytes) -> bool:
    return _BEGINS_AS_PBN.match(head) is not None


PBN: Final = Format(
    "pbn",
    "Portable Bridge Notation",
    (".pbn",),
    recognises=_begins_as_pbn,
    read_text=Reference("pbn.read.reader:read_pbn"),
    together=Together(
        Reference("pbn.read.reader:stands_alone"),
        Reference("pbn.read.reader:read_together"),
        Reference("pbn.verify.characters:check_lines_and_characters"),
    ),
    write=Reference("pbn.write:write_pbn"),
    export=Reference("pbn.write:export_pbn"),
    locate=Reference("pbn.locate:locate_in_pbn"),
    supersedes={"pbn-play-seat": ["play-begins-elsewhere"]},
)


def _deals(name: str, title: str, *, suffixes: tuple[str, ...] | None = None, writes: bool = True) -> Format:
    """Return a format of deals alone; its module has the format's name."""
    return Format(
        name,
        title,
        (f".{name}",) if suffixes is None else suffixes,
        recognises=Reference(f"dealing_machines.{name}:is_{name}"),
        read=Reference(f"dealing_machines.{name}:read_{name}"),
        write=Reference(f"dealing_machines.{name}:write_{name}") if writes else None,
    )


_SAID_OF_LIN: Final = {"lin-result-contract": ["contract-differs-from-auction", "declarer-differs-from-auction"]}

FORMATS: Final = (
    PBN,
    Format(
        "bws",
        "Bridgemate database",
        (".bws",),
        recognises=Reference("bridgemate.jet:is_jet"),
        read=Reference("bridgemate.reader:read_bws"),
    ),
    Format(
        "usebio",
        "USEBIO",
        (".xml",),
        recognises=Reference("usebio.reader:is_usebio"),
        read=Reference("usebio.reader:read_usebio"),
        write=Reference("usebio.write:write_usebio"),
    ),
    Format(
        "csv",
        "table of results",
        (".csv",),
        recognises=Reference("csv:is_results_csv"),
        read=Reference("csv:read_results_csv"),
        # A folder often holds other tables, such as rankings: the content decides.
        in_folders=False,
    ),
    _deals("dup", "Duplimate"),
    _deals("bri", "first Duplimate machines"),
    _deals("dge", "Duplimate screen"),
    _deals("dlm", "Duplimate for Windows"),
    _deals("ber", "Bernasconi machine"),
    _deals("bhg", "Borel machine"),
    _deals("rzd", "Kops machine", writes=False),
    _deals("dds", "deal list of DDS", suffixes=(), writes=False),
    _deals("rbn", "Richard's Bridge Notation", writes=False),
    Format(
        "lin links",
        "page with links to hands",
        (),
        recognises=Reference("lin.read.links:is_page"),
        read=Reference("lin.read.links:read_page"),
        locate=Reference("lin.locate:locate_in_lin"),
        first_card_leads=True,
        supersedes=_SAID_OF_LIN,
    ),
    Format(
        "lin",
        "Bridge Base Online",
        (".lin",),
        recognises=Reference("lin.read.reader:is_lin"),
        read_text=Reference("lin.read.reader:read_lin_file"),
        together=Together(Reference("lin.read.small:stands_alone"), Reference("lin.read.small:read_boards")),
        write=Reference("lin.write:write_lin"),
        locate=Reference("lin.locate:locate_in_lin"),
        first_card_leads=True,
        supersedes=_SAID_OF_LIN,
    ),
)
"""All formats, in the order in which a file is tried against them."""


def may_be_pbn(data: bytes) -> bool:
    """Return whether a text that no format recognises can be read as PBN: it has a tag, or nothing but comments."""
    from overtrick.formats.text import in_utf8  # noqa: PLC0415 - what recognises its format at once does not need it

    text = in_utf8(data).removeprefix(b"\xef\xbb\xbf").replace(b"\x00", b"")
    return _MAY_BE_PBN.search(text) is not None


def recognise(data: bytes) -> Format | None:
    """Return the format of a file's bytes; None for what no format recognises."""
    head = data[:HEAD]
    return next((known for known in FORMATS if known.recognises(head)), None)


@cache
def get_format(name: str) -> Format:
    """Return the format of this name; a name that is not listed (an archive's, none at all) counts as PBN."""
    return next((known for known in FORMATS if known.name == name), PBN)


@cache
def walked_suffixes() -> tuple[str, ...]:
    """Return the suffixes of the files that are read when a folder is given; a file given by name needs none."""
    return tuple(suffix for known in FORMATS if known.in_folders for suffix in known.suffixes)


def find_format(suffix: str) -> Format | None:
    """Return the format of files whose names end in this suffix, in any case; None for a suffix of no format."""
    return next((known for known in FORMATS if suffix.lower() in known.suffixes), None)
