"""`[site]` and `[privacy]` of `club.toml`: how pages look, who may find them, and how players are named."""

from typing import Annotated, Literal

from overtrick.core.config.setting import After, setting
from overtrick.core.config.table import Table
from overtrick.core.machine import resource


def list_languages() -> list[str]:
    """Return the codes of the languages that pages can have: English, and each with a file in `templates/languages`."""
    return ["en", *sorted(path.stem for path in resource("templates", "languages").glob("*.po"))]


def _known_language(code: str) -> str:
    languages = list_languages()
    if code not in languages:
        *first, last = (f"'{language}'" for language in languages)
        raise ValueError(f"expected {', '.join(first)} or {last}")
    return code


class Correction(Table):
    """`[[site.corrections]]`: what changed after results were published.

    Attributes:
        date: the day of the change, for example "2026-03-05".
        text: what changed, in a sentence.
        session: the session's folder in its season. Left out: the correction appears on every session.
    """

    date: str = setting(pattern=r"[0-9]{4}-[0-9][0-9]-[0-9][0-9]", examples=["2026-03-05"])
    text: str
    session: str | None = None


class Site(Table):
    """`[site]`: how pages are published.

    Attributes:
        language: the language of the pages. All but "en" need the extra `languages`.
        address: where the folder will be on the web, for example `https://club.example/results/`. Without it there are
            no feed, no sitemap and no pictures for shared links.
        noindex: ask search engines to leave the pages out.
        problems: give the problems in the files a page of their own.
        provisional: mark results as provisional for this long after the end of play, and then as final: "30 minutes",
            "2 hours", "5 days". Left out: no mark.
        provisional_days: the same in days.
        final: mark results as final.
        contact: where readers report an error: an e-mail address, or the https address of a form. Every page links to
            it, with the evening, the board and the pair filled in; in the address of a form, `{evening}`, `{date}`,
            `{board}`, `{pair}` and `{page}` are replaced, or they are added to its query.
        templates: a folder with the club's own templates and style sheet, relative to `club.toml`. A file in it
            replaces overtrick's file of the same name, HTML or Typst. `{% extends "ours/board.html" %}` and
            `#import "ours/bulletin.typ"` build on it. The blocks `top` and `bottom` of `base.html` are on every page.
        analyse: show on pages where the matchpoints or IMPs went: tricks against double dummy, the cost of leads, and
            the parts of bidding, lead, declarer's play and defence in each result. It needs the extra `dd`. Pages are
            published without it first, and completed when everything is solved.
        evenings: give each pair a page with its boards one by one, turned so that the pair sits below.
        openings: note on hand records which opening bids the Standard American card names for each hand. It goes by
            points and lengths alone, and judges nobody.
        logo: the club's logo, an SVG, PNG, JPEG or WebP file relative to `club.toml`, on every page and document.
        accent: the colour of headings, links and compasses, for example "#14532d". Pages lighten or darken it where it
            could not be read.
        paper: the paper of documents, "a4" or "letter".
        footer: a line at the foot of every page and document.
        corrections: what changed later, each in `[[site.corrections]]`.
    """

    language: Annotated[str, After(_known_language)] = "en"
    address: str | None = setting(
        default=None, pattern=r"https?://[^\s\"<>]+/", examples=["https://club.example/results/"]
    )
    noindex: bool = False
    problems: bool = True
    provisional: str | None = setting(
        default=None, pattern=r"[1-9][0-9]{0,4} (minute|hour|day)s?", examples=["30 minutes, 2 hours or 5 days"]
    )
    provisional_days: int | None = setting(default=None, ge=1, le=366)
    final: bool = False
    contact: str | None = setting(
        default=None,
        pattern=r"(mailto:)?[^@\s:/?&]+@[^@\s:/?&]+|https?://[^\s\"<>]+",
        examples=["results@club.example or https://club.example/report"],
    )
    templates: str | None = None
    analyse: bool = False
    evenings: bool = True
    openings: bool = False
    logo: str | None = setting(default=None, pattern=r"(?i).+\.(svg|png|jpe?g|webp)", examples=["logo.svg"])
    accent: str | None = setting(default=None, pattern=r"#[0-9A-Fa-f]{6}", examples=["#14532d"])
    paper: Literal["a4", "letter"] = "a4"
    footer: str = ""
    corrections: list[Correction] = setting(factory=list)

    @property
    def objection(self) -> tuple[int, str] | None:
        """For how long results are provisional: a number, and `minute`, `hour` or `day`; None for no mark."""
        if self.provisional is not None:
            number, _, unit = self.provisional.partition(" ")
            return int(number), unit.removesuffix("s")
        return None if self.provisional_days is None else (self.provisional_days, "day")

    def corrected(self, folder: str) -> list[Correction]:
        """Return the corrections of the session in a folder; all of them for a session alone, whose folder is `""`."""
        return [one for one in self.corrections if not folder or one.session in {None, folder}]


Naming = Literal["full", "initials", "number", "hidden"]


class Privacy(Table):
    """`[privacy]`: how players are named on pages and in files that are published.

    Attributes:
        names: how to name players without an entry in `players`: in "full", by their "initials", by the "number" of
            their pair or team, or "hidden".
        players: how to name individual players, by name, in `[privacy.players]`.
    """

    names: Naming = "full"
    players: dict[str, Naming] = setting(factory=dict)
