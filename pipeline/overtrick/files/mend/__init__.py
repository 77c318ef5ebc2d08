"""Files mended: values that are understood but not as the standard writes them, and nothing else.

`RULES` lists what can be mended. The changes that all rules propose are made to the text, which is then read again.
They are kept only if all frames are equal and the problems are fewer. In games where a change does more than it
should, fewer changes are tried, so that it does not keep the others back. This goes on until nothing is left to mend.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, NamedTuple

import polars as pl

from overtrick.core.frames import Problems, Session
from overtrick.files.assemble import assemble
from overtrick.files.formats.read import read_bytes
from overtrick.files.mend import lin, pbn
from overtrick.files.mend.draft import Draft, Edit, Rule, unified

# Trials of changes: which of them leave all frames equal and problems fewer.
# The changes of all games are tried at once. Games whose frames differ afterwards, or that have more problems, are
# tried again with fewer of their changes, all such games at once too. So the number of times that a file is read does
# not grow with its size.

_TRIALS: Final = 16
"""How often a text is read for one set of changes, at most."""
_COMPARED: Final = ("records", "results", "contestants", "annotations")
_PLACES: Final = ("line", "column")


class Proposal(NamedTuple):
    """A change for a problem.

    Attributes:
        edit: the change.
        code: the problem code.
    """

    edit: Edit
    code: str


@dataclass(frozen=True)
class Trial:
    """The outcome of trying changes.

    Attributes:
        draft: the text.
        session: the frames read from it.
        kept: the changes that were kept.
        counts: the number of changes by problem code.
    """

    draft: Draft
    session: Session
    kept: Sequence[Proposal] = ()
    counts: Mapping[str, int] = field(default_factory=dict)


def read_again(data: bytes, name: str) -> Session:
    """Read a file and check it against its standard.

    The checks by the Laws see frames only. These stay equal, and so do the problems that those checks report.
    """
    return assemble(read_bytes(data, name), "together", verified=True)


def try_changes(
    start: Trial, name: str, proposals: Sequence[Proposal], base: Draft, counts: Mapping[str, int]
) -> Trial:
    """Make the changes that leave all frames equal and problems fewer.

    Args:
        start: the text and what is read from it.
        name: the name of the file.
        proposals: changes to `base` that do not overlap.
        base: the text, perhaps with other line ends.
        counts: how many line ends differ in it, by problem code.

    Returns:
        The text with the changes that were kept; the same if there are none.
    """
    if not proposals and base is start.draft:
        return start
    tries = _Tries(start, name, base, counts)
    reached = tries.settle(proposals)
    if reached is None:
        return tries.halve(proposals)
    useless = _not_fewer(start.session, reached)
    if useless:
        reached = tries.make([proposal for proposal in reached.kept if proposal.code not in useless])
    return reached if reached is start or is_better(start.session, reached.session) else tries.halve(proposals)


@dataclass(frozen=True)
class _Tries:
    """Tries of changes to one text."""

    start: Trial
    name: str
    base: Draft
    counts: Mapping[str, int]

    def make(self, proposals: Sequence[Proposal]) -> Trial:
        """Make changes and read the text again."""
        if not proposals and self.base is self.start.draft:
            return self.start
        draft = self.base.changed(proposal.edit for proposal in proposals)
        return Trial(
            draft,
            read_again(draft.data, self.name),
            proposals,
            Counter(self.counts) + Counter(proposal.code for proposal in proposals),
        )

    def settle(self, proposals: Sequence[Proposal]) -> Trial | None:
        """Try the changes of all games at once, until each is kept or refused; None if games cannot be told apart."""
        left = self._by_game(proposals)
        accepted: list[Proposal] = []
        trial = self.start
        for _ in range(_TRIALS):
            tried = {game: waiting.pop(0) for game, waiting in left.items() if waiting}
            if not tried:
                break
            trial = self.make([*accepted, *chain.from_iterable(tried.values())])
            worse = _worse_games(self.start.session, trial.session)
            if worse is None:
                return None
            for game, group in tried.items():
                if game in worse:
                    left[game] = [*_parts(group), *left[game]]
                else:
                    accepted += group
        return trial if trial.kept and len(trial.kept) == len(accepted) else self.make(accepted)

    def _by_game(self, proposals: Sequence[Proposal]) -> dict[int, list[list[Proposal]]]:
        """Return the groups of changes to try, by game: all changes of each are one group at first."""
        begins = self.base.begin(self.start.session.records["line"])
        groups: dict[int, list[list[Proposal]]] = {}
        for proposal in proposals:
            game = max(bisect_right(begins, proposal.edit.start) - 1, 0)
            groups.setdefault(game, [[]])[0].append(proposal)
        return groups

    def halve(self, proposals: Sequence[Proposal]) -> Trial:
        """Try the changes of one code at a time, and halves of those that do too much."""
        reached = self.start
        for code in dict.fromkeys(proposal.code for proposal in proposals):
            groups = [[proposal for proposal in proposals if proposal.code == code]]
            for _ in range(_TRIALS):
                if not groups:
                    break
                group = groups.pop(0)
                trial = self.make([*reached.kept, *group])
                if is_better(reached.session, trial.session):
                    reached = trial
                else:
                    groups = [*_parts(group), *groups]
        return reached


def _parts(group: list[Proposal]) -> list[list[Proposal]]:
    """Return smaller groups of a group that did too much: a group for each code, else halves."""
    codes = list(dict.fromkeys(proposal.code for proposal in group))
    if len(codes) > 1:
        return [[proposal for proposal in group if proposal.code == code] for code in codes]
    middle = len(group) // 2
    return [group[:middle], group[middle:]] if middle else []


def _not_fewer(before: Session, reached: Trial) -> set[str]:
    """Return the codes that changes were made for in vain."""
    ours, theirs = _by_code(before.problems), _by_code(reached.session.problems)
    return {proposal.code for proposal in reached.kept if theirs.get(proposal.code, 0) >= ours.get(proposal.code, 0)}


def _by_code(problems: Problems) -> Mapping[str, int]:
    return dict(problems["code"].cast(pl.String).value_counts().iter_rows())


def _worse_games(before: Session, after: Session) -> set[int] | None:
    """Return the games that differ or have more problems; None if games cannot be compared one by one."""
    worse: set[int] = set()
    for name in ("records", "annotations"):
        ours, theirs = _comparable(before, name), _comparable(after, name)
        if ours.height != theirs.height or not ours["record"].equals(theirs["record"]):
            return None
        for key in ours.columns:
            if not ours[key].equals(theirs[key]):
                worse |= set(ours["record"].filter(_differs(ours[key], theirs[key])).to_list())
    if not _tags(before).equals(_tags(after)):
        odd = pl.concat([_tags(before), _tags(after)]).filter(pl.struct(pl.all()).is_unique())
        worse |= set(odd["record"].drop_nulls().to_list())
    return worse | _with_more_problems(before.problems, after.problems)


def _with_more_problems(before: Problems, after: Problems) -> set[int]:
    """Return the games with more problems of a code, where the file has more of it too.

    Some codes are counted in a file and reported where they first occur. Mending a game can move these to the next one.
    """
    ours, theirs = _by_code(before), _by_code(after)
    risen = [code for code, count in theirs.items() if count > ours.get(code, 0)]
    if not risen:
        return set()
    counted = [
        problems.filter(pl.col("code").is_in(risen)).group_by("record", "code").len() for problems in (before, after)
    ]
    joined = counted[1].join(counted[0], on=["record", "code"], how="left", suffix="_before")
    more = joined.filter(pl.col("len") > pl.col("len_before").fill_null(0))
    # A problem of the whole file is laid at its first game.
    return set(more["record"].fill_null(0).to_list())


def _differs(ours: pl.Series, theirs: pl.Series) -> pl.Series:
    if ours.dtype.is_nested():
        pairs = zip(ours.to_list(), theirs.to_list(), strict=True)
        return pl.Series([first != two for first, two in pairs], dtype=pl.Boolean)
    return ours.ne_missing(theirs)


def is_better(before: Session, after: Session) -> bool:
    """Return whether all frames are equal, and problems fewer and not worse."""
    ours, theirs = (_count(session.problems) for session in (before, after))
    if not (theirs[0] <= ours[0] and theirs[1] <= ours[1] and theirs != ours):
        return False
    return are_equal(before, after)


def are_equal(before: Session, after: Session) -> bool:
    """Return whether two texts say the same: all frames but for the places of things, and all tags and sections."""
    frames = all(_comparable(before, name).equals(_comparable(after, name)) for name in _COMPARED)
    return frames and _tags(before).equals(_tags(after))


def _comparable(session: Session, name: str) -> pl.DataFrame:
    frame: pl.DataFrame = getattr(session, name)
    return frame.drop(_PLACES, strict=False)


def _tags(session: Session) -> pl.DataFrame:
    tags = session.items.filter(pl.col("kind").is_in(["tag", "section"]))
    return tags.select("record", "kind", "name").unique().sort(pl.all())


def _count(problems: Problems) -> tuple[int, int]:
    """Return the number of errors and warnings, and of all problems."""
    return problems.filter(pl.col("severity") != "info").height, problems.height


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
    proposed = rule.propose(draft, session, problems)
    return sorted({edit for edit in proposed if draft.text[edit.start : edit.end] != edit.text})
