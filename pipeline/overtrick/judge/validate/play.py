"""Plays: each card by the Laws, and the tricks made compared with those stated. The file wins."""

from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge import replays
from overtrick.core.bridge.cards import CARD_SIGNS, SEAT_NAMES, UNKNOWN, Bytes, codes_of, owners
from overtrick.core.bridge.play import TRICKS, Mask, Places, PlayFault, Plays
from overtrick.core.frames import PROBLEMS, Problems, Records, Session, empty
from overtrick.core.notation import names_of
from overtrick.core.problems import ABOUT_RECORD, concat_problems, report
from overtrick.judge.validate.result import check_tricks

_CODES: Final = {
    PlayFault.AGAIN: "play-card-repeated",
    PlayFault.NOT_HELD: "play-card-not-held",
    PlayFault.REVOKE: "play-revoke",
    PlayFault.OUT_OF_TURN: "play-out-of-turn",
}

_READ: Final = (
    *("record", "source", "board_label", "deal", "level", "strain", "declarer", "tricks", "irregular_tricks"),
    *("play_start", "cards", "play_end"),
)
"""The columns of records that are used."""


def check_plays(session: Session) -> Problems:
    """Check plays: cards not held, played twice, not following suit, too many; and what the marks of a play record."""
    records = session.records.select(_READ).filter(pl.col("cards").list.len() > 0).rename({"board_label": "board"})
    if records.is_empty():
        return empty(PROBLEMS)
    played = replays.plays(records, session.annotations)
    marks = replays.irregularities(records, session.annotations, "play")
    faults = _faults(records, played)
    revoking = marks.filter(pl.col("mark") == "R").select("record", "index", marked=pl.lit(value=True))
    faults = faults.join(revoking.unique(), on=["record", "index"], how="left", maintain_order="left")
    recorded = pl.col("marked").fill_null(value=False) & (pl.col("fault") == PlayFault.REVOKE)
    found = [
        *(report(code, faults.filter(~recorded, fault=fault), "records.cards") for fault, code in _CODES.items()),
        *_marks(records, played, marks, faults.filter(recorded)),
        *_wrong_leader(records, played, marks, _lead_first(session, records)),
        _after_end(records),
        _turned_rows(records, played),
        *check_tricks(records, played, marks),
    ]
    return concat_problems(found)


def _faults(records: Records, played: Plays) -> pl.DataFrame:
    """Return the cards that break the Laws with what messages say."""
    faults = played.faults
    holder = names_of(faults.other, SEAT_NAMES)
    about = records.select(ABOUT_RECORD)[faults.board]
    return about.with_columns(
        pl.Series("index", faults.place),
        pl.Series("fault", faults.fault),
        trick=pl.Series(faults.place // 4 + 1),
        card=names_of(faults.card, CARD_SIGNS),
        player=names_of(faults.player, SEAT_NAMES),
        holder=holder.fill_null("another player"),
        turn=holder,
        led=names_of(faults.other, CARD_SIGNS),
    )


def _marks(records: Records, played: Plays, marks: pl.DataFrame, revokes: pl.DataFrame) -> list[pl.DataFrame]:
    """Report what marks record, and marks at regular cards; what cannot be judged is left alone."""
    if marks.is_empty():
        return []
    marked = marks.filter(pl.col("mark").is_in(["I", "S", "R", "L"]) & (pl.col("index") < 4 * TRICKS))
    faulty = revokes.select("record", "index", mark=pl.lit("R"), revoke=pl.lit(value=True))
    rows = _in_their_trick(records, played, marked).join(
        faulty, on=["record", "index", "mark"], how="left", maintain_order="left"
    )
    mark, player, leader = pl.col("mark"), pl.col("player"), pl.col("expected")
    leads_twice = pl.struct("record", "trick", "mark").is_first_distinct().not_()
    revoked = pl.col("revoke").fill_null(value=False)
    follows = (pl.col("card") // 13 == pl.col("led") // 13) | (player == pl.col("leader"))
    no_revoke = ~revoked & (follows | (pl.col("shown") & pl.col("led").is_not_null())) & pl.col("card").is_not_null()
    founded = ((mark == "R") & revoked) | ((mark == "L") & (leader != player) & ~leads_twice)
    unfounded = (
        ((mark == "R") & no_revoke) | ((mark == "L") & (leads_twice | (leader == player))) | mark.is_in(["I", "S"])
    )
    judged = rows.with_columns(founded=founded, unfounded=unfounded)
    card = names_of(judged["card"].fill_null(UNKNOWN).to_numpy(), CARD_SIGNS).fill_null("-")
    by = pl.format(
        "{} by {}", card, names_of(judged["player"].fill_null(UNKNOWN).to_numpy(), SEAT_NAMES).fill_null("?")
    )
    lead = pl.when(mark == "L").then(pl.format("the lead of {}", by)).otherwise(by)
    about = records.select("source", "board")[judged["row"]]
    worded = judged.with_columns(*about, what=lead, mark=pl.format("^{}", mark))
    return [
        report("irregularity-recorded", worded.filter("founded")),
        report("irregularity-unfounded", worded.filter("unfounded")),
    ]


def _in_their_trick(records: Records, played: Plays, marks: pl.DataFrame) -> pl.DataFrame:
    """Add to each mark what it is judged by: `trick card led player leader expected shown`, null for unknown.

    `expected` is who was to lead, and `shown` says that the deal shows the player's thirteen cards.
    """
    row, index = marks["row"].to_numpy(), marks["index"].to_numpy()
    trick, column = np.divmod(index, 4)
    first, declarer = (codes_of(records[name])[row] for name in ("play_start", "declarer"))
    begins = first + played.turns[row, trick]
    player = (begins + column) & 3
    leader = played.leader[row, trick]
    opening = np.where(declarer == UNKNOWN, first, (declarer + 1) & 3)
    expected = np.where(trick == 0, opening, played.winner[row, np.maximum(trick - 1, 0)])
    dealt = owners(records["deal"].gather(pl.Series(row)))
    sizes = np.stack([(dealt == seat).sum(axis=1) for seat in range(4)], axis=1)
    shown = (sizes[np.arange(len(row)), player] == 13) & np.isin(sizes, (0, 13)).all(axis=1)
    places = {"card": index, "led": 4 * trick + ((leader - begins) & 3)}
    codes = {name: pl.Series(name, replays.entries_at(records["cards"], row, at)) for name, at in places.items()}
    known = {"leader": leader, "expected": expected}
    return marks.with_columns(
        pl.Series("trick", trick),
        *(codes[name].replace(UNKNOWN, None) for name in codes),
        pl.Series("player", player),
        *(pl.Series(name, seat.astype(np.uint8)).replace(UNKNOWN, None) for name, seat in known.items()),
        pl.Series("shown", shown & (leader != UNKNOWN)),
    ).with_columns(led=pl.when(pl.col("leader").is_not_null()).then("led"))


def _lead_first(session: Session, records: Records) -> Mask:
    """Return whether each record lists the cards from the opening lead on (`Facts.lead_first`)."""
    files = session.sources.filter(pl.col("format").is_in(session.facts.lead_first))["source"]
    return records["source"].is_in(files.implode()).to_numpy()


def _wrong_leader(
    records: Records, played: Plays, marks: pl.DataFrame, lead_first: Mask
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Report opening leads by another player than declarer's left-hand opponent, unless a mark records them.

    Where a record lists the cards from the lead on, the first card is the lead. In the others only the play shows whose
    card was led; a first column of another seat alone is a note.
    """
    declarer, first = codes_of(records["declarer"]), codes_of(records["play_start"])
    due = np.where(declarer == UNKNOWN, UNKNOWN, (declarer + 1) & 3).astype(np.uint8)
    led = np.where(lead_first, first, played.leader[:, 0])
    recorded = marks.filter((pl.col("mark") == "L") & (pl.col("index") < 4))["row"].to_numpy()
    due[recorded] = UNKNOWN
    wrong = (led != due) & (led != UNKNOWN) & (due != UNKNOWN)
    elsewhere = ~wrong & (first != due) & (first != UNKNOWN) & (due != UNKNOWN)
    return (
        report("play-wrong-leader", _leads(records, np.flatnonzero(wrong), led, declarer), "records.cards"),
        report("play-begins-elsewhere", _leads(records, np.flatnonzero(elsewhere), first, declarer), "records.cards"),
    )


def _leads(records: Records, at: Places, player: Bytes, declarer: Bytes) -> pl.DataFrame:
    """Return the first card of a player with what messages say, and the declarer."""
    seats = {"player": player[at], "leader": (declarer[at] + 1) & np.uint8(3), "declarer": declarer[at]}
    column = (player[at] - codes_of(records["play_start"])[at]) & 3
    names = [names_of(codes, SEAT_NAMES).alias(name) for name, codes in seats.items()]
    return records.select(ABOUT_RECORD)[at].with_columns(*names, pl.Series("index", column))


def _after_end(records: Records) -> Problems:
    late = records.filter(pl.col("cards").list.len() > 4 * TRICKS)
    late = late.select(*ABOUT_RECORD, more=pl.col("cards").list.slice(4 * TRICKS))
    first = late.with_columns(
        index=pl.col("more").list.eval(pl.element() != UNKNOWN).list.arg_max().cast(pl.Int64) + 4 * TRICKS,
        code=pl.col("more").list.eval(pl.element().filter(pl.element() != UNKNOWN)).list.first(),
    ).drop_nulls("code")
    first = first.with_columns(card=names_of(first["code"].to_numpy(), CARD_SIGNS))
    return report("play-after-end", first, "records.cards")


def _turned_rows(records: Records, played: Plays) -> Problems:
    turned = played.turns != 0
    at = np.flatnonzero(turned.any(axis=1))
    trick = turned[at].argmax(axis=1)
    rows = records.select(ABOUT_RECORD)[at].with_columns(pl.Series("index", 4 * trick), pl.Series("trick", trick + 1))
    return report("play-rows-turned", rows, "records.cards")
