"""The language server answers a real client over standard input and output."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from overtrick.apps.lsp.server import explain
from tests.support.commands import run

TEXT = '[Board "1"]\n[Dealer "N"]\n[North "Zoë"]\n[Contract "3N"]\n\n[Board "2"]\n[Dealer "X"]\n'
COMMAND = "from overtrick.apps.cli import main; main()"


def ask(text: str, path: Path, question: Callable[[LanguageClient, str], Awaitable[Any]]) -> tuple[Any, Any]:
    """Open a text in a client; return its diagnostics and the answer to a question."""

    async def talk() -> tuple[Any, Any]:
        client = LanguageClient("test", "1")
        published: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]  # of pygls
        def diagnosed(params: types.PublishDiagnosticsParams) -> None:
            if not published.done():
                published.set_result(params.diagnostics)

        await client.start_io(sys.executable, "-c", COMMAND, "lsp")
        await client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))
        client.initialized(types.InitializedParams())
        uri = path.as_uri()
        opened = types.TextDocumentItem(uri, "pbn", 1, text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(opened))
        diagnostics = await asyncio.wait_for(published, 60)
        answer = await question(client, uri)
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()  # type: ignore[no-untyped-call]  # of pygls
        return diagnostics, answer

    return asyncio.run(talk())


async def _ask_all(client: LanguageClient, uri: str) -> tuple[Any, Any, Any]:
    document = types.TextDocumentIdentifier(uri)
    whole = types.Range(types.Position(0, 0), types.Position(6, 0))
    problem = types.Diagnostic(whole, "spelling", code="pbn-spelling")
    context = types.CodeActionContext([problem])
    actions = await client.text_document_code_action_async(types.CodeActionParams(document, whole, context))
    hover = await client.text_document_hover_async(types.HoverParams(document, types.Position(3, 3)))
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    return actions, hover, symbols


@pytest.mark.slow
def test_a_client_gets_problems_fixes_explanations_and_an_outline(tmp_path: Path) -> None:
    diagnostics, (actions, hover, symbols) = ask(TEXT, tmp_path / "one.pbn", _ask_all)
    spelling = next(one for one in diagnostics if one.code == "pbn-spelling")
    assert (3, 0, 15) == (spelling.range.start.line, spelling.range.start.character, spelling.range.end.character)
    assert types.DiagnosticSeverity.Error == next(one for one in diagnostics if one.code == "pbn-tag-value").severity
    (edit,) = next(iter(actions[0].edit.changes.values()))
    assert TEXT.replace("3N", "3NT") == edit.new_text
    assert "PBN 3.4.14" in hover.contents.value
    assert ["Board 1", "Board 2"] == [symbol.name for symbol in symbols]


async def _type(client: LanguageClient, uri: str) -> tuple[list[types.PublishDiagnosticsParams], types.Hover | None]:
    """Type ten calls, ask about one of them at once, and wait for what is published."""
    published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
    client.protocol.fm._features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = published.put_nowait  # noqa: SLF001
    place = types.Range(types.Position(0, 0), types.Position(0, 0))
    for version in range(2, 12):
        document = types.VersionedTextDocumentIdentifier(version, uri)
        change = types.TextDocumentContentChangePartial(range=place, text="1C ")
        client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
    asked = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, 1))
    hover = await client.text_document_hover_async(asked)
    seen = [await asyncio.wait_for(published.get(), 60)]
    while seen[-1].version != 11:
        seen.append(await asyncio.wait_for(published.get(), 60))
    return seen, hover


@pytest.mark.slow
def test_a_text_is_checked_once_after_quick_typing(tmp_path: Path) -> None:
    _, (published, hover) = ask(TEXT, tmp_path / "one.pbn", _type)
    assert [11] == [one.version for one in published]
    assert "stray-text" in {one.code for one in published[0].diagnostics}
    assert "1 clubs" in hover.contents.value


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ('[Dealer "N"]', 3, "PBN 3.4.9"),
        ("1C  3NT Pass", 5, "3 notrump"),
        ("1C  3NT Pass", 9, "pass"),
        ("mb|2D!|mb|p|", 4, "2 diamonds"),
        ("mb|2D!|pc|SA|", 8, "a card played"),
    ],
)
def test_a_tag_a_command_and_a_call_are_explained(text: str, column: int, expected: str) -> None:
    assert expected in (explain(text, 0, column) or "")


@pytest.mark.parametrize(("text", "line"), [("", 0), ("hello there", 0), ('[Private "x"]', 0), ("x", 9)])
def test_other_text_is_not_explained(text: str, line: int) -> None:
    assert explain(text, line, 1) is None


def test_help_names_the_extra() -> None:
    assert "extra lsp" in run("lsp", "--help").out
