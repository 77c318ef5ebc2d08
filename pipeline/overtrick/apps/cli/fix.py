"""`overtrick fix`: rewrite files as their standard asks, where overtrick understands what they say."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from typer import Option

from overtrick.apps.cli import output
from overtrick.apps.cli.options import ConfigFile, Paths, read_config

if TYPE_CHECKING:
    from overtrick.files.mend import Mended


def fix(
    paths: Paths,
    diff: Annotated[bool, Option("--diff", help="Print the changes and write nothing. This is the default.")] = False,
    write: Annotated[bool, Option("--write", help="Write the files.")] = False,
    config: ConfigFile = None,
) -> None:
    """Mend the spelling and form of PBN and LIN files.

    fix mends the spelling of calls, cards, values and deals, quotes, names and order of tags, cells of tables, line
    ends, empty lines between games, text between games, and the pipes of LIN. It keeps a change only if the file says
    exactly the same after it, with fewer problems. What overtrick does not understand stays as it is, and so does the
    encoding. A second run finds nothing.

    Without --write, fix prints a unified diff, and the exit status is 1 if there is something to mend.
    """
    if diff and write:
        output.wrong_usage("--diff writes nothing, so it cannot be used with --write")
    settings = read_config(config, paths)
    from overtrick.core.words import spoken
    from overtrick.files.formats.looks import list_each_file_once
    from overtrick.files.formats.text import STDIN, opened
    from overtrick.files.mend import LARGEST, mend

    if write and STDIN in paths:
        output.wrong_usage("standard input cannot be written; give the name of a file")
    done: list[Mended] = []
    unread = 0
    files = list_each_file_once(paths)
    with output.show_work("Mending") as line, spoken(settings.words()):
        show = line("Mending files")
        for path in output.count_items(files, show):
            try:
                with opened(path) as source:
                    data = b"".join(source.blocks())
            except OSError as error:
                unread += 1
                output.complain(f"overtrick: {path}: can't be read: {error.strerror}")
                continue
            if write and path != STDIN and not Path(path).exists():
                unread += 1
                output.complain(f"overtrick: {path}: unpack the zip before you mend what is in it")
                continue
            mended = mend(data, path)
            if mended.drafts is None and path in paths:
                most = f"{LARGEST >> 20} MiB"
                output.complain(f"overtrick: {path}: fix mends PBN and LIN of at most {most}; this file stays as it is")
                continue
            done.append(mended)
            if mended.codes and write:
                output.write_file(Path(path), mended.after)
            elif mended.codes:
                output.emit(mended.diff(path))
    _finish(done, paths, written=write, unread=unread)


def _finish(done: "list[Mended]", paths: list[str], *, written: bool, unread: int) -> NoReturn:
    """Write to standard error what was mended, by problem code, and end."""
    counts: Counter[str] = Counter()
    for mended in done:
        counts.update(mended.codes)
    left = bool(counts) and not written
    if counts:
        files = sum(bool(mended.codes) for mended in done)
        named = ", ".join(f"{code} {count:,}" for code, count in counts.items())
        can = "can be mended" if left else "mended"
        output.say(f"{files} of {len(done)} {'file' if len(done) == 1 else 'files'} {can}: {named}")
    elif done:
        output.say("nothing to mend")
    if left:
        output.say(f"To write the files: {output.command_line('fix', '--write', *paths)}")
    raise typer.Exit(output.DATA_ERRORS if unread or left else 0)
