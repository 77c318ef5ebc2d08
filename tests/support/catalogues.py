"""Catalogues of languages: what they translate, and whether overtrick still says it.

`python -m tests.support.catalogues fr` writes the texts of templates and problems that a catalogue lacks, as entries to
fill in.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from json import decoder
from os import strerror
from pathlib import Path
from typing import Final
from xml.parsers.expat import errors

from babel.messages import Catalog
from babel.messages.pofile import read_po
from jinja2.ext import babel_extract

import overtrick
from overtrick.core.config.edit import list_fields
from overtrick.core.machine import resource
from overtrick.core.problems import CODES

LANGUAGES: Final = sorted(path.stem for path in resource("templates", "languages").glob("*.po"))
PACKAGE: Final = Path(overtrick.__file__).parent
BY_PYTHON: Final = (
    Path(decoder.__file__).read_text("utf-8"),
    "Invalid control character at",
    *("Illegal trailing comma before end of object", "Illegal trailing comma before end of array"),
    *(text for text in vars(errors).values() if isinstance(text, str)),
    *map(strerror, range(40)),
)
"""What Python says of broken JSON, broken XML and files, some of it only since 3.13."""
PLACEHOLDER: Final = re.compile(r"%\(\w+\)s|%s|\{\w*\}")
_VALUE: Final = "\0"


def open_catalogue(language: str) -> Catalog:
    """Return the catalogue of a language."""
    with resource("templates", "languages", f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def list_texts_of_problems() -> set[str]:
    """Return the sentences and hints of all codes."""
    said = (text for code in CODES.values() for text in code.texts)
    return {text for code in said for text in (code.sentence, code.habit, code.hint) if text}


def list_texts_of_templates() -> set[str]:
    """Return the texts that templates translate; one that a value names is not there to be found."""
    found, top = set[str](), resource("templates")
    for path in (*top.glob("html/*.html"), *top.glob("desk/*.html"), *top.glob("exchange/*.j2")):
        with path.open("rb") as file:
            for _, _, text, _ in babel_extract(file, ("_", "ngettext"), [], {"trim_blocks": "true"}):
                first = text if isinstance(text, str) else (text or ("",))[0]
                found |= {str(first)} - {"", "None"}
    for path in top.glob("typst/*.typ"):
        found |= set(re.findall(r'say\("([^"]+)"', path.read_text("utf-8")))
    return found


def list_texts_of_settings() -> set[str]:
    """Return what the desk says of the tables and keys of `club.toml`."""
    return {text for _, about, fields in list_fields({}) for text in (about, *(one.about for one in fields)) if fields}


def is_said(english: str) -> bool:
    """Return whether a text, or the pieces that an f-string makes it of, is in the sources or the templates."""
    return _is_said(_plain(english), 3)


def _is_said(plain: str, deep: int) -> bool:
    if plain.strip(f"{_VALUE} ") in _everything():
        return True
    forms = (form.fullmatch(plain) for form in _forms()) if deep else ()
    return any(all(_is_said(piece, deep - 1) for piece in found.groups()) for found in forms if found)


def _plain(text: str) -> str:
    """Return a text in small letters, without its placeholders; a key such as `part_scores` reads as `Part-scores`."""
    return re.sub(r"[\s_-]+", " ", PLACEHOLDER.sub(_VALUE, text)).replace("%%", "%").lower()


@cache
def _everything() -> str:
    templates = (path for path in resource("templates").rglob("*.*") if path.suffix in {".html", ".j2", ".typ"})
    words = (PACKAGE / "core" / "policies.toml").read_text("utf-8")
    texts = (
        *BY_PYTHON,
        *_texts_of_code(),
        *list_texts_of_settings(),
        words,
        *(path.read_text("utf-8") for path in templates),
    )
    return "\n".join(map(_plain, texts))


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    """Return a pattern for each f-string that has words, with a group for each of its values.

    A phrase is translated between its commas.
    """
    joined = {_plain(text) for text in _texts_of_code() if _VALUE in text}
    pieces = {piece for text in joined for piece in (text, *text.split(", ")) if re.search("[a-z]{3}", piece)}
    return tuple(re.compile(re.escape(piece).replace(re.escape(_VALUE), "(.*)")) for piece in pieces)


@cache
def _texts_of_code() -> tuple[str, ...]:
    """Return the texts and the annotated names in the package, without docstrings."""
    return tuple({text for path in PACKAGE.rglob("*.py") for text in _texts_in(ast.parse(path.read_text("utf-8")))})


def _texts_in(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else _VALUE for part in node.values)
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            yield from _texts_in(child)


def list_missing(language: str) -> Iterator[tuple[str | None, str]]:
    """Yield the texts of templates, settings and problems that a catalogue lacks, each after its context."""
    messages = [one for one in open_catalogue(language) if one.string]
    known = {(one.context, one.id if isinstance(one.id, str) else one.id[0]) for one in messages}
    for context, texts in (
        (None, list_texts_of_templates() | list_texts_of_settings()),
        ("problem", list_texts_of_problems()),
    ):
        yield from ((context, text) for text in sorted(texts) if (context, text) not in known)


def main(language: str) -> None:
    """Write the texts that a catalogue lacks as entries of a catalogue."""
    for context, text in list_missing(language):
        named = f'msgctxt "{context}"\n' if context else ""
        print(f'{named}msgid {json.dumps(text)}\nmsgstr ""\n')


if __name__ == "__main__":
    main(sys.argv[1])
