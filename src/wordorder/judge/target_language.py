"""Adapts metrics to the target languages of sets: stems, synonyms, paraphrases and tokenizers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from wordorder.errors import UnknownName, WordOrderError
from wordorder.judge.judgments import Judgments
from wordorder.metrics.base import Metric
from wordorder.metrics.matched import MatchedMetric
from wordorder.metrics.segments import Matching
from wordorder.text.normalisation import folding
from wordorder.text.paraphrases import find_paraphrases
from wordorder.text.segmentation import tokenizer_for
from wordorder.text.stems import stemmer_name
from wordorder.text.synonyms import find_wordnet

# Tokenizers of languages that are written without spaces between words.
TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
# Stages of the matcher that need resources of a language, and how those are found.
RESOURCES: dict[str, Callable[[Matching, str], object]] = {
    "stem": lambda matching, language: stemmer_name(language),
    "synonym": lambda matching, language: find_wordnet(matching.wordnet or None, language),
    "paraphrase": lambda matching, language: find_paraphrases(matching.paraphrases or None, language),
}


def suited_metrics(metrics: Sequence[Metric], sets: Sequence[Judgments]) -> list[list[tuple[Metric, str]]]:
    """Return the metrics for each set, with a note where a language lacks what a metric asks for."""
    languages = list(dict.fromkeys(judgments.target for judgments in sets))
    by_metric = [_by_language(metric, languages) for metric in metrics]
    rows = []
    for judgments in sets:
        tokenizer = usual_tokenizer(judgments.target, judgments.references[0] if judgments.references else ())
        suited = [by_language[judgments.target] for by_language in by_metric]
        rows.append([(metric.with_tokenizer(tokenizer), note) for metric, note in suited])
    return rows


def usual_tokenizer(language: str, lines: Sequence[str]) -> str | None:
    """Return the tokenizer that a text in a language needs; None if words are separated by spaces."""
    return TOKENIZERS.get(language) or tokenizer_for(lines)


def _by_language(metric: Metric, languages: Iterable[str]) -> dict[str, tuple[Metric, str]]:
    """Return the metric for each language; one for which a language is given is left as it is."""
    if getattr(metric, "language", None) != "en":
        return {language: (metric, "") for language in languages}
    if not isinstance(metric, MatchedMetric):  # BEER, some versions of which use stems
        stemmed = getattr(metric, "has_language", False)
        return {
            language: (replace(metric, language=_stemmed(language)) if stemmed else metric, "")  # type: ignore[call-arg]
            for language in languages
        }
    by_language: dict[str, tuple[Metric, str]] = {}
    for language, (matching, note) in available_matching(metric.matching, list(languages)).items():
        fitted = metric
        target = language if metric.has_language else matching.language
        if (matching.match, target) != (metric.match, metric.language):
            fitted = replace(metric, match=matching.match, language=target)
        by_language[language] = fitted, note
    return by_language


def available_matching(matching: Matching, languages: Sequence[str]) -> dict[str, tuple[Matching, str]]:
    """Return how to match words in each language, with a note where a stage is missing.

    A language without the resources of a stage, such as stems, is matched without that stage. A stage that
    none of the languages has is an error.
    """
    stages, at, ties = matching.match.partition("@")
    wanted = stages.split("+")
    lacking: dict[str, list[str]] = {language: [] for language in languages}
    for stage in (stage for stage in wanted if stage in RESOURCES):
        errors: list[WordOrderError] = []
        for language in languages:
            try:
                RESOURCES[stage](matching, language)
            except WordOrderError as error:
                lacking[language].append(stage)
                errors.append(error)
        if errors and len(errors) == len(languages):
            raise errors[0]
    by_language = {}
    for language in languages:
        kept = "+".join(stage for stage in wanted if stage not in lacking[language]) or "exact"
        needs_language = any(stage in RESOURCES for stage in kept.split("+")) or folding(language) == language
        note = f"words are matched by {kept}: {language} has no {' or '.join(lacking[language])} resources"
        by_language[language] = (
            replace(matching, match=f"{kept}{at}{ties}", language=language if needs_language else "en"),
            note if lacking[language] else "",
        )
    return by_language


def _stemmed(language: str) -> str:
    """Return the language if its words can be stemmed, else ``none``."""
    try:
        stemmer_name(language)
    except UnknownName:
        return "none"
    return language
