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
from tests.support.reported import ELSEWHERE, find_unseen, list_messages

SUBJECTS: list[dict[str, Any]] = tomllib.loads(TABLE.read_text("utf-8"))["problems"]
ENTRIES = [(name, entry) for subject in SUBJECTS for name, entry in subject.items() if name != "about"]
KEYS = {field.name for field in fields(Code)} - {"cases"}
OF_A_CASE = {"sentence", "hint", "rule"}
REQUIRED = {"severity", "sentence", "hint"}
CASES = [
    (name, {key: value for key, value in entry.items() if key not in cases} | case)
    for name, entry in ENTRIES
    for cases in [{key: value for key, value in entry.items() if isinstance(value, dict)}]
    for case in cases.values() or [{}]
]
"""Each way in which a problem comes, with the keys that its code has for all of them."""
REPORTABLE = set(list_messages())
"""What `report` and `Finding` take: a code, or each case of it."""
CODE = re.compile("[a-z]+(?:-[a-z0-9]+)+")
QUOTED = re.compile(f'"({CODE.pattern}(?:/[a-z-]+)?)"')
REPORTS = re.compile(r"from overtrick\.core\.problems import (?:\([^)]*|[^\n]*)\b(?:report|Finding)\b")
REPORTED = re.compile(r'\b(?:report|Finding)\(\s*"([^"]*)"')
MODULES = {path: path.read_text("utf-8") for path in Path(overtrick.__file__).parent.rglob("*.py")}


def test_each_subject_has_a_heading_of_its_own_and_problems() -> None:
    headings = [subject["about"] for subject in SUBJECTS]
    assert len(headings) == len(set(headings))
    assert [] == [subject["about"] for subject in SUBJECTS if len(subject) == 1]


def test_each_problem_has_the_keys_of_a_code_and_no_others() -> None:
    assert {} == {name: found for name, entry in CASES if (found := REQUIRED - entry.keys() or entry.keys() - KEYS)}


def test_a_case_has_texts_of_its_own_and_all_else_is_that_of_its_code() -> None:
    """What settings and strict checking change is changed for all cases alike."""
    cases = [(name, case) for name, entry in ENTRIES for case in entry.values() if isinstance(case, dict)]
    assert [] == [name for name, case in cases if case.keys() - OF_A_CASE]
    alone = [name for name, code in CODES.items() if len(code.cases) == 1 or (code.cases and code.sentence)]
    assert [] == alone
    assert all(case.severity == code.severity for code in CODES.values() for case in code.cases.values())


def test_each_problem_has_texts_and_a_known_severity() -> None:
    assert set() == {entry["severity"] for _, entry in ENTRIES} - set(get_args(Severity))
    texts = KEYS - {"tolerance", "kinds"}
    values = [(name, key, entry[key]) for name, entry in CASES for key in texts & entry.keys()]
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
    assert [] == [name for name in REPORTABLE if name not in named]


def test_each_problem_that_the_program_reports_is_listed() -> None:
    """Codes come in the call that reports, or from a table of the same module, where other words may be too."""
    subjects = {name.split("-")[0] for name, _ in ENTRIES} - {"not"}
    other = {"table-cell", "table-row", "number-columns-repeated", "number-rows-repeated", "value-type"} | {
        text for path, module in MODULES.items() if path.parent.name == "config" for text in QUOTED.findall(module)
    }
    reporting = {path: module for path, module in MODULES.items() if REPORTS.search(module)}
    assert len(reporting) > 50
    for path, module in reporting.items():
        near = {text for text in QUOTED.findall(module) if text.split("-")[0] in subjects} - other
        assert set() == set(REPORTED.findall(module)) - REPORTABLE, path.name
        assert set() == near - REPORTABLE - set(CODES), path.name


@pytest.mark.parametrize("code", ["movement-differs", "movement-differs/unheard-of", "plugin-skipped/of"])
def test_a_case_is_named_where_a_code_has_some_and_nowhere_else(code: str) -> None:
    with pytest.raises(KeyError):
        report(code, pl.DataFrame({"line": [1]}))


def test_a_problem_that_is_not_listed_cannot_be_reported() -> None:
    with pytest.raises(KeyError, match="file-unheard-of"):
        report("file-unheard-of", pl.DataFrame({"line": [1]}))
    with pytest.raises(KeyError, match="file-unheard-of"):
        report_findings([Finding("file-unheard-of")], None)


def test_a_run_that_draws_all_messages_but_one_names_it() -> None:
    every = set(list_messages())
    assert 350 < len(every)
    assert every >= ELSEWHERE.keys()
    assert [] == find_unseen(every - ELSEWHERE.keys())
    assert ["movement-differs/meeting: no test draws this message"] == find_unseen(
        every - ELSEWHERE.keys() - {"movement-differs/meeting"}
    )
    assert "take it out" in find_unseen(every - ELSEWHERE.keys() | {"ingest-bomb"})[0]
