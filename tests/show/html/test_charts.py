"""Charts show every value as text, for eyes and for screen readers."""

import xml.dom.minidom as dom

import polars as pl
import pytest

from overtrick.show.html.charts import MOST_BARS, ChartError, Kind, Spec, draw_chart

LEADS = pl.DataFrame(
    {
        "suit": ["clubs", "hearts", "clubs", "hearts"],
        "contract": ["suit", "suit", "notrump", "notrump"],
        "tricks": [0.25, -1.5, None, 2.0],
        "leads": [4, 2, 0, 1200],
    }
)
KINDS: tuple[Kind, ...] = ("bar", "line", "dot")


def parse(svg: str) -> dom.Document:
    return dom.parseString(svg)  # noqa: S318 - the picture was drawn just now


def texts(svg: str, tag: str = "text") -> list[str]:
    found = parse(svg).getElementsByTagName(tag)
    return [written(one) for one in found]


def written(element: dom.Element) -> str:
    return "".join(node.data for node in element.childNodes if isinstance(node, dom.Text))


@pytest.mark.parametrize("kind", KINDS)
def test_a_chart_has_a_title_and_a_description(kind: Kind) -> None:
    svg, left_out = draw_chart(LEADS, Spec(kind, "Costs of leads", y="tricks", by="contract", count="leads"))
    assert (1, ["Costs of leads"]) == (left_out, texts(svg, "title")[:1])
    assert "−1.5 (n = 2)" in texts(svg, "desc")[0]
    assert 'role="img"' in svg
    assert "prefers-color-scheme: dark" in svg


def test_bars_have_their_names_and_values() -> None:
    svg, _ = draw_chart(LEADS, Spec(y="tricks", by="contract", count="leads"))
    assert ["suit", "notrump"] == [text for text in texts(svg) if text in {"suit", "notrump"}]
    assert ["0.25 (n = 4)", "−1.5 (n = 2)", "2 (n = 1,200)"] == [text for text in texts(svg) if "(n" in text]


def test_bars_to_the_left_are_negative() -> None:
    svg, _ = draw_chart(pl.DataFrame({"a": ["x", "y"], "b": [-2, 2]}), Spec())
    bars = [one for one in parse(svg).getElementsByTagName("rect") if one.getAttribute("class") == "s0"]
    (left, width), (right, _) = [(float(one.getAttribute("x")), float(one.getAttribute("width"))) for one in bars]
    assert right == pytest.approx(left + width)


@pytest.mark.parametrize("kind", KINDS)
def test_everything_stays_in_the_picture(kind: Kind) -> None:
    frame = pl.DataFrame({"name": [f"a name that is rather long {n}" for n in range(30)], "value": range(-9, 21)})
    svg, _ = draw_chart(frame, Spec(kind))
    root = parse(svg).documentElement
    assert root is not None
    width, height = (float(root.getAttribute(name)) for name in ("width", "height"))
    for one in root.getElementsByTagName("text"):
        text = written(one)
        x, y, long = float(one.getAttribute("x")), float(one.getAttribute("y")), 6.0 * len(text)
        begin = x - long * {"middle": 0.5, "end": 1.0}.get(one.getAttribute("text-anchor"), 0.0)
        assert begin >= 0, text
        assert begin + long <= width, text
        assert 0 <= y <= height


def test_series_differ_in_more_than_colour() -> None:
    frame = pl.DataFrame({"x": [1, 2] * 3, "y": [1, 2, 3, 4, 5, 6], "by": ["a", "a", "b", "b", "c", "c"]})
    svg, _ = draw_chart(frame, Spec("dot", by="by"))
    shapes = {one.tagName for name in ("circle", "rect", "path") for one in parse(svg).getElementsByTagName(name)}
    assert {"circle", "rect", "path"} == shapes
    assert {"a", "b", "c"} <= set(texts(svg))


def test_text_of_strangers_stays_text() -> None:
    frame = pl.DataFrame({"name": ["<script>alert(1)</script>", 'a"b&c'], "<b>": [1, 2]})
    svg, _ = draw_chart(frame, Spec())
    assert "<script" not in svg
    assert "<script>alert(1)</script>" in texts(svg)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", [0, 1, -3, 1e-9, 1e12])
def test_one_row_is_a_chart(kind: Kind, value: float) -> None:
    assert draw_chart(pl.DataFrame({"a": ["x"], "b": [value]}), Spec(kind))[0].startswith("<svg")


@pytest.mark.parametrize(
    ("frame", "spec", "message"),
    [
        (LEADS, Spec(y="trick"), "no column trick; the columns are: suit, contract, tricks, leads"),
        (LEADS, Spec(y="suit"), "not of numbers"),
        (LEADS.select("suit", "contract"), Spec(), "needs two columns"),
        (LEADS.clear(), Spec(), "nothing to draw"),
        (pl.DataFrame({"a": [[1]], "b": [1]}), Spec(), "has lists"),
        (pl.DataFrame({"a": range(MOST_BARS + 1), "b": range(MOST_BARS + 1)}), Spec(), "too many"),
        (pl.DataFrame({"a": range(9), "b": range(9), "c": range(9)}), Spec("line", by="c"), "9 series are too many"),
    ],
)
def test_what_cannot_be_drawn_is_said(frame: pl.DataFrame, spec: Spec, message: str) -> None:
    with pytest.raises(ChartError, match=message):
        draw_chart(frame, spec)
