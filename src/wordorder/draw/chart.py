"""Line charts and scaled comparisons as self-contained SVG documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wordorder.draw.axes import (
    LABEL_ROOM,
    TICK_GAP,
    Axis,
    Frame,
    draw_across,
    draw_up,
    finite,
    is_rotated,
    named_axis,
    number,
    numeric_axis,
    room_below,
)
from wordorder.draw.labels import visible
from wordorder.draw.layout import MARGIN
from wordorder.draw.marks import hue, legend, legend_size, marker, trace
from wordorder.draw.markup import decimal, document, empty_document
from wordorder.errors import WordOrderError

_WIDTH, _HEIGHT = 520.0, 320.0  # size of the plot
_WIDEST = 900.0  # largest width of a plot with horizontal names; wider ones have rotated names
_UPRIGHT = 26.0  # smallest column width of a rotated name
_MOST_MARKERS = 40  # per series; more would hide its line
_NOTHING = "A chart of no points."


@dataclass(frozen=True, slots=True)
class Series:
    """Named points, joined in the given order; ``low`` and ``high`` are the edges of a band."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None


def line_chart(
    series: Sequence[Series],
    *,
    x_label: str,
    y_label: str,
    title: str | None = None,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
) -> str:
    """Draw one line per series, with a legend to the right.

    Series differ by colour, dash and marker. Points outside a given range are cut off. If a series has
    more than 40 points, only some of them have markers. Numbers that are not finite are an error. If
    there are no points at all, the picture says "empty".

    >>> picture = line_chart([Series("a", [1, 2], [0.1, 0.3])], x_label="x", y_label="y")
    >>> picture.count('class="wo-series'), "<title>a: 2, 0.3</title>" in picture
    (1, True)
    """
    lines = [_checked(line) for line in series]
    xs = [x for line in lines for x in line.x]
    if not xs:
        return empty_document(title, _NOTHING)
    ys = [y for line in lines for side in (line.y, line.low, line.high) for y in side or ()]
    return _lines_document(
        lines,
        [[f"{line.name}: {number(x)}, {number(y)}" for x, y in _points(line)] for line in lines],
        across=numeric_axis(xs, x_range, what="x_range"),
        up=numeric_axis(ys, y_range, what="y_range"),
        labels=(x_label, y_label),
        description=f"Lines of {y_label} by {x_label}. " + " ".join(map(_summary, lines)),
        title=title,
    )


def scaled_rows(
    series: Mapping[str, Sequence[float]], *, lower_is_better: bool = False
) -> dict[str, list[float]]:
    """Scale each row so that its worst value is 0 and its best is 1; if all are equal, all are 1.

    >>> scaled_rows({"a": [0.25, 7], "b": [0.75, 7], "c": [0.5, 7]})
    {'a': [0.0, 1.0], 'b': [1.0, 1.0], 'c': [0.5, 1.0]}
    """
    scaled: dict[str, list[float]] = {name: [] for name in series}
    for row in zip(*series.values(), strict=True):
        worst, best = (max(row), min(row)) if lower_is_better else (min(row), max(row))
        for name, value in zip(series, row, strict=True):
            scaled[name].append(1.0 if best == worst else (value - worst) / (best - worst))
    return scaled


def scaled_chart(
    rows: Sequence[str],
    series: Mapping[str, Sequence[float]],
    *,
    x_label: str = "",
    y_label: str = "from the worst (0) to the best (1)",
    title: str | None = None,
    lower_is_better: bool = False,
) -> str:
    """Compare metrics over rows, such as language pairs: in each row, the worst is 0 and the best is 1.

    Figures 9 and 10 of Stanojević and Sima'an (2014) have this form. ``series`` maps each metric to one
    value per row. If all values of a row are equal, all are 1. Heights can be compared only within a
    row; the distance between best and worst is not shown. The original values are shown on hover.

    >>> picture = scaled_chart(["cs-en", "de-en"], {"bleu": [0.2, 0.3], "beer": [0.4, 0.3]})
    >>> "bleu, cs-en: 0.2, scaled 0" in picture
    True
    """
    values = {name: finite(column, f"metric {name!r}") for name, column in series.items()}
    for name, column in values.items():
        if len(column) != len(rows):
            raise WordOrderError(f"metric {name!r} has {len(column)} values for {len(rows)} rows")
    if not rows or not values:
        return empty_document(title, _NOTHING)
    scaled = scaled_rows(values, lower_is_better=lower_is_better)
    places = tuple(float(k) for k in range(len(rows)))
    summaries = []
    for k, row in enumerate(rows):
        best = [name for name in values if scaled[name][k] == 1]
        worst = [name for name in values if scaled[name][k] == 0]
        both = f"best {', '.join(best)}, worst {', '.join(worst)}" if worst else "all equal"
        summaries.append(f"{row}: {both}.")
    return _lines_document(
        [_Curve(name, places, tuple(column)) for name, column in scaled.items()],
        [
            [
                f"{name}, {row}: {number(value)}, scaled {number(part)}"
                for row, value, part in zip(rows, column, scaled[name], strict=True)
            ]
            for name, column in values.items()
        ],
        across=named_axis(rows),
        up=numeric_axis([0, 1], (0, 1), what="y"),
        labels=(x_label, y_label),
        description="Metrics from the worst to the best of each row. " + " ".join(summaries),
        title=title,
    )


@dataclass(frozen=True, slots=True)
class _Curve:
    """A checked series."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None


def _checked(series: Series) -> _Curve:
    what = f"series {series.name!r}"
    x, y = finite(series.x, f"{what}, x"), finite(series.y, f"{what}, y")
    if len(x) != len(y):
        raise WordOrderError(f"{what} has {len(x)} x and {len(y)} y; expected the same number of each")
    if series.low is None and series.high is None:
        return _Curve(series.name, x, y)
    if series.low is None or series.high is None:
        raise WordOrderError(f"{what} has one edge of a band; pass both low and high, or neither")
    low, high = finite(series.low, f"{what}, low"), finite(series.high, f"{what}, high")
    if not len(low) == len(high) == len(x):
        raise WordOrderError(f"{what} has {len(x)} points, {len(low)} low and {len(high)} high values")
    for k, (below, above) in enumerate(zip(low, high, strict=True)):
        if below > above:
            raise WordOrderError(f"{what}, point {k + 1}: low is {below:g}, above high, {above:g}")
    return _Curve(series.name, x, y, low, high)


def _points(line: _Curve) -> Iterator[tuple[float, float]]:
    return zip(line.x, line.y, strict=True)


def _summary(line: _Curve) -> str:
    if not line.x:
        return f"{line.name}: no points."
    if len(line.x) == 1:
        return f"{line.name}: {number(line.y[0])}."
    return f"{line.name}: {len(line.x)} points, {number(line.y[0])} to {number(line.y[-1])}."


def _lines_document(
    lines: Sequence[_Curve],
    tips: Sequence[Sequence[str]],
    *,
    across: Axis,
    up: Axis,
    labels: tuple[str, str],
    description: str,
    title: str | None,
) -> str:
    """Draw axes to the left and below, lines over them, and a legend to the right."""
    columns = len(across.ticks)
    wide = max(_WIDTH, min(columns * (across.widest + TICK_GAP + 1), _WIDEST))
    if is_rotated(across, wide):
        wide = max(_WIDTH, columns * _UPRIGHT)
    frame = Frame(MARGIN + LABEL_ROOM + up.widest + TICK_GAP, MARGIN, wide, _HEIGHT)
    names = [line.name for line in lines]
    legend_wide, legend_tall = legend_size(names)
    body = [*draw_across(across, frame, labels[0]), *draw_up(up, frame, labels[1])]
    body += _drawn(lines, tips, frame, across, up)
    body += legend(names, frame.right + MARGIN, frame.top)
    return document(
        body,
        width=frame.right + MARGIN + legend_wide + MARGIN,
        height=frame.top + max(_HEIGHT + room_below(across, wide), legend_tall) + MARGIN / 2,
        name=visible(labels[1]),
        description=description,
        heading=title,
    )


def _drawn(
    lines: Sequence[_Curve], tips: Sequence[Sequence[str]], frame: Frame, across: Axis, up: Axis
) -> Iterator[str]:
    """Draw bands, lines and markers, in this order."""

    def path(xs: Sequence[float], ys: Sequence[float]) -> str:
        points = zip(xs, ys, strict=True)
        return "L".join(f"{decimal(across.across(x, frame))} {decimal(up.up(y, frame))}" for x, y in points)

    def fits(line: _Curve) -> bool:
        heights = (*line.y, *(line.low or ()), *(line.high or ()))
        return all(map(across.holds, line.x)) and all(map(up.holds, heights))

    # A nested document clips its contents. Unlike a clip path it needs no id, which could clash on a page.
    left, top, wide, tall = map(decimal, frame)
    size = f'x="{left}" y="{top}" width="{wide}" height="{tall}" viewBox="{left} {top} {wide} {tall}"'
    start, end = ("", "") if all(map(fits, lines)) else (f"<svg {size}>", "</svg>")
    yield start
    for k, line in enumerate(lines):
        if line.x and line.low is not None and line.high is not None:
            around = path((*line.x, *line.x[::-1]), (*line.high, *line.low[::-1]))
            yield f'<g class="{hue(k)}"><path class="wo-band" d="M{around}z"/></g>'
    for k, line in enumerate(lines):
        if line.x:
            yield f'<g class="wo-series {hue(k)}">{trace(k, "M" + path(line.x, line.y))}</g>'
    yield end
    for k, line in enumerate(lines):
        every = -(-len(line.x) // _MOST_MARKERS) or 1
        shown = list(zip(line.x, line.y, tips[k], strict=True))[::every]
        marks = "".join(
            marker(k, across.across(x, frame), up.up(y, frame), tip)
            for x, y, tip in shown
            if across.holds(x) and up.holds(y)
        )
        yield f'<g class="wo-points {hue(k)}">{marks}</g>'
