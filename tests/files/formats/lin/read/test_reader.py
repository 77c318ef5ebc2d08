"""LIN files as a whole: what is read of them, how they are known, and what is kept."""

from pathlib import Path

import pytest

from overtrick.files.assemble import read
from overtrick.files.formats.looks import recognise
from tests.support.lin_texts import DEAL, HAND, HANDS, HEADER, MD, ONE_NOTRUMP, OTHER_MD, session
from tests.support.reading import codes, lin


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (HAND, "lin"),
        (MD, "lin"),
        (session("P,P", f"o1|{MD}"), "lin"),
        ("% a lesson\n% by Ada\nbt||\nat|Hello|\npg||", "lin"),
        ("cr|116|cg|116|   blue\n", "lin"),
        ('% PBN 2.1\n[Board "1"]\n{ md|1|rh|| }\n', None),
        ("hello | you | all\n", None),
        ("<!DOCTYPE html><p>md|1|rh||", "lin links"),
        ("https://example.org/h?lin=md%7C1", "lin links"),
        ("md|x|" + "% " * 2000 + "!", None),
        ("md|x|" + "% " * 2000 + "\n% a\nmb|p|", "lin"),
        ("", None),
    ],
)
def test_lin_is_recognised_by_its_content(text: str, name: str | None) -> None:
    for encoding in ("utf-8", "utf-16"):
        known = recognise(text.encode(encoding))
        assert name == (known.name if known and known.name != "pbn" else None)


@pytest.mark.parametrize("text", [HAND, f"<html><a href='x?lin={HAND}'></a></html>"])
def test_a_file_in_utf_16_is_read_like_any_other(text: str, tmp_path: Path) -> None:
    for place, encoding in (("a", "utf-8"), ("b", "utf-16")):
        (tmp_path / place).write_bytes(text.replace("Ada", "Ad\xe8le").encode(encoding))
    plain, wide = (read([str(tmp_path / place)]).records.drop("source") for place in ("a", "b"))
    assert ["Ad\xe8le"] == wide["south"].to_list()
    assert plain.equals(wide)


def test_a_record_is_read_whole() -> None:
    record = lin(f"{HAND}mc|8|").records.row(0, named=True)
    assert ("Ada", "Ben", "Cid", "Dot") == tuple(record[seat] for seat in ("south", "west", "north", "east"))
    assert (5, "5", "N", "NS", DEAL) == tuple(
        record[name] for name in ("board", "board_label", "dealer", "vulnerable", "deal")
    )
    assert (1, "NT", 0, "N", 8) == tuple(record[name] for name in ("level", "strain", "doubled", "declarer", "tricks"))


@pytest.mark.parametrize(
    ("text", "vulnerable"),
    [("o", "None"), ("0", "None"), ("-", "None"), ("", "None"), ("N", "NS"), ("e", "EW"), ("B", "All"), ("?", None)],
)
def test_vulnerability_is_one_letter(text: str, vulnerable: str | None) -> None:
    reading = lin(f"{MD}sv|{text}|")
    assert ([vulnerable], []) == (reading.records["vulnerable"].to_list(), codes(reading.problems))


def test_a_result_without_a_stated_vulnerability_is_noted() -> None:
    without, stated = (lin(f"{MD}ah|Board 5|{sides}{ONE_NOTRUMP}mc|7|") for sides in ("", "sv|n|"))
    assert (["lin-vulnerability-missing"], []) == (codes(without.problems), codes(stated.problems))


def test_another_letter_is_nobodys_vulnerability() -> None:
    reading = lin(f"{MD}sv|w|")
    assert (["None"], ["lin-vulnerability"]) == (reading.records["vulnerable"].to_list(), codes(reading.problems))


def test_every_command_is_kept_as_it_was_written() -> None:
    items = lin("% by Ada\nPG|page|qq|x|mb|P|\n").items
    assert [
        ("comment", None, "% by Ada"),
        ("tag", "pg", "page"),
        ("tag", "qq", "x"),
        ("tag", "mb", "P"),
    ] == items.select("kind", "name", "text").rows()


def test_a_deal_that_cant_be_read_is_a_problem() -> None:
    reading = lin("md|1SAKZ,,,|")
    assert ([None], ["lin-deal"]) == (reading.records["deal"].to_list(), codes(reading.problems))


def test_of_a_lesson_the_deals_are_read_and_nothing_is_a_result() -> None:
    reading = lin(f"bt||at|Look|{MD}mb|1Nppp|mc|8|pg||{MD}up|2|{OTHER_MD}red\n pg||")
    assert [(None, None), (None, None)] == reading.records.select("level", "tricks").rows()
    assert ["lin-film"] == codes(reading.problems)


def test_a_session_may_hold_pages_of_a_lesson() -> None:
    reading = lin(session("1NN=,", "o1|\nbt||at|Welcome|pg||", f"o1|{MD}"))
    assert [(1, 7)] == reading.records.select("level", "tricks").rows()


def test_a_file_without_boards_is_reported() -> None:
    assert "file-no-games" in codes(lin(HEADER).problems)


def test_tables_of_one_board_in_several_files_are_scored_together(tmp_path: Path) -> None:
    for table, tricks in enumerate((7, 8, 9)):
        names = f"pn|S{table},W{table},N{table},E{table}|"
        (tmp_path / f"{table}.lin").write_text(HAND.replace("pn|Ada,Ben,Cid,Dot|", names) + f"mc|{tricks}|\n")
    results = read([str(tmp_path)]).results
    assert [(5, "N0 - S0", 7), (5, "N1 - S1", 8), (5, "N2 - S2", 9)] == results.select("board", "ns", "tricks").rows()
    assert ["played"] * 3 == results["status"].to_list()


def test_a_source_is_named_with_its_format(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(HAND.encode("utf-8-sig"))
    session_read = read([str(tmp_path / "a.txt")])
    assert [("lin", 1)] == session_read.sources.select("format", "records").rows()
    assert ["pbn-byte-order-mark"] == codes(session_read.problems)


@pytest.mark.parametrize("md", [f"3{','.join(HANDS)},", f"3{','.join(HANDS)}", f"3{','.join(HANDS[:3])},,"])
def test_a_comma_may_follow_the_last_hand(md: str) -> None:
    reading = lin(f"pn|A,B,C,D|md|{md}|mb|p|\n")
    assert ([DEAL], []) == (reading.records["deal"].to_list(), [c for c in codes(reading.problems) if "deal" in c])


def test_a_dash_is_written_for_a_void() -> None:
    reading = lin("pn|A,B,C,D|md|1S-HAQT632DAK54CQ62,SA9874HJ54D82CK73,SKJ3HK98DQT63CA95,|mb|p|\n")
    assert ["N:KJ3.K98.QT63.A95 QT652.7.J97.JT84 .AQT632.AK54.Q62 A9874.J54.82.K73"] == (
        reading.records["deal"].to_list()
    )


def test_a_diagram_with_small_cards_is_a_note() -> None:
    assert "lin-diagram" in codes(lin("pn|A,B,C,D|md|1SAxxxHKQxDxxxCAxx,,,|mb|p|\n").problems)


def test_a_remark_before_a_mended_command_is_a_remark() -> None:
    reading = lin("pn|A,B,C,D|\n% a remark\nmb||1C|mb|p|\n% the end\n")
    assert "stray-text" not in codes(reading.problems)
    assert ["% a remark", "% the end"] == reading.items.filter(kind="comment")["text"].to_list()


def test_a_link_in_chat_does_not_turn_a_match_into_a_list_of_links(tmp_path: Path) -> None:
    text = session("P,P", f"o1|{MD}mb|pppp|pg||", f"c1|{MD}mb|pppp|pg||")
    path = tmp_path / "match.lin"
    path.write_text(text.replace("pg||", "nt|see https://example.org/handviewer.html?lin=pn|pg||", 1))
    assert 2 == len(read([str(path)]).records)


LINK = "https://example.org/handviewer.html?lin=pn|W,X,Y,Z|md|3SAKQJ,,|sv|b|"


@pytest.mark.parametrize(
    ("chat", "link"),
    [
        (f"nt|see {LINK}pg||\n", LINK[:-1]),
        (f"nt|see {LINK}mb|1C|mb|p|pg||pc|SA|pg|||pg||\n", f"{LINK}mb|1C|mb|p|pg||pc|SA|pg||"),
        (f"nt|see {LINK}pg|| nice hand|pg||\n", f"{LINK}pg|| nice hand"),
        (f"nt|see {LINK}pg||mb|p|pg||pg||\n", f"{LINK}pg||mb|p|pg|"),
        ("nt|see ?lin=st||md|1S|pg||\n", "?lin=st||md|1S"),
        (f"nt|see {LINK}", LINK[:-1]),
        ("nt|see ?lin=pn|W,X,Y,Z|qq|a|md|1S", "?lin=pn|W,X,Y,Z|qq|a|md|1S"),
    ],
)
def test_a_link_with_pipes_in_chat_leaves_the_board_as_it_is(chat: str, link: str) -> None:
    text = f"pn|A,B,C,D|{MD}mb|p|pg||\n"
    expected, reading = lin(text), lin(text + chat)
    names = ["deal", "south", "north", "calls", "cards", "vulnerable"]
    assert expected.records.select(names).equals(reading.records.select(names))
    assert [f"see {link}"] == reading.items.filter(name="nt")["text"].to_list()
    assert "lin-link-in-chat" in codes(reading.problems)


def test_a_link_in_a_line_of_calls_ends_where_calls_begin() -> None:
    reading = lin(f"pn|A,B,C,D|{MD}mb|p|nt|see {LINK}mb|1C|mb|p|\npn|E,F,G,H|{MD}mb|p|\n")
    assert [("A", 3), ("E", 1)] == [
        (south, len(calls)) for south, calls in reading.records.select("south", "calls").rows()
    ]


def test_a_file_of_nothing_but_such_a_link_is_a_board() -> None:
    assert ["W"] == lin(f"nt|see {LINK}pg||\n").records["south"].to_list()
