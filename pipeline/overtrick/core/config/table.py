"""The base of all tables of `club.toml` and of corrections files."""

from fractions import Fraction

from pydantic import BaseModel, ConfigDict


class ConfigError(Exception):
    """`club.toml` has errors. The message lists each one with its place, its key and what was expected."""


class Table(BaseModel):
    """A table of a file: unknown keys are errors, values are not converted, and instances never change."""

    # pydantic prepares its checks of a table when it first has values to check: most runs need only the defaults.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False, defer_build=True)


def exact(number: float) -> Fraction:
    """Return a number exactly as the file writes it: 0.1 becomes 1/10."""
    return Fraction(str(number))
