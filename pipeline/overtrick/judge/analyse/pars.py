"""Par of each deal, from its table where that is complete, else as the file states it."""

import numpy as np
import polars as pl

from overtrick.core.bridge.boards import VULNERABILITIES
from overtrick.core.bridge.cards import SEATS, STRAINS, codes_of
from overtrick.core.bridge.par import Par, is_whole, par
from overtrick.core.frames import DOUBLE_DUMMY, PROBLEMS, SEAT, VULNERABLE, Problems, Session, empty
from overtrick.core.problems import report
from overtrick.judge.analyse.stated_par import read_par_contracts, read_par_scores

_WHO = np.array([[name in {side, "All"} for side in ("NS", "EW")] for name in VULNERABILITIES])
"""By the code of a vulnerability, whether each side is vulnerable."""

_CONTRACTS = DOUBLE_DUMMY["par_contracts"].dtype


def with_par(session: Session, rows: pl.DataFrame) -> tuple[pl.DataFrame, Problems]:
    """Add `par_ns` and `par_contracts`.

    Args:
        session: its items hold what is stated.
        rows: one row a deal, with the columns of `deals.list_deals` and `tricks`.

    Returns:
        The rows, and `par-differs` for a stated score that is not par by the table.
    """
    rows = rows.join(_stated(session, rows), on="record", how="left", maintain_order="left")
    rows = rows.join(_computed(rows), on="record", how="left", maintain_order="left")
    by_record = read_par_contracts(session)
    contracts = [next((by_record[one] for one in records if one in by_record), None) for records in rows["records"]]
    rows = rows.with_columns(
        pl.coalesce("computed", "stated").alias("par_ns"),
        pl.coalesce("contracts", pl.Series(contracts, dtype=_CONTRACTS)).alias("par_contracts"),
    )
    if rows["stated"].is_null().all():
        return rows, empty(PROBLEMS)
    # Some programs ignore who deals; and whoever states no vulnerability may have meant another than the board's.
    told = session.records.drop_nulls("vulnerable")["record"].implode()
    judged = pl.col("records").list.set_intersection(told).list.len() > 0
    differs = judged & (pl.col("stated") != pl.col("computed")) & (pl.col("stated") != pl.col("otherwise"))
    about = session.records.select("record", "source", pl.col("board_label").alias("board"))
    wrong = rows.filter(differs).drop("record", "board").rename({"stated_in": "record"})
    wrong = wrong.join(about, on="record", how="left", maintain_order="left")
    return rows, report("par-differs", wrong.with_columns(_signed("stated"), _signed("computed")))


def _stated(session: Session, rows: pl.DataFrame) -> pl.DataFrame:
    """Return the first score stated for each deal: record (of the deal), stated_in, line, column, name, stated."""
    scores = read_par_scores(session).rename({"record": "stated_in"})
    place = rows.select("record", pl.col("records").alias("stated_in")).explode("stated_in")
    placed = scores.join(place, on="stated_in", maintain_order="left")
    return placed.unique("record", keep="first", maintain_order=True).drop("text")


def _computed(rows: pl.DataFrame) -> pl.DataFrame:
    """Compute par where table, dealer and vulnerability are known.

    Returns:
        record, `computed`, `contracts`, and `otherwise`: the score if the other side dealt.
    """
    known = rows.drop_nulls(["tricks", "dealer", "vulnerable"])
    tables = known["tricks"].to_numpy().reshape(-1, 20)
    whole = is_whole(tables)
    known, tables = known.filter(pl.Series(whole, dtype=pl.Boolean)), tables[whole]
    dealer = codes_of(known["dealer"].cast(SEAT)).astype(np.int64)
    vulnerable = _WHO[codes_of(known["vulnerable"].cast(VULNERABLE))]
    result = par(tables, dealer, vulnerable)
    computed = known.select(
        "record",
        pl.Series("computed", result.score),
        pl.Series("otherwise", par(tables, (dealer + 1) % 4, vulnerable).score),
    )
    contracts = _contracts(result)
    contracts = contracts.select(known["record"].gather(contracts["board"]), "contracts")
    none = pl.lit([], dtype=_CONTRACTS)
    return computed.join(contracts, on="record", how="left").with_columns(pl.col("contracts").fill_null(none))


def _contracts(result: Par) -> pl.DataFrame:
    """List the par contracts of each board that has any."""
    level, strain = result.bid // 5 + 1, result.bid % 5
    first, second = result.partners.T
    side = np.array(["NS", "EW"])[result.side]
    seat = np.array(SEATS)[result.side + 2 * ~first]
    frame = pl.DataFrame(
        {
            "board": result.board,
            "level": level.astype(np.uint8),
            "strain": np.array(STRAINS)[strain],
            "doubled": (result.tricks < level + 6).astype(np.uint8),
            "declarer": np.where(first & second, side, seat),
            "tricks": result.tricks.astype(np.uint8),
        }
    )
    listed = frame.group_by("board", maintain_order=True).agg(pl.struct(pl.exclude("board")).alias("contracts"))
    return listed.cast({"contracts": _CONTRACTS})


def _signed(name: str) -> pl.Expr:
    sign = pl.when(pl.col(name) > 0).then(pl.lit("+")).when(pl.col(name) < 0).then(pl.lit("−")).otherwise(pl.lit(""))
    return pl.format("{}{}", sign, pl.col(name).abs()).alias(name)
