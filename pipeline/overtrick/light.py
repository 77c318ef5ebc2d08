"""Dataclasses that are quick to define.

The standard library writes and compiles half a dozen methods for each dataclass, which takes 0.7 ms; with the sixty of
a short run, that is a tenth of it. Here all classes share one implementation of each method. Objects are made a little
slower. For everything else, such as `fields` and `replace`, they are dataclasses.
"""

import dataclasses
from dataclasses import field
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass", "field"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, repr: bool = True) -> Any:  # noqa: A002, ANN401
        """Make a dataclass of a class, as the decorator of the standard library does."""
        if cls is None:
            return lambda decorated: dataclass(decorated, frozen=frozen, repr=repr)
        # Otherwise the standard library works out a signature to stand in for a description.
        cls.__doc__ = cls.__doc__ or cls.__name__
        made = dataclasses.dataclass(cls, init=False, repr=False, eq=False)
        parts = dataclasses.fields(made)
        methods = {"__init__": _make_init(parts), **_compare([one.name for one in parts if one.compare])}
        if repr:
            methods["__repr__"] = _make_repr([one.name for one in parts if one.repr])
        if frozen:
            methods |= {"__setattr__": _refuse, "__delattr__": _refuse}
        else:
            methods["__hash__"] = None
        for name, method in methods.items():
            if name not in vars(cls):
                setattr(made, name, method)
        return made


def _make_init(parts: tuple["dataclasses.Field[Any]", ...]) -> Any:  # noqa: ANN401 - a method
    names = tuple(one.name for one in parts)
    known = frozenset(names)
    defaults = {one.name: one.default for one in parts if one.default is not dataclasses.MISSING}
    factories = {one.name: one.default_factory for one in parts if one.default_factory is not dataclasses.MISSING}

    def __init__(self: Any, /, *args: Any, **given: Any) -> None:  # noqa: ANN401, N807 - a method of any dataclass
        values = {**dict(zip(names, args, strict=False)), **given}
        if len(values) < len(args) + len(given) or not known >= given.keys():
            raise TypeError(f"{type(self).__name__} takes each of {', '.join(names)} once, and nothing else")
        for name in names:
            if name not in values:
                if name in factories:
                    values[name] = factories[name]()
                elif name in defaults:
                    values[name] = defaults[name]
                else:
                    raise TypeError(f"{type(self).__name__}: missing argument {name}")
        self.__dict__.update(values)

    return __init__


def _compare(names: list[str]) -> dict[str, Any]:
    def values(one: Any) -> tuple[Any, ...]:  # noqa: ANN401 - any dataclass
        return tuple(getattr(one, name) for name in names)

    return {
        "__eq__": lambda self, other: (
            values(self) == values(other) if self.__class__ is other.__class__ else NotImplemented
        ),
        "__hash__": lambda self: hash(values(self)),
    }


def _make_repr(names: list[str]) -> Any:  # noqa: ANN401 - a method
    return lambda self: f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


def _refuse(self: object, name: str, *_: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"{type(self).__name__} is frozen: {name}")
