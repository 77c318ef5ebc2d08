"""Running the command line: inside the test for speed, or as a process if streams and signals matter."""

import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import typer.testing
from typer.main import get_command

from overtrick.apps.cli.app import make_app

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
EVENING = str(FIXTURES / "club-evening.pbn")
SCRIPTS = Path(sysconfig.get_path("scripts"))
APP = make_app()
# Typer makes its tree of commands again for each run, which takes longer than many a command.
typer.testing.__dict__["_get_command"] = cache(get_command)


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it wrote."""

    status: int
    out: str
    err: str


def run(*arguments: str | Path, environment: dict[str, str] | None = None) -> Ran:
    """Run a command inside the test."""
    result = typer.testing.CliRunner().invoke(APP, [str(a) for a in arguments], env=environment, catch_exceptions=False)
    return Ran(result.exit_code, result.stdout, result.stderr)


def start(*arguments: str | Path, given: bytes = b"", folder: Path | None = None) -> Ran:
    """Run a command as a process, with bytes for its standard input."""
    command = [sys.executable, "-c", "from overtrick.apps.cli import main; main()", *map(str, arguments)]
    done = subprocess.run(command, input=given, capture_output=True, cwd=folder, check=False)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
