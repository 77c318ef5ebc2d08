"""Contestants that the file's own list does not name are reported and not ranked; their opponents keep their points."""

import re
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
    old, new = {"pbn": (b"\n1 1 6 1 ", b"\n1 1 6 71 "), "xml": (b"<EW_PAIR_NUMBER>1<", b"<EW_PAIR_NUMBER>71<")}[suffix]
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


TEAMS = "round,table,board,team_ns,team_ew,names_ns,names_ew,score_ns\n"


def _match(number: int, one: str, other: str) -> str:
    pairs = {(team, half): f"{team} Ann{half} - {team} Bob{half}" for team in (one, other) for half in (1, 2)}
    return "".join(
        f"{number},{table},{board},{ns},{ew},{pairs[ns, half]},{pairs[ew, half]},{score}\n"
        for table, (ns, ew, half, score) in enumerate(((one, other, 1, 420), (other, one, 2, -50)), start=1)
        for board in (1, 2)
    )


@pytest.mark.parametrize("suffix", ["xml", "csv"])
def test_a_team_that_no_list_of_teams_names_is_an_error_with_its_players(tmp_path: Path, suffix: str) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text(TEAMS + _match(1, "Ash", "Oak") + _match(1, "Elm", "Fir"))
    second.write_text(TEAMS + _match(2, "Ash", "Yew"))
    if suffix == "xml":
        (tmp_path / "first.xml").write_bytes(write_usebio(evaluate([str(first)], Config())).content)
        first.unlink()
    read = evaluate([str(tmp_path / f"first.{suffix}"), str(second)], Config())
    assert {"Ash", "Oak", "Elm", "Fir", "Yew"} == _ranked(read)
    told = read.problems.filter(code="contestant-unlisted").select("severity", "source", "message").rows()
    # A table of results lists nobody.
    assert (1 if suffix == "xml" else 0) == len(told)
    for severity, source, message in told:
        assert ("error", True) == (severity, source.endswith("second.csv"))
        assert {"Yew Ann1", "Yew Ann2"} <= set(re.findall(r"Yew Ann\d", message))


def test_a_match_of_listed_teams_is_no_news(tmp_path: Path) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text(TEAMS + _match(1, "Ash", "Oak") + _match(1, "Elm", "Fir"))
    second.write_text(TEAMS + _match(2, "Ash", "Elm"))
    (tmp_path / "first.xml").write_bytes(write_usebio(evaluate([str(first)], Config())).content)
    read = evaluate([str(tmp_path / "first.xml"), str(second)], Config())
    assert read.problems.filter(code="contestant-unlisted").is_empty()
