"""Files mended: what is understood but not as the standard writes it, and nothing else.

`RULES` lists what can be mended. The changes of one rule at a time are made to the text, which is then read again. They
are kept only if all frames are equal and the problems are fewer; if not, each half of them is tried, so that one change
that does more than it should does not keep the others back.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import unified_diff
from typing import Final

import polars as pl

from overtrick.assemble import assemble
from overtrick.formats.read import read_bytes
from overtrick.frames import Problems, Session
from overtrick.mend import lin, pbn
from overtrick.mend.draft import Draft, Edit, Rule

RULES: Final = {"pbn": pbn.RULES, "lin": lin.RULES}
"""By format, the rules in their order."""

LARGEST: Final = 64 * 1024 * 1024
"""Bytes of the largest file that is mended: it is held in memory and read once for each rule."""

_TRIALS: Final = 16
"""How often a text is read for the changes of one rule, at most."""
_COMPARED: Final = ("records", "results", "contestants", "annotations")
_PLACES: Final = ("line", "column")


@dataclass(frozen=True)
class Mended:
    """What mending a file does.

    Attributes:
        before: the bytes of the file.
        after: the bytes that it should have; equal if nothing can be mended.
        lines: the text of both, for a diff.
        codes: how many places were mended, by problem code.
        problems: a frame of `frames.PROBLEMS`: those of reading that are left.
    """

    before: bytes
    after: bytes
    lines: tuple[str, str]
    codes: dict[str, int]
    problems: Problems

    def diff(self, name: str) -> str:
        """Return the changes as a unified diff; empty if there are none."""
        before, after = (_split_lines(text) for text in self.lines)
        return "".join(_whole(line) for line in unified_diff(before, after, name, name))


def mend(data: bytes, name: str, only: str | None = None) -> Mended:
    """Mend a file.

    Args:
        data: its bytes.
        name: its name, for the problems.
        only: the problem code to mend; None for all.

    Returns:
        What mending does. A file of a format without mends, one that is not text and one above `LARGEST` stay as they
        are.
    """
    session = _read(data, name)
    form, encoding = (session.sources[key].drop_nulls() for key in ("format", "encoding"))
    rules = [rule for rule in RULES.get(form[0], ()) if only in {None, rule.code}] if len(form) else []
    draft = Draft.of(data, encoding[0]) if rules and len(encoding) and len(data) <= LARGEST else None
    if draft is None:
        return Mended(data, data, ("", ""), {}, session.problems)
    first, settled = draft, False
    codes = dict.fromkeys((rule.code for rule in rules), 0)
    while not settled:
        settled = True
        for rule in rules:
            edits = propose(draft, session, rule)
            if edits:
                draft, session, kept = _keep(draft, session, name, edits, together=rule.together)
                codes[rule.code] += kept
                settled = settled and not kept
    mended = {code: count for code, count in codes.items() if count}
    return Mended(data, draft.data, (first.text, draft.text), mended, session.problems)


def propose(draft: Draft, session: Session, rule: Rule) -> list[Edit]:
    """Return the changes that a rule proposes, in the order of their places."""
    problems = session.problems.filter((pl.col("code") == rule.code) & pl.col("line").is_not_null())
    if problems.is_empty():
        return []
    return sorted({edit for edit in rule.propose(draft, session, problems) if _changes(draft, edit)})


def _changes(draft: Draft, edit: Edit) -> bool:
    return draft.text[edit.start : edit.end] != edit.text


def _keep(
    draft: Draft, session: Session, name: str, edits: Sequence[Edit], *, together: bool
) -> tuple[Draft, Session, int]:
    """Make the changes that leave all frames equal and problems fewer; return how many these are."""
    groups, kept, refused = [list(edits)], list[Edit](), session
    for _ in range(_TRIALS):
        if not groups:
            break
        group = groups.pop(0)
        trial = draft.changed([*kept, *group])
        read = _read(trial.data, name)
        if _is_better(refused, read):
            kept, refused = [*kept, *group], read
        elif len(group) > 1 and not together:
            middle = len(group) // 2
            groups = [group[:middle], group[middle:], *groups]
    return draft.changed(kept), refused, len(kept)


def _is_better(before: Session, after: Session) -> bool:
    """Return whether all frames are equal, and problems fewer and not worse."""
    ours, theirs = (_count(session.problems) for session in (before, after))
    if not (theirs[0] <= ours[0] and theirs[1] <= ours[1] and theirs != ours):
        return False
    frames = ((getattr(before, name), getattr(after, name)) for name in _COMPARED)
    return all(one.drop(_PLACES, strict=False).equals(two.drop(_PLACES, strict=False)) for one, two in frames) and (
        _tags(before).equals(_tags(after))
    )


def _tags(session: Session) -> pl.DataFrame:
    tags = session.items.filter(pl.col("kind").is_in(["tag", "section"]))
    return tags.select("record", "kind", "name").unique().sort(pl.all())


def _count(problems: Problems) -> tuple[int, int]:
    """Return the number of errors and warnings, and of all problems."""
    return problems.filter(pl.col("severity") != "info").height, problems.height


def _read(data: bytes, name: str) -> Session:
    # The checks by the Laws see frames only. These stay equal, and so do the problems that those checks report.
    return assemble(read_bytes(data, name), "together", verified=True)


def _split_lines(text: str) -> list[str]:
    r"""Return lines with their ends; a lone `\r` shows as one."""
    draft = Draft(text)
    return [text[begin:over] for begin, (_, over) in zip(draft.starts, draft.ends, strict=True) if over > begin]


def _whole(line: str) -> str:
    r"""Return a line of a diff that ends in `\n`, and says so where the file has none."""
    if line.endswith("\n"):
        return line
    return line + "\n" if line.endswith("\r") else f"{line}\n\\ No newline at end of file\n"
