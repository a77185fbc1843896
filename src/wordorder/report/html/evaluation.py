"""The report on preorderers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wordorder.core.permutation import Permutation
from wordorder.draw import Dot, Scene, dot_chart
from wordorder.evaluate.columns import IDENTITY, Column
from wordorder.evaluate.corpus import EvaluatedSystem, EvaluationCorpus
from wordorder.evaluate.evaluation import VariantScores
from wordorder.evaluate.rule_effects import RuleEffect
from wordorder.evaluate.variants import OrderScore
from wordorder.io.lines import counted
from wordorder.report.errors import WORST
from wordorder.report.evaluation import EvaluationReport
from wordorder.report.html.page import ReportPage, charts, flow
from wordorder.report.html.sentence_view import PLACE, SCRIPT, SentenceView, node_facts

_RULES = (
    "Gain: what the corpus score would lose without the rule. Gained and harmed: sums over sentences that "
    "the rule makes better and worse."
)


def evaluation_page(
    report: EvaluationReport, corpus: EvaluationCorpus, systems: Sequence[EvaluatedSystem]
) -> bytes:
    """Write an evaluation as an HTML page, with all sentences of the first variant."""
    evaluation = report.evaluation
    names = [system.name for system in systems]
    page = ReportPage(
        f"Preordering: {', '.join(names) or IDENTITY}",
        f"{counted(evaluation.sentences, 'sentence')} · {counted(evaluation.words, 'word')}",
    )
    scores, agreement, errors = report.parts()
    pictures = [_chart(scored, column) for scored in evaluation.variants for column in scored.columns]
    page.add("scores", "Scores", *(page.table(table, file="scores") for table in scores), charts(pictures))
    if agreement:
        page.add(
            "agreement",
            "References, raters and parsers",
            *(page.table(one, file="agreement") for one in agreement),
        )
    effects = {f"Errors of {one.system}": one.rules for one in report.errors if one.rules}
    for number, (title, tables) in enumerate(errors):
        # All sentences are shown below, if their words are known.
        shown = [table for table in tables if table.name != WORST or corpus.words is None]
        parts = flow(page.table(table, file="errors") for table in shown)
        rules = effects.get(title)
        picture = charts([_rules_chart(rules)]) if rules else ""
        page.add(f"errors-{number}", title, parts, picture, about=_RULES if rules else "")
    if corpus.words is not None:
        page.add("sentences", "Sentences", PLACE, about=_about(evaluation.variants[0]))
        view = _view(evaluation.variants[0], corpus, systems)
        return page.write([SCRIPT], data=dict(view.data()))
    return page.write()


def _rules_chart(rules: Sequence[RuleEffect]) -> Scene:
    """Draw what each rule gains and harms, summed over sentences."""
    dots = [
        Dot(name, value, group=effect.name)
        for effect in rules
        for name, value in (("gained", effect.gained), ("harmed", effect.harmed))
    ]
    return dot_chart(dots, x_label="sum over sentences")


def _about(scored: VariantScores) -> str:
    return (
        f"Sentences with a reference order by the variant {scored.title}. Words that may stand in any order "
        "are shown in the order of the source."
    )


def _chart(scored: VariantScores, column: Column) -> Scene:
    dots = []
    for name, result in column.cells.items():
        if np.isfinite(result.score):
            around = result.interval
            dots.append(Dot(name, result.score, *((around.low, around.high) if around else (None, None))))
    return dot_chart(dots, x_label=f"{scored.title}: {column.name}")


def _view(
    scored: VariantScores, corpus: EvaluationCorpus, systems: Sequence[EvaluatedSystem]
) -> SentenceView:
    used = scored.sentences
    known = {system.name: system.orders for system in systems}
    names = list(scored.cells)
    identity = [Permutation.identity(size) for size in corpus.sizes]
    orders = {name: known.get(name, identity) for name in names}
    ranked = {name: scored.variant.ranked(scored.ranks, own, corpus.words) for name, own in orders.items()}

    def compared(k: int) -> list[int]:
        """Return the words that count, in the order of the reference."""
        ranks = scored.ranks[used[k]]
        assert ranks is not None
        return [i for i in np.argsort(ranks, kind="stable").tolist() if ranks[i] >= 0]

    def partners(name: str, k: int) -> list[int]:
        """Return the places in the reference of the words in the order of the system; -1 without one."""
        place = {i: number for number, i in enumerate(compared(k))}
        return [place.get(i, -1) for i in orders[name][used[k]].order.tolist()]

    def sentence(k: int) -> list[Any]:
        words = corpus.sources[used[k]].words
        assert words is not None
        rows = [
            [" ".join(words[i] for i in orders[name][used[k]].order.tolist()), partners(name, k)]
            for name in names
        ]
        return [" ".join(words[i] for i in compared(k)), rows, 0]

    def nodes(name: str, score: OrderScore) -> list[list[float]]:
        """Return the scores of nodes; none where ties or repeated words give another tree than is shown."""
        values, relative = score.node_scores(ranked[name]), ranked[name].relative
        return [
            own if [place for place in partners(name, k) if place >= 0] == list(order) else []
            for k, (own, order) in enumerate(zip(values, relative, strict=True))
        ]

    return SentenceView(
        systems=names,
        metrics=[
            {
                "label": column.name,
                "higher": column.measure.higher_is_better,
                "range": [None, None],
                "decimals": 3,
                "about": scored.variant.about,
                "equation": score.equation,
                "node": node_facts(score.by),
                "features": None,
                "signature": column.measure.signature,
            }
            for column, score in zip(scored.columns, scored.scores, strict=True)
        ],
        numbers=[s + 1 for s in used],
        lengths=[corpus.sizes[s] for s in used],
        scores=[[column.sentence_scores[name][used] for column in scored.columns] for name in names],
        sentence=sentence,
        terms=[[score.terms(ranked[name]) for score in scored.scores] for name in names],
        nodes=[
            [nodes(name, score) if node_facts(score.by) else [] for score in scored.scores] for name in names
        ],
        about="Source words in reference order",
    )
