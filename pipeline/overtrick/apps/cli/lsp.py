"""`overtrick lsp`: the language server for editors."""

import sys
from importlib.util import find_spec
from typing import BinaryIO, cast

from overtrick.apps.cli.output import wrong_usage


def lsp() -> None:
    """Show problems of PBN and LIN files in an editor, with fixes.

    The editor starts this command and speaks the language server protocol with it on standard input and output. It gets
    the problems of each open file in their places, the mends of overtrick fix as quick fixes, the meaning of tags,
    commands and calls, and an outline of the boards. This needs the extra lsp.
    """
    if find_spec("pygls") is None:
        wrong_usage("the language server needs the package pygls; get it with: pip install 'overtrick[lsp]'")
    from overtrick.apps.lsp.server import MOST_BYTES, BoundedInput, make_server

    editor = BoundedInput(sys.stdin.buffer)
    make_server().start_io(cast("BinaryIO", editor))
    if editor.refused:
        wrong_usage(f"the editor announced a message of {editor.refused:,} bytes; the most is {MOST_BYTES:,}")
