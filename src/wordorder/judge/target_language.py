"""Adapts metrics to the target language of a set: its stems, synonyms and word boundaries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from wordorder.errors import UnknownName, WordOrderError
from wordorder.judge.judgments import Judgments
from wordorder.metrics.base import Metric
from wordorder.metrics.segments import Matching
from wordorder.metrics.text import TextMetric, on_text
from wordorder.text.paraphrases import find_paraphrases
from wordorder.text.stems import stemmer_name
from wordorder.text.synonyms import find_wordnet

# Tokenizers of languages that are written without spaces between words.
TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
# Stages of the matcher that need resources of a language, and how those are found.
_RESOURCES: dict[str, Callable[[Matching, str], object]] = {
    "stem": lambda matching, language: stemmer_name(language),
    "synonym": lambda matching, language: find_wordnet(matching.wordnet or None, language),
    "paraphrase": lambda matching, language: find_paraphrases(matching.paraphrases or None, language),
}


def available_matching(matching: Matching, sets: Sequence[Judgments]) -> dict[str, tuple[Matching, str]]:
    """Return how to match words in each target language, with a note where a stage is missing.

    A language without the resources of a stage, such as stems, is matched without that stage. A stage that
    no language of the sets has is an error.
    """
    stages, at, ties = matching.match.partition("@")
    wanted = stages.split("+")
    languages = list(dict.fromkeys(judgments.target for judgments in sets))
    lacking: dict[str, list[str]] = {language: [] for language in languages}
    for stage in (stage for stage in wanted if stage in _RESOURCES):
        errors: list[WordOrderError] = []
        for language in languages:
            try:
                _RESOURCES[stage](matching, language)
            except WordOrderError as error:
                lacking[language].append(stage)
                errors.append(error)
        if errors and len(errors) == len(languages):
            raise errors[0]
    by_language = {}
    for language in languages:
        kept = "+".join(stage for stage in wanted if stage not in lacking[language]) or "exact"
        needs_language = any(stage in _RESOURCES for stage in kept.split("+"))
        fitted = replace(matching, match=f"{kept}{at}{ties}", language=language if needs_language else "en")
        _ = fitted.matcher  # checks the names of the stages
        by_language[language] = (
            fitted,
            f"words are matched by {kept}: {language} has no {' or '.join(lacking[language])} resources"
            if lacking[language]
            else "",
        )
    return by_language


def suited(metric: Metric, language: str, matching: Matching) -> TextMetric:
    """Return the metric for text in a language, with its tokenizer and its stems."""
    tokenizer = TOKENIZERS.get(language) if matching.tokenize == "13a" else None
    fitted = on_text(metric, replace(matching, tokenize=tokenizer or matching.tokenize))
    if getattr(fitted, "has_language", False) and fitted.language == "en":  # type: ignore[attr-defined]
        fitted = replace(fitted, language=_stemmed(language))  # type: ignore[call-arg]
    if tokenizer and getattr(fitted, "tokenize", "") == "13a":  # BLEU has a tokenizer of its own
        fitted = replace(fitted, tokenize=tokenizer)  # type: ignore[call-arg]
    return fitted


def _stemmed(language: str) -> str:
    """Return the language if its words can be stemmed, else ``none``."""
    try:
        stemmer_name(language)
    except UnknownName:
        return "none"
    return language
