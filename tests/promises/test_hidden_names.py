"""No hidden name leaves: every fixture, every way to hide, every output, with the last look before publishing off."""

import re
from pathlib import Path

import pytest

from overtrick import conversion
from overtrick.apps.deliver import Order, find_destinations
from overtrick.core.config import Config, load_config
from overtrick.core.contestants import split_players
from overtrick.files.formats.registry import FORMATS
from overtrick.judge.people.identity import fold_name, is_person
from overtrick.judge.privacy import is_own_word
from overtrick.show.publish import bulletin, season_site
from overtrick.show.publish.gate import read_texts
from tests.support.commands import FIXTURES, run
from tests.support.evaluating import evaluate
from tests.support.sweeps import ALL, sample

WAYS = ("hidden", "number", "initials", "members")
_SOURCES = sorted(path for path in FIXTURES.iterdir() if path.is_file())
_PLANTED = {
    ".pbn": (
        r'\[Board "[^\n]*\n',
        '[Annotator "{name}"]\n[XRemark "Mrs {last} was late"]\n[HomeTeam "The {last} Four"]\n{{a lead by {upper}}}\n',
    ),
    ".lin": (r"pg\|\|", "nt|a lead by {upper}|pg||\nnt|{last}, {first}|pg||"),
    ".xml": (r"<EVENT [^>]*>\s*", "<!-- {name} -->\n<REMARK>Mrs {last} was late</REMARK>\n"),
    ".json": (r'"session": \{{', '"remark": "Mrs {last} was late", "director": "{name}", '),
    ".html": ("<body[^>]*>", "<p>Mrs {last} was late</p><!-- {name} -->"),
}
"""By the end of a name, the text that comes before free texts, and these."""
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


def plant(content: bytes, there: str, name: str, suffix: str, form: str) -> bytes:
    """Write a name in another form where a name stands, and into free texts: comments, private fields, teams."""
    first, last = name.split(maxsplit=1)[0], name.rsplit(maxsplit=1)[-1]
    values = {"name": name, "first": first, "last": last, "upper": name.upper()}
    written = form.format(**values) if suffix == ".pbn" or "," not in form else name
    content = content.replace(there.encode(), written.encode())
    text = content.decode("latin-1")
    if suffix in _PLANTED:
        before, texts = _PLANTED[suffix]
        planted = texts.format(**values)
        text = re.sub(before.replace("{{", "{"), lambda found: found[0] + planted, text, count=1)
    if suffix == ".csv" and "board" in (head := text.partition("\n")[0]) and ";" not in head:
        rows = [f"{line},Mrs {last} was late" if line else line for line in text.splitlines()[1:]]
        text = "\n".join([f"{head},remark", *rows])
    return text.encode("latin-1")


def leaks(folder: Path, name: str) -> list[str]:
    """Return the files whose text or path holds a part of the name as a word, or the whole name in either order."""
    words = fold_name(name).split()
    parts = [*list_parts(name), rf"{words[0]}\W+{words[-1]}", rf"{words[-1]}\W+{words[0]}"]
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        for text in (str(path.relative_to(folder)), *read_texts(path.name, path.read_bytes())):
            folded = f" {fold_name(text)} "
            found += [f"{path.relative_to(folder)}: {part}" for part in parts if re.search(rf"\b{part}\b", folded)]
    return found


def deliver(source: Path, out: Path) -> None:
    """Write what the places that count no masterpoints would get."""
    settings = source.with_name("club.toml")
    settings.write_text(settings.read_text("utf-8") + _DELIVERIES, "utf-8")
    config = load_config(settings)
    order = Order("evening", evaluate([str(source)], config), config)
    for place in find_destinations([*_PLACES, "bridgewebs"], config):
        for parcel in place.prepare(order):
            for path, content in {**parcel.files, "subject.txt": parcel.fields.get("subject", "").encode()}.items():
                file = out / place.name / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)


_PLACES = {"league": ".xml", "paper": ".pbn", "friends": ".lin"}
_DELIVERIES = """
[deliver]
server = "smtps://127.0.0.1:1"
sender = "results@club.example"
[deliver.bridgewebs]
club = "lantern"
""" + "".join(
    f'[[deliver.files]]\nname = "{name}"\nto = "{name}@union.example"\nformat = "{ending}"\n'
    for name, ending in _PLACES.items()
)
NAMELESS = {
    *("acblscore-game.AC3", "acblscore-report.txt", "ace-held-twice.pbn", "adjusted-scores.pbn", "bbo-traveller.html"),
    *("big-deal.csv", "board-number-with-letter.pbn", "bye.pbn", "empty.pbn", "inherit-from-nothing.pbn"),
    *("no-games.pbn", "passed-out-board.pbn", "result-unknown.pbn", "salliere-names.csv", "salliere.csv"),
    *("soiree.csv", "spring-pairs.csv", "spring-pairs.dup", "spring-pairs.xml", "team-match.csv"),
    *("twelve-card-hand.pbn", "typed-evening.csv", "unterminated-tag.pbn", "vereinsabend.csv"),
}
"""Files without a player whom `choose` takes; reading all files to find them would take each process seconds."""
NAMED = [path for path in _SOURCES if path.name not in NAMELESS]
CASES = [(path, way, as_name) for path in NAMED for way in WAYS for as_name in (None, "Jo North", "Al Best", "Xi Wu")]


@pytest.mark.slow
def test_every_file_with_such_a_player_is_tried() -> None:
    assert NAMELESS == {path.name for path in _SOURCES if not choose(path)}


@pytest.mark.parametrize(
    ("path", "way", "as_name", "form"),
    sample(
        [pytest.param(*case, FORMS[at % 7], id=f"{case[0].name}-{case[1]}-{case[2]}") for at, case in enumerate(CASES)],
        51,
    ),
)
def test_no_hidden_name_leaves(path: Path, way: str, as_name: str | None, form: str, tmp_path: Path) -> None:
    """A name that is a word of our pages, or has two letters, is looked for as a whole."""
    there = choose(path)
    assert there
    name = as_name or there
    source = tmp_path / "in" / f"evening{path.suffix}"
    source.parent.mkdir()
    source.write_bytes(plant(path.read_bytes(), there, name, path.suffix, form if as_name is None else "{name}"))
    settings = source.with_name("club.toml")
    settings.write_text("" if way == "members" else f'[privacy.players]\n"{name}" = "{way}"\n', "utf-8")
    if way == "members":
        source.with_name("members.csv").write_text(f"name,privacy\n{name},hidden\n", "utf-8")
    out = tmp_path / "out"
    run("correct", source, "--title", "Spring", "--why", f"{name} asked for it")
    pdf = () if ALL else ("--no-pdf",)
    run("bulletin", source, "--out", out / "site", "--no-dd", *pdf)
    run("season", source, "--out", out / "season", "--no-pdf")
    suffixes = sorted({known.suffixes[0] for known in FORMATS if known.write and known.suffixes[0] != ".bws"})
    for suffix in (*suffixes, ".json", ".parquet") if ALL else (".pbn", ".lin", ".csv", ".xml", ".json"):
        run("convert", "--public", source, out / f"converted{suffix}")
    deliver(source, out / "delivered")
    assert (out / "site" / "index.html").is_file()
    assert [] == leaks(out, name)
