"""Deals and boards: 52 different cards, 13 in each hand (Laws 1 and 6), dealer and vulnerability (Law 2).

Hands that a file does not show are not judged. What the file states about a board counts, whatever its number says.
"""

import numpy as np
import polars as pl

from overtrick.core.bridge import cards
from overtrick.core.frames import Problems, Records, Session
from overtrick.core.notation import scored_on_sheets
from overtrick.core.problems import concat_problems, report


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
