"""What goes wrong on the way to a website. Every message is one sentence for a club, and none holds a password."""


class PublishError(Exception):
    """Publishing can't go on; the message says why and, where it is known, what to do."""


class DroppedError(PublishError):
    """A connection that failed or broke: worth another try."""


class NeedsConsentError(PublishError):
    """The plan deletes or writes over more than is done without a word of consent (`--yes`)."""
