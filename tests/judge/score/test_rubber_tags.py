"""What PBN says of the deals of a rubber: ScoreRubber and ScoreRubberHistory."""

from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.core.frames import Session
from tests.support.evaluating import evaluate
from tests.support.reading import codes


def game(contract: str, declarer: str, result: int, *tags: str) -> str:
    names = '[North "Ann"]\n[South "Bo"]\n[East "Cy"]\n[West "Di"]\n'
    played = f'[Scoring "Rubber"]\n[Declarer "{declarer}"]\n[Contract "{contract}"]\n[Result "{result}"]\n'
    return f'[Board ""]\n{names}{played}' + "".join(f"[{tag}]\n" for tag in tags) + "\n"


def scored(folder: Path, *games: str) -> Session:
    path = folder / "rubber.pbn"
    path.write_text("".join(games))
    return evaluate([str(path)], Config())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("honours", "deal", "stated"),
    [
        ((0, 0), "2H N 9", "30/60"),
        ((100, 0), "2H N 9", "130/60"),
        ((100, 0), "2H S 9", "NS 130 / 60"),
        ((0, 150), "2H N 9", "NS 30/60 EW 150/0"),
        ((100, 0), "3CX N 8", "EW 100/0 NS 100/0"),
        ((0, 150), "3NT E 11", "210/100"),
        ((0, 0), "4S E 10", "EW 500/120"),
        ((0, 150), "4S E 10", "EW 650/120"),
        ((0, 150), "6NT W 12", "EW 900/190"),
    ],
)
def test_honours_are_what_the_contract_does_not_account_for(
    tmp_path: Path, honours: tuple[int, int], deal: str, stated: str
) -> None:
    """The slam was bid by a vulnerable side, as only its points say."""
    contract, declarer, tricks = deal.split()
    result = scored(tmp_path, game(contract, declarer, int(tricks), f'ScoreRubber "{stated}"'))
    earned = result.sheets.filter(kind="honours").select("direction", "points").rows()
    assert [(side, points) for side, points in zip(("NS", "EW"), honours, strict=True) if points] == earned
    assert [] == codes(result.problems)


@pytest.mark.parametrize("stated", ["70/60", "30/90", "EW 40/0", "NS 30/60 EW 0/60"])
def test_points_that_no_honours_explain_are_named(tmp_path: Path, stated: str) -> None:
    result = scored(tmp_path, game("2H", "N", 9, f'ScoreRubber "{stated}"'))
    assert ["sheet-mismatch"] == codes(result.problems)
    assert [] == result.sheets.filter(kind="honours").rows()


def test_the_stated_vulnerability_decides_between_honours_and_undertricks(tmp_path: Path) -> None:
    """One down doubled is 100 not vulnerable, which leaves 100 for honours, and 200 vulnerable."""
    deal = game("3CX", "N", 8, 'ScoreRubber "EW 200/0"', 'Vulnerable "None"')
    assert [("EW", 100)] == scored(tmp_path, deal).sheets.filter(kind="honours").select("direction", "points").rows()


def test_a_history_that_the_deals_come_to_is_no_problem(tmp_path: Path) -> None:
    deals = [
        game("2H", "N", 9, 'ScoreRubberHistory "NS 0 0/0 EW 0 0/0"'),
        game("3NT", "E", 10, 'ScoreRubberHistory "NS 0 30/60 EW 0 0/0"'),
        game("2D", "N", 7, 'ScoreRubberHistory "NS 0 30/60 0 EW 0 30/100 0"'),
        game("1C", "N", 7, 'ScoreRubberHistory "NS 0 30/60 0 EW 0 80/100 0"'),
    ]
    assert [] == codes(scored(tmp_path, *deals).problems)


def test_deals_that_are_missing_before_a_history_are_named_once_a_rubber(tmp_path: Path) -> None:
    deals = [
        game("2D", "N", 7, 'ScoreRubberHistory "NS 0 30/60 0 EW 0 30/100 0"'),
        game("1C", "N", 7, 'ScoreRubberHistory "NS 0 30/60 0 EW 0 80/100 0"'),
    ]
    problems = scored(tmp_path, *deals).problems
    assert ["sheet-mismatch"] == codes(problems)
    assert "the file has N-S and E-W at 30/60 and 30/100" in problems["message"][0]
