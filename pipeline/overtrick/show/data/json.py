"""JSON documents of a session. Each is one object, with one row per line so that `diff` can compare two runs.

Numbers are numbers; unknown values are `null`.
"""

import json
from collections.abc import Mapping

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import CARDS, SIDE_OF_SEAT
from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.core.notation import clean
from overtrick.core.version import __version__
from overtrick.files.formats.session_rows import (
    count_boards,
    describe_session,
    list_deals,
    list_problems,
    list_results,
    write_lists,
    write_object,
    write_rows,
)
from overtrick.judge.analyse.deals import CAUSES, FIELD, list_causes
from overtrick.show.history.publications import History, describe_entries, describe_publications, list_published_results
from overtrick.show.text.display import shorten_paths


def list_analysis(session: Session) -> pl.Series:
    """Return the analysis of each result as a struct, null without one; fractions are texts such as `-7/2`.

    Its fields: `dd_tricks lead_cost`, `play` (a list of `trick card seat side cost best`), `swing` for N-S in the unit
    of the method, `causes`, a struct of `causes.CAUSES` that add up to it, the same for E-W as `swing_ew causes_ew`,
    and `others alike with_field`.
    """
    rows = session.analysis.hstack(session.results.select("declarer", "strain"))
    parts = {"swing": list_causes("NS"), "swing_ew": list_causes("EW")}
    fractions = {name: _fractions(rows.select("denominator", name, *causes)) for name, causes in parts.items()}
    known = pl.any_horizontal(pl.col("dd_tricks", "swing").is_not_null())
    fields = ("dd_tricks", "lead_cost", "play", "swing", "causes", "swing_ew", "causes_ew", *FIELD)
    return (
        rows.select("dd_tricks", "lead_cost", *FIELD)
        .with_columns(
            _list_costs(rows),
            *(fractions[name][name] for name in parts),
            *(
                fractions[name].select(pl.struct(CAUSES).alias(causes)).to_series()
                for name, causes in (("swing", "causes"), ("swing_ew", "causes_ew"))
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
        text = (
            pl.DataFrame({"whole": whole, "rest": rest, "known": numerators[name].is_not_null()})
            .select(
                pl.when("known")
                .then(pl.when(pl.col("rest") == 1).then("whole").otherwise(pl.format("{}/{}", "whole", "rest")))
                .alias(name)
            )
            .to_series()
        )
        written[name] = text
    return pl.DataFrame(written)


def _list_costs(rows: pl.DataFrame) -> pl.Series:
    """Return what gave up tricks: the cards by their names, then a claim, which has no card and no seat."""
    each = (
        rows.select("declarer", "costs")
        .with_row_index("row")
        .explode("costs", empty_as_null=False, keep_nulls=False)
        .unnest("costs")
    )
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
    """Return what was read and its problems.

    The object has `files` (read), `records` (games in them), `boards` (different board numbers) and `problems`, with
    the rows of `session_rows.list_problems`.
    """
    return write_object(
        {
            "files": json.dumps(session.sources.height),
            "records": json.dumps(session.records.height),
            "boards": json.dumps(count_boards(session)),
            "problems": write_rows(list_problems(session)),
        }
    )


def write_score_json(session: Session) -> str:
    """Return a scored session.

    The object has `session` (`event site date scoring method boards tables policies`: `scoring` as the file states it,
    `method` as it was scored, `policies` the rules that were applied, in words), then `standings`, `results` and
    `problems` with the rows of `session_rows`; also `matches` where there are any, and `sheets` for rubber-type games.
    """
    return write_object(
        {
            "session": json.dumps(describe_session(session), ensure_ascii=False),
            **_write_lists(session, list_results(session)),
            "problems": write_rows(list_problems(session)),
        }
    )


def write_session_json(
    session: Session,
    config: Config,
    folder: str = "",
    history: History | None = None,
    beside: Mapping[str, object] | None = None,
) -> str:
    """Return a published session, the `session.json` of its site.

    As `write_score_json` without the problems. It has `schema` too (1; new keys may be added under that number, but
    none changes), and in `session` also `title`, `club`, `final`, `provisional_until`, `published`, `corrections` (each
    `date`, `text`; those of the corrections file also `law` and more), `publications` (what each one changed),
    `sources` (`name` and `sha256` of each file) and `generator`; and `deals`. `beside` adds further keys, such as the
    `boards` and the words of `embed`. `docs/session.schema.json` is its JSON
    Schema.
    """
    history = history or History()
    names = shorten_paths(session.sources["source"].to_list())
    digests = session.sources.select("source", "sha256").iter_rows()
    about = {
        "title": clean(session.facts.event) or clean(session.facts.site) or None,
        "club": config.club.name,
        **describe_session(session),
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
    return write_object(
        {
            "schema": "1",
            "session": json.dumps(about, ensure_ascii=False),
            **_write_lists(session, list_published_results(session)),
            "deals": write_rows(list_deals(session)),
            **{key: json.dumps(value, ensure_ascii=False) for key, value in (beside or {}).items()},
        }
    )


def _write_lists(session: Session, results: pl.DataFrame) -> dict[str, str]:
    """Return the lists of a session; if it was analysed, with the `analysis` of each result and the `deals`."""
    if session.analysis.is_empty():
        return write_lists(session, results)
    deals = session.records.select("board", "deal").drop_nulls().unique(maintain_order=True)
    return {"deals": write_rows(deals), **write_lists(session, results.with_columns(list_analysis(session)))}


def write_rows_json(rows: pl.DataFrame) -> str:
    """Return rows as a list of objects."""
    return write_rows(rows) + "\n"
