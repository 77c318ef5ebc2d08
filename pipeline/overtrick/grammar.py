"""The parsers made from the grammars, one file a format, and the tokens that they give."""

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

import lark
from lark import Lark, Token
from lark.lexer import PatternRE, TerminalDef

from overtrick.machine import cache_folder, resource

_POSSESSIVE: Final = re.compile(r"([*+?])\+")


def grammar(start: str, *, language: str = "pbn", shortcut: bool = True) -> Lark:
    """Give the parser of one of a grammar's languages. Building it takes a while, so it is kept in the user's cache.

    Args:
        start: the language's start symbol.
        language: the grammar, `pbn` for `grammars/pbn.lark`.
        shortcut: false takes the terminal PLAIN out, so that every line goes through the fine terminals.
    """
    return _parser(start, language, shortcut)


@cache
def _parser(start: str, language: str, shortcut: bool) -> Lark:
    text = resource("grammars", f"{language}.lark").read_text("utf-8")
    if not shortcut:
        return _built(text, start, edit_terminals=_never_plain)
    made_of = f"{text}\0{start}\0{lark.__version__}\0{sys.version}"
    place = cache_folder() / "grammars" / f"{hashlib.sha256(made_of.encode()).hexdigest()}.lark"
    return _kept(place) or _keep(place, _built(text, start))


def _built(text: str, start: str, edit_terminals: Callable[[TerminalDef], None] | None = None) -> Lark:
    return Lark(text, parser="lalr", lexer="contextual", start=[start], edit_terminals=edit_terminals)


def _kept(place: Path) -> Lark | None:
    try:
        with place.open("rb") as file:
            return Lark.load(file)
    except Exception:  # noqa: BLE001 - a damaged file fails in any way, and is made again
        return None


def _keep(place: Path, parser: Lark) -> Lark:
    written = place.with_suffix(f".{os.getpid()}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with written.open("wb") as file:
            parser.save(file)
        written.replace(place)
    except OSError:
        # Without a cache that can be written, it is built each time.
        with suppress(OSError):
            written.unlink()
    return parser


def _never_plain(terminal: TerminalDef) -> None:
    if terminal.name == "PLAIN":
        terminal.pattern = PatternRE("(?!x)x")


def tokens(text: str, start: str, *, language: str = "pbn", shortcut: bool = True) -> Iterator[Token]:
    """Cut a text into the tokens of a flat language of a grammar, such as its `file`, one after the other.

    Nothing is left out but terminals whose names begin with `_`.
    """
    # A flat language takes its tokens in any order: there is nothing to parse, and a tree outweighs the text by far.
    found = grammar(start, language=language, shortcut=shortcut).lex(text)
    return (token for token in found if not token.type.startswith("_"))


@cache
def terminal(name: str, *, start: str = "file", language: str = "pbn") -> str:
    """Give the regular expression of a terminal, so that columns are matched by the grammar's own definition.

    Args:
        name: the terminal.
        start: a language that it is of.
        language: the grammar.
    """
    return grammar(start, language=language).get_terminal(name).pattern.to_regexp()


@cache
def matcher(name: str, *, start: str = "file", language: str = "pbn") -> re.Pattern[str]:
    """Give a terminal compiled, to be matched against a whole text."""
    return re.compile(terminal(name, start=start, language=language))


@cache
def for_columns(name: str) -> str:
    """Give a terminal of PBN files for the expressions of columns, which is to match all of a text.

    They know no possessive repeats, and need none to be linear in time; the terminal has to match the same without.
    """
    return r"\A(?:" + _POSSESSIVE.sub(r"\1", terminal(name)) + r")\z"
