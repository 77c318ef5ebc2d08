"""Parsers, lexers and patterns made from the grammars, one grammar a format."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from lark import Lark, Token, Transformer
from lark.lexer import BasicLexer

from overtrick.core.machine import cache_folder, resource
from overtrick.core.words import ENGLISH, Dialect

LANGUAGES: Final = {
    "pbn": ("file", "archive", "auction", "play", "deal", "table_header", "patterns"),
    "lin": ("file", "auction", "play", "deal", "patterns"),
}
"""The start symbols of each grammar."""

LONGEST_EVENING: Final = 1_000_000
"""Characters of a text that lark parses whole, some 2,000 boards; columns cut the structure of a longer one.

On a longer text, lark takes 0.1 s more than the columns.
"""

_POSSESSIVE: Final = re.compile(r"([*+?])\+")
_IGNORES_CASE: Final = "(?i:"
_NAMED: Final = re.compile("<([A-Z_]+)>")


@cache
def grammar(start: str, *, language: str = "pbn", transformer: Transformer[Token, Any] | None = None) -> Lark:
    """Return the LALR parser of one of a grammar's languages.

    Args:
        start: the language's start symbol.
        language: the grammar, `pbn` for `grammars/pbn.lark`.
        transformer: its methods are called for each rule as soon as it is complete, so that no tree is kept.
    """
    return _load(language, start, lexer="contextual", transformer=transformer)


def tokens(text: str, start: str, *, language: str = "pbn", dialect: Dialect = ENGLISH) -> Iterator[Token]:
    """Cut a text into the tokens of a flat language, such as `auction`.

    A flat language takes its tokens in any order: there is nothing to parse, and a tree would outweigh the text by far.

    Args:
        text: the text.
        start: the language's start symbol.
        language: the grammar.
        dialect: what its words are.

    Yields:
        The tokens, one after the other. Only terminals whose names begin with `_` are left out.
    """
    return (token for token in _lexer(start, language, dialect).lex(text) if not token.type.startswith("_"))


@cache
def _lexer(start: str, language: str, dialect: Dialect) -> Lark:
    parser = _load(language, start, lexer="basic", dialect=dialect)
    # `Lark.lex` would build this lexer for each text.
    parser.lexer = BasicLexer(parser.lexer_conf)
    return parser


def _load(
    language: str,
    *starts: str,
    lexer: str,
    dialect: Dialect = ENGLISH,
    transformer: Transformer[Token, Any] | None = None,
) -> Lark:
    """Load a parser from lark's cache; to build one takes twenty times as long.

    Lark builds it again when the file is missing, damaged, or made from another grammar, and does without a cache when
    it cannot write the file. Processes that start together may all write it: readers see a whole file or a damaged one.
    """
    name = "-".join([language, starts[0] if len(starts) == 1 else "all", lexer, *dialect.names])
    place = cache_folder() / "grammars" / f"{name}.lark"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        kept: str | bool = str(place)
    except OSError:
        kept = False
    text = resource("grammars", f"{language}.lark").read_text("utf-8") + dialect.terminals()
    return Lark(text, parser="lalr", lexer=lexer, start=list(starts), cache=kept, transformer=transformer)


@cache
def _terminals(language: str) -> dict[str, str]:
    """Return the regular expression of each terminal of a grammar, as lark makes it."""
    parser = _load(language, *LANGUAGES[language], lexer="basic")
    return {terminal.name: terminal.pattern.to_regexp() for terminal in parser.terminals}


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


def filled_in(pattern: str, *, exact: bool = False) -> str:
    """Put terminals into a pattern for columns: `<CONTRACT>` becomes what `for_columns("CONTRACT")` returns."""
    return _NAMED.sub(lambda name: for_columns(name[1], exact=exact), pattern)


@cache
def words(name: str) -> tuple[str, ...]:
    """Return the words that a terminal among the `patterns` of PBN lists with `|` between: `Pass` and `P` for PASS."""
    listed = terminal(name).removeprefix(_IGNORES_CASE).removesuffix(")")
    return tuple(listed.replace("\\", "").split("|"))
