"""The contestants of a session, each once, with the names of the players and the folder of the scorecard."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, Final

import polars as pl

from overtrick.core.bridge import cards
from overtrick.core.frames import Session
from overtrick.core.notation import clean, is_number, natural
from overtrick.core.words import fold_letters
from overtrick.show.text.display import format_names, format_signed

VOID: Final = "—"
SEAT_WORDS: Final = dict(zip(cards.SEATS, cards.SEAT_NAMES, strict=True))
"""Seats in words, by letter."""

_SYMBOLS: Final = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠", "notrump": "NT"}
_NAMES: Final = dict(zip(cards.STRAINS, _SYMBOLS, strict=True))
_RANKS: Final = {rank: "10" if rank == "T" else rank for rank in cards.RANKS}
_RANK_WORDS: Final = "two three four five six seven eight nine ten jack queen king ace".split()
_SPOKEN_RANKS: Final = dict(zip(cards.RANKS, _RANK_WORDS, strict=True))
_DOUBLED: Final = (("", ""), ("X", " doubled"), ("XX", " redoubled"))


@dataclass(frozen=True)
class SuitHolding:
    """One suit of one hand."""

    suit: str
    """`spades hearts diamonds clubs`."""
    symbol: str
    """The suit's character."""
    ranks: str
    """Ranks as people read them, `A Q 10 4`; `—` for a void."""
    spoken: str
    """For screen readers: `ace queen ten four`; `void`."""
    codes: str = ""
    """Ranks as files write them, `AQT4`; empty for a void."""


@dataclass(frozen=True)
class Hand:
    """One of the four hands."""

    seat: str
    """`North East South West`."""
    suits: tuple[SuitHolding, ...]
    """Spades, hearts, diamonds, clubs; empty when the hand is not known."""
    points: int | None
    """High-card points; None unless thirteen cards are known."""
    spoken: str
    """One sentence for screen readers."""
    shape: str = ""
    """Cards by suit, the longest first, `5431`; empty unless thirteen cards are known."""
    short_points: int | None = None
    """Points for short suits, 3 for a void, 2 for a singleton and 1 for a doubleton; None unless thirteen are known."""
    long_points: int | None = None
    """Points for long suits, 1 for each card after the fourth of a suit."""
    opening: str = ""
    """The opening bids that the Standard American card names, `1♥ / 1♠`; empty for none, or where pages show none."""


@dataclass(frozen=True)
class Contract:
    """A contract; all texts are empty when it is unknown."""

    text: str
    """All of it as plain text: `4♠X`, `3NT`, `Pass`."""
    level: str
    suit: str
    """`spades` ... `clubs`, `notrump`; empty when passed out."""
    symbol: str
    """The strain: a suit's character or `NT`."""
    doubled: str
    """Empty, `X` or `XX`."""
    spoken: str
    """`4 spades doubled`, `passed out`."""


@dataclass(frozen=True)
class Card:
    """A card, such as the opening lead."""

    suit: str
    symbol: str
    rank: str
    spoken: str


NO_CONTRACT: Final = Contract("", "", "", "", "", "")
PASSED_OUT: Final = Contract("Pass", "", "", "", "", "passed out")


def make_contract(level: int | None, strain: str | None, doubled: int | None) -> Contract:
    """Return a contract from the columns of results: level 0 is passed out, None unknown; `doubled` is 0, 1 or 2."""
    if level == 0:
        return PASSED_OUT
    if level is None or strain is None:
        return NO_CONTRACT
    suit = _NAMES[strain]
    mark, spoken = _DOUBLED[doubled or 0]
    symbol = _SYMBOLS[suit]
    said = suit.removesuffix("s") if level == 1 else suit
    return Contract(f"{level}{symbol}{mark}", str(level), suit, symbol, mark, f"{level} {said}{spoken}")


def make_card(text: str | None) -> Card | None:
    """Return a card from its name, suit first: `DQ`, `HT`; None for a text that is not a card."""
    if text not in cards.CARDS:
        return None
    suit, rank = _NAMES[text[0]], text[1]
    return Card(suit, _SYMBOLS[suit], _RANKS[rank], f"{_SPOKEN_RANKS[rank]} of {suit}")


def format_result(level: int | None, tricks: int | None) -> str:
    """Return declarer's tricks against the contract: `=`, `+1`, `−2`; empty when passed out or unknown."""
    if not level or tricks is None:
        return ""
    over = tricks - level - 6
    return format_signed(over) if over else "="


def make_hands(deal: str | None) -> tuple[Hand, ...]:
    """Return the hands of a canonical deal, North, East, South, West; empty without a deal."""
    return () if deal is None else tuple(map(_make_hand, cards.SEAT_NAMES, cards.hands(deal)))


def _make_hand(seat: str, cards_held: list[int] | None) -> Hand:
    if cards_held is None:
        return Hand(seat, (), None, f"{seat}: not known")
    suits = tuple(_make_holding(suit, cards_held) for suit in (3, 2, 1, 0))
    points = sum(int(cards.HIGH_CARD_POINTS[code % 13]) for code in cards_held) if len(cards_held) == 13 else None
    spoken = "; ".join(f"{holding.suit} {holding.spoken}" for holding in suits)
    return Hand(seat, suits, points, f"{seat}: {spoken}")


def _make_holding(suit: int, cards_held: list[int]) -> SuitHolding:
    ranks = [cards.RANKS[code % 13] for code in sorted(cards_held, reverse=True) if code // 13 == suit]
    name = cards.SUIT_NAMES[suit]
    return SuitHolding(
        name,
        _SYMBOLS[name],
        " ".join(_RANKS[rank] for rank in ranks) or VOID,
        " ".join(_SPOKEN_RANKS[rank] for rank in ranks) or "void",
        "".join(ranks),
    )


LONGEST: Final = 60
"""Characters of a slug, before the digits of a hash."""


def make_slug(text: str) -> str:
    """Return a text reduced to `a-z 0-9 -`; a text that is then empty or too long ends in digits of its hash.

    A slug holds no dot, slash, backslash or leading hyphen, so a path made of it can't leave its folder.
    """
    plain = fold_letters(text).encode("ascii", "ignore").decode()
    folded = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if folded and len(folded) <= LONGEST:
        return folded
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{folded[:LONGEST].rstrip('-')}-{digest}" if folded else digest


def is_slug(text: str) -> bool:
    """Return whether a text may be a slug: nothing but `a-z 0-9 -`, and no hyphen in front."""
    return re.fullmatch(r"[a-z0-9][a-z0-9-]*", text) is not None


def make_slugs(texts: Iterable[str]) -> list[str]:
    """Return a slug for each text, in order; a second use of the same slug gets `-2`, a third `-3`."""
    taken: set[str] = set()
    uses: dict[str, int] = defaultdict(lambda: 1)
    slugs = []
    for text in texts:
        base = candidate = make_slug(text)
        while candidate in taken:
            uses[base] += 1
            candidate = f"{base}-{uses[base]}"
        taken.add(candidate)
        slugs.append(candidate)
    return slugs


_PLAYERS: Final = {"NS": ("player_n", "player_s"), "EW": ("player_e", "player_w")}


@dataclass(frozen=True)
class ContestantRef:
    """A contestant as other pages name it."""

    id: str
    names: str
    """The players; the identity where no file names them."""
    page: str
    """Path of its scorecard from the site's root, `pair-7/index.html`; empty when it has none."""
    players: "tuple[ContestantRef, ...]" = ()
    """In an individual: the two players of a side, each a contestant; else empty."""
    substitutes: tuple[tuple[str, str], ...] = ()
    """Who played for one of the players, each with the player that was absent."""

    @property
    def number(self) -> str:
        """The identity, such as a pair's number, unless it only repeats the names; then empty."""
        return "" if self.id == self.names else self.id


NOBODY: Final = ContestantRef("", "", "")


@dataclass(frozen=True)
class Contestant:
    """A contestant. Section and direction are None where the identity alone is unique."""

    id: str
    section: str | None
    direction: str | None
    names: str
    slug: str = ""
    substitutes: str = ""

    @cached_property
    def ref(self) -> ContestantRef:
        """The contestant as other pages name it."""
        shown = format_names(self.id) or "?"
        stood_in = tuple(_read_substitute(text) for text in self.substitutes.split("; ") if text)
        return ContestantRef(shown, self.names or shown, f"{self.slug}/index.html", substitutes=stood_in)


class _Namesakes:
    """The contestants of one identity. A congress may have a pair 1 in each of its thousands of sections."""

    def __init__(self) -> None:
        self.all: list[Contestant] = []
        self.by_section: dict[str | None, list[int]] = defaultdict(list)
        """Their places in `all`."""
        self.first: dict[str | None, int] = {}
        """The place of the first of each direction."""

    def add(self, contestant: Contestant) -> None:
        self.first.setdefault(contestant.direction, len(self.all))
        self.by_section[contestant.section].append(len(self.all))
        self.all.append(contestant)

    def list_near(self, section: str | None) -> list[int]:
        """Return the places of those in this section or in none, and of the first in each direction.

        No other can agree better, or as well and come earlier: all others have another section.
        """
        inside = (self.by_section.get(name, ()) for name in (section, None))
        return sorted({*chain.from_iterable(inside), *self.first.values()})


class Contestants:
    """All contestants of a session, found by what a result says of them.

    Two-winner movements use the same numbers in both directions, and sections may use the same numbers too. Then the
    standings and contestants state direction and section, and these tell two contestants of one number apart.
    """

    def __init__(self, session: Session, team: str = "") -> None:
        """Find everybody.

        Args:
            session: scored.
            team: the word before the number of a team that nobody named: `Team`.
        """
        called = {
            number: f"{team} {number}"
            for number in chain(session.matches["team"], session.matches["opponents"])
            if team and is_number(number or "")
        }
        self._by_id: dict[str, _Namesakes] = defaultdict(_Namesakes)
        for row in _list_mentions(session).iter_rows(named=True):
            who = (row["contestant"], row["section"], row["direction"], format_names(row["names"]))
            self._add(Contestant(*who, substitutes=row["substitutes"] or ""))
        everyone = sorted(
            (entrant for same in self._by_id.values() for entrant in same.all),
            key=lambda entrant: (natural(entrant.section), natural(entrant.id), entrant.direction or ""),
        )
        named = make_slugs(self._compose_slug(entrant) for entrant in everyone)
        self._all = [
            replace(entrant, slug=slug, names=entrant.names or called.get(entrant.id, ""))
            for entrant, slug in zip(everyone, named, strict=True)
        ]
        self._by_id.clear()
        for entrant in self._all:
            self._by_id[entrant.id].add(entrant)
        self._found: dict[tuple[str | None, str | None, str | None], Contestant | None] = {}

    def __iter__(self) -> Iterator[Contestant]:
        """Iterate over all contestants by section, number and direction."""
        return iter(self._all)

    def find(self, identity: str | None, direction: str | None, section: str | None) -> Contestant | None:
        """Return who played under this identity in this direction (`NS`, `EW`) and section; None if nobody did."""
        who = identity, direction, section
        if who not in self._found:
            self._found[who] = self._search(*who)
        return self._found[who]

    def _search(self, identity: str | None, direction: str | None, section: str | None) -> Contestant | None:
        same = self._by_id.get(identity or "")
        if same is None:
            return None
        near = same.all if len(same.all) == 1 else [same.all[place] for place in same.list_near(section)]
        return max(near, key=lambda entrant: _rate_agreement(entrant, direction, section))

    def link(self, entrant: Contestant | None) -> ContestantRef:
        """Return a contestant as pages name it; `NOBODY` for None."""
        return entrant.ref if entrant else NOBODY

    def link_side(self, line: Mapping[str, Any], direction: str) -> ContestantRef:
        """Return who sat in this direction (`NS`, `EW`) at a table; in an individual both players."""
        players = tuple(self.link(entrant) for entrant in self._find_players(line, direction))
        if not players:
            return self.link(self._find_side(line, direction))
        ids, names = zip(*((entrant.id, entrant.names) for entrant in players), strict=True)
        return ContestantRef(" – ".join(ids), " – ".join(names), "", players)

    def find_sides(self, line: Mapping[str, Any]) -> tuple[Contestant | None, Contestant | None]:
        """Return the pairs that sat N-S and E-W at a table."""
        ns, ew = (self._find_side(line, side) for side in _PLAYERS)
        return ns, ew

    def name_sides(self, lines: Iterable[Mapping[str, Any]]) -> dict[str, str]:
        """Return the names of who sat N-S and E-W at the tables, by section, side and identity: `A|ns|3`."""
        found: dict[str, str] = {}
        for line in lines:
            for side in ("ns", "ew"):
                key = f"{line['section'] or ''}|{side}|{line[side] or ''}"
                if key not in found:
                    found[key] = self.link_side(line, side.upper()).names
        return {key: names for key, names in found.items() if names and names != key.rpartition("|")[2]}

    def _find_side(self, line: Mapping[str, Any], direction: str) -> Contestant | None:
        """Return the contestant that sat in this direction (`NS`, `EW`) at a table."""
        of_line = line.get(f"listed_{direction.lower()}") or direction
        return self.find(line[direction.lower()], of_line, line["section"])

    def find_earners(self, line: Mapping[str, Any], direction: str) -> list[Contestant]:
        """Return who earns the points of a side: both players of an individual, else the pair and its team."""
        found = (self._find_side(line, direction), self.find(line[f"team_{direction.lower()}"], None, line["section"]))
        return self._find_players(line, direction) or [entrant for entrant in found if entrant]

    def _find_players(self, line: Mapping[str, Any], direction: str) -> list[Contestant]:
        named = (line[column] for column in _PLAYERS[direction])
        found = [self.find(name, None, line["section"]) for name in named if name]
        return [entrant for entrant in found if entrant]

    def _add(self, new: Contestant) -> None:
        same = self._by_id[new.id]
        for place in same.list_near(new.section):
            old = same.all[place]
            if _agree(old.direction, new.direction) and _agree(old.section, new.section):
                known = {"names": old.names or new.names, "substitutes": old.substitutes or new.substitutes}
                same.all[place] = replace(old, **known)
                return
        same.add(new)

    def _compose_slug(self, entrant: Contestant) -> str:
        same = self._by_id[entrant.id]
        section = entrant.section if len(same.by_section) > 1 else None
        direction = entrant.direction if len(same.first) > 1 else None
        return " ".join(["pair", *filter(None, (section, direction)), clean(entrant.id) or "?"])


class Anchors:
    """The anchors of one page: each contestant once, because a second use of an id is invalid HTML."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, contestant: Contestant | None) -> str:
        """Return the anchor of a contestant; empty when it is taken, and for None."""
        if contestant is None or contestant.slug in self._taken:
            return ""
        self._taken.add(contestant.slug)
        return contestant.slug


def fill_sections(standings: pl.DataFrame) -> pl.DataFrame:
    """Return standings with `section` filled from the names of rankings such as `A NS`.

    The section may be all that tells two contestants of one number apart.
    """
    return standings.with_columns(pl.coalesce("section", pl.col("ranking").str.extract(r"^(.+) (?:NS|EW|all)$")))


def _list_mentions(session: Session) -> pl.DataFrame:
    """Return contestants as frames mention them, those with most detail first: standings, contestants, results."""
    columns = ("contestant", "section", "direction", "names")
    ranked = fill_sections(session.standings).select(columns)
    alone = pl.col("player_n").is_not_null()
    # A side of a table is a contestant, but not in an individual: there each of its players is.
    partners = session.results.filter(alone).select(pl.concat_list("ns", "ew").explode().unique().alias("contestant"))
    listed = session.contestants.select(*columns, "substitutes").join(partners, on="contestant", how="anti")
    known = pl.concat([ranked, listed], how="diagonal")
    seats = {**dict.fromkeys(("ns", "ew"), ~alone), **{name: alone for pair in _PLAYERS.values() for name in pair}}
    seated = (session.results.filter(there).select(contestant=column) for column, there in seats.items())
    played = pl.concat(seated).join(known, on="contestant", how="anti")
    everybody = pl.concat([known, played], how="diagonal")
    return everybody.filter(pl.col("contestant").fill_null("") != "").unique(maintain_order=True)


def _read_substitute(text: str) -> tuple[str, str]:
    """Return the substitute and the absent player of `Ben - Ann`."""
    player, _, absent = text.partition(" - ")
    return format_names(player), format_names(absent)


def _agree(old: str | None, new: str | None) -> bool:
    return old is None or new is None or old == new


def _rate_agreement(contestant: Contestant, direction: str | None, section: str | None) -> int:
    stated = ((contestant.direction, direction), (contestant.section, section))
    return sum(2 if have == wanted else 1 if have is None else 0 for have, wanted in stated)
