"""A bucket of an object store that speaks S3. A key is written in one step, so nothing has to be renamed."""

import mimetypes
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final

import boto3
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    HTTPClientError,
    NoCredentialsError,
)
from botocore.exceptions import (
    ConnectionError as NotConnectedError,
)

from overtrick.publish.address import Address
from overtrick.publish.errors import DroppedError, PublishError
from overtrick.publish.targets.base import joined

_ABSENT: Final = ("NoSuchKey", "404", "NotFound")
_LOGIN: Final = ("InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "TokenRefreshRequired")
_DENIED: Final = ("AccessDenied", "403", "AllAccessDisabled", "MethodNotAllowed")


class S3Target:
    """Keys below a prefix of a bucket."""

    def __init__(self, address: Address) -> None:
        """Take a bucket; credentials, region and endpoint come from where all tools of S3 take them."""
        self._bucket = address.host
        self._prefix = address.path
        # Another try is made by the one that holds this target, the same for all kinds.
        limits = Config(connect_timeout=30, read_timeout=30, retries={"total_max_attempts": 1})
        with self._told():
            self._s3: Any = boto3.client("s3", config=limits)

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        """List all files of the prefix: a page of a thousand is one request, and a folder would be one each."""
        del paths
        prefix = f"{self._prefix}/" if self._prefix else ""
        found: dict[str, int | None] = {}
        with self._told():
            for page in self._s3.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=prefix):
                found |= {entry["Key"].removeprefix(prefix): entry["Size"] for entry in page.get("Contents", ())}
        return found

    def read(self, path: str) -> bytes | None:
        """Read a file."""
        with self._told():
            try:
                answer = self._s3.get_object(Bucket=self._bucket, Key=joined(self._prefix, path))
            except ClientError as error:
                if _code(error) in _ABSENT:
                    return None
                raise
            return bytes(answer["Body"].read())

    def write(self, path: str, content: bytes) -> None:
        """Put a file there, with the type that a browser needs to show it."""
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        kind = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
        with self._told():
            self._s3.put_object(Bucket=self._bucket, Key=joined(self._prefix, path), Body=content, ContentType=kind)

    def delete(self, path: str) -> None:
        """Take a file away."""
        with self._told():
            self._s3.delete_object(Bucket=self._bucket, Key=joined(self._prefix, path))

    def close(self) -> None:
        """Hang up."""
        self._s3.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except ClientError as error:
            raise _refusal(self._bucket, error) from error
        except NoCredentialsError as error:
            raise PublishError(
                f"no credentials for the bucket {self._bucket}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            ) from error
        except (HTTPClientError, NotConnectedError, OSError) as error:
            raise DroppedError(f"the bucket {self._bucket} can't be reached; publish again to go on") from error
        except (BotoCoreError, ValueError) as error:
            raise PublishError(f"the bucket {self._bucket} can't be used: {error}") from error


def _refusal(bucket: str, error: ClientError) -> PublishError:
    code = _code(error)
    if code == "NoSuchBucket":
        return PublishError(f"there is no bucket {bucket}")
    if code in _LOGIN:
        return PublishError(f"the bucket {bucket} refuses the credentials: check AWS_ACCESS_KEY_ID and its secret")
    if code in _DENIED:
        return PublishError(f"the bucket {bucket} doesn't let you read and write there: check the rights of the key")
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if status >= 500 or code in {"SlowDown", "RequestTimeout", "Throttling"}:
        return DroppedError(f"the bucket {bucket} is not available ({code}); publish again to go on")
    return PublishError(f"the bucket {bucket} refuses: {code}")


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", "unknown"))
