"""Results: a contract without tricks, a lead from another hand, a stated score that is not the contract's (Law 77)."""

from functools import reduce

import numpy as np
import polars as pl

from overtrick.core.bridge.boards import VULNERABILITIES, side_vulnerable
from overtrick.core.bridge.cards import CARDS, SEAT_NAMES, STRAINS, UNKNOWN, codes_of, owners
from overtrick.core.bridge.score import contract_score, score_ns
from overtrick.core.frames import PROBLEMS, VULNERABLE, Problems, Results, Session, empty
from overtrick.core.notation import contract_text, names_of, scored_on_sheets
from overtrick.core.problems import concat_problems, report


def check_unknown_results(session: Session) -> Problems:
    """Report contracts whose tricks are unknown: they are not scored."""
    open_results = session.results.filter((pl.col("status") == "unknown") & pl.col("level").is_not_null())
    if open_results.is_empty():
        return empty(PROBLEMS)
    return report("result-unknown", describe_results(session, open_results), "results.tricks")


def check_leads(session: Session) -> Problems:
    """Report leads, as travellers state them, that the player on the left of declarer does not hold (Law 41A)."""
    dealt = session.records.filter(pl.col("deal").is_not_null() & pl.col("cards").is_null()).select("record", "deal")
    led = session.results.drop_nulls(["lead", "declarer"]).join(dealt, on="record", maintain_order="left")
    if led.is_empty():
        return empty(PROBLEMS)
    card = led["lead"].replace_strict(CARDS, range(len(CARDS)), default=None, return_dtype=pl.UInt8)
    led, known = led.filter(card.is_not_null()), card.drop_nulls().to_numpy()
    holder = owners(led["deal"])[np.arange(len(known)), known]
    wrong = (holder != UNKNOWN) & (holder != (codes_of(led["declarer"]) + 1) % 4)
    told = led.with_columns(names_of(holder, SEAT_NAMES).alias("holder")).filter(pl.Series(wrong))
    return report("lead-not-held", describe_results(session, told), "results.declarer")


def check_stated_scores(session: Session) -> Problems:
    """Report stated scores that are not those of the contract, or without a contract those of none (Law 77)."""
    stated = session.results.filter(
        pl.col("stated_score_ns").is_not_null(), pl.col("status").is_in(["played", "passed"])
    )
    if stated.is_empty():
        return empty(PROBLEMS)
    scored = stated.with_columns(_law_score(pl.col("vulnerable")).alias("law"))
    return concat_problems([_check_by_contract(session, scored), _check_alone(session, scored)])


def _check_alone(session: Session, scored: pl.DataFrame) -> Problems:
    """Report stated scores that no contract comes to, where the file does not state the contract."""
    if not scored["law"].null_count():
        return empty(PROBLEMS)
    score, vulnerable = pl.col("stated_score_ns"), pl.col("vulnerable")
    unexplained = scored.filter(pl.col("law").is_null(), pl.col("status") == "played", score != 0)
    sheets = session.records.filter(scored_on_sheets(pl.col("scoring")))["record"]
    duplicate = unexplained.filter(~pl.col("record").is_in(sheets.implode()))
    if duplicate.is_empty():
        return empty(PROBLEMS)
    contracts = _contracts()
    fits = pl.any_horizontal(
        (vulnerable.is_null() | (vulnerable == name))
        & score.is_in(contracts.select(_law_score(pl.lit(name, VULNERABLE)).unique().implode()).item())
        for name in VULNERABILITIES
    )
    at = pl.when(vulnerable.is_null()).then(pl.lit("")).otherwise(pl.format(", vulnerable {}", vulnerable))
    impossible = duplicate.filter(~fits).with_columns(at.alias("at"))
    return report("score-impossible", describe_results(session, impossible), "results.stated_score_ns")


def _contracts() -> pl.DataFrame:
    """Return all contracts with all numbers of tricks: `level strain doubled tricks declarer`, by one player a side."""
    columns = (
        pl.DataFrame({"level": range(1, 8)}),
        pl.DataFrame({"strain": STRAINS}),
        pl.DataFrame({"doubled": range(3)}),
        pl.DataFrame({"tricks": range(14)}),
        pl.DataFrame({"declarer": ["N", "E"]}),
    )
    return reduce(lambda all_so_far, column: all_so_far.join(column, how="cross"), columns)


def _check_by_contract(session: Session, scored: pl.DataFrame) -> Problems:
    """Report stated scores that are not those of the contract; the stated one counts.

    A score that fits the contract at another vulnerability is reported as such: most of these slips are of that kind.
    """
    differing = scored.filter(pl.col("stated_score_ns") != pl.col("law"))
    if differing.is_empty():
        return empty(PROBLEMS)
    otherwise = [_law_score(pl.lit(name, VULNERABLE)).alias(name) for name in VULNERABILITIES]
    wrong = describe_results(session, differing.with_columns(otherwise))
    sides = {"None": "not vulnerable", "All": "vulnerable"}
    fits = pl.coalesce(
        pl.when(pl.col(name) == pl.col("stated_score_ns")).then(pl.lit(said)) for name, said in sides.items()
    )
    wrong = wrong.with_columns(fits.alias("fits"))
    at = "results.stated_score_ns"
    return concat_problems(
        [
            report("score-mismatch", wrong.filter(pl.col("fits").is_null()), at),
            report("score-mismatch-vulnerability", wrong.filter(pl.col("fits").is_not_null()), at),
        ]
    )


def _law_score(vulnerable: pl.Expr) -> pl.Expr:
    side = side_vulnerable(vulnerable, pl.col("declarer"))
    score = contract_score(pl.col("level"), pl.col("strain"), pl.col("doubled"), side, pl.col("tricks"))
    return score_ns(score, pl.col("declarer"))


def describe_results(session: Session, results: Results) -> pl.DataFrame:
    """Add what messages say about a result: contract, outcome, and the board as the file writes it."""
    labels = session.records.select("record", "board_label")
    contract = contract_text()
    played = pl.format(
        "{} by {} with {} tricks", contract, *(pl.col(c).cast(pl.String) for c in ("declarer", "tricks"))
    )
    outcome = pl.when(pl.col("level") == 0).then(pl.lit("a passed-out board")).otherwise(played)
    return (
        results.drop("board")
        .join(labels, on="record", how="left", maintain_order="left")
        .with_columns(contract.alias("contract"), outcome.alias("outcome"))
        .rename({"board_label": "board"})
    )
