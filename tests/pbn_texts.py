"""PBN texts of all sorts, sound and not: what the writers are tried with."""

import tempfile
from pathlib import Path

from hypothesis import strategies as st

from overtrick.frames import Session
from overtrick.parse import read

DEAL = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"

_WORD = st.text("abXY17é#%!?=-.\\", min_size=1, max_size=6)
_BLANKS = st.sampled_from(["", " ", "  ", "\t"])
_BREAK = st.sampled_from(["\n", "\n", "\n", " ", "", "\n\n", "\n \n"])
_NAME = st.sampled_from(["Event", "Board", "North", "Scoring", "Hidden", "Foo", "Result", "Dealer", "Note"])
_VALUE = st.text('ab1é#;{}[]%\\" ', max_size=8)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _tags() -> st.SearchStrategy[str]:
    return st.builds(
        lambda name, value, a, b, c: f'[{a}{name}{b}"{_escaped(value)}"{c}]', _NAME, _VALUE, _BLANKS, _BLANKS, _BLANKS
    )


def _comments() -> st.SearchStrategy[str]:
    text = st.text('ab ;[%"\n', max_size=12)
    return st.one_of(text.map(lambda t: f"{{{t}}}"), st.text('ab {}[%"', max_size=8).map(lambda t: f";{t}\n"))


def _sections() -> st.SearchStrategy[str]:
    mark = st.sampled_from([" =1=", "!", "?!", " $3 $2", " ;rest\n", " {a\n\nb}", "\n% hidden\n", ""])
    call = st.builds(str.__add__, st.sampled_from(["-", "Pass", "1C", "2nt", "X", "AP", "*", "+", "^I 1C", "^S"]), mark)
    card = st.builds(str.__add__, st.sampled_from(["-", "SK", "HT", "d6", "C5", "^R S6", "*", "+"]), mark)
    calls = st.lists(call, max_size=9).map(lambda words: '[Auction "N"]\n' + " ".join(words) + "\n")
    cards = st.lists(card, max_size=9).map(lambda words: '[Play "W"]\n' + " ".join(words) + "\n")
    cell = st.one_of(st.sampled_from(["1", "-", '"a ; b"', "3NT"]), st.sampled_from(["2\n", "{c} 4", "5 ;d\n"]))
    rows = st.lists(cell, max_size=7).map(lambda cells: '[ScoreTable "PairId_NS\\2R;+Foo;Bar\\6L"]\n' + " ".join(cells))
    return st.one_of(calls, cards, rows.map(lambda text: text + "\n"))


def sound_games() -> st.SearchStrategy[str]:
    """Games in import form, with all its freedom of spacing and comments."""
    escape = _VALUE.map(lambda value: f"\n%{value}\n")
    deal = st.just(f'[Dealer "E"] [Deal "{DEAL}"] [Declarer "S"]\n[Contract "5HX"]')
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
