"""Links to the viewer."""

from pathlib import Path
from urllib.parse import unquote

import pytest

from overtrick.files.assemble import read
from overtrick.files.formats.lin.write.travellers import view_records, write_link
from tests.support.deals import pbn, random_boards
from tests.support.lin_texts import DEAL


def test_every_sign_is_encoded() -> None:
    assert write_link("an|a&b=1 \u2660|").endswith("?lin=an%7Ca%26b%3D1%20%E2%99%A0%7C")


def test_a_link_shows_what_was_dealt_bid_and_played(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_text(pbn(random_boards(9)), "utf-8")
    session = read([str(path)])
    page = tmp_path / "links.html"
    page.write_text("\n".join(one.link for one in view_records(session).values()), "utf-8")
    again = read([str(page)])
    for name in ("board", "deal", "dealer", "vulnerable", "calls", "cards", "declarer", "tricks"):
        assert session.records[name].to_list() == again.records[name].to_list(), name


@pytest.mark.parametrize("deal", ["N:AKQ... - - -", "?"])
def test_a_board_without_four_hands_has_no_link(deal: str, tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_text(f'[Board "1"]\n[Deal "{deal}"]\n\n[Board "2"]\n[Deal "{DEAL}"]\n', "utf-8")
    links = {record: one.link for record, one in view_records(read([str(path)])).items() if one.link}
    assert [1] == list(links)
    assert "rh||ah|Board 2|sv|n|" in unquote(links[1])
