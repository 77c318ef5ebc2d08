"""What a record says of its board: the deal, the auction and the play, each checked by the Laws.

52 different cards, 13 in each hand (Laws 1 and 6), dealer and vulnerability (Law 2), each call and each card, and the
contract and the tricks that they come to. What a file states counts, whatever else follows from it. Hands that it does
not show are not judged.
"""

from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge import cards, replays
from overtrick.core.bridge.auction import CALL_SIGNS, CALLS, DOUBLE, REDOUBLE, Auctions, CallFault, CallFaults
from overtrick.core.bridge.cards import CARD_SIGNS, SEAT_NAMES, STRAIN_SIGNS, UNKNOWN, Bytes, codes_of, owners
from overtrick.core.bridge.play import TRICKS, Mask, Places, PlayFault, Plays
from overtrick.core.frames import PROBLEMS, Problems, Records, Session, empty
from overtrick.core.notation import names_of, scored_on_sheets, seat_name
from overtrick.core.problems import ABOUT_RECORD, concat_problems, report
from overtrick.judge.validate.result import check_tricks


def check_hand_sizes(session: Session) -> Problems:
    """Report hands of more or fewer than 13 cards, unless no shown hand is whole (`check_partial_deals`)."""
    sized = _hand_sizes(session.records)
    wrong = sized.filter((pl.col("most") >= 13) & (pl.col("cards") != 13))
    # One hand with three empty ones is a diagram.
    alone = (pl.col("cards") == 0).sum().over("record") == 3
    shown = pl.col("most") == 13
    diagrams = wrong.filter(alone & shown).unique("record", keep="first", maintain_order=True)
    others = report("deal-hand-size", wrong.filter(~(alone & shown)), "records.deal")
    return concat_problems([others, report("deal-one-hand", diagrams, "records.deal")])


def check_partial_deals(session: Session) -> Problems:
    """Report deals without a whole hand: end positions (PBN 3.10), and what lesson files show of a deal."""
    sized = _hand_sizes(session.records)
    by_deal = sized.unique("record", keep="first", maintain_order=True)
    short = by_deal.filter(pl.col("most") < 13)
    uneven, none = pl.col("least") < pl.col("most"), pl.col("most") == 0
    kinds = {"deal-end-position": ~uneven & ~none, "deal-partial": uneven, "deal-without-cards": none}
    return concat_problems(report(code, short.filter(of), "records.deal") for code, of in kinds.items())


def check_duplicate_cards(session: Session) -> Problems:
    """Report cards that a deal shows twice."""
    dealt = session.records.select("record", "source", "board_label", "deal").drop_nulls("deal")
    rows = [
        (*about, cards.CARD_SIGNS[card], cards.SEAT_NAMES[first], cards.SEAT_NAMES[second])
        for *about, deal in dealt.filter(_suspect(dealt["deal"])).iter_rows()
        for card, first, second in _twice(deal)
    ]
    schema = {"record": pl.UInt32, **dict.fromkeys(("source", "board", "card", "first", "second"), pl.String)}
    return report("deal-duplicate-card", pl.DataFrame(rows, schema=schema, orient="row"), "records.deal")


def check_dealers(session: Session) -> Problems:
    """Report boards whose stated dealer is not the one of their number."""
    return _differs(session, "dealer", cards.board_dealer(pl.col("board")), "board-dealer")


def check_vulnerabilities(session: Session) -> Problems:
    """Report boards whose stated vulnerability is not the one of their number."""
    return _differs(session, "vulnerable", cards.board_vulnerability(pl.col("board")), "board-vulnerability")


def _differs(session: Session, column: str, by_number: pl.Expr, code: str) -> Problems:
    stated = session.records.lazy().select(
        "record",
        "source",
        pl.col("board_label").alias("board"),
        "scoring",
        stated=pl.col(column).cast(pl.String),
        expected=by_number,
    )
    differing = stated.filter(pl.col("stated") != pl.col("expected")).collect()
    # At rubber and Chicago deals are counted on, and games or the turn make a side vulnerable.
    wrong = differing.filter(scored_on_sheets(pl.col("scoring")).fill_null(value=False).not_()).drop("scoring")
    return report(code, wrong, f"records.{column}")


def _suspect(deals: pl.Series) -> pl.Series:
    """Report whether each deal lacks a card: one that shows every card has none twice."""
    return pl.Series(np.bitwise_or.reduce(cards.held(deals), axis=1) != cards.FULL_DECK)


def _hand_sizes(records: Records) -> pl.DataFrame:
    """Return the shown hands of deals that are not four hands of thirteen, if any: record, seat, cards, least, most."""
    about = records.select("record", "source", "deal", board="board_label")
    short = about.filter(pl.col("deal").is_not_null() & ~cards.is_complete(records["deal"]))
    return (
        short.with_columns(hand=pl.col("deal").str.slice(2).str.split(" "), seat=pl.lit(list(cards.SEAT_NAMES)))
        .explode("hand", "seat")
        .filter(pl.col("hand") != "-")
        .with_columns(cards=pl.col("hand").str.count_matches("[^.]").cast(pl.Int32))
        .with_columns(least=pl.col("cards").min().over("record"), most=pl.col("cards").max().over("record"))
    )


def _twice(deal: str) -> list[tuple[int, int, int]]:
    """Return the cards of one deal that it shows twice, each with the two seats."""
    holder: dict[int, int] = {}
    again = []
    for seat, hand in enumerate(cards.hands(deal)):
        for card in hand or ():
            if card in holder:
                again.append((card, holder[card], seat))
            holder[card] = seat
    return again


_LONGEST: Final = 320
"""Number of calls of an auction that are checked: one that ends has 319 at most."""

_CALL_CODES: Final = {
    CallFault.INSUFFICIENT: "auction-illegal/bid",
    CallFault.DOUBLE: "auction-illegal/double",
    CallFault.REDOUBLE: "auction-illegal/redouble",
    CallFault.AFTER_END: "auction-after-end/call",
}
_ACCEPTABLE: Final = (CallFault.INSUFFICIENT, CallFault.DOUBLE, CallFault.REDOUBLE)
"""Faults that `^I` records as accepted at the table."""

_READ_OF_AUCTIONS: Final = (
    *("record", "source", "board_label", "dealer", "auction_start", "calls", "auction_end"),
    *("level", "strain", "doubled", "declarer", "irregular_declarer"),
)
"""The columns of records that are used: all columns of a million boards would be a copy of half a gigabyte."""


def check_auctions(session: Session) -> Problems:
    """Check auctions: whose turn it was, which calls, whether it ended, and the contract and declarer it comes to."""
    records = (
        session.records.select(_READ_OF_AUCTIONS)
        .filter(pl.col("calls").list.len() > 0)
        .rename({"board_label": "board"})
    )
    if records.is_empty():
        return empty(PROBLEMS)
    replayed = replays.auctions(records, session.annotations)
    marks = replays.irregularities(records, session.annotations, "auction")
    accepting = marks.filter(pl.col("mark") == "I").select("record", "index", marked=pl.lit(value=True))
    faults = _list_call_faults(records, replayed.faults).filter(pl.col("index") < _LONGEST)
    faults = faults.join(accepting.unique(), on=["record", "index"], how="left", maintain_order="left")
    accepted = pl.col("marked").fill_null(value=False) & pl.col("fault").is_in(_ACCEPTABLE)
    outcomes = _outcomes(records, replayed)
    found = [
        _out_of_turn(records),
        *(report(code, faults.filter(~accepted, fault=fault), "records.calls") for fault, code in _CALL_CODES.items()),
        *_report_call_marks(records, marks, faults.filter(accepted)),
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


def _list_call_faults(records: Records, faults: CallFaults) -> pl.DataFrame:
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


def _report_call_marks(records: Records, marks: pl.DataFrame, accepted: pl.DataFrame) -> list[pl.DataFrame]:
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
    return report("contract-differs-from-auction/contract", wrong, "records.level")


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
        report("contract-differs-from-auction/declarer", judged.filter(wrong), "records.declarer"),
        report("irregularity-recorded", judged.filter(irregular & pl.col("partner")), "records.declarer"),
        report("irregularity-unfounded", judged.filter(irregular & pl.col("same")), "records.declarer"),
    ]


_CARD_CODES: Final = {
    PlayFault.AGAIN: "play-card-not-held/repeated",
    PlayFault.NOT_HELD: "play-card-not-held/elsewhere",
    PlayFault.REVOKE: "play-revoke",
    PlayFault.OUT_OF_TURN: "play-out-of-turn",
}

_READ_OF_PLAYS: Final = (
    *("record", "source", "board_label", "deal", "level", "strain", "declarer", "tricks", "irregular_tricks"),
    *("play_start", "cards", "play_end"),
)
"""The columns of records that are used."""


def check_plays(session: Session) -> Problems:
    """Check plays: cards not held, played twice, not following suit, too many; and what the marks of a play record."""
    records = (
        session.records.select(_READ_OF_PLAYS).filter(pl.col("cards").list.len() > 0).rename({"board_label": "board"})
    )
    if records.is_empty():
        return empty(PROBLEMS)
    played = replays.plays(records, session.annotations)
    marks = replays.irregularities(records, session.annotations, "play")
    faults = _list_card_faults(records, played)
    revoking = marks.filter(pl.col("mark") == "R").select("record", "index", marked=pl.lit(value=True))
    faults = faults.join(revoking.unique(), on=["record", "index"], how="left", maintain_order="left")
    recorded = pl.col("marked").fill_null(value=False) & (pl.col("fault") == PlayFault.REVOKE)
    found = [
        *(report(code, faults.filter(~recorded, fault=fault), "records.cards") for fault, code in _CARD_CODES.items()),
        *_report_card_marks(records, played, marks, faults.filter(recorded)),
        *_wrong_leader(records, played, marks, _lead_first(session, records)),
        _after_end(records),
        _turned_rows(records, played),
        *check_tricks(records, played, marks),
    ]
    return concat_problems(found)


def _list_card_faults(records: Records, played: Plays) -> pl.DataFrame:
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


def _report_card_marks(
    records: Records, played: Plays, marks: pl.DataFrame, revokes: pl.DataFrame
) -> list[pl.DataFrame]:
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
        report("play-wrong-turn/lead", _leads(records, np.flatnonzero(wrong), led, declarer), "records.cards"),
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
    return report("play-rows-turned/pbn", rows, "records.cards")
