"""What the documentation site has besides the pages in this folder, and the check of its links.

mkdocs calls these functions. The home page is the README; the pages about commands and frames are made from the
package; the gallery shows bulletins of the fixtures.
"""

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import typer.main
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "pipeline"))

from overtrick import bulletin  # noqa: E402 - found by the line above
from overtrick.apps.cli.app import make_app  # noqa: E402
from overtrick.core import frames  # noqa: E402 - found by the line above

TOP = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Pages from the top of the repository, by their names here."""

GALLERY = ("club-evening.pbn", "butler-evening.pbn", "two-rooms.lin", "rubber.csv")

_KEYS = """
## Keys

| from | to | by |
|---|---|---|
| `results`, `annotations`, `double_dummy` | `records` | `record` |
| `results` | `contestants`, `standings` | `ns` or `ew` = `contestant`; with sections also `section` |
| `analysis` | `results` | `result` = the row number (`results.with_row_index("result")`) |
| any frame | `sources` | `source` |
| `problems` | `records` | `record` |
"""


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are not in this folder."""
    made = {name: (ROOT / top).read_text("utf-8") for top, name in TOP.items()}
    made |= {"commands.md": "\n".join(_commands()), "frames.md": "\n".join(_frames())}
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Turn links to the top of the repository into links to its pages here; code keeps its name without a link."""
    markdown = re.sub(r"\]\(docs/", "](", markdown)
    for top, name in TOP.items():
        markdown = re.sub(rf"\]\((?:\.\./)?{top}", f"]({name}", markdown)
    return re.sub(r"\[([^\]]+)\]\((?:\.\./)?(?:LICENSE|fixtures[^)]*)\)", r"\1", markdown)


def on_post_build(config: Any) -> None:
    """Write the bulletins of the gallery, then check all links of the site."""
    site = Path(config["site_dir"])
    for name in GALLERY:
        bulletin(ROOT / "fixtures" / name, site / "gallery" / Path(name).stem, pdf=False)
    broken = [f"{page.relative_to(site)}: {link}" for page in sorted(site.glob("*.html")) for link in _broken(page)]
    if broken:
        raise PluginError("links that lead nowhere:\n" + "\n".join(broken))


class _Links(HTMLParser):
    """Collects the links and pictures of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the addresses of a tag."""
        del tag
        self.found.update(value for name, value in attrs if name in {"href", "src"} and value)


def _broken(page: Path) -> Iterator[str]:
    links = _Links()
    links.feed(page.read_text("utf-8"))
    for link in sorted(links.found):
        parts = urlsplit(link)
        # The page for addresses that do not exist links from the root of a site.
        if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
            continue
        target = page.parent / unquote(parts.path)
        if not target.exists():
            yield link


def _commands() -> Iterator[str]:
    """Describe each command as its `--help` does."""
    group: Any = typer.main.get_command(make_app())
    yield "# Commands\n\n`overtrick COMMAND --help` prints the same. Exit status: 0 fine, 1 the data has errors,"
    yield "2 wrong usage, 3 publishing failed, 4 output failed.\n"
    for name, command in sorted(group.commands.items()):
        yield f"## overtrick {name}\n\n```text"
        with command.make_context(f"overtrick {name}", [], resilient_parsing=True) as context:
            yield command.get_help(context)
        yield "```\n"


def _frames() -> Iterator[str]:
    """Describe the frames of a session, with their columns and keys."""
    yield "# Frames\n\nA session has these frames. Unknown values are null.\n"
    yield _KEYS
    for name, schema in frames.FRAMES.items():
        yield f"\n## {name}\n\n| column | type | meaning |\n|---|---|---|"
        for column, about in schema.items():
            meaning = about.meaning.replace("|", "\\|")
            yield f"| `{column}` | {_kind(about.dtype)} | {meaning} |"


def _kind(dtype: object) -> str:
    """Return a polars type in a short form."""
    text = re.sub(r"Enum\(categories=\[(.*?)\]\)", r"Enum: \1", str(dtype)).replace("'", "")
    return text if len(text) < 60 else text.partition("(")[0]
