"""PBN in export form."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given

from overtrick.core.bridge.cards import UNKNOWN
from overtrick.core.frames import Session
from overtrick.files.formats.pbn.write import export_pbn
from tests.support.deals import free_pbn, pbn, random_boards
from tests.support.pbn_texts import DEAL, odd_texts, session, sound_games
from tests.support.reading import FIXTURES, codes

MANDATORY = (
    "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer Contract Result".split()
)
SPELLED_OTHERWISE = ["source", "line", "cards", "play_start", "play_end", "auction_end"]


def form(read: Session) -> str:
    return export_pbn(read).content.decode("latin-1")


def exported(text: str) -> str:
    """Write a text in export form, without the header and with plain line ends."""
    written = form(session(text))
    assert written.startswith("% PBN 2.1\r\n% EXPORT\r\n")
    return written.replace("\r\n", "\n").removeprefix("% PBN 2.1\n% EXPORT\n").removeprefix("\n")


def below(text: str, tag: str) -> str:
    """Give what stands below a tag, up to the next one."""
    return exported(text).partition(f"[{tag} ")[2].partition("]\n")[2].partition("[")[0].rstrip("\n")


def reported(text: str) -> list[str]:
    return codes(export_pbn(session(text)).problems)


def tricks(read: Session) -> list[list[set[int]]]:
    """Give the plays as sets of cards, trick by trick."""
    plays = [cards or [] for cards in read.records["cards"].to_list()]
    rows = [[set(cards[at : at + 4]) - {UNKNOWN} for at in range(0, len(cards), 4)] for cards in plays]
    return [[row for row in play if row] for play in rows]


@pytest.mark.parametrize("text", [pbn(random_boards(30, seed=1)), free_pbn(random_boards(30, seed=2), seed=5)])
def test_boards_mean_the_same(text: str) -> None:
    read = session(text)
    written = export_pbn(read)
    again = session(written.content)
    assert read.records.drop(SPELLED_OTHERWISE).equals(again.records.drop(SPELLED_OTHERWISE))
    assert tricks(read) == tricks(again)
    assert written.content == export_pbn(again).content
    assert [] == codes(written.problems)


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.pbn")), ids=lambda path: path.stem)
@pytest.mark.sweep(2)
def test_results_of_our_files_mean_the_same(path: Path) -> None:
    read = session(path.read_bytes())
    written = export_pbn(read)
    again = session(written.content)
    places = ["source", "line", "column"]
    assert read.results.drop(places).equals(again.results.drop(places))
    assert written.content == export_pbn(again).content


def test_both_spellings_of_a_board_are_written_alike() -> None:
    boards = random_boards(20, seed=8, claims=0)
    plain, free = (session(text) for text in (pbn(boards), free_pbn(boards, seed=9)))
    loose = pl.col("kind").is_in(["comment", "escape"])
    marked = pl.col("kind") == "comment"
    bare = Session(listed=free.items.filter(~loose), records=free.records, annotations=free.annotations.filter(~marked))
    assert form(plain) == form(bare)


@given(odd_texts())
@pytest.mark.slow
def test_whatever_is_read_is_written_in_the_form(text: str) -> None:
    read = session(text)
    written = export_pbn(read)
    again = session(written.content)
    assert written.content == export_pbn(again).content
    assert read.records.height == again.records.height
    names = again.items.filter(pl.col("kind") == "tag", pl.col("name").is_in(MANDATORY))["name"].to_list()
    assert MANDATORY * read.records.height == names


@given(sound_games())
@pytest.mark.slow
def test_calls_and_cards_of_sound_games_mean_the_same(text: str) -> None:
    read = session(text)
    again = session(export_pbn(read).content)
    assert read.records["calls"].to_list() == again.records["calls"].to_list()
    assert tricks(read) == tricks(again)


def test_a_game_has_the_fifteen_tags_in_order_then_others_by_name() -> None:
    text = f'[Table "3"]\n[Deal "{DEAL}"]\n[Board "1"]\n[Dealer "w"]\n[Room "Open"]\n[North ""]\n'
    assert (
        '[Event "?"]\n[Site "?"]\n[Date "?"]\n[Board "1"]\n[West "?"]\n[North ""]\n[East "?"]\n[South "?"]\n'
        '[Dealer "W"]\n[Vulnerable "?"]\n'
        '[Deal "W:KQT2.AT.J6542.85 .63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4"]\n'
        '[Scoring "?"]\n[Declarer "?"]\n[Contract "?"]\n[Result "?"]\n[Room "Open"]\n[Table "3"]\n'
    ) == exported(text)


@pytest.mark.parametrize(
    ("stated", "written"),
    [
        ('[Vulnerable "Love"]', '[Vulnerable "None"]'),
        ('[Vulnerable "both"]', '[Vulnerable "All"]'),
        ('[Contract "4sxx"]', '[Contract "4SXX"]'),
        ('[Contract "3N"]', '[Contract "3NT"]'),
        ('[Contract "nt"]', '[Contract "NT"]'),
        ('[Declarer "^s"]', '[Declarer "^S"]'),
        ('[Declarer "S"] [Result "EW 4"]', '[Result "9"]'),
        ('[Result "^9"]', '[Result "^9"]'),
        ('[Contract "Pass"]', '[Declarer ""]\n[Contract "Pass"]\n[Result ""]'),
        ('[Deal "E:2A3.-.-.- - - -"] [Dealer "N"]', '[Deal "?"]'),
        ('[Deal "e:2a3.k.9.t - - -"]', '[Deal "N:- A32.K.9.T - -"]'),
    ],
)
def test_values_are_written_in_one_way(stated: str, written: str) -> None:
    assert written in exported(stated)


def test_inherited_values_are_written_out() -> None:
    text = '[Event "##Cup"]\n[Room "Open"]\n\n[Board "2"]\n[Room "#"]\n\n[Event ""]\n'
    written = exported(text)
    assert 2 == written.count('[Event "Cup"]')
    assert 2 == written.count('[Room "Open"]')
    assert 1 == written.count('[Event ""]')
    assert "#" not in written


def test_the_second_room_states_its_board() -> None:
    board = f'[Board "7"]\n[Dealer "S"]\n[Vulnerable "All"]\n[Deal "{DEAL}"]\n[Declarer "S"]\n[Contract "2H"]\n'
    written = exported(board + '[Result "8"]\n\n[West "Nuna"]\n[Declarer "E"]\n[Contract "1S"]\n[Result "7"]\n')
    assert (2, 2) == (written.count('[Board "7"]'), written.count('[Vulnerable "All"]'))


def test_what_a_tag_can_not_hold_stands_in_a_comment_and_is_named() -> None:
    assert '[Board "?"]\n{Board "2-1"}\n' in exported('[Board "2-1"]\n')
    assert ["pbn-export-changed"] == reported('[Board "2-1"]\n')


def test_a_repeated_tag_stands_in_a_comment() -> None:
    assert '[Event "a"]\n{Event "b"}\n' in exported('[Event "a"]\n[Event "b"]\n')


def test_auctions_begin_with_the_dealer_four_calls_a_line() -> None:
    text = '[Dealer "S"]\n[Auction "W"]\n- - -\n1d =1= dbl! p 1n ap\n[Note "1: weak"]\n'
    assert "1D =1= X $1 Pass 1NT\nPass Pass Pass" == below(text, "Auction")
    assert '[Auction "S"]\n' in exported(text)
    assert exported(text).endswith('Pass Pass Pass\n[Note "1: weak"]\n')


def test_an_auction_that_was_not_ended_is_marked() -> None:
    assert "1C 1D\n*" == below('[Auction "N"]\n1C 1D\n', "Auction")
    assert "1C 1D\n+" == below('[Auction "N"]\n1C 1D +\n', "Auction")
    assert "Pass Pass Pass Pass" == below('[Auction "N"]\nAP\n', "Auction")


def test_irregularities_and_glyphs_stand_where_they_should() -> None:
    assert "1S ^I 1C $2 $16 Pass ^S\nPass\n*" == below('[Auction "N"]\n1S ^I 1C $16? Pass ^S Pass\n', "Auction")


def test_marks_without_a_call_are_kept() -> None:
    assert "$3\n*" == below('[Dealer "N"]\n[Auction "N"]\n$3\n', "Auction")


def test_an_irregularity_before_no_call_tells_nothing_of_the_call_before_it() -> None:
    assert "1C Pass ^I\n*" == below('[Dealer "N"]\n[Auction "N"]\n1C Pass ^I\n', "Auction")


def test_comments_stay_with_their_call() -> None:
    text = '[Auction "N"] {before}\n1C {of 1C} 1D ; of 1D\n1H\n% hidden\n1S {last}\n'
    assert "{before}\n1C {of 1C} 1D ; of 1D\n1H\n% hidden\n1S\n*\n{last}" == below(text, "Auction")


def test_cards_stand_in_the_column_of_their_hand() -> None:
    text = f'[Deal "{DEAL}"]\n[Declarer "S"]\n[Contract "5H"]\n[Play "N"]\nh3 sA s3 sK\n- - - c8!\n'
    assert "SK H3 SA S3\nC8 $7 - - -\n*" == below(text, "Play")
    assert '[Play "W"]' in exported(text)


def test_cards_of_an_unknown_deal_keep_their_seats() -> None:
    assert "SK H3 SA S3\n*" == below('[Declarer "S"]\n[Play "N"]\nh3 sA s3 sK\n', "Play")


def test_a_section_with_words_that_are_none_stays_as_it_is() -> None:
    text = '[Auction "N"]\n1C what 1D\n'
    assert "1C what 1D" == below(text, "Auction")
    assert ["pbn-export-changed"] == reported(text)


def test_tables_have_a_row_a_line_and_the_widths_of_their_header() -> None:
    text = '[ScoreTable "PairId_NS\\3R;Contract\\5L;Names"]\n{of the table}\n1 3NT "Ann;Bo" 12\n4SXX "C"\n'
    assert '{of the table}\n  1 3NT   "Ann;Bo"\n 12 4SXX  "C"' == below(text, "ScoreTable")
    assert [] == reported(text)


def test_a_table_whose_rows_are_not_whole_stays_as_it_is() -> None:
    text = '[ScoreTable "PairId_NS;Contract"]\n1 3NT\n2\n'
    assert "1 3NT\n2" == below(text, "ScoreTable")
    assert ["pbn-export-changed"] == reported(text)


@pytest.mark.parametrize(
    "text",
    ['[Own "x"]\n"] ', '[ScoreTable "PairId_NS;Names_NS"]\n1 "Ann', '[Play "W"]\n' + "SA SK SQ SJ\n" * 13 + "H2 H3"],
)
def test_what_is_damaged_is_written_the_same_again(text: str) -> None:
    written = export_pbn(session(f'[Board "1"]\n{text}')).content
    assert written == export_pbn(session(written)).content


def test_sections_come_last_and_by_name() -> None:
    text = '[ScoreTable "A"]\n1\n[Foo "A"]\n2\n[Play "W"]\n*\n[Auction "N"]\n*\n[Bar "x"]\n'
    tags = [line[1:].split(" ")[0] for line in exported(text).split("\n") if line.startswith("[")]
    assert ["Bar", "Auction", "Play", "Foo", "ScoreTable"] == tags[15:]


def test_lines_are_broken_and_those_that_can_not_be_are_named() -> None:
    words = " ".join(["word"] * 100)
    text = f'[Event "{"x" * 300}"]\n{{{words}}}\n; {words}\n'
    written = export_pbn(session(text))
    long = [line for line in written.content.decode("latin-1").split("\r\n") if len(line) > 253]
    assert 1 == len(long)
    assert ["pbn-export-changed"] == codes(written.problems)
    assert 200 == written.content.count(b"word")


def test_names_are_written_in_the_characters_of_the_form() -> None:
    text = '[North "Łukasz Kovář"]\n[South "Åse 中"]\n{♠ – “x”}\n'
    written = exported(text)
    assert '[North "Lukasz Kovár"]' in written
    assert '[South "Åse U+4E2D"]' in written
    assert "{S - ''x''}" in written
    assert ["pbn-export-changed"] * 3 == reported(text)


def test_a_charset_that_is_no_longer_true_is_corrected() -> None:
    assert "%Content-type: text/x-pbn; charset=ISO-8859-1\n" in exported("%Content-type: text/x-pbn; charset=UTF-8\n")


def test_what_stands_between_games_stays_there() -> None:
    text = '% PBN 1.0\n%Creator: me\n\n[Board "1"]\n\n{between}\n% PBN 1.0\n\n[Board "2"]\n\nGenerated 2 hands\n'
    written = exported(text)
    assert written.startswith('%Creator: me\n\n[Event "?"]')
    assert '[Result "?"]\n\n{between}\n\n[Event "?"]' in written
    assert written.endswith("\n\n; Generated 2 hands\n")
    assert ["pbn-export-stray"] == reported(text)


def test_problems_name_file_line_and_board() -> None:
    row = export_pbn(session('[Event "x"]\n[Board "2-1"]\n')).problems.row(0, named=True)
    assert ("some.pbn", 2, "2-1") == (row["source"].rpartition("/")[2], row["line"], row["board"])


def test_a_session_without_games_is_a_header() -> None:
    assert "% PBN 2.1\r\n% EXPORT\r\n" == form(Session())


@pytest.mark.parametrize(
    ("expected", "written"),
    [
        ('[Date "2013.08.24"]\n{Date "2013-08-24 18:36"}', "2013-08-24 18:36"),
        ('[Date "2023.08.02"]\n', "2-Aug-2023"),
        ('[Date "2024.??.??"]\n{Date "5/6/2024"}', "5/6/2024"),
        ('[Date "199?.1?.??"]\n[Board', "199?.1?.??"),
    ],
)
def test_a_date_is_brought_into_its_form_and_what_is_lost_of_it_kept_beside_it(expected: str, written: str) -> None:
    assert expected in exported(f'[Board "1"]\n[Date "{written}"]\n')
