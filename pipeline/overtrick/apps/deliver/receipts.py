"""Receipts of an evening's deliveries: their content, place and time, and copies of the files.

tuesday.delivered/receipts.json     what was delivered, one entry for each place and member
tuesday.delivered/bridgewebs/...    the files as they were delivered, or for people to hand in

Nothing in it is an input of overtrick, and it holds no password and no e-mail address of a member.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from overtrick.apps.deliver.order import Parcel
from overtrick.core.atomic_write import OutputError, only_run, replace_file
from overtrick.core.machine import explain_failure
from overtrick.files.assemble.together import name_of_evening
from overtrick.files.formats.looks import DELIVERED
from overtrick.show.publish.address import PublishError

_RECEIPTS: Final = "receipts.json"
_PATIENCE: Final = 1.0
"""Seconds to wait for another run: it may take minutes, so a second one is refused."""

Status = Literal["sending", "delivered"]


@dataclass(frozen=True)
class Receipt:
    """One delivery.

    Attributes:
        place: the name of the place.
        who: the member whom it was for; empty for a place.
        when: the time, ISO 8601.
        status: `sending` until the server has answered, so that an interrupted run leaves it.
        digest: of all that was sent.
        files: the SHA-256 of each file.
        answer: of the server.
    """

    place: str
    who: str
    when: str
    status: Status
    digest: str
    files: Mapping[str, str] = field(default_factory=dict)
    answer: str = ""

    @property
    def time(self) -> str:
        """The time for people."""
        return self.when[:16].replace("T", " at ")


class Receipts:
    """The receipts of an evening."""

    def __init__(self, folder: Path) -> None:
        """Read the receipts in a folder, which need not exist.

        Raises:
            PublishError: they are damaged or can't be read. They may say that something was delivered.
        """
        self.folder = folder
        path = folder / _RECEIPTS
        try:
            read = json.loads(path.read_bytes())["receipts"]
            self._known = {(receipt.place, receipt.who): receipt for receipt in (Receipt(**row) for row in read)}
        except FileNotFoundError:
            self._known = {}
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise PublishError(
                f"{path}: the receipts can't be read; look which results have arrived, then delete this file"
            ) from error

    def find(self, place: str, who: str) -> Receipt | None:
        """Return the last delivery to a place or a member."""
        return self._known.get((place, who))

    def list_changes(self, place: str, parcel: Parcel) -> tuple[str, ...]:
        """Return what differs from the last delivery: names of files, with the number of changed lines if known."""
        known = self.find(place, parcel.who)
        if known is None:
            return ()
        names = sorted(known.files.keys() | parcel.files.keys())
        found = parcel.hashes
        changed = [name for name in names if known.files.get(name) != found.get(name)]
        return tuple(self._describe(place, name, parcel) for name in changed) or ("what goes with the files",)

    def _describe(self, place: str, name: str, parcel: Parcel) -> str:
        if name not in parcel.files:
            return f"{name} (not sent any more)"
        copy = self.folder / place / name
        try:
            before, after = copy.read_bytes().decode(), parcel.files[name].decode()
        except (OSError, UnicodeDecodeError):
            return name
        old, new = Counter(before.splitlines()), Counter(after.splitlines())
        lines = max((old - new).total(), (new - old).total())
        return f"{name} ({lines} {'line' if lines == 1 else 'lines'})"

    def note(self, place: str, parcel: Parcel, status: Status, answer: str = "") -> None:
        """Write that a parcel is being sent, or was delivered.

        Raises:
            PublishError: the receipt can't be written.
        """
        when = datetime.now().astimezone().replace(microsecond=0).isoformat()
        self._put(Receipt(place, parcel.who, when, status, parcel.digest, parcel.hashes, answer))

    def restore(self, place: str, who: str, earlier: Receipt | None) -> None:
        """Put back what was known before a delivery that was refused."""
        if earlier is not None:
            self._put(earlier)
        elif self._known.pop((place, who), None):
            self._write()

    def keep(self, place: str, parcel: Parcel) -> list[Path]:
        """Write the files of a parcel beside the receipts, and return their paths."""
        paths = [self.folder / place / name for name in parcel.files]
        for path, content in zip(paths, parcel.files.values(), strict=True):
            with explain_failure(path, PublishError):
                path.parent.mkdir(parents=True, exist_ok=True)
                replace_file(path, content)
        return paths

    def _put(self, receipt: Receipt) -> None:
        self._known[receipt.place, receipt.who] = receipt
        self._write()

    def _write(self) -> None:
        path = self.folder / _RECEIPTS
        rows = [asdict(receipt) for receipt in self._known.values()]
        content = json.dumps({"version": 1, "receipts": rows}, indent=1, ensure_ascii=False) + "\n"
        with explain_failure(path, PublishError):
            self.folder.mkdir(parents=True, exist_ok=True)
            replace_file(path, content.encode(), durable=True)


def find_folder(evening: Path) -> Path:
    """Return the folder of an evening's receipts: `tuesday.delivered` beside `tuesday.pbn`, or in the folder `tuesday`.

    Args:
        evening: one of its files, or its folder.
    """
    if evening.is_dir():
        return evening / f"{evening.resolve().name}{DELIVERED}"
    return evening.with_name(f"{name_of_evening(evening)}{DELIVERED}")


@contextmanager
def only_delivery(folder: Path) -> Iterator[None]:
    """Keep other runs from delivering the same evening.

    Raises:
        PublishError: another run is delivering it.
    """
    try:
        with only_run(folder, _PATIENCE):
            yield
    except OutputError as error:
        raise PublishError(str(error)) from error
