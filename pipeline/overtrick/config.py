"""The club's settings, `club.toml`: typed, with errors that name the key, the value and what was expected."""

import json
import re
import tomllib
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails

from overtrick.bridge.methods import Method
from overtrick.bridge.victory_points import ScaleName
from overtrick.config_site import Privacy, Site
from overtrick.decisions import Adjustment, CarryOver, Handicap, HouseScale, Penalty, Table, TieBreak, TieRule
from overtrick.problems import CODES, matching
from overtrick.problems.code import Severity

_KINDS: Final = {
    "model_type": "a table with keys below it",
    "string_type": "a text in quotes",
    "float_type": "a number",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "string_pattern_mismatch": "another form of text",
}
"""What pydantic's kinds of value are called in an answer to a club."""


_PASSWORD: Final = re.compile(r"(//[^/@:\s]*:)[^/\s]*@")
"""A password in an address; what an answer shows of it is its place."""

_FEW: Final = 20
"""As many names as an answer lists."""


class ConfigError(Exception):
    """`club.toml` can't be used; the message says which keys and why, one a line."""


class Scoring(Table):
    """`[scoring]`: how a session is scored. What is not set follows the file, else the most common rule.

    Attributes:
        method: the way of comparing; not set, what the file's `[Scoring]` asks for, else matchpoints.
        field: results are compared within a "section", or across "all" of them.
        winners: how many rankings: 1, 2 (N-S and E-W), or "auto": 2 where nobody sat both ways.
        short_boards: a board with fewer results than the rest: matchpoints brought to the common top by the "neuberg"
            formula, or left on its "own-top"; not set, Neuberg, but of LIN files the own top, as on their site.
        sessions: results of several files are compared with one another, "together", or each file is a session of its
            own, "by-file", and their totals are added.
        fouled_groups: tables that played a fouled board in one form: matchpointed by the "neuberg" formula however
            few, or by percentages around 60 where they are at most three and a third of the field ("white-book") or at
            most three and fewer than others ("acbl").
        matchpoint_unit: matchpoints are shown as 2 a pair beaten and 1 a tie, "2-1", or as 1 and a half, "1-half".
        sit_outs: a contestant that played fewer boards than others keeps its total "as-earned", has it brought to the
            most boards that anybody played ("prorate"), or is ranked by the "mean" of a board. Matchpoints are ranked
            by percentage in any case.
        average_plus: "flat" 60 and 40 % of the top, or the pair's "session" percentage where that is more than 60 or
            less than 40 (Law 12C2c). Matchpoints only.
        line_rounding: "exact", or the step that each line's matchpoints are rounded to before they are added.
        datum: what Butler compares with: the "mean" of the board's scores, "mean-2" (without the best and the worst) or
            the "median".
        datum_ties: a datum half-way between two tens goes "away" from zero or to the "even" ten.
        cross_divisor: cross-IMPs are the sum of a score's IMPs divided by the number of "comparisons", the number of
            "scores" on the board, or not at all ("none").
        team_points: what a match is counted in before victory points: "imps", or "total-points".
        vp_scale: the scale that turns a match at teams into victory points: "wbf", "wbf-discrete", "acbl-20",
            "acbl-30", or "house" with its bands in `house_scale`; not set, matches stay in IMPs.
        vp_boards: boards of a match for that scale; not set, those of the longest match of the session.
        house_scale: `[scoring.house_scale]`, the club's own.
        honours: at rubber-type games those that the file says were "claimed", those that one hand "held" where the deal
            is known (and claimed ones), or "none".
        adjustments: scores that the Director gives, each an `Adjustment`.
        penalties: what contestants lose, each a `Penalty`.
        handicaps: each a `Handicap`; there are then rankings with and without.
        carry_overs: what contestants bring from an earlier stage, each a `CarryOver`.
        tie_breaks: rules that decide between contestants with the same total, tried in order; when one parts some of
            them, those still tied begin at the first again. Nothing set, places are shared. Rules for all contestants:

            - "who-beat-who": results against each other, if all of the tied have met
            - "rematchpoint": three or more pairs are matchpointed against one another only
            - "extra-hands" and "lot": two tied stay so until they have played, or all until lots are drawn

            and for teams:

            - "opponents": totals of the opponents met (Swiss events)
            - "imps": IMPs of all matches
            - "imp-quotient": IMPs won by IMPs lost, board by board
            - "boards-won": boards won against boards lost
        chicago_vulnerable: who is vulnerable on the second and third deal, the "dealer" or the "opponents".
    """

    method: Method | None = None
    field: Literal["section", "all"] = "section"
    winners: Literal["auto", 1, 2] = "auto"
    short_boards: Literal["neuberg", "own-top"] = "neuberg"
    sessions: Literal["together", "by-file"] = "together"
    fouled_groups: Literal["neuberg", "white-book", "acbl"] = "neuberg"
    matchpoint_unit: Literal["2-1", "1-half"] = "2-1"
    sit_outs: Literal["as-earned", "prorate", "mean"] = "as-earned"
    average_plus: Literal["flat", "session"] = "flat"
    line_rounding: Literal["exact"] | float = "exact"
    datum: Literal["mean", "mean-2", "median"] | None = None
    datum_ties: Literal["away", "even"] = "away"
    cross_divisor: Literal["comparisons", "scores", "none"] | None = None
    team_points: Literal["imps", "total-points"] = "imps"
    vp_scale: ScaleName | Literal["house"] | None = None
    vp_boards: int | None = Field(default=None, ge=1, le=1000)
    house_scale: HouseScale | None = None
    honours: Literal["claimed", "held", "none"] = "claimed"
    chicago_vulnerable: Literal["dealer", "opponents"] = "dealer"
    adjustments: list[Adjustment] = Field(default_factory=list)
    penalties: list[Penalty] = Field(default_factory=list)
    tie_breaks: list[TieRule | TieBreak] = Field(default_factory=list)
    handicaps: list[Handicap] = Field(default_factory=list)
    carry_overs: list[CarryOver] = Field(default_factory=list)

    @field_validator("line_rounding")
    @classmethod
    def _divides_one(cls, value: Literal["exact"] | float) -> Literal["exact"] | float:
        # Other steps would round the board's average, and N-S and E-W together would miss the top.
        if value != "exact" and not (0 < value <= 1 and Fraction(str(value)).numerator == 1):
            raise ValueError('expected "exact" or a step that divides 1, such as 0.1, 0.25, 0.5 or 1')
        return value

    @model_validator(mode="after")
    def _house_scale_given(self) -> Self:
        if self.vp_scale == "house" and self.house_scale is None:
            raise ValueError('vp_scale = "house" needs the bands of [scoring.house_scale]')
        return self

    @property
    def rounding_step(self) -> Fraction | None:
        """The step that lines are rounded to before they are added, exactly; None for no rounding."""
        return None if self.line_rounding == "exact" else Fraction(str(self.line_rounding))

    @property
    def tie_chain(self) -> list[TieBreak]:
        """The rules of `tie_breaks` with the sizes of tie that they are for."""
        sizes = {"rematchpoint": {"at_least": 3}, "extra-hands": {"at_most": 2}}
        return [
            TieBreak.model_validate({"rule": step, **sizes.get(step, {})}) if isinstance(step, str) else step
            for step in self.tie_breaks
        ]


class Club(Table):
    """`[club]`: who publishes."""

    name: str | None = None


class Checks(Table):
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
            if code in CODES and CODES[code].is_loss:
                raise ValueError(
                    f"expected codes of problems that lose nothing; {code} tells of a loss and stays an error"
                )
        return value


class Publishing(Table):
    """`[publish]`: where the club's website is.

    Attributes:
        target: a path, or a file:, ftp:, ftps:, sftp: or s3: URL, without a password.
    """

    target: str | None = None

    @field_validator("target")
    @classmethod
    def _no_password(cls, value: str | None) -> str | None:
        if value and _PASSWORD.search(value):
            raise ValueError("expected an address without a password; set OVERTRICK_PASSWORD or use the keyring")
        return value


class Arriving(Table):
    """`[inbox]`: how `overtrick watch` takes files.

    Attributes:
        settle: seconds without a change that make a file complete.
        patience: seconds that results wait for the file of their deals.
    """

    settle: int | float = Field(default=3, ge=0, le=3600)
    patience: int | float = Field(default=60, ge=0, le=86_400)


class Config(Table):
    """The whole of `club.toml`."""

    club: Club = Field(default_factory=Club)
    scoring: Scoring = Field(default_factory=Scoring)
    checks: Checks = Field(default_factory=Checks)
    publish: Publishing = Field(default_factory=Publishing)
    inbox: Arriving = Field(default_factory=Arriving)
    site: Site = Field(default_factory=Site)
    privacy: Privacy = Field(default_factory=Privacy)


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
        *tables, key = keys or ("club.toml",)
        place = f"[{'.'.join(tables)}] {key}" if tables else key
        if error["type"] == "extra_forbidden":
            lines[keys] = f"{place}: unknown key; {_suggestion(key, _known_keys(tables))}"
        elif error["type"] == "missing":
            lines[(*keys, str(error["loc"][-1]))] = f"[{'.'.join(keys)}] {error['loc'][-1]}: missing"
        elif keys in lines:
            lines[keys] += f" or {_expected(error)}"
        else:
            value = json.dumps(error["input"], ensure_ascii=False, default=str)
            value = _PASSWORD.sub(r"\1***@", value)
            lines[keys] = f"{place} = {value}: expected {_expected(error)}"
    return list(lines.values())


def _keys(location: tuple[int | str, ...], data: dict[str, Any]) -> tuple[str, ...]:
    """Keep what are keys in the file, tables of a list by their number from 1; pydantic appends what kind it tried."""
    keys: list[str] = []
    node: Any = data
    for part in location:
        if isinstance(node, dict) and str(part) in node:
            keys.append(str(part))
            node = node[str(part)]
        elif isinstance(node, list) and isinstance(part, int):
            keys.append(str(part + 1))
            node = node[part]
        else:
            break
    return tuple(keys)


def _known_keys(tables: list[str]) -> list[str]:
    model: Any = Config
    for table in tables:
        if not table.isdecimal():
            model = _table(model.model_fields[table].annotation)
    return list(model.model_fields)


def _table(annotation: Any) -> Any:  # noqa: ANN401 - an annotation is of any type
    """Find the kind of table in the annotation of a key: a table, a list of tables, or either or nothing."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _table(part))), None)


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
