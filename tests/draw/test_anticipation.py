"""The anticipation curve is the metric at all lags."""

from itertools import permutations

from tests.draw.scenes import words
from wordorder.core.permutation import Permutation
from wordorder.draw import anticipation_chart, anticipation_text
from wordorder.draw.anticipation import anticipation_curve
from wordorder.metrics.registry import metric


def test_curve_is_the_metric_at_all_lags() -> None:
    for order in permutations(range(5)):
        curve = anticipation_curve(Permutation(order))
        assert curve == [metric("anticipation", k=k + 1)(order) for k in range(len(curve))]
        assert curve[-1] == 0 and 0 not in curve[:-1]


def test_chart_and_text() -> None:
    scene = anticipation_chart(Permutation([2, 0, 1]), title="t")
    assert words(scene, "heading") == ["t"] and words(scene, "name") == ["guessed (none from lag 3)"]
    assert anticipation_text(Permutation([2, 0, 1])).splitlines()[0].startswith("lag 1  0.33  █")
    assert words(anticipation_chart(Permutation([])), "number") == ["empty"]
    assert anticipation_text(Permutation([])) == "empty"
