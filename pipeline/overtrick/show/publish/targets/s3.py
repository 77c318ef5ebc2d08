"""A bucket of an object store with the S3 protocol. It writes a key in one step, so nothing has to be renamed."""

import mimetypes
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError, NoCredentialsError
from botocore.exceptions import ConnectionError as NotConnectedError

from overtrick.show.publish.address import Address, DroppedError, PublishError, keep_secret
from overtrick.show.publish.targets.base import BoundedContent, join, list_bounded

_ABSENT: Final = ("NoSuchKey", "404", "NotFound")
_LOGIN: Final = ("InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "TokenRefreshRequired")
_DENIED: Final = ("AccessDenied", "403", "AllAccessDisabled", "MethodNotAllowed")


_SECRETS: Final = ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")


class S3Target:
    """The keys of a bucket that start with a prefix."""

    def __init__(self, address: Address) -> None:
        """Take a bucket. Credentials, region and endpoint come from the usual AWS variables and files."""
        self._bucket = address.host
        self._prefix = address.path
        # `SteadyTarget` tries again, in the same way for all kinds of target.
        limits = Config(connect_timeout=30, read_timeout=30, retries={"total_max_attempts": 1})
        for variable in _SECRETS:
            keep_secret(os.environ.get(variable))
        with self._errors():
            self._s3: Any = boto3.client("s3", config=limits)

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        """List all keys of the prefix: one request returns a thousand, but a folder would take a request each."""
        del paths
        prefix = f"{self._prefix}/" if self._prefix else ""
        found: dict[str, int | None] = {}
        with self._errors():
            pages = self._s3.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=prefix)
            for entry in list_bounded(entry for page in pages for entry in page.get("Contents", ())):
                found[entry["Key"].removeprefix(prefix)] = entry["Size"]
        return found

    def read(self, path: str) -> bytes | None:
        """Read a file."""
        with self._errors():
            try:
                answer = self._s3.get_object(Bucket=self._bucket, Key=join(self._prefix, path))
            except ClientError as error:
                if _code(error) in _ABSENT:
                    return None
                raise
            content = BoundedContent()
            for piece in answer["Body"].iter_chunks(1 << 20):
                content.write(piece)
            return content.getvalue()

    def write(self, path: str, content: bytes) -> None:
        """Write a file with the content type that a browser needs."""
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        kind = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
        with self._errors():
            self._s3.put_object(Bucket=self._bucket, Key=join(self._prefix, path), Body=content, ContentType=kind)

    def delete(self, path: str) -> None:
        """Delete a file."""
        with self._errors():
            self._s3.delete_object(Bucket=self._bucket, Key=join(self._prefix, path))

    def close(self) -> None:
        """Close the connection."""
        self._s3.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except ClientError as error:
            raise _refusal(self._bucket, error) from error
        except NoCredentialsError as error:
            raise PublishError(
                f"the bucket {self._bucket} needs credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            ) from error
        except (HTTPClientError, NotConnectedError, OSError) as error:
            raise DroppedError(f"the bucket {self._bucket} can't be reached; publish again to resume") from error
        except (BotoCoreError, ValueError) as error:
            raise PublishError(f"the bucket {self._bucket} can't be used: {error}") from error


def _refusal(bucket: str, error: ClientError) -> PublishError:
    code = _code(error)
    if code == "NoSuchBucket":
        return PublishError(f"the bucket {bucket} does not exist")
    if code in _LOGIN:
        return PublishError(f"the bucket {bucket} refuses the credentials; check AWS_ACCESS_KEY_ID and its secret")
    if code in _DENIED:
        return PublishError(f"the bucket {bucket} does not let you read and write; check the permissions of the key")
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if status >= 500 or code in {"SlowDown", "RequestTimeout", "Throttling"}:
        return DroppedError(f"the bucket {bucket} is not available ({code}); publish again to resume")
    return PublishError(f"the bucket {bucket} refuses the request: {code}")


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", "unknown"))
