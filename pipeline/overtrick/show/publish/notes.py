"""The notes of evenings, kept apart from the website: they hold the names and numbers of people who wish for none."""

import hashlib
from contextlib import suppress
from pathlib import Path

from overtrick.core.atomic_write import replace_file
from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.core.machine import cache_folder
from overtrick.judge.people.evening import Evening, note_evening, read_notes, write_notes
from overtrick.judge.privacy import apply_privacy
from overtrick.show.html.contestants import Contestants, fill_sections


def make_notes(session: Session, config: Config, folder: str) -> Evening:
    """Return the notes of an evening, with the scorecards that its site has.

    Args:
        session: scored and ranked, with all names.
        config: the club's settings.
        folder: of the evening in its season.
    """
    shown = apply_privacy(session, config.privacy, config.people.register)
    contestants = Contestants(shown)
    rows = fill_sections(shown.standings).select("contestant", "direction", "section").iter_rows()
    found = [contestants.find(*row) for row in rows]
    return note_evening(session, folder, [one.slug if one else "" for one in found])


class Notes:
    """The notes of a season, in the user's cache: a file for each evening.

    The folder of the website may be copied to a server with all that is in it, so it is not the place for them. A lost
    file only means that the evening is read again.
    """

    def __init__(self, out: Path) -> None:
        """Open the notes of the season in the folder `out`."""
        digest = hashlib.sha256(str(out.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._folder = cache_folder() / "seasons" / digest

    def read(self, folder: str, made_from: str) -> Evening | None:
        """Return the notes of an evening; None if there are none, or if they were made from something else."""
        try:
            stamp, _, text = (self._folder / f"{folder}.json").read_text("utf-8").partition("\n")
            return read_notes(text) if stamp == made_from else None
        except (OSError, ValueError):
            return None

    def write(self, folder: str, made_from: str, evening: Evening) -> None:
        """Keep the notes of an evening. A cache that can't be written is not an error."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(self._folder / f"{folder}.json", f"{made_from}\n{write_notes(evening)}".encode())

    def remove(self, folder: str) -> None:
        """Forget an evening."""
        with suppress(OSError):
            (self._folder / f"{folder}.json").unlink(missing_ok=True)
