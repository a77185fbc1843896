"""Line charts and scaled comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from wordorder.draw.axes import (
    LABEL_ROOM,
    LABEL_SIZE,
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
from wordorder.draw.labels import text_width, visible
from wordorder.draw.marks import hue, legend, legend_size, marker, trace
from wordorder.draw.scene import (
    MARGIN,
    Box,
    Group,
    Item,
    Label,
    Path,
    Scene,
    Step,
    closed,
    empty_scene,
    headed,
)
from wordorder.errors import WordOrderError

_WIDTH, _HEIGHT = 520.0, 320.0  # size of the plot
_WIDEST = 900.0  # largest width of a plot with horizontal names; wider ones have rotated names
_UPRIGHT = 26.0  # smallest column width of a rotated name
_MOST_MARKERS = 40  # per series; more would hide its line
_NOTHING = "A chart of no points."
_DODGE, _LEAST_DODGE = 14.0, 9.0  # distances between points that are side by side
_CAP = 3.0  # half the length of the bar at the end of an interval
_NOTE_GAP = 8.0  # between a point and its note


@dataclass(frozen=True, slots=True)
class Series:
    """Named points, joined in the given order.

    ``low`` and ``high`` are the ends of intervals. ``notes`` are texts to show at some points, by number.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    notes: Mapping[int, str] = field(default_factory=dict)


def line_chart(
    series: Sequence[Series],
    *,
    x_label: str,
    y_label: str,
    title: str | None = None,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    bars: bool = False,
) -> Scene:
    """Draw one line per series, with a legend to the right.

    Intervals are shaded bands, or with ``bars`` vertical bars, which do not hide each other.

    Series differ by colour, dash and marker. Points outside a given range are cut off. If a series has
    more than 40 points, only some of them have markers. Numbers that are not finite are an error. If
    there are no points at all, the picture says "empty".

    >>> line_chart([Series("a", [1, 2], [0.1, 0.3])], x_label="x", y_label="y").description
    'Lines of y by x. a: 2 points, 0.1 to 0.3.'
    """
    lines = [_checked(line) for line in series]
    xs = [x for line in lines for x in line.x]
    if not xs:
        return headed(empty_scene(_NOTHING), title)
    ys = [y for line in lines for side in (line.y, line.low, line.high) for y in side or ()]
    tips = [[f"{line.name}: {number(x)}, {number(y)}" for x, y in _points(line)] for line in lines]
    return _chart(
        lines,
        tips,
        across=numeric_axis(xs, x_range, what="x_range"),
        up=numeric_axis(ys, y_range, what="y_range"),
        labels=(x_label, y_label),
        description=f"Lines of {y_label} by {x_label}. " + " ".join(map(_summary, lines)),
        title=title,
        style="bars" if bars else "bands",
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
) -> Scene:
    """Compare metrics over rows, such as language pairs: in each row, the worst is 0 and the best is 1.

    Figures 9 and 10 of Stanojević and Sima'an (2014) have this form. ``series`` maps each metric to one
    value per row. If all values of a row are equal, all are 1. Heights can be compared only within a
    row; the distance between best and worst is not shown. The original values are shown on hover. Points
    are not joined, because rows have no order; those of a row are side by side.

    >>> scaled_chart(["cs-en", "de-en"], {"bleu": [0.2, 0.3], "beer": [0.4, 0.3]}).description
    'Metrics from the worst to the best of each row. cs-en: best beer, worst bleu. de-en: all equal.'
    """
    values = {name: finite(column, f"metric {name!r}") for name, column in series.items()}
    for name, column in values.items():
        if len(column) != len(rows):
            raise WordOrderError(f"metric {name!r} has {len(column)} values for {len(rows)} rows")
    if not rows or not values:
        return headed(empty_scene(_NOTHING), title)
    scaled = scaled_rows(values, lower_is_better=lower_is_better)
    places = tuple(float(k) for k in range(len(rows)))
    summaries = []
    for k, row in enumerate(rows):
        best = [name for name in values if scaled[name][k] == 1]
        worst = [name for name in values if scaled[name][k] == 0]
        both = f"best {', '.join(best)}, worst {', '.join(worst)}" if worst else "all equal"
        summaries.append(f"{row}: {both}.")
    return _chart(
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
        style="points",
    )


@dataclass(frozen=True, slots=True)
class _Curve:
    """A checked series."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None
    notes: Mapping[int, str] = field(default_factory=dict)


def _checked(series: Series) -> _Curve:
    what = f"series {series.name!r}"
    x, y = finite(series.x, f"{what}, x"), finite(series.y, f"{what}, y")
    if len(x) != len(y):
        raise WordOrderError(f"{what} has {len(x)} x and {len(y)} y; expected the same number of each")
    if series.low is None and series.high is None:
        return _Curve(series.name, x, y, notes=series.notes)
    if series.low is None or series.high is None:
        raise WordOrderError(f"{what} has one edge of a band; pass both low and high, or neither")
    low, high = finite(series.low, f"{what}, low"), finite(series.high, f"{what}, high")
    if not len(low) == len(high) == len(x):
        raise WordOrderError(f"{what} has {len(x)} points, {len(low)} low and {len(high)} high values")
    for k, (below, above) in enumerate(zip(low, high, strict=True)):
        if below > above:
            raise WordOrderError(f"{what}, point {k + 1}: low is {below:g}, above high, {above:g}")
    return _Curve(series.name, x, y, low, high, series.notes)


def _points(line: _Curve) -> Iterator[tuple[float, float]]:
    return zip(line.x, line.y, strict=True)


def _summary(line: _Curve) -> str:
    if not line.x:
        return f"{line.name}: no points."
    if len(line.x) == 1:
        return f"{line.name}: {number(line.y[0])}."
    return f"{line.name}: {len(line.x)} points, {number(line.y[0])} to {number(line.y[-1])}."


Style = Literal["bands", "bars", "points"]  # how intervals are drawn; points are not joined


def _chart(
    lines: Sequence[_Curve],
    tips: Sequence[Sequence[str]],
    *,
    across: Axis,
    up: Axis,
    labels: tuple[str, str],
    description: str,
    title: str | None,
    style: Style,
) -> Scene:
    """Draw axes to the left and below, lines over them, and a legend to the right."""
    columns = len(across.ticks)
    wide = max(_WIDTH, min(columns * (across.widest + TICK_GAP + 1), _WIDEST))
    if is_rotated(across, wide):
        wide = max(_WIDTH, columns * _UPRIGHT)
    if style == "points":
        wide = max(wide, columns * (len(lines) + 2) * _LEAST_DODGE)
    frame = Frame(MARGIN + LABEL_ROOM + up.widest + TICK_GAP, MARGIN, wide, _HEIGHT)
    names = [line.name for line in lines]
    legend_wide, legend_tall = legend_size(names)
    plot = _Plot(frame, across, up, _dodge(frame, columns, len(lines), style))
    items: list[Item] = [*plot.stripes()] if style == "points" else []
    items += [*draw_across(across, frame, labels[0]), *draw_up(up, frame, labels[1])]
    items += plot.drawn(lines, style)
    items += (plot.points(k, line, tips[k]) for k, line in enumerate(lines))
    items += [note for line in lines for note in plot.notes(line)]
    items += legend(names, frame.right + MARGIN, frame.top, lines=style != "points")
    scene = Scene(
        frame.right + MARGIN + legend_wide + MARGIN,
        frame.top + max(_HEIGHT + room_below(across, wide), legend_tall) + MARGIN / 2,
        tuple(items),
        visible(labels[1]),
        description,
    )
    return headed(scene, title)


def _dodge(frame: Frame, columns: int, series: int, style: Style) -> list[float]:
    """Return how far each series is moved to the side; only columns have room for it, not numbers."""
    step = min(_DODGE, frame.width / max(columns, 1) / (series + 2)) if style == "points" else 0.0
    return [step * (k - (series - 1) / 2) for k in range(series)]


@dataclass(frozen=True, slots=True)
class _Plot:
    """Where values are in the plot; ``dodge`` moves the points of each series to the side."""

    frame: Frame
    across: Axis
    up: Axis
    dodge: Sequence[float]

    def at(self, x: float, y: float, series: int = -1) -> tuple[float, float]:
        aside = self.dodge[series] if series >= 0 else 0.0
        return self.across.across(x, self.frame) + aside, self.up.up(y, self.frame)

    def stripes(self) -> Iterator[Box]:
        """Shade every other column of a named axis, so that it is seen which points belong to it."""
        wide = self.frame.width / len(self.across.ticks)
        for k in range(0, len(self.across.ticks), 2):
            yield Box(self.frame.left + k * wide, self.frame.top, wide, self.frame.height, "stripe")

    def holds(self, line: _Curve) -> bool:
        heights = (*line.y, *(line.low or ()), *(line.high or ()))
        return all(map(self.across.holds, line.x)) and all(map(self.up.holds, heights))

    def drawn(self, lines: Sequence[_Curve], style: Style) -> Iterator[Item]:
        """Draw intervals and lines, in this order; what is outside the plot is cut off."""
        items: list[Item] = []
        for k, line in enumerate(lines):
            if line.x and line.low is not None and line.high is not None:
                items += self._bars(k, line) if style == "bars" else [self._band(k, line)]
        for k, line in enumerate(lines):
            if line.x and style != "points":
                path = trace(k, [self.at(*point) for point in _points(line)])
                items.append(Group((path,), css="series"))
        whole = all(map(self.holds, lines))
        yield Group(tuple(items), clip=None if whole else (*self.frame,))

    def _band(self, k: int, line: _Curve) -> Path:
        edges = [
            *zip(line.x, line.high or (), strict=True),
            *reversed([*zip(line.x, line.low or (), strict=True)]),
        ]
        return closed([self.at(*point) for point in edges], f"{hue(k)} band")

    def _bars(self, k: int, line: _Curve) -> Iterator[Path]:
        """Draw intervals as bars; the ends of each series are wider, so that those at one place differ."""
        cap = _CAP + k * _CAP / 2
        for x, low, high in zip(line.x, line.low or (), line.high or (), strict=True):
            (over, bottom), (_, top) = self.at(x, low, k), self.at(x, high, k)
            steps: tuple[Step, ...] = (("M", (over, bottom)), ("L", (over, top)))
            for y in (bottom, top):
                steps += (("M", (over - cap, y)), ("L", (over + cap, y)))
            yield Path(steps, f"{hue(k)} bar")

    def points(self, k: int, line: _Curve, tips: Sequence[str]) -> Group:
        """Draw the markers of a series."""
        every = -(-len(line.x) // _MOST_MARKERS) or 1
        shown = list(zip(line.x, line.y, tips, strict=True))[::every]
        inside = [(x, y, tip) for x, y, tip in shown if self.across.holds(x) and self.up.holds(y)]
        return Group(tuple(marker(k, *self.at(x, y, k), tip) for x, y, tip in inside), css="points")

    def notes(self, line: _Curve) -> Iterator[Label]:
        """Write the notes of a series beside their points, away from the line where there is room."""
        for k, text in line.notes.items():
            x, y = self.at(line.x[k], line.y[k])
            beside = [self.at(line.x[n], line.y[n]) for n in (k - 1, k + 1) if 0 <= n < len(line.x)]
            wide = text_width(visible(text), LABEL_SIZE) + _NOTE_GAP
            fits_left, fits_right = x - wide >= self.frame.left, x + wide <= self.frame.right
            goes_right = sum(over - x for over, _ in beside) > 0
            is_left = fits_left and (goes_right or not fits_right)
            is_below = sum(down - y for _, down in beside) < 0 and y + 2 * LABEL_SIZE <= self.frame.bottom
            height = y + LABEL_SIZE if is_below else y - LABEL_SIZE
            if is_left:
                yield Label(text, x - _NOTE_GAP, height, "name", LABEL_SIZE, "right")
            else:
                yield Label(text, x + _NOTE_GAP, height, "name", LABEL_SIZE, "left")
