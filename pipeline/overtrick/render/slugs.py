"""Folder names for boards and contestants: lower-case ASCII, short, one each, the same at every run."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from typing import Final

LONGEST: Final = 60


def slug(text: str) -> str:
    """Reduce a text to `a-z 0-9 -`; what nothing is left of, or too much, gets digits of its hash instead.

    The result holds no dot, slash, backslash or leading hyphen, so it can't leave its folder.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    folded = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if folded and len(folded) <= LONGEST:
        return folded
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{folded[:LONGEST].rstrip('-')}-{digest}" if folded else digest


def unique_slugs(texts: Iterable[str]) -> list[str]:
    """Make a slug of each text, in order; one that is taken gets `-2`, `-3` ... behind it."""
    taken: set[str] = set()
    slugs = []
    for text in texts:
        base = candidate = slug(text)
        count = 1
        while candidate in taken:
            count += 1
            candidate = f"{base}-{count}"
        taken.add(candidate)
        slugs.append(candidate)
    return slugs
