"""The language server protocol, by pygls: what an editor asks, and how it is answered."""

from functools import partial
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from overtrick.apps.lsp.answers import Checks, explain, outline
from overtrick.core.version import __version__
from overtrick.files.mend import RULES, mend

_MENDED = {rule.code for rules in RULES.values() for rule in rules}


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
