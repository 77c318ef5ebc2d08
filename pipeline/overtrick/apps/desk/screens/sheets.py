"""Type it in: an evening without any file, from its movement and the travellers."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from starlette.responses import Response

from overtrick.apps.desk.visit import AwayError, Visit, address
from overtrick.apps.evening import sheets
from overtrick.apps.evening.edit import ChangedError
from overtrick.apps.evening.shelf import ArrivalError, Shelved, check_name, find_shelved
from overtrick.core.atomic_write import replace_file
from overtrick.core.bridge.methods import METHODS
from overtrick.core.bridge.movements import KNOWN, Sitting
from overtrick.core.config.movement import Movement
from overtrick.core.notation import is_number

_WHOLE = ("tables", "boards", "first_board", "rounds", "missing", "skip_after")


def choose(visit: Visit) -> Response:
    """Show the movements to choose from, and a picture of the one that is chosen."""
    sittings: list[Sitting] = []
    wrong = ""
    if visit.text("kind"):
        try:
            sittings = _sittings(visit)
        except (ValueError, ValidationError) as error:
            wrong = _said(error)
    return _choose(visit, sittings, wrong)


def _choose(visit: Visit, sittings: list[Sitting], wrong: str, status: int = 200) -> Response:
    pairs = sorted({who for sitting in sittings for who in (*sitting.ns, *sitting.ew)})
    return visit.render(
        "type.html",
        status=status,
        known=sorted({tables for kind, tables in KNOWN if kind == "howell"}),
        methods=[method.name for method in METHODS.values() if not method.sheet and not method.of_teams],
        sittings=sittings,
        at={(sitting.round, sitting.table): sitting for sitting in sittings},
        pairs=pairs,
        alone=any(len(sitting.ns) > 1 for sitting in sittings),
        wrong=wrong,
    )


def _sittings(visit: Visit) -> list[Sitting]:
    """Return who meets whom.

    Raises:
        ValueError: the movement is not one; the message says why.
    """
    kind = visit.text("kind")
    if kind == "table":
        return _from_table(visit.text("movement"))
    given: dict[str, Any] = {name: _whole(name, text) for name in _WHOLE if (text := visit.text(name))}
    if kind != "mitchell":
        given.pop("skip_after", None)
    elif given.get("tables", 1) % 2 == 0 and "skip_after" not in given:
        given |= {"relay": True} if visit.text("even") == "relay" else {"skip_after": given["tables"] // 2}
    return sheets.list_sittings(Movement.model_validate({"kind": kind, **given}), together=bool(visit.text("together")))


def _whole(name: str, text: str) -> int:
    if not is_number(text):
        raise sheets.SheetError(f"{name}: expected a whole number, got {text!r}")
    return int(text)


def _from_table(text: str) -> list[Sitting]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "movement.csv").write_text(text.replace("\r\n", "\n") + "\n", "utf-8")
        return sheets.list_sittings(Movement.model_validate({"file": "movement.csv"}).read_table(Path(folder)))


def _said(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        return "; ".join(mistake["msg"].removeprefix("Value error, ") for mistake in error.errors())
    return str(error)


def begin(visit: Visit) -> Response:
    """Write the sheet, and show it."""
    sittings: list[Sitting] = []
    try:
        sittings = _sittings(visit)
        name = check_name(visit.text("name"))
        if find_shelved(visit.desk.folder, name) or (visit.desk.folder / name).exists():
            raise sheets.SheetError(visit.translate("There is an evening of this name already."))
        names = {key.removeprefix("pair-"): visit.text(key) for key in visit.form if key.startswith("pair-")}
        facts = {
            "event": visit.text("event") or name,
            "date": visit.text("date").replace("-", "."),
            "scoring": visit.text("method"),
        }
        content = sheets.make_sheet(sittings, names, facts)
        place = visit.desk.folder / name
        place.mkdir()
        replace_file(place / f"{name}.csv", content, durable=True)
    except (ValueError, ValidationError, ArrivalError) as error:
        wrong = str(error) if isinstance(error, ArrivalError) else _said(error)
        return _choose(visit, sittings, wrong, 422)
    return visit.go(address(name, "sheet"))


def _sheet(shelved: Shelved) -> sheets.Sheet:
    for path in shelved.files:
        if path.suffix.lower() == ".csv" and (sheet := sheets.read_sheet(path)):
            return sheet
    raise AwayError(shelved.name)


def show(visit: Visit) -> Response:
    """Show the travellers, a board at a time."""
    return _show(visit, _sheet(visit.shelved), {}, {})


def _show(visit: Visit, sheet: sheets.Sheet, typed: Mapping[int, str], wrong: Mapping[int, str]) -> Response:
    boards, missing = sheet.boards, {line.board for line in sheet.missing}
    board = visit.number("board")
    if board not in boards:
        board = min(missing or boards, default=0)
    return visit.render(
        "sheet.html",
        status=422 if wrong else 200,
        shelved=visit.shelved,
        screen="sheet",
        sheet=sheet,
        board=board,
        boards=boards,
        next_board=next((after for after in boards if after > board), None),
        lines=[line for line in sheet.lines if line.board == board],
        missing=sheet.missing,
        missing_on=missing,
        typed=typed,
        wrong=wrong,
        seen=sheet.digest,
    )


def save(visit: Visit) -> Response:
    """Save what was typed: a whole board, or one line of it at a time from the script of the page."""
    shelved = visit.shelved
    with visit.desk.lock:
        sheet = _sheet(shelved)
        typed = _read_lines(visit)
        if visit.text("seen") != sheet.digest:
            message = visit.translate("The sheet was changed elsewhere; load the page again to see both.")
            if visit.wants_data:
                return visit.data({"error": message}, 409)
            return _show(visit, sheet, typed, {-1: message})
        content, wrong = sheets.type_results(sheet, typed)
        try:
            sheets.save_sheet(sheet, content)
        except ChangedError as error:
            wrong = {**wrong, -1: str(error)}
    after = sheets.read_sheet(sheet.path) or sheet
    if visit.wants_data:
        errors = {str(number): message for number, message in wrong.items()}
        return visit.data({"seen": after.digest, "wrong": errors, "missing": len(after.missing)})
    if wrong:
        return _show(visit, after, typed, wrong)
    return visit.go(address(shelved.name, "sheet", board=_choose_next(visit, after)), visit.translate("Saved."))


def _read_lines(visit: Visit) -> dict[int, str]:
    """Return the results that a form has, by line of the sheet."""
    fields = [(key.partition("line-"), value) for key, value in visit.form.multi_items()]
    return {
        int(number): str(text) for (start, dash, number), text in fields if dash and not start and is_number(number)
    }


def _choose_next(visit: Visit, sheet: sheets.Sheet) -> str:
    """Return the next board with a missing result, then the first one; the board that was typed if none is missing."""
    missing = sorted({line.board for line in sheet.missing})
    here, typed = visit.text("board"), visit.number("board") or 0
    after = next((board for board in missing if board > typed), None)
    return visit.text("next") or str(after or (missing[0] if missing else here))
