"""The README's picture is made from the pages as they are."""

import os
import struct
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from tests.show.html.test_browser import MISSING
from tests.support.commands import ROOT

if MISSING and os.environ.get("OVERTRICK_REQUIRE_BROWSER") != "1":
    pytest.skip(MISSING, allow_module_level=True)


@pytest.mark.slow
def test_the_picture_of_the_readme_can_be_drawn(tmp_path: Path) -> None:
    pictures: Any = run_path(str(ROOT / "docs" / "pictures.py"))
    pictures["draw"](tmp_path / "drawn.png")
    drawn, kept = (path.read_bytes() for path in (tmp_path / "drawn.png", pictures["PICTURE"]))
    assert struct.unpack(">II", kept[16:24]) == struct.unpack(">II", drawn[16:24])
    assert len(drawn) > 50_000
