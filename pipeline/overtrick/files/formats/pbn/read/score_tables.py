"""Score tables to results, total tables to contestants (PBN 5.9, 5.10, and what programs really write there)."""

from typing import Final

import polars as pl

from overtrick.core import notation
from overtrick.core.frames import CONTESTANTS, PROBLEMS, RESULTS, conform, empty
from overtrick.files.formats.contestants import list_contestants
from overtrick.files.formats.pbn.read.games import Games
from overtrick.files.formats.pbn.read.table_rows import cut_tables, read_rows
from overtrick.files.formats.pbn.read.tag_columns import Tags

_SCORE_COLUMNS: Final = {
    "Section": "section",
    "Round": "round",
    "Table": "table",
    "PairId_NS": "ns",
    "PairId_EW": "ew",
    "Contract": "contract",
    "Declarer": "declarer",
    "Result": "result",
    "Lead": "lead",
    "Score_NS": "cell_ns",
    "Score_EW": "cell_ew",
    "MP_NS": "mp_ns",
    "MP_EW": "mp_ew",
    "IMP_NS": "imp_ns",
    "IMP_EW": "imp_ew",
    "Names_NS": "names_ns",
    "Names_EW": "names_ew",
    "Honours_NS": "honours_ns",
    "Honours_EW": "honours_ew",
    "Conduct_NS": "conduct_ns",
    "Conduct_EW": "conduct_ew",
    "ButlerDatum": "butler_datum",
    "Multiplicity": "multiplicity",
}

_TOTAL_COLUMNS: Final = {
    "PairId": "contestant",
    "PlayerId": "player",
    "TeamId": "team",
    "Section": "section",
    "Direction": "direction",
    "Names": "names",
    "Club": "club",
    "MemberID1": "member_1",
    "MemberID2": "member_2",
    "MasterPoints": "masterpoints",
    "Rank": "rank",
    "SessionRank": "session_rank",
    "TotalScoreMP": "total_mp",
    "TotalMP": "standard_mp",
    "TotalScoreIMP": "total_imp",
    "TotalIMP": "standard_imp",
    "TotalPercentage": "total_percentage",
    "SessionScoreMP": "session_mp",
    "SessionPercentage": "session_percentage",
}

_ON_SHEETS: Final = ("honours", "conduct")
_NOTHING: Final = ["-", "?", ""]
_PASSED: Final = r"(?i)^(?:pass|passed|po|ap)$"
_NOT_PLAYED: Final = r"(?i)^(?:np|not ?played)$"
_BY_COLOUR: Final = r"^[0-9]{1,6}(?:\.[0-9]{1,4})? [^\s;][^;]*(?:; [0-9]{1,6}(?:\.[0-9]{1,4})?(?: [^\s;][^;]*)?)*$"
_BYE: Final = r"(?i)^bye$"


def read_score_tables(games: Games, tags: Tags) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Read every ScoreTable.

    Returns:
        A frame of `frames.RESULTS` (`record` is the game), one of `frames.CONTESTANTS` for the pairs that the rows
        name, and the problems of the tables.
    """
    tables = cut_tables(games, tags, "ScoreTable")
    if not tables:
        return empty(RESULTS), empty(CONTESTANTS), empty(PROBLEMS)
    read, problems = read_rows(tables, _SCORE_COLUMNS)
    cells = read.with_columns(_known(pl.col(name)).alias(name) for name in ("section", "round", "table", "ns", "ew"))
    declarer = notation.seat(pl.col("declarer"))
    numbers = cells.with_columns(
        pl.col("game").alias("record"),
        declarer.alias("declarer"),
        notation.level(pl.col("contract")).alias("level"),
        notation.strain(pl.col("contract")).alias("strain"),
        notation.doubled(pl.col("contract")).alias("doubled"),
        _score(pl.col("cell_ns"), pl.col("cell_ew")).alias("stated_score_ns"),
        pl.coalesce(_number("mp_ns"), _number("imp_ns")).alias("stated_points_ns"),
        pl.coalesce(_number("mp_ew"), _number("imp_ew")).alias("stated_points_ew"),
        notation.whole(pl.col("butler_datum")).alias("stated_datum"),
        pl.coalesce(_positive("multiplicity"), 1).alias("multiplicity"),
        *(
            notation.whole(pl.col(f"{kind}_{side}")).alias(f"{kind}_{side}")
            for kind in _ON_SHEETS
            for side in ("ns", "ew")
        ),
        _award(pl.col("cell_ns")).alias("award_ns"),
        _award(pl.col("cell_ew")).alias("award_ew"),
        notation.lead(pl.col("lead")).alias("lead"),
    )
    tricked = numbers.with_columns(_tricks(pl.col("result"), pl.col("level")).alias("tricks"))
    return conform(RESULTS, tricked.with_columns(_status())), _named_in_rows(cells), problems


def _named_in_rows(cells: pl.DataFrame) -> pl.DataFrame:
    sides = [
        cells.select(
            pl.col(side).alias("contestant"),
            "section",
            pl.lit(side.upper()).alias("direction"),
            _people(pl.col(f"names_{side}")).alias("names"),
        )
        for side in ("ns", "ew")
    ]
    return list_contestants(pl.concat(sides).drop_nulls("names"))


def read_total_tables(games: Games, tags: Tags) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read every TotalScoreTable: a frame of `frames.CONTESTANTS`, and the problems of the tables.

    Where a file states totals of an event and of the session, the session's count.
    """
    tables = cut_tables(games, tags, "TotalScoreTable")
    if not tables:
        return empty(CONTESTANTS), empty(PROBLEMS)
    read, problems = read_rows(tables, _TOTAL_COLUMNS)
    total = [_number(name) for name in ("session_mp", "total_mp", "standard_mp", "total_imp", "standard_imp")]
    direction = pl.col("direction").str.to_uppercase().str.replace("-", "", literal=True)
    frame = read.with_columns(
        pl.coalesce(_known(pl.col(name)) for name in ("contestant", "team", "player")).alias("contestant"),
        _known(pl.col("section")).alias("section"),
        pl.when(direction.is_in(["NS", "EW"])).then(direction).alias("direction"),
        _people(pl.col("names")).alias("names"),
        _known(pl.col("club")).alias("club"),
        _members().alias("members"),
        _awards(pl.col("masterpoints")).alias("stated_awards"),
        pl.coalesce(_positive("session_rank"), _positive("rank")).alias("stated_rank"),
        pl.coalesce(total).alias("stated_total"),
        pl.coalesce(_number("session_percentage"), _number("total_percentage")).alias("stated_percentage"),
    )
    named = frame.filter(pl.col("contestant").is_not_null())
    return conform(CONTESTANTS, named).unique(["contestant", "section", "direction"], maintain_order=True), problems


def _known(cell: pl.Expr) -> pl.Expr:
    return pl.when(~cell.is_in(_NOTHING)).then(cell)


def _awards(cell: pl.Expr) -> pl.Expr:
    """Return masterpoints: a number, or by colour as overtrick writes them, `24 black; 5 green`."""
    number = notation.number(cell).cast(pl.String).str.strip_suffix(".0")
    return pl.when(cell.str.contains(_BY_COLOUR)).then(cell).otherwise(number)


def _members() -> pl.Expr:
    """Join the membership numbers of a pair; null where none is known."""
    one, other = _known(pl.col("member_1")), _known(pl.col("member_2"))
    both = pl.concat_str(one.fill_null(""), other.fill_null(""), separator=" - ")
    return pl.when(one.is_not_null() | other.is_not_null()).then(both)


def _people(names: pl.Expr) -> pl.Expr:
    """Join the players of a pair with ` - `; the standard has `;` between them, some programs write `-`."""
    return _known(names).str.replace_all(r"\s*;\s*", " - ")


def _number(name: str) -> pl.Expr:
    return notation.number(pl.col(name).str.strip_prefix("^").str.strip_suffix("%"))


def _positive(name: str) -> pl.Expr:
    number = notation.whole(pl.col(name))
    return pl.when(number > 0).then(number).cast(pl.UInt32)


def _score(ns: pl.Expr, ew: pl.Expr) -> pl.Expr:
    """Return the points for N-S: programs write the winning side's and leave `-` in the other column."""
    return pl.coalesce(notation.whole(ns), -notation.whole(ew))


def _award(cell: pl.Expr) -> pl.Expr:
    """Return an artificial score in the cell of a score, `A=` for `A` and with or without `^`."""
    return notation.award(cell.str.strip_prefix("^").replace("A=", "A"))


def _tricks(result: pl.Expr, level: pl.Expr) -> pl.Expr:
    """Return declarer's tricks; a number of tricks may be marked `^`."""
    return notation.tricks_against(result.str.replace(r"^\^([0-9])", "${1}"), level)


def _status() -> pl.Expr:
    cells = [pl.col(name) for name in ("cell_ns", "cell_ew", "contract")]
    awarded = pl.col("award_ns").is_not_null() | pl.col("award_ew").is_not_null()
    return notation.status(
        adjusted=awarded | (pl.col("contract") == "A"),
        bye=pl.any_horizontal([cell.str.contains(_BYE) for cell in cells]),
        passed=pl.col("contract").str.contains(_PASSED),
        not_played=pl.any_horizontal([cell.str.contains(_NOT_PLAYED) for cell in cells]),
        played=notation.is_counted(),
    ).alias("status")
