"""Notes behind operators: they take their room and stay what they are."""

from __future__ import annotations

from xml.etree import ElementTree

from tests.draw.test_tree_layout import assert_well_placed
from wordorder.core.tree import tree
from wordorder.draw import to_svg, tree_picture, tree_text
from wordorder.draw.tree_layout import tree_layout


def test_notes_are_part_of_the_labels() -> None:
    drawn = tree([1, 0, 2, 4, 3], list("abcde"))
    notes = {(0, 2): "0.97", (0, 5): "<&\x00 a long note", (3, 4): "of no node"}
    layout = tree_layout(drawn, notes)
    assert_well_placed(layout, 5)
    assert [place.label for place in layout.nodes] == ["⟨1,2⟩×2 <&\ufffd a long note", "⟨2,1⟩", "⟨2,1⟩ 0.97"]
    wide = {(p.begin, p.end): p.width for p in layout.nodes}
    assert wide[0, 2] > wide[3, 5] == {(p.begin, p.end): p.width for p in tree_layout(drawn).nodes}[3, 5]
    picture = to_svg(tree_picture(drawn, notes=notes))
    ElementTree.fromstring(picture)
    assert ">⟨2,1⟩ 0.97<" in picture and "of no node" not in picture
    text = tree_text(drawn, notes=notes)
    assert "├─ ⟨2,1⟩ 0.97\n" in text and "⟨1,2⟩×2 <&\ufffd a long note" in text
    assert tree_text(drawn, notes={}) == tree_text(drawn)
