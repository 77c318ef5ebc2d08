"""Players named as they wish."""

from collections.abc import Mapping
from dataclasses import replace

import polars as pl
import pytest

from overtrick.core.config.members import Member
from overtrick.core.config.site import Naming, Privacy
from overtrick.core.frames import CONTESTANTS, RECORDS, Session
from overtrick.judge.privacy import apply_privacy
from tests.support.builders import frame, results
from tests.support.render_sample import evening


def standing(naming: Naming = "full", players: Mapping[str, Naming] | None = None) -> dict[str, str | None]:
    made = apply_privacy(evening(), Privacy(names=naming, players=dict(players or {})))
    return dict(made.standings.select("contestant", "names").iter_rows())


def test_names_are_full_unless_somebody_asks() -> None:
    assert "Ada Moss - Bo Lind" == standing()["1"]


def test_a_player_who_asked_is_known_by_initials_and_the_partner_by_name() -> None:
    assert "A. M. - Bo Lind" == standing(players={"ada  MOSS": "initials"})["1"]


def test_a_hidden_player_leaves_a_trace_beside_the_partner_only() -> None:
    assert "… - Bo Lind" == standing(players={"Ada Moss": "hidden"})["1"]
    assert standing(players={"Ada Moss": "hidden", "Bo Lind": "number"})["1"] is None


def test_a_number_is_that_of_the_pair() -> None:
    assert "No. 3 - Finn Ash" == standing(players={"Eva Thorn": "number"})["3"]


def test_a_number_has_its_line_where_both_lines_have_it() -> None:
    listed = frame(
        CONTESTANTS,
        [
            {"contestant": "3", "direction": "NS", "names": "Eva Thorn - Finn Ash"},
            {"contestant": "3", "direction": "EW", "names": "Gil Yew - Ida Elm"},
        ],
    )
    players: dict[str, Naming] = {"Eva Thorn": "number", "Gil Yew": "number"}
    made = apply_privacy(Session(contestants=listed), Privacy(players=players))
    assert ["No. 3 NS - Finn Ash", "No. 3 EW - Ida Elm"] == made.contestants["names"].to_list()


def test_a_club_may_hide_all_but_those_who_like_to_be_seen() -> None:
    names = standing("hidden", {"Eva Thorn": "full"})
    assert ("Eva Thorn - …", None) == (names["3"], names["1"])


def test_pairs_that_are_known_by_their_names_stay_apart() -> None:
    made = apply_privacy(
        Session(
            records=frame(
                RECORDS, [{"north": "Ann Berg", "south": "Cy Dahl"}, {"north": "Al Brun", "south": "Cleo Dix"}]
            ),
            results=results({"ns": "Ann Berg - Cy Dahl"}, {"ns": "Al Brun - Cleo Dix"}),
        ),
        Privacy(names="initials"),
    )
    assert ["A. B. - C. D.", "A. B. - C. D. (2)"] == made.results["ns"].to_list()


@pytest.mark.parametrize("naming", ["initials", "number", "hidden"])
def test_no_frame_names_who_does_not_want_it(naming: Naming) -> None:
    made = apply_privacy(evening(), Privacy(names=naming))
    assert not any("Moss" in str(table.rows()) for table in vars(made).values() if hasattr(table, "rows"))


def numbered() -> Session:
    """Return the evening with a membership number for each player."""
    session = evening()
    names = session.contestants["names"].to_list()
    members = [None if text is None else f"{100 + 2 * at} - {101 + 2 * at}" for at, text in enumerate(names)]
    return replace(session, contestants=session.contestants.with_columns(pl.Series("members", members, pl.String)))


def test_a_number_hides_its_player() -> None:
    session = numbered()
    pair, numbers = session.contestants.select("names", "members").drop_nulls().row(0)
    hidden, kept = pair.split(" - ")
    made = apply_privacy(session, Privacy(players={numbers.split(" - ")[0]: "hidden"}))
    told = str(made.contestants["names"].to_list()) + str(made.standings["names"].to_list())
    assert hidden not in told
    assert kept in told


def test_the_list_of_members_hides_every_spelling() -> None:
    session = evening()
    name = session.contestants["names"].drop_nulls()[0].split(" - ")[0]
    member = Member("Somebody Else", aliases=(name.upper(),), privacy="hidden", line=2)
    made = apply_privacy(session, Privacy(), [member])
    assert name not in str(made.contestants["names"].to_list())
    named = apply_privacy(session, Privacy(players={"Somebody Else": "full"}), [member])
    assert name in str(named.contestants["names"].to_list())


def test_a_substitute_is_named_as_the_player_wishes() -> None:
    session = evening()
    first = pl.when(pl.col("contestant") == "1").then(pl.lit("Zed Yang - Bo Lind"))
    noted = replace(session, contestants=session.contestants.with_columns(first.alias("substitutes")))
    shown = apply_privacy(noted, Privacy(players={"Zed Yang": "initials", "Bo Lind": "hidden"}))
    assert ["Z. Y. - …"] == shown.contestants["substitutes"].drop_nulls().to_list()


def test_a_file_keeps_its_name_unless_it_names_somebody_who_is_hidden() -> None:
    shown = {}
    for name in ("tuesday.pbn", "moss-ada.pbn"):
        renamed = evening().sources.with_columns(source=pl.lit(name))
        made = apply_privacy(replace(evening(), sources=renamed), Privacy(players={"Ada Moss": "hidden"}))
        shown[name] = made.sources["source"][0]
    assert {"tuesday.pbn": "tuesday.pbn", "moss-ada.pbn": "….pbn"} == shown
