"""The language server protocol, by pygls: what an editor asks, and how it is answered."""

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BufferedIOBase
from typing import BinaryIO, Final, NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

import polars as pl
from lsprotocol import types
from pygls.lsp.server import LanguageServer

from overtrick.core.bridge.auction import CALLS
from overtrick.core.config import Config, ConfigError, load_config
from overtrick.core.frames import Session
from overtrick.core.version import __version__
from overtrick.files.assemble import assemble
from overtrick.files.assemble.beside import find_settings
from overtrick.files.formats.pbn.tags import TAGS
from overtrick.files.formats.read import read_bytes
from overtrick.files.mend import RULES, mend
from overtrick.pipeline import evaluate

# Everything that an editor shows of a text: problems in their places, explanations of words, and the boards.

_WORD: Final = re.compile(r"\[[^\]\r\n]*\]?|[^\s|]+\|?[^\s|]*\|?")
_COMMANDS: Final = {
    "vg": "the header of a session",
    "rs": "the list of results",
    "pn": "the players: South, West, North, East",
    "qx": "the board and the room",
    "md": "the dealer and the hands",
    "sv": "the vulnerability: o, n, e or b",
    "ah": "the title of the board",
    "mb": "a call",
    "an": "the explanation of the call before it",
    "pc": "a card played",
    "mc": "a claim: declarer's tricks in the whole deal",
    "nt": "text for readers",
    "pg": "the end of a page of the viewer",
}
_STRAINS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "NT": "notrump"}
_OTHER_CALLS: Final = {"PASS": "pass", "X": "double", "XX": "redouble", "AP": "all pass"}


class Shown(NamedTuple):
    """A problem in its place: lines and columns from 0, in characters."""

    line: int
    start: int
    end: int
    severity: str
    code: str
    message: str
    hint: str


class Game(NamedTuple):
    """A game of the outline, with its first line from 0."""

    name: str
    line: int


def read_text(text: str, name: str, path: str | None = None) -> Session:
    """Read, check and score the text of a file by the settings near its path, if they have no mistakes."""
    session = assemble(read_bytes(text.encode(), name), "together", verified=True)
    try:
        return evaluate(session, load_config(find_settings([path] if path else [])))
    except ConfigError:
        return evaluate(session, Config())


def list_problems(session: Session, text: str) -> list[Shown]:
    """Return the problems of a text in their places; those without a line are at the top."""
    lines = text.splitlines() or [""]
    shown = []
    columns = ("line", "column", "severity", "code", "message", "hint")
    for line, column, severity, code, message, hint in session.problems.select(columns).iter_rows():
        at = min((line or 1) - 1, len(lines) - 1)
        start = min((column or 1) - 1, len(lines[at]))
        word = _WORD.match(lines[at], start)
        shown.append(Shown(at, start, word.end() if word else len(lines[at]), severity, code, message, hint))
    return shown


def explain(text: str, line: int, column: int) -> str | None:
    """Return what the tag, the command or the call at a place means; None for other text."""
    whole = dict(enumerate(text.splitlines())).get(line, "")
    if tag := re.match(r"\s*\[\s*(\w+)", whole):
        return _explain_tag(tag[1])
    if command := _find_at(r"([A-Za-z]{2})\|([^|]*)\|?", whole, column):
        return _explain_command(command[1], command[2])
    word = _find_at(r"[A-Za-z0-9]+", whole, column)
    call = _explain_call(word[0]) if word else None
    return f"{call}, PBN 3.5.1" if call else None


def _find_at(pattern: str, line: str, column: int) -> re.Match[str] | None:
    """Return the first match that the column is in, or at the end of."""
    return next((found for found in re.finditer(pattern, line) if found.start() <= column <= found.end()), None)


def _explain_tag(name: str) -> str | None:
    tag = TAGS.get(name)
    if not tag or not tag.section:
        return None
    expected = f": {tag.form.expected}" if tag.form and tag.form.expected else ""
    return f"{name}, PBN {tag.section}{expected}"


def _explain_command(name: str, value: str) -> str | None:
    meaning = _COMMANDS.get(name.lower())
    call = _explain_call(value.strip("!")) if name.lower() == "mb" else None
    return f"{name}, LIN: {meaning}{f' ({call})' if call else ''}" if meaning else None


def _explain_call(text: str) -> str | None:
    """Return a call in words."""
    plain = {"P": "PASS", "D": "X", "R": "XX"}.get(text.upper(), text.upper())
    bid = re.fullmatch(r"([1-7])(NT?|[CDHS])", plain)
    if bid:
        strain = _STRAINS["NT" if bid[2].startswith("N") else bid[2]]
        return f"bid {CALLS.index(bid[1] + ('NT' if strain == 'notrump' else bid[2])) - 2} of 35: {bid[1]} {strain}"
    return _OTHER_CALLS.get(plain)


def outline(session: Session) -> list[Game]:
    """Return the games of a text in their order."""
    games = session.records.select(
        pl.when(pl.col("board_label").is_null())
        .then(pl.lit("A game without a board"))
        .otherwise(pl.format("Board {}", pl.col("board_label").fill_null("?"))),
        pl.col("line").fill_null(1) - 1,
    )
    return [Game(name, line) for name, line in games.iter_rows()]


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
        document = self._server.workspace.get_text_document(uri)
        text, path = document.source, document.path
        known = self._sessions.get(uri)
        if known and known[0] == text:
            return known[1]
        session = await self.away(lambda: read_text(text, name, path))
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


_MENDED = {rule.code for rules in RULES.values() for rule in rules}


MOST_BYTES: Final = 256 * 1024 * 1024
"""Bytes of the longest message of an editor: it sends whole files."""
_LONGEST_HEAD: Final = 64 * 1024


class BoundedInput(BufferedIOBase):
    """What an editor sends, as far as memory can hold it.

    Attributes:
        refused: the bytes that a message should have had, if that was too many; the input ends there.
    """

    def __init__(self, stream: BinaryIO) -> None:
        """Read from a stream."""
        self._stream = stream
        self.refused = 0

    def readline(self, _size: int | None = -1, /) -> bytes:
        """Return a line of the head of a message."""
        return self._stream.readline(_LONGEST_HEAD)

    def read(self, size: int | None = -1, /) -> bytes:
        """Return a message; nothing for one that is too long."""
        if size is not None and 0 <= size <= MOST_BYTES:
            return self._stream.read(size)
        self.refused = size or MOST_BYTES
        return b""


def make_server() -> LanguageServer:
    """Return the server; `start_io` serves an editor on standard input and output."""
    server = LanguageServer("overtrick", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Incremental)
    checks = Checks(server)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        checks.check_soon(params.text_document.uri, delay=0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        checks.check_soon(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        checks.forget(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        text = _text(server, params.text_document.uri)
        said = explain(text, params.position.line, params.position.character)
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, said)) if said else None

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        uri = params.text_document.uri
        games = outline(await checks.session(uri, _name(uri)))
        ends = [*(game.line for game in games[1:]), len(_text(server, uri).splitlines())]
        return [_symbol(game.name, game.line, end) for game, end in zip(games, ends, strict=True)]

    _offer_mends(server, checks)
    return server


def _offer_mends(server: LanguageServer, checks: Checks) -> None:
    """Offer quick fixes. Where the editor asks again for the one that is chosen, only that one is made."""

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(resolve_provider=True))
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        codes = sorted({str(problem.code) for problem in params.context.diagnostics if problem.code} & _MENDED)
        uri = params.text_document.uri
        offered = [_action(uri, f"Mend all: {code}", code) for code in codes]
        if codes:
            offered.append(_action(uri, "Mend all that overtrick understands", None))
        if _asks_again(server):
            return offered
        text = _text(server, uri)
        resolved = [await checks.away(partial(_with_edit, action, text)) for action in offered]
        return [action for action in resolved if action.edit]

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(action: types.CodeAction) -> types.CodeAction:
        text = _text(server, action.data["uri"]) if action.data else ""
        return await checks.away(partial(_with_edit, action, text))


def _asks_again(server: LanguageServer) -> bool:
    able = server.client_capabilities.text_document
    support = able.code_action.resolve_support if able and able.code_action else None
    return bool(support and "edit" in support.properties)


def _action(uri: str, title: str, code: str | None) -> types.CodeAction:
    return types.CodeAction(title, kind=types.CodeActionKind.QuickFix, data={"uri": uri, "code": code})


def _with_edit(action: types.CodeAction, text: str) -> types.CodeAction:
    """Add its change to a quick fix, if it has one."""
    if action.data:
        uri, code = action.data["uri"], action.data["code"]
        mended = mend(text.encode(), _name(uri), code)
        if mended.codes:
            whole = types.Range(types.Position(0, 0), types.Position(len(text.splitlines()) + 1, 0))
            action.edit = types.WorkspaceEdit(changes={uri: [types.TextEdit(whole, mended.after.decode())]})
    return action


def _symbol(name: str, line: int, end: int) -> types.DocumentSymbol:
    first = types.Range(types.Position(line, 0), types.Position(line, 0))
    whole = types.Range(types.Position(line, 0), types.Position(max(end, line), 0))
    return types.DocumentSymbol(name, types.SymbolKind.Object, whole, first)


def _text(server: LanguageServer, uri: str) -> str:
    return server.workspace.get_text_document(uri).source


def _name(uri: str) -> str:
    return unquote(urlsplit(uri).path).rpartition("/")[2] or uri
