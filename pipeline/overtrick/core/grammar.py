"""Parsers, lexers and patterns made from the grammars, one grammar a format.

Most files need only the patterns. These are kept beside the grammars, for lark itself takes longer to load than to read
and check such a file.
"""

import json
import re
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Literal

from overtrick.core.machine import cache_folder, resource
from overtrick.core.words import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lark import Lark, Token
    from lark.lexer import TerminalDef

_POSSESSIVE: Final = re.compile(r"([*+?])\+")
_IGNORES_CASE: Final = "(?i:"

Lexing = Literal["basic", "contextual"]


def grammar(start: str, *, language: str = "pbn", shortcut: bool = True) -> "Lark":
    """Return the parser of one of a grammar's languages.

    Args:
        start: the language's start symbol.
        language: the grammar, `pbn` for `grammars/pbn.lark`.
        shortcut: false takes the terminal PLAIN out, so that every line goes through the fine terminals.
    """
    return _parser(start, language, "contextual", shortcut)


def tokens(text: str, start: str, *, language: str = "pbn", shortcut: bool = True) -> "Iterator[Token]":
    """Cut a text into the tokens of a flat language, such as the `file` of a grammar.

    A flat language takes its tokens in any order: there is nothing to parse, and a tree would outweigh the text by far.

    Args:
        text: the text.
        start: the language's start symbol.
        language: the grammar.
        shortcut: as for `grammar`.

    Yields:
        The tokens, one after the other. Only terminals whose names begin with `_` are left out.
    """
    found = _parser(start, language, "basic", shortcut).lex(text)
    return (token for token in found if not token.type.startswith("_"))


@cache
def _parser(start: str, language: str, lexing: Lexing, shortcut: bool) -> "Lark":
    text = _text(language)
    if shortcut:
        parser = _built(text, start, lexing, cached=_cache_file(f"{language}-{start}-{lexing}.lark"))
    else:
        # Lark's cache does not know parsers apart whose terminals were edited.
        parser = _built(text, start, lexing, edited=_without_plain)
    from lark.lexer import BasicLexer  # noqa: PLC0415 - most files are read by patterns alone

    # `Lark.lex` would build this lexer for each text.
    parser.lexer = BasicLexer(parser.lexer_conf)
    return parser


def _text(language: str) -> str:
    """Return a grammar with its words, which are those of `words.toml`."""
    return resource("grammars", f"{language}.lark").read_text("utf-8") + ENGLISH.terminals()


def _built(
    text: str,
    start: str,
    lexing: Lexing,
    *,
    cached: str | Literal[False] = False,
    edited: "Callable[[TerminalDef], None] | None" = None,
) -> "Lark":
    from lark import Lark  # noqa: PLC0415 - as above

    return Lark(text, parser="lalr", lexer=lexing, start=[start], cache=cached, edit_terminals=edited)


def _cache_file(name: str) -> str | Literal[False]:
    """Return where lark keeps a parser, which takes a hundred times as long to build as to load.

    Lark builds it again when the file is missing, damaged, or made from another grammar, and does without a cache when
    it cannot write the file. Processes that start together may all write it: readers see a whole file or a damaged one.

    Returns:
        The file, or false when there cannot be a folder for it.
    """
    place = cache_folder() / "grammars" / name
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return str(place)


def _without_plain(terminal: "TerminalDef") -> None:
    from lark.lexer import PatternRE  # noqa: PLC0415 - as above

    if terminal.name == "PLAIN":
        terminal.pattern = PatternRE("(?!x)x")


LANGUAGES: Final = {
    "pbn": ("file", "auction", "play", "deal", "table_header", "patterns"),
    "lin": ("file", "auction", "play", "deal", "patterns"),
}
"""The start symbols of each grammar."""


def list_terminals(language: str) -> dict[str, str]:
    """Return the regular expression of each terminal of a grammar, as lark makes it."""
    parsers = (_parser(start, language, "basic", True) for start in LANGUAGES[language])
    return {terminal.name: terminal.pattern.to_regexp() for parser in parsers for terminal in parser.terminals}


def grammar_hash(language: str) -> str:
    """Return what tells one version of a grammar from another."""
    return sha256(_text(language).encode()).hexdigest()


@cache
def _terminals(language: str) -> dict[str, str]:
    """Return `list_terminals` from `grammars/terminals.json`, unless the grammar was changed after that was written."""
    stored = json.loads(resource("grammars", "terminals.json").read_bytes())[language]
    return stored["terminals"] if stored["grammar"] == grammar_hash(language) else list_terminals(language)


def terminal(name: str, *, language: str = "pbn") -> str:
    """Return the regular expression of a terminal, so that columns are matched by the grammar's own definition.

    Args:
        name: the terminal.
        language: the grammar.
    """
    return _terminals(language)[name]


@cache
def matcher(name: str, *, language: str = "pbn") -> re.Pattern[str]:
    """Return a terminal compiled, to be matched with a text."""
    return re.compile(terminal(name, language=language))


@cache
def for_columns(name: str, *, exact: bool = False) -> str:
    """Return a terminal among the `patterns` of PBN as an expression for columns.

    Their engine has no possessive repeats and needs none to take linear time. The terminal has to match the same
    without them.

    Args:
        name: the terminal.
        exact: whether capitals and small letters count, as in export form (PBN 3.11).
    """
    pattern = _POSSESSIVE.sub(r"\1", terminal(name))
    return f"(?:{pattern.replace(_IGNORES_CASE, '(?:') if exact else pattern})"


_NAMED: Final = re.compile("<([A-Z_]+)>")


def filled_in(pattern: str, *, exact: bool = False) -> str:
    """Put terminals into a pattern for columns: `<CONTRACT>` becomes what `for_columns("CONTRACT")` returns."""
    return _NAMED.sub(lambda name: for_columns(name[1], exact=exact), pattern)


@cache
def words(name: str) -> tuple[str, ...]:
    """Return the words that a terminal among the `patterns` of PBN lists with `|` between: `Pass` and `P` for PASS."""
    listed = terminal(name).removeprefix(_IGNORES_CASE).removesuffix(")")
    return tuple(listed.replace("\\", "").split("|"))
