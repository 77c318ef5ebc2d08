"""Checks of sections: the tags that they need before them (PBN 3.1), and how calls and cards are written."""

import re
from collections.abc import Mapping
from functools import cache
from itertools import dropwhile
from typing import Final, NamedTuple

import numpy as np
import polars as pl

from overtrick.core import notation
from overtrick.core.bridge.auction import CALLS, PASS
from overtrick.core.bridge.cards import RANKS, SEATS
from overtrick.core.frames import PROBLEMS, empty
from overtrick.core.grammar import filled_in, for_columns, matcher, words
from overtrick.core.problems import Finding, report
from overtrick.files.formats.pbn.forms import is_end_position
from overtrick.files.formats.pbn.read.games import Batch, Games
from overtrick.files.formats.pbn.read.tag_columns import Tags
from overtrick.files.formats.pbn.tags import TAGS, names
from overtrick.files.formats.pbn.verify.tally import Files, Tally

_OTHERS, _AUCTION, _PLAY, _TABLES = range(100, 104)
"""Places of tags after the mandatory ones, which are numbered from 0."""
_RISING: Final = "|".join([f"[{RANKS[:place]}]{rank}" for place, rank in enumerate(RANKS) if place])


def check_line_ends(declared: int, line_end: int) -> list[Finding]:
    """Report, once, lines that do not end with CR LF (2.3)."""
    fault = {"fault": "lines do not end with CR LF"}
    return [Finding("pbn-export-form", declared, 1, values=fault)] if line_end == 1 else []


def find_declarations(games: Games, files: Files) -> dict[int, int]:
    """Return, by the number of the file, the line that declares export form, for each file that has one."""
    declared = games.items.filter((pl.col("kind") == "escape") & pl.col("text").str.contains(r"(?i)^%\s*EXPORT\s*$"))
    first = files.numbered(declared).unique("file", keep="first", maintain_order=True)
    return dict(first.select("file", "line").iter_rows())


class Declared(NamedTuple):
    """Which files declare export form, and from which line on (`find_declarations`)."""

    files: Files
    lines: Mapping[int, int]

    def of(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the rows below the declaration of their file."""
        line = self.files.of(rows["line"]).replace_strict(self.lines, default=None, return_dtype=pl.UInt32)
        return rows.filter(pl.col("line") > line)


def check_export_form(
    games: Games, tags: Tags, records: pl.DataFrame, annotations: pl.DataFrame, declared: Declared
) -> pl.DataFrame:
    """Report what is not in the form that its file declares, the first fault of a kind in a game."""
    if not declared.lines:
        return empty(PROBLEMS)
    stated = declared.of(games.tags.select(pl.col("game").alias("record"), "line", "column", "name"))
    parts = [_missing(stated, tags), _disordered(stated, games), _not_alone(stated), _with_suffixes(annotations)]
    faults = pl.concat([*parts, *_misspelt(tags), *_not_from_dealer(tags, records)])
    return report("pbn-export-form", declared.of(faults))


def _fault(rows: pl.DataFrame, fault: pl.Expr) -> pl.DataFrame:
    return rows.select("record", "line", "column", fault.alias("fault"))


def _missing(stated: pl.DataFrame, tags: Tags) -> pl.DataFrame:
    """List the mandatory tags that a game lacks; a `##` in an earlier game makes up for one."""
    lacking = [pl.when(tags.value(name).is_null()).then(pl.lit(name)).alias(name) for name in names(mandatory=True)]
    lists = pl.select(pl.concat_str(lacking, separator=", ", ignore_nulls=True).alias("names"))["names"]
    first = stated.unique("record", keep="first", maintain_order=True)
    first = first.with_columns(lists.gather(first["record"]).alias("names")).filter(pl.col("names") != "")
    return _fault(first, pl.format("the game lacks {}", "names"))


def _disordered(stated: pl.DataFrame, games: Games) -> pl.DataFrame:
    """Find the first tag of each game that comes too late."""
    headed = games.sections["name"].unique().to_list()
    places = {
        **dict.fromkeys([*headed, *names(heads="table")], _TABLES),
        **{name: place for place, name in enumerate(names(mandatory=True))},
        "Auction": _AUCTION,
        "Play": _PLAY,
    }
    place = pl.col("name").replace_strict(places, default=_OTHERS, return_dtype=pl.Int64)
    known = stated.filter(pl.col("name") != "Note").with_columns(place.alias("place"))
    before, name_before = pl.col("place").shift().over("record"), pl.col("name").shift().over("record")
    sorted_by_name = pl.col("place").is_in([_OTHERS, _TABLES])
    late = (pl.col("place") < before) | ((pl.col("place") == before) & sorted_by_name & (pl.col("name") < name_before))
    first = (
        known.with_columns(name_before.alias("before")).filter(late).unique("record", keep="first", maintain_order=True)
    )
    return _fault(first, pl.format("{} comes after {}", "name", "before"))


def _not_alone(stated: pl.DataFrame) -> pl.DataFrame:
    first = stated.filter(pl.col("column") > 1).unique("record", keep="first", maintain_order=True)
    return _fault(first, pl.format("{} is not at the beginning of its line", "name"))


def _misspelt(tags: Tags) -> list[pl.DataFrame]:
    """Find values that only import form writes so (3.4, 3.11)."""
    exported = {tag.name: tag.export.pattern for tag in TAGS.values() if tag.export and tag.export.pattern}
    odd = {
        name: ~tags.value(name).str.contains(rf"^(?:{filled_in(pattern, exact=True)}|\??)$")
        for name, pattern in exported.items()
    }
    odd["Deal"] |= tags.value("Deal").str.contains(_RISING)
    return [_at(tags, name, mask, f"{name} is written as in import form") for name, mask in odd.items()]


def _not_from_dealer(tags: Tags, records: pl.DataFrame) -> list[pl.DataFrame]:
    """Find deals and auctions that do not begin with the dealer (3.4.11, 3.5)."""
    dealer = records["dealer"].cast(pl.String)
    first = {name: tags.value(name).str.slice(0, 1).str.to_uppercase() for name in ("Deal", "Auction")}
    return [
        _at(tags, name, (seat != dealer) & seat.is_in(list(SEATS)), f"{name} does not begin with the dealer")
        for name, seat in first.items()
    ]


def _with_suffixes(annotations: pl.DataFrame) -> pl.DataFrame:
    """Find the first suffix of each game, where export form has a NAG (3.5.2)."""
    first = annotations.filter(pl.col("kind") == "suffix").unique("record", keep="first", maintain_order=True)
    return _fault(first, pl.lit("a call or card has a suffix instead of its NAG"))


def _at(tags: Tags, name: str, mask: pl.Series, fault: str) -> pl.DataFrame:
    return _fault(tags.at_fault(name, mask), pl.lit(fault))


_AFTER_WORD: Final = r"(?:[\s!?=$*+^]|$)"
_NO_ENTRY: Final = {"Auction": r"\s|-|", "Play": r"\s|"}
_MARKED: Final = r"[!?$=^]"
"""In any annotation."""
_EARLY: Final = {name: rf"^(?:{blank}\{{[^}}]*\}}|;[^\n]*\n)*([!?$=]\S*)" for name, blank in _NO_ENTRY.items()}
"""An annotation before the first call or card."""
_LATE: Final = r"[*+]\s*([!?$=]\S*)"
"""An annotation after the end."""
_ALERT: Final = r"(?i)\b([1-7](?:NT?|[CDHS]))\*(\s*[^\s*])"
"""A bid with a `*` that more follows."""
_DANGLING: Final = r"(\^[^Ss\s])\s*[*+]?\s*$"
"""An irregularity without a call or card after it."""
_PADDED_ROUND: Final = r"^\s*(?:-\s+){3}(-)(?:\s|$)"
"""A whole round of seats before the dealer's."""
_AFTER_END: Final = {
    "Auction": r"[*+]\s*[^\s*+!?=$^]|[*+]\s*[*+]",
    "Play": r"\*\s*[^\s!?=$^]|\+[^+*]*[+*]|\+[^+*\n]*\n[\s-]*[SHDCshdc]",
}


@cache
def odd_calls() -> str:
    """Match calls in a spelling that the grammar knows and the standard does not, also several without a blank."""
    capitals = {call.upper() for call in CALLS}
    bids = [f"{for_columns('LEVEL')}{strain}" for strain in words("STRAIN") if f"1{strain}" not in CALLS]
    spelled = [word for terminal in ("PASS", "DOUBLE", "REDOUBLE") for word in words(terminal)]
    odd = "|".join([*bids, *(word for word in spelled if word.upper() not in capitals)])
    word = filled_in("(?:<BID>|Pass|AP)")
    run_on = f"(?:X{{1,2}}{word}|{word}(?:{word}|X))(?:{word}|X)*"
    return rf"(?i)(?:^|\s)({odd}|All[ \t]+Pass|{run_on}){_AFTER_WORD}"


@cache
def odd_cards() -> str:
    """Match cards in a spelling that the grammar knows and the standard does not."""
    ranks = "|".join(rank for rank in words("RANK") if len(rank) > 1)
    return filled_in(rf"(?i)(?:^|\s)(<SUIT>(?:{ranks})){_AFTER_WORD}")


def check_games_apart(batch: Batch, games: Games) -> pl.DataFrame:
    """Report games that begin without an empty line before them, and those with one inside (3)."""
    empties = batch.entries.filter(pl.col("kind") == "blank")["start"]
    before = np.searchsorted(empties.to_numpy(), games.tags["start"].to_numpy())
    game = games.tags["game"].to_numpy().astype(np.int64)
    moved, begins = (np.diff(number, prepend=-1) != 0 for number in (before, game))
    at_fault = {"pbn-games-joined": begins & ~moved, "pbn-game-split": ~begins & moved}
    found = [
        report(code, games.tags.filter(pl.Series(wrong)).rename({"game": "record"}))
        for code, wrong in at_fault.items()
        if wrong.any()
    ]
    return pl.concat([empty(PROBLEMS), *found])


def check_sections(games: Games, tags: Tags, records: pl.DataFrame) -> pl.DataFrame:
    """Report sections without the tags they need, odd spellings of calls and cards, and text after an end."""
    needs = [_check_needs(tags, tag.name, tag.needs, records) for tag in TAGS.values() if tag.needs]
    texts = {name: games.sections.filter(pl.col("name") == name) for name in ("Auction", "Play")}
    in_texts = _check_texts(texts, records) if any(len(text) for text in texts.values()) else []
    seats = [_check_auction_seat(tags, records), _check_play_seat(tags, records)]
    return pl.concat([empty(PROBLEMS), *needs, *in_texts, *seats])


def _check_texts(texts: dict[str, pl.DataFrame], records: pl.DataFrame) -> list[pl.DataFrame]:
    """Report what is odd in the texts of auctions and plays."""
    auctions, plays = _without_alerts(texts["Auction"]), texts["Play"]
    texts = {"Auction": auctions, "Play": plays}
    marked = {name: sections.filter(pl.col("text").str.contains(_MARKED)) for name, sections in texts.items()}
    return [
        _check_text(auctions, "pbn-call-spelling", odd_calls(), group=1),
        _check_text(plays, "pbn-card-spelling", odd_cards(), group=1),
        _check_text(auctions, "pbn-section-text/padding", _PADDED_ROUND, group=1),
        *(
            _check_text(marked[name], "pbn-annotation/lone", pattern, group=1)
            for name, early in _EARLY.items()
            for pattern in (early, _LATE, _DANGLING)
        ),
        *(_check_text(texts[name], "pbn-section-text/end", pattern, group=0) for name, pattern in _AFTER_END.items()),
        _check_ended_twice(auctions, records),
        _check_after_next(plays),
    ]


def count_alerts(games: Games, files: Files, tally: Tally) -> None:
    """Count the auctions with a `*` right after a bid."""
    auctions = games.sections.filter(pl.col("name") == "Auction")
    if len(auctions):
        auctions = auctions.filter(pl.col("text").str.contains(_ALERT))
    if auctions.is_empty():
        return
    tally.add("pbn-alert", files.numbered(first_matches(_bare(auctions), re.compile(_ALERT), 1)).drop("text"), "name")


def _without_alerts(sections: pl.DataFrame) -> pl.DataFrame:
    # In `1S* 2H* X` the first match takes the 2 along, so the second bid is matched by another round.
    once = pl.col("text").str.replace_all(_ALERT, "${1} ${2}")
    return sections.with_columns(once.str.replace_all(_ALERT, "${1} ${2}"))


def _check_needs(tags: Tags, section: str, needs: tuple[str, ...], records: pl.DataFrame) -> pl.DataFrame:
    if section not in tags.row:
        return empty(PROBLEMS)
    at = tags.row[section]
    stated = at.is_not_null() & ~tags.value(section).is_in(notation.UNKNOWN_VALUES).fill_null(value=True)
    late = [empty(PROBLEMS)]
    missing = []
    for name in needs:
        row = tags.row.get(name)
        value = tags.value(name)
        lacks = stated & (value.is_null() | value.is_in(notation.UNKNOWN_VALUES))
        if name == "Declarer" and lacks.any():
            lacks &= ~records.select(is_end_position(pl.col("deal")))["deal"]
        missing.append(pl.when(lacks).then(pl.lit(name)).alias(name))
        if row is not None and (row > at).any():
            place = tags.at_fault(name, stated & (row > at))
            late.append(report("pbn-section-order", place.with_columns(pl.lit(section).alias("section"))))
    named = pl.select(pl.concat_str(missing, separator=", ", ignore_nulls=True).alias("missing"))["missing"]
    lacking = (named != "") & stated
    place = tags.at_fault(section, lacking).with_columns(named.filter(lacking).alias("missing"))
    return pl.concat([*late, report("pbn-section-needs", place)])


def _bare(sections: pl.DataFrame) -> pl.DataFrame:
    """Overwrite comments and escape lines with blanks, so that all places stay the same."""
    if not sections["mixed"].any():
        return sections
    texts = [blank_remarks(text) if mixed else text for text, mixed in sections.select("text", "mixed").iter_rows()]
    return sections.with_columns(pl.Series("text", texts))


def blank_remarks(text: str) -> str:
    """Overwrite the comments and escape lines in the text of a section with blanks."""
    return matcher("REMARK").sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def _check_text(sections: pl.DataFrame, code: str, pattern: str, *, group: int) -> pl.DataFrame:
    """Report the first place in each section that matches."""
    if sections.is_empty():
        return empty(PROBLEMS)
    suspects = sections.filter(pl.col("text").str.contains(pattern))
    if suspects.is_empty():
        return empty(PROBLEMS)
    return report(code, first_matches(_bare(suspects), re.compile(pattern), group))


def _check_ended_twice(auctions: pl.DataFrame, records: pl.DataFrame) -> pl.DataFrame:
    """Report auctions with a `*` or a `+` after the passes that end them, where no call can follow (3.5)."""
    over = (pl.col("calls").list.len() >= 4) & (pl.col("calls").list.tail(3).list.eval(pl.element() == PASS).list.all())
    late = records.filter(pl.col("auction_end").is_not_null() & over)["record"]
    sections = auctions.filter(pl.col("game").is_in(late.to_list()))
    return report("pbn-section-text/end", first_matches(_bare(sections), re.compile("[*+]"), 0))


# Rows of four seats in the order of the table, `+` for the seat that plays next. Back from `+`, cards go on without a
# gap to the leader's:
#
#     S3 C3 +  SA      sound: the fourth seat led, then the first and the second played
#     S3 +  SA -       SA is irregular: between it and the leader's S3 is a seat that has not played
def _check_after_next(plays: pl.DataFrame) -> pl.DataFrame:
    """Report cards of a trick that were played although a seat before theirs has `+` for the next card (3.6)."""
    card = re.compile(filled_in(r"(?i)(?<!\S)(?:<SUIT><RANK>|[-+])(?![A-Za-z0-9])"))
    rows = []
    sections = _bare(plays.filter(pl.col("text").str.contains("+", literal=True)))
    for game, line, column, text in sections.select("game", "line", "column", "text").iter_rows():
        early = _find_early(list(card.finditer(text)))
        if early:
            rows.append((game, *_place(text, early.start(), line, column), early[0]))
    schema = {"record": pl.UInt32, "line": pl.UInt32, "column": pl.UInt32, "text": pl.String}
    return report("pbn-section-text/next", pl.DataFrame(rows, schema, orient="row"))


def _find_early(words: list[re.Match[str]]) -> re.Match[str] | None:
    """Return the first card of the trick with `+` that its seat played too early."""
    at = next((number for number, word in enumerate(words) if word[0] == "+"), None)
    if at is None:
        return None
    trick = [*words[at - at % 4 :][:4], None, None, None][:4]
    back = (trick[(at - step) % 4] for step in (1, 2, 3))
    rest = dropwhile(lambda word: word is not None and word[0] != "-", back)
    early = [word for word in rest if word is not None and word[0] != "-"]
    return min(early, key=re.Match.start, default=None)


def _check_auction_seat(tags: Tags, records: pl.DataFrame) -> pl.DataFrame:
    """Report Auction tags with calls below that name no seat (3.5)."""
    if "Auction" not in tags.row:
        return empty(PROBLEMS)
    unsaid = tags.value("Auction").str.strip_chars().is_in(notation.UNKNOWN_VALUES)
    called = (records["calls"].list.len() > 0).fill_null(value=False)
    return report("pbn-value-odd/auction", tags.at_fault("Auction", unsaid & called))


def _check_play_seat(tags: Tags, records: pl.DataFrame) -> pl.DataFrame:
    """Report Play tags that name another seat than the opening leader's, or none (3.6)."""
    if "Play" not in tags.row:
        return empty(PROBLEMS)
    seat, leader = pl.col("play_start"), notation.seat_after(pl.col("declarer"), 1)
    played = (pl.col("cards").list.len() > 0) & ~pl.col("irregular_declarer") & leader.is_not_null()
    seats = records.select(wrong=(played & seat.ne_missing(leader)).fill_null(value=False), leader=leader)
    at = tags.at_fault("Play", seats["wrong"])
    return report("pbn-play-seat", at.with_columns(leader=seats["leader"].gather(at["record"])))


def first_matches(sections: pl.DataFrame, pattern: re.Pattern[str], group: int) -> pl.DataFrame:
    """Return where the first match in the text of each section begins: `record line column name text`."""
    rows = []
    for game, line, column, name, text in sections.select("game", "line", "column", "name", "text").iter_rows():
        match = pattern.search(text)
        if match:
            rows.append((game, *_place(text, match.start(group), line, column), name, " ".join(match[group].split())))
    schema = {"record": pl.UInt32, "line": pl.UInt32, "column": pl.UInt32, "name": pl.String, "text": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _place(text: str, start: int, line: int, column: int) -> tuple[int, int]:
    """Return the line and column of a place in a text that begins at a line and column."""
    breaks = text.count("\n", 0, start)
    return line + breaks, start - text.rfind("\n", 0, start) if breaks else column + start
