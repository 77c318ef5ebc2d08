"""Checks of open texts, away from the loop that answers the editor, once nobody has typed for a moment."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from overtrick.apps.lsp.answers import Shown, list_problems, read_text
from overtrick.core.frames import Session

DELAY: Final = 0.3
"""Seconds from the last key stroke to a check."""

_SEVERITIES: Final = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}

Answer = TypeVar("Answer")


class Checks:
    """The checks of one server. One worker does all of them, so that a new text waits for the check of an old one."""

    def __init__(self, server: LanguageServer) -> None:
        """Begin without texts."""
        self._server = server
        self._worker = ThreadPoolExecutor(1, "overtrick-check")
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._sessions: dict[str, tuple[str, Session]] = {}

    def check_soon(self, uri: str, delay: float = DELAY) -> None:
        """Check a text after a delay, unless it changes before that."""
        self._stop(uri)
        self._waiting[uri] = asyncio.get_running_loop().create_task(self._check(uri, delay))

    def forget(self, uri: str) -> None:
        """Stop checking a text that is closed, and remove its problems."""
        self._stop(uri)
        self._sessions.pop(uri, None)
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def _stop(self, uri: str) -> None:
        waiting = self._waiting.pop(uri, None)
        if waiting:
            waiting.cancel()

    async def away(self, work: Callable[[], Answer]) -> Answer:
        """Do work on the worker; the loop goes on answering."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    async def session(self, uri: str, name: str) -> Session:
        """Return what is read from the text of now."""
        text = self._server.workspace.get_text_document(uri).source
        known = self._sessions.get(uri)
        if known and known[0] == text:
            return known[1]
        session = await self.away(lambda: read_text(text, name))
        self._sessions[uri] = text, session
        return session

    async def _check(self, uri: str, delay: float) -> None:
        await asyncio.sleep(delay)
        document = self._server.workspace.get_text_document(uri)
        text, version = document.source, document.version
        session = await self.session(uri, document.filename or uri)
        diagnostics = await self.away(lambda: _diagnose(session, text))
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))


def _diagnose(session: Session, text: str) -> list[types.Diagnostic]:
    lines = text.splitlines() or [""]
    return [_diagnostic(problem, lines) for problem in list_problems(session, text)]


def _diagnostic(problem: Shown, lines: list[str]) -> types.Diagnostic:
    line = lines[problem.line]
    start, end = (types.Position(problem.line, _units(line, column)) for column in (problem.start, problem.end))
    message = f"{problem.message}\n{problem.hint}"
    severity = _SEVERITIES[problem.severity]
    return types.Diagnostic(types.Range(start, end), message, severity=severity, code=problem.code, source="overtrick")


def _units(line: str, column: int) -> int:
    """Return a column in the units of UTF-16, in which editors count."""
    return len(line[:column].encode("utf-16-le")) // 2
