"""Problems that scoring reports of games that are scored on sheets: rubbers, Chicago and four-hand matches."""

import polars as pl

from overtrick.core.bridge.methods import Sheet
from overtrick.core.config import Scoring
from overtrick.core.frames import Lines, Problems
from overtrick.core.notation import contract_text
from overtrick.core.problems import concat_problems, report
from overtrick.judge.score.scoring_tag import stated_before
from overtrick.judge.score.sheets import SEATING, honours_impossible


def report_sheets(lines: Lines, sheet: Sheet, scoring: Scoring) -> Problems:
    """Report on the deals of games that are scored on sheets; `lines` are those of `sheets.score_on_sheets`."""
    dealt = lines.filter(~pl.col("status").is_in(["not played", "bye"]))
    off = report("deal-off-sheet", dealt.filter(pl.col("entries").is_null()))
    stated = report("sheet-mismatch", dealt.filter(~pl.col("sheet_explained")))
    honours = _report_honours(dealt)
    if sheet.rubbers:
        return concat_problems([off, stated, honours, _report_history(dealt)])
    if sheet.hands is None:
        return concat_problems([off, stated, honours])
    matches = (
        dealt.drop_nulls("entries")
        .group_by(SEATING, maintain_order=True)
        .agg(pl.first("source", "line", "column"), deals=pl.len(), passed=(pl.col("level") == 0).sum())
    )
    counting = pl.col("deals") - (pl.col("passed") if scoring.passed_out == "redealt" else 0)
    wrong = matches.filter(counting != sheet.hands)
    return concat_problems(
        [off, stated, honours, report("match-hands", wrong), report("matches-uneven", _fewer_matches(matches))]
    )


def _report_honours(lines: Lines) -> Problems:
    """Report `honours-impossible`: they are not counted."""
    ns, ew = (pl.col(f"honours_{side}").fill_null(0) for side in ("ns", "ew"))
    impossible = lines.filter(honours_impossible()).with_columns(
        honours=pl.format("{} / {}", ns, ew), contract=contract_text().fill_null("?")
    )
    return report("honours-impossible", impossible)


def _report_history(dealt: Lines) -> Problems:
    """Report `sheet-history`, once a rubber: the file states another sheet before a deal."""
    if dealt["stated_history"].null_count() == dealt.height:
        return report("sheet-history", dealt.clear())
    wrong, said, known = [], [], []
    for side in ("ns", "ew"):
        stated = stated_before(side)
        ours = [_before(side, below=below) for below in (False, True)]
        wrong += [mine != theirs for mine, theirs in zip(ours, stated, strict=True)]
        said.append(pl.format("{}/{}", *stated))
        known.append(pl.format("{}/{}", *ours))
    compared = dealt.with_columns(
        wrong=pl.any_horizontal(wrong),
        stated=pl.concat_str(said, separator=" and "),
        computed=pl.concat_str(known, separator=" and "),
    )
    first = compared.filter("wrong").unique([*SEATING, "sheet"], keep="first", maintain_order=True)
    return report("sheet-history", first)


def _before(side: str, *, below: bool) -> pl.Expr:
    """Add up what a side had on the sheet before each deal, above or below the line."""
    element = pl.element().struct
    counts = (element.field("direction") == side.upper()) & (element.field("below") == below)
    earned = (
        pl.col("entries").list.eval(pl.when(counts).then(element.field("points")).otherwise(0)).list.sum().fill_null(0)
    )
    return earned.cum_sum().over([*SEATING, "sheet"]) - earned


def _fewer_matches(matches: pl.DataFrame) -> pl.DataFrame:
    """List the contestants with fewer matches than others."""
    played = pl.concat(
        matches.select("section", pl.col(side).alias("contestant"), "source").drop_nulls("contestant")
        for side in ("ns", "ew")
    )
    counted = played.group_by("section", "contestant", maintain_order=True).agg(pl.first("source"), matches=pl.len())
    most = pl.col("matches").max().over("section")
    return counted.with_columns(most=most).filter(pl.col("matches") < pl.col("most"))
