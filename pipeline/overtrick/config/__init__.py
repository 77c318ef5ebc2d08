"""The club's settings, `club.toml`: typed, with errors that name the key, the value and what was expected."""

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, field_validator, model_validator

from overtrick.bridge.methods import Method
from overtrick.bridge.victory_points import ScaleName
from overtrick.config.decisions import (
    Adjustment,
    CarryOver,
    Fouled,
    Handicap,
    HouseScale,
    Penalty,
    Table,
    TieBreak,
    TieRule,
    exact,
)
from overtrick.config.movement import Movement
from overtrick.config.site import Privacy, Site
from overtrick.problems import CODES, match_codes
from overtrick.problems.code import Severity

__all__ = ["Checks", "Club", "Config", "ConfigError", "Movement", "Publishing", "Scoring", "load_config"]

if TYPE_CHECKING:
    from overtrick.config.errors import Written

_PASSWORD: Final = re.compile(r"//[^/@:\s]*:[^/\s]*@")
"""In an address."""

Datum = Literal["mean", "mean-2", "mean-5%", "mean-scaled", "median", "stated"]
"""What Butler compares with; `Scoring.datum` says what each means."""


class ConfigError(Exception):
    """`club.toml` can't be used; the message says which keys and why, each with its place and a mark below it."""


class Scoring(Table):
    """`[scoring]`: how a session is scored. What is not set follows the file, else the most common rule.

    Attributes:
        method: the way of comparing; not set, what the file's `[Scoring]` asks for, else matchpoints.
        field: results are compared within a "section", or across "all" of them.
        winners: how many rankings: 1, 2 (N-S and E-W), or "auto": 2 where nobody sat both ways.
        short_boards: a board with fewer results than the rest: matchpoints brought to the common top by the "neuberg"
            formula, or left on its "own-top"; not set, Neuberg, but of LIN files the own top, as on their site.
        sessions: results of several files are compared with one another, "together", or each file is a session of its
            own, "by-file", and their totals are added; not set, by file where they state several events or days.
        fouled_groups: tables that played a fouled board in one form: matchpointed by the "neuberg" formula however
            few, or by percentages around 60 where they are at most three and a third of the field ("white-book") or at
            most three and fewer than others ("acbl").
        matchpoint_unit: matchpoints are shown as 2 a pair beaten and 1 a tie, "2-1", or as 1 and a half, "1-half".
        sit_outs: a contestant that played fewer boards than others keeps its total "as-earned", has it brought to the
            most boards that anybody played ("prorate"), or is ranked by the "mean" of a board. Matchpoints are ranked
            by percentage in any case.
        average_plus: "flat" 60 and 40 % of the top, or the pair's "session" percentage where that is more than 60 or
            less than 40 (Law 12C2c); awards of 60 and 40 % are these too. Matchpoints only.
        line_rounding: "exact", or the step that each line's matchpoints are rounded to before they are added.
        datum: what Butler compares with: the "mean" of the board's scores, "mean-2" (without the best and the worst),
            "mean-5%" (without that part at each end, in whole scores), "mean-scaled" (without one at each end, two from
            11 scores, three from 26, and one more for every 15), the "median", or the one "stated" by the file, as
            where experts set it beforehand.
        datum_rounding: a datum is rounded to a "ten" or, "none", not at all.
        datum_ties: a datum half-way between two tens goes "away" from zero, to the "even" ten or "up".
        cross_divisor: cross-IMPs are the sum of a score's IMPs divided by the number of "comparisons", the number of
            "scores" on the board, or not at all ("none").
        team_points: what a match is counted in before victory points: "imps", or "total-points".
        pair_rounds: what a pair earns in its rounds is "added", or each round is one of the "matches" of a Swiss event,
            in victory points. Matchpoints and IMPs.
        vp_scale: the scale that turns a match into victory points: "wbf", "wbf-discrete", "acbl-20", "acbl-30", or
            "house" with its bands in `house_scale`, by IMPs; "percent" by the percentage at matchpoints. Not set,
            matches at teams stay in IMPs, and those of pairs take "percent" or "wbf". The WBF's formula is taken for
            margins that are not whole IMPs, and rounded.
        vp_boards: boards of a match for that scale; not set, those of the longest match of the session.
        bye_points: victory points of a team or pair for each round in which others have a match and it has none; not
            set, none.
        house_scale: `[scoring.house_scale]`, the club's own.
        honours: at rubber-type games those that the file says were "claimed", those that one hand "held" where the deal
            is known (and claimed ones), or "none".
        fouled: tables that played a board in another form than the rest, each under `[[scoring.fouled]]`.
        adjustments: scores that the Director gives, each under `[[scoring.adjustments]]`.
        penalties: what contestants lose, each under `[[scoring.penalties]]`.
        handicaps: each under `[[scoring.handicaps]]`; there are then rankings with and without.
        carry_overs: what contestants bring from an earlier stage, each under `[[scoring.carry_overs]]`.
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
        passed_out: a deal that is passed out at Chicago or in a four-hand match is "redealt", or "counts" as one of the
            four.
    """

    method: Method | None = None
    field: Literal["section", "all"] = "section"
    winners: Literal["auto", 1, 2] = "auto"
    short_boards: Literal["neuberg", "own-top"] = "neuberg"
    sessions: Literal["together", "by-file"] | None = None
    fouled_groups: Literal["neuberg", "white-book", "acbl"] = "neuberg"
    matchpoint_unit: Literal["2-1", "1-half"] = "2-1"
    sit_outs: Literal["as-earned", "prorate", "mean"] = "as-earned"
    average_plus: Literal["flat", "session"] = "flat"
    line_rounding: Literal["exact"] | float = "exact"
    datum: Datum | None = None
    datum_rounding: Literal["ten", "none"] = "ten"
    datum_ties: Literal["away", "even", "up"] = "away"
    cross_divisor: Literal["comparisons", "scores", "none"] | None = None
    team_points: Literal["imps", "total-points"] = "imps"
    pair_rounds: Literal["added", "matches"] = "added"
    vp_scale: ScaleName | Literal["house"] | None = None
    vp_boards: int | None = Field(default=None, ge=1, le=1000)
    bye_points: int | float | None = Field(default=None, ge=0, le=100)
    house_scale: HouseScale | None = None
    honours: Literal["claimed", "held", "none"] = "claimed"
    chicago_vulnerable: Literal["dealer", "opponents"] = "dealer"
    passed_out: Literal["redealt", "counts"] = "redealt"
    fouled: list[Fouled] = Field(default=[])
    adjustments: list[Adjustment] = Field(default=[])
    penalties: list[Penalty] = Field(default=[])
    tie_breaks: list[TieRule | TieBreak] = Field(default=[])
    handicaps: list[Handicap] = Field(default=[])
    carry_overs: list[CarryOver] = Field(default=[])

    @field_validator("line_rounding")
    @classmethod
    def _divides_one(cls, value: Literal["exact"] | float) -> Literal["exact"] | float:
        # Other steps would round the board's average, and N-S and E-W together would miss the top.
        if value != "exact" and not (0 < value <= 1 and exact(value).numerator == 1):
            raise ValueError('expected "exact" or a step that divides 1, such as 0.1, 0.25, 0.5 or 1')
        return value

    @model_validator(mode="after")
    def _house_scale_given(self) -> Self:
        if self.vp_scale == "house" and self.house_scale is None:
            raise ValueError('vp_scale = "house" needs the bands of [scoring.house_scale]')
        return self

    @property
    def by_file(self) -> bool:
        """Whether each file is a session of its own."""
        return self.sessions == "by-file"

    @property
    def rounding_step(self) -> Fraction | None:
        """The step that lines are rounded to before they are added, exactly; None for no rounding."""
        return None if self.line_rounding == "exact" else exact(self.line_rounding)

    @property
    def tie_chain(self) -> list[TieBreak]:
        """The rules of `tie_breaks` with the sizes of tie that they are for."""
        sizes = {"rematchpoint": {"at_least": 3}, "extra-hands": {"at_most": 2}}
        return [
            TieBreak.model_validate({"rule": step, **sizes.get(step, {})}) if isinstance(step, str) else step
            for step in self.tie_breaks
        ]


class Club(Table):
    """`[club]`: who publishes.

    Attributes:
        name: the club's.
    """

    name: str | None = None


def _known(pattern: str) -> str:
    if not match_codes(pattern):
        from overtrick.config.errors import nearest  # noqa: PLC0415 - as in `load_config`

        raise ValueError(f"expected the code of a problem; {nearest(pattern, list(CODES))}")
    return pattern


def _no_loss(pattern: str) -> str:
    if pattern in CODES and CODES[pattern].is_loss:
        raise ValueError("this tells of a loss and stays an error")
    return pattern


_Code = Annotated[str, AfterValidator(_known)]
_NoLoss = Annotated[_Code, AfterValidator(_no_loss)]


class Checks(Table):
    """`[checks]`: which problems are told, and how severe they are, by their codes; `auction-*` stands for several.

    What names a loss, an error by itself, is told in any case: without it nobody would know what is left out.

    Attributes:
        only: when set, no other problems are told.
        silence: problems that are not told.
        severity: by code "error", "warning" or "info". An error makes the commands end with status 1.
    """

    only: list[_Code] | None = None
    silence: list[_NoLoss] = Field(default=[])
    severity: dict[_NoLoss, Severity] = Field(default={})


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


def _listed(movement: object) -> object:
    return [movement] if isinstance(movement, dict) else movement


class Config(Table):
    """The whole of `club.toml`."""

    club: Club = Field(default_factory=Club.model_construct)
    scoring: Scoring = Field(default_factory=Scoring.model_construct)
    checks: Checks = Field(default_factory=Checks.model_construct)
    publish: Publishing = Field(default_factory=Publishing.model_construct)
    inbox: Arriving = Field(default_factory=Arriving.model_construct)
    site: Site = Field(default_factory=Site.model_construct)
    privacy: Privacy = Field(default_factory=Privacy.model_construct)
    movement: Annotated[list[Movement], BeforeValidator(_listed)] = Field(default_factory=list)


def load_config(path: Path | None) -> Config:
    """Read `club.toml`; the defaults without a path.

    Raises:
        ConfigError: the file can't be opened, is no TOML, or holds a key or a value that is not known.
    """
    if path is None:
        return Config.model_construct()
    from overtrick.config.errors import explained, written  # noqa: PLC0415 - most runs read no club.toml

    file = written(path)
    try:
        return _beside(file, Config.model_validate(file.data))
    except ValidationError as error:
        # Not from it: what it holds may be a password.
        raise ConfigError(explained(error, Config, file)) from None


def _beside(file: "Written", config: Config) -> Config:
    """Take the folder of the club's templates, and tables of movements, from where `club.toml` is."""
    movements = [_movement_beside(file, movement, place) for place, movement in enumerate(config.movement, 1)]
    config = config.model_copy(update={"movement": movements})
    if config.site.templates is None:
        return config
    folder = file.path.parent / config.site.templates
    if not folder.is_dir():
        from overtrick.config.errors import refused  # noqa: PLC0415 - as in `load_config`

        raise ConfigError(refused(f"there is no such folder: {folder}", ("site", "templates"), file))
    return config.model_copy(update={"site": config.site.model_copy(update={"templates": str(folder)})})


def _movement_beside(file: "Written", movement: Movement, place: int) -> Movement:
    from overtrick.config.errors import refused  # noqa: PLC0415 - as in `load_config`

    keys = ("movement", place, "file") if isinstance(file.data["movement"], list) else ("movement", "file")
    try:
        return movement.beside(file.path.parent)
    except OSError as error:
        raise ConfigError(refused(f"{movement.file} can't be read: {error.strerror}", keys, file)) from error
    except ValueError as error:
        raise ConfigError(refused(f"{movement.file}: {error}", keys, file)) from error
