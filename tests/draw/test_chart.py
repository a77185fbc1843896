import math
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draw.scenes import assert_inside, groups
from wordorder.draw import Dot, Scene, Series, dot_chart, line_chart, scaled_chart, to_svg
from wordorder.draw.axes import numeric_axis
from wordorder.draw.chart import scaled_rows
from wordorder.draw.labels import shortened_text, text_width
from wordorder.draw.marks import _CORNERS, hue, marker, trace
from wordorder.draw.scene import Box, Label, Path, placed
from wordorder.draw.style import HUES, STYLE
from wordorder.draw.svg import decimal
from wordorder.errors import BadSetting, WordOrderError

SVG = "{http://www.w3.org/2000/svg}"
NUMBERS = st.floats(-1e100, 1e100)
BAD = "<script>alert('1')</script>&\x00"


def lines(*series: Series, **settings: object) -> Scene:
    return line_chart(series, **{"x_label": "x", "y_label": "y", **settings})  # type: ignore[arg-type]


def items(scene: Scene, css: str) -> list[Label | Path | Box]:
    return [item for item in placed(scene.items) if css in item.css.split()]


def texts(scene: Scene, css: str) -> list[str]:
    return [item.text for item in items(scene, css) if isinstance(item, Label)]


def points(path: Label | Path | Box) -> list[tuple[float, ...]]:
    assert isinstance(path, Path)
    return [numbers for _, numbers in path.steps if numbers]


def marks(scene: Scene) -> list[tuple[float, float]]:
    """Where the markers of the plot stand; those of the legend have no tip."""
    found = []
    for item in items(scene, "mark"):
        assert not isinstance(item, Label)
        if item.title and isinstance(item, Box):
            found.append((item.x + item.width / 2, item.y + item.height / 2))
        elif item.title:
            shape = next(corners for k, corners in enumerate(_CORNERS) if item.css.split()[0] == hue(k))
            x, y = points(item)[0]
            found.append((x - shape[0][0], y - shape[0][1]))
    return found


def corner(scene: Scene) -> tuple[float, float]:
    """The left upper corner of the plot: where the line of the y axis begins."""
    (start,) = (p[0] for item in items(scene, "line") if (p := points(item))[0][0] == p[1][0])
    return start[0], start[1]


def test_points_stand_where_the_axes_say() -> None:
    # The plot is 520 by 320 pixels; x runs from 0 to 10, y from 0 to 1.
    scene = lines(Series("a", [0, 5, 10], [0, 0.25, 1]))
    left, top = corner(scene)
    assert marks(scene) == [(left, top + 320), (left + 260, top + 240), (left + 520, top)]
    (line, _) = items(scene, "trace")  # and its sample in the legend
    assert points(line) == marks(scene)


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([0, 1], ["0", "1"]),
        ([0.0, 0.99], ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ([-0.3, 0.3], ["−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2", "0.3"]),
        ([1, 12], ["0", "2", "4", "6", "8", "10", "12"]),
        ([0.5, 14.5], ["0.0", "2.5", "5.0", "7.5", "10.0", "12.5", "15.0"]),
        ([0, 5e9], ["0", "1000000000", "2000000000", "3000000000", "4000000000", "5000000000"]),
        ([0, 3e-9], ["0", "5e−10", "1e−09", "1.5e−09", "2e−09", "2.5e−09", "3e−09"]),
        ([3], ["2", "3", "4"]),
        ([61], ["50", "55", "60", "65", "70"]),
        ([0], ["−1", "0", "1"]),
    ],
)
def test_ticks_are_round(values: list[float], labels: list[str]) -> None:
    assert list(numeric_axis(values, None, what="y").labels) == labels


@given(st.lists(NUMBERS, min_size=1, max_size=5))
def test_every_axis_holds_its_values(values: list[float]) -> None:
    axis = numeric_axis(values, None, what="y")
    assert all(axis.holds(value) for value in values)
    assert 2 <= len(axis.ticks) <= 9
    assert all(a < b for a, b in pairwise(axis.ticks))
    assert len(set(axis.labels)) == len(axis.labels)


def test_given_ranges_are_kept_and_cut() -> None:
    picture = lines(Series("a", [0, 1, 2], [0, 0.5, 5]), y_range=(0.25, 0.75), x_range=(0, 2))
    left, top = corner(picture)
    assert marks(picture) == [(left + 260, top + 160)]
    inner = list(ElementTree.fromstring(to_svg(picture)).iter(f"{SVG}svg"))[1]
    assert inner.get("viewBox") == f"{decimal(left)} {decimal(top)} 520 320"
    assert to_svg(lines(Series("a", [0, 1], [0, 1]))).count("<svg") == 1
    for wrong in ((1, 1), (2, 1), (1e10, 1e10 + 1)):
        with pytest.raises(BadSetting, match=r"y_range is .* expected a lower and a higher number"):
            lines(Series("a", [0], [0]), y_range=wrong)
    with pytest.raises(WordOrderError, match="x_range, value 2 is inf"):
        lines(Series("a", [0], [0]), x_range=(0, math.inf))


def test_bands_go_up_one_side_and_back_the_other() -> None:
    picture = lines(Series("a", [0, 10], [0.5, 0.5], [0, 0.25], [1, 0.75]))
    left, top = corner(picture)
    corners = [(0, 0), (520, 80), (520, 240), (0, 320)]
    (band,) = items(picture, "band")
    assert points(band) == [(left + x, top + y) for x, y in corners]


def test_bars_do_not_hide_each_other() -> None:
    both = [Series(name, [1, 5], [0.5, 0.5], [0.25, 0], [0.75, 1]) for name in "ab"]
    picture = lines(*both, bars=True)
    bars = [points(item) for item in items(picture, "bar")]
    assert len(bars) == 4 and not items(picture, "band")
    assert [x for x, _ in marks(picture)] == [bar[0][0] for bar in bars]  # each at its number
    caps = [bar[3][0] - bar[2][0] for bar in bars]
    assert caps[0] == caps[1] < caps[2] == caps[3]  # bars of both series are seen, though at one place


def test_notes_are_beside_their_points_and_inside_the_plot() -> None:
    picture = lines(Series("a", [0, 10], [0, 1], notes={0: "first", 1: "last"}))
    left, top = corner(picture)
    first, last = (item for item in items(picture, "name") if item.text in ("first", "last"))  # type: ignore[union-attr]
    assert (first.anchor, last.anchor) == ("left", "right")  # type: ignore[union-attr]
    for note in (first, last):
        assert left < note.x < left + 520 and top - 28 < note.y < top + 320  # type: ignore[union-attr]
    inner = lines(Series("a", [0, 5, 7, 10], [0, 0.5, 1, 0], notes={1: "b"}))
    note = next(item for item in items(inner, "name") if item.text == "b")  # type: ignore[union-attr]
    x, _ = marks(inner)[1]
    assert note.anchor == "left" and note.x > x  # type: ignore[union-attr]


def test_legend_is_right_of_the_plot_and_inside_the_picture() -> None:
    names = ["a", "שלום <&>", "W" * 300, "x" * 40 + "1", "x" * 40 + "2"]
    picture = lines(*(Series(name, [0, 1], [0, k]) for k, name in enumerate(names)))
    left, _ = corner(picture)
    shown = [item for item in items(picture, "name") if isinstance(item, Label)]
    for text in shown:
        assert text.x > left + 520 and text.anchor == "left"
        assert text.x + text_width(text.text, 13) < picture.width
    assert len({text.text for text in shown}) == 5  # the ends of long names stay
    assert [entry.title for entry in groups(picture.items, "entry")][:3] == ["", "", names[2]]


def test_legend_of_many_series_makes_the_picture_taller() -> None:
    picture = lines(*(Series(str(k), [0], [k]) for k in range(30)))
    assert max(item.y for item in items(picture, "name") if isinstance(item, Label)) < picture.height


def test_twelve_series_differ_by_marker_and_forty_eight_with_their_dash() -> None:
    assert len({marker(k, 0, 0) for k in range(12)}) == 12
    assert len({(marker(k, 0, 0), trace(k, [(0, 0), (1, 0)])) for k in range(48)}) == 48
    assert [hue(k) for k in (0, 4, 5)] == ["hue0", "hue4", "hue0"]


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_colours_stand_out_from_both_backgrounds() -> None:
    light, dark = STYLE.split("@media")
    for sheet, fallback in ((light, light), (dark, light)):
        (back,) = re.findall(r"wo-back\{fill:(#\w{6})", sheet)
        for k in range(HUES):
            found = re.search(rf"wo-hue{k}\{{fill:(#\w{{6}});stroke:\1", sheet)
            found = found or re.search(rf"wo-hue{k}\{{fill:(#\w{{6}})", fallback)
            assert found
            one, other = sorted((luminance(back), luminance(found[1])))
            assert (other + 0.05) / (one + 0.05) >= 3  # what WCAG 2.1 asks of graphics


def test_many_points_keep_their_line_but_not_all_markers() -> None:
    picture = lines(Series("a", range(1000), range(1000)))
    assert len(marks(picture)) == 40
    assert len(points(items(picture, "trace")[0])) == 1000


@pytest.mark.parametrize("y", [[0.7], [0.7, 0.7], [-3, -3], [0, 0], [-1, 0.25], [1e-300, 0], [1e99, -1e100]])
def test_one_point_equal_and_negative_values(y: list[float]) -> None:
    picture = lines(Series("a", range(len(y)), y))
    left, top = corner(picture)
    assert len(marks(picture)) == len(y)
    assert all(left <= x <= left + 520 and top <= height <= top + 320 for x, height in marks(picture))


def test_nothing_to_draw_says_so() -> None:
    pictures = [
        lines(),
        lines(Series("a", [], [])),
        scaled_chart([], {}),
        scaled_chart(["a"], {}),
        scaled_chart([], {"a": []}),
        dot_chart([], x_label="x"),
    ]
    for picture in pictures:
        assert texts(picture, "number") == ["empty"]
        assert picture.description == "A chart of no points."
    some = lines(Series("none", [], [], [], []), Series("one", [0], [0]))
    assert texts(some, "name") == ["none", "one"]
    assert len(list(groups(some.items, "series"))) == 1


@pytest.mark.parametrize(
    ("series", "message"),
    [
        (Series("a", [0], [math.nan]), "series 'a', y, value 1 is nan; a chart needs finite numbers"),
        (Series("a", [0, math.inf], [1, 1]), "series 'a', x, value 2 is inf"),
        (Series("a", [0], [1e101]), "value 1 is 1e\\+101"),
        (Series("a", [0], [None]), "value 1 is None; expected a number"),  # type: ignore[list-item]
        (Series("a", [0, 1], [1]), "series 'a' has 2 x and 1 y"),
        (Series("a", [0], [1], low=[0]), "pass both low and high, or neither"),
        (Series("a", [0], [1], [0], [1, 2]), "1 points, 1 low and 2 high"),
        (Series("a", [0], [1], [2], [1]), "point 1: low is 2, above high, 1"),
        (Series("a", [0], [1], [0], [math.inf]), "series 'a', high, value 1 is inf"),
    ],
)
def test_wrong_series_are_refused(series: Series, message: str) -> None:
    with pytest.raises(WordOrderError, match=message):
        lines(series)


def test_scaled_from_worst_to_best() -> None:
    values = {"a": [0.1, 5, 2], "b": [0.3, 5, 3], "c": [0.2, 5, 7]}
    assert scaled_rows(values)["c"] == pytest.approx([0.5, 1, 1])
    assert scaled_rows(values, lower_is_better=True)["a"] == [1, 1, 1]
    assert [column[1] for column in scaled_rows(values).values()] == [1, 1, 1]
    picture = scaled_chart(["cs-en", "de-en", "fr-en"], values)
    left, top = corner(picture)
    # Three columns of 520 / 3 pixels, with the points of a column side by side around its middle.
    shown = marks(picture)
    assert shown[0] == (pytest.approx(left + 520 / 6 - 14), top + 320)
    assert shown[3][0] == pytest.approx(left + 520 / 6)
    assert shown[8] == (pytest.approx(left + 520 * 5 / 6 + 14), top)
    assert texts(picture, "number")[:3] == ["cs-en", "de-en", "fr-en"]
    assert "cs-en: best b, worst a. de-en: all equal. fr-en: best c, worst a." in picture.description
    assert not items(picture, "trace")  # rows have no order: nothing joins them


def test_scaled_refuses_what_does_not_fit() -> None:
    with pytest.raises(WordOrderError, match="metric 'b' has 1 values for 2 rows"):
        scaled_chart(["x", "y"], {"a": [1, 2], "b": [1]})
    with pytest.raises(WordOrderError, match="metric 'a', value 2 is nan"):
        scaled_chart(["x", "y"], {"a": [1, math.nan]})


def test_long_names_below_are_turned() -> None:
    few = scaled_chart(["cs-en", "de-en"], {"a": [1, 2]})
    many = scaled_chart([f"a language pair {k}" for k in range(40)], {"a": range(40)})
    assert to_svg(few).count("rotate(-90)") == 1  # the name of the y axis
    assert to_svg(many).count("rotate(-90)") == 41


def test_dots_with_their_intervals() -> None:
    rows = [Dot("a", 0.25, 0, 0.5, group="g"), Dot("b", 1), Dot("a", 0.5, 0.25, 1, group="g")]
    picture = dot_chart(rows, x_label="score")
    # The row without a group is first; then the group's name; rows are 24 and 30 pixels high.
    assert texts(picture, "name") == ["b", "a", "a"]
    assert texts(picture, "group") == ["g"]
    (axis,) = items(picture, "line")
    left = points(axis)[0][0]
    first, second, third = marks(picture)
    assert [first[0], second[0], third[0]] == [left + 420, left + 105, left + 210]
    assert (second[1] - first[1], third[1] - second[1]) == (54, 24)
    y, end = second[1], left + 210
    caps = [(left, y - 4), (left, y + 4), (end, y - 4), (end, y + 4)]
    assert points(items(picture, "trace")[0]) == [(left, y), (end, y), *caps]
    assert [item.css.split()[0] for item in items(picture, "mark")] == ["hue0", "hue1", "hue1"]
    assert picture.description.endswith("b: 1; g, a: 0.5 [0.25, 1].")


def test_dots_outside_the_range_are_cut() -> None:
    rows = [Dot("in", 0.5, -1, 3), Dot("out", 2, 1.5, 3), Dot("half", 2, 0.5, 3)]
    picture = dot_chart(rows, x_label="score", x_range=(0, 1))
    assert len(marks(picture)) == 1
    assert [len(points(item)) for item in items(picture, "trace")] == [2, 4]  # no cap, one cap


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (Dot("a", math.nan), "row 'a', value 1 is nan"),
        (Dot("a", 1, low=0), "pass both low and high, or neither"),
        (Dot("a", 1, 2, 1), "row 'a': low is 2, above high, 1"),
    ],
)
def test_wrong_rows_are_refused(row: Dot, message: str) -> None:
    with pytest.raises(WordOrderError, match=message):
        dot_chart([row], x_label="x")


def pictures_with(text: str) -> list[Scene]:
    labels = {"x_label": text, "y_label": text, "title": text}
    return [
        line_chart([Series(text, [0, 1], [0, 1])], **labels),  # type: ignore[arg-type]
        scaled_chart([text, "b"], {text: [0, 1], text + "b": [1, 0]}, **labels),  # type: ignore[arg-type]
        dot_chart([Dot(text, 1, 0, 2, group=text)], x_label=text, title=text),
    ]


def test_script_is_escaped_everywhere() -> None:
    for picture in pictures_with(BAD):
        document = to_svg(picture)
        assert "<script" not in document
        assert "\x00" not in document
        assert texts(picture, "heading") == [BAD]
        ElementTree.fromstring(document)


@given(st.text())
def test_any_text_gives_well_formed_xml(text: str) -> None:
    for picture in pictures_with(text):
        ElementTree.fromstring(to_svg(picture).encode("utf-8"))
        assert shortened_text(text, 13, 300) in texts(picture, "name")


def test_charts_share_a_page_and_need_nothing_outside() -> None:
    for picture in map(to_svg, pictures_with("a")):
        assert not re.search(r"\sid=", picture)
        assert "url(" not in picture
        assert picture.count("http") == 1
        classes = set(" ".join(re.findall(r'class="([^"]*)"', picture)).split())
        assert all(name.startswith("wo-") for name in classes)
        root = ElementTree.fromstring(picture)
        assert [root.get("role"), root[0].tag, root[1].tag] == ["img", f"{SVG}title", f"{SVG}desc"]
        assert root[0].text == "a"


def test_same_values_same_picture() -> None:
    assert [*map(to_svg, pictures_with("a"))] == [*map(to_svg, pictures_with("a"))]


def test_everything_is_inside_the_picture() -> None:
    for picture in pictures_with("a name"):
        assert_inside(picture)
