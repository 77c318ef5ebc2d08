"""A folder of a target, as a target of its own."""

from collections.abc import Collection
from dataclasses import dataclass

from overtrick.publish.targets.base import Target, joined


@dataclass(frozen=True)
class TargetBelow:
    """What goes to this target goes to a folder of another one; it is made when it is missing."""

    target: Target
    folder: str

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        """List the folders that some files are in."""
        there = self.target.listing([joined(self.folder, path) for path in paths])
        start = f"{self.folder}/"
        return {path.removeprefix(start): size for path, size in there.items() if path.startswith(start)}

    def read(self, path: str) -> bytes | None:
        """Read a file."""
        return self.target.read(joined(self.folder, path))

    def write(self, path: str, content: bytes) -> None:
        """Put a file there."""
        self.target.write(joined(self.folder, path), content)

    def delete(self, path: str) -> None:
        """Take a file away."""
        self.target.delete(joined(self.folder, path))

    def close(self) -> None:
        """Leave the other target as it is: it is not ours to close."""
