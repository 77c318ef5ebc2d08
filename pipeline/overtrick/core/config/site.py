"""`[site]` and `[privacy]` of `club.toml`: how pages look, who may find them, and how players are named."""

import re
from functools import partial
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

from overtrick.core.config.file import Table
from overtrick.core.machine import resource

EMAIL: Final = r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){0,8}$"
"""An e-mail address."""

_LINE: Final = r"^[^\r\n]+$"


def no_password(variable: str, address: str) -> str:
    """Return the address of a server; `variable` of the environment is where its password belongs.

    Raises:
        ValueError: it holds a password, which others could read.
    """
    # What comes before an @ in the path, as in sftp://host:22/a@b, is a port.
    if re.search(r"//[^/@:\[\s]*:(?![0-9]*/)\S*@", address):
        raise ValueError(f"expected an address without a password; set {variable} or use the keyring")
    return address


class BridgeWebs(Table):
    """`[deliver.bridgewebs]`: the club's pages on BridgeWebs, through its Results Upload API.

    Attributes:
        club: the club's code on BridgeWebs.
        address: where the API is.
        deals: send the deals too.
        pdf: send the bulletin as a PDF too.
    """

    club: str | None = Field(default=None, pattern=r"^[A-Za-z0-9_-]+$", examples=["myclub"])
    address: Annotated[str, AfterValidator(partial(no_password, "OVERTRICK_BRIDGEWEBS_PASSWORD"))] = Field(
        default="https://www.bridgewebs.com/cgi-bin/bwx/api.cgi",
        pattern=r"^https?://[^\s\"<>?#]+$",
        examples=["https://www.bridgewebs.com/cgi-bin/bwx/api.cgi"],
    )
    deals: bool = True
    pdf: bool = True


class Ebu(Table):
    """`[deliver.ebu]`: a USEBIO 1.3 file for the English Bridge Union.

    Attributes:
        club: the club's number with the EBU.
        charge: the EBU's charge code of the evening: "10" for a club session, "02" for none, "30" for a licensed event,
            "40" for a charity event, "50" for a blue-pointed and "60" for a green-pointed event.
    """

    club: str | None = Field(default=None, pattern=r"^[0-9]{1,8}$", examples=["123456"])
    charge: str = Field(default="10", pattern=r"^[0-9]{2}$", examples=["10"])


class Ecats(Table):
    """`[deliver.ecats]`: a USEBIO file by e-mail for simultaneous pairs that ECatsBridge scores.

    Attributes:
        country: the club's country, which the subject names after the number of the session.
        to: where the file goes.
        numbers: the column of `members.csv` with the membership numbers for the file. Those of players whom
            `[privacy]` does not name in full are left out.
    """

    country: str | None = Field(default=None, pattern=_LINE, examples=["England"])
    to: str = Field(default="results@simpairs.com", pattern=EMAIL, examples=["results@simpairs.com"])
    numbers: str = Field(default="ebu", pattern=r"^[a-z]+$", examples=["ebu"])


class Mail(Table):
    """`[deliver.mail]`: a scorecard by e-mail to each member who agreed.

    Members who agreed have an address in the column `email` of `members.csv` and "yes" in its column `scorecard`.

    Attributes:
        leave: where members write who want no more scorecards. Left out: `sender` of `[deliver]`.
        link: the address of the evening's folder on the web, for a link to the scorecard. `{evening}` is replaced by
            the evening's name as in addresses, `{date}` by its date. Left out: no link.
    """

    leave: str | None = Field(default=None, pattern=EMAIL, examples=["results@club.example"])
    link: str | None = Field(
        default=None, pattern=r"^https?://[^\s\"<>]+/$", examples=["https://club.example/results/{evening}/"]
    )


class FileByMail(Table):
    """`[[deliver.files]]`: another place that takes a file by e-mail.

    Attributes:
        name: the name of the place for `--to`.
        to: the e-mail address there.
        format: the ending of the file, as for `overtrick convert`, for example ".xml" for USEBIO.
        subject: the subject; `{club}`, `{title}` and `{date}` are replaced.
        numbers: the column of `members.csv` with the membership numbers for a body that needs them. All names are then
            in full. Left out: no numbers, and names as `[privacy]` says.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9-]*$", examples=["sbu"])
    to: str = Field(pattern=EMAIL, examples=["results@union.example"])
    format: str = Field(default=".xml", pattern=r"^\.[a-z0-9]+$", examples=[".xml"])
    subject: str = Field(default="{club} {title} {date}", pattern=_LINE, examples=["{title} {date}"])
    numbers: str | None = Field(default=None, pattern=r"^[a-z]+$", examples=["sbu"])


class Deliver(Table):
    """`[deliver]`: where results go besides the club's website (`overtrick deliver`).

    Attributes:
        server: the server that sends e-mail, without a password: "smtps://club@mail.example" with TLS, also as
            STARTTLS with the port 587. "smtp://" sends everything so that others on the network can read it.
        sender: the club's e-mail address, from which e-mail is sent.
        scorer: the name of the scorer in files for others.
        telephone: the club's telephone number in files for others. ECatsBridge tells clubs apart by name and number.
        bridgewebs: the club's pages on BridgeWebs.
        ebu: the English Bridge Union.
        ecats: simultaneous pairs of ECatsBridge.
        mail: scorecards for members.
        files: other places that take a file by e-mail.
    """

    server: Annotated[str, AfterValidator(partial(no_password, "OVERTRICK_MAIL_PASSWORD"))] | None = Field(
        default=None, pattern=r"^smtps?://([^\s@/]+@)?[A-Za-z0-9.\[\]:-]+$", examples=["smtps://club@mail.example"]
    )
    sender: str | None = Field(default=None, pattern=EMAIL, examples=["results@club.example"])
    scorer: str | None = Field(default=None, pattern=_LINE, examples=["Ada Quill"])
    telephone: str | None = Field(default=None, pattern=_LINE, examples=["01234 567890"])
    bridgewebs: BridgeWebs = Field(default_factory=BridgeWebs)
    ebu: Ebu = Field(default_factory=Ebu)
    ecats: Ecats = Field(default_factory=Ecats)
    mail: Mail = Field(default_factory=Mail)
    files: list[FileByMail] = Field(default_factory=list)


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

    date: str = Field(pattern=r"[0-9]{4}-[0-9][0-9]-[0-9][0-9]", examples=["2026-03-05"])
    text: str
    session: str | None = None


Document = Literal["bulletin", "scorecards", "travellers", "hand-records", "hand-records-compact", "hand-records-large"]
"""The PDFs of a session, by their names."""


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
        openings: note on hand records which opening bids the Standard American card names for each hand. It goes by
            points and lengths alone, and judges nobody.
        logo: the club's logo, an SVG, PNG, JPEG or WebP file relative to `club.toml`, on every page and document.
        accent: the colour of headings, links and compasses, for example "#14532d". Pages lighten or darken it where it
            could not be read.
        paper: the paper of documents, "a4" or "letter".
        documents: which PDFs to make, of those that have anything to show.
        footer: a line at the foot of every page and document.
        corrections: what changed later, each in `[[site.corrections]]`.
    """

    language: Annotated[str, AfterValidator(_known_language)] = "en"
    address: str | None = Field(
        default=None, pattern=r"https?://[^\s\"<>]+/", examples=["https://club.example/results/"]
    )
    noindex: bool = False
    problems: bool = True
    provisional: str | None = Field(
        default=None, pattern=r"[1-9][0-9]{0,4} (minute|hour|day)s?", examples=["30 minutes, 2 hours or 5 days"]
    )
    provisional_days: int | None = Field(default=None, ge=1, le=366)
    final: bool = False
    contact: str | None = Field(
        default=None,
        pattern=r"(mailto:)?[^@\s:/?&]+@[^@\s:/?&]+|https?://[^\s\"<>]+",
        examples=["results@club.example or https://club.example/report"],
    )
    templates: str | None = None
    analyse: bool = False
    openings: bool = False
    logo: str | None = Field(default=None, pattern=r"(?i).+\.(svg|png|jpe?g|webp)", examples=["logo.svg"])
    accent: str | None = Field(default=None, pattern=r"#[0-9A-Fa-f]{6}", examples=["#14532d"])
    paper: Literal["a4", "letter"] = "a4"
    documents: list[Document] = Field(default=["bulletin", "hand-records"])
    footer: str = ""
    corrections: list[Correction] = Field(default_factory=list)

    @property
    def objection(self) -> tuple[int, str] | None:
        """For how long results are provisional: a number, and `minute`, `hour` or `day`; None for no mark."""
        if self.provisional is not None:
            number, _, unit = self.provisional.partition(" ")
            return int(number), unit.removesuffix("s")
        return None if self.provisional_days is None else (self.provisional_days, "day")

    def corrected(self, folder: str) -> list[Correction]:
        """Return the corrections of the session in a folder; all of them for a session alone, whose folder is `""`."""
        return [correction for correction in self.corrections if not folder or correction.session in {None, folder}]


Naming = Literal["full", "initials", "number", "hidden"]


class Privacy(Table):
    """`[privacy]`: how players are named on pages and in files that are published.

    Attributes:
        names: how to name players without an entry in `players`: in "full", by their "initials", by the "number" of
            their pair or team, or "hidden".
        players: how to name individual players, by name, in `[privacy.players]`.
    """

    names: Naming = "full"
    players: dict[str, Naming] = Field(default_factory=dict)
