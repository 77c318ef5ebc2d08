"""What all tests share."""

import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.reported import Recorder
from tests.support.sweeps import ALL, some

# No deadline: how long an example takes says something about the machine, not about the rule.
settings.register_profile("house", max_examples=some(50), deadline=None)
# The same examples each time: a change is judged by what it does, and not by the luck of the draw.
settings.register_profile("fixed", settings.get_profile("house"), derandomize=True)
settings.load_profile("fixed" if os.environ.get("CI") else "house")


def pytest_configure(config: pytest.Config) -> None:
    """Note which problems the tests draw."""
    config.pluginmanager.register(Recorder(config), "reported")


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep tests out of the user's cache; the workers of one run share what they solve."""
    base = tmp_path_factory.getbasetemp()
    cache = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"
    cache.mkdir(exist_ok=True)
    os.environ["XDG_CACHE_HOME"] = str(cache)
    os.environ["XDG_CONFIG_HOME"] = str(cache / "settings")


@pytest.fixture
def watched_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the watcher work in the process of the test, and leave out PDF documents: both take most of its time."""
    from overtrick.apps.inbox.worker import run_here  # noqa: PLC0415 - only these tests need it

    monkeypatch.setattr("overtrick.apps.inbox.worker.Worker.run", lambda _, *work: run_here(*work))
    monkeypatch.setattr("overtrick.show.publish.bulletin.start_documents", lambda *_, **__: {})


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files without a slow test under `-m slow`: to read them takes each process five seconds."""
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    if is_test and config.option.markexpr == "slow" and "mark.slow" not in collection_path.read_text("utf-8"):
        return True
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep every n-th case of a test that is marked `sweep(n)`, beginning with the first; all on request."""
    if ALL:
        return
    seen: Counter[str] = Counter()
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        mark = item.get_closest_marker("sweep")
        name = item.nodeid.partition("[")[0]
        (left if mark and seen[name] % mark.args[0] else kept).append(item)
        seen[name] += 1
    config.hook.pytest_deselected(items=left)
    items[:] = kept
