"""overtrick: bridge results from PBN, LIN, USEBIO and other files, checked, scored, ranked and published.

`import overtrick as ot` offers the names of `__all__`, and loads each when it is first used. These names, their
arguments, the columns that `overtrick.frames` describes and the problem codes are public: they change only with a line
in the CHANGELOG. Everything else may change in any release.
"""

import os
from importlib import import_module

# What one step lets go of the next one takes: memory that polars keeps for ten seconds, not half of one, need not be
# asked of the system again. Threads share it more with one arena for each core, not four. That is read when polars is
# loaded.
os.environ.setdefault("_RJEM_MALLOC_CONF", f"dirty_decay_ms:10000,narenas:{os.cpu_count() or 1}")

__version__ = "0.1.0"

_HOMES = {
    "Board": "overtrick.notebook",
    "Chart": "overtrick.api",
    "Config": "overtrick.config",
    "ConfigError": "overtrick.config",
    "Session": "overtrick.frames",
    "bulletin": "overtrick.api",
    "chart": "overtrick.api",
    "check": "overtrick.api",
    "convert": "overtrick.api",
    "evaluate": "overtrick.api",
    "frames": "overtrick.frames",
    "load_config": "overtrick.config",
    "read": "overtrick.api",
}
"""The module of each public name."""

__all__ = [  # noqa: PLE0604 - a string after the names that are listed
    "__version__",
    *_HOMES,
]


def __getattr__(name: str) -> object:
    """Load a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'overtrick' has no attribute {name!r}")
    module = import_module(_HOMES[name])
    found = module if _HOMES[name] == f"overtrick.{name}" else getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
