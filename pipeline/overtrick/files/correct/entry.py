"""An entry of a corrections file: made from the options of `overtrick correct` or from a form, and written as text."""

import datetime as dt
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from overtrick.core.config.corrections import Entry, parse_corrections
from overtrick.core.config.file import ConfigError, Place, SettingsFile
from overtrick.core.machine import present
from overtrick.core.notation import count_tricks, is_number, read_result
from overtrick.core.words import ENGLISH, club_dialect, current_club, plain
from overtrick.files.formats.tables.typed import OTHER_RESULTS, Said, read_contract

_SCORE: Final = re.compile(r"[+-]\s*[0-9]{2,5}|0")
_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_BOOK: Final = 6
"""The tricks that a declarer needs beside the level of the contract."""


class ShorthandError(ValueError):
    """The text is not a result; the message says what was expected."""


def read_shorthand(text: str) -> dict[str, Any]:
    """Return the options of `overtrick correct` for a result as a scorer types it.

    Args:
        text: contract, declarer and tricks (`4SN+1`, `4S N 11`, `4Sx = by N`), and the lead if it is known
            (`4SN+1 DK`); `P` for a board that was passed out; `NP` for one that was not played; `60/40` or `A+/A-` for
            an artificial score; `+620` or `-100` for the points of N-S alone.

    Raises:
        ShorthandError: the text is none of these.
    """
    dialect, given = club_dialect(current_club()), plain(text)
    if _SCORE.fullmatch(given):
        return {"score": int(given.replace(" ", ""))}
    said = read_contract(text, dialect)
    if said is None:
        raise ShorthandError("expected contract, declarer and tricks such as 4SN+1, or P, NP, 60/40, -100")
    if said.not_played:
        return {"not_played": True}
    if said.contract is None:
        if not (said.award_ns and said.award_ew):
            raise ShorthandError(f"expected a score for each side, such as 60/40 or A+/A-, got {text.strip()}")
        return {"award": (said.award_ns, said.award_ew)}
    return {"contract": "Pass"} if said.contract == "Pass" else _played(said.contract, said)


def _played(contract: str, said: Said) -> dict[str, Any]:
    shown = "".join(_SIGNS.get(letter, letter) for letter in contract)
    if not (said.declarer and said.tricks):
        lacks = "the tricks" if said.declarer else "the declarer and the tricks"
        raise ShorthandError(f"expected {lacks} too, such as {shown} {said.declarer or 'N'} = or -1")
    # Some players write the level that was made, 4S N 5 for 4S N +1, and some the overtricks.
    if is_number(said.tricks) and (number := int(said.tricks)) <= _BOOK:
        over, played = number - int(contract[0]), f"{shown} {said.declarer}"
        made = f"+{number} for overtricks" if over < 0 else f"{f'+{over}' if over else '='} if {number} was made"
        raise ShorthandError(f"expected = or a sign: {played} {made}, {played} {over - _BOOK} for {number} tricks")
    try:
        tricks = count_tricks(contract, said.tricks)
    except ValueError as error:
        raise ShorthandError(str(error)) from error
    return {"contract": contract, "by": said.declarer, "tricks": tricks} | ({"lead": said.lead} if said.lead else {})


def describe_shorthand() -> dict[str, str]:
    """Return what a page needs to judge a result while it is typed, before any answer of the desk.

    Returns:
        `result`, the regular expression of a contract with its declarer and tricks, and `other`, that of everything
        else that `read_shorthand` takes; `card`, that of a lead. All are for whole texts in capitals, and mean the same
        in JavaScript.
    """
    dialect = club_dialect(current_club())
    words = [*dialect.spellings("call", "Pass"), *dialect.spellings("outcome", "passed out")]
    other = "|".join([_SCORE.pattern, *map(re.escape, words), OTHER_RESULTS])
    card = rf"{dialect.pattern('strain', 'S', 'H', 'D', 'C')}\s*{dialect.pattern('rank')}"
    return {"result": dialect.result_pattern().replace("?P<", "?<"), "other": other, "card": card}


def write_shorthand(row: Mapping[str, Any]) -> str:
    """Return a row of `frames.RESULTS` as `read_shorthand` reads it; empty if nothing is known of it.

    Suits are letters in English. Where people type in another language they are signs, as C may be hearts there, and
    the other words are its own: `3SAO=` for 3NT by West in French.
    """
    if row["status"] == "not played":
        return "NP"
    if {row["award_ns"], row["award_ew"]} != {None}:
        return f"{row['award_ns'] or '0%'}/{row['award_ew'] or '0%'}"
    if row["level"] == 0:
        return "P"
    if None in {row["level"], row["strain"], row["declarer"], row["tricks"]}:
        return "" if row["stated_score_ns"] is None else f"{row['stated_score_ns']:+d}"
    over = row["tricks"] - row["level"] - 6
    result = f"{over:+d}".replace("+0", "=")
    dialect, lead = club_dialect(current_club()), row["lead"] or ""
    signs = {"NT": "N"} if dialect.names == ("english",) else {**_SIGNS, "NT": dialect.own_word("strain", "NT")}
    contract = f"{row['level']}{signs.get(row['strain'], row['strain'])}{'X' * (row['doubled'] or 0)}"
    card = signs.get(lead[:1], lead[:1]) + dialect.own_word("rank", lead[1:])
    return f"{contract}{dialect.own_word('seat', row['declarer'])}{result} {card}".rstrip()


Given = Mapping[str, Any]
"""The options that were given, by name."""

_PLAIN: Final = (
    *("board", "pair", "section", "round", "table", "direction", "contract", "by", "tricks", "lead", "score"),
    *("swap", "other_pair", "add", "delete", "not_played", "assigned", "name", "title", "date", "club", "method"),
    *("why", "who"),
)
"""Options that are keys of an entry as they are."""

_PLACE: Final = re.compile(r"^(?:\[corrections\.1[^]]*\] |corrections, item 1: )")
"""The part of a message about an entry that gives its place in a file."""


class EntryError(ValueError):
    """The options describe no entry; the message says what is missing or wrong."""


def spell_options(given: Given) -> dict[str, Any]:
    """Return the options that people type in the club's language as files have them: `4H` for `4C` in French."""
    dialect = club_dialect(current_club())
    spelled = dict(given)
    text = str(given.get("contract", ""))
    found = read_result(text, dialect)
    if found and found != read_result(text, ENGLISH):
        spelled["contract"] = " ".join(filter(None, found))
    if isinstance(by := given.get("by"), str):
        spelled["by"] = dialect.read("seat", by) or by
    if isinstance(lead := given.get("lead"), str):
        spelled["lead"] = dialect.read("card", lead) or lead
    return spelled


def read_entry(given: Given) -> Entry:
    """Return the entry that the options describe.

    Raises:
        EntryError: they describe none.
    """
    values = {name: given[name] for name in _PLAIN if name in given}
    values |= {name: make(given) for name, make in _MADE.items() if name in given}
    if not values.keys() - {"why", "who"}:
        raise EntryError("say what is right, such as --contract 4S --by N --tricks 10; or --list, or --undo")
    if not values.get("why"):
        raise EntryError("say why, such as --why 'typed wrongly': the reason is published with the entry")
    values["when"] = present()
    # Through the text of a file, so that its messages are the command line's too.
    text = "[[corrections]]\n" + "".join(f"{key} = {toml_value(value)}\n" for key, value in values.items())
    read = parse_corrections(SettingsFile(Path(), text), "")
    if read.findings:
        raise EntryError("; ".join(_PLACE.sub("", str(finding.values["reason"])) for finding in read.findings))
    return read.entries[0].entry


def _penalty(given: Given) -> dict[str, object]:
    amount, unit = given["penalty"]
    law = {"law": "91"} if "disciplinary" in given else {}
    return {"amount": _short(amount), "unit": {"%": "percent"}.get(unit, unit), **law}


def _substitute(given: Given) -> dict[str, object]:
    absent, player = given["substitute"]
    boards = {"boards": [_whole(part) for part in given["boards"].split(",")]} if "boards" in given else {}
    return {"for": absent, "player": player, **boards}


def _tie(given: Given) -> dict[str, object]:
    extra = {"by": "extra-hands", "score": given["extra"]} if "extra" in given else {}
    return {"winner": given["tie"], **extra}


def _carried(text: str) -> dict[str, object]:
    """Read `3`, points; or `60/100`, a score and its top."""
    points, slash, top = text.partition("/")
    return {"score": _number(points), "top": _number(top)} if slash else {"points": _number(points)}


def _number(text: str) -> float:
    try:
        return _short(float(text))
    except ValueError as error:
        raise EntryError(f"expected a number, got {text!r}") from error


def _outcome(text: str) -> dict[str, int]:
    """Read `60:620`: a weight, and points for N-S."""
    weight, _, score = text.partition(":")
    return {"weight": _whole(weight), "score": _whole(score)}


def _words(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise EntryError(f"expected a whole number, got {text!r}") from None


def _short(number: float) -> float:
    return int(number) if number == number // 1 else number


_MADE: Final[Mapping[str, Callable[[Given], object]]] = {
    "fouled": lambda given: _words(given["fouled"]),
    "players": lambda given: _words(given["players"]),
    "award": lambda given: list(given["award"]),
    "cards": lambda given: list(given["cards"]),
    "split": lambda given: dict(zip(("ns", "ew"), given["split"], strict=True)),
    "weighted": lambda given: [_outcome(part) for part in given["weighted"].split(",")],
    "penalty": _penalty,
    "carry_over": lambda given: _carried(given["carry_over"]),
    "handicap": lambda given: _short(given["handicap"]),
    "player": lambda given: dict(zip(("from", "to"), given["player"], strict=True)),
    "substitute": _substitute,
    "tie": _tie,
}
"""Keys of an entry that are made of several words or options."""


# Entries written into the text of a corrections file, and taken out again; all other bytes stay as they are.
# Text is put behind the last line and cut off from there, so a person's comments, blank lines and line ends survive.

_HEADER: Final = "[[corrections]]"
_TAKEN_BACK: Final = "taken_back"
SCHEMA: Final = ".overtrick/corrections.schema.json"
_NAMED_SCHEMA: Final = re.compile(r"\A#:schema .*\n")


def append_entry(file: SettingsFile, entry: Entry) -> str:
    """Return the text of a corrections file with one entry more.

    Args:
        file: the file with its line ends as they are; its text is empty if it does not exist yet.
        entry: the entry.

    Raises:
        ConfigError: the file is not TOML, or its entries are not under headers.
    """
    _check_headers(file)
    end = _line_end(file)
    written = "".join(f"{line}{end}" for line in entry_lines(entry))
    # Without an end of the last line there is no blank line either: `remove_entry` takes the file back to this.
    return f"{file.text + end if file.text else _name_schema(file.path, end)}{written}"


def _name_schema(path: Path, end: str) -> str:
    """Return the first line of a new file, which names its schema for editors, if `overtrick init` wrote one."""
    for up, folder in enumerate(path.absolute().parents):
        if (folder / SCHEMA).is_file():
            return f"#:schema {'../' * up}{SCHEMA}{end}"
    return ""


def replace_entry(file: SettingsFile, number: int, entry: Entry) -> str:
    """Return the text of a corrections file with another entry in the place of one, as `remove_entry` finds it."""
    number, rest = _find_entry(file, number), remove_entry(file, number)
    if number == _count(file):
        return append_entry(SettingsFile(file.path, rest), entry)
    begin, end = file.places["corrections", number].key, _line_end(file)
    return rest[:begin] + "".join(f"{line}{end}" for line in (*entry_lines(entry), "")) + rest[begin:]


def remove_entry(file: SettingsFile, number: int = 0) -> str:
    """Return the text of a corrections file without one of its entries; empty if nothing but blanks is left.

    Comments on lines of their own stay.

    Args:
        file: the file.
        number: the place of the entry among the others, from 1; 0 for the last.

    Raises:
        ConfigError: the file is not TOML, its entries are not under headers, or it lacks that entry.
    """
    count, number = _count(file), _find_entry(file, number)
    begin = file.places["corrections", number].key
    if number < count:
        end = file.places["corrections", number + 1].key
        return file.text[:begin] + "".join(_comments(file, begin, end)) + file.text[end:]
    head = _NAMED_SCHEMA.sub("", file.text[:begin]) if count == 1 else file.text[:begin]
    if comments := "".join(_comments(file, begin)):
        return head + comments
    return re.sub(r"\r?\n\Z", "", head) if head.strip() else ""


def take_back(file: SettingsFile, number: int, when: dt.datetime) -> str:
    """Return the text of a corrections file in which an entry is marked as taken back.

    Raises:
        ConfigError: as for `remove_entry`, or the entry was taken back before.
    """
    begin = _find_header(file, number)
    if ("corrections", _find_entry(file, number), _TAKEN_BACK) in file.places:
        raise ConfigError(f"{file.path}: entry {number} was taken back before")
    line = file.text.find("\n", begin) + 1 or len(file.text)
    return f"{file.text[:line]}{_TAKEN_BACK} = {toml_value(when)}{_line_end(file)}{file.text[line:]}"


def put_again(file: SettingsFile, number: int) -> str:
    """Return the text of a corrections file in which an entry that was taken back counts again.

    Raises:
        ConfigError: as for `remove_entry`, or the entry was not taken back.
    """
    place = file.places.get(("corrections", _find_entry(file, number), _TAKEN_BACK))
    if place is None:
        raise ConfigError(f"{file.path}: entry {number} was not taken back")
    begin = file.text.rfind("\n", 0, place.key) + 1
    return file.text[:begin] + file.text[file.text.find("\n", place.end) + 1 or len(file.text) :]


def _find_header(file: SettingsFile, number: int) -> int:
    """Return where an entry begins."""
    _check_headers(file)
    return file.places["corrections", _find_entry(file, number)].key


def _line_end(file: SettingsFile) -> str:
    return "\r\n" if "\r\n" in file.text else "\n"


def _find_entry(file: SettingsFile, number: int) -> int:
    """Return the number of an entry; 0 means the last."""
    count = _count(file)
    if not count:
        raise ConfigError(f"{file.path}: there is no entry to remove")
    if not 0 <= number <= count:
        raise ConfigError(f"{file.path}: there is no entry {number}; the entries are 1 to {count}")
    return number or count


def _count(file: SettingsFile) -> int:
    """Return the number of entries."""
    _check_headers(file)
    return len(file.data.get("corrections", []))


def entry_lines(entry: Entry) -> Iterator[str]:
    """Write an entry, a line for each key, in the order of `Entry`."""
    values = entry.model_dump(by_alias=True, exclude_unset=True)
    yield _HEADER
    yield from (f"{key} = {toml_value(value)}" for key, value in values.items())


def toml_value(value: object) -> str:
    """Write a value as TOML on one line."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {toml_value(item)}' for key, item in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    # A text of JSON is one of TOML, but for the delete character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _check_headers(file: SettingsFile) -> None:
    listed: Any = file.data.get("corrections", [])
    place: Place | None = file.places.get(("corrections",))
    if not isinstance(listed, list) or (place and not file.text.startswith("[[", place.key - 2)):
        raise ConfigError(f"{file.path}: write each entry under a header of its own, {_HEADER}")


def _comments(file: SettingsFile, begin: int, end: int | None = None) -> Iterator[str]:
    """Return the lines between two places that hold nothing but a comment."""
    values = [place for place in file.places.values() if place.start >= begin and place.start != place.key]
    at = begin
    for line in file.text[begin:end].splitlines(keepends=True):
        if line.lstrip().startswith("#") and not any(place.start < at < place.end for place in values):
            yield line
        at += len(line)
