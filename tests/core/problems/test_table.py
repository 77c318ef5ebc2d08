"""The file of all problems is sound, and the program reports just the problems that it lists."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import polars as pl
import pytest

import overtrick
from overtrick.core.problems import CODES, KINDS, TABLE, Code, Finding, Kind, Severity, report, report_findings

SUBJECTS: list[dict[str, Any]] = tomllib.loads(TABLE.read_text("utf-8"))["problems"]
ENTRIES = [(name, entry) for subject in SUBJECTS for name, entry in subject.items() if name != "about"]
KEYS = {field.name for field in fields(Code)}
REQUIRED = {"severity", "sentence", "hint"}
CODE = re.compile("[a-z]+(?:-[a-z0-9]+)+")
QUOTED = re.compile(f'"({CODE.pattern})"')
REPORTS = re.compile(r"from overtrick\.core\.problems import (?:\([^)]*|[^\n]*)\b(?:report|Finding)\b")
REPORTED = re.compile(r'\b(?:report|Finding)\(\s*"([^"]*)"')
MODULES = {path: path.read_text("utf-8") for path in Path(overtrick.__file__).parent.rglob("*.py")}


def test_each_subject_has_a_heading_of_its_own_and_problems() -> None:
    headings = [subject["about"] for subject in SUBJECTS]
    assert len(headings) == len(set(headings))
    assert [] == [subject["about"] for subject in SUBJECTS if len(subject) == 1]


def test_each_problem_has_the_keys_of_a_code_and_no_others() -> None:
    assert {} == {name: found for name, entry in ENTRIES if (found := REQUIRED - entry.keys() or entry.keys() - KEYS)}


def test_each_problem_has_texts_and_a_known_severity() -> None:
    assert set() == {entry["severity"] for _, entry in ENTRIES} - set(get_args(Severity))
    texts = KEYS - {"tolerance", "kinds"}
    values = [(name, key, entry[key]) for name, entry in ENTRIES for key in texts & entry.keys()]
    assert [] == [(name, key) for name, key, value in values if not (isinstance(value, str) and value.strip() == value)]
    assert [] == [(name, key) for name, key, value in values if not value]


def test_a_problem_says_true_of_a_tolerance_or_nothing() -> None:
    assert [] == [name for name, entry in ENTRIES if entry.get("tolerance", True) is not True]


def test_a_problem_names_known_kinds_of_files_and_not_all_of_them() -> None:
    named = {name: set(entry["kinds"]) for name, entry in ENTRIES if "kinds" in entry}
    assert {} == {name: kinds for name, kinds in named.items() if not kinds < set(KINDS)}
    assert set(KINDS) == set(get_args(Kind))


def test_a_loss_is_reported_for_all_kinds_of_files_and_board_by_board() -> None:
    """What is left out of the scoring is never silent."""
    assert [] == [name for name, code in CODES.items() if code.is_loss and (code.kinds or code.habit)]


def test_the_note_of_a_habit_counts_boards() -> None:
    habits = {name: entry["habit"] for name, entry in ENTRIES if "habit" in entry}
    assert [] == [name for name, text in habits.items() if re.findall("{(.*?)}", text) != ["count", "of"]]


def test_each_code_is_words_with_hyphens_and_is_listed_once() -> None:
    assert [] == [name for name, _ in ENTRIES if not CODE.fullmatch(name)]
    assert [name for name, _ in ENTRIES] == list(CODES)[: len(ENTRIES)]


def test_each_problem_that_is_listed_is_one_that_the_program_reports() -> None:
    named = {text for module in MODULES.values() for text in QUOTED.findall(module)}
    assert [] == [name for name, _ in ENTRIES if name not in named]


def test_each_problem_that_the_program_reports_is_listed() -> None:
    """Codes come in the call that reports, or from a table of the same module, where other words may be too."""
    subjects = {name.split("-")[0] for name, _ in ENTRIES}
    other = {"table-cell", "table-row"} | {
        text for path, module in MODULES.items() if path.parent.name == "config" for text in QUOTED.findall(module)
    }
    reporting = {path: module for path, module in MODULES.items() if REPORTS.search(module)}
    assert len(reporting) > 50
    for path, module in reporting.items():
        near = {text for text in QUOTED.findall(module) if text.split("-")[0] in subjects} - other
        assert set() == {*REPORTED.findall(module), *near} - set(CODES), path.name


def test_a_problem_that_is_not_listed_cannot_be_reported() -> None:
    with pytest.raises(KeyError, match="file-unheard-of"):
        report("file-unheard-of", pl.DataFrame({"line": [1]}))
    with pytest.raises(KeyError, match="file-unheard-of"):
        report_findings([Finding("file-unheard-of")], None)
