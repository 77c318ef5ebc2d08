"""PBN texts of all sorts, sound and not: what the writers are tried with."""

import tempfile
from pathlib import Path

from hypothesis import strategies as st

from overtrick.core.frames import Session
from overtrick.files.assemble import read
from overtrick.files.formats.pbn.tags import names

ENDING = "N:6.AKQ.. A.KQ.T. J9.J9.. QT2.A.."
HIDDEN = "w:- .63.akq987.a9732 - J973.J98742.3.K4"
DEAL = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"

_WORD = st.text("abXY17é#%!?=-.\\", min_size=1, max_size=6)
_BLANKS = st.sampled_from(["", " ", "  ", "\t", "\n "])
_BREAK = st.sampled_from(["\n", "\n", "\n", " ", "", "\n\n", "\n \n"])
_NAME = st.sampled_from(
    [
        *("Event", "Date", "Board", "North", "Scoring", "Hidden", "Foo", "Result", "Dealer", "Vulnerable", "Contract"),
        *("Note", "Score", "ScoreMP", "ScorePercentage", "ScoreRubberHistory", "OptimumScore", "Round", "Room"),
        *("DoubleDummyTricks", "Ability", "ParContract", "Minimax", "BCFlags", "OptimumResultTable"),
        *sorted(names(heads="nothing")),
    ]
)
_FREE_VALUE = st.text('ab1é#;{}[]%\\" ', max_size=8)
_VALUE = _FREE_VALUE | st.sampled_from(
    [
        *("#", "##", "##x", "1", "N", "^S", "None", "Both", "4HX", "Pass", "9", "^NS 9 EW 4", "EW -50", "54.2"),
        *("2024.02.29", "1999.??.??", "1:weak", '32:a "quote"', "NS 0 30/100 40 EW 0 0/60 0", "1.A.2", "MP;MP1"),
        *("2-Aug-2023", "20151006", "2013-08-24 18:36", "3N", "4S**", "5Cx", "N-S ", "-", "NS 4S+1; +450"),
        *("N:89797 E:44535 S:89797 W:44535", "9ba679ba672236622366", "EW 3N+1", "5CDE-500", "Ann;Ben", "A#1"),
    ]
)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _tags() -> st.SearchStrategy[str]:
    return st.builds(
        lambda name, value, a, b, c: f'[{a}{name}{b}"{_escaped(value)}"{c}]', _NAME, _VALUE, _BLANKS, _BLANKS, _BLANKS
    )


def _comments() -> st.SearchStrategy[str]:
    text = st.text('ab ;[%"\n', max_size=12)
    return st.one_of(text.map(lambda t: f"{{{t}}}"), st.text('ab {}[%"', max_size=8).map(lambda t: f";{t}\n"))


def _marks() -> st.SearchStrategy[str]:
    """What may follow a call or card (3.5.2, 3.8), with blanks before it or none."""
    mark = st.sampled_from(
        [
            "=1=",
            "=32=",
            "!",
            "?",
            "!!",
            "!?",
            "?!",
            "??",
            "$3",
            "$13",
            "$200",
            "$0",
            ";rest\n",
            "{a\n\nb}",
            "\n% hidden\n",
        ]
    )
    return st.lists(st.builds(str.__add__, st.sampled_from(["", " ", "\n", "\t"]), mark), max_size=3).map("".join)


def _notes() -> st.SearchStrategy[str]:
    note = st.builds('[Note "{}:{}"]'.format, st.integers(1, 32), st.sampled_from(["", "weak", " 6-9, \\\\S"]))
    return st.lists(st.builds(str.__add__, note, _comments() | st.just("")), max_size=2).map(
        lambda notes: "".join(f"\n{text}" for text in notes)
    )


def _bodies(name: str, words: list[str], ends: list[str]) -> st.SearchStrategy[str]:
    entry = st.builds(str.__add__, st.sampled_from(words), _marks())
    gap = st.sampled_from([" ", " ", "\n", "\t"])
    body = st.lists(st.builds(str.__add__, entry, gap), max_size=12).map("".join)
    lead = st.sampled_from(["", "", "{before} ", ";before\n", "! "])
    seat = st.sampled_from(["N", "E", "S", "W", "n", ""])
    return st.builds(
        lambda seat, lead, body, end, notes: f'[{name} "{seat}"]\n{lead}{body}{end}{notes}\n',
        seat,
        lead,
        body,
        st.sampled_from(ends),
        _notes(),
    )


_CELLS = {
    "ActionTable": ["Rank", "Call", "Card", "Declarer", "Contract", "Percentage"],
    "AuctionTimeTable": ["Time", "TotalTime"],
    "InstantScoreTable": ["Rank", "ScoreRange_NS", "ScoreRange_EW", "IMP_NS", "Percentage_EW"],
    "OptimumPlayTable": ["S", "H", "D", "C"],
    "OptimumResultTable": ["Declarer", "Denomination", "Result"],
    "PlayTimeTable": ["Time", "TotalTime"],
    "ScoreTable": ["Rank", "PairId_NS", "PairId_EW", "Contract", "Declarer", "Result", "Score_NS", "MP_NS", "Names_EW"],
    "TotalScoreTable": ["Rank", "PairId", "Names", "TotalMP", "MeanPercentage", "NrBoards", "Own one"],
}


@st.composite
def _tables(draw: st.DrawFn) -> str:
    """A table of PBN 5, with order and widths in its header, its rows on lines of their own or running on."""
    name = draw(st.sampled_from(sorted(_CELLS)))
    columns = draw(st.lists(st.sampled_from(_CELLS[name]), min_size=1, max_size=5, unique=True))
    order, width = st.sampled_from(["", "", "+", "-"]), st.sampled_from(["", "", "\\4R", "\\12L", "\\3"])
    header = ";".join(draw(order) + column + draw(width) for column in columns)
    cell = st.sampled_from(["1", "-", "?", "^50", '"a ; b"', "3NT", "*,420", "0:30", "N", "54.5", '""', "%1", "Pass"])
    rows = draw(st.lists(st.lists(cell, min_size=len(columns), max_size=len(columns)), max_size=3))
    gap = draw(st.sampled_from(["\n", " ", "\n% hidden\n"]))
    text = gap.join("  ".join(row) for row in rows)
    value = draw(st.sampled_from([header, header, header, "#", ""]))
    return f'[{name} "{value}"]{draw(_comments() | st.just(""))}\n{text}\n'


def _sections() -> st.SearchStrategy[str]:
    calls = ["-", "Pass", "pass", "1C", "2nt", "3S", "7NT", "X", "xx", "AP", "^I 1C", "^S", "^S ^I 1D"]
    calls += ["P", "dbl", "1N", "all pass", "1NTPass3h", "___", "XS"]
    cards = ["-", "SK", "HT", "d6", "C5", "SA", "H2", "D10", "^R S6", "^L CQ"]
    own = st.sampled_from(['[Own "any;thing"]\nany "text { here" *\n', '[Empty ""]\n'])
    return st.one_of(
        _bodies("Auction", calls, ["", "*", "+", "AP", "Pass Pass Pass"]),
        _bodies("Play", cards, ["", "*", "+"]),
        _tables(),
        own,
    )


def sound_games() -> st.SearchStrategy[str]:
    """Games in import form, drawn from the whole grammar, with all its freedom of spacing and comments."""
    heading = st.sampled_from(['HRTitleEvent "Cup"', ' <META  name=ContestName  content="Cup">', " PBN 2.1", " EXPORT"])
    escape = (_FREE_VALUE | heading).map(lambda value: f"\n%{value}\n")
    deal = st.sampled_from([DEAL, ENDING, HIDDEN]).map(
        lambda hands: f'[Dealer "E"] [Deal "{hands}"] [Declarer "S"]\n[Contract "5HX"]'
    )
    piece = st.one_of(_tags(), _tags(), _comments(), escape, _sections(), deal)
    return st.lists(st.builds(str.__add__, piece, _BREAK), max_size=14).map("".join)


def odd_texts() -> st.SearchStrategy[str]:
    """Games with slips between: what is never closed, what is no tag, text that belongs nowhere."""
    slip = st.sampled_from(
        [
            "[Event abc]",
            '[North "abc\n',
            '[Foo "a" b]\n',
            "[=\n",
            "{abc\n",
            "abc",
            "]",
            "}",
            ' "abc\n',
            "[Event]",
            "  x",
        ]
    )
    piece = st.one_of(sound_games(), slip, _WORD)
    return st.lists(st.builds(str.__add__, piece, _BREAK), max_size=6).map("".join)


def session(text: str | bytes) -> Session:
    """Read a text as a file of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "some.pbn"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read([str(path)])
