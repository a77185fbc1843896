"""Orders that models predict, and the list of models."""

from __future__ import annotations

from functools import lru_cache

from wordorder.errors import BadSetting, UnknownName
from wordorder.io.lines import split_words
from wordorder.preorder.base import Preorderer
from wordorder.preorder.models import about_model, load_preorderer, model_names, model_title
from wordorder.web import limits
from wordorder.web.operations.linking import trained_aligner
from wordorder.web.operations.requests import Answer, check_words
from wordorder.web.schemas import (
    ReorderRequest,
)


def reorder(request: ReorderRequest) -> Answer:
    """Reorder sentences by a model."""
    check_words(request.sentences)
    if (request.precedence or request.explain) and len(request.sentences) > limits.EXPLAINED:
        raise BadSetting(f"tables and explanations are for up to {limits.EXPLAINED} sentences a request")
    model = loaded(request.model, request.language)
    sources = [split_words(sentence) for sentence in request.sentences]
    candidates = model.nbest([list(words) for words in sources], request.nbest)
    answers: list[Answer] = []
    for words, found in zip(sources, candidates, strict=True):
        answers.append(
            {
                "words": list(words),
                "ranks": found[0].permutation.ranks.tolist(),
                "candidates": [
                    {"order": c.order, "text": str(c), "loss": c.loss, "log_probability": c.log_prob}
                    for c in found
                ],
                "tree": "",
            }
        )
    if request.tree:
        for answer, best in zip(answers, model.trees([list(w) for w in sources]), strict=True):
            answer["tree"] = best.to_penn(answer["words"]) if answer["words"] else ""
    if request.precedence:
        for answer, table in zip(answers, model.precedence([list(w) for w in sources]), strict=True):
            answer["precedence"] = table.round(4).tolist()
    if request.explain:
        for answer, reasons in zip(answers, model.explain([list(w) for w in sources]), strict=True):
            answer["explanation"] = reasons.as_dict()
    return {"model": request.model, "signature": model.signature, "sentences": answers}


@lru_cache(maxsize=16)
def loaded(name: str, language: str | None) -> Preorderer:
    """Load an installed model; other names could be folders of this machine."""
    if name not in model_names():
        raise UnknownName("model", name, model_names())
    known = languages(name)
    if known and language not in known:
        raise BadSetting(
            f"{name} knows several target languages: {', '.join(known)}.", suggest={"language": known[0]}
        )
    if language and not known:
        raise BadSetting(f"{name} knows one target language; leave language out")
    return load_preorderer(name, **({"language": language} if language else {}))


def languages(name: str) -> list[str]:
    """Return the target languages of a model that knows several; none for other models."""
    trained = about_model(name)["trained"]
    return list(trained.get("network", trained).get("languages", ()))


def models(aligner: str | None = None) -> Answer:
    """List the installed models, and the aligner of this server."""
    entries = [
        {
            "name": name,
            "title": model_title(name),
            "method": about_model(name)["method"],
            "languages": languages(name),
        }
        for name in model_names()
    ]
    return {"models": entries, "aligner": trained_aligner(aligner).trained_on if aligner else None}
