"""Deals: 52 different cards, 13 in each hand (Laws 1 and 6). Hands that a file does not show are not judged."""

import numpy as np
import polars as pl

from overtrick.bridge.cards import CARD_SIGNS, FULL_DECK, SEAT_NAMES, hands, held, is_complete
from overtrick.frames import PROBLEMS, Session, empty
from overtrick.problems import report
from overtrick.validate.places import at_tag


def deal_hand_size(session: Session) -> pl.DataFrame:
    """Find hands of more or fewer than 13 cards, unless no shown hand is whole (`deal_in_part`)."""
    sized = _hand_sizes(session.records)
    wrong = sized.filter((pl.col("most") >= 13) & (pl.col("cards") != 13))
    return report("deal-hand-size", at_tag(session, wrong, "Deal"))


def deal_in_part(session: Session) -> pl.DataFrame:
    """Note deals without a whole hand: end positions (PBN 3.10), and what lesson files show of a deal, if anything."""
    sized = _hand_sizes(session.records).unique("record", keep="first", maintain_order=True)
    short = at_tag(session, sized.filter(pl.col("most") < 13), "Deal")
    if short.is_empty():
        return empty(PROBLEMS)
    uneven, none = pl.col("least") < pl.col("most"), pl.col("most") == 0
    return pl.concat(
        [
            report("deal-end-position", short.filter(~uneven & ~none)),
            report("deal-partial", short.filter(uneven)),
            report("deal-without-cards", short.filter(none)),
        ]
    )


def deal_duplicate_card(session: Session) -> pl.DataFrame:
    """Find cards that a deal shows twice."""
    dealt = session.records.select("record", "deal").drop_nulls("deal")
    rows = [
        (record, CARD_SIGNS[card], SEAT_NAMES[first], SEAT_NAMES[second])
        for record, deal in dealt.filter(_suspect(dealt["deal"])).iter_rows()
        for card, first, second in _twice(deal)
    ]
    schema = {"record": pl.UInt32, "card": pl.String, "first": pl.String, "second": pl.String}
    return report("deal-duplicate-card", at_tag(session, pl.DataFrame(rows, schema=schema, orient="row"), "Deal"))


def _suspect(deals: pl.Series) -> pl.Series:
    """Leave out the deals that show every card."""
    return pl.Series(np.bitwise_or.reduce(held(deals), axis=1) != FULL_DECK)


def _hand_sizes(records: pl.DataFrame) -> pl.DataFrame:
    """List the shown hands of deals that are not four hands of thirteen: record, seat, cards, least, most."""
    short = records.select("record", "deal").filter(pl.col("deal").is_not_null() & ~is_complete(records["deal"]))
    return (
        short.with_columns(
            pl.col("deal").str.slice(2).str.split(" ").alias("hand"), pl.lit(list(SEAT_NAMES)).alias("seat")
        )
        .explode("hand", "seat")
        .filter(pl.col("hand") != "-")
        .with_columns(pl.col("hand").str.count_matches("[^.]").cast(pl.Int32).alias("cards"))
        .with_columns(
            pl.col("cards").min().over("record").alias("least"), pl.col("cards").max().over("record").alias("most")
        )
    )


def _twice(deal: str) -> list[tuple[int, int, int]]:
    """List the cards of one deal that stand in it twice, each with the two seats."""
    holder: dict[int, int] = {}
    again = []
    for seat, cards in enumerate(hands(deal)):
        for card in cards or ():
            if card in holder:
                again.append((card, holder[card], seat))
            holder[card] = seat
    return again
