"""Secrets come from the environment or the system's keyring; they are never read from a file of ours and never told."""

import os
from typing import Final

VARIABLE: Final = "OVERTRICK_PASSWORD"
"""The environment variable that holds the password, or the passphrase of a key."""

SERVICE: Final = "overtrick"
"""What the password is kept under in the keyring, with `user@host` as its name."""


def password_for(user: str, host: str) -> str | None:
    """Find the password of a login; None when there is none to be found."""
    given = os.environ.get(VARIABLE)
    if given:
        return given
    try:
        import keyring  # noqa: PLC0415 - optional, and slow to find its backend
        from keyring.errors import KeyringError  # noqa: PLC0415
    except ImportError:
        return None
    try:
        return keyring.get_password(SERVICE, f"{user}@{host}")
    except KeyringError:
        # A machine without a desktop has no keyring to ask.
        return None
