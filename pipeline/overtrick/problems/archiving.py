"""Taking files into an archive."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "ingest-failed": Code(
        "error",
        "reading this file failed: {reason}",
        "The file and the traceback are in the archive's folder quarantine; please report it. It is tried again when it"
        " is ingested again.",
    ),
    "ingest-not-compared": Code(
        "info",
        "the file is too large to be one session: its results are scored, and not compared with one another",
        "Give the sessions in files of their own to have their points.",
    ),
    "ingest-container": Code(
        "error",
        "this can't be unpacked: {reason}",
        "Check that it was copied as a whole, or unpack it and ingest the folder.",
    ),
    "ingest-bomb": Code(
        "error",
        "it unpacks to more than {times} times its own size; the rest is left out",
        "Unpack it yourself if you trust it, and ingest the folder.",
    ),
    "ingest-nested": Code(
        "warning",
        "this is packed more than {times} times and was not opened",
        "Unpack the outer one and ingest the folder.",
    ),
    "ingest-changed": Code(
        "warning",
        "the file changed while it was being read; it was not taken in",
        "Ingest it again when it is finished.",
    ),
}
