"""The parsers made from the grammars, one file a format, and the tokens that they give."""

import re
from functools import cache
from typing import Final

from lark import Lark, Token
from lark.lexer import PatternRE, TerminalDef

from overtrick.resources import resource

_STARTS: Final = {
    "pbn": ["file", "auction", "play", "deal", "table_header"],
    "lin": ["file", "piece", "auction", "play", "deal", "result"],
}
"""By grammar, its languages."""


def grammar(language: str = "pbn", *, shortcut: bool = True) -> Lark:
    """Give the parser of the languages of one grammar.

    Args:
        language: the grammar, `pbn` for `grammars/pbn.lark`.
        shortcut: false takes the terminal PLAIN out, so that every line goes through the fine terminals.
    """
    return _built(language, shortcut)


@cache
def _built(language: str, shortcut: bool) -> Lark:
    text = resource("grammars", f"{language}.lark").read_text("utf-8")
    return Lark(
        text,
        parser="lalr",
        lexer="contextual",
        start=_STARTS[language],
        edit_terminals=None if shortcut else _never_plain,
    )


def _never_plain(terminal: TerminalDef) -> None:
    if terminal.name == "PLAIN":
        terminal.pattern = PatternRE("(?!x)x")


def tokens(text: str, start: str, *, language: str = "pbn", shortcut: bool = True) -> list[Token]:
    """Cut a text into the tokens of a flat language of a grammar, such as its `file`. Nothing is left out."""
    tree = grammar(language, shortcut=shortcut).parse(text, start=start)
    return [child for child in tree.children if isinstance(child, Token)]


@cache
def terminal(name: str, *, language: str = "pbn") -> str:
    """Give the regular expression of a terminal, so that columns are matched by the grammar's own definition."""
    return grammar(language).get_terminal(name).pattern.to_regexp()


@cache
def matcher(name: str, *, language: str = "pbn") -> re.Pattern[str]:
    """Give a terminal compiled, to be matched against a whole text."""
    return re.compile(terminal(name, language=language))
