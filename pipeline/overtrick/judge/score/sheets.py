"""Score sheets of a session: the deals of each table in order, what each adds, and what is wrong with them."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, Literal

import polars as pl

from overtrick.core.bridge.cards import owners
from overtrick.core.bridge.methods import Sheet as Game
from overtrick.core.bridge.rubber import Custom, rubbers
from overtrick.core.bridge.rubber import chicago as chicago_rounds
from overtrick.core.bridge.rubber import four_hands as four_hand_match
from overtrick.core.bridge.sheets import Deal, Sheet, honours
from overtrick.core.config import Scoring
from overtrick.core.frames import PLAYED, SHEETS, Lines, Problems, Records, Sheets, conform
from overtrick.core.notation import contract_text
from overtrick.core.problems import concat_problems, report
from overtrick.judge.score.scoring_tag import stated_before

SEATING: Final = ["section", "round", "table", "ns", "ew"]
"""Deals with the same values in these columns follow one another on one table's sheets."""

_ENTRY: Final = pl.Struct({name: SHEETS[name].dtype for name in "deal game direction kind below points".split()})

Play = Callable[[Sequence[Deal]], list[Sheet]]
"""Scores the deals of one table, in order: the rules of a game."""


def with_deals(results: Lines, records: Records) -> Lines:
    """Add the columns of the records that sheets need: `deal dealer stated_vulnerable`."""
    of_record = records.select("record", "deal", "dealer", stated_vulnerable="vulnerable")
    return results.join(of_record, on="record", how="left", maintain_order="left")


def score_on_sheets(lines: Lines, play: Play, which_honours: Literal["claimed", "held", "none"]) -> Lines:
    """Score the deals of every table on sheets.

    Args:
        lines: results in the order played, as `with_deals` returns them.
        play: the rules of the game.
        which_honours: those that the file claims, also those that the cards show ("held"), or none.

    Returns:
        The lines with `numerator_ns numerator_ew denominator` filled: what the deal added to the sheet for each side;
        the last deal of a sheet has also what was settled at the end. `sheet` is the number of the sheet at the table,
        and `entries` lists what was written. Both are null for a deal whose contract or result is not known.
    """
    # Three deals of rubber bridge at one table, N-S against E-W:
    #
    #     contract  tricks  entries                                  numerator_ns  numerator_ew
    #     2S by N   9       NS tricks 60, NS overtricks 30           90            0
    #     3NT by E  9       EW tricks 100                            0             100
    #     3NT by W  8       NS undertricks 100, EW game 300 (end)    100           300
    #
    # E-W are vulnerable on the third deal, and have the only game when the rubber is broken off after it. The
    # part-score of N-S was cut off by that game.
    held = _with_honours(lines, which_honours)
    impossible = honours_impossible()
    counted = (pl.when(~impossible).then(f"honours_{side}").alias(f"counted_{side}") for side in ("ns", "ew"))
    numbered = held.with_columns(counted).with_row_index("place")
    on_sheet = (pl.col("level") == 0) | pl.all_horizontal(pl.col("level", "strain", "declarer", "tricks").is_not_null())
    played = numbered.filter(pl.col("status").is_in(PLAYED) & on_sheet)
    rows = [row for _, table in played.group_by(SEATING, maintain_order=True) for row in _table(table, play)]
    schema = pl.Schema({"place": numbered["place"].dtype, "sheet": pl.UInt32(), "entries": pl.List(_ENTRY)})
    written = pl.DataFrame(rows, schema=schema, orient="row")
    scored = numbered.join(written, on="place", how="left", maintain_order="left").drop("place")
    known = pl.col("entries").is_not_null()
    return scored.with_columns(
        *(pl.when(known).then(_sum(side)).alias(f"numerator_{side}") for side in ("ns", "ew")),
        denominator=pl.when(known).then(pl.lit(1, dtype=pl.Int64)),
    )


def list_entries(lines: Lines) -> Sheets:
    """List the entries of the sheets, one row an entry."""
    entries = lines.drop_nulls("entries").filter(pl.col("entries").list.len() > 0)
    listed = entries.select(*SEATING, "sheet", "record", "entries").explode("entries").unnest("entries")
    settled = pl.col("deal").is_null()
    listed = listed.with_columns(record=pl.when(~settled).then("record"))
    return conform(SHEETS, listed.sort(*SEATING, "sheet", maintain_order=True))


def _table(table: Lines, play: Play) -> Iterator[tuple[int, int, list[dict[str, Any]]]]:
    """Score the deals of one table: for each its place, the number of its sheet and its entries."""
    places = iter(table["place"])
    deals = [_deal(row) for row in table.iter_rows(named=True)]
    for number, sheet in enumerate(play(deals), start=1):
        for deal in range(sheet.deals):
            last = deal == sheet.deals - 1
            entries = [e for e in sheet.entries if e.deal == deal or (last and e.deal is None)]
            rows = [
                {
                    "deal": None if e.deal is None else e.deal + 1,
                    "game": e.game + 1,
                    "direction": e.side,
                    "kind": e.kind,
                    "below": e.below,
                    "points": e.points,
                }
                for e in entries
            ]
            yield next(places), number, rows


def _deal(row: dict[str, Any]) -> Deal:
    counts = ("doubled", "conduct_ns", "conduct_ew")
    about: dict[str, Any] = {name: row[name] for name in ("level", "strain", "tricks", "dealer")}
    about |= {name: row[name] or 0 for name in counts}
    about |= {f"honours_{side}": row[f"counted_{side}"] or 0 for side in ("ns", "ew")}
    return Deal(**about, declarer=row["declarer"] if row["level"] else None, vulnerable=row["stated_vulnerable"])


def honours_impossible() -> pl.Expr:
    """Return whether honours are of both sides, of another size, of four at no trump, or of a passed-out deal."""
    ns, ew = (pl.col(f"honours_{side}").fill_null(0) for side in ("ns", "ew"))
    no_trump = (pl.col("strain") == "NT").fill_null(value=False)
    return (
        ((ns > 0) & (ew > 0))
        | ~ns.is_in([0, 100, 150])
        | ~ew.is_in([0, 100, 150])
        | (no_trump & ((ns == 100) | (ew == 100)))
        | ((pl.col("level") == 0).fill_null(value=False) & (ns + ew > 0))
    )


def _with_honours(lines: Lines, which: Literal["claimed", "held", "none"]) -> Lines:
    """Fill the honours that count."""
    if which == "none":
        return lines.with_columns(honours_ns=0, honours_ew=0)
    if which == "claimed":
        return lines
    points = honours(owners(lines["deal"]), lines["strain"])
    sides = {"ns": points[:, [0, 2]].max(axis=1), "ew": points[:, [1, 3]].max(axis=1)}
    return lines.with_columns(
        pl.max_horizontal(pl.col(f"honours_{side}"), pl.Series(points)).alias(f"honours_{side}")
        for side, points in sides.items()
    )


def _sum(side: str) -> pl.Expr:
    element = pl.element().struct
    points = pl.when(element.field("direction") == side.upper()).then(element.field("points")).otherwise(0)
    return pl.col("entries").list.eval(points).list.sum().cast(pl.Int64)


def rubber(lines: Lines, scoring: Scoring) -> Lines:
    """Score the deals of each table as rubbers; the last may be unfinished.

    Args:
        lines: results in the order played, as `sheets.with_deals` returns them; the same for the methods below.
        scoring: `honours` is followed.

    Returns:
        The lines as `sheets.score_on_sheets` fills them; the same for the methods below.
    """
    return score_on_sheets(lines, rubbers, scoring.honours)


def chicago(lines: Lines, scoring: Scoring) -> Lines:
    """Score the deals of each table as rounds of four, with part-scores that are carried.

    Args:
        lines: as for `rubber`.
        scoring: `honours`, `chicago_vulnerable` and `passed_out` are followed.
    """
    return _score_rounds(lines, scoring, "traditional")


def chicago_duplicate(lines: Lines, scoring: Scoring) -> Lines:
    """Score the deals of each table as rounds of four, each deal by itself as at duplicate.

    Args:
        lines: as for `rubber`.
        scoring: `chicago_vulnerable` and `passed_out` are followed.
    """
    return _score_rounds(lines, scoring, "duplicate")


def four_hands(lines: Lines, scoring: Scoring) -> Lines:
    """Score the deals of each table, round and pairs as one match of the Alberta 55 Plus games.

    Args:
        lines: as for `rubber`.
        scoring: `honours` is followed.
    """
    return score_on_sheets(lines, lambda deals: [four_hand_match(deals)], scoring.honours)


def _score_rounds(lines: Lines, scoring: Scoring, style: Literal["traditional", "duplicate"]) -> Lines:
    custom = Custom(style, scoring.chicago_vulnerable, passed_out=scoring.passed_out)
    return score_on_sheets(lines, partial(chicago_rounds, custom=custom), scoring.honours)


def report_sheets(lines: Lines, sheet: Game, scoring: Scoring) -> Problems:
    """Report on the deals of games that are scored on sheets; `lines` are those of `sheets.score_on_sheets`."""
    dealt = lines.filter(~pl.col("status").is_in(["not played", "bye"]))
    off = report("deal-off-sheet", dealt.filter(pl.col("entries").is_null()))
    stated = report("sheet-mismatch/deal", dealt.filter(~pl.col("sheet_explained")))
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
    """Report `sheet-mismatch`, once a rubber: the file states another sheet before a deal."""
    if dealt["stated_history"].null_count() == dealt.height:
        return report("sheet-mismatch/history", dealt.clear())
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
    return report("sheet-mismatch/history", first)


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
