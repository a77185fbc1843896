"""Trees as programs that draw trees read them: qtree and forest for LaTeX, and square brackets.

Penn brackets, which NLTK reads, are in :mod:`wordorder.core.tree_text`.
"""

from __future__ import annotations

from wordorder.core.tree import Tree
from wordorder.core.tree_text import penn_label, write_tree
from wordorder.draw.latex import escape_latex


def to_qtree(tree: Tree) -> str:
    r"""Write a tree for the LaTeX packages qtree and tikz-qtree.

    >>> from wordorder.core.tree import tree
    >>> print(to_qtree(tree([1, 0], ["50%", "b"])))
    \Tree [.{$\langle$2,1$\rangle$} {50\%} {b} ]
    """
    if not len(tree):
        return ""

    def leaf(word: str) -> str:
        return f"{{{escape_latex(word)}}}"

    body = write_tree(
        tree, opening=lambda node: f"[.{{{escape_latex(str(node.operator))}}} ", closing=" ]", leaf=leaf
    )
    return rf"\Tree {body if len(tree) > 1 else f'[.{body} ]'}"


def to_forest(tree: Tree) -> str:
    r"""Write a tree for the LaTeX package forest.

    >>> from wordorder.core.tree import tree
    >>> print(to_forest(tree([1, 0], ["a", "b,c"])))
    \begin{forest} [{$\langle$2,1$\rangle$} [{a}] [{b,c}]] \end{forest}
    """
    if not len(tree):
        return ""
    body = write_tree(
        tree,
        opening=lambda node: f"[{{{escape_latex(str(node.operator))}}} ",
        closing="]",
        leaf=lambda word: f"[{{{escape_latex(word)}}}]",
    )
    return rf"\begin{{forest}} {body} \end{{forest}}"


def to_square(tree: Tree) -> str:
    """Write a tree in labelled square brackets, as pages that draw syntax trees read them.

    These pages have no escapes: square brackets in words become ``-LSB-`` and ``-RSB-``.

    >>> from wordorder.core.tree import tree
    >>> to_square(tree([1, 0], ["a", "[b]"]))
    '[P21 [a] [-LSB-b-RSB-]]'
    """

    def leaf(word: str) -> str:
        return f"[{word.replace('[', '-LSB-').replace(']', '-RSB-')}]"

    return write_tree(tree, opening=lambda node: f"[{penn_label(node)} ", closing="]", leaf=leaf)
