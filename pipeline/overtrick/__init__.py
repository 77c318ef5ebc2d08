"""overtrick: bridge results from PBN, LIN, USEBIO and other files, checked, scored, ranked and published.

`import overtrick as ot` offers the names of `__all__`, and loads them when one is first used. These names, their
arguments, the columns that `overtrick.core.frames` describes and the problem codes are public: they change only with a
line in the CHANGELOG. Everything else may change in any release.
"""

import os

from overtrick.core.version import __version__

# What one step lets go of the next one takes: memory that polars keeps for ten seconds, not half of one, need not be
# asked of the system again. Threads share it more with one arena for each core, not four. That is read when polars is
# loaded.
os.environ.setdefault("_RJEM_MALLOC_CONF", f"dirty_decay_ms:10000,narenas:{os.cpu_count() or 1}")

__all__ = [
    "Board",
    "Chart",
    "Config",
    "ConfigError",
    "Session",
    "__version__",
    "bulletin",
    "chart",
    "check",
    "convert",
    "evaluate",
    "frames",
    "load_config",
    "read",
]


def __getattr__(name: str) -> object:
    """Load a public name when it is first used: polars alone takes longer to import than `--help` takes to print."""
    if name not in __all__:
        raise AttributeError(f"module 'overtrick' has no attribute {name!r}")
    from overtrick import api  # noqa: PLC0415 - see above

    found: object = getattr(api, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
