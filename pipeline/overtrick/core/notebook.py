"""How a session and a board show in a Python session (as text) and in a notebook (as HTML)."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Any, Final, Protocol

import polars as pl

from overtrick.core.bridge.cards import SEATS, STRAIN_SIGNS

_FIRST: Final = 8
"""Rows of a ranking that the text shows."""
_MOST: Final = 40
"""Rows of a ranking, and of problems, that the HTML shows."""
_RED: Final = {"♦", "♥"}
_CELL: Final = "padding:.1em .6em;text-align:left;vertical-align:top"
_PLACES: Final = (None, 0, None, 3, None, 1, None, 2, None)
"""The nine cells of a diagram, from the upper left, with the seats in four of them."""


class Shown(Protocol):
    """The frames and facts of a session that its summary shows."""

    @property
    def facts(self) -> Any: ...  # noqa: ANN401, D102 - `frames.Facts`, which is above this module
    @property
    def records(self) -> pl.DataFrame: ...  # noqa: D102
    @property
    def results(self) -> pl.DataFrame: ...  # noqa: D102
    @property
    def contestants(self) -> pl.DataFrame: ...  # noqa: D102
    @property
    def standings(self) -> pl.DataFrame: ...  # noqa: D102
    @property
    def problems(self) -> pl.DataFrame: ...  # noqa: D102


def summary(session: Shown) -> str:
    """Return a session as a few lines of text: its title, its size, and the head of the ranking."""
    lines = [_title(session), _counts(session)]
    for row in session.standings.head(_FIRST).iter_rows(named=True):
        score = _score(row)
        lines.append(
            f"{row['ranking']:>4}  {row['rank']:>3}  {_cropped(row['names'] or row['contestant']):<44} {score}"
        )
    if session.standings.height > _FIRST:
        lines.append(f"... and {session.standings.height - _FIRST} more in .standings")
    return "\n".join(lines)


def summary_html(session: Shown) -> str:
    """Return a session as HTML: its title, the rankings and the first problems, worst first."""
    parts = [f"<p><strong>{escape(_title(session))}</strong><br>{escape(_counts(session))}</p>"]
    for (name,), ranking in session.standings.head(_MOST).group_by("ranking", maintain_order=True):
        rows = [
            (row["rank"], row["names"] or row["contestant"], _score(row), row["boards"])
            for row in ranking.iter_rows(named=True)
        ]
        parts.append(_table(f"Ranking {name}", ("rank", "names", "score", "boards"), rows))
    problems = session.problems.sort("severity", maintain_order=True)
    found = problems.select("severity", "code", "source", "line", "message").head(_MOST).rows()
    if found:
        left = problems.height - len(found)
        title = f"Problems (the first {_MOST} of {problems.height})" if left else "Problems"
        parts.append(_table(title, ("severity", "code", "file", "line", "message"), found))
    return f"<div>{''.join(parts)}</div>"


@dataclass(frozen=True, repr=False)
class Board:
    """One board of a session, which shows as its diagram.

    Attributes:
        number: the board number.
        dealer: `N`, `E`, `S` or `W`; None if unknown.
        vulnerable: `None`, `NS`, `EW` or `All`; None if unknown.
        deal: the canonical deal, as in `frames.RECORDS`; None if no file shows it.
        results: the rows of `frames.RESULTS` for the board.
    """

    number: int
    dealer: str | None
    vulnerable: str | None
    deal: str | None
    results: pl.DataFrame

    def __repr__(self) -> str:
        """Return the title of the board, and its diagram as text."""
        if self.deal is None:
            return self._title()
        north, east, south, west = (_suits(hand) for hand in _hands(self.deal))
        indent = " " * 16
        middle = [f"{left:<32}{right}" for left, right in zip(west, east, strict=True)]
        lines = [*(indent + suit for suit in north), *middle, *(indent + suit for suit in south)]
        return "\n".join([self._title(), *(line.rstrip() for line in lines)])

    def _repr_html_(self) -> str:
        """Return the title of the board, its diagram and its results as HTML."""
        parts = [f"<p><strong>{escape(self._title())}</strong></p>"]
        if self.deal is not None:
            hands = ["<br>".join(_suit_html(suit[0], suit[1:]) for suit in _suits(hand)) for hand in _hands(self.deal)]
            cells = ["" if seat is None else hands[seat] for seat in _PLACES]
            parts.append(f"<table>{''.join(_row('td', cells[at : at + 3]) for at in (0, 3, 6))}</table>")
        columns = ("ns", "ew", "level", "strain", "declarer", "tricks", "score_ns", "points_ns", "points_ew")
        if not self.results.is_empty():
            parts.append(_table("Results", columns, self.results.select(columns).rows()))
        return f"<div>{''.join(parts)}</div>"

    def _title(self) -> str:
        shown = {"None": "nobody", "All": "everybody"}.get(self.vulnerable or "", self.vulnerable or "unknown")
        return f"Board {self.number}, dealer {self.dealer or 'unknown'}, vulnerable: {shown}"


def find_board(records: pl.DataFrame, results: pl.DataFrame, number: int) -> Board:
    """Return a board of a session.

    Raises:
        KeyError: neither a record nor a result has this board number.
    """
    games = records.filter(pl.col("board") == number)
    lines = results.filter(pl.col("board") == number)
    if games.is_empty() and lines.is_empty():
        raise KeyError(f"no board {number}")
    known = {name: _first(games[name]) for name in ("dealer", "vulnerable", "deal")}
    known["vulnerable"] = _first(lines["vulnerable"]) or known["vulnerable"]
    return Board(number, known["dealer"], known["vulnerable"], known["deal"], lines)


def _first(column: pl.Series) -> str | None:
    known = column.cast(pl.String).drop_nulls()
    return str(known[0]) if len(known) else None


def _hands(deal: str) -> list[str]:
    """Return the four hands of a canonical deal, from North clockwise."""
    hands = deal.removeprefix("N:").split(" ")
    return [*hands, *["-"] * (len(SEATS) - len(hands))]


def _suits(hand: str) -> list[str]:
    """Return the suits of a hand from spades down: `♠ A K 2`."""
    if hand == "-":
        return [f"{sign} ?" for sign in reversed(STRAIN_SIGNS[:4])]
    signs = zip(reversed(STRAIN_SIGNS[:4]), hand.split("."), strict=True)
    return [f"{sign} {' '.join(holding).replace('T', '10') or '-'}" for sign, holding in signs]


def _suit_html(sign: str, cards: str) -> str:
    colour = "#c00" if sign in _RED else "inherit"
    return f'<span style="color:{colour}">{sign}</span>{escape(cards)}'


def _title(session: Shown) -> str:
    facts = session.facts
    named = [text for text in (facts.event, facts.site, facts.date, facts.method) if text]
    return ", ".join(map(_cropped, named)) or "A session without a name"


def _counts(session: Shown) -> str:
    severities = dict(session.problems["severity"].value_counts().iter_rows())
    number = {
        "board": session.records["board"].drop_nulls().n_unique(),
        "result": session.results.height,
        "contestant": session.contestants.height,
        "error": severities.get("error", 0),
        "warning": severities.get("warning", 0),
        "note": severities.get("info", 0),
    }
    return ", ".join(f"{count} {word}{'' if count == 1 else 's'}" for word, count in number.items())


def _score(row: dict[str, Any]) -> str:
    """Return a total as people read it: the percentage if there is one."""
    if row["percentage"] is not None:
        return f"{row['percentage']:.2f}%"
    return "" if row["total"] is None else f"{row['total']:.2f}".rstrip("0").rstrip(".")


def _cropped(text: str) -> str:
    return text if len(text) <= 44 else f"{text[:43]}…"


def _table(title: str, heads: tuple[str, ...], rows: list[Any]) -> str:
    body = "".join(_row("td", map(_shown, row)) for row in rows)
    head = _row("th", map(escape, heads))
    return f"<table><caption>{escape(title)}</caption><thead>{head}</thead><tbody>{body}</tbody></table>"


def _row(kind: str, cells: Iterable[str]) -> str:
    inner = "".join(f'<{kind} style="{_CELL}">{cell}</{kind}>' for cell in cells)
    return f"<tr>{inner}</tr>"


def _shown(value: object) -> str:
    if isinstance(value, float):
        value = f"{value:.2f}".rstrip("0").rstrip(".")
    return "" if value is None else escape(str(value))
