"""Which files belong together: the work does not grow with the square of the files."""

from functools import partial

import pytest

from overtrick.files.assemble import together
from overtrick.files.assemble.together import Held, group_files

DAY = frozenset({"2026.10.13"})


def _evening(number: int, dates: frozenset[str], asked: list[int]) -> Held:
    """Return an evening of ten results of which no other evening has any; `asked` notes who asks for them."""
    boards = frozenset(range(10))

    def outcomes() -> dict[str, str]:
        asked.append(number)
        return {f"{board}\t1\t2": f"{number}\tS\t\tN\t{board}" for board in boards}

    return Held(f"{number}.csv", True, dates, frozenset({f"Pairs {number}"}), played=boards, outcomes=outcomes)


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("dates", [DAY, frozenset[str]()], ids=["one day", "no day"])
def test_comparisons_do_not_grow_with_the_square_of_the_evenings(
    dates: frozenset[str], given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(together, "CROWD", 10)
    asked: dict[int, list[int]] = {40: [], 80: []}
    for count, note in asked.items():
        groups = group_files([_evening(number, dates, note) for number in range(count)], given=given)
        assert count == len(groups)
    assert 2.5 * len(asked[40]) >= len(asked[80])


def test_a_part_joins_an_evening_of_many_parts() -> None:
    """Each of these files holds one result, as terminals may send them."""
    results = [(f"{board}\t{pair}\t{pair + 50}", board) for board in range(10) for pair in range(40)]
    files = [
        Held(
            f"{number}.csv",
            True,
            DAY,
            frozenset({"Pairs"}),
            people=frozenset({("1", "Ada Quill - Ben Moss")}),
            played=frozenset({board}),
            outcomes=partial(dict, {place: "4\tS\t\tN\t10"}),
        )
        for number, (place, board) in enumerate(results)
    ]
    assert [[file.source for file in files]] == [
        [file.source for file in group] for group in group_files(files, given=False)
    ]


@pytest.mark.parametrize(
    ("scoring", "people", "evenings"),
    [
        ((), ("Ada Quill - Ben Moss",) * 2, 1),
        (("matchpoints",), ("Ada Quill - Ben Moss",) * 2, 1),
        (("butler",), ("Ada Quill - Ben Moss",) * 2, 2),
        ((), ("Ada Quill - Ben Moss", "Cy Dunn - Di Eads"), 2),
        ((), (None, None), 2),
    ],
    ids=["states none", "states the same", "states another", "other people", "nobody named"],
)
def test_a_part_may_leave_out_how_it_is_scored(
    scoring: tuple[str, ...], people: tuple[str | None, str | None], evenings: int
) -> None:
    parts = [
        Held(
            f"{name}.csv", True, DAY, frozenset({"Pairs"}), frozenset({("1", who)} if who else ()),
            frozenset(said), frozenset({board}), outcomes=partial(dict, {f"{board}\t1\t2": "4\tS\t\tN\t10"}),
        )
        for board, (name, said, who) in enumerate(zip("ab", (("matchpoints",), scoring), people, strict=True))
    ]  # fmt: skip
    assert evenings == len(group_files(parts, given=False))


MONDAY, TUESDAY = "2026.10.12", "2026.10.13"
PEOPLE = "Ada Quill - Ben Moss"
TABLE = {"mon.csv": MONDAY, "tue.csv": TUESDAY}


def results(
    source: str, day: str = "", *, score: str = "10", boards: int = 10, people: str = PEOPLE, scoring: str = ""
) -> Held:
    """Return a file with a result of the same two pairs on each of some boards."""
    return Held(
        source,
        True,
        frozenset({day} - {""}),
        people=frozenset({("1", people)} if people else ()),
        scoring=frozenset({scoring} - {""}),
        played=frozenset(range(boards)),
        outcomes=partial(dict, {f"{board}\t1\t2": f"4\tS\t\tN\t{score}" for board in range(boards)}),
    )


def deals(source: str, boards: range = range(10), day: str = "") -> Held:
    return Held(source, False, frozenset({day} - {""}), dealt=frozenset(boards))


def grouped(*files: Held, given: bool = False) -> list[list[str]]:
    return [[file.source for file in group] for group in group_files(files, given=given)]


TWO = (results("mon.csv", MONDAY, score="9"), results("tue.csv", TUESDAY))


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize(
    ("evening", "file"),
    [
        (0, deals("mon.pbn")),
        (1, deals("tue.pbn")),
        (0, deals("hands.pbn", day=MONDAY)),
        (1, deals("hands.pbn", day=TUESDAY)),
        (0, deals("mon.pbn", day=TUESDAY)),
        (None, deals("hands.pbn")),
        (None, deals("hands.pbn", day="2026.10.14")),
    ],
)
def test_deals_join_the_evening_of_their_name_else_of_their_date(evening: int | None, file: Held, given: bool) -> None:
    expected = [["mon.csv"], ["tue.csv"]]
    expected = [*expected, [file.source]] if evening is None else expected
    if evening is not None:
        expected[evening].append(file.source)
    assert expected == grouped(*TWO, file, given=given)


def test_of_two_evenings_of_a_name_deals_join_that_of_their_date() -> None:
    files = (results("a/mon.csv", MONDAY, score="9"), results("b/mon.csv", TUESDAY), deals("mon.pbn", day=TUESDAY))
    assert [["a/mon.csv"], ["b/mon.csv", "mon.pbn"]] == grouped(*files, given=True)


@pytest.mark.parametrize(
    ("joined", "given", "file"),
    [
        (True, False, deals("hands.pbn", range(10))),
        (True, False, deals("hands.pbn", range(12))),
        (True, False, deals("hands.pbn", range(10), MONDAY)),
        (False, False, deals("hands.pbn", range(9))),
        (False, False, deals("hands.pbn", range(1, 12))),
        (False, False, deals("hands.pbn", range(10), TUESDAY)),
        (True, True, deals("hands.pbn", range(3))),
    ],
)
def test_deals_beside_one_evening_are_its_own_if_they_have_all_its_boards(
    joined: bool, given: bool, file: Held
) -> None:
    expected = [["mon.csv", "hands.pbn"]] if joined else [["mon.csv"], ["hands.pbn"]]
    assert expected == grouped(results("mon.csv", MONDAY), file, given=given)


@pytest.mark.parametrize(
    ("copies", "first", "second"),
    [
        (True, {}, {}),
        (True, {"day": MONDAY}, {"day": MONDAY}),
        (True, {"scoring": "MP"}, {}),
        (True, {"scoring": "MP"}, {"scoring": "MP"}),
        (True, {"people": ""}, {}),
        (False, {"scoring": "MP"}, {"scoring": "IMP"}),
        (False, {"day": MONDAY}, {"day": TUESDAY}),
        (False, {"day": MONDAY}, {}),
        (False, {}, {"day": MONDAY}),
        (False, {}, {"people": "Cy Dunn - Di Eads"}),
        (False, {}, {"score": "9"}),
        (False, {"boards": 2}, {"boards": 2}),
    ],
)
def test_files_in_a_folder_are_copies_if_nothing_says_otherwise(
    copies: bool, first: dict[str, str], second: dict[str, str]
) -> None:
    for one, other in ((first, second), (second, first)):
        files = (results("one.csv", **one), results("other.xml", **other))  # type: ignore[arg-type]
        assert ([["one.csv", "other.xml"]] if copies else [["one.csv"], ["other.xml"]]) == grouped(*files)
