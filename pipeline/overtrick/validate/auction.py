"""Auctions: each call by the Laws, and what the auction comes to against the stated contract. The file wins."""

from typing import Final

import polars as pl

from overtrick.bridge import replays
from overtrick.bridge.auction import Auctions, CallFault, CallFaults
from overtrick.bridge.calls import CALL_SIGNS, CALLS, DOUBLE, REDOUBLE
from overtrick.bridge.cards import SEAT_NAMES, STRAIN_SIGNS, UNKNOWN
from overtrick.frames import PROBLEMS, Session, empty
from overtrick.problems import report
from overtrick.validate.places import at_entry, at_mark, at_tag
from overtrick.validate.words import named, seat_name, turned

_LONGEST: Final = 320
"""Calls of an auction that are judged: one that ends has 319 at most."""

_CODES: Final = {
    CallFault.INSUFFICIENT: "auction-insufficient",
    CallFault.DOUBLE: "auction-double-not-allowed",
    CallFault.REDOUBLE: "auction-redouble-not-allowed",
    CallFault.AFTER_END: "auction-after-end",
}
_ACCEPTABLE: Final = (CallFault.INSUFFICIENT, CallFault.DOUBLE, CallFault.REDOUBLE)
"""Faults that `^I` records as accepted at the table."""

_READ: Final = (
    *("record", "dealer", "auction_start", "calls", "auction_end"),
    *("level", "strain", "doubled", "declarer", "irregular_declarer"),
)
"""Columns of records that are looked at: all of them, of a million boards, would be a copy of half a gigabyte."""


def auction_legal(session: Session) -> pl.DataFrame:
    """Judge auctions: whose turn it was, which calls, whether it ended, and the contract and declarer it comes to."""
    records = session.records.select(_READ).filter(pl.col("calls").list.len() > 0)
    if records.is_empty():
        return empty(PROBLEMS)
    replayed = replays.auctions(records, session.annotations)
    marks = replays.irregularities(records, session.annotations, "auction")
    accepting = marks.filter(pl.col("mark") == "I").select("record", "index", pl.lit(value=True).alias("marked"))
    faults = _faults(records, replayed.faults).filter(pl.col("index") < _LONGEST)
    faults = faults.join(accepting.unique(), on=["record", "index"], how="left", maintain_order="left")
    accepted = pl.col("marked").fill_null(value=False) & pl.col("fault").is_in(_ACCEPTABLE)
    outcomes = _outcomes(session, records, replayed)
    return pl.concat(
        [
            _out_of_turn(session, records),
            *_not_allowed(session, faults.filter(~accepted)),
            *_marks(session, records, marks, faults.filter(accepted)),
            _unfinished(session, records, replayed),
            _contract_differs(session, outcomes),
            *_declarer_differs(session, outcomes),
        ]
    )


def _out_of_turn(session: Session, records: pl.DataFrame) -> pl.DataFrame:
    wrong = records.filter(pl.col("auction_start") != pl.col("dealer"))
    if wrong.is_empty():
        return empty(PROBLEMS)
    wrong = wrong.select(
        "record",
        pl.lit(0, pl.Int64).alias("index"),
        seat_name("auction_start").alias("caller"),
        seat_name("dealer").alias("dealer"),
    )
    return report("auction-out-of-turn", at_entry(session, wrong, "auction"))


def _faults(records: pl.DataFrame, faults: CallFaults) -> pl.DataFrame:
    """Put what messages say beside each call that is not allowed: `record index fault call caller after reason`."""
    first = replays.seats(records["auction_start"])[faults.auction]
    return pl.DataFrame(
        {
            "record": records["record"].gather(pl.Series(faults.auction)),
            "index": faults.place,
            "fault": faults.fault,
            "call": named(faults.call, CALL_SIGNS),
            "caller": named(turned(first, faults.place), SEAT_NAMES),
            "after": named(faults.after_call, CALL_SIGNS),
            "said": faults.after_call,
        }
    ).with_columns(_reason().alias("reason"))


def _reason() -> pl.Expr:
    """Say why a double or a redouble is not allowed, by the last call but pass before it."""
    said, redouble = pl.col("said"), pl.col("fault") == CallFault.REDOUBLE
    return (
        pl.when(said == UNKNOWN)
        .then(pl.lit("there is no bid yet"))
        .when(said == REDOUBLE)
        .then(pl.lit("the contract is redoubled already"))
        .when((said == DOUBLE) & redouble)
        .then(pl.lit("the double is their own side's"))
        .when(said == DOUBLE)
        .then(pl.lit("the contract is doubled already"))
        .when(redouble)
        .then(pl.format("{} is not doubled", "after"))
        .otherwise(pl.format("{} is a bid of their own side", "after"))
    )


def _not_allowed(session: Session, faults: pl.DataFrame) -> list[pl.DataFrame]:
    if faults.is_empty():
        return []
    placed = at_entry(session, faults, "auction")
    return [report(code, placed.filter(pl.col("fault") == fault)) for fault, code in _CODES.items()]


def _marks(session: Session, records: pl.DataFrame, marks: pl.DataFrame, accepted: pl.DataFrame) -> list[pl.DataFrame]:
    """Note what marks record, and report those that stand at nothing irregular: `^S` needs calls that follow."""
    if marks.is_empty():
        return []
    told = marks.filter(pl.col("mark").is_in(["I", "S", "R", "L"]))
    faulty = accepted.select("record", "index", pl.lit("I").alias("mark"), pl.lit(value=True).alias("accepted"))
    calls = records.select("record", "calls", "auction_start")
    rows = told.join(calls, on="record", maintain_order="left").join(
        faulty, on=["record", "index", "mark"], how="left", maintain_order="left"
    )
    followed = (pl.col("calls").list.slice(pl.col("index") + 1).list.min() < len(CALLS)).fill_null(value=False)
    call = rows.select(pl.col("calls").list.get("index"))["calls"].to_numpy()
    caller = turned(replays.seats(rows["auction_start"]), rows["index"].to_numpy())
    skip = pl.col("mark") == "S"
    told = rows.with_columns(named(caller, SEAT_NAMES).alias("caller"), named(call, CALL_SIGNS).alias("call"))
    placed = at_mark(
        session,
        told.with_columns(
            pl.when(skip).then(followed).otherwise(pl.col("accepted").fill_null(value=False)).alias("founded"),
            pl.when(skip)
            .then(pl.format("the call that {} was not given", pl.col("caller").fill_null("?")))
            .otherwise(pl.format("{} by {}", pl.col("call").fill_null("?"), pl.col("caller").fill_null("?")))
            .alias("what"),
            pl.format("^{}", "mark").alias("mark"),
        ),
    )
    return [
        report("irregularity-recorded", placed.filter("founded")),
        report("irregularity-unfounded", placed.filter(~pl.col("founded"))),
    ]


def _unfinished(session: Session, records: pl.DataFrame, replayed: Auctions) -> pl.DataFrame:
    """Note auctions whose text just ends; one that the file says is cut short or to be continued is no news."""
    stops = records.filter(pl.Series(~replayed.closed) & pl.col("auction_end").is_null())
    last = stops.select("record", (pl.col("calls").list.len().cast(pl.Int64) - 1).alias("index"))
    return report("auction-unfinished", at_entry(session, last, "auction"))


def _outcomes(session: Session, records: pl.DataFrame, replayed: Auctions) -> pl.DataFrame:
    """Put the contracts of auctions that ended beside those stated; passed out is level 0."""
    columns = {
        "auction_level": replayed.level,
        "auction_strain": replayed.strain,
        "auction_doubled": replayed.doubled,
        "auction_declarer": replayed.declarer,
    }
    stated = records.select("record", "level", "strain", "doubled", "declarer", "irregular_declarer")
    # Where a LIN session's list says otherwise, that is told at the list.
    told = session.problems.filter(pl.col("code") == "lin-result-contract")["record"].unique()
    return stated.with_columns(
        pl.Series(name, values).replace(UNKNOWN, None) for name, values in columns.items()
    ).filter(pl.Series(replayed.closed), ~pl.col("record").is_in(told.implode()))


def _contract_differs(session: Session, outcomes: pl.DataFrame) -> pl.DataFrame:
    strain = pl.col("strain").to_physical()
    same_bid = (pl.col("level") == pl.col("auction_level")) & (strain == pl.col("auction_strain"))
    same = (
        pl.when(pl.col("level") == 0)
        .then(pl.col("auction_level") == 0)
        .otherwise(same_bid.fill_null(value=False) & (pl.col("doubled") == pl.col("auction_doubled")))
    )
    known = pl.col("level").is_not_null() & pl.col("auction_level").is_not_null()
    wrong = outcomes.filter(known & ~same)
    if wrong.is_empty():
        return empty(PROBLEMS)
    wrong = wrong.with_columns(
        _contract(pl.col("level"), strain, pl.col("doubled")).alias("stated"),
        _contract(pl.col("auction_level"), pl.col("auction_strain"), pl.col("auction_doubled")).alias("contract"),
    )
    return report("contract-differs-from-auction", at_tag(session, wrong, "Contract"))


def _contract(level: pl.Expr, strain: pl.Expr, doubled: pl.Expr) -> pl.Expr:
    sign = strain.replace_strict(dict(enumerate(STRAIN_SIGNS)), default=None, return_dtype=pl.String)
    bid = pl.format("{}{}{}", level, sign, pl.lit("X").repeat_by(doubled).list.join(""))
    return pl.when(level == 0).then(pl.lit("passed out")).otherwise(bid)


def _declarer_differs(session: Session, outcomes: pl.DataFrame) -> list[pl.DataFrame]:
    """Compare declarers where the strain is the same; `^` marks the partner of the one that the auction names."""
    seat, by_auction = pl.col("declarer").to_physical(), pl.col("auction_declarer")
    irregular = pl.col("irregular_declarer").fill_null(value=False)
    known = outcomes.filter(
        by_auction.is_not_null() & seat.is_not_null() & (pl.col("strain").to_physical() == pl.col("auction_strain"))
    ).with_columns((seat == by_auction).alias("same"), (seat == (by_auction + 2) % 4).alias("partner"))
    # Hardly any: words and places are made for these alone.
    told = known.filter(irregular | ~pl.col("same"))
    if told.is_empty():
        return []
    name = seat_name("declarer")
    placed = at_tag(
        session,
        told.with_columns(
            name.alias("stated"),
            named(told["auction_declarer"].to_numpy(), SEAT_NAMES).alias("declarer"),
            pl.format("{} as declarer", name).alias("what"),
            pl.lit("^").alias("mark"),
        ),
        "Declarer",
    )
    wrong = (irregular & ~pl.col("same") & ~pl.col("partner")) | (~irregular & ~pl.col("same"))
    return [
        report("declarer-differs-from-auction", placed.filter(wrong)),
        report("irregularity-recorded", placed.filter(irregular & pl.col("partner"))),
        report("irregularity-unfounded", placed.filter(irregular & pl.col("same"))),
    ]
