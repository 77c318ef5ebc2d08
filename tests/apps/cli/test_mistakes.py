"""Ordinary mistakes at the command line: one sentence that says what to write, the same exit status, no traceback."""

import shutil
from pathlib import Path

import pytest

from tests.support.commands import FIXTURES, run

MISTAKES = {
    "bulletn e.pbn": "unknown command bulletn; did you mean bulletin?",
    "print e.pbn": "unknown command print; did you mean bulletin? overtrick bulletin e.pbn",
    "undo e.pbn": "unknown command undo; did you mean correct? overtrick correct e.pbn",
    "upload site": "unknown command upload; did you mean publish?",
    "bulletin e.pbn --pdf": "No such option: --pdf; PDFs are made without it, and --no-pdf leaves them out",
    "bulletin e.pbn --language fr": "it is a setting in club.toml: language in [site]",
    "bulletin e.pbn --colour=red": "it is a setting in club.toml: accent in [site]",
    "bulletin e.pbn --title Cup": "No such option: --title; overtrick correct EVENING --title NAME sets the title",
    "score e.pbn --scoring imps": "No such option: --scoring; --method says how results are scored",
    "correct e.pbn --board 3 --ns 4 --swap": "No such option: --ns; --pair names the pair of either side",
    "publish . ftp.club.example": "write a server as sftp://name@host/folder or ftp://host/folder",
    "e.pbn": "expected a command before e.pbn; try one of these:",
    "bulletin": "Missing argument 'FILE'",
    "bulletin no.pbn": "no.pbn: there is no such file or folder",
    "bulletin e.pbn --ouput x": "No such option: --ouput (Possible options: --out)",
    "bulletin e.pbn --method crossimps": "expected one of matchpoints, butler, cross-imps",
    "bulletin e.pbn --method butlr": "got butlr; did you mean butler?",
    "bulletin e.pbn --out e.pbn": "e.pbn: is a file; choose a folder for the site",
    "bulletin e.pbn --config no.toml": "no.toml: can't be read: No such file or directory",
    "score no.pbn": "no.pbn: there is no such file or folder",
    "score e.pbn --rows result": "got result; did you mean results?",
    "score e.pbn --format jsn": "expected one of table, csv, json, got jsn; did you mean json?",
    "score e.pbn --method": "Option '--method' requires an argument",
    "convert e.pbn": "Missing argument 'TARGET'",
    "convert e.pbn e.xyz": "expected a name that ends in .pbn, .xml (USEBIO)",
    "convert e.pbn e.pbn": "this would replace the source; choose another name, or replace it with --yes",
    "convert no.pbn x.csv": "no.pbn: there is no such file or folder",
    "correct e.pbn --bord 3": "No such option: --bord (Possible options: --board",
    "correct e.pbn --board three --pair 4 --swap --why x": "expected a whole number, got three",
    "correct e.pbn --board 3 --pair 4 --swap": "say why, such as --why 'typed wrongly'",
    "correct e.pbn --board 3 --pair 4 --contract 9S --why x": "a level from 1 to 7 and C, D, H, S or NT",
    "correct e.pbn --pair 4 --penalty 10 pct --why x": "did you mean 'percent'?",
    "correct e.pbn --date 13.10.2026 --why x": "expected a day such as 2026-03-07",
    "correct e.pbn --method buttler --why x": "got buttler; did you mean butler?",
    "correct e.pbn --undo": "there is no entry to remove",
    "correct e.pbn": "say what is right, such as --contract 4S --by N --tricks 10",
    "publish e.pbn www": "e.pbn: not a folder",
    "publish nosite www": "nosite: there is no such file or folder",
    "season": "name files or folders of evenings",
    "season no": "no: there is no such file or folder",
    "season . --out .": "holds files that overtrick did not write; choose an empty or a new folder",
    "watch": "Missing argument 'INBOX'",
    "watch inbox": "Missing option '--out'",
    "people": "Missing argument 'CLUB'",
    "people e.pbn": "e.pbn: name the club's folder, or its club.toml",
    "people no": "no: there is no such file or folder",
    "ingest e.pbn": "Missing option '--archive'",
    "archive solve no": "no: not an archive; create one with: overtrick ingest FILE --archive no",
    "archive solv no": "unknown command solv; did you mean solve?",
    "chart e.pbn": "e.pbn: not an archive; create one with: overtrick ingest e.pbn --archive archive",
    "ingest e.pbn --archive e.pbn": "e.pbn: is a file; choose a folder for the archive",
    "correct e.pbn --board 3 --pair 4 --award 60 --why x": "'--award' takes NS EW. An artificial score: 60% 40%",
    "correct e.pbn --pair 4 --penalty 10 --why x": "'--penalty' takes AMOUNT UNIT. A penalty: 25 percent, 0.25 top",
    "season --rename e": "Option '--rename' takes EVENING NAME",
    "init club": "nothing is written: there was no answer; --yes takes the defaults",
    "init club --yes --colour greenish": "greenish",
    "init club --yes --names surname": "surname",
    "config chek": "unknown command chek; did you mean check?",
    "config check no.toml": "no.toml: there is no such file or folder",
    "fix e.pbn --write --diff": "--diff writes nothing, so it cannot be used with --write",
    "fix no.pbn": "no.pbn: there is no such file or folder",
    "desk no": "no: there is no such file or folder",
    "desk e.pbn": "e.pbn: not a folder",
    "deliver e.pbn": "Missing option '--to'",
    "deliver e.pbn --to nowhere": "nowhere",
    "verify no": "no: there is no such file or folder",
    "template out.pdf": "out.pdf: expected a name that ends in .xlsx",
    "formats pbn": "Got unexpected extra argument(s) (pbn)",
}
"""What was typed, and a part of the answer."""


@pytest.mark.parametrize("typed", MISTAKES)
def test_a_mistake_is_answered_and_changes_nothing(typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(FIXTURES / "club-evening.pbn", tmp_path / "e.pbn")
    monkeypatch.chdir(tmp_path)
    done = run(*typed.split())
    assert (2, "") == (done.status, done.out.strip())
    assert MISTAKES[typed] in " ".join(done.err.split())
    assert "Value error" not in done.err
    assert ["e.pbn"] == [path.name for path in tmp_path.iterdir()]
