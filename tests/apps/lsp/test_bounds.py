"""A message of an editor that no memory could hold ends the server with one sentence."""

import subprocess
import sys

import pytest

pytest.importorskip("pygls")

COMMAND = "from overtrick.apps.cli import main; main()"


@pytest.mark.slow
@pytest.mark.parametrize("size", ["99999999999999", "268435457"])
def test_a_message_that_is_too_long_is_refused(size: str) -> None:
    told = f"Content-Length: {size}\r\n\r\n{{}}".encode()
    command = [sys.executable, "-c", COMMAND, "lsp"]
    done = subprocess.run(command, input=told, capture_output=True, timeout=60, check=False)
    assert 2 == done.returncode
    assert f"the editor announced a message of {int(size):,} bytes".encode() in done.stderr
    assert b"Traceback" not in done.stderr
