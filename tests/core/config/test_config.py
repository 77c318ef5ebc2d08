"""The club's settings."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from overtrick.core.config import Config, ConfigError, load_config


def settings(folder: Path, text: str) -> Config:
    path = folder / "club.toml"
    path.write_text(text, "utf-8")
    return load_config(path)


HANDICAPS = (
    '[[scoring.handicaps]]\ncontestant = "4"\namount = 1\n[[scoring.handicaps]]\ncontestant = "5"\namount = "0"\n'
)


def complaint(folder: Path, text: str) -> str:
    """Return the error messages for these settings, without their places."""
    with pytest.raises(ConfigError) as caught:
        settings(folder, text)
    return "\n".join(re.findall(r"club\.toml(?::\d+:\d+)?: (.*)", str(caught.value)))


def test_a_club_sets_its_name_and_how_it_scores(tmp_path: Path) -> None:
    config = settings(tmp_path, '[club]\nname = "Åsane BK"\n[scoring]\nmethod = "butler"\nline_rounding = 0.1\n')
    assert ("Åsane BK", "butler") == (config.club.name, config.scoring.method)
    assert Fraction(1, 10) == config.scoring.rounding_step


def test_without_a_file_the_defaults_hold() -> None:
    assert Config() == load_config(None)


def test_an_empty_file_sets_nothing(tmp_path: Path) -> None:
    assert Config() == settings(tmp_path, "")


def test_a_file_saved_by_a_windows_editor_is_read(tmp_path: Path) -> None:
    assert "Club" == settings(tmp_path, '\ufeff[club]\r\nname = "Club"\r\n').club.name


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("[scoring] lin_rounding: unknown key; did you mean line_rounding?", "[scoring]\nlin_rounding = 0.1"),
        ("[scoring] line-rounding: unknown key; did you mean line_rounding?", "[scoring]\nline-rounding = 0.1"),
        ("Scoring: unknown key; did you mean scoring?", "[Scoring]\nmethod = 'butler'"),
        ("[club] zip: unknown key; expected one of: name", "[club]\nzip = 5000"),
        ("club = 1: expected a table", "club = 1"),
        ("[club] name = 3: expected a text in quotes", "[club]\nname = 3"),
        ("[scoring] line_rounding = true: expected 'exact' or a number", "[scoring]\nline_rounding = true"),
        ("method: unknown key; did you mean method in [scoring]?", "method = 'butler'"),
        (
            "[club] tie_break: unknown key; did you mean tie_breaks in [scoring] or tie_breaks in [series]?",
            "[club]\ntie_break = []",
        ),
        ('[inbox] settle = "soon": expected a number', "[inbox]\nsettle = 'soon'"),
        (
            '[site] address = "club.example": expected a text like https://club.example/results/',
            "[site]\naddress = 'club.example'",
        ),
        ("[site] language = \"pt\": expected 'en', 'fr' or 'pl'", "[site]\nlanguage = 'pt'"),
        (
            "[scoring.tie_breaks.1] at_lest: unknown key; did you mean at_least?",
            "[scoring]\ntie_breaks = [{ rule = 'lot', at_lest = 3 }]",
        ),
    ],
)
def test_an_error_names_the_key_its_place_and_what_was_expected(tmp_path: Path, answer: str, text: str) -> None:
    assert answer == complaint(tmp_path, text)


def test_an_unknown_method_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    answer = complaint(tmp_path, '[scoring]\nmethod = "matchpoint"')
    assert answer.startswith("[scoring] method = \"matchpoint\": expected 'matchpoints', 'butler'")
    assert answer.endswith("; did you mean 'matchpoints'?")


def test_an_error_states_the_rule_that_a_value_breaks(tmp_path: Path) -> None:
    answer = complaint(tmp_path, "[scoring]\nline_rounding = 2")
    assert answer.startswith('[scoring] line_rounding = 2: expected "exact" or a step')


def test_all_errors_are_reported_at_once(tmp_path: Path) -> None:
    assert 2 == len(complaint(tmp_path, "[club]\nname = 3\nnam = 4\n").splitlines())


def test_a_file_that_is_not_toml_is_an_error(tmp_path: Path) -> None:
    answer = complaint(tmp_path, "[scoring]\nmethod = butler")
    assert "not a TOML file: Invalid value" == answer


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: can't be read: No such file"):
        load_config(tmp_path / "nowhere.toml")


def test_a_club_chooses_which_problems_it_sees(tmp_path: Path) -> None:
    checks = settings(tmp_path, '[checks]\nsilence = ["board-*"]\nseverity = { "play-revoke" = "info" }\n').checks
    assert (["board-*"], None, {"play-revoke": "info"}) == (checks.silence, checks.only, checks.severity)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (
            'silence, item 1 = "play-revok": expected a problem code; did you mean play-revoke?',
            'silence = ["play-revok"]',
        ),
        ("expected a problem code; no similar name is known", 'only = ["zzz-*"]'),
        ("this problem reports lost data and is always an error", 'silence = ["file-unreadable"]'),
        ("this problem reports lost data and is always an error", 'severity = { "deal-hand-size" = "info" }'),
        ("expected 'error', 'warning' or 'info'", 'severity = { "play-revoke" = "fatal" }'),
    ],
)
def test_an_unknown_code_and_one_that_can_t_be_silenced_are_refused(tmp_path: Path, answer: str, text: str) -> None:
    assert answer in complaint(tmp_path, f"[checks]\n{text}")


def test_a_club_has_its_own_scale_of_victory_points(tmp_path: Path) -> None:
    text = '[scoring]\nvp_scale = "house"\n[scoring.house_scale]\nmargins = [0, 3]\nwinner = [10, 12.5]\n'
    scale = settings(tmp_path, text).scoring.house_scale
    assert scale is not None
    assert [1000, 1250, 750] == [scale.scale().points(margin) for margin in (2, 3, -3)]


def test_tie_breaks_and_handicaps_are_lists(tmp_path: Path) -> None:
    scoring = settings(
        tmp_path,
        "[scoring]\n"
        'tie_breaks = ["rematchpoint", { rule = "who-beat-who", at_least = 3 }, "extra-hands"]\n'
        '[[scoring.handicaps]]\ncontestant = "4"\namount = 2.5\n',
    ).scoring
    assert [("rematchpoint", 3, None), ("who-beat-who", 3, None), ("extra-hands", 2, 2)] == [
        (step.rule, step.at_least, step.at_most) for step in scoring.tie_chain
    ]
    assert [("4", 2.5)] == [(one.contestant, one.amount) for one in scoring.handicaps]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("expected margins that begin at 0", "[scoring.house_scale]\nmargins = [1]\nwinner = [10]"),
        ("[scoring.house_scale] winner: missing", "[scoring.house_scale]\nmargins = [0]"),
        ("unknown key; did you mean winner?", "[scoring.house_scale]\nmargins = [0]\nwinnr = [10]"),
        ('vp_scale = "house" needs the table [scoring.house_scale]', '[scoring]\nvp_scale = "house"'),
        ("[scoring.handicaps.1] contestant: missing", "[[scoring.handicaps]]\namount = 1"),
        ('[scoring.handicaps.2] amount = "0": expected a number', HANDICAPS),
        ("[scoring.handicaps.1] amount = Infinity: expected", "[[scoring.handicaps]]\ncontestant = '4'\namount = inf"),
        ("'who-beat-who'", "[scoring]\ntie_breaks = ['who-beat-whom']"),
    ],
)
def test_an_error_in_a_scale_or_a_list_has_its_place(tmp_path: Path, answer: str, text: str) -> None:
    assert answer in complaint(tmp_path, text)


def test_the_folder_of_templates_is_relative_to_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "club" / "pages").mkdir(parents=True)
    (tmp_path / "club" / "club.toml").write_text('[site]\ntemplates = "pages"\n')
    monkeypatch.chdir(tmp_path)
    assert str(Path("club", "pages")) == load_config(Path("club", "club.toml")).site.templates


def test_a_missing_folder_of_templates_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('[site]\ntemplates = "pgaes"\n')
    with pytest.raises(ConfigError, match=r"\[site\] templates: the folder .*pgaes does not exist"):
        load_config(tmp_path / "club.toml")


def test_rulings_on_one_evening_are_refused_in_the_settings_of_all_evenings(tmp_path: Path) -> None:
    text = '[scoring]\nmethod = "butler"\n\n[[scoring.penalties]]\ncontestant = "4"\namount = 0.25\nunit = "top"\n'
    with pytest.raises(ConfigError, match=r"club\.toml:4:11: \[scoring\] penalties: .*corrections file"):
        settings(tmp_path, text)


def test_a_handicap_holds_for_a_season_and_stays(tmp_path: Path) -> None:
    assert (
        "4"
        == settings(tmp_path, '[[scoring.handicaps]]\ncontestant = "4"\namount = 2\n').scoring.handicaps[0].contestant
    )


def test_a_word_that_is_claimed_twice_is_named(tmp_path: Path) -> None:
    text = '[dialect]\nlanguage = "french"\nseat = { S = ["Z"], W = ["z"] }\n'
    with pytest.raises(ConfigError, match=r"expected one meaning for the word 'z', got seat\.S and seat\.W"):
        settings(tmp_path, text)


def test_a_dialect_has_no_other_meanings_than_the_game(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="strain"):
        settings(tmp_path, '[dialect]\nstrain = { X = ["K"] }\n')
