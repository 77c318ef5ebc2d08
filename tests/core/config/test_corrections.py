"""The corrections file: its entries, and what is wrong with them."""

from pathlib import Path

import pytest

from overtrick.core.config.corrections import Corrections, Entry, load_corrections, parse_corrections
from overtrick.core.config.file import SettingsFile

NAME = "tuesday.corrections.toml"


def parsed(text: str) -> Corrections:
    return parse_corrections(SettingsFile(Path(NAME), text), NAME)


def read_entry(text: str) -> Entry:
    read = parsed(f'[[corrections]]\nwhy = "x"\n{text}\n')
    assert () == read.findings
    return read.entries[0].entry


def fault(text: str) -> tuple[int | None, int | None, object]:
    """Return line, column and message of the only problem of an entry; its first key is on line 3."""
    (finding,) = parsed(f'[[corrections]]\nwhy = "x"\n{text}\n').findings
    assert "correction-invalid" == finding.code
    return finding.line, finding.column, finding.values["reason"]


def test_entries_keep_their_order_and_know_their_lines() -> None:
    read = parsed(
        '# mine\n[[corrections]]\nwhy = "x"\ntitle = "A"\n\n[[corrections]]\npair = 2\nname = "A - B"\nwhy = "y"\n'
    )
    assert [("title", 2), ("name", 6)] == [(one.entry.kind, one.line) for one in read.entries]
    assert [(8, 1), (6, 1)] == [read.entries[1].position(key) for key in ("name", "board")]


def test_a_number_needs_no_quotes() -> None:
    entry = read_entry("board = 6\npair = 3\nround = 2\ntable = 4\nsection = 1\nswap = true")
    assert ("3", "2", "4", "1") == (entry.pair, entry.round, entry.table, entry.section)


@pytest.mark.parametrize(("lead", "card"), [("DK", "DK"), ("h10", "HT"), ("s2", "S2")])
def test_a_lead_is_written_as_in_the_results(lead: str, card: str) -> None:
    assert card == read_entry(f'board = 1\npair = 1\nlead = "{lead}"').lead


@pytest.mark.parametrize("text", ["2026-03-07", '"2026-03-07"', '"2026.03.07"'])
def test_a_day_is_written_as_pbn_has_it(text: str) -> None:
    assert "2026.03.07" == read_entry(f"date = {text}").day


@pytest.mark.parametrize(
    ("line", "column", "message", "text"),
    [
        (
            3,
            1,
            "[corrections.1] titel: unknown key; did you mean title?",
            'titel = "A"\nboard = 1\npair = 1\nswap = true',
        ),
        (3, 10, "[corrections.1] tricks = 14: expected less than or equal to 13", "tricks = 14"),
        (3, 12, '[corrections.1] contract = "8S": expected a contract such as 4S, 3NTX or Pass', 'contract = "8S"'),
        (3, 8, '[corrections.1] lead = "KK": expected a card, suit first, such as DK or H10', 'lead = "KK"'),
        (3, 9, '[corrections.1] award = ["60", "40"]: expected A+, A, A- or a percentage', 'award = ["60", "40"]'),
        (3, 8, '[corrections.1] date = "tomorrow": expected a day such as 2026-03-07', 'date = "tomorrow"'),
        (3, 1, "[corrections.1.player] to: missing", 'player = { from = "A" }'),
        (
            3,
            12,
            "[corrections.1.player] form: unknown key; did you mean from?",
            'player = { form = "A", from = "A", to = "B" }',
        ),
        (3, 8, "[corrections.1] swap = false: expected true", "swap = false"),
    ],
)
def test_an_error_has_its_place_and_the_nearest_key(line: int, column: int, message: str, text: str) -> None:
    found = fault(text)
    assert (line, column) == found[:2]
    assert str(found[2]).startswith(message)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("expected one thing to correct, such as contract, swap, delete", "board = 1\npair = 1"),
        ("swap and delete can't be in one entry; write two entries", "board = 1\npair = 1\nswap = true\ndelete = true"),
        ("result and title can't be in one entry", 'board = 1\npair = 1\ntricks = 9\ntitle = "A"'),
        ("title can't have board; leave board out", 'board = 1\ntitle = "A"'),
        ("penalty can't have table; leave table out", "pair = 1\ntable = 2\npenalty = { amount = 1 }"),
        ("swap needs one result: board and pair, or board, round and table", "board = 1\nswap = true"),
        ("name needs pair", 'name = "A - B"'),
        ("fouled needs board", "fouled = [1]"),
        ("other_pair needs pair", "board = 1\ntable = 2\nother_pair = 4"),
        ("add needs board, pair (N-S) and other_pair (E-W)", "board = 1\npair = 1\nadd = true\nscore = 100"),
        ("add needs contract with by and tricks, or score", "board = 1\npair = 1\nother_pair = 2\nadd = true"),
        ("players goes with add = true", "players = [1, 2, 3, 4]"),
        ('a score goes with by = "extra-hands"', 'tie = { winner = 1, score = "3-2" }'),
        ("expected points, or score and top of the earlier stage", "pair = 1\ncarry_over = { score = 3 }"),
    ],
)
def test_an_entry_says_one_thing_and_names_what_it_needs(message: str, text: str) -> None:
    assert message in str(fault(text)[2])


def test_a_reason_is_needed() -> None:
    assert ["[corrections.1] why: missing"] == [
        one.values["reason"] for one in parsed('[[corrections]]\ntitle = "A"\n').findings
    ]
    assert ['[corrections.1] why = "": expected a text that is not empty'] == [
        one.values["reason"] for one in parsed('[[corrections]]\ntitle = "A"\nwhy = ""\n').findings
    ]


def test_entries_beside_a_wrong_one_count() -> None:
    read = parsed('[[corrections]]\ntitle = "A"\nwhy = "x"\n[[corrections]]\ntitel = "B"\nwhy = "x"\n')
    assert (["A"], 1) == ([one.entry.title for one in read.entries], len(read.findings))


@pytest.mark.parametrize(
    ("line", "message", "text"),
    [
        (2, "not a TOML file: Invalid value", "[[corrections]]\nboard = x\n"),
        (1, "corection: unknown key; did you mean corrections?", "[[corection]]\nboard = 1\n"),
        (1, "corrections = 3: expected a list in brackets", "corrections = 3\n"),
    ],
)
def test_a_file_that_is_not_one_of_corrections_is_a_problem(line: int, message: str, text: str) -> None:
    (finding,) = parsed(text).findings
    assert (line, message) == (finding.line, finding.values["reason"])


def test_a_file_that_can_t_be_read_is_a_problem(tmp_path: Path) -> None:
    (finding,) = load_corrections(tmp_path / NAME, NAME).findings
    assert "can't be read: No such file or directory" == finding.values["reason"]
    (tmp_path / NAME).write_bytes(b"\xff\xfe")
    (finding,) = load_corrections(tmp_path / NAME, NAME).findings
    assert str(finding.values["reason"]).startswith("not a TOML file")


def test_an_empty_file_has_no_entries() -> None:
    assert Corrections(NAME) == parsed("# nothing yet\n")
