"""Plays: each card by the Laws, and the tricks made compared with those stated. The file wins."""

from typing import Final

import numpy as np
import polars as pl

from overtrick.bridge import replays
from overtrick.bridge.cards import CARD_SIGNS, SEAT_NAMES, UNKNOWN, Bytes, codes_of, owners
from overtrick.bridge.play import TRICKS, Places, PlayFault, Plays
from overtrick.formats.locate import add_source, first_card_leads, place_entries
from overtrick.frames import PROBLEMS, Problems, Records, Session, empty
from overtrick.notation import names_of
from overtrick.problems import report
from overtrick.validate.tricks import check_tricks

_CODES: Final = {
    PlayFault.AGAIN: "play-card-repeated",
    PlayFault.NOT_HELD: "play-card-not-held",
    PlayFault.REVOKE: "play-revoke",
    PlayFault.OUT_OF_TURN: "play-out-of-turn",
}

_READ: Final = (
    *("record", "deal", "level", "strain", "declarer", "tricks", "irregular_tricks"),
    *("play_start", "cards", "play_end"),
)
"""The columns of records that are used."""


def check_plays(session: Session) -> Problems:
    """Check plays: cards not held, played twice, not following suit, too many; and what the marks of a play record."""
    records = session.records.select(_READ).filter(pl.col("cards").list.len() > 0)
    if records.is_empty():
        return empty(PROBLEMS)
    played = replays.plays(records, session.annotations)
    marks = replays.irregularities(records, session.annotations, "play")
    faults = _faults(records, played)
    revoking = marks.filter(pl.col("mark") == "R").select("record", "index", pl.lit(value=True).alias("marked"))
    faults = faults.join(revoking.unique(), on=["record", "index"], how="left", maintain_order="left")
    recorded = pl.col("marked").fill_null(value=False) & (pl.col("fault") == PlayFault.REVOKE)
    return pl.concat(
        [
            *_wrong_cards(session, faults.filter(~recorded)),
            *_marks(session, records, played, marks, faults.filter(recorded)),
            *_wrong_leader(session, records, played, marks),
            _after_end(session, records),
            _turned_rows(session, records, played),
            *check_tricks(session, records, played, marks),
        ]
    )


def _wrong_cards(session: Session, faults: pl.DataFrame) -> list[pl.DataFrame]:
    if faults.is_empty():
        return []
    placed = place_entries(session, faults, "cards")
    return [report(code, placed.filter(pl.col("fault") == fault)) for fault, code in _CODES.items()]


def _faults(records: Records, played: Plays) -> pl.DataFrame:
    """Return the cards that break the Laws with what messages say."""
    faults = played.faults
    holder = names_of(faults.other, SEAT_NAMES)
    return pl.DataFrame(
        {
            "record": records["record"].gather(pl.Series(faults.board)),
            "index": faults.place,
            "fault": faults.fault,
            "trick": faults.place // 4 + 1,
            "card": names_of(faults.card, CARD_SIGNS),
            "player": names_of(faults.player, SEAT_NAMES),
            "holder": holder.fill_null("another player"),
            "turn": holder,
            "led": names_of(faults.other, CARD_SIGNS),
        }
    )


def _marks(
    session: Session, records: Records, played: Plays, marks: pl.DataFrame, revokes: pl.DataFrame
) -> list[pl.DataFrame]:
    """Report what marks record, and marks at regular cards; what cannot be judged is left alone."""
    if marks.is_empty():
        return []
    told = marks.filter(pl.col("mark").is_in(["I", "S", "R", "L"]) & (pl.col("index") < 4 * TRICKS))
    faulty = revokes.select("record", "index", pl.lit("R").alias("mark"), pl.lit(value=True).alias("revoke"))
    rows = _in_their_trick(records, played, told).join(
        faulty, on=["record", "index", "mark"], how="left", maintain_order="left"
    )
    mark, player, leader = pl.col("mark"), pl.col("player"), pl.col("expected")
    leads_twice = pl.struct("record", "trick", "mark").is_first_distinct().not_()
    revoked = pl.col("revoke").fill_null(value=False)
    follows = (pl.col("card") // 13 == pl.col("led") // 13) | (player == pl.col("leader"))
    no_revoke = ~revoked & (follows | (pl.col("shown") & pl.col("led").is_not_null())) & pl.col("card").is_not_null()
    judged = rows.with_columns(
        pl.when(mark == "R")
        .then(revoked)
        .when(mark == "L")
        .then((leader != player) & ~leads_twice)
        .otherwise(pl.lit(value=False))
        .alias("founded"),
        pl.when(mark == "R")
        .then(no_revoke)
        .when(mark == "L")
        .then(leads_twice | (leader == player))
        .otherwise(pl.lit(value=True))
        .alias("unfounded"),
    )
    card = names_of(judged["card"].fill_null(UNKNOWN).to_numpy(), CARD_SIGNS).fill_null("-")
    by = pl.format(
        "{} by {}", card, names_of(judged["player"].fill_null(UNKNOWN).to_numpy(), SEAT_NAMES).fill_null("?")
    )
    lead = pl.when(mark == "L").then(pl.format("the lead of {}", by)).otherwise(by)
    placed = add_source(session, judged.with_columns(lead.alias("what"), pl.format("^{}", mark).alias("mark")))
    return [
        report("irregularity-recorded", placed.filter("founded")),
        report("irregularity-unfounded", placed.filter("unfounded")),
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
    ).with_columns(pl.when(pl.col("leader").is_not_null()).then("led").alias("led"))


def _wrong_leader(
    session: Session, records: Records, played: Plays, marks: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Report opening leads by another player than declarer's left-hand opponent, unless a mark records them.

    Where the format lists the cards from the lead on, the first card is the lead. In the other formats only the play
    shows whose card was led; a first column of another seat alone is a note.
    """
    declarer, first = codes_of(records["declarer"]), codes_of(records["play_start"])
    due = np.where(declarer == UNKNOWN, UNKNOWN, (declarer + 1) & 3).astype(np.uint8)
    led = np.where(first_card_leads(session, records["record"]).to_numpy(), first, played.leader[:, 0])
    recorded = marks.filter((pl.col("mark") == "L") & (pl.col("index") < 4))["row"].to_numpy()
    due[recorded] = UNKNOWN
    wrong = (led != due) & (led != UNKNOWN) & (due != UNKNOWN)
    elsewhere = ~wrong & (first != due) & (first != UNKNOWN) & (due != UNKNOWN)
    return (
        report("play-wrong-leader", _leads(session, records, np.flatnonzero(wrong), led, declarer)),
        report("play-begins-elsewhere", _leads(session, records, np.flatnonzero(elsewhere), first, declarer)),
    )


def _leads(session: Session, records: Records, at: Places, player: Bytes, declarer: Bytes) -> pl.DataFrame:
    """Return the first card of a player with what messages say, and the declarer."""
    if not len(at):
        return records.clear()
    seats = {"player": player[at], "leader": (declarer[at] + 1) & np.uint8(3), "declarer": declarer[at]}
    column = (player[at] - codes_of(records["play_start"])[at]) & 3
    rows = pl.DataFrame({name: names_of(codes, SEAT_NAMES) for name, codes in seats.items()})
    placed = rows.with_columns(records["record"].gather(pl.Series(at)), pl.Series("index", column))
    return place_entries(session, placed, "cards")


def _after_end(session: Session, records: Records) -> Problems:
    late = records.filter(pl.col("cards").list.len() > 4 * TRICKS)
    if late.is_empty():
        return empty(PROBLEMS)
    late = late.select("record", pl.col("cards").list.slice(4 * TRICKS).alias("more"))
    first = late.with_columns(
        (pl.col("more").list.eval(pl.element() != UNKNOWN).list.arg_max().cast(pl.Int64) + 4 * TRICKS).alias("index"),
        pl.col("more").list.eval(pl.element().filter(pl.element() != UNKNOWN)).list.first().alias("code"),
    ).drop_nulls("code")
    first = first.with_columns(names_of(first["code"].to_numpy(), CARD_SIGNS).alias("card"))
    return report("play-after-end", place_entries(session, first, "cards"))


def _turned_rows(session: Session, records: Records, played: Plays) -> Problems:
    turned = played.turns != 0
    if not turned.any():
        return empty(PROBLEMS)
    at = np.flatnonzero(turned.any(axis=1))
    trick = turned[at].argmax(axis=1)
    rows = pl.DataFrame({"record": records["record"].gather(pl.Series(at)), "index": 4 * trick, "trick": trick + 1})
    return report("play-rows-turned", place_entries(session, rows, "cards"))
