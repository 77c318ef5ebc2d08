"""What is written down of a problem: one `Code` each, in the module of its subject."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True)
class Code:
    """What is fixed about a problem: `{names}` in the sentence are filled from the row that has it.

    Severity is a contract: error = what it names is left out of the scoring; warning = kept and marked; info = nothing
    changed. `rule` names the Law or the section of the format's description that it comes from. `tolerance` marks what
    a file does against the description of its format and is understood all the same: strict checking refuses it.
    """

    severity: Severity
    sentence: str
    hint: str
    rule: str = ""
    tolerance: bool = False
