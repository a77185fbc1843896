import subprocess
import sys
from xml.etree import ElementTree

from wordorder.core.forest import Forest
from wordorder.core.tree import Tree, tree
from wordorder.draw import notebook, tree_svg


def test_trees_draw_themselves() -> None:
    drawn = tree([1, 3, 0, 2], ["a", "<b>", "c", "d"])
    assert drawn._repr_svg_() == tree_svg(drawn)


def test_forests_show_their_count_and_flat_tree() -> None:
    forest = Forest([1, 3, 4, 5, 0, 2], ["<script>", "b", "c", "d", "e", "f"])
    shown = forest._repr_html_()
    assert "<p>2 trees</p>" in shown
    assert tree_svg(forest.flat) in shown
    assert "<script" not in shown
    ElementTree.fromstring(shown)


def test_counts_are_readable_however_large() -> None:
    assert "<p>1 tree</p>" in str(notebook.forest_picture(Forest([])))
    assert "<p>16,796 trees</p>" in str(notebook.forest_picture(Forest(range(11))))
    # Catalan(m) is near 4^m / sqrt(pi m^3): for 499 that is 10 to the 296.1
    assert "<p>about 10<sup>296</sup> trees</p>" in str(notebook.forest_picture(Forest(range(500))))


def test_what_is_too_large_to_look_at_is_not_drawn() -> None:
    many = range(notebook.MOST_WORDS + 1)
    assert notebook.tree_picture(tree(many)) is None
    assert notebook.forest_picture(Forest(many)) is None
    assert notebook.tree_picture(tree(many[:-1])) is not None


def test_installing_twice_changes_nothing() -> None:
    before = Tree._repr_svg_
    notebook.install()
    assert Tree._repr_svg_ is before is notebook.tree_picture


def test_importing_is_enough() -> None:
    program = (
        "import wordorder.draw.notebook; from wordorder.core.forest import Forest;"
        "print(Forest([0, 1, 2])._repr_html_()[:41], Forest([1, 0]).flat._repr_svg_()[:4])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == '<div class="wo-forest"><p>2 trees</p><div <svg\n', done.stderr
