"""A format: paper slips as a text, `HOUSE` and then a line `board ns ew contract declarer tricks` for each result."""

import polars as pl

from overtrick.core.frames import RESULTS, conform
from overtrick.core.problems import Finding, report_findings
from overtrick.files.formats.base import Reading
from overtrick.files.formats.registry import Format


def _is_house(head: bytes) -> bool:
    return head.startswith(b"HOUSE\n")


def _read(data: bytes) -> Reading:
    rows, findings = [], []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines()[1:], start=2):
        cells = line.split()
        if len(cells) != 6:
            findings.append(Finding("house-slip", number, 1, values={"text": line}))
            continue
        board, ns, ew, contract, declarer, tricks = cells
        rows.append(
            {
                "line": number,
                "board": int(board),
                "ns": ns,
                "ew": ew,
                "level": int(contract[0]),
                "strain": contract[1:],
                "doubled": 0,
                "declarer": declarer,
                "tricks": int(tricks),
                "multiplicity": 1,
                "status": "played",
            }
        )
    results = conform(RESULTS, pl.DataFrame(rows, infer_schema_length=None)) if rows else Reading().results
    return Reading(results=results, problems=report_findings(findings, None))


FORMAT = Format(
    "house", "Slips of the house", (".house",), recognises=_is_house, read=_read, carries=("results", "contracts")
)
