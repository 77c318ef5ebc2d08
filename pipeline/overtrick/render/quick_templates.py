"""Templates that fill in less time: fixed texts are translated when a template is compiled, and escaping is short.

Jinja itself looks up each text again for each page, through several calls, and makes an object of each value that it
escapes. Compiled templates are kept for each language (`render.compiled`), so a translated text can be part of them.
"""

from functools import lru_cache
from typing import Final

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

from overtrick.render.languages import Language, open_language

_REMEMBERED: Final = 16_384
"""Texts whose escaped form is remembered: pages show few texts many times."""

_escape_text = lru_cache(_REMEMBERED)(escape)


def _escape(value: object) -> str:
    """Return a value as HTML, as `markupsafe.escape` does."""
    if value.__class__ is Markup:
        return value
    # A `Markup` equals the text that it was made from, so only plain texts may be looked up.
    return _escape_text(value) if value.__class__ is str else escape(value)


class _QuickCode(CodeGenerator):
    """Writes the code of a template, with a name of its own for `_escape`."""

    def write_commons(self) -> None:
        """Write the first lines of each function."""
        super().write_commons()
        self.writeline("quick_escape = environment.quick_escape")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("quick_escape(")


class _FixedTexts(NodeTransformer):
    """Replaces `_("text")` by the translated text."""

    def __init__(self, spoken: Language) -> None:
        self._spoken = spoken

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802 - Jinja calls it by this name
        """Return a text in place of a call that depends on nothing else."""
        self.generic_visit(node)
        match node:
            case nodes.Call(node=nodes.Name(name="_"), args=[nodes.Const(value=str() as text)], kwargs=[]):
                translated = Markup(self._spoken.texts.gettext(text)) % {}  # noqa: S704 - as Jinja's own `_`
                return nodes.MarkSafe(nodes.Const(str(translated), lineno=node.lineno), lineno=node.lineno)
        return node


class QuickTemplates(Environment):
    """An environment for HTML whose templates fill quickly; `languages.add_language` has to add the language."""

    code_generator_class = _QuickCode
    quick_escape = staticmethod(_escape)

    def _generate(
        self,
        source: nodes.Template,
        name: str | None,
        filename: str | None,
        defer_init: bool = False,
    ) -> str:
        spoken = open_language(str(self.globals["language"]))
        return super()._generate(_FixedTexts(spoken).visit(source), name, filename, defer_init)
