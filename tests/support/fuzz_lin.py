"""Broken LIN: what a reader must survive.

`python -m tests.support.fuzz_lin --count 1000000 --together 50 FILE...` breaks a million texts and reads them, fifty to
a file. Texts are cut, doubled and mixed at random places, and their pipes are lost, doubled and swapped. Nothing may
raise or hang, no character but pipes and white space may be lost, and both ways of reading must see the same. A text
that fails is printed; the same seed breaks the same texts again.
"""

import argparse
import random
import signal
import time
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Final, NoReturn

from overtrick.core.frames import Session
from overtrick.core.late import get_frame
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, nothing_but
from overtrick.files.formats.lin.read.reader import read_lin_file
from overtrick.files.formats.text import TextBlock, decode
from tests.support.lin_texts import HAND, MD, session
from tests.support.reading import as_archive, validated

WHOLE: Final = session(
    "1NN+1,1NN+2,P,4SWx-1",
    f"o1|{HAND.replace('Board 5', 'Board 1')}pc|D8|pc|D3|pc|D4|pc|DJ|pg||mc|8|pg||",
    f"c1|{MD}mb|1N!|an|strong|mb|ppp|nt|ann: well|pg||pc|D8|mc|9|pg||",
    f'o2|ot|{{"table":"2","ns":"6","ew":"1","award_ns":"60%"}}|{MD}sv|n|mb|pppp|pg||',
)
PIECES: Final = (
    'ot|{"ns":"6"}',
    *"| || \n ! - é \x00 % qx| md|0SA| md|1| md|| qx|o1| qx|c99999999999| mb|1c!p!d| mb|q| pc|SASKSQ| pc|S|".split(" "),
    *"mc|44| mc|3| rs|4SWx=,,P,zz,7NN+9| vg|a,b| vg|a,b,I,1,4,T,0,U,1| pn|a,b,c,d,e,f,g,h| pn|,| sv|z|".split(" "),
    *"bt|| an|x| nt|y:z| bn|3,1,x| ah|12a| st| mp|1,2| pw|a,,b| zz|1%| €Ã¼ rs|1 qx|o0| ub|1| md|3S,,,|".split(" "),
    *"up|2| wt|n| bs|3,2| ob|1N| mn|t| sk|s| ha|y| rs|,,,| mb|? pc|d| ot|[ \nrs| %7C + &lin= \x1a ﻿".split(" "),
)
_HANGS: Final = 120
"""Seconds of work that no file of these few texts may take."""


def broken(text: str, chance: random.Random) -> str:
    """Break a text in some places."""
    start = chance.randrange(len(text))
    text = text[start : start + chance.randrange(1, 4000)] if chance.random() < 0.5 else text
    for _ in range(chance.randrange(8)):
        at, other = (chance.randrange(len(text) + 1) for _ in range(2))
        pipes = [place for place, letter in enumerate(text) if letter == "|"]
        pipe = chance.choice(pipes) if pipes else 0
        text = chance.choice(
            [
                text[:at] + text[at + chance.randrange(1, 9) :],
                text[:at] + chance.choice(PIECES) + text[at:],
                text[:at] + text[other : other + 200] + text[at:],
                text[:at] + chr(chance.randrange(1, 0x3000)) + text[at:],
                text[:pipe] + text[pipe + 1 :],
                text[:pipe] + "|" + text[pipe:],
                text[:pipe] + text[pipe + 1 : pipe + 2] + "|" + text[pipe + 2 :],
                text[:at],
            ]
        )
    return text


def survive(text: str) -> Reading:
    """Read a text, check the records, and assert what must be true of any text."""
    decoded = decode(text.encode())
    if isinstance(decoded, Finding):
        return nothing_but([decoded])
    (reading,) = read_lin_file([TextBlock(decoded.content)])
    with as_archive():
        (archive,) = read_lin_file([TextBlock(decoded.content)])
    parts = [field.name for field in fields(reading)]
    assert all(get_frame(getattr(archive, part)).equals(get_frame(getattr(reading, part))) for part in parts)
    assert reading.records["record"].to_list() == list(range(len(reading.records)))
    judged = validated(Session(**{field.name: getattr(reading, field.name) for field in fields(reading)}))
    assert judged.problems["message"].null_count() == 0
    kept = "".join(f"{name or ''}{value}" for name, value in reading.items.select("name", "text").iter_rows())
    lost = Counter(decoded.content) - Counter(kept)
    assert all(letter == "|" or letter.isspace() or letter.isupper() for letter in lost)
    return reading


def _drawn(texts: list[str], chance: random.Random) -> str:
    """Break one of the texts, or a part of a long one."""
    text = chance.choice(texts)
    start = chance.randrange(max(1, len(text) - 2000))
    return broken(text[start : start + 4000], chance)


def _hanging(*_: object) -> NoReturn:
    raise TimeoutError(f"not read in {_HANGS} seconds of work")


def main() -> None:
    """Break and read texts until the count is reached or the time is over."""
    parser = argparse.ArgumentParser(description="Read broken LIN files.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--count", type=int, help="number of texts; there is no time limit then")
    parser.add_argument("--together", type=int, default=1, help="texts in a file")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("files", nargs="*", type=Path, help="LIN files to break")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    signal.signal(signal.SIGPROF, _hanging)
    texts = [WHOLE, *(path.read_text("utf-8", errors="replace") for path in options.files)]
    count, end = 0, time.monotonic() + options.seconds
    while count < options.count if options.count else time.monotonic() < end:
        drawn = [_drawn(texts, chance) for _ in range(options.together)]
        # Some begin a line of their own, as the boards of a file do; others run into one another.
        text = chance.choice(["\n", "", "|"]).join(drawn)
        signal.setitimer(signal.ITIMER_PROF, _HANGS)
        try:
            survive(text)
        except BaseException:
            print(f"{count} texts read, but not this one:\n{text!r}")
            raise
        count += len(drawn)
    print(f"{count} texts read")


if __name__ == "__main__":
    main()
