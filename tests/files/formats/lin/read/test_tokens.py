"""The commands in a LIN text, and pipes that are lost or doubled."""

import re
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.grammar import grammar
from overtrick.files.formats.lin.read import tokens
from overtrick.files.formats.lin.read.evening import TERMINALS
from overtrick.files.formats.lin.read.tokens import Tokens, cut_tokens

UNKNOWN = "lin-command-unknown"
Row = tuple[int, int, str, str | None, str]


def cut(text: str, *, archive: bool) -> Tokens:
    with patch.object(tokens, "LONGEST_EVENING", 0 if archive else len(text)):
        return cut_tokens(text)


def listed(text: str, *, archive: bool = False) -> list[Row]:
    return cut(text, archive=archive).list_all().select("line", "column", "kind", "name", "text").rows()


def mended(text: str, *, archive: bool = False) -> list[tuple[str | None, str, str | None]]:
    return cut(text, archive=archive).list_all().select("name", "text", "defect").rows()


def test_a_token_has_its_place_command_and_value() -> None:
    assert [(1, 1, "tag", "pn", "Ada,Ben"), (1, 12, "tag", "st", ""), (2, 1, "tag", "qx", "o1")] == listed(
        "pn|Ada,Ben|st||\nqx|o1|\n"
    )


def test_columns_count_characters() -> None:
    assert [(1, 1, "tag", "nt", "é€"), (1, 7, "tag", "mb", "p")] == listed("nt|é€|mb|p|\n")


def test_commands_are_named_in_small_letters_and_values_kept_as_written() -> None:
    assert [(1, 1, "tag", "pc", "hA"), (1, 7, "tag", "at", "Hello\n")] == listed("PC|hA|At|Hello\n|\n")


def test_text_between_commands_is_a_comment_or_a_stray() -> None:
    assert [
        (1, 1, "comment", None, "% by Ada"),
        (2, 1, "tag", "cr", "116"),
        (2, 10, "stray", None, "blue"),
        (3, 1, "tag", "bt", ""),
    ] == listed("% by Ada\ncr|116|  blue \nbt||\n")


def test_a_text_without_commands_is_a_stray() -> None:
    assert [(1, 1, "stray", None, "Hello"), (1, 9, "stray", None, "you")] == listed("Hello | you\n")
    assert [] == listed("\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mb|2D!an|both majors|mb|p|", [("mb", "2D!", "lin-pipe-missing"), ("an", "both majors", None)]),
        ("mb|1C\nmb|p|mb|p|", [("mb", "1C", "lin-pipe-missing"), ("mb", "p", None)]),
        ("pc|SApc|SK|pc|S5|", [("pc", "SA", "lin-pipe-missing"), ("pc", "SK", None)]),
        ("pcSA|pc|SK|pc|S5|", [("pc", "SA", "lin-pipe-missing"), ("pc", "SK", None)]),
        ("pn|Ada,Ben st||md|1S|", [("pn", "Ada,Ben", "lin-pipe-missing"), ("st", "", None)]),
        ("pn|Ada,August||pg||mb|p|", [("pn", "Ada,August", None), (None, "|", "lin-pipe-extra"), ("pg", "", None)]),
        ("mb||1C|mb|p|", [("mb", "1C", "lin-pipe-extra"), ("mb", "p", None)]),
        ("qx||o1|md|1S|", [("qx", "o1", "lin-pipe-extra"), ("md", "1S", None)]),
        ("pg||\no33|md|1S|", [("pg", "", None), ("qx", "o33", "lin-board-without-qx"), ("md", "1S", None)]),
        ("an|majo\nrs|mb|p|", [("an", "majo\nrs", "lin-value-broken"), ("mb", "p", None)]),
        ("mb|p|qq|new|mb|p|", [("mb", "p", None), ("qq", "new", UNKNOWN), ("mb", "p", None)]),
        ("mb|p|a|b|c|mb|p|", [("mb", "p", None), (None, "a|b|c", "stray-text/lin"), ("mb", "p", None)]),
        ("mb|p|an|a relay", [("mb", "p", None), ("an", "a relay", "lin-value-unclosed")]),
        ("mb|p|pg|", [("mb", "p", None), ("pg", "", "lin-value-unclosed")]),
        ("pg||q\nx|o1|md|1S|", [("pg", "", None), ("qx", "o1", "lin-command-torn"), ("md", "1S", None)]),
        ("pg||z q|o1|md|1S|", [("pg", "", None), (None, "z q|o1", "stray-text/lin"), ("md", "1S", None)]),
        ("mb|p|% a\nqq|new|mb|p|", [("mb", "p", None), (None, "% a", None), ("qq", "new", UNKNOWN)]),
        (
            "mb|p|pg|||\nbye",
            [("mb", "p", None), ("pg", "", None), (None, "|", "lin-pipe-extra"), (None, "bye", "stray-text/lin")],
        ),
        ("mb|p|bye", [("mb", "p", None), (None, "bye", "stray-text/lin")]),
    ],
)
@pytest.mark.parametrize("archive", [True, False])
def test_a_slip_is_mended_and_costs_nothing_else(
    text: str, expected: list[tuple[str, str, str]], *, archive: bool
) -> None:
    assert expected == mended(text + "\n", archive=archive)[: len(expected)]


def test_cards_that_look_like_commands_are_values_after_a_lost_pipe() -> None:
    cards = "pc|SA|pc|SK|pc|HA|pc|ST|pg||\n"
    assert [None, None, "SA", "SK", "HA", "ST"] == [
        text if name == "pc" else None for name, text, _ in mended("mb|p|extra|" + cards)
    ][:6]


COMMANDS = st.sampled_from(["mb", "pc", "PC", "an", "nt", "n^", "3d", "md", "qx"])
VALUES = st.text("ab ,!é\nSAKst", max_size=6)
GAPS = st.sampled_from(["", "\n", " ", "\n% remark\n", " \N{NO-BREAK SPACE}red é\n"])


@given(st.lists(st.tuples(GAPS, COMMANDS, VALUES)))
def test_a_sound_text_has_the_tokens_that_columns_find(parts: list[tuple[str, str, str]]) -> None:
    text = "".join(f"{gap}{command}|{value}|" for gap, command, value in parts) + "\n"
    assert [(command.lower(), value) for _, command, value in parts] == [
        (name, value) for name, value, _ in mended(text) if name
    ]
    assert listed(text, archive=True) == listed(text)


@given(st.lists(st.sampled_from(["mb", "pc", "|", "|", "|", "\n", " ", "SA", "p", "é", "o1", "x", "%"]), max_size=40))
def test_any_text_has_the_tokens_that_columns_find(parts: list[str]) -> None:
    text = "".join(parts) + "\n"
    assert listed(text, archive=True) == listed(text)
    assert mended(text, archive=True) == mended(text)


def test_the_terminals_are_tried_in_the_order_of_the_grammar() -> None:
    of_slips = [terminal for terminal in grammar("file", language="lin").terminals if terminal.name in TERMINALS]
    in_order = sorted(of_slips, key=lambda terminal: -terminal.priority)
    assert [terminal.name for terminal in in_order] == list(TERMINALS)


@given(st.lists(st.sampled_from(["mb", "pc", "|", "|", "|", "\n", " ", "SA", "p", "é", "o1", "x"]), max_size=40))
def test_nothing_of_any_text_is_lost(parts: list[str]) -> None:
    text = "".join(parts) + "\n"
    stated = "".join((name or "") + value for _, _, _, name, value in listed(text)).replace("qx", "")
    assert sorted(re.sub(r"[\s|]", "", text).lower()) == sorted(re.sub(r"[\s|]", "", stated).lower())
