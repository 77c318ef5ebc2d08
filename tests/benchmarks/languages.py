"""The readers in other languages, each made ready to run in a temporary folder."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

NODE: Final = "pbn (npm)"
RUST: Final = "bridge-encodings (Rust)"
FORMS: Final[Mapping[str, tuple[str, ...]]] = {NODE: ("pbn",), RUST: ("pbn", "lin")}
"""The formats that each reader reads."""

NPM_PACKAGE: Final = "pbn@1.6.1"
LIMIT: Final = 300
"""The seconds that one command may take to install or build."""

_HERE: Final = Path(__file__).parent


class MissingReaderError(Exception):
    """A reader can't be measured; the text is the reason, as the end of a sentence."""


@dataclass(frozen=True)
class Foreign:
    """The readers in other languages.

    Attributes:
        commands: by reader, what runs it; the names of the file and of a small file to warm up with follow.
        notes: sentences about them for the page.
    """

    commands: Mapping[str, Sequence[str]]
    notes: Sequence[str]


def prepare(folder: Path, library: Path | None = None) -> Foreign:
    """Make the readers ready to run.

    Args:
        folder: a folder to install and build in.
        library: a local copy of the Rust reader's sources; without it, cargo fetches them.
    """
    commands: dict[str, Sequence[str]] = {}
    notes = []
    try:
        commands[NODE] = node_reader(folder / "node")
    except MissingReaderError as missing:
        notes.append(f"The JavaScript reader was not measured: {missing}.")
    try:
        commands[RUST] = rust_reader(folder / "rust", library)
        source = "a local copy of its sources" if library else f"its revision {_revision()[:7]}"
        notes.append(f"The Rust reader, built from {source}, reads every call and card on one core.")
    except MissingReaderError as missing:
        notes.append(f"The Rust reader was not measured: {missing}.")
    return Foreign(commands, notes)


def node_reader(folder: Path) -> Sequence[str]:
    """Install npm's pbn; return the command that times it."""
    if not (shutil.which("npm") and shutil.which("node")):
        raise MissingReaderError("node is not installed")
    folder.mkdir()
    _run(["npm", "install", "--silent", "--no-fund", "--no-audit", NPM_PACKAGE], folder, "npm could not install it")
    return ["node", str(_HERE / "pbn.js"), str(folder / "node_modules")]


def rust_reader(folder: Path, library: Path | None = None) -> Sequence[str]:
    """Build the Rust reader with the program that times it; return the command."""
    if not shutil.which("cargo"):
        raise MissingReaderError("cargo is not installed")
    shutil.copytree(_HERE / "rust", folder)
    if library:
        manifest = folder / "Cargo.toml"
        path = f"{{ path = {json.dumps(str(library.resolve()))} }}"
        manifest.write_text(re.sub(r"\{ git = .* \}", lambda _: path, manifest.read_text("utf-8")), "utf-8")
    _run(["cargo", "fetch"], folder, "cargo could not fetch it")
    _run(["cargo", "build", "--release", "--offline", "--target-dir", "target"], folder, "cargo could not build it")
    return [str(folder / "target" / "release" / "boards")]


def _revision() -> str:
    manifest = (_HERE / "rust" / "Cargo.toml").read_text("utf-8")
    return manifest.partition('rev = "')[2].partition('"')[0]


def _run(command: Sequence[str], folder: Path, reason: str) -> None:
    """Run a command in a folder. If it fails, print what it said, and raise with the reason."""
    try:
        subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=LIMIT)
    except subprocess.TimeoutExpired as late:
        raise MissingReaderError(f"{command[0]} took more than {LIMIT // 60} minutes") from late
    except subprocess.CalledProcessError as failed:
        print(failed.stderr, end="", file=sys.stderr)
        raise MissingReaderError(reason) from failed
