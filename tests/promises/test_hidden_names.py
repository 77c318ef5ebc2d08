"""No hidden name leaves: every fixture, every way to hide, every output, with the last look before publishing off."""

import re
from pathlib import Path

import pytest

from overtrick import conversion
from overtrick.core.config import Config
from overtrick.core.players import split_players
from overtrick.files.formats.registry import FORMATS
from overtrick.judge.people.crowd import is_own_word
from overtrick.judge.people.identity import fold_name, is_person
from overtrick.show.publish import bulletin, season_site
from overtrick.show.publish.gate import read_texts
from tests.support.commands import FIXTURES, run
from tests.support.evaluating import evaluate
from tests.support.sweeps import ALL, sample

WAYS = ("hidden", "number", "initials", "members")
_SOURCES = sorted(path for path in FIXTURES.iterdir() if path.is_file())
_PLANTED = """{text}
[Annotator "{name}"]
[XRemark "Mrs {last} was late"]
[HomeTeam "The {last} Four"]
{{a lead by {upper}}}
% {last}, {first}
"""
FORMS = ("{name}", "{last}, {first}", "{upper}", "Mrs {name}", "{name} (sub)", "{name} 1001", "{name}e")


@pytest.fixture(autouse=True)
def no_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switch the last look off, so that it hides nothing that was overlooked."""
    monkeypatch.setattr(bulletin, "_make_gate", lambda *_: lambda _files: None)
    monkeypatch.setattr(season_site, "check_files", lambda *_: None)
    monkeypatch.setattr(conversion, "check_files", lambda *_: None)


def choose(path: Path) -> str | None:
    """Return a player of a fixture whose last name is nobody else's and no word of our pages; None without one."""
    session = evaluate([str(path)], Config())
    if session.is_blank:
        return None
    texts = [*session.contestants["names"].drop_nulls(), *session.records["north"].drop_nulls()]
    players = sorted({name for text in texts for name in split_players(text) if is_person(name) and " " in name})
    words = [word for name in players for word in fold_name(name).split()]
    return next((name for name in players if words.count(fold_name(name).split()[-1]) == 1 and list_parts(name)), None)


def list_parts(name: str) -> list[str]:
    """Return the last name, if no page has it as a word of its own."""
    last = fold_name(name).split()[-1]
    return [last] if len(last) > 2 and not is_own_word(last) else []


def plant(content: bytes, name: str, suffix: str, form: str) -> bytes:
    """Write the name in another form where it stands, and into free texts of a PBN file."""
    first, last = name.split(maxsplit=1)[0], name.rsplit(maxsplit=1)[-1]
    values = {"name": name, "first": first, "last": last, "upper": name.upper()}
    there = name.encode()
    if suffix == ".pbn" or "," not in form:
        content = content.replace(there, form.format(**values).encode())
    if suffix == ".pbn":
        text = content.decode("latin-1")
        game = text.find("[Event ")
        end = text.find("\n", text.find("[Board ", game)) + 1
        content = (text[:end] + _PLANTED.format(text="", **values).lstrip("\n") + text[end:]).encode("latin-1")
    return content


def leaks(folder: Path, name: str) -> list[str]:
    """Return the files whose text or path holds a part of the name as a word."""
    parts = list_parts(name)
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        for text in (str(path.relative_to(folder)), *read_texts(path.name, path.read_bytes())):
            folded = f" {fold_name(text)} "
            found += [f"{path.relative_to(folder)}: {part}" for part in parts if re.search(rf"\b{part}\b", folded)]
    return found


CASES = [(path, way) for path in _SOURCES for way in WAYS]


@pytest.mark.parametrize(
    ("path", "way", "form"),
    sample([pytest.param(*case, FORMS[at % 7], id=f"{case[0].name}-{case[1]}") for at, case in enumerate(CASES)], 5),
)
def test_no_hidden_name_leaves(path: Path, way: str, form: str, tmp_path: Path) -> None:
    name = choose(path)
    if name is None:
        pytest.skip("nobody in this file has a name of their own")
    source = tmp_path / "in" / f"evening{path.suffix}"
    source.parent.mkdir()
    source.write_bytes(plant(path.read_bytes(), name, path.suffix, form))
    settings = source.with_name("club.toml")
    settings.write_text("" if way == "members" else f'[privacy.players]\n"{name}" = "{way}"\n', "utf-8")
    if way == "members":
        source.with_name("members.csv").write_text(f"name,privacy\n{name},hidden\n", "utf-8")
    out = tmp_path / "out"
    pdf = () if ALL else ("--no-pdf",)
    run("bulletin", source, "--out", out / "site", "--no-dd", *pdf)
    run("season", source, "--out", out / "season", "--no-pdf")
    suffixes = sorted({known.suffixes[0] for known in FORMATS if known.write and known.suffixes[0] != ".bws"})
    for suffix in (*suffixes, ".json", ".parquet") if ALL else (".pbn", ".lin", ".csv", ".xml", ".json"):
        run("convert", "--public", source, out / f"converted{suffix}")
    assert (out / "site" / "index.html").is_file()
    assert [] == leaks(out, name)
