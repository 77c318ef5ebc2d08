"""Auctions: each call by the Laws, and the contract it comes to compared with the stated one. The file wins."""

from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge import replays
from overtrick.core.bridge.auction import CALL_SIGNS, CALLS, DOUBLE, REDOUBLE, Auctions, CallFault, CallFaults, Places
from overtrick.core.bridge.cards import SEAT_NAMES, STRAIN_SIGNS, UNKNOWN, Bytes, codes_of
from overtrick.core.frames import PROBLEMS, Problems, Records, Session, empty
from overtrick.core.notation import names_of, seat_name
from overtrick.core.problems import ABOUT_RECORD, concat_problems, report

_LONGEST: Final = 320
"""Number of calls of an auction that are checked: one that ends has 319 at most."""

_CODES: Final = {
    CallFault.INSUFFICIENT: "auction-insufficient",
    CallFault.DOUBLE: "auction-double-not-allowed",
    CallFault.REDOUBLE: "auction-redouble-not-allowed",
    CallFault.AFTER_END: "auction-after-end",
}
_ACCEPTABLE: Final = (CallFault.INSUFFICIENT, CallFault.DOUBLE, CallFault.REDOUBLE)
"""Faults that `^I` records as accepted at the table."""

_READ: Final = (
    *("record", "source", "board_label", "dealer", "auction_start", "calls", "auction_end"),
    *("level", "strain", "doubled", "declarer", "irregular_declarer"),
)
"""The columns of records that are used: all columns of a million boards would be a copy of half a gigabyte."""


def check_auctions(session: Session) -> Problems:
    """Check auctions: whose turn it was, which calls, whether it ended, and the contract and declarer it comes to."""
    records = session.records.select(_READ).filter(pl.col("calls").list.len() > 0).rename({"board_label": "board"})
    if records.is_empty():
        return empty(PROBLEMS)
    replayed = replays.auctions(records, session.annotations)
    marks = replays.irregularities(records, session.annotations, "auction")
    accepting = marks.filter(pl.col("mark") == "I").select("record", "index", marked=pl.lit(value=True))
    faults = _faults(records, replayed.faults).filter(pl.col("index") < _LONGEST)
    faults = faults.join(accepting.unique(), on=["record", "index"], how="left", maintain_order="left")
    accepted = pl.col("marked").fill_null(value=False) & pl.col("fault").is_in(_ACCEPTABLE)
    outcomes = _outcomes(records, replayed)
    found = [
        _out_of_turn(records),
        *(report(code, faults.filter(~accepted, fault=fault), "records.calls") for fault, code in _CODES.items()),
        *_marks(records, marks, faults.filter(accepted)),
        _unfinished(records, replayed),
        _contract_differs(outcomes),
        *_declarer_differs(outcomes),
    ]
    return concat_problems(found)


def _out_of_turn(records: Records) -> Problems:
    wrong = records.filter(pl.col("auction_start") != pl.col("dealer")).select(
        *ABOUT_RECORD,
        index=pl.lit(0, pl.Int64),
        caller=seat_name(pl.col("auction_start")),
        dealer=seat_name(pl.col("dealer")),
    )
    return report("auction-out-of-turn", wrong, "records.calls")


def _faults(records: Records, faults: CallFaults) -> pl.DataFrame:
    """Return the calls that are not allowed with what messages say: `index fault call caller after reason`."""
    first = codes_of(records["auction_start"])[faults.auction]
    return pl.DataFrame(
        {
            **records.select(ABOUT_RECORD)[faults.auction].to_dict(),
            "index": faults.place,
            "fault": faults.fault,
            "call": names_of(faults.call, CALL_SIGNS),
            "caller": names_of(_turned(first, faults.place), SEAT_NAMES),
            "after": names_of(faults.after_call, CALL_SIGNS),
            "said": faults.after_call,
        }
    ).with_columns(reason=_reason())


def _turned(seats: Bytes, steps: Places) -> Bytes:
    """Return the seats that are `steps` places clockwise; an unknown seat stays unknown."""
    return np.where(seats == UNKNOWN, UNKNOWN, (seats + steps) % 4).astype(np.uint8)


def _reason() -> pl.Expr:
    """Return why a double or a redouble is not allowed, by the last call before it that is not a pass."""
    said, redouble = pl.col("said"), pl.col("fault") == CallFault.REDOUBLE
    stated = {
        "there is no bid yet": said == UNKNOWN,
        "the contract is already redoubled": said == REDOUBLE,
        "the double is by their own side": (said == DOUBLE) & redouble,
        "the contract is already doubled": said == DOUBLE,
    }
    of_a_bid = pl.when(redouble).then(pl.lit("is not doubled")).otherwise(pl.lit("is a bid by their own side"))
    first = [pl.when(fits).then(pl.lit(reason)) for reason, fits in stated.items()]
    return pl.coalesce(*first, pl.format("{} {}", "after", of_a_bid))


def _marks(records: Records, marks: pl.DataFrame, accepted: pl.DataFrame) -> list[pl.DataFrame]:
    """Report what marks record, and marks at regular calls: `^S` needs calls that follow."""
    if marks.is_empty():
        return []
    marked = marks.filter(pl.col("mark").is_in(["I", "S", "R", "L"]))
    faulty = accepted.select("record", "index", mark=pl.lit("I"), accepted=pl.lit(value=True))
    rows = marked.join(faulty, on=["record", "index", "mark"], how="left", maintain_order="left")
    row, index = rows["row"].to_numpy(), rows["index"].to_numpy()
    # A record's calls and its marks may both be many: no list of calls is repeated for each mark.
    heard = pl.when(pl.element() < len(CALLS)).then(pl.int_range(pl.len()))
    last = records["calls"].list.eval(heard).list.max()
    followed = (pl.col("index") < pl.lit(last.gather(row))).fill_null(value=False)
    call = replays.entries_at(records["calls"], row, index)
    caller = _turned(codes_of(records["auction_start"])[row], index)
    skip = pl.col("mark") == "S"
    marked = rows.with_columns(
        *records.select("source", "board")[row], caller=names_of(caller, SEAT_NAMES), call=names_of(call, CALL_SIGNS)
    )
    judged = marked.with_columns(
        founded=pl.when(skip).then(followed).otherwise(pl.col("accepted").fill_null(value=False)),
        what=pl.when(skip)
        .then(pl.format("the skipped call of {}", pl.col("caller").fill_null("?")))
        .otherwise(pl.format("{} by {}", pl.col("call").fill_null("?"), pl.col("caller").fill_null("?"))),
        mark=pl.format("^{}", "mark"),
    )
    return [
        report("irregularity-recorded", judged.filter("founded")),
        report("irregularity-unfounded", judged.filter(~pl.col("founded"))),
    ]


def _unfinished(records: Records, replayed: Auctions) -> Problems:
    """Report auctions whose text just ends; not those that the file marks as cut short or to be continued."""
    stops = records.filter(pl.Series(~replayed.closed) & pl.col("auction_end").is_null())
    last = stops.select(*ABOUT_RECORD, index=pl.col("calls").list.len().cast(pl.Int64) - 1)
    return report("auction-unfinished", last, "records.calls")


def _outcomes(records: Records, replayed: Auctions) -> pl.DataFrame:
    """Return the contracts of auctions that ended beside those stated; passed out is level 0."""
    names = ("level", "strain", "doubled", "declarer")
    reached = (pl.Series(f"auction_{name}", getattr(replayed, name)).replace(UNKNOWN, None) for name in names)
    stated = records.select(*ABOUT_RECORD, *names, "irregular_declarer")
    return stated.with_columns(reached).filter(pl.Series(replayed.closed))


def _contract_differs(outcomes: pl.DataFrame) -> Problems:
    strain = pl.col("strain").to_physical()
    same_bid = (pl.col("level") == pl.col("auction_level")) & (strain == pl.col("auction_strain"))
    same = (
        pl.when(pl.col("level") == 0)
        .then(pl.col("auction_level") == 0)
        .otherwise(same_bid.fill_null(value=False) & (pl.col("doubled") == pl.col("auction_doubled")))
    )
    known = pl.col("level").is_not_null() & pl.col("auction_level").is_not_null()
    wrong = outcomes.filter(known & ~same).with_columns(
        stated=_contract(pl.col("level"), strain, pl.col("doubled")),
        contract=_contract(pl.col("auction_level"), pl.col("auction_strain"), pl.col("auction_doubled")),
    )
    return report("contract-differs-from-auction", wrong, "records.level")


def _contract(level: pl.Expr, strain: pl.Expr, doubled: pl.Expr) -> pl.Expr:
    sign = strain.replace_strict(dict(enumerate(STRAIN_SIGNS)), default=None, return_dtype=pl.String)
    bid = pl.format("{}{}{}", level, sign, pl.lit("X").repeat_by(doubled).list.join(""))
    return pl.when(level == 0).then(pl.lit("passed out")).otherwise(bid)


def _declarer_differs(outcomes: pl.DataFrame) -> list[pl.DataFrame]:
    """Compare declarers where the strain is the same; `^` marks the partner of the one that the auction names."""
    seat, by_auction = pl.col("declarer").to_physical(), pl.col("auction_declarer")
    irregular = pl.col("irregular_declarer").fill_null(value=False)
    known = outcomes.filter(
        by_auction.is_not_null() & seat.is_not_null() & (pl.col("strain").to_physical() == pl.col("auction_strain"))
    ).with_columns(same=seat == by_auction, partner=seat == (by_auction + 2) % 4)
    # These are few: words are made for them alone.
    judged = known.filter(irregular | ~pl.col("same"))
    name = seat_name(pl.col("declarer"))
    judged = judged.with_columns(
        stated=name,
        declarer=names_of(judged["auction_declarer"].to_numpy(), SEAT_NAMES),
        what=pl.format("{} as declarer", name),
        mark=pl.lit("^"),
    )
    wrong = (irregular & ~pl.col("same") & ~pl.col("partner")) | (~irregular & ~pl.col("same"))
    return [
        report("declarer-differs-from-auction", judged.filter(wrong), "records.declarer"),
        report("irregularity-recorded", judged.filter(irregular & pl.col("partner")), "records.declarer"),
        report("irregularity-unfounded", judged.filter(irregular & pl.col("same")), "records.declarer"),
    ]
