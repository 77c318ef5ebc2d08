"""PBN's tags for the deals of a rubber: the points of a deal on the sheet, and those before it (4.2.5, 4.2.6)."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from overtrick.core.bridge.boards import side_vulnerable
from overtrick.core.bridge.methods import Sheet
from overtrick.core.bridge.sheets import deal_parts
from overtrick.core.frames import Lines, Session

TAGS: Final = {"ScoreRubber": "stated_sheet", "ScoreRubberHistory": "stated_history"}
"""The tags, and the text columns that they become."""

_OF_RUBBERS: Final = (0, 500, 700)
_OF_GAMES: Final = (0, 300, 500)
"""What programs add above the line to a deal that completes a rubber, or a game where games are paid at once.

They follow other rules than `bridge.sheets`, so each of these bonuses is tried."""
_HONOURS: Final = (0, 100, 150)


def with_rubber_tags(lines: Lines, session: Session, sheet: Sheet) -> Lines:
    """Find the honours of a deal: the points that it has above the line and the contract does not account for.

    Args:
        lines: results with `stated_vulnerable`.
        session: its items hold the tags.
        sheet: whether games add up to rubbers.

    Returns:
        The lines with `honours_ns honours_ew` filled where they were null, and with these columns added:
        `stated_sheet stated_history` (texts), and `sheet_explained`, false where no honours account for the points.
    """
    for tag, column in TAGS.items():
        texts = session.items.filter(pl.col("kind") == "tag", pl.col("name") == tag).unique("record", keep="first")
        lines = lines.join(
            texts.select("record", pl.col("text").alias(column)), on="record", how="left", maintain_order="left"
        )
    if lines["stated_sheet"].null_count() == lines.height:
        return lines.with_columns(pl.lit(value=True).alias("sheet_explained"))
    bonuses = _OF_RUBBERS if sheet.rubbers else _OF_GAMES
    read = {side: _honours(side, bonuses) for side in ("ns", "ew")}
    told = {side: _stated(side)[0].is_not_null() for side in ("ns", "ew")}
    right = [_below_agrees(side) & read[side].is_not_null() | ~told[side] for side in ("ns", "ew")]
    return lines.with_columns(
        *(pl.coalesce(f"honours_{side}", read[side]).alias(f"honours_{side}") for side in ("ns", "ew")),
        pl.all_horizontal(right).fill_null(value=False).alias("sheet_explained"),
    )


def _stated(side: str) -> tuple[pl.Expr, pl.Expr]:
    """Return the points above and below the line that are stated for a side: declarer's where no side is named."""
    text = pl.col("stated_sheet")
    declares = pl.col("declarer").cast(pl.String).str.contains(f"[{side.upper()}]")
    named, bare = rf"(?i){side}\s*([0-9]{{1,5}})\s*/\s*([0-9]{{1,5}})", r"^\s*([0-9]{1,5})\s*/\s*([0-9]{1,5})\s*$"
    above, below = (
        pl.coalesce(text.str.extract(named, n), pl.when(declares).then(text.str.extract(bare, n))).cast(pl.Int32)
        for n in (1, 2)
    )
    return above, below


def _honours(side: str, bonuses: Sequence[int]) -> pl.Expr:
    """Return the points above the line that are honours, at the stated vulnerability or else at the one that fits."""
    stated = side_vulnerable(pl.col("stated_vulnerable"), pl.col("declarer")).fill_null(value=False)
    return pl.coalesce(_left_over(side, stated, bonuses), _left_over(side, ~stated, bonuses))


def _left_over(side: str, vulnerable: pl.Expr, bonuses: Sequence[int]) -> pl.Expr:
    declares = pl.col("declarer").cast(pl.String).str.contains(f"[{side.upper()}]").fill_null(value=False)
    parts = deal_parts(vulnerable)
    own = parts["overtricks"] + parts["doubled"] + parts["slam"]
    rest = _stated(side)[0] - pl.when(declares).then(own).otherwise(parts["undertricks"])
    made = declares & (parts["tricks"] > 0)
    alone = dict(zip(_HONOURS, _HONOURS, strict=True))
    with_bonus = {bonus + points: points for bonus in bonuses for points in _HONOURS}
    return (
        pl.when(made)
        .then(rest.replace_strict(with_bonus, default=None, return_dtype=pl.Int32))
        .otherwise(rest.replace_strict(alone, default=None, return_dtype=pl.Int32))
    )


def _below_agrees(side: str) -> pl.Expr:
    declares = pl.col("declarer").cast(pl.String).str.contains(f"[{side.upper()}]").fill_null(value=False)
    return _stated(side)[1] == pl.when(declares).then(deal_parts(pl.lit(value=False))["tricks"]).otherwise(0)


def stated_before(side: str) -> tuple[pl.Expr, pl.Expr]:
    """Return the stated points of a side before the deal: above the line, and below it in all games of the rubber."""
    pattern = rf"(?i){side}\s+[0-9]+\s+([0-9]{{1,5}})\s*/\s*([0-9]{{1,5}})(?:\s+([0-9]{{1,5}}))?(?:\s+([0-9]{{1,5}}))?"
    units = [pl.col("stated_history").str.extract(pattern, n).cast(pl.Int32) for n in (1, 2, 3, 4)]
    return units[0], units[1] + units[2].fill_null(0) + units[3].fill_null(0)
