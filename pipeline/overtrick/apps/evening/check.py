"""Checking files in bounded memory, however large they are."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import polars as pl

from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.core.machine import Show, show_nothing
from overtrick.core.problems import Finding, limit_each_code, report_findings
from overtrick.core.words import spoken
from overtrick.files.assemble.beside import Found, describe_left_out, find_corrections, list_inputs
from overtrick.files.formats.looks import count_bytes
from overtrick.files.formats.read import group_parts, read_files
from overtrick.pipeline import evaluate, read


def examine(
    paths: Sequence[str],
    config: Config,
    *,
    strict: bool = False,
    corrections: Sequence[Found] | None = None,
    show: Show = show_nothing,
) -> Session:
    """Check files in bounded memory, also against the standard of their format.

    Args:
        paths: files, folders (walked) or `-` for standard input.
        config: the club's settings.
        strict: make tolerated breaches of a format errors, unless the settings give them a severity.
        corrections: the corrections files to apply; None for those beside the files.
        show: takes what is done.

    Returns:
        What `evaluate` returns, if the files are one group (`formats.read.group_parts`). Larger files are checked group
        by group and not scored, and `check-in-parts` reports it: `records` then holds only `record` and `board`,
        `problems` the first of each code in each file, `sources` all files, and the other frames are empty.
    """
    inputs = list_inputs(paths)
    found = find_corrections(paths) if corrections is None else corrections
    with spoken(config.words()):
        readings = read_files(inputs, verified=True, on_bytes=count_bytes(inputs, show, "Checking"))
        groups = group_parts(readings)
        begun = [*islice(groups, 2)]
        if len(begun) > 1:
            return _check_in_parts(begun, groups, config, found, strict=strict)
    session = read(inputs, config, readings=begun[0], verified=True) if begun else Session()
    return evaluate(session, config, found, strict=strict, show=show)


def _check_in_parts(
    begun: list[list[Session]], groups: Iterator[list[Session]], config: Config, found: Sequence[Found], *, strict: bool
) -> Session:
    """Check the groups already read, then the others, one at a time, so that memory holds only one of these."""
    sources, boards, problems = [], [], report_findings([Finding("check-in-parts")], None)
    # A group is not an evening: unless the club keeps files apart, those in it are taken together.
    together = not config.scoring.sessions
    while group := begun.pop(0) if begun else next(groups, None):
        part = read((), config, readings=group, together=together)
        sources.append(part.sources)
        boards.append(part.records.select("record", "board"))
        checked = evaluate(part, config, until="validate", strict=strict)
        problems = limit_each_code(pl.concat([problems, checked.problems]))
    left_out = [report_findings([describe_left_out(file)], file.corrections.source) for file in found]
    whole = Session(sources=pl.concat(sources).drop_nulls("size"), records=pl.concat(boards))
    return replace(whole, problems=pl.concat([problems, *left_out]))
