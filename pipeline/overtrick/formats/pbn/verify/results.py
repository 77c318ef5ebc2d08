"""What contract, declarer, result, rubber and deal have to do with each other (PBN 3.4.13 to 3.4.15, 3.10 and 4)."""

from typing import Final

import polars as pl

from overtrick import notation
from overtrick.bridge.cards import COMPLETE_LENGTH
from overtrick.formats.pbn.read.side_by_side import Tags
from overtrick.formats.pbn.verify.files import Files
from overtrick.formats.pbn.verify.sections import is_end_position
from overtrick.frames import PROBLEMS, empty
from overtrick.problems import report

_BARE: Final = r"^\s*\^?\d+\s*$"
_BOTH: Final = r"(?i)^\s*\^?(?:NS|EW)\s+(\d+)\s+(?:NS|EW)\s+(\d+)\s*$"
_BELOW: Final = r"(\d{1,6}(?:\s+\d{1,6})*)"
_HISTORY: Final = rf"^\s*NS\s+\d+\s+\d+\s*/\s*{_BELOW}\s+EW\s+\d+\s+\d+\s*/\s*{_BELOW}\s*$"
_CARDS: Final = 52


def results_in_order(tags: Tags, records: pl.DataFrame, files: Files) -> pl.DataFrame:
    """Report values that are right by themselves and not beside each other."""
    return pl.concat(
        [
            *_results(tags, records),
            *_passed_out(tags, records),
            _end_positions(tags, records),
            _rubber_histories(tags, records),
            _deal_ids(tags, records, files),
        ]
    )


def _stated(tags: Tags, name: str) -> pl.Series:
    """Say which games state more for a tag than that it is unknown, inherited or empty."""
    value = tags.value(name)
    own = tags.row[name].is_not_null()
    return own & ~value.str.strip_chars().is_in(notation.UNKNOWN_VALUES).fill_null(value=True)


def _at(tags: Tags, name: str, mask: pl.Series) -> pl.DataFrame:
    return tags.at_fault(name, mask).rename({"game": "record"})


def _results(tags: Tags, records: pl.DataFrame) -> list[pl.DataFrame]:
    """Report tricks of declarer without one, and both sides' tricks that are not 13 in a play that is over (3.4.15)."""
    if "Result" not in tags.row:
        return [empty(PROBLEMS)]
    value = tags.value("Result")
    lone = _stated(tags, "Result") & records["declarer"].is_null() & (records["level"] != 0).fill_null(value=True)
    if lone.any():
        lone &= value.str.contains(_BARE)
    problems = [report("pbn-result-lone", _at(tags, "Result", lone))]
    both = value.str.contains(_BOTH)
    if both.any():
        parts = value.to_frame("value").select(pl.col("value").str.extract_groups(_BOTH)).unnest("value")
        total = parts["1"].cast(pl.UInt32, strict=False) + parts["2"].cast(pl.UInt32, strict=False)
        wrong = both & ((total > 13) | ((total != 13) & _is_over(records)))
        problems.append(
            report(
                "pbn-result-sum",
                _at(tags, "Result", wrong).with_columns(
                    total.filter(wrong & tags.row["Result"].is_not_null()).alias("total")
                ),
            )
        )
    return problems


def _is_over(records: pl.DataFrame) -> pl.Series:
    """Say which plays have ended. Without its play a game may be under way, and its result a partial one."""
    cards = pl.col("cards").list.len().fill_null(0)
    return records.select((cards >= _CARDS) | (pl.col("play_end") == "*").fill_null(value=False))["cards"]


def _passed_out(tags: Tags, records: pl.DataFrame) -> list[pl.DataFrame]:
    """Report a declarer or a result of a board that was passed out (3.4.13, 3.4.15)."""
    passed = (records["level"] == 0).fill_null(value=False)
    if not passed.any():
        return []
    names = [name for name in ("Declarer", "Result") if name in tags.row]
    return [report("pbn-passed-out", _at(tags, name, passed & _stated(tags, name))) for name in names]


def _end_positions(tags: Tags, records: pl.DataFrame) -> pl.DataFrame:
    """Report an end position with a whole contract, and a bare denomination of whole hands (3.10)."""
    if "Contract" not in tags.row:
        return empty(PROBLEMS)
    bare = records["strain"].is_not_null() & records["level"].is_null()
    if not (bare.any() or (records["deal"].str.len_bytes() < COMPLETE_LENGTH).any()):
        return empty(PROBLEMS)
    ends = records.select(is_end_position(pl.col("deal")))["deal"]
    whole = records["level"].is_not_null()
    return pl.concat(
        [
            report("pbn-contract-no-level", _at(tags, "Contract", bare & ~ends)),
            report("pbn-contract-end-position", _at(tags, "Contract", whole & ends)),
        ]
    )


def _rubber_histories(tags: Tags, records: pl.DataFrame) -> pl.DataFrame:
    """Hold the games of a rubber against each other and against the vulnerability (4.2.6)."""
    name = "ScoreRubberHistory"
    if name not in tags.row:
        return empty(PROBLEMS)
    value = tags.value(name)
    games = value.to_frame("value").select(pl.col("value").str.extract_groups(_HISTORY)).unnest("value")
    stated = records["vulnerable"].cast(pl.String).to_list()
    faults = [
        None if ns is None else _rubber_fault(list(map(int, ns.split())), list(map(int, ew.split())), vulnerable)
        for ns, ew, vulnerable in zip(games["1"].to_list(), games["2"].to_list(), stated, strict=True)
    ]
    fault = pl.Series(faults, dtype=pl.String)
    wrong = fault.is_not_null() & tags.row[name].is_not_null()
    return report("pbn-rubber-history", _at(tags, name, wrong).with_columns(fault.filter(wrong).alias("fault")))


def _rubber_fault(ns: list[int], ew: list[int], vulnerable: str | None) -> str | None:
    """Say what is wrong with the points below the line, game by game."""
    if len(ns) != len(ew):
        return f"N-S have {len(ns)} games below the line and E-W {len(ew)}"
    if any(points % 10 for points in (*ns, *ew)):
        return "points below the line are multiples of 10"
    finished = list(zip(ns[:-1], ew[:-1], strict=True))
    if any((a >= 100) == (b >= 100) for a, b in finished):
        return "one side wins each game before the last with 100 points or more"
    sides = [
        side
        for side, won in (("NS", any(a >= 100 for a, _ in finished)), ("EW", any(b >= 100 for _, b in finished)))
        if won
    ]
    if len(finished) > len(sides):
        return "a rubber ends when one side has won two games"
    follows = {0: "None", 2: "All"}.get(len(sides), "".join(sides))
    if vulnerable not in {None, follows}:
        return f"the games won make {follows} vulnerable, the file says {vulnerable}"
    return None


def _deal_ids(tags: Tags, records: pl.DataFrame, files: Files) -> pl.DataFrame:
    """Report an identity that a different deal has already (4.1.2)."""
    if "DealId" not in tags.row:
        return empty(PROBLEMS)
    known = pl.DataFrame({"id": tags.value("DealId"), "deal": records["deal"], "file": files.of(records["line"])})
    other = pl.col("deal") != pl.col("deal").drop_nulls().first().over("id", "file")
    again = known.select((other & pl.col("id").is_not_null()).alias("again"))["again"]
    return report("pbn-deal-id", _at(tags, "DealId", again & _stated(tags, "DealId")))
