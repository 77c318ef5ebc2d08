"""What a run has to do: the folder against what stands at the target."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from overtrick.publish.manifest import Files
from overtrick.publish.site import SiteFile, reading_order


@dataclass(frozen=True)
class Plan:
    """What is sent and what goes, each in its order.

    Attributes:
        add: files that are not there yet. Nothing leads to them before a changed page does.
        change: files that are replaced.
        delete: files that we put there and that the site has no more.
        keep: files that stand there as they should.
        foreign: those of `change` that somebody else put there.
    """

    add: list[str]
    change: list[str]
    delete: list[str]
    keep: list[str]
    foreign: list[str]

    @property
    def send(self) -> list[str]:
        """All that is sent, in order: what is new first, so that no page links to what is not there yet."""
        return self.add + self.change

    @property
    def is_empty(self) -> bool:
        """Whether everything stands as it should."""
        return not (self.add or self.change or self.delete)


def make_plan(site: Mapping[str, SiteFile], ours: Files, there: Mapping[str, int | None]) -> Plan:
    """Compare.

    Args:
        site: the folder.
        ours: what we put there, as far as known.
        there: what stands at the target: sizes in bytes by path, None where the server doesn't tell.
    """

    def stands(path: str) -> bool:
        same = ours.get(path) == site[path].sha256
        return same and path in there and there[path] in {None, site[path].size}

    keep = {path for path in site if stands(path)}
    add = site.keys() - there.keys()
    change = site.keys() - add - keep
    return Plan(
        add=_ordered(add),
        change=_ordered(change),
        # Indexes before leaves: what leads to a page goes before the page.
        delete=_ordered((ours.keys() - site.keys()) & there.keys())[::-1],
        keep=_ordered(keep),
        foreign=_ordered(change - ours.keys()),
    )


def _ordered(paths: Collection[str]) -> list[str]:
    return sorted(paths, key=reading_order)
