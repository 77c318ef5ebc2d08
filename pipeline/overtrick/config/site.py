"""The part of `club.toml` that is about publishing: how pages look, who may find them, how players are named."""

from typing import Literal

from pydantic import Field

from overtrick.config.decisions import Table


class Correction(Table):
    """`[[site.corrections]]`: what was changed after results were published.

    Attributes:
        date: the day, as in "2026-03-05".
        text: what was changed, in a sentence.
        session: the folder of the session in its season; not set, it is said of every session.
    """

    date: str = Field(pattern=r"\d{4}-\d\d-\d\d", examples=["2026-03-05"])
    text: str
    session: str | None = None


class Site(Table):
    """`[site]`: how pages are published.

    Attributes:
        language: of the pages; others than "en" need the extra `languages`.
        address: where the folder will be found on the web, `https://club.example/results/`; feed, sitemap and pictures
            of shared links need it, and are left out without it.
        noindex: whether search engines are asked to leave the pages out.
        problems: whether the problems found in the files get a page of their own.
        provisional_days: for so many days after the session results may change; not set, nothing is said.
        final: whether results are final already.
        templates: a folder with the club's own templates and style sheet, from where `club.toml` is; one that is there
            stands for ours, and `{% extends "ours/board.html" %}` builds on it.
        corrections: what was changed later, each under `[[site.corrections]]`.
    """

    language: Literal["en", "fr", "pl"] = "en"
    address: str | None = Field(
        default=None, pattern=r"https?://[^\s\"<>]+/", examples=["https://club.example/results/"]
    )
    noindex: bool = False
    problems: bool = True
    provisional_days: int | None = Field(default=None, ge=1, le=366)
    final: bool = False
    templates: str | None = None
    corrections: list[Correction] = Field(default=[])

    def corrected(self, folder: str) -> list[Correction]:
        """List the corrections of the session in a folder; all of them for a session alone, whose folder is empty."""
        return [one for one in self.corrections if not folder or one.session in {None, folder}]


Naming = Literal["full", "initials", "number", "hidden"]


class Privacy(Table):
    """`[privacy]`: how players are named in all that is published.

    Attributes:
        names: how players are named who asked for nothing else: in "full", by their "initials", by the "number" of
            their pair or team, or "hidden".
        players: `[privacy.players]`, by name, what a player asked for.
    """

    names: Naming = "full"
    players: dict[str, Naming] = Field(default={})
