"""Tag names (PBN 3.3), and the values of tags: by themselves (3.4 and 4) and beside each other (3.4.13, 3.10)."""

from typing import Final

import polars as pl

from overtrick import notation
from overtrick.bridge.cards import COMPLETE_LENGTH
from overtrick.formats.pbn.read.games import Games
from overtrick.formats.pbn.read.tag_columns import Tags
from overtrick.formats.pbn.tags import TAGS, Form, Tag, standard_names
from overtrick.formats.pbn.verify.tally import Files, Tally
from overtrick.frames import PROBLEMS, RECORDS, empty
from overtrick.grammar import filled_in
from overtrick.problems import report

_BARE: Final = r"^\s*\^?[0-9]+\s*$"
_BOTH: Final = r"(?i)^\s*\^?(?:NS|EW)\s+([0-9]+)\s+(?:NS|EW)\s+([0-9]+)\s*$"
_BELOW: Final = r"([0-9]{1,6}(?:\s+[0-9]{1,6})*)"
_HISTORY: Final = rf"^\s*NS\s+[0-9]+\s+[0-9]+\s*/\s*{_BELOW}\s+EW\s+[0-9]+\s+[0-9]+\s*/\s*{_BELOW}\s*$"
_CARDS: Final = 52


def count_unknown_tags(games: Games, tags: Tags, files: Files, tally: Tally) -> None:
    """Count the tags that the standard does not know: private tags are legal, slips look like them."""
    standard = standard_names()
    name, correct = pl.col("name"), {known.lower(): known for known in standard}
    own = tags.tags.filter(~name.is_in(standard)).select("line", "column", "name", record="game")
    meant = name.str.to_lowercase().replace_strict(correct, default=None, return_dtype=pl.String)
    named = files.numbered(own).with_columns(correct=meant)
    private, capital = pl.col("correct").is_null(), name.str.contains("^[A-Z]")
    both = named.filter(~private).with_columns(use=pl.lit("does not use it, because the game has both"))
    read = files.numbered(games.misspelt).with_columns(use=pl.lit("understands it"))
    tally.add("pbn-tag-case", pl.concat([read, both], how="diagonal_relaxed"), "name", "use")
    tally.add("pbn-tag-unknown", named.filter(private & capital), "name")
    tally.add("pbn-tag-name", named.filter(private & ~capital), "name")


def check_values(tags: Tags, files: Files, tally: Tally) -> pl.DataFrame:
    """Report values that do not have the form of their tag, and count those of open lists that are not listed."""
    problems = [empty(PROBLEMS)]
    # Reading reports other spellings.
    known = [tag for tag in TAGS.values() if tag.name in tags.row and tag.form and tag.form.others != "spellings"]
    right = _find_well_formed(tags, known)
    for tag in known:
        if tag.form is None or tag.name in right:
            continue
        wrong = _list_misformed(tags, tag, tag.form)
        if tag.form.others == "allowed":
            if len(wrong):
                tally.add("pbn-value-unlisted", files.numbered(wrong), "name", "value")
        else:
            problems.append(_report_misformed(wrong, tag))
    return pl.concat(problems)


def _find_well_formed(tags: Tags, known: list[Tag]) -> set[str]:
    """Return the tags of which all values are unknown or match a pattern: nearly all tags, found in one step."""
    patterns = {tag.name: filled_in(tag.form.pattern) for tag in known if tag.form and not tag.form.holds}
    right = tags.tags.select(
        _values_stated(tags, name).unique().str.contains(rf"^(?:\s*[?#]?\s*|{pattern})$").all().alias(name)
        for name, pattern in patterns.items()
    )
    return {name for name in patterns if right[name].item()}


def _values_stated(tags: Tags, name: str) -> pl.Expr:
    """Return what the games state for a tag, without the `##` of a value that others inherit (4.8)."""
    return pl.col("text").gather(tags.row[name].drop_nulls()).str.strip_prefix("##")


def _list_misformed(tags: Tags, tag: Tag, form: Form) -> pl.DataFrame:
    """List where a value does not have the form of its tag; each distinct value is tried once.

    Only what a tag states itself counts, which is what follows `##` (4.8).
    """
    value = pl.col("value")
    stated = tags.tags.select(value=_values_stated(tags, tag.name)).insert_column(
        0, tags.row[tag.name].drop_nulls().alias("row")
    )
    unknown = value.str.strip_chars().is_in([*notation.UNKNOWN_VALUES, "#"])
    # Lazily: one step of polars takes longer than the work for a club evening.
    tried = (
        stated.lazy()
        .select(value.unique())
        .filter(~unknown)
        .with_columns(good=value.str.contains(f"^(?:{filled_in(form.pattern)})$"))
        .collect()
    )
    good = tried["good"] & form.holds(tried["value"]) if form.holds else tried["good"]
    if good.all():
        return pl.DataFrame()
    odd = tried["value"].filter(~good).to_list()
    wrong = stated.filter(value.is_in(odd))
    place = tags.tags.select(pl.col("game").alias("record"), "line", "column", "name")[wrong["row"]]
    about = {"expected": pl.lit(form.expected), "section": pl.lit(tag.section)}
    return place.with_columns(wrong["value"], **about)


def _report_misformed(wrong: pl.DataFrame, tag: Tag) -> pl.DataFrame:
    """Report values that are understood all the same, and those that are not unless reading has reported them."""
    if wrong.is_empty():
        return empty(PROBLEMS)
    # Whether a value can be read does not depend on who declares.
    value, declarer = pl.col("value"), pl.lit("N")
    typed = [read(value) for column, read in tag.reads.items() if RECORDS[column].dtype != pl.String]
    typed += [read(value, declarer) for read in tag.by_side.values()]
    if not typed:
        return report("pbn-value", wrong)
    usable = pl.any_horizontal(read.is_not_null() for read in typed)
    problems = report("pbn-value", wrong.filter(usable))
    return problems if tag.unreadable else pl.concat([problems, report("pbn-tag-value", wrong.filter(~usable))])


def check_related_values(tags: Tags, records: pl.DataFrame, files: Files) -> pl.DataFrame:
    """Report values that are right by themselves and wrong together: of contract, declarer, result, rubber and deal."""
    return pl.concat(
        [
            *_check_results(tags, records),
            *_check_passed_out(tags, records),
            _check_end_positions(tags, records),
            _check_rubber_histories(tags, records),
            _check_deal_ids(tags, records, files),
        ]
    )


def is_end_position(deal: pl.Expr) -> pl.Expr:
    """Return which canonical deals have hands of fewer than 13 cards (3.10); false where there is no deal."""
    hands = 4 - deal.str.count_matches("-", literal=True)
    return (deal.str.count_matches("[AKQJT2-9]") < 13 * hands).fill_null(value=False)


def _stated(tags: Tags, name: str) -> pl.Series:
    """Return which games state a value of their own for a tag, neither unknown nor empty."""
    value = tags.value(name)
    own = tags.row[name].is_not_null()
    return own & ~value.str.strip_chars().is_in(notation.UNKNOWN_VALUES).fill_null(value=True)


def _check_results(tags: Tags, records: pl.DataFrame) -> list[pl.DataFrame]:
    """Report declarer's tricks without a declarer, and two sides' tricks that are not 13 after the play (3.4.15)."""
    if "Result" not in tags.row:
        return [empty(PROBLEMS)]
    value = tags.value("Result")
    lone = _stated(tags, "Result") & records["declarer"].is_null() & (records["level"] != 0).fill_null(value=True)
    if lone.any():
        lone &= value.str.contains(_BARE)
    problems = [report("pbn-result-lone", tags.at_fault("Result", lone))]
    both = value.str.contains(_BOTH)
    if both.any():
        parts = value.to_frame("value").select(pl.col("value").str.extract_groups(_BOTH)).unnest("value")
        total = parts["1"].cast(pl.UInt32, strict=False) + parts["2"].cast(pl.UInt32, strict=False)
        wrong = both & ((total > 13) | ((total != 13) & _is_over(records)))
        totals = total.filter(wrong & tags.row["Result"].is_not_null()).alias("total")
        problems.append(report("pbn-result-sum", tags.at_fault("Result", wrong).with_columns(totals)))
    return problems


def _is_over(records: pl.DataFrame) -> pl.Series:
    """Return which plays have ended. Without its play a game may be under way, and its result a partial one."""
    cards = pl.col("cards").list.len().fill_null(0)
    return records.select((cards >= _CARDS) | (pl.col("play_end") == "*").fill_null(value=False))["cards"]


def _check_passed_out(tags: Tags, records: pl.DataFrame) -> list[pl.DataFrame]:
    """Report a declarer or a result of a board that was passed out (3.4.13, 3.4.15)."""
    passed = (records["level"] == 0).fill_null(value=False)
    if not passed.any():
        return []
    names = [name for name in ("Declarer", "Result") if name in tags.row]
    return [report("pbn-passed-out", tags.at_fault(name, passed & _stated(tags, name))) for name in names]


def _check_end_positions(tags: Tags, records: pl.DataFrame) -> pl.DataFrame:
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
            report("pbn-contract-no-level", tags.at_fault("Contract", bare & ~ends)),
            report("pbn-contract-end-position", tags.at_fault("Contract", whole & ends)),
        ]
    )


def _check_rubber_histories(tags: Tags, records: pl.DataFrame) -> pl.DataFrame:
    """Check the games of a rubber against each other and against the vulnerability (4.2.6)."""
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
    return report("pbn-rubber-history", tags.at_fault(name, wrong).with_columns(fault.filter(wrong).alias("fault")))


def _rubber_fault(ns: list[int], ew: list[int], vulnerable: str | None) -> str | None:
    """Return what is wrong with the points below the line, game by game."""
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


def _check_deal_ids(tags: Tags, records: pl.DataFrame, files: Files) -> pl.DataFrame:
    """Report an identity that an earlier, different deal has (4.1.2)."""
    if "DealId" not in tags.row:
        return empty(PROBLEMS)
    known = pl.DataFrame({"id": tags.value("DealId"), "deal": records["deal"], "file": files.of(records["line"])})
    other = pl.col("deal") != pl.col("deal").drop_nulls().first().over("id", "file")
    again = known.select((other & pl.col("id").is_not_null()).alias("again"))["again"]
    return report("pbn-deal-id", tags.at_fault("DealId", again & _stated(tags, "DealId")))
