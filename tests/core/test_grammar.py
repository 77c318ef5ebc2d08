"""Parsers are built from the grammars once, and kept."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import polars as pl
import pytest

from overtrick.core.grammar import _lexer, filled_in, for_columns, grammar, matcher, tokens, words
from overtrick.files.formats.pbn.read.score_tables import Column, read_header


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty cache folder, in which nothing was built."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    _lexer.cache_clear()
    grammar.cache_clear()
    return tmp_path / "overtrick" / "grammars"


def _calls() -> list[str]:
    return [str(token) for token in tokens("1NT =1= Pass", "auction")]


def test_a_parser_that_was_kept_reads_as_the_one_that_was_built(cache: Path) -> None:
    built = _calls()
    (kept,) = cache.iterdir()
    _lexer.cache_clear()
    grammar.cache_clear()

    assert _calls() == built
    assert [kept] == list(cache.iterdir())


def test_each_language_is_built_alone(cache: Path) -> None:
    grammar("deal")

    assert len(list(cache.iterdir())) == 1


@pytest.mark.parametrize("damage", [b"", b"\x80\x04no parser", b"cos\nnothing\n.", "half"])
def test_a_damaged_cache_is_made_again(
    cache: Path, damage: bytes | str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    built = _calls()
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(whole[: len(whole) // 2] if isinstance(damage, str) else damage)
    _lexer.cache_clear()
    grammar.cache_clear()

    assert _calls() == built
    assert len(whole) == len(kept.read_bytes())
    assert ("", "", []) == (*capfd.readouterr(), caplog.records)


def test_a_cache_of_another_grammar_is_made_again(cache: Path) -> None:
    built = _calls()
    (kept,) = cache.iterdir()
    kept.write_bytes(b"0" * 64 + kept.read_bytes()[64:])
    _lexer.cache_clear()
    grammar.cache_clear()

    assert _calls() == built
    assert not kept.read_bytes().startswith(b"0" * 64)


@pytest.mark.slow
def test_processes_that_start_together_share_the_cache(tmp_path: Path) -> None:
    """Processes with an empty cache all read the same, and so does one that comes after them."""
    code = "from overtrick.core.grammar import tokens; print(*tokens('1NT =1= Pass', 'auction'))"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    run = partial(subprocess.Popen, [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
    together = [run() for _ in range(4)]
    assert ["1NT =1= Pass\n"] * 4 == [process.communicate()[0] for process in together]
    assert "1NT =1= Pass\n" == run().communicate()[0]


def test_a_cache_that_can_not_be_written_is_done_without(cache: Path) -> None:
    cache.parent.parent.joinpath("overtrick").write_text("a file where a folder should be")

    assert _calls() == ["1NT", "=1=", "Pass"]


def test_the_pattern_for_columns_has_no_possessive_repeats() -> None:
    assert not any(repeat in for_columns("PLAIN") for repeat in ("*+", "++", "?+"))


def test_the_words_of_calls_are_those_that_the_grammar_lists() -> None:
    assert ("PASS", "P") == words("PASS")
    assert {"NT", "N", "NOTRUMP", "S", "H", "D", "C"} <= set(words("STRAIN"))


@pytest.mark.parametrize("name", ["PASS", "DOUBLE", "REDOUBLE", "LEVEL", "STRAIN", "SUIT", "RANK"])
def test_a_list_of_words_matches_each_of_them(name: str) -> None:
    assert all(matcher(name).fullmatch(word.lower()) for word in words(name))


@pytest.mark.parametrize(
    ("exact", "expected"), [(False, [True, True, True, False]), (True, [True, False, True, False])]
)
def test_a_pattern_may_name_terminals(exact: bool, expected: list[bool]) -> None:
    values = pl.Series(["4SX", "4sx", "Pass", "4N"])
    assert expected == values.str.contains(f"^{filled_in('<CONTRACT>', exact=exact)}$").to_list()


@pytest.mark.parametrize("value", [r"+Rank\3R;Names\45;-Table", "Board", " A b ;C+-", r"N\12r", r"A\00L;-B\1"])
def test_a_header_is_what_the_grammar_makes_of_it(value: str) -> None:
    tree = grammar("table_header").parse(value, start="table_header")
    columns = [
        {token.type: str(token) for token in column.scan_values(lambda value: True)}
        for column in tree.find_data("column")
    ]
    assert read_header(value) == tuple(
        Column(one["COLUMN_NAME"].strip(), one.get("ORDER", ""), one.get("WIDTH", "")[1:]) for one in columns
    )
