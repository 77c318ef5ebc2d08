"""The totals of all score sheets."""

from overtrick.core.frames import CONTESTANTS, SHEETS, Session
from overtrick.show.html.contestants import Contestants
from overtrick.show.html.ranking_tables import SheetTotals, make_sheet_totals
from tests.support.builders import frame, results

NAMES = {"1": "Ada - Bo", "2": "Cy - Di", "3": "ADA - Cy", "4": "Ada - Jo"}


def totals(*sheets: tuple[str, str, int, int]) -> SheetTotals | None:
    """Add sheets up: who sat N-S, who E-W, and the points of each."""
    usual = {"deal": 1, "game": 1, "kind": "tricks", "below": True}
    rows = [
        {**usual, "table": str(table), "ns": ns, "ew": ew, "sheet": 1, "direction": side, "points": points}
        for table, (ns, ew, *both) in enumerate(sheets, start=1)
        for side, points in zip(("NS", "EW"), both, strict=True)
    ]
    session = Session(
        sheets=frame(SHEETS, rows),
        contestants=frame(CONTESTANTS, [{"contestant": one, "names": names} for one, names in NAMES.items()]),
        results=results(*({"ns": ns, "ew": ew} for ns, ew, *_ in sheets)),
    )
    return make_sheet_totals(session, Contestants(session))


def test_sides_and_players_have_the_sum_of_their_sheets() -> None:
    found = totals(("1", "2", 900, 100), ("2", "1", 50, 500), ("3", "1", 20, 300))
    assert found is not None
    assert [("1", "3", "1700", "170", "+1530")] == [
        (one.side.id, one.sheets, one.won, one.lost, one.difference) for one in found.sides[:1] if one.side
    ]
    players = {one.name: (one.sheets, one.difference) for one in found.players}
    assert ("4", "+1250") == players["Ada"]
    assert ("3", "−1530") == players["Cy"]


def test_case_and_accents_make_nobody_another_player() -> None:
    found = totals(("1", "2", 900, 100), ("3", "2", 20, 300), ("4", "2", 0, 0))
    assert found is not None
    assert ["3"] == [one.sheets for one in found.players if one.name == "Ada"]
    assert "ADA" not in [one.name for one in found.players]


def test_a_single_sheet_has_no_totals_of_its_own() -> None:
    assert totals(("1", "2", 900, 100)) is None
