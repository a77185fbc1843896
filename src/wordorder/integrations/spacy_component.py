"""A component for pipelines of spaCy that predicts the word order of another language.

``nlp.add_pipe("wordorder", config={"model": "en-multi-crf", "language": "ja"})`` sets ``doc._.order``, the
positions of the tokens in their new order, and ``doc._.reordered``, their text. spaCy finds the component by
its entry point. Tokens that are white space are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from wordorder.io.parallel import batches
from wordorder.parse.spacy_docs import sentences_of, words_of
from wordorder.preorder import load_preorderer
from wordorder.preorder.base import Preorderer
from wordorder.preorder.source import as_sources

ORDER, REORDERED = "order", "reordered"
BATCH = 64  # documents


class OrderComponent:
    """Orders the words of each sentence; a parse that the document has is used by rules and labels."""

    def __init__(self, preorderer: Preorderer) -> None:
        self.preorderer = preorderer
        for name in (ORDER, REORDERED):
            if not Doc.has_extension(name):
                Doc.set_extension(name, default=None)

    def __call__(self, doc: Any) -> Any:
        """Order the sentences of a document."""
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Any], batch_size: int = BATCH) -> Iterator[Any]:
        """Order the sentences of many documents, in batches."""
        for docs in batches(stream, batch_size):
            sentences = [sentences_of(doc) for doc in docs]
            sources = as_sources(one for own in sentences for one in own)
            orders = iter(self.preorderer.reorder_batch(sources))
            for doc, own in zip(docs, sentences, strict=True):
                moved = [next(orders).apply(words_of(one)) for one in own]
                tokens = [token for sentence in moved for token in sentence]
                doc._.set(ORDER, [token.i for token in tokens])
                doc._.set(REORDERED, " ".join(token.text for token in tokens))
                yield doc


@Language.factory(
    "wordorder",
    assigns=[f"doc._.{ORDER}", f"doc._.{REORDERED}"],
    default_config={"model": "en-multi-crf", "language": "", "settings": {}},
)
def make_component(
    nlp: Language, name: str, model: str, language: str, settings: dict[str, Any]
) -> OrderComponent:
    """Make the component: a model, or rules, as ``load_preorderer`` finds them, and settings of it.

    ``language`` is the target language of models that know several.
    """
    chosen = {**settings, **({"language": language} if language else {})}
    return OrderComponent(load_preorderer(model, **chosen))
