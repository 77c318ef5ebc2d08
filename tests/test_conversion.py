"""A conversion keeps the session, or says what is lost."""

import json
from collections import Counter
from pathlib import Path
from shutil import copy

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import overtrick as ot
from overtrick.conversion import FACTS, Loss, make_public, prove, prove_files
from overtrick.core.bridge.auction import CALLS
from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.core.problems import has_errors
from overtrick.files.formats.registry import FORMATS
from overtrick.files.formats.session_rows import list_items
from overtrick.judge.privacy import apply_privacy
from overtrick.show.data.downloads import write_downloads, write_session_json
from overtrick.show.html.html import render_site
from overtrick.show.html.session_page import make_session_page
from tests.support.commands import FIXTURES, ROOT, run
from tests.support.pages import parse, text_of
from tests.support.sweeps import sample

SOURCES = sorted(
    path for path in FIXTURES.iterdir() if path.suffix in {".pbn", ".lin", ".csv", ".xml", ".json", ".html"}
)
ENDINGS = [known.suffixes[0] for known in FORMATS if known.write and "results" in known.holds]
OUTCOME = ("board", "level", "strain", "doubled", "declarer", "tricks", "score_ns")


def places(session: Session) -> Counter[object]:
    rows = session.standings.iter_rows(named=True)
    return Counter((row["ranking"], row["rank"], row["boards"], round(row["total"] or 0, 3)) for row in rows)


def values(session: Session, *columns: str) -> Counter[object]:
    return Counter(tuple(map(str, row)) for row in session.results.select(columns).iter_rows())


@pytest.mark.parametrize(
    ("source", "ending"),
    sample([(source, ending) for source in SOURCES for ending in ENDINGS], 13),
    ids=lambda case: case.name if isinstance(case, Path) else case,
)
@pytest.mark.sweep(3)
def test_a_file_that_ranks_otherwise_than_its_source_says_so(source: Path, ending: str, tmp_path: Path) -> None:
    before, target = ot.evaluate(source), tmp_path / f"evening{ending}"
    try:
        told = {row["code"]: row["message"] for row in ot.convert(source, target).problems.iter_rows(named=True)}
    except ValueError:
        return
    after = ot.evaluate(target) if target.exists() else Session()
    moved = sum((places(before) - places(after)).values())
    assert (moved > 0) == ("conversion-ranking" in told)
    assert f": {moved} of " in told.get("conversion-ranking", f": {moved} of ")
    lost = sum((values(before, *OUTCOME) - values(after, *OUTCOME)).values())
    assert (f"results ({lost} of {before.results.height})" in told.get("conversion-values", "")) == (lost > 0)


ONE_BOARD = """[Event "Practice"]
[Board "1"]
[Dealer "{dealer}"]
[Vulnerable "{vulnerable}"]
[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
[Contract "7S"]
[Declarer "N"]
[Result "13"]
"""


@pytest.mark.parametrize(
    ("dealer", "vulnerable", "lost"),
    [("N", "None", ""), ("S", "None", "dealers (1 of 1)"), ("N", "All", "vulnerabilities (1 of 1)")],
)
def test_a_dealer_off_the_law_is_counted_where_the_format_follows_board_numbers(
    dealer: str, vulnerable: str, lost: str, tmp_path: Path
) -> None:
    source = tmp_path / "practice.pbn"
    source.write_text(ONE_BOARD.format(dealer=dealer, vulnerable=vulnerable))
    problems = ot.convert(source, tmp_path / "practice.xml").problems
    told = problems.filter(code="conversion-values")["message"].to_list()
    assert lost in "".join(told) if lost else told == []


PLACES = ("source", "line", "column")


def list_frames(session: ot.Session) -> dict[str, pl.DataFrame]:
    """Return the frames that files fill and those that follow from them, without the places in the files."""
    names = ("records", "annotations", "results", "contestants", "standings", "matches", "sheets", "double_dummy")
    frames = {name: getattr(session, name).drop(*PLACES, strict=False) for name in names}
    # Where files differ in names, the problem of the source says so.
    return {**frames, "contestants": frames["contestants"].drop("spellings"), "items": list_items(session)}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_a_session_in_json_comes_back_as_it_was(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "evening.json"
    before = ot.convert(source, target)
    assert set() == set(before.problems["code"]) & {"conversion-values", "conversion-ranking", "format-not-written"}
    written = set(json.loads(target.read_text("utf-8"))) if target.exists() else set()
    schema = json.loads((ROOT / "docs" / "session.schema.json").read_text("utf-8"))["properties"]
    assert set() == written - set(schema)
    after = ot.evaluate(target) if target.exists() else ot.Session()
    for name, frame in list_frames(before).items():
        assert_frame_equal(frame, list_frames(after)[name])


@pytest.mark.parametrize(
    "ruling",
    ["--weighted 60:420,40:-50", "--split 420 -450", "--award A+ 40%", "--not-played", "--contract 4S+1 --by N"],
)
def test_a_ruling_in_json_comes_back_as_it_was(ruling: str, tmp_path: Path) -> None:
    copy(FIXTURES / "spring-pairs.csv", tmp_path)
    source, kept = tmp_path / "spring-pairs.csv", tmp_path / "kept.json"
    run("correct", source, "--board", "1", "--pair", "3", *ruling.split(), "--why", "misinformation")
    before = ot.convert(source, kept)
    assert [True] == before.corrections["applied"].to_list()
    after = ot.evaluate(kept)
    for name in ("results", "standings"):
        assert_frame_equal(list_frames(before)[name], list_frames(after)[name])


PRIVATE = """%MyEscape "hello"
{table} [myPrivate "kept"]
[BCFlags "1f"]
[Notes "A;B"]
1 2
[Auction "N"]
7S =1= {{insufficient}} Pass =2= Pass Pass
[Note "1:strong"]
[Note "2:weak; or not"]
; the end
"""


def test_what_overtrick_does_not_use_goes_through_json(tmp_path: Path) -> None:
    source, kept, back = (tmp_path / name for name in ("practice.pbn", "kept.json", "back.pbn"))
    source.write_text(PRIVATE.format(table=ONE_BOARD.format(dealer="N", vulnerable="None")))
    ot.convert(source, kept)
    ot.convert(kept, back)
    before, after = ot.evaluate(source), ot.evaluate(back)
    before_it, after_it = ({*list_items(one).select("kind", "name", "text").rows()} for one in (before, after))
    assert {("escape", None, "% PBN 2.1"), ("escape", None, "% EXPORT")} == after_it - before_it
    assert set() == before_it - after_it
    assert_frame_equal(list_frames(before)["annotations"], list_frames(after)["annotations"])
    (tmp_path / "own.lin").write_text((FIXTURES / "two-rooms.lin").read_text().replace("mb|p|", "xx|own|mb|p|", 1))
    ot.convert(tmp_path / "own.lin", kept)
    assert [("xx", "own")] == ot.read(kept).items.select("name", "text").rows()
    lost = ot.convert(kept, back).problems.filter(code="not-written")["message"].to_list()
    assert ["PBN cannot store these LIN commands: xx"] == lost


def test_a_published_session_says_what_a_call_means_and_not_what_was_chatted(tmp_path: Path) -> None:
    source = tmp_path / "match.lin"
    source.write_text((FIXTURES / "two-rooms.lin").read_text().replace("mb|p|", "mb|p|nt|Hello from Ann|", 1))
    session = ot.evaluate(source)
    assert {"explanation", "alert", "comment"} == set(session.annotations["kind"])
    shown = make_public(session, Config())
    kept, published = tmp_path / "kept.json", tmp_path / "session.json"
    ot.convert(source, kept)
    published.write_text(write_session_json(shown, Config()))
    assert ("Hello from Ann" in kept.read_text(), "Hello from Ann" in published.read_text()) == (True, False)
    assert {"explanation", "alert"} == set(ot.read(published).annotations["kind"])


def test_auctions_and_plays_in_json_stay_with_their_results(tmp_path: Path) -> None:
    played = ONE_BOARD.format(dealer="N", vulnerable="None")
    tables = [
        played + f'[Table "{table}"]\n' + (f'[Auction "N"]\nPass Pass {bid} AP\n' if bid else "")
        for table, bid in enumerate(["1S", "", "2H"], start=1)
    ]
    practice = played.partition("[Contract")[0] + '[Auction "N"]\n7NT AP\n[Play "E"]\nHA - - H2\n'
    source, target = tmp_path / "practice.pbn", tmp_path / "practice.json"
    source.write_text("\n".join([*tables, practice]))
    ot.convert(source, target)
    before, after = ot.read(source), ot.read(target)
    assert list(range(4)) == after.records["record"].to_list()
    told = ["auction_start", "calls", "auction_end", "play_start", "cards", "play_end", "deal", "dealer"]
    for session in (before, after):
        sat = session.results.join(session.records.select("record", *told), on="record", how="left")
        assert ["1S", "", "2H"] == [
            CALLS[calls[2]] if calls else "" for calls in sat.sort("table", nulls_last=True)["calls"].to_list()[:3]
        ]
    has_any = pl.col("calls").list.len() > 0
    assert before.records.filter(has_any).select(told).rows() == after.records.filter(has_any).select(told).rows()


def test_words_of_json_that_are_no_calls_stay_unknown(tmp_path: Path) -> None:
    target = tmp_path / "practice.json"
    odd = '{"result": 9, "board": 5, "calls": "1S 9Z", "cards": true, "auction_start": "N", "play_end": "]"}'
    games = f'[{odd}, {{"board": 1e30}}]'
    target.write_text('{"schema": 1, "session": {}, "results": [], "games": ' + games + "}")
    session = ot.read(target)
    assert [[CALLS.index("1S"), 255]] == session.records["calls"].drop_nulls().to_list()
    assert [5] == session.records["board"].drop_nulls().to_list()
    told = session.problems["message"].to_list()
    places = ["games, calls", "games, play_end", "games[0].cards", "games[1].board"]
    assert [None] * session.records.height == session.records["play_end"].to_list()
    assert [True] * 4 == [any(place in message for message in told) for place in places]


def test_a_session_in_json_keeps_deals_that_nobody_played_and_the_second_of_a_board(tmp_path: Path) -> None:
    played = ONE_BOARD.format(dealer="N", vulnerable="None")
    other = played.replace("AKQJT98765432... .AKQJT98765432..", "KQJT98765432.A.. A.KQJT98765432..")
    unplayed = other.partition("[Contract")[0].replace('[Event "Practice"]', '[Event "#"]')
    games = [played, unplayed, unplayed.replace('[Board "1"]', '[Board "7"]'), unplayed.replace('[Board "1"]\n', "")]
    source, target = tmp_path / "practice.pbn", tmp_path / "practice.json"
    source.write_text("\n".join(games))
    assert "conversion-values" not in ot.convert(source, target).problems["code"].to_list()
    before, after = ot.read(source), ot.read(target)
    columns = ["board", "dealer", "vulnerable", "deal", "event"]
    assert sorted(map(repr, before.records.select(columns).rows())) == sorted(
        map(repr, after.records.select(columns).rows())
    )
    assert before.results.height == after.results.height == 1


def test_a_session_in_json_keeps_what_was_carried_over_and_boards_off_the_law(tmp_path: Path) -> None:
    match = (FIXTURES / "two-rooms.lin").read_text().replace("Heron,0,", "Heron,3.5,")
    (tmp_path / "match.lin").write_text(match)
    (tmp_path / "practice.pbn").write_text(ONE_BOARD.format(dealer="S", vulnerable="All"))
    for name in ("match.lin", "practice.pbn"):
        target = tmp_path / f"{name}.json"
        codes = set(ot.convert(tmp_path / name, target).problems["code"])
        assert set() == codes & {"conversion-ranking", "conversion-values"}
    again = ot.read(tmp_path / "practice.pbn.json").records.select("dealer", "vulnerable").row(0)
    assert ("S", "All") == again
    assert 3.5 == max(ot.evaluate(tmp_path / "match.lin.json").standings["correction"])


@pytest.mark.parametrize("carried", [0, 3.5, 12])
def test_a_match_in_pbn_keeps_what_was_carried_over(carried: float, tmp_path: Path) -> None:
    source, target, again = (tmp_path / name for name in ("match.lin", "match.pbn", "again.lin"))
    source.write_text((FIXTURES / "two-rooms.lin").read_text().replace("Heron,0,", f"Heron,{carried},"))
    for one, other in ((source, target), (target, again)):
        assert set() == set(ot.convert(one, other).problems["code"]) & {"conversion-ranking", "conversion-values"}
        assert carried == max(ot.evaluate(other).standings["correction"].fill_null(0))


@pytest.mark.parametrize(
    ("stated", "read"), [("-1.5", [-1.5]), ("2", [2.0]), ("true", []), ('"2"', []), ("NaN", []), ("1e999", [])]
)
def test_a_correction_of_a_total_in_json_is_a_number_or_nothing(stated: str, read: list[float], tmp_path: Path) -> None:
    target = tmp_path / "evening.json"
    ot.convert(FIXTURES / "spring-pairs.csv", target)
    target.write_text(target.read_text().replace('"correction":null', f'"correction":{stated}', 1))
    assert read == ot.evaluate(target).standings["correction"].drop_nulls().to_list()


def test_results_that_nobody_entered_are_told(tmp_path: Path) -> None:
    target = tmp_path / "evening.csv"
    ot.convert(FIXTURES / "spring-pairs.csv", target)
    before = ot.evaluate(target)
    head, *lines = target.read_text().splitlines()
    added = dict(zip(head.split(","), lines[-1].split(","), strict=True)) | {"board": "9"}
    target.write_text("\n".join([head, *lines, ",".join(added.values())]))
    assert "results (1 too many)" in " ".join(prove(before, target)["message"])


@pytest.mark.parametrize("source", sample(SOURCES, 4), ids=lambda path: path.name)
@pytest.mark.sweep(1)
def test_the_downloads_of_a_page_give_back_its_evening(source: Path) -> None:
    """PBN here has only the letters of ISO 8859-1, and LIN only deals where no table recorded anything."""
    shown = apply_privacy(ot.evaluate(source), Config().privacy, ())
    files = write_downloads(shown, make_session_page(shown, Config()))
    recorded = shown.records.select(pl.sum_horizontal(pl.col("calls", "cards").list.len()).sum()).item() > 0
    deals = files.pop("session.lin", None) if not recorded else files["session.lin"]
    assert recorded or deals or shown.records["deal"].is_null().all()
    if has_errors(shown.problems):
        # A board whose deal is wrong is not scored, and a table of results does not say so.
        files.pop("session.csv", None)
    found = prove_files(shown, {**files, "session.json": write_session_json(shown, Config()).encode()})
    assert {"names"} >= {loss.name for loss in found.pop("session.pbn", ())}
    assert [] == [loss for losses in found.values() for loss in losses]


def test_a_page_says_what_its_downloads_do_not_hold(tmp_path: Path) -> None:
    """Two names of this evening have letters that PBN does not have."""
    ot.bulletin(FIXTURES / "club-evening.pbn", tmp_path / "site", pdf=False)
    text = text_of(parse((tmp_path / "site" / "index.html").read_bytes()))
    assert "Not as on these pages in the PBN file: Names (2 of 16)" in text
    assert 1 == text.count("Not as on these pages")


def test_a_page_names_every_loss_that_there_can_be() -> None:
    page = make_session_page(make_public(ot.evaluate(FIXTURES / "spring-pairs.csv"), Config()), Config())
    losses = [Loss("ranking", 2, 8), *(Loss(fact.name, 3, None) for fact in FACTS)]
    text = text_of(parse(render_site(page, beside={"session.pbn": losses})["index.html"]))
    assert "Ranking (2 of 8), Results (+3), Leads (+3), Deals (+3), Dealer (+3), Vul. (+3), Auction (+3)" in text


def test_a_file_that_overtrick_does_not_read_is_not_compared(tmp_path: Path) -> None:
    target = tmp_path / "evening.parquet"
    ot.convert(FIXTURES / "spring-pairs.csv", target)
    assert target.read_bytes().startswith(b"PAR1")
    assert prove(ot.evaluate(FIXTURES / "spring-pairs.csv"), target).is_empty()
