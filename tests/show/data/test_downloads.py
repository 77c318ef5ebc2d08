"""Files beside the pages: read back, they agree with the pages."""

from pathlib import Path

from overtrick.core.config import Config
from overtrick.files.assemble import read
from overtrick.show.data.downloads import write_downloads
from tests.support.evaluating import evaluate
from tests.support.public import make_session_page, public

GAME = """[Event "Tuesday"]
[Board "{board}"]
[West "Ann Vale"][North "Bo Lind"][East "Cy Marsh"][South "Di Holm"]
[Dealer "N"][Vulnerable "None"]
[Deal "N:AQ64.J4.Q98543.7 T8.Q653.KJT76.K2 KJ.KT87..AQJT543 97532.A92.A2.986"]
[Contract "4S"][Declarer "S"][Result "9"]
{{chat that is nobody's business}}
[Auction "N"]
1D Pass 2C =1= Pass
2S Pass 4S AP
[Note "1: forcing to game"]
[Play "W"]
D2 D3 DK SJ
*
[Secret "someone@example.org"]
"""


def files(tmp_path: Path) -> dict[str, bytes]:
    source = tmp_path / "evening.pbn"
    source.write_text("\n".join(GAME.format(board=board) for board in (1, 2)))
    session = evaluate([str(source)], Config())
    return write_downloads(public(session), make_session_page(session, Config()))


def test_an_evening_is_one_file_of_each_kind(tmp_path: Path) -> None:
    assert {"session.pbn", "session.lin", "session.csv"} == set(files(tmp_path))


def test_files_hold_deals_auctions_and_plays(tmp_path: Path) -> None:
    made = files(tmp_path)
    for kind in ("pbn", "lin"):
        copy = tmp_path / f"copy.{kind}"
        copy.write_bytes(made[f"session.{kind}"])
        back, first = read([str(copy)]).records, read([str(tmp_path / "evening.pbn")]).records
        assert [1, 2] == back["board"].to_list()
        for name in ("deal", "north", "calls"):
            assert first[name].to_list() == back[name].to_list()
        # LIN writes cards in the order played, PBN by seat.
        assert [*map(sorted, first["cards"])] == [*map(sorted, back["cards"])]


def test_explanations_are_kept_and_chat_and_private_tags_are_not(tmp_path: Path) -> None:
    made = files(tmp_path)
    assert b'[Note "1: forcing to game"]' in made["session.pbn"]
    assert b"an|forcing to game|" in made["session.lin"]
    assert not any(word in content for content in made.values() for word in (b"chat", b"example.org"))
