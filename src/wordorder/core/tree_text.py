"""Permutation trees as text, both ways, without recursion.

Brackets, as the papers print operators: ``⟨2,4,1,3⟩(2 ⟨1,2⟩(4 5 6) 1 3)``.
Penn style, as the Reordering Grammar writes: ``(P2413 2 (P12 4 5 6) 1 3)``; operators of ten
or more children separate their numbers with dots, ``P10.2.4...``. Leaves are the numbers of the
permutation, from 1, or words; a bracket in a word is written ``-LRB-`` or ``-RRB-``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordorder.core.permutation import Permutation
from wordorder.core.tree import Node, Tree, is_primal, sorted_table
from wordorder.errors import InvalidPermutation, InvalidTree

_BRACKET_TOKEN = re.compile(r"(?P<open>[⟨<][^\s()⟨<⟩>]*[⟩>])\(|(?P<close>\))|(?P<leaf>[^\s()]+)|(?P<bad>\()")
_PENN_TOKEN = re.compile(r"\(\s*(?P<open>[^\s()]*)|(?P<close>\))|(?P<leaf>[^\s()]+)|(?P<bad>\Z\A)")


def brackets(tree: Tree) -> str:
    """Write in bracket form."""
    return write_tree(tree, opening=lambda node: f"{node.operator}(")


def penn(tree: Tree) -> str:
    """Write in Penn style."""
    return write_tree(tree, opening=lambda node: f"({penn_label(node)} ")


def penn_label(node: Node) -> str:
    """Return the label of a node in Penn style, such as ``P2413``."""
    numbers = [str(v + 1) for v in node.operator]
    return f"P{('.' if len(numbers) > 9 else '').join(numbers)}"


def no_round_brackets(word: str) -> str:
    """Return a word without the brackets of trees.

    >>> no_round_brackets("(a)")
    '-LRB-a-RRB-'
    """
    return word.replace("(", "-LRB-").replace(")", "-RRB-")


def write_tree(
    tree: Tree,
    *,
    opening: Callable[[Node], str],
    closing: str = ")",
    leaf: Callable[[str], str] = no_round_brackets,
) -> str:
    """Write a tree in some notation of brackets; blanks separate the children of a node."""
    if not len(tree):
        return ""
    pieces: list[str] = []
    stack: list[Node | str] = [tree.root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            pieces.append(item)
        elif item.is_word:
            pieces.append(leaf(tree.label(item.begin)))
        else:
            pieces.append(opening(item))
            stack.append(closing)
            for child in reversed(item.children):
                stack.extend((child, " "))
            stack.pop()  # no blank before the first child
    return "".join(pieces)


class _Read(NamedTuple):
    """A node as read: the begins of its children, its operator and kind."""

    begin: int
    end: int
    starts: list[int]
    operator: Permutation
    kind: int


def parse(text: str) -> Tree:
    """Read a tree in either form."""
    is_penn = text.lstrip().startswith("(")
    leaves, nodes = _read(text, is_penn=is_penn)
    order = _yield_of(len(leaves), nodes)
    rows = [[node.begin, node.end, len(node.starts), node.kind] for node in nodes]
    return Tree(order, sorted_table(rows), _words(leaves, order))


def _read(text: str, *, is_penn: bool) -> tuple[list[str], list[_Read]]:
    """Return the leaves and, in postorder, the nodes."""
    leaves: list[str] = []
    nodes: list[_Read] = []
    stack: list[tuple[Permutation, int, list[int]]] = []  # operator, begin, begins of children
    done = False
    for match in (_PENN_TOKEN if is_penn else _BRACKET_TOKEN).finditer(text):
        at = match.start() + 1
        if done:
            raise InvalidTree(f"text after the end of the tree, at character {at}: {match.group()!r}")
        if match["bad"]:
            raise InvalidTree(f"'(' without an operator before it, at character {at}")
        if match["open"] is not None:
            begin = len(leaves)
            if stack:
                stack[-1][2].append(begin)
            stack.append((_operator(match["open"], at, is_penn=is_penn), begin, []))
        elif match["close"]:
            if not stack:
                raise InvalidTree(f"')' without '(', at character {at}")
            nodes.append(_closed(*stack.pop(), len(leaves), at))
            done = not stack
        else:
            if stack:
                stack[-1][2].append(len(leaves))
            leaves.append(match["leaf"].replace("-LRB-", "(").replace("-RRB-", ")"))
            done = not stack
    if stack:
        raise InvalidTree("the tree is not closed: ')' is missing at the end")
    if not leaves:
        raise InvalidTree("no leaves: expected a tree such as ⟨2,1⟩(2 1) or (P21 2 1)")
    return leaves, nodes


def _operator(token: str, at: int, *, is_penn: bool) -> Permutation:
    body = token[1:] if is_penn else token[1:-1]
    separated = body.replace(".", ",") if "." in body else ",".join(body)
    if is_penn and not re.fullmatch(r"P\d+(\.\d+)*", token, re.ASCII):
        raise InvalidTree(f"expected an operator such as P12 at character {at}, found {token!r}")
    try:
        operator = Permutation.parse(separated if is_penn else body)
    except InvalidPermutation as error:
        raise InvalidTree(f"bad operator {token!r} at character {at}: {error}") from None
    if len(operator) < 2 or not is_primal(operator):
        hint = " Write a chain as ⟨1,2⟩ or ⟨2,1⟩ with all its children." if len(operator) > 2 else ""
        raise InvalidTree(f"operator {operator} at character {at} is not primal.{hint}")
    return operator


def _closed(operator: Permutation, begin: int, starts: list[int], end: int, at: int) -> _Read:
    chain = len(operator) == 2
    if len(starts) < 2 or not (chain or len(starts) == len(operator)):
        raise InvalidTree(f"operator {operator} with {len(starts)} children, closed at character {at}")
    kind = 0 if not chain else (1 if operator.is_identity() else -1)
    return _Read(begin, end, starts, operator, kind)


def _yield_of(size: int, nodes: list[_Read]) -> Permutation:
    low = np.zeros(size, dtype=np.int64)  # lowest value of the span that begins here, from the root down
    for begin, end, starts, operator, kind in reversed(nodes):
        ends = [*starts[1:], end]
        children = list(range(len(starts)))[::kind] if kind else operator.order.tolist()
        value = int(low[begin])
        for k in children:
            low[starts[k]] = value
            value += ends[k] - starts[k]
    return Permutation(low)


def _words(leaves: list[str], order: Permutation) -> list[str] | None:
    """Return the leaves if they are words, or None if they are the permutation itself."""
    if all(re.fullmatch(r"[0-9]+", leaf, re.ASCII) for leaf in leaves):
        numbers = [int(leaf) for leaf in leaves]
        if numbers == [v + 1 for v in order]:
            return None
        if sorted(numbers) == list(range(1, len(numbers) + 1)):
            raise InvalidTree(f"leaves {numbers[:12]} do not fit the operators, which give {order}")
    return leaves


def table_from_spans(permutation: Permutation, spans: Sequence[tuple[int, int]]) -> NDArray[np.int32]:
    """Return the table of the tree with these spans; each must be an interval, and they must nest."""
    n = len(permutation)
    todo = sorted(set(spans), key=lambda span: (span[1], -span[0]))
    if n > 1 and (0, n) not in todo:
        raise InvalidTree(f"the span of the whole sentence, (0, {n}), is missing")
    rows: list[list[int]] = []
    pending: list[tuple[int, int, int, int]] = []  # begin, end, lowest and highest value
    for begin, end in todo:
        if not 0 <= begin < end - 1 < n:
            raise InvalidTree(f"({begin}, {end}) is not the span of a node (n = {n})")
        children: list[tuple[int, int, int, int]] = []
        at = end
        while at > begin:
            if pending and pending[-1][1] == at:
                child = pending.pop()
            else:
                value = permutation[at - 1]
                child = (at - 1, at, value, value)
            children.append(child)
            at = child[0]
        if at != begin:
            raise InvalidTree(f"span ({begin}, {end}) crosses span ({children[-1][0]}, {children[-1][1]})")
        children.reverse()
        low, high = min(c[2] for c in children), max(c[3] for c in children)
        if high - low != end - begin - 1:
            raise InvalidTree(f"span ({begin}, {end}) is not an interval of {permutation}")
        operator = Permutation.standardise([c[2] for c in children])
        kind = _kind(operator)
        if kind is None:
            raise InvalidTree(f"span ({begin}, {end}) has operator {operator}, which is not primal")
        rows.append([begin, end, len(children), kind])
        pending.append((begin, end, low, high))
    return sorted_table(rows)


def _kind(operator: Permutation) -> int | None:
    if operator.is_identity():
        return 1
    if operator.ranks[::-1].tolist() == list(range(len(operator))):
        return -1
    return 0 if is_primal(operator) else None
