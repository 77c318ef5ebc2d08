"""Broken files of all formats: what every stage must survive.

`python -m tests.support.fuzz --count 1000000 --together 300 --seed 1 FILE...` breaks a million inputs, three hundred to
a file where the format is a text of games, and checks, scores, ranks and writes what they say. Files of other formats
are checked some at a time. Our fixtures, the files given and what overtrick writes of both are broken. Nothing may
raise, take more than a minute of the processor or make the process grow, and a game that is two games away from a
broken one must be read as before. The files that fail are kept, also if the process dies; the same seed breaks the same
files again.

An input that draws a problem which no other draws is broken further. With `--grow` the smallest such inputs are added
to `tests/data/corpus`, each under the name of its problem, and later runs begin with them.
"""

import argparse
import random
import re
import resource
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NoReturn

from overtrick.apps.evening.check import examine
from overtrick.core.config import Config
from overtrick.files.assemble import read
from overtrick.files.formats.looks import recognise
from overtrick.files.formats.registry import FORMATS
from tests.support.deals import pbn, random_boards
from tests.support.lin_boards import lin
from tests.support.reading import FIXTURES
from tests.support.usebio_texts import board, event, line

BETWEEN: Final = {"pbn": b"\n\n", "lin": b"\n"}
"""By format, what separates games in a file."""

_SIGNS: Final = "١１५²½ſKıé\u2028\ufeff\U0001f0a1"  # noqa: RUF001 - digits and letters that look like others
PIECES: Final[list[bytes]] = [
    *(b'"', b"[", b"]", b"{", b"}", b";", b"%", b"\\", b"\n", b"\n\n", b"\r\n", b"\t", b" ", b"|", b"||", b"&", b"<"),
    *(b">", b",", b"^", b"^S ", b"=1=", b"$5", b"*", b"+", b"-", b"AP", b"?", b"#", b"##", b"10", b'"]\n', b"{a\n\nb}"),
    *(sign.encode() for sign in _SIGNS),
    *(b"\x00", b"\x1a", b"\x1c", b"\x85", b"\xff", b"99999999999", b"-1", b"1e9", b"nan", b"inf", b"0" * 30, b"7NTXX"),
    *(b"<!--", b"<![CDATA[", b"&#0;", b"&eacute;", b"%25", b"%7C", b"lin=", b"md|0", b"vg|", b"rs|", b"qx|o1|"),
]
_OF_SESSIONS: Final = re.compile(rb"(?:v\s*g|r\s*s|q\s*x|p\s*w|b\s*n|m\s*p|b\s*t)\s*\|", re.IGNORECASE)
"""Commands of LIN that say something about all boards of a file, or make it a lesson."""
_OF_GAMES: Final = re.compile(rb'"\s*#|[{}]')
"""Marks of PBN that say something about other games: values to inherit, and two braces with whole games between."""
_LONGEST: Final = 60.0
"""Seconds of processor time that an input may take."""
_SHARE: Final = 0.02
"""Seconds that each further input of a file may add."""
_FILES: Final = 8
"""Files of other formats that are checked at a time."""
_TEXTS: Final = 0.8
"""The part of all files that are of formats of games."""
_PERIOD: Final = 4
"""Every fourth game of a file is broken where its neighbours are compared."""
_ROUNDS: Final = 10
"""Files that are made of the same sound games, which are read only once."""
_MOST_GROWTH: Final = 300
"""Megabytes by which the process may grow after its first thousand inputs."""

CORPUS: Final = FIXTURES.parent / "tests" / "data" / "corpus"
"""Broken files by the problem that each draws: `call-unknown.pbn`."""
_SMALL: Final = 2000
"""Bytes of an input that is kept."""

Seeds = dict[str, list[bytes]]


def collect_seeds(files: Sequence[Path]) -> Seeds:
    """Return the inputs to break by format: games of texts, and whole files of everything else."""
    seeds: Seeds = {known.name: [] for known in FORMATS}
    boards = random_boards(30)
    whole = [pbn(boards).encode(), lin(boards).encode(), event(board(1, [line(1, 2), line(3, 4)]))]
    for path in [*sorted(FIXTURES.iterdir()), *files]:
        whole.append(path.read_bytes())
        session = read([str(path)])
        whole += [known.write(session).content for known in FORMATS if known.write]
    whole += [path.read_bytes() for path in sorted(CORPUS.iterdir())]
    for data in whole:
        known = recognise(data)
        if known is not None:
            seeds[known.name] += _games(known.name, data)
    return {name: list(dict.fromkeys(inputs)) for name, inputs in seeds.items() if any(inputs)}


def collect_small_seeds(name: str, most: int) -> list[bytes]:
    """Return the games, or whole files, of one format in our fixtures and among broken files, up to so many bytes."""
    whole = [path.read_bytes() for path in sorted([*FIXTURES.iterdir(), *CORPUS.iterdir()])]
    own = [data for data in whole if (known := recognise(data)) is not None and known.name == name]
    return [seed for data in own for seed in dict.fromkeys(_games(name, data)) if 0 < len(seed) <= most]


def _games(name: str, data: bytes) -> list[bytes]:
    if name == "pbn":
        return [game for game in re.split(rb"\r?\n(?:\r?\n)+", data) if b"[" in game]
    if name == "lin":
        return [part for part in re.split(rb"^(?=qx|pn|md)", data, flags=re.MULTILINE) if part.strip()]
    return [data]


def broken(data: bytes, chance: random.Random) -> bytes:
    """Break an input in some places."""
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8])):
        at, other = chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)
        length = chance.choice([1, 1, 2, 5, 30, 300])
        piece = chance.choice(PIECES)
        data = chance.choice(
            [
                data[:at] + piece + data[at:],
                data[:at] + piece + data[at + length :],
                data[:at] + data[at + length :],
                data[:at] + data[other : other + length] + data[at:],
                data[:at] + data[other : other + length] + data[at + length :],
                data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :],
                data[:at] + piece * chance.choice([2, 50, 400]) + data[at:],
                data[:at],
            ]
        )
    return data


def survive(paths: Sequence[Path], chance: random.Random) -> set[str]:
    """Check files as `overtrick check` does, and sometimes write them in every format; return the codes of problems.

    Reading costs a third of it and finds most, so every second time it is all.
    """
    if chance.random() < 0.5:
        problems = read([str(path) for path in paths]).problems
        assert problems["message"].null_count() == 0
        return {*problems["code"]}
    session = examine([str(path) for path in paths], Config(), corrections=())
    assert session.problems["message"].null_count() == 0
    if chance.random() < 0.2:
        for known in FORMATS:
            for write in (known.write, known.export):
                if write:
                    write(session)
    return {*session.problems["code"]}


@dataclass
class Corpus:
    """Inputs by the problem that they draw.

    Attributes:
        grows: whether new ones are kept in `CORPUS`.
        drawn: the problems that inputs have drawn so far.
    """

    grows: bool
    drawn: set[str] = field(default_factory=lambda: {path.name.partition(".")[0] for path in CORPUS.iterdir()})

    def add(self, name: str, inputs: Sequence[bytes], codes: set[str], seeds: list[bytes], path: Path) -> None:
        """Break inputs further that draw new problems, and keep those that draw one alone."""
        for code in sorted(codes - self.drawn):
            self.drawn.add(code)
            suffix = next((known.suffixes[0] for known in FORMATS if known.name == name and known.suffixes), ".txt")
            for data in sorted((data for data in inputs if len(data) <= _SMALL), key=len):
                alone = path.with_suffix(suffix)
                alone.write_bytes(data)
                if code in set(read([str(alone)], verified=True).problems["code"]):
                    seeds.append(data)
                    if self.grows:
                        (CORPUS / f"{code}{suffix}").write_bytes(data)
                    break


@dataclass
class Neighbours:
    """Sound games of one format, some of which are broken again and again."""

    name: str
    alone: list[bytes]
    games: list[bytes] = field(default_factory=list)
    sound: list[int] = field(default_factory=list)
    """By game, a number for all that is read of it."""
    rounds: int = 0

    def check(self, together: int, chance: random.Random, path: Path) -> int:
        """Break every fourth game and assert that those two games away are read as before; return how many it broke."""
        if not self.rounds:
            self.games = chance.sample(self.alone, min(together, len(self.alone)))
            self.sound = _read_games(self.name, self.games, path)
            self.rounds = _ROUNDS if len(self.sound) == len(self.games) else 0
            return 0
        self.rounds -= 1
        games = self.games.copy()
        for at in range(_PERIOD // 2, len(games), _PERIOD):
            game = broken(games[at], chance)
            beyond = _OF_SESSIONS if self.name == "lin" else _OF_GAMES
            games[at] = games[at] if beyond.search(game) or beyond.search(games[at]) else game
        after = iter(_read_games(self.name, games, path))
        for at, read_before in enumerate(self.sound):
            # The sound games are in the file in the same order, whatever became of those between.
            if at % _PERIOD == 0:
                assert read_before in after, f"the third of these games changes: {games[max(at - 2, 0) : at + 3]}"
        return len(games) // _PERIOD


def _read_games(name: str, games: list[bytes], path: Path) -> list[int]:
    path.write_bytes(BETWEEN[name].join(games) + b"\n")
    records = read([str(path)]).records.drop("record", "line", "source")
    return [hash(repr(row)) for row in records.iter_rows()]


def _stand_alone(name: str, seeds: list[bytes]) -> list[bytes]:
    """Return the games that say everything themselves: what is inherited or comes from a header changes with it."""
    if name == "pbn":
        return [seed for seed in seeds if b'"#' not in seed and seed.startswith(b"[Event ") and b"Table " not in seed]
    return [seed for seed in seeds if seed.startswith(b"pn|") and b"|md|" in seed and seed.count(b"|md|") == 1]


def _hanging(*_: object) -> NoReturn:
    raise TimeoutError(f"an input took more than {_LONGEST} seconds")


def check_some(
    name: str, seeds: list[bytes], together: int, chance: random.Random, path: Path, *, corpus: Corpus
) -> int:
    """Break some inputs of a format, check them, and return how many they were."""
    drawn = [chance.choice(seeds) for _ in range(together if name in BETWEEN else _FILES)]
    inputs = [broken(data, chance) for data in drawn]
    files = inputs
    if name in BETWEEN:
        files = [chance.choice([BETWEEN[name], BETWEEN[name], b"\n", b""]).join(inputs)]
    paths = [path.with_name(f"{number}.{name.split(maxsplit=1)[0]}") for number in range(len(files))]
    for place, data in zip(paths, files, strict=True):
        place.write_bytes(data)
    corpus.add(name, inputs, survive(paths, chance), seeds, path)
    return len(inputs)


def main() -> None:
    """Break files until the count is reached or the time is over."""
    parser = argparse.ArgumentParser(description="Read and write broken files of all formats.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--count", type=int, help="number of inputs; there is no time limit then")
    parser.add_argument("--together", type=int, default=10, help="games in a file")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--grow", action="store_true", help="keep inputs that draw new problems")
    parser.add_argument("--formats", default="", help="names with commas between; all formats without")
    parser.add_argument("files", nargs="*", type=Path, help="more files to break")
    options = parser.parse_args()
    chance, corpus = random.Random(options.seed), Corpus(options.grow)
    signal.signal(signal.SIGPROF, _hanging)
    seeds = collect_seeds(options.files)
    names = [name for name in options.formats.split(",") if name] or list(seeds)
    alone = {name: Neighbours(name, _stand_alone(name, seeds[name])) for name in BETWEEN if name in names}
    texts = [name for name in names if name in BETWEEN]
    kept = Path(tempfile.mkdtemp(prefix="overtrick-fuzz-")) / "broken.txt"
    counts: Counter[str] = Counter()
    most, base, end = 0, 0, time.monotonic() + options.seconds
    while counts.total() < options.count if options.count else time.monotonic() < end:
        # A file of many games takes the time of a file without any, and has most of what can break.
        name = chance.choice(texts if texts and chance.random() < _TEXTS else names)
        signal.setitimer(signal.ITIMER_PROF, _LONGEST + _SHARE * options.together)
        try:
            if name in BETWEEN and chance.random() < 0.4 and len(alone[name].alone) > _PERIOD:
                counts[name] += alone[name].check(options.together, chance, kept)
            else:
                counts[name] += check_some(name, seeds[name], options.together, chance, kept, corpus=corpus)
        except BaseException:
            signal.setitimer(signal.ITIMER_PROF, 0)
            print(
                f"{_said(counts)} survived, but not a file in {kept.parent} ({name}, seed {options.seed})", flush=True
            )
            raise
        signal.setitimer(signal.ITIMER_PROF, 0)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        base = most if counts.total() < max(1000, 50 * options.together) else base or most
        assert most < base + _MOST_GROWTH, f"the process grew from {base} to {most} MB, the last time by {kept.parent}"
    for path in kept.parent.iterdir():
        path.unlink()
    kept.parent.rmdir()
    print(f"{_said(counts)} survived; the process took {most} MB at most")


def _said(counts: Counter[str]) -> str:
    return f"{counts.total()} inputs ({', '.join(f'{count} {name}' for name, count in counts.most_common())})"


if __name__ == "__main__":
    main()
