"""Where the grammars and templates are: inside the package when installed, beside it in a checkout."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource(*parts: str) -> Path:
    """Return the path of a file or folder of `grammars` or `templates`, for example `resource("grammars", "pbn.lark")`.

    A wheel carries both folders inside the package; a checkout keeps them at its top level.

    Raises:
        FileNotFoundError: neither place holds it (a broken installation).
    """
    for root in (_PACKAGE, _PACKAGE.parent.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"this installation of overtrick lacks {'/'.join(parts)}; reinstall it")
