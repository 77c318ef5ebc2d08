"""Entries put into the text of a corrections file and taken out again: nothing else changes."""

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.config.corrections import Entry, parse_corrections
from overtrick.core.config.file import ConfigError, SettingsFile
from overtrick.files.correct.entry import append_entry, remove_entry, toml_value

TITLE = Entry(title="Spring Final", why="wrong title")
WRITTEN = '[[corrections]]\ntitle = "Spring Final"\nwhy = "wrong title"\n'


def file(text: str) -> SettingsFile:
    return SettingsFile(Path("tuesday.corrections.toml"), text)


@pytest.mark.parametrize(
    ("written", "before"),
    [
        (WRITTEN, ""),
        (f"# mine\n\n{WRITTEN}", "# mine\n"),
        (f"# mine\n{WRITTEN}", "# mine"),
        (
            f'[[corrections]]\nclub = "X" # c\nwhy = "y"\n# end\n\n{WRITTEN}',
            '[[corrections]]\nclub = "X" # c\nwhy = "y"\n# end\n',
        ),
        ("# mine\r\n\r\n" + WRITTEN.replace("\n", "\r\n"), "# mine\r\n"),
    ],
)
def test_an_entry_goes_behind_the_last_line_and_comes_out_again(written: str, before: str) -> None:
    assert written == append_entry(file(before), TITLE)
    assert before == remove_entry(file(written))


def test_comments_in_the_last_entry_stay() -> None:
    text = f'# about tables\n{WRITTEN}# ask table 3\n  # twice\nwho = "me" # me\n'
    assert "# about tables\n# ask table 3\n  # twice\n" == remove_entry(file(text))


def test_a_line_of_a_text_that_looks_like_a_comment_goes_with_it() -> None:
    text = '[[corrections]]\ntitle = "A"\nwhy = """\n# no comment\n"""\n'
    assert "" == remove_entry(file(text))


def test_only_blank_lines_are_nothing() -> None:
    assert "" == remove_entry(file(f"\n\n{WRITTEN}"))


def test_an_entry_with_tables_of_its_own_is_removed_as_a_whole() -> None:
    first = '[[corrections]]\ntitle = "A"\nwhy = "y"\n'
    last = '[[corrections]]\npair = 1\nwhy = "z"\n[corrections.penalty]\namount = 1\n'
    assert first == remove_entry(file(f"{first}\n{last}"))


def test_a_file_without_entries_has_nothing_to_remove() -> None:
    with pytest.raises(ConfigError, match="there is no entry to remove"):
        remove_entry(file("# nothing\n"))


def test_entries_in_a_list_are_left_alone() -> None:
    listed = file('corrections = [{ title = "A", why = "x" }]\n')
    answer = r"write each entry under a header of its own, \[\[corrections\]\]"
    with pytest.raises(ConfigError, match=answer):
        append_entry(listed, TITLE)
    with pytest.raises(ConfigError, match=answer):
        remove_entry(listed)


def test_every_kind_of_value_reads_back() -> None:
    values = {
        "board": 6,
        "pair": "3",
        "weighted": [{"weight": 60, "score": 620}, {"weight": 40, "score": -100}],
        "why": 'he said "no" ♠ \\ \n\x7f',
        "when": dt.datetime(2026, 3, 7, 22, 15, tzinfo=dt.timezone(dt.timedelta(hours=1))),
    }
    entry = Entry.model_validate(values)
    assert entry == parse_corrections(file(append_entry(file(""), entry)), "x").entries[0].entry


@given(
    why=st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
    name=st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
)
def test_any_text_reads_back(why: str, name: str) -> None:
    entry = Entry.model_validate({"player": {"from": name, "to": "A"}, "why": why})
    text = append_entry(file("# mine\n"), entry)
    assert entry == parse_corrections(file(text), "x").entries[0].entry
    assert "# mine\n" == remove_entry(file(text))


def test_a_time_of_day_is_written_as_toml_writes_it() -> None:
    """TOML has times, so a message may have to quote one."""
    assert "[10:30:00, 2026-01-09]" == toml_value([dt.time(10, 30), dt.date(2026, 1, 9)])
