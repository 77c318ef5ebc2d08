"""From the cells of a table to frames: every format that lists a result a line ends here.

A reader of such a format makes a frame with a row for each result. Its columns are texts, named `cell_` and a name of
`headers.COLUMNS` or `TYPED`; `line`, the line of the file; and `deal`, a canonical deal, for formats that have deals.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

import polars as pl

from overtrick.core import notation
from overtrick.core.contestants import join_players
from overtrick.core.frames import CONTESTANTS, DIRECTION, ITEMS, RECORDS, RESULTS, Contestants, conform, empty
from overtrick.core.notation import BETWEEN, is_number
from overtrick.core.problems import Finding, report, report_findings
from overtrick.core.words import Dialect, Form, decide, list_readings
from overtrick.files.formats.base import Reading
from overtrick.files.formats.tables import typed
from overtrick.files.formats.tables.typed import COLUMNS, COMPUTED, ON_SHEETS, TYPED

WHO: Final = (
    *("section", "round", "table", "ns", "ew", "team_ns", "team_ew"),
    *("player_n", "player_e", "player_s", "player_w"),
)
_LINES: Final = ("listed_ns", "listed_ew")
_FORMS: Final[Mapping[Form, tuple[str, ...]]] = {
    "contract": ("cell_contract",),
    "seat": ("cell_declarer", "cell_dealer"),
    "card": ("cell_lead",),
    "vulnerability": ("cell_vulnerable",),
}
"""The cells that hold words, by what these are."""
_POINTS: Final = r"^([0-9]{1,4})$"
_KNOWN: Final = (*COLUMNS, *TYPED)


def make_cells(rows: Sequence[Mapping[str, object]], columns: Iterable[str] = ()) -> pl.DataFrame:
    """Return rows of texts as cells: each key becomes `cell_key`, except `line`.

    Args:
        rows: by the names of `headers.COLUMNS`; a value that is missing, None or blank is an empty cell.
        columns: the names that the frame must have, also if no row has them.
    """
    names = dict.fromkeys([*columns, *(key for row in rows for key in row if key != "line")])
    data: dict[str, list[object]] = {"line": [row.get("line") for row in rows]}
    for name in names:
        data[f"cell_{name}"] = [
            str(text).strip() or None if (text := row.get(name)) is not None else None for row in rows
        ]
    return pl.DataFrame(data, schema={"line": pl.UInt32, **{f"cell_{name}": pl.String for name in names}})


def read_cells(
    cells: pl.DataFrame,
    findings: Sequence[Finding] = (),
    *,
    headers: Sequence[str] = (),
    contestants: "Contestants | None" = None,
    typed_in: bool = False,
) -> Reading:
    """Return the frames of a table of results. A cell that cannot be read is a problem; its result stays.

    Args:
        cells: a row for each result, as described above. Other columns are kept as items.
        findings: what the reader of the format found before.
        headers: those of the columns as written: they say in which dialect people type.
        contestants: who took part, for formats that list them.
        typed_in: whether people fill the table in: a line without a result is one that is missing, and not a board
            that was not played.
    """
    known = [f"cell_{name}" for name in _KNOWN]
    repeats = [name for name in cells.columns if name.removeprefix("cell_") in {*COMPUTED, "score_ew"}]
    other = [name for name in cells.columns if name not in {*known, *repeats, "line", "deal"}]
    deals = "cell_board" not in cells.columns
    if "cell_scoring" not in cells.columns and typed.are_imps(headers):
        cells = cells.with_columns(cell_scoring=pl.lit("IMP"))
    absent = [name for name in (*known, "deal") if name not in cells.columns]
    cells = cells.with_columns(pl.lit(None, pl.String).alias(name) for name in absent)
    cells, spelled = spell_cells(cells, headers)
    # Deals without numbers are told apart by their turn: several may be on one line of JSON.
    by = "turn" if deals else "cell_board"
    cells = cells.with_row_index("turn")
    vulnerable = notation.vulnerable(pl.col("cell_vulnerable"))
    cells = cells.with_columns(
        pl.coalesce(vulnerable, vulnerable.drop_nulls().first().over("cell_section", by)).alias("vulnerable")
    )
    listed = _list_records(cells.drop_nulls(by), by)
    played = ["cell_section", "vulnerable", by]
    numbered = cells.join(
        listed.select("record", *played), on=played, how="left", nulls_equal=True, maintain_order="left"
    )
    read = (
        numbered.with_columns(**_meanings())
        .with_columns(notation.tricks_against(pl.col("cell_tricks"), pl.col("level")).alias("tricks"))
        .with_columns(_status(typed_in=typed_in))
    )
    problems = [report_findings(findings, ""), spelled, _unread(read), _not_read(other, read)]
    if not deals:
        # A line that only says who meets whom belongs to a draw.
        drawn = (pl.col("status") == "unknown") & pl.all_horizontal(pl.col("round", "ns", "ew").is_not_null())
        problems.append(report("csv-no-board", read.filter(pl.col("cell_board").is_null() & ~drawn)))
    if read.is_empty():
        problems.append(report_findings([Finding("file-no-games/text", line=1, column=1)], ""))
    return Reading(
        listed=_items(read, [*other, *repeats]),
        records=conform(RECORDS, listed),
        results=conform(RESULTS, read.select(pl.exclude("^cell_.*$"))),
        contestants=empty(CONTESTANTS) if contestants is None else contestants,
        problems=pl.concat(problems).sort("line", maintain_order=True, nulls_last=True),
    )


def spell_cells(cells: pl.DataFrame, headers: Sequence[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the cells in the spelling of `overtrick convert`, and what cannot be told for certain.

    Each distinct text is read once. A contract cell may hold the declarer and the tricks too, or an artificial score.
    """
    typed_as = {form: [t for name in names for t in _list_distinct(cells[name])] for form, names in _FORMS.items()}
    dialect = decide({**typed_as, "column": headers})
    said = {
        "contract": _read_each(cells["cell_contract"], lambda text: typed.read_contract(text, dialect)),
        "tricks": _read_each(cells["cell_tricks"], lambda text: typed.read_award(text, alone=False)),
        "score_ns": _read_each(cells["cell_score_ns"], lambda text: typed.read_award(text, alone=False)),
    }
    relative = _relative(cells["cell_tricks"])
    tricks = relative or typed.read_tricks
    awards = {side: pl.coalesce(_part(cells, said, name, f"award_{side}") for name in said) for side in ("ns", "ew")}
    problems = report_findings([Finding("table-tricks-relative", 1, 1)] if relative else [], "")
    unsure = [_report_unsure(cells, name, form, dialect) for form, names in _FORMS.items() for name in names]
    plain = cells.with_columns(
        _map(cells["cell_contract"], lambda text: one.contract if (one := said["contract"].get(text)) else text),
        *(notation.respell(cells[name], form, dialect) for form in ("seat", "vulnerability") for name in _FORMS[form]),
        _map(cells["cell_tricks"], lambda text: None if text in said["tricks"] else tricks(text)),
        _map(cells["cell_score_ns"], lambda text: None if text in said["score_ns"] else text),
        _map(cells["cell_lead"], lambda text: typed.read_lead(text, dialect)),
        *(_map(cells[f"cell_award_{side}"], partial(_read_award, side=side)) for side in ("ns", "ew")),
        *_names(cells),
    )
    beside = {
        "declarer": _part(cells, said, "contract", "declarer"),
        "tricks": _part(cells, said, "contract", "tricks"),
        "lead": _part(cells, said, "contract", "lead"),
        "score_ns": pl.lit(_other_side(cells["cell_score_ew"])),
        **{f"award_{side}": award for side, award in awards.items()},
    }
    not_played = [text for text, one in said["contract"].items() if one.not_played]
    filled = plain.with_columns(
        cells["cell_contract"].is_in(not_played).fill_null(value=False).alias("cell_not_played"),
        *(pl.coalesce(f"cell_{name}", given).alias(f"cell_{name}") for name, given in beside.items()),
    )
    return _identified(filled), pl.concat([problems, *unsure, *_report_contradictions(plain, beside)])


def _report_contradictions(cells: pl.DataFrame, beside: Mapping[str, pl.Expr]) -> Iterator[pl.DataFrame]:
    """Report where a cell says another thing than a cell beside it: a contract `4SN+1`, and 9 in the column of tricks.

    Args:
        cells: each column in its own spelling.
        beside: by the name of a column, what other cells say of the same thing.
    """
    meant: dict[str, Callable[[pl.Expr], pl.Expr]] = {
        "declarer": notation.seat,
        "tricks": partial(notation.tricks_against, level=notation.level(pl.col("cell_contract"))),
        "score_ns": notation.whole,
    }
    for name, read in meant.items():
        said = cells.with_columns(column_name=pl.lit(name), text=f"cell_{name}", other=beside[name], board="cell_board")
        yield report("csv-contradiction", said.filter(read(pl.col("text")) != read(pl.col("other"))))


def _report_unsure(cells: pl.DataFrame, name: str, form: Form, dialect: Dialect) -> pl.DataFrame:
    """Report the cells of a column that mean different things in the dialects that the table may be in."""
    texts = {text: dialect.readings(form, text) for text in _list_distinct(cells[name])}
    said = {text: list_readings(read) for text, read in texts.items() if read}
    unsure = cells.filter(pl.col(name).is_in(list(said)))
    return report(
        "word-unsure",
        unsure.with_columns(
            pl.col("cell_board").alias("board"),
            pl.col(name).alias("text"),
            pl.col(name).replace_strict(said, default=None, return_dtype=pl.String).alias("meanings"),
        ),
    )


def _read_award(text: str, side: str) -> str:
    """Return the artificial score that a cell in the column of a side gives it: for E-W `40%` of `A6040`."""
    said = typed.read_award(text, alone=True) or typed.Said()
    return (side == "ew" and said.award_ew) or said.award_ns or text


def _read_each(texts: pl.Series, read: Callable[[str], typed.Said | None]) -> dict[str, typed.Said]:
    """Return what each distinct text says, of those that say something."""
    return {text: said for text in _list_distinct(texts) if (said := read(text))}


def _list_distinct(texts: pl.Series) -> list[str]:
    # Most columns of most tables are empty.
    return [] if texts.null_count() == len(texts) else texts.drop_nulls().unique().to_list()


def _part(cells: pl.DataFrame, said: Mapping[str, dict[str, typed.Said]], name: str, part: str) -> pl.Expr:
    """Return one part of what the cells of a column say."""
    known = {text: value for text, parts in said[name].items() if (value := getattr(parts, part)) is not None}
    return pl.lit(_map(cells[f"cell_{name}"], known.get)) if known else pl.lit(None, pl.String)


def _map(texts: pl.Series, read: Callable[[str], str | None]) -> pl.Series:
    """Return what each text is read as, each distinct one once."""
    known = {text: read(text) for text in _list_distinct(texts)}
    return texts.replace_strict(known, return_dtype=pl.String, default=None) if known else texts


def _other_side(scores: pl.Series) -> pl.Series:
    """Return points for N-S out of points for E-W."""

    def turn(text: str) -> str:
        return text[1:] if text[:1] in "-−–—" else f"-{text.removeprefix('+')}"

    return _map(scores, turn)


def _relative(tricks: pl.Series) -> Callable[[str], str] | None:
    """Return what reads tricks where a spreadsheet took the sign from `+1`; None where no such column is there.

    A column with `=` or `-1`, no `+` and no number above 6 counts tricks from the contract: its 1 is an overtrick.
    """
    plain = [typed.read_tricks(text) for text in tricks.drop_nulls().unique().to_list()]
    numbers = [int(text) for text in plain if is_number(text) and len(text) < 3]
    counted = any(text == "=" or text.startswith("-") for text in plain)
    if not counted or not numbers or max(numbers) > 6 or any(text.startswith("+") for text in plain):
        return None

    def read(text: str) -> str:
        one = typed.read_tricks(text)
        return "=" if one == "0" else f"+{one}" if is_number(one) else one

    return read


def _names(cells: pl.DataFrame) -> list[pl.Expr]:
    """Return the names of each pair: as they are, or from the names of its players."""
    sides = []
    for side, first, second in (("ns", "n", "s"), ("ew", "e", "w")):
        column = cells[f"cell_names_{side}"]
        pair = pl.concat_str(f"cell_name_{first}", f"cell_name_{second}", separator=BETWEEN, ignore_nulls=True)
        given = _map(column, join_players)
        sides.append(pl.coalesce(given, pl.when(pair != "").then(pair)).alias(f"cell_names_{side}"))
    return sides


def _identified(cells: pl.DataFrame) -> pl.DataFrame:
    """Return the cells with the two players or the names for the number of a pair, in tables that have these alone."""
    seated = {"ns": ("cell_player_n", "cell_player_s"), "ew": ("cell_player_e", "cell_player_w")}
    return cells.with_columns(
        pl.when(pl.all_horizontal(pl.col("cell_ns", "cell_ew").is_null().all()))
        .then(pl.coalesce(pl.concat_str(*players, separator="+"), f"cell_names_{side}"))
        .otherwise(f"cell_{side}")
        .alias(f"cell_{side}")
        for side, players in seated.items()
    )


def _list_records(cells: pl.DataFrame, by: str) -> pl.DataFrame:
    """Return each board of each section once (or each row, in a table of deals), with the facts of the session.

    A board that was played at two vulnerabilities, and so is fouled, is listed once for each.

    Returns:
        The columns of `frames.RECORDS` that a table states, and `cell_section` and `by`.
    """
    once = cells.unique(["cell_section", "vulnerable", by], keep="first", maintain_order=True)
    said = [
        notation.text(pl.col(f"cell_{name}")).alias(name) for name in ("event", "site", "date", "scoring", "section")
    ]
    return once.with_row_index("record").select(
        "record",
        "line",
        "cell_section",
        by,
        pl.col("cell_board").alias("board_label"),
        notation.board(pl.col("cell_board")).alias("board"),
        "vulnerable",
        notation.seat(pl.col("cell_dealer")).alias("dealer"),
        "deal",
        *said,
    )


def _meanings() -> dict[str, pl.Expr]:
    """Return what each cell means, under the names of `frames.RESULTS`."""
    contract = pl.col("cell_contract")
    return {
        **{name: pl.col(f"cell_{name}") for name in WHO},
        **{name: _line(name) for name in _LINES},
        # A pair without a number is known by its players.
        **{
            f"names_{side}": pl.coalesce(f"cell_names_{side}", pl.when(_is_named(side)).then(f"cell_{side}"))
            for side in ("ns", "ew")
        },
        "column": pl.lit(1),
        "level": notation.level(contract),
        "strain": notation.strain(contract),
        "doubled": notation.doubled(contract),
        "declarer": notation.seat(pl.col("cell_declarer")),
        "lead": notation.lead(pl.col("cell_lead"), rank_first=True),
        "stated_score_ns": notation.whole(pl.col("cell_score_ns")),
        "stated_datum": notation.whole(pl.col("cell_datum")),
        **{f"award_{side}": notation.award(pl.col(f"cell_award_{side}")) for side in ("ns", "ew")},
        **{f"stated_points_{side}": notation.number(pl.col(f"cell_points_{side}")) for side in ("ns", "ew")},
        **{name: pl.col(f"cell_{name}").str.extract(_POINTS).cast(pl.Int32) for name in ON_SHEETS},
        "multiplicity": pl.lit(1),
    }


def _line(name: str) -> pl.Expr:
    """Return the line of a pair that a cell states, `NS` or `EW`."""
    return pl.col(f"cell_{name}").str.to_uppercase().cast(DIRECTION, strict=False)


def _is_named(side: str) -> pl.Expr:
    return pl.col(f"cell_{side}").str.contains(BETWEEN, literal=True)


def _status(*, typed_in: bool) -> pl.Expr:
    nothing = pl.all_horizontal(pl.col(f"cell_{name}").is_null() for name in ("contract", "tricks", "score_ns"))
    return notation.status(
        adjusted=pl.col("award_ns").is_not_null() | pl.col("award_ew").is_not_null(),
        passed=pl.col("level") == 0,
        not_played=nothing & pl.col("cell_not_played") if typed_in else nothing,
        played=notation.is_counted(),
    ).alias("status")


def _unread(read: pl.DataFrame) -> pl.DataFrame:
    """Report cells that are not empty and cannot be read."""
    meant = {
        "board": notation.board(pl.col("cell_board")).is_not_null(),
        "vulnerable": notation.vulnerable(pl.col("cell_vulnerable")).is_not_null(),
        "contract": pl.col("level").is_not_null(),
        "declarer": pl.col("declarer").is_not_null(),
        "dealer": notation.seat(pl.col("cell_dealer")).is_not_null(),
        **{name: _line(name).is_not_null() for name in _LINES},
        **{name: pl.col(name).is_not_null() for name in ON_SHEETS},
        "tricks": pl.col("tricks").is_not_null() | (pl.col("level") == 0) | pl.col("level").is_null(),
        "lead": pl.col("lead").is_not_null(),
        "score_ns": pl.col("stated_score_ns").is_not_null(),
        "datum": pl.col("stated_datum").is_not_null(),
        **{f"award_{side}": pl.col(f"award_{side}").is_not_null() for side in ("ns", "ew")},
        **{f"points_{side}": pl.col(f"stated_points_{side}").is_not_null() for side in ("ns", "ew")},
    }
    unread = read.select(
        (pl.col(f"cell_{name}").is_not_null() & ~known.fill_null(value=False)).alias(name)
        for name, known in meant.items()
    )
    parts = [
        report(
            "value-unknown/table",
            read.filter(unread[name]).with_columns(
                pl.col("cell_board").alias("board"),
                pl.lit(name).alias("column_name"),
                pl.col(f"cell_{name}").alias("text"),
            ),
        )
        for name in meant
        if unread[name].any()
    ]
    return pl.concat([report_findings([], ""), *parts])


def _not_read(other: list[str], read: pl.DataFrame) -> pl.DataFrame:
    findings = [
        Finding("csv-column", 1, 1, values={"column_name": name.removeprefix("cell_")})
        for name in other
        if name in read.columns
    ]
    return report_findings(findings, "")


def _items(read: pl.DataFrame, kept: list[str]) -> pl.DataFrame:
    """Return the cells of columns that no frame has, and those that repeat another number, as items."""
    if not kept:
        return conform(ITEMS, pl.DataFrame())
    others = read.select("record", "line", *kept).unpivot(kept, index=["record", "line"], variable_name="name")
    return conform(
        ITEMS,
        others.drop_nulls("value").with_columns(
            pl.col("name").str.strip_prefix("cell_"), pl.col("value").alias("text"), column=1, kind=pl.lit("tag")
        ),
    )
