"""The folders of an inbox."""

from pathlib import Path

import pytest

from overtrick.apps.inbox.folders import Inbox, WatchedError
from tests.support.inboxes import drop, lying


@pytest.fixture
def inbox(tmp_path: Path) -> Inbox:
    return Inbox(tmp_path)


def arrive(inbox: Inbox, **files: str) -> list[Path]:
    drop(inbox.folder, **files)
    return inbox.list_arrived()


def test_hidden_and_unfinished_files_have_not_arrived(inbox: Inbox) -> None:
    (inbox.folder / ".hidden.pbn").touch()
    (inbox.folder / "~tuesday.pbn").touch()
    (inbox.folder / "tuesday.pbn.part").touch()
    (inbox.folder / "tuesday.crdownload").touch()
    (inbox.folder / "link.pbn").symlink_to("/etc/passwd")
    (inbox.folder / "folder.pbn").mkdir()
    assert [inbox.folder / "a.pbn"] == arrive(inbox, a_pbn="")


def test_a_session_goes_from_the_inbox_through_taken_and_built_to_done(inbox: Inbox) -> None:
    assert inbox.take("a", arrive(inbox, a_pbn="1", a_csv="2"))
    assert (["a"], [], []) == (inbox.list_taken(), inbox.list_built(), lying(inbox.folder))
    assert ["a.csv", "a.pbn"] == [path.name for path in inbox.list_inputs("a")]
    inbox.mark_built("a")
    assert ([], ["a"], False) == (inbox.list_taken(), inbox.list_built(), inbox.is_free("a"))
    inbox.finish("a")
    assert ([], ["done/a/a.csv", "done/a/a.pbn"], True) == (inbox.list_built(), lying(inbox.folder), inbox.is_free("a"))


def test_files_that_disappear_are_not_a_session(inbox: Inbox) -> None:
    files = arrive(inbox, a_pbn="1")
    files[0].unlink()
    assert not inbox.take("a", files)
    assert inbox.is_free("a")


def test_a_correction_is_read_with_the_other_files_and_the_old_version_is_kept(inbox: Inbox) -> None:
    for text in ("old", "new", "newest"):
        inbox.take("a", arrive(inbox, a_csv=text, **({"a_pbn": "deals"} if text == "old" else {})))
        assert ["a.csv", "a.pbn"] == [path.name for path in inbox.list_inputs("a")]
        assert text == inbox.list_inputs("a")[0].read_text("utf-8")
        inbox.mark_built("a")
        inbox.finish("a")
    kept = ["done/a/a.csv", "done/a/a.pbn", "done/a/earlier/a-2.csv", "done/a/earlier/a.csv"]
    assert kept == lying(inbox.folder)
    assert ["newest", "deals", "new", "old"] == [(inbox.folder / name).read_text("utf-8") for name in kept]


def test_half_taken_files_of_an_interrupted_run_go_back(inbox: Inbox) -> None:
    drop(inbox.folder / ".overtrick" / "taking" / "a", a_pbn="1", b_pbn="old")
    drop(inbox.folder, b_pbn="new")
    inbox.put_back()
    assert ["a.pbn", "b.pbn", "rejected/b.pbn", "rejected/b.pbn.reason.txt"] == lying(inbox.folder)
    assert ("new", "old") == tuple((inbox.folder / name).read_text("utf-8") for name in ("b.pbn", "rejected/b.pbn"))
    assert inbox.is_free("a")


def test_a_rejected_file_has_its_reason_beside_it_and_overwrites_nothing(inbox: Inbox) -> None:
    for text in ("1", "2"):
        inbox.reject(arrive(inbox, a_pbn=text)[0], f"because {text}")
    names = ["a-2.pbn", "a-2.pbn.reason.txt", "a.pbn", "a.pbn.reason.txt"]
    assert [f"rejected/{name}" for name in names] == lying(inbox.folder)
    assert ["2", "because 2", "1", "because 1"] == [(inbox.rejected / name).read_text("utf-8") for name in names]


def test_one_run_at_a_time_has_an_inbox(inbox: Inbox) -> None:
    with inbox.locked(), pytest.raises(WatchedError, match="another overtrick"), Inbox(inbox.folder).locked():
        pass
    with Inbox(inbox.folder).locked():
        pass
