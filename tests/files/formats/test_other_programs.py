"""Files of other programs and websites: what each of our samples says."""

import json
import re
import zipfile
from pathlib import Path
from typing import get_args

import numpy as np
import polars as pl
import pytest

from overtrick.apps.archive.inputs import list_files as list_archive_files
from overtrick.apps.evening.club import list_evening_files
from overtrick.apps.inbox.folders import has_results, look_into
from overtrick.core.config import ColumnName, Config, Tables
from overtrick.core.contestants import join_players
from overtrick.core.frames import Session
from overtrick.core.notation import contract_text
from overtrick.core.words import decide, spoken
from overtrick.files.formats.bbo import read_bbo_page
from overtrick.files.formats.dealing_machines.binary import is_zrd
from overtrick.files.formats.looks import get_format, is_input, list_files, recognise
from overtrick.files.formats.parts import write_session
from overtrick.files.formats.session_rows import list_results
from overtrick.files.formats.tables.typed import COLUMNS, TYPED, is_header, name_columns, read_contract, read_tricks
from tests.support.commands import FIXTURES, run
from tests.support.evaluating import evaluate
from tests.support.machine_files import SUIT_EACH, session, written
from tests.support.machine_files import read as read_as

Row = tuple[object, ...]


def read(*names: str) -> Session:
    return evaluate([str(FIXTURES / name) for name in names], Config())


def results(session: Session) -> list[Row]:
    return list_results(session).select("board", "ns", "ew", "contract", "declarer", "tricks", "score_ns").rows()


SAME = [
    (1, "1", "2", "4S", "N", 10, 420),
    (1, "3", "4", "3NT", "N", 8, -50),
    (2, "1", "4", "2HX", "E", 8, -470),
    (2, "3", "2", None, None, None, None),
]


@pytest.mark.parametrize(
    ("name", "known", "expected", "awards"),
    [
        ("bridgewebs.csv", "bridgewebs", SAME, ("50%", "50%")),
        ("salliere.csv", "salliere", SAME, ("A", "A")),
        (
            "jannersten-results.txt",
            "jannersten",
            [*SAME[:2], (2, "1", "4", None, None, None, None), (2, "3", "2", "Pass", None, None, 0)],
            ("60%", "40%"),
        ),
        (
            "acblscore-report.txt",
            "acblscore",
            [
                (1, "1", "2", None, None, None, 420),
                (1, "3", "4", None, None, None, -50),
                (2, "1", "4", "Pass", None, None, 0),
                (2, "3", "2", None, None, None, None),
            ],
            ("A+", "A-"),
        ),
        (
            "acbl-live.json",
            "acbl live",
            [(1, "1", "2", "4H", "N", 10, 420), (1, "3", "4", None, None, None, None)],
            ("60%", "40%"),
        ),
        (
            "typed-evening.csv",
            "csv",
            [
                (1, "1", "2", "4S", "N", 10, 420),
                (1, "3", "4", "3NT", "W", 8, 50),
                (2, "1", "4", "4H", "S", 11, 650),
                (2, "3", "2", None, None, None, None),
                (3, "1", "3", "Pass", None, None, 0),
                (3, "2", "4", "5CX", "E", 9, 500),
            ],
            ("60%", "40%"),
        ),
    ],
)
def test_results_are_read_with_adjusted_scores(name: str, known: str, expected: list[Row], awards: Row) -> None:
    one = read(name)
    assert [known] == one.sources["format"].to_list()
    assert [] == one.problems.filter(severity="error")["message"].to_list()
    assert expected == results(one)
    assert [awards] == list_results(one).drop_nulls("award_ns").select("award_ns", "award_ew").rows()


@pytest.mark.parametrize("name", ["bridgewebs.csv", "jannersten-results.txt", "acbl-live.json"])
def test_names_are_read(name: str) -> None:
    assert "Ann Ash - Bob Birch" in read(name).contestants["names"].to_list()


@pytest.mark.parametrize(
    ("cells", "score", "points"),
    [
        ("420,,3,1", 420, (3, 1)),
        (",50,1,3", -50, (1, 3)),
        ("0,50,1,3", -50, (1, 3)),
        ("420,0,2,2", 420, (2, 2)),
        ("0,0,2,2", 0, (2, 2)),
        ("0,,0,4", 0, (0, 4)),
        (",,4,0", None, (4, 0)),
    ],
)
def test_salliere_states_the_score_of_either_side_and_the_points(
    cells: str, score: int | None, points: tuple[int, int]
) -> None:
    read_boards = get_format("salliere").read
    assert read_boards
    stated = read_boards(f"1,1,2,4S,N,10,{cells}\n".encode()).results
    columns = ("stated_score_ns", "stated_points_ns", "stated_points_ew")
    assert [(score, *points)] == stated.select(columns).rows()


def test_a_line_of_salliere_without_names_is_told_with_its_number() -> None:
    read_names = get_format("salliere names").read
    assert read_names
    names = read_names(b"1,Ann Ash,Bob Birch\n2\n3,Cy Dee,Di Elm\n")
    assert [("line-unknown", 2)] == names.problems.select("code", "line").rows()


def test_other_programs_get_dates_and_percentages_in_their_own_form() -> None:
    evening = evaluate([str(FIXTURES / "spring-pairs.csv")], Config())
    assert b"#Date;07/03/2026\r\n" in write_session(evening, get_format("bridgewebs")).content
    lines = write_session(evening, get_format("jannersten")).content.decode().split("[RESULTS]")[1].split()
    shares = [tuple(map(float, line.split(";")[-6:-4])) for line in lines if line.startswith("#")]
    assert [100.0] * len(shares) == [ns + ew for ns, ew in shares]
    assert any(ns != ew for ns, ew in shares)


def test_the_two_tables_of_salliere_belong_together() -> None:
    one = read("salliere.csv", "salliere-names.csv")
    assert SAME == results(one)
    assert {"Ann Ash - Bob Birch", "Guy Gale - Hal Hart"} <= set(one.standings["names"].to_list())


def test_a_page_of_bridge_base_online_has_results_from_its_table_and_hands_from_its_links() -> None:
    one = read("bbo-traveller.html")
    assert ["bbo-html"] == one.sources["format"].to_list()
    first = (7, "ann - bob", "cleo - dan", "4H", "N", 10, 620)
    assert [first, (7, "eve - fay", "guy - hal", "3NT", "S", 8, -100)] == results(one)
    assert ["#1 Lantern Street Pairs"] == one.records["event"].drop_nulls().unique().to_list()
    assert 1 == one.records["deal"].drop_nulls().n_unique()
    assert 8 == max(one.records["calls"].list.len().drop_nulls())


@pytest.mark.parametrize("heading", ["EW Points", "NS Points", "Points"])
def test_points_of_a_page_are_those_of_the_side_that_its_contracts_agree_with(heading: str) -> None:
    page = (FIXTURES / "bbo-traveller.html").read_text("utf-8").replace("EW Points", heading)
    signs = {">-620<": ">620<", ">100<": ">-100<", ">-12.00<": ">12.00<", ">12.00<": ">-12.00<"}
    turned = re.sub("|".join(signs), lambda found: signs[found[0]], page)
    for text in (page, turned):
        read_page = read_bbo_page(text.encode())
        columns = ("stated_score_ns", "stated_points_ns", "stated_points_ew")
        assert [(620, 12.0, -12.0), (-100, -12.0, 12.0)] == read_page.results.select(*columns).rows()
        assert ["IMP;Cross2"] == read_page.records["scoring"].drop_nulls().unique().to_list()


def test_a_list_of_hands_has_the_points_of_its_player_who_changes_sides() -> None:
    page = (FIXTURES / "bbo-traveller.html").read_text("utf-8").replace("EW Points", "Points")
    seated = page.replace(
        '<table class="body">', '<table class="body"><tr><th><span class="username">Eve</span></th></tr>'
    )
    own = seated.replace('"north">ann', '"north">hal').replace('"west">dan', '"west">eve').replace(">100<", ">-100<")
    read_page = read_bbo_page(own.replace(">12.00<", ">-12.00<").encode())
    assert [620, -100] == read_page.results["stated_score_ns"].to_list()
    assert [12.0, -12.0] == read_page.results["stated_points_ns"].to_list()


@pytest.mark.parametrize(("heading", "side"), [("NS Points", 1), ("EW Points", -1)])
def test_without_a_contract_that_tells_the_heading_of_a_page_does(heading: str, side: int) -> None:
    page = (FIXTURES / "bbo-traveller.html").read_text("utf-8").replace("EW Points", heading)
    untold = page.replace("4&hearts;N=", "?").replace("3NS-1", "?")
    assert [-620 * side, 100 * side] == read_bbo_page(untold.encode()).results["stated_score_ns"].to_list()


def test_percentages_on_a_page_are_matchpoints() -> None:
    page = (FIXTURES / "bbo-traveller.html").read_text("utf-8")
    shares = page.replace(">-12.00<", ">0.00%<").replace(">12.00<", ">100.00%<")
    read_page = read_bbo_page(shares.encode())
    assert ["MP"] == read_page.records["scoring"].drop_nulls().unique().to_list()
    assert [None, None] == read_page.results["stated_points_ns"].to_list()


def test_awards_have_columns_of_their_own_in_many_forms() -> None:
    rows = ["AVE+,AVE-", "A=,A=", "60,40", "60%,40%", "A4060,A4060", "A+/A-,A+/A-"]
    table = "board,ns,ew,award_ns,award_ew\n" + "".join(f"{n},1,2,{row}\n" for n, row in enumerate(rows, start=1))
    known = recognise(table.encode())
    assert known is not None
    assert known.read is not None
    awards = known.read(table.encode()).results.select("award_ns", "award_ew").rows()
    assert [("A+", "A-"), ("A", "A"), ("60%", "40%"), ("60%", "40%"), ("40%", "60%"), ("A+", "A-")] == awards


@pytest.mark.parametrize(("header", "method"), [("NS IMPs,EW IMPs", "cross-imps"), ("NS MPs,EW MPs", "matchpoints")])
def test_points_headed_imps_are_imps(tmp_path: Path, header: str, method: str) -> None:
    table = tmp_path / "evening.csv"
    lines = ("1,1,4,4S,N,10,6,0", "1,2,5,4S,N,10,6,0", "1,3,6,4S,N,9,0,12")
    table.write_text(f"Board,NS,EW,Contract,By,Tricks,{header}\n" + "\n".join(lines), "utf-8")
    assert method == evaluate([str(table)], Config()).facts.method


def test_the_table_of_a_page_counts_where_it_has_no_link() -> None:
    page = (FIXTURES / "bbo-traveller.html").read_bytes()
    without = page.replace(b"hv_popuplin", b"nothing")
    known = recognise(without)
    assert known is not None
    assert known.read is not None
    assert [4, 3] == known.read(without).results["level"].to_list()


def test_acbl_live_states_a_deal_and_a_double_dummy_table() -> None:
    one = read("acbl-live.json")
    assert ["N:AJ9.K9542.Q.KT83 T8654.A3.AT75.95 KQ3.JT86.984.AJ4 72.Q7.KJ632.Q762"] == one.records["deal"].to_list()
    assert [8, 5] == [int(one.double_dummy["tricks"][0][place]) for place in (4, 1)]


@pytest.mark.parametrize("share", ["60", "'sixty'", "null", "true"])
def test_a_percentage_of_acbl_live_that_is_no_number_is_no_award(share: str, tmp_path: Path) -> None:
    path, text = tmp_path / "live.json", (FIXTURES / "acbl-live.json").read_text("utf-8")
    path.write_text(text.replace('"percentage": 60,', f'"percentage": {share},'.replace("'", '"')), "utf-8")
    awards = evaluate([str(path)], Config()).results["award_ns"].drop_nulls().to_list()
    assert (["60%"] if share == "60" else []) == awards


def test_an_empty_fact_of_bridgewebs_leaves_the_next_one() -> None:
    read_session = get_format("bridgewebs").read
    assert read_session
    read_again = read_session(b"#Title;\n" + (FIXTURES / "bridgewebs.csv").read_bytes())
    assert ["Tuesday Pairs"] == read_again.records["event"].unique().to_list()


def test_blank_lines_between_boards_are_passed_over() -> None:
    lines = (FIXTURES / "salliere.csv").read_bytes().splitlines()
    read_boards = get_format("salliere").read
    spread = b"\n \n\n".join(lines) + b"\n"
    assert read_boards
    assert get_format("salliere") == recognise(spread)
    assert len(lines) == read_boards(spread).results.height


def test_big_deal_is_read_and_written() -> None:
    one = read("big-deal.csv")
    assert [(1, "N", "None"), (2, "E", "NS")] == one.records.select("board", "dealer", "vulnerable").rows()
    assert (FIXTURES / "big-deal.csv").read_bytes() == written(one, "bigdeal").content


@pytest.mark.parametrize("form", ["bigdeal", "cds", "rzd", "dds"])
def test_deals_written_for_a_machine_are_read_again(form: str) -> None:
    deals = ["N:AJ9.K9542.Q.KT83 T8654.A3.AT75.95 KQ3.JT86.984.AJ4 72.Q7.KJ632.Q762", SUIT_EACH]
    known = recognise(written(session(deals), form).content)
    assert known is not None
    assert (form, True) == (known.name, known.read is not None)
    assert known.read is not None
    assert deals == known.read(written(session(deals), form).content).records["deal"].to_list()


def test_cds_has_the_board_in_its_first_byte() -> None:
    content = written(session([SUIT_EACH], first=7), "cds").content
    # Each byte is a rank: spades with North 1, hearts with East 2, diamonds with South 3, clubs with West 0.
    assert bytes([7]) + bytes([0b01_10_11_00]) * 13 == content
    assert [7] == read_as(content, "cds").records["board"].to_list()


def solved(seats: list[int], tricks: list[int]) -> bytes:
    """Pack a record of a library of deals: two bits a card, four bits a number of tricks, the low bits first."""
    cards = [sum(seats[4 * at + place] << 2 * place for place in range(4)) for at in range(13)]
    return bytes(cards) + bytes(tricks[2 * at] | tricks[2 * at + 1] << 4 for at in range(10))


def test_a_library_of_solved_deals_has_deals_and_tricks() -> None:
    # West has spades, North hearts, East diamonds, South clubs. Notrump comes first: West, North, East, South.
    seats = [seat for seat in range(4) for _ in range(13)]
    record = solved(seats, [1, 2, 3, 4, *[13, 0, 13, 0], *[0, 13, 0, 13], *[13, 0, 13, 0], *[0, 13, 0, 13]])
    assert (23, True) == (len(record), is_zrd(record))
    reading = read_as(record * 2 + b"\x01", "zrd")
    deal = "N:.AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432 AKQJT98765432..."
    assert [deal] * 2 == reading.records["deal"].to_list()
    assert {"20d0d40d0d3d0d01d0d0"} == set(reading.items.filter(name="DoubleDummyTricks")["text"])
    assert ["file-cut"] == reading.problems["code"].to_list()


def test_noise_is_not_taken_for_deals() -> None:
    noise = np.random.default_rng(1).integers(0, 256, 2300, dtype=np.uint8).tobytes()
    known = recognise(noise)
    assert known is None or known.name not in {"zrd", "cds", "rzd"}


@pytest.mark.parametrize(
    ("text", "contract", "award"),
    [
        ("4♠", "4S", None),
        ("3nt", "3NT", None),
        ("3 SA", "3NT", None),
        ("6♦xx", "6DXX", None),
        ("4 Piques", "4S", None),
        ("2 trefl", "2C", None),
        ("passe", "Pass", None),
        ("AVE", None, ("A", "A")),
        ("AVE+", None, ("A+", None)),
        ("AVE-/AVE+", None, ("A-", "A+")),
        ("60", None, ("60%", None)),
        ("62,5/37,5", None, ("62.5%", "37.5%")),
        ("A6040", None, ("60%", "40%")),
    ],
)
def test_contracts_as_people_type_them(text: str, contract: str | None, award: tuple[str | None, ...] | None) -> None:
    said = read_contract(text, decide({}))
    assert said is not None
    assert (contract, award or (None, None)) == (said.contract, (said.award_ns, said.award_ew))


@pytest.mark.parametrize("text", ["9Z", "4", "hello", "4X", "120/20"])
def test_what_is_not_a_contract_stays_unknown(text: str) -> None:
    said = read_contract(text, decide({}))
    assert said is None or said.award_ns == "4%"


def test_numbers_and_names_as_people_type_them() -> None:
    assert ["=", "-2", "+1", "10"] == [read_tricks(text) for text in ("made", "− 2", "+ 1", "10")]
    assert ["Ann Ash - Bob Birch"] * 3 == [join_players(f"Ann Ash{sign}Bob Birch") for sign in (" & ", "/", " - ")]


def test_headers_are_known_in_three_languages() -> None:
    expected = ["board", "ns", "ew", "contract", "declarer", "tricks"]
    for headers in (
        ["Board", "N/S", "E/W", "Contract", "By", "Result"],
        ["Donne", "Paire NS", "Paire EO", "Contrat", "Déclarant", "Levées"],
        ["Rozdanie", "Para NS", "Para WE", "Kontrakt", "Rozgrywający", "Lewy"],
    ):
        assert expected == name_columns(headers)
        assert is_header(headers)


def test_the_settings_change_what_a_column_means(tmp_path: Path) -> None:
    path = tmp_path / "evening.csv"
    path.write_text("Board,Hosts,Guests,Contract,By,Tricks\n1,5,6,4S,N,=\n")
    settings = tmp_path / "tables.toml"
    settings.write_text('[tables]\ncolumns = { Hosts = "ns", Guests = "ew" }\n')
    assert run("score", path).status != 0
    ran = run("score", path, "--config", settings, "--rows", "results", "--format", "json")
    assert ("5", "6", 10) == tuple(json.loads(ran.out)["results"][0][name] for name in ("ns", "ew", "tricks"))
    with spoken(Config(tables=Tables(columns={"board": ""})).words()):
        assert [None, "ns"] == name_columns(["Board", "NS"])


def test_the_settings_know_all_columns() -> None:
    assert {*COLUMNS, *TYPED, ""} == set(get_args(ColumnName))
    assert {} == Tables().columns


def test_a_template_is_filled_in_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "evening.xlsx"
    assert 0 == run("template", path, "--boards", "2", "--tables", "1").status
    assert 2 == run("template", path).status
    one = evaluate([str(path)], Config())
    assert ["xlsx"] == one.sources["format"].to_list()
    assert [1, 2] == one.results["board"].to_list()
    assert ["unknown"] * 2 == one.results["status"].cast(str).to_list()


_CELL = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'


def test_an_opendocument_sheet_with_a_title_above_the_table_is_read(tmp_path: Path) -> None:
    rows = [["Spring party"], ["Event", "Party Pairs"], ["Bd", "NS", "EW", "Contract", "By", "Tr"]]
    rows += [["1", "1", "2", "4♥", "South", "+1"], ["1", "3", "4", "AVE", "", ""]]
    written = "".join(
        f"<table:table-row>{''.join(_CELL.format(cell) for cell in row)}</table:table-row>" for row in rows
    )
    space = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="{space}:office:1.0"'
        f' xmlns:table="{space}:table:1.0" xmlns:text="{space}:text:1.0" office:version="1.2"><office:body>'
        f'<office:spreadsheet><table:table table:name="A">{written}</table:table></office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    path = tmp_path / "party.ods"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        book.writestr("META-INF/manifest.xml", "<manifest/>")
        book.writestr("content.xml", content)
    one = evaluate([str(path)], Config())
    assert [] == one.problems.filter(severity="error")["message"].to_list()
    assert [(1, "1", "2", "4H", "S", 11, 450), (1, "3", "4", None, None, None, None)] == results(one)
    assert ["Party Pairs"] == one.records["event"].to_list()
    assert [4, 4] == one.results["line"].to_list()[:1] * 2


def test_a_workbook_that_is_damaged_or_holds_something_else_is_named(tmp_path: Path) -> None:
    known = get_format("xlsx")
    assert known.read is not None
    path = tmp_path / "evening.xlsx"
    run("template", path)
    whole = path.read_bytes()
    assert ["file-damaged"] == known.read(whole[: len(whole) // 2]).problems["code"].to_list()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"session": {}, "standings": [], "results": [', "file-damaged"),
        ('{"session": {}, "results": 7}', "json-value"),
        ('{"session": {}, "results": [{"board": 1, "ns": "1", "ew": "2", "tricks": [1]}]}', "json-value"),
        ('{"session": {}, "results": [], "deals": [{"board": 1, "section": null, "deal": "N:AK"}]}', "json-value"),
        ('{"session": {}, "results": [], "games": [{"notes": 7}]}', "json-value"),
        ('{"session": {}, "results": [], "games": [{"notes": [{"part": "auction", "kind": "nod"}]}]}', "json-value"),
        ('{"session": {}, "results": [], "games": [{"notes": [{"part": 1, "kind": "nag"}]}]}', "json-value"),
        ('{"session": {}, "results": [], "games": [{"notes": [{"part": "auction", "kind": "-"}]}]}', "json-value"),
        ('{"session": {}, "results": [], "games": [{"notes": [{"kind": "alert"}]}]}', "json-value"),
        ('{"session": {}, "results": [], "games": [{"notes": [{"part": "play", "kind": "note nag"}]}]}', "json-value"),
        *(
            (f'{{"session": {{}}, "results": [], "games": [{{"{name}": {value}}}]}}', "json-value")
            for name, value in (
                *(("level", 8), ("tricks", -1), ("doubled", 3), ("board", 0), ("stated_score_ns", 10**14)),
                *(("irregular_tricks", 1), ("room", "true"), ("dealer", '"X"'), ("strain", '"X"'), ("deal", '"N:AK"')),
            )
        ),
        *(
            (f'{{"session": {{}}, "results": [{{"board": 1, "ns": "1", "ew": "2", {text}}}]}}', "json-value")
            for text in (
                *('"game": -1', '"status": "won"', '"multiplicity": 0', '"weights": []', '"weights": "7"'),
                *('"weights": "0:50"', '"weights": "60:50.5"', '"weights": "60:50,"'),
            )
        ),
        ('{"session": {}, "results": [], "items": [{"game": 0, "name": "x", "text": "y"}]}', "json-value"),
        ('{"session": {}, "results": [], "items": [{"kind": "tag", "game": true}]}', "json-value"),
    ],
)
def test_what_does_not_fit_the_schema_is_named(text: str, code: str) -> None:
    known = recognise(text.encode())
    assert known is not None
    assert ("json", True) == (known.name, known.read is not None)
    assert known.read is not None
    assert code in known.read(text.encode()).problems["code"].to_list()


@pytest.mark.parametrize("value", ["1e999", "NaN", "9" * 5000, r'"\ud800"', "5", '["NS"]', "[" * 990 + "]" * 990])
@pytest.mark.parametrize(
    "text",
    [
        (
            '{"session": {}, "results": [{"ns": ?}], "deals": [?], "games": [{"deal": ?, "notes": [{"part": "play",'
            ' "kind": "note", "index": ?, "text": ?}]}], "standings": [{"contestant": "1", "direction": ?}]}'
        ),
        (
            '{"session": {}, "results": [{"game": ?, "weights": ?, "entered": ?, "stated_score_ns": ?}], "games":'
            ' [{"board": ?, "calls": ?, "home_carry": ?, "irregular_tricks": ?}], "items": [?, {"kind": ?}]}'
        ),
        '{"session": {}, "results": [{"ns": ?}], "deals": [?], "standings": [{"contestant": "1", "direction": ?}]}',
        (
            '{"schema_version": "1", "source": "x", "tournaments": [{"events": [{"sessions": [{"boards":'
            ' [{"results": [{"score": ?, "ns_pair": {"players": ?}}]}]}]}]}]}'
        ),
    ],
)
def test_values_that_json_allows_and_no_session_has_are_named(text: str, value: str) -> None:
    known = recognise(text.encode())
    assert known is not None
    assert known.read is not None
    codes = known.read(text.replace("?", value).encode()).problems["code"].to_list()
    assert {"json-value", "file-damaged"} & {*codes}


def test_the_list_of_formats_is_printed() -> None:
    listed = {row["name"]: row for row in json.loads(run("formats", "--format", "json").out)}
    assert (True, True) == (listed["pbn"]["read"], listed["pbn"]["write"])
    assert (True, False, ["deals", "double-dummy tables"]) == tuple(
        listed["zrd"][key] for key in ("read", "write", "carries")
    )
    assert "bridgewebs" in run("formats").out


@pytest.mark.slow
def test_a_spreadsheet_is_an_input_of_the_season_the_archive_the_inbox_and_the_desk(tmp_path: Path) -> None:
    pytest.importorskip("xlsxwriter")
    sheet = tmp_path / "tuesday.xlsx"
    assert 0 == run("convert", FIXTURES / "spring-pairs.csv", sheet).status
    assert [str(sheet)] == list_files(str(tmp_path))
    assert [sheet] == list_archive_files([str(tmp_path)])[0]
    assert [sheet] == list_evening_files(tmp_path)
    assert is_input(sheet)
    assert has_results([look_into(sheet)])


EVENING = [
    *[(1, "1", "4", "4H", "N", 10, "CK"), (1, "2", "5", "4H", "N", 9, "SA"), (1, "3", "6", "3NT", "S", 10, "HQ")],
    *[(2, "1", "5", "4S", "W", 11, "DJ"), (2, "2", "6", "2D", "E", 8, "HT"), (2, "3", "4", "Pass", None, None, None)],
    *[(3, "1", "6", "5CX", "S", 9, None), (3, "2", "4", "3NT", "W", 9, "SQ"), (3, "3", "5", "4S", "E", 9, "HA")],
]


@pytest.mark.parametrize(("name", "lead"), [("soiree.csv", "DK"), ("vereinsabend.csv", "DA")])
def test_a_table_in_french_and_one_in_german_are_read(name: str, lead: str) -> None:
    one = evaluate([str(FIXTURES / name)], Config())
    shown = one.results.select("board", "ns", "ew", contract_text(), "declarer", "tricks", "lead").rows()
    assert [row if row[-1] or row[3] == "Pass" else (*row[:-1], lead) for row in EVENING] == shown
    assert [] == one.problems.filter(pl.col("severity") != "info")["message"].to_list()


def test_a_word_that_means_two_things_is_reported_and_left_out() -> None:
    text = "board,ns,ew,contract,declarer,tricks\n1,1,2,3SA,N,=\n2,1,2,3SA,O,=\n"
    known = recognise(text.encode())
    assert known is not None
    assert known.read is not None
    reading = known.read(text.encode())
    assert ["N", None] == reading.results["declarer"].to_list()
    message = "'O' is W in French, E in German, E in Dutch, and the file does not say which; overtrick leaves it out"
    assert [("word-unsure", 3, message)] == reading.problems.filter(severity="error").select(
        "code", "line", "message"
    ).rows()


def test_a_club_names_a_suit_in_its_own_way(tmp_path: Path) -> None:
    path = tmp_path / "evening.csv"
    path.write_text("Board,NS,EW,Contract,By,Tricks\n1,5,6,4F,N,=\n2,5,6,4S,N,=\n")
    settings = tmp_path / "club.toml"
    settings.write_text('[dialect]\nstrain = { C = ["F"] }\n')
    ran = run("score", path, "--config", settings, "--rows", "results", "--format", "json")
    assert ["4C", "4S"] == [one["contract"] for one in json.loads(ran.out)["results"]]
