"""Choices among candidate translations."""

from __future__ import annotations

from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.errors import BadSetting
from wordorder.tune.choice import choose_by_risk
from wordorder.web.operations.requests import Answer, check_words, parsed
from wordorder.web.schemas import (
    ChooseRequest,
)


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
