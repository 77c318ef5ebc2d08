"""The club's settings: the tables of `club.toml`, typed, and how it is read.

Errors give the line, the key, the value and what was expected.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, model_validator

from overtrick.core.bridge.methods import MethodName
from overtrick.core.config.errors import explain_errors, explain_refusal
from overtrick.core.config.file import ConfigError, SettingsFile, Table, read_file
from overtrick.core.config.members import MEMBERS_FILE, Member, read_members
from overtrick.core.config.movement import Movement
from overtrick.core.config.scoring import OF_ONE_EVENING, Datum, Scoring
from overtrick.core.config.series import Award, Series
from overtrick.core.config.site import Deliver, Privacy, Site, no_password
from overtrick.core.problems import CODES, Kind, Severity, match_codes
from overtrick.core.words import Club as ClubWords
from overtrick.core.words import DayOrder, plain

ColumnName = Literal[
    "", "board", "ns", "ew", "dealer", "honours_ns", "honours_ew", "conduct_ns", "conduct_ew", "section", "round",
    "table", "vulnerable", "contract", "declarer", "tricks", "lead", "score_ns", "score_ew", "team_ns", "team_ew",
    "player_n", "player_e", "player_s", "player_w", "listed_ns", "listed_ew", "award_ns", "award_ew", "points_ns",
    "points_ew", "datum", "names_ns", "names_ew", "name_n", "name_e", "name_s", "name_w", "event", "site", "date",
    "scoring",
]  # fmt: skip


class Tables(Table):
    """`[tables]`: how overtrick reads tables and spreadsheets that people type.

    Attributes:
        columns: by the header of a column, the name of what it holds (docs/tables.md), or "" to leave the column out.
        dates: what comes first in dates such as 1/3/2026, where neither their file nor its folder shows it: "day-first"
            or "month-first".
    """

    columns: dict[str, ColumnName] = Field(default_factory=dict)
    dates: DayOrder | None = None


Language = Literal["english", "french", "german", "dutch", "polish", "swedish", "spanish"]


class Dialect(Table):
    """`[dialect]`: words for the game, beside those that overtrick knows (`grammars/words.toml`).

    Each key lists words by what they mean: `strain = { NT = ["SA"], S = ["P"] }`. Capitals and accents do not count.

    Attributes:
        language: the language of files that leave it open: whether `4C` is 4 hearts, as in French, or 4 clubs.
        strain: words for suits and notrump.
        rank: words for the ranks of cards.
        seat: words for the seats.
        call: words for Pass, X and XX.
        vulnerability: words for the sides that are vulnerable.
    """

    language: Language | None = None
    strain: dict[Literal["C", "D", "H", "S", "NT"], list[str]] = Field(default_factory=dict)
    rank: dict[Literal["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"], list[str]] = Field(
        default_factory=dict
    )
    seat: dict[Literal["N", "E", "S", "W"], list[str]] = Field(default_factory=dict)
    call: dict[Literal["Pass", "X", "XX"], list[str]] = Field(default_factory=dict)
    vulnerability: dict[Literal["None", "NS", "EW", "All"], list[str]] = Field(default_factory=dict)

    def words(self) -> Iterator[tuple[str, str, str]]:
        """Yield kind, word and meaning of each word."""
        for kind in ("strain", "rank", "seat", "call", "vulnerability"):
            for meaning, listed in getattr(self, kind).items():
                yield from ((kind, word, meaning) for word in listed)

    @model_validator(mode="after")
    def _claimed_once(self) -> Self:
        claimed: dict[tuple[str, str], str] = {}
        for kind, word, meaning in self.words():
            if not plain(word):
                raise ValueError(f"expected words in {kind}.{meaning}, got an empty one")
            other = claimed.setdefault((kind, plain(word)), meaning)
            if other != meaning:
                raise ValueError(f"expected one meaning for the word {word!r}, got {kind}.{other} and {kind}.{meaning}")
        return self


__all__ = ["Checks", "Club", "Config", "ConfigError", "Datum", "Movement", "Publishing", "Scoring"]

_DIALECTS: Final = {"fr": "french", "pl": "polish"}
"""By language of the pages, the dialect of the game."""


class Club(Table):
    """`[club]`: who publishes the results.

    Attributes:
        name: the club's name.
    """

    name: str | None = None


def _known_code(pattern: str) -> str:
    if not match_codes(pattern):
        from overtrick.core.config.errors import suggest  # noqa: PLC0415 - as in `load_config`

        raise ValueError(f"expected a problem code; {suggest(pattern, list(CODES))}")
    return pattern


def _not_a_loss(pattern: str) -> str:
    if pattern in CODES and CODES[pattern].is_loss:
        raise ValueError("this problem reports lost data and is always an error")
    return pattern


_Code = Annotated[str, AfterValidator(_known_code)]
_CodeButLoss = Annotated[_Code, AfterValidator(_not_a_loss)]


class Checks(Table):
    """`[checks]`: which problems overtrick reports, and how severe they are. `auction-*` means several codes.

    Problems that report lost data are always errors, whatever these keys say: otherwise nobody would know what is
    missing.

    Attributes:
        only: report only these codes.
        silence: don't report these codes.
        severity: by code "error", "warning" or "info". With an error, commands end with exit status 1.
        kind: what the files are. Without it, overtrick finds out: results of several tables make a session, deals
            without results are practice deals or a lesson.
    """

    kind: Kind | None = None
    only: list[_Code] | None = None
    silence: list[_CodeButLoss] = Field(default_factory=list)
    severity: dict[_CodeButLoss, Severity] = Field(default_factory=dict)


class Publishing(Table):
    """`[publish]`: where the club's website is.

    Attributes:
        target: a path, or a file:, ftp:, ftps:, sftp: or s3: URL, without a password.
    """

    target: Annotated[str, AfterValidator(partial(no_password, "OVERTRICK_PASSWORD"))] | None = None


class Arriving(Table):
    """`[inbox]`: how `overtrick watch` takes files.

    Attributes:
        settle: a file is complete when it has not changed for this many seconds.
        patience: results wait this many seconds for the file with their deals.
    """

    settle: int | float = Field(default=3, ge=0, le=3600)
    patience: int | float = Field(default=60, ge=0, le=86_400)


def _as_list(movement: object) -> object:
    return [movement] if isinstance(movement, dict) else movement


class People(Table):
    """`[people]`: the club's members.

    Attributes:
        members: the list of members, relative to `club.toml`. Left out: `members.csv` beside `club.toml`, if there is
            one.
        strata: the grades of `members.csv` that rank separately, the strongest first, for example `["A", "B", "C"]`. A
            pair belongs to the grade of its stronger player.
        strata_include: what the ranking of a grade holds: its own contestants ("own"), or those of weaker grades too
            ("weaker").
    """

    members: str | None = None
    strata: list[str] = Field(default_factory=list)
    strata_include: Literal["own", "weaker"] = "own"
    _register: tuple[Member, ...] = ()

    @property
    def register(self) -> tuple[Member, ...]:
        """The members in the file."""
        return self._register

    def with_members(self, members: tuple[Member, ...]) -> "People":
        """Return the table with the members of its file."""
        people = self.model_copy()
        people._register = members  # noqa: SLF001 - its own
        return people


class Config(Table):
    """All of `club.toml`."""

    club: Club = Field(default_factory=Club)
    scoring: Scoring = Field(default_factory=Scoring)
    checks: Checks = Field(default_factory=Checks)
    publish: Publishing = Field(default_factory=Publishing)
    deliver: Deliver = Field(default_factory=Deliver)
    inbox: Arriving = Field(default_factory=Arriving)
    tables: Tables = Field(default_factory=Tables)
    dialect: Dialect = Field(default_factory=Dialect)
    site: Site = Field(default_factory=Site)
    privacy: Privacy = Field(default_factory=Privacy)
    movement: Annotated[list[Movement], BeforeValidator(_as_list)] = Field(default_factory=list)
    people: People = Field(default_factory=People)
    series: list[Series] = Field(default_factory=list)
    awards: list[Award] = Field(default_factory=list)

    def with_method(self, method: MethodName) -> "Config":
        """Return the settings with another scoring method."""
        return self.model_copy(update={"scoring": self.scoring.model_copy(update={"method": method})})

    def words(self) -> ClubWords:
        """Return the club's own words, the headers of columns among them."""
        headers = (("column", header, name) for header, name in self.tables.columns.items())
        pages = _DIALECTS.get(self.site.language)
        return ClubWords(self.dialect.language, (*self.dialect.words(), *headers), self.tables.dates, pages)


def load_config(path: Path | None) -> Config:
    """Read `club.toml`. Without a path, return the defaults.

    Raises:
        ConfigError: the file can't be opened, is not TOML, or has an unknown key or a wrong value.
    """
    return Config() if path is None else parse_config(read_file(path))


def parse_config(file: SettingsFile) -> Config:
    """Read the text of a `club.toml`, which need not be written yet.

    Raises:
        ConfigError: as for `load_config`.
    """
    scoring = file.data.get("scoring")
    for key in OF_ONE_EVENING:
        if isinstance(scoring, dict) and key in scoring:
            reason = "club.toml is for all evenings; write it in the evening's corrections file (docs/corrections.md)"
            raise ConfigError(explain_refusal(reason, ("scoring", key), file))
    try:
        config = Config.model_validate(file.data)
    except ValidationError as error:
        # Without the cause, whose text holds the values: one of them may be a password.
        raise ConfigError(explain_errors(error, Config, file)) from None
    return _find_files(config, file)


def _find_files(config: Config, file: SettingsFile) -> Config:
    """Find the members, the logo, the templates and the tables of movements: paths are relative to `club.toml`."""
    movements = [_read_movement(file, movement, number) for number, movement in enumerate(config.movement, 1)]
    config = config.model_copy(update={"movement": movements, "people": _find_members(config.people, file.path.parent)})
    found = {}
    for key, kind in (("templates", "folder"), ("logo", "file")):
        stated = getattr(config.site, key)
        if stated is None:
            continue
        path = file.path.parent / stated
        if not (path.is_dir() if kind == "folder" else path.is_file()):
            raise ConfigError(explain_refusal(f"the {kind} {path} does not exist", ("site", key), file))
        found[key] = str(path)
    return config.model_copy(update={"site": config.site.model_copy(update=found)}) if found else config


def _find_members(people: People, folder: Path) -> People:
    """Read the list of members: the one that is named, else the one beside `club.toml`."""
    path = folder / (people.members or MEMBERS_FILE)
    return people.with_members(read_members(path)) if people.members or path.is_file() else people


def _read_movement(file: SettingsFile, movement: Movement, number: int) -> Movement:
    keys = ("movement", number, "file") if isinstance(file.data["movement"], list) else ("movement", "file")
    try:
        return movement.read_table(file.path.parent)
    except OSError as error:
        raise ConfigError(explain_refusal(f"{movement.file} can't be read: {error.strerror}", keys, file)) from error
    except ValueError as error:
        raise ConfigError(explain_refusal(f"{movement.file}: {error}", keys, file)) from error
