"""An evening with names, adjusted scores, a half table and hands, through every format that clubs exchange."""

import random
import re
from functools import cache
from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.files.formats.looks import recognise
from overtrick.files.formats.parts import count_parts, write_session
from overtrick.files.formats.registry import FORMATS, Format
from tests.support.commands import FIXTURES, run
from tests.support.evaluating import evaluate
from tests.support.sweeps import sample, some

EVENING = FIXTURES / "exchange-evening.pbn"
WRITTEN = [known for known in FORMATS if known.write]
OF_RANKINGS = [known for known in WRITTEN if {"results", "names", "adjusted scores"} <= set(known.carries)]
TOLD = re.compile(r"cannot store (.*); overtrick leaves them out")


@cache
def evening() -> Session:
    return evaluate([str(EVENING)], Config())


def ranking(session: Session) -> list[tuple[object, ...]]:
    rows = session.standings.to_dicts()
    return [(row["ranking"], row["contestant"], round(row["total"] or 0, 6), row["names"]) for row in rows]


def through(session: Session, known: Format, folder: Path) -> tuple[Session, list[str]]:
    """Write a session in a format and read it again; also the parts that are said to be lost."""
    written = write_session(session, known)
    path = folder / f"evening{known.suffixes[0]}"
    path.write_bytes(written.content)
    notes = written.problems.filter(code="format-not-written")["message"].to_list()
    told = [found[1] for message in notes if (found := TOLD.search(message))]
    parts = [part for text in told for part in re.findall(r"(?:^|, |and )([a-z, -]+?) \([0-9]+\)", text)]
    return evaluate([str(path)], Config()), parts


@pytest.mark.parametrize("known", OF_RANKINGS, ids=lambda known: known.name)
def test_the_ranking_is_the_same_after_a_round_trip(known: Format, tmp_path: Path) -> None:
    again, _ = through(evening(), known, tmp_path)
    assert [known.name] == again.sources["format"].to_list()
    assert [] == again.problems.filter(severity="error")["message"].to_list()
    assert ranking(evening()) == ranking(again)


@pytest.mark.parametrize("known", WRITTEN, ids=lambda known: known.name)
def test_exactly_what_is_lost_is_named(known: Format, tmp_path: Path) -> None:
    again, told = through(evening(), known, tmp_path)
    kept = count_parts(again)
    assert sorted(part for part in count_parts(evening()) if part not in kept) == sorted(told)
    assert set() == set(kept) - set(count_parts(evening()))


PAIRS = [(one, two) for one in WRITTEN for two in WRITTEN if one is not two]


@pytest.mark.parametrize(("one", "two"), sample(PAIRS, 9), ids=lambda known: known.name)
@pytest.mark.sweep(2)
def test_from_any_format_to_any_other_exactly_what_is_lost_is_named(one: Format, two: Format, tmp_path: Path) -> None:
    first, _ = through(evening(), one, tmp_path)
    second, told = through(first, two, tmp_path)
    kept = count_parts(second)
    lost = {part for part in count_parts(first) if part not in kept}
    if one.name == "dds":
        # Its deals have no board numbers, and `not-written` names each of them.
        lost.discard("deals")
    assert sorted(lost) == sorted(told)


@pytest.mark.parametrize("known", WRITTEN, ids=lambda known: known.name)
@pytest.mark.slow
@pytest.mark.sweep(2)
def test_damaged_files_give_problems_and_never_raise(known: Format, tmp_path: Path) -> None:
    whole = write_session(evening(), known).content
    chance = random.Random(known.name)
    read = known.read
    for _ in range(some(100)):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(data))
            data[at : at + chance.choice([0, 1, 1, 20])] = chance.choice(
                [b"", b"\x00", b"\xff", b";", b",", b"9" * 20, b'"']
            )
        recognise(bytes(data))
        if read:
            read(bytes(data))
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    assert run("check", tmp_path / "cut").status in {0, 1}
