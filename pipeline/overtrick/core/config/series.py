"""`[[series]]` and `[[awards]]` of `club.toml`: competitions over many evenings, masterpoints."""

import datetime as dt
from typing import Literal, Self

from pydantic import Field, model_validator

from overtrick.core.config.file import Table
from overtrick.core.words import plain

Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
SeriesTie = Literal["head-to-head", "best-evening", "dropped", "evenings", "latest"]


class Award(Table):
    """`[[awards]]`: masterpoints by the club's own table. The first table of each colour that fits a ranking is used.

    Attributes:
        colour: the kind of points, for example "black" or "green".
        places: the points of each player by place, the first place first. Contestants that share places share the
            mean of their points.
        at_least: the smallest number of contestants in the ranking.
        at_most: the largest number of contestants in the ranking.
        boards: the smallest number of boards that the winner was scored on.
        title: a text that the title of the evening contains.
        kind: contestants that the table is for: "pairs", "players" (of an individual) or "teams".
        source: where the table comes from and since when it holds, for the page.
    """

    colour: str = "club"
    places: list[int | float] = Field(min_length=1)
    at_least: int = Field(default=1, ge=1)
    at_most: int | None = Field(default=None, ge=1)
    boards: int | None = Field(default=None, ge=1)
    title: str | None = None
    kind: Literal["pairs", "players", "teams"] | None = None
    source: str | None = None


class Series(Table):
    """`[[series]]`: a competition over many evenings, with a page of its own.

    An evening belongs to the series if all of `title`, `tag`, `weekday`, `since`, `until`, `clubs` and `evenings` that
    are given fit.

    Attributes:
        name: the name of the series.
        contestants: who is ranked: "players" or "pairs".
        title: a text that the title of the evening contains; case does not matter.
        tag: a text that the evening's folder contains, for example `spring` for `spring-3`.
        weekday: the day of the week.
        since: the first day, for example `2026-01-01`.
        until: the last day.
        clubs: the clubs whose evenings count. Left out: all.
        evenings: the folders of the evenings.
        of: the number of evenings in the series: later ones that fit don't count.
        scoring: the score of an evening: its "percentage", its total in "vps" or "imps", "points" by place, or a
            "ladder", on which those who played change rungs by their percentage.
        places: points by place, the first place first, for `scoring = "points"`. Those that share places share the
            mean of their points.
        best: the number of best scores that count. Left out: all. Set `minimum` too: without it, the mean of one good
            evening can lead.
        last: only this many of the latest evenings count. Left out: all.
        minimum: the evenings that a contestant must have played to be ranked.
        partners: the different partners that a player must have had to be ranked.
        pairs: the pairs that take part, as "Ada Quill - Ben Moss". Left out: all. When one of a pair plays with
            somebody else who is not in these pairs, that is a substitute, and the evening counts for the pair.
        substitutes: the evenings with a substitute that may count for a pair. Left out: all.
        substitute_most: the highest score of an evening with a substitute.
        handicap: add the handicap of `members.csv` to the score of each evening: a player's own, and of a pair the mean
            of both.
        members_only: rank members only; of a pair both.
        within_clubs: show a ranking within each club too, as in an event that several clubs play at once.
        tie_breaks: the rules that separate equal totals, in order:

            - "head-to-head": more evenings on which one was ahead of the other, for two contestants
            - "best-evening": the higher best score, then the next best
            - "dropped": the higher best score among those that don't count
            - "evenings": more evenings played
            - "latest": the higher score on the latest evening of the series
        start: the first order of a ladder, the top rung first. Left out: that of the first evening.
    """

    name: str = Field(min_length=1)
    contestants: Literal["players", "pairs"] = "players"
    title: str | None = None
    tag: str | None = None
    weekday: Weekday | None = None
    since: dt.date | None = None
    until: dt.date | None = None
    clubs: list[str] = Field(default_factory=list)
    evenings: list[str] = Field(default_factory=list)
    of: int | None = Field(default=None, ge=1)
    scoring: Literal["percentage", "vps", "imps", "points", "ladder"] = "percentage"
    places: list[int | float] = Field(default_factory=list)
    best: int | None = Field(default=None, ge=1)
    last: int | None = Field(default=None, ge=1)
    minimum: int = Field(default=1, ge=1)
    partners: int = Field(default=1, ge=1)
    pairs: list[str] = Field(default_factory=list)
    substitutes: int | None = Field(default=None, ge=0)
    substitute_most: int | float | None = None
    handicap: bool = False
    members_only: bool = False
    within_clubs: bool = False
    tie_breaks: list[SeriesTie] = Field(default_factory=list)
    start: list[str] = Field(default_factory=list)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if (self.scoring == "points") != bool(self.places):
            raise ValueError('expected places with scoring = "points", and only with it')
        if self.start and self.scoring != "ladder":
            raise ValueError('expected start only with scoring = "ladder"')
        if self.contestants == "players":
            if (self.pairs, self.substitutes) != ([], None):
                raise ValueError('expected pairs and substitutes only with contestants = "pairs"')
        elif self.partners > 1:
            raise ValueError('expected partners only with contestants = "players"')
        pair_of: dict[str, str] = {}
        for pair in self.pairs:
            for player in pair.split(" - "):
                if (other := pair_of.setdefault(plain(player), pair)) != pair:
                    raise ValueError(f'expected each player in one pair: "{player}" is in "{other}" and "{pair}"')
        return self
