"""An evening delivered to servers on this machine: what arrives, what the receipts say, and never twice."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import overtrick as ot
from overtrick.apps.deliver import find_destinations, plan
from overtrick.apps.deliver.bridgewebs import prepare
from overtrick.apps.deliver.receipts import Receipts
from overtrick.files.formats.looks import list_files
from overtrick.judge import privacy
from overtrick.show.publish.address import PublishError, _secrets
from tests.support.commands import FIXTURES, run
from tests.support.delivering import PASSWORD, Club, make_order
from tests.support.post import HOST, Mailbox, Web, answer, mail_server, web_server
from tests.support.servers import free_port, make_certificate


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ignore the settings of this machine's user, don't wait between tries, and forget secrets at the end."""
    for name in ("OVERTRICK_CONFIG", "OVERTRICK_MAIL_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OVERTRICK_BRIDGEWEBS_PASSWORD", PASSWORD)
    monkeypatch.setattr("overtrick.show.publish.targets._WAITS", (0.0, 0.0, 0.0))
    yield
    _secrets.clear()


@pytest.fixture
def web() -> Iterator[Web]:
    with web_server() as server:
        yield server


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with mail_server() as server:
        yield server


@pytest.mark.slow
def test_bridgewebs_gets_a_form_once_and_again_only_if_something_changed(tmp_path: Path, web: Web) -> None:
    club = Club(tmp_path, web=web.url)
    first = club.deliver("bridgewebs")
    assert ("Upload Successful", []) == (first.answer, first.errors)
    (form,) = web.forms
    assert ["POST /cgi-bin/api.cgi?club=lantern HTTP/1.1"] == web.requests
    said = {name: form[name].decode() for name in ("club", "password", "type", "event_id", "filename")}
    assert ["lantern", PASSWORD, "upload", "2", "20260307.csv"] == list(said.values())
    assert form["data"].startswith(b"#Version;std1\r\n")
    assert b"Ada Quill" in form["data"]
    assert b"Dora Finch" not in form["data"], "who is hidden on pages is hidden there too"

    assert 1 == len(club.deliver("bridgewebs").same)
    assert 1 == len(web.forms)
    (changed,) = club.deliver("bridgewebs", corrected=True).sent
    assert ("20260307.csv (1 line)",) == changed.changes
    assert 1 == len(club.deliver("bridgewebs", corrected=True, again=True).sent)
    assert 3 == len(web.forms)


def test_nothing_is_delivered_that_names_somebody_who_is_hidden(
    tmp_path: Path, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bodies that count masterpoints get everybody's name."""
    monkeypatch.setattr(privacy, "_rename_all", lambda session, _: session)
    club = Club(tmp_path, web=web.url)
    for place, is_sent in (("bridgewebs", False), ("ebu", True)):
        ran = club.run(place, "--yes", "--event", "2")
        assert ("names dora finch, who is not named in full" in ran.err) != is_sent
        assert (3, 0)[is_sent] == ran.status
    assert [] == web.forms


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (answer(f"message = Wrong password {PASSWORD}\a"), "the server refused: Wrong password ***\ufffd"),
        (answer("no", "404 Not Found"), "the server answered 404 Not Found"),
        (
            answer("", "302 Found", "Location: http://elsewhere.example/\r\n"),
            "the server redirects to another address; correct address in the settings",
        ),
    ],
)
def test_what_bridgewebs_refuses_is_delivered_by_the_next_run(tmp_path: Path, said: bytes, message: str) -> None:
    with web_server(said, answer("message = Upload Successful")) as web:
        club = Club(tmp_path, web=web.url)
        assert [f"{HOST}: {message}"] == club.deliver("bridgewebs").errors
        assert 1 == len(club.deliver("bridgewebs").sent)


@pytest.mark.slow
@pytest.mark.parametrize("said", [b"", answer("Upload"), answer("failed", "502 Bad Gateway")])
def test_what_may_have_arrived_is_not_delivered_twice(tmp_path: Path, said: bytes) -> None:
    with web_server(said, answer("message = Upload Successful")) as web:
        club = Club(tmp_path, web=web.url)
        assert 1 == len(club.deliver("bridgewebs").unsure)
        assert 1 == len(club.deliver("bridgewebs").unsure)
        assert 1 == len(web.forms)
        assert 1 == len(club.deliver("bridgewebs", again=True).sent)


def test_a_run_that_died_while_sending_is_not_repeated(tmp_path: Path, web: Web) -> None:
    club = Club(tmp_path, web=web.url)
    order = make_order()
    Receipts(club.receipts).note("bridgewebs", prepare(order)[0], "sending")
    assert 1 == len(club.deliver("bridgewebs").unsure)
    assert [] == web.forms


def test_damaged_receipts_stop_the_delivery(tmp_path: Path, web: Web) -> None:
    club = Club(tmp_path, web=web.url)
    club.receipts.mkdir()
    (club.receipts / "receipts.json").write_text("{", "utf-8")
    with pytest.raises(PublishError, match="the receipts can't be read; look which results have arrived"):
        club.deliver("bridgewebs")
    assert [] == web.forms


def test_without_a_password_nothing_is_sent(tmp_path: Path, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OVERTRICK_BRIDGEWEBS_PASSWORD")
    monkeypatch.setattr("overtrick.show.publish.targets.base.ask_keyring", lambda _user, _host: None)
    (error,) = Club(tmp_path, web=web.url).deliver("bridgewebs").errors
    assert f"keyring set overtrick lantern@{HOST}" in error
    assert [] == web.forms


@pytest.mark.slow
def test_a_dry_run_sends_and_writes_nothing(tmp_path: Path, web: Web, mailbox: Mailbox) -> None:
    club = Club(tmp_path, web=web.url, mail=mailbox.url)
    ran = club.run("bridgewebs,ebu,ecats,abf,mail,union", "--session", "9", "--event", "2", "--dry-run")
    assert 0 == ran.status
    assert "mail: 2 members who agreed: 2 new\n  subject: Spring Pairs, 7 March 2026\n" in ran.out
    assert "ecats: results@simpairs.com\n  subject: 9 England\n  20260307.xml: " in ran.out
    assert f"bridgewebs: {web.url}\n  club: lantern\n  type: upload\n  event_id: 2\n  20260307.csv: " in ran.out
    assert [] == web.forms + mailbox.commands
    assert not club.receipts.exists()


def test_what_a_place_would_rank_otherwise_is_said_before_it_is_sent(tmp_path: Path) -> None:
    """BridgeWebs' CSV has no place for a rubber."""
    sound = make_order()
    rubber = replace(sound, session=ot.evaluate(FIXTURES / "rubber.csv"))
    (place,) = find_destinations(["bridgewebs"], sound.config)
    (first,), (other,) = (plan(place, order, Receipts(tmp_path)) for order in (sound, rubber))
    assert () == first.parcel.notes
    assert "csv: not given back: ranking (" in other.parcel.notes[0]


@pytest.mark.slow
def test_one_place_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    club = Club(tmp_path, web=f"https://{HOST}:{free_port()}/")
    ran = club.run("bridgewebs,ebu", "-q")
    assert 3 == ran.status
    assert f"overtrick: bridgewebs: {HOST}: can't be reached: Connection refused\n" == ran.err
    assert f"ebu: {club.receipts / 'ebu' / '20260307.xml'}\nebu: Hand it in on the page Submit of My EBU.\n" in ran.out
    again = club.run("ebu", "--dry-run")
    assert "; nothing has changed)\n" in again.out, "what was delivered is no part of the evening"
    assert [str(club.evening)] == [file for file in list_files(str(tmp_path)) if "members" not in file]


@pytest.mark.parametrize(
    ("to", "message"),
    [
        ("web", "'web' is not a place for results; expected one of bridgewebs, ebu, ecats, abf, mail, union"),
        ("ebu,ecats", "ecats: needs the number of the simultaneous session; give it with --session"),
    ],
)
def test_a_mistake_stops_everything_before_anything_is_sent(tmp_path: Path, to: str, message: str) -> None:
    club = Club(tmp_path)
    ran = club.run(to, "-q")
    assert (2, f"overtrick: {message}\n") == (ran.status, ran.err)
    assert not (club.receipts / "ebu").exists()


def test_a_missing_setting_names_its_table(tmp_path: Path) -> None:
    settings = tmp_path / "empty.toml"
    settings.touch()
    ran = run("deliver", Club(tmp_path).evening, "--to", "ebu", "-q", "--config", settings)
    assert (2, "overtrick: ebu: needs club in the table [deliver.ebu] of club.toml\n") == (ran.status, ran.err)


def test_an_evening_with_errors_or_without_a_date_is_not_delivered(tmp_path: Path) -> None:
    club = Club(tmp_path)
    text = club.evening.read_text("utf-8")
    club.evening.write_text(f"{text}Spring Pairs,2026.03.07,MP,1,2,1,4,2HX,E,+2,SA,,,,\n", "utf-8")
    assert 1 == club.run("ebu").status
    club.evening.write_text(text.replace("2026.03.07", ""), "utf-8")
    ran = club.run("ebu")
    assert 3 == ran.status
    assert "ebu: the evening has no date; enter it with: overtrick correct EVENING --date\n" in ran.err


def test_members_who_agreed_get_their_own_scorecard_once(tmp_path: Path, mailbox: Mailbox) -> None:
    club = Club(tmp_path, mail=mailbox.url)
    sent = club.deliver("mail").sent
    assert ["Ada Quill", "Dora Finch"] == sorted(one.parcel.who for one in sent)
    assert ("1 of those who agreed have no valid address in the column email.",) == sent[0].parcel.notes
    assert {"RCPT TO:<ada@home.example>", "RCPT TO:<dora@home.example>"} == {to for _, to, _ in mailbox.messages}
    message = next(one for _, to, one in mailbox.messages if "ada" in to)
    assert "<mailto:leave@club.example?subject=unsubscribe>" == message["List-Unsubscribe"]
    assert ("Spring Pairs, 7 March 2026", "ada@home.example") == (message["Subject"], message["To"])
    text = message.get_content().replace("\r\n", "\n")
    assert text.startswith("Ada Quill,\n\nSpring Pairs, 7 March 2026\n\n1 Ada Quill – Ben Moss, N-S\nPlace 3 of 3")
    assert "    1  4 …" in text, "others are named as they wish"
    assert "https://club.example/tuesday/" in text
    assert "To get no more of them, write to leave@club.example." in text
    assert "home.example" not in text

    assert 2 == len(club.deliver("mail").same)
    assert 2 == len(mailbox.messages)
    assert 2 == len(club.deliver("mail", corrected=True).sent)
    assert mailbox.messages[-1][2]["Subject"].startswith("Corrected: ")
    assert "replaces the one you got before" in mailbox.messages[-1][2].get_content()


def test_an_address_that_the_server_refuses_is_not_shown_and_the_others_get_theirs(tmp_path: Path) -> None:
    with mail_server(RCPT="550 <Ada@Home.example>: no such user") as mailbox:
        club = Club(tmp_path, mail=mailbox.url)
        said = f"{HOST}: the server refused: 550 <***>: no such user"
        assert [said, said] == club.deliver("mail").errors
        mailbox.answers.clear()
        assert 2 == len(club.deliver("mail").sent)


@pytest.mark.parametrize(("at", "unsure"), [("MAIL", 0), ("DATA", 0), (".", 1)])
def test_mail_goes_out_again_only_if_it_surely_did_not_arrive(tmp_path: Path, at: str, unsure: int) -> None:
    with mail_server() as mailbox:
        mailbox.answers[at] = ""
        club = Club(tmp_path, mail=mailbox.url)
        first_run = club.deliver("mail")
        assert (bool(first_run.errors or first_run.unsure), []) == (True, first_run.sent)
        mailbox.answers.clear()
        mailbox.messages.clear()
        next_run = club.deliver("mail")
        assert (unsure * 2, 2 - unsure * 2) == (len(next_run.unsure), len(mailbox.messages))


def test_a_server_that_never_ends_its_answer_is_left(tmp_path: Path) -> None:
    with mail_server(MAIL="250-more\r\n" * 2000 + "250 end") as mailbox:
        (error,) = Club(tmp_path, mail=mailbox.url).deliver("mail").errors
        assert f"{HOST}: the connection failed: " in error


def test_ecats_and_places_of_the_club_get_the_file_and_nothing_else(tmp_path: Path, mailbox: Mailbox) -> None:
    club = Club(tmp_path, mail=mailbox.url)
    ran = club.run("ecats,union", "--session", "9")
    assert 0 == ran.status
    assert "overtrick: smtp: sends your password and all messages so that others" in ran.err
    (sender, _, ecats), (_, _, union) = mailbox.messages
    assert "MAIL FROM:<results@club.example>" == sender
    assert ("9 England", "results@simpairs.com") == (ecats["Subject"], ecats["To"])
    assert "Lantern Street: Spring Pairs" == union["Subject"]
    (attached,) = ecats.iter_parts()
    assert "20260307.xml" == attached.get_filename()
    text = bytes(attached.get_payload(decode=True)).decode()
    assert "<TELEPHONE>01234 567890</TELEPHONE>\n    <EMAIL>results@club.example</EMAIL>" in text
    assert "<NATIONAL_ID_NUMBER>00123</NATIONAL_ID_NUMBER>" in text
    assert "Dora Finch" not in text


@pytest.mark.slow
def test_mail_is_encrypted_and_the_certificate_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = make_certificate(tmp_path / "server")
    monkeypatch.setenv("OVERTRICK_MAIL_PASSWORD", PASSWORD)
    with mail_server(certificate) as mailbox:
        club = Club(tmp_path, mail=mailbox.url.replace("//", "//club@"))
        (refused,) = club.deliver("mail").errors
        assert refused.startswith(f"{HOST}: the server's certificate can't be trusted: self")
        assert not [one for one in mailbox.commands if one.startswith("AUTH")]
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert 2 == len(club.deliver("mail").sent)
        assert [one for one in mailbox.commands if one.startswith("AUTH PLAIN ")]


def test_a_server_without_tls_gets_no_password(
    tmp_path: Path, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERTRICK_MAIL_PASSWORD", PASSWORD)
    (error,) = Club(tmp_path, mail=f"smtps://club@{HOST}:{mailbox.port}").deliver("mail").errors
    assert "STARTTLS extension not supported" in error
    assert not [one for one in mailbox.commands if one.startswith("AUTH")]
