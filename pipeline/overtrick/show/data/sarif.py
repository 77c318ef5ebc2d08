"""SARIF 2.1.0 of a session's problems, for editors and code hosts that show problems in place."""

import json
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from overtrick.core.frames import Session
from overtrick.core.problems import CODES, Severity
from overtrick.core.version import __version__
from overtrick.files.formats.session_rows import list_problems

LEVELS: Final[dict[Severity, str]] = {"error": "error", "warning": "warning", "info": "note"}


def write_sarif(session: Session) -> str:
    """Return the problems as a SARIF log: one run, a rule for each code that occurs, a result for each problem."""
    problems = list_problems(session).to_dicts()
    codes = sorted({problem["code"] for problem in problems})
    driver = {"name": "overtrick", "version": __version__, "rules": [_make_rule(code) for code in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_make_result(problem, codes) for problem in problems],
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=1) + "\n"


def _make_rule(code: str) -> dict[str, Any]:
    texts = CODES[code].texts
    hints = dict.fromkeys(f"{text.hint} ({text.rule})" if text.rule else text.hint for text in texts)
    return {
        "id": code,
        "shortDescription": {"text": "; or ".join(text.sentence for text in texts)},
        "help": {"text": " ".join(hints)},
        "defaultConfiguration": {"level": LEVELS[CODES[code].severity]},
    }


def _make_result(problem: dict[str, Any], codes: list[str]) -> dict[str, Any]:
    result = {
        "ruleId": problem["code"],
        "ruleIndex": codes.index(problem["code"]),
        "level": LEVELS[problem["severity"]],
        "message": {"text": problem["message"]},
        "properties": {key: problem[key] for key in ("record", "board", "table") if problem[key] is not None},
    }
    if problem["source"] is not None:
        result["locations"] = [{"physicalLocation": _make_place(problem)}]
    return result


def _make_place(problem: dict[str, Any]) -> dict[str, Any]:
    path = Path(problem["source"])
    uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    place: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    region = {"startLine": problem["line"], "startColumn": problem["column"]}
    if problem["line"] is not None:
        place["region"] = {key: value for key, value in region.items() if value is not None}
    return place
