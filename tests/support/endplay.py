"""endplay, which tests and benchmarks compare with, without the plotting library that it would load."""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Unloaded(ModuleType):
    """A module that is imported only when something of it is used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(import_module(self.__name__), name)


def import_endplay(name: str = "endplay") -> Any:
    """Import a module of endplay without matplotlib, which endplay imports at once to draw histograms on demand.

    The first import of matplotlib builds a cache of fonts, which takes seconds and prints messages.

    Raises:
        ModuleNotFoundError: endplay is not installed.
    """
    if "endplay" in sys.modules or "matplotlib" in sys.modules:
        return import_module(name)
    package, pyplot = _Unloaded("matplotlib"), _Unloaded("matplotlib.pyplot")
    package.__dict__["pyplot"] = pyplot
    sys.modules |= {"matplotlib": package, "matplotlib.pyplot": pyplot}
    try:
        return import_module(name)
    finally:
        # Whoever else imports matplotlib in this process gets the real one.
        del sys.modules["matplotlib"], sys.modules["matplotlib.pyplot"]
