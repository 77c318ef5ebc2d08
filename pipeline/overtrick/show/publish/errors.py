"""What can go wrong with publishing. Every message is one sentence for a club volunteer, and none holds a password."""

from typing import Final

from overtrick.core.notation import UNSAFE

_LONGEST: Final = 500
"""Characters of a message; what a server says may be longer."""

_secrets: set[str] = set()


def keep_secret(secret: str | None) -> None:
    """Remember a password, so that no message shows it, even if a server repeats it."""
    if secret:
        _secrets.add(secret)


def make_safe(message: str) -> str:
    """Return a message as one line without control characters and passwords: it may quote what a server said."""
    for secret in sorted(_secrets, key=len, reverse=True):
        message = message.replace(secret, "***")
    line = UNSAFE.sub("\ufffd", " ".join(message.split()))
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


class AddressError(ValueError):
    """An address that nothing can be published to. The message doesn't repeat it: it may hold a password."""


class PublishError(Exception):
    """Publishing stopped; the message says why and, if known, what to do."""

    def __init__(self, message: str) -> None:
        """Take the message; `make_safe` cleans it."""
        super().__init__(make_safe(message))


class DroppedError(PublishError):
    """The connection failed or broke; another try may succeed."""


class NeedsConsentError(PublishError):
    """Publishing would delete or overwrite so much that the user has to agree first (`--yes`)."""
