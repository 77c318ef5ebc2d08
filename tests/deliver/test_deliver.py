"""An evening delivered to servers on this machine: what arrives, what the receipts say, and never twice."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from overtrick.publish.errors import _secrets
from tests.support.commands import FIXTURES, Ran, run
from tests.support.post import HOST, Mailbox, Web, answer, mail_server, web_server
from tests.support.servers import free_port, make_certificate

PASSWORD = "a void in hearts"
CLUB = """
[club]
name = "Lantern Street"
[deliver]
server = "{mail}"
sender = "results@club.example"
scorer = "Ada Quill"
telephone = "01234 567890"
[deliver.bridgewebs]
club = "lantern"
address = "{web}"
pdf = false
[deliver.ebu]
club = "123456"
[deliver.ecats]
country = "England"
[deliver.mail]
leave = "leave@club.example"
link = "https://club.example/{{evening}}/"
[[deliver.files]]
name = "union"
to = "results@union.example"
subject = "{{club}}: {{title}}"
[[awards]]
colour = "green"
places = [0.42, 0.07]
"""
MEMBERS = """number,name,ebu,abf,email,scorecard,privacy
7,Ada Quill,00123,123456,ada@home.example,yes,
8,Ben Moss,,2288,ben@home.example,,
9,Dora Finch,,,dora@home.example,YES,hidden
10,Eli Stone,,88249,not an address,yes,
11,Nobody Here,,,nobody@home.example,yes,
"""


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ignore the settings of this machine's user, don't wait between tries, and forget secrets at the end."""
    for name in ("OVERTRICK_CONFIG", "OVERTRICK_MAIL_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OVERTRICK_BRIDGEWEBS_PASSWORD", PASSWORD)
    monkeypatch.setattr("overtrick.publish.targets._WAITS", (0.0, 0.0, 0.0))
    yield
    _secrets.clear()


class Club:
    """A folder with an evening, settings and members, and the places that take its results."""

    def __init__(self, folder: Path, web: str = "https://127.0.0.1:1/api", mail: str = "smtps://127.0.0.1:1") -> None:
        self.evening = folder / "tuesday.csv"
        self.receipts = folder / "tuesday.delivered"
        self._settings = folder / "club.toml"
        shutil.copy(FIXTURES / "spring-pairs.csv", self.evening)
        self._settings.write_text(CLUB.format(web=web, mail=mail), "utf-8")
        (folder / "members.csv").write_text(MEMBERS, "utf-8")

    def deliver(self, to: str, *options: str) -> Ran:
        """Deliver, and check that neither the password nor an address of a member is in a message or a receipt."""
        ran = run("deliver", self.evening, "--to", to, "--config", self._settings, *options)
        kept = "".join(path.read_text("utf-8") for path in self.receipts.rglob("*") if path.is_file())
        for secret in (PASSWORD, "ada@home.example", "dora@home.example"):
            assert secret not in ran.out + ran.err + kept
        return ran

    def correct(self) -> None:
        """Change one result."""
        text = self.evening.read_text("utf-8")
        self.evening.write_text(text.replace("1,1,1,4,3NT,S,=,HQ", "1,1,1,4,3NT,S,+1,HQ"), "utf-8")


@pytest.fixture
def web() -> Iterator[Web]:
    with web_server() as server:
        yield server


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with mail_server() as server:
        yield server


def test_bridgewebs_gets_a_form_once_and_again_only_if_something_changed(tmp_path: Path, web: Web) -> None:
    club = Club(tmp_path, web=web.url)

    done = club.deliver("bridgewebs", "--event", "2")
    assert (0, f"bridgewebs: delivered to {web.url}: Upload Successful\n") == (done.status, done.out)
    (form,) = web.forms
    assert ["POST /cgi-bin/api.cgi?club=lantern HTTP/1.1"] == web.requests
    said = {name: form[name].decode() for name in ("club", "password", "type", "event_id", "filename")}
    assert {
        "club": "lantern", "password": PASSWORD, "type": "upload", "event_id": "2", "filename": "20260307.csv",
    } == said  # fmt: skip
    assert form["data"].startswith(b"#Version;std1\r\n")
    assert b"Ada Quill" in form["data"]
    assert b"Dora Finch" not in form["data"], "who is hidden on pages is hidden there too"

    assert "delivered on" not in club.deliver("bridgewebs", "--event", "2").err
    assert 1 == len(web.forms)
    assert "; nothing has changed)" in club.deliver("bridgewebs", "--event", "2", "--dry-run").out

    club.correct()
    assert "; changed since: 20260307.csv (" in club.deliver("bridgewebs", "--event", "2", "--dry-run").out
    assert "20260307.csv (" in club.deliver("bridgewebs", "--event", "2").out
    assert 2 == len(web.forms)
    assert 0 == club.deliver("bridgewebs", "--event", "2", "--again").status
    assert 3 == len(web.forms)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (answer(f"message = Wrong password {PASSWORD}\a"), "the server refused: Wrong password ***\ufffd"),
        (answer("no", "404 Not Found"), "the server answered 404 Not Found"),
        (answer("", "302 Found", "Location: http://elsewhere.example/\r\n"), "the server redirects to another address"),
    ],
)
def test_what_bridgewebs_refuses_is_delivered_by_the_next_run(tmp_path: Path, said: bytes, message: str) -> None:
    with web_server(said, answer("message = Upload Successful")) as web:
        club = Club(tmp_path, web=web.url)
        first = club.deliver("bridgewebs")
        assert 3 == first.status
        assert f"overtrick: bridgewebs: {HOST}: {message}" in first.err
        assert 0 == club.deliver("bridgewebs").status


@pytest.mark.parametrize("said", [b"", answer("Upload"), answer("failed", "502 Bad Gateway")])
def test_what_may_have_arrived_is_not_delivered_twice(tmp_path: Path, said: bytes) -> None:
    with web_server(said, answer("message = Upload Successful")) as web:
        club = Club(tmp_path, web=web.url)
        for _ in range(2):
            ran = club.deliver("bridgewebs")
            assert 3 == ran.status
            assert "nobody knows whether the delivery arrived; look there, then use --again" in ran.err
        assert 1 == len(web.forms)
        assert 0 == club.deliver("bridgewebs", "--again").status


def test_a_dry_run_sends_and_writes_nothing(tmp_path: Path, web: Web, mailbox: Mailbox) -> None:
    club = Club(tmp_path, web=web.url, mail=mailbox.url)
    ran = club.deliver("bridgewebs,ebu,ecats,abf,mail,union", "--session", "9", "--dry-run")
    assert 0 == ran.status
    assert "mail: 2 members who agreed: 2 new\n" in ran.out
    assert "ecats: results@simpairs.com\n  subject: 9 England\n  20260307.xml: " in ran.out
    assert [] == web.forms + mailbox.commands
    assert not club.receipts.exists()


def test_one_place_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    club = Club(tmp_path, web=f"https://{HOST}:{free_port()}/")
    ran = club.deliver("bridgewebs,ebu")
    assert 3 == ran.status
    assert f"overtrick: bridgewebs: {HOST}: can't be reached: Connection refused\n" in ran.err
    assert (club.receipts / "ebu" / "20260307.xml").exists()


@pytest.mark.parametrize(
    ("to", "message"),
    [
        (
            "bridgeweb",
            "'bridgeweb' is not a place for results; expected one of bridgewebs, ebu, ecats, abf, mail, union",
        ),
        ("ebu,ecats", "ecats: needs the number of the simultaneous session; give it with --session"),
    ],
)
def test_a_mistake_stops_everything_before_anything_is_sent(tmp_path: Path, to: str, message: str) -> None:
    club = Club(tmp_path)
    ran = club.deliver(to)
    assert (2, f"overtrick: {message}\n") == (ran.status, ran.err)
    assert not (club.receipts / "ebu").exists()


def test_a_missing_setting_names_its_table(tmp_path: Path) -> None:
    club = Club(tmp_path)
    ran = run("deliver", club.evening, "--to", "ebu")
    assert (2, "overtrick: ebu: needs club in the table [deliver.ebu] of club.toml\n") == (ran.status, ran.err)


def test_an_evening_with_errors_is_delivered_only_on_request(tmp_path: Path) -> None:
    club = Club(tmp_path)
    text = club.evening.read_text("utf-8")
    club.evening.write_text(f"{text}Spring Pairs,2026.03.07,MP,1,2,1,4,2HX,E,+2,SA,,,,\n", "utf-8")
    assert 1 == club.deliver("ebu").status
    assert 0 == club.deliver("ebu", "--yes").status


def test_the_ebu_needs_a_date(tmp_path: Path) -> None:
    club = Club(tmp_path)
    club.evening.write_text(club.evening.read_text("utf-8").replace("2026.03.07", ""), "utf-8")
    ran = club.deliver("ebu")
    assert (3, "overtrick: ebu: the evening has no date; enter it with: overtrick correct EVENING --date\n") == (
        ran.status,
        ran.err,
    )


def test_what_was_delivered_is_no_part_of_the_evening(tmp_path: Path) -> None:
    club = Club(tmp_path)
    assert 0 == club.deliver("ebu").status
    checked = run("check", tmp_path)
    assert "20260307.xml" not in checked.out + checked.err
    assert 0 == club.deliver("ebu", "--dry-run").status


def test_members_who_agreed_get_their_own_scorecard_once(tmp_path: Path, mailbox: Mailbox) -> None:
    club = Club(tmp_path, mail=mailbox.url)
    ran = club.deliver("mail")
    assert 0 == ran.status
    assert "mail: sent to 2 of the members who agreed\n" in ran.out
    assert "mail: 1 of those who agreed have no valid address in the column email.\n" in ran.out
    assert {"RCPT TO:<ada@home.example>", "RCPT TO:<dora@home.example>"} == {to for _, to, _ in mailbox.messages}
    message = next(one for _, to, one in mailbox.messages if "ada" in to)
    assert "<mailto:leave@club.example?subject=unsubscribe>" == message["List-Unsubscribe"]
    assert ("Spring Pairs, 7 March 2026", "ada@home.example") == (message["Subject"], message["To"])
    text = message.get_content()
    assert text.startswith("Ada Quill,\n\nSpring Pairs, 7 March 2026\n\n1 Ada Quill & Ben Moss, N-S\nPlace 2 of 3")
    assert "3NT S =" in text
    assert "https://club.example/tuesday/ns-1/" in text
    assert "To get no more of them, write to leave@club.example." in text
    assert "home.example" not in text

    assert 0 == club.deliver("mail").status
    assert 2 == len(mailbox.messages)
    club.correct()
    assert "2 corrected" in club.deliver("mail").out
    assert 4 == len(mailbox.messages)
    assert mailbox.messages[-1][2]["Subject"].startswith("Corrected: ")


def test_an_address_that_the_server_refuses_is_not_shown_and_the_others_get_theirs(tmp_path: Path) -> None:
    with mail_server(RCPT="550 <Ada@Home.example>: no such user") as mailbox:
        club = Club(tmp_path, mail=mailbox.url)
        ran = club.deliver("mail")
        assert 3 == ran.status
        assert f"overtrick: mail: {HOST}: the server refused: 550 <***>: no such user (2 times)\n" in ran.err
        mailbox.answers.clear()
        assert "sent to 2 of" in club.deliver("mail").out


@pytest.mark.parametrize(("at", "status", "arrived"), [("MAIL", 0, 2), (".", 3, 1)])
def test_mail_goes_out_again_only_if_it_surely_did_not_arrive(
    tmp_path: Path, at: str, status: int, arrived: int
) -> None:
    with mail_server(**{at: ""}) as mailbox:
        club = Club(tmp_path, mail=mailbox.url)
        assert 3 == club.deliver("mail").status
        mailbox.answers.clear()
        mailbox.messages.clear()
        assert status == club.deliver("mail").status
        assert arrived * (at == "MAIL") == len(mailbox.messages)


def test_ecats_and_places_of_the_club_get_the_file_and_nothing_else(tmp_path: Path, mailbox: Mailbox) -> None:
    club = Club(tmp_path, mail=mailbox.url)
    ran = club.deliver("ecats,union", "--session", "9")
    assert 0 == ran.status
    assert "overtrick: smtp: sends your password and all messages so that others" in ran.err
    (sender, _, ecats), (_, _, union) = mailbox.messages
    assert "MAIL FROM:<results@club.example>" == sender
    assert ("9 England", "results@simpairs.com") == (ecats["Subject"], ecats["To"])
    assert "Lantern Street: Spring Pairs" == union["Subject"]
    (attached,) = ecats.iter_parts()
    assert ("20260307.xml", "text/xml") == (
        attached.get_filename(),
        attached.get_content_type().replace("application", "text"),
    )
    text = attached.get_content() if isinstance(attached.get_content(), str) else attached.get_content().decode()
    assert "<TELEPHONE>01234 567890</TELEPHONE>\n    <EMAIL>results@club.example</EMAIL>" in text
    assert "<NATIONAL_ID_NUMBER>00123</NATIONAL_ID_NUMBER>" in text
    assert "Dora Finch" not in text


@pytest.mark.slow
def test_mail_is_encrypted_and_the_certificate_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = make_certificate(tmp_path / "server")
    monkeypatch.setenv("OVERTRICK_MAIL_PASSWORD", PASSWORD)
    with mail_server(certificate) as mailbox:
        club = Club(tmp_path, mail=mailbox.url.replace("//", "//club@"))
        refused = club.deliver("mail")
        assert 3 == refused.status
        assert f"overtrick: mail: {HOST}: the server's certificate can't be trusted: self" in refused.err
        assert not [one for one in mailbox.commands if one.startswith("AUTH")]
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        done = club.deliver("mail")
        assert (0, "") == (done.status, done.err)
        assert 2 == len(mailbox.messages)
        assert [one for one in mailbox.commands if one.startswith("AUTH PLAIN ")]


def test_a_server_without_tls_gets_no_password(
    tmp_path: Path, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERTRICK_MAIL_PASSWORD", PASSWORD)
    club = Club(tmp_path, mail=f"smtps://club@{HOST}:{mailbox.port}")
    ran = club.deliver("mail")
    assert 3 == ran.status
    assert "STARTTLS extension not supported" in ran.err
    assert not [one for one in mailbox.commands if one.startswith("AUTH")]
