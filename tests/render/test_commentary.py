"""What the author of a file wrote about its boards, and nothing that was said at the table."""

from pathlib import Path

import pytest

from overtrick.config import Config
from overtrick.pipeline import evaluate
from overtrick.render.privacy import published
from overtrick.render.session import session_page

BOARD = """[Event "Club pairs"]
{{first thing}}
[Board "1"]
[West "Ann Vale"]
[Deal "N:AQ64.J4.Q98543.7 T8.Q653.KJT76.K2 KJ.KT87..AQJT543 97532.A92.A2.986"]
[Declarer "N"]
[Contract "4S"]
[Result "10"]
{tag}{{A fine <b>hand</b>: lead \\H.

Ann  led well.}}
[Auction "N"]
1S {{what a bid}} Pass 4S Pass
Pass Pass
"""


def told(tmp_path: Path, text: str, **settings: object) -> tuple[str, ...]:
    source = tmp_path / "evening.pbn"
    source.write_text(text, "utf-8")
    config = Config.model_validate(settings)
    return session_page(published(evaluate([str(source)], config), config.privacy), config).boards[0].commentary


def test_comments_of_a_game_with_an_annotator_are_commentary_in_their_order(tmp_path: Path) -> None:
    assert ("first thing", "A fine hand: lead \u2665.", "Ann led well.", "what a bid") == told(
        tmp_path, BOARD.format(tag='[Annotator "Kay Wells"]\n')
    )


@pytest.mark.parametrize("tag", ["", '[Annotator "?"]\n', '[Annotator ""]\n'])
def test_comments_that_nobody_signs_may_be_chat_and_are_not_published(tmp_path: Path, tag: str) -> None:
    assert () == told(tmp_path, BOARD.format(tag=tag))


def test_an_annotator_is_inherited_as_the_file_says(tmp_path: Path) -> None:
    text = BOARD.format(tag='[Annotator "##Kay Wells"]\n') + "\n" + BOARD.format(tag='[Annotator "#"]\n')
    assert told(tmp_path, text.replace('[Board "1"]', '[Board "2"]', 1))


def test_what_is_written_about_somebody_who_is_not_named_in_full_is_left_out(tmp_path: Path) -> None:
    hidden = told(
        tmp_path, BOARD.format(tag='[Annotator "Kay Wells"]\n'), privacy={"players": {"Ann Vale": "initials"}}
    )
    assert ("first thing", "what a bid") == hidden


def test_text_in_braces_of_rbn_is_commentary(tmp_path: Path) -> None:
    text = "B 1\nH N:AQ64.J4.Q98543.7:T8.Q653.KJT76.K2:KJ.KT87..AQJT543:\nC 4S:N\nR 10\n{Well bid.}\n"
    (tmp_path / "one.rbn").write_text(text)
    page = session_page(evaluate([str(tmp_path / "one.rbn")], Config()), Config())
    assert ("Well bid.",) == page.boards[0].commentary
