"""USEBIO written as a scoring program would, from the few elements that a test is about."""

from collections.abc import Iterable


def element(name: str, value: object) -> str:
    return f"<{name}>{value}</{name}>"


def elements(**values: object) -> str:
    return "".join(element(name, value) for name, value in values.items())


def event(*parts: str, kind: str = "PAIRS", **values: object) -> bytes:
    """Write a file with one event."""
    head = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE USEBIO SYSTEM "http://example.org/usebio.dtd">\n'
    club = elements(CLUB_NAME="Riverside")
    inner = elements(**values) + "\n" + "\n".join(parts)
    text = f'{head}<USEBIO Version="1.2"><CLUB>{club}</CLUB>\n<EVENT EVENT_TYPE="{kind}">{inner}\n</EVENT></USEBIO>\n'
    return text.encode()


def pair(number: object, *players: str, **values: object) -> str:
    people = "".join(f"<PLAYER>{elements(PLAYER_NAME=name)}</PLAYER>" for name in players)
    return f"<PAIR>{elements(PAIR_NUMBER=number, **values)}{people}</PAIR>"


def participants(*those: str) -> str:
    return f"<PARTICIPANTS>{''.join(those)}</PARTICIPANTS>"


def line(
    ns: object, ew: object, contract: object = "3NT", by: object = "N", tricks: object = 9, **values: object
) -> str:
    """Write the line of one table on a line of its own."""
    cells = {"NS_PAIR_NUMBER": ns, "EW_PAIR_NUMBER": ew, "CONTRACT": contract, "PLAYED_BY": by, "TRICKS": tricks}
    return f"\n<TRAVELLER_LINE>{elements(**{**cells, **values})}</TRAVELLER_LINE>"


def board(number: object, lines: Iterable[str], **values: object) -> str:
    return f"<BOARD>{elements(BOARD_NUMBER=number, **values)}{''.join(lines)}</BOARD>"


def hand(direction: str, spades: str, hearts: str, diamonds: str, clubs: str) -> str:
    suits = elements(DIRECTION=direction, SPADES=spades, HEARTS=hearts, DIAMONDS=diamonds, CLUBS=clubs)
    return f"<HAND>{suits}</HAND>"


def section(name: str, *parts: str) -> str:
    return f'<SECTION SECTION_ID="{name}">{"".join(parts)}</SECTION>'
