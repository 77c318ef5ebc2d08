"""Tag names (PBN 3.3), and the values of tags: by themselves (3.4 and 4) and beside each other (3.4.13, 3.10)."""

from collections.abc import Iterator, Mapping
from typing import Final

import polars as pl

from overtrick.core import notation
from overtrick.core.frames import PROBLEMS, RECORDS, empty
from overtrick.core.grammar import filled_in
from overtrick.core.problems import report
from overtrick.files.formats.pbn.forms import Form
from overtrick.files.formats.pbn.read.games import Games
from overtrick.files.formats.pbn.read.tag_columns import Tags
from overtrick.files.formats.pbn.tags import TAGS, Tag, standard_names
from overtrick.files.formats.pbn.verify.tally import Files, Tally

_UNKNOWN: Final = r"\s*[?#]?\s*"
"""Matches what a game may state for any tag, which its own form need not have."""


def count_unknown_tags(games: Games, tags: Tags, files: Files, tally: Tally) -> None:
    """Count the tags that the standard does not know: private tags are legal, slips look like them."""
    standard = standard_names()
    name, correct = pl.col("name"), {known.lower(): known for known in standard}
    own = tags.tags.filter(~name.is_in(standard)).select("line", "column", "name", record="game")
    meant = name.str.to_lowercase().replace_strict(correct, default=None, return_dtype=pl.String)
    named = files.numbered(own).with_columns(correct=meant)
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
    return problems if tag.unreadable else pl.concat([problems, report("pbn-tag-value", wrong.filter(~usable))])


def check_related_values(tags: Tags, records: pl.DataFrame, files: Files) -> pl.DataFrame:
    """Report values that are right by themselves and wrong beside the rest of their game."""
    known = [tag for tag in TAGS.values() if tag.beside and tag.name in tags.row]
    return pl.concat(
        [empty(PROBLEMS), *(problem for tag in known for problem in _check_beside(tag, tags, records, files))]
    )


def _check_beside(tag: Tag, tags: Tags, records: pl.DataFrame, files: Files) -> Iterator[pl.DataFrame]:
    own, value = tags.row[tag.name].is_not_null(), tags.value(tag.name)
    stated = own & ~value.str.strip_chars().is_in(notation.UNKNOWN_VALUES).fill_null(value=True)
    games = records.with_columns(files.of(records["line"]), value.alias("value"), stated.alias("stated"))
    wrong = games.select(rule.wrong.fill_null(value=False).alias(rule.code) for rule in tag.beside)
    for rule in tag.beside:
        at = own & wrong[rule.code]
        if at.any():
            yield report(rule.code, tags.at_fault(tag.name, at).hstack(games.filter(at).select(**rule.says)))
