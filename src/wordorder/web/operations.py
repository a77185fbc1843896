"""The work behind the API: each function turns a request into an answer, as plain data for JSON.

They call what the command line calls, so that numbers are the same everywhere. They run in worker processes
(:mod:`wordorder.web.pool`), which can be stopped at any moment.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from wordorder.align.aligner_files import load_model
from wordorder.align.bilingual import AlignerSettings, BilingualModel, train_aligner
from wordorder.arrays import Doubles
from wordorder.core.alignment import Alignment
from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.core.forest import Forest
from wordorder.core.orders import Orders, orders_from_links
from wordorder.core.permutation import Permutation, Permutations
from wordorder.core.plugins import split_spec
from wordorder.core.tree import Tree
from wordorder.draw.pictures import PictureSettings, link_pictures, order_pictures
from wordorder.draw.svg import to_svg
from wordorder.draw.tikz import to_latex, to_tikz
from wordorder.errors import BadSetting, UnknownName, WordOrderError
from wordorder.evaluate.references import Reference
from wordorder.evaluate.usability import Usability, usability
from wordorder.io.base import Problem
from wordorder.io.lines import counted, split_words
from wordorder.io.links import LinkRecord
from wordorder.io.pharaoh import Pharaoh
from wordorder.metrics.base import Metric, Score, tally
from wordorder.metrics.matched import MatchedMetric, labels
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import (
    REGISTRY,
    metric,
    metric_names,
    parse_metrics,
    parse_ordering_metrics,
)
from wordorder.metrics.segments import Segments
from wordorder.preorder.base import Preorderer
from wordorder.preorder.models import about_model, load_preorderer, model_title, shipped_models
from wordorder.report.order_scores import describe
from wordorder.tune.choice import choose_by_risk
from wordorder.web import limits
from wordorder.web.schemas import (
    AlignRequest,
    ChooseRequest,
    DrawRequest,
    LinksRequest,
    PermutationLike,
    ReorderRequest,
    ScoreRequest,
    TreeRequest,
)

Answer = dict[str, Any]
ENOUGH = 0.8  # share of linked words below which an order is doubtful
FEW = 100  # pairs below which an aligner has learned little


# Scores


def score(request: ScoreRequest) -> Answer:
    """Score permutations or text with several metrics."""
    metrics = parsed(tuple(request.metrics), permutations=request.permutations is not None)
    if request.permutations is not None:
        orders = [permutation(p, order=request.order) for p in request.permutations]
        return {"scores": [_order_score(name, m, orders, request) for name, m in metrics.items()]}
    texts = [*(request.hypotheses or []), *(line for stream in request.references or [] for line in stream)]
    check_words(texts)
    segments = Segments(request.hypotheses or [], request.references or [])
    return {"scores": [_text_score(name, m, segments, request) for name, m in metrics.items()]}


@lru_cache(maxsize=64)
def parsed(specs: tuple[str, ...], *, permutations: bool = False) -> dict[str, Metric]:
    """Make metrics by their names, but none whose settings name a file of this machine."""
    for spec in specs:
        name, settings = split_spec(spec)
        for key in set(settings) & set(REGISTRY.get(name).places):
            raise BadSetting(f"{spec!r}: {key} names a file, which requests may not")
    metrics = parse_ordering_metrics(specs) if permutations else parse_metrics(specs)
    return dict(zip(labels(metrics), metrics, strict=True))


def _order_score(name: str, m: Metric, orders: Sequence[Permutation], request: ScoreRequest) -> Answer:
    assert isinstance(m, OrderingMetric)
    whole = m.corpus_score_orders(orders, n_bootstrap=request.bootstrap, seed=request.seed)
    found = _described(name, m, whole)
    if len(orders) == 1:
        batch = Permutations(orders)
        found |= _filled(m, m.statistics(batch), batch)
    if request.segments:
        found["segments"] = m.score_orders(orders).tolist()
    return found


def _text_score(name: str, m: Metric, segments: Segments, request: ScoreRequest) -> Answer:
    m = m.for_segments(segments)
    rows = m.statistics(segments)
    signature = m.signature_for(len(segments.references))
    whole = m.make_score(rows, tally(m.word_counts(segments)), signature, request.bootstrap, request.seed)
    found = _described(name, m, whole)
    if len(segments) == 1:
        matched = m.matched(segments)[0].permutations if isinstance(m, MatchedMetric) else None
        found |= _filled(m, rows, matched)
    if request.segments:
        found["segments"] = m.segment_scores(rows).tolist()
    return found


def _filled(m: Metric, rows: Doubles, permutations: Permutations | None) -> Answer:
    terms = {name: float(values[0]) for name, values in m.terms(rows, permutations).items()}
    return {"equation": m.equation, "terms": terms}


def _described(name: str, m: Metric, whole: Score) -> Answer:
    low, high = m.range
    counts = whole.as_dict()
    return {
        "metric": name,
        **{key: counts[key] for key in ("score", "low", "high", "signature", "words", "matched")},
        "range": [low, high if math.isfinite(high) else None],
        "higher_is_better": m.higher_is_better,
    }


def metrics() -> Answer:
    """List the metrics."""
    entries = []
    for name in metric_names():
        m = metric(name)
        about = describe(m)
        text = (inspect.getdoc(type(m)) or "").partition("\n>>>")[0].rstrip().replace("``", "")
        entries.append(
            {key: about[key] for key in ("name", "range", "higher_is_better", "settings", "signature")}
            | {"about": text, "permutations": isinstance(m, OrderingMetric)}
        )
    return {"metrics": entries}


# Trees


def tree(request: TreeRequest) -> Answer:
    """Return a tree of a permutation, or of the order that links give."""
    chosen, links, orders = _chosen_tree(request)
    answer = {
        "ranks": chosen.permutation.ranks.tolist(),
        "words": None if chosen.words is None else list(chosen.words),
        "count": str(Forest(chosen.permutation).count),
        "number": request.number,
        "nodes": _nodes(chosen),
        "brackets": Tree(chosen.permutation, chosen.table).to_brackets(),  # with numbers for words
    }
    if links is not None and orders is not None:
        answer |= {"sure": list(links.sure), "possible": list(links.possible)}
        answer["reference"] = _reference(links, chosen.words or (), orders.ranks[0], bool(orders.counts[0]))
    return answer


def draw(request: DrawRequest) -> Answer:
    """Draw a permutation or links."""
    chosen, links, _ = _chosen_tree(request)
    pictures = order_pictures(chosen)
    if links is not None and request.links is not None:
        sides = split_words(request.links.source), split_words(request.links.target)
        pictures |= link_pictures(links, *sides)
    scene = pictures[request.picture].scene(PictureSettings(request.title, request.width))
    write = {"svg": to_svg, "tikz": to_tikz, "latex": to_latex}[request.format]
    kind = "image/svg+xml" if request.format == "svg" else "text/x-tex"
    return {"content": write(scene), "media_type": kind}


def _chosen_tree(request: TreeRequest) -> tuple[Tree, Alignment | None, Orders | None]:
    """Return the tree that is asked for; of links also these, and the orders that they give."""
    words, links, orders = request.words, None, None
    if request.links is not None:
        links, words = alignment(request.links), split_words(request.links.source)
        orders = orders_from_links([links], request.policy, words=[words])
        order = orders.permutations[0]
    else:
        assert request.permutation is not None
        order = permutation(request.permutation, order=request.order)
    forest = Forest(order, words)
    return (
        forest.flat if request.number is None else forest.tree_at(int(request.number)),
        links,
        orders,
    )


def _nodes(chosen: Tree) -> list[Answer]:
    return [
        {
            "begin": node.begin,
            "end": node.end,
            "kind": node.kind,
            "operator": [place + 1 for place in node.operator],
            "children": [[child.begin, child.end] for child in node.children],
        }
        for node in chosen.nodes()
    ]


def _reference(links: Alignment, words: Sequence[str], ranks: Any, counts: bool) -> Answer:
    reference = Reference.from_ranks(words, ranks) if counts else Reference((), ())
    usable = usability([links])
    try:
        text = reference.to_text()
    except Problem:  # a word is itself a bracket
        text = reference.to_positions()
    linked = {i for i, _ in links.links}
    return {
        "text": text,
        "groups": [list(run) for run in reference.runs],
        "unlinked": [i for i in range(len(words)) if i not in linked],
        "coverage": usable.coverage,
        "target_coverage": usable.target_coverage,
        "warnings": _doubts(usable) if links.links else [],
    }


def _doubts(usable: Usability) -> list[str]:
    """Return reasons to doubt the order of one sentence."""
    target = usable.target_coverage
    checks = [
        (usable.coverage < ENOUGH, f"only {usable.coverage:.0%} of the source words are linked"),
        (target is not None and target < ENOUGH, f"only {target or 0:.0%} of the target words are linked"),
        (
            usable.interrupted > 0,
            f"{counted(usable.interrupted, 'source word')} with target words of other words in between",
        ),
        (usable.contradictory > 0, "the first and the last links of words give different orders"),
    ]
    return [text for holds, text in checks if holds]


def permutation(numbers: PermutationLike, *, order: bool) -> Permutation:
    """Read a permutation from text or numbers, whose base is read off them."""
    if isinstance(numbers, str):
        read = Permutation.parse(numbers, base=None) if numbers.strip() else Permutation.identity(0)
        check_size(len(read))
    else:
        base = 0 if 0 in numbers else 1
        read = Permutation([number - base for number in numbers])
    return read.inverse() if order else read


def alignment(request: LinksRequest) -> Alignment:
    """Read the links of two sentences."""
    sizes = [len(split_words(side)) for side in (request.source, request.target)]
    for size in sizes:
        check_size(size)
    if request.text is None:
        pairs = [[(i, j) for i, j in side or ()] for side in (request.sure, request.possible)]
        record = LinkRecord(pairs[0], possible=pairs[1])
    else:
        record = _parsed_links(request.text, request.base)
    try:
        return Pharaoh(base=request.base).fit(record, *sizes)
    except Problem as problem:
        raise WordOrderError(str(problem), suggest=problem.suggest) from None


def _parsed_links(text: str, base: int) -> LinkRecord:
    try:
        return Pharaoh(base=base).parse(" ".join(text.split()))  # type: ignore[arg-type]
    except Problem as problem:
        raise WordOrderError(str(problem), suggest=problem.suggest) from None


# Reordering


def reorder(request: ReorderRequest) -> Answer:
    """Reorder sentences by a model."""
    check_words(request.sentences)
    if (request.precedence or request.explain) and len(request.sentences) > limits.EXPLAINED:
        raise BadSetting(f"tables and explanations are for up to {limits.EXPLAINED} sentences a request")
    model = loaded(request.model, request.language)
    sources = [split_words(sentence) for sentence in request.sentences]
    candidates = model.nbest([list(words) for words in sources], request.nbest)
    trees = model.trees([list(words) for words in sources])
    answers = []
    for words, found, best in zip(sources, candidates, trees, strict=True):
        answers.append(
            {
                "words": list(words),
                "ranks": found[0].permutation.ranks.tolist(),
                "candidates": [
                    {"order": c.order, "text": str(c), "loss": c.loss, "log_probability": c.log_prob}
                    for c in found
                ],
                "tree": best.to_penn(words) if words else "",
            }
        )
    if request.precedence:
        for answer, table in zip(answers, model.precedence([list(w) for w in sources]), strict=True):
            answer["precedence"] = table.round(4).tolist()
    if request.explain:
        for answer, reasons in zip(answers, model.explain([list(w) for w in sources]), strict=True):
            answer["explanation"] = reasons.as_dict()
    return {"model": request.model, "signature": model.signature, "sentences": answers}


@lru_cache(maxsize=16)
def loaded(name: str, language: str | None) -> Preorderer:
    """Load a model that comes with the package; other names could be folders of this machine."""
    if name not in shipped_models():
        raise UnknownName("model", name, shipped_models())
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
    network = about_model(name)["trained"].get("network", {})
    return list(network.get("languages", ()))


def models(aligner: str | None = None) -> Answer:
    """List the models that come with the package, and the aligner of this server."""
    entries = [
        {
            "name": name,
            "title": model_title(name),
            "method": about_model(name)["method"],
            "languages": languages(name),
        }
        for name in shipped_models()
    ]
    return {"models": entries, "aligner": trained_aligner(aligner).trained_on if aligner else None}


# Links


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


# Choosing


def choose(request: ChooseRequest) -> Answer:
    """Choose the candidates with the highest expected scores."""
    check_words([text for texts in request.candidates for text in texts])
    if request.method == "pruned" and request.top > 1:
        raise BadSetting("pruned finds only the best candidate; use the method exact for more")
    if (request.scores is None) != (request.temperature is None):
        raise BadSetting("scores and temperature belong together: give both or neither")
    if request.scores is not None and list(map(len, request.scores)) != list(map(len, request.candidates)):
        raise BadSetting("expected one score for each candidate")
    lists = [
        (
            s,
            [
                CandidateTranslation(s, text, score=request.scores[s][k] if request.scores else None)
                for k, text in enumerate(texts)
            ],
        )
        for s, texts in enumerate(request.candidates)
    ]
    (m,) = parsed((request.metric,)).values()
    choices = [
        [
            {"text": candidate.text, "value": value}
            for candidate, value in zip(
                choice.ranked[: request.top], choice.values[: request.top], strict=True
            )
        ]
        for choice in choose_by_risk(lists, m, method=request.method, temperature=request.temperature)
    ]
    return {"signature": m.signature, "choices": choices}


# Limits that are not those of a field


def check_words(texts: Sequence[str]) -> None:
    """Refuse sentences of too many words."""
    for text in texts:
        check_size(len(split_words(text)))


def check_size(words: int) -> None:
    """Refuse a sentence of too many words."""
    if words > limits.WORDS:
        raise BadSetting(
            f"a sentence has {words} words; this page takes {limits.WORDS}. Use the command line."
        )


OPERATIONS: Mapping[str, tuple[type[BaseModel], Callable[..., Answer]]] = {
    "score": (ScoreRequest, score),
    "tree": (TreeRequest, tree),
    "draw": (DrawRequest, draw),
    "reorder": (ReorderRequest, reorder),
    "align": (AlignRequest, align),
    "choose": (ChooseRequest, choose),
}
