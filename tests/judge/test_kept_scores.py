"""Scores of judged items: what metrics give, kept by content."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.judge.simulated import judgments, scored
from wordorder.errors import BadSetting, UnknownName
from wordorder.judge.judgments import Judgments
from wordorder.judge.metric_scores import Scorer
from wordorder.judge.score_cache import ScoreCache
from wordorder.judge.target_language import available_matching, suited_metrics
from wordorder.metrics.base import Metric
from wordorder.metrics.registry import metric, parse_metrics
from wordorder.metrics.segments import Matching, Segments

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "two", "dogs", "in", "old", "town"]
SPECS = "kendall,recpef,full,lrscore,bleu,chrf,ter,ribes"


def texts(segments: int, systems: int, seed: int = 1, **more: object) -> Judgments:
    """References of random words; system k makes k * 2 swaps."""
    rng = np.random.default_rng(seed)
    references, outputs = [], []
    for _ in range(segments):
        words = rng.choice(WORDS, int(rng.integers(1, 12))).tolist()
        references.append(" ".join(words))
        for k in range(systems):
            mine = list(words)
            for _ in range(2 * k):
                i = int(rng.integers(len(mine)))
                mine.insert(int(rng.integers(len(mine) + 1)), mine.pop(i))
            outputs.append(" ".join(mine[: len(mine) - k % 2]))
    return judgments(segments, systems, outputs=outputs, references=references, **more)  # type: ignore[arg-type]


def test_scores_are_the_metrics_own() -> None:
    one = texts(150, 3, missing=(4, 100))
    metrics = parse_metrics([SPECS])
    (found,) = Scorer()([one], metrics)
    there = ~one.missing
    hypotheses = [text for text in one.outputs if text is not None]
    references = [one.references[0][s] for s, has in zip(one.item_segment, there, strict=True) if has]
    for made, got in zip(metrics, found, strict=True):
        plain = made
        segments = Segments(hypotheses, [references])
        assert got.segment[there] == pytest.approx(
            plain.segment_scores(plain.statistics(segments)), abs=1e-12
        )
        assert got.stats[there] == pytest.approx(plain.statistics(segments), abs=1e-12)
        assert not got.segment[~there].any() and not got.stats[~there].any()
        whole = plain.corpus_score(hypotheses, [references])
        assert got.combine(got.stats.sum(axis=0)[None, :])[0] == pytest.approx(whole.score, abs=1e-9)
        assert got.signature == whole.signature


def test_scores_are_kept_by_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, metrics = texts(20, 2), parse_metrics(["kendall,bleu"])
    first = Scorer(cache=ScoreCache(str(tmp_path)))([one], metrics)
    files = sorted(tmp_path.iterdir())
    assert len(files) == 2
    monkeypatch.setattr("wordorder.judge.metric_scores.score_blocks", None)  # nothing is computed again
    again = Scorer(cache=ScoreCache(str(tmp_path)))([one], metrics)
    for before, after in zip(first[0], again[0], strict=True):
        assert np.array_equal(before.segment, after.segment) and np.array_equal(before.stats, after.stats)
    monkeypatch.undo()
    Scorer(cache=ScoreCache(str(tmp_path)))([texts(20, 2, seed=2)], metrics)
    assert len(list(tmp_path.iterdir())) == 4  # another text
    Scorer(cache=ScoreCache(str(tmp_path)))([one], parse_metrics(["kendall:scale=tau"]))
    assert len(list(tmp_path.iterdir())) == 5  # another setting
    files[0].write_bytes(files[0].read_bytes()[:-8])  # damaged: computed again
    repaired = Scorer(cache=ScoreCache(str(tmp_path)))([one], metrics)
    assert np.array_equal(repaired[0][0].stats, first[0][0].stats)
    unwritable = tmp_path / "file"
    unwritable.write_text("")
    assert Scorer(cache=ScoreCache(str(unwritable)))([one], metrics)[0][0].label == "kendall"


def test_languages_have_their_own_words_and_stems() -> None:
    chinese, german = (replace(texts(2, 2), pair=f"en-{language}") for language in ("zh", "de"))
    metrics = parse_metrics(["kendall,bleu,ulam:match=exact+stem,ulam:match=stem,language=fr"])
    in_chinese, in_german = ([made for made, _ in row] for row in suited_metrics(metrics, [chinese, german]))
    assert [made.tokenize for made in in_chinese[:2]] == ["zh", "zh"]  # type: ignore[attr-defined]
    assert [made.tokenize for made in in_german[:2]] == ["13a", "13a"]  # type: ignore[attr-defined]
    assert [getattr(made, "language", None) for made in in_german] == ["en", None, "de", "fr"]


def test_a_language_without_stems_is_matched_without_them() -> None:
    stems = Matching(match="exact+stem@first")
    both = available_matching(stems, ["de", "ja"])
    note = "words are matched by exact: ja has no stem resources"
    assert both == {"de": (replace(stems, language="de"), ""), "ja": (Matching(match="exact@first"), note)}
    with pytest.raises(UnknownName, match="ja"):
        available_matching(stems, ["ja"])  # no set has what was asked for
    german, japanese = (replace(texts(2, 2), pair=f"en-{language}") for language in ("de", "ja"))
    metrics = parse_metrics(["kendall,bleu"], {"match": "exact+stem", "tokenize": "none"})
    scored = Scorer()([german, japanese], metrics)
    assert [[metric.note for metric in row] for row in scored] == [["", ""], [note, ""]]


def test_late_settings_score_nothing_again() -> None:
    one = texts(40, 3)
    for spec, again in (("full", "full:alpha=0.2"), ("lrscore", "lrscore:alpha=0.2")):
        scored_once, there = Scorer()([one], [metric(spec), metric(again)])[0]
        assert np.array_equal(scored_once.stats, there.stats)
        assert scored_once.oriented_with({"alpha": 0.2}) == pytest.approx(there.oriented, abs=1e-12)
        with pytest.raises(BadSetting):
            scored_once.oriented_with({"beta": 0.2})


def test_scores_from_elsewhere_need_no_metric() -> None:
    with pytest.raises(BadSetting, match="without scoring again"):
        scored(np.zeros(3)).oriented_with({"alpha": 0.1})


def test_every_metric_is_made_for_the_set() -> None:
    made: list[Metric] = parse_metrics(["kendall,full"])
    assert [one.label for one in Scorer()([texts(3, 2)], made)[0]] == ["kendall", "full"]


def test_metrics_that_are_the_same_for_a_language_keep_their_labels() -> None:
    german, japanese = (replace(texts(2, 2), pair=f"en-{language}") for language in ("de", "ja"))
    metrics = parse_metrics(["kendall:tokenize=none,ulam:tokenize=none,ulam:tokenize=none,match=exact+stem"])
    names = [[scores.label for scores in row] for row in Scorer()([german, japanese], metrics)]
    assert names[0] == names[1] and len(set(names[0])) == 3
