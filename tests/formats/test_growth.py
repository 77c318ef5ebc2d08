"""How reading and checking grow: twice the file takes about twice the work and memory, whatever is in the file."""

import json
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.sweeps import sample

pytestmark = pytest.mark.slow

FACTOR = 3.2
"""How much more work twice the size may take; work that grows with the square takes four times as much."""

MEASURE = """
import json, sys, time
from pathlib import Path
from overtrick.config import Config
from overtrick.pipeline import examine
small, large = sys.argv[1:]
examine([small], Config(), corrections=())
begun = time.process_time()
examine([large], Config(), corrections=())
spent = time.process_time() - begun
status = Path("/proc/self/status").read_text().split()
print(json.dumps([spent, int(status[status.index("VmHWM:") + 1]) / 1024]))
"""

GAME = (
    '[Event "E"]\n[Board "{n}"]\n[Dealer "N"]\n[Deal "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4'
    ' KQT2.AT.J6542.85"]\n[Declarer "N"]\n[Contract "1D"]\n[Result "7"]\n'
)
BOARD = "pn|A,B,C,D|md|1SAQT632HK7DK4CQ62,S9874HAJ54D82C973,SKJHT983DQT63CAK5|ah|Board {n}|mb|1Hpp4Hppp|mc|9|\n"
LINE = (
    "<TRAVELLER_LINE><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>2</EW_PAIR_NUMBER><CONTRACT>3NT</CONTRACT>"
    "<PLAYED_BY>N</PLAYED_BY><TRICKS>9</TRICKS></TRAVELLER_LINE>"
)


def pbn_games(size: int) -> str:
    return "\n".join(GAME.format(n=n) for n in range(1, 40 * size))


def pbn_marks(size: int) -> str:
    return GAME.format(n=1) + '[Auction "N"]\n1D ' + "^S " * 900 * size + "\n"


def pbn_marked_cards(size: int) -> str:
    return GAME.format(n=1) + '[Play "E"]\n' + "^R " * 700 * size + "SA " * 700 * size + "\n"


def pbn_unclosed_calls(size: int) -> str:
    return GAME.format(n=1) + '[Auction "N"]\n' + "1C { " * 900 * size + "\n"


def pbn_open_comments(size: int) -> str:
    return "".join(f'{GAME.format(n=n)}{{ a\n[Note "1:x"]\n\n' for n in range(1, 40 * size))


def pbn_empty_lines_in_a_comment(size: int) -> str:
    return GAME.format(n=1) + "{" + " \n" * 4000 * size + "}\n"


def pbn_private_blocks(size: int) -> str:
    return GAME.format(n=1) + '\n[Mine "x"]\n' * 400 * size


def pbn_long_cell(size: int) -> str:
    return GAME.format(n=1) + '[ActionTable "Rank;MyText"]\n1 ' + "a" * 6000 * size + "\n"


def lin_boards(size: int) -> str:
    return "".join(BOARD.format(n=n) for n in range(1, 40 * size))


def lin_lost_pipes(size: int) -> str:
    return "pn|A,B,C,D|" + "qx|o1|md|1S2|mb|1C" * 60 * size


def lin_not_cards(size: int) -> str:
    return BOARD.format(n=1).replace("mc|9|", "pc|" + "x" * 1500 * size + "|")


def lin_comments(size: int) -> str:
    return BOARD.format(n=1) + "% " * 4000 * size + "\n" + "% a\n" * 400 * size + BOARD.format(n=2)


def link_of_escapes(size: int) -> str:
    return "https://example.org/handviewer.html?lin=" + "%25" * 30_000 * size


def csv_lines(size: int) -> str:
    return "board,ns,ew,contract,declarer,tricks\n" + "".join(f"{n},1,2,3NT,N,9\n" for n in range(400 * size))


def csv_columns(size: int) -> str:
    return "board,ns,ew," + ",".join(f"c{n}" for n in range(4000 * size)) + "\n1,1,2\n"


def csv_sections(size: int) -> str:
    return "section,board,ns,ew,contract,declarer,tricks\n" + "".join(
        f"S{n},1,1,2,3NT,N,9\nS{n},1,3,4,3NT,N,8\n" for n in range(50 * size)
    )


def usebio_sections(size: int) -> str:
    inner = f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{LINE}</BOARD>"
    sections = "".join(f'<SECTION SECTION_ID="S{n}">{inner}</SECTION>' for n in range(50 * size))
    return f'<USEBIO Version="1.2"><EVENT EVENT_TYPE="MP_PAIRS"><SESSION>{sections}</SESSION></EVENT></USEBIO>'


def usebio_ampersands(size: int) -> str:
    return "<USEBIO><EVENT><P>" + "&" * 8000 * size + "</P></EVENT></USEBIO>"


def page_of_open_tags(size: int) -> str:
    row = '<tr class="tourney"><td class="north">A</td><td class="result">3NTN=</td></tr>'
    return f"<html><table>{row}<tr><td " + "<tr <td < " * 800 * size + "\n" * 8000 * size


def report_of_blanks(size: int) -> str:
    row = "RESULTS OF BOARD 1\n420   7.50  0.50  A1-Ash-Birch vs A3-Cole-Dove\n"
    return row + "\n" * 4000 * size + "A1-" * 2000 * size + " " * 4000 * size + "\n"


def csv_long_names(size: int) -> str:
    return "Board,NS,EW,Names NS\n1,1,2,A" + " " * 8000 * size + "B\n"


def rbn_open_braces(size: int) -> str:
    return rbn_deals(1) + "A N:" + "{" * 8000 * size + "\nP S:" + "{" * 8000 * size + "\n"


def rbn_deals(size: int) -> str:
    hands = "W:AQT632.K7.K4.Q62:9874.AJ54.82.973:KJ.T983.QT63.AK5:"
    return "".join(f"D 20260305\nE x\nB {n}\nH {hands}\nA N:1H:P:P:P\n\n" for n in range(1, 40 * size))


TEXTS: dict[str, Callable[[int], str]] = {
    make.__name__: make
    for make in (
        *(pbn_games, pbn_marks, pbn_marked_cards, pbn_unclosed_calls, pbn_open_comments, pbn_empty_lines_in_a_comment),
        *(
            pbn_private_blocks,
            pbn_long_cell,
            lin_boards,
            lin_lost_pipes,
            lin_comments,
            lin_not_cards,
            link_of_escapes,
            csv_lines,
            csv_columns,
            csv_sections,
        ),
        *(usebio_sections, usebio_ampersands, rbn_deals, rbn_open_braces),
        *(page_of_open_tags, report_of_blanks, csv_long_names),
    )
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is measured as Linux tells it")
@pytest.mark.parametrize("name", sample([*TEXTS], 3))
@pytest.mark.sweep(2)
def test_work_and_memory_grow_no_faster_than_the_file(tmp_path: Path, name: str) -> None:
    make = TEXTS[name]
    small = tmp_path / "small.txt"
    small.write_text(make(1))
    measured = []
    for size in (8, 16, 32):
        large = tmp_path / f"{size}.txt"
        large.write_text(make(size))
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, str(small), str(large)], capture_output=True, text=True, check=True
        )
        measured.append(json.loads(done.stdout))
    for (work, memory), (more_work, more_memory) in pairwise(measured):
        # What every file takes does not count: a fifth of a second, and the program itself.
        assert FACTOR * max(work, 0.2) > more_work
        assert FACTOR * max(memory - 100, 60) > more_memory - 100
