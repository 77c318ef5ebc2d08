"""One Bridgemate database to frames: a record a board of a section, a result a row received, pairs with their names."""

from typing import Final

import polars as pl

from overtrick.frames import CONTESTANTS, RECORDS, RESULTS, conform
from overtrick.parse.bridgemate.jet import tables
from overtrick.parse.bridgemate.movement import against_movement
from overtrick.parse.bridgemate.results import results
from overtrick.parse.contestants import each_once
from overtrick.parse.pbn.deals import deals
from overtrick.parse.reading import Reading, nothing_but
from overtrick.problems import Finding, findings_frame, found

_TABLES: Final = (
    *("Session", "Section", "RoundData", "ReceivedData", "PlayerNumbers", "PlayerNames", "HandRecord"),
    *("BiddingData", "PlayData"),
)
_NOT_READ: Final = ("BiddingData", "PlayData")
_SEATS: Final = ("North", "East", "South", "West")
_SUITS: Final = ("Spades", "Hearts", "Diamonds", "Clubs")
_SIDE_OF_SEAT: Final = {"N": "NS", "S": "NS", "E": "EW", "W": "EW"}
_PLACE_OF_SEAT: Final = {"N": 0, "S": 1, "E": 0, "W": 1}


def read_bws(data: bytes) -> Reading:
    """Read a BWS file. It holds no scores: those follow from the contracts."""
    read = tables(data, _TABLES)
    if isinstance(read, Finding):
        return nothing_but([read])
    if "ReceivedData" not in read or "Section" not in read:
        return nothing_but([Finding("bws-unreadable")])
    letters = read["Section"].select("ID", pl.col("Letter").str.strip_chars())
    named = {name: _with_letters(frame, letters) for name, frame in read.items()}
    boards = _boards(named)
    numbered = boards.select("Section", "Board", "record")
    lines, problems = results(named["ReceivedData"], numbered)
    records = conform(RECORDS, boards.with_columns(**_event(read.get("Session"))))
    canonical, faults = deals(records["deal"])
    odd = records.with_columns(faults.alias("fault"), pl.col("board_label").alias("board")).drop_nulls("fault")
    people = contestants(named)
    return Reading(
        records=records.with_columns(canonical),
        results=conform(RESULTS, lines.with_columns(pl.col("record").cast(pl.UInt32))),
        contestants=people,
        problems=pl.concat(
            [
                problems,
                against_movement(named.get("RoundData"), lines, named["ReceivedData"]),
                found("bws-deal", odd),
                _left_out(read),
                findings_frame([] if len(records) else [Finding("file-no-games", line=1, column=1)], ""),
            ]
        ),
    )


def contestants(named: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """Name the pairs: who sat at a table at the start, and which pair the movement has there in round 1.

    Names that were not entered at the table are those of the player's number.
    """
    needed = ("PlayerNumbers", "RoundData")
    if any(name not in named or named[name].is_empty() for name in needed):
        return conform(CONTESTANTS, pl.DataFrame())
    members = named.get("PlayerNames", pl.DataFrame(schema={"strID": pl.String, "Name": pl.String}))
    by_number = members.select(pl.col("strID").alias("Number"), pl.col("Name").alias("listed")).unique("Number")
    start = named["PlayerNumbers"]
    if "Round" in start.columns:
        start = start.filter(pl.col("Round").is_null() | pl.col("Round").is_in(["0", "1"]))
    seated = (
        start.join(by_number, on="Number", how="left", maintain_order="left")
        .with_columns(
            pl.coalesce("Name", "listed").alias("name"), pl.col("Direction").replace(_SIDE_OF_SEAT).alias("side")
        )
        .sort(pl.col("Direction").replace_strict(_PLACE_OF_SEAT, default=None), maintain_order=True)
    )
    first = named["RoundData"].filter(pl.col("Round") == "1")
    pairs = pl.concat(
        first.select("Section", "Table", pl.lit(side).alias("side"), pl.col(f"{side}Pair").alias("contestant"))
        for side in ("NS", "EW")
    ).filter(pl.col("contestant") != "0")
    grouped = seated.group_by("Section", "Table", "side", maintain_order=True).agg(
        _joined("name", "?").alias("names"),
        _joined("Number", "").alias("members"),
    )
    listed = pairs.join(grouped, on=["Section", "Table", "side"], how="left", maintain_order="left").rename(
        {"Section": "section", "side": "direction"}
    )
    once = each_once(listed)
    members_of = listed.select("section", "contestant", pl.col("direction"), pl.col("members").alias("numbers"))
    joined = once.with_columns(pl.col("direction").cast(pl.String)).join(
        members_of.unique(["section", "contestant", "direction"]),
        on=["section", "contestant", "direction"],
        how="left",
        maintain_order="left",
        nulls_equal=True,
    )
    return conform(CONTESTANTS, joined.with_columns(pl.col("numbers").alias("members")))


def _joined(column: str, missing: str) -> pl.Expr:
    """Join the two of a pair, with a mark for the one that is not known; null where neither is."""
    return pl.when(pl.col(column).is_not_null().any()).then(pl.col(column).fill_null(missing).str.join(" - "))


def _with_letters(frame: pl.DataFrame, letters: pl.DataFrame) -> pl.DataFrame:
    """Name the section of each row by its letter."""
    if "Section" not in frame.columns:
        return frame
    named = pl.col("Section").replace(letters["ID"].to_list(), letters["Letter"].to_list())
    return frame.with_columns(named.alias("Section"))


def _boards(named: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """List the boards of each section, those with hands and without results too."""
    keys = ["Section", "Board"]
    played = named["ReceivedData"].select(keys)
    hands = named.get("HandRecord")
    dealt = pl.DataFrame(schema={**dict.fromkeys(keys, pl.String), "deal": pl.String})
    if hands is not None and not hands.is_empty():
        dealt = hands.select(*keys, _deal()).unique(keys, keep="last", maintain_order=True)
    boards = pl.concat([played, dealt.select(keys)]).drop_nulls("Board").unique(keys, maintain_order=True)
    number = pl.col("Board").cast(pl.Int32, strict=False)
    return (
        boards.join(dealt, on=keys, how="left", maintain_order="left")
        .sort("Section", number, maintain_order=True)
        .with_row_index("record")
        .with_columns(
            pl.col("Section").alias("section"),
            pl.col("Board").alias("board_label"),
            pl.when(number > 0).then(number).alias("board"),
        )
    )


def _deal() -> pl.Expr:
    """Write the hands as PBN does; a hand without any card is not known."""
    hands = [
        pl.concat_str([_suit(f"{seat}{suit}") for suit in _SUITS], separator=".").replace("...", "-") for seat in _SEATS
    ]
    return (pl.lit("N:") + pl.concat_str(hands, separator=" ")).alias("deal")


def _suit(column: str) -> pl.Expr:
    return pl.col(column).fill_null("").str.replace_all(" ", "", literal=True).str.replace_all("10", "T", literal=True)


def _event(session: pl.DataFrame | None) -> dict[str, pl.Expr]:
    if session is None or session.is_empty():
        return {}
    first = session.row(0, named=True)
    date = (first.get("Date") or "")[:10].replace("-", ".") or None
    return {"event": pl.lit(first.get("Name")), "date": pl.lit(date)}


def _left_out(read: dict[str, pl.DataFrame]) -> pl.DataFrame:
    rows = [(name, len(read[name])) for name in _NOT_READ if name in read and len(read[name])]
    return found("bws-not-read", pl.DataFrame(rows, schema={"table_name": pl.String, "rows": pl.Int64}, orient="row"))
