"""Files are mended where they are understood, and only there."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overtrick.core.problems import CODES
from overtrick.files.formats.registry import FORMATS
from overtrick.files.mend import RULES, mend
from overtrick.files.mend.draft import Draft, Edit, Rule
from tests.support.commands import FIXTURES

HEAD = '[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n'

TABLE = '"PairId_NS;PairId_EW;Contract;Declarer;Result;'

MENDED = {
    "a contract": (f'{HEAD}[Contract "3N"]\n', f'{HEAD}[Contract "3NT"]\n'),
    "a value without quotes": ("[Board 1]\n", '[Board "1"]\n'),
    "a tag that is not closed": ('[Event "Evening\n[Board "1"]\n', '[Event "Evening"]\n[Board "1"]\n'),
    "a comment that is not closed": ('[Board "1"]\n{words\n\n[Board "2"]\n', '[Board "1"]\n{words}\n\n[Board "2"]\n'),
    "calls": (f'{HEAD}[Auction "N"]\n1N pass 3N AP\n', f'{HEAD}[Auction "N"]\n1NT pass 3NT AP\n'),
    "calls in words": (f'{HEAD}[Auction "N"]\n1C Dbl Rdbl All pass\n', f'{HEAD}[Auction "N"]\n1C X XX AP\n'),
    "the ten": (f'{HEAD}[Declarer "N"]\n[Play "E"]\nS10 S2\n', f'{HEAD}[Declarer "N"]\n[Play "E"]\nST S2\n'),
    "games without an empty line between": (f'{HEAD}[Board "2"]\n', f'{HEAD}\n[Board "2"]\n'),
    "a game with an empty line inside": ('[Board "1"]\n\n[MyTag "x"]\n', '[Board "1"]\n[MyTag "x"]\n'),
    "a tag that is written twice": ('[Board "1"]\n[Site "A"]\n[Site "A"]\n', '[Board "1"]\n[Site "A"]\n'),
    "words between games": ('[Board "1"]\n\nproduced 1 hand\n', '[Board "1"]\n\n; produced 1 hand\n'),
    "line ends": ('[Board "1"]\r\n[Dealer "N"]\n', '[Board "1"]\r\n[Dealer "N"]\r\n'),
    "a tag after its section": (
        '[Board "1"]\n[Auction "N"]\nAP\n[Dealer "N"]\n',
        '[Board "1"]\n[Dealer "N"]\n[Auction "N"]\nAP\n',
    ),
    "the order and line ends of export form": (
        '% EXPORT\n[Board "1"]\n[Table "2"]\n[Dealer "N"]\n\n[Board "2"]\n[Dealer "E"]\n',
        '% EXPORT\r\n[Board "1"]\r\n[Dealer "N"]\r\n[Table "2"]\r\n\r\n[Board "2"]\r\n[Dealer "E"]\r\n',
    ),
    "several tags in a line of export form": (
        '% EXPORT\r\n[Board "1"] [Dealer "N"]\r\n  [Vulnerable "None"]\r\n',
        '% EXPORT\r\n[Board "1"]\r\n[Dealer "N"]\r\n[Vulnerable "None"]\r\n',
    ),
    "a deal": (
        '[Board "1"]\n[Deal "N:AK2.QJ3.9874.654  QJT9.K54.AK2.AK2 8765.T98.QJT.QJT 43.A762.653.9873"]\n',
        '[Board "1"]\n[Deal "N:AK2.QJ3.9874.654 QJT9.K54.AK2.AK2 8765.T98.QJT.QJT 43.A762.653.9873"]\n',
    ),
    "tags in the wrong case": ('[event "Evening"]\n[BOARD "1"]\n', '[Event "Evening"]\n[Board "1"]\n'),
    "names in a table without quotes": (
        f'{HEAD}[ScoreTable {TABLE}Names_NS\\24;Names_EW\\24"]\n1 2 3NT N 9 Ann Elm - Bob Oak     Cy Ash - Di Fir\n',
        f'{HEAD}[ScoreTable {TABLE}Names_NS\\24;Names_EW\\24"]\n1 2 3NT N 9 "Ann Elm - Bob Oak" "Cy Ash - Di Fir"\n',
    ),
    "contracts in a table": (
        f'{HEAD}[ScoreTable {TABLE}Rank"]\n1 2 1N  N 7 1\n3 4 4S* N 7 2\n',
        f'{HEAD}[ScoreTable {TABLE}Rank"]\n1 2 1NT N 7 1\n3 4 4SX N 7 2\n',
    ),
    "a sign in a table": (
        f'{HEAD}[ScoreTable {TABLE}Score_NS"]\n1 2 - - - 60%\n',
        f'{HEAD}[ScoreTable {TABLE}Score_NS"]\n1 2 - - - "60%"\n',
    ),
    "tags that a passed-out board does not need": (
        f'{HEAD}[Declarer "S"]\n[Contract "Pass"]\n',
        f'{HEAD}[Declarer ""]\n[Contract "Pass"]\n',
    ),
    "a pass too many": ("qx|o1|mb|1C|mb|p|mb|p|mb|p|mb|p|\n", "qx|o1|mb|1C|mb|p|mb|p|mb|p|\n"),
    "a page that is not closed": ("qx|o1|mb|1C|mb|p|pg|", "qx|o1|mb|1C|mb|p|pg||"),
    "a pipe too many": ("pn|a,b,c,d|mb||1C|mb|p|\n", "pn|a,b,c,d|mb|1C|mb|p|\n"),
    "a pipe too few": ("pn|a,b,c,d|mb|1C|mb|p|pcSA|\n", "pn|a,b,c,d|mb|1C|mb|p|pc|SA|\n"),
    "a torn command": ("pn|a,b,c,d|mb|1C|m\nb|p|\n", "pn|a,b,c,d|mb|1C|mb|p|\n"),
}

KEPT = {
    "an alert, which PBN has no mark for": f'{HEAD}[Auction "N"]\n1C* AP\n',
    "a tag in both cases": '[event "x"]\n[Event "y"]\n[Board "1"]\n',
    "a value that is not understood": f'{HEAD}[Contract "lots"]\n',
    "a call that is not understood": f'{HEAD}[Auction "N"]\n1C hmm AP\n',
    "text with marks between games": '[Board "1"]\n\nBoard "2"]\n',
    "two values of a tag": '[Board "1"]\n[Site "A"]\n[Site "B"]\n',
    "a private tag": '[Board "1"]\n[myTag "10 hearts 3N"]\n',
    "an impossible deal": '[Board "1"]\n[Deal "N:AKX.- - - -"]\n',
    "a date": '[Board "1"]\n[Date "2-Aug-2023"]\n',
    "a comment about 3N": f'{HEAD}[Auction "N"]\n1C {{not 3N}} AP\n',
    "a sound file": f'{HEAD}[Contract "3NT"]\n',
}


@pytest.mark.parametrize("what", MENDED)
@pytest.mark.sweep(2)
def test_a_file_is_mended(what: str) -> None:
    before, after = MENDED[what]
    mended = mend(before.encode(), "one")
    assert after == mended.after.decode()
    assert mended.codes
    assert {} == mend(mended.after, "one").codes


@pytest.mark.parametrize("what", KEPT)
def test_a_file_that_is_not_understood_or_sound_stays_as_it_is(what: str) -> None:
    assert KEPT[what].encode() == mend(KEPT[what].encode(), "one").after


@pytest.mark.parametrize("path", [*FIXTURES.glob("[a-bi-z]*.pbn"), *FIXTURES.glob("*.lin")], ids=lambda path: path.name)
def test_a_second_run_finds_nothing(path: Path) -> None:
    assert {} == mend(mend(path.read_bytes(), path.name).after, path.name).codes


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8", "utf-8-sig", "utf-16"])
def test_the_encoding_stays(encoding: str) -> None:
    text = '[Board "1"]\r\n[North "Åse"]\r\n[Contract "3N"]\r\n'
    assert text.replace("3N", "3NT").encode(encoding) == mend(text.encode(encoding), "one").after


def test_the_other_byte_order_stays() -> None:
    text = b"\xfe\xff" + '[Board "1"]\n[Contract "3N"]\n'.encode("utf-16-be")
    assert text.replace(b'\x00N\x00"', b'\x00N\x00T\x00"') == mend(text, "one").after


def test_a_faulty_change_in_one_game_does_not_cost_the_others_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule changes the contract of the second game too, which the reader then reads as another."""

    def propose(draft: Draft, *_: object) -> Iterator[Edit]:
        for place, new in ((draft.text.index('"3N"'), '"3NT"'), (draft.text.index('"4H"'), '"4S"')):
            yield Edit(place, place + 4, new)

    monkeypatch.setitem(RULES, "pbn", (Rule("pbn-spelling", propose),))
    text = f'{HEAD}[Contract "3N"]\n\n{HEAD.replace("1", "2")}[Contract "4H"]\n'
    assert text.replace("3N", "3NT") == mend(text.encode(), "one").after.decode()


def test_a_change_that_does_too_much_does_not_keep_others_back() -> None:
    """Game 1 has another board after the empty line, so only game 2 is mended."""
    text = f'{HEAD}[Contract "3N"]\n\n[Board "2"]\n[Contract "4N"]\n[Declarer "nobody"]\n'
    assert text.replace("3N", "3NT").replace("4N", "4NT") == mend(text.encode(), "one").after.decode()


@pytest.mark.parametrize("data", [b"", b"\x00\x01\x02", b"\x80\x81", b"PK\x03\x04", b"[", b"pn|"])
def test_what_is_not_text_or_not_whole_stays_as_it_is(data: bytes) -> None:
    assert data == mend(data, "one").after


@settings(max_examples=5)
@given(st.lists(st.sampled_from([before for before, _ in MENDED.values()]), min_size=1, max_size=3), st.integers(0, 60))
def test_pieces_of_faulty_files_settle_in_one_run(texts: list[str], cut: int) -> None:
    data = "\n".join(texts)[cut:].encode()
    assert {} == mend(mend(data, "one").after, "one").codes


def test_each_rule_is_of_a_problem_that_exists() -> None:
    assert {known.name for known in FORMATS} >= set(RULES)
    assert set(CODES) >= {rule.code for rules in RULES.values() for rule in rules}


def test_a_diff_shows_both_lines() -> None:
    mended = mend(b'[Board "1"]\n[Contract "3N"]', "one.pbn")
    assert ['-[Contract "3N"]', '+[Contract "3NT"]'] == [
        line for line in mended.diff("one.pbn").splitlines() if line[0] in "+-" and line[:3] not in {"+++", "---"}
    ]
