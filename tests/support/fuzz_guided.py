"""Broken files that coverage guides: an input that runs new code is broken further.

`python -m tests.support.fuzz_guided --format pbn --seconds 600` begins with our fixtures and `tests/data/corpus`, and
hands what Atheris makes of them to `tests.support.fuzz.survive`. What runs new code stays in `build/fuzz/FORMAT`, and
the next run begins with it; an input that raises, takes a minute or 2 GB stays there as `failed-...`. With `--grow`,
small inputs that draw a problem which no other draws are added to `tests/data/corpus`. Atheris is made for Linux; the
extra `test` installs it there.
"""

import argparse
import importlib
import random
import shutil
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Final

import atheris

KEPT: Final = Path(__file__).parents[2] / "build" / "fuzz"
"""Where inputs that run new code stay between two runs, by format."""
_LONGEST: Final = 20_000
"""Bytes of an input that is tried."""


def run(name: str, seconds: int, *, grow: bool, kept: Path) -> None:
    """Try inputs of one format until the time is over, and end the process: 0 if all survive."""
    fuzz = importlib.import_module("tests.support.fuzz")  # imported late, so that what it imports is counted
    folder = kept / name
    folder.mkdir(parents=True, exist_ok=True)
    for data in fuzz.collect_small_seeds(name, _LONGEST):
        (folder / sha256(data).hexdigest()[:20]).write_bytes(data)
    corpus, chance = fuzz.Corpus(grow), random.Random(0)
    place = Path(tempfile.mkdtemp(prefix="overtrick-fuzz-")) / f"input.{name.split(maxsplit=1)[0]}"

    def try_one(data: bytes) -> None:
        place.write_bytes(data)
        corpus.add(name, [data], fuzz.survive([place], chance), [], place)

    limits = (f"-max_total_time={seconds}", f"-max_len={_LONGEST}", "-timeout=60", "-rss_limit_mb=2000")
    atheris.Setup([sys.argv[0], str(folder), *limits, f"-artifact_prefix={folder}/failed-"], try_one)
    try:
        atheris.Fuzz()
    finally:
        shutil.rmtree(place.parent, ignore_errors=True)


def main() -> None:
    """Try inputs of one format."""
    parser = argparse.ArgumentParser(description="Read broken files that coverage guides.")
    parser.add_argument("--format", default="pbn", help="name of the format, as `overtrick check` says it")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--grow", action="store_true", help="keep inputs that draw new problems")
    parser.add_argument("--kept", type=Path, default=KEPT, help="the folder of inputs that run new code")
    options = parser.parse_args()
    with atheris.instrument_imports(include=["overtrick"]):
        # All that is imported from here on counts, also what a reader imports late.
        run(options.format, options.seconds, grow=options.grow, kept=options.kept)


if __name__ == "__main__":
    main()
