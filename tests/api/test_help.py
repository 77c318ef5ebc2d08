"""What `help()` prints of the package's names."""

import pydoc

import pytest

import overtrick

LARGE = {"Config", "frames"}
"""Names of which docs/settings.md and docs/columns.md are the reference."""


@pytest.mark.parametrize("name", sorted({*overtrick.__all__} - LARGE - {"__version__"}))
def test_the_help_of_a_name_fits_on_a_screen_or_two(name: str) -> None:
    text = pydoc.plain(pydoc.render_doc(getattr(overtrick, name)))
    assert (True, True) == (len(text) < 3000, text.count("\n") < 80)
