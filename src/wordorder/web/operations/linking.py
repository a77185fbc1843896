"""Links between the words of two sentences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from wordorder.align.aligner_files import load_model
from wordorder.align.bilingual import AlignerSettings, BilingualModel, train_aligner
from wordorder.errors import BadSetting
from wordorder.io.lines import counted, split_words
from wordorder.metrics.matched import MatchedMetric
from wordorder.metrics.segments import Segments
from wordorder.web.operations.requests import Answer, check_words, parsed
from wordorder.web.schemas import (
    AlignRequest,
)

FEW = 100  # pairs below which an aligner has learned little


def align(request: AlignRequest, aligner: str | None = None) -> Answer:
    """Link the words of pairs of sentences."""
    check_words([*request.source, *request.target])
    if len(request.source) != len(request.target):
        raise BadSetting(
            f"{len(request.source)} source and {len(request.target)} target sentences; expected pairs"
        )
    if request.method == "match":
        return _match(request)
    notes = []
    if aligner:
        model = trained_aligner(aligner)
    else:
        model = train_aligner(
            request.source, request.target, settings=AlignerSettings.for_method(request.method)
        )
        if len(request.source) < FEW:
            notes.append(
                f"the aligner was trained on {counted(len(request.source), 'pair')} alone, and knows little"
                " more than spelling and position: check every link, or give the server a trained aligner"
            )
    found = model.align(request.source, request.target, symmetrise=request.symmetrise)
    pairs = []
    for s, (first, second) in enumerate(zip(request.source, request.target, strict=True)):
        scores = found.scores
        own = None if scores is None else scores[found.offsets[s] : found.offsets[s + 1]].round(4).tolist()
        links = found.pairs[found.offsets[s] : found.offsets[s + 1]].tolist()
        pairs.append(_pair(split_words(first), split_words(second), links, own))
    return {"pairs": pairs, "trained_on": model.trained_on, "notes": notes}


@lru_cache(maxsize=1)
def trained_aligner(folder: str) -> BilingualModel:
    """Load the aligner that the server was started with."""
    return load_model(folder)


def _match(request: AlignRequest) -> Answer:
    (m,) = parsed((request.metric,)).values()
    if not isinstance(m, MatchedMetric):
        raise BadSetting(f"{m.name} does not match words one to one; choose another metric")
    segments = Segments(request.source, [request.target])
    (matched,) = m.matched(segments)
    texts = matched.texts
    if texts is None:
        raise BadSetting(f"{request.metric} needs given links; choose another metric")
    names = texts.words.words
    pairs = []
    for s, (first, second) in enumerate(zip(texts.hypotheses, texts.references, strict=True)):
        begin, end = texts.matches.offsets[s : s + 2].tolist()
        links = [[i, j] for i, j in enumerate(texts.matches.positions[begin:end].tolist()) if j >= 0]
        pair = _pair([names[k] for k in first], [names[k] for k in second], links, None)
        pairs.append(pair | {"ranks": matched.permutations[s].ranks.tolist()})
    return {"pairs": pairs, "trained_on": "", "notes": []}


def _pair(
    source: Sequence[str], target: Sequence[str], links: list[list[int]], scores: list[float] | None
) -> Answer:
    return {"source": list(source), "target": list(target), "links": links, "scores": scores}
