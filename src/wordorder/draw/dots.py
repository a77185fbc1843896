"""Draw values with intervals as a chart with one row per value, in groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wordorder.draw.axes import (
    LABEL_SIZE,
    TICK_GAP,
    Axis,
    Frame,
    draw_across,
    finite,
    number,
    numeric_axis,
    room_below,
)
from wordorder.draw.labels import shortened_text, text_width
from wordorder.draw.marks import hue, marker
from wordorder.draw.scene import MARGIN, Group, Item, Label, Path, Scene, empty_scene, headed, line
from wordorder.errors import WordOrderError

_WIDTH = 420.0  # width of the plot
_ROW, _GROUP = 24.0, 30.0  # heights of a row and of the name of a group
_CAP = 4.0  # half the length of the bar at the end of an interval
_LONGEST_NAME = 300.0
_MOST_DESCRIBED = 60  # rows


@dataclass(frozen=True, slots=True)
class Dot:
    """A named value, with an optional interval and group."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    group: str = ""


def dot_chart(
    rows: Sequence[Dot],
    *,
    x_label: str,
    title: str | None = None,
    x_range: tuple[float, float] | None = None,
) -> Scene:
    """Draw each value as a dot on its interval, one row per value.

    Rows of a group are drawn together below its name, in the given order; rows without a group come
    first. A name has the same colour and marker in every group. Values outside a given range are cut
    off. Numbers that are not finite are an error. If there are no rows, the picture says "empty".

    >>> rows = [Dot("bleu", 0.2, 0.1, 0.3, group="cs-en"), Dot("bleu", 0.4, group="de-en")]
    >>> dot_chart(rows, x_label="tau").description
    'tau of 2 rows. cs-en, bleu: 0.2 [0.1, 0.3]; de-en, bleu: 0.4.'
    """
    if not rows:
        return headed(empty_scene("A chart of no points."), title)
    ends = [end for row in rows for end in _checked(row)]
    across = numeric_axis(ends, x_range, what="x_range", most=5)
    groups: dict[str, list[Dot]] = {"": []}  # first, because after a group they would seem to belong to it
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    names = [
        shortened_text(text, LABEL_SIZE, _LONGEST_NAME) for row in rows for text in (row.name, row.group)
    ]
    left = MARGIN + max(text_width(name, LABEL_SIZE) for name in names) * 1.08 + TICK_GAP  # groups are bold
    tall = _ROW * len(rows) + _GROUP * sum(group != "" for group in groups)
    frame = Frame(left, MARGIN, _WIDTH, tall)
    summary = "; ".join(map(_summary, rows[:_MOST_DESCRIBED])) + (
        "; …" if len(rows) > _MOST_DESCRIBED else ""
    )
    scene = Scene(
        frame.right + 2 * MARGIN,
        frame.bottom + room_below(across, _WIDTH) + MARGIN / 2,
        (*draw_across(across, frame, x_label), *_body(groups, across, frame)),
        x_label,
        f"{x_label} of {len(rows)} rows. {summary}.",
    )
    return headed(scene, title)


def _checked(row: Dot) -> tuple[float, ...]:
    """Return all numbers of a row, or raise an error if one cannot be drawn."""
    what = f"row {row.name!r}"
    if row.low is None and row.high is None:
        return finite([row.value], what)
    if row.low is None or row.high is None:
        raise WordOrderError(f"{what} has one end of an interval; pass both low and high, or neither")
    numbers = finite([row.value, row.low, row.high], what)
    if row.low > row.high:
        raise WordOrderError(f"{what}: low is {row.low:g}, above high, {row.high:g}")
    return numbers


def _summary(row: Dot) -> str:
    name = f"{row.group}, {row.name}" if row.group else row.name
    if row.low is None or row.high is None:
        return f"{name}: {number(row.value)}"
    return f"{name}: {number(row.value)} [{number(row.low)}, {number(row.high)}]"


def _body(groups: dict[str, list[Dot]], across: Axis, frame: Frame) -> Iterator[Item]:
    looks: dict[str, int] = {}
    y, end = frame.top, frame.left - TICK_GAP
    for group, rows in groups.items():
        if group:
            short = shortened_text(group, LABEL_SIZE, _LONGEST_NAME)
            yield Label(short, end, y + _GROUP / 2 + 3, "group", LABEL_SIZE, "right")
            y += _GROUP
        for row in rows:
            look, middle = looks.setdefault(row.name, len(looks)), y + _ROW / 2
            short = shortened_text(row.name, LABEL_SIZE, _LONGEST_NAME)
            items: list[Item] = [Label(short, end, middle, "name", LABEL_SIZE, "right")]
            items += _interval(row, look, across, frame, middle)
            if across.holds(row.value):
                items.append(marker(look, across.across(row.value, frame), middle, _summary(row)))
            yield Group(tuple(items), css="row")
            y += _ROW


def _interval(row: Dot, look: int, across: Axis, frame: Frame, y: float) -> Iterator[Path]:
    if row.low is None or row.high is None or row.high < across.low or row.low > across.high:
        return
    start = across.across(max(row.low, across.low), frame)
    end = across.across(min(row.high, across.high), frame)
    steps = line((start, y), (end, y)).steps
    for x, value in ((start, row.low), (end, row.high)):
        if across.holds(value):  # no cap where the interval is cut off
            steps += line((x, y - _CAP), (x, y + _CAP)).steps
    yield Path(steps, f"{hue(look)} trace")
