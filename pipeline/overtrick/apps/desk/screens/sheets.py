"""Type it in: an evening without any file, from its movement."""

import tempfile
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from starlette.responses import Response

from overtrick.apps.desk.visit import Visit, address
from overtrick.apps.evening import sheets
from overtrick.apps.evening.shelf import find_shelved
from overtrick.apps.inbox.arriving import ArrivalError, check_name
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
        refused=wrong,
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
    return visit.go(address(name, "traveller"))
