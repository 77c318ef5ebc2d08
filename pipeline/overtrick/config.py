"""The club's settings, `club.toml`: typed, with errors that name the key, the value and what was expected."""

import json
import tomllib
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import ErrorDetails

from overtrick.bridge.methods import Method
from overtrick.problems import CODES, matching
from overtrick.problems.code import Severity

_KINDS: Final = {
    "model_type": "a table with keys below it",
    "string_type": "a text in quotes",
    "float_type": "a number",
    "int_type": "a whole number",
    "bool_type": "true or false",
}
"""What pydantic's kinds of value are called in an answer to a club."""


_FEW: Final = 20
"""As many names as an answer lists."""


class ConfigError(Exception):
    """`club.toml` can't be used; the message says which keys and why, one a line."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Scoring(_Table):
    """`[scoring]`: how a session is scored. What is not set follows the file, else the most common rule.

    Attributes:
        method: the way of comparing; not set, what the file's `[Scoring]` asks for, else matchpoints.
        field: results are compared within a "section", or across "all" of them.
        winners: how many rankings: 1, 2 (N-S and E-W), or "auto": 2 where nobody sat both ways.
        short_boards: a board with fewer results than the rest: matchpoints brought to the common top by the "neuberg"
            formula, or left on its "own-top".
        average_plus: "flat" 60 and 40 % of the top, or the pair's "session" percentage where that is more than 60 or
            less than 40 (Law 12C2c). Matchpoints only.
        line_rounding: "exact", or the step that each line's matchpoints are rounded to before they are added.
        datum: what Butler compares with: the "mean" of the board's scores, "mean-2" (without the best and the worst) or
            the "median".
        datum_ties: a datum half-way between two tens goes "away" from zero or to the "even" ten.
        cross_divisor: cross-IMPs are the sum of a score's IMPs divided by the number of "comparisons", the number of
            "scores" on the board, or not at all ("none").
    """

    method: Method | None = None
    field: Literal["section", "all"] = "section"
    winners: Literal["auto", 1, 2] = "auto"
    short_boards: Literal["neuberg", "own-top"] = "neuberg"
    average_plus: Literal["flat", "session"] = "flat"
    line_rounding: Literal["exact"] | float = "exact"
    datum: Literal["mean", "mean-2", "median"] | None = None
    datum_ties: Literal["away", "even"] = "away"
    cross_divisor: Literal["comparisons", "scores", "none"] | None = None

    @field_validator("line_rounding")
    @classmethod
    def _divides_one(cls, value: Literal["exact"] | float) -> Literal["exact"] | float:
        # Other steps would round the board's average, and N-S and E-W together would miss the top.
        if value != "exact" and not (0 < value <= 1 and Fraction(str(value)).numerator == 1):
            raise ValueError('expected "exact" or a step that divides 1, such as 0.1, 0.25, 0.5 or 1')
        return value

    @property
    def rounding_step(self) -> Fraction | None:
        """The step that lines are rounded to before they are added, exactly; None for no rounding."""
        return None if self.line_rounding == "exact" else Fraction(str(self.line_rounding))


class Club(_Table):
    """`[club]`: who publishes."""

    name: str | None = None


class Checks(_Table):
    """`[checks]`: which problems are told, and how severe they are, by their codes; `auction-*` stands for several.

    What names a loss, an error by itself, is told in any case: without it nobody would know what is left out.

    Attributes:
        only: when set, no other problems are told.
        silence: problems that are not told.
        severity: by code "error", "warning" or "info". An error makes the commands end with status 1.
    """

    only: list[str] | None = None
    silence: list[str] = Field(default_factory=list)
    severity: dict[str, Severity] = Field(default_factory=dict)

    @field_validator("only", "silence", "severity")
    @classmethod
    def _known(cls, value: list[str] | dict[str, Severity] | None) -> list[str] | dict[str, Severity] | None:
        for pattern in value or ():
            if not matching(pattern):
                raise ValueError(f"expected codes of problems; {pattern}: {_suggestion(pattern, list(CODES))}")
        return value

    @field_validator("silence", "severity")
    @classmethod
    def _no_loss(cls, value: list[str] | dict[str, Severity]) -> list[str] | dict[str, Severity]:
        for code in value:
            if code in CODES and CODES[code].severity == "error":
                raise ValueError(f"expected codes of warnings and notes; {code} tells of a loss and stays an error")
        return value


class Config(_Table):
    """The whole of `club.toml`."""

    club: Club = Field(default_factory=Club)
    scoring: Scoring = Field(default_factory=Scoring)
    checks: Checks = Field(default_factory=Checks)


def load_config(path: Path | None) -> Config:
    """Read `club.toml`; the defaults without a path.

    Raises:
        ConfigError: the file can't be opened, is no TOML, or holds a key or a value that is not known.
    """
    if path is None:
        return Config()
    try:
        data = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{path}: can't be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a TOML file: {error}") from error
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        raise ConfigError("\n".join(f"{path}: {line}" for line in _explain(error.errors(), data))) from error


def _explain(errors: list[ErrorDetails], data: dict[str, Any]) -> list[str]:
    """Say what is wrong, one line a key: a value of several allowed kinds fails each of them, and all are named."""
    lines: dict[tuple[str, ...], str] = {}
    for error in errors:
        keys = _keys(error["loc"], data)
        *tables, key = keys
        place = f"[{'.'.join(tables)}] {key}" if tables else key
        if error["type"] == "extra_forbidden":
            lines[keys] = f"{place}: unknown key; {_suggestion(key, _known_keys(tables))}"
        elif keys in lines:
            lines[keys] += f" or {_expected(error)}"
        else:
            value = json.dumps(error["input"], ensure_ascii=False, default=str)
            lines[keys] = f"{place} = {value}: expected {_expected(error)}"
    return list(lines.values())


def _keys(location: tuple[int | str, ...], data: dict[str, Any]) -> tuple[str, ...]:
    """Keep what are keys in the file; pydantic appends which kind of value it tried."""
    keys: list[str] = []
    node: Any = data
    for part in map(str, location):
        if not isinstance(node, dict) or part not in node:
            break
        keys.append(part)
        node = node[part]
    return tuple(keys)


def _known_keys(tables: list[str]) -> list[str]:
    model: Any = Config
    for table in tables:
        model = model.model_fields[table].annotation
    return list(model.model_fields)


def _suggestion(key: str, known: list[str]) -> str:
    plain = {name.replace("-", "_"): name for name in known}
    near = get_close_matches(key.lower().replace("-", "_"), plain, n=1)
    if near:
        return f"did you mean {plain[near[0]]}?"
    return f"known here: {', '.join(known)}" if len(known) <= _FEW else "no such name is known"


def _expected(error: ErrorDetails) -> str:
    if error["type"] == "value_error":
        return str(error["ctx"]["error"]).removeprefix("expected ")
    return _KINDS.get(error["type"], error["msg"].removeprefix("Input should be "))
