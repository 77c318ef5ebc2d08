"""Compiled templates, kept in the user's cache: to compile them takes as long as to fill them for a small session."""

import hashlib
from pathlib import Path
from typing import Final

from jinja2.bccache import Bucket, BytecodeCache, FileSystemBytecodeCache

from overtrick import __version__
from overtrick.machine import cache_folder, resource
from overtrick.render.atomic_write import replace_file

_CODE: Final = Path(__file__).resolve().parent


class _CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates in a folder; a file that is damaged or out of date is written again."""

    def __init__(self, folder: Path, kind: str, made_of: str) -> None:
        super().__init__(str(folder), f"{kind}-%s.cache")
        self._made_of = made_of

    def get_source_checksum(self, source: str) -> str:
        """Return a digest of all that decides how a template compiles, so that nothing old is used."""
        return hashlib.sha256(f"{self._made_of}\n{source}".encode("utf-8", "surrogatepass")).hexdigest()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template, in one step; without a folder that can be written nothing is kept."""
        try:
            replace_file(Path(self.directory) / (self.pattern % bucket.key), bucket.bytecode_to_string())
        except OSError:
            return

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a compiled template; one that can't be read is compiled again."""
        try:
            super().load_bytecode(bucket)
        except Exception:  # noqa: BLE001 - a damaged file may raise anything
            bucket.reset()


def keep_compiled(kind: str, code: str) -> BytecodeCache | None:
    """Return where an environment keeps its compiled templates; None if there can't be a folder for them.

    Jinja computes filters of constants when it compiles, so what is kept depends on the language and on this program.

    Args:
        kind: the environment; each kind has options of its own.
        code: the language.
    """
    folder = cache_folder() / "templates"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        files = [
            *_CODE.glob("*.py"),
            *(_CODE / "pages").glob("*.py"),
            *resource("templates", "languages").glob(f"{code}.po"),
        ]
        made_of = [(path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(files)]
    except OSError:
        return None
    return _CompiledTemplates(folder, f"{kind}-{code}", f"{__version__} {made_of}")
