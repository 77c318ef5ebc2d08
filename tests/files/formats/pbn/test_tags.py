"""The one table of tags: a row of it is all that a new tag needs, and a column if its value is typed."""

import polars as pl
import pytest

from overtrick.core.frames import RECORDS, Column
from overtrick.files.formats.pbn import tags
from overtrick.files.formats.pbn.forms import Beside, Form
from overtrick.files.formats.pbn.read import records
from overtrick.files.formats.pbn.tags import TAGS, Tag, names
from overtrick.files.formats.pbn.write import export_pbn, write_pbn
from tests.support.pbn_texts import session
from tests.support.reading import codes, pbn, verified

GAMES = '[Board "1"]\n[Wind "##12"]\n\n[Board "2"]\n\n[Board "3"]\n[Wind "7"]\n\n[Board "4"]\n[Wind "gale"]\n'


@pytest.fixture
def _wind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a tag that no standard has, with its row and its column: the knots that the wind blew at."""

    def knots(value: pl.Expr) -> pl.Expr:
        return value.str.extract(r"^(\d{1,3})$").cast(pl.UInt8)

    form = Form(r"\d\d?", "knots, such as 12")
    tag = Tag("Wind", "9.9", reads={"wind": knots}, form=form, unreadable="pbn-tag-value/tag")
    monkeypatch.setitem(TAGS, "Wind", tag)
    monkeypatch.setitem(RECORDS, "wind", Column(pl.UInt8, "knots"))
    # What is kept of both tables was made without it.
    monkeypatch.setattr(records, "list_ways", records.list_ways.__wrapped__)
    monkeypatch.setattr(tags, "list_names", tags.list_names.__wrapped__)


@pytest.mark.usefixtures("_wind")
def test_a_new_tag_is_read_into_its_column_and_inherited() -> None:
    assert [12, 12, 7, None] == pbn(GAMES).records["wind"].to_list()


@pytest.mark.usefixtures("_wind")
def test_a_value_of_a_new_tag_that_cannot_be_read_is_reported() -> None:
    problems = pbn(GAMES).problems
    assert [("pbn-tag-value", 10)] == problems.select("code", "line").rows()
    assert "knots, such as 12" in problems["message"][0]


@pytest.mark.usefixtures("_wind")
def test_a_new_tag_is_checked_against_its_form() -> None:
    problems = verified('[Board "1"]\n[Wind "120"]\n')
    assert ["pbn-value"] == codes(problems)
    assert "9.9" in problems["message"][0]


@pytest.mark.usefixtures("_wind")
def test_a_new_tag_is_known_to_the_standard() -> None:
    assert [] == codes(verified('[Board "1"]\n[Wind "12"]\n'))


@pytest.mark.usefixtures("_wind")
def test_a_new_tag_heads_no_section() -> None:
    assert ["stray-text"] == codes(pbn('[Wind "12"]\nfrom the west\n').problems)


@pytest.mark.usefixtures("_wind")
def test_a_new_tag_is_kept_as_it_was_read() -> None:
    assert GAMES.encode() == write_pbn(session(GAMES)).content


@pytest.mark.usefixtures("_wind")
def test_a_new_tag_is_exported_with_its_inherited_value_written_out() -> None:
    written = export_pbn(session(GAMES)).content.decode("latin-1")
    assert [2, 1, 1] == [written.count(f'[Wind "{value}"]') for value in (12, 7, "gale")]


def test_without_the_row_the_tag_is_a_private_one() -> None:
    assert ["pbn-tag-unknown"] == codes(verified('[Board "1"]\n[Wind "12"]\n'))
    assert "wind" not in pbn(GAMES).records.columns


def test_every_column_that_a_tag_is_read_into_is_described() -> None:
    columns = [{tag.text, tag.irregular, *tag.reads, *tag.by_side} - {None} for tag in TAGS.values()]
    assert [] == [column for read in columns for column in read if column not in RECORDS]


def test_export_form_needs_fifteen_tags() -> None:
    mandatory = "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer Contract Result"
    assert mandatory.split() == names(mandatory=True)


def test_the_standard_has_eight_tables_in_the_order_of_its_chapters() -> None:
    assert [f"5.{number}" for number in range(3, 11)] == [TAGS[name].section for name in names(heads="table")]


@pytest.mark.parametrize("value", ["#", "##x"])
def test_eight_tags_are_never_inherited(value: str) -> None:
    tags = [name for name in names(inherits=False) if name != "Note"]
    problems = pbn("".join(f'[{name} "{value}"]\n' for name in tags)).problems
    assert ["Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play"] == tags
    assert ["pbn-inherit-forbidden"] * 7 == codes(problems)


def test_a_new_column_of_a_table_is_checked_against_its_form(monkeypatch: pytest.MonkeyPatch) -> None:
    table = TAGS["ScoreTable"]
    cells = {**table.cells, "Wind": Form(r"\d\d?", "knots, such as 12")}
    monkeypatch.setitem(TAGS, "ScoreTable", table._replace(cells=cells))
    problems = verified('[Board "1"]\n[ScoreTable "Rank;Wind"]\n1 12\n2 gale\n')
    assert [("pbn-table-cell", 4)] == problems.select("code", "line").rows()
    assert "knots, such as 12" in problems["message"][0]


def test_a_value_of_a_tag_is_checked_beside_the_rest_of_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = Beside("pbn-value-odd/sum", pl.col("stated") & (pl.col("board") == 2), {"total": pl.col("board")})
    monkeypatch.setitem(TAGS, "Site", TAGS["Site"]._replace(beside=(rule,)))
    problems = verified('[Board "1"]\n[Site "Cove"]\n\n[Board "2"]\n[Site "Cove"]\n\n[Board "2"]\n[Site "?"]\n')
    assert [("pbn-value-odd", 5)] == problems.select("code", "line").rows()
