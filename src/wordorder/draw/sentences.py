"""The pictures of sentences of real texts: a translation and its reference, linked sentences, predictions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from wordorder.core.alignment import Alignment
from wordorder.core.orders import orders_from_links
from wordorder.core.permutation import Permutation
from wordorder.core.tree import Tree, tree
from wordorder.draw.labels import Notes
from wordorder.draw.pictures import Pictures, link_pictures, order_pictures, prediction_pictures
from wordorder.metrics.matched import MatchedMetric
from wordorder.metrics.segments import MatchedTexts, Segments
from wordorder.preorder.base import Preorderer
from wordorder.preorder.lattices import order_lattice
from wordorder.preorder.occlusion import node_certainty
from wordorder.preorder.outputs import DecodedBlock
from wordorder.preorder.probabilistic import Probabilistic
from wordorder.preorder.source import Source
from wordorder.text.tokens import Tokens

LATTICE_ORDERS = 10  # as 'preorder apply' writes


def translation_pictures(hypothesis: str, reference: str, metric: MatchedMetric) -> Pictures:
    """Return the pictures of a translation: where its words are in the reference.

    Words are matched as the metric does. Trees are over matched words only; curves and matrices show all.

    >>> from wordorder.metrics.registry import metric
    >>> shown = translation_pictures("tomorrow I will wait", "I wait tomorrow", metric("kendall"))
    >>> print(shown["tree"].text(False).splitlines()[-1])
    → I wait tomorrow
    """
    segments = Segments([hypothesis], [[reference]])
    (matched,) = metric.matched(segments)
    assert matched.texts is not None  # words were matched
    source, target = (
        _cased(line, tokens, matched.texts)
        for line, tokens in ((hypothesis, matched.texts.hypotheses), (reference, matched.texts.references))
    )
    links = matched.texts.matches.alignment(0, len(target))
    words = [source[i] for i, _ in links.links]
    return order_pictures(tree(matched.permutations[0], words)) | link_pictures(links, source, target)


def _cased(line: str, tokens: Tokens, texts: MatchedTexts) -> list[str]:
    """Return the words of a line as they are written, or in lower case if that divides them otherwise."""
    table = texts.words
    plain = table.as_written
    cased = plain.encode([line])
    if len(cased.ids) == len(tokens.ids):
        table, tokens = plain, cased
    known = table.words
    return [known[k] for k in tokens.ids.tolist()]


def linked_pictures(
    alignment: Alignment, source: Sequence[str], target: Sequence[str], *, policy: str = "talbot"
) -> Pictures:
    """Return the pictures of a sentence and its translation; ``policy`` orders the source words.

    >>> shown = linked_pictures(Alignment(2, 2, [(0, 1), (1, 0)]), ["a", "b"], ["B", "A"])
    >>> print(shown["tree"].text(False))
    ⟨2,1⟩
    ├─ a  2
    └─ b  1
    → b a
    """
    order = orders_from_links([alignment], policy, words=[list(source)]).permutations[0]
    shown = order_pictures(tree(order, source), output=order.inverse())
    return shown | link_pictures(alignment, source, target)


def predicted_pictures(model: Preorderer, source: Source, *, k: int = LATTICE_ORDERS) -> Pictures:
    """Return the pictures of the order that a model predicts; lattices hold the k best orders.

    Trees show how certain the nodes are, if the model has probabilities.
    """
    block = DecodedBlock(model, [source])

    @cache
    def found() -> Tree:
        return block.trees[0].to_tree(source.words)

    @cache
    def notes() -> Notes:
        if not isinstance(model, Probabilistic):
            return {}
        shares = node_certainty(model, source, block.trees[0])
        return {span: f"{share:.2f}" for span, share in shares.items()}

    def order() -> Permutation:
        return block.orders[0]

    drawn = found()
    return order_pictures(drawn, notes=notes, output=drawn.permutation.inverse()) | prediction_pictures(
        source.words,
        order,
        lambda: block.precedence[0],
        lambda: order_lattice(block.nbest(k)[0], block.precedence[0]).graph,
    )
