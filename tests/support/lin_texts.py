"""LIN texts for tests, with made-up people."""

from typing import Final

HANDS: Final = ("SQ532H763DT93C875", "ST986HK52DQ764CJ4", "SKJ74HJ8DAKJ5CAQ6", "SAHAQT94D82CKT932")
"""South, West, North, East."""
DEAL: Final = "N:KJ74.J8.AKJ5.AQ6 A.AQT94.82.KT932 Q532.763.T93.875 T986.K52.Q764.J4"
"""The same, canonical."""
MD: Final = f"md|3{','.join(HANDS[:3])},|"
"""North deals."""
OTHER_MD: Final = f"md|3{','.join((HANDS[1], HANDS[0], HANDS[2]))},|"

ONE_NOTRUMP: Final = "mb|1N|mb|p|mb|p|mb|p|pg||"
HAND: Final = f"pn|Ada,Ben,Cid,Dot|st||{MD}rh||ah|Board 5|sv|n|{ONE_NOTRUMP}"
"""A hand as the site writes it, up to the play."""

HEADER: Final = "vg|Cup,Final,I,1,2,Reds,0,Blues,5|\n"
PLAYERS: Final = "pn|Ada,Ben,Cid,Dot,Eve,Fay,Gus,Hal|pg||\n"


def session(results: str, *boards: str, header: str = HEADER) -> str:
    """Write a vugraph session with its list of results; each board is the value of `qx` and what follows."""
    return f"{header}rs|{results}|\n{PLAYERS}" + "".join(f"qx|{board}\n" for board in boards)
