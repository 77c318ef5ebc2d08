"""The mends of PBN and of its tables: rules for problem codes, each with a function that proposes changes to the text.

A rule may propose too much: `overtrick.files.mend` keeps only changes that leave all frames as they are.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import polars as pl

from overtrick.core import notation
from overtrick.core.bridge.auction import CALLS
from overtrick.core.bridge.cards import SEATS
from overtrick.core.frames import Session
from overtrick.core.grammar import matcher, words
from overtrick.files.formats.pbn.read.score_tables import cut_unquoted_names, read_header, strings_or_remarks
from overtrick.files.formats.pbn.tags import TAGS, names
from overtrick.files.formats.pbn.verify.sections import blank_remarks, odd_calls, odd_cards
from overtrick.files.formats.pbn.write.auctions_and_plays import escape
from overtrick.files.formats.pbn.write.export import turn_deal
from overtrick.files.mend.draft import Draft, Edit, Rule

_TAG: Final = re.compile(r'\[[^\]"\n]*"(?:[^"\\]|\\.)*"[ \t]*\]|\[[^\]"\r\n]*\]')
_NAME: Final = re.compile(r"\[\s*(\w+)")
_LONE_TAG: Final = re.compile(r'\[(\w+)[ \t]+"(?:[^"\\]|\\.)*"\][ \t]*')
_PLAIN_WORDS: Final = re.compile(r'[^\[\]{}"%;\\]*[^\W\d_][^\[\]{}"%;\\]*')
_RUN_ON: Final = re.compile(r"(?i)[1-7](?:NT?|[CDHS])|ALL[ \t]*PASS|AP|PASS|XX|X")
_BID: Final = re.compile(r"([1-7])(NT?|[CDHS])", re.IGNORECASE)
_OUT_OF_ORDER: Final = " comes after "
_INSIDE: Final = " is not at the beginning of its line"
_OTHERS, _TABLES = 100, 103
"""Places of tags after the mandatory ones, which are numbered from 0; an auction and a play are between these."""


def _written(name: str, value: str) -> str:
    return f'[{name} "{escape(value)}"]'


def _tags_at(session: Session, problems: pl.DataFrame) -> pl.DataFrame:
    """Return the tags at the places of problems: `record line column name text`."""
    tags = session.items.filter(pl.col("kind") == "tag").select("record", "line", "column", "name", "text")
    return tags.join(problems.select("line", "column"), on=["line", "column"], how="semi", maintain_order="left")


def _tag_span(draft: Draft, line: int, column: int) -> tuple[int, int] | None:
    """Return where a tag begins and ends."""
    if not draft.has(line):
        return None
    found = _TAG.match(draft.text, draft.at(line, column))
    return found.span() if found else None


def quote_values(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Put quotes around the values of tags, as they were read."""
    for line, column, name, text in _tags_at(session, problems).select("line", "column", "name", "text").iter_rows():
        if span := _tag_span(draft, line, column):
            yield Edit(*span, _written(name, text))


def correct_names(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Write the names of tags in the case of the standard, in the whole file."""
    del problems
    tags = session.items.filter((pl.col("kind") == "tag") & pl.col("name").is_in(list(TAGS)))
    for line, column, name in tags.select("line", "column", "name").iter_rows():
        found = _NAME.match(draft.text, draft.at(line, column)) if draft.has(line) else None
        if found and found[1] != name and found[1].lower() == name.lower():
            yield Edit(*found.span(1), name)


def empty_values(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Empty the values of tags that do not apply to their game."""
    for line, column, name in _tags_at(session, problems).select("line", "column", "name").iter_rows():
        if span := _tag_span(draft, line, column):
            yield Edit(*span, _written(name, ""))


def close_tags(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Close tags that end with their line."""
    for line, column, name, text in _tags_at(session, problems).select("line", "column", "name", "text").iter_rows():
        if draft.has(line):
            yield Edit(draft.at(line, column), draft.end_of(line), _written(name, text))


def respell_values(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Write values of mandatory tags as export form does."""
    tags = _tags_at(session, problems).join(session.records.drop("line"), on="record", maintain_order="left")
    for (name,), rows in tags.group_by("name", maintain_order=True):
        tag = TAGS.get(str(name))
        if tag is None or tag.export is None or tag.export.writes is None:
            continue
        written = rows.select("line", "column", new=tag.export.writes(pl.col("text")))
        for line, column, new in written.iter_rows():
            if new is not None and (span := _tag_span(draft, line, column)):
                yield Edit(*span, _written(tag.name, new))


def respell_deals(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Write deals with one space between hands and each suit from the ace down, from the hand that the file begins."""
    tags = _tags_at(session, problems).join(session.records.select("record", "deal"), on="record")
    for line, column, text, deal in tags.select("line", "column", "text", "deal").iter_rows():
        span = _tag_span(draft, line, column)
        first = text.strip()[:1].upper()
        if deal and span and first in SEATS:
            yield Edit(*span, _written("Deal", turn_deal(deal, first)))


def export_values(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Write values as export form does, and deals from the dealer's hand on."""
    values = problems.filter(~pl.col("message").str.contains(_OUT_OF_ORDER, literal=True))
    yield from respell_values(draft, session, values)
    known = session.records.select("record", "deal", pl.col("dealer").cast(pl.String).fill_null("N"))
    deals = _tags_at(session, values).filter(pl.col("name") == "Deal").join(known, on="record")
    for line, column, deal, dealer in deals.select("line", "column", "deal", "dealer").iter_rows():
        span = _tag_span(draft, line, column)
        if deal and span:
            yield Edit(*span, _written("Deal", turn_deal(deal, dealer)))


def export_lines(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Begin a line with each tag of a game that has one inside a line."""
    games = problems.filter(pl.col("message").str.contains(_INSIDE, literal=True)).select("record")
    tags = session.items.filter((pl.col("kind") == "tag") & (pl.col("column") > 1))
    for line, column in tags.join(games, on="record", how="semi").select("line", "column").iter_rows():
        if draft.has(line):
            begin, place = draft.starts[line - 1], draft.at(line, column)
            bare = draft.text[begin:place].rstrip(" \t")
            yield Edit(begin + len(bare), place, draft.line_end if bare else "")


def export_order(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Put the tags of a game, each with the lines below it, in the order of export form."""
    order = problems.filter(pl.col("message").str.contains(_OUT_OF_ORDER, literal=True))
    headed = session.items.filter(pl.col("kind") == "section")["name"].unique().to_list()
    places = {
        **dict.fromkeys([*headed, *names(heads="table")], _TABLES),
        **{name: place for place, name in enumerate(names(mandatory=True))},
        "Auction": _TABLES - 2,
        "Play": _TABLES - 1,
    }
    sorted_to = 0
    for line in _tags_at(session, order)["line"].unique().sort():
        if line > sorted_to and draft.has(line):
            first, sorted_to = _find_game(draft, line)
            yield from _sorted_blocks(draft, first, sorted_to, places)


def _find_game(draft: Draft, line: int) -> tuple[int, int]:
    """Return the first and the last line around a line up to empty lines, without the escapes and comments on top."""
    first, last = line, line
    while draft.line(first - 1).strip():
        first -= 1
    while draft.line(last + 1).strip():
        last += 1
    while first < line and draft.line(first).startswith(("%", ";")):
        first += 1
    return first, last


# The blocks of a game and their keys. Mandatory tags come first, then other tags, the auction, the play and
#
#     [Board "1"]      (3, "")
#     [Table "3"]      (100, "Table")
#     [Auction "N"]    (101, "")        with the calls and the notes below it
#     [Score "NS 50"]  (100, "Score")   belongs before the table
def _sorted_blocks(draft: Draft, first: int, last: int, places: Mapping[str, int]) -> Iterator[Edit]:
    """Sort the blocks of the game in some lines: each begins with a tag that is alone on its line."""
    blocks: list[tuple[tuple[int, str], list[int]]] = []
    for at, text in enumerate(draft.lines[first - 1 : last], start=first):
        tag = _LONE_TAG.fullmatch(text)
        if tag and tag[1] != "Note":
            place = places.get(tag[1], _OTHERS)
            blocks.append(((place, tag[1] if place in {_OTHERS, _TABLES} else ""), [at]))
        elif not blocks:
            return
        else:
            blocks[-1][1].append(at)
    ordered = [at for _, block in sorted(blocks, key=lambda block: block[0]) for at in block]
    if ordered != list(range(first, last + 1)):
        text = draft.line_end.join(draft.line(at) for at in ordered)
        yield Edit(draft.starts[first - 1], draft.end_of(last), text)


def move_before_sections(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Move tags before the section that needs them."""
    needs = [(tag.name, need) for tag in TAGS.values() for need in tag.needs]
    needing = pl.DataFrame(needs, {"name": pl.String, "need": pl.String}, orient="row")
    tags = session.items.filter(pl.col("kind") == "tag").join(needing, on="name", maintain_order="left")
    first = tags.unique(["record", "need"], keep="first", maintain_order=True)
    moved = _tags_at(session, problems).join(
        first.select("record", name="need", section="line"), on=["record", "name"], maintain_order="left"
    )
    for line, section in moved.select("line", "section").iter_rows():
        if _LONE_TAG.fullmatch(draft.line(line)) and section < line:
            begin, over = draft.whole_line(line)
            place = draft.starts[section - 1]
            yield Edit(place, place, draft.line(line) + draft.line_end)
            yield Edit(begin, over, "")


def part_games(draft: Draft, _: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Put an empty line before games that have none."""
    for line, column in problems.select("line", "column").iter_rows():
        if draft.has(line):
            place = draft.at(line, column)
            yield Edit(place, place, draft.line_end * (1 if column == 1 else 2))


def join_games(draft: Draft, _: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Remove empty lines from the middle of a game."""
    for line in problems["line"]:
        above = line - 1
        while above > 1 and not draft.line(above).strip():
            yield Edit(*draft.whole_line(above), "")
            above -= 1


def respell_calls(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Write calls as the standard does, to the end of their section."""
    yield from _in_sections(draft, _bodies(session, problems, "Auction"), odd_calls(), _call)


def respell_cards(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Write the ten as T, to the end of the section."""
    yield from _in_sections(draft, _bodies(session, problems, "Play"), odd_cards(), lambda text: f"{text[0]}T")


def _bodies(session: Session, problems: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return the sections of a name in the games of problems."""
    bodies = session.items.filter((pl.col("kind") == "section") & (pl.col("name") == name))
    return bodies.join(problems.select("record").unique(), on="record", how="semi", maintain_order="left")


def _in_sections(draft: Draft, rows: pl.DataFrame, pattern: str, change: Callable[[str], str]) -> Iterator[Edit]:
    """Change all that matches in sections."""
    for line, column, text in rows.select("line", "column", "text").iter_rows():
        bare, place = blank_remarks(text), 0
        while match := re.compile(pattern).search(bare, place):
            begin, end = match.span(1)
            place = end
            breaks = text.count("\n", 0, begin)
            at = begin - text.rfind("\n", 0, begin) if breaks else column + begin
            if draft.has(line + breaks):
                start = draft.at(line + breaks, at)
                yield Edit(start, start + end - begin, change(match[1]))


def _call(text: str) -> str:
    """Return calls in the spelling of the standard."""
    plain = " ".join(text.split()).upper()
    bid = _BID.fullmatch(plain)
    if bid:
        return f"{bid[1]}{'NT' if bid[2].startswith('N') else bid[2]}"
    for terminal, call in (("PASS", "Pass"), ("DOUBLE", "X"), ("REDOUBLE", "XX")):
        if plain in {word.upper() for word in words(terminal)}:
            return call
    if re.fullmatch(r"ALL ?PASS", plain):
        return "AP"
    pieces = _RUN_ON.findall(plain)
    capitals = {call.upper(): call for call in CALLS}
    return " ".join(capitals.get(piece, piece) for piece in pieces) if "".join(pieces) == plain else text


def remove_repeats(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Remove tags that say again exactly what an earlier one of the game says."""
    tags = session.items.filter(pl.col("kind") == "tag")
    first = tags.unique(["record", "name"], keep="first").select("record", "name", first="text")
    again = _tags_at(session, problems).join(first, on=["record", "name"]).filter(pl.col("text") == pl.col("first"))
    for line in again["line"]:
        if _LONE_TAG.fullmatch(draft.line(line)):
            yield Edit(*draft.whole_line(line), "")


def close_comments(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Close comments where the reader ended them."""
    comments = session.items.filter(pl.col("kind") == "comment")
    open_ones = comments.join(problems.select("line", "column"), on=["line", "column"], how="semi")
    for line, column, text in open_ones.select("line", "column", "text").iter_rows():
        last = text.rstrip("\n \t")
        breaks = last.count("\n")
        if draft.has(line + breaks):
            at = len(last) - last.rfind("\n") if breaks else column + len(last)
            place = draft.at(line + breaks, at)
            yield Edit(place, place, "}")


def comment_out(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Make lines of plain words between games comments."""
    strays = session.items.filter((pl.col("kind") == "stray") & (pl.col("column") == 1))
    words = strays.join(problems.select("line", "column"), on=["line", "column"], how="semi")
    for line, text in words.select("line", "text").iter_rows():
        lines = text.rstrip("\n").split("\n")
        if all(_PLAIN_WORDS.fullmatch(text_line) or not text_line.strip() for text_line in lines):
            for number in (line + at for at, text_line in enumerate(lines) if text_line.strip()):
                place = draft.starts[number - 1]
                yield Edit(place, place, "; ")


def find_line_end(draft: Draft, problems: pl.DataFrame) -> tuple[str, str] | None:
    """Return the problem code and the line end that all lines should have; None if their ends are right.

    A file that declares export form has CR LF. In others all lines end as the first one does.
    """
    wrong = problems.filter((pl.col("code") == "pbn-export-form") & pl.col("message").str.contains("CR LF"))
    if len(wrong):
        return "pbn-export-form", "\r\n"
    if (problems["code"] == "pbn-line-ends").any():
        end = draft.line_end
        return "pbn-line-ends", end if end in {"\n", "\r", "\r\n"} else "\r\n"
    return None


_SPELT: Final = ("Contract", "Denomination", "Percentage", "Percentage_NS", "Percentage_EW", "MeanPercentage")
"""The columns whose cells have one spelling."""


def quote_names(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Put quotes around the names in tables where the reader separates them by their spacing."""
    for line, text, header in _table_lines(session, problems, names(heads="table")):
        columns = read_header(header)
        found = cut_unquoted_names(text, columns) if columns and draft.line(line).endswith(text) else None
        if found:
            place, cells = found
            begin = draft.end_of(line) - len(text) + place
            yield Edit(begin, draft.end_of(line), " " + " ".join(f'"{cell}"' for cell in cells))


def quote_signs(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Put quotes around the cells with a `%`, in all tables of the file."""
    del problems
    for line, text, _ in _table_lines(session, session.records, names(heads="table")):
        if "%" in text:
            unquoted = re.sub(r'"[^"]*"', lambda match: "x" * len(match[0]), text)
            for match in re.finditer(r'(?<!\S)[^\s%"]+%[^\s"]*', unquoted):
                begin = draft.end_of(line) - len(text) + match.start()
                yield Edit(begin, begin + len(match[0]), f'"{match[0]}"')


def respell_cells(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Write contracts, denominations and percentages as the standard does, in all tables of the file."""
    del problems
    for line, text, header in _table_lines(session, session.records, names(heads="table")):
        columns = read_header(header) or ()
        spelt = [(at, column.name) for at, column in enumerate(columns) if column.name in _SPELT]
        cells = list(matcher("CELL").finditer(text)) if spelt else []
        for at, name in spelt if len(cells) == len(columns) else ():
            old = cells[at][0].strip('"')
            new = _spelled(name, old)
            if new != old:
                begin = draft.end_of(line) - len(text) + cells[at].start() + (cells[at][0][0] == '"')
                over = begin + len(old)
                # Cells to the right keep their places if there is room.
                room = re.compile(" *(?= )").match(draft.text, over)
                spare = min(len(room[0]) if room else 0, max(len(new) - len(old), 0))
                yield Edit(begin, over + spare, new)


def _spelled(column: str, cell: str) -> str:
    """Return a cell as the standard writes it; the same where it is not understood."""
    if column not in {"Contract", "Denomination"}:
        return cell[:-1] if re.fullmatch(r"[0-9]+(\.[0-9]+)?%", cell) else cell
    level = "" if column == "Contract" else "1"
    value = pl.lit(level + cell)
    parts = pl.select(level=notation.level(value), strain=notation.strain(value), doubled=notation.doubled(value))
    text = parts.select(notation.contract_text()).item()
    return str(text).removeprefix(level) if text else cell


def _table_lines(session: Session, games: pl.DataFrame, tables: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """List the lines of tables in games, which a column `record` names: their numbers, their texts and the headers.

    Comments are blank, so that all places stay the same.
    """
    here = games.select("record").unique()
    tags = session.items.filter((pl.col("kind") == "tag") & pl.col("name").is_in(tables))
    headers = tags.unique(["record", "name"], keep="first").select("record", "name", header="text")
    sections = session.items.filter((pl.col("kind") == "section") & pl.col("name").is_in(tables))
    lines = sections.join(here, on="record", how="semi", maintain_order="left").join(
        headers.drop_nulls(), on=["record", "name"], maintain_order="left"
    )
    for first, text, header in lines.select("line", "text", "header").iter_rows():
        bare = strings_or_remarks().sub(lambda match: match[1] or re.sub(r"[^\n]", " ", match[0]), text)
        for at, line in enumerate(bare.split("\n")):
            if line.strip():
                yield first + at, line, header


RULES: Final = (
    Rule("pbn-tag-unclosed", close_tags),
    Rule("pbn-tag-unquoted", quote_values),
    Rule("pbn-tag-case", correct_names),
    Rule("pbn-comment-unclosed", close_comments),
    Rule("stray-text", comment_out),
    Rule("pbn-tag-repeated", remove_repeats),
    Rule("pbn-games-joined", part_games),
    Rule("pbn-game-split", join_games),
    Rule("pbn-section-order", move_before_sections),
    Rule("pbn-spelling", respell_values),
    Rule("pbn-table-unquoted", quote_names),
    Rule("pbn-table-cell", respell_cells),
    Rule("pbn-table-sign", quote_signs),
    Rule("pbn-passed-out", empty_values),
    Rule("pbn-deal-spelling", respell_deals),
    Rule("pbn-call-spelling", respell_calls),
    Rule("pbn-card-spelling", respell_cards),
    Rule("pbn-export-form", export_values),
    Rule("pbn-export-form", export_lines),
    Rule("pbn-export-form", export_order, whole_games=True),
)
"""The rule for each problem, in the order in which problems are mended."""
