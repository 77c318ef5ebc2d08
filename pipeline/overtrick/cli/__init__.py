"""The command line: one module per command. A command reads its options, calls the pipeline and prints.

Data goes to standard output, messages to standard error. Exit status: 0 fine; 1 the data has errors; 2 wrong usage;
3 publishing failed; 130 interrupted; 141 the reader of a pipe closed it.
"""

import gc
import os
import sys

from overtrick.cli.interrupts import INTERRUPTED, catch_interrupts, say_interrupted


def main() -> None:
    """Run the command line; the process ends with the command's exit status."""
    # A command ends before garbage piles up. Looking for it while libraries load takes 6 % of a short run.
    gc.disable()
    # To find its plugins, pydantic opens a file of each installed package. overtrick has no use for them.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        # Before the commands load, which takes longer than some of them run.
        catch_interrupts()
        from overtrick.cli.app import make_app

        make_app(sys.argv[1:])()
    except KeyboardInterrupt:
        say_interrupted()
        sys.exit(INTERRUPTED)
    except SystemExit as ended:
        if ended.code == INTERRUPTED:
            say_interrupted()
        raise
    finally:
        # Without this, Python searches all objects for cycles at its end: a tenth of a short run.
        gc.freeze()
