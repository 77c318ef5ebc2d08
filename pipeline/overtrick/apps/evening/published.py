"""The pages of an evening, and what of them is on the club's website: publish, and undo to the version before.

FOLDER/.overtrick/pages/S/              the pages as they would be published
FOLDER/.overtrick/published/S/now/      the pages that were published last
FOLDER/.overtrick/published/S/before/   those that were published before them
FOLDER/.overtrick/published/S/state     when, where, and from which files
"""

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

from overtrick.apps.evening.edit import Evening
from overtrick.apps.evening.shelf import HIDDEN, Shelved
from overtrick.conversion import publish
from overtrick.core.atomic_write import replace_file
from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.show.publish.address import PublishError, parse_address
from overtrick.show.publish.run import Plan, plan
from overtrick.show.publish.run import publish as upload
from overtrick.show.publish.targets import TargetBelow, open_target

_STATE: Final = "state"

OnStep = Callable[[int, int, str], None]
"""Called with the number of steps done, the number of steps, and what comes next."""


@dataclass(frozen=True)
class Publication:
    """The state of an evening on the website.

    Attributes:
        when: the time, ISO 8601.
        target: where.
        inputs: a digest of the files, corrections and settings that the pages were made from.
        final: whether the pages say that the results are final.
        added: how many files were added.
        changed: how many files were changed.
        deleted: how many files were deleted.
        undone: whether this is an earlier version that was put back.
    """

    when: str
    target: str
    inputs: str
    final: bool
    added: int = 0
    changed: int = 0
    deleted: int = 0
    undone: bool = False


def digest_inputs(shelved: Shelved, evening: Evening, settings: bytes) -> str:
    """Return a digest of everything that the pages of an evening are made from."""
    read = evening.gathered.sources.select("source", "sha256").rows()
    parts = [f"{Path(source).name} {digest}" for source, digest in read]
    named = "\n".join((shelved.name, *parts, evening.digest))
    return sha256(named.encode() + b"\n" + settings).hexdigest()


def _kept(folder: Path, shelved: Shelved) -> Path:
    return folder / HIDDEN / "published" / shelved.slug


def read_publication(folder: Path, shelved: Shelved) -> Publication | None:
    """Return what of an evening is on the website; None if nothing is."""
    return _read_state(_kept(folder, shelved) / _STATE)


def _read_state(path: Path) -> Publication | None:
    try:
        return Publication(**json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def pages_folder(folder: Path, shelved: Shelved) -> Path:
    """Return the folder of the pages of an evening."""
    return folder / HIDDEN / "pages" / shelved.slug


def can_undo(folder: Path, shelved: Shelved) -> bool:
    """Return whether a version before the published one is kept."""
    return (_kept(folder, shelved) / "before").is_dir()


def make_pages(folder: Path, shelved: Shelved, session: Session, config: Config, *, pdf: bool) -> Path:
    """Write the pages of an evening and return their folder; what `overtrick bulletin` writes.

    Raises:
        OutputError, LanguageError: as `pipeline.publish` raises them.
    """
    out = pages_folder(folder, shelved)
    out.parent.mkdir(parents=True, exist_ok=True)
    publish(session, out, config, pdf=pdf)
    return out


def as_final(config: Config, *, final: bool) -> Config:
    """Return settings whose pages say that results are final, or provisional for as long as the settings say."""
    return config.model_copy(update={"site": config.site.model_copy(update={"final": final})})


def plan_pages(pages: Path, target: str, shelved: Shelved) -> Plan:
    """Return what publishing would do, and change nothing.

    Raises:
        AddressError, PublishError: the target has an error or can't be reached.
    """
    with closing(open_target(parse_address(target))) as place:
        return plan(pages, TargetBelow(place, shelved.slug))


def publish_pages(  # noqa: PLR0913 - what goes where, and how it is shown
    folder: Path,
    shelved: Shelved,
    pages: Path,
    publication: Publication,
    *,
    consent: bool = False,
    completes: bool = False,
    on_step: OnStep = lambda _done, _steps, _next: None,
) -> Publication:
    """Publish pages to the folder of the evening on the website, and keep them and the version before.

    Args:
        folder: the folder of evenings.
        shelved: the evening.
        pages: its pages.
        publication: where, and from which files the pages were made.
        consent: allow more than a few deletions, and overwriting files that others put there.
        completes: the pages only add to those that were published just now, so the version before stays.
        on_step: called before each file.

    Raises:
        AddressError, PublishError: as `publish.publish` raises them; the version before is still on the website.
    """
    with closing(open_target(parse_address(publication.target))) as place:
        done = upload(pages, TargetBelow(place, shelved.slug), consent=consent, on_step=on_step)
    counted = {"added": len(done.add), "changed": len(done.change), "deleted": len(done.delete)}
    when = datetime.now().astimezone().replace(microsecond=0).isoformat()
    stated = Publication(**{**asdict(publication), **counted, "when": when})
    place_of = _kept(folder, shelved)
    new, now, before = (place_of / name for name in ("new", "now", "before"))
    shutil.rmtree(new, ignore_errors=True)
    shutil.copytree(pages, new)
    if not done.is_empty and now.is_dir() and not completes:
        shutil.rmtree(before, ignore_errors=True)
        now.rename(before)
        if (place_of / _STATE).is_file():
            shutil.copy2(place_of / _STATE, place_of / "before-state")
    shutil.rmtree(now, ignore_errors=True)
    new.rename(now)
    replace_file(place_of / _STATE, (json.dumps(asdict(stated), indent=1) + "\n").encode(), durable=True)
    return stated


def undo_publication(
    folder: Path, shelved: Shelved, on_step: OnStep = lambda _done, _steps, _next: None
) -> Publication:
    """Put the version before back on the website; the files of the evening and its corrections stay as they are.

    Raises:
        AddressError, PublishError: as `publish_pages`; also if no version before is kept.
    """
    place_of = _kept(folder, shelved)
    stated = read_publication(folder, shelved)
    if stated is None or not (place_of / "before").is_dir():
        raise PublishError("there is no version before this one")
    earlier = _read_state(place_of / "before-state") or stated
    aside = place_of / "undoing"
    shutil.rmtree(aside, ignore_errors=True)
    shutil.copytree(place_of / "before", aside)
    back = Publication(**{**asdict(earlier), "target": stated.target, "undone": True})
    try:
        return publish_pages(folder, shelved, aside, back, consent=True, on_step=on_step)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
