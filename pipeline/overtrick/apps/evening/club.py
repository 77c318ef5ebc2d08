"""A club's folder: its evenings, and its list of members, to which spellings can be added."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from overtrick.core.config.file import ConfigError
from overtrick.core.config.members import BETWEEN_ALIASES, Member, decode_members, read_members, split_columns
from overtrick.core.frames import Session
from overtrick.files.assemble import read
from overtrick.files.formats.looks import is_input, walk
from overtrick.judge.people.identity import Mention, fold_name, split_pair


def list_evening_files(folder: Path) -> list[Path]:
    """Return the files below a club's folder that hold evenings."""
    return sorted(filter(is_input, walk(folder)[0]))


def list_tables(session: Session) -> Iterator[tuple[Mention, ...]]:
    """Yield the players of each pair of an evening, each pair once: names and numbers."""
    listed = session.contestants.select("names", "members").drop_nulls("names").unique(maintain_order=True)
    seen = set()
    for names, numbers in listed.iter_rows():
        pair = tuple(split_pair(names, numbers))
        seen.add(frozenset(name for name, _ in pair))
        yield pair
    seats = session.records.select("north", "south", "east", "west").unique(maintain_order=True)
    for north, south, east, west in seats.iter_rows():
        for two in ((north, south), (east, west)):
            if all(two) and frozenset(two) not in seen:
                seen.add(frozenset(two))
                yield tuple((name, "") for name in two)


def read_evenings(files: Iterable[Path], report: Callable[[str], None]) -> Iterator[tuple[str, tuple[Mention, ...]]]:
    """Yield the pairs of each file: the evening, which sorts by date, and name and number of each player.

    The name of an evening is its date and the file's name before the dot: deals and results of one evening have the
    same. A file that can't be read is reported and left out.
    """
    for path in files:
        session = read([str(path)])
        for reason in session.problems.filter(code="file-unreadable")["message"]:
            report(f"{path}: {reason}")
        dates = session.records["date"].drop_nulls()
        evening = f"{dates[0] if len(dates) else ''} {path.stem}".strip()
        for pair in list_tables(session):
            yield evening, pair


def add_alias(path: Path, name: str, alias: str) -> str:
    """Return the text of `members.csv` in which a member has one more spelling.

    A member who is not in the list yet is added to it. All other lines stay as they are.

    Args:
        path: the list; it need not exist.
        name: the member's name.
        alias: the spelling.

    Raises:
        ConfigError: the list can't be read, has two members of that name, or the spelling is another member's.
    """
    text, members = _open(path)
    named = [member for member in members if fold_name(name) in map(fold_name, member.names)]
    others = [member for member in members if fold_name(alias) in map(fold_name, member.names)]
    if len(named) > 1:
        raise ConfigError(f"{path}: two members have the name {name!r}; add the spelling to one of them by hand")
    if others and others != named:
        raise ConfigError(f"{path}:{others[0].line}: {alias!r} is another member; remove that line first")
    if others:
        raise ConfigError(f"{path}:{others[0].line}: {others[0].name!r} has the spelling {alias!r} already")
    text = _with_column(text, "aliases")
    if not named:
        return _append(text, {"name": name, "aliases": alias})
    lines = text.splitlines(keepends=True)
    member = named[0]
    between, columns = split_columns(text)
    line = lines[member.line - 1]
    end = line[len(line.rstrip("\r\n")) :]
    cells = next(csv.reader([line.rstrip("\r\n")], delimiter=between))
    cells += [""] * (len(columns) - len(cells))
    at = columns.index("aliases")
    cells[at] = BETWEEN_ALIASES.join(filter(None, (cells[at].strip(), alias)))
    lines[member.line - 1] = _write_row(cells, between) + end
    return "".join(lines)


def add_members(path: Path, names: Sequence[str]) -> str:
    """Return the text of `members.csv` with a line for each name that it lacks: two members are two people.

    Raises:
        ConfigError: the list can't be read.
    """
    text, members = _open(path)
    for name in names:
        if not any(fold_name(name) == fold_name(member.name) for member in members):
            text = _append(text, {"name": name})
    return text


def _open(path: Path) -> tuple[str, tuple[Member, ...]]:
    if not path.is_file():
        return "number,name,aliases,privacy,handicap,grade,left\n", ()
    return decode_members(path.read_bytes()), read_members(path)


def _with_column(text: str, name: str) -> str:
    """Add a column to a list that lacks it, at its end."""
    between, columns = split_columns(text)
    if name in columns:
        return text
    header, _, rest = text.partition("\n")
    line_end = "\r\n" if header.endswith("\r") else "\n"
    return f"{header.rstrip()}{between}{name}{line_end}{rest}"


def _append(text: str, row: dict[str, str]) -> str:
    between, columns = split_columns(text)
    end = "\r\n" if "\r\n" in text else "\n"
    before = text if text.endswith("\n") else text + end
    return before + _write_row([row.get(name, "") for name in columns], between) + end


def _write_row(cells: Sequence[str], between: str) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=between, lineterminator="").writerow(cells)
    return buffer.getvalue()
