"""Holding PBN against its standard: each rule with a text that breaks it, and texts that look odd and are legal."""

import pytest

from overtrick.problems import pbn_standard
from tests.reading import codes, pbn, verified

DEAL = '[Deal "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"]'
PLAYED = f'[Dealer "N"]\n{DEAL}\n[Declarer "S"]\n[Contract "7NT"]\n'
ENDING = '[Deal "N:A... K... Q... J..."]'

FAULTY = [
    ("pbn-line-length", '[Description "' + "x" * 240 + '▸xx"]'),
    ("pbn-line-length", "{\n" + "x" * 254 + '▸x\n}\n[Board "1"]'),
    ("pbn-character", '[Event "a▸\x7fb"]'),
    ("pbn-character-set", '[Event "S▸é"]'),
    ("pbn-string-tab", '▸[Event "a\tb"]'),
    ("pbn-tag-unknown", '[Board "1"]\n▸[BCFlags "1F"]'),
    ("pbn-tag-case", '▸[board "1"]'),
    ("pbn-tag-name", '▸[colour "red"]'),
    ("pbn-value", '▸[Round "-1"]'),
    ("pbn-value", '▸[Date "95.06.10"]'),
    ("pbn-value", '▸[Date "1995.13.10"]'),
    ("pbn-value", '▸[EventDate "1995.06.32"]'),
    ("pbn-value", '▸[Time "24:00:00"]'),
    ("pbn-value", '▸[ScorePercentage "NS 101"]'),
    ("pbn-value", '▸[ScoreRubber "10"]'),
    ("pbn-value", '▸[OptimumScore "420"]'),
    ("pbn-value", '▸[FrenchMP "Maybe"]'),
    ("pbn-value", '▸[Hidden "X"]'),
    ("pbn-value", '▸[Room "IMP"]'),
    ("pbn-value", '▸[TimeControl "4"]'),
    ("pbn-value-unlisted", '▸[Scoring "MP;Mine"]'),
    ("pbn-value-unlisted", '▸[Competition "Swiss"]'),
    ("pbn-value-unlisted", '▸[WestType "robot"]'),
    ("pbn-value-unlisted", '▸[Mode "BBO"]'),
    ("pbn-section-needs", '▸[Auction "N"]\n1C AP'),
    ("pbn-section-needs", f'{DEAL}\n[Declarer "S"]\n▸[Play "W"]\nS2'),
    ("pbn-section-needs", '▸[PlayTimeTable "Time"]\n12'),
    ("pbn-section-order", '[Auction "N"]\n1C AP\n▸[Dealer "N"]'),
    ("pbn-call-spelling", '[Dealer "N"]\n[Auction "N"]\n1C ▸1N AP'),
    ("pbn-call-spelling", '[Dealer "N"]\n[Auction "N"]\n▸p Pass AP'),
    ("pbn-card-spelling", f'{PLAYED}[Play "W"]\nS2 SA ▸S10 S3'),
    ("pbn-after-end", '[Dealer "N"]\n[Auction "N"]\n1C ▸* 1D'),
    ("pbn-after-end", f'{PLAYED}[Play "W"]\nS2 SA ST S3\n▸* S5'),
    ("pbn-after-end", f'{PLAYED}[Play "W"]\nS2 SA ▸+ S3 *'),
    ("pbn-result-lone", '[Contract "3NT"]\n▸[Result "9"]'),
    ("pbn-result-sum", f'{PLAYED}▸[Result "NS 9 EW 2"]\n[Play "W"]\n*'),
    ("pbn-result-sum", '[Declarer "S"]\n▸[Result "NS 9 EW 5"]'),
    ("pbn-passed-out", '[Contract "Pass"]\n▸[Declarer "S"]'),
    ("pbn-contract-no-level", f'{DEAL}\n[Declarer "S"]\n▸[Contract "H"]'),
    ("pbn-contract-end-position", f'{ENDING}\n▸[Contract "4H"]'),
    ("pbn-rubber-history", '[Vulnerable "None"]\n▸[ScoreRubberHistory "NS 0 0/100 0 EW 0 0/40 0"]'),
    ("pbn-rubber-history", '▸[ScoreRubberHistory "NS 0 0/45 EW 0 0/0"]'),
    ("pbn-rubber-history", '▸[ScoreRubberHistory "NS 0 0/60 0 EW 0 0/40 0"]'),
    ("pbn-rubber-history", '▸[ScoreRubberHistory "NS 0 0/100 0 EW 0 0/0"]'),
    ("pbn-deal-id", f'{DEAL}\n[DealId "1"]\n\n{ENDING}\n▸[DealId "1"]'),
    ("pbn-suffix", '[Dealer "N"]\n[Auction "N"]\n1C ▸!!! AP'),
    ("pbn-nag", '[Dealer "N"]\n[Auction "N"]\n1C ▸$7 AP'),
    ("pbn-nag", '[Dealer "N"]\n[Auction "N"]\n1C ▸$256 AP'),
    ("pbn-nag", f'{PLAYED}[Play "W"]\nS2 ▸$13 *'),
    ("pbn-note-reference", '[Dealer "N"]\n[Auction "N"]\n1C ▸=33= AP'),
    ("pbn-irregularity", f'{PLAYED}[Play "W"]\n▸^I S2 *'),
    ("pbn-annotation-repeated", '[Dealer "N"]\n[Auction "N"]\n1C ! ▸$3 AP'),
    ("pbn-annotation-repeated", '[Dealer "N"]\n[Auction "N"]\n1C $20 ▸$20 AP'),
    ("pbn-annotation-repeated", f'{PLAYED}[Play "W"]\n^L S2 SA ▸^L ST S3\n*'),
    ("pbn-note", '[Dealer "N"]\n[Auction "N"]\n1C AP\n▸[Note "weak"]'),
    ("pbn-note", '▸[Note "1:weak"]'),
    ("pbn-note", '[Dealer "N"]\n[Auction "N"]\n1C =1= AP\n[Note "1:weak"]\n▸[Note "1:strong"]'),
    ("pbn-note-missing", '[Dealer "N"]\n[Auction "N"]\n1C ▸=2= AP'),
    ("pbn-note-unused", '[Dealer "N"]\n[Auction "N"]\n1C AP\n▸[Note "1:weak"]'),
    ("pbn-table-column", '▸[ActionTable "Rank\\\\0;Call"]\n1 1C'),
    ("pbn-table-cell", '[OptimumResultTable "Declarer;Denomination;Result"]\n▸N NT 14'),
    ("pbn-table-cell", '[InstantScoreTable "ScoreRange_NS;Percentage_NS"]\n▸420,-50 60'),
    ("pbn-table-order", '[ActionTable "+Percentage;Call"]\n60 1C\n▸70 1D'),
    ("pbn-table-comment", '[ActionTable "Rank;Call"]\n1 1C\n▸{ the best }'),
    ("pbn-export-form", '% EXPORT\n▸[Board "1"]'),
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
    '[TotalScoreTable "Rank;Names;TotalPercentage"]\n1 "Ann Ash;Ben Birch" 60.5',
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


def test_every_rule_has_a_text_that_breaks_it() -> None:
    assert pbn_standard.CODES.keys() == {code for code, _ in FAULTY}


@pytest.mark.parametrize("text", LEGAL)
def test_what_the_standard_allows_is_no_problem(text: str) -> None:
    assert [] == [code for code in codes(verified(text, "latin-1")) if code != "pbn-byte-order-mark"]


def test_an_odd_value_that_stands_a_hundred_times_is_named_once() -> None:
    problems = verified("\n\n".join('[Competition "Swiss"]' for _ in range(100)))
    assert ["pbn-value-unlisted"] == codes(problems)
    assert "times in this file: 100" in problems["message"][0]


def test_reading_for_scoring_says_nothing_of_form() -> None:
    assert [] == codes(pbn('[Round "-1"]').problems)
