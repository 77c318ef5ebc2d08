"""The tricks that each deal allows: double-dummy tables, stated and solved, and par."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import polars as pl

from overtrick.core import frames
from overtrick.core.bridge.cards import SEAT_NAMES, SEATS, STRAINS, SUIT_NAMES, UNKNOWN, VULNERABILITIES, codes_of
from overtrick.core.bridge.par import IN_PBN, TRICKS, Par, Tables, is_whole, order_tricks, par
from overtrick.core.late import may_name
from overtrick.core.problems import concat_problems, report
from overtrick.judge.analyse.deals import are_playable, list_deals, name_missing

Solver = Callable[[Sequence[str]], Mapping[str, bytes]]
"""Solves canonical deals of 52 cards: returns the twenty tricks of each, in the order of `frames.DOUBLE_DUMMY`, and
leaves out a deal that it can't solve."""


def analyse(session: frames.Session, solver: Solver | None = None) -> frames.Session:
    """Fill `double_dummy` with the tables that the files state, the tables that the solver finds, and par.

    A table that a file states counts. Whatever differs from it is reported: another table of the same deal, the
    solver's table, or the par that the file states.

    Args:
        session: as validated.
        solver: None to use only the tables of the files.
    """
    if solver is None and not may_name(session.listed, [*TABLE_TAGS, *PAR_TAGS]):
        return session
    dealt = list_deals(session)
    stated, unreadable = read_tables(session)
    place = dealt.select(place="record", record="records").explode("record")
    stated = stated.join(place, on="record", how="left", maintain_order="left")
    first = stated.unique("place", keep="first", maintain_order=True)
    rows = _with_tables(dealt.with_columns(_solved(dealt, solver)), first)
    rows, par_problems = with_par(session, rows)
    problems = [
        *(report(code, at) for code, at in find_faults(session, stated, first, rows, unreadable).items()),
        par_problems,
        report("double-dummy-unsolved", _unsolved(rows) if solver else frames.empty(frames.PROBLEMS)),
    ]
    known = pl.any_horizontal(pl.col("tricks", "par_ns", "par_contracts").is_not_null())
    return replace(
        session,
        double_dummy=frames.conform(frames.DOUBLE_DUMMY, rows.filter(known)),
        problems=concat_problems([session.problems, *problems]),
    )


def _with_tables(solved: pl.DataFrame, first: pl.DataFrame) -> pl.DataFrame:
    """Fill `tricks` and `origin` with the stated table of each deal, else with the solver's."""
    stated = first.select(pl.col("place").alias("record"), "tricks")
    rows = solved.join(stated, on="record", how="left", maintain_order="left")
    origin = pl.coalesce(
        pl.when(pl.col(column).is_not_null()).then(pl.lit(origin))
        for column, origin in (("tricks", "stated"), ("solved", "solved"))
    )
    return rows.with_columns(tricks=pl.coalesce("tricks", "solved"), origin=origin.cast(frames.ORIGIN))


def _solved(dealt: pl.DataFrame, solver: Solver | None) -> pl.Series:
    """Return the solver's tables, null where it has none."""
    if solver is None:
        return pl.repeat(None, len(dealt), dtype=frames.DOUBLE_DUMMY["solved"].dtype, eager=True).alias("solved")
    deals_to_solve = dealt["deal"].filter(are_playable(dealt["deal"])).unique(maintain_order=True).to_list()
    tables = solver(deals_to_solve) if deals_to_solve else {}
    rows = [list(tables[deal]) if deal in tables else None for deal in dealt["deal"]]
    return pl.Series("solved", rows, dtype=frames.DOUBLE_DUMMY["solved"].dtype)


def _unsolved(rows: pl.DataFrame) -> pl.DataFrame:
    """Count the deals that the solver could not solve; no row where there are none."""
    count = (rows["tricks"].is_null() & are_playable(rows["deal"])).sum()
    counted = pl.DataFrame({"count": [count] if count else []}, schema={"count": pl.Int64})
    return counted.with_columns(missing=pl.lit(name_missing()))


_SCORES: Final[Mapping[str, str]] = {
    "OptimumScore": r"\bNS\s+(?:[^;]*;\s*)?([+-]?[0-9]{1,5})\b",
    "ParScore": r"^\s*([+-]?[0-9]{1,5})\s*$",
    "Minimax": r"^\s*[1-7](?:NT?|[SHDC])D{0,2}[NESW]{1,2}([+-]?[0-9]{1,5})\s*$",
    "PAR": r'"NS ([+-]?[0-9]{1,5})"',
}
"""Tags with the score for N-S, and the pattern that finds it."""

_EW_SCORE: Final = r"\bEW\s+([+-]?[0-9]{1,5})\b"

_SEATS: Final = "NS|EW|[NESW]"
_BID: Final = r"([1-7])(NT?|[SHDC])"
_PAR_CONTRACTS: Final[Mapping[str, tuple[re.Pattern[str], tuple[str, ...]]]] = {
    "ParContract": (
        re.compile(rf"\b({_SEATS})\s+{_BID}([Xx*]{{0,2}})([+-][0-9]{{1,2}}|=)?"),
        ("declarer", "level", "strain", "doubled", "over"),
    ),
    "OptimumContract": (
        re.compile(rf"^{_BID}([Xx*]{{0,2}})\s+({_SEATS})\s+([0-9]{{1,2}})$"),
        ("level", "strain", "doubled", "declarer", "tricks"),
    ),
    "Minimax": (re.compile(rf"^{_BID}(D{{0,2}})({_SEATS})[+-]?[0-9]+$"), ("level", "strain", "doubled", "declarer")),
}
"""Tags with contracts, the pattern that finds a contract, and the parts of it in the order of the pattern."""


PAR_TAGS: Final = (*_SCORES, *_PAR_CONTRACTS)


def read_par_scores(session: frames.Session) -> pl.DataFrame:
    """Read the par scores that the files state: record, line, column, name (of the tag), stated (Int32, for N-S).

    There is one for each record, the first that can be read. A text of another form stays in the file's items.
    """
    tags = _tags(session, list(_SCORES))
    score = pl.coalesce(
        pl.when(pl.col("name") == name).then(pl.col("text").str.extract(pattern)) for name, pattern in _SCORES.items()
    ).cast(pl.Int32)
    for_ew = pl.when(pl.col("name") == "OptimumScore").then(-pl.col("text").str.extract(_EW_SCORE).cast(pl.Int32))
    read = tags.with_columns(stated=pl.coalesce(score, for_ew)).drop_nulls("stated")
    return read.unique("record", keep="first", maintain_order=True)


def read_par_contracts(session: frames.Session) -> dict[int, list[dict[str, object]]]:
    """Read the par contracts that the files state, by record, in the form of `frames.DOUBLE_DUMMY`."""
    tags = _tags(session, list(_PAR_CONTRACTS))
    read: dict[int, list[dict[str, object]]] = {}
    for record, name, text in tags.select("record", "name", "text").iter_rows():
        pattern, parts = _PAR_CONTRACTS[name]
        contracts = [
            _contract(dict(zip(parts, match.groups(), strict=True))) for match in pattern.finditer(text.strip())
        ]
        if contracts:
            read.setdefault(record, contracts)
    return read


def _contract(parts: dict[str, str | None]) -> dict[str, object]:
    level, strain = int(parts["level"] or 0), parts["strain"] or ""
    over, tricks = parts.get("over"), parts.get("tricks")
    won = int(tricks) if tricks else level + 6 + int(over.replace("=", "0")) if over else None
    return {
        "level": level,
        "strain": next(name for name in STRAINS if name[0] == strain[0]),
        "doubled": len(parts["doubled"] or ""),
        "declarer": parts["declarer"],
        "tricks": won if won is not None and 0 <= won <= 13 else None,
    }


def _tags(session: frames.Session, names: list[str]) -> pl.DataFrame:
    stated = (pl.col("kind") == "tag") & pl.col("name").is_in(names) & pl.col("record").is_not_null()
    return session.items.filter(stated).select("record", "line", "column", "name", "text")


_WHO = np.array([[name in {side, "All"} for side in ("NS", "EW")] for name in VULNERABILITIES])
"""By the code of a vulnerability, whether each side is vulnerable."""

_CONTRACTS = frames.DOUBLE_DUMMY["par_contracts"].dtype


def with_par(session: frames.Session, rows: pl.DataFrame) -> tuple[pl.DataFrame, frames.Problems]:
    """Add `par_ns` and `par_contracts`.

    Args:
        session: its items hold what is stated.
        rows: one row a deal, with the columns of `deals.list_deals` and `tricks`.

    Returns:
        The rows, and `par-differs` for a stated score that is not par by the table.
    """
    rows = rows.join(_stated(session, rows), on="record", how="left", maintain_order="left")
    rows = rows.join(_computed(rows), on="record", how="left", maintain_order="left")
    by_record = read_par_contracts(session)
    contracts = [next(filter(None, map(by_record.get, records)), None) for records in rows["records"]]
    rows = rows.with_columns(
        par_ns=pl.coalesce("computed", "stated"),
        par_contracts=pl.coalesce("contracts", pl.Series(contracts, dtype=_CONTRACTS)),
    )
    if rows["stated"].is_null().all():
        return rows, frames.empty(frames.PROBLEMS)
    # Some programs ignore who deals; and whoever states no vulnerability may have meant another than the board's.
    with_vulnerability = session.records.drop_nulls("vulnerable")["record"].implode()
    judged = pl.col("records").list.set_intersection(with_vulnerability).list.len() > 0
    differs = judged & (pl.col("stated") != pl.col("computed")) & (pl.col("stated") != pl.col("otherwise"))
    about = session.records.select("record", "source", board="board_label")
    wrong = rows.filter(differs).drop("record", "board").rename({"stated_in": "record"})
    wrong = wrong.join(about, on="record", how="left", maintain_order="left")
    return rows, report("par-differs", wrong.with_columns(_signed("stated"), _signed("computed")))


def _stated(session: frames.Session, rows: pl.DataFrame) -> pl.DataFrame:
    """Return the first score stated for each deal: record (of the deal), stated_in, line, column, name, stated."""
    scores = read_par_scores(session).rename({"record": "stated_in"})
    place = rows.select("record", stated_in="records").explode("stated_in")
    placed = scores.join(place, on="stated_in", maintain_order="left")
    return placed.unique("record", keep="first", maintain_order=True).drop("text")


def _computed(rows: pl.DataFrame) -> pl.DataFrame:
    """Compute par where table, dealer and vulnerability are known.

    Returns:
        record, `computed`, `contracts`, and `otherwise`: the score if the other side dealt.
    """
    known = rows.drop_nulls(["tricks", "dealer", "vulnerable"])
    tables = known["tricks"].to_numpy().reshape(-1, 20)
    whole = is_whole(tables)
    known, tables = known.filter(pl.Series(whole, dtype=pl.Boolean)), tables[whole]
    dealer = codes_of(known["dealer"].cast(frames.SEAT)).astype(np.int64)
    vulnerable = _WHO[codes_of(known["vulnerable"].cast(frames.VULNERABLE))]
    result = par(tables, dealer, vulnerable)
    computed = known.select(
        "record",
        pl.Series("computed", result.score),
        pl.Series("otherwise", par(tables, (dealer + 1) % 4, vulnerable).score),
    )
    contracts = _contracts(result)
    contracts = contracts.select(known["record"].gather(contracts["board"]), "contracts")
    none = pl.lit([], dtype=_CONTRACTS)
    return computed.join(contracts, on="record", how="left").with_columns(pl.col("contracts").fill_null(none))


def _contracts(result: Par) -> pl.DataFrame:
    """List the par contracts of each board that has any."""
    level, strain = result.bid // 5 + 1, result.bid % 5
    first, second = result.partners.T
    side = np.array(["NS", "EW"])[result.side]
    seat = np.array(SEATS)[result.side + 2 * ~first]
    columns = {
        "board": result.board,
        "level": level.astype(np.uint8),
        "strain": np.array(STRAINS)[strain],
        "doubled": (result.tricks < level + 6).astype(np.uint8),
        "declarer": np.where(first & second, side, seat),
        "tricks": result.tricks.astype(np.uint8),
    }
    listed = pl.DataFrame(columns).group_by("board", maintain_order=True).agg(contracts=pl.struct(pl.exclude("board")))
    return listed.cast({"contracts": _CONTRACTS})


def _signed(name: str) -> pl.Expr:
    sign = pl.when(pl.col(name) > 0).then(pl.lit("+")).when(pl.col(name) < 0).then(pl.lit("−")).otherwise(pl.lit(""))
    return pl.format("{}{}", sign, pl.col(name).abs()).alias(name)


_DIGIT: Final = "[0-9A-Da-d?*-]"
_DIGITS: Final = {
    "DoubleDummyTricks": (f"^({_DIGIT}{{20}})$", IN_PBN),
    "Ability": ("".join(f"{seat}:({_DIGIT}{{5}})" for seat in SEATS), order_tricks("NESW", "NSHDC")),
}
"""Tags of twenty hexadecimal digits, their form without blanks, and the order of the digits."""

_NUMBERS: Final = {"TABLE": order_tricks("NESW", "SHDCN", strain_first=True)}
"""Tags of twenty decimal numbers, and their order."""

_RESULT_TABLE: Final = "OptimumResultTable"
TABLE_TAGS: Final = (*_DIGITS, *_NUMBERS, _RESULT_TABLE)
_CELL: Final = r"([0-9]{1,2}|[?*-])"
_ROW: Final = rf"\b([NESW])\s+(NT?|[SHDC])\s+{_CELL}"
_TURNED_ROW: Final = rf"\b(NT?|[SHDC])\s+([NESW])\s+{_CELL}"
_COMMENT: Final = r"\{[^}]*\}?|;[^\n]*"

_VALUE: Final = np.full(256, UNKNOWN, dtype=np.uint8)
_VALUE[np.frombuffer(b"0123456789abcd", dtype=np.uint8)] = np.arange(TRICKS + 1, dtype=np.uint8)
_VALUE[np.frombuffer(b"ABCD", dtype=np.uint8)] = np.arange(10, TRICKS + 1, dtype=np.uint8)

_MOST_TOGETHER: Final = TRICKS + 2
"""Tricks that the two sides may take in a strain, each as declarer."""

_SLAM_AGAINST: Final = 11
"""Tricks of one side in a strain, from which the other side can be left with one."""


def read_tables(session: frames.Session) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read all tables that the files state.

    Args:
        session: its items hold them.

    Returns:
        One row a table in the order of the files: record, line, column, name (of the tag), text, and tricks as in
        `frames.DOUBLE_DUMMY`. And the texts of such tags that are not a table, in the same form with tricks null.
    """
    items = session.items.drop_nulls("record").filter(pl.col("name").is_in(TABLE_TAGS)).with_row_index("item")
    tags = items.filter(pl.col("kind") == "tag").select("item", "record", "line", "column", "name", "text")
    none = _with_tricks(tags.clear(), np.empty((0, 20), dtype=np.uint8))
    each = {str(part["name"][0]): part for part in tags.partition_by("name", maintain_order=True)}
    stated = pl.concat([none, *_of_digits(each), *_of_numbers(each), *_of_rows(items)]).sort("item").drop("item")
    readable = stated["tricks"].is_not_null()
    return stated.filter(readable), stated.filter(~readable)


def find_faults(
    session: frames.Session, stated: pl.DataFrame, first: pl.DataFrame, rows: pl.DataFrame, unreadable: pl.DataFrame
) -> dict[str, pl.DataFrame]:
    """Find what is wrong with stated tables.

    Args:
        session: that they were read from.
        stated: as `read_tables` returns them, with `place`: the first record of their deal.
        first: those of them that count.
        rows: one row a deal, with `solved`.
        unreadable: the texts that are not a table.

    Returns:
        The rows at fault, by code of the problem.
    """
    in_a_line = pl.col("text").str.replace_all(r"\s+", " ").str.slice(0, 40)
    return {
        "double-dummy-unreadable": _at(session, unreadable.with_columns(in_a_line)),
        "double-dummy-differs/table": _at(session, _twice(stated, first)),
        "double-dummy-differs/solver": _at(session, _wrong(first, rows)),
    }


def _of_digits(each: Mapping[str, pl.DataFrame]) -> list[pl.DataFrame]:
    """Read tags of twenty hexadecimal digits; `each` are the tags of a name."""
    # [DoubleDummyTricks "3a3333a3334388843888"] lists N S E W, each in NT S H D C; ours are N E S W in C D H S NT:
    #
    #     digits            N 3 a 3 3 3    S 3 a 3 3 3       E 4 3 8 8 8    W 4 3 8 8 8
    #     order             N 4 3 2 1 0    E 14 13 12 11 10  S 9 8 7 6 5    W 19 18 17 16 15
    #     tables[:, order]  N 3 3 3 10 3   E 8 8 8 3 4       S 3 3 3 10 3   W 8 8 8 3 4
    parts = []
    for name in _DIGITS.keys() & each:
        tags, (form, order) = each[name], _DIGITS[name]
        plain = tags["text"].str.replace_all(r"\s", "")
        digits = plain.str.replace(form, "${1}${2}${3}${4}" if form.count("(") > 1 else "${1}")
        fits = plain.str.contains(form) & (digits.str.len_bytes() == 20)
        text = "".join(digits.set(~fits, "?" * 20).to_list()).encode()
        tables = _VALUE[np.frombuffer(text, dtype=np.uint8).reshape(-1, 20)]
        parts.append(_with_tricks(tags, tables[:, order]))
    return parts


def _of_numbers(each: Mapping[str, pl.DataFrame]) -> list[pl.DataFrame]:
    """Read tags of twenty decimal numbers, as `_of_digits`."""
    parts = []
    for name in _NUMBERS.keys() & each:
        numbers = each[name]["text"].str.extract_all(r"[0-9]+").list.eval(pl.element().cast(pl.UInt8, strict=False))
        fits = (numbers.list.len() == 20) & (numbers.list.max() <= TRICKS).fill_null(value=False)
        tables = np.full((len(numbers), 20), UNKNOWN, dtype=np.uint8)
        if fits.any():
            tables[fits.to_numpy()] = numbers.filter(fits).list.to_array(20).to_numpy()
        parts.append(_with_tricks(each[name], tables[:, _NUMBERS[name]]))
    return parts


def _of_rows(items: frames.Items) -> list[pl.DataFrame]:
    """Read sections of rows, and rows in the value of the tag, as old programs wrote them with escaped blanks."""
    mine = items.filter(pl.col("name") == _RESULT_TABLE)
    if mine.is_empty():
        return []
    mine = mine.with_columns(
        pl.when(pl.col("kind") == "section").then(pl.col("text").str.replace_all(_COMMENT, "")).otherwise("text")
    )
    tables = mine.group_by("record", maintain_order=True).agg(
        pl.col("item", "line", "column", "name").first(), pl.col("text").str.join("\n")
    )
    text = tables["text"].str.replace_all(r"\\[nt]", " ")
    turned = text.str.contains("(?s)Denomination.*Declarer")
    straight = _cells(text.set(turned, ""), _ROW, ("seat", "strain", "tricks"))
    cells = pl.concat([straight, _cells(text.set(~turned, ""), _TURNED_ROW, ("strain", "seat", "tricks"))])
    tricks = np.full((len(tables), 20), UNKNOWN, dtype=np.uint8)
    tricks[cells["row"].to_numpy(), cells["place"].to_numpy()] = cells["tricks"].to_numpy()
    tricks[((tricks > TRICKS) & (tricks != UNKNOWN)).any(axis=1)] = UNKNOWN
    return [_with_tricks(tables.select("item", "record", "line", "column", "name", "text"), tricks)]


def _cells(text: pl.Series, pattern: str, names: tuple[str, str, str]) -> pl.DataFrame:
    """List the cells of tables: row of the table, place among the twenty, tricks."""
    rows = pl.DataFrame({"row": pl.int_range(len(text), eager=True), "cell": text.str.extract_all(pattern)})
    cells = rows.explode("cell").drop_nulls("cell")
    parts = {name: pl.col("cell").str.extract(pattern, at) for at, name in enumerate(names, start=1)}
    seat = parts["seat"].replace_strict(list(SEATS), range(4), return_dtype=pl.Int64)
    strain = parts["strain"].str.head(1).replace_strict(list("CDHSN"), range(5), return_dtype=pl.Int64)
    tricks = parts["tricks"].cast(pl.UInt8, strict=False).fill_null(UNKNOWN)
    return cells.select("row", place=5 * seat + strain, tricks=tricks)


def _with_tricks(rows: pl.DataFrame, tables: Tables) -> pl.DataFrame:
    """Add `tricks`: null where no number is known."""
    tables = _without_impossible(_without_filler(tables))
    known = pl.Series((tables != UNKNOWN).any(axis=1), dtype=pl.Boolean)
    tricks = pl.Series("tricks", tables, dtype=frames.DOUBLE_DUMMY["tricks"].dtype)
    return rows.with_columns(tricks=pl.when(known).then(tricks))


def _without_filler(tables: Tables) -> Tables:
    """Remove the filler of programs that only knew what can be made: they write 1 for each number below seven.

    Such a table has a strain in which one side gets one trick, although the other side has nothing near a slam.
    """
    seats = tables.reshape(-1, 2, 2, 5)
    best = np.where(seats <= TRICKS, seats, 0).max(axis=1)
    fill = tables == 1
    only_ones = ((tables >= 7) | fill).all(axis=1)
    near_none = ((best[:, 0] < _SLAM_AGAINST) & (best[:, 1] == 1)) | ((best[:, 1] < _SLAM_AGAINST) & (best[:, 0] == 1))
    filled = only_ones & near_none.any(axis=1)
    return np.where(filled[:, None] & fill, np.uint8(UNKNOWN), tables)


def _without_impossible(tables: Tables) -> Tables:
    """Remove tables that nobody solved: twenty zeros, and numbers that contradict each other.

    Who leads matters, so that both sides together may take a trick or two more than thirteen, each as declarer in the
    same strain; but not more.
    """
    seats = np.where(tables == UNKNOWN, 0, tables).reshape(-1, 4, 5)
    most = np.maximum(seats[:, 0], seats[:, 2]).astype(np.int64) + np.maximum(seats[:, 1], seats[:, 3])
    nobody = (tables == 0).all(axis=1) | (most > _MOST_TOGETHER).any(axis=1)
    return np.where(nobody[:, None], np.uint8(UNKNOWN), tables)


def _twice(stated: pl.DataFrame, first: pl.DataFrame) -> pl.DataFrame:
    """Find tables that differ from the first one of their deal."""
    both = stated.join(first.select("place", before="tricks"), on="place", maintain_order="left")
    return _differing(both, "before", "tricks")


def _wrong(first: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Find tables that differ from the solver's."""
    solved = rows.select(pl.col("record").alias("place"), "solved").drop_nulls("solved")
    return _differing(first.join(solved, on="place", maintain_order="left"), "tricks", "solved")


def _differing(rows: pl.DataFrame, stated: str, other: str) -> pl.DataFrame:
    """Keep rows whose two tables differ where both are known, with the first such number: seat, strain, both tricks."""
    first, second = (rows[name].to_numpy().reshape(-1, 20) for name in (stated, other))
    apart = (first != second) & (first != UNKNOWN) & (second != UNKNOWN)
    at = apart.argmax(axis=1)
    row = np.arange(len(rows))
    strains = [*SUIT_NAMES, "notrump"]
    return rows.with_columns(
        pl.Series("count", apart.sum(axis=1)),
        pl.Series("seat", [SEAT_NAMES[place // 5] for place in at]),
        pl.Series("strain", [strains[place % 5] for place in at]),
        pl.Series("stated", first[row, at]),
        pl.Series("other", second[row, at]),
    ).filter(pl.Series(apart.any(axis=1)))


def _at(session: frames.Session, rows: pl.DataFrame) -> pl.DataFrame:
    """Add the source and the board of each table."""
    about = session.records.select("record", "source", board="board_label")
    return rows.drop("source", "board", strict=False).join(about, on="record", how="left", maintain_order="left")
