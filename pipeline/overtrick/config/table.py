"""What all tables of `club.toml` share."""

from fractions import Fraction

from pydantic import BaseModel, ConfigDict


class ConfigError(Exception):
    """`club.toml` has errors. The message lists each one with its place, its key and what was expected."""


class Table(BaseModel):
    """A table of `club.toml`: unknown keys are errors, values are not converted, and instances never change."""

    # Most runs read no club.toml, so pydantic builds the validators only when a file is read. The defaults come from
    # `model_construct`, which needs no validators.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True, allow_inf_nan=False)


def exact(number: float) -> Fraction:
    """Return a number exactly as the file writes it: 0.1 becomes 1/10."""
    return Fraction(str(number))
