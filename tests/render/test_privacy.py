"""Players named as they wish."""

from collections.abc import Mapping

import pytest

from overtrick.config.site import Naming, Privacy
from overtrick.frames import RECORDS, Session
from overtrick.render.privacy import apply_privacy
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
