"""Fonts for print: Typst's own, and Noto Sans CJK where the extra `cjk` has brought it.

Typst's fonts have no Chinese, Japanese or Korean, and one that has is larger than the rest of the house together.
System fonts are left out, so that a session gives the same bytes on every machine.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import typst

EAST_ASIAN: Final = (
    "\u3000-\u303f\u3041-\u3096\u3099-\u30ff\u3105-\u312f\u31f0-\u31ff"  # punctuation, Japanese syllables, Bopomofo
    "\u3400-\u4db5\u4e00-\u9fef"  # Han
    "\uac00-\ud7a3"  # Korean
    "\uff01-\uff9f"  # wide Latin, narrow Japanese
)
"""What Noto Sans CJK adds, as a range of a regular expression."""

_PACKAGE: Final = "noto_cjk_sans_otc"


@cache
def fonts() -> typst.Fonts:
    """Open the fonts; once is enough, for they are large."""
    folder = _east_asian_folder()
    return typst.Fonts(include_system_fonts=False, font_paths=[str(folder)] if folder else [])


def has_east_asian() -> bool:
    """Say whether there is a font for Chinese, Japanese and Korean."""
    return _east_asian_folder() is not None


@cache
def _east_asian_folder() -> Path | None:
    spec = find_spec(_PACKAGE)
    folder = Path(spec.origin).parent if spec and spec.origin else None
    return folder if folder and any(folder.glob("*.ttc")) else None
