"""The part of `club.toml` that is about publishing: how pages look, who may find them, how players are named."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Correction(_Table):
    """`[[site.corrections]]`: what was changed after results were published.

    Attributes:
        date: when, `2026-03-05`.
        text: what, in a sentence.
    """

    date: str = Field(pattern=r"\d{4}-\d\d-\d\d")
    text: str


class Site(_Table):
    """`[site]`: how pages are published.

    Attributes:
        language: of the pages; others than "en" need the extra `languages`.
        address: where the folder will be found on the web, `https://club.example/results/`; feed, sitemap and pictures
            of shared links need it, and are left out without it.
        noindex: whether search engines are asked to leave the pages out.
        problems: whether the problems found in the files get a page of their own.
        provisional_until: the day up to which results may change, `2026-03-05`; not set, nothing is said.
        final: whether results are final.
        templates: a folder with the club's own templates and style sheet; one that is there stands for ours.
        corrections: each a `Correction`.
    """

    language: Literal["en", "fr", "pl"] = "en"
    address: str | None = Field(default=None, pattern=r"https?://[^\s\"<>]+/")
    noindex: bool = False
    problems: bool = True
    provisional_until: str | None = Field(default=None, pattern=r"\d{4}-\d\d-\d\d")
    final: bool = False
    templates: str | None = None
    corrections: list[Correction] = Field(default_factory=list)


Naming = Literal["full", "initials", "number", "hidden"]


class Privacy(_Table):
    """`[privacy]`: how players are named in all that is published.

    Attributes:
        names: how players are named who asked for nothing else: in "full", by their "initials", by the "number" of
            their pair or team, or "hidden".
        players: `[privacy.players]`, by name, what a player asked for.
    """

    names: Naming = "full"
    players: dict[str, Naming] = Field(default_factory=dict)
