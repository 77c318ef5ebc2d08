"""Pieces of pages that a site shows again and again, such as names and contracts: each is made once.

Each is a macro of a template. The functions here have the names of the macros and keep what they made.
"""

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, Final, NamedTuple

from jinja2 import Environment
from markupsafe import Markup

from overtrick.render.pages.result_lines import Outcome
from overtrick.render.pages.symbols import Card, Contract

_TEMPLATE: Final = "macros.html"
_MACROS: Final = ("contract", "lead", "who", "par", "fellows")
_MOST: Final = 4096
"""Pieces of a kind that are kept: more than a large evening has."""


class _Played(NamedTuple):
    """What of a row decides how its outcome is shown."""

    contract: Contract
    declarer: str
    lead: Card | None
    result: str
    remark: str


def add_fragments(environment: Environment) -> None:
    """Add the functions to the templates of an environment.

    They call the macros of that environment, so a club's own `macros.html` counts.
    """
    outcome = _keep(environment, "outcome")

    def outcome_of(row: Outcome, leads: object) -> Markup:
        return outcome(_Played(row.contract, row.declarer, row.lead, row.result, row.remark), bool(leads))

    made = {name: _keep(environment, name) for name in _MACROS}
    environment.globals |= {**made, "outcome": outcome_of}


def _keep(environment: Environment, name: str) -> Callable[..., Markup]:
    @lru_cache(_MOST)
    def make(*values: Hashable) -> Markup:
        macro: Any = getattr(environment.get_template(_TEMPLATE).module, name)
        return Markup(macro(*values))  # noqa: S704 - the template escaped it

    return make
