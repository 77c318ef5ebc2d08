"""Compiled templates, kept in the user's cache: to compile them takes a tenth of a small session's bulletin."""

from contextlib import suppress

from jinja2.bccache import Bucket, BytecodeCache, FileSystemBytecodeCache

from overtrick.core.machine import cache_folder
from overtrick.core.version import __version__


class _CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates in a folder, which may be full, and whose files may be damaged."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template if there is a place for it."""
        with suppress(OSError):
            super().dump_bytecode(bucket)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a compiled template; one that can't be read is compiled again."""
        try:
            super().load_bytecode(bucket)
        except Exception:  # noqa: BLE001 - a damaged file may raise anything
            bucket.reset()


def keep_compiled(kind: str, code: str) -> BytecodeCache | None:
    """Return where an environment keeps its compiled templates; None if there can't be a folder for them.

    Jinja computes filters of constants when it compiles, so what is kept depends on the language and on the release.

    Args:
        kind: the environment; each kind has options of its own.
        code: the language.
    """
    folder = cache_folder() / "templates"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return _CompiledTemplates(str(folder), f"{kind}-{code}-{__version__}-%s.cache")
