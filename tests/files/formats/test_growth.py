"""How reading and checking grow: twice the file takes about twice the work and memory, whatever is in the file.

Every format has a file of much that is sound, and most have one with long runs of marks in the midst of it.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import pytest
from xlsxwriter import Workbook

from overtrick.files.formats.registry import FORMATS
from tests.support.commands import FIXTURES
from tests.support.connector import result
from tests.support.machine_files import SUIT_EACH, session, written
from tests.support.sweeps import sample

FACTOR = 3.2
"""How much more work twice the size may take; work that grows with the square takes four times as much."""

SIZES = (8, 16, 32)

MEASURE = """
import json, sys, time
from pathlib import Path
from overtrick.core.config import Config
from overtrick.apps.evening.check import examine

def status(key):
    words = Path("/proc/self/status").read_text().split()
    return int(words[words.index(key) + 1]) / 1024

small, *files = sys.argv[1:]
examine([small], Config(), corrections=())
measured = []
for file in files:
    Path("/proc/self/clear_refs").write_text("5")
    before, begun = status("VmRSS:"), time.process_time()
    examine([file], Config(), corrections=())
    measured.append([time.process_time() - begun, status("VmHWM:") - before])
print(json.dumps(measured))
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


MARKS = (",", ";", "|", "<", "&", '"', "(", "{", "\\", "^", " ", "\t", "1", "-", "\n1", "\n\n", "A1-", "%25", "[[", "é")


def noisy(text: str) -> Callable[[int], str]:
    """Return a function that puts a run of each mark somewhere into a text."""

    def make(size: int) -> str:
        places = [at * len(text) // len(MARKS) for at in range(1, len(MARKS) + 1)]
        parts = [text[a:b] for a, b in pairwise([0, *places])]
        return "".join(part + mark * (400 * size // len(mark)) for part, mark in zip(parts, MARKS, strict=True))

    return make


def fixture(name: str) -> str:
    return (FIXTURES / name).read_text("utf-8")


def repeated(name: str, first: int, times: int = 60) -> Callable[[int], str]:
    """Return a function that repeats the lines of a fixture from one on."""
    lines = fixture(name).splitlines(keepends=True)
    return lambda size: "".join([*lines[:first], *lines[first:] * times * size])


def nested(name: str, opening: str) -> Callable[[int], str]:
    """Return a function that repeats the objects of a list of a JSON file."""
    before, after = fixture(name).split(opening, 1)
    one, end = json.JSONDecoder().raw_decode(after.lstrip())
    rest = after.lstrip()[end:]
    return lambda size: before + opening + ", ".join([json.dumps(one)] * 40 * size) + rest


def json_results(size: int) -> str:
    row = '{"board": %d, "ns": "1", "ew": "2", "contract": "3NT", "declarer": "N", "tricks": 9}'
    rows = ",\n".join(row % n for n in range(1, 60 * size))
    return '{"session": {}, "standings": [], "results": [\n' + rows + "]}"


def json_wrong_values(size: int) -> str:
    return '{"session": {}, "results": [7, ' + "[1], " * 400 * size + "9" * 2000 * size + "]}"


def sheet(size: int) -> bytes:
    content, columns = BytesIO(), ("board", "ns", "ew", "contract", "declarer", "tricks")
    with Workbook(content) as book:
        page = book.add_worksheet()
        page.write_row(0, 0, columns)
        for row in range(1, 100 * size):
            page.write_row(row, 0, (row, 1, 2, "3NT", "N", 9))
    return content.getvalue()


def deals_of(form: str) -> Callable[[int], bytes]:
    """Return a function that writes a session for a dealing machine, and repeats its deals as far as it has room."""
    content = written(session([SUIT_EACH] * 30), form).content
    return lambda size: content + content[-len(content) // 2 :] * 2 * size


def terminal_results(size: int) -> str:
    rows = [result(n) for n in range(1, 40 * size)]
    return json.dumps({"bridgemate": 1, "Session": {"Name": "Tuesday", "Date": "2026-03-10"}, "Results": rows})


def game_of_acblscore(size: int) -> bytes:
    content = (FIXTURES / "acblscore-game.AC3").read_bytes()
    return content + content[-2000:] * 8 * size


def solved_deals(size: int) -> bytes:
    return bytes([0b11100100] * 13 + [0x67] * 10) * 60 * size


def linked_hands(size: int) -> str:
    hand = "https://example.org/handviewer.html?lin=" + quote(BOARD.format(n=1).strip())
    return "<html>" + f'<a href="{hand}">x</a>\n' * 20 * size + "</html>"


def one_after_another(piece: str) -> Callable[[int], str]:
    """Make a game whose auction is nothing but one piece of text, again and again."""
    return lambda size: f'[Board "1"]\n[Auction "N"]\n{piece * 20_000 * size}\n'


def printed_deals(size: int) -> str:
    hands = SUIT_EACH.removeprefix("N:").split(" ")
    return (" ".join(f"{seat} {hand}" for seat, hand in zip("nesw", hands, strict=True)) + "\n") * 30 * size


Make = Callable[[int], str] | Callable[[int], bytes]
FILES: dict[str, tuple[Make, ...]] = {
    "pbn": (
        *(pbn_games, pbn_marks, pbn_marked_cards, pbn_unclosed_calls, pbn_open_comments),
        *map(one_after_another, ["{", "[", "|", '"', '"\\', "=", "1C{"]),
        *(pbn_empty_lines_in_a_comment, pbn_private_blocks, pbn_long_cell, noisy(GAME.format(n=1))),
    ),
    "lin": (lin_boards, lin_lost_pipes, lin_comments, lin_not_cards, noisy(BOARD.format(n=1))),
    "lin links": (linked_hands, link_of_escapes, noisy(linked_hands(1))),
    "bbo-html": (repeated("bbo-traveller.html", 3, 8), page_of_open_tags, noisy(fixture("bbo-traveller.html"))),
    "csv": (csv_lines, csv_columns, csv_sections, csv_long_names, noisy(csv_lines(1)), repeated("spring-pairs.csv", 1)),
    "usebio": (usebio_sections, usebio_ampersands, noisy(usebio_sections(1))),
    "bigdeal": (repeated("big-deal.csv", 0), noisy(fixture("big-deal.csv"))),
    "bridgewebs": (repeated("bridgewebs.csv", 12), noisy(fixture("bridgewebs.csv"))),
    "connector": (terminal_results,),
    "acbl-html": (repeated("acbl-live-board.html", 10, 8), noisy(fixture("acbl-live-board.html"))),
    "acblscore game": (game_of_acblscore,),
    "gib": (lambda size: written(session([SUIT_EACH] * 30 * size), "gib").content,),
    "json": (json_results, json_wrong_values, noisy(json_results(1))),
    "xlsx": (sheet,),
    "jannersten": (repeated("jannersten-results.txt", 10), noisy(fixture("jannersten-results.txt"))),
    "acblscore": (repeated("acblscore-report.txt", 2), report_of_blanks, noisy(fixture("acblscore-report.txt"))),
    "acbl live": (nested("acbl-live.json", '"boards": ['), noisy(fixture("acbl-live.json"))),
    "salliere": (repeated("salliere.csv", 0), noisy(fixture("salliere.csv"))),
    "salliere names": (repeated("salliere-names.csv", 0), noisy(fixture("salliere-names.csv"))),
    "rbn": (rbn_deals, rbn_open_braces, noisy(rbn_deals(3))),
    "dds": (lambda size: written(session([SUIT_EACH] * 30 * size), "dds").content,),
    "zrd": (solved_deals,),
    "dealer": (printed_deals, noisy(printed_deals(1))),
    **{form: (deals_of(form),) for form in ("dup", "bri", "dge", "dlm", "ber", "bhg", "rzd", "cds")},
}
"""By format, what makes its files. A Bridgemate database is not here: its reader has limits of its own."""


def test_every_format_has_files_that_grow() -> None:
    assert {known.name for known in FORMATS} - {"bws"} == FILES.keys()


def put(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="memory is measured as Linux tells it")
@pytest.mark.parametrize("name", sample([*FILES], 3))
@pytest.mark.sweep(2)
def test_work_and_memory_grow_no_faster_than_the_file(tmp_path: Path, name: str) -> None:
    files = [
        put(tmp_path / f"{at}-{size}.txt", make(size)) for at, make in enumerate(FILES[name]) for size in (1, *SIZES)
    ]
    command = [sys.executable, "-c", MEASURE, str(files[0]), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    measured = json.loads(done.stdout)
    for at in range(len(FILES[name])):
        first = at * (1 + len(SIZES)) + 1
        for (work, memory), (more_work, more_memory) in pairwise(measured[first : first + len(SIZES)]):
            # What every file takes does not count: a fifth of a second, and the program itself.
            assert FACTOR * max(work, 0.2) > more_work, at
            assert FACTOR * max(memory, 60) > more_memory, at
