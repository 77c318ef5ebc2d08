"""Everything that overtrick writes of some files: `python -m tests.support.all_outputs FOLDER FILE...`."""

import argparse
import os
import random
from collections.abc import Sequence
from pathlib import Path

from overtrick.files.formats.registry import FORMATS
from tests.support.commands import run


def write_outputs(out: Path, files: Sequence[Path], *, sample: int | None = None) -> None:
    """Write what each command says, a bulletin, a season, and the files in all formats; or a sample of these."""
    out.mkdir(parents=True, exist_ok=True)
    targets = [f"as{known.suffixes[0]}" for known in FORMATS if known.write and known.suffixes]
    commands: dict[str, Sequence[str | Path]] = {
        "bulletin.txt": ["bulletin", *files, "--out", out / "site"],
        "score.json": ["score", *files, "--format", "json"],
        "check.json": ["check", *files, "--format", "json"],
        "score.csv": ["score", *files, "--format", "csv", "--audit"],
        "season.txt": ["season", *files, "--out", out / "season", "--no-pdf"],
        "people.txt": ["people", files[0].parent],
        **{f"{target}.txt": ["convert", files[0], out / target] for target in targets},
    }
    names = list(commands)
    for name in names if sample is None else [*names[:2], *random.Random(35).sample(names[2:], sample)]:
        done = run(*commands[name])
        said = f"{done.status}\n{done.out}\n{done.err}"
        (out / name).write_text(said.replace(str(out), "OUT"), "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int)
    parser.add_argument("--one-core", action="store_true")
    parser.add_argument("out", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    asked = parser.parse_args()
    if asked.one_core and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    write_outputs(asked.out, asked.files, sample=asked.sample)
