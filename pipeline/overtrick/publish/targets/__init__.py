"""The places that a site goes to: a module each, loaded when an address asks for it."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from overtrick.publish.address import Address, Scheme
from overtrick.publish.errors import PublishError
from overtrick.publish.targets.steady import SteadyTarget

if TYPE_CHECKING:
    from overtrick.publish.targets.base import Target

_KINDS: Final[dict[Scheme, tuple[str, str]]] = {
    "file": ("local", "LocalTarget"),
    "ftp": ("ftp", "FtpTarget"),
    "ftps": ("ftp", "FtpTarget"),
    "sftp": ("sftp", "SftpTarget"),
    "s3": ("s3", "S3Target"),
}


def open_target(address: Address) -> SteadyTarget:
    """Give the target of an address. It connects when it is first asked for something, and again when it was dropped.

    Raises:
        PublishError: it needs a library that is not installed.
    """
    module, name = _KINDS[address.scheme]
    try:
        kind = getattr(import_module(f"{__name__}.{module}"), name)
    except ModuleNotFoundError as error:
        raise PublishError(
            f"{address.scheme}: needs {error.name}, which is not installed; pip install 'overtrick[publish]' brings it"
        ) from error

    def connect() -> "Target":
        target: Target = kind(address.path if address.scheme == "file" else address)
        return target

    return SteadyTarget(connect)
