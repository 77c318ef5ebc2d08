"""What auctions, plays and tables of times need before them (PBN 3.1), and how calls and cards are written."""

import re
from typing import Final

import polars as pl

from overtrick.frames import PROBLEMS, empty
from overtrick.parse.pbn import values
from overtrick.parse.pbn.games import Games
from overtrick.parse.pbn.tags import Tags
from overtrick.problems import found

_NEEDS: Final = {
    "Auction": ("Dealer",),
    "Play": ("Deal", "Declarer", "Contract"),
    "AuctionTimeTable": ("Auction",),
    "PlayTimeTable": ("Play",),
}
_COMMENT: Final = re.compile(r"^%[^\n]*|\{[^}]*\}?|;[^\n]*", re.MULTILINE)
_ODD_CALL: Final = r"(?i)(?:^|\s)([1-7]N|P|D|Dbl|R|Rdbl|All[ \t]+Pass)(?:[\s!?=$*+^]|$)"
_ODD_CARD: Final = r"(?i)(?:^|\s)([SHDC]10)(?:[\s!?=$*+^]|$)"
_AFTER_END: Final = {"Auction": r"[*+]\s*[^\s*+!?=$^]|[*+]\s*[*+]", "Play": r"\*\s*[^\s!?=$^]|\+[^+*]*[+*]"}


def sections_in_order(games: Games, tags: Tags, records: pl.DataFrame) -> pl.DataFrame:
    """Report sections without what they need, calls and cards in a spelling of their own, and what follows an end."""
    needs = [_needs(tags, section, records) for section in _NEEDS if section in tags.row]
    return pl.concat(
        [
            empty(PROBLEMS),
            *needs,
            _spelling(games, "Auction", "pbn-call-spelling", _ODD_CALL),
            _spelling(games, "Play", "pbn-card-spelling", _ODD_CARD),
            *(_after_end(games, name, pattern) for name, pattern in _AFTER_END.items()),
        ]
    )


def is_end_position(deal: pl.Expr) -> pl.Expr:
    """Say which canonical deals have hands of fewer than 13 cards (3.10); false where there is no deal."""
    hands = 4 - deal.str.count_matches("-", literal=True)
    return (deal.str.count_matches("[AKQJT2-9]") < 13 * hands).fill_null(value=False)


def _needs(tags: Tags, section: str, records: pl.DataFrame) -> pl.DataFrame:
    at = tags.row[section]
    stated = at.is_not_null() & ~tags.value(section).is_in(values.UNKNOWN_VALUES).fill_null(value=True)
    late = [empty(PROBLEMS)]
    missing = []
    for name in _NEEDS[section]:
        row = tags.row.get(name)
        lacks = stated if row is None else stated & row.is_null() & tags.value(name).is_null()
        if name == "Declarer" and lacks.any():
            lacks &= ~records.select(is_end_position(pl.col("deal")))["deal"]
        missing.append(pl.when(lacks).then(pl.lit(name)).alias(name))
        if row is not None and (row > at).any():
            place = tags.at_fault(name, stated & (row > at)).rename({"game": "record"})
            late.append(found("pbn-section-order", place.with_columns(pl.lit(section).alias("section"))))
    named = pl.select(pl.concat_str(missing, separator=", ", ignore_nulls=True).alias("missing"))["missing"]
    lacking = (named != "") & stated
    place = tags.at_fault(section, lacking).rename({"game": "record"})
    return pl.concat([*late, found("pbn-section-needs", place.with_columns(named.filter(lacking).alias("missing")))])


def _bare(sections: pl.DataFrame) -> pl.DataFrame:
    """Blank comments and escape lines out, so that places stay what they are."""
    if not sections["mixed"].any():
        return sections
    texts = [_blanked(text) if mixed else text for text, mixed in sections.select("text", "mixed").iter_rows()]
    return sections.with_columns(pl.Series("text", texts))


def _blanked(text: str) -> str:
    return _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def _spelling(games: Games, name: str, code: str, pattern: str) -> pl.DataFrame:
    """Report the first word of a section that is understood and not the standard's."""
    suspects = games.sections.filter((pl.col("name") == name) & pl.col("text").str.contains(pattern))
    if suspects.is_empty():
        return empty(PROBLEMS)
    return found(code, _matches(_bare(suspects), re.compile(pattern), group=1))


def _after_end(games: Games, name: str, pattern: str) -> pl.DataFrame:
    """Report what stands after the `*` or the `+` that ends a section (3.5 and 3.6)."""
    suspects = games.sections.filter((pl.col("name") == name) & pl.col("text").str.contains(pattern))
    if suspects.is_empty():
        return empty(PROBLEMS)
    return found("pbn-after-end", _matches(_bare(suspects), re.compile(pattern), group=0))


def _matches(sections: pl.DataFrame, pattern: re.Pattern[str], group: int) -> pl.DataFrame:
    """Find where the first match in each text begins."""
    rows = []
    for game, line, column, text in sections.select("game", "line", "column", "text").iter_rows():
        match = pattern.search(text)
        if match:
            start = match.start(group)
            breaks = text.count("\n", 0, start)
            place = start - text.rfind("\n", 0, start) if breaks else column + start
            rows.append((game, line + breaks, place, " ".join(match[group].split())))
    schema = {"record": pl.UInt32, "line": pl.UInt32, "column": pl.UInt32, "text": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")
