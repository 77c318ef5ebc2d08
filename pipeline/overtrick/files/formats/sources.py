"""Files and standard input to bytes: read block by block, as often as a reader needs."""

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from overtrick.core.problems import Finding
from overtrick.files.formats.text import BLOCK, detect_coding, text_blocks

STDIN: Final = "-"
_WORTH_A_THREAD: Final = 256 * 1024
"""Bytes that take longer to hash than a thread takes to start."""


class Source:
    """The bytes of one open file."""

    def __init__(self, file: IO[bytes]) -> None:
        """Take a file that can be read again from its start."""
        self._file = file
        self._first: bytes | None = None
        self.size = 0
        self.sha256 = ""
        self.on_bytes: Callable[[int], None] | None = None
        """Called with the number of bytes of each block that was taken."""

    def first(self) -> bytes:
        """Return the first `BLOCK` bytes."""
        if self._first is None:
            self._file.seek(0)
            self._first = self._file.read(BLOCK)
        return self._first

    def look(self, step: int = BLOCK) -> Iterator[bytes]:
        """Yield it from the start, `step` bytes at a time, to find out what it is; then `size` is known."""
        block, size = self.first()[:step], 0
        self._file.seek(len(block))
        while block:
            size += len(block)
            yield block
            block = self._file.read(step)
        self.size = size

    def blocks(self) -> Iterator[bytes]:
        """Yield it from the start; when that ends, `sha256` is known too.

        A file that was looked at comes whole up to `BLOCK` bytes. A larger one comes in equal parts of at most two
        thirds of that: smaller parts take more time, larger ones more memory. The parts are the same on each machine:
        names of contestants may count only within a part.
        """
        digest, large = hashlib.sha256(), len(self.first()) > _WORTH_A_THREAD
        with ThreadPoolExecutor(1) as beside:
            for block in self.look(_size_of_block(self.size)):
                # Another core does it while the text is read: hashing releases the interpreter's lock.
                if large:
                    beside.submit(digest.update, block)
                else:
                    digest.update(block)
                yield block
                if self.on_bytes:
                    self.on_bytes(len(block))
        self.sha256 = digest.hexdigest()


def _size_of_block(size: int) -> int:
    """Return how many bytes of a file are read at a time; its size is 0 if it is not known."""
    return BLOCK if size <= BLOCK else -(-size // -(-size // (2 * BLOCK // 3)))


@contextmanager
def opened(path: str) -> Iterator[Source]:
    """Open a file or standard input; a pipe, which can be read only once, is kept in a temporary file.

    Raises:
        OSError: it cannot be opened or read.
    """
    with sys.stdin.buffer if path == STDIN else Path(path).open("rb") as file:
        if path != STDIN and file.seekable():
            yield Source(file)
            return
        with tempfile.SpooledTemporaryFile(max_size=BLOCK) as copy:
            shutil.copyfileobj(file, copy)
            yield Source(copy)


def source_lines(source: str, numbers: Collection[int]) -> dict[int, str]:
    """Return some lines of a file by their numbers; none for standard input and for a file that cannot be read."""
    lines: dict[int, str] = {}
    if source == STDIN or not numbers:
        return lines
    try:
        with opened(source) as file:
            found = detect_coding(file.look())
            if isinstance(found, Finding):
                return lines
            first = 1
            for block in text_blocks(file.blocks(), found.encoding):
                texts = block.content.split("\n")
                lines |= {number: texts[number - first] for number in numbers if 0 <= number - first < len(texts) - 1}
                first += len(texts) - 1
    except (OSError, ValueError):
        pass
    return lines
