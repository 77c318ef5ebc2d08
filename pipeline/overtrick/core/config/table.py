"""What all tables of `club.toml` share.

Most runs read no settings and need only the defaults, so this module does without pydantic, which takes longer to load
than a club evening takes to check. `overtrick.core.config.schema` hands a table to pydantic when there are values to
check.
"""

import json
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, dataclass_transform

from overtrick.core.config.setting import REQUIRED, Check, Setting, setting

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic.fields import FieldInfo
    from pydantic_core import CoreSchema


class ConfigError(Exception):
    """`club.toml` has errors. The message lists each one with its place, its key and what was expected."""


class _Fields:
    """The keys of a table as pydantic describes them, for whoever lists settings."""

    def __get__(self, _: object, table: "type[Table]") -> "dict[str, FieldInfo]":
        from overtrick.core.config.schema import describe  # noqa: PLC0415 - as above

        return describe(table._settings)  # noqa: SLF001 - its own table


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(setting,))
class Table:
    """A table of `club.toml`: unknown keys are errors, values are not converted, and instances never change.

    The methods are named as pydantic names them. Names that begin with `_` are not keys of the file.
    """

    _settings: ClassVar[dict[str, Setting]] = {}
    _checks: ClassVar[tuple[Check, ...]] = ()
    model_fields = _Fields()

    def __init_subclass__(cls) -> None:
        """Find the keys and the checks of a new table; those of the tables that it extends come first."""
        above = [base for base in reversed(cls.__mro__[1:]) if issubclass(base, Table)]
        cls._settings = {name: one for base in above for name, one in base._settings.items()}  # noqa: SLF001 - as above
        for name, kind in cls.__annotations__.items():
            if not name.startswith("_"):
                given = cls.__dict__.get(name, REQUIRED)
                cls._settings[name] = given if isinstance(given, Setting) else Setting(given)
                cls._settings[name].kind = kind
                if name in cls.__dict__:
                    delattr(cls, name)
        named = [one for base in (*above, cls) for one in vars(base).values() if isinstance(one, Check)]
        cls._checks = tuple(named)

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 - values of any type
        """Take values, which are checked; other keys have their defaults.

        Raises:
            ValueError: pydantic's ValidationError, with all that is wrong.
        """
        if given or any(one.is_required for one in self._settings.values()):
            vars(self).update(vars(self.model_validate(given)))
        else:
            self._fill(given, given.keys())

    def _fill(self, values: Mapping[str, Any], stated: AbstractSet[str]) -> None:
        filled = {name: values[name] if name in values else one.default() for name, one in self._settings.items()}
        vars(self).update(filled, _stated=frozenset(stated))

    @classmethod
    def model_construct(cls, _fields_set: AbstractSet[str] | None = None, **given: Any) -> Self:  # noqa: ANN401 - as above
        """Return the table with values that need no check; `_fields_set` are the keys that count as given."""
        made = cls.__new__(cls)
        made._fill(given, given.keys() if _fields_set is None else _fields_set)  # noqa: SLF001 - of the same class
        return made

    @classmethod
    def model_validate(cls, values: object) -> Self:
        """Check the values of a file, and return the table.

        Raises:
            ValueError: pydantic's ValidationError, with all that is wrong.
        """
        from overtrick.core.config.schema import validate  # noqa: PLC0415 - most runs have no values to check

        return validate(cls, values)

    @classmethod
    def __get_pydantic_core_schema__(cls, _: object, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        """Return pydantic's form of the table."""
        from overtrick.core.config.schema import make_schema  # noqa: PLC0415 - as above

        return make_schema(cls, cls._settings, cls._checks, handler)

    @property
    def model_fields_set(self) -> frozenset[str]:
        """The keys that were given."""
        stated: frozenset[str] = vars(self)["_stated"]
        return stated

    def model_copy(self, *, update: Mapping[str, Any] = MappingProxyType({})) -> Self:
        """Return the table with other values, which need no check."""
        copy = self.__new__(type(self))
        vars(copy).update(vars(self), **update, _stated=self.model_fields_set | (update.keys() & self._settings))
        return copy

    def model_dump(self, *, by_alias: bool = False, exclude_unset: bool = False) -> dict[str, Any]:
        """Return the values, and tables in them as dictionaries.

        Args:
            by_alias: name keys as a file does.
            exclude_unset: leave out keys that were not given.
        """
        kept = self.model_fields_set if exclude_unset else self._settings
        return {
            (by_alias and one.alias) or name: _plain(getattr(self, name), by_alias, exclude_unset)
            for name, one in self._settings.items()
            if name in kept
        }

    def model_dump_json(self, *, exclude: AbstractSet[str] = frozenset()) -> str:
        """Return the values as JSON, without some keys."""
        return json.dumps(
            {name: value for name, value in self.model_dump().items() if name not in exclude}, default=str
        )

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """Yield keys and values."""
        return ((name, getattr(self, name)) for name in self._settings)

    def __eq__(self, other: object) -> bool:
        """Return whether another table is of the same kind and has the same values, whoever gave them."""
        if type(self) is not type(other):
            return NotImplemented
        return {**vars(self), "_stated": None} == {**vars(other), "_stated": None}

    def __hash__(self) -> int:
        """Return a number for tables whose values all have one."""
        return hash((type(self), *(value for _, value in self)))

    def __repr__(self) -> str:
        """Return the values as Python writes them."""
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self)})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse: a table never changes."""
        raise AttributeError(f"{type(self).__name__} is frozen; use model_copy(update={{{name!r}: ...}})")


def _plain(value: object, by_alias: bool, exclude_unset: bool) -> object:
    if isinstance(value, Table):
        return value.model_dump(by_alias=by_alias, exclude_unset=exclude_unset)
    if isinstance(value, list):
        return [_plain(one, by_alias, exclude_unset) for one in value]
    return value


def exact(number: float) -> Fraction:
    """Return a number exactly as the file writes it: 0.1 becomes 1/10."""
    return Fraction(str(number))
