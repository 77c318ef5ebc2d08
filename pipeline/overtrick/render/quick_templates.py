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

_TAKE_CONTEXT: Final = ("_", "gettext", "ngettext", "pgettext", "npgettext")
"""Functions that Jinja gives the context, which decides whether the text is escaped."""

_escape_text = lru_cache(_REMEMBERED)(escape)


def _escape(value: object) -> str:
    """Return a value as HTML, as `markupsafe.escape` does."""
    if value.__class__ is Markup:
        return value
    # A `Markup` equals the text that it was made from, so only plain texts may be looked up.
    return _escape_text(value) if value.__class__ is str else escape(value)


class _QuickCode(CodeGenerator):
    """Writes the code of a template: with a name of its own for `_escape`, and Python's own attributes and calls.

    Jinja looks up each attribute and makes each call through a function of its own, for items that are written as
    attributes, and for functions that take the context. Templates in the sandbox keep that.
    """

    def write_commons(self) -> None:
        """Write the first lines of each function."""
        super().write_commons()
        self.writeline("quick_escape = environment.quick_escape")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("quick_escape(")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 - Jinja calls it by this name
        """Write an attribute."""
        if self.environment.sandboxed:
            super().visit_Getattr(node, frame)
            return
        self.visit(node.node, frame)
        self.write(f".{node.attr}")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        """Write a call."""
        in_context = isinstance(node.node, nodes.Name) and node.node.name in _TAKE_CONTEXT
        if self.environment.sandboxed or in_context or forward_caller or node.dyn_args or node.dyn_kwargs:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for value in (*node.args, *node.kwargs):
            self.visit(value, frame)
            self.write(", ")
        self.write(")")


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
