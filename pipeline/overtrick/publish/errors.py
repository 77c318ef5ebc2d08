"""What can go wrong with publishing. Every message is one sentence for a club volunteer, and none holds a password."""


class AddressError(ValueError):
    """An address that nothing can be published to. The message doesn't repeat it: it may hold a password."""


class PublishError(Exception):
    """Publishing stopped; the message says why and, if known, what to do."""


class DroppedError(PublishError):
    """The connection failed or broke; another try may succeed."""


class NeedsConsentError(PublishError):
    """Publishing would delete or overwrite so much that the user has to agree first (`--yes`)."""
