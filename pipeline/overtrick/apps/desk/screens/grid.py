"""Grid: the room, a cell for each result; a cell is opened, typed over and saved."""

from typing import Any
from urllib.parse import parse_qsl

from starlette.responses import Response

from overtrick.apps.desk.screens import entering
from overtrick.apps.desk.screens.overview import rankings
from overtrick.apps.desk.visit import Visit, address, hidden_fields
from overtrick.apps.evening.edit import ChangedError, Edited, Evening, RefusedError
from overtrick.apps.evening.entering import ConflictError, Row, explain, is_result
from overtrick.apps.evening.grid import ORDERS, Cell, cell_key, find_row, list_cells, make_grids, select
from overtrick.core.bridge.cards import STRAIN_SIGNS, STRAINS
from overtrick.core.config.corrections import Entry
from overtrick.core.frames import Session
from overtrick.core.notation import is_number
from overtrick.files.correct.entry import EntryError, ShorthandError, read_entry, read_shorthand, write_shorthand

_KEY = ("board", "section", "round", "table", "ns", "ew")


def show(visit: Visit) -> Response:
    """Show the grid, or with a board in the address its results one below the other."""
    evening, board = visit.evening, visit.text("board")
    session = evening.session
    if is_number(board) and len(board) < 10:
        return _show_board(visit, evening, int(board))
    shown: dict[str, Any] = {"rankings": rankings(session), "judge": entering.describe_judge(visit), "orders": ORDERS}
    grids = make_grids(session, order=visit.text("order"))
    return visit.show("grid", evening, grids=grids, needs_reason=entering.needs_reason(visit, evening), **shown)


def _show_board(visit: Visit, evening: Evening, board: int, column: str = "", wrong: str = "") -> Response:
    """Show the results of a board, one below the other, and the column that is not saved yet."""
    session = evening.session
    deals = session.records.filter(session.records["board"] == board)["deal"].drop_nulls()
    hands = deals[0].removeprefix("N:").split(" ") if len(deals) else []
    shown: dict[str, Any] = {
        "cells": list_cells(session, board),
        "hands": hands,
        "needs_reason": entering.needs_reason(visit, evening),
    }
    status = 422 if wrong else 200
    return visit.show("board", evening, tab="grid", status=status, board=board, column=column, refused=wrong, **shown)


def show_cell(visit: Visit) -> Response:
    """Show one result with its form."""
    return _cell_page(visit, visit.desk.evening(visit.shelved))


def _cell_page(
    visit: Visit, evening: Evening, *, edited: Edited | None = None, wrong: str = "", status: int = 200
) -> Response:
    key = {name: visit.text(name) for name in _KEY}
    row = find_row(evening.session, key)
    cell = next((cell_of for cell_of in _cells(evening.session, key) if row and cell_of.key == cell_key(row)), None)
    typed = visit.text("result") or (cell.short if cell else "")
    shown = {"key": key, "cell": cell, "typed": typed, "edited": edited, "refused": wrong, "picked": _pick(visit, row)}
    return visit.show("cell", evening, status=status, tab="grid", **shown)


_PAD = ("level", "strain", "doubled", "by", "made", "lead")
"""The fields of the pad."""


def _pick(visit: Visit, row: Row | None) -> dict[str, str]:
    """Return what the pad shows: what was chosen in it, else the result as it is."""
    chosen = {name: visit.text(name) for name in _PAD}
    if visit.form or row is None or None in {row["level"], row["strain"], row["declarer"], row["tricks"]}:
        return chosen | ({"level": "P"} if not visit.form and row and row["level"] == 0 else {})
    made = f"{row['tricks'] - row['level'] - 6:+d}".replace("+0", "=")
    signs = {**dict(zip(STRAINS, STRAIN_SIGNS, strict=True)), "NT": "N"}
    values = (str(row["level"]), signs[row["strain"]], "X" * (row["doubled"] or 0), row["declarer"], made)
    return dict(zip(_PAD, (*values, write_shorthand(row).partition(" ")[2]), strict=True))


def _cells(session: Session, key: dict[str, str]) -> list[Cell]:
    return list_cells(session, int(key["board"])) if is_number(key["board"]) and len(key["board"]) < 10 else []


def read_cell(visit: Visit, session: Session) -> Entry:
    """Return the entry that the form of a cell describes.

    Raises:
        EntryError, ShorthandError: it describes none.
    """
    row = find_row(session, {name: visit.text(name) for name in _KEY})
    told = {"who": visit.text("who")} if visit.text("who") else {}
    given, why = _options(visit), visit.text("why")
    if row is None:
        return read_entry({**_place(visit), "add": True, **explain({"status": "unknown"}, given, why), **told})
    # The pair E-W may have the number of another N-S.
    other = {"pair": row["ew"], "direction": "EW"} if visit.text("instead_ew") and "other_pair" in given else {}
    return read_entry({**select(session, row), **other, **explain(row, given, why), **told})


def _place(visit: Visit) -> dict[str, Any]:
    """Return the options that say where a missing result belongs.

    Raises:
        EntryError: the form does not say it.
    """
    where = {name: visit.text(name) for name in ("section", "round", "table") if visit.text(name)}
    board = visit.text("board")
    if not is_number(board):
        raise EntryError("expected a board")
    pairs = {"pair": visit.text("pair") or visit.text("ns"), "other_pair": visit.text("other_pair") or visit.text("ew")}
    if not all(pairs.values()):
        raise EntryError("expected the pairs that sat N-S and E-W")
    return {"board": int(board), **where, **pairs}


def _options(visit: Visit) -> dict[str, Any]:
    """Return what a form says of the result: as it was typed, or else from the pad."""
    if visit.text("swap"):
        return {"swap": True}
    if visit.text("instead") and visit.text("instead_ew"):
        raise EntryError(visit.translate("change one pair at a time"))
    if instead := visit.text("instead") or visit.text("instead_ew"):
        return {"other_pair": instead}
    if visit.text("delete"):
        return {"delete": True}
    if typed := visit.text("result"):
        return read_shorthand(typed)
    level, strain = visit.text("level"), visit.text("strain")
    result, by = visit.text("made"), visit.text("by")
    if level == "P":
        return {"contract": "Pass"}
    lead = f" {visit.text('lead')}" if visit.text("lead") else ""
    return read_shorthand(f"{level}{strain}{visit.text('doubled')}{by}{result}{lead}")


def save_cell(visit: Visit) -> Response:
    """Save what a form says of a cell, or show first what it would change."""
    shelved = visit.shelved
    with visit.desk.lock:
        evening = visit.desk.evening(shelved)
        try:
            if visit.text("do") == "preview":
                return _cell_page(visit, evening, edited=_preview(visit, evening))
            entered = _enter(visit, evening)
        except (EntryError, ShorthandError) as error:
            return _wrong(visit, evening, visit.say(str(error)))
        except ConflictError as error:
            return _wrong(visit, evening, entering.describe_conflict(visit, error), 409)
        except ChangedError:
            return _changed(visit, visit.desk.evening(shelved))
    if visit.wants_data:
        return visit.data(_saved(visit, entered))
    return visit.go(address(shelved.name, "grid"), entered.told)


def _enter(visit: Visit, evening: Evening) -> entering.Entered:
    """Save the form of a cell.

    Raises:
        EntryError, ShorthandError: it describes no result, or one that can't be right.
        ChangedError: the result, or the corrections file, is no longer what the form was filled in over.
    """
    row, given = find_row(evening.session, {name: visit.text(name) for name in _KEY}), _options(visit)
    if row is not None and is_result(given):
        was = visit.text("was") if "was" in visit.form else None
        return entering.enter_options(visit, evening, row, given, seen=was)
    edited = _preview(visit, evening)
    return entering.Entered(visit.desk.save(visit.shelved, evening, edited), edited, entering.describe(visit, edited))


def _preview(visit: Visit, evening: Evening) -> Edited:
    """Return what the form of a cell would change.

    Raises:
        EntryError, ShorthandError: it describes no correction, or one that can't be right.
        ChangedError: the corrections file is no longer what the form was filled in over.
    """
    if visit.text("seen") and visit.text("seen") != evening.digest:
        raise ChangedError(f"{evening.target}: changed meanwhile")
    # What was shown while the scorer typed is what Enter saves; it need not be worked out again.
    key = (visit.shelved.name, evening.digest, visit.desk.settings().digest, tuple(hidden_fields(visit)))
    if visit.desk.previewed and visit.desk.previewed[0] == key:
        return visit.desk.previewed[1]
    edited = evening.put(read_cell(visit, evening.session))
    if not edited.errors.is_empty():
        raise EntryError(" ".join(visit.list_errors(edited)))
    visit.desk.previewed = (key, edited)
    return edited


def _saved(visit: Visit, entered: entering.Entered) -> dict[str, object]:
    """Return what the script of the grid shows after a cell was saved: the row of its board, and the ranking."""
    shelved, after = visit.shelved, entered.evening
    board = int(visit.text("board"))
    grids = make_grids(after.session, board, visit.text("order"))
    shown = {"shelved": shelved, "grids": grids, "rankings": rankings(after.session), "edited": entered.edited}
    return {
        "told": entered.told,
        "seen": after.digest,
        "board": board,
        "rows": visit.fragment("grid_rows.html", **shown),
        "ranking": visit.fragment("grid_ranking.html", **shown),
        "effect": visit.fragment("effect.html", **shown) if entered.edited else "",
    }


def _wrong(visit: Visit, evening: Evening, message: str, status: int = 422) -> Response:
    if visit.wants_data:
        return visit.data({"error": message}, status)
    return _cell_page(visit, evening, wrong=message, status=status)


def _changed(visit: Visit, evening: Evening) -> Response:
    if visit.wants_data:
        message = visit.translate("The corrections were changed elsewhere; load the page again to see both.")
        return visit.data({"error": message}, 409)
    return show_changed(visit, evening)


def show_changed(visit: Visit, evening: Evening) -> Response:
    """Show a form that was filled in over an older state of the file, and the file as it is now."""
    now, fields = evening.content.decode("utf-8", "replace"), hidden_fields(visit)
    shown = {"file": evening.target.name, "now": now, "fields": fields, "action": visit.request.url.path}
    return visit.show("changed", evening, status=409, tab="history", **shown)


def effect(visit: Visit) -> Response:
    """Return what the form of a cell would change, while it is typed; nothing is written."""
    shelved = visit.shelved
    try:
        # Saving the same a moment later waits for this, and uses it.
        with visit.desk.lock:
            edited = _preview(visit, visit.desk.evening(shelved))
    except (EntryError, ShorthandError, ChangedError) as error:
        return visit.data({"error": visit.say(str(error))})
    return visit.data({"effect": visit.fragment("effect.html", shelved=shelved, edited=edited)})


def paste(visit: Visit) -> Response:
    """Save a column from a spreadsheet: a line for each result of a board, in the order of the page.

    Lines that cannot be saved come back in the form, with the reason.
    """
    shelved, board = visit.shelved, visit.text("board")
    lines = [line.strip() for line in str(visit.form.get("column", "")).strip("\r\n").splitlines()]
    wrong: list[str] = []
    saved = 0
    with visit.desk.lock:
        evening = visit.desk.evening(shelved)
        if visit.text("seen") != evening.digest:
            return show_changed(visit, evening)
        cells = _cells(evening.session, {"board": board})
        if len(lines) > len(cells):
            wrong.append(visit.translate("The column has more lines than the board has results."))
            cells = []
        for at, (cell, line) in enumerate(zip(cells, lines, strict=False)):
            try:
                row = find_row(evening.session, dict(parse_qsl(cell.key)))
                entered = (
                    entering.enter(visit, evening, row, line, seen=cell.short) if line else entering.Entered(evening)
                )
            except (ShorthandError, EntryError, RefusedError) as error:
                wrong.append(f"{at + 1}: {visit.say(str(error))}")
            else:
                evening, lines[at], saved = entered.evening, "", saved + bool(entered.edited)
    if wrong:
        return _show_board(visit, evening, visit.number("board") or 0, "\n".join(lines), "; ".join(wrong))
    message = visit.translate("%(num)s results saved.", num=saved)
    return visit.go(address(shelved.name, "grid", board=board), message)
