"""Where a site can be published."""

import html
from base64 import b64encode
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest

from overtrick.show.publish import address
from overtrick.show.publish.address import Address, AddressError, PublishError, keep_secret, parse_address


@pytest.mark.parametrize(
    ("address", "text"),
    [
        (Address("file", "www"), "www"),
        (Address("file", "/srv/www 100%"), "/srv/www 100%"),
        (Address("file", "C:\\club\\www"), "C:\\club\\www"),
        (Address("file", "/srv/a b"), "file:///srv/a%20b"),
        (Address("file", "/srv/www"), "file:/srv/www"),
        (Address("sftp", "/srv/www", host="host", user="club"), "sftp://club@host/srv/www"),
        (Address("sftp", "/~/www", host="host", port=2222), "SFTP://host:2222/~/www"),
        (Address("ftp", "www", host="host", user="a@b"), "ftp://a%40b@host/www"),
        (Address("ftps", "/www", host="host"), "ftps://host//www"),
        (Address("ftp", "", host="host"), "ftp://host"),
        (Address("s3", "results/2026", host="Club"), "s3://Club/results/2026/"),
        (Address("s3", "", host="club"), "s3://club"),
    ],
)
def test_an_address_is_read(address: Address, text: str) -> None:
    assert address == parse_address(text)


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("unknown scheme http:", "http://host/www"),
        ("sftp: needs a host, as in sftp://host/folder", "sftp:///www"),
        ("s3: needs a host, as in s3://bucket/folder", "s3:results"),
        ("the address has an error; check its host and port", "sftp://host:many/www"),
        ("the address has an error; check its host and port", "sftp://[host/www"),
        ("write a server as sftp://", "ftp.club.example"),
        ("write a server as sftp://", "www.club.example/results"),
        ("write a server as sftp://", "ann@club.example:/var/www"),
        ("write a server as sftp://", "club.example:results"),
        ("the address of the folder is empty", ""),
        ("the address of the folder is empty", "file:"),
        ("a line break or another control character", "ftp://host/a%00b"),
        ("a line break or another control character", "ftp://a%0d%0aDELE b@host/c"),
    ],
)
def test_a_wrong_address_is_refused_with_the_reason(reason: str, text: str) -> None:
    with pytest.raises(AddressError, match=reason):
        parse_address(text)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(AddressError, match="the address holds a password") as caught:
        parse_address("sftp://club:geheim@host/www")
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize("text", ["sftp://club@host:2222/srv/www", "s3://club/results", "ftp://host/www", "/srv/www"])
def test_an_address_is_shown_as_it_was_given(text: str) -> None:
    assert text == str(parse_address(text))


SECRETS = ("correct horse", "pass/w&rd=<1>", "ünïcödé", "abcdef", "abcdefg")
SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "html": html.escape,
    "address": lambda text: quote(text, safe=""),
    "form": quote_plus,
    "hexadecimal": lambda text: text.encode().hex(),
    "base64": lambda text: b64encode(text.encode()).decode(),
    "base64 of a login": lambda text: b64encode(b"\0club@example.org\0" + text.encode()).decode(),
    "base64 of another login": lambda text: b64encode(b"\0club1@example.org\0" + text.encode()).decode(),
    "base64 of a third login": lambda text: b64encode(b"\0club12@example.org\0" + text.encode() + b"!").decode(),
}


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_spelling_of_a_secret_is_in_a_message(spelling: str, secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_secrets", set())
    told = SPELLINGS[spelling](secret)
    assert told in str(PublishError(f"the server said: 535 {told} refused"))
    keep_secret(secret)
    message = str(PublishError(f"the server said: 535 {told} refused"))
    assert "***" in message
    assert message.startswith("the server said: 535 ")
    assert message.endswith(" refused")
    # What is left of base64 are the login and a letter at each end, which hold a few bits of the secret.
    left = message.removeprefix("the server said: 535 ").removesuffix(" refused")
    assert all(secret[at : at + 4] not in left for at in range(len(secret) - 3))
    assert len(left) <= len(told) - len(secret) + 5
