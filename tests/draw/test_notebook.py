"""Values show themselves in notebooks: pictures and tables, escaped, and text where they are too large."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from wordorder.core.alignment import Alignment
from wordorder.core.displayed import Displayed
from wordorder.core.forest import Forest
from wordorder.core.lattice import lattice
from wordorder.core.permutation import Permutation
from wordorder.core.tree import tree
from wordorder.draw import notebook, to_svg, tree_picture
from wordorder.engine.compare import compare
from wordorder.evaluate import evaluate_orders
from wordorder.metrics.base import Score
from wordorder.metrics.beer.explain import ScoreParts
from wordorder.preorder import Reordering
from wordorder.report.table import Table

BAD = "<script>alert(1)</script>"
ORDER = Permutation([1, 3, 0, 2])
WORDS = ("a", BAD, "c", "d")
ROWS = np.array([[1.0, 1.0]] * 9)


def evaluation() -> Displayed:
    links = [Alignment(2, 2, [(0, 1), (1, 0)])]
    return evaluate_orders(links, {BAD: [Permutation([1, 0])]}, samples=10)


VALUES = {
    "permutation": lambda: ORDER,
    "alignment": lambda: Alignment(2, 2, [(0, 1)]),
    "tree": lambda: tree(ORDER, WORDS),
    "forest": lambda: Forest(ORDER, WORDS),
    "many trees": lambda: Forest(range(200), [BAD] * 200),
    "lattice": lambda: lattice([ORDER], np.zeros((4, 4))),
    "reordering": lambda: Reordering(WORDS, ORDER),
    "score": lambda: Score(0.5, BAD, segments=1),
    "parts": lambda: ScoreParts(0.5, 1.0, True, {BAD: 1.0}, {}),
    "comparison": lambda: compare([[ROWS], [ROWS]], [lambda sums: sums[:, 0] / sums[:, 1]], samples=10),
    "table": lambda: Table(head=["", BAD], rows=[[BAD, "1"]], title=BAD, notes=[BAD]),
    "evaluation": evaluation,
}


@pytest.mark.parametrize("name", VALUES)
def test_values_show_themselves(name: str) -> None:
    value = VALUES[name]()
    assert isinstance(value, Displayed)
    bundle = value._repr_mimebundle_()
    assert len(bundle) == 1
    (kind, content), *_ = bundle.items()
    assert kind in ("image/svg+xml", "text/html") and "<script" not in content
    ElementTree.fromstring(content)
    assert value._repr_mimebundle_() == bundle
    if name in ("evaluation", "comparison", "agreement"):
        assert repr(value).startswith("<") and len(repr(value)) < 300


def test_trees_and_orders_are_drawn() -> None:
    drawn = tree(ORDER, WORDS)
    picture = {"image/svg+xml": to_svg(tree_picture(drawn))}
    assert drawn._repr_mimebundle_() == picture == Reordering(WORDS, ORDER)._repr_mimebundle_()


def test_forests_show_their_count() -> None:
    assert "14 trees" in Forest(range(5))._repr_mimebundle_()["image/svg+xml"]
    # Catalan(m) is near 4^m / sqrt(pi m^3): for 499 that is 10 to the 296.1
    assert "about 10^296.1 trees" in Forest(range(500))._repr_mimebundle_()["text/html"]


def test_scores_and_parts_show_their_numbers() -> None:
    shown = Score(0.5, "kendall|v:1", segments=2, matched=0.5)._repr_mimebundle_()["text/html"]
    assert "<b>0.5000, 50.0 % of words matched</b>" in shown and "<code>kendall|v:1</code>" in shown
    assert "█" in ScoreParts(0.5, 1.0, True, {"words": 1.0}, {})._repr_mimebundle_()["text/html"]


def test_long_tables_are_cut() -> None:
    shown = Table(head=["a"], rows=[["x"]] * 1000)._repr_mimebundle_()["text/html"]
    assert shown.count("<tr>") == 201 and "and 800 more rows" in shown


def test_explanations_show_their_tree() -> None:
    from wordorder.preorder import load_preorderer

    shown = load_preorderer("en-ja-crf").explain("he reads books .")._repr_mimebundle_()["text/html"]  # type: ignore[attr-defined]
    ElementTree.fromstring(shown)
    assert "<svg" in shown and "without the word" in shown


def test_what_is_too_large_to_look_at_is_shown_as_text() -> None:
    many = range(notebook.MOST_WORDS + 1)
    for value in (
        Permutation(many),
        tree(many),
        Forest(many),
        Alignment(1, len(many)),
        Reordering(("a",) * len(many), Permutation(many)),
        lattice([Permutation(many)], np.zeros((len(many), len(many)))),
    ):
        assert value._repr_mimebundle_() == {}
    assert tree(many[:-1])._repr_mimebundle_() != {}


def test_nothing_is_drawn_before_a_notebook_asks() -> None:
    program = (
        "import sys, wordorder as wo; p = wo.Permutation([1, 0]); print('wordorder.draw' in sys.modules);"
        "print(*p._repr_mimebundle_())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "False\nimage/svg+xml\n", done.stderr


def test_ipython_finds_pictures_and_text() -> None:
    formatters = pytest.importorskip("IPython.core.formatters")
    data, _ = formatters.DisplayFormatter().format(tree(ORDER))
    assert set(data) == {"image/svg+xml", "text/plain"}
