"""The desk brings results to other places than the website."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from overtrick.show.publish.address import _secrets
from tests.support.delivering import PASSWORD, Club
from tests.support.desk import Answer, Visitor, visit
from tests.support.post import web_server


@pytest.fixture(autouse=True)
def _password(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OVERTRICK_BRIDGEWEBS_PASSWORD", PASSWORD)
    yield
    _secrets.clear()


def deliver(scorer: Visitor, **fields: str) -> Answer:
    """Send the form, and return the page when the work is over."""
    scorer.post("/evening/tuesday/deliver", fields)
    while not all(job.is_over for job in scorer.desk.jobs.values()):
        time.sleep(0.01)
    return scorer.get("/evening/tuesday/publish")


@pytest.mark.slow
def test_the_desk_delivers_as_the_command_line_does(tmp_path: Path) -> None:
    with web_server() as web:
        club = Club(tmp_path, web=web.url)
        scorer = visit(tmp_path)
        assert "Other places bridgewebs: the club's pages on BridgeWebs" in scorer.get("/evening/tuesday/publish").words
        looked = deliver(scorer, to="bridgewebs", event="2", do="look")
        assert f"bridgewebs: {web.url} club: lantern type: upload event_id: 2 20260307.csv: " in looked.words
        assert [] == web.forms
        done = deliver(scorer, to="bridgewebs", event="2", do="deliver")
        assert f"bridgewebs: delivered to {web.url}: Upload Successful" in done.words
        assert "; nothing has changed)" in club.run("bridgewebs", "--event", "2", "--dry-run").out
        assert 1 == len(web.forms)


def test_the_desk_says_what_is_missing(tmp_path: Path) -> None:
    Club(tmp_path)
    scorer = visit(tmp_path)
    assert "Choose at least one place." in deliver(scorer, do="deliver").words
    assert "ecats: needs the number of the simultaneous session" in deliver(scorer, to="ecats", do="deliver").words


def test_a_club_without_other_places_sees_none(tmp_path: Path) -> None:
    Club(tmp_path)
    (tmp_path / "club.toml").unlink()
    assert "Other places" not in visit(tmp_path).get("/evening/tuesday/publish").words
