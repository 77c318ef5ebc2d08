"""`club.toml` as a form."""

from typing import get_args

import pytest

from overtrick.core.config import ConfigError, parse_config
from overtrick.core.config.edit import list_fields, set_values
from overtrick.core.config.file import SettingsFile
from overtrick.core.config.site import Document
from tests.support.commands import ROOT


def fields(text: str) -> dict[str, str]:
    data = SettingsFile(ROOT / "club.toml", text).data
    return {f"{one.table}.{one.key}": one.value for _, _, listed in list_fields(data) for one in listed}


def test_every_value_of_a_form_that_is_sent_back_leaves_the_file_as_it_is() -> None:
    text = (
        '# ours\n[club]\nname = "Lantern Street" # a name\n\n[scoring]\nline_rounding = 0.1\n'
        'tie_breaks = ["rematchpoint", "who-beat-who"]\n\n[privacy.players]\n"Ann Example" = "initials"\n\n'
        '[checks]\nsilence = ["board-*"]\nseverity = { "play-revoke" = "info" }\n'
    )
    given = {(table, key): value for name, value in fields(text).items() for table, _, key in [name.partition(".")]}
    assert text == set_values(text, given)


def test_values_are_set_and_taken_out_and_comments_stay() -> None:
    text = '# ours\n[club]\nname = "Old" # a name\n[site]\nfinal = true\n'
    changed = set_values(text, {("club", "name"): 'Ann "A"', ("site", "final"): "", ("inbox", "settle"): "5"})
    assert '# ours\n[club]\nname = "Ann \\"A\\"" # a name\n' in changed
    assert "final" not in changed
    config = parse_config(SettingsFile(ROOT / "club.toml", changed))
    assert ('Ann "A"', 5) == (config.club.name, config.inbox.settle)


def test_a_field_has_its_words_and_its_default() -> None:
    found = {f"{one.table}.{one.key}": one for _, _, listed in list_fields({}) for one in listed}
    assert ("number", "3") == (found["inbox.settle"].kind, found["inbox.settle"].default)
    assert ("choice", ("full", "initials", "number", "hidden")) == (
        found["privacy.names"].kind,
        found["privacy.names"].choices,
    )
    assert ("toml", get_args(Document)) == (found["site.documents"].kind, found["site.documents"].choices)
    assert all(one.about for one in found.values() if one.table in {"club", "site", "privacy", "inbox", "publish"})


@pytest.mark.parametrize(("key", "value"), [("provisional_days", "two"), ("corrections", "[")])
def test_a_value_that_is_not_one_is_refused(key: str, value: str) -> None:
    if key in {one.key for _, _, listed in list_fields({}) for one in listed}:
        with pytest.raises(ConfigError, match="expected"):
            set_values("", {("site", key): value})
    else:
        assert "" == set_values("", {("site", key): value})
