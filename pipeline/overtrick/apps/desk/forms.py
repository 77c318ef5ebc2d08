"""Fields of a form to the options of `overtrick correct`."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from overtrick.apps.desk.visit import Visit
from overtrick.core.config.corrections import Entry
from overtrick.core.notation import is_number
from overtrick.files.correct.entry import EntryError, read_entry

_TEXTS: Final = (
    *("pair", "section", "round", "table", "direction", "by", "contract", "lead", "other_pair", "fouled", "players"),
    *("weighted", "name", "title", "date", "club", "method", "tie", "extra", "boards", "why", "who"),
)
_WHOLE: Final = ("board", "tricks", "score", "assigned")
_NUMBERS: Final = ("handicap",)
_FLAGS: Final = ("swap", "add", "delete", "not_played", "disciplinary")


def _whole(text: str) -> int:
    try:
        return int(text.replace("−", "-"))
    except ValueError:
        raise EntryError(f"expected a whole number, got {text!r}") from None


def _number(text: str) -> float:
    try:
        return float(text.replace(",", ".").replace("−", "-"))
    except ValueError:
        raise EntryError(f"expected a number, got {text!r}") from None


def _share(text: str) -> str:
    """Return a percentage with its sign, which a scorer may leave out."""
    return f"{text}%" if is_number(text.replace(".", "", 1)) else text


_TWO: Final[Mapping[str, tuple[str, str, Callable[[str], Any], Callable[[str], Any]]]] = {
    "award": ("award_ns", "award_ew", _share, _share),
    "split": ("split_ns", "split_ew", _whole, _whole),
    "penalty": ("penalty_amount", "penalty_unit", _number, str),
    "player": ("player_from", "player_to", str, str),
    "substitute": ("absent", "substitute_player", str, str),
    "cards": ("card", "other_card", str, str),
}
"""Options of two words: the fields that hold them, and how each is read."""


def read_options(visit: Visit) -> dict[str, Any]:
    """Return the options that a form gives.

    Raises:
        EntryError: a field is not a number, or one of two fields that go together is empty.
    """
    given: dict[str, Any] = {name: text for name in _TEXTS if (text := visit.text(name))}
    given |= {name: _whole(text) for name in _WHOLE if (text := visit.text(name))}
    given |= {name: _number(text) for name in _NUMBERS if (text := visit.text(name))}
    given |= {name: True for name in _FLAGS if visit.text(name)}
    if carried := visit.text("carry_over"):
        given["carry_over"] = carried.replace(",", ".").replace("−", "-")
    for name, (first, second, read, also) in _TWO.items():
        one, other = visit.text(first), visit.text(second)
        # A unit is chosen even where no amount is given.
        if one and other:
            given[name] = (read(one), also(other))
        elif one or (other and name != "penalty"):
            raise EntryError(f"fill in both fields: {first.replace('_', ' ')} and {second.replace('_', ' ')}")
    return given


def read_form(visit: Visit) -> Entry:
    """Return the entry that a form describes.

    Raises:
        EntryError: it describes none.
    """
    return read_entry(read_options(visit))


def hidden_fields(visit: Visit) -> list[tuple[str, str]]:
    """Return the fields of a form as they came, so that a second form can send them again."""
    left = {"do", "seen", "window"}
    return [(name, value) for name, value in visit.form.multi_items() if name not in left and isinstance(value, str)]
