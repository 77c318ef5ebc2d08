"""The parser made from `grammars/pbn.lark`, and the tokens that it gives."""

import re
from functools import cache
from typing import Final

from lark import Lark, Token
from lark.lexer import PatternRE, TerminalDef

from overtrick.resources import resource

_STARTS: Final = ["file", "auction", "play", "deal", "table_header"]


@cache
def grammar(*, shortcut: bool = True) -> Lark:
    """Give the parser of the five languages of `pbn.lark`.

    Args:
        shortcut: false takes the terminal PLAIN out, so that every line goes through the fine terminals.
    """
    text = resource("grammars", "pbn.lark").read_text("utf-8")
    return Lark(
        text,
        parser="lalr",
        lexer="contextual",
        start=_STARTS,
        edit_terminals=None if shortcut else _never_plain,
    )


def _never_plain(terminal: TerminalDef) -> None:
    if terminal.name == "PLAIN":
        terminal.pattern = PatternRE("(?!x)x")


def tokens(text: str, start: str, *, shortcut: bool = True) -> list[Token]:
    """Cut a text into the tokens of one of the flat languages: `file`, `auction` or `play`. Nothing is left out."""
    tree = grammar(shortcut=shortcut).parse(text, start=start)
    return [child for child in tree.children if isinstance(child, Token)]


@cache
def terminal(name: str) -> str:
    """Give the regular expression of a terminal, so that columns are matched by the grammar's own definition."""
    return grammar().get_terminal(name).pattern.to_regexp()


@cache
def matcher(name: str) -> re.Pattern[str]:
    """Give a terminal compiled, to be matched against a whole text."""
    return re.compile(terminal(name))
