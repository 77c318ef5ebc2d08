"""Files mended: values that are understood but not as the standard writes them, and nothing else.

`RULES` lists what can be mended. The changes that all rules propose are made to the text, which is then read again.
They are kept only if all frames are equal and the problems are fewer. In games where a change does more than it
should, fewer changes are tried, so that it does not keep the others back. This goes on until nothing is left to mend.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

import polars as pl

from overtrick.core.frames import Problems, Session
from overtrick.files.mend import lin, pbn
from overtrick.files.mend.draft import Draft, Edit, Rule, unified
from overtrick.files.mend.trials import Proposal, Trial, read_again, try_changes

RULES: Final = {"pbn": pbn.RULES, "lin": lin.RULES}
"""By format, the rules in their order."""

LINE_ENDS: Final = {"pbn": pbn.find_line_end}
"""By format, what finds the line end that all lines should have."""

LARGEST: Final = 64 * 1024 * 1024
"""Bytes of the largest file that is mended: it is held in memory and read several times."""


@dataclass(frozen=True)
class Mended:
    """The effect of mending a file.

    Attributes:
        before: the bytes of the file.
        after: the bytes that it should have; equal if nothing can be mended.
        drafts: the text before and after; None if the file is not mended.
        codes: how many places were mended, by problem code.
        problems: a frame of `frames.PROBLEMS`: those of reading that are left.
    """

    before: bytes
    after: bytes
    drafts: tuple[Draft, Draft] | None
    codes: dict[str, int]
    problems: Problems

    def diff(self, name: str) -> str:
        """Return the changes as a unified diff; empty if there are none."""
        return unified(*self.drafts, name) if self.drafts else ""


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
    session = read_again(data, name)
    form, encoding = (session.sources[key].drop_nulls() for key in ("format", "encoding"))
    rules = [rule for rule in RULES.get(form[0], ()) if only in {None, rule.code}] if len(form) else []
    draft = Draft.of(data, encoding[0]) if rules and len(encoding) and len(data) <= LARGEST else None
    if draft is None:
        return Mended(data, data, None, {}, session.problems)
    reached, codes = Trial(draft, session), Counter[str]()
    while (tried := _improve(reached, name, rules, _find_line_end(reached, form[0], only))) is not reached:
        codes.update(tried.counts)
        reached = tried
    return Mended(data, reached.draft.data, (draft, reached.draft), dict(codes), reached.session.problems)


def _find_line_end(reached: Trial, form: str, only: str | None) -> tuple[str, str] | None:
    problems = reached.session.problems
    asked = problems.filter(pl.col("code") == only) if only else problems
    return LINE_ENDS[form](reached.draft, asked) if form in LINE_ENDS else None


def _improve(start: Trial, name: str, rules: Iterable[Rule], end: tuple[str, str] | None) -> Trial:
    """Make what changes can be made at once; return the same if there are none."""
    if end:
        code, text = end
        ended = start.draft.ending(text)
        counts = {code: len(start.draft.ends) - start.draft.ends.count(text)}
        better = try_changes(start, name, _propose_all(ended, start.session, rules), ended, counts)
        if better is not start or ended is start.draft:
            return better
    return try_changes(start, name, _propose_all(start.draft, start.session, rules), start.draft, {})


def _propose_all(draft: Draft, session: Session, rules: Iterable[Rule]) -> list[Proposal]:
    """Return what the rules propose; of changes in the same place, that of the earlier rule."""
    chosen: list[Proposal] = []
    begins = draft.begin(session.records["line"])
    for rule in rules:
        busy = {bisect_right(begins, proposal.edit.start) - 1 for proposal in chosen} if rule.whole_games else set()
        edits = propose(draft, session, rule, busy)
        if edits:
            free = _apart(edits, [proposal.edit for proposal in chosen])
            chosen += [Proposal(edit, rule.code) for edit in free]
            chosen.sort()
    return chosen


def _apart(edits: list[Edit], taken: list[Edit]) -> list[Edit]:
    """Return the edits that share no place with each other or with edits that are taken; both are sorted."""
    starts, free, over = [edit.start for edit in taken], list[Edit](), 0
    for edit in edits:
        at = bisect_left(starts, edit.start)
        after = at < len(taken) and taken[at].start < max(edit.end, edit.start + 1)
        before = at > 0 and taken[at - 1].end > edit.start
        if not (before or after or edit.start < over):
            free.append(edit)
            over = edit.end
    return free


def propose(draft: Draft, session: Session, rule: Rule, busy: Collection[int] = ()) -> list[Edit]:
    """Return the changes that a rule proposes, in the order of their places; none in games that are busy."""
    problems = session.problems.filter((pl.col("code") == rule.code) & pl.col("line").is_not_null())
    if busy:
        problems = problems.filter(~pl.col("record").is_in(busy).fill_null(value=False))
    if problems.is_empty():
        return []
    return sorted({edit for edit in rule.propose(draft, session, problems) if _changes(draft, edit)})


def _changes(draft: Draft, edit: Edit) -> bool:
    return draft.text[edit.start : edit.end] != edit.text
