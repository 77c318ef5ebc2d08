"""Deals from one file and results from another."""

from pathlib import Path

from overtrick.core.frames import Session
from overtrick.files.assemble import read
from tests.support.machine_files import SUIT_EACH, session, written
from tests.support.reading import codes

OTHER = "N:.AKQJT98765432.. AKQJT98765432... ..AKQJT98765432. ...AKQJT98765432"
RESULTS = "board,ns,ew,contract,declarer,tricks\n1,1,2,4S,N,10\n2,1,2,4S,N,10\n"


def together(folder: Path, **files: str | bytes) -> Session:
    """Read files by the names `a_csv` for `a.csv`."""
    paths = []
    for name, content in files.items():
        path = folder / name.replace("_", ".")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        paths.append(str(path))
    return read(paths)


def machine(deals: list[str], first: int = 1) -> bytes:
    return written(session(deals, first), "dup").content


def test_results_get_the_deals_of_the_other_file(tmp_path: Path) -> None:
    read_both = together(tmp_path, deals_dup=machine([SUIT_EACH, OTHER]), results_csv=RESULTS)
    of_results = read_both.records.filter(source=str(tmp_path / "results.csv"))
    assert [(1, SUIT_EACH), (2, OTHER)] == of_results.select("board", "deal").rows()
    assert [] == codes(read_both.problems)


def test_the_order_of_the_files_does_not_matter(tmp_path: Path) -> None:
    read_both = together(tmp_path, results_csv=RESULTS, deals_dup=machine([SUIT_EACH, OTHER]))
    assert [SUIT_EACH, OTHER] == read_both.records["deal"].to_list()[:2]


def test_a_vulnerability_that_the_deals_state_counts_for_the_results(tmp_path: Path) -> None:
    deal = f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "All"]\n[Deal "{SUIT_EACH}"]\n'
    read_both = together(tmp_path, deals_pbn=deal, results_csv=RESULTS)
    assert ["All", "NS"] == read_both.results["vulnerable"].to_list()


def test_boards_that_do_not_join_are_named_once_a_file(tmp_path: Path) -> None:
    read_both = together(tmp_path, deals_dup=machine([OTHER] * 3, first=2), results_csv=RESULTS)
    assert [
        ("join-deal", "these boards have results here, but none of the files has their deals: 1"),
        ("join-no-result", "these boards have deals here, but none of the files has their results: 3, 4"),
    ] == read_both.problems.select("code", "message").rows()


def test_two_deals_for_a_board_are_named_and_none_is_taken(tmp_path: Path) -> None:
    read_all = together(tmp_path, a_dup=machine([SUIT_EACH]), b_dup=machine([OTHER]), results_csv=RESULTS)
    assert "join-deal" in codes(read_all.problems)
    assert [None, None] == read_all.records.filter(source=str(tmp_path / "results.csv"))["deal"].to_list()


def test_a_deal_that_is_not_the_one_of_the_results_is_named_and_left(tmp_path: Path) -> None:
    played = f'[Board "1"]\n[Deal "{OTHER}"]\n[Declarer "E"]\n[Contract "4S"]\n[Result "10"]\n'
    read_both = together(tmp_path, deals_dup=machine([SUIT_EACH]), played_pbn=played)
    assert ["join-deal"] == codes(read_both.problems)
    assert [SUIT_EACH, OTHER] == read_both.records["deal"].to_list()


def test_deals_are_put_to_none_of_several_days(tmp_path: Path) -> None:
    days = [f"date,{RESULTS.splitlines()[0]}\n2026.01.0{day},1,1,2,4S,N,{9 + day}\n" for day in (1, 2)]
    read_all = together(tmp_path, a_csv=days[0], b_csv=days[1], deals_dup=machine([SUIT_EACH]))
    problems = [("join-several-sessions", str(tmp_path / "deals.dup")), ("sessions-several", str(tmp_path / "a.csv"))]
    assert problems == read_all.problems.select("code", "source").rows()
    assert [None, None] == read_all.records["deal"].to_list()[:2]


def test_deals_of_a_board_that_two_sessions_played_are_put_to_neither(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(RESULTS)
    (tmp_path / "deals.dup").write_bytes(machine([SUIT_EACH]))
    read_all = read([str(path) for path in sorted(tmp_path.iterdir())], sessions="by-file")
    assert ["join-several-sessions"] == codes(read_all.problems)
    assert [None, None] == read_all.records.filter(board=1)["deal"].to_list()[:2]
