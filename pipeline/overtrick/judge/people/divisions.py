"""Rankings of a part of the field: of each stratum, and of each club of an event that several clubs play."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

import polars as pl

from overtrick.core.config import People
from overtrick.core.config.members import Member
from overtrick.core.frames import Problems, Session, Standings, seats
from overtrick.core.problems import concat_problems, report
from overtrick.judge.people.identity import identify, split_pair

STRATUM: Final = "stratum "
CLUB: Final = "club "
_WHO: Final = ["contestant", "section", "direction"]
_DIVISION: Final = r"(?:^|^.* )(?:handicap|stratum .+|club .+) (?:NS|EW|all)$"


def is_division(ranking: pl.Expr) -> pl.Expr:
    """Return whether a ranking is that of a part of the field, or one with handicaps."""
    return ranking.str.contains(_DIVISION)


def divide(session: Session, people: People, clubs: Mapping[str, str]) -> Session:
    """Add rankings of parts of the field, after the others: `stratum B NS`, `club Millbrook all`.

    Places are those of the whole field, closed up: totals are not computed anew.

    Args:
        session: ranked, with all names.
        people: the members and their grades.
        clubs: the clubs of an event that several clubs play, by the names of their files (`assemble.clubs`).

    Returns:
        The session with more rows in `standings`, and a problem for each stratum without any. A stratum is ranked if it
        has two contestants at least, and clubs if there are several.
    """
    plain = session.standings.filter(~is_division(pl.col("ranking")))
    strata = _strata(session, plain, people)
    parts = [*chain(*(_rank_within(part, f"{STRATUM}{name}") for name, part in strata.items()))]
    parts += _clubs(session, plain, sorted({*clubs.values()}))
    problems = concat_problems([session.problems, _report_empty(strata, plain)])
    return replace(session, standings=pl.concat([session.standings, *parts]), problems=problems)


def _strata(session: Session, plain: Standings, people: People) -> dict[str, Standings]:
    """Return the contestants of each stratum."""
    if not people.strata or plain.is_empty():
        return {}
    graded = plain.with_columns(pl.Series("level", _list_levels(session, plain, people), pl.Int32))
    level, weaker = pl.col("level"), people.strata_include == "weaker"
    return {
        name: graded.filter(level >= number if weaker else level == number).drop("level")
        for number, name in enumerate(people.strata)
    }


def _report_empty(strata: Mapping[str, Standings], plain: Standings) -> Problems:
    """Report the strata without a ranking, and how many contestants are in none."""
    # A contestant may be in several rankings, those of a section and of all.
    everybody, *graded = ({*part.select(_WHO).iter_rows()} for part in (plain, *strata.values()))
    ungraded = len(everybody.difference(*graded))
    rows = [(name, part.height, ungraded) for name, part in strata.items() if part.height < 2]
    return report("stratum-empty", pl.DataFrame(rows, ["stratum", "contestants", "ungraded"], orient="row"))


def _list_levels(session: Session, plain: Standings, people: People) -> list[int | None]:
    """Return the stratum of each contestant, as `_level` does."""
    numbers: dict[tuple[str | None, ...], str | None] = {}
    for row in session.contestants.select(*_WHO, "members").iter_rows():
        numbers[row[:1]] = numbers[row[:3]] = row[3]
    ranked = plain.select(*_WHO, "names").iter_rows()
    pairs = [
        tuple(split_pair(names or who[0], numbers.get(tuple(who), numbers.get((who[0],))))) for *who, names in ranked
    ]
    known = identify((("", mention) for mention in chain(*pairs)), people.register)
    found = [[known.find(*mention) for mention in pair] for pair in pairs]
    return [_level([person.member if person else None for person in pair], people.strata) for pair in found]


def _level(members: Sequence[Member | None], strata: Sequence[str]) -> int | None:
    """Return the number of a pair's stratum, from 0 for the strongest: its stronger player's."""
    order = {name.casefold(): number for number, name in enumerate(strata)}
    levels = [order.get(member.grade.casefold()) if member else None for member in members]
    known = [level for level in levels if level is not None]
    # Somebody without a grade may be stronger than all.
    return min(known) if known and len(known) == len(levels) else None


def _clubs(session: Session, plain: Standings, clubs: Sequence[str]) -> Iterator[Standings]:
    sat = seats(session.results).with_columns(contestant=pl.coalesce("team", "contestant"))
    sections = sat.drop_nulls("section").select(_WHO).unique(maintain_order=True)
    if plain["section"].is_not_null().any():
        placed = plain.with_columns(home="section")
    else:
        homes = sections.unique("contestant", keep="first", maintain_order=True)
        homes = homes.select("contestant", home="section")
        placed = plain.join(homes, on="contestant", how="left", maintain_order="left")
    # The sections of a club begin with its name (`assemble.clubs`).
    parts = [(club, placed.filter(_is_of(club)).drop("home")) for club in clubs]
    if sum(not part.is_empty() for _, part in parts) > 1:
        for club, part in parts:
            yield from _rank_within(part, f"{CLUB}{club}")


def _is_of(club: str) -> pl.Expr:
    return (pl.col("home") == club) | pl.col("home").str.starts_with(f"{club} ")


def _rank_within(part: Standings, name: str) -> Iterator[Standings]:
    """Rank the contestants of a part among themselves; nothing for fewer than two."""
    if part.height < 2:
        return
    section, field = pl.col("ranking").str.extract(r"^(.+) (?:NS|EW|all)$"), pl.col("ranking").str.extract(r"(\w+)$")
    yield part.with_columns(
        rank=pl.col("rank").rank("min").over("ranking").cast(pl.UInt32),
        rank_last=pl.col("rank").rank("max").over("ranking").cast(pl.UInt32),
        ranking=pl.concat_str(section, pl.lit(name), field, separator=" ", ignore_nulls=True),
    )
