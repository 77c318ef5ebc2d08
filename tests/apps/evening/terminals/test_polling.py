"""Polling: nothing is lost or doubled, whatever ends when."""

import contextlib
from pathlib import Path
from typing import Any

import pytest

from overtrick.apps.evening.terminals import connector
from overtrick.apps.evening.terminals.connector import Answer, keep_polling, only_poller, poll_once
from overtrick.apps.evening.terminals.document import hidden_path, load, make_document, save
from overtrick.files.formats.base import Reading
from overtrick.files.formats.bridgemate.connector import read_connector
from tests.support.connector import FakeConnector, call, result


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "tuesday.json"
    save(place, make_document(None, {"Guid": "A" * 32, "Name": "Tuesday", "Date": "2026-03-10"}, {}))
    return place


def document(file: Path) -> dict[str, Any]:
    found = load(file)
    assert found is not None
    return found


def boards(file: Path) -> list[int]:
    return read(file).results["board"].to_list()


def read(file: Path) -> Reading:
    return read_connector(file.read_bytes())


def test_results_go_into_the_evenings_file_and_are_accepted(file: Path) -> None:
    fake = FakeConnector()
    fake.put("Results", **result(1))
    fake.put("Results", **result(2))
    assert ["2 results (new or changed: 2)"] == list(poll_once(fake, file, document(file)))
    assert ([1, 2], 2) == (boards(file), fake.accepted["Results"])
    assert [] == list(poll_once(fake, file, document(file)))


def test_a_result_that_is_entered_again_replaces_the_first(file: Path) -> None:
    fake = FakeConnector()
    fake.put("Results", **result(1))
    list(poll_once(fake, file, document(file)))
    fake.put("Results", **result(1, TotalTricks=12))
    list(poll_once(fake, file, document(file)))
    assert [12] == read(file).results["tricks"].to_list()


class Killed(BaseException):
    """The end of the process."""


@pytest.mark.parametrize("step", range(6))
def test_an_end_at_any_step_loses_and_doubles_nothing(file: Path, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps: before and after a poll, before and after each of the two files, before and after accepting."""
    fake = FakeConnector()
    fake.put("Results", **result(1))
    steps = iter(range(100))

    def end() -> None:
        if next(steps) == step:
            raise Killed

    class Breaking:
        def poll(self, command: int, session: str) -> Answer:
            answer = fake.poll(command, session)
            if answer.items:
                end()
            return answer

        def accept(self, command: int, session: str, last: int) -> None:
            end()
            fake.accept(command, session, last)
            end()

    def write(path: Path, content: bytes, **_: bool) -> None:
        end()
        path.write_bytes(content)

    with monkeypatch.context() as patch:
        patch.setattr("overtrick.apps.evening.terminals.document.replace_file", write)
        with contextlib.suppress(Killed):
            list(poll_once(Breaking(), file, document(file)))
    fake.put("Results", **result(2))
    again = document(file)
    save(file, again)
    list(poll_once(fake, file, again))
    assert [1, 2] == boards(file)


def test_what_the_connector_forgot_stays_and_what_was_forgotten_here_comes_back(file: Path) -> None:
    fake = FakeConnector()
    fake.put("Results", **result(1))
    list(poll_once(fake, file, document(file)))
    fake.queues["Results"] = []
    list(poll_once(fake, file, document(file), every=True))
    assert [1] == boards(file)
    hidden_path(file).unlink()
    fake.put("Results", **result(1))
    fresh = make_document(None, {}, {})
    list(poll_once(fake, file, fresh, every=True))
    assert [1] == boards(file)


def test_a_connector_that_is_away_is_named_once_and_waited_for_with_bounds(file: Path) -> None:
    fake = FakeConnector(away=True)
    said: list[str] = []
    waited: list[float] = []

    def wait(seconds: float) -> bool:
        waited.append(seconds)
        if len(waited) == 8:
            fake.away = False
            fake.put("Results", **result(1))
        return len(waited) == 9

    keep_polling(fake, file, document(file), said.append, complain=said.append, pause=2, wait=wait)
    back = ["1 results (new or changed: 1)", "the data connector answers again"]
    assert ["nobody answers; trying again", *back] == said
    assert [4, 8, 16, 32, 60, 60, 60, 60, 2] == waited
    assert connector.LONGEST_WAIT == max(waited)


def test_director_calls_are_told_with_each_change(file: Path) -> None:
    fake = FakeConnector()
    fake.put("TdCalls", **call(1))
    place = "director call at 19:42, table A3, round 2"
    assert [f"{place}: called"] == list(poll_once(fake, file, document(file)))
    fake.put("TdCalls", **call(3))
    assert [f"{place}: settled"] == list(poll_once(fake, file, document(file)))
    assert 1 == len(document(file)["TdCalls"])


def test_one_evening_has_one_poller(file: Path) -> None:
    with only_poller(file), pytest.raises(TimeoutError), only_poller(file):
        pass


def test_items_of_wrong_types_are_kept_and_named(file: Path) -> None:
    class Odd(FakeConnector):
        def poll(self, *_: object) -> Answer:
            return Answer([7, {"BoardNumber": [1]}, {"Hour": "x", "Status": {}}, None], 4)

    list(poll_once(Odd(), file, document(file)))
    assert "json-value" in read(file).problems["code"].to_list()
