"""Sessions compared with a movement that the club has given: who sits where, who sits out, which results are missing.

A result is missing too where the terminals, or an empty line, say so, and while the match of two teams is in play.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import polars as pl

from overtrick.core.bridge.movements import Sitting
from overtrick.core.config import Movement
from overtrick.core.frames import HAPPENED, PROBLEMS, Problems, Results, Session, empty
from overtrick.core.notation import is_number, natural
from overtrick.core.problems import concat_problems, report
from overtrick.judge.validate.movement_directions import select_wrong_way
from overtrick.judge.validate.movement_inferred import name_others

_AT: Final = ["round", "table"]
_MEETING: Final = ["ns_number", "ew_number", "board"]
_NOBODY: Final = 0
_SURE: Final = 0.7
"""The share of results that must agree with a movement; with fewer, another movement was played."""


class Judged(NamedTuple):
    """Results compared with a movement.

    Attributes:
        problems: `frames.PROBLEMS`.
        results: those that were compared; none if another movement was played.
    """

    problems: Problems
    results: Results


def compare_with_movements(results: Results, movements: Sequence[Movement]) -> Judged:
    """Compare the results of each section with the first movement that is for it."""
    judged = [Judged(empty(PROBLEMS), results.clear())]
    several = results["section"].n_unique() > 1
    left = results
    for movement in movements:
        of_section = left["section"].eq_missing(movement.section) | (movement.section is None)
        mine, left = left.filter(of_section), left.filter(~of_section)
        judged += [
            _judged(part, movement, several=several) for part in mine.partition_by("section", maintain_order=True)
        ]
    return Judged(concat_problems(part.problems for part in judged), pl.concat(part.results for part in judged))


def _judged(results: Results, movement: Movement, *, several: bool) -> Judged:
    entered = results.filter((pl.col("status") != "bye") & (pl.col("multiplicity").fill_null(1) == 1))
    numbered = _in_numbers(entered).drop_nulls(["board", "ns_number", "ew_number"])
    if numbered.is_empty():
        return Judged(empty(PROBLEMS), results.clear())
    ways = [_frame(schedule, movement) for schedule in movement.schedules(_first_ew(numbered))]
    schedule, lines = max(((way, _placed(numbered, way)) for way in ways), key=lambda fit: _following(fit[1]).height)
    following = _following(lines)
    if following.height < _SURE * lines.height:
        about = lines.head(1).with_columns(followed=pl.lit(following.height), results=pl.lit(lines.height))
        return Judged(report("movement-another", about), results.clear())
    due = schedule.filter(~pl.col("idle"))
    if movement.file is None and movement.rounds is None:
        # A session may end before the movement does.
        due = due.filter(pl.col("round") <= following["round"].max())
    lines = _with_turns(lines) if movement.turns_unknown else lines
    return Judged(concat_problems([*_of_lines(lines), _without_result(due, lines, several=several)]), results)


def _following(lines: pl.DataFrame) -> pl.DataFrame:
    """Return the results that follow the movement, either way round."""
    return lines.filter((pl.col("right") | pl.col("turned")) & pl.col("on_board"))


def _with_turns(lines: pl.DataFrame) -> pl.DataFrame:
    """Accept as right what the movement itself turns round, as far as the results show it."""
    numbered = lines.with_row_index("row")
    seated = numbered.select(
        "row", "board", "turned", number="round", table="table", ns="ns_number", ew="ew_number"
    ).drop_nulls()
    slips = select_wrong_way(seated)["row"]
    by_movement = pl.col("turned") & ~pl.col("row").is_in(slips.implode())
    # A result that sits as in the first round, where its table is turned, is a slip too.
    against = ~pl.col("turned") & pl.col("right") & pl.col("row").is_in(slips.implode())
    return numbered.with_columns(
        right=(pl.col("right") & ~against) | by_movement, turned=(pl.col("turned") & ~by_movement) | against
    ).drop("row")


def _in_numbers(results: Results) -> pl.DataFrame:
    """Add the numbers of round, table and contestants: `1NS` is 1, players of an individual are `1+8`."""

    def number(column: str) -> pl.Expr:
        return pl.col(column).str.extract(r"([0-9]{1,6})").cast(pl.Int64)

    def sitters(column: str) -> pl.Expr:
        numbers = pl.col(column).str.extract_all(r"[0-9]{1,6}").cast(pl.List(pl.Int64)).list.sort()
        return pl.when(numbers.list.len() > 0).then(_joined(numbers))

    return results.with_columns(
        round_number=number("round"), table_number=number("table"), ns_number=sitters("ns"), ew_number=sitters("ew")
    )


def _joined(numbers: pl.Expr) -> pl.Expr:
    return numbers.cast(pl.List(pl.String)).list.join("+")


def _first_ew(entered: pl.DataFrame) -> int:
    """Return the lowest number that often sat E-W; one or two slips of another number do not count."""
    number = pl.col("ew_number").str.extract(r"^([0-9]+)").cast(pl.Int64)
    counted = entered.select(number=number).group_by("number").len()
    often = counted.filter(2 * pl.col("len") >= pl.col("len").max())
    return int(often.select(pl.col("number").min()).item())


def _frame(schedule: Sequence[Sitting], movement: Movement) -> pl.DataFrame:
    """Return a row for each board of each table: `round table board named`, who is due `due_ns due_ew`, and `idle`."""
    missing = {_NOBODY, movement.missing}
    # The number of a Mitchell may be two pairs.
    is_ew = movement.kind == "mitchell" and any(movement.missing in table.ew for table in schedule)
    rows = [
        (
            *(table.round, table.table, table.boards, sorted(table.ns), sorted(table.ew)),
            not missing.isdisjoint(table.ew if is_ew else table.ns + table.ew),
        )
        for table in schedule
    ]
    numbers = pl.List(pl.Int64())
    whole, lists = dict.fromkeys(_AT, pl.Int64()), dict.fromkeys(("boards", "ns", "ew"), numbers)
    schema = {**whole, **lists, "idle": pl.Boolean()}
    table = pl.DataFrame(rows, schema=schema, orient="row").select(
        *_AT, "idle", _joined(pl.col("ns")).alias("due_ns"), _joined(pl.col("ew")).alias("due_ew"), "boards"
    )
    named = table.with_columns(named=_span(pl.col("boards")))
    return named.with_columns(board="boards").explode("board").drop("boards")


def _span(boards: pl.Expr) -> pl.Expr:
    first, last = boards.list.min(), boards.list.max()
    whole = last - first + 1 == boards.list.len()
    text = pl.when(whole & (first < last)).then(pl.format("{} to {}", first, last))
    return text.otherwise(boards.cast(pl.List(pl.String)).list.join(", "))


def _placed(entered: pl.DataFrame, schedule: pl.DataFrame) -> pl.DataFrame:
    """Add to each result who is due where it was entered, and where its pairs meet on its board.

    A round that is not stated is the one in which the table has the board, and else that of the meeting.
    """
    at_table = schedule.unique(["table", "board"], keep="none").select(
        pl.col("table").alias("table_number"), "board", round_of_table="round"
    )
    meets = pl.concat(_meetings(schedule, *sides) for sides in (("due_ns", "due_ew"), ("due_ew", "due_ns")))
    cells = schedule.unique(_AT).select(*_AT, "idle", "due_ns", "due_ew", "named")
    due = schedule.select(*_AT, "board", on_board=pl.lit(value=True))
    lines = (
        entered.with_columns(pl.col("board").cast(pl.Int64))
        .join(at_table, on=["table_number", "board"], how="left", maintain_order="left")
        .join(meets.unique(_MEETING, keep="first", maintain_order=True), on=_MEETING, how="left", maintain_order="left")
        .with_columns(
            round=pl.coalesce("round_number", "round_of_table", "meets_round"),
            table=pl.coalesce("table_number", "meets_table"),
        )
        .join(cells, on=_AT, how="left", maintain_order="left")
        .join(due, on=[*_AT, "board"], how="left", maintain_order="left")
    )
    right = (pl.col("ns_number") == pl.col("due_ns")) & (pl.col("ew_number") == pl.col("due_ew"))
    turned = (pl.col("ns_number") == pl.col("due_ew")) & (pl.col("ew_number") == pl.col("due_ns")) & ~right
    known = {"right": right, "turned": turned, "idle": pl.col("idle"), "on_board": pl.col("on_board")}
    return lines.with_columns(value.fill_null(value=False).alias(name) for name, value in known.items())


def _meetings(schedule: pl.DataFrame, ns: str, ew: str) -> pl.DataFrame:
    """Return who meets on which board, and where; as due, or the other way round."""
    renamed = {ns: "ns_number", ew: "ew_number", "round": "meets_round", "table": "meets_table"}
    return schedule.rename(renamed).select(*_MEETING, "meets_round", "meets_table")


def _of_lines(lines: pl.DataFrame) -> list[pl.DataFrame]:
    """Report what is wrong with each result: its place as a whole, or else who sat there and what they played."""
    here, meets = pl.struct("round", "table"), pl.struct(round="meets_round", table="meets_table")
    verdicts = {
        "movement-differs/meeting": pl.col("round").is_null() | pl.col("table").is_null(),
        "movement-differs/sit-out": pl.col("idle"),
        "right": pl.col("right"),
        "movement-wrong-way/result": pl.col("turned"),
        "movement-differs/place": pl.col("meets_round").is_not_null() & (here != meets),
        "movement-differs/table": pl.col("due_ns").is_null(),
    }
    first = pl.coalesce(pl.when(fits).then(pl.lit(verdict)) for verdict, fits in verdicts.items())
    entered = lines.filter(pl.col("status") != "not played")
    placed = entered.with_columns(verdict=first.fill_null("movement-differs/pair"))
    at_fault = {str(code): rows for (code,), rows in placed.group_by("verdict", maintain_order=True)}
    strangers = at_fault.pop("movement-differs/pair", placed.clear())
    at_fault.pop("right", None)
    seated = placed.filter(pl.col("verdict").is_in(["right", "movement-wrong-way/result", "movement-differs/pair"]))
    return [
        *(report(code, _told(rows)) for code, rows in at_fault.items()),
        report("movement-differs/pair", _told(_of_side(strangers, "ns", "N-S"))),
        report("movement-differs/pair", _told(_of_side(strangers, "ew", "E-W"))),
        report("movement-wrong-board/result", _told(seated.filter(~pl.col("on_board")).with_columns(boards="named"))),
    ]


def _of_side(lines: pl.DataFrame, side: str, direction: str) -> pl.DataFrame:
    """Return the results with a wrong side: who sits there and who is due; of players only those who differ."""
    here, due = (pl.col(name).str.split("+") for name in (f"{side}_number", f"due_{side}"))
    players = pl.col(f"{side}_number").str.contains("+", literal=True)
    return lines.filter(pl.col(f"{side}_number") != pl.col(f"due_{side}")).with_columns(
        pair=pl.when(players).then(name_others(here, due)).otherwise(side),
        expected=name_others(due, here),
        direction=pl.lit(direction),
    )


def _without_result(due: pl.DataFrame, lines: pl.DataFrame, *, several: bool) -> Problems:
    """Report boards of tables that have no result, not even one that says they were not played.

    Where there are several sections, their tables have the same numbers, so the section is named too.
    """
    at = {name: pl.coalesce(f"meets_{name}", name) for name in _AT}
    there = pl.concat([lines.select(**at, board="board"), lines.select(*_AT, "board")]).drop_nulls()
    first = lines.group_by("board").agg(pl.col("record", "source", "line", "column").first())
    missing = due.join(there, on=[*_AT, "board"], how="anti", maintain_order="left").join(
        first, on="board", how="left", maintain_order="left"
    )
    source, section = lines.select(pl.col("source", "section").first()).row(0)
    about = {"source": pl.col("source").fill_null(source), "ns": pl.col("due_ns"), "ew": pl.col("due_ew")}
    of = f", section {section}" if several and section is not None else ""
    return report("movement-missing", _told(missing.with_columns(**about, at=pl.lit(of))))


def _told(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(pl.col("board").cast(pl.String), pl.col("table").cast(pl.String))


MISSING: Final = ("movement-missing", "bws-missing")
"""Problems that name a result that is not there, by board and table: by the club's movement, or the terminals'."""

_ROUND: Final = re.compile(r"\bround ([0-9]{1,3})\b")
_SECTION: Final = re.compile(r", section ([^:]+)(?::|$)")


def count_results(session: Session) -> tuple[int, int]:
    """Return how many results of a session are in, and how many are missing.

    A result is missing if its line says nothing of it, or if a movement or the terminals say that it should be there;
    not in a round that is still to come.
    """
    lines = session.results.filter(pl.col("status") != "bye", ~find_draw(session))
    unknown = int((lines["status"] == "unknown").sum())
    there = set(lines.select("section", "board", "table").iter_rows())
    absent = {(one.section, one.board, one.table) for one in list_missing(session)}
    return lines.height - unknown, unknown + len(absent - there)


def find_draw(session: Session) -> pl.Series:
    """Return whether each result is still to come, as booleans; none is in a session without matches.

    Such a line says who meets whom and nothing else, in a round after the last one of its section with results.
    """
    if session.matches.is_empty():
        return pl.repeat(value=False, n=session.results.height, eager=True)
    coming: list[tuple[object, str, bool]] = []
    for (section,), lines in session.results.drop_nulls("round").group_by("section", maintain_order=True):
        # A bye is known before its round begins.
        begun = {*lines.filter(pl.col("status").is_in(HAPPENED))["round"]}
        last = max(map(natural, begun), default=())
        if begun:
            coming += [(section, name, True) for name in {*lines["round"]} if natural(name) > last]
    rounds = pl.DataFrame(coming, {"section": pl.String, "round": pl.String, "is_later": pl.Boolean}, orient="row")
    marked = session.results.join(rounds, on=["section", "round"], how="left", nulls_equal=True, maintain_order="left")
    both = (pl.coalesce(f"team_{side}", side).is_not_null() for side in ("ns", "ew"))
    drawn = pl.all_horizontal("is_later", pl.col("status") == "unknown", *both)
    return marked.select(drawn.fill_null(value=False)).to_series()


class Missing(NamedTuple):
    """A result that a movement has and that is not there, with the code and the sentence of its problem."""

    section: str | None
    board: int
    table: str
    round: int
    note: tuple[str, str]


def list_missing(session: Session, *, ahead: bool = False) -> Iterator[Missing]:
    """Yield each result that should be there; those of rounds that have not begun too, if they are asked for."""
    sections = session.results["section"].unique().to_list()
    leading = max((int(text) for text in session.results["round"].drop_nulls() if is_number(text)), default=0)
    named = session.problems.filter(pl.col("code").is_in(MISSING))
    for code, board, table, message in named.select("code", "board", "table", "message").iter_rows():
        # While the game runs, later rounds are not missing.
        if is_number(board or "") and table and (ahead or _round_of(message) <= leading):
            section = sections[0] if len(sections) == 1 else section_of(message)
            yield Missing(section, int(board), table, _round_of(message), (code, message))


def find_in_play(session: Session) -> frozenset[str]:
    """Return the teams whose match of the last round has boards with a result at one of its two tables."""
    happened = pl.col("status").is_in(HAPPENED)
    lines = session.results.filter(happened).drop_nulls(["team_ns", "team_ew", "board"])
    order = pl.col("round").cast(pl.Int64, strict=False)
    last = lines.filter(order.eq_missing(order.max()))
    sides = [pl.min_horizontal("team_ns", "team_ew").alias("one"), pl.max_horizontal("team_ns", "team_ew").alias("two")]
    tables = last.group_by("section", "board", *sides).agg(pl.col("multiplicity").fill_null(1).sum().alias("tables"))
    waiting = tables.filter(pl.col("tables") == 1)
    return frozenset([*waiting["one"], *waiting["two"]])


def section_of(message: str) -> str | None:
    """Return the section in the sentence of a result that is missing; None if it names none."""
    found = _SECTION.search(message)
    return found[1] if found else None


def _round_of(message: str) -> int:
    """Return the round in the sentence of a result that is missing; 0 if it names none."""
    found = _ROUND.search(message)
    return int(found[1]) if found else 0
