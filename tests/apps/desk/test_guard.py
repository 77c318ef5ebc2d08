"""What the desk refuses: strangers, foreign pages and hosts, too many bytes, paths that leave the folder."""

import asyncio
import zipfile
from collections.abc import MutableMapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import FIXTURES
from tests.support.desk import HOST, ORIGIN, TOKEN, Visitor, visit


@pytest.fixture
def scorer(tmp_path: Path) -> Visitor:
    (tmp_path / "tuesday.csv").write_bytes((FIXTURES / "spring-pairs.csv").read_bytes())
    return visit(tmp_path, most=20_000)


def test_without_the_token_nothing_is_shown(scorer: Visitor) -> None:
    assert 401 == scorer.get("/", {"cookie": ""}).status
    assert 401 == scorer.get("/?token=wrong", {"cookie": ""}).status
    assert 401 == scorer.get("/desk.css", {"cookie": "overtrick-desk=wrong"}).status


def test_the_token_becomes_a_cookie_and_leaves_the_address(scorer: Visitor) -> None:
    answer = scorer.get(f"/evening/tuesday/grid?board=1&token={TOKEN}", {"cookie": ""})
    assert (303, "/evening/tuesday/grid?board=1") == (answer.status, answer.headers["location"])
    assert f"overtrick-desk={TOKEN}; Path=/; HttpOnly; SameSite=Strict" == answer.headers["set-cookie"]


def test_an_address_with_two_slashes_does_not_lead_to_another_host(scorer: Visitor) -> None:
    assert "/evil.example" == scorer.get(f"//evil.example?token={TOKEN}", {"cookie": ""}).headers["location"]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:1", "127.0.0.1", "", "evil.example:8000"])
def test_a_foreign_host_is_refused_whatever_it_brings(scorer: Visitor, host: str) -> None:
    assert 421 == scorer.get(f"/?token={TOKEN}", {"host": host}).status


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost:8000"])
def test_a_form_of_another_page_is_refused(scorer: Visitor, origin: str) -> None:
    assert 403 == scorer.post("/evening/tuesday/undo", origin=origin).status
    assert [] == list(Path(scorer.desk.folder).glob("*.corrections.toml"))


def test_a_form_without_an_origin_is_refused_unless_the_browser_vouches_for_it(scorer: Visitor) -> None:
    cookie = {"content-type": "application/x-www-form-urlencoded"}
    assert 403 == scorer.ask("POST", "/window", b"id=1", cookie).status
    assert 200 == scorer.ask("POST", "/window", b"id=1", {**cookie, "sec-fetch-site": "same-origin"}).status


def test_an_upload_that_says_it_is_too_large_is_not_read(scorer: Visitor) -> None:
    answer = scorer.ask("POST", "/arrive", b"", {"origin": ORIGIN, "content-length": str(10 * 1024**3)})
    assert 413 == answer.status
    assert 413 == scorer.ask("POST", "/arrive", b"", {"origin": ORIGIN, "content-length": "many"}).status


def test_an_upload_without_a_length_is_read_no_further_than_the_limit(scorer: Visitor) -> None:
    parts = 0

    async def endless() -> MutableMapping[str, Any]:
        nonlocal parts
        parts += 1
        return {"type": "http.request", "body": b"x" * 1000, "more_body": True}

    sent: list[MutableMapping[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    headers = [(b"host", HOST.encode()), (b"origin", ORIGIN.encode()), (b"cookie", f"overtrick-desk={TOKEN}".encode())]
    scope = {"type": "http", "method": "POST", "path": "/arrive", "raw_path": b"/arrive", "query_string": b""}
    asyncio.run(scorer.guard({**scope, "headers": headers}, endless, send))
    assert (413, 21) == (sent[0]["status"], parts)


@pytest.mark.parametrize("name", ["../up.pbn", "..\\up.pbn", "/etc/up.pbn", "a/../../up.pbn", "..", "con.pbn"])
def test_a_name_that_leaves_the_folder_is_refused(scorer: Visitor, name: str) -> None:
    answer = scorer.drop((name, (FIXTURES / "club-evening.pbn").read_bytes()[:5000]))
    assert 400 == answer.status
    assert not (scorer.desk.folder.parent / "up.pbn").exists()
    assert ["tuesday"] == [path.stem for path in scorer.desk.folder.iterdir() if path.name[0] != "."]


def test_a_name_in_a_zip_that_leaves_the_folder_is_refused(scorer: Visitor) -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../up.csv", (FIXTURES / "spring-pairs.csv").read_bytes())
    assert 400 == scorer.drop(("all.zip", packed.getvalue())).status
    assert 1 == len(scorer.said)


@pytest.mark.parametrize(
    "path", ["/evening/..%2f..%2fetc/", "/evening/tuesday/pages/..%2f..%2fclub.toml", "/evening/%2e%2e/"]
)
def test_a_path_that_leaves_the_folder_finds_nothing(scorer: Visitor, path: str) -> None:
    assert 404 == scorer.get(path).status


def test_each_refusal_is_one_line_for_the_terminal(scorer: Visitor) -> None:
    scorer.get("/%0a%1b[31m", {"host": "evil\x07.example"})
    assert 1 == len(scorer.said)
    assert scorer.said[0].startswith("refused: GET /")
    assert all(letter.isprintable() for letter in scorer.said[0])


def test_pages_forbid_scripts_of_others_and_other_pages_around_them(scorer: Visitor) -> None:
    answer = scorer.get("/")
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    assert "access-control-allow-origin" not in answer.headers
    assert "<style" not in answer.text
    assert " style=" not in answer.text
    assert "onclick" not in answer.text


def test_only_one_window_writes(scorer: Visitor) -> None:
    assert '{"writes":true}' == scorer.post("/window", id="one").text
    assert '{"writes":false}' == scorer.post("/window", id="two").text
    assert 423 == scorer.post("/evening/tuesday/undo", window="two").status
    assert 423 == scorer.post("/evening/tuesday/undo").status
    assert 303 == scorer.post("/evening/tuesday/undo", window="one").status
    assert '{"writes":true}' == scorer.post("/window/take", id="two").text
    assert '{"writes":false}' == scorer.post("/window", id="one").text


def test_a_window_that_is_gone_gives_way_to_the_next(scorer: Visitor) -> None:
    now = 0.0
    scorer.desk.clock = lambda: now
    scorer.post("/window", id="one")
    now = 16.0
    assert '{"writes":true}' == scorer.post("/window", id="two").text
