"""The axes of a chart: round ticks, where a value stands, grid and labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wordorder.draw.labels import shortened_text, text_width
from wordorder.draw.markup import decimal, side_text, text_element
from wordorder.errors import BadSetting, WordOrderError

TICK_SIZE, LABEL_SIZE = 12.0, 13.0  # type sizes, in pixels
TICK_GAP = 8.0  # between the plot and its tick labels
LABEL_ROOM = 24.0  # for the name of an axis
LONGEST_TICK = 180.0  # pixels; longer labels are shortened
_LARGEST = 1e100  # far beyond any score, and no difference of two such numbers overflows
_NARROWEST = 1e-9  # part of the values that a range must span for its ticks to differ


class Frame(NamedTuple):
    """The rectangle of the plot."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right side."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The lower side."""
        return self.top + self.height


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis spans, and its ticks."""

    low: float
    high: float
    ticks: tuple[float, ...]
    labels: tuple[str, ...]

    def holds(self, value: float) -> bool:
        """Whether the value is inside; a rounding error outside is inside."""
        slack = _NARROWEST * (self.high - self.low)
        return self.low - slack <= value <= self.high + slack

    def across(self, value: float, frame: Frame) -> float:
        """The x coordinate of a value."""
        return frame.left + frame.width * (value - self.low) / (self.high - self.low)

    def up(self, value: float, frame: Frame) -> float:
        """The y coordinate of a value."""
        return frame.bottom - frame.height * (value - self.low) / (self.high - self.low)

    @property
    def widest(self) -> float:
        """The room that the widest label takes."""
        return max((text_width(label, TICK_SIZE) for label in self.labels), default=0.0)


def number(value: float) -> str:
    """A value for people, with a true minus sign.

    >>> number(-0.123456), number(3.0)
    ('−0.1235', '3')
    """
    return f"{value + 0.0:.4g}".replace("-", "−")


def finite(values: Iterable[float], what: str) -> tuple[float, ...]:
    """The values as floats, or an error that names the first that cannot be drawn."""
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
    """An axis over all values, out to round ticks; a given range is kept as it is.

    If all values are equal it reaches a tenth of them to both sides. If all are whole numbers,
    so are its ticks.

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
    """An axis with a column for each name, in order."""
    labels = tuple(shortened_text(name, TICK_SIZE, LONGEST_TICK) for name in names)
    return Axis(-0.5, len(names) - 0.5, tuple(float(k) for k in range(len(names))), labels)


def _step(span: float, most: int) -> tuple[int, int]:
    """The least of 1, 2, 2.5 and 5 times a power of ten that needs no more steps, as m · 10**e."""
    raw = span / most
    power = math.floor(math.log10(raw))
    for mantissa, exponent in ((1, power), (2, power), (25, power - 1), (5, power)):
        if float(f"{mantissa}e{exponent}") >= raw * (1 - _NARROWEST):
            return mantissa, exponent
    return 1, power + 1


def _axis(low: float, high: float, mantissa: int, exponent: int, *, outward: bool) -> Axis:
    step = float(f"{mantissa}e{exponent}")
    slack = -_NARROWEST if outward else _NARROWEST  # 0.3 / 0.1 is a little less than 3
    if outward:
        first, last = math.floor(low / step - slack), math.ceil(high / step + slack)
    else:
        first, last = math.ceil(low / step - slack), math.floor(high / step + slack)
    # From text, for k * 0.1 would not be the number nearest to what the label says.
    ticks = tuple(float(f"{k * mantissa}e{exponent}") for k in range(first, last + 1))
    if outward:
        low, high = ticks[0], ticks[-1]
    large = max(abs(low), abs(high)) >= 1e7 or exponent < -6
    form = ".12g" if large else f".{max(0, -exponent)}f"
    return Axis(low, high, ticks, tuple(f"{tick:{form}}".replace("-", "−") for tick in ticks))


def is_turned(axis: Axis, width: float) -> bool:
    """Whether the labels under the plot must stand upright to keep apart."""
    return axis.widest + TICK_GAP > width / max(len(axis.ticks), 1)


def room_below(axis: Axis, width: float) -> float:
    """What tick labels and name take under the plot."""
    tall = axis.widest if is_turned(axis, width) else TICK_SIZE
    return TICK_GAP + tall + LABEL_ROOM


def draw_across(axis: Axis, frame: Frame, name: str) -> Iterator[str]:
    """Grid, tick labels and name of the axis below the plot."""
    top, bottom = decimal(frame.top), decimal(frame.bottom)
    turned = is_turned(axis, frame.width)
    tall = axis.widest if turned else TICK_SIZE
    for tick, label in zip(axis.ticks, axis.labels, strict=True):
        x = axis.across(tick, frame)
        yield f'<path class="wo-grid" d="M{decimal(x)} {top}V{bottom}"/>'
        if turned:
            text = side_text(label, 0, 0, size=TICK_SIZE, css="number", side="end")
            place = f"translate({decimal(x)} {decimal(frame.bottom + TICK_GAP)}) rotate(-90)"
            yield f'<g transform="{place}">{text}</g>'
        else:
            yield text_element(label, x, frame.bottom + TICK_GAP + tall / 2, size=TICK_SIZE, css="number")
    y = frame.bottom + TICK_GAP + tall + LABEL_ROOM / 2
    text = shortened_text(name, LABEL_SIZE, frame.width)
    yield text_element(text, frame.left + frame.width / 2, y, size=LABEL_SIZE, css="axis")
    yield f'<path class="wo-line" d="M{decimal(frame.left)} {bottom}H{decimal(frame.right)}"/>'


def draw_up(axis: Axis, frame: Frame, name: str) -> Iterator[str]:
    """Grid, tick labels and name of the axis left of the plot."""
    left, right = decimal(frame.left), decimal(frame.right)
    for tick, label in zip(axis.ticks, axis.labels, strict=True):
        y = axis.up(tick, frame)
        yield f'<path class="wo-grid" d="M{left} {decimal(y)}H{right}"/>'
        yield side_text(label, frame.left - TICK_GAP, y, size=TICK_SIZE, css="number", side="end")
    x = frame.left - TICK_GAP - axis.widest - LABEL_ROOM / 2
    text = text_element(shortened_text(name, LABEL_SIZE, frame.height), 0, 0, size=LABEL_SIZE, css="axis")
    middle = decimal(frame.top + frame.height / 2)
    yield f'<g transform="translate({decimal(x)} {middle}) rotate(-90)">{text}</g>'
    yield f'<path class="wo-line" d="M{left} {decimal(frame.top)}V{decimal(frame.bottom)}"/>'
