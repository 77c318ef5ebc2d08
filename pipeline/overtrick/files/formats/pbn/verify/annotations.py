"""Suffixes, NAGs, note references and irregularities (PBN 3.5.2, 3.6.2, 3.7, 3.9), and notes (3.5.4 to 3.6.5)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import polars as pl

from overtrick.core import notation
from overtrick.core.frames import PART, PROBLEMS, RECORDS, empty
from overtrick.core.grammar import filled_in
from overtrick.core.problems import Finding, report
from overtrick.files.formats.pbn.forms import Form
from overtrick.files.formats.pbn.read.games import Games
from overtrick.files.formats.pbn.read.tag_columns import Tags
from overtrick.files.formats.pbn.tags import TAGS, Tag, standard_names
from overtrick.files.formats.pbn.verify.tally import Files, Tally
from overtrick.files.formats.text import TextBlock

_UNKNOWN: Final = r"\s*[?#]?\s*"
"""Matches what a game may state for any tag, which its own form need not have."""


def count_unknown_tags(games: Games, tags: Tags, files: Files, tally: Tally) -> None:
    """Count the tags that the standard does not know: private tags are legal, slips look like them."""
    standard = standard_names()
    name, correct = pl.col("name"), {known.lower(): known for known in standard}
    unknown = tags.tags.filter(~name.is_in(standard)).select("line", "column", "name", record="game")
    meant = name.str.to_lowercase().replace_strict(correct, default=None, return_dtype=pl.String)
    named = files.numbered(unknown).with_columns(correct=meant)
    private, capital = pl.col("correct").is_null(), name.str.contains("^[A-Z]")
    both = named.filter(~private).with_columns(use=pl.lit("does not use it, because the game has both"))
    read = files.numbered(games.misspelt).with_columns(use=pl.lit("understands it"))
    tally.add("pbn-tag-case", pl.concat([read, both], how="diagonal_relaxed"), "name", "use")
    tally.add("pbn-tag-unknown", named.filter(private & capital), "name")
    tally.add("pbn-tag-name", named.filter(private & ~capital), "name")


def check_values(tags: Tags, files: Files, tally: Tally) -> pl.DataFrame:
    """Report values that do not have the form of their tag, and count those of open lists that are not listed."""
    problems = [empty(PROBLEMS)]
    # Reading reports other spellings.
    known = [tag for tag in TAGS.values() if tag.name in tags.row and tag.form and tag.form.others != "spellings"]
    forms = {tag.name: tag.form for tag in known if tag.form}
    odd = find_misformed(tags.tags, {name: _values_stated(tags, name) for name in forms}, forms, _UNKNOWN)
    for name, values in odd.items():
        wrong = _list_values(tags, name, values).with_columns(expected=pl.lit(forms[name].expected))
        if forms[name].others == "allowed":
            tally.add("pbn-value-unlisted", files.numbered(wrong), "name", "value")
        else:
            problems.append(_report_misformed(wrong, TAGS[name]))
    return pl.concat(problems)


def find_misformed(
    frame: pl.DataFrame, values: Mapping[str, pl.Expr], forms: Mapping[str, Form], always: str
) -> dict[str, list[str]]:
    """Return the values that do not have their form, by name; each distinct one is tried once.

    Args:
        frame: what the values are read from.
        values: by the name of their tag or column.
        forms: by the same names.
        always: matches what may be in the place of any value.
    """
    patterns = {name: f"^(?:{always}|{filled_in(forms[name].pattern)})$" for name in values}
    # Nearly always all values are right, which one step finds.
    right = frame.select(
        value.unique().str.contains(patterns[name]).all().alias(name)
        for name, value in values.items()
        if not forms[name].holds
    ).to_dict(as_series=False)
    odd = {}
    for name in [name for name in values if right.get(name) != [True]]:
        distinct = frame.select(values[name].unique()).to_series()
        fits, holds = distinct.str.contains(patterns[name]), forms[name].holds
        if holds:
            fits &= holds(distinct) | distinct.str.contains(f"^(?:{always})$")
        odd[name] = distinct.filter(~fits).to_list()
    return {name: texts for name, texts in odd.items() if texts}


def _values_stated(tags: Tags, name: str) -> pl.Expr:
    """Return what the games state for a tag, without the `##` of a value that others inherit (4.8)."""
    return pl.col("text").gather(tags.row[name].drop_nulls()).str.strip_prefix("##")


def _list_values(tags: Tags, name: str, values: list[str]) -> pl.DataFrame:
    """List where games state these values of a tag."""
    place = tags.tags.select("line", "column", "name", pl.lit(TAGS[name].section).alias("section"), record="game")[
        tags.row[name].drop_nulls()
    ]
    stated = place.with_columns(tags.tags.select(value=_values_stated(tags, name))["value"])
    return stated.filter(pl.col("value").is_in(values))


def _report_misformed(wrong: pl.DataFrame, tag: Tag) -> pl.DataFrame:
    """Report values that are understood all the same, and those that are not unless reading has reported them."""
    # Whether a value can be read does not depend on who declares.
    value, declarer = pl.col("value"), pl.lit("N")
    typed = [read(value) for column, read in tag.reads.items() if RECORDS[column].dtype != pl.String]
    typed += [read(value, declarer) for read in tag.by_side.values()]
    if not typed:
        return report("pbn-value", wrong)
    usable = pl.any_horizontal(read.is_not_null() for read in typed)
    problems = report("pbn-value", wrong.filter(usable))
    return problems if tag.unreadable else pl.concat([problems, report("pbn-tag-value/tag", wrong.filter(~usable))])


def check_related_values(tags: Tags, records: pl.DataFrame, files: Files) -> pl.DataFrame:
    """Report values that are right by themselves and wrong beside the rest of their game."""
    known = [tag for tag in TAGS.values() if tag.beside and tag.name in tags.row]
    return pl.concat(
        [empty(PROBLEMS), *(problem for tag in known for problem in _check_beside(tag, tags, records, files))]
    )


def _check_beside(tag: Tag, tags: Tags, records: pl.DataFrame, files: Files) -> Iterator[pl.DataFrame]:
    has_tag, value = tags.row[tag.name].is_not_null(), tags.value(tag.name)
    stated = has_tag & ~value.str.strip_chars().is_in(notation.UNKNOWN_VALUES).fill_null(value=True)
    games = records.with_columns(files.of(records["line"]), value.alias("value"), stated.alias("stated"))
    wrong = games.select(rule.wrong.fill_null(value=False).alias(rule.code) for rule in tag.beside)
    for rule in tag.beside:
        at = has_tag & wrong[rule.code]
        if at.any():
            yield report(rule.code, tags.at_fault(tag.name, at).hstack(games.filter(at).select(**rule.says)))


LONGEST: Final = 255
"""Characters of a line with its end (2.3)."""

_ALLOWED: Final = bytes([*b"\t\n\v", *range(0x20, 0x7F), *range(0xA0, 0x100)])
_SHOWN: Final = 5


def check_lines_and_characters(
    block: TextBlock, encoding: str, *, first_line: int = 1, first: bool = True
) -> list[Finding]:
    """Report lines that are too long or end oddly, and characters that PBN does not have.

    Args:
        block: a file, or some lines of it.
        encoding: the one it was read with.
        first_line: the number of its first line in the file.
        first: whether all blocks before it are ASCII: the encoding is reported once.
    """
    text = block.content
    # One byte a character whatever the text holds: places are counted in characters.
    data = text.encode("latin-1", "replace")
    findings = [
        *(_check_character_set(text, encoding) if first else ()),
        *_check_line_lengths(data, LONGEST - block.line_end),
    ]
    extra = "" if text.isascii() or encoding.startswith("utf") else _beyond_latin_1(text)
    if extra or data.translate(None, _ALLOWED):
        findings += _check_characters(text, extra)
    placed = [replace(finding, line=(finding.line or 1) + first_line - 1) for finding in findings]
    return placed + ([Finding("pbn-line-ends", block.odd_end, 1)] if block.odd_end else [])


def _check_character_set(text: str, encoding: str) -> Iterator[Finding]:
    """Report the first character of a file in UTF-8 that reads differently in the standard's character set."""
    if text.isascii() or not encoding.startswith("utf"):
        return
    at = next(index for index, character in enumerate(text) if not character.isascii())
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    yield Finding("pbn-character-set", line, column, values={"encoding": encoding})


def _check_line_lengths(data: bytes, longest: int) -> Iterator[Finding]:
    ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))
    lengths = np.diff(ends, prepend=-1) - 1
    for row in np.flatnonzero(lengths > longest).tolist():
        start = int(ends[row] - lengths[row])
        if data[start] != ord("%"):
            yield Finding("pbn-character/line", row + 1, longest + 1, values={"length": int(lengths[row])})


def _beyond_latin_1(text: str) -> str:
    """List the characters that ISO 8859-1 does not have: in the file they were bytes from 0x80 to 0x9F."""
    return "".join(sorted(character for character in set(text) if ord(character) > 0xFF))


def _check_characters(text: str, extra: str) -> Iterator[Finding]:
    """Report the odd characters of each line together, at the first of them."""
    allowed = _ALLOWED.decode("latin-1")
    odd = {c for c in {*text}.difference(allowed) if ord(c) <= 0xFF or c in extra}
    for number, line in enumerate(text.split("\n"), 1):
        if odd.isdisjoint(line):
            continue
        here = [c for c in dict.fromkeys(line) if c in odd]
        shown = ", ".join(f"U+{ord(c):04X}" for c in here[:_SHOWN]) + (", ..." if len(here) > _SHOWN else "")
        yield Finding("pbn-character/character", number, line.index(here[0]) + 1, values={"characters": shown})


def check_tabs(games: Games) -> pl.DataFrame:
    """Report tabs in strings (3.2)."""
    if not any(tab in games.text for tab in "\t\v"):
        return empty(PROBLEMS)
    tabbed = games.tags.filter(pl.col("text").str.contains("[\t\v]"))
    return report("pbn-character/tab", tabbed.rename({"game": "record"}))


_MOST_NOTES: Final = 32
_SUFFIXES: Final = ["!", "?", "!!", "??", "!?", "?!"]
_OF_CALLS: Final = [*range(1, 7), 13]
_OF_CARDS: Final = [*range(7, 13), 14]
_WORTH: Final = 12
"""NAGs from 1 to this judge a call or card, as a suffix does."""
_HIGHEST: Final = 255
_APART: Final = "is not right below the auction or play that it belongs to"


def _numbered(annotations: pl.DataFrame) -> pl.DataFrame:
    """Return annotations other than comments, with `number`: of the NAG or the note, null where there is none."""
    written = pl.when(pl.col("kind") == "note").then("reference").otherwise("text")
    return annotations.filter(pl.col("kind") != "comment").with_columns(
        written.str.extract(r"^([0-9]{1,9})$").cast(pl.Int64).alias("number")
    )


def check_annotations(annotations: pl.DataFrame) -> pl.DataFrame:
    """Report annotations that PBN does not have, that belong to the other part, or that a call or card has already."""
    if annotations.is_empty():
        return empty(PROBLEMS)
    marks = _numbered(annotations).with_columns(_fault().alias("code"))
    faulty = marks.filter(pl.col("code").is_not_null())
    problems = [report(str(code), _spelled(rows)) for (code,), rows in faulty.group_by("code", maintain_order=True)]
    again = marks.filter(pl.col("code").is_null()).filter(_repeats())
    return pl.concat([empty(PROBLEMS), *problems, report("pbn-annotation/repeated", _spelled(again))])


def _fault() -> pl.Expr:
    """Return the code of the problem that an annotation is by itself."""
    kind, number, in_auction = pl.col("kind"), pl.col("number"), pl.col("part") == "auction"
    elsewhere = pl.when(in_auction).then(number.is_in(_OF_CARDS)).otherwise(number.is_in(_OF_CALLS))
    unknown_nag = number.is_null() | (number > _HIGHEST) | elsewhere
    unknown_note = number.is_null() | ~number.is_between(1, _MOST_NOTES)
    letter = pl.col("text").str.to_uppercase()
    irregular = pl.when(in_auction).then(letter.is_in(["I", "S"])).otherwise(letter.is_in(["R", "L"]))
    return (
        pl.when((kind == "suffix") & ~pl.col("text").is_in(_SUFFIXES))
        .then(pl.lit("pbn-annotation/suffix"))
        .when((kind == "nag") & unknown_nag)
        .then(pl.lit("pbn-annotation/nag"))
        .when((kind == "note") & unknown_note)
        .then(pl.lit("pbn-annotation/note"))
        .when((kind == "irregularity") & ~irregular)
        .then(pl.lit("pbn-annotation/irregularity"))
    )


def _repeats() -> pl.Expr:
    """Mark what a call or card has already: a judgement, a note, an irregularity, that NAG; a trick's second `^L`."""
    worth = (pl.col("kind") == "suffix") | ((pl.col("kind") == "nag") & pl.col("number").is_between(1, _WORTH))
    other = (
        pl.when(pl.col("kind") == "nag").then(pl.format("nag {}", "number")).otherwise(pl.col("kind").cast(pl.String))
    )
    what = pl.when(worth).then(pl.lit("worth")).otherwise(other)
    order = pl.int_range(pl.len())
    again = order.over("record", "part", "index", what) > 0
    is_lead = (pl.col("kind") == "irregularity") & (pl.col("text").str.to_uppercase() == "L")
    return again | (is_lead & (order.over("record", pl.col("index") // 4, is_lead) > 0))


def _spelled(marks: pl.DataFrame) -> pl.DataFrame:
    """Add to marks how they are written, and whether they are at a call or a card."""
    text, kind = pl.col("text"), pl.col("kind")
    written = (
        pl.when(kind == "nag")
        .then(pl.format("${}", text))
        .when(kind == "note")
        .then(pl.format("={}=", "reference"))
        .when(kind == "irregularity")
        .then(pl.format("^{}", text))
        .otherwise(text)
    )
    place = pl.when(pl.col("part") == "auction").then(pl.lit("call")).otherwise(pl.lit("card"))
    return marks.with_columns(written.alias("mark"), place.alias("at"))


def check_notes(games: Games, tags: Tags, annotations: pl.DataFrame) -> pl.DataFrame:
    """Report Note tags that explain nothing, notes without a reference, and references without a note."""
    if annotations.is_empty() and "Note" not in tags.row:
        return empty(PROBLEMS)
    references = _numbered(annotations).filter(
        (pl.col("kind") == "note") & pl.col("number").is_between(1, _MOST_NOTES).fill_null(value=False)
    )
    if references.is_empty() and "Note" not in tags.row:
        return empty(PROBLEMS)
    notes = _notes(games)
    sound = notes.filter(pl.col("fault").fill_null(_APART) == _APART)
    key = ["record", "part", "number"]
    missing = references.join(sound, on=key, how="anti").unique(key, keep="first", maintain_order=True)
    unused = sound.join(references, on=key, how="anti")
    return pl.concat(
        [
            report("pbn-note/note", notes.filter(pl.col("fault").is_not_null())),
            report("pbn-note/missing", missing),
            report("pbn-note-unused", unused),
        ]
    )


def _notes(games: Games) -> pl.DataFrame:
    """List Note tags: record, line, column, value, part, number, fault."""
    parts = ["Auction", "Play", "Note"]
    apart = ~pl.col("name").shift().over("game").is_in(parts).fill_null(value=True)
    heads = games.tags.with_columns(apart.alias("apart")).filter(pl.col("name").is_in(parts))
    part = pl.when(pl.col("name") != "Note").then(pl.col("name").str.to_lowercase()).forward_fill().over("game")
    number = pl.col("text").str.extract(r"^\s*([0-9]{1,9})\s*:").cast(pl.Int64)
    notes = (
        heads.with_columns(part.cast(PART).alias("part"))
        .filter((pl.col("name") == "Note") & ~pl.col("text").str.starts_with("#"))
        .select(
            pl.col("game").alias("record"),
            "line",
            "column",
            pl.col("text").alias("value"),
            "part",
            number.alias("number"),
            "apart",
        )
    )
    again = pl.int_range(pl.len()).over("record", "part", "number") > 0
    valid = pl.col("number").is_between(1, _MOST_NOTES).fill_null(value=False)
    return notes.with_columns(
        pl.when(~valid)
        .then(pl.lit(f"does not begin with a number from 1 to {_MOST_NOTES} and a colon"))
        .when(pl.col("part").is_null())
        .then(pl.lit("comes before any auction or play"))
        .when("apart")
        .then(pl.lit(_APART))
        .when(again)
        .then(pl.lit("explains a number that an earlier note explains"))
        .alias("fault")
    )
