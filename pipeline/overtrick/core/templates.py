"""The folders of `templates/`, opened with Jinja: one set of rules for all that is written from them."""

from jinja2 import BaseLoader, BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from overtrick.core.machine import resource


def open_templates(
    folder: str,
    *,
    loader: BaseLoader | None = None,
    cache: BytecodeCache | None = None,
    is_markup: bool = True,
    is_trusted: bool = True,
) -> Environment:
    """Open a folder of templates. A missing value is an error, not an empty text.

    Args:
        folder: the folder below `templates/`.
        loader: finds the templates, where they come from other folders too.
        cache: keeps what is compiled.
        is_markup: escape all values.
        is_trusted: without it, templates are kept from what is not theirs, which costs a tenth of the time.
    """
    kind = Environment if is_trusted else SandboxedEnvironment
    return kind(
        loader=loader or FileSystemLoader(resource("templates", folder)),
        autoescape=is_markup,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        bytecode_cache=cache,
    )
