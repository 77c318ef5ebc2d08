"""BridgeWebs' Results Upload API: a POST of the club, its password, the results, the deals and a PDF.

Built from BridgeWebs' guide, page 22.4 "API Interface", and the address that public programs post to. The answer has a
line `message = ...`; those programs take an upload for done if it says "successful", and so does this one.
"""

import re
from typing import Final
from urllib.parse import quote_plus, urlsplit

from overtrick.apps.deliver.order import Order, Parcel, UnsureError, missing, no_password
from overtrick.apps.deliver.post import post_form
from overtrick.files.formats.bridgewebs import write_bridgewebs
from overtrick.show.data.downloads import write_downloads
from overtrick.show.publish.address import PublishError, keep_secret
from overtrick.show.publish.targets.base import find_password

VARIABLE: Final = "OVERTRICK_BRIDGEWEBS_PASSWORD"
"""The environment variable that holds the club's password on BridgeWebs."""

_MESSAGE: Final = re.compile(r"^\s*message\s*=\s*(.*?)\s*$", re.MULTILINE)
_PARAMETERS: Final = {".csv": ("filename", "data"), ".pbn": ("dealname", "dealdata"), ".pdf": ("infoname", "infodata")}
"""The API's parameters for the name and the content of each kind of file."""


def prepare(order: Order) -> list[Parcel]:
    """Return the results as BridgeWebs' CSV, the deals as PBN and the bulletin as PDF, named as players wish.

    Raises:
        OrderError: the club's code is missing.
    """
    settings = order.config.deliver.bridgewebs
    if settings.club is None:
        raise missing("bridgewebs", "club")
    files = {f"{order.file_name}.csv": write_bridgewebs(order.shown).content}
    if settings.deals and order.page.has_deals:
        files[f"{order.file_name}.pbn"] = write_downloads(order.shown, order.page)["session.pbn"]
    if settings.pdf:
        from overtrick.show.html.club_templates import open_look  # noqa: PLC0415 - the typesetter is slow to load
        from overtrick.show.pdf.documents import render_pdf  # noqa: PLC0415

        site = order.config.site
        files[f"{order.file_name}.pdf"] = render_pdf(order.page, code=site.language, look=open_look(site))
    fields = {"club": settings.club, "type": "upload"}
    if order.event:
        fields["event_id"] = order.event
    return [Parcel(settings.address, files, fields)]


class Uploader:
    """Uploads to BridgeWebs."""

    def __init__(self, order: Order) -> None:
        """Take the settings."""
        self._club = order.config.deliver.bridgewebs.club or ""

    def send(self, parcel: Parcel, *, again: bool) -> str:  # noqa: ARG002 - an upload replaces the one before
        """Send a parcel, and return the message of the answer."""
        host = urlsplit(parcel.target).hostname or ""
        password = find_password(self._club, host, VARIABLE)
        if password is None:
            raise no_password(self._club, host, VARIABLE)
        keep_secret(quote_plus(password))
        form: dict[str, str | bytes] = {**parcel.fields, "password": password}
        for name, content in parcel.files.items():
            of_name, of_content = _PARAMETERS[name[name.rindex(".") :]]
            form |= {of_name: name, of_content: content}
        answer = post_form(parcel.target, {"club": self._club}, form)
        found = _MESSAGE.search(answer)
        if found is None:
            raise UnsureError(f"{host}: the answer has no message")
        if "successful" not in found[1].lower():
            raise PublishError(f"{host}: the server refused: {found[1] or 'an empty message'}")
        return found[1]

    def close(self) -> None:
        """Do nothing: each upload has a connection of its own."""
