"""Tables of settings as pydantic sees them: it checks the values of a file and lists the keys."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache, partial
from typing import Annotated, Any, Protocol, Self, TypeVar, cast

from pydantic import ConfigDict, Field, GetCoreSchemaHandler, TypeAdapter, ValidatorFunctionWrapHandler
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema

from overtrick.core.config.setting import Check, Setting


class _Table(Protocol):
    @classmethod
    def model_construct(cls, _fields_set: AbstractSet[str] | None = None, **given: object) -> Self: ...


_T = TypeVar("_T", bound=_Table)


def validate(table: type[_T], values: object) -> _T:
    """Check the values of a file, and return the table.

    Raises:
        ValidationError: everything that is wrong.
    """
    checked: _T = _adapter(cast("Any", table)).validate_python(values)
    return checked


@cache
def _adapter(table: Any) -> TypeAdapter[Any]:  # noqa: ANN401 - mypy thinks that a class has no hash
    return TypeAdapter(table, config=ConfigDict(title=table.__name__, strict=True, allow_inf_nan=False))


def describe(settings: Mapping[str, Setting]) -> dict[str, FieldInfo]:
    """Return the keys of a table with their types, limits and defaults."""
    return {name: FieldInfo.from_annotated_attribute(one.kind, _field(one)) for name, one in settings.items()}


def _field(one: Setting) -> Any:  # noqa: ANN401 - pydantic types it so
    limits: dict[str, Any] = {"alias": one.alias, **one.limits}
    return Field(**limits) if one.is_required else Field(default_factory=one.default, **limits)


def make_schema(
    table: type[_T], settings: Mapping[str, Setting], checks: Iterable[Check], handler: GetCoreSchemaHandler
) -> CoreSchema:
    """Return how pydantic checks a table: its keys, each of them by itself, and then the whole."""
    fields = {}
    for name, one in settings.items():
        schema = handler.generate_schema(Annotated[one.kind, Field(**one.limits)])
        for check in checks:
            if name in check.keys:
                schema = core_schema.with_info_after_validator_function(check.function, schema)
        if not one.is_required:
            schema = core_schema.with_default_schema(schema, default_factory=one.default)
        fields[name] = core_schema.model_field(schema, validation_alias=one.alias)
    inside = core_schema.model_fields_schema(fields, model_name=table.__name__, extra_behavior="forbid")
    whole = [check.function for check in checks if not check.keys]
    return core_schema.no_info_wrap_validator_function(partial(_make, table, whole), inside)


def _make(table: type[_T], checks: Iterable[Any], given: object, read: ValidatorFunctionWrapHandler) -> _T:
    """Return the table of these values, which may be one already."""
    if isinstance(given, table):
        return given
    values, _, stated = read(given)
    made = table.model_construct(stated, **values)
    for check in checks:
        check(made)
    return made
