"""The page about ties: each example comes out as it says."""

import re
from pathlib import Path

import pytest

from tests.support.commands import ROOT, run

PAGE = (ROOT / "docs" / "ties.md").read_text("utf-8")
EXAMPLES = re.findall(r"```csv\n(.+?)```.*?```toml\n(.+?)```.*?```console\n\$ (.+?)\n(.+?)```", PAGE, re.DOTALL)


def test_the_page_has_an_example_of_each_rule_that_it_is_about() -> None:
    assert ["who-beat-who", "rematchpoint", "boards-won"] == [
        found[1] for _, settings, *_ in EXAMPLES if (found := re.search(r'\["(.+)"\]', settings))
    ]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_comes_out_as_the_page_says(
    example: tuple[str, str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, settings, command, expected = example
    monkeypatch.chdir(tmp_path)
    Path("evening.csv").write_text(table, "utf-8")
    shared = run("score", "evening.csv").out
    Path("club.toml").write_text(settings, "utf-8")
    decided = run(*command.split()[1:])
    assert 0 == decided.status
    assert expected in decided.out
    assert expected not in shared
