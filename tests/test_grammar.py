"""Parsers are built from the grammars once, and kept."""

from pathlib import Path

import pytest

from overtrick.grammar import _parser, for_columns, grammar, tokens


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty cache folder, in which nothing was built."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    _parser.cache_clear()
    return tmp_path / "overtrick" / "grammars"


def _calls() -> list[str]:
    return [str(token) for token in tokens("1NT =1= Pass", "auction")]


def test_a_parser_that_was_kept_reads_as_the_one_that_was_built(cache: Path) -> None:
    built = _calls()
    (kept,) = cache.iterdir()
    _parser.cache_clear()

    assert _calls() == built
    assert [kept] == list(cache.iterdir())


def test_each_language_is_built_alone(cache: Path) -> None:
    grammar("deal")

    assert len(list(cache.iterdir())) == 1


@pytest.mark.parametrize("damage", [b"", b"\x80\x04no parser", b"cos\nnothing\n."])
def test_a_damaged_cache_is_made_again(cache: Path, damage: bytes) -> None:
    built = _calls()
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(damage)
    _parser.cache_clear()

    assert _calls() == built
    assert len(whole) == len(kept.read_bytes())


def test_a_cache_that_can_not_be_written_is_done_without(cache: Path) -> None:
    cache.parent.parent.joinpath("overtrick").write_text("a file where a folder should be")

    assert _calls() == ["1NT", "=1=", "Pass"]


def test_the_pattern_for_columns_has_no_possessive_repeats() -> None:
    assert not any(repeat in for_columns("PLAIN") for repeat in ("*+", "++", "?+"))
