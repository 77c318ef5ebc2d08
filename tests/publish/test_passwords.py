"""Where passwords come from."""

from collections.abc import Callable, Iterator

import keyring
import keyring.errors
import pytest
from keyring.backend import KeyringBackend

from overtrick.publish.passwords import password_for


class Kept(KeyringBackend):
    """A keyring that holds one password."""

    priority = 1.0

    def get_password(self, service: str, username: str) -> str | None:
        return "kept" if (service, username) == ("overtrick", "club@host") else None

    def set_password(self, service: str, username: str, password: str) -> None:
        raise NotImplementedError


class Locked(Kept):
    """A keyring that nobody opens."""

    def get_password(self, service: str, username: str) -> str | None:
        raise keyring.errors.KeyringLocked(service, username)


def backend(kind: Callable[[], KeyringBackend]) -> KeyringBackend:
    return kind()


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("OVERTRICK_PASSWORD", raising=False)
    before = keyring.get_keyring()
    keyring.set_keyring(backend(Kept))
    yield
    keyring.set_keyring(before)


def test_the_environment_counts_before_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "kept" == password_for("club", "host")
    monkeypatch.setenv("OVERTRICK_PASSWORD", "given")
    assert "given" == password_for("club", "host")


def test_another_login_has_another_password() -> None:
    assert None is password_for("club", "other")


def test_a_keyring_that_can_t_be_opened_holds_nothing() -> None:
    keyring.set_keyring(backend(Locked))
    assert None is password_for("club", "host")
