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
