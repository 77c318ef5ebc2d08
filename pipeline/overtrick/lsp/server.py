"""The language server protocol, by pygls: what an editor asks, and how it is answered."""

from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from overtrick import __version__
from overtrick.lsp.answers import Shown, explain, list_problems, outline, read_text
from overtrick.mend import RULES, mend

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
_MENDED = {rule.code for rules in RULES.values() for rule in rules}


def make_server() -> LanguageServer:
    """Return the server; `start_io` serves an editor on standard input and output."""
    server = LanguageServer("overtrick", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        _publish(server, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        _publish(server, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        text = _text(server, params.text_document.uri)
        said = explain(text, params.position.line, params.position.character)
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, said)) if said else None

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        text = _text(server, params.text_document.uri)
        games = outline(read_text(text, _name(params.text_document.uri)))
        last = len(text.splitlines())
        ends = [*(game.line for game in games[1:]), last]
        return [_symbol(game.name, game.line, end) for game, end in zip(games, ends, strict=True)]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        codes = {str(one.code) for one in params.context.diagnostics if one.code} & _MENDED
        uri = params.text_document.uri
        text = _text(server, uri)
        found = [_action(text, uri, f"Mend all: {code}", code) for code in sorted(codes)]
        if codes:
            found.append(_action(text, uri, "Mend all that overtrick understands", None))
        return [action for action in found if action]

    return server


def _publish(server: LanguageServer, uri: str) -> None:
    text = _text(server, uri)
    lines = text.splitlines() or [""]
    problems = list_problems(read_text(text, _name(uri)), text)
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(uri, [_diagnostic(problem, lines) for problem in problems])
    )


def _diagnostic(problem: Shown, lines: list[str]) -> types.Diagnostic:
    line = lines[problem.line]
    start, end = (types.Position(problem.line, _units(line, column)) for column in (problem.start, problem.end))
    message = f"{problem.message}\n{problem.hint}"
    severity = _SEVERITIES[problem.severity]
    return types.Diagnostic(types.Range(start, end), message, severity=severity, code=problem.code, source="overtrick")


def _action(text: str, uri: str, title: str, code: str | None) -> types.CodeAction | None:
    """Return a quick fix, if it changes the text."""
    mended = mend(text.encode(), _name(uri), code)
    if not mended.codes:
        return None
    whole = types.Range(types.Position(0, 0), types.Position(len(text.splitlines()) + 1, 0))
    edit = types.WorkspaceEdit(changes={uri: [types.TextEdit(whole, mended.after.decode())]})
    return types.CodeAction(title, kind=types.CodeActionKind.QuickFix, edit=edit)


def _symbol(name: str, line: int, end: int) -> types.DocumentSymbol:
    first = types.Range(types.Position(line, 0), types.Position(line, 0))
    whole = types.Range(types.Position(line, 0), types.Position(max(end, line), 0))
    return types.DocumentSymbol(name, types.SymbolKind.Object, whole, first)


def _units(line: str, column: int) -> int:
    """Return a column in the units of UTF-16, in which editors count."""
    return len(line[:column].encode("utf-16-le")) // 2


def _text(server: LanguageServer, uri: str) -> str:
    return server.workspace.get_text_document(uri).source


def _name(uri: str) -> str:
    return unquote(urlsplit(uri).path).rpartition("/")[2] or uri
