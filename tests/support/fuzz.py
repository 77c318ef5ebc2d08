"""Broken files of all formats: what every stage must survive.

`python -m tests.support.fuzz --count 1000000 --together 20 --seed 1 FILE...` breaks a million inputs, twenty to a file
where the format is a text of games, and checks, scores, ranks and writes what they say. Our fixtures, the files given
and what overtrick writes of both are broken. Nothing may raise, take more than 5 seconds of the processor or make the
process grow, and a game that is two games away from the broken one must be read as before. The file that fails is kept,
also if the process dies; the same seed breaks the same files again.
"""

import argparse
import random
import re
import resource
import signal
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

import polars as pl

from overtrick.assemble import read
from overtrick.config import Config
from overtrick.formats.registry import FORMATS, recognise
from overtrick.pipeline import examine
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
_LONGEST: Final = 5.0
"""Seconds of processor time that an input may take; a whole file of several has as much for each."""
_MOST_GROWTH: Final = 300
"""Megabytes by which the process may grow after its first thousand inputs."""

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
    for data in whole:
        known = recognise(data)
        if known is not None:
            seeds[known.name] += _games(known.name, data)
    return {name: list(dict.fromkeys(inputs)) for name, inputs in seeds.items() if any(inputs)}


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


def survive(path: Path, chance: random.Random) -> None:
    """Check a file as `overtrick check` does, and sometimes write it in every format."""
    session = examine([str(path)], Config(), corrections=())
    assert session.problems["message"].null_count() == 0
    if chance.random() < 0.1:
        for known in FORMATS:
            for write in (known.write, known.export):
                if write:
                    write(session)


def check_neighbours(name: str, games: list[bytes], chance: random.Random, path: Path) -> None:
    """Break the game in the middle of seven, and assert that those two games away are read as before."""
    sound = _read_games(name, games, path)
    games[3] = broken(games[3], chance)
    if len(sound) == len(games) and not _OF_SESSIONS.search(games[3]):
        after = _read_games(name, games, path)
        for near, far in ((sound.head(2), after.head(2)), (sound.tail(2), after.tail(2))):
            assert near.equals(far), f"other games change:\n{near.to_dicts()}\n{far.to_dicts()}"


def _read_games(name: str, games: list[bytes], path: Path) -> pl.DataFrame:
    path.write_bytes(BETWEEN[name].join(games) + b"\n")
    return read([str(path)]).records.drop("record", "line")


def _stand_alone(name: str, seeds: list[bytes]) -> list[bytes]:
    """Return the games that say everything themselves: what is inherited or comes from a header changes with it."""
    if name == "pbn":
        return [seed for seed in seeds if b'"#' not in seed and seed.startswith(b"[Event ") and b"Table " not in seed]
    return [seed for seed in seeds if seed.startswith(b"pn|") and b"|md|" in seed and seed.count(b"|md|") == 1]


def _hanging(*_: object) -> NoReturn:
    raise TimeoutError(f"an input took more than {_LONGEST} seconds")


def main() -> None:
    """Break files until the count is reached or the time is over."""
    parser = argparse.ArgumentParser(description="Read and write broken files of all formats.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--count", type=int, help="number of inputs; there is no time limit then")
    parser.add_argument("--together", type=int, default=10, help="games in a file")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--formats", default="", help="names with commas between; all formats without")
    parser.add_argument("files", nargs="*", type=Path, help="more files to break")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    signal.signal(signal.SIGPROF, _hanging)
    seeds = collect_seeds(options.files)
    names = [name for name in options.formats.split(",") if name] or list(seeds)
    alone = {name: _stand_alone(name, seeds[name]) for name in BETWEEN if name in names}
    kept = Path(tempfile.mkdtemp(prefix="overtrick-fuzz-")) / "broken.txt"
    count, base, end = 0, 0, time.monotonic() + options.seconds
    while count < options.count if options.count else time.monotonic() < end:
        name = chance.choice(names)
        drawn = [chance.choice(seeds[name]) for _ in range(options.together if name in BETWEEN else 1)]
        signal.setitimer(signal.ITIMER_PROF, _LONGEST * max(len(drawn) / 4, 1))
        try:
            if name in BETWEEN and chance.random() < 0.3 and len(alone[name]) > 6:
                check_neighbours(name, chance.sample(alone[name], 7), chance, kept)
                count += 1
            else:
                inputs = [broken(data, chance) for data in drawn]
                kept.write_bytes(chance.choice([BETWEEN.get(name, b""), b"\n", b""]).join(inputs))
                survive(kept, chance)
                count += len(drawn)
        except BaseException:
            print(f"{count} inputs survived, but not the file {kept} ({name}, seed {options.seed})")
            raise
        signal.setitimer(signal.ITIMER_PROF, 0)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        base = most if count < 1000 else base or most
        assert most < base + _MOST_GROWTH, f"the process grew from {base} to {most} MB, the last time by {kept}"
    kept.unlink(missing_ok=True)
    kept.parent.rmdir()
    print(f"{count} inputs survived; the process took {most} MB at most")


if __name__ == "__main__":
    main()
