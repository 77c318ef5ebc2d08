"""The problems that tests make overtrick report: a whole run of the quick tests has to see each message once.

The plugin of `tests/conftest.py` notes every message that a test draws, in all workers, and compares them in the end.
"""

import os
from collections.abc import Collection, Iterator
from typing import Any

import pytest

from overtrick.core import problems

ELSEWHERE = {
    "file-cut/slow": "the process that reads databases",
    "file-cut/table": "the process that reads databases",
    "file-plugin-failed": "a process with a plugin",
    "file-too-long/line": "a slow test",
    "ingest-bomb": "the processes of an archive",
    "ingest-changed": "the processes of an archive",
    "ingest-link": "the processes of an archive",
    "ingest-nested": "the processes of an archive",
    "ingest-not-compared": "the processes of an archive",
    "lin-session-cut": "a slow test",
    "pbn-damaged": "a slow test",
    "plugin-skipped": "a process with a plugin",
}
"""The messages that other processes and slow tests draw, and where."""

_LISTS = ("tests/core/", "tests/docs/")
"""Tests that go through all messages without a file that has the problem."""


def list_messages() -> Iterator[str]:
    """Yield the name of each message: a code, or a code and its case."""
    for code, known in problems.CODES.items():
        yield from (f"{code}/{case}" for case in known.cases) if known.cases else [code]


def find_unseen(seen: Collection[str]) -> list[str]:
    """Return what is wrong with the messages that a whole run drew, a line for each."""
    unseen = [name for name in list_messages() if name not in seen and name not in ELSEWHERE]
    return [f"{name}: no test draws this message" for name in unseen] + [
        f"{name}: a quick test draws it; take it out of tests/support/reported.py" for name in ELSEWHERE if name in seen
    ]


class Recorder:
    """Notes the messages of this process, and in the first one those of all workers."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.seen: set[str] = set()
        self._find = problems._find  # noqa: SLF001 - the one place that every message goes through
        problems._find = self._note  # noqa: SLF001 - as above

    def _note(self, code: str) -> tuple[str, problems.Code]:
        if not os.environ.get("PYTEST_CURRENT_TEST", "").startswith(_LISTS):
            self.seen.add(code)
        return self._find(code)

    @property
    def is_whole(self) -> bool:
        """Whether the run is that of all quick tests, and not of a part that somebody asked for."""
        given = self.config.option
        chosen = given.keyword or given.maxfail or given.markexpr != "not slow" or given.deselect
        return not chosen and not given.collectonly and self.config.args == self.config.getini("testpaths")

    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker noted."""
        self.seen.update(getattr(node, "workeroutput", {}).get("messages", ()))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand over what this worker noted, or let the run fail for a message that no test drew."""
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            output["messages"] = sorted(self.seen)
        elif self.is_whole and (wrong := find_unseen(self.seen)):
            print("\n" + "\n".join(wrong))
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
