"""Data files of a session, and the files beside its pages: PBN, LIN, CSV, JSON, Parquet.

They are written from the frames, not copied from the files that were read: what those hold besides the session, such
as chat, membership numbers and addresses, is not published.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import CARDS, SIDE_OF_SEAT
from overtrick.core.config import Config
from overtrick.core.frames import ITEMS, Session, conform, empty
from overtrick.core.languages import Language
from overtrick.core.notation import clean, is_number
from overtrick.core.version import __version__
from overtrick.files.assemble.together import name_of_evening
from overtrick.files.formats import session_rows
from overtrick.files.formats.csv import list_table
from overtrick.files.formats.lin.write import write_lin
from overtrick.files.formats.pbn.write import as_pbn, export_games
from overtrick.files.formats.session_json import complete_results
from overtrick.judge.analyse.deals import CAUSES, FIELD, list_causes
from overtrick.judge.privacy import PublicSession
from overtrick.show import views
from overtrick.show.data.file_names import DataFormat, Rows
from overtrick.show.history.publications import History, describe_entries, describe_publications, list_published_results
from overtrick.show.html.people_pages import PersonPage
from overtrick.show.html.season_page import PeopleSite, SeasonPage
from overtrick.show.html.series_pages import SeriesPage
from overtrick.show.html.session_page import SessionPage
from overtrick.show.text.display import FIELDS, shorten_paths


def list_analysis(session: Session) -> pl.Series:
    """Return the analysis of each result as a struct, null without one; fractions are texts such as `-7/2`.

    Its fields: `dd_tricks lead_cost`; `play`, a list of `trick card seat side cost best`; `costs`, the tricks against
    double dummy that `lead`, `declarer` and `defence` gave up before anything cancels, null unless the play is recorded
    to an end; `swing` for N-S in the unit of the method; `causes`, a struct of `causes.CAUSES` that add up to it; the
    same for E-W as `swing_ew causes_ew`; and `others alike with_field`.
    """
    rows = session.analysis.hstack(session.results.select("declarer", "strain"))
    parts = {"swing": list_causes("NS"), "swing_ew": list_causes("EW")}
    fractions = {name: _fractions(rows.select("denominator", name, *causes)) for name, causes in parts.items()}
    known = pl.any_horizontal(pl.col("dd_tricks", "swing").is_not_null())
    fields = ("dd_tricks", "lead_cost", "play", "swing", "causes", "swing_ew", "causes_ew", "costs", *FIELD)
    return (
        rows.select("dd_tricks", "lead_cost", *FIELD)
        .with_columns(
            _list_costs(rows),
            _add_costs(rows),
            *(fractions[name][name] for name in parts),
            *(
                part.select(pl.struct(CAUSES).alias(f"causes{name[5:]}")).to_series()
                for name, part in fractions.items()
            ),
        )
        .select(pl.when(known).then(pl.struct(fields)).alias("analysis"))
        .to_series()
    )


def _fractions(numerators: pl.DataFrame) -> pl.DataFrame:
    """Write numerators over `denominator` in lowest terms."""
    below = numerators["denominator"].fill_null(1).to_numpy()
    written = {}
    for name in numerators.columns[1:]:
        above = numerators[name].fill_null(0).to_numpy()
        common = np.gcd(above, below)
        whole, rest = pl.Series(above // common).cast(pl.String), pl.Series(below // common)
        lowest = pl.when(pl.col("rest") == 1).then("whole").otherwise(pl.format("{}/{}", "whole", "rest"))
        parts = pl.DataFrame({"whole": whole, "rest": rest, "known": numerators[name].is_not_null()})
        written[name] = parts.select(pl.when("known").then(lowest)).to_series()
    return pl.DataFrame(written)


_SEATED: Final = ("seat", "declarer")
_COSTS: Final = ("lead", "declarer", "defence")


def _add_costs(rows: pl.DataFrame) -> pl.Series:
    """Return the tricks that each side gave up in a play, gross, as the struct `costs`: `lead declarer defence`."""
    numbered = rows.select("declarer", "costs").with_row_index("row")
    each = numbered.drop_nulls().explode("costs").unnest("costs")
    seat, declarer = (pl.col(name).cast(pl.String).replace_strict(SIDE_OF_SEAT, default=None) for name in _SEATED)
    # A claim has no seat; below 0 it is the defence that gave tricks up.
    own = pl.when(pl.col("seat").is_null()).then(pl.col("cost") > 0).otherwise(seat == declarer)
    by_defence = pl.when(pl.col("place") == 0).then(pl.lit("lead")).otherwise(pl.lit("defence"))
    cause = pl.when(own).then(pl.lit("declarer")).otherwise(by_defence)
    sums = {name: pl.col("cost").abs().filter(cause == name).sum().cast(pl.UInt8) for name in _COSTS}
    known = numbered.select("row", known=pl.all_horizontal(pl.col("declarer", "costs").is_not_null()))
    added = known.join(each.group_by("row").agg(**sums), on="row", how="left", maintain_order="left")
    return added.select(pl.when("known").then(pl.struct(pl.col(_COSTS).fill_null(0))).alias("costs")).to_series()


def _list_costs(rows: pl.DataFrame) -> pl.Series:
    """Return what gave up tricks: the cards by their names, then a claim, which has no card and no seat."""
    numbered = rows.select("declarer", "costs").with_row_index("row")
    each = numbered.explode("costs", empty_as_null=False, keep_nulls=False).unnest("costs")
    player, declarer = (
        pl.col(name).cast(pl.String).replace_strict(SIDE_OF_SEAT, default=None, return_dtype=pl.String)
        for name in ("seat", "declarer")
    )
    by_declarer = pl.when(pl.col("card").is_null()).then(pl.col("cost") > 0).otherwise(player == declarer)
    names = dict(enumerate(CARDS))
    played = pl.col("card").is_not_null()
    listed = each.select(
        "row",
        pl.struct(
            pl.when(played).then(pl.col("place") // 4 + 1).cast(pl.UInt8).alias("trick"),
            pl.col("card").replace_strict(names, default=None, return_dtype=pl.String),
            pl.col("seat").cast(pl.String),
            pl.when(by_declarer).then(pl.lit("declarer")).otherwise(pl.lit("defence")).alias("side"),
            pl.col("cost").abs(),
            pl.col("best").list.eval(pl.element().replace_strict(names, default=None, return_dtype=pl.String)),
        ).alias("play"),
    )
    by_row = listed.group_by("row", maintain_order=True).agg("play")
    plays = rows.select(pl.col("costs").is_not_null().alias("known")).with_row_index("row")
    return (
        plays.join(by_row, on="row", how="left", maintain_order="left")
        .select(pl.when("known").then(pl.col("play").fill_null([])).alias("play"))
        .to_series()
    )


def write_check_json(session: Session) -> str:
    """Return what was read: the number of `files`, of `records` in them and of different `boards`, and `problems`."""
    return session_rows.write_object(
        {
            "files": json.dumps(session.sources.height),
            "records": json.dumps(session.records.height),
            "boards": json.dumps(session_rows.count_boards(session)),
            "problems": session_rows.write_rows(session_rows.list_problems(session)),
        }
    )


def write_score_json(session: Session) -> str:
    """Return a scored session.

    The object has `session` (`scoring` as the file states it, `method` as it was scored, `policies` the rules that were
    applied, in words), and the lists of `session_rows`; `matches` and `sheets` where there are any.
    """
    return session_rows.write_object(
        {
            "session": json.dumps(session_rows.describe_session(session), ensure_ascii=False),
            **_write_lists(session, views.list_results(session)),
            "problems": session_rows.write_rows(session_rows.list_problems(session)),
        }
    )


def write_session_json(
    session: PublicSession,
    config: Config,
    folder: str = "",
    history: History | None = None,
    beside: Mapping[str, object] | None = None,
) -> str:
    """Return a published session, the `session.json` of its site.

    `docs/session.schema.json` describes it. A new key may be added under one `schema` number, but none changes.
    `beside` adds further keys, such as the `boards` and the words of `embed`.
    """
    history = history or History()
    names = shorten_paths(session.sources["source"].to_list())
    digests = session.sources.select("source", "sha256").iter_rows()
    about = {
        "title": clean(session.facts.event) or clean(session.facts.site) or None,
        "club": config.club.name,
        **session_rows.describe_session(session),
        "final": history.finality.final,
        "provisional_until": history.finality.iso or None,
        "published": history.finality.published,
        "corrections": [
            *({"date": one.date, "text": one.text} for one in config.site.corrected(folder)),
            *describe_entries(session),
        ],
        "publications": describe_publications(history.publications),
        "sources": [{"name": names[source], "sha256": digest} for source, digest in digests],
        "generator": f"overtrick {__version__}",
    }
    return session_rows.write_object(
        {
            "schema": "1",
            "session": json.dumps(about, ensure_ascii=False),
            **_write_lists(session, complete_results(list_published_results(session), session)),
            "contestants": session_rows.write_rows(session_rows.list_contestants(session)),
            "deals": session_rows.write_rows(session_rows.list_deals(session)),
            "games": session_rows.write_rows(session_rows.list_games(session, session_rows.FOR_ALL)),
            "items": session_rows.write_rows(session_rows.list_items(session).filter(is_kept())),
            **{key: json.dumps(value, ensure_ascii=False) for key, value in (beside or {}).items()},
        }
    )


def _write_lists(session: Session, results: pl.DataFrame) -> dict[str, str]:
    """Return the lists of a session; if it was analysed, with the `analysis` of each result and the `deals`."""
    standings = views.list_standings(session)
    if session.analysis.is_empty():
        return session_rows.write_lists(session, standings, results)
    deals = session.records.select("board", "deal").drop_nulls().unique(maintain_order=True)
    return {
        "deals": session_rows.write_rows(deals),
        **session_rows.write_lists(session, standings, results.with_columns(list_analysis(session))),
    }


SESSION_SCRIPT: Final = "session.js"
SEASON_FILE: Final = "season.json"
SEASON_SCRIPT: Final = "season.js"
PEOPLE_SCRIPT: Final = "people.js"
SEARCH_SCRIPT: Final = "search.js"

_STANDINGS: Final = ("ranking", "rank", "rank_last", "contestant", "names", "total", "percentage")
_RESULTS: Final = ("board", "ns", "ew", "contract", "declarer", "tricks", "score_ns", "percentage_ns")
_WORDS: Final = {"dealer": "Dealer", "vulnerable": "Vul.", "par": "Par", "results": "Results"}


def describe_boards(page: SessionPage, deals: Mapping[str, str], spoken: Language) -> list[dict[str, object]]:
    """Return each board for `session.json`: its number, page, dealer, vulnerability, deal and par, in words to read.

    Args:
        page: of the session.
        deals: the deal of each board in PBN, by its key.
        spoken: the language.
    """
    return [
        {
            "number": int(board.number) if is_number(board.number) else board.number,
            **(
                {"evening": board.evening, "board": int(board.stated)}
                if board.evening and is_number(board.stated)
                else {}
            ),
            "title": spoken.format_board(board.number, is_deal=board.is_deal, order=board.order),
            "page": f"{board.slug}/index.html" if page.has_board_pages else "index.html#sheets",
            "dealer": None if board.dealer == "unknown" else spoken.translate(board.dealer),
            "vulnerable": None if board.vulnerable == "unknown" else spoken.translate(board.vulnerable_words),
            "deal": deals.get(board.key),
            "par": next((spoken.translate_terms(table.par) for table in board.double_dummy if table.par), None),
        }
        for board in page.boards
    ]


def describe_words(page: SessionPage, spoken: Language) -> dict[str, object]:
    """Return the words that other websites show, in the language of the pages, and the names of the contestants."""
    words = {key: spoken.translate(text) for key, text in _WORDS.items()}
    words |= {seat: spoken.translate(seat) for seat in "NESW"}
    words |= {name: spoken.translate(title) for name, title in FIELDS.items()}
    words |= {ranking.name: spoken.translate_phrase(ranking.title) for ranking in page.rankings}
    return {"language": spoken.code, "words": words, "names": page.sides}


def write_session_script(
    session: PublicSession, page: SessionPage, boards: list[dict[str, object]], spoken: Language
) -> str:
    """Return what `embed.js` reads where it may not read `session.json`: a part of it, as a script."""
    rows = list_published_results(session)
    # Sections and evenings only where there are several.
    several = [name for name in ("evening", "section") if name in rows.columns and not rows[name].is_null().all()]
    data = {
        "session": {"title": page.title, "date": page.date or None, "club": page.club or None},
        "standings": views.list_standings(session).select(_STANDINGS).to_dicts(),
        "results": rows.select(*several, *_RESULTS).to_dicts(),
        "boards": boards,
        "embed": describe_words(page, spoken),
    }
    return _wrap(data)


def write_season(page: SeasonPage) -> dict[str, str]:
    """Return the sessions of a season, the latest first, as JSON and as a script, by file name."""
    sessions = [
        {
            "title": session.title,
            "folder": session.folder,
            "date": session.day or None,
            "date_text": session.date_text,
            "winners": [{"names": winner.names, "percentage": winner.percentage or None} for winner in session.winners],
            **({"teams": session.teams} if session.teams else {}),
        }
        for session in page.sessions
    ]
    data = {"schema": 1, "title": page.title, "sessions": sessions}
    return {SEASON_FILE: json.dumps(data, ensure_ascii=False, indent=1) + "\n", SEASON_SCRIPT: _wrap(data)}


def write_spellings(spellings: Mapping[str, str]) -> str:
    """Return the pages of players as a script, by which the pages of evenings link to them.

    So a new player's page changes no page of an evening.
    """
    return f"window.overtrickPeople = {json.dumps(spellings, indent=0)};\n"


def write_search(people: PeopleSite) -> str:
    """Return what the search of a season reads: each player and partnership, with the latest five evenings.

    For each a list: the name, the page, all spellings, of each evening the scorecard, place, field and percentage, and
    of each series that ranks it the page, name, place and field.
    """
    series: dict[str, list[list[object]]] = {}
    for page in (page for _, _, page in people.pages if isinstance(page, SeriesPage)):
        for row in (row for row in page.rows if row.rank):
            for player in row.players:
                series.setdefault(player.page, []).append([page.path, page.name, row.rank, len(page.rows)])
    spelt: dict[str, list[str]] = {}
    for name, path in people.spellings.items():
        spelt.setdefault(path, []).append(name)
    pages = [page for _, _, page in people.pages if isinstance(page, PersonPage)]
    return _wrap(
        [
            [
                one.name,
                one.path,
                spelt.get(one.path, []),
                [[row.page, row.place, row.field, row.percentage] for row in one.rows[:5]],
                series.get(one.path, []),
            ]
            for one in pages
        ]
    )


def _wrap(data: object) -> str:
    # A page that does not state its encoding reads a script as Latin letters, so the script is ASCII alone.
    text = json.dumps(data, separators=(",", ":"))
    return f"(window.overtrickData ||= {{}})[document.currentScript.src] = {text};\n"


_HEADER: Final = "% PBN 2.1\r\n% EXPORT\r\n\r\n"
_KEPT: Final = ("Note", "OptimumScore", "DoubleDummyTricks", "OptimumResultTable")
"""Tags that the frames do not hold, but readers want."""
_ORDER: Final = ("Auction", "Note", "Play", "ScoreTable", "TotalScoreTable", *_KEPT[1:])


def write_downloads(session: PublicSession, page: SessionPage) -> dict[str, bytes]:
    """Return the files of a session, by path: `session.pbn`, `session.lin` and `session.csv`, those that hold anything.

    Each holds what the pages show, as far as its format can; LIN only deals where no table recorded an auction or play.

    Args:
        session: the session with players named as they wish.
        page: what its pages show.
    """
    added = views.list_values(views.TRAVELLER, views.SCORECARD)
    table = list_table(session).hstack(session.results.select(added))
    files = {
        "session.pbn": write_pbn(session),
        "session.lin": _write_lin(session, page),
        "session.csv": session_rows.write_csv(table).encode() if len(table) else b"",
    }
    return {path: content for path, content in files.items() if content}


def list_whole(session: PublicSession, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return those of the files of a session that hold its results and that overtrick reads."""
    names = {"session.pbn", "session.csv", "session.json", "session.lin" if _is_recorded(session) else ""}
    return {name: content for name, content in files.items() if name in names}


def _is_recorded(session: PublicSession) -> bool:
    """Return whether any table has an auction or a play."""
    return any((session.records[entries].list.len() > 0).any() for entries in ("calls", "cards"))


def _write_lin(session: PublicSession, page: SessionPage) -> bytes:
    """Return what was recorded at the tables as LIN, with the results; the bare deals where nothing was recorded."""
    if _is_recorded(session):
        said = session.annotations.filter(pl.col("kind").is_in(list(session_rows.FOR_ALL)))
        return write_lin(of_no_file(replace(session, annotations=said, listed=empty(ITEMS)))).content
    return "".join(board.lin for board in page.boards).encode()


def of_no_file(session: PublicSession) -> PublicSession:
    """Return a session that is written from its frames; else what a file holds is written as it was read."""
    known = pl.when(pl.col("format").is_not_null()).then(pl.lit("frames")).alias("format")
    return replace(session, sources=session.sources.with_columns(known))


def write_pbn(session: PublicSession) -> bytes:
    """Return every record as a PBN file; empty without any."""
    notes = session.annotations.filter(pl.col("kind") == "note")
    records = session.records.sort("record")
    written = as_pbn(of_no_file(replace(session, records=records, annotations=notes, listed=empty(ITEMS))))
    items = pl.concat([written.items, conform(ITEMS, session.items.filter(is_kept()))])
    # Tags before the auction come first.
    in_order = pl.col("name").replace_strict(_ORDER, range(1, len(_ORDER) + 1), default=0)
    games = export_games(replace(written, listed=items.sort("record", in_order, maintain_order=True)))["text"]
    texts = "".join(f"{game}\n\n" for game in games).replace("\n", "\r\n")
    return (_HEADER + texts).encode("latin-1") if texts else b""


def is_kept() -> pl.Expr:
    """Return which items readers want beside the frames."""
    return pl.col("kind").cast(pl.String).is_in(["tag", "section"]) & pl.col("name").is_in(_KEPT)


LISTERS: Final[Mapping[str, Callable[[Session], pl.DataFrame]]] = {
    "standings": views.list_standings,
    "results": views.list_results,
    "matches": session_rows.list_matches,
    "sheets": session_rows.list_sheets,
}
"""By the name of each kind of rows of a session, the function that lists them."""


def data_document(session: Session, form: DataFormat, rows: Rows | None = None) -> bytes:
    """Return a session as a data file: JSON has all of its lists, CSV and Parquet one (`write_table`)."""
    if form == "json":
        return write_score_json(session).encode()
    return write_table({name: partial(lister, session) for name, lister in LISTERS.items()}, form, rows)


def write_table(listers: Mapping[str, Callable[[], pl.DataFrame]], form: DataFormat, rows: str | None) -> bytes:
    """Return one kind of rows as CSV or Parquet: `rows`, else the standings as CSV and the results as Parquet."""
    listed = listers[rows or ("results" if form == "parquet" else "standings")]()
    if form == "csv":
        return session_rows.write_csv(listed).encode()
    buffer = BytesIO()
    listed.write_parquet(buffer)
    return buffer.getvalue()


# Several evenings, each scored by itself.


def name_evenings(evenings: Sequence[Session]) -> list[str]:
    """Return a name for each evening: that of its first file of results, with its date where two are alike."""
    first = [next(iter([*evening.results["source"], *evening.sources["source"]]), "") for evening in evenings]
    names = [name_of_evening(Path(source)) for source in first]
    alike = Counter(names)
    return [
        f"{name} {evening.facts.date or number}" if alike[name] > 1 else name
        for number, (name, evening) in enumerate(zip(names, evenings, strict=True), start=1)
    ]


def join_problems(evenings: Sequence[Session]) -> Session:
    """Return a session with the files, records and problems of all evenings, to list and to count."""
    return Session(
        sources=pl.concat([evening.sources for evening in evenings]),
        records=pl.concat([evening.records for evening in evenings]),
        problems=pl.concat([evening.problems for evening in evenings]),
    )


def data_of_evenings(evenings: Sequence[Session], names: Sequence[str], form: DataFormat, rows: str | None) -> bytes:
    """Return evenings as one data file, in which each row has the name of its evening in the column `evening`.

    JSON has the keys of a single session, and `evenings`: what each session says of itself. Its `session` has only what
    all of them have in common.
    """
    together = list(zip(evenings, names, strict=True))

    def join(lister: Callable[[Session], pl.DataFrame]) -> pl.DataFrame:
        named = (lister(session).select(pl.lit(name).alias("evening"), pl.all()) for session, name in together)
        return pl.concat(named)

    if form != "json":
        return write_table({name: partial(join, lister) for name, lister in LISTERS.items()}, form, rows)
    return _write_json(evenings, names, join).encode()


def _write_json(
    evenings: Sequence[Session], names: Sequence[str], join: Callable[[Callable[[Session], pl.DataFrame]], pl.DataFrame]
) -> str:
    listed = {name: join(lister) for name, lister in LISTERS.items()}
    if not any(session.analysis.is_empty() for session in evenings):
        listed["results"] = join(lambda session: views.list_results(session).with_columns(list_analysis(session)))
    several = [name for name in ("matches", "sheets") if len(listed[name])]
    described = [session_rows.describe_session(session) for session in evenings]
    named = [{"evening": name, **about} for name, about in zip(names, described, strict=True)]
    members = {
        "session": json.dumps(_find_shared(described), ensure_ascii=False),
        "evenings": json.dumps(named, ensure_ascii=False),
        **{name: session_rows.write_rows(listed[name]) for name in ("standings", "results", *several)},
        "problems": session_rows.write_rows(session_rows.list_problems(join_problems(evenings))),
    }
    return session_rows.write_object(members)


def _find_shared(described: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the values that all sessions have in common, None for the others."""
    first = described[0]
    return {key: value if all(about[key] == value for about in described) else None for key, value in first.items()}
