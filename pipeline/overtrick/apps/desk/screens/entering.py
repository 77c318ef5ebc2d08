"""A result that is typed on a screen: the grid, a cell and the traveller save it alike."""

from dataclasses import dataclass

from overtrick.apps.desk.visit import Visit
from overtrick.apps.evening.edit import Edited, Evening
from overtrick.apps.evening.entering import ConflictError, Row, check_seen, explain, is_result, is_writable, type_in
from overtrick.apps.evening.grid import find_row, select
from overtrick.apps.evening.published import read_publication
from overtrick.core.notation import clean, in_club_unit
from overtrick.files.correct import words
from overtrick.files.correct.draft import new_errors, ranking_changes
from overtrick.files.correct.entry import EntryError, Given, describe_shorthand, read_entry, read_shorthand


@dataclass(frozen=True)
class Entered:
    """What an entry did.

    Attributes:
        evening: the evening after it.
        edited: what it changed; None if it changed nothing.
        told: a sentence about it; empty if it changed nothing.
    """

    evening: Evening
    edited: Edited | None = None
    told: str = ""


def is_published(visit: Visit) -> bool:
    """Return whether the evening was published, so that what is typed is a correction."""
    return read_publication(visit.desk.folder, visit.shelved) is not None


def needs_reason(visit: Visit, evening: Evening) -> bool:
    """Return whether what is typed is a correction, so that its reason is published."""
    return is_published(visit) or not all(map(is_writable, evening.session.results["source"].drop_nulls().unique()))


def describe_judge(visit: Visit) -> dict[str, str]:
    """Return the words by which the script of a page judges an entry, and its sentences; %s stands for the entry."""
    return describe_shorthand() | {
        "declarer": visit.translate("%s by whom?"),
        "tricks": visit.translate("%s made how many? =, +1 or -2"),
        "sign": visit.translate("%s: type = or a sign, such as +1 or -2"),
        "nothing": visit.translate("Expected a result such as 4SN+1, or P, NP, 60/40, -100"),
    }


def enter(visit: Visit, evening: Evening, row: Row | None, text: str, *, seen: str | None) -> Entered:
    """Save the result that was typed for a line; the lock of the desk is held.

    Args:
        visit: the request, with the fields `why` and `who` where the page has them.
        evening: the evening as it is now.
        row: the result, of `frames.RESULTS`; None if the evening has no such line.
        text: what was typed; empty for a result that is missing.
        seen: the result that was shown before; None if the page does not say it.

    Raises:
        EntryError, ShorthandError: the text is not a result, or it can't be right.
        RefusedError: the result or its file was changed meanwhile, or the file can't be written.
    """
    if row is None:
        raise EntryError(visit.translate("this line is not in the evening any more"))
    return enter_options(visit, evening, row, read_shorthand(text) if text else {}, seen=seen)


def enter_options(visit: Visit, evening: Evening, row: Row, given: Given, *, seen: str | None) -> Entered:
    """Save a result as `enter` does, from its options."""
    if is_result(given) and not check_seen(row, seen, given):
        return Entered(evening)
    if is_result(given) and not is_published(visit) and (table := type_in(evening, row, given)):
        table.write()
        return _describe(visit, evening, visit.desk.evening(visit.shelved), row)
    told = {"who": visit.text("who")} if visit.text("who") else {}
    edited = evening.put(read_entry({**select(evening.session, row), **explain(row, given, visit.text("why")), **told}))
    if not edited.errors.is_empty():
        raise EntryError(" ".join(visit.list_errors(edited)))
    return Entered(visit.desk.save(visit.shelved, evening, edited), edited, describe(visit, edited))


def describe_conflict(visit: Visit, error: ConflictError) -> str:
    """Return a sentence about a result that somebody changed meanwhile."""
    return visit.translate("it is %(now)s now", now=error.now or visit.translate("missing"))


def describe(visit: Visit, edited: Edited) -> str:
    """Return a sentence about a correction."""
    entry = edited.entry
    if entry is None:
        return ""
    where = f"{visit.spoken.format_board(str(entry['board']))}: " if entry["board"] is not None else ""
    return f"{where}{visit.say(entry['what'])}"


def _describe(visit: Visit, before: Evening, after: Evening, row: Row) -> Entered:
    """Return what typing into a table changed."""
    key = {name: str(row[name]) for name in ("board", "section", "round", "table", "ns", "ew") if row[name] is not None}
    now = find_row(after.session, key) or row
    changed = ranking_changes(*(in_club_unit(evening.session).standings for evening in (before, after)))
    errors = new_errors(before.session.problems, after.session.problems)
    edited = Edited("", after.session, None, changed, errors, after.found)
    said = visit.say(clean(words.played(now))) or visit.translate("missing")
    return Entered(after, edited, f"{row['board']}: {said}")
