"""Names in any form and in any column: who is meant, and what every column can hold."""

from dataclasses import replace

import polars as pl
import pytest

from overtrick.core import frames
from overtrick.core.config.members import Member
from overtrick.core.config.site import Naming, Privacy
from overtrick.core.contestants import split_players
from overtrick.core.frames import ANNOTATIONS, CONTESTANTS, FRAMES, ITEMS, PROBLEMS, RECORDS, Column, Facts, Session
from overtrick.judge.people.identity import Wishes
from overtrick.judge.privacy import PublicSession, apply_privacy, find_kind
from tests.support.builders import frame, results
from tests.support.render_sample import evening

HIDDEN = Privacy(players={"Ann Ashby": "hidden"})


def test_a_text_of_which_nothing_is_told_may_hold_a_name() -> None:
    assert "text" == find_kind(Column(pl.String, "a new column"))
    assert "free" == find_kind(Column(pl.Int32, "a new column"))


def test_columns_that_are_free_of_names_hold_no_texts_of_files() -> None:
    texts = {
        f"{name}.{column}"
        for name, schema in FRAMES.items()
        for column, about in schema.items()
        if find_kind(about) == "free" and "String" in str(about.dtype)
    }
    stated = {"sources.format", "sources.encoding", "sources.sha256", "items.name", "records.deal", "annotations.kind"}
    ours = {"double_dummy.deal", "corrections.kind", "corrections.law", "problems.code", "sheets.kind"}
    assert texts <= stated | ours | {"double_dummy.par_contracts"}


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Ann Ashby - Bo Beck",
            "Ann Ashby & Bo Beck",
            "Ann Ashby/Bo Beck",
            "Ann Ashby + Bo Beck",
            "Ann Ashby;Bo Beck",
        ),
        *(
            "Ann Ashby, Bo Beck",
            "Ann Ashby and Bo Beck",
            "Ann Ashby – Bo Beck",
            "Ann Ashby-Bo Beck",
            "Ann Ashby  Bo Beck",
        ),
        *("Ann Ashby \u2014 Bo Beck", "Ann Ashby\tBo Beck", "Ann Ashby et Bo Beck", "Ann Ashby- Bo Beck"),
    ],
)
def test_two_players_are_told_apart_whatever_stands_between_them(text: str) -> None:
    assert ("Ann Ashby", "Bo Beck") == split_players(text)


@pytest.mark.parametrize(
    "text", ["Ann Smith-Jones", "Ashby, Ann", "Jean-Pierre Dupont", "van der Berg, Jan", "Ann  Ashby", "Anders Band"]
)
def test_one_player_is_not_cut(text: str) -> None:
    assert (" ".join(text.split()),) == tuple(" ".join(name.split()) for name in split_players(text))


def test_family_names_may_come_first() -> None:
    assert ("Ashby, Ann", "Beck, Bo") == split_players("Ashby, Ann - Beck, Bo")
    assert ("Ashby, Ann", "Beck, Bo") == split_players("Ashby, Ann, Beck, Bo")
    assert ("Jean-Paul Roy", "Ann-Marie Day") == split_players("Jean-Paul Roy-Ann-Marie Day")


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Ann Ashby",
            "ANN ASHBY",
            "ashby ann",
            "Ashby, Ann",
            "Änn Áshby",
            "Mrs Ann Ashby",
            "Ann Ashby (sub)",
            "Ann Ashbey",
        ),
        *("Ann Ashby 1001", "A Ashby", "A. Ashby", "Ashby", "Mrs Ashby", "Ann M Ashby", "AnnAshby", "Ashby-Birch"),
        *("Ann Ashby x Bo Beck", "Bo Beck (for Ann Ashby)"),
    ],
)
def test_a_name_that_is_a_hidden_one_or_near_it_is_hidden(name: str) -> None:
    assert "hidden" == Wishes(HIDDEN).find(name)


@pytest.mark.parametrize(
    "name", ["Otto Ashby", "Mr O Ashby", "Ann Berg", "Mr West", "Miss North", "Dan Ashby", "3", "?", "Pair 4"]
)
def test_others_keep_their_names(name: str) -> None:
    assert "full" == Wishes(HIDDEN).find(name)


def test_only_a_name_that_is_near_is_asked_about() -> None:
    wishes = Wishes(HIDDEN, [Member("Ann Ashbie", line=2)])
    assert "Ann Ashby" == wishes.find_near("Ann Ashbey")
    assert [None] * 4 == [wishes.find_near(name) for name in ("Ann Ashby", "ASHBY, Ann", "Otto Ashby", "Ann Ashbie")]
    assert "full" == wishes.find("Ann Ashbie")


def shown(session: Session, naming: Naming = "hidden", name: str = "Ann Ashby") -> PublicSession:
    return apply_privacy(session, Privacy(players={name: naming}))


def seated(north: str, **others: str) -> Session:
    row = {"north": north, "south": "Bo Beck", "east": "Otto Ashby", "west": "Ada West", "record": 0, **others}
    return replace(evening(), records=frame(RECORDS, [row]))


def test_the_scorer_is_asked_once_about_each_name_that_is_near() -> None:
    doubts = shown(seated("Ann Ashbey", event="The Ann Ashby Cup")).doubts
    assert 2 == len(doubts)
    assert doubts[0].startswith('"Ann Ashbey" may be Ann Ashby')
    assert doubts[1].startswith('The title "The Ann Ashby Cup" names')
    assert () == shown(seated("Cy Dahl")).doubts


def test_event_titles_stay() -> None:
    assert ["The Ann Ashby Cup"] == shown(seated("Cy Dahl", event="The Ann Ashby Cup")).records["event"].to_list()


@pytest.mark.parametrize("column", ["home_team", "visit_team"])
def test_a_team_called_after_a_hidden_player_has_no_name(column: str) -> None:
    for name in ("Ashby", "The Ashby Four", "Ann Ashby"):
        assert ["…"] == shown(seated("Cy Dahl", **{column: name})).records[column].to_list()
    assert ["Owls"] == shown(seated("Cy Dahl", **{column: "Owls"})).records[column].to_list()


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        *(
            ("Ann Ashby led badly", False),
            ("Mrs ashby's lead", False),
            ("played by ANN", False),
            ("Áshby thought", False),
        ),
        *(("Otto Ashby led badly", True), ("a lead by Ada West", True), ("aboutAnnAshby", False), ("a spade", True)),
    ],
)
def test_a_text_that_names_a_hidden_player_is_left_out_as_a_whole(text: str, *, stays: bool) -> None:
    noted = replace(seated("Cy Dahl"), annotations=frame(ANNOTATIONS, [{"record": 0, "kind": "comment", "text": text}]))
    assert ([text] if stays else []) == shown(noted).annotations["text"].to_list()


def test_a_message_of_ours_stays_if_a_name_in_it_is_one_of_our_words() -> None:
    crowd = shown(seated("Ed North"), name="Ed North").crowd
    assert not crowd.names("North has 12 cards", ours=True)
    assert crowd.names("Ed North has two results", ours=True)
    assert crowd.names("North led badly")


def test_only_this_module_makes_public_sessions_and_numbers_never_leave() -> None:
    listed = evening().contestants.with_columns(members=pl.lit("7 - 8"))
    made = apply_privacy(replace(evening(), contestants=listed), Privacy())
    assert isinstance(made, PublicSession)
    assert [None] == made.contestants["members"].unique().to_list()


def test_a_pair_known_by_both_names_keeps_the_partner() -> None:
    made = shown(Session(results=results({"ns": "Ann Ashby & Bo Beck", "ew": "Otto Ashby/Ada West"})))
    assert [("… - Bo Beck", "Otto Ashby/Ada West")] == made.results.select("ns", "ew").rows()


TEAMS = [
    (name, column)
    for name in FRAMES
    for column in ("home_team", "visit_team", "team_ns", "team_ew", "team", "opponents")
    if column in getattr(frames, name.upper())
]


@pytest.mark.parametrize(("name", "column"), TEAMS)
def test_the_name_of_a_team_stays_where_all_players_are_hidden(name: str, column: str) -> None:
    stated = frame(getattr(frames, name.upper()), [{column: "Night Owls"}])
    listed = frame(CONTESTANTS, [{"contestant": "7", "names": "Night Owls"}, {"contestant": "8", "names": "Ann Ashby"}])
    session = replace(Session(contestants=listed), **{name: stated})  # type: ignore[arg-type]  # one frame
    if name == "contestants":
        session = Session(contestants=pl.concat([listed, stated]))
    made = apply_privacy(session, Privacy(names="hidden"))
    assert ["Night Owls", None] == made.contestants["names"].to_list()[:2]


def test_a_problem_in_our_words_stays_and_one_that_names_somebody_is_withheld() -> None:
    """A player called North: `North` alone is the seat."""
    told = [
        {"message": "North has 12 cards", "hint": "South has 14"},
        {"message": "Ed North has two results", "hint": "Ask Ed North"},
    ]
    made = shown(replace(seated("Ed North"), problems=frame(PROBLEMS, told)), name="Ed North").problems
    assert ("North has 12 cards", "South has 14") == made.select("message", "hint").row(0)
    message, hint = made.select("message", "hint").row(1)
    assert message
    assert "North" not in message + hint


@pytest.mark.parametrize(("scoring", "stays"), [("MP1", True), ("MP1 by Ann Ashby", False)])
def test_the_scoring_that_a_file_states_stays_unless_it_names_somebody(scoring: str, *, stays: bool) -> None:
    session = replace(seated("Ann Ashby"), facts=Facts(scoring=scoring))
    assert (scoring if stays else None) == shown(session).facts.scoring


def test_a_line_without_a_text_stays_beside_one_that_goes() -> None:
    lines = [{"kind": "comment", "text": text} for text in (None, "Ann Ashby was late", "a spade")]
    made = shown(replace(seated("Ann Ashby"), listed=frame(ITEMS, lines)))
    assert [None, "a spade"] == made.items["text"].to_list()
