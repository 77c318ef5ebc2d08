"""Results: a contract without tricks, and a stated score that is not the contract's (Law 77)."""

import polars as pl

from overtrick.bridge.boards import VULNERABILITIES, side_vulnerable
from overtrick.bridge.score import contract_score, score_ns
from overtrick.frames import PROBLEMS, VULNERABLE, Session, empty
from overtrick.problems import found


def result_unknown(session: Session) -> pl.DataFrame:
    """Find contracts whose tricks are not known: they are not scored."""
    open_results = session.results.filter((pl.col("status") == "unknown") & pl.col("level").is_not_null())
    return found("result-unknown", _described(session, open_results))


def score_differs(session: Session) -> pl.DataFrame:
    """Find stated scores that are not those of the contract; the stated one counts.

    A score that fits the contract at another vulnerability is said to, because that is the slip behind most of them.
    """
    stated = session.results.filter(pl.col("stated_score_ns").is_not_null())
    scored = stated.filter(pl.col("status").is_in(["played", "passed"]))
    differing = scored.with_columns(_law_score(pl.col("vulnerable")).alias("law")).filter(
        pl.col("stated_score_ns") != pl.col("law")
    )
    if differing.is_empty():
        return empty(PROBLEMS)
    otherwise = [_law_score(pl.lit(name, VULNERABLE)).alias(name) for name in VULNERABILITIES]
    wrong = _described(session, differing.with_columns(otherwise))
    sides = {"None": "not vulnerable", "All": "vulnerable"}
    fits = pl.coalesce(
        pl.when(pl.col(name) == pl.col("stated_score_ns")).then(pl.lit(said)) for name, said in sides.items()
    )
    wrong = wrong.with_columns(fits.alias("fits"))
    return pl.concat(
        [
            found("score-mismatch", wrong.filter(pl.col("fits").is_null())),
            found("score-mismatch-vulnerability", wrong.filter(pl.col("fits").is_not_null())),
        ]
    )


def _law_score(vulnerable: pl.Expr) -> pl.Expr:
    side = side_vulnerable(vulnerable, pl.col("declarer"))
    score = contract_score(pl.col("level"), pl.col("strain"), pl.col("doubled"), side, pl.col("tricks"))
    return score_ns(score, pl.col("declarer"))


def _described(session: Session, results: pl.DataFrame) -> pl.DataFrame:
    """Put what a message says of a result into columns: contract, and the board as the file has it."""
    labels = session.records.select("record", "board_label")
    contract = (
        pl.when(pl.col("level") == 0)
        .then(pl.lit("Pass"))
        .otherwise(
            pl.format(
                "{}{}{}", "level", pl.col("strain").cast(pl.String), pl.lit("X").repeat_by("doubled").list.join("")
            )
        )
    )
    return (
        results.drop("board")
        .join(labels, on="record", how="left", maintain_order="left")
        .with_columns(contract.alias("contract"))
        .rename({"board_label": "board"})
    )
