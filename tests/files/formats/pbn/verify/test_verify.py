"""Checking PBN against its standard: each rule with a text that breaks it, and texts that look odd and are legal."""

import re

import polars as pl
import pytest

from overtrick.core.problems import list_subjects
from overtrick.files.formats.pbn.read.reader import read_pbn
from overtrick.files.formats.text import TextBlock
from tests.support.reading import codes, pbn, verified

DEAL = '[Deal "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"]'
PLAYED = f'[Dealer "N"]\n{DEAL}\n[Declarer "S"]\n[Contract "7NT"]\n'
ENDING = '[Deal "N:A... K... Q... J..."]'

FAULTY = [
    ("pbn-games-joined", '[Board "1"]\n[North "Ada"]\n▸[Board "2"]\n\n[Board "3"]'),
    ("pbn-game-split", '[Board "1"]\n[Dealer "N"]\n\n{it was}\n \n▸[Auction "N"]\nAP\n\n[Board "2"]'),
    ("pbn-value-odd", '▸[OptimumResultTable "Declarer;Denomination;Result\\nN\\tNT\\t7"]'),
    ("pbn-character", '[Description "' + "x" * 240 + '▸xx"]'),
    ("pbn-character", "{\n" + "x" * 254 + '▸x\n}\n[Board "1"]'),
    ("pbn-character", '[Event "a▸\x7fb"]'),
    ("pbn-character-set", '[Event "S▸é"]'),
    ("pbn-character", '▸[Event "a\tb"]'),
    ("pbn-character", '▸[Event "a\vb"]'),
    ("pbn-tag-unknown", '[Board "1"]\n▸[BCFlags "1F"]'),
    ("pbn-tag-case", '▸[board "1"]'),
    ("pbn-tag-name", '▸[colour "red"]'),
    ("pbn-value", '▸[Round "-1"]'),
    ("pbn-value", '▸[Date "95.06.10"]'),
    ("pbn-value", '▸[Date "1995.13.10"]'),
    ("pbn-value", '▸[EventDate "1995.06.32"]'),
    ("pbn-value", '▸[UTCDate "1995.02.29"]'),
    ("pbn-value", '▸[Time "24:00:00"]'),
    ("pbn-value", '▸[ScorePercentage "NS 101"]'),
    ("pbn-value", '▸[ScoreRubber "10"]'),
    ("pbn-value", '▸[OptimumScore "420"]'),
    ("pbn-value", f'▸[ScoreRubberHistory "NS 0 0/{"9" * 5000} EW 0 0/0"]'),
    ("pbn-value", '▸[FrenchMP "Maybe"]'),
    ("pbn-value", '▸[Hidden "X"]'),
    ("pbn-value", '▸[Room "IMP"]'),
    ("pbn-value", '▸[TimeControl "4"]'),
    ("pbn-value", '▸[Hidden "NEN"]'),
    ("pbn-value", '▸[Board "01"]'),
    ("pbn-value-unlisted", '▸[Termination "lunch"]'),
    ("pbn-value-unlisted", '▸[Scoring "MP;Mine"]'),
    ("pbn-value-unlisted", '▸[Competition "Swiss"]'),
    ("pbn-value-unlisted", '▸[WestType "robot"]'),
    ("pbn-value-unlisted", '▸[Mode "BBO"]'),
    ("pbn-value-unlisted", '▸[Table "0"]'),
    ("pbn-section-needs", '▸[Auction "N"]\n1C AP'),
    ("pbn-section-needs", '[Dealer ""]\n▸[Auction "N"]\n1C AP'),
    ("pbn-section-needs", f'{DEAL}\n[Declarer "S"]\n▸[Play "W"]\nS2'),
    ("pbn-section-needs", '▸[PlayTimeTable "Time"]\n12'),
    ("pbn-section-order", '[Auction "N"]\n1C AP\n▸[Dealer "N"]'),
    ("pbn-call-spelling", '[Dealer "N"]\n[Auction "N"]\n1C ▸1N AP'),
    ("pbn-call-spelling", '[Dealer "N"]\n[Auction "N"]\n▸p Pass AP'),
    ("pbn-call-spelling", '[Dealer "N"]\n[Auction "N"]\nPass ▸1NTXXPASS3h AP'),
    ("pbn-call-spelling", '[Dealer "N"]\n[Auction "N"]\n1C ▸XPass AP'),
    ("pbn-card-spelling", f'{PLAYED}[Play "W"]\nS2 SA ▸S10 S3'),
    ("pbn-section-text", '[Dealer "N"]\n[Auction "N"]\n1C ▸* 1D'),
    ("pbn-section-text", f'{PLAYED}[Play "W"]\nS2 SA ST S3\n▸* S5'),
    ("pbn-section-text", f'{PLAYED}[Play "W"]\nS2 SA ▸+ S3 *'),
    ("pbn-section-text", f'{PLAYED}[Play "W"]\nS2 SA ST ▸+\nSK'),
    ("pbn-section-text", f'{PLAYED}[Play "W"]\nS2 + ▸ST -'),
    ("pbn-section-text", '[Dealer "N"]\n[Auction "N"]\n1C AP ▸+'),
    ("pbn-section-text", '[Dealer "N"]\n[Auction "N"]\n1C AP ▸*'),
    ("pbn-section-text", '[Dealer "N"]\n[Auction "N"]\nPass Pass Pass Pass {over} ▸*'),
    ("pbn-section-text", '[Dealer "N"]\n[Auction "N"]\n- - - ▸- 1C AP'),
    ("pbn-alert", '[Dealer "N"]\n[Auction "N"]\nPass ▸1C* =1= 2H* AP\n[Note "1:x"]'),
    ("pbn-value-odd", '[Dealer "N"]\n▸[Auction ""]\n1C AP'),
    ("pbn-play-seat", f'{PLAYED}▸[Play "N"]\nSA ST S3 S2'),
    ("pbn-play-seat", f'{PLAYED}▸[Play ""]\nS2 SA ST S3'),
    ("pbn-value-odd", '[Contract "3NT"]\n▸[Result "9"]'),
    ("pbn-value-odd", f'{PLAYED}▸[Result "NS 9 EW 2"]\n[Play "W"]\n*'),
    ("pbn-value-odd", '[Declarer "S"]\n▸[Result "NS 9 EW 5"]'),
    ("pbn-passed-out", '[Contract "Pass"]\n▸[Declarer "S"]'),
    ("pbn-value-odd", f'{DEAL}\n[Declarer "S"]\n▸[Contract "H"]'),
    ("pbn-contract-end-position", f'{ENDING}\n▸[Contract "4H"]'),
    ("pbn-value-odd", '[Vulnerable "None"]\n▸[ScoreRubberHistory "NS 0 0/100 0 EW 0 0/40 0"]'),
    ("pbn-value-odd", '▸[ScoreRubberHistory "NS 0 0/45 EW 0 0/0"]'),
    ("pbn-value-odd", '▸[ScoreRubberHistory "NS 0 0/60 0 EW 0 0/40 0"]'),
    ("pbn-value-odd", '▸[ScoreRubberHistory "NS 0 0/100 0 EW 0 0/0"]'),
    ("pbn-value-odd", '▸[ScoreRubberHistory "NS 0 0/100 100 0 EW 0 0/0 0 0"]'),
    ("pbn-value-odd", f'{DEAL}\n[DealId "1"]\n\n{ENDING}\n▸[DealId "1"]'),
    ("pbn-annotation", '[Dealer "N"]\n[Auction "N"]\n1C ▸!!! AP'),
    ("pbn-annotation", '[Dealer "N"]\n[Auction "N"]\n1C ▸$7 AP'),
    ("pbn-annotation", '[Dealer "N"]\n[Auction "N"]\n1C ▸$256 AP'),
    ("pbn-annotation", f'{PLAYED}[Play "W"]\nS2 ▸$13 *'),
    ("pbn-annotation", '[Dealer "N"]\n[Auction "N"]\n1C ▸=33= AP'),
    ("pbn-annotation", f'{PLAYED}[Play "W"]\n▸^I S2 *'),
    ("pbn-annotation", '[Dealer "N"]\n[Auction "W"]\n- {a comment}\n▸! 1C AP'),
    ("pbn-annotation", '[Dealer "N"]\n[Auction "N"]\n1C Pass ▸^I'),
    ("pbn-annotation", '[Dealer "N"]\n[Auction "N"]\n1C Pass + ▸$2'),
    ("pbn-annotation", f'{PLAYED}[Play "W"]\nS2 SA ▸^R *'),
    ("pbn-annotation", '[Dealer "N"]\n[Auction "N"]\n1C ! ▸$3 AP'),
    ("pbn-annotation", '[Dealer "N"]\n[Auction "N"]\n1C $20 ▸$20 AP'),
    ("pbn-annotation", f'{PLAYED}[Play "W"]\n^L S2 SA ▸^L ST S3\n*'),
    ("pbn-note", '[Dealer "N"]\n[Auction "N"]\n1C AP\n▸[Note "weak"]'),
    ("pbn-note", '▸[Note "1:weak"]'),
    ("pbn-note", '[Dealer "N"]\n[Auction "N"]\n1C =1= AP\n[Note "1:weak"]\n▸[Note "1:strong"]'),
    ("pbn-note", '[Dealer "N"]\n[Auction "N"]\n1C =1= AP\n[Site "?"]\n▸[Note "1:weak"]'),
    ("pbn-note", '[Dealer "N"]\n[Auction "N"]\n1C ▸=2= AP'),
    ("pbn-note-unused", '[Dealer "N"]\n[Auction "N"]\n1C AP\n▸[Note "1:weak"]'),
    ("pbn-table-rows", '▸[ActionTable "Rank\\\\0;Call"]\n1 1C'),
    ("pbn-table-rows", '▸[OptimumResultTable "Declarer Suit Tricks"]\nN NT 7'),
    ("pbn-table-rows", '▸[ActionTable "rank;Call"]\n1 1C'),
    ("pbn-table-rows", '▸[ActionTable "Rank,Call"]\n1 1C'),
    ("pbn-table-row", '▸[ActionTable ""]\n1 1C'),
    ("pbn-table-partial", '▸[OptimumResultTable "Declarer;Denomination;Result"]\nN NT 9\nE NT 4'),
    ("pbn-table-cell", '[ActionTable "Rank;Call"]\n1 ▸8C'),
    ("pbn-table-cell", '[ActionTable "Rank;Card"]\n1 ▸SX'),
    ("pbn-table-cell", '[ScoreTable "PairId_NS;Score_NS"]\n1 ▸^'),
    ("pbn-table-outcome", '[ScoreTable "PairId_NS;Contract"]\n1 ▸42'),
    ("pbn-table-cell", '[ScoreTable "PairId_NS;Contract"]\n1 ▸3N'),
    ("pbn-table-cell", '[ScoreTable "PairId_NS;Declarer"]\n1 ▸Q'),
    ("pbn-table-outcome", '[ScoreTable "PairId_NS;Result"]\n1 ▸14'),
    ("pbn-table-cell", '[TotalScoreTable "PairId;MeanPercentage"]\n1 ▸101'),
    ("pbn-table-cell", '[OptimumResultTable "Declarer;Denomination;Result"]\nN NT ▸14'),
    ("pbn-table-cell", '[InstantScoreTable "ScoreRange_NS;Percentage_NS"]\n▸420,-50 60'),
    ("pbn-table-sign", '[ActionTable "Rank;MyText"]\n1 "%" {%}\n% 2\n3 ▸50%'),
    ("pbn-table-rows", '[ActionTable "+Percentage;Call"]\n60 1C\n▸70 1D'),
    ("pbn-table-rows", '[ScoreTable "-PairId_NS"]\nA\n10\nc\n▸b'),
    ("pbn-table-rows", '[ScoreTable "+Names_NS"]\n"Elm, Éva"\n▸"élm, Zoë"'),
    ("pbn-table-rows", '[ActionTable "Rank;Call"]\n1 1C\n▸{ the best }'),
    ("pbn-table-rows", '[ActionTable "Rank;Call"]\n1 "{;"\n▸{ a comment }\n2 1D'),
    ("pbn-table-rows", '[OptimumResultTable "Declarer;Denomination;Result"]\nN NT 9\n▸n nt 8'),
    ("pbn-table-rows", '[InstantScoreTable "ScoreRange_NS;IMP_NS"]\n420,* 5\n*,110 -5\n▸100,421 0'),
    ("pbn-table-rows", '[Dealer "N"]\n[Auction "N"]\n1C AP\n▸[AuctionTimeTable "Time"]\n1 2 3 4 5'),
    ("pbn-table-rows", '[Dealer "N"]\n[Auction "N"]\n1C Pass Pass Pass\n▸[AuctionTimeTable "Time"]\n1 2'),
    ("pbn-table-rows", f'{PLAYED}[Play "W"]\nS2 SA\n▸[PlayTimeTable "Time"]\n1'),
    ("pbn-export-form", "% PBN 2.1\n▸% EXPORT"),
]
"""Texts with one fault; `▸` marks where it is reported and is not part of the text."""

LEGAL = [
    '% PBN 2.1\n% anything at all: [({"\n[Board "1"]',
    '{ a { and a ; in it\n% still the comment\n}\n[Board "1"]',
    '[   Event"x"   ] [Date "1998.03.21"]\n[Site\n"here"]',
    '[Event "a \\"quoted\\" name and a \\\\ backslash"]',
    '[Date "1999.??.??"]\n[EventDate "????.??.??"]\n[UTCDate "?"]\n[Time "12:30:00"]',
    '[Event "##Club"]\n[Board "1"]\n\n[Event "#"]\n[Board "2"]',
    '[Score "NS +550"]\n[ScoreIMP "EW 2.5 NS -2.5"]\n[ScoreMP "7.5"]\n[ScorePercentage "0."]\n[ScoreRubber "300 / 40"]',
    '[ScoreRubberHistory "NS 0 30/100 40 EW 500 0/60 0"]\n[Vulnerable "NS"]',
    '[Dealer "n"]\n[Declarer "^s"]\n[Contract "4hx"]\n[Vulnerable "love"]',
    f'{ENDING}\n[Contract "NT"]\n[Play "N"]\nSA SK SQ SJ',
    '[Dealer "N"]\n[Auction "W"]\n- 1C ! =1= $15 Pass 2NT?=2= ap\n[Note "1:natural"]\n[Note " 2 : spread out"]',
    '[Dealer "N"]\n[Auction "N"]\n1C {a comment} Pass ; another\n% an escape line\n+',
    '[Dealer "N"]\n[Auction "N"]\n1H ^I 1C ^S Pass Pass Pass',
    f'{PLAYED}[Result "^NS 9"]\n[Play "W"]\nS2 SA ST S3\n+ - - SK\n',
    f'{PLAYED}[Result "NS 3 EW 2"]\n[Play "W"]\nS2 SA ST S3\n+',
    '[InstantScoreTable "+ScoreRange_NS\\\\8R;Percentage_NS"]\n420,* 90\n110,420 50\n*,110 10',
    '[ScoreTable "Rank\\\\2R;PairId_NS;Score_NS;Lead"] {the table}\n1 5 "420" DQ\n2 ? ^50 -',
    '[InstantScoreTable "ScoreRange_NS;Rank"]\n420,* 1\n420 2\n100,420 3\n100 4\n*,100 5',
    '[Dealer "N"]\n[Auction "N"]\n1C Pass AP\n[AuctionTimeTable "Time;TotalTime"]\n1 1\n2 3\n0:04 00:00:07',
    '[Dealer "N"]\n[Auction "N"]\nAP\n[AuctionTimeTable "Time"]\n1 2 3 4',
    f'{PLAYED}[Play "W"]\nS2 SA ST -\n[PlayTimeTable "Time"]\n1 2 3',
    '[Date "2024.02.29"]\n[EventDate "2023.02.??"]\n[Table "12"]',
    '[TotalScoreTable "Rank;Names;TotalPercentage"]\n1 "Ann Ash;Ben Birch" 60.5',
    '[ScoreTable "-Names_NS"]\n"Élan, A."\n"Elm, B."\n-\n"fay, C."',
    '[ActionTable "+Call"]\n1C\n1NT\nPass\nX',
    '[Dealer "N"]\n[Auction "N"]\nAP\n[AuctionTimeTable "Time"]',
    '[ScoreTable ""]\n[Auction ""]\n[Board "1"]',
    '[Dealer "N"]\n[Auction "E"]\n- - - 1C AP',
    '[Dealer "N"]\n[Auction "N"]\n1C =1= Pass =2= AP\n[Note "1:x"]\n{so}\n[Note "2:y"]',
    '[Description "old letters: \\xa9 and \\xe9"]',
]


def without_mark(marked: str) -> tuple[str, int, int]:
    """Give the text, and the line and column of its mark."""
    before, _, after = marked.partition("▸")
    return before + after, before.count("\n") + 1, len(before) - before.rfind("\n")


@pytest.mark.parametrize(("code", "marked"), FAULTY, ids=[f"{code}-{n}" for n, (code, _) in enumerate(FAULTY)])
def test_a_breach_of_the_standard_is_named_where_it_stands(code: str, marked: str) -> None:
    text, line, column = without_mark(marked)
    found = verified(text).filter(code=code)
    assert [(line, column)] == found.select("line", "column").rows()


@pytest.mark.parametrize("trick", ["S2 SA + S3", "+ - - S3", "S2 SA ST S3\n+ - C4 C5", "S2 +"])
def test_the_cards_before_the_next_one_are_sound(trick: str) -> None:
    """Columns are seats, so the cards that were played may be before and after `+`."""
    assert "pbn-section-text" not in codes(verified(f'{PLAYED}[Play "W"]\n{trick}\n'))


@pytest.mark.slow
def test_every_rule_of_what_stands_in_lines_has_a_text_that_breaks_it() -> None:
    rules = list_subjects()["The PBN standard"]
    assert rules.keys() - {"pbn-line-ends"} <= {code for code, _ in FAULTY}
    said = {message for _, marked in FAULTY for message in verified(without_mark(marked)[0])["message"]}
    cases = [(name, case.sentence) for rule in rules.values() for name, case in rule.cases.items()]
    forms = {name: re.sub(r"\\{\w+\\}", ".*", re.escape(sentence)) for name, sentence in cases}
    assert [] == [name for name, form in forms.items() if not any(re.fullmatch(form, message) for message in said)]


def test_a_fault_that_stands_twice_is_told_twice() -> None:
    assert ["pbn-note", "pbn-note"] == codes(verified('[Event "Evening"]\n[Board "1"]\n[Note "1:x"]\n[Note "1:x"]'))


@pytest.mark.parametrize("text", LEGAL)
def test_what_the_standard_allows_is_no_problem(text: str) -> None:
    assert [] == [code for code in codes(verified(text, "latin-1")) if code != "pbn-byte-order-mark"]


def read_as_exported(text: str) -> list[tuple[int, str]]:
    """Give the lines of a file that declares export form, and what is said of them."""
    (reading,) = read_pbn([TextBlock(text, line_end=2)], verified=True)
    told = reading.problems.filter(code="pbn-export-form")
    return [(line, message.partition("form: ")[2]) for line, message in told.select("line", "message").iter_rows()]


EXPORTED = f"""% EXPORT
[Event "?"]
[Site "?"]
[Date "?"]
[Board "1"]
[West "?"]
[North "?"]
[East "?"]
[South "?"]
[Dealer "N"]
[Vulnerable "None"]
{DEAL}
[Scoring "MP"]
[Declarer "S"]
[Contract "7NT"]
[Result "13"]
[Auction "N"]
Pass Pass 7NT $1 Pass
Pass Pass
"""


def test_a_game_in_export_form_is_silent() -> None:
    assert [] == read_as_exported(EXPORTED)


@pytest.mark.parametrize(
    ("line", "fault", "form", "other"),
    [
        (10, "Dealer is written as in import form", '"N"', '"n"'),
        (11, "Vulnerable is written as in import form", '"None"', '"Love"'),
        (12, "Deal is written as in import form", "AKQJ.", "KAQJ."),
        (14, "Declarer is written as in import form", '"S"', '"s"'),
        (15, "Contract is written as in import form", '"7NT"', '"7nt"'),
        (16, "Result is written as in import form", '"13"', '"NS 13"'),
        (17, "Auction does not begin with the dealer", 'n "N"]\nPass', 'n "W"]\n- Pass'),
        (18, "a call or card has a suffix instead of its NAG", " $1", "!"),
        (2, "the game lacks Board", '[Board "1"]\n', ""),
    ],
)
def test_each_breach_of_a_declared_export_form_is_named_where_it_stands(
    line: int, fault: str, form: str, other: str
) -> None:
    assert (line, fault) in read_as_exported(EXPORTED.replace(form, other, 1))


def test_a_deal_that_does_not_begin_with_the_dealer_is_not_export_form() -> None:
    assert (12, "Deal does not begin with the dealer") in read_as_exported(EXPORTED.replace('r "N"', 'r "E"'))


def test_an_odd_value_that_stands_a_hundred_times_is_named_once() -> None:
    problems = verified("\n\n".join('[Competition "Swiss"]' for _ in range(100)))
    assert ["pbn-value-unlisted"] == codes(problems)
    assert "times in this file: 100" in problems["message"][0]


def test_reading_for_scoring_says_nothing_of_form() -> None:
    assert [] == codes(pbn('[Round "-1"]').problems)


def test_what_is_named_once_is_counted_through_all_parts_of_a_file() -> None:
    game = '[Board "1"]\n[Own "x"]\n[Mode "BBO"]\n[ScoreTable "Rank"]\nfirst\n\n'
    readings = list(read_pbn([TextBlock(game * 60), TextBlock(game * 40)], verified=True))
    problems = pl.concat(reading.problems for reading in readings)
    counted = problems.filter(pl.col("message").str.contains("times in this file"))
    assert len(readings) > 1
    assert [("pbn-tag-unknown", 2), ("pbn-value-unlisted", 3), ("pbn-table-cell", 5)] == counted.select(
        "code", "line"
    ).rows()
    assert counted["message"].str.contains("times in this file: 100").all()


@pytest.mark.parametrize("cells", ["a " * 150_000, '"' * 300_000])
def test_a_long_table_of_nonsense_is_checked(cells: str) -> None:
    table = f'{PLAYED}[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result"]\n{cells}\n'
    assert "pbn-table-cell" in codes(verified(table))
