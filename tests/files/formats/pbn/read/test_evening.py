"""The pieces of a PBN file, each in its place (PBN 2 and 3)."""

from unittest.mock import patch

import polars as pl
import pytest
from lark import Lark

from overtrick.files.formats.pbn.read import archive
from overtrick.files.formats.pbn.read.archive import cut_archive
from overtrick.files.formats.pbn.read.evening import cut_evening
from tests.support.reading import FIXTURES, pbn

CASES = {
    "plain": '[Event "x"]\n[Board "1"]\n\n[Board "2"]\n',
    "section": '[Auction "N"]\n1C Pass\n1NT AP\n[Result "7"]\n',
    "escape inside a section": '[Auction "N"]\n1C Pass\n% hidden\n1NT AP\n',
    "comments": '{ before }\n[Event "x"] ; after\n[Auction "N"] {here} 1C { there\n\n } AP\n',
    "two tags on a line": '[Event "x"] [Board "1"]\n',
    "a tag over lines": '[\n Event\n "x"\n]\n',
    "no space": '[Event"x"][   Board "1"   ]\n',
    "escapes in a string": '[Event "a \\"b\\" \\\\ c"]\n',
    "no quotes": "[Event Random Deal #]\n[Board]\n",
    "never closed": '[Event "x\n[Board "1"]\n{ open\n[Board "2"]\n',
    "odd strings": '[ScoreTable "A;B"]\n"x ; {" 1\n"open\n',
    "strays": 'hello ] }\n\n[Event "x"]\nhello\n',
    "tabs": '[Auction "N"]\n1C\tPass\n\t\n1C\n',
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_an_archive_has_the_entries_of_an_evening(text: str) -> None:
    assert cut_evening(text).equals(cut_archive(text))


@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_only_white_space_is_in_no_entry(text: str) -> None:
    covered = list(text)
    for start, end in cut_evening(text).select("start", "end").iter_rows():
        covered[start:end] = " " * (end - start)
    assert "" == "".join(covered).strip()


def listed(text: str) -> list[tuple[int, int, str, str | None, str | None]]:
    found = cut_evening(text).filter(pl.col("kind") != "blank")
    return [tuple(row) for row in found.select("line", "column", "kind", "name", "text").iter_rows()]


def test_a_tag_has_its_place_name_and_value() -> None:
    assert [(1, 1, "tag", "Event", "x"), (1, 13, "tag", "Board", "1")] == listed(CASES["two tags on a line"])


def test_backslashes_escape_quotes_and_backslashes() -> None:
    assert [(1, 1, "tag", "Event", 'a "b" \\ c')] == listed(CASES["escapes in a string"])


def test_a_value_without_quotes_is_kept() -> None:
    assert ["Random Deal #", ""] == [row[4] for row in listed(CASES["no quotes"])]


def test_no_text_has_no_entries() -> None:
    assert 0 == len(cut_evening(""))


def test_a_comment_keeps_its_empty_lines() -> None:
    assert "{ there\n\n }" in [row[4] for row in listed(CASES["comments"])]


def test_what_is_never_closed_ends_where_the_next_tag_begins() -> None:
    found = cut_evening(CASES["never closed"])
    assert ["pbn-tag-unclosed", "pbn-comment-unclosed"] == found["defect"].drop_nulls().to_list()
    assert ["Event", "Board", "Board"] == found["name"].drop_nulls().to_list()


def test_a_comment_may_hold_braces_and_tags_when_it_is_closed() -> None:
    text = '{ {[Hidden "W"]} [Event "x"]\n'
    assert ["comment", "tag"] == cut_evening(text)["kind"].to_list()


@pytest.mark.parametrize("hostile", ["{" * 200_000, "[" * 200_000, '"' * 200_001, "[a " * 100_000, "x" * 1_000_000])
def test_a_hostile_line_is_a_few_cut_evening(hostile: str) -> None:
    assert len(cut_evening(hostile + "\n")) < 5


def test_a_tag_whose_name_has_a_space_is_kept_and_named() -> None:
    problems = pbn('[Correction Sequence "1S,P"]\n[Board "1"]\n').problems
    assert [("warning", "pbn-tag-spaced", 1)] == problems.select("severity", "code", "line").rows()


def test_only_a_tag_with_a_quote_ends_a_comment_that_is_open() -> None:
    """Lesson books write `[NEXT]` between the steps of a comment, also after an empty line (3.8)."""
    lesson = '[Board "1"]\n{Plan the play.\n\n[NEXT]\nDraw trumps.}\n\n[Board "2"]\n'
    assert ["tag", "comment", "blank", "tag"] == cut_evening(lesson)["kind"].to_list()
    assert [1, 2] == pbn(lesson).records["board"].to_list()


def test_lark_parses_an_evening_whole() -> None:
    text = (FIXTURES / "club-evening.pbn").read_text("utf-8")
    with patch.object(Lark, "parse", autospec=True, side_effect=Lark.parse) as parsed:
        assert len(pbn(text).records) > 0
    assert [text] == [call.args[1] for call in parsed.call_args_list]


def test_lark_reads_what_is_not_plain_in_an_archive() -> None:
    text = '[Event "x"]\n' * 3 + "{ a comment }\n" + '[Board "1"]\n[Auction "N"]\n1C AP\n'
    with patch.object(archive, "_plain_entries", side_effect=vars(archive)["_plain_entries"]) as cut:
        assert cut_archive(text).equals(cut_evening(text))
    assert [[text], ['[Event "x"]\n' * 3, '[Board "1"]\n[Auction "N"]\n1C AP\n']] == [
        [run.text for run in call.args[2]] for call in cut.call_args_list
    ]
