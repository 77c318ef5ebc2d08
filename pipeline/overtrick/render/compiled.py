"""Compiled templates in the user's cache: to compile them takes longer than to fill them with an evening."""

from contextlib import suppress
from hashlib import sha256
from typing import Final

import jinja2
from jinja2 import Environment, FileSystemBytecodeCache
from jinja2.bccache import Bucket

from overtrick import __version__
from overtrick.machine import cache_folder

_MADE_BY: Final = f"{__version__}\n{jinja2.__version__}"


class _Compiled(FileSystemBytecodeCache):
    """A cache that is never in the way: what can't be read or written is compiled again."""

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            super().load_bytecode(bucket)
        except Exception:  # noqa: BLE001 - a damaged file may raise anything
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def keep_compiled(environment: Environment, kind: str) -> None:
    """Let an environment keep its compiled templates in the user's cache; nothing is kept where that can't be written.

    Args:
        environment: opens the templates.
        kind: a name for its settings, on which the compiled templates depend too.
    """
    folder = cache_folder() / "templates" / f"{kind}-{sha256(_MADE_BY.encode()).hexdigest()[:8]}"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        environment.bytecode_cache = _Compiled(str(folder))
