"""Results that do not count, or of which a part does not: each is named, in every format that can state it."""

from json import dumps
from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.files.assemble import read
from tests.support import bridgemate
from tests.support.evaluating import evaluate

CSV = "board,ns,ew,contract,declarer,tricks,score_ns,award_ns,award_ew\n1,2,4,4S,N,10,,,\n"
PBN = (
    '[Event "Pairs"]\n[Board "1"]\n[ScoreTable "PairId_NS;PairId_EW;Contract\\\\5L;Declarer\\\\1;Result\\\\2;'
    'Score_NS\\\\5;Percentage_NS\\\\5"]\n2 4 4S N 10 - -\n'
)
XML = (
    '<?xml version="1.0"?><USEBIO Version="1.2"><EVENT EVENT_TYPE="PAIRS"><BOARD><BOARD_NUMBER>1</BOARD_NUMBER>\n'
    "{}</BOARD></EVENT></USEBIO>"
)
LINE = (
    "<TRAVELLER_LINE><NS_PAIR_NUMBER>{ns}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{ew}</EW_PAIR_NUMBER>"
    "<CONTRACT>{contract}</CONTRACT><PLAYED_BY>{by}</PLAYED_BY><TRICKS>{tricks}</TRICKS>{more}</TRAVELLER_LINE>\n"
)


def xml(**cells: str) -> str:
    usual = {"ns": "1", "ew": "3", "contract": "3NT", "by": "N", "tricks": "9", "more": ""}
    whole = LINE.format(**(usual | {"ns": "2", "ew": "4", "contract": "4S", "tricks": "10"}))
    return XML.format(whole + LINE.format(**(usual | cells)))


def json(**cells: object) -> str:
    usual = {"board": 1, "ns": "1", "ew": "3", "contract": "3NT", "declarer": "N", "tricks": 9}
    rows = [usual | {"ns": "2", "ew": "4", "contract": "4S", "tricks": 10}, usual | cells]
    results = ",\n".join(dumps(row) for row in rows)
    return f'{{"session": {{"event": null}},\n"results": [\n{results}\n]}}\n'


def bridgewebs(line: str) -> str:
    scores = "#Scores\nPosition;Pair;Direction;Name1;Name2;Percent\n"
    travellers = f"#Travellers\nNS;EW;Contract;By;Lead;Tricks;Score\n#Board;1\n2;4;4S;N;HK;10;420\n{line}\n"
    return f"#Version;std1\n#Title;Pairs\n#Date;03/11/2026\n#Boards;1\n{scores}{travellers}"


FILES = {
    ("result-incomplete", "csv"): CSV + "1,1,3,3NT,,9,,,\n",
    ("result-incomplete", "pbn"): PBN + "1 3 3NT - 9 - -\n",
    ("result-incomplete", "xml"): xml(by=""),
    ("result-incomplete", "json"): json(declarer=None),
    ("result-no-pair", "csv"): CSV + "1,,3,3NT,N,9,,,\n",
    ("result-no-pair", "pbn"): PBN + "- 3 3NT N 9 - -\n",
    ("result-no-pair", "xml"): xml(ns=""),
    ("result-no-pair", "json"): json(ns=None),
    ("result-incomplete", "contract.csv"): CSV + "1,1,3,,,9,,,\n",
    ("result-incomplete", "contract.pbn"): PBN + "1 3 - - 9 - -\n",
    ("result-incomplete", "contract.xml"): xml(contract="", by=""),
    ("result-incomplete", "contract.bwcsv"): bridgewebs("1;3;;;;9;"),
    ("award-one-side", "csv"): CSV + "1,1,3,,,,,60%,\n",
    ("award-one-side", "pbn"): PBN + '1 3 - - - "^60%" -\n',
    ("award-one-side", "xml"): xml(contract="", by="", tricks="", more="<SCORE>A60</SCORE>"),
    ("award-one-side", "ew.xml"): xml(contract="", by="", tricks="", more="<SCORE>A--40</SCORE>"),
    ("award-one-side", "bwcsv"): bridgewebs("1;3;A60/;;;;"),
    ("award-one-side", "ew.bwcsv"): bridgewebs("1;3;-/40%;;;;"),
    ("award-one-side", "json"): json(contract=None, declarer=None, tricks=None, award_ns="60%"),
    ("award-beside-result", "csv"): CSV + "1,1,3,3NT,N,9,,60%,40%\n",
    ("award-beside-result", "pbn"): PBN + '1 3 - - 9 "^60%" "^40%"\n',
    ("award-beside-result", "bwcsv"): bridgewebs("1;3;A60/40;N;;9;"),
    ("award-beside-result", "xml"): xml(more="<SCORE>A6040</SCORE>"),
    ("result-repeated", "csv"): CSV + "1,2,4,4S,N,10,,,\n",
    ("result-repeated", "pbn"): PBN + "2 4 4S N 10 - -\n",
    ("result-repeated", "json"): json(ns="2", ew="4", contract="4S", tricks=10),
    ("results-blank", "csv"): CSV.splitlines()[0] + "\n1,1,3,,,,,,\n1,2,4,,,,,,\n",
    ("results-blank", "pbn"): PBN.replace("2 4 4S N 10 - -", "2 4 - - - - -") + "1 3 - - - - -\n",
    ("results-blank", "games.pbn"): '[Board "1"]\n[PairNS "1"]\n[PairEW "3"]\n[Contract "?"]\n',
    ("results-blank", "lin"): "vg|Cup,1,I,1,1,Reds,0,Blues,0|\nrs|,|\nqx|o1|md|3SAKQJT98765432,,|\nqx|c1|",
}


@pytest.mark.parametrize(("code", "form"), FILES, ids=" ".join)
def test_what_is_left_out_has_a_place_and_a_hint(code: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / f"evening.{form}"
    path.write_text(FILES[code, form], "utf-8")
    problems = evaluate([str(path)], Config()).problems
    found = problems.filter(problems["code"] == code)
    assert 1 == found.height, problems["message"].to_list()
    assert "info" != found["severity"][0]
    assert found["line"][0] is not None
    assert found["hint"][0]


def test_names_do_not_replace_a_number_where_other_results_have_one(tmp_path: Path) -> None:
    path = tmp_path / "evening.csv"
    rows = "1,2,4,4S,N,10,Ada - Bo,Cy - Di\n2,,4,4S,N,10,Ada - Bo,Cy - Di\n"
    path.write_text("board,ns,ew,contract,declarer,tricks,names_ns,names_ew\n" + rows, "utf-8")
    assert "result-no-pair" in evaluate([str(path)], Config()).problems["code"]


@pytest.mark.parametrize(
    ("code", "row"),
    [
        ("result-incomplete", "2,1,2,1,1,1,3,0,,3 NT,=,,,0"),
        ("result-incomplete", "2,1,2,1,1,1,3,1,N,,=,,,0"),
        ("result-no-pair", "2,1,2,1,1,,3,1,N,3 NT,=,,,0"),
        ("award-one-side", "2,1,2,1,1,1,3,0,,,,,60%-,0"),
        ("award-one-side", "2,1,2,1,1,1,3,0,,,,,-40%,0"),
    ],
)
def test_in_a_database_too(code: str, row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "evening.bws"
    path.write_bytes(bridgemate.HEAD + bytes(2000))
    received = bridgemate.received("1,1,1,1,1,2,4,2,N,4 S,=,,,0", row)
    bridgemate.install_helper(tmp_path, monkeypatch, {"Section": bridgemate.SECTION, "ReceivedData": received})
    problems = evaluate([str(path)], Config()).problems
    assert 1 == problems.filter(problems["code"] == code).height, problems["message"].to_list()


IMPOSSIBLE = [("100", "100", "4S"), ("120", "", "4S"), ("100", "", "3NT"), ("", "50", "4S"), ("150", "", "Pass")]
HONOURS = {
    "csv": "ns,ew,contract,declarer,tricks,honours_ns,honours_ew,scoring\n"
    + "".join(f"Larks,Owls,{contract},N,10,{ns},{ew},Rubber\n" for ns, ew, contract in IMPOSSIBLE)
    + "Larks,Owls,2H,E,8,,100,Rubber\n",
    "pbn": "\n".join(
        '[Board ""]\n[Scoring "Rubber"]\n'
        '[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result;Honours_NS;Honours_EW"]\n'
        f"Larks Owls {contract} N 10 {ns or '-'} {ew or '-'}\n"
        for ns, ew, contract in [*IMPOSSIBLE, ("100", "", "2H")]
    ),
}


@pytest.mark.parametrize("form", HONOURS)
def test_honours_that_cannot_be_are_named(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"rubber.{form}"
    path.write_text(HONOURS[form])
    found = evaluate([str(path)], Config()).problems.filter(code="honours-impossible")
    assert len(IMPOSSIBLE) == found["line"].n_unique() == found.height


def test_a_table_of_a_rubber_that_does_not_say_so_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rubber.csv"
    path.write_text("ns,ew,contract,declarer,tricks\nLarks,Owls,4S,N,10\n")
    problems = evaluate([str(path)], Config()).problems
    assert ["results-no-board"] == problems["code"].to_list()
    assert "--method rubber" in problems["hint"][0]
    assert read([str(path)]).problems.is_empty()


def test_single_games_need_not_name_anybody(tmp_path: Path) -> None:
    path = tmp_path / "hand.pbn"
    path.write_text('[Board "1"]\n[Declarer "N"]\n[Contract "4S"]\n[Result "10"]\n')
    assert [] == evaluate([str(path)], Config()).problems["code"].to_list()
