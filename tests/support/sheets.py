"""Deals of rubber-type games, written as players say them."""

import re

from overtrick.core.bridge.sheets import Deal

PASSED_OUT = Deal(0)


def deal(text: str, *, ns: int = 0, ew: int = 0, dealer: str | None = None) -> Deal:
    """Read `3NTx W 9`: contract, declarer, declarer's tricks; `ns` and `ew` are points for honours."""
    contract, declarer, tricks = text.split()
    match = re.fullmatch(r"(\d)(NT|[CDHS])(x*)", contract)
    assert match, text
    level, strain, doubled = match.groups()
    return Deal(int(level), strain, len(doubled), declarer, int(tricks), honours_ns=ns, honours_ew=ew, dealer=dealer)
