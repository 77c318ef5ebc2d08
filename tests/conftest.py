"""What all tests share."""

import os
from collections import Counter

import pytest
from hypothesis import settings

from tests.support.sweeps import ALL, some

# No deadline: how long an example takes says something about the machine, not about the rule.
settings.register_profile("house", max_examples=some(50), deadline=None)
# The same examples each time: a change is judged by what it does, and not by the luck of the draw.
settings.register_profile("fixed", settings.get_profile("house"), derandomize=True)
settings.load_profile("fixed" if os.environ.get("CI") else "house")


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep tests out of the user's cache; the workers of one run share what they solve."""
    base = tmp_path_factory.getbasetemp()
    cache = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"
    cache.mkdir(exist_ok=True)
    os.environ["XDG_CACHE_HOME"] = str(cache)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep every n-th case of a test that is marked `sweep(n)`, beginning with the first; all on request.

    With `OVERTRICK_SLOW_EVERY=n`, every n-th of the slow tests stays.
    """
    if ALL:
        return
    seen: Counter[str] = Counter()
    every = int(os.environ.get("OVERTRICK_SLOW_EVERY", "1"))
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        mark = item.get_closest_marker("sweep")
        name = item.nodeid.partition("[")[0]
        slow = item.get_closest_marker("slow") is not None
        leave = bool(mark and seen[name] % mark.args[0])
        leave = leave or (slow and seen["slow"] % every > 0)
        (left if leave else kept).append(item)
        seen[name] += 1
        seen["slow"] += slow
    config.hook.pytest_deselected(items=left)
    items[:] = kept
