"""The data of each document: texts in the reader's language, which the layouts in `templates/typst` place."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, TypeAlias

from overtrick.core.languages import Language
from overtrick.core.notation import is_number
from overtrick.show import views
from overtrick.show.html.auctions import Call
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.cell_tables import CellTable
from overtrick.show.html.contestants import ContestantRef, Contract
from overtrick.show.html.match_pages import MatchRound, Sheet
from overtrick.show.html.ranking_tables import Ranking, StandingRow
from overtrick.show.html.replay_pages import Replay, Trick
from overtrick.show.html.result_lines import Outcome
from overtrick.show.html.scorecards import Scorecard, ScorecardRow
from overtrick.show.html.session_page import SessionPage
from overtrick.show.html.team_cards import RoomResult, TeamMatch

SHORT_IDENTITY: Final = 5
"""Longest identity of a contestant, in characters, that a traveller sets as a number; longer ones are names."""
_MOST_LETTERS: Final = 3
"""Letters in the number of a contestant, such as `12NS`, at most; more of them are a name, such as that of a team."""
_SIDES: Final = ("NS", "EW")
"""A session of more rankings has sections, so a card names its own."""
_OURS: Final = {"N-S": "Our N-S", "E-W": "Our E-W"}
"""By the side of a team in a match, the head of its column."""
_LEAST_ROWS: Final = 3
"""Contestants of a recap at least: of two, each has what the other lost."""
_MOST_CROSSED: Final = 24
"""Teams in the table of all against all."""
_MOST_ROUNDS: Final = 16
"""Rounds in the table round by round."""

Data: TypeAlias = dict[str, Any]


class Texts:
    """The words and figures of a language, each distinct text of a session made once."""

    def __init__(self, spoken: Language) -> None:
        self.spoken = spoken
        remember = lru_cache(maxsize=None)
        self.say: Callable[[str], str] = remember(spoken.translate_phrase)
        self.figure: Callable[[str], str] = remember(spoken.format_figure)
        self.rank: Callable[[str], str] = remember(spoken.translate_ranks)
        self.terms: Callable[[str], str] = remember(spoken.translate_terms)


def list_scorecards(page: SessionPage, texts: Texts) -> Data:
    """Return the cards of all contestants that played, and the boards that are the best or the worst of any."""
    sections = page.rankings if len(page.rankings) > len(_SIDES) else ()
    fields = {row.contestant.page: ranking.title for ranking in sections for row in ranking.rows}
    played = [card for card in _order_cards(page) if card.rows]
    noted = {number for own in page.own.values() for number in (_name_first(own.best), _name_first(own.worst))}
    shown = [board for board in page.boards if board.number in noted and board.hands]
    return {
        "points": texts.say(page.points_name),
        "total": texts.say(page.total_name),
        "columns": describe_columns(views.SCORECARD, page.titles, texts),
        "cards": [_describe_card(card, fields.get(card.contestant.page, ""), page, texts) for card in played],
        "boards": {board.number: _describe_board(board, texts) | _describe_deal(board, texts) for board in shown},
    }


def _name_first(boards: str) -> str:
    return boards.partition(", ")[0]


def _order_cards(page: SessionPage) -> Iterable[Scorecard]:
    """Return the cards, those of the pairs of a team after that of the team."""
    if not page.teams:
        return page.scorecards
    cards = {card.contestant.page: card for card in page.scorecards}
    pairs = {team: [pair.page for pair in pairs] for team, pairs in page.line_ups.items()}
    ordered = (path for team in cards if team not in page.teams for path in (team, *pairs.get(team, ())))
    return [cards[path] for path in dict.fromkeys(ordered) if path in cards]


def list_travellers(page: SessionPage, texts: Texts) -> Data:
    """Return the boards that were played, with the players' names."""
    return {
        "columns": describe_columns(views.TRAVELLER, page.titles, texts),
        "boards": [
            _describe_board(board, texts) | {"rows": describe_rows(views.TRAVELLER, board, texts, _name_in_full)}
            for board in page.boards
            if board.rows
        ],
    }


def list_hand_records(page: SessionPage, texts: Texts) -> Data:
    """Return the deals of all boards."""
    return {
        "day": page.date_text,
        "boards": [_describe_board(board, texts) | _describe_deal(board, texts) for board in page.boards],
    }


def list_bulletin(page: SessionPage, texts: Texts) -> Data:
    """Return the rankings, what a session was scored by, its matches and score sheets, its boards, and the recap."""
    total = texts.say(page.total_name)
    return {
        "columns": describe_columns(views.TRAVELLER, page.titles, texts),
        "ranked": describe_columns(views.RANKING, page.titles, texts),
        "named": _has_long_identities(page.boards),
        "winners": [_list_winners(ranking, total, page, texts) for ranking in page.rankings if ranking.winners],
        "rankings": [_describe_ranking(ranking, page, texts) for ranking in page.rankings],
        "room": _describe_room(page.room, page, texts) if page.room else None,
        **_describe_scoring(page, texts),
        "unit": texts.say("per cent" if page.has_percentages else page.points_name),
        "matches-of": texts.say(page.contestants_name),
        "matched": describe_columns(views.MATCHES, page.titles, texts),
        **_describe_play_of_all(page, texts),
        **_list_cell_tables(page, texts),
    }


def _has_long_identities(boards: Iterable[BoardPage]) -> bool:
    """Report whether any traveller sets a contestant as a name, and not as a number."""
    sides = (side for board in boards for row in board.rows for side in (row.ns, row.ew))
    return any(len(side.id) > SHORT_IDENTITY for side in sides)


def _describe_scoring(page: SessionPage, texts: Texts) -> Data:
    speak = texts.spoken.translate_spoken
    return {
        "statistics": [(texts.say(name), texts.terms(speak(value))) for name, value in page.statistics],
        "policies": [(texts.say(name), texts.say(value)) for name, value in page.policies],
        "corrections": page.all_corrections,
        "sources": page.sources,
    }


def _describe_play_of_all(page: SessionPage, texts: Texts) -> Data:
    return {
        "rounds": [_describe_round(matches, texts) for matches in page.rounds],
        "sheet-columns": describe_columns(views.SHEET, {}, texts),
        "sheets": [_describe_sheet(sheet, texts) for sheet in page.sheets],
        "boards": [_describe_whole(board, texts) for board in page.boards if board.hands or not page.sheets],
    }


def _describe_whole(board: BoardPage, texts: Texts) -> Data:
    """Return everything of a board: its deal, its results, and what was recorded of the play."""
    results = {"rows": describe_rows(views.TRAVELLER, board, texts, attrgetter("id"))}
    return _describe_board(board, texts) | _describe_deal(board, texts) | results | _describe_play(board, texts)


def _list_cell_tables(page: SessionPage, texts: Texts) -> Data:
    """Return the sheets of cells beside names, without what is too large for a page.

    They are the recaps; all teams against all; and the only table round by round.
    """
    recaps = [recap for recap in page.recaps if len(recap.rows) >= _LEAST_ROWS]
    crossed = [page.crossed] if page.crossed and len(page.crossed.rows) <= _MOST_CROSSED else []
    by_round = [table for table in (page.by_round, *page.barometers) if table and table.names_opponents]
    rounds = by_round if len(by_round) == 1 and len(by_round[0].heads) <= _MOST_ROUNDS else []
    sheets = {"recaps": recaps, "crossed": crossed, "by-round": rounds}
    return {name: [_describe_cells(found, texts) for found in tables] for name, tables in sheets.items()}


def _describe_cells(found: CellTable, texts: Texts) -> Data:
    lines = {row.contestant.number: str(line) for line, row in enumerate(found.rows, 1) if _has_name(row.contestant)}
    rows = [
        {
            "number": _find_number(row.contestant),
            "names": _call(row.contestant),
            "cells": [
                {
                    "met": ", ".join(lines.get(number, number) for number in cell.met),
                    **_take_figures(texts, cell, "text", "total"),
                    "place": cell.place,
                }
                for cell in row.cells
            ],
            "total": texts.figure(row.total),
        }
        for row in found.rows
    ]
    note = texts.say("Totals after a round are without byes, carry-over and penalties.") if found.has_more else ""
    return {"title": texts.say(found.title), "heads": [head.text for head in found.heads], "note": note, "rows": rows}


def _list_winners(ranking: Ranking, total: str, page: SessionPage, texts: Texts) -> Data:
    def score(row: StandingRow) -> str:
        return texts.figure(f"{row.percentage} %") if row.percentage else f"{texts.figure(row.total)} {total}"

    rows = [
        {"names": _name_players(row.contestant, page.line_ups.get(row.contestant.page, ()), texts), "score": score(row)}
        for row in ranking.winners
    ]
    return {"title": texts.say(ranking.title), "rows": rows}


def _describe_ranking(ranking: Ranking, page: SessionPage, texts: Texts) -> Data:
    def name(contestant: ContestantRef) -> str:
        return _name_players(contestant, page.line_ups.get(contestant.page, ()), texts)

    return {"title": texts.say(ranking.title), "rows": describe_rows(views.RANKING, ranking, texts, name)}


def _describe_room(room: Ranking, page: SessionPage, texts: Texts) -> Data:
    """Return the Butler of the pairs, each with its team."""
    described = _describe_ranking(room, page, texts)
    for row, described_row in zip(room.rows, described["rows"], strict=True):
        team = page.teams.get(row.contestant.page)
        described_row["contestant"] += f" ({_call(team)})" if team else ""
    titles = {**page.titles, "total": texts.say("%(points)s per board") % {"points": texts.say("IMP")}}
    return {**described, "columns": describe_columns(views.RANKING, titles, texts)}


def _has_name(contestant: ContestantRef) -> bool:
    """Report whether the identity of a contestant is a name, and not a number."""
    return sum(map(str.isalpha, contestant.number)) > _MOST_LETTERS


def _find_number(contestant: ContestantRef) -> str:
    return "" if _has_name(contestant) else contestant.number


def _call(contestant: ContestantRef) -> str:
    """Return the name of a team, else the players."""
    return contestant.number if _has_name(contestant) else contestant.names


def _name_in_full(contestant: ContestantRef) -> str:
    """Return number and players, or the name of a team and its players."""
    return f"{contestant.number}{':' if _has_name(contestant) else ''} {contestant.names}".strip()


def _name_players(contestant: ContestantRef, line_up: Iterable[ContestantRef], texts: Texts) -> str:
    """Return the names of a contestant, its pairs, and who substituted for whom."""
    pairs = ", ".join(pair.names for pair in line_up) or (contestant.names if _has_name(contestant) else "")
    change = texts.say("Substitute: %(player)s for %(absent)s")
    changes = (change % {"player": player, "absent": absent} for player, absent in contestant.substitutes)
    return " · ".join((f"{_call(contestant)}: {pairs}" if pairs else contestant.names, *changes))


def _describe_round(match_round: MatchRound, texts: Texts) -> Data:
    rows = describe_rows(views.MATCHES, match_round, texts, _call)
    return {"title": texts.say(match_round.title) or texts.say("Matches"), "rows": rows}


def _write_both(won: str, lost: str, texts: Texts) -> str:
    """Return what two teams won: `12 : 8`; empty for nothing."""
    return texts.figure(f"{won} : {lost}") if won else ""


def _describe_sheet(sheet: Sheet, texts: Texts) -> Data:
    rows = describe_rows(views.SHEET, sheet, texts, _name_in_full)
    return {
        "title": texts.say(sheet.title) or texts.say("Score sheets"),
        "ns": sheet.ns.names,
        "ew": sheet.ew.names,
        **_take(sheet, "total-ns", "total-ew"),
        "rows": [row | _take(entry, "new-game") for row, entry in zip(rows, sheet.rows, strict=True)],
    }


def _take_figures(texts: Texts, shown: object, *names: str) -> Data:
    """Return numbers as the language writes them, by their names in layouts."""
    return {name: texts.figure(text) for name, text in _take(shown, *names).items()}


def _take(shown: object, *names: str) -> Data:
    """Return attributes as they are, by their names in layouts: `total-ns` for `total_ns`."""
    return {name: getattr(shown, name.replace("-", "_")) for name in names}


def describe_columns(view: views.View, titles: Mapping[str, str], texts: Texts) -> list[Data]:
    """Return the columns of a view for a layout: those on paper, with `key head group kind width align` and more."""
    listed = []
    for column in view:
        if paper := column.paper:
            head = column.title if paper.head is None else paper.head
            words = {"head": head, "group": paper.group or column.group}
            said = {key: texts.say(titles.get(text, text)) if text else "" for key, text in words.items()}
            listed.append({"key": column.name, "kind": column.kind} | asdict(paper) | said)
    return listed


def describe_rows(view: views.View, table: Any, texts: Texts, name: Callable[[ContestantRef], str]) -> list[Data]:  # noqa: ANN401 - whatever has rows
    """Return what the rows of a table have in the columns of a view on paper; an empty text where it is not shown.

    Args:
        view: the columns.
        table: what has the rows.
        texts: the language.
        name: names a contestant.
    """

    def write(column: views.Column, row: Any) -> object:  # noqa: ANN401 - as above
        value = column.of(row)
        return name(value) if isinstance(value, ContestantRef) else WRITTEN[column.kind](value, row, texts)

    nothing = dict.fromkeys((column.name for column in view if column.paper), "")
    shown = [column for column in view if column.paper and (not column.on_pages or column.is_in(table))]
    return [nothing | {column.name: write(column, row) for column in shown} for row in table.rows]


def _write_outcome(contract: Contract, row: Outcome, texts: Texts) -> object:
    words = row.remark or contract.text
    return _write_contract(contract) or (texts.say(words) if words else None)


def _write_tables(count: int, _row: object, texts: Texts) -> str:
    return texts.spoken.format_count(count, "%(num)s table", "%(num)s tables") if count > 1 else ""


WRITTEN: Final[Mapping[str, Callable[[Any, Any, Texts], object]]] = {
    **dict.fromkeys(("text", "place", "known"), lambda value, _row, _texts: "" if value is None else str(value)),
    **dict.fromkeys(("board", "partner"), lambda value, _row, _texts: value or ""),
    **dict.fromkeys(("figure", "marked", "total"), lambda value, _row, texts: texts.figure(value)),
    **dict.fromkeys(("word", "mark"), lambda value, _row, texts: texts.say(value) if value else ""),
    "contract": _write_outcome,
    "card": lambda card, _row, texts: (card.symbol, texts.rank(card.rank)) if card else None,
    "number": lambda _value, row, _texts: _find_number(row.contestant),
    "tables": _write_tables,
    "plus": lambda value, _row, _texts: "" if value is None else f"+{value}",
    "call": lambda call, _row, texts: texts.terms(call).replace(" ", "") or "–",
    "deal": lambda deal, row, texts: {"deal": deal} | _describe_outcome(row.outcome, texts) if row.outcome else None,
    "match": lambda won, row, texts: _write_both(won, row.points_opponents, texts),
    "victory": lambda won, row, texts: _write_both(won, row.victory_points_opponents, texts),
}
"""How documents write each kind of cell; layouts know what to make of a contract and of a card."""


def _write_contract(contract: Contract) -> tuple[str, str, str] | None:
    return (contract.level, contract.symbol, contract.doubled) if contract.symbol else None


def _describe_outcome(outcome: Outcome, texts: Texts) -> Data:
    """Return the contract at a table and its result."""
    return {
        "contract": _write_outcome(outcome.contract, outcome, texts),
        "by": texts.say(outcome.declarer) if outcome.contract.level else "",
        "lead": WRITTEN["card"](outcome.lead, outcome, texts),
        "result": outcome.result,
    }


def _describe_card(card: Scorecard, field: str, page: SessionPage, texts: Texts) -> Data:
    path = card.contestant.page
    # The page of a team shows its matches instead.
    played = () if card.matches else card.rows
    only, own = _find_only_round(played), page.own.get(path)
    return {
        "number": "" if card.matches else _find_number(card.contestant),
        "names": _name_players(card.contestant, page.line_ups.get(path, ()), texts),
        "field": texts.say(field),
        "team": _call(page.teams[path]) if path in page.teams else "",
        "round": only,
        "direction": texts.say(card.direction),
        "rank": card.rank,
        **_take_figures(texts, card, "total", "percentage"),
        "extras": [(texts.say(name), texts.figure(value)) for name, value in card.extras],
        "noted": {"Best board": _name_first(own.best), "Worst board": _name_first(own.worst)} if own else {},
        "matches": [_describe_match(match, texts) for match in card.matches],
        "rows": [
            row | ({"round": ""} if only else {})
            for row in describe_rows(views.SCORECARD, card, texts, _name_in_full)
            if played
        ],
    }


def _find_only_round(rows: Iterable[ScorecardRow]) -> str:
    """Return the name of the round of all rows, such as `Segment 3 of 8`, to be shown once; empty for a number."""
    rounds = {row.round for row in rows}
    only = rounds.pop() if len(rounds) == 1 else ""
    return "" if is_number(only) else only


def _describe_match(match: TeamMatch, texts: Texts) -> Data:
    def room(outcome: RoomResult | None) -> Data | None:
        return _describe_outcome(outcome, texts) | {"score": outcome.score} if outcome else None

    opponents = f"{texts.say('against')} {_call(match.opponents)}"
    boards = [
        {
            "board": line.board,
            "rooms": [room(outcome) for outcome in line.rooms],
            **_take_figures(texts, line, "won", "lost"),
        }
        for line in match.boards
    ]
    return {
        "title": f"{texts.say(match.round)}: {opponents}" if match.round else opponents,
        "heads": [_name_room(*seats, texts) for seats in zip(match.rooms, match.sides, strict=True)],
        "boards": boards,
        **_take_figures(texts, match, "won", "lost"),
        "vp": _write_both(match.victory_points, match.victory_points_opponents, texts),
    }


def _name_room(room: str, side: str, texts: Texts) -> str:
    """Return the head of a column: `Open Room: Our N-S`, without rooms `Our N-S`."""
    return ": ".join(texts.say(word) for word in (room, _OURS.get(side, "")) if word)


def _describe_board(board: BoardPage, texts: Texts) -> Data:
    """Return the head of a board: no cards and no results."""
    several = texts.say("The files have %(count)s different deals for this board. The first is shown.")
    return {
        "heading": texts.spoken.format_board(board.number, is_deal=board.is_deal, order=board.order),
        **_take(board, "number", "is-deal", "dealer", "vulnerable"),
        "datum": texts.figure(board.datum),
        "note": several % {"count": board.deals} if board.deals > 1 else "",
    }


def _describe_deal(board: BoardPage, texts: Texts) -> Data:
    """Return the hands of a board, the double-dummy tables and par."""
    listed = views.list_rows("HANDS", board.hands)
    rows = describe_rows(listed.view, listed, texts, _name_in_full)
    hands = [
        {
            **_take(hand, "seat", "points"),
            "worth": row if hand.shape else {},
            "spoken": texts.spoken.translate_spoken(hand.spoken),
            "suits": [texts.rank(holding.ranks) for holding in hand.suits],
        }
        for hand, row in zip(board.hands, rows, strict=True)
    ]
    tables = [
        {
            "rows": [(seat, [count or "?" for count in tricks]) for seat, tricks in table.rows],
            "par": texts.terms(table.par),
            "origin": table.origin,
        }
        for table in board.double_dummy
    ]
    return {"hands": hands, "double-dummy": tables}


def _describe_play(board: BoardPage, texts: Texts) -> Data:
    """Return the replays of a board, unless they are too many, and its commentary."""
    replays = () if board.replays_apart else board.replays
    return {"replays": [_describe_replay(replay, texts) for replay in replays], "commentary": board.commentary}


def _describe_replay(replay: Replay, texts: Texts) -> Data:
    rows, explanations = (replay.auction.rows, replay.auction.explanations) if replay.auction else ((), ())
    return {
        "heading": texts.say(replay.heading),
        "players": replay.players,
        "contract": _write_contract(replay.contract) or texts.say(replay.contract.text),
        "by": texts.say(replay.declarer),
        **_take(replay, "result", "score"),
        "auction": [_describe_call(call, texts) for row in rows for call in row],
        "explanations": [_take(note, "number", "text") for note in explanations],
        "tricks": [_describe_trick(trick, texts) for trick in (replay.play.tricks if replay.play else ())],
    }


def _describe_call(call: Call, texts: Texts) -> Data:
    bid = (call.level, call.symbol, "") if call.level else texts.say(call.text)
    return {"bid": bid, "mark": call.mark, "note": call.note or ("*" if call.alerted else "")}


def _describe_trick(trick: Trick, texts: Texts) -> Data:
    cards = [
        {"seat": played.seat, "symbol": played.card.symbol, "rank": texts.rank(played.card.rank)}
        | _take(played, "leads", "wins")
        for played in trick.cards
        if played.card
    ]
    return {"number": trick.number, "cards": cards}
