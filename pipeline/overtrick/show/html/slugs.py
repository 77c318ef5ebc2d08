"""Folder names for boards, contestants and sessions: short, lower-case ASCII, unique, the same at every run."""

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

LONGEST: Final = 60
"""Characters of a slug, before the digits of a hash."""


def make_slug(text: str) -> str:
    """Return a text reduced to `a-z 0-9 -`; a text that is then empty or too long ends in digits of its hash.

    A slug holds no dot, slash, backslash or leading hyphen, so a path made of it can't leave its folder.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    folded = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if folded and len(folded) <= LONGEST:
        return folded
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{folded[:LONGEST].rstrip('-')}-{digest}" if folded else digest


def is_slug(text: str) -> bool:
    """Return whether a text may be a slug: nothing but `a-z 0-9 -`, and no hyphen in front."""
    return re.fullmatch(r"[a-z0-9][a-z0-9-]*", text) is not None


def make_slugs(texts: Iterable[str]) -> list[str]:
    """Return a slug for each text, in order; a second use of the same slug gets `-2`, a third `-3`."""
    taken: set[str] = set()
    uses: dict[str, int] = defaultdict(lambda: 1)
    slugs = []
    for text in texts:
        base = candidate = make_slug(text)
        while candidate in taken:
            uses[base] += 1
            candidate = f"{base}-{uses[base]}"
        taken.add(candidate)
        slugs.append(candidate)
    return slugs
