"""Operations that fail on purpose: the n-th one on files, on the network, or on the budget of a reader.

`python -m tests.support.anomalies` lets each operation of each command fail in turn, until none is left: a full disk, a
connection that breaks, a file that costs too much. Each time the command has to end with a sentence, never with a
traceback; what it has made is what was there before or what it should make; and the next run finishes it. `--only`
names commands, and `--points` draws so many operations of each.
"""

import argparse
import errno
import io
import logging
import os
import random
import re
import shutil
import socket
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stderr
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal
from unittest.mock import patch

from overtrick.apps.cli import explain_end
from overtrick.files.formats.base import Budget, OverBudgetError
from tests.support.commands import FIXTURES, Ran, run
from tests.support.desk import visit
from tests.support.inboxes import drop, evening
from tests.support.jobs import JOBS, outcome
from tests.support.killing import Job, places
from tests.support.post import mail_server
from tests.support.servers import HOST, ftp_server

Kind = Literal["file", "network", "budget"]

_ON_FILES: Final = frozenset(
    ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.scandir")
)
"""Events of Python's audit that are operations on files."""
_TIMES: Final = re.compile(rb"(?m)^when = .*\n")
_ON_SOCKETS: Final = ("connect", "sendall", "recv_into", "recv")


@dataclass
class Failing:
    """The n-th operation of a kind fails, from `number` 1; with 0 none does.

    Attributes:
        kind: what fails.
        base: the folder whose files count.
        number: which operation.
        seen: how many operations there were.
    """

    kind: Kind
    base: Path
    number: int = 0
    seen: int = 0
    thread: int = field(default_factory=threading.get_ident)

    def count(self) -> bool:
        """Count an operation; return whether it fails."""
        if self.kind == "network" and threading.get_ident() != self.thread:
            # The servers are in other threads.
            return False
        self.seen += 1
        return self.seen == self.number


_failing: list[Failing] = []


def _listen(event: str, values: tuple[Any, ...]) -> None:
    if not _failing or _failing[0].kind != "file" or event not in _ON_FILES:
        return
    named = [os.fsdecode(value) for value in values[:2] if isinstance(value, str | bytes | os.PathLike)]
    if any(os.path.abspath(name).startswith(str(_failing[0].base)) for name in named) and _failing[0].count():  # noqa: PTH100 - of any name
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), named[0])


sys.addaudithook(_listen)


def _break(name: str) -> AbstractContextManager[object]:
    real = getattr(socket.socket, name)

    def call(self: socket.socket, *values: Any, **named: Any) -> Any:
        if _failing and _failing[0].kind == "network" and _failing[0].count():
            self.close()
            raise ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))
        return real(self, *values, **named)

    return patch.object(socket.socket, name, call)


def _refuse(real: Callable[..., None]) -> Callable[..., None]:
    def spend(self: Budget, *values: Any) -> None:
        if _failing and _failing[0].kind == "budget" and _failing[0].count():
            raise OverBudgetError("it costs too much")
        real(self, *values)

    return spend


@contextmanager
def failing(what: Failing) -> Iterator[Failing]:
    """Let an operation fail while this lasts."""
    breaks = [_break(name) for name in _ON_SOCKETS] if what.kind == "network" else [nullcontext()]
    with patch.object(Budget, "spend", _refuse(Budget.spend)):
        for one in breaks:
            one.__enter__()
        _failing.append(what)
        try:
            yield what
        finally:
            _failing.clear()
            for one in breaks:
                one.__exit__(None, None, None)


def call(job: Job, base: Path, what: Failing) -> Ran:
    """Run a command inside this process, as `overtrick.apps.cli.main` does, while an operation fails.

    Raises:
        Exception: what would be a traceback.
    """
    with patch.dict(os.environ, {**places(base), "SOURCE_DATE_EPOCH": "1700000000"}):
        before = Path.cwd()
        os.chdir(base)
        try:
            with failing(what):
                return run(*job.arguments) if job.call is None else job.call(base)
        except OSError as error:
            said = io.StringIO()
            with redirect_stderr(said):
                return Ran(explain_end(error), "", said.getvalue())
        finally:
            os.chdir(before)


def put_correction(base: Path) -> None:
    """Put an evening there that has a correction already."""
    JOBS["bulletin"].prepare(base)
    run("correct", base / "evening.pbn", "--title", "Spring", "--why", "a slip")


def put_typed(base: Path) -> None:
    """Put a table of results there."""
    base.mkdir(parents=True, exist_ok=True)
    shutil.copy(FIXTURES / "spring-pairs.csv", base / "tuesday.csv")


def put_workbook(base: Path) -> None:
    """Put a workbook of results there."""
    put_typed(base)
    run("convert", base / "tuesday.csv", base / "tuesday.xlsx")


def put_small_site(base: Path) -> None:
    """Put the site of an evening of one board there: each of its files takes the operations of any other."""
    drop(base, evening_pbn=evening())
    run("bulletin", base / "evening.pbn", "--no-pdf", "--no-dd", "--out", base / "site")


def save_at_the_desk(base: Path) -> Ran:
    """Change a result on the grid of the desk."""
    cell = {"board": 1, "table": 2, "ns": "2", "ew": "5"}
    scorer = visit(base)
    page = scorer.get("/evening/tuesday/people")
    if page.status >= 400 or 'name="seen"' not in page.text:
        return Ran(3, page.text, page.words)
    answer = scorer.post("/evening/tuesday/cell", {**cell, "seen": page.seen}, result="4SN=", do="save")
    return Ran(0 if answer.status < 400 else 3, answer.text, "".join(scorer.said) + answer.words)


_SETTINGS: Final = """[club]
name = "Harbour"
[deliver]
server = "{server}"
sender = "a@club.example"
[[deliver.files]]
name = "union"
to = "results@union.example"
"""


def _mail(base: Path) -> Ran:
    with mail_server() as box, tempfile.NamedTemporaryFile("w", suffix=".toml") as settings:
        settings.write(_SETTINGS.format(server=f"smtp://{HOST}:{box.port}"))
        settings.flush()
        return run("deliver", base / "tuesday.csv", "--to", "union", "--config", settings.name)


def _upload(base: Path) -> Ran:
    with ftp_server(base) as server, patch.dict(os.environ, server.environment):
        return run("publish", base / "site", server.url, "--yes")


MORE: Final = {
    "check": Job(("check", "tuesday.xlsx"), put_workbook, ()),
    "correct": Job(
        ("correct", "evening.pbn", "--board", "1", "--pair", "1", "--tricks", "9", "--why", "misread"),
        put_correction,
        ("evening.corrections.toml",),
    ),
    "desk": Job((), put_typed, ("tuesday.corrections.toml",), call=save_at_the_desk),
    "deliver": Job((), put_typed, (), call=_mail),
    "publish": replace(JOBS["publish"], prepare=put_small_site),
    "upload": Job((), put_small_site, ("ftp",), call=_upload),
}
TRIED: Final[dict[str, tuple[Job, tuple[Kind, ...]]]] = {
    **{name: (JOBS[name], ("file",)) for name in ("bulletin", "season", "watch", "ingest", "convert")},
    "check": (MORE["check"], ("budget",)),
    **{name: (MORE[name], ("file",)) for name in ("correct", "desk", "publish")},
    "deliver": (MORE["deliver"], ("file", "network")),
    "upload": (MORE["upload"], ("file", "network")),
}
"""By command, the operations that fail in turn."""
ONE_FILE: Final = frozenset({"convert", "correct", "desk", "bulletin"})
"""Commands whose outputs are all old or all new after a failure; of the others each evening is."""


def _made(job: Job, folder: Path) -> object:
    """Return what a command has made; of corrections without the time of each."""
    made = outcome(job, folder)
    if not isinstance(made, dict):
        return made
    # A part of a file that a broken connection left goes with the next change in its folder; a lock holds nothing.
    whole = {name: data for name, data in made.items() if not name.endswith((".part", ".lock"))}
    return {name: _TIMES.sub(b"", data) if name.endswith(".toml") else data for name, data in whole.items()}


def _items(made: object) -> set[tuple[str, str]]:
    return {(name, repr(data)) for name, data in made.items()} if isinstance(made, dict) else set()


def point_of(name: str, kind: Kind, number: int, folder: Path, expected: object) -> tuple[int, list[str]]:
    """Let one operation of a command fail.

    Returns:
        How many operations there were, and what is wrong afterwards.
    """
    job, _ = TRIED[name]
    job.prepare(folder)
    old = _made(job, folder)
    what = Failing(kind, folder, number)
    try:
        ran = call(job, folder, what)
    except Exception as error:  # noqa: BLE001 - a traceback is what is looked for
        place = traceback.extract_tb(error.__traceback__)[-6:]
        calls = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(place))
        return what.seen, [f"{name}, {kind} {number}: {type(error).__name__}: {error} at {calls}"]
    wrong = [*job.whole(folder)]
    if "Traceback" in ran.err or (ran.status and not ran.err.strip()):
        wrong.append(f"status {ran.status}: {ran.err!r}")
    made = _made(job, folder)
    if name in ONE_FILE and made not in (old, expected):
        wrong.append("neither the old state nor the new one")
    again = call(job, folder, Failing(kind, folder)) if made != expected else ran
    if (finished := _made(job, folder)) != expected:
        differs = sorted(str(name) for name, _ in _items(finished) ^ _items(expected))
        wrong.append(f"the next run does not finish it: {differs[:5]}, status {again.status}: {again.err[-300:]!r}")
    return what.seen, [f"{name}, {kind} {number}: {line}" for line in wrong]


def expect(name: str, kind: Kind, folder: Path) -> tuple[int, object]:
    """Return how many operations a command has if none fails, and what it makes."""
    job, _ = TRIED[name]
    # The first run imports what the command needs; those operations are not its own.
    for place in (folder / "first", folder):
        job.prepare(place)
        what = Failing(kind, place)
        call(job, place, what)
    return what.seen, _made(job, folder)


def main() -> None:
    """Let each operation fail in turn."""
    parser = argparse.ArgumentParser(description="Let operations fail.")
    parser.add_argument("--only", default=",".join(TRIED), help="names of commands, with commas")
    parser.add_argument("--points", type=int, help="operations of each command; all without it")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    logging.getLogger("pyftpdlib").addHandler(logging.NullHandler())
    failed = 0
    for name in options.only.split(","):
        for kind in TRIED[name][1]:
            with tempfile.TemporaryDirectory() as place:
                count, expected = expect(name, kind, Path(place, "expected"))
                numbers = range(1, count + 1)
                drawn = sorted(random.Random(options.seed).sample(numbers, min(count, options.points or count)))
                for number in drawn:
                    _, wrong = point_of(name, kind, number, Path(place, str(number)), expected)
                    failed += bool(wrong)
                    sys.stdout.write("".join(f"{line}\n" for line in wrong))
                    shutil.rmtree(Path(place, str(number)), ignore_errors=True)
            sys.stdout.write(f"{name}: {len(drawn)} of {count} operations ({kind})\n")
            sys.stdout.flush()
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
