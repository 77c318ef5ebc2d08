"""PBN in export form: one way to write a game, so that any program can read it (PBN 2.1, 3.4 to 3.7, 5)."""

from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from overtrick.formats.pbn.write import places, syntax
from overtrick.formats.pbn.write.sections import sections
from overtrick.formats.pbn.write.tables import TABLES
from overtrick.formats.pbn.write.values import MANDATORY, holding_tags, mandatory_tags
from overtrick.frames import PROBLEMS, Session, conform
from overtrick.problems import report

_HEADER: Final = "% PBN 2.1\n% EXPORT"
_VERSION: Final = r"^%\s*(?:PBN\s+\d+\.\d+|EXPORT)\s*$"
_CHARSET: Final = r"(?i)(charset\s*=\s*[\"']?)[A-Za-z0-9_.:-]+"
_SHOWN: Final = 8
"""Characters and letters of a text that a problem shows."""


@dataclass(frozen=True)
class Export:
    """A session in export form."""

    text: str
    """In characters of ISO 8859-1 alone; lines end in CRLF."""
    problems: pl.DataFrame
    """`frames.PROBLEMS`: what the form can't hold, or could not be brought into it."""


def export_pbn(session: Session) -> Export:
    """Write a session in export form.

    Each game has the fifteen mandatory tags with their values written out, then other tags by name, the auction and its
    notes, the play and its notes, then tables by name; a comment follows the tag, call or card it belongs to. Nothing
    is left out: what has no place in the form stands in a comment, and is a problem.
    """
    pieces, problems = _pieces(session)
    return Export(_document(pieces), problems)


def exported_games(session: Session) -> pl.DataFrame:
    """Write the games of a session in export form, each by itself: `record text`."""
    pieces, _ = _pieces(session)
    return pieces.drop_nulls("record").group_by("record", maintain_order=True).agg(pl.col("text").str.join("\n"))


def _pieces(session: Session) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Give all that is written, in its order, and the problems."""
    foreign = _foreign(session.items)
    session = replace(session, items=_spelled(session.items), annotations=_spelled(session.annotations))
    items = places.placed(session.items)
    holding = holding_tags(session.items, session.records)
    tags, lost = _tags(session, items, holding)
    bodies, kept = _sections(session, holding)
    pieces = places.in_order([_loose(items), _repeats(items), *tags, *bodies])
    problems = pl.concat([foreign, lost, kept, _strays(items), _long_lines(pieces)])
    return pieces, _located(problems, session)


def _foreign(items: pl.DataFrame) -> pl.DataFrame:
    """Report texts with characters that ISO 8859-1 has not."""
    # Between words a tab is white space like any other; in a value it is not.
    text = pl.when(pl.col("kind") == "tag").then("text").otherwise(pl.col("text").str.replace_all("[\t\v\f]", " "))
    characters = text.str.extract_all(syntax.FOREIGN).list.unique(maintain_order=True).list.head(_SHOWN)
    beyond = items.filter(text.str.contains(syntax.FOREIGN))
    return report("pbn-export-character", beyond.with_columns(characters.list.join(" ").alias("characters")))


def _spelled(frame: pl.DataFrame) -> pl.DataFrame:
    """Bring texts into ISO 8859-1, and comments into lines that are short enough."""
    texts = syntax.mapped(frame["text"], syntax.FOREIGN, syntax.spelled)
    comments = syntax.mapped(texts, f"(?m)^.{{{syntax.LINE_LIMIT + 1}}}", syntax.wrapped)
    return frame.with_columns(comments.zip_with(frame["kind"] == "comment", texts).alias("text"))


def _loose(items: pl.DataFrame) -> pl.DataFrame:
    """Write comments, escape lines and strays where they belong; strays as comments."""
    escape, comment = pl.col("kind") == "escape", pl.col("kind") == "comment"
    unclosed = comment & pl.col("text").str.starts_with("{") & ~pl.col("text").str.ends_with("}")
    text = (
        pl.when(escape)
        .then(pl.col("text").str.replace(_CHARSET, "${1}ISO-8859-1"))
        .when(unclosed)
        .then(pl.col("text").str.strip_chars_end("\n") + "}")
        .when(comment)
        .then("text")
        .otherwise(pl.col("text").str.replace_all(r"(?m)^[ \t]*", "; "))
    )
    loose = items.filter((comment | pl.col("kind").is_in(["escape", "stray"])) & ~(escape & _says_version()))
    played = pl.col("head").is_in(["Auction", "Play"])
    behind = loose["after"].fill_null(value=False)
    return pl.concat(
        places.pieces(loose.filter(where).with_columns(text.alias("text")), step)
        for where, step in (
            (~behind, places.COMMENT),
            (behind & ~played, places.REMARK),
            (behind & played, places.AFTER),
        )
    )


def _says_version() -> pl.Expr:
    return pl.col("text").str.contains(_VERSION)


def _repeats(items: pl.DataFrame) -> pl.DataFrame:
    """Keep in a comment what a game states again: its first value counts (3.3)."""
    own = items.filter(pl.col("kind").is_in(["tag", "section"]) & (pl.col("name") != "Note"))
    again = own.filter(~pl.struct("record", "name", "kind").is_first_distinct())
    said = pl.format('{} "{}"', "name", "text")
    return places.pieces(again.with_columns(_as_comment(said).alias("text")), places.COMMENT)


def _as_comment(text: pl.Expr) -> pl.Expr:
    return pl.lit("{") + text.str.replace_all("[{}]", "|") + pl.lit("}")


def _tags(session: Session, items: pl.DataFrame, holding: pl.DataFrame) -> tuple[list[pl.DataFrame], pl.DataFrame]:
    """Write the mandatory tags, other tags and notes, and in comments what the mandatory ones can't hold."""
    mandatory = mandatory_tags(session, holding)
    headed = session.items.filter(pl.col("kind") == "section").select("record", "name").unique()
    others = holding.filter(~pl.col("name").is_in([*MANDATORY, *TABLES, "Auction", "Play"]))
    others = others.join(headed, on=["record", "name"], how="anti", maintain_order="left")
    notes = items.filter((pl.col("kind") == "tag") & (pl.col("name") == "Note"))
    lost = mandatory.drop_nulls("stated")
    said = _as_comment(pl.format('{} "{}"', "name", "stated"))
    parts = [
        places.new_pieces(_as_tags(pl.concat([mandatory.drop("stated"), others])), places.TAG),
        places.pieces(_as_tags(notes), places.TAG),
        places.new_pieces(lost.with_columns(said.alias("text")), places.COMMENT),
    ]
    return parts, report("pbn-export-value", lost.rename({"stated": "value", "text": "written"}))


def _as_tags(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(syntax.tags(frame["name"], frame["text"]).alias("text"))


def _sections(session: Session, holding: pl.DataFrame) -> tuple[list[pl.DataFrame], pl.DataFrame]:
    """Write auctions, plays and tables with their tags."""
    frame = sections(session, holding)
    remarks = frame.select("record", "name", pl.col("remarks").alias("text")).explode("text").drop_nulls()
    parts = [
        places.new_pieces(_as_tags(frame.rename({"value": "text", "text": "body"})), places.TAG, sections=True),
        places.new_pieces(remarks, places.REMARK, sections=True),
        places.new_pieces(frame.filter(pl.col("text") != ""), places.BODY, sections=True),
    ]
    return parts, report("pbn-export-kept", frame.drop_nulls("fault"))


def _strays(items: pl.DataFrame) -> pl.DataFrame:
    stray = items.filter(pl.col("kind") == "stray")
    return report("pbn-export-stray", stray.with_columns(pl.col("text").str.strip_chars().str.slice(0, 60)))


def _long_lines(pieces: pl.DataFrame) -> pl.DataFrame:
    longest = pl.col("text").str.split("\n").list.eval(pl.element().str.len_chars()).list.max()
    long = pieces.with_columns(longest.alias("length")).filter(pl.col("length") > syntax.LINE_LIMIT)
    return report("pbn-export-line", long)


def _document(pieces: pl.DataFrame) -> str:
    blocks = pieces.group_by("block", maintain_order=True).agg(pl.col("text").str.join("\n"))
    body = "\n\n".join(blocks["text"])
    # Escape lines and comments before the first tag go on below the form's own.
    joint = "\n\n" if body.startswith("[") else "\n" if body else ""
    return f"{_HEADER}{joint}{body}\n".replace("\n", "\r\n")


def _located(problems: pl.DataFrame, session: Session) -> pl.DataFrame:
    """Name the file, the line and the board of each problem: at least those of its game."""
    games = session.records.select(
        "record", pl.col("source").alias("file"), pl.col("line").alias("first"), pl.col("board_label").alias("label")
    )
    placed = problems.join(games, on="record", how="left", maintain_order="left").with_columns(
        pl.coalesce("source", "file").alias("source"),
        pl.coalesce("line", "first").alias("line"),
        pl.coalesce("column", 1).alias("column"),
        pl.coalesce("board", "label").alias("board"),
    )
    return conform(PROBLEMS, placed)
