"""PBN in export form: one way to write a game, so that any program can read it (PBN 2.1, 3.4 to 3.7, 5).

A game is written as pieces, the rows of a frame: tags, comments, the text of sections. Each piece says which block it
is part of (a game, or the text between two games) and its place there; sorting them makes the document.
"""

from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.core.bridge.cards import RANKS, SEATS
from overtrick.core.frames import PROBLEMS, Session, conform
from overtrick.core.problems import report
from overtrick.files.formats.pbn.read.tag_columns import resolve
from overtrick.files.formats.pbn.tags import TAGS, Tag, names
from overtrick.files.formats.pbn.write import auctions_and_plays
from overtrick.files.formats.pbn.write.sections import as_pbn, write_sections

_HEADER: Final = "% PBN 2.1\n% EXPORT"
_VERSION: Final = r"^%\s*(?:PBN\s+[0-9]+\.[0-9]+|EXPORT)\s*$"
_CHARSET: Final = r"(?i)(charset\s*=\s*[\"']?)[A-Za-z0-9_.:-]+"
_SHOWN: Final = 8
"""Characters of a text that a problem shows."""

_BEFORE, _FIXED, _OTHER, _AUCTION, _AUCTION_NOTES, _PLAY, _PLAY_NOTES, _SECTIONS = range(8)
"""Groups of a game in their order: comments before its first tag, the mandatory tags, other tags, and so on."""

_TAG, _COMMENT, _REMARK, _BODY, _AFTER = range(5)
"""Steps at a tag: itself, its comments, comments from inside a table, the section's text, comments after that."""

_KEYS: Final = ["block", "group", "key", "note", "step", "row"]
_PIECE: Final = [*_KEYS, "text", "record", "line", "column"]


def export_text(session: Session) -> tuple[str, pl.DataFrame]:
    """Return a session in export form, and the problems of writing it.

    Each game has the fifteen mandatory tags with their values written out, then other tags by name, the auction and its
    notes, the play and its notes, then tables by name; a comment follows the tag, call or card it belongs to. Nothing
    is left out: text without a place in the form is written as a comment, and is a problem.

    Args:
        session: its items, records and annotations are written; `foreign.as_pbn` makes items of other formats.

    Returns:
        The text, in characters of ISO 8859-1 alone, lines ending in CR LF. And `frames.PROBLEMS`: what the form cannot
        hold, or what could not be brought into it.
    """
    pieces, problems = _write_pieces(session)
    return _join(pieces), problems


def export_games(session: Session) -> pl.DataFrame:
    """Write the games of a session in export form, each by itself: `record text`."""
    pieces, _ = _write_pieces(session)
    return pieces.drop_nulls("record").group_by("record", maintain_order=True).agg(pl.col("text").str.join("\n"))


def _write_pieces(session: Session) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return all pieces in their order, and the problems."""
    foreign = _report_characters(session.items)
    session = replace(session, listed=_respell(session.items), annotations=_respell(session.annotations))
    items = _place_items(session.items)
    in_force = _tags_in_force(session.items, session.records)
    tags, lost = _write_tags(session, items, in_force)
    bodies, unwritten = _write_sections(session, in_force)
    pieces = pl.concat([_write_loose(items), _write_repeats(items), *tags, *bodies]).sort(_KEYS, maintain_order=True)
    problems = pl.concat([foreign, lost, unwritten, _report_strays(items), _report_long_lines(pieces)])
    return pieces, _locate(problems, session)


def _report_characters(items: pl.DataFrame) -> pl.DataFrame:
    """Report texts with characters that ISO 8859-1 does not have."""
    # Between words a tab is white space like any other; in a value it is not.
    text = pl.when(pl.col("kind") == "tag").then("text").otherwise(pl.col("text").str.replace_all("[\t\v\f]", " "))
    characters = text.str.extract_all(auctions_and_plays.FOREIGN).list.unique(maintain_order=True).list.head(_SHOWN)
    beyond = items.filter(text.str.contains(auctions_and_plays.FOREIGN))
    return report("pbn-export-changed/character", beyond.with_columns(characters.list.join(" ").alias("characters")))


def _respell(frame: pl.DataFrame) -> pl.DataFrame:
    """Bring texts into ISO 8859-1, and comments into lines that are short enough."""
    texts = auctions_and_plays.map_texts(frame["text"], auctions_and_plays.FOREIGN, auctions_and_plays.respell)
    comments = auctions_and_plays.map_texts(
        texts, f"(?m)^.{{{auctions_and_plays.LINE_LIMIT + 1}}}", auctions_and_plays.wrap
    )
    return frame.with_columns(comments.zip_with(frame["kind"] == "comment", texts).alias("text"))


def _write_loose(items: pl.DataFrame) -> pl.DataFrame:
    """Write comments, escape lines and strays where they belong, strays as comments."""
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
    loose = items.filter(
        (comment | pl.col("kind").is_in(["escape", "stray"])) & ~(escape & pl.col("text").str.contains(_VERSION))
    )
    played = pl.col("head").is_in(names(heads="part"))
    after = loose["after"].fill_null(value=False)
    return pl.concat(
        _pieces(loose.filter(where).with_columns(text.alias("text")), step)
        for where, step in ((~after, _COMMENT), (after & ~played, _REMARK), (after & played, _AFTER))
    )


def _write_repeats(items: pl.DataFrame) -> pl.DataFrame:
    """Write a tag that a game repeats as a comment: its first value counts (3.3)."""
    stated = items.filter(pl.col("kind").is_in(["tag", "section"]) & (pl.col("name") != "Note"))
    again = stated.filter(~pl.struct("record", "name", "kind").is_first_distinct())
    said = pl.format('{} "{}"', "name", "text")
    return _pieces(again.with_columns(_as_comment(said).alias("text")), _COMMENT)


def _as_comment(text: pl.Expr) -> pl.Expr:
    return pl.lit("{") + text.str.replace_all("[{}]", "|") + pl.lit("}")


def _write_tags(
    session: Session, items: pl.DataFrame, in_force: pl.DataFrame
) -> tuple[list[pl.DataFrame], pl.DataFrame]:
    """Write the mandatory tags, other tags and notes, and as comments what the mandatory ones cannot hold."""
    mandatory = _mandatory_tags(session, in_force)
    headed = session.items.filter(pl.col("kind") == "section").select("record", "name").unique()
    headers = names(heads="part") + names(heads="table")
    others = in_force.filter(~pl.col("name").is_in([*names(mandatory=True), *headers]))
    others = others.join(headed, on=["record", "name"], how="anti", maintain_order="left")
    notes = items.filter((pl.col("kind") == "tag") & (pl.col("name") == "Note"))
    lost = mandatory.drop_nulls("stated")
    said = _as_comment(pl.format('{} "{}"', "name", "stated"))
    parts = [
        _new_pieces(_as_tags(pl.concat([mandatory.drop("stated"), others])), _TAG),
        _pieces(_as_tags(notes), _TAG),
        _new_pieces(lost.with_columns(said.alias("text")), _COMMENT),
    ]
    return parts, report("pbn-export-changed/value", lost.rename({"stated": "value", "text": "written"}))


def _as_tags(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(auctions_and_plays.write_tags(frame["name"], frame["text"]).alias("text"))


def _write_sections(session: Session, in_force: pl.DataFrame) -> tuple[list[pl.DataFrame], pl.DataFrame]:
    """Write auctions, plays and tables with their tags."""
    frame = write_sections(session, in_force)
    remarks = frame.select("record", "name", pl.col("remarks").alias("text")).explode("text").drop_nulls()
    parts = [
        _new_pieces(_as_tags(frame.rename({"value": "text", "text": "body"})), _TAG, sections=True),
        _new_pieces(remarks, _REMARK, sections=True),
        _new_pieces(frame.filter(pl.col("text") != ""), _BODY, sections=True),
    ]
    return parts, report("pbn-export-changed/section", frame.drop_nulls("fault"))


def _report_strays(items: pl.DataFrame) -> pl.DataFrame:
    stray = items.filter(pl.col("kind") == "stray")
    return report("pbn-export-stray", stray.with_columns(pl.col("text").str.strip_chars().str.slice(0, 60)))


def _report_long_lines(pieces: pl.DataFrame) -> pl.DataFrame:
    longest = pl.col("text").str.split("\n").list.eval(pl.element().str.len_chars()).list.max()
    long = pieces.with_columns(longest.alias("length")).filter(pl.col("length") > auctions_and_plays.LINE_LIMIT)
    return report("pbn-export-changed/line", long)


def _join(pieces: pl.DataFrame) -> str:
    blocks = pieces.group_by("block", maintain_order=True).agg(pl.col("text").str.join("\n"))
    body = "\n\n".join(blocks["text"])
    # Escape lines and comments before the first tag go on below the form's own.
    joint = "\n\n" if body.startswith("[") else "\n" if body else ""
    return f"{_HEADER}{joint}{body}\n".replace("\n", "\r\n")


def _tags_in_force(items: pl.DataFrame, records: pl.DataFrame) -> pl.DataFrame:
    """List the tags in force in each game, except notes: record, name, text, line, column.

    Of a tag that a game repeats the first counts. Values that a game takes from an earlier one are filled in; such a
    tag has no line where the game leaves it out.
    """
    columns = ["record", "name", "text", "line", "column"]
    tags = items.filter((pl.col("kind") == "tag") & (pl.col("name") != "Note"))
    tags = tags.unique(["record", "name"], keep="first", maintain_order=True)
    marked = tags.filter(pl.col("text").str.starts_with("#") & ~pl.col("name").is_in(names(inherits=False)))["name"]
    inherits = pl.col("name").is_in(marked.unique().to_list())
    parts = [tags.filter(~inherits).select(columns)]
    for (source, name), group in tags.filter(inherits).group_by("source", "name", maintain_order=True):
        games = records.filter(pl.col("source") == source).select("record")
        written = games.join(group, on="record", how="left", maintain_order="left")
        values = resolve(written["text"]).values
        in_force = written.with_columns(values, pl.lit(name).alias("name")).drop_nulls("text")
        parts.append(in_force.filter(pl.col("line").is_not_null() | (pl.col("text") != "")).select(columns))
    return pl.concat(parts)


def _mandatory_tags(session: Session, in_force: pl.DataFrame) -> pl.DataFrame:
    """Write the fifteen tags of every game: record, name, text, stated, line, column.

    `?` means unknown, and an empty value not applicable (3.4). `stated` is the file's value where the tag cannot hold
    it, null elsewhere.
    """
    records, mandatory = session.records, names(mandatory=True)
    # All games of a tag, then all games of the next one.
    stated = (
        pl.DataFrame({"name": mandatory})
        .join(records.select("record"), how="cross", maintain_order="left_right")
        .join(in_force.rename({"text": "stated"}), on=["record", "name"], how="left", maintain_order="left")
    )
    games = len(records)
    raw = [stated["stated"].slice(place * games, games).alias(name) for place, name in enumerate(mandatory)]
    written = records.hstack(raw).select(_write_value(TAGS[name]).alias(name) for name in mandatory)
    written = written.with_columns(_turn_deals(records, written["Deal"]))
    # One chunk a column: polars panics where it formats a column of which a filter leaves a chunk empty.
    texts = stated.with_columns(pl.concat(written.get_columns(), rechunk=True).alias("text"))
    return texts.select("record", "name", "text", _lost().alias("stated"), "line", "column")


def _lost() -> pl.Expr:
    stated, text = pl.col("stated"), pl.col("text")
    says = ~stated.str.strip_chars().is_in(["", "?"])
    nothing = text.is_in(["", "?"])
    too_long = stated.str.strip_chars().str.len_chars() > len("YYYY.MM.DD")
    less = (pl.col("name") == "Date") & (too_long | (text.str.ends_with(".??.??") & (stated != text)))
    return pl.when(says & (nothing | less)).then(stated)


def _write_value(tag: Tag) -> pl.Expr:
    """Write one tag of all games from their records and, in the column of that name, from what the file says."""
    stated = pl.col(tag.name)
    if tag.export is None or tag.export.writes is None:
        return pl.coalesce(stated, pl.lit("?"))
    missing = pl.when(stated.str.strip_chars() == "").then(pl.lit("")).otherwise(pl.lit("?"))
    return pl.coalesce(tag.export.writes(stated), missing)


def _turn_deals(records: pl.DataFrame, written: pl.Series) -> pl.Series:
    """Turn deals to begin with the dealer's hand, each suit from the ace down (3.4.11)."""
    rows = zip(records["deal"], records["dealer"].cast(pl.String).fill_null("N"), written, strict=True)
    return pl.Series("Deal", [turn_deal(deal, first) if deal else text for deal, first, text in rows], dtype=pl.String)


def turn_deal(deal: str, first: str) -> str:
    """Return a canonical deal from another hand on, each suit from the ace down."""
    hands = deal.partition(":")[2].split(" ")
    shift = SEATS.index(first)
    return f"{first}:" + " ".join(_descending(hand) for hand in hands[shift:] + hands[:shift])


def _descending(hand: str) -> str:
    suits = hand.split(".") if hand != "-" else []
    return ".".join("".join(sorted(suit, key=RANKS.index, reverse=True)) for suit in suits) or "-"


# Five items, and their places. Games have odd blocks, the text between games even ones:
#
#     row  record  item           block  head   group    key    note  after
#     0    null    % remark       0      null   before          0     false
#     1    0       [Board "1"]    1      Board  fixed    03     0     false
#     2    0       {of board 1}   1      Board  fixed    03     0     false   a step after its tag
#     3    0       [Table "3"]    1      Table  other    Table  0     false   other tags are sorted by name
#     4    0       [Note "1:x"]   1      Note   notes           4     false   notes by their row
def _place_items(items: pl.DataFrame) -> pl.DataFrame:
    """Add to each item the block it is part of, and the tag it belongs to.

    Adds `block`, `group`, `key`, `note` (the row of the Note tag it is or belongs to), `row`, and `after`: whether it
    follows the section of its tag.
    """
    is_tag = pl.col("kind") == "tag"
    between = 2 * (pl.col("record").cast(pl.Int64).forward_fill().fill_null(-1) + 1)
    headed = items.filter(pl.col("kind") == "section").select("record", pl.col("name").alias("head")).unique()
    head = pl.when(is_tag).then("name").forward_fill().over("block")
    part = pl.when(is_tag & pl.col("name").is_in(names(heads="part"))).then("name").forward_fill().over("block")
    return (
        items.with_row_index("row")
        .with_columns(pl.when(pl.col("record").is_null()).then(between).otherwise(_block()).alias("block"))
        .with_columns(
            head.alias("head"),
            part.alias("part"),
            pl.when(is_tag).then("row").forward_fill().over("block").alias("head_row"),
        )
        .join(headed.with_columns(pl.lit(value=True).alias("sectioned")), on=["record", "head"], how="left")
        .sort("row")
        .with_columns(
            ((pl.col("kind") == "section").cum_sum().over("block", "head_row") > 0).alias("after"),
            _group(pl.col("head"), pl.col("sectioned"), pl.col("part")).alias("group"),
            _key(pl.col("head")).alias("key"),
            pl.when(pl.col("head") == "Note").then("head_row").otherwise(0).alias("note"),
        )
    )


def _pieces(frame: pl.DataFrame, step: int) -> pl.DataFrame:
    """Return placed items, their texts being written, as pieces."""
    return frame.with_columns(pl.lit(step, pl.UInt8).alias("step")).select(_PIECE)


def _new_pieces(frame: pl.DataFrame, step: int, *, sections: bool = False) -> pl.DataFrame:
    """Return texts that are not items as pieces: `record name text`, and `line column` where they are known."""
    place = pl.lit(None, pl.UInt32)
    known = [name for name in ("line", "column") if name in frame.columns]
    return frame.select("record", "name", "text", *known).select(
        _block().alias("block"),
        _group(pl.col("name"), pl.lit(sections), pl.lit(None, pl.String)).alias("group"),
        _key(pl.col("name")).alias("key"),
        pl.lit(0, pl.UInt32).alias("note"),
        pl.lit(step, pl.UInt8).alias("step"),
        pl.lit(0, pl.UInt32).alias("row"),
        "text",
        "record",
        *((pl.col(name) if name in known else place).alias(name) for name in ("line", "column")),
    )


def _block() -> pl.Expr:
    return 2 * pl.col("record").cast(pl.Int64) + 1


def _group(name: pl.Expr, sectioned: pl.Expr, part: pl.Expr) -> pl.Expr:
    return (
        pl.when(name.is_null())
        .then(_BEFORE)
        .when(name.is_in(names(mandatory=True)))
        .then(_FIXED)
        .when(name == "Auction")
        .then(_AUCTION)
        .when(name == "Play")
        .then(_PLAY)
        .when(name == "Note")
        .then(pl.when(part == "Play").then(_PLAY_NOTES).otherwise(_AUCTION_NOTES))
        .when(name.is_in(names(heads="table")) | sectioned)
        .then(_SECTIONS)
        .otherwise(_OTHER)
        .cast(pl.UInt8)
    )


def _key(name: pl.Expr) -> pl.Expr:
    """Return what tags of one group are sorted by: the mandatory ones by their order, others by name."""
    ordinals = {mandatory: f"{place:02}" for place, mandatory in enumerate(names(mandatory=True))}
    return pl.when(name != "Note").then(name.replace(ordinals)).fill_null("")


def _locate(problems: pl.DataFrame, session: Session) -> pl.DataFrame:
    """Fill in file, line and board of each problem, at least those of its game."""
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


_EXPORT: Final = r"(?i)^%\s*EXPORT\s*$"


def text_as_read(session: Session) -> str:
    r"""Return the text of what was read, from `session.items` alone.

    Tags and comments are spelled in one way, and closed where they were not; games are one empty line apart. All else
    is as written: items that shared a line share it again, at the same distance.

    Args:
        session: read from one file. `#` and `##` would refer to other games if several files were joined.

    Returns:
        The text, lines ending in `\n`, and in CR LF where it declares export form (2.3). Reading it gives the same
        items but for their lines and columns, and writing those gives the same text.
    """
    text = _join_texts(_lay_out(session.items)["text"])
    declared = session.items.select((_is("escape") & pl.col("text").str.contains(_EXPORT)).any()).item()
    return text.replace("\n", "\r\n") if declared else text


def text_again(session: Session) -> str:
    r"""Return the text of a file from its rows in an archive.

    Args:
        session: one file's, as `archive.tables.as_stated` returns it. A game that the archive keeps all items of is
            written as it was read, any other in export form, which says the same.

    Returns:
        The text, lines ending in `\n`; UTF-8 holds all of it. Reading it gives the same records, annotations and
        results but for their places.
    """
    stated = pl.col("name").is_in(names(in_record=True))
    whole = session.items.filter(stated)["record"].drop_nulls().unique().implode()
    as_read = session.items.filter(pl.col("record").is_null() | pl.col("record").is_in(whole))
    others = ~pl.col("record").is_in(whole)
    pbn = as_pbn(session)
    frames = {name: getattr(pbn, name).filter(others) for name in ("records", "annotations")}
    games = export_games(replace(pbn, listed=pbn.items.filter(others), **frames))
    games = games.with_columns(pl.col("text").str.replace_all("\r\n", "\n", literal=True))
    placed = games.join(session.records.select("record", "line"), on="record", how="left", maintain_order="left")
    parts = [
        _lay_out(as_read.sort("line", "column", maintain_order=True)).select("line", "text"),
        placed.select("line", ("\n\n" + pl.col("text")).alias("text")),
    ]
    return _join_texts(pl.concat(parts).sort("line", maintain_order=True)["text"])


def _join_texts(texts: pl.Series) -> str:
    """Join texts that each begin with their gap to the one before."""
    whole = "".join(texts.to_list()).lstrip("\n")
    return f"{whole}\n" if whole else ""


# Four items read from `[Board "1"]  ; first`, an empty line, `[Board "2"]` and `[Dealer "N"]`, and their gaps:
#
#     line  column  text           line_before  column_before  gap
#     1     1       [Board "1"]    null         null           (none: `_join_texts` takes new lines off the beginning)
#     1     14      ; first        1            12             two blanks: the same line, two columns further on
#     3     1       [Board "2"]    1            21             an empty line: another game
#     4     1       [Dealer "N"]   3            12             a new line
def _lay_out(items: pl.DataFrame) -> pl.DataFrame:
    """Write items, each with its gap to the one before: their frame with that `text`."""
    written = items.with_columns(_spell(items)).with_columns(_ends()).with_columns(_gap().alias("gap"))
    return written.with_columns((pl.col("gap") + pl.col("text")).alias("text")).select(items.columns)


def _spell(items: pl.DataFrame) -> pl.Series:
    closed = pl.when(_is("comment") & pl.col("text").str.starts_with("{") & ~pl.col("text").str.ends_with("}"))
    texts = items.select(closed.then(pl.col("text").str.strip_chars_end("\n") + "}").otherwise("text"))["text"]
    return texts.zip_with(items["kind"] != "tag", auctions_and_plays.write_tags(items["name"], texts)).alias("text")


def _is(*kinds: str) -> pl.Expr:
    return pl.col("kind").is_in(kinds)


def _ends() -> list[pl.Expr]:
    """Return where the item before ends: its last line in the file that was read, and the first free column there."""
    breaks = pl.col("text").str.count_matches("\n", literal=True)
    last = pl.col("text").str.extract(r"([^\n]*)\z").str.len_chars()
    column = pl.when(breaks == 0).then(pl.col("column")).otherwise(1)
    return [
        (pl.col("line") + breaks).shift(1).alias("line_before"),
        (column.cast(pl.Int64) + last).shift(1).alias("column_before"),
    ]


def _gap() -> pl.Expr:
    """Return the gap before an item: an empty line, a new line, or blanks on the line of the item before."""
    body = _is("section", "stray")
    # A `%` that begins a line would hide it: section text that begins with one had something before it.
    together = (pl.col("line") == pl.col("line_before")) | (body & pl.col("text").str.starts_with("%"))
    # Text has its own blanks; stray brackets have none, and would run together, as would lines that an empty one parts.
    strays = (_is("stray") & (pl.col("kind").shift() == "stray")).fill_null(value=False)
    apart = (pl.col("record").is_null() | strays) & (pl.col("line") > pl.col("line_before") + 1)
    new_game = pl.col("record").ne_missing(pl.col("record").shift(1)) | apart
    start = pl.when(together).then("column_before").otherwise(1)
    beside = strays & (pl.col("line") == pl.col("line_before"))
    blanks = pl.when(body & ~beside).then(0).otherwise((pl.col("column").cast(pl.Int64) - start).clip(0))
    line_end = pl.when(together).then(pl.lit("")).when(new_game).then(pl.lit("\n\n")).otherwise(pl.lit("\n"))
    return line_end + pl.lit(" ").repeat_by(blanks).list.join("")
