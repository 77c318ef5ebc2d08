"""The corrections of one evening, `NAME.corrections.toml`: typed entries in their order, each with its place."""

import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, model_validator

from overtrick.core.bridge.methods import MethodName
from overtrick.core.config.file import ConfigError, Place, SettingsFile, Table, read_file
from overtrick.core.config.scoring import EarlierStage, Outcome, Split
from overtrick.core.notation import count_tricks, is_number, read_result
from overtrick.core.problems import Finding
from overtrick.core.words import ENGLISH, Dialect, club_dialect, current_club

Kind = Literal[
    "result", "swap", "other_pair", "add", "delete", "not_played", "award", "split", "weighted", "assigned", "fouled",
    "penalty", "carry_over", "handicap", "name", "player", "substitute", "title", "date", "club", "method", "cards",
    "tie",
]  # fmt: skip
"""The kinds of entry, named after their keys; `result` sets one or more of `RESULT_KEYS`."""

RESULT_KEYS: Final = ("contract", "by", "tricks", "lead", "score")
ADJUSTED: Final = ("award", "split", "weighted", "assigned")
_SELECTORS: Final = ("board", "section", "round", "table", "pair", "direction")

OF_A_RESULT: Final = ("result", "swap", "other_pair", "delete", "not_played", *ADJUSTED)
"""Kinds that name one result."""
_OF_A_CONTESTANT: Final = ("penalty", "carry_over", "handicap", "name")
_MAY_NAME: Final = {
    **dict.fromkeys((*OF_A_RESULT, "add"), _SELECTORS),
    **dict.fromkeys(_OF_A_CONTESTANT, ("pair", "section", "direction")),
    **dict.fromkeys(("player", "substitute"), ("pair", "section", "direction")),
    **dict.fromkeys(("fouled", "cards"), ("board", "section")),
    "tie": ("section", "direction"),
}
"""By kind, the keys that may say what is corrected; the whole session for all other kinds."""

_A_RESULT: Final = (("board pair", "board table"), "one result: board and pair, or board, round and table")
_NEEDS: Final[Mapping[str, Sequence[tuple[Sequence[str], str]]]] = {
    **dict.fromkeys(OF_A_RESULT, (_A_RESULT,)),
    "other_pair": (_A_RESULT, (("pair",), "pair, the contestant that it replaces")),
    **dict.fromkeys(("fouled", "cards"), ((("board",), "board"),)),
    **dict.fromkeys(_OF_A_CONTESTANT, ((("pair",), "pair"),)),
    "add": (
        (
            ("board pair other_pair", "board players"),
            "board, pair (N-S) and other_pair (E-W), or in an individual board and players",
        ),
        (("contract", "score", *ADJUSTED), "contract with by and tricks, or score, or an adjusted score"),
    ),
}
"""By kind, what an entry needs: the keys of one of these groups, and the words for them."""

_LAWS: Final = {
    **dict.fromkeys(("result", "swap", "other_pair", "add", "delete", "not_played"), "79C"),
    **dict.fromkeys(ADJUSTED, "12"),
    "fouled": "87",
}

_Read = TypeVar("_Read")

_CONTRACT: Final = re.compile(r"\s*(?:[1-7]\s*(?:NT|[CDHSN])\s*X{0,2}|PASS)\s*", re.IGNORECASE)
_AWARD: Final = re.compile(r"A[+-]?|(?:100|[0-9]{1,2}(?:\.[0-9]{1,6})?)%")
_TRICKS: Final = re.compile(r"=|[+-]?[0-9]{1,2}")
_DATE: Final = re.compile(r"([0-9]{4})[-.]([0-9][0-9])[-.]([0-9][0-9])")
_AT: Final = re.compile(r":([0-9]+):([0-9]+): (.*)", re.DOTALL)


def _text(value: object) -> object:
    """Let a scorer write a number without quotes: `pair = 3`."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _in_file(read: Callable[[Dialect], _Read | None]) -> _Read | None:
    """Read a value of a corrections file: in English, as overtrick writes it, else in the club's language."""
    return read(ENGLISH) or read(club_dialect(current_club()))


def _card(value: object) -> object:
    if not isinstance(value, str):
        return value
    card = _in_file(lambda dialect: dialect.read("card", value))
    if not card:
        raise ValueError("expected a card, suit first, such as DK or H10")
    return card


def _seat(value: object) -> object:
    if not isinstance(value, str):
        return value
    return _in_file(lambda dialect: dialect.read("seat", value)) or value.upper()


def _split_result(values: dict[str, Any]) -> dict[str, Any]:
    """Return the keys of an entry with contract, by, tricks and lead apart: `4S+1 N` says three of them.

    Raises:
        ValueError: two keys differ, or the contract can't have these tricks.
    """
    text = values.get("contract")
    found = _in_file(lambda dialect: read_result(text, dialect)) if isinstance(text, str) else None
    said = dict(zip(("contract", "by", "tricks", "lead"), found or (), strict=False))
    for key, part in list(said.items())[1:]:
        if part and key in values and str(values[key]).upper() != part:
            raise ValueError(f"contract = {text!r} says {part} too; leave {key} out, or the same in contract")
    values = values | {key: part for key, part in said.items() if part}
    tricks, contract = values.get("tricks"), str(values.get("contract"))
    if not isinstance(tricks, str):
        return values
    if not is_number(contract[:1]) and not is_number(tricks):
        raise ValueError(f"tricks = {tricks!r} counts from a contract; set contract too, or 0 to 13 tricks")
    if not _TRICKS.fullmatch(tricks):
        raise ValueError(f"expected 0 to 13 tricks, or =, +1, -1 beside a contract, got {tricks!r}")
    return values | {"tricks": int(tricks) if is_number(tricks) else count_tricks(contract, tricks)}


def _contract(value: str) -> str:
    if not _CONTRACT.fullmatch(value):
        raise ValueError("expected a contract such as 4S, 3NTX or Pass: a level from 1 to 7 and C, D, H, S or NT")
    return value


def _awards(value: list[str]) -> list[str]:
    if not all(_AWARD.fullmatch(each) for each in value):
        raise ValueError('expected A+, A, A- or a percentage such as "60%", for N-S and for E-W')
    return value


def _date(value: dt.date | str) -> dt.date | str:
    if isinstance(value, str) and not _DATE.fullmatch(value):
        raise ValueError("expected a day such as 2026-03-07")
    return value


Text = Annotated[str, BeforeValidator(_text), Field(min_length=1)]
Card = Annotated[str, BeforeValidator(_card)]
_Points = Annotated[int, Field(ge=-10_000, le=10_000)]


class Fine(Table):
    """`penalty` of an entry: what the contestant loses.

    Attributes:
        amount: how much.
        unit: "points" of the total (matchpoints at 2 per pair beaten, IMPs or victory points), parts of a board's
            "top", or "percent" of the contestant's session.
        law: "90" for a procedural penalty, "91" for a disciplinary one.
    """

    amount: int | float = Field(gt=0)
    unit: Literal["points", "top", "percent"] = "points"
    law: Literal["90", "91"] = "90"


class Carried(EarlierStage):
    """`carry_over` of an entry: what the contestant brings from an earlier stage: `points`, or `score` and `top`.

    Attributes:
        points: points to add to the total.
        score: the score of the earlier stage.
        top: the top of the earlier stage.
    """


class Renamed(Table):
    """`player` of an entry: a player's name, wherever it is written.

    Attributes:
        from: the name in the file.
        to: the right name.
    """

    before: str = Field(alias="from", min_length=1)
    to: str = Field(min_length=1)


class Substitute(Table):
    """`substitute` of an entry: who played in whose place.

    Attributes:
        for: the player in the file.
        player: the substitute.
        boards: the boards that the substitute played; left out, all of them.
    """

    absent: str = Field(alias="for", min_length=1)
    player: str = Field(min_length=1)
    boards: list[int] | None = Field(default=None, min_length=1)


class Decided(Table):
    """`tie` of an entry: who won a tie, and how it was decided.

    Attributes:
        winner: the contestant that is first among those tied.
        by: "lot", or "extra-hands".
        score: the score of the extra boards.
    """

    winner: Text
    by: Literal["lot", "extra-hands"] = "lot"
    score: str | None = None

    @model_validator(mode="after")
    def _score_of_boards(self) -> Self:
        if self.score is not None and self.by != "extra-hands":
            raise ValueError('a score goes with by = "extra-hands"')
        return self


class Entry(Table):
    """`[[corrections]]`: one correction or ruling, with the reason.

    The first six keys name a result, a contestant or nothing (the whole session). Of the others, an entry has one, but
    `contract`, `by`, `tricks`, `lead` and `score` go together, and `add` takes them, or an adjusted score, with it.

    Attributes:
        board: the board number.
        section: the section, as in the results.
        round: the round, as in the results.
        table: the table, as in the results.
        pair: a contestant's number or name, as in the results.
        direction: "NS" or "EW": the side on which `pair` sat, if another contestant has the same number.
        contract: the contract: "4S", "3NTX", "Pass"; or the whole result, "4S+1 N".
        by: the declarer: "N", "E", "S" or "W".
        tricks: the tricks that declarer won, 0 to 13; or "=", "+1", "-1" beside a contract.
        lead: the opening lead, suit first: "DK".
        score: points for N-S, if they are not those of the contract.
        swap: the two pairs sat the other way: N-S and E-W change places.
        other_pair: the contestant that played in place of `pair`; with `add`, the E-W contestant.
        add: a result that the file lacks. `pair` sat N-S and `other_pair` E-W.
        players: with `add` in an individual: the players N, E, S, W.
        delete: remove the result.
        not_played: the table did not play the board.
        award: an artificial score for N-S and for E-W: ["A+", "A-"] or ["60%", "60%"].
        split: a score for each side, each from its own point of view.
        weighted: outcomes with their weights.
        assigned: an assigned score, points for N-S.
        fouled: the N-S contestants that played the board in another form.
        penalty: what the contestant loses.
        carry_over: what the contestant brings from an earlier stage.
        handicap: percent at matchpoints, otherwise points.
        name: the names of the pair: "Ann Ash - Bob Birch".
        player: a player's name, wherever it is written.
        substitute: who played in whose place.
        title: the name of the event.
        date: the day, as in 2026-03-07.
        club: the club or place that the file states.
        method: the scoring method.
        cards: two cards of the board that change places: ["SA", "H2"].
        tie: who won a tie.
        why: the reason. It is published.
        who: who decided or corrected.
        when: the time.
        taken_back: the time at which the entry was taken back: it stays on record and does not count.
    """

    board: int | None = Field(default=None, ge=1, le=999_999_999)
    section: Text | None = None
    round: Text | None = None
    table: Text | None = None
    pair: Text | None = None
    direction: Literal["NS", "EW"] | None = None
    contract: Annotated[str, AfterValidator(_contract)] | None = None
    by: Annotated[Literal["N", "E", "S", "W"], BeforeValidator(_seat)] | None = None
    tricks: int | None = Field(default=None, ge=0, le=13)
    lead: Card | None = None
    score: _Points | None = None
    swap: Literal[True] | None = None
    other_pair: Text | None = None
    add: Literal[True] | None = None
    players: list[Text] | None = Field(default=None, min_length=4, max_length=4)
    delete: Literal[True] | None = None
    not_played: Literal[True] | None = None
    award: Annotated[list[str], Field(min_length=2, max_length=2), AfterValidator(_awards)] | None = None
    split: Split | None = None
    weighted: list[Outcome] | None = Field(default=None, min_length=2)
    assigned: _Points | None = None
    fouled: list[Text] | None = Field(default=None, min_length=1)
    penalty: Fine | None = None
    carry_over: Carried | None = None
    handicap: int | float | None = None
    name: str | None = Field(default=None, min_length=1)
    player: Renamed | None = None
    substitute: Substitute | None = None
    title: str | None = Field(default=None, min_length=1)
    date: Annotated[dt.date | str, AfterValidator(_date)] | None = None
    club: str | None = Field(default=None, min_length=1)
    method: MethodName | None = None
    cards: list[Card] | None = Field(default=None, min_length=2, max_length=2)
    tie: Decided | None = None
    why: str = Field(min_length=1)
    who: str | None = None
    when: dt.datetime | None = None
    taken_back: dt.datetime | None = None

    @model_validator(mode="before")
    @classmethod
    def _as_players_write(cls, values: object) -> object:
        return _split_result(values) if isinstance(values, dict) else values

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        said = self._said()
        if not said:
            raise ValueError(
                "expected one thing to correct, such as contract, swap, delete, award, penalty, name or title"
            )
        if len(said) > 1:
            raise ValueError(f"{said[0]} and {said[1]} can't be in one entry; write two entries")
        self._check_names(said[0])
        return self

    def _given(self, keys: Iterable[str]) -> list[str]:
        """Return those of some keys that the entry has."""
        return [key for key in keys if getattr(self, key) is not None]

    def _said(self) -> list[str]:
        """List what the entry says, one kind of correction each."""
        deeds = self._given(_DEEDS)
        if self.add:
            with_it = {"add", "players", "other_pair", *RESULT_KEYS, *self._given(ADJUSTED)[:1]}
            return ["add", *(key for key in deeds if key not in with_it)]
        # The keys of a result come first, and are one kind together.
        return list(dict.fromkeys("result" if key in RESULT_KEYS else key for key in deeds))

    def _check_names(self, kind: str) -> None:
        """Check that the entry names a result, a contestant or nothing, as its kind needs it."""
        surplus = [key for key in self._given(_SELECTORS) if key not in _MAY_NAME.get(kind, ())]
        if surplus:
            raise ValueError(f"{kind} can't have {surplus[0]}; leave {surplus[0]} out")
        if kind == "players":
            raise ValueError("players goes with add = true")
        for groups, words in _NEEDS.get(kind, ()):
            if not any(self._given(group.split()) == group.split() for group in groups):
                raise ValueError(f"{kind} needs {words}")

    @property
    def kind(self) -> Kind:
        """The kind of correction."""
        return self._said()[0]  # type: ignore[return-value]  # validated to be one of them

    @property
    def law(self) -> str | None:
        """The Law that it comes under: "79C" for a score entered wrongly; a ruling's otherwise; None for other data."""
        if self.penalty:
            return self.penalty.law
        if self.add and self._given(ADJUSTED):
            return "12"
        return _LAWS.get(self.kind)

    @property
    def day(self) -> str | None:
        """The corrected date as `YYYY.MM.DD`."""
        if isinstance(self.date, str):
            return self.date.replace("-", ".")
        return None if self.date is None else self.date.strftime("%Y.%m.%d")


_ABOUT: Final = ("why", "who", "when", "taken_back")
_DEEDS: Final = tuple(key for key in Entry.model_fields if key not in {*_SELECTORS, *_ABOUT})
"""The keys that say what is corrected."""


class CorrectionsFile(Table):
    """A corrections file."""

    corrections: list[Entry] = Field(default_factory=list)


@dataclass(frozen=True)
class PlacedEntry:
    """An entry with its place in its file.

    Attributes:
        entry: what it says.
        source: the file.
        number: its place among the entries of the file, from 1.
        file: the text of the file.
    """

    entry: Entry
    source: str
    number: int
    file: SettingsFile

    @property
    def line(self) -> int:
        """The line on which the entry begins."""
        return self.position()[0]

    def position(self, key: str | None = None) -> tuple[int, int]:
        """Return line and column of one of its keys; of the entry itself without a key, or where it lacks the key."""
        places = self.file.places
        place: Place = places.get(("corrections", self.number, key or ""), places["corrections", self.number])
        return self.file.position(place.key)


@dataclass(frozen=True)
class Corrections:
    """A corrections file as it was read.

    Attributes:
        source: the path as text.
        entries: those that can be understood, in their order.
        findings: the errors of the others, or of the file.
    """

    source: str
    entries: tuple[PlacedEntry, ...] = ()
    findings: tuple[Finding, ...] = ()


def load_corrections(path: Path, source: str) -> Corrections:
    """Read a corrections file. Whatever is wrong with it is a finding; nothing raises.

    Args:
        path: the file.
        source: its name for the frames.
    """
    try:
        return parse_corrections(read_file(path), source)
    except ConfigError as error:
        return Corrections(source, findings=(_unreadable(path, str(error)),))


def parse_corrections(file: SettingsFile, source: str) -> Corrections:
    """Read the text of a corrections file. Whatever is wrong with it is a finding; nothing raises."""
    from overtrick.core.config.errors import locate_errors  # noqa: PLC0415 - most files are right

    try:
        data = file.data
    except ConfigError as error:
        return Corrections(source, findings=(_unreadable(file.path, str(error)),))
    wrong: set[object] = set()
    findings: list[Finding] = []
    try:
        CorrectionsFile.model_validate(data)
    except ValidationError as error:
        locations = [detail["loc"] for detail in error.errors()]
        wrong = {location[1] for location in locations if location[0] == "corrections" and len(location) > 1}
        findings = [
            Finding("correction-invalid", line, column, values={"reason": reason})
            for line, column, reason in locate_errors(error, CorrectionsFile, file)
        ]
    return Corrections(source, tuple(_placed(data.get("corrections"), wrong, source, file)), tuple(findings))


def _placed(listed: object, wrong: set[object], source: str, file: SettingsFile) -> Iterator[PlacedEntry]:
    for number, values in enumerate(listed if isinstance(listed, list) else []):
        if number not in wrong:
            yield PlacedEntry(Entry.model_validate(values), source, number + 1, file)


def _unreadable(path: Path, message: str) -> Finding:
    reason = message.removeprefix(str(path))
    if at := _AT.fullmatch(reason):
        return Finding("correction-invalid", int(at[1]), int(at[2]), values={"reason": at[3]})
    return Finding("correction-invalid", 1, 1, values={"reason": reason.removeprefix(": ")})
