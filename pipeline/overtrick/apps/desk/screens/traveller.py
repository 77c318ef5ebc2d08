"""Traveller: the results of an evening, a board at a time, for whoever types them from paper."""

from collections.abc import Iterator
from functools import partial
from urllib.parse import parse_qsl

from starlette.responses import Response

from overtrick.apps.desk.screens.entering import describe_conflict, describe_judge, enter, needs_reason
from overtrick.apps.desk.visit import AwayError, Visit, address
from overtrick.apps.evening.edit import Evening, RefusedError
from overtrick.apps.evening.entering import ConflictError, Row, is_typed
from overtrick.apps.evening.grid import Cell, find_row, list_cells
from overtrick.core.notation import clean
from overtrick.files.correct import words
from overtrick.files.correct.entry import EntryError, ShorthandError, write_shorthand
from overtrick.judge.validate.movement_given import count_results
from overtrick.show.text.display import format_signed


def show(visit: Visit) -> Response:
    """Show the lines of a board; the script of the page has those of the other boards too."""
    return _show(visit, visit.evening, {}, {})


def _show(visit: Visit, evening: Evening, typed: dict[str, str], wrong: dict[str, str]) -> Response:
    if not is_typed(evening.session):
        raise AwayError(visit.shelved.name)
    boards: dict[int, list[Cell]] = {}
    for cell in list_cells(evening.session):
        if cell.row["source"] is not None:
            boards.setdefault(cell.row["board"], []).append(cell)
    missing = [cell for cells in boards.values() for cell in cells if cell.row["status"] == "unknown"]
    missing_on = {cell.row["board"] for cell in missing}
    board = visit.number("board")
    if board not in boards:
        board = min(missing_on or boards, default=0)
    return visit.show(
        "traveller",
        evening,
        status=422 if wrong else 200,
        board=board,
        boards=boards,
        has_rounds=any(cell.row["round"] for cells in boards.values() for cell in cells),
        has_tables=any(cell.row["table"] or cell.row["section"] for cells in boards.values() for cell in cells),
        next_board=next((after for after in sorted(boards) if after > board), None),
        counts=count_results(evening.session),
        missing=missing,
        missing_on=missing_on,
        typed=typed,
        wrong=wrong,
        judge=describe_judge(visit),
        echo=partial(_echo, visit),
        needs_reason=needs_reason(visit, evening),
    )


def save(visit: Visit) -> Response:
    """Save what was typed: the lines of a board, or one line at a time from the script of the page."""
    shelved = visit.shelved
    typed: dict[str, str] = {}
    wrong: dict[str, str] = {}
    lines = list(_read_lines(visit))
    with visit.desk.lock:
        evening = visit.desk.evening(shelved)
        for key, text, seen in lines:
            try:
                row = find_row(evening.session, dict(parse_qsl(key)))
                evening = enter(visit, evening, row, text, seen=seen).evening
            except ConflictError as error:
                typed[key], wrong[key] = text, describe_conflict(visit, error)
            except (EntryError, ShorthandError, RefusedError) as error:
                typed[key], wrong[key] = text, visit.say(str(error))
    if visit.wants_data:
        return visit.data(_answer(visit, evening, [key for key, _, _ in lines], wrong))
    if wrong:
        return _show(visit, evening, typed, wrong)
    after = address(shelved.name, "traveller", board=_choose_next(visit, evening))
    return visit.go(after, visit.translate("Saved."))


def _read_lines(visit: Visit) -> Iterator[tuple[str, str, str | None]]:
    """Yield what a form has: the key of a cell, the result, and the one that was shown before it was typed."""
    for name, text in visit.form.multi_items():
        if name.startswith("result:") and isinstance(text, str):
            key = name.removeprefix("result:")
            seen = visit.form.get(f"seen:{key}")
            yield key, text.strip(), seen if isinstance(seen, str) else None


def _echo(visit: Visit, row: Row) -> str:
    """Return a result in words and points, for whoever typed it: `4♠ by N, 10 tricks · +420`."""
    if row["status"] == "unknown":
        return ""
    points = "" if row["score_ns"] is None else f" · {format_signed(row['score_ns'])}"
    return f"{visit.say(clean(words.played(row)))}{points}"


def _answer(visit: Visit, evening: Evening, keys: list[str], wrong: dict[str, str]) -> dict[str, object]:
    rows = {key: find_row(evening.session, dict(parse_qsl(key))) for key in keys}
    played, missing = count_results(evening.session)
    return {
        "now": {key: write_shorthand(row) for key, row in rows.items() if row},
        "echo": {key: _echo(visit, row) for key, row in rows.items() if row},
        "wrong": wrong,
        "played": played,
        "missing": missing,
    }


def _choose_next(visit: Visit, evening: Evening) -> int:
    """Return the next board with a missing result, then the first one; the board that was typed if none is missing."""
    unknown = evening.session.results.filter(status="unknown")["board"].drop_nulls().unique().sort().to_list()
    here = visit.number("board") or 0
    return next((board for board in unknown if board > here), unknown[0] if unknown else here)
