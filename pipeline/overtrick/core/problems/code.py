"""The type of a problem code."""

from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "info"]


class Code(NamedTuple):
    """The fixed part of a problem.

    Attributes:
        severity: a contract. "error": overtrick leaves something out of the scoring, or it cannot have happened at a
            table by the Laws. "warning": overtrick keeps it and marks it. "info": nothing changes.
        sentence: the message, with `{placeholders}` that the row at fault fills.
        hint: what a scorer can do.
        rule: the Law or the section of the format's description that the problem breaks, if any.
        tolerance: whether overtrick accepts something that the rule forbids. Strict checking makes it an error.
    """

    severity: Severity
    sentence: str
    hint: str
    rule: str = ""
    tolerance: bool = False

    @property
    def is_loss(self) -> bool:
        """Whether the problem tells of something that is left out. Settings cannot silence it."""
        return self.severity == "error" and not self.tolerance
