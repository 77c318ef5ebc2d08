"""What is written down of a problem: one `Code` each, in the module of its subject."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True)
class Code:
    """What is fixed about a problem: `{names}` in the sentence are filled from the row that has it.

    Severity is a contract: error = what it names is left out of the scoring, or can't have happened at a table by the
    Laws; warning = kept and marked; info = nothing changed. `rule` names the Law or the section of the format's
    description that it comes from. `tolerance` marks what is understood all the same although a rule forbids it: strict
    checking refuses it.
    """

    severity: Severity
    sentence: str
    hint: str
    rule: str = ""
    tolerance: bool = False

    @property
    def is_loss(self) -> bool:
        """Whether it tells of something that is left out: that can't be silenced."""
        return self.severity == "error" and not self.tolerance
