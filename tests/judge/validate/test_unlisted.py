"""Contestants that the file's own list does not name are reported and not ranked; their opponents keep their points."""

from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.files.formats.pbn.write import scored_pbn
from overtrick.files.formats.usebio.write import write_usebio
from tests.support import one_evening as one
from tests.support.evaluating import evaluate


def _ranked(session: Session) -> set[str]:
    return set(session.standings["contestant"])


@pytest.mark.parametrize("suffix", ["pbn", "xml"])
def test_a_mistyped_number_is_not_a_contestant(tmp_path: Path, suffix: str) -> None:
    whole = evaluate([str(one.write_csv(tmp_path / "all.csv", one.play()))], Config())
    written = scored_pbn(whole) if suffix == "pbn" else write_usebio(whole)
    old, new = {
        "pbn": (b"\n1 1 6 1 ", b"\n1 1 6 71 "),
        "xml": (b"<EW_PAIR_NUMBER>1<", b"<EW_PAIR_NUMBER>71<"),
    }[suffix]
    assert old in written.content
    (tmp_path / f"slip.{suffix}").write_bytes(written.content.replace(old, new, 1))
    slip = evaluate([str(tmp_path / f"slip.{suffix}")], Config())
    assert set("123456") == _ranked(slip)
    (told,) = slip.problems.filter(slip.problems["code"] == "contestant-unlisted")["message"]
    assert told.startswith("71 has results")
    points = [one.standings.filter(contestant="6")["total"].item() for one in (whole, slip)]
    assert points[0] == points[1]


def test_a_list_of_names_that_come_with_results_leaves_nobody_out(tmp_path: Path) -> None:
    lines = one.play()
    some = one.write_csv(tmp_path / "all.csv", lines)
    rows = some.read_text().splitlines()
    some.write_text("\n".join([rows[0], rows[1].rsplit(",", 2)[0] + ",,", *rows[2:]]) + "\n")
    assert set("123456") == _ranked(evaluate([str(some)], Config()))


def test_a_list_that_lacks_most_contestants_is_not_theirs(tmp_path: Path) -> None:
    whole = evaluate([str(one.write_csv(tmp_path / "all.csv", one.play()))], Config())
    text = scored_pbn(whole).content.decode()
    head, _, totals = text.partition("[TotalScoreTable")
    first_two = totals.split("\n")[:3]
    rest = "\n".join(totals.split("\n")[7:])
    (tmp_path / "top.pbn").write_text(head + "[TotalScoreTable" + "\n".join(first_two) + "\n" + rest)
    assert set("123456") == _ranked(evaluate([str(tmp_path / "top.pbn")], Config()))
