"""Axes of charts: ticks at round numbers, coordinates of values, grid and labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wordorder.draw.labels import shortened_text, text_width
from wordorder.draw.scene import Item, Label, line
from wordorder.errors import BadSetting, WordOrderError

TICK_SIZE, LABEL_SIZE = 12.0, 13.0  # font sizes, in pixels
TICK_GAP = 8.0  # between the plot and its tick labels
LABEL_ROOM = 24.0  # height of the name of an axis
LONGEST_TICK = 180.0  # pixels; longer labels are shortened
_LARGEST = 1e100  # far beyond any score; differences of such numbers do not overflow
_NARROWEST = 1e-9  # smallest width of a range, relative to its values, at which ticks differ


class Frame(NamedTuple):
    """Rectangle of the plot."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """X coordinate of the right side."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Y coordinate of the lower side."""
        return self.top + self.height


@dataclass(frozen=True, slots=True)
class Axis:
    """Range of an axis, and its ticks with their labels."""

    low: float
    high: float
    ticks: tuple[float, ...]
    labels: tuple[str, ...]

    def holds(self, value: float) -> bool:
        """Return whether a value is inside the range, up to rounding errors."""
        slack = _NARROWEST * (self.high - self.low)
        return self.low - slack <= value <= self.high + slack

    def across(self, value: float, frame: Frame) -> float:
        """Return the x coordinate of a value."""
        return frame.left + frame.width * (value - self.low) / (self.high - self.low)

    def up(self, value: float, frame: Frame) -> float:
        """Return the y coordinate of a value."""
        return frame.bottom - frame.height * (value - self.low) / (self.high - self.low)

    @property
    def widest(self) -> float:
        """Width of the widest label, in pixels."""
        return max((text_width(label, TICK_SIZE) for label in self.labels), default=0.0)


def number(value: float) -> str:
    """Format a value for display, with a true minus sign.

    >>> number(-0.123456), number(3.0)
    ('−0.1235', '3')
    """
    return f"{value + 0.0:.4g}".replace("-", "−")


def finite(values: Iterable[float], what: str) -> tuple[float, ...]:
    """Convert values to floats; raise an error that names the first value that cannot be drawn."""
    checked = []
    for k, value in enumerate(values):
        try:
            checked.append(float(value))
        except (TypeError, ValueError):
            raise WordOrderError(f"{what}, value {k + 1} is {value!r}; expected a number") from None
        if not abs(checked[-1]) <= _LARGEST:
            raise WordOrderError(
                f"{what}, value {k + 1} is {value}; a chart needs finite numbers up to 1e100"
            )
    return tuple(checked)


def numeric_axis(
    values: Sequence[float], given: tuple[float, float] | None, *, what: str, most: int = 6
) -> Axis:
    """Make an axis that contains all values and ends at round ticks, or an axis with the given range.

    If all values are equal, the axis extends by a tenth of the value on both sides. If all values are
    integers, so are the ticks.

    >>> numeric_axis([0.13, 0.48], None, what="y").labels
    ('0.1', '0.2', '0.3', '0.4', '0.5')
    >>> numeric_axis([1, 3], None, what="x").labels
    ('1', '2', '3')
    """
    if given is not None:
        low, high = finite(given, what)
        if high - low <= _NARROWEST * max(abs(low), abs(high)):
            raise BadSetting(f"{what} is {low:g} to {high:g}; expected a lower and a higher number")
        return _axis(low, high, *_step(high - low, most), outward=False)
    low, high = min(values), max(values)
    size = max(abs(low), abs(high))
    if high - low <= max(_NARROWEST * size, 1 / _LARGEST):
        room = 0.1 * size if size > 1 / _LARGEST else 1.0
        low, high = low - room, high + room
    mantissa, exponent = _step(high - low, most)
    if exponent < 0 and all(value.is_integer() for value in map(float, values)):
        mantissa, exponent = (5, 0) if (mantissa, exponent) == (25, -1) else (1, 0)
    return _axis(low, high, mantissa, exponent, outward=True)


def named_axis(names: Sequence[str]) -> Axis:
    """Make an axis with one column per name."""
    labels = tuple(shortened_text(name, TICK_SIZE, LONGEST_TICK) for name in names)
    return Axis(-0.5, len(names) - 0.5, tuple(float(k) for k in range(len(names))), labels)


def _step(span: float, most: int) -> tuple[int, int]:
    """Return the smallest step of 1, 2, 2.5 or 5 times a power of ten, as (m, e) for m · 10**e.

    The range is covered by at most ``most`` steps.
    """
    raw = span / most
    power = math.floor(math.log10(raw))
    for mantissa, exponent in ((1, power), (2, power), (25, power - 1), (5, power)):
        if float(f"{mantissa}e{exponent}") >= raw * (1 - _NARROWEST):
            return mantissa, exponent
    return 1, power + 1


def _axis(low: float, high: float, mantissa: int, exponent: int, *, outward: bool) -> Axis:
    step = float(f"{mantissa}e{exponent}")
    slack = -_NARROWEST if outward else _NARROWEST  # 0.3 / 0.1 is slightly less than 3
    if outward:
        first, last = math.floor(low / step - slack), math.ceil(high / step + slack)
    else:
        first, last = math.ceil(low / step - slack), math.floor(high / step + slack)
    # Parsed from text, because k * 0.1 need not be the float nearest to the label.
    ticks = tuple(float(f"{k * mantissa}e{exponent}") for k in range(first, last + 1))
    if outward:
        low, high = ticks[0], ticks[-1]
    large = max(abs(low), abs(high)) >= 1e7 or exponent < -6
    form = ".12g" if large else f".{max(0, -exponent)}f"
    return Axis(low, high, ticks, tuple(f"{tick:{form}}".replace("-", "−") for tick in ticks))


def is_rotated(axis: Axis, width: float) -> bool:
    """Return whether the labels below the plot must be rotated in order not to overlap."""
    return axis.widest + TICK_GAP > width / max(len(axis.ticks), 1)


def room_below(axis: Axis, width: float) -> float:
    """Return the height of tick labels and axis name below the plot."""
    tall = axis.widest if is_rotated(axis, width) else TICK_SIZE
    return TICK_GAP + tall + LABEL_ROOM


def draw_across(axis: Axis, frame: Frame, name: str) -> Iterator[Item]:
    """Draw grid, tick labels and name of the axis below the plot."""
    rotated = is_rotated(axis, frame.width)
    tall = axis.widest if rotated else TICK_SIZE
    for tick, label in zip(axis.ticks, axis.labels, strict=True):
        x = axis.across(tick, frame)
        yield line((x, frame.top), (x, frame.bottom), css="grid")
        y = frame.bottom + TICK_GAP
        if rotated:
            yield Label(label, x, y, "number", TICK_SIZE, "right", turned=True)
        else:
            yield Label(label, x, y + tall / 2, "number", TICK_SIZE)
    y = frame.bottom + TICK_GAP + tall + LABEL_ROOM / 2
    text = shortened_text(name, LABEL_SIZE, frame.width)
    yield Label(text, frame.left + frame.width / 2, y, "axis", LABEL_SIZE)
    yield line((frame.left, frame.bottom), (frame.right, frame.bottom))


def draw_up(axis: Axis, frame: Frame, name: str) -> Iterator[Item]:
    """Draw grid, tick labels and name of the axis to the left of the plot."""
    for tick, label in zip(axis.ticks, axis.labels, strict=True):
        y = axis.up(tick, frame)
        yield line((frame.left, y), (frame.right, y), css="grid")
        yield Label(label, frame.left - TICK_GAP, y, "number", TICK_SIZE, "right")
    x = frame.left - TICK_GAP - axis.widest - LABEL_ROOM / 2
    text = shortened_text(name, LABEL_SIZE, frame.height)
    yield Label(text, x, frame.top + frame.height / 2, "axis", LABEL_SIZE, turned=True)
    yield line((frame.left, frame.top), (frame.left, frame.bottom))
