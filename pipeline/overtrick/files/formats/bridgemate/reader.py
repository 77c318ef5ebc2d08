"""One Bridgemate database to frames: a record for each board of a section, a result for each row, pairs with names.

A table that recorded its auction or its play has a record of its own. The movement (`RoundData`) is compared with the
results that were entered.
"""

from typing import Final

import polars as pl

from overtrick.core.bridge.auction import CALLS, PASS
from overtrick.core.bridge.cards import CARDS, SEAT_NAMES, SEATS, SIDE_OF_SEAT, UNKNOWN
from overtrick.core.frames import CONTESTANTS, PLAYED, RECORDS, RESULTS, conform
from overtrick.core.notation import BETWEEN, read_date
from overtrick.core.problems import Finding, report, report_findings
from overtrick.files.formats.base import Reading, nothing_but
from overtrick.files.formats.bridgemate.jet import read_tables
from overtrick.files.formats.bridgemate.results import (
    PLACE,
    SUITS,
    WRONG_DIRECTION,
    complete_columns,
    complete_tables,
    name_sections,
    read_results,
)
from overtrick.files.formats.pbn.read.tag_columns import read_deals

_TABLES: Final = (
    *("Section", "ReceivedData", "RoundData", "PlayerNumbers", "HandRecord", "BiddingData", "PlayData", "Session"),
    *("HandEvaluation", "PlayerNames"),
)
_NOT_READ: Final = ("HandEvaluation",)
_PLACE_OF_SEAT: Final = {"N": 0, "S": 1, "E": 0, "W": 1}
_MOST_BOARDS: Final = 100
"""The most boards of one round; a longer range is a slip."""


def read_bws(data: bytes) -> Reading:
    """Read a BWS file. It holds no scores: those follow from the contracts.

    A part that is missing from a damaged or unusual database is reported, and the rest is read.
    """
    tables = read_tables(data, _TABLES)
    if not tables.frames or not (tables.findings or tables.frames.keys() >= {"ReceivedData", "Section"}):
        return nothing_but(tables.findings or [Finding("file-damaged/database")])
    return read_database(tables.frames, tables.findings)


def read_database(tables: dict[str, pl.DataFrame], findings: list[Finding]) -> Reading:
    """Read the tables of a database.

    Args:
        tables: by name a frame of text, as `jet.Tables` has them.
        findings: the problems of the file; with any, columns that are not there are not reported.
    """
    # Without one of the two, the other still counts.
    read, lacking = complete_tables({"ReceivedData": pl.DataFrame(), "Section": pl.DataFrame(), **tables})
    named, sections = name_sections(read)
    bodies, odd = read_recorded(named.get("BiddingData"), named.get("PlayData"))
    boards = _boards(named, bodies)
    lines, problems = read_results(named["ReceivedData"], _records_of_results(named["ReceivedData"], boards))
    records = conform(RECORDS, _with_results(boards, lines).with_columns(**_event(read.get("Session"))))
    canonical, faults = read_deals(records["deal"])
    faulty = records.with_columns(faults.alias("fault"), pl.col("board_label").alias("board")).drop_nulls("fault")
    people = list_pairs(named)
    missing = _compare_with_rounds(named.get("RoundData"), named["Section"], lines, named["ReceivedData"])
    if any(finding.values.get("table_name") == "ReceivedData" for finding in findings):
        # One problem says so already.
        missing = missing.filter(pl.col("code") != "bws-missing")
    return Reading(
        records=records.with_columns(canonical),
        results=conform(
            RESULTS, lines.with_columns(pl.col("record").cast(pl.UInt32), pl.col("board").cast(pl.Int32, strict=False))
        ),
        contestants=people,
        problems=pl.concat(
            [
                report_findings(findings, ""),
                *([] if findings else [lacking]),
                sections,
                problems,
                missing,
                report("deal-unread/bridgemate", faulty.unique(["section", "board"], maintain_order=True)),
                odd,
                _left_out(read),
                report_findings([] if len(records) else [Finding("file-no-games/text", line=1, column=1)], ""),
            ]
        ),
    )


def list_pairs(named: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the pairs of the movement, and their names: who sat at a table at the start, where it has them in round 1.

    Names that were not entered at the table are those of the player's number. A pair that sits out first has none.
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
            pl.coalesce("Name", "listed").alias("name"), pl.col("Direction").replace(SIDE_OF_SEAT).alias("side")
        )
        .sort(pl.col("Direction").replace_strict(_PLACE_OF_SEAT, default=None), maintain_order=True)
    )
    at_start = pl.when(pl.col("Round") == "1").then("Table").alias("Table")
    seats = pl.concat(
        named["RoundData"].select("Section", at_start, side=pl.lit(side), contestant=f"{side}Pair")
        for side in ("NS", "EW")
    ).filter(pl.col("contestant") != "0")
    # Where both lines have the same numbers they are different pairs; elsewhere a pair is listed where it sat first.
    of_start = pl.col("side").filter(pl.col("Table").is_not_null())
    two_lines = (of_start.n_unique().over("Section", "contestant") > 1).any().over("Section")
    pairs = (
        seats.with_columns(pl.when(two_lines).then("side").alias("of_line"))
        .sort(pl.col("Table").is_null(), maintain_order=True)
        .unique(["Section", "contestant", "of_line"], keep="first", maintain_order=True)
    )
    grouped = seated.group_by("Section", "Table", "side", maintain_order=True).agg(
        _joined("name", "?").alias("names"), _joined("Number", "").alias("members")
    )
    listed = pairs.join(grouped, on=["Section", "Table", "side"], how="left", maintain_order="left").rename(
        {"Section": "section", "side": "direction"}
    )
    return conform(CONTESTANTS, listed)


def _joined(column: str, missing: str) -> pl.Expr:
    """Join the two of a pair, with a mark for an unknown one; null where both are unknown."""
    return pl.when(pl.col(column).is_not_null().any()).then(pl.col(column).fill_null(missing).str.join(BETWEEN))


def _boards(named: dict[str, pl.DataFrame], bodies: pl.DataFrame) -> pl.DataFrame:
    """List the boards of each section, those with hands and without results too.

    A table that recorded an auction or a play of the board has a row of its own; other rows have no `Table`.
    """
    keys = ["Section", "Board"]
    played = named["ReceivedData"].select(PLACE).join(bodies, on=PLACE, how="anti", maintain_order="left")
    hands = named.get("HandRecord")
    dealt = pl.DataFrame(schema={**dict.fromkeys(keys, pl.String), "deal": pl.String})
    if hands is not None and not hands.is_empty():
        dealt = hands.select(*keys, _deal()).unique(keys, keep="last", maintain_order=True)
    idle = dealt.select(keys).join(bodies, on=keys, how="anti", maintain_order="left")
    shared = pl.concat([played.select(keys), idle]).drop_nulls("Board").unique(keys, maintain_order=True)
    number, table, in_round = (pl.col(name).cast(pl.Int32, strict=False) for name in ("Board", "Table", "Round"))
    return (
        pl.concat([shared, bodies], how="diagonal")
        .join(dealt, on=keys, how="left", maintain_order="left")
        .sort("Section", number, in_round, table, maintain_order=True)
        .with_row_index("record")
        .with_columns(
            pl.col("Section").alias("section"),
            pl.col("Board").alias("board_label"),
            pl.when(number > 0).then(number).alias("board"),
            pl.col("Table").alias("table"),
            pl.col("Round").alias("round"),
        )
    )


def _records_of_results(received: pl.DataFrame, boards: pl.DataFrame) -> pl.DataFrame:
    """Return the record of each place that results come from: the table's own, else that of the board."""
    at_table = boards.drop_nulls("Table").select(*PLACE, "record")
    shared = boards.filter(pl.col("Table").is_null()).select("Section", "Board", pl.col("record").alias("shared"))
    places = received.select(PLACE).unique(maintain_order=True)
    found_own = places.join(at_table, on=PLACE, how="left", maintain_order="left")
    both = found_own.join(shared, on=["Section", "Board"], how="left", maintain_order="left")
    return both.select(*PLACE, pl.coalesce("record", "shared").alias("record"))


def _with_results(boards: pl.DataFrame, lines: pl.DataFrame) -> pl.DataFrame:
    """Add the contract to records of single tables, for the checks of their auction and play."""
    scored = lines.filter(pl.col("status").cast(pl.String).is_in(PLAYED)).unique("record", keep="none")
    contract = scored.select(
        "record",
        *("level", "strain", "doubled", "declarer", "tricks"),
        *(pl.col(side).alias(f"pair_{side}") for side in ("ns", "ew")),
    )
    single = boards.drop_nulls("Table").select("record").join(contract, on="record")
    return boards.join(single, on="record", how="left", maintain_order="left")


def _deal() -> pl.Expr:
    """Return the hands as PBN writes them; a hand without any card is unknown."""
    hands = [
        pl.concat_str([_suit(f"{seat}{suit}") for suit in SUITS], separator=".").replace("...", "-")
        for seat in SEAT_NAMES
    ]
    return (pl.lit("N:") + pl.concat_str(hands, separator=" ")).alias("deal")


def _suit(column: str) -> pl.Expr:
    return pl.col(column).fill_null("").str.replace_all(" ", "", literal=True).str.replace_all("10", "T", literal=True)


def _event(session: pl.DataFrame | None) -> dict[str, pl.Expr]:
    if session is None or session.is_empty():
        return {}
    first = session.row(0, named=True)
    date = first.get("Date") or None
    return {"event": pl.lit(first.get("Name")), "date": pl.lit(date and (read_date(date) or date))}


def _left_out(read: dict[str, pl.DataFrame]) -> pl.DataFrame:
    rows = [(name, len(read[name])) for name in _NOT_READ if name in read and len(read[name])]
    return report("bws-not-read", pl.DataFrame(rows, schema={"table_name": pl.String, "rows": pl.Int64}, orient="row"))


def _compare_with_rounds(
    movement: pl.DataFrame | None, sections: pl.DataFrame, entered: pl.DataFrame, received: pl.DataFrame
) -> pl.DataFrame:
    """Report results of other pairs or boards than the movement has, and boards of the movement without a result.

    Args:
        movement: the table `RoundData`, None or empty where the file has none.
        sections: the table `Section`, with letters for numbers; the opponents of its `MissingPair` sit out.
        entered: what `results.read_results` read.
        received: the table `ReceivedData`: a board that was entered and erased is not missing a second time.
    """
    if movement is None or movement.is_empty():
        return report("bws-missing", entered.clear())
    expected = _expected(movement.filter(~_sits_out(movement, sections)))
    met = entered.with_columns(_against("ns", "ew").alias("pairs"), _against("ew", "ns").alias("turned")).join(
        expected.select(*PLACE, "expected"), on=PLACE, how="left", maintain_order="left"
    )
    known = pl.col("Section").is_in(expected["Section"].unique().implode())
    differs = pl.col("expected") != pl.col("pairs")
    turned = pl.col("expected") == pl.col("turned")
    # A remark says that these sat the other way round than planned.
    said = pl.col("Remarks").str.contains(WRONG_DIRECTION).fill_null(value=False)
    missing = expected.join(received.select(PLACE), on=PLACE, how="anti", maintain_order="left")
    shown = [pl.col(name).alias(name.lower()) for name in ("Board", "Round", "Table")]
    # Sections have tables of the same numbers.
    several = expected["Section"].n_unique() > 1
    shown.append((pl.format(", section {}", "Section").fill_null("") if several else pl.lit("")).alias("at"))
    return pl.concat(
        [
            report("movement-differs/entry", met.filter(differs & ~turned)),
            report("movement-wrong-way/entry", met.filter(differs & turned & ~said)),
            report("movement-wrong-board/entry", met.filter(known & pl.col("expected").is_null())),
            report("bws-missing", missing.with_columns(*shown, pl.col("expected").alias("pairs"))),
        ]
    )


def _against(side: str, other: str) -> pl.Expr:
    return pl.concat_str([side, other], separator=" against ")


def _expected(movement: pl.DataFrame) -> pl.DataFrame:
    """Return every board that every table plays: `Section Table Round Board expected`, sit-outs left out."""
    low, high = (pl.col(name).cast(pl.Int64, strict=False) for name in ("LowBoard", "HighBoard"))
    last = pl.min_horizontal(high, low + _MOST_BOARDS)
    boards = pl.int_ranges(low, last + 1).cast(pl.List(pl.String))
    if "CustomBoards" in movement.columns:
        custom = pl.col("CustomBoards").str.extract_all(r"[0-9]+")
        boards = pl.when(custom.list.len() > 0).then(custom).otherwise(boards)
    return (
        movement.with_columns(
            _side(movement, "NSPair", "South").alias("ns"), _side(movement, "EWPair", "West").alias("ew")
        )
        .with_columns(boards.alias("Board"), _against("ns", "ew").alias("expected"))
        .explode("Board")
        .drop_nulls("Board")
    )


def _sits_out(movement: pl.DataFrame, sections: pl.DataFrame) -> pl.Series:
    """Report where nobody plays: one side is not a pair, or is the pair that is missing in that section."""
    pairs = ["NSPair", "EWPair"]
    missing = pl.lit(None, pl.String).alias("missing")
    if "MissingPair" in sections.columns:
        missing = pl.col("MissingPair").alias("missing")
    gone = sections.select(pl.col("Letter").alias("Section"), missing).unique("Section")
    seated = movement.select("Section", "Round", *pairs).join(gone, on="Section", how="left", maintain_order="left")
    ns, ew = (pl.col(pair) == pl.col("missing") for pair in pairs)
    # A number of a Mitchell may be two pairs: the missing one then sits E-W.
    ns &= ~ew.any().over("Section", "Round")
    nobody = pl.any_horizontal((pl.col(pair) == "0") | missed for pair, missed in zip(pairs, (ns, ew), strict=True))
    return seated.select(nobody.fill_null(value=False).alias("nobody"))["nobody"]


def _side(movement: pl.DataFrame, pair: str, partner: str) -> pl.Expr:
    """Return a pair, or both players where the movement seats each alone."""
    if partner not in movement.columns:
        return pl.col(pair)
    alone = pl.col(partner).is_not_null() & (pl.col(partner) != "0")
    return pl.when(alone).then(pl.concat_str(pair, partner, separator="+")).otherwise(pair)


# Auctions and plays that Bridgemates recorded: a row a call in `BiddingData`, a row a card in `PlayData`.
# Rows are numbered by `Counter`, from 0 or from 1. A later row with the same number replaces an earlier one, and a row
# that is marked as erased removes it. Rows recorded before a call or card with a smaller number are of an earlier try,
# which was begun again.

_SEATS: Final = {seat: number for number, seat in enumerate(SEATS)}

LONGEST: Final = {"Bid": 319, "Card": 52}
"""The most calls that an auction can have by the Laws, and the number of cards."""

_CODES: Final = {
    "Bid": {
        **{call.upper(): code for code, call in enumerate(CALLS)},
        **{call[:-1]: code for code, call in enumerate(CALLS) if call.endswith("NT")},
        "P": PASS,
    },
    "Card": {
        name.replace("T", ten): code
        for code, card in enumerate(CARDS)
        for name in (card, card[::-1])
        for ten in ("T", "10")
    },
}


def read_recorded(bidding: pl.DataFrame | None, play: pl.DataFrame | None) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read the auctions and plays that were recorded at the tables.

    Args:
        bidding: the table `BiddingData` as text, `Section` being the section's name; None where the file has none.
        play: the table `PlayData`.

    Returns:
        A row for each table and board: the columns that identify a result (`results.PLACE`), and the columns of
        `frames.RECORDS` that auction and play fill. And problems.
    """
    calls, odd_calls = _entries(bidding, "Bid")
    cards, odd_cards = _entries(play, "Card")
    return _auctions(calls).join(_plays(cards), on=PLACE, how="full", coalesce=True), pl.concat([odd_calls, odd_cards])


def _entries(table: pl.DataFrame | None, column: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the valid rows of a table: `PLACE place code first`, with the place in the list and the seat of the first.

    A call has the place of its number; a card is in the trick of its number, in the column of its player.
    """
    turn = (pl.col("seat") - pl.col("first")) % 4
    place = pl.col("index") if column == "Bid" else pl.col("index") // 4 * 4 + turn
    read = _standing(table, column).with_columns(place.alias("place"))
    known = pl.col("index").is_between(0, LONGEST[column] - 1) & pl.col("place").is_not_null() & pl.col("current")
    placed = known.fill_null(value=False)
    once = placed & pl.struct(*PLACE, "place").is_first_distinct()
    astray = ((pl.col("index") - turn) % 4 != 0).fill_null(value=True) & pl.lit(column == "Bid")
    shown = read.with_columns(
        pl.lit(column).alias("column_name"),
        pl.col(column).alias("text"),
        pl.col("Direction").alias("direction"),
        *(pl.col(name).alias(name.lower()) for name in ("Table", "Round", "Board")),
    )
    return read.filter(once), pl.concat(
        [
            report("value-unknown/bridgemate", shown.filter(once & pl.col("code").is_null())),
            report("bws-call/turn", shown.filter(once & astray)),
            report("bws-call/place", shown.filter(~once)),
        ]
    )


def _standing(table: pl.DataFrame | None, column: str) -> pl.DataFrame:
    """Return the rows that no later row replaces, in their order, with `index seat first code current`."""
    nothing = pl.DataFrame(schema=dict.fromkeys(PLACE, pl.String))
    names = [*PLACE, "ID", "Counter", "Direction", column, "Erased"]
    rows = complete_columns(nothing if table is None else table, names)
    number, order = (pl.col(name).cast(pl.Int64, strict=False) for name in ("Counter", "ID"))
    last = rows.sort(order, maintain_order=True).filter(pl.struct(*PLACE, "Counter").is_last_distinct())
    seat = pl.col("Direction").str.head(1).str.to_uppercase().replace_strict(_SEATS, default=None).cast(pl.Int64)
    spelled = pl.col(column).str.to_uppercase().str.replace_all(" ", "", literal=True)
    return (
        last.filter(~pl.col("Erased").is_in(["1", "TRUE"]).fill_null(value=False))
        .with_columns((number - number.min().over(PLACE)).alias("index"), seat.alias("seat"))
        .with_columns(spelled.replace_strict(_CODES[column], default=None).cast(pl.UInt8).alias("code"))
        .sort(*PLACE, "index", nulls_last=True, maintain_order=True)
        .with_columns(pl.col("seat").first().over(PLACE).alias("first"), _is_of_last_try(order).alias("current"))
    )


def _is_of_last_try(order: pl.Expr) -> pl.Expr:
    """Report whether no earlier row, by `Counter`, was recorded later."""
    return (order >= order.cum_max().over(PLACE)).fill_null(value=True)


def _auctions(calls: pl.DataFrame) -> pl.DataFrame:
    listed = _listed(calls, "calls").with_columns(pl.col("calls").list.tail(3).alias("last"))
    passes = (pl.col("last").list.len() == 3) & (pl.col("last").list.max() == PASS) & (pl.col("calls").list.len() > 3)
    return listed.select(
        *PLACE, pl.col("first").alias("auction_start"), "calls", pl.when(~passes).then(pl.lit("*")).alias("auction_end")
    )


def _plays(cards: pl.DataFrame) -> pl.DataFrame:
    return _listed(cards, "cards").select(
        *PLACE,
        pl.col("first").alias("play_start"),
        "cards",
        pl.when(pl.col("cards").list.len() < len(CARDS)).then(pl.lit("*")).alias("play_end"),
    )


def _listed(entries: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return the entries of each table as one list, with `UNKNOWN` in empty places."""
    tables = entries.group_by(PLACE, maintain_order=True).agg(pl.col("first").first(), pl.col("place").max())
    places = tables.with_columns(pl.int_ranges(pl.col("place") + 1).alias("place")).explode("place")
    filled = places.join(
        entries.select(*PLACE, "place", "code"), on=[*PLACE, "place"], how="left", maintain_order="left"
    )
    seat = pl.col("first").first().replace_strict(dict(enumerate(SEATS)), return_dtype=pl.String)
    return filled.group_by(PLACE, maintain_order=True).agg(seat, pl.col("code").fill_null(UNKNOWN).alias(name))
