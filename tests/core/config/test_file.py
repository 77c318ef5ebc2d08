"""The places of keys and values in a settings file."""

import tomllib
from collections.abc import Iterator

from overtrick.core.config.file import Keys, find_places

AWKWARD = r'''
# [no] table = 1
top.dotted."quo.ted" = 1.5 # "not = 2"
when = 2026-03-05 19:30:00.5
text = """
[not] a = "table" ""\""""
raw = 'C:\'
numbers = [
  1, 2.5, # two ]
  [3, "],"], { a = 1, b.c = [4] },
]
[table]
"\u0061b" = "it's"
empty = ""
[ table . "inner.one" ]
key = {}
[[several]]
a = 1
[several.below]
b = 2
[[several]]
a = 3
[[several.deeper]]
c = -1e-3
[[several.deeper]]
c = true'''


def all_keys(value: object, keys: Keys = ()) -> Iterator[Keys]:
    """List the paths to every key and every value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value, start=1) if isinstance(value, list) else ()
    for key, below in inner:
        yield (*keys, key)
        yield from all_keys(below, (*keys, key))


def test_every_key_that_toml_holds_has_a_place() -> None:
    assert set(all_keys(tomllib.loads(AWKWARD))) == set(find_places(AWKWARD))


def test_the_place_of_a_value_is_where_it_is_written() -> None:
    known = find_places(AWKWARD)
    written = {keys: AWKWARD[known[keys].start : known[keys].end] for keys in known}
    assert "1.5" == written["top", "dotted", "quo.ted"]
    assert "2026-03-05 19:30:00.5" == written[("when",)]
    assert "'C:\\'" == written[("raw",)]
    assert ["2.5", '[3, "],"]', "[4]"] == [written["numbers", *keys] for keys in ((2,), (3,), (4, "b", "c"))]
    assert '"it\'s"' == written["table", "ab"]
    assert "[several.below]" == written["several", 1, "below"]
    assert "true" == written["several", 2, "deeper", 2, "c"]


def test_a_key_comes_before_its_value() -> None:
    place = find_places("[club]\n  name = 'Club'")["club", "name"]
    assert (9, 13, 16, 22) == (place.key, place.key_end, place.start, place.end)
