"""Files to bytes to text, in one place for all formats: encodings, line ends, and files that are not text.

A file is read twice, block by block: `detect_coding` finds its encoding, `text_blocks` decodes it. Only one block is in
memory at a time, however long the file or a line of it.
"""

import codecs
import hashlib
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Final, NamedTuple, TypeVar

from overtrick.core.problems import Finding
from overtrick.files.formats.zips import read_inside

BLOCK: Final = 8 * 1024 * 1024
"""The most bytes that are read at a time, and the most characters that are kept of a line; PBN allows 255."""

_BOMS: Final = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_DECLARED: Final = re.compile(rb"charset\s*=\s*[\"']?([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_EXTRA_OF_WINDOWS: Final = re.compile(rb"[\x80-\x9f]")
_LINE_ENDS: Final = re.compile(r"\r{1,3}\n|\r")
_ANY_LINE_END: Final = re.compile(r"\r{1,3}\n|\r|\n")
_OTHER_ENDS: Final = {"\n": r"\r", "\r": r"\n", "\r\n": r"\r(?!\n)|(?<!\r)\n"}
"""By line end, the pattern of any other line end; a line end that is not listed here is odd in itself."""
_CHARACTER_SETS: Final = ("iso8859", "cp125", "koi8", "mac-", "utf-16")
_HEAD: Final = 8192
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x19\x1b-\x1f]+")


class Coding(NamedTuple):
    """How a file's bytes are decoded."""

    encoding: str
    findings: tuple[Finding, ...] = ()


class TextBlock(NamedTuple):
    r"""Whole lines of a file, each ended by `\\n` alone."""

    content: str
    findings: tuple[Finding, ...] = ()
    line_end: int = 1
    """The number of characters that end a line in the file: 2 where there is a CR LF."""
    odd_end: int | None = None
    """The first line of the file that ends in another way than line 1, in the block that holds it."""


class Text(NamedTuple):
    r"""A decoded file: its lines end in `\\n` alone, the last one too."""

    content: str
    encoding: str
    findings: tuple[Finding, ...] = ()


def decode(data: bytes) -> Text | Finding:
    """Read a whole file's bytes as text: `detect_coding`, then `text_blocks`.

    Returns:
        The text, or the finding `file-no-games` or `file-binary`.
    """
    found = detect_coding([data])
    if isinstance(found, Finding):
        return found
    blocks = list(text_blocks([data], found.encoding))
    findings = (*found.findings, *(finding for block in blocks for finding in block.findings))
    return Text("".join(block.content for block in blocks), found.encoding, findings)


def detect_coding(blocks: Iterable[bytes]) -> Coding | Finding:
    """Return the encoding of a file, from all its bytes.

    The first of these counts that fits all bytes:

    1. the one of its byte order mark; or UTF-16 without a mark, if every second byte is NUL
    2. UTF-8, if nothing is sure so far; other text hardly ever fits it by chance
    3. the one that the file declares as `charset=`
    4. Windows-1252, if one of its extra characters occurs
    5. ISO 8859-1, the character set of PBN 2.2

    Returns:
        The encoding, or the finding `file-no-games` or `file-binary`.
    """
    clues = None
    for block in blocks:
        if clues is None:
            clues = _Clues(block[:_HEAD])
            if not clues.sure and _is_binary(block):
                return Finding("file-binary", line=1, column=1)
        clues.add(block)
    return clues.decide() if clues and clues.holds_text else Finding("file-no-games/empty", line=1, column=1)


# Two files that have no mark and declare nothing, and what the trials say of them:
#
#     trial      [Site "Caf\xe9"]                 [Site "Caf\xe9 \x93Rex\x94"]
#     utf-8      no: \xe9 is half a character    no
#     cp1252     no: no extra byte of Windows    yes: \x93 and \x94 are its quotes
#     latin-1    if no other fits
class _Clues:
    """The clues that the bytes of a file give to its encoding, block by block."""

    def __init__(self, head: bytes) -> None:
        self._head = head
        self._mark = next((name for bom, name in _BOMS if head.startswith(bom)), None)
        self._unmarked = None if self._mark else _unmarked(head)
        self.sure = self._mark or self._unmarked
        likely = [self.sure] if self.sure else ["utf-8", _declared(head)]
        self._trials = [*(_Trial(name) for name in likely if name), _Trial("cp1252", _EXTRA_OF_WINDOWS)]
        self._in_ascii = True
        self.holds_text = False

    def add(self, block: bytes) -> None:
        """Look at the next block."""
        in_ascii = block.isascii()
        self._in_ascii = self._in_ascii and in_ascii
        for trial in self._trials:
            trial.feed(block, in_ascii=in_ascii)
        if not self.holds_text:
            self.holds_text = _holds_text(block, self._mark)

    def decide(self) -> Coding:
        """Return the encoding, when all blocks have been added."""
        encoding = next((trial.encoding for trial in self._trials if trial.ends()), "latin-1")
        about = "pbn-byte-order-mark" if self._mark else "file-no-mark" if self._unmarked == encoding else None
        findings = [Finding(about, line=1, column=1, values={"encoding": encoding})] if about else []
        return Coding(encoding, (*findings, *(() if self._in_ascii else _contradicted(self._head, encoding))))


class _Trial:
    """An encoding that is tried on a file."""

    def __init__(self, encoding: str, needed: re.Pattern[bytes] | None = None) -> None:
        self.encoding = encoding
        self._needed = needed
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._fits = True

    def feed(self, data: bytes, *, in_ascii: bool, last: bool = False) -> None:
        """Try it on the next bytes, and look for what it needs at least once."""
        # ASCII is the same in all of them but UTF-16, and needs no trial unless a character is begun.
        plain = in_ascii and not self.encoding.startswith("utf-16") and not self._decoder.getstate()[0]
        if not self._fits or plain:
            return
        if self._needed and self._needed.search(data):
            self._needed = None
        try:
            self._decoder.decode(data, last)
        except UnicodeError:
            self._fits = False

    def ends(self) -> bool:
        """Return whether it fits the whole file."""
        self.feed(b"", in_ascii=True, last=True)
        return self._fits and self._needed is None


def _holds_text(block: bytes, mark: str | None) -> bool:
    bom = next((bom for bom, name in _BOMS if name == mark and block.startswith(bom)), b"")
    rest = block.removeprefix(bom)
    return bool(rest) and not rest.isspace()


def in_utf8(head: bytes) -> bytes:
    """Return the beginning of a UTF-16 file in UTF-8, and any other as it is."""
    marked = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    encoding = "utf-16" if marked else _unmarked(head)
    return head.decode(encoding, "ignore").encode("utf-8", "ignore") if encoding else head


def _unmarked(head: bytes) -> str | None:
    """Return which UTF-16 a text without a mark is in: the upper bytes of letters are NUL, the lower ones never."""
    for encoding, first in (("utf-16-le", 1), ("utf-16-be", 0)):
        upper, lower = head[first::2], head[1 - first :: 2]
        if upper.count(0) * 10 > len(upper) * 9 and not lower.count(0):
            return encoding
    return None


def _is_binary(data: bytes) -> bool:
    """Return whether bytes are not text: many places with control characters, or hardly anything else.

    One place of a text that a disk or a transfer has filled with zeros does not make the rest of it unreadable.
    """
    head = data[:_HEAD]
    places = _CONTROL.findall(head)
    return len(places) * 50 > len(head) or sum(map(len, places)) * 2 > len(head)


def _declared(data: bytes) -> str | None:
    found = _DECLARED.search(data[:_HEAD])
    try:
        name = codecs.lookup(found.group(1).decode("ascii")).name if found else ""
    except LookupError:
        return None
    return name if name.startswith(_CHARACTER_SETS) else None


def _contradicted(head: bytes, encoding: str) -> Iterator[Finding]:
    """Yield a problem for a declared character set that the text does not fit."""
    found = _DECLARED.search(head)
    if not found:
        return
    declared = found.group(1).decode("ascii")
    try:
        same = codecs.lookup(declared).name in {codecs.lookup(encoding).name, encoding.removesuffix("-sig")}
    except LookupError:
        same = False
    if not same:
        line = head.count(b"\n", 0, found.start()) + 1
        yield Finding("file-charset/text", line, column=1, values={"declared": declared, "encoding": encoding})


def text_blocks(blocks: Iterable[bytes], encoding: str) -> Iterator[TextBlock]:
    """Decode a file block by block, each of whole lines.

    Args:
        blocks: its bytes. The rest of a line longer than `BLOCK` is left out and reported.
        encoding: as `detect_coding` found it. Bytes that do not fit, because the file has changed since, become
            replacement characters.
    """
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    lines = _Lines()
    for block, is_last in with_last(blocks, b""):
        # Nothing here keeps a part of a long file while it is read.
        decoded = [decoder.decode(block, final=is_last)]
        del block
        yield from lines.add(decoded.pop(), is_last=is_last)


Block = TypeVar("Block")


def with_last(blocks: Iterable[Block], nothing: Block) -> Iterator[tuple[Block, bool]]:
    """Yield each block with whether it is the last; without any block, `nothing` is."""
    # A block that was yielded is not kept here.
    waiting: list[Block] = []
    for block in blocks:
        waiting.append(block)
        del block
        if len(waiting) > 1:
            yield waiting.pop(0), False
    yield waiting.pop() if waiting else nothing, True


class _Lines:
    """Collects pieces of text into whole lines."""

    def __init__(self) -> None:
        self._left = ""
        self._line = 1
        self._cut_from = 0
        self._end: str | None = ""

    def add(self, piece: str, *, is_last: bool) -> Iterator[TextBlock]:
        if self._cut_from:
            piece = self._skip(piece)
        text = self._left + piece
        del piece
        end = len(text) if is_last else _end_of_lines(text)
        self._left, text = text[end:], text[:end]
        if text:
            blocks = [self._block(text)]
            del text
            yield blocks.pop()
        if len(self._left) > BLOCK:
            self._cut_from, self._left = len(self._left), self._left[:BLOCK]

    def _skip(self, piece: str) -> str:
        """Return a piece without the rest of the line that is cut."""
        found = re.search(r"[\r\n]", piece)
        at = found.start() if found else len(piece)
        self._cut_from += at
        return piece[at:]

    def _block(self, text: str) -> TextBlock:
        returns = "\r" in text
        content = _LINE_ENDS.sub("\n", text) if returns else text
        if not content.endswith("\n"):
            content += "\n"
        findings: tuple[Finding, ...] = ()
        if self._cut_from:
            values = {"kept": BLOCK, "length": self._cut_from}
            findings = (Finding("file-too-long/line", self._line, BLOCK + 1, values=values),)
            self._cut_from = 0
        block = TextBlock(content, findings, 2 if returns and "\r\n" in text else 1, self._odd_end(text, returns))
        self._line += content.count("\n")
        return block

    def _odd_end(self, text: str, returns: bool) -> int | None:
        """Return the first line that ends in another way than line 1 of the file, once."""
        if self._end == "":
            first = _ANY_LINE_END.search(text) if returns else None
            self._end = first[0] if first else "\n"
        if self._end is None or (self._end == "\n" and not returns):
            return None
        odd = re.search(_OTHER_ENDS.get(self._end, self._end), text)
        if odd is None:
            return None
        self._end = None
        return self._line + _LINE_ENDS.sub("\n", text[: odd.start()]).count("\n")


def _end_of_lines(text: str) -> int:
    r"""Return the length of the whole lines of a text. A `\r` at its very end may be part of a line end."""
    return text.rfind("\n") + 1 or text.rstrip("\r").rfind("\r") + 1


# Files and standard input to bytes: read block by block, as often as a reader needs.

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
    """Open a file, one in a zip, or standard input; a pipe, which can be read only once, is kept in a temporary file.

    Raises:
        OSError: it cannot be opened or read.
    """
    if path != STDIN and not Path(path).exists():
        yield Source(BytesIO(read_inside(path)))
        return
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
