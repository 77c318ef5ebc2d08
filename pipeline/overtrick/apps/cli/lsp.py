"""`overtrick lsp`: the language server for editors."""

from importlib.util import find_spec

from overtrick.apps.cli.output import wrong_usage


def lsp() -> None:
    """Show problems of PBN and LIN files in an editor, with fixes.

    The editor starts this command and speaks the language server protocol with it on standard input and output. It gets
    the problems of each open file in their places, the mends of overtrick fix as quick fixes, the meaning of tags,
    commands and calls, and an outline of the boards. This needs the extra lsp.
    """
    if find_spec("pygls") is None:
        wrong_usage("the language server needs the package pygls; get it with: pip install 'overtrick[lsp]'")
    from overtrick.apps.lsp.server import make_server

    make_server().start_io()
