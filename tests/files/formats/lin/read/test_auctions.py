"""Auctions of LIN: one call to a command or all in one, alerts, explanations, and the contract."""

from collections.abc import Callable
from pathlib import Path

import pytest

from overtrick.core.bridge.auction import CALLS
from overtrick.core.bridge.cards import CARDS, UNKNOWN
from overtrick.files.assemble import read
from overtrick.files.formats.base import Reading
from tests.support.lin_texts import HAND, MD
from tests.support.reading import codes, lin, lin_archive, validated

Contract = tuple[int | None, str | None, int | None, str | None]


def called(auction: str) -> list[str]:
    return [CALLS[code] for code in lin(MD + auction).records["calls"][0]]


def contract(auction: str) -> Contract:
    row: Contract = lin(MD + auction).records.select("level", "strain", "doubled", "declarer").row(0)
    return row


@pytest.mark.parametrize(
    ("auction", "expected"),
    [
        ("mb|1C|mb|p|mb|1N|mb|P|", "1C Pass 1NT Pass"),
        ("mb|1cp1nppp|", "1C Pass 1NT Pass Pass Pass"),
        ("mb|-1Dp|mb|1NT|", "1D Pass 1NT"),
        ("mb|1dd|mb|r|", "1D X XX"),
        ("mb|2ddr|", "2D X XX"),
        ("mb|1SXXX|", "1S XX X"),
        ("mb|1D!|mb|d!|mb|Pass|", "1D X Pass"),
        ("mb|1C|mb|Dbl|mb|?|", "1C X"),
    ],
)
def test_calls_are_read_in_every_spelling(auction: str, expected: str) -> None:
    assert expected.split() == called(auction)


@pytest.mark.parametrize(
    ("auction", "expected"),
    [
        ("mb|1Nppp|", (1, "NT", 0, "N")),
        ("mb|p1Sp4Sppp|", (4, "S", 0, "E")),
        ("mb|1S2Hd3Hppd4Hppp|", (4, "H", 0, "E")),
        ("mb|1Sdrppp|", (1, "S", 2, "N")),
        ("mb|1Hp1Nd2Hppdppp|", (2, "H", 1, "N")),
        ("mb|pppp|", (0, None, None, None)),
        ("mb|1S|", (None, None, None, None)),
        ("mb|1S|pc|SK|", (1, "S", 0, "N")),
        ("mb|1S|mc|7|", (1, "S", 0, "N")),
        ("mb|2S1Cppp|", (None, None, None, None)),
        ("mb|1Swppp|", (None, None, None, None)),
    ],
)
def test_the_contract_is_what_the_auction_ends_in(auction: str, expected: Contract) -> None:
    assert expected == contract(auction)


@pytest.mark.parametrize(
    ("more", "code"), [("p", "lin-calls-after-end"), ("pp2C", "auction-after-end"), ("d", "auction-after-end")]
)
def test_calls_after_the_end_are_left_out(more: str, code: str) -> None:
    reading = lin(f"{MD}mb|1Nppp{more}|")
    assert (4, [code]) == (len(reading.records["calls"][0]), codes(reading.problems))


@pytest.mark.parametrize(("auction", "code"), [("mb|1z|", "call-unknown"), ("mb|2S1Cppp|", "auction-illegal")])
def test_a_word_that_is_not_a_call_or_a_bid_too_low_is_reported_once_and_makes_no_contract(
    auction: str, code: str, tmp_path: Path
) -> None:
    path = tmp_path / "board.lin"
    path.write_text(MD + auction, "utf-8")
    session = validated(read([str(path)]))
    of_calls = [name for name in codes(session.problems) if "call" in name or "illegal" in name]
    assert ([code], [None]) == (of_calls, session.records["level"].to_list())


def test_an_alert_and_an_explanation_belong_to_the_call_before() -> None:
    said = lin(f"{MD}an|too early|mb|1Cp2d!p|an|weak|mb|2H!|an|both| mb|p|an|!|").annotations
    assert [
        (2, "alert", "!"),
        (3, "explanation", "weak"),
        (4, "alert", "!"),
        (4, "explanation", "both"),
        (5, "alert", "!"),
    ] == said.select("index", "kind", "text").rows()


def test_chat_belongs_to_the_last_card_else_to_the_last_call() -> None:
    said = lin(f"{HAND}nt|ann: led|pc|D8|nt|bob: fine|nt||").annotations
    assert [("auction", 3, "ann: led"), ("play", 0, "bob: fine")] == said.select("part", "index", "text").rows()


def test_chat_before_the_first_call_has_no_index() -> None:
    assert [(None, "hello")] == lin(f"{MD}nt|hello|mb|1C|").annotations.select("index", "text").rows()


FRENCH = f"{MD}mb|1C|mb|Passe|mb|1P|mb|Contre|mb|1SA!|mb|p|mb|p|mb|p|pg||pc|PD|pc|P2|pc|P10|pc|PR|"
GERMAN = f"{MD}mb|1C|mb|Passe|mb|1P|mb|Kontra|mb|1SA!|mb|p|mb|p|mb|p|pg||pc|PD|pc|P2|pc|P10|pc|PK|"


@pytest.mark.parametrize("way", [lin, lin_archive])
@pytest.mark.parametrize("text", [FRENCH, GERMAN])
def test_the_whole_file_decides_its_dialect(text: str, way: Callable[[str], Reading]) -> None:
    record = way(text).records
    assert "1H Pass 1S X 1NT Pass Pass Pass".split() == [CALLS[code] for code in record["calls"][0]]
    assert [CARDS.index(card) for card in ("SQ", "S2", "ST", "SK")] == sorted(
        (card for card in record["cards"][0] if card != UNKNOWN), key=[49, 39, 47, 50].index
    )


def test_a_word_of_two_dialects_is_not_guessed() -> None:
    assert ["call-unknown"] == codes(lin(f"{MD}mb|1SA|mb|p|mb|2R|mb|p|mb|2K|mb|p|mb|2C|").problems)[:1]


def test_a_pass_after_a_bid_of_spades_is_no_other_word() -> None:
    assert ["1S", "Pass", "1NT"] == called("mb|1sp|mb|1SA|")


@pytest.mark.parametrize(("command", "code"), [("mb", "call-unknown"), ("pc", "card-unknown")])
def test_an_endless_value_is_read_up_to_its_limit(command: str, code: str) -> None:
    sound = f"{MD}mb|1C|mb|p|mb|p|mb|p|" if command == "pc" else MD
    problems = lin(f"{sound}{command}|{'{' * 1_000_000}|pg||").problems
    assert code in problems["code"]
    assert 1000 > max(map(len, problems["message"]))
