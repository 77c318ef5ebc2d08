"""The table of scoring methods: what a row says, and that a row, its function and its words are all it needs."""

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from overtrick.core.bridge.methods import METHODS, UNSCORED, Method, Usebio, method_named
from overtrick.core.config import Scoring
from overtrick.core.frames import Facts, Lines
from overtrick.core.policies import SENTENCES
from overtrick.judge.score import SCORERS
from overtrick.judge.score.scoring_tag import read_scoring
from tests.support.commands import run

PLUS_OR_MINUS = Method(
    name="plus-or-minus",
    title="Plus or minus",
    rules=("plus",),
    unit="matchpoints",
    compared="nothing",
    pbn={"plusminus": {}, "plusminus-a": {"field": "all"}},
    pbn_written="PlusMinus",
    usebio=Usebio(("PLUS_MINUS",), event_type="PLUS_MINUS_PAIRS", points="PLUS_POINTS", asks="PlusMinus"),
)
"""A method that nobody plays: 1 to the side with a plus, and a half to each for a pass-out."""

EVENING = """[Event "Thursday"]
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AQJ942.8.AT42.AJ K8.KQ4.K765.K962 T76.AT95.93.T543 53.J7632.QJ8.Q87"]
[Scoring "PlusMinus"]
[ScoreTable "PairId_NS;PairId_EW;Score_NS"]
1 11 170
2 12 -50
3 13 0
"""


def plus_or_minus(lines: Lines, scoring: Scoring) -> Lines:
    """Fill what a method has to fill."""
    del scoring
    ahead = pl.col("score_ns").sign().cast(pl.Int64)
    one = pl.when(ahead.is_not_null()).then(pl.lit(1, pl.Int64))
    return lines.with_columns(numerator_ns=1 + ahead, numerator_ew=1 - ahead, denominator=2 * one, top=one)


def say_plus(_value: object, facts: Facts) -> Iterator[tuple[str, str]]:
    """Put its rule into words."""
    yield "a plus", f"1 point, within each {facts.policies['field']}"


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Add the method to the tables, and write a file that asks for it."""
    monkeypatch.setitem(METHODS, PLUS_OR_MINUS.name, PLUS_OR_MINUS)
    monkeypatch.setitem(SCORERS, PLUS_OR_MINUS.name, plus_or_minus)
    monkeypatch.setitem(SENTENCES, "plus", say_plus)
    path = tmp_path / "evening.pbn"
    path.write_text(EVENING, "ascii")
    return path


@pytest.mark.usefixtures("evening")
def test_a_new_method_is_asked_for_by_its_words() -> None:
    assert Scoring(method="plus-or-minus", field="all") == read_scoring("PlusMinus-A")


def test_a_new_method_is_scored_and_ranked_and_its_rules_can_be_read(evening: Path) -> None:
    document = json.loads(run("score", evening, "--format", "json").out)
    assert ("plus-or-minus", "PlusMinus") == (document["session"]["method"], document["session"]["scoring"])
    assert [(1, 0), (0, 1), (0.5, 0.5)] == [(row["points_ns"], row["points_ew"]) for row in document["results"]]
    assert [("1", 1, 100), ("3", 0.5, 50), ("2", 0, 0)] == [
        (row["contestant"], row["total"], row["percentage"]) for row in document["standings"][:3]
    ]
    assert "1 point, within each section" == document["session"]["policies"]["a plus"]


def test_a_new_method_may_be_set_in_the_settings(evening: Path) -> None:
    settings = evening.with_name("club.toml")
    settings.write_text('[scoring]\nmethod = "plus-or-minus"\n', "utf-8")
    evening.write_text(EVENING.replace("PlusMinus", "MP"), "ascii")
    shown = run("score", evening, "--config", settings, "--format", "json")
    assert "plus-or-minus" == json.loads(shown.out)["session"]["method"]


def test_settings_that_name_no_method_are_answered_with_the_new_one_too(evening: Path) -> None:
    settings = evening.with_name("club.toml")
    settings.write_text('[scoring]\nmethod = "plus-or-minos"\n', "utf-8")
    told = run("score", evening, "--config", settings)
    assert 2 == told.status
    assert "'matchpoints', 'butler'" in told.err
    assert "did you mean 'plus-or-minus'?" in told.err


def test_a_new_method_is_shown_in_the_terminal_and_on_pages(evening: Path) -> None:
    assert "plus-or-minus" in run("score", evening).out
    assert 0 == run("bulletin", evening, "--out", evening.parent / "site", "--no-pdf", "--no-dd").status
    pages = (evening.parent / "site" / "index.html").read_text("utf-8")
    assert all(text in pages for text in ("Plus or minus", "A plus", "1 point, within each section", ">MP<"))


@pytest.mark.slow
def test_a_new_method_is_written_to_usebio_and_read_from_there(evening: Path) -> None:
    target = evening.with_name("evening.xml")
    run("convert", evening, target)
    text = target.read_text("utf-8")
    assert '"PLUS_MINUS_PAIRS"' in text
    assert "<BOARD_SCORING_METHOD>PLUS_MINUS</BOARD_SCORING_METHOD>" in text
    assert 3 == text.count("<NS_PLUS_POINTS>")
    again = scored_as(target)
    assert ("PlusMinus", "plus-or-minus") == (again["scoring"], again["method"])


def test_a_new_method_is_written_to_pbn_with_its_points(evening: Path) -> None:
    target = evening.with_name("scored.pbn")
    evening.write_text(EVENING.replace('[Scoring "PlusMinus"]\n', ""), "ascii")
    settings = evening.with_name("club.toml")
    settings.write_text('[scoring]\nmethod = "plus-or-minus"\n', "utf-8")
    run("score", evening, "--config", settings, "--out", target)
    text = target.read_text("latin-1")
    assert '[Scoring "PlusMinus"]' in text
    assert "MP_NS" in text
    assert "plus-or-minus" == scored_as(target)["method"]


def scored_as(path: Path) -> dict[str, str]:
    """Read a written file again, and say how it was scored."""
    about: dict[str, str] = json.loads(run("score", path, "--format", "json").out)["session"]
    return about


def test_each_method_has_its_function() -> None:
    assert [*METHODS] == [*SCORERS]


def test_no_two_methods_share_a_word_of_pbn_or_usebio() -> None:
    words = [word for method in METHODS.values() for word in method.pbn]
    names = [name for method in METHODS.values() if method.usebio for name in method.usebio.methods]
    assert (len(words), len(names)) == (len(set(words)), len(set(names)))


def test_the_policies_of_a_method_are_settings_that_the_club_can_write() -> None:
    for method in METHODS.values():
        for settings in method.policies:
            assert settings.items() <= dict(Scoring.model_validate(settings)).items()


def test_a_session_that_was_not_scored_has_no_method() -> None:
    assert UNSCORED is method_named(None)
    assert ("", False, None) == (UNSCORED.title, UNSCORED.of_teams, UNSCORED.usebio)


@pytest.mark.parametrize("method", [m for m in METHODS.values() if m.pbn_written], ids=lambda method: method.name)
def test_the_scoring_that_is_written_is_read_as_the_same_method(method: Method) -> None:
    read = read_scoring(method.pbn_written or "")
    assert read is not None
    assert method.name == read.method
