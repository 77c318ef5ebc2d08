"""Boards as pages: the deal, and every table's result on it, best N-S score first."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import polars as pl

from overtrick.bridge.boards import board_dealer, board_vulnerability
from overtrick.bridge.cards import SEAT_NAMES, SEATS
from overtrick.bridge.evaluation import evaluated
from overtrick.frames import Session
from overtrick.notation import clean, natural
from overtrick.render.commentary import commentary
from overtrick.render.contestants import Anchors, Contestants
from overtrick.render.context import BoardPage, Hand, TravellerRow
from overtrick.render.double_dummy import double_dummy_tables
from overtrick.render.frequencies import frequencies
from overtrick.render.lines import Line, PointsForm, board_key, own_lines, percentage, remark, side_scores
from overtrick.render.notation import card, contract, hands, result
from overtrick.render.replays import replays_by_board
from overtrick.render.slugs import unique_slugs
from overtrick.render.text import signed

_DEALERS: Final = dict(zip(SEATS, SEAT_NAMES, strict=True))
_VULNERABLE: Final = {"None": "None", "NS": "N-S", "EW": "E-W", "All": "Both"}
_UNKNOWN: Final = "unknown"


def board_frame(session: Session) -> list[Mapping[str, Any]]:
    """List the boards that were dealt or played, in the order of their numbers, those without a number last.

    Returns:
        A row a board: `key` (`lines.board_key`), `board`, `board_label`, `deal` (the first that a record shows),
        `deals` (how many different ones do), `number` (as people read it), `dealer` and `vulnerable` as stated, else
        by the number (Law 2), `datum`, `records` (those of the board).
    """
    about = ("record", "board", "board_label", "deal", "dealer", "vulnerable")
    labels = session.records.select("record", "board_label").unique("record", keep="first")
    played = session.results.select("record", "board", "datum").join(labels, on="record", how="left")
    frame = board_key(pl.concat([session.records.select(about), played], how="diagonal"))
    board = pl.col("board")
    grouped = frame.group_by("key", maintain_order=True).agg(
        board.first(),
        pl.col("board_label").drop_nulls().first(),
        pl.col("deal").drop_nulls().first(),
        pl.col("deal").drop_nulls().n_unique().alias("deals"),
        pl.col("dealer").cast(pl.String).drop_nulls().first(),
        pl.col("vulnerable").cast(pl.String).drop_nulls().first(),
        pl.col("datum").drop_nulls().first(),
        pl.col("record").drop_nulls().unique(maintain_order=True).alias("records"),
    )
    rows = grouped.with_columns(
        pl.coalesce("dealer", board_dealer(board)).alias("dealer"),
        pl.coalesce("vulnerable", board_vulnerability(board)).alias("vulnerable"),
    ).to_dicts()
    for row in rows:
        row["number"] = str(row["board"]) if row["board"] is not None else clean(row["board_label"])
    return sorted(rows, key=lambda row: (row["board"] is None, row["board"] or 0, natural(row["board_label"])))


def board_pages(
    session: Session, lines: Sequence[Line], contestants: Contestants, form: PointsForm
) -> dict[str, BoardPage]:
    """Make a page of every board, by its key and in order; `lines` come from `lines.display_lines`."""
    frame = board_frame(session)
    slugs = unique_slugs(f"board {row['number'] or 'without number'}" for row in frame)
    own = own_lines(session, lines)
    recorded, replay_slugs = replays_by_board(session, frame, list(own.values()), contestants)
    solved = double_dummy_tables(session)
    said = commentary(session)
    worth = evaluated(pl.Series("deal", [row["deal"] for row in frame], dtype=pl.String)).to_dicts()
    at_board = defaultdict(list)
    for line in lines:
        at_board[line["key"]].append(line)
    pages = {}
    for place, (row, slug) in enumerate(zip(frame, slugs, strict=True)):
        key = row["key"]
        pages[key] = BoardPage(
            number=row["number"],
            slug=slug,
            dealer=_DEALERS.get(row["dealer"], _UNKNOWN),
            vulnerable=_VULNERABLE.get(row["vulnerable"], _UNKNOWN),
            hands=_hands(row["deal"], worth[place]),
            rows=_traveller(at_board[key], contestants, form, replay_slugs, own),
            datum="" if row["datum"] is None else signed(row["datum"]),
            previous=slugs[place - 1] if place else "",
            next=slugs[place + 1] if place + 1 < len(slugs) else "",
            double_dummy=solved.get((key, row["deal"])) or solved.get((key, None), ()),
            frequencies=frequencies(at_board[key], form),
            replays=recorded[key].shown,
            lin="".join(f"{one.line}\n" for one in recorded[key].lin),
            viewer="" if recorded[key].shown else "".join(one.link for one in recorded[key].lin),
            key=key,
            notes=_notes(row["deals"]),
            commentary=tuple(dict.fromkeys(text for record in row["records"] for text in said.get(record, ()))),
        )
    return pages


def _hands(deal: str | None, worth: Mapping[str, Any]) -> tuple[Hand, ...]:
    shapes = (worth[f"shape_{seat.lower()}"] or "" for seat in SEATS)
    return tuple(replace(hand, shape=shape) for hand, shape in zip(hands(deal), shapes, strict=False))


def _notes(deals: int) -> tuple[str, ...]:
    if deals < 2:
        return ()
    return (f"The files show {deals} different deals for this board; the first of them stands here.",)


def _traveller(
    lines: Sequence[Line],
    contestants: Contestants,
    form: PointsForm,
    replay_slugs: Mapping[int, str],
    own: Mapping[int | None, Line],
) -> tuple[TravellerRow, ...]:
    anchors = Anchors()
    rows = []
    for line in lines:
        slug = replay_slugs.get(line["record"], "") if own[line["record"]] is line else ""
        rows.append(replace(_row(line, contestants, form, anchors), replay=slug))
    return tuple(rows)


def _row(line: Line, contestants: Contestants, form: PointsForm, anchors: Anchors) -> TravellerRow:
    ns = contestants.find(line["ns"], "NS", line["section"])
    ew = contestants.find(line["ew"], "EW", line["section"])
    bid = contract(line["level"], line["strain"], line["doubled"])
    score_ns, score_ew = side_scores(line)
    return TravellerRow(
        section=clean(line["section"]),
        round=clean(line["round"]),
        table=clean(line["table"]),
        ns=contestants.side(line, "NS"),
        ew=contestants.side(line, "EW"),
        contract=bid,
        declarer=line["declarer"] or "",
        lead=card(line["lead"]),
        result=result(line["level"], line["tricks"]),
        tricks="" if line["tricks"] is None else str(line["tricks"]),
        score_ns=score_ns,
        score_ew=score_ew,
        points_ns=form.points(line["points_ns"]),
        points_ew=form.points(line["points_ew"]),
        percentage_ns=percentage(line["percentage_ns"]),
        percentage_ew=percentage(line["percentage_ew"]),
        status=line["status"] or "unknown",
        remark=remark(line, bid.text),
        tables=line["multiplicity"] or 1,
        anchor_ns=anchors.take(ns),
        anchor_ew=anchors.take(ew),
    )
