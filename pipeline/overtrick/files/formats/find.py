"""Which format a file, a name or a suffix is of: one of overtrick's, else one of a plugin."""

from functools import cache
from typing import Final

from overtrick.core.plugins import Fault, explain, find
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, nothing_but
from overtrick.files.formats.form import Format
from overtrick.files.formats.registry import FORMATS, PBN
from overtrick.files.formats.text import in_utf8

HEAD: Final = 8192
"""The number of bytes at the start of a file that are enough to recognise its format."""


@cache
def plugin_formats() -> tuple[tuple[Format, ...], tuple[Fault, ...]]:
    """Return the formats of plugins (`overtrick.formats`), and the plugins that cannot be used.

    A plugin cannot take the name or the suffix of another format. Errors in its functions are those of one file.
    """
    found = find("overtrick.formats")
    formats: list[Format] = []
    faults = list(found.faults)
    for name, known in found.loaded:
        others = [*FORMATS, *formats]
        if not isinstance(known, Format) or (known.read is None and known.write is None):
            faults.append(Fault(f"overtrick.formats:{name}", "expected a Format that reads or writes"))
        elif any(known.name == one.name or {*known.suffixes} & {*one.suffixes} for one in others):
            faults.append(Fault(f"overtrick.formats:{name}", "another format has its name or its suffix"))
        else:
            formats.append(_guarded(known))
    return tuple(formats), tuple(faults)


def _guarded(known: Format) -> Format:
    """Return a format whose reader and recogniser never raise."""

    def recognises(head: bytes) -> bool:
        try:
            return bool(known.recognises(head))
        except Exception:  # noqa: BLE001 - whatever another package does
            return False

    def read(data: bytes) -> Reading:
        try:
            reading = known.read(data) if known.read else None
            if isinstance(reading, Reading):
                return reading
            reason = "expected a Reading"
        except Exception as error:  # noqa: BLE001 - whatever another package does
            reason = explain(error)
        values = {"format": known.title, "reason": reason}
        return nothing_but([Finding("file-plugin-failed", 1, 1, values=values)])

    return known._replace(recognises=recognises, read=read if known.read else None, read_text=None, together=None)


def all_formats() -> tuple[Format, ...]:
    """Return the formats of overtrick, then those of plugins."""
    return FORMATS + plugin_formats()[0]


def recognise(data: bytes, *, packed: bool = False) -> Format | None:
    """Return the format of a file's bytes; None for what no format recognises.

    Args:
        data: its bytes, or their beginning.
        packed: whether it is an archive: only formats whose files are archives are then tried.
    """
    head = data[:HEAD]
    own = next((known for known in FORMATS if (known.packed or not packed) and known.recognises(head)), None)
    if own or packed:
        return own
    other = next((known for known in plugin_formats()[0] if known.recognises(head)), None)
    plain = None if other else _plain_text(head)
    return other if plain is None else next((known for known in FORMATS if known.recognises(plain)), None)


def _plain_text(head: bytes) -> bytes | None:
    """Return the beginning of a text in UTF-8, without blank lines before it and with newlines; None if it is so."""
    text = in_utf8(head).removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    plain = text.replace(b"\x1a", b"").lstrip()
    return None if plain == head or b"\0" in plain else plain


@cache
def get_format(name: str) -> Format:
    """Return the format of this name; a name that is not listed (an archive's, none at all) counts as PBN."""
    own = next((known for known in FORMATS if known.name == name), None)
    return own or next((known for known in plugin_formats()[0] if known.name == name), PBN)


@cache
def walked_suffixes() -> tuple[str, ...]:
    """Return the suffixes of the files that are read when a folder is given; a file given by name needs none."""
    return tuple(suffix for known in all_formats() if known.in_folders for suffix in known.suffixes)


def find_format(suffix: str) -> Format | None:
    """Return the format of files whose names end in this suffix, in any case; None for a suffix of no format."""
    own = next((known for known in FORMATS if suffix.lower() in known.suffixes), None)
    return own or next((known for known in plugin_formats()[0] if suffix.lower() in known.suffixes), None)
