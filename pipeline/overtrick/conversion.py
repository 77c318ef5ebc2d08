"""A session in another file format, which the name of the file to write decides, and the proof that nothing is lost."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Unpack

import polars as pl

from overtrick import pipeline
from overtrick.core.atomic_write import replace_file
from overtrick.core.bridge.cards import CARDS, board_dealer, board_vulnerability
from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.core.problems import has_errors, report
from overtrick.files.formats.base import Written
from overtrick.files.formats.looks import HEAD, find_format, list_files, recognise
from overtrick.files.formats.parts import write_session
from overtrick.judge.privacy import PublicSession, apply_privacy
from overtrick.pipeline import evaluate, read
from overtrick.show.data.downloads import data_document, is_kept, of_no_file, write_pbn
from overtrick.show.data.file_names import EXPORTED, NAMES, data_format
from overtrick.show.publish.gate import check_files

if TYPE_CHECKING:
    from overtrick.show.publish.bulletin import Choices


class ConversionError(ValueError):
    """A conversion that the names of the files, or the number of them, do not allow."""


class TargetError(ConversionError):
    """A name of a target that is not of a format that overtrick writes.

    Attributes:
        option: whether the format is known, but has no export form.
    """

    def __init__(self, message: str, *, option: bool = False) -> None:
        super().__init__(message)
        self.option = option


def find_writer(target: Path, *, export: bool) -> Callable[[Session], Written]:
    """Return what writes a session in the format of the target's name.

    Args:
        target: the file to write.
        export: whether to write the strict export form of the format.

    Raises:
        TargetError: overtrick does not write such files.
    """
    form, data = find_format(_suffix(target)), data_format(target)
    if form and (form.export if export else form.write):
        return partial(write_session, form=form, export=export)
    if data and not form and not export:
        return lambda session: Written(data_document(session, data, "results"))
    if form or data:
        raise TargetError(f"is for {EXPORTED} files", option=True)
    raise TargetError(f"expected a name that ends in {NAMES}")


def _suffix(target: Path) -> str:
    """Return the end of a name that decides the format: `.results.txt` for the files of Jannersten."""
    name = target.name.lower()
    return ".results.txt" if name.endswith("results.txt") else target.suffix


def is_source(source: str, target: Path) -> bool:
    """Return whether a target is the source itself, or one of the files in it."""
    if not target.exists():
        return False
    return any(Path(file).exists() and target.samefile(file) for file in list_files(source))


def is_unread(session: Session) -> bool:
    """Return whether overtrick could not read any file of a session, so that a file at the target should stay."""
    return bool(session.sources["format"].is_null().all()) and has_errors(session.problems)


Outcome = Literal["whole", "in part", "nothing"]
"""How much of a session a conversion wrote."""


def write_target(session: Session, target: Path, *, export: bool = False) -> tuple[Session, Outcome]:
    """Write a session to a file.

    Args:
        session: what to write; a `PublicSession` as pages write it.
        target: the file; one that is there is replaced when the new one is complete.
        export: whether to write the strict export form.

    Returns:
        The session with the problems of what the format cannot hold and of what `prove` finds, and what was written:
        "whole", "in part", or "nothing" where the package for the format is missing.

    Raises:
        ConversionError: several files would go into one of a format that keeps a file as it was read.
        TargetError: as for `find_writer`.
        LeakError: the content names somebody who is hidden in a `PublicSession`.
        OSError: the file cannot be written.
    """
    write = find_writer(target, export=export)
    if _would_mix(session, target) and not export:
        raise ConversionError("several files cannot be kept as they are in one; use the export form")
    form = find_format(_suffix(target))
    if isinstance(session, PublicSession) and form and form.name == "pbn":
        written = Written(write_pbn(session))
    else:
        written = write(session)
    if isinstance(session, PublicSession):
        check_files({target.name: written.content}, session.crowd, Config())
    if not written.content and has_errors(written.problems):
        return replace(session, problems=written.problems), "nothing"
    replace_file(target, written.content)
    found = pl.concat([written.problems, prove(session, target)])
    return replace(session, problems=pl.concat([session.problems, found])), "in part" if len(found) else "whole"


def make_public(session: Session, config: Config) -> PublicSession:
    """Return a session as pages publish it: named as players wish, without what files hold besides the session."""
    shown = apply_privacy(session, config.privacy, config.people.register)
    return of_no_file(replace(shown, listed=shown.items.filter(is_kept())))


def _would_mix(session: Session, target: Path) -> bool:
    """Return whether several files would go into one of a format that keeps a file as it was read."""
    form = find_format(_suffix(target))
    if form is None or form.export is None or session.sources.height < 2:
        return False
    return bool((session.sources["format"] == form.name).any())


class Fact(NamedTuple):
    """What a conversion has to keep: the rows of a session that state it, in any order.

    Attributes:
        name: as problems call it.
        part: the `PARTS` of a format that holds it.
        rows: lists it; a row that is there twice has to come back twice.
        is_counted: whether a row that the session does not have is a fault too.
    """

    name: str
    part: str
    rows: Callable[[Session], pl.DataFrame]
    is_counted: bool = True


def _of_boards(fact: pl.Expr) -> Callable[[Session], pl.DataFrame]:
    """Return what lists a fact of each board that was dealt, once; tables of one board state it again."""
    dealt = pl.col("deal").is_not_null()
    return lambda session: (
        session.records.filter(dealt).select("board", fact).drop_nulls(fact.meta.output_name()).unique()
    )


def _stated(column: str, by_number: Callable[[pl.Expr], pl.Expr]) -> pl.Expr:
    """Return what counts for a board: as the file states it, else by the number (Law 2)."""
    return pl.coalesce(pl.col(column).cast(pl.String), by_number(pl.col("board")).cast(pl.String)).alias(column)


_OF_TRICKS: Final = (64 * (pl.int_range(pl.len()) // 4) + pl.element()).filter(pl.element() < len(CARDS)).sort()
"""The cards of each trick in order of rank and suit: formats list them by seat or as they were played."""


def _of_tables(column: str, start: str, codes: pl.Expr) -> Callable[[Session], pl.DataFrame]:
    """Return what lists the calls or cards of each table that has any."""
    each = pl.col(column).list.eval(codes.cast(pl.String)).list.join(" ")
    return lambda session: session.records.select("board", start, each).filter(pl.col(column) != "")


_OUTCOME: Final = ("board", "level", "strain", "doubled", "declarer", "tricks", "score_ns")
FACTS: Final = (
    Fact("results", "results", lambda session: session.results.select(_OUTCOME)),
    Fact("leads", "leads", lambda session: session.results.select(*_OUTCOME[:5], "lead").filter(pl.col("lead") != "")),
    Fact("deals", "deals", _of_boards(pl.col("deal"))),
    Fact("dealers", "deals", _of_boards(_stated("dealer", board_dealer)), is_counted=False),
    Fact("vulnerabilities", "deals", _of_boards(_stated("vulnerable", board_vulnerability)), is_counted=False),
    Fact("auctions", "auctions", _of_tables("calls", "auction_start", pl.element())),
    Fact("plays", "plays", _of_tables("cards", "play_start", _OF_TRICKS)),
    Fact("names", "names", lambda session: session.standings.select("names").unique(), is_counted=False),
)
"""All that `prove` compares, besides the ranking."""


def _list_places(session: Session) -> pl.DataFrame:
    """Return the places of all rankings with their totals, without the contestants, who may be called otherwise."""
    rounded = pl.col("total").round(3) + 0.0
    return session.standings.select("ranking", "rank", "boards", rounded)


class Loss(NamedTuple):
    """What a file that was written does not give back.

    Attributes:
        name: "ranking", or the name of a `Fact`.
        values: how many places or values are missing; if `of` is None, how many are too many.
        of: how many there are.
    """

    name: str
    values: int
    of: int | None

    def __str__(self) -> str:
        """Return it as problems tell it: `leads (3 of 26)`."""
        return f"{self.name} ({self.values} {'too many' if self.of is None else f'of {self.of}'})"


def find_losses(session: Session, target: Path) -> tuple[str, list[Loss]]:
    """Read a file that was written, as somebody without the club's settings does, and compare it with its session.

    Args:
        session: what was written.
        target: the file.

    Returns:
        The title of its format, and what the format holds and does not come back, the ranking first; nothing is
        compared of a file that overtrick does not read.
    """
    with target.open("rb") as file:
        form = recognise(file.read(HEAD)) or find_format(_suffix(target))
    if form is None or not form.is_read:
        return "", []
    sound = not has_errors(session.problems)
    again = evaluate(read([str(target)], Config()), Config(), until="rank", sound=sound)
    places, parts = _list_places(session), form.holds
    moved = _count_lost(places, _list_places(again)) if "results" in parts else 0
    ranking = [Loss("ranking", moved, places.height)] if moved else []
    return form.title, [*ranking, *_list_lost(session, again, parts)]


def prove(session: Session, target: Path) -> pl.DataFrame:
    """Return what `find_losses` finds as problems: one if the file ranks otherwise, and one that counts the rest."""
    title, losses = find_losses(session, target)
    rest = ", ".join(str(loss) for loss in losses if loss.name != "ranking")
    moved = [{"title": title, "count": loss.values, "of": loss.of} for loss in losses if loss.name == "ranking"]
    return pl.concat(
        [
            report("conversion-ranking", pl.DataFrame(moved)),
            report("conversion-values", pl.DataFrame({"title": [title], "what": [rest]} if rest else {})),
        ]
    )


def prove_files(session: Session, files: Mapping[str, bytes]) -> dict[str, list[Loss]]:
    """Return what `find_losses` finds of files that were written from a session, by their names."""
    with TemporaryDirectory() as folder:
        paths = {name: Path(folder) / Path(name).name for name in files}
        for name, path in paths.items():
            path.write_bytes(files[name])
        return {name: find_losses(session, path)[1] for name, path in paths.items()}


def publish(session: Session, out: Path, config: Config, **choices: "Unpack[Choices]") -> None:
    """Write the bulletin of a session as `pipeline.publish` does; its pages say what their downloads do not hold."""
    choices["find_losses"] = prove_files
    pipeline.publish(session, out, config, **choices)


def _list_lost(session: Session, again: Session, parts: tuple[str, ...]) -> Iterator[Loss]:
    """Yield the facts that a file does not give back, or of which it gives back too many."""
    for fact in FACTS:
        if fact.part not in parts:
            continue
        before, after = fact.rows(session), fact.rows(again)
        if again.records["board"].is_null().all() and fact.part != "results":
            before, after = (rows.drop("board", strict=False) for rows in (before, after))
        if lost := _count_lost(before, after):
            yield Loss(fact.name, lost, before.height)
        elif fact.is_counted and after.height > before.height:
            yield Loss(fact.name, after.height - before.height, None)


def _count_lost(before: pl.DataFrame, after: pl.DataFrame) -> int:
    """Return how many rows have no equal row after the conversion; a row that was there twice needs two."""
    counts = (rows.group_by(before.columns).len() for rows in (before, after))
    both = next(counts).join(next(counts), on=before.columns, how="left", nulls_equal=True)
    missing = pl.col("len").cast(pl.Int64) - pl.col("len_right").fill_null(0).cast(pl.Int64)
    return int(both.select(missing.clip(0).sum()).item())
