"""The tags of export form: the fifteen that every game has (PBN 3.4), and the values that hold for the others (4.8)."""

from typing import Final

import polars as pl

from overtrick.bridge.cards import RANKS, SEATS
from overtrick.formats.pbn.inheritance import NOT_INHERITED, resolve
from overtrick.frames import Session
from overtrick.notation import contract_text

MANDATORY: Final = (
    *("Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable"),
    *("Deal", "Scoring", "Declarer", "Contract", "Result"),
)
"""In the order of export form."""

_TEXTS: Final = ("Event", "Site", "West", "North", "East", "South", "Scoring")

_DATE: Final = r"^[0-9?]{4}\.[0-9?]{2}\.[0-9?]{2}$"
_ANY_YEAR: Final = r"(?:^|\D)(\d{4})(?:\D|$)"


def holding_tags(items: pl.DataFrame, records: pl.DataFrame) -> pl.DataFrame:
    """List the tags that hold in each game, but for notes: record, name, text, line, column.

    Of a tag that a game repeats the first counts. Values that a game takes from an earlier one are filled in; such a
    tag has no line where the game leaves it out.
    """
    columns = ["record", "name", "text", "line", "column"]
    tags = items.filter((pl.col("kind") == "tag") & (pl.col("name") != "Note"))
    tags = tags.unique(["record", "name"], keep="first", maintain_order=True)
    marked = tags.filter(pl.col("text").str.starts_with("#") & ~pl.col("name").is_in(list(NOT_INHERITED)))["name"]
    inherits = pl.col("name").is_in(marked.unique().to_list())
    parts = [tags.filter(~inherits).select(columns)]
    for (source, name), group in tags.filter(inherits).group_by("source", "name", maintain_order=True):
        games = records.filter(pl.col("source") == source).select("record")
        written = games.join(group, on="record", how="left", maintain_order="left")
        held = written.with_columns(resolve(written["text"]).values, pl.lit(name).alias("name")).drop_nulls("text")
        parts.append(held.filter(pl.col("line").is_not_null() | (pl.col("text") != "")).select(columns))
    return pl.concat(parts)


def mandatory_tags(session: Session, holding: pl.DataFrame) -> pl.DataFrame:
    """Write the fifteen tags of every game: record, name, text, stated, line, column.

    `?` is unknown and nothing is not applicable (3.4). `stated` is what the file says where that can't be brought into
    the tag, null elsewhere.
    """
    records = session.records
    stated = {
        name: records.select("record").join(
            holding.filter(pl.col("name") == name), on="record", how="left", maintain_order="left"
        )
        for name in MANDATORY
    }
    raw = pl.DataFrame([stated[name]["text"].alias(name) for name in MANDATORY])
    written = pl.concat([records, raw], how="horizontal").select(_text(name).alias(name) for name in MANDATORY)
    written = written.with_columns(_deals(records, written["Deal"]))
    return pl.concat(
        [
            stated[name].select(
                "record",
                pl.lit(name).alias("name"),
                written[name].alias("text"),
                _lost(pl.col("text"), written[name]).alias("stated"),
                "line",
                "column",
            )
            for name in MANDATORY
        ]
    )


def _lost(stated: pl.Expr, written: pl.Series) -> pl.Expr:
    says = ~stated.str.strip_chars().is_in(["", "?"])
    nothing = pl.lit(written).is_in(["", "?"])
    if written.name == "Date":
        nothing |= stated.str.strip_chars().str.len_chars() > len("YYYY.MM.DD")
        nothing |= pl.lit(written).str.ends_with(".??.??") & (stated != pl.lit(written))
    return pl.when(says & nothing).then(stated)


def _text(name: str) -> pl.Expr:
    """Write one tag of all games from their records and, in the column of that name, from what the file says."""
    stated = pl.col(name)
    missing = pl.when(stated.str.strip_chars() == "").then(pl.lit("")).otherwise(pl.lit("?"))
    caret = pl.when(stated.str.contains(r"^\s*\^")).then(pl.lit("^")).otherwise(pl.lit(""))
    passed = pl.col("level").eq_missing(0)
    if name in _TEXTS:
        return pl.coalesce(stated, pl.lit("?"))
    known = {
        "Date": _date(stated),
        "Board": pl.when(pl.col("board").is_not_null()).then(pl.col("board_label").str.strip_chars()),
        "Dealer": pl.col("dealer").cast(pl.String),
        "Vulnerable": pl.col("vulnerable").cast(pl.String),
        "Deal": pl.col("deal"),
        "Declarer": pl.when(passed).then(pl.lit("")).otherwise(caret + pl.col("declarer").cast(pl.String)),
        "Contract": pl.coalesce(contract_text(), pl.col("strain").cast(pl.String)),
        "Result": pl.when(passed).then(pl.lit("")).otherwise(caret + pl.col("tricks").cast(pl.String)),
    }
    return pl.coalesce(known[name], missing)


def _date(stated: pl.Expr) -> pl.Expr:
    """Write a date as `YYYY.MM.DD` (3.4.3), `?` for what its form leaves open: 5/6/2023 may be of May or of June."""
    year = stated.str.extract(_ANY_YEAR) + pl.lit(".??.??")
    return pl.when(pl.col("date").str.contains(_DATE)).then("date").otherwise(year)


def _deals(records: pl.DataFrame, written: pl.Series) -> pl.Series:
    """Turn deals to begin with the dealer's hand, each suit from the ace down (3.4.11)."""
    rows = zip(records["deal"], records["dealer"].cast(pl.String).fill_null("N"), written, strict=True)
    return pl.Series("Deal", [_turned(deal, first) if deal else text for deal, first, text in rows], dtype=pl.String)


def _turned(deal: str, first: str) -> str:
    hands = deal.partition(":")[2].split(" ")
    shift = SEATS.index(first)
    return f"{first}:" + " ".join(_descending(hand) for hand in hands[shift:] + hands[:shift])


def _descending(hand: str) -> str:
    if hand == "-":
        return hand
    return ".".join("".join(sorted(holding, key=RANKS.index, reverse=True)) for holding in hand.split("."))
