"""A key of a table of `club.toml`, and checks of values. pydantic loads only where there are values to check."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

REQUIRED: Final = object()
"""In place of a default: the key has none."""


class Setting:
    """A key of a table, and the type and limits of its value.

    Attributes:
        kind: the type.
        limits: what `pydantic.Field` takes: `ge`, `pattern`, `examples` and so on.
        alias: its name in a file, if Python has another use for the word.
    """

    __slots__ = ("_default", "_factory", "alias", "kind", "limits")

    def __init__(
        self,
        default: object = REQUIRED,
        factory: Callable[[], object] | None = None,
        alias: str | None = None,
        **limits: Any,  # noqa: ANN401 - as pydantic types them
    ) -> None:
        """Take the default, or what makes it. The type comes from the annotation."""
        self._default = default
        self._factory = factory
        self.kind: Any = None
        self.alias = alias
        self.limits = limits

    @property
    def is_required(self) -> bool:
        """Whether a file has to give it: it lacks a default."""
        return self._default is REQUIRED and self._factory is None

    def default(self) -> object:
        """Return the default; a new one each time if something makes it."""
        return self._factory() if self._factory else self._default


def setting(
    *,
    default: Any = REQUIRED,  # noqa: ANN401 - of any type, as the key
    factory: Callable[[], Any] | None = None,
    alias: str | None = None,
    **limits: Any,  # noqa: ANN401 - as pydantic types them
) -> Any:  # noqa: ANN401 - as the default
    """Declare a key of a table that has more than a default; `Setting` describes the arguments."""
    return Setting(default, factory, alias, **limits)


class Check:
    """A method that refuses values with a ValueError: those of some keys, or without keys a whole table."""

    def __init__(self, keys: tuple[str, ...], function: Callable[..., Any]) -> None:
        """Take the keys, and the method."""
        self.keys = keys
        self.function = function


def checks(*keys: str) -> Callable[[Callable[..., Any]], Check]:
    """Make a check of a method.

    Args:
        keys: the keys it checks. It takes a value and pydantic's ValidationInfo, and returns the value. Without keys it
            takes the whole table and returns nothing.
    """
    return lambda function: Check(keys, function)


class After:
    """In an annotation: a function that refuses a value of the right type with a ValueError, or returns it."""

    def __init__(self, check: Callable[[Any], object]) -> None:
        """Take the function."""
        self._check = check

    def __get_pydantic_core_schema__(self, source: object, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        """Return pydantic's form of it."""
        from pydantic_core import core_schema  # noqa: PLC0415 - only where a file is read

        return self._form(core_schema, lambda: handler(source))

    def _form(self, forms: Any, inner: "Callable[[], CoreSchema]") -> "CoreSchema":  # noqa: ANN401 - a module
        made: CoreSchema = forms.no_info_after_validator_function(self._check, inner())
        return made


class Before(After):
    """In an annotation: a function that changes a value before its type is checked."""

    def _form(self, forms: Any, inner: "Callable[[], CoreSchema]") -> "CoreSchema":  # noqa: ANN401 - as above
        made: CoreSchema = forms.no_info_before_validator_function(self._check, inner())
        return made


class Instead(After):
    """In an annotation: a function that checks a value in place of its type."""

    def _form(self, forms: Any, inner: "Callable[[], CoreSchema]") -> "CoreSchema":  # noqa: ANN401, ARG002 - as above
        made: CoreSchema = forms.no_info_plain_validator_function(self._check)
        return made
