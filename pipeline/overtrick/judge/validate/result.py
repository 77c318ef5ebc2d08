"""Results: a contract without tricks, a lead from another hand, a stated score that is not the contract's (Law 77)."""

from itertools import product
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge import cards, replays
from overtrick.core.bridge.claim import Revokes, Rule, transferred_tricks
from overtrick.core.bridge.play import LAST_REVOKE, Mask, PlayFault, Plays
from overtrick.core.bridge.score import law_score
from overtrick.core.frames import PLAYED, PROBLEMS, VULNERABLE, Problems, Records, Results, Session, empty
from overtrick.core.notation import contract_text, names_of, scored_on_sheets
from overtrick.core.problems import ABOUT_RECORD, concat_problems, report

_RULES: Final[dict[Rule, str]] = {
    "law-64": "Law 64",
    "two-tricks": "two tricks for a revoke",
    "two-tricks-any": "two tricks for a revoke",
}


_FITS: Final = pl.col("stated").is_between("fewest", "most")
_MARKED: Final = pl.col("irregular_tricks").fill_null(value=False)


def check_tricks(records: Records, played: Plays, marks: pl.DataFrame) -> list[pl.DataFrame]:
    """Compare stated tricks with the play: a revoke explains a difference, and `^` records one.

    Args:
        records: the records with a play.
        played: their plays.
        marks: their irregularities, as `replays.irregularities` gives them.
    """
    compared = _compared(records, played, marks)
    if compared.is_empty():
        return []
    fits, marked = _FITS, _MARKED
    differs = compared.filter(~fits)
    explained = pl.col("rule").is_not_null()
    whole = pl.col("fewest") == pl.col("most")
    wrong = differs.filter(~marked & ~explained)
    return [
        report("result-differs-from-play/tricks", wrong.filter(whole), "records.tricks"),
        report("result-differs-from-play/reach", wrong.filter(~whole), "records.tricks"),
        report("result-after-revoke", differs.filter(explained), "records.tricks"),
        report("irregularity-recorded", differs.filter(marked & ~explained), "records.tricks"),
        report("irregularity-unfounded", compared.filter(fits & marked & ~pl.col("irregular")), "records.tricks"),
    ]


def _compared(records: Records, played: Plays, marks: pl.DataFrame) -> pl.DataFrame:
    """Return stated results that the play does not allow or that are marked, and the revoke rule that explains each."""
    fewest, most = replays.tricks_in_reach(records, played)
    whole_hands = (pl.col("deal").str.count_matches(r"[2-9TJQKA]") % 13 == 0).fill_null(value=True)
    known = pl.col("declarer").is_not_null() & pl.col("tricks").is_not_null() & (pl.col("level") > 0)
    rows = records.select(
        *ABOUT_RECORD,
        "deal",
        pl.col("tricks").cast(pl.Int64).alias("stated"),
        "irregular_tricks",
        pl.Series("fewest", fewest),
        pl.Series("most", most),
        pl.Series("irregular", _irregular(records, played, marks)),
        known=known,
    ).with_columns(_explained(records, played))
    # These are few: cards are counted, and words made, for them alone.
    differing = rows.filter(pl.col("known") & (~_FITS | _MARKED)).filter(whole_hands)
    return differing.with_columns(what=pl.format("the result of {}", _tricks(pl.col("stated"))), mark=pl.lit("^"))


def _irregular(records: Records, played: Plays, marks: pl.DataFrame) -> Mask:
    """Report which plays have anything that can change a result: a fault, or a mark of one."""
    irregular = np.zeros(records.height, dtype=np.bool_)
    irregular[played.faults.board] = True
    irregular[marks["row"].to_numpy()] = True
    return irregular


def _explained(records: Records, played: Plays) -> list[pl.Expr]:
    """Return the first rule by which established revokes explain the stated tricks: `cost`, `rule` or null.

    Once a play is over, every revoke up to the eleventh trick is established, by a claim if not by further play.
    """
    faults, winner = played.faults, played.winner
    trick = faults.place // 4
    over = (records["play_end"].fill_null("") != "+").to_numpy()
    established = (faults.fault == PlayFault.REVOKE) & (
        faults.established | (over[faults.board] & (trick <= LAST_REVOKE))
    )
    revokes = Revokes(
        faults.board[established], trick[established], faults.player[established], faults.other[established] // 13
    )
    cost, rule = pl.lit(None, pl.Int64), pl.lit(None, pl.String)
    if not established.any():
        return [_tricks(cost).alias("cost"), rule.alias("rule")]
    declarer = cards.codes_of(records["declarer"])
    for name, words in reversed(_RULES.items()):
        gain = transferred_tricks(revokes, winner, declarer, name)
        brought = pl.Series(gain)
        fits = (brought != 0) & (pl.col("stated") - brought).is_between("fewest", "most")
        cost = pl.when(fits).then(brought.abs()).otherwise(cost)
        rule = pl.when(fits).then(pl.lit(words)).otherwise(rule)
    return [_tricks(cost).alias("cost"), rule.alias("rule")]


def _tricks(count: pl.Expr) -> pl.Expr:
    return pl.format("{} trick{}", count, pl.when(count == 1).then(pl.lit("")).otherwise(pl.lit("s")))


def check_unknown_results(session: Session) -> Problems:
    """Report contracts whose tricks are unknown: they are not scored."""
    open_results = session.results.filter((pl.col("status") == "unknown") & pl.col("level").is_not_null())
    return report("result-unknown", describe_results(session, open_results), "results.tricks")


def check_leads(session: Session) -> Problems:
    """Report leads, as travellers state them, that the player on the left of declarer does not hold (Law 41A)."""
    dealt = session.records.filter(pl.col("deal").is_not_null() & pl.col("cards").is_null()).select("record", "deal")
    led = session.results.drop_nulls(["lead", "declarer"]).join(dealt, on="record", maintain_order="left")
    if led.is_empty():
        return empty(PROBLEMS)
    card = led["lead"].replace_strict(cards.CARDS, range(len(cards.CARDS)), default=None, return_dtype=pl.UInt8)
    led, known = led.filter(card.is_not_null()), card.drop_nulls().to_numpy()
    holder = cards.owners(led["deal"])[np.arange(len(known)), known]
    wrong = (holder != cards.UNKNOWN) & (holder != (cards.codes_of(led["declarer"]) + 1) % 4)
    impossible = led.with_columns(holder=names_of(holder, cards.SEAT_NAMES)).filter(pl.Series(wrong))
    return report("lead-not-held", describe_results(session, impossible), "results.declarer")


def check_stated_scores(session: Session) -> Problems:
    """Report stated scores that are not those of the contract, or without a contract those of none (Law 77)."""
    stated = session.results.drop_nulls("stated_score_ns").filter(pl.col("status").is_in(PLAYED))
    if stated.is_empty():
        return empty(PROBLEMS)
    scored = stated.with_columns(law=law_score(pl.col("vulnerable"), pl.col("tricks")))
    return concat_problems([_check_by_contract(session, scored), _check_alone(session, scored)])


def _check_alone(session: Session, scored: pl.DataFrame) -> Problems:
    """Report stated scores that no contract comes to, where the file does not state the contract."""
    score, vulnerable = pl.col("stated_score_ns"), pl.col("vulnerable")
    unexplained = scored.filter(pl.col("law").is_null(), pl.col("status") == "played", score != 0)
    sheets = session.records.filter(scored_on_sheets(pl.col("scoring")))["record"]
    duplicate = unexplained.filter(~pl.col("record").is_in(sheets.implode()))
    if duplicate.is_empty():
        return empty(PROBLEMS)
    contracts = _contracts()
    fits = pl.any_horizontal(
        (vulnerable.is_null() | (vulnerable == name))
        & score.is_in(
            contracts.select(law_score(pl.lit(name, VULNERABLE), pl.col("tricks")).unique()).to_series().to_list()
        )
        for name in cards.VULNERABILITIES
    )
    at = pl.when(vulnerable.is_null()).then(pl.lit("")).otherwise(pl.format(", vulnerable {}", vulnerable))
    impossible = duplicate.filter(~fits).with_columns(at=at)
    return report("score-mismatch/impossible", describe_results(session, impossible), "results.stated_score_ns")


def _contracts() -> pl.DataFrame:
    """Return all contracts with all numbers of tricks: `level strain doubled tricks declarer`, by one player a side."""
    contracts = product(range(1, 8), cards.STRAINS, range(3), range(14), "NE")
    return pl.DataFrame(list(contracts), ["level", "strain", "doubled", "tricks", "declarer"], orient="row")


def _check_by_contract(session: Session, scored: pl.DataFrame) -> Problems:
    """Report stated scores that are not those of the contract; the stated one counts.

    A score that fits the contract at another vulnerability is reported as such: most of these slips are of that kind.
    """
    differing = scored.filter(pl.col("stated_score_ns") != pl.col("law"))
    otherwise = [law_score(pl.lit(name, VULNERABLE), pl.col("tricks")).alias(name) for name in cards.VULNERABILITIES]
    wrong = describe_results(session, differing.with_columns(otherwise))
    sides = {"None": "not vulnerable", "All": "vulnerable"}
    fits = pl.coalesce(
        pl.when(pl.col(name) == pl.col("stated_score_ns")).then(pl.lit(said)) for name, said in sides.items()
    )
    wrong = wrong.with_columns(fits=fits)
    kinds = {"score-mismatch/score": fits.is_null(), "score-mismatch/vulnerability": fits.is_not_null()}
    single = wrong if wrong.height <= _TOLD else wrong.head(_TOLD - 1)
    others = wrong[single.height :]
    boards = ", ".join(f"board {board}" for board in others["board"].unique(maintain_order=True).head(_NAMED))
    rest = others.head(1).with_columns(count=pl.lit(others.height), named=pl.lit(boards))
    at = "results.stated_score_ns"
    told = [report(code, single.filter(of), at) for code, of in kinds.items()]
    return concat_problems([*told, report("number-mismatch/more", rest, at)])


_TOLD: Final = 2
"""The most problems about stated scores of one session."""
_NAMED: Final = 12
"""The most boards that a message names."""


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
        .with_columns(contract=contract, outcome=outcome)
        .rename({"board_label": "board"})
    )
