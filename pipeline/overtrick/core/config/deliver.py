"""`[deliver]` of `club.toml`: where `overtrick deliver` sends the results of an evening besides the club's website."""

from typing import Annotated, Final

from overtrick.core.config.setting import After, setting
from overtrick.core.config.table import Table

EMAIL: Final = r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){0,8}$"
"""An e-mail address."""

_LINE: Final = r"^[^\r\n]+$"


def _no_password(address: str) -> str:
    if "@" in address and ":" in address.partition("//")[2].rpartition("@")[0]:
        raise ValueError("expected an address without a password; use the keyring instead")
    return address


class BridgeWebs(Table):
    """`[deliver.bridgewebs]`: the club's pages on BridgeWebs, through its Results Upload API.

    Attributes:
        club: the club's code on BridgeWebs.
        address: where the API is.
        deals: send the deals too.
        pdf: send the bulletin as a PDF too.
    """

    club: str | None = setting(default=None, pattern=r"^[A-Za-z0-9_-]+$", examples=["myclub"])
    address: Annotated[str, After(_no_password)] = setting(
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

    club: str | None = setting(default=None, pattern=r"^[0-9]{1,8}$", examples=["123456"])
    charge: str = setting(default="10", pattern=r"^[0-9]{2}$", examples=["10"])


class Ecats(Table):
    """`[deliver.ecats]`: a USEBIO file by e-mail for simultaneous pairs that ECatsBridge scores.

    Attributes:
        country: the club's country, which the subject names after the number of the session.
        to: where the file goes.
        numbers: the column of `members.csv` with the membership numbers for the file. Those of players whom
            `[privacy]` does not name in full are left out.
    """

    country: str | None = setting(default=None, pattern=_LINE, examples=["England"])
    to: str = setting(default="results@simpairs.com", pattern=EMAIL, examples=["results@simpairs.com"])
    numbers: str = setting(default="ebu", pattern=r"^[a-z]+$", examples=["ebu"])


class Mail(Table):
    """`[deliver.mail]`: a scorecard by e-mail to each member who agreed.

    Members who agreed have an address in the column `email` of `members.csv` and "yes" in its column `scorecard`.

    Attributes:
        leave: where members write who want no more scorecards. Left out: `sender` of `[deliver]`.
        link: the address of the evening's folder on the web, for a link to the scorecard. `{evening}` is replaced by
            the evening's name as in addresses, `{date}` by its date. Left out: no link.
    """

    leave: str | None = setting(default=None, pattern=EMAIL, examples=["results@club.example"])
    link: str | None = setting(
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

    name: str = setting(pattern=r"^[a-z][a-z0-9-]*$", examples=["sbu"])
    to: str = setting(pattern=EMAIL, examples=["results@union.example"])
    format: str = setting(default=".xml", pattern=r"^\.[a-z0-9]+$", examples=[".xml"])
    subject: str = setting(default="{club} {title} {date}", pattern=_LINE, examples=["{title} {date}"])
    numbers: str | None = setting(default=None, pattern=r"^[a-z]+$", examples=["sbu"])


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

    server: Annotated[str, After(_no_password)] | None = setting(
        default=None, pattern=r"^smtps?://([^\s@/]+@)?[A-Za-z0-9.\[\]:-]+$", examples=["smtps://club@mail.example"]
    )
    sender: str | None = setting(default=None, pattern=EMAIL, examples=["results@club.example"])
    scorer: str | None = setting(default=None, pattern=_LINE, examples=["Ada Quill"])
    telephone: str | None = setting(default=None, pattern=_LINE, examples=["01234 567890"])
    bridgewebs: BridgeWebs = setting(factory=BridgeWebs)
    ebu: Ebu = setting(factory=Ebu)
    ecats: Ecats = setting(factory=Ecats)
    mail: Mail = setting(factory=Mail)
    files: list[FileByMail] = setting(factory=list)
